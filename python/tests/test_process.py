# SPDX-License-Identifier: Apache-2.0
"""Threads, forks, signals, exits, memory: misuse that must neither hang nor crash."""

import ctypes
import gc
import os
import signal
import sys
import threading

import numpy
import pytest
import vergence
from support import device_names, run_python

SHAPE = (24, 40)
LONG = int(os.environ.get("VERGENCE_PYTHON_CALLS", "3000"))

START = """
import os, sys, numpy, vergence
left = numpy.arange(24 * 40, dtype=numpy.uint32).reshape(24, 40).__mul__(2654435761).__rshift__(24).astype(numpy.uint8)
device = {device!r}
matcher = vergence.StereoMatcher(device, left.shape, disparities=8)
"""


def pictures():
    rng = numpy.random.default_rng(5)
    return [rng.integers(0, 256, SHAPE).astype(numpy.uint8) for _ in range(2)]


class Calls:
    """A picture that does something when it is read: at that moment the object that reads it is in use."""

    def __init__(self, array, call):
        self.array, self.call = array, call

    def __dlpack__(self, **keywords):
        self.call()
        return self.array.__dlpack__(**keywords)


def test_two_threads_on_one_object():
    left, right = pictures()
    camera = vergence.Camera([[30, 0, 19.5], [0, 30, 11.5], [0, 0, 1]], size=SHAPE)
    rig = vergence.StereoRig(camera, camera, numpy.eye(3), (-0.1, 0, 0))
    objects = {
        vergence.StereoMatcher("cpu", SHAPE, disparities=8): lambda one, a: one.compute(a, right),
        vergence.MotionEstimator("cpu", SHAPE, range=4): lambda one, a: one.compute(a, right),
        vergence.MotionStream("cpu", SHAPE, range=4): lambda one, a: one.enqueue(a).wait(),
        vergence.PointTracker("cpu", SHAPE): lambda one, a: one.next(a),
        vergence.PointFlow("cpu", SHAPE): lambda one, a: one.push(a),
        vergence.PictureFilter("cpu", SHAPE): lambda one, a: one.blur(a),
        vergence.MotionSizesEstimator("cpu", SHAPE, range=4): lambda one, a: one.compute(a, right),
        vergence.StereoRectifier(rig): lambda one, a: one.rectify(a, right),
    }
    for one, use in objects.items():
        raised = []

        def other(one=one, use=use, raised=raised):
            try:
                use(one, left)
            except Exception as error:  # noqa: BLE001  it is looked at below
                raised.append(error)

        def start(other=other):
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

        use(one, Calls(left, start))
        assert [type(error) for error in raised] == [vergence.BusyError], one
        assert type(one).__name__ in str(raised[0]) and "another thread" in str(raised[0])
        use(one, left)  # and it goes on


def test_threads_with_objects_of_their_own():
    left, right = pictures()
    device = vergence.Device("cpu", threads=1)
    expected = vergence.StereoMatcher(device, SHAPE, disparities=8).compute(left, right, raw=True).disparity
    wrong = []

    def work():
        matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
        for _ in range(20):
            if not numpy.array_equal(matcher.compute(left, right, raw=True).disparity, expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


FORK = START + """
matcher.compute(left, left)
scene = vergence.Scene(size=(48, 64))
camera = vergence.Camera([[30, 0, 19.5], [0, 30, 11.5], [0, 0, 1]], size=left.shape)
rectifier = vergence.StereoRectifier(vergence.StereoRig(camera, camera, numpy.eye(3), (-0.1, 0, 0)), device)
stream = vergence.MotionStream(device, left.shape, range=4)
# Its OpenCL kernels take seconds to compile.
sizes = vergence.MotionSizesEstimator("cpu" if device.startswith("opencl") else device, left.shape, range=4)
tracker = vergence.PointTracker(device, left.shape)
tracker.next(left)
filters = vergence.PictureFilter(device, left.shape)
{held}
child = os.fork()
if child == 0:
    for call in (lambda: matcher.compute(left, left), lambda: vergence.Device("cpu"), lambda: matcher.options,
                 lambda: vergence.Scene(), scene.render, lambda: matcher.device.put(left), vergence.devices,
                 lambda: vergence.verify(cases=1), lambda: rectifier.rectify(left, left), lambda: stream.enqueue(left),
                 lambda: sizes.compute(left, left), lambda: tracker.next(left), tracker.state, lambda: filters.blur(left),
                 lambda: vergence.find_disparity_range(left, left), lambda: next(matcher.stream([(left, left)]))):
        try:
            call()
        except vergence.DeviceError as error:
            assert "spawn" in str(error)
        else:
            os._exit(9)
    del matcher, rectifier, stream, sizes, tracker, filters
    sys.exit(0)  # the whole way through the interpreter's end
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0, status
matcher.compute(left, left)
"""


@pytest.mark.parametrize("device", device_names())
def test_fork_after_use(device):
    run_python(FORK.format(device=device, held=""))
    run_python(FORK.format(device=device, held="pending = matcher.enqueue(left, left), stream.enqueue(left), stream.enqueue(left)"))


def test_fork_before_use():
    run_python("""
import os, numpy, vergence
child = os.fork()
left = numpy.zeros((24, 40), numpy.uint8)
vergence.StereoMatcher("cpu", left.shape, disparities=8).compute(left, left)
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
""")


@pytest.mark.parametrize("device", device_names())
def test_exit_with_frames_in_flight(device):
    start = START.format(device=device)
    run_python(start + "all = [matcher.enqueue(left, left) for _ in range(4)]")
    run_python(start + "for _ in range(6): matcher.enqueue(left, left)\ndel matcher")
    run_python(start + "stream = matcher.stream([(left, left)] * 9)\nnext(stream)\nsys.exit(0)")
    run_python(start + "import atexit\natexit.register(lambda: matcher.compute(left, left))")
    run_python(start.replace("StereoMatcher", "MotionStream").replace("disparities=8", "range=4")
               + "stream = matcher.stream([left] * 9)\nnext(stream); next(stream)")  # fmt: skip


@pytest.fixture
def interrupts():
    """KeyboardInterrupt for SIGINT, which a shell ignores for what it starts in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("device", device_names())
def test_interrupt_in_a_stream(device):
    left, right = pictures()
    matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
    expected = matcher.compute(left, right, raw=True).disparity

    def pairs():
        for number in range(9):
            if number == 5:
                os.kill(os.getpid(), signal.SIGINT)
            yield left, right

    found = []
    with pytest.raises(KeyboardInterrupt):
        for result in matcher.stream(pairs(), raw=True, in_flight=2):
            found.append(result.disparity)
    assert 3 <= len(found) <= 5 and all(numpy.array_equal(one, expected) for one in found)
    assert numpy.array_equal(matcher.compute(left, right, raw=True).disparity, expected)
    stream, fields = vergence.MotionStream(device, SHAPE, range=2), []
    with pytest.raises(KeyboardInterrupt):
        for field in stream.stream((pair[0].copy() for pair in pairs()), in_flight=2):
            fields.append(field)
    assert 3 <= len(fields) <= 5 and not any(field.vectors.any() for field in fields[1:])
    stream.restart()
    assert stream.enqueue(left).wait() is None


@pytest.mark.parametrize("device", device_names())
def test_stream(device):
    rng = numpy.random.default_rng(2)
    matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
    pairs = [[rng.integers(0, 256, SHAPE).astype(numpy.uint8) for _ in range(2)] for _ in range(9)]
    expected = [matcher.compute(*pair, mask=True) for pair in pairs]
    for in_flight in (1, 3, 20):
        found = list(matcher.stream(iter(pairs), in_flight=in_flight, mask=True))
        assert len(found) == 9
        for one, other in zip(found, expected):
            assert numpy.array_equal(one.disparity, other.disparity, equal_nan=True)
            assert numpy.array_equal(one.mask, other.mask)
    with pytest.raises(vergence.ArgumentError, match="in_flight"):
        matcher.stream(pairs, in_flight=0)
    with pytest.raises(vergence.ArgumentTypeError, match="mask"):
        matcher.stream(pairs, mask=numpy.zeros(SHAPE, numpy.uint8))
    with pytest.raises(vergence.Error, match="left picture"):
        list(matcher.stream([pairs[0], (None, None)]))


@pytest.mark.parametrize("device", device_names())
def test_frames_in_flight_hold_their_arrays(device):
    left, right = pictures()
    matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
    expected = matcher.compute(left, right, raw=True).disparity
    maps = [numpy.zeros(SHAPE, numpy.int16) for _ in range(6)]
    room = bytearray(2 * left.size)
    pending = [matcher.enqueue(left.copy(), right.copy(), disparity=one) for one in maps]
    with pytest.raises(ValueError, match="cannot resize"):
        maps[-1].resize((1, 1))
    last = matcher.enqueue(left.copy(), right.copy(), disparity=memoryview(room).cast("B").cast("h", SHAPE))
    with pytest.raises(BufferError):
        room.clear()  # it is to be written
    assert last.wait() and numpy.array_equal(numpy.frombuffer(room, numpy.int16).reshape(SHAPE), expected)
    for one in reversed(pending):
        assert numpy.array_equal(one.wait().disparity, expected)
        assert one.done and numpy.array_equal(one.wait().disparity, expected)


@pytest.mark.parametrize("device", device_names())
def test_motion_in_flight_holds_its_frames(device):
    rng = numpy.random.default_rng(3)
    frames = [rng.integers(0, 256, SHAPE).astype(numpy.uint8) for _ in range(6)]
    estimator = vergence.MotionEstimator(device, SHAPE, range=2)
    expected = [None] + [estimator.compute(now, before).vectors for before, now in zip(frames, frames[1:])]
    stream = vergence.MotionStream(device, SHAPE, range=2)
    room = bytearray(frames[0].tobytes())
    pending = [stream.enqueue(memoryview(room).cast("B", SHAPE))] + [stream.enqueue(frame.copy()) for frame in frames[1:]]
    with pytest.raises(BufferError):
        room.clear()  # it is read until the frame after it is whole
    for one, other in zip(pending, expected, strict=True):
        found = one.wait()
        assert (found is None) == (other is None) and (found is None or numpy.array_equal(found.vectors, other))
    del pending, one
    stream.restart()
    room.clear()


class Memory(ctypes.Structure):
    """glibc's struct mallinfo2."""

    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]


def memory():
    """Bytes that malloc has given and Python's blocks: the pages of the process grow by more, and less exactly."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not tell how much memory is in use")
    library.mallinfo2.restype = Memory
    gc.collect()
    told = library.mallinfo2()
    return told.uordblks + told.hblkhd, sys.getallocatedblocks()


def test_memory_stays_flat(tmp_path):
    left, right = pictures()
    frames = [left, right]
    device = vergence.Device("cpu", threads=1)  # others get memory of their own whenever they first have work
    stereo = vergence.StereoMatcher(device, SHAPE, "fast", disparities=4)
    motion = vergence.MotionStream(device, SHAPE, range=1)
    tracker, other = (vergence.PointTracker(device, SHAPE, points=5) for _ in range(2))
    sizes = vergence.MotionSizesEstimator(device, SHAPE, range=1)
    camera = vergence.Camera([[30, 0, 19.5], [0, 30, 11.5], [0, 0, 1]], size=SHAPE)
    rig = vergence.StereoRig(camera, camera, numpy.eye(3), (-0.1, 0, 0))
    rectifier = vergence.StereoRectifier(rig, device)
    vergence.write_rig(tmp_path / "rig.yml", rig, "opencv-yaml")
    flow = numpy.zeros((*SHAPE, 2), numpy.float32)

    def work(count):
        for number in range(count):
            stereo.compute(left, right, mask=True)
            stereo.enqueue(left, right)
            motion.enqueue(frames[number % 2], cost=True)
            if number % 10 == 0:
                tracks = tracker.next(frames[number % 2])
                other.resume(frames[number % 2], vergence.TrackerState(**tracker.state().arrays()))
                vergence.TrackScorer().add(tracks.xy, tracks.xy, flow, tracks.status == 0)
                sizes.compute(left, right, cost={8: True}, vectors={16: numpy.zeros((2, 3, 2), numpy.int16)})
                rectifier.rectify(left, right)
                str(vergence.read_rig(tmp_path / "rig.yml").rig)
                vergence.StereoMatcher(device, SHAPE, disparities=4, left_mask=left)
            for bad in (None, left[:, ::-1], left.astype(float)):
                try:
                    stereo.compute(bad, right)
                except vergence.Error:
                    pass

    work(1000)
    bytes_before, blocks_before = memory()
    work(LONG)
    bytes_after, blocks_after = memory()
    # One object of each call, or of each tenth, would be more.
    assert bytes_after - bytes_before < 16 * LONG // 10 + (64 << 10)
    assert blocks_after - blocks_before < LONG // 20
