# SPDX-License-Identifier: Apache-2.0
"""The order of calls on a device: of DeviceArrays that pass from call to call, and of what PyTorch and CuPy do on their
streams before and after. On a CUDA device a stream is held up, so that work that does not wait for it is too early."""

import numpy
import pytest
import vergence
from support import device_names

GPUS = [name for name in device_names() if name.startswith("opencl")]
GPUS += [one.name for one in vergence.devices() if one.available and one.kind == "cuda"][:1]
SHAPE = (40, 64)
OPTIONS = {"disparities": 8, "median": 3}
HELD_UP = 400_000_000  # clock cycles: 200 ms and more, which a busy host does not need for a call


@pytest.fixture(params=GPUS or [None])
def device(request):
    if request.param is None:
        pytest.skip("no OpenCL or CUDA device")
    return vergence.Device(request.param)


@pytest.fixture
def torch():
    if not [name for name in GPUS if name.startswith("cuda")]:
        pytest.skip("no CUDA device")
    return pytest.importorskip("torch")


def pictures(seed):
    rng = numpy.random.default_rng(seed)
    return [rng.integers(0, 256, SHAPE).astype(numpy.uint8) for _ in range(2)]


def expected(seed):
    return vergence.StereoMatcher("cpu", SHAPE, **OPTIONS).compute(*pictures(seed), raw=True).disparity


def test_calls_follow_each_other(device):
    camera = vergence.Camera([[60, 0, 31], [0, 60, 19], [0, 0, 1]], [-0.1], size=SHAPE)
    rig = vergence.StereoRig(camera, camera, numpy.eye(3), (-0.2, 0, 0))
    rectifier, matcher = vergence.StereoRectifier(rig, device), vergence.StereoMatcher(device, SHAPE, **OPTIONS)
    on_cpu, matched_on_cpu = vergence.StereoRectifier(rig), vergence.StereoMatcher("cpu", SHAPE, **OPTIONS)
    flat = [device.put(numpy.zeros(SHAPE, numpy.uint8)) for _ in range(2)]  # written anew while the matcher reads
    maps = []
    for seed in range(6):
        there = [device.put(one) for one in pictures(seed)]
        rectifier.rectify(*there, left_out=flat[0], right_out=flat[1])
        maps.append(matcher.compute(*flat, raw=True, other_disparity=True))
    for seed, got in enumerate(maps):
        right = matched_on_cpu.compute(*on_cpu.rectify(*pictures(seed)), raw=True, other_disparity=True)
        assert numpy.array_equal(got.disparity.get(), right.disparity), seed
        assert numpy.array_equal(got.other_disparity.get(), right.other_disparity), seed
    one = rectifier.rectify_left(device.put(pictures(3)[0]))
    assert numpy.array_equal(one.get(), on_cpu.rectify_left(pictures(3)[0]))


def test_memory_of_results_that_are_gone_is_used_again(device):
    matcher = vergence.StereoMatcher(device, SHAPE, **OPTIONS)
    there = {seed: [device.put(one) for one in pictures(seed)] for seed in range(3)}
    right = {seed: expected(seed) for seed in range(3)}
    kept = []
    for number in range(40):
        seed = number % 3
        result = matcher.compute(*there[seed], raw=True)
        if number % 5 == 0:
            kept.append((seed, result.disparity))
        elif number % 5 == 1:
            assert numpy.array_equal(result.disparity.get(), right[seed]), number
    for seed, disparity in kept:
        assert numpy.array_equal(disparity.get(), right[seed])
    last = matcher.compute(*there[1], raw=True).disparity
    del matcher
    assert numpy.array_equal(last.get(), right[1])


def test_maps_of_the_host_wait_for_arrays_of_the_device(device):
    matcher = vergence.StereoMatcher(device, SHAPE, **OPTIONS)
    camera = vergence.Camera([[60, 0, 31], [0, 60, 19], [0, 0, 1]], size=SHAPE)
    rectifier = vergence.StereoRectifier(vergence.StereoRig(camera, camera, numpy.eye(3), (-0.2, 0, 0)), device)
    raw = numpy.zeros(SHAPE, numpy.int16)
    for seed in range(3):
        flat = rectifier.rectify(*(device.put(one) for one in pictures(seed)))
        matcher.compute(*flat, disparity=raw)
        assert numpy.array_equal(raw, expected(seed))
        assert numpy.array_equal(matcher.enqueue(*flat, raw=True).wait().disparity.get(), expected(seed))
        out = numpy.zeros(SHAPE, numpy.uint8)
        assert numpy.array_equal(rectifier.rectify_left(flat[0], out), out)


def streams_of(torch):
    """The default stream, and one that waits for no other."""
    return [torch.cuda.default_stream(), torch.cuda.Stream()]


def test_pytorch(torch):
    device = vergence.Device("cuda")
    for number, stream in enumerate(streams_of(torch)):
        matcher, asked = vergence.StereoMatcher(device, SHAPE, **OPTIONS), []
        left, right = (torch.from_numpy(one).cuda() for one in pictures(7))
        a, b = torch.zeros_like(left), torch.zeros_like(right)
        out = torch.zeros(SHAPE, dtype=torch.int16, device="cuda")
        torch.cuda.synchronize()
        # Packages take memory at the first use, which may wait. What was taken on a stream of its own is freed, which waits.
        for given in (True, False, True, False) if number == 0 else (True, True, False):
            with torch.cuda.stream(stream):
                torch.cuda._sleep(HELD_UP)
                a.copy_(left)
                b.copy_(right)
                if given:
                    matcher.compute(a, b, disparity=out)
                    found = out.clone()
                    out.zero_()
                else:
                    found = torch.from_dlpack(matcher.compute(a, b, raw=True).disparity).clone()
                a.zero_()  # once it was read
                b.zero_()
                asked.append(stream.query())
            stream.synchronize()
            assert numpy.array_equal(found.cpu().numpy(), expected(7)), (number, given)
        assert not any(asked[2:] if number == 0 else asked[1:2]), f"the host has waited: stream {number}, {asked}"
        for seed in range(12):  # memory of a result goes back while the stream still copies from it
            with torch.cuda.stream(stream):
                a.copy_(torch.from_numpy(pictures(seed)[0]))
                b.copy_(torch.from_numpy(pictures(seed)[1]))
                torch.cuda._sleep(HELD_UP // 400)
                found = torch.from_dlpack(matcher.compute(a, b, raw=True).disparity).clone()
            stream.synchronize()
            assert numpy.array_equal(found.cpu().numpy(), expected(seed)), (number, seed)


def test_pytorch_graphs_are_refused(torch):
    matcher = vergence.StereoMatcher("cuda", SHAPE, **OPTIONS)
    a, b = (torch.from_numpy(one).cuda() for one in pictures(7))
    out = torch.zeros(SHAPE, dtype=torch.int16, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out.zero_()
        with pytest.raises(vergence.ArgumentError, match="captured"):
            matcher.compute(a, b, disparity=out)
    matcher.compute(a, b, disparity=out)
    assert numpy.array_equal(out.cpu().numpy(), expected(7))


def test_cupy(torch):
    cupy = pytest.importorskip("cupy")
    device = vergence.Device("cuda")
    for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True)):
        matcher, asked = vergence.StereoMatcher(device, SHAPE, **OPTIONS), []
        left, right = (cupy.asarray(one) for one in pictures(7))
        a, b, out = cupy.zeros_like(left), cupy.zeros_like(right), cupy.zeros(SHAPE, cupy.int16)
        cupy.cuda.Device().synchronize()
        is_null = stream.ptr == 0
        for given in ("map", "dlpack", "interface") * 2 if is_null else ("map", "map", "dlpack", "interface"):
            with stream:
                with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
                    torch.cuda._sleep(HELD_UP)
                a[:] = left
                b[:] = right
                if given == "map":
                    matcher.compute(a, b, disparity=out)
                    found = out.copy()
                    out[:] = 0
                elif given == "dlpack":
                    found = cupy.from_dlpack(matcher.compute(a, b, raw=True).disparity).copy()
                else:
                    found = cupy.asarray(matcher.compute(a, b, raw=True).disparity).copy()
                a[:] = 0
                b[:] = 0
                asked.append(stream.done)
            stream.synchronize()
            assert numpy.array_equal(cupy.asnumpy(found), expected(7)), given
        # Memory that went by its interface, or to a stream of its own, is freed, which waits.
        assert not any(asked[4:5] if is_null else asked[1:2]), f"the host has waited: {stream}, {asked}"


def test_arrays_that_tell_no_stream_are_waited_for(torch):
    """By __cuda_array_interface__ without a stream, and by __dlpack__ alone."""

    class Interface:
        def __init__(self, tensor):
            self.tensor, self.__cuda_array_interface__ = tensor, tensor.__cuda_array_interface__

    class Dlpack:
        def __init__(self, tensor):
            self.tensor, self.__dlpack__, self.__dlpack_device__ = tensor, tensor.__dlpack__, tensor.__dlpack_device__

    matcher = vergence.StereoMatcher("cuda", SHAPE, **OPTIONS)
    left, right = (torch.from_numpy(one).cuda() for one in pictures(7))
    for kind in (Interface, Dlpack):
        a, b = torch.zeros_like(left), torch.zeros_like(right)
        out = torch.zeros(SHAPE, dtype=torch.int16, device="cuda")
        torch.cuda._sleep(HELD_UP)
        a.copy_(left)
        b.copy_(right)
        matcher.compute(kind(a), kind(b), disparity=kind(out))
        assert torch.cuda.current_stream().query(), "the host has not waited"
        assert numpy.array_equal(out.cpu().numpy(), expected(7)), kind


def test_dlpack_of_a_device_array(torch):
    there = vergence.Device("cuda").put(numpy.arange(6, dtype=numpy.int16).reshape(2, 3))
    for stream in (None, 1, 2, -1, torch.cuda.Stream().cuda_stream):
        there.__dlpack__(stream=stream)
    with pytest.raises(vergence.ArgumentError, match="stream is 0"):
        there.__dlpack__(stream=0)
    with pytest.raises(vergence.ArgumentTypeError, match="stream is of type str"):
        there.__dlpack__(stream="0")
    with pytest.raises(BufferError, match="copy"):
        there.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="other device"):
        there.__dlpack__(dl_device=(1, 0))
    there.__dlpack__(dl_device=there.__dlpack_device__(), copy=False, max_version=(1, 0))
    assert there.__cuda_array_interface__["stream"] == 1
