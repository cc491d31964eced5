# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: what is read in place, what is refused, and with which words."""

import gc
import sys

import numpy
import pytest
import vergence

SHAPE = (24, 40)


@pytest.fixture
def pair():
    rng = numpy.random.default_rng(5)
    return rng.integers(0, 256, SHAPE).astype(numpy.uint8), rng.integers(0, 256, SHAPE).astype(numpy.uint8)


@pytest.fixture
def matcher():
    return vergence.StereoMatcher("cpu", SHAPE, "fast", disparities=8)


def refused(error, words, call):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, vergence.Error)
    for word in words.split("|"):
        assert word in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


BAD_PICTURES = {
    "none": (lambda a: None, TypeError, "left picture is None"),
    "list": (lambda a: a.tolist(), TypeError, "left picture|list|numpy.asarray"),
    "number": (lambda a: 7, TypeError, "left picture|int"),
    "bytes": (lambda a: a.tobytes(), ValueError, "left picture|(960,)"),
    "0-d": (lambda a: numpy.uint8(3), ValueError, "0 dimensions"),
    "0-d array": (lambda a: numpy.array(3, numpy.uint8), ValueError, "0 dimensions"),
    "1-d": (lambda a: a.ravel(), ValueError, "(960,)"),
    "coloured": (lambda a: numpy.stack([a] * 3, axis=2), ValueError, "(24, 40, 3)|vergence.grey"),
    "4-d": (lambda a: a[None, None], ValueError, "4 dimensions"),
    "empty": (lambda a: a[:0], ValueError, "(0, 40)|empty"),
    "other size": (lambda a: a[:, :39], ValueError, "left picture|(24, 39)|(24, 40)"),
    "huge": (lambda a: numpy.lib.stride_tricks.as_strided(a, (2**31, 1), (0, 1)), ValueError, "2147483648"),
    "flipped": (lambda a: a[:, ::-1], ValueError, "negative strides|ascontiguousarray"),
    "upside down": (lambda a: a[::-1], ValueError, "negative strides"),
    "fortran": (numpy.asfortranarray, ValueError, "strides of 24 bytes|ascontiguousarray"),
    "every second": (lambda a: numpy.repeat(a, 2, axis=1)[:, ::2], ValueError, "strides of 2 bytes"),
    "broadcast": (lambda a: numpy.broadcast_to(a[0], SHAPE), ValueError, "rows that overlap"),
    "float": (lambda a: a.astype(float), TypeError, "float64|uint8"),
    "half": (lambda a: a.astype(numpy.float16), TypeError, "float16"),
    "bool": (lambda a: a > 5, TypeError, "bool"),
    "complex": (lambda a: a.astype(complex), TypeError, "complex128"),
    "signed": (lambda a: a.astype(numpy.int8), TypeError, "int8"),
    "64 bits": (lambda a: a.astype(numpy.uint64), TypeError, "uint64"),
    "big-endian": (lambda a: a.astype(">u2"), TypeError, ">u2|byte order|uint16"),
    "16 bits": (lambda a: a.astype(numpy.uint16), ValueError, "pixel_depth"),
    "objects": (lambda a: a.astype(object), TypeError, "left picture"),
    "text": (lambda a: numpy.full(SHAPE, "a"), TypeError, "left picture"),
    "dates": (lambda a: numpy.zeros(SHAPE, "M8[s]"), TypeError, "left picture"),
    "records": (lambda a: numpy.zeros(SHAPE, "u1,u1"), TypeError, "left picture"),
    "masked": (lambda a: numpy.ma.masked_greater(a, 9), TypeError, "masked|filled"),
}


@pytest.mark.parametrize("name", BAD_PICTURES)
def test_bad_pictures(name, pair, matcher):
    make, error, words = BAD_PICTURES[name]
    refused(error, words, lambda: matcher.compute(make(pair[0]), pair[1]))
    refused(error, words.replace("left", "right"), lambda: matcher.compute(pair[1], make(pair[0])))
    assert matcher.compute(*pair).disparity.shape == SHAPE  # it goes on


def others():
    """What else reads pictures: the object, and a call with one."""
    camera = vergence.Camera([[30, 0, 19.5], [0, 30, 11.5], [0, 0, 1]], size=SHAPE)
    rig = vergence.StereoRig(camera, camera, numpy.eye(3), (-0.1, 0, 0))
    good = numpy.zeros(SHAPE, numpy.uint8)
    return {
        "MotionEstimator": (vergence.MotionEstimator("cpu", SHAPE, range=2), lambda one, a: (one.compute(a, good), one.compute(good, a))),
        "MotionSizesEstimator": (vergence.MotionSizesEstimator("cpu", SHAPE, range=2), lambda one, a: one.compute(a, good)),
        "MotionStream": (vergence.MotionStream("cpu", SHAPE, range=2), lambda one, a: one.enqueue(a).wait()),
        "predict": (vergence.MotionEstimator("cpu", SHAPE, range=2), lambda one, a: one.predict(a, numpy.zeros((*one.blocks, 2), numpy.int16))),
        "PointTracker": (vergence.PointTracker("cpu", SHAPE), lambda one, a: one.next(a)),
        "resume": (vergence.PointTracker("cpu", SHAPE), lambda one, a: one.resume(a, one.state())),
        "PointFlow": (vergence.PointFlow("cpu", SHAPE), lambda one, a: one.push(a)),
        "PictureFilter": (vergence.PictureFilter("cpu", SHAPE), lambda one, a: one.blur(a)),
        "StereoRectifier": (vergence.StereoRectifier(rig), lambda one, a: one.rectify_left(a)),
        "find_disparity_range": (None, lambda one, a: vergence.find_disparity_range(a, good)),
        "score_prediction": (None, lambda one, a: vergence.score_prediction(good, a)),
        "is_scene_cut": (None, lambda one, a: vergence.is_scene_cut(a, good)),
    }


# Two pictures of one type, or a type that is never taken; a rectifier takes both.
WITH_16_BITS = {"PictureFilter": TypeError, "find_disparity_range": TypeError, "score_prediction": TypeError, "is_scene_cut": TypeError, "StereoRectifier": None}


@pytest.mark.parametrize("reader", others())
def test_bad_pictures_of_all_readers(reader, pair):
    one, use = others()[reader]
    for name, (make, error, _) in BAD_PICTURES.items():
        if name == "16 bits":
            error = WITH_16_BITS.get(reader, error)
        if error is None:
            continue
        with pytest.raises(error) as caught:
            use(one, make(pair[0]))
        text = str(caught.value)
        assert isinstance(caught.value, vergence.Error) and "\n" not in text, (name, text)
        assert any(word in text for word in ("frame", "picture", "prediction", "pixel_depth")), (name, text)
        use(one, pair[0])  # it goes on


BAD_MAPS = {
    "type": (lambda: numpy.zeros(SHAPE, numpy.int8), TypeError, "mask is int8|uint8"),
    "shape": (lambda: numpy.zeros((24, 39), numpy.uint8), ValueError, "(24, 39)|(24, 40)"),
    "dimensions": (lambda: numpy.zeros(960, numpy.uint8), ValueError, "(960,)"),
    "list": (lambda: [[0]], TypeError, "list"),
    "flipped": (lambda: numpy.zeros(SHAPE, numpy.uint8)[::-1], ValueError, "negative strides"),
    "one row": (lambda: numpy.lib.stride_tricks.as_strided(numpy.zeros(40, numpy.uint8), SHAPE, (0, 1)), ValueError, "overlap"),
    "bytes": (lambda: memoryview(bytes(960)).cast("B", SHAPE), ValueError, "read-only"),
}


@pytest.mark.parametrize("name", BAD_MAPS)
def test_bad_maps(name, pair, matcher):
    make, error, words = BAD_MAPS[name]
    refused(error, words, lambda: matcher.compute(*pair, mask=make()))


def test_maps_that_are_read_only_or_overlap(pair, matcher):
    mask = numpy.zeros(SHAPE, numpy.uint8)
    mask.flags.writeable = False
    refused(ValueError, "mask|read-only", lambda: matcher.compute(*pair, mask=mask))
    refused(ValueError, "mask|left picture|overlap", lambda: matcher.compute(*pair, mask=pair[0]))
    both = numpy.zeros((48, 40), numpy.uint8)
    refused(ValueError, "mask|overlap", lambda: matcher.compute(*pair, mask=both[:24], confidence=both[12:36]))
    refused(ValueError, "disparity map", lambda: matcher.compute(*pair, disparity=False))


def test_wide_ranges_need_wide_maps(pair):
    matcher = vergence.StereoMatcher("cpu", SHAPE, "fast", disparities=4, min_disparity=3000)
    assert matcher.raw_type == "int32"
    assert matcher.compute(*pair, raw=True).disparity.dtype == numpy.int32
    refused(ValueError, "disparity", lambda: matcher.compute(*pair, disparity=numpy.zeros(SHAPE, numpy.int16)))


def test_strided_views_are_read_and_written_in_place(pair):
    big = [numpy.zeros((50, 70), numpy.uint8) for _ in range(3)]
    for whole, picture in zip(big, pair):
        whole[7:31, 9:49] = picture
    matcher = vergence.StereoMatcher("cpu", SHAPE, disparities=8)
    expected = matcher.compute(*pair, raw=True, mask=True)
    room = numpy.full((50, 71), 99, numpy.int16)
    found = matcher.compute(big[0][7:31, 9:49], big[1][7:31, 9:49], disparity=room[20:44, 30:70], mask=big[2][3:27, 5:45])
    assert found.disparity.base is room
    assert numpy.array_equal(room[20:44, 30:70], expected.disparity)
    assert numpy.array_equal(big[2][3:27, 5:45], expected.mask)
    outside = numpy.ones(room.shape, bool)
    outside[20:44, 30:70] = False
    assert (room[outside] == 99).all()


class Tensor:
    """An array that has DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Interface:
    """An array that has __array_interface__ and nothing else."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("wrap", [memoryview, Tensor, Interface])
def test_protocols(wrap, pair, matcher):
    expected = matcher.compute(*pair, raw=True).disparity
    left, right = map(wrap, pair)
    out = numpy.zeros(SHAPE, numpy.int16)
    given = wrap(out)
    result = matcher.compute(left, right, disparity=given)
    assert result.disparity is given
    assert numpy.array_equal(out, expected)
    crop = wrap(numpy.pad(pair[0], 3)[3:-3, 3:-3])
    assert numpy.array_equal(matcher.compute(crop, right, raw=True).disparity, expected)


def test_torch(pair, matcher):
    torch = pytest.importorskip("torch")
    left, right = (torch.from_numpy(one) for one in pair)
    out = torch.zeros(SHAPE, dtype=torch.int16)
    matcher.compute(left, right, disparity=out)
    assert numpy.array_equal(out.numpy(), matcher.compute(*pair, raw=True).disparity)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have the buffer protocol from Python 3.12 on")
def test_cuda_arrays_with_a_buffer_protocol(pair, matcher):
    """As CuPy's: their memory is not asked for, and a matcher on a processor says what they are."""

    class Elsewhere:
        __cuda_array_interface__ = {"shape": SHAPE, "typestr": "|u1", "data": (1 << 20, False), "version": 3}

        def __buffer__(self, flags):
            raise RuntimeError("not on a processor")

    with pytest.raises((ValueError, RuntimeError, TypeError)) as raised:
        matcher.compute(Elsewhere(), pair[1])
    assert "cannot be read" not in str(raised.value)


@pytest.mark.parametrize("package", ["torch", "cupy"])
def test_tensors_of_a_gpu(package, pair):
    library = pytest.importorskip(package)
    if not any(one.available and one.kind == "cuda" for one in vergence.devices()):
        pytest.skip("no CUDA device")
    there = vergence.StereoMatcher("cuda:0", SHAPE, "fast", disparities=8)
    put = (lambda one: library.from_numpy(one).cuda()) if package == "torch" else library.asarray
    left, right, out = put(pair[0]), put(pair[1]), put(numpy.zeros(SHAPE, numpy.int16))
    there.compute(left, right, disparity=out)
    host = out.cpu().numpy() if package == "torch" else out.get()
    assert numpy.array_equal(host, there.compute(*pair, raw=True).disparity)
    crop = put(numpy.pad(pair[0], 3))[3:-3, 3:-3]
    result = there.compute(crop, right, raw=True).disparity
    assert numpy.array_equal(result.get(), host)
    for array in (numpy.arange(6, dtype=numpy.float32), numpy.arange(6, dtype=numpy.int32), numpy.arange(6, dtype=numpy.uint8)):
        assert str(library.from_dlpack(vergence.Device("cuda:0").put(array)).dtype).split(".")[-1] == array.dtype.name
    back = library.from_dlpack(result)
    assert numpy.array_equal(back.cpu().numpy() if package == "torch" else back.get(), host)


def test_types_of_results(pair):
    matcher = vergence.StereoMatcher("cpu", SHAPE, disparities=8, left_right=-1)
    maps = ["cost", "second_cost", "cost_before", "cost_after"]
    result = matcher.compute(*pair, mask=True, confidence=True, other_disparity=True, **dict.fromkeys(maps, True))
    raw = matcher.compute(*pair, raw=True, other_disparity=True)
    assert result.disparity.dtype == result.other_disparity.dtype == numpy.float32
    assert result.mask.dtype == result.confidence.dtype == numpy.uint8
    assert all(getattr(result, name).dtype == numpy.uint32 for name in maps)
    assert raw.disparity.dtype == numpy.int16 and raw.mask is None and raw.cost is None
    for name in ("disparity", "other_disparity"):
        integers, floats = getattr(raw, name), getattr(result, name)
        assert numpy.array_equal(integers == matcher.invalid, numpy.isnan(floats))
        known = ~numpy.isnan(floats)
        assert known.any() and numpy.array_equal(integers[known] / 16, floats[known])


def test_depth_by_hand():
    left = numpy.tile(numpy.random.default_rng(1).integers(0, 256, 60), (20, 1)).astype(numpy.uint8)
    left += numpy.random.default_rng(2).integers(0, 9, left.shape).astype(numpy.uint8)
    right = numpy.roll(left, -5, axis=1)
    matcher = vergence.StereoMatcher("cpu", left.shape, disparities=10, subpixel=False)
    result, raw = matcher.compute(left, right), matcher.compute(left, right, raw=True)
    assert result.disparity[10, 30] == 5 and raw.disparity[10, 30] == 80
    for one in (result, raw):
        assert one.depth(500, 0.1)[10, 30] == numpy.float32(500 * 0.1 / 5)
        assert one.depth(500, 0.1, offset_px=5)[10, 30] == numpy.float32(500 * 0.1 / 10)
    assert numpy.array_equal(numpy.isnan(result.depth(500, 0.1)), ~(result.disparity > 0))


def test_arrays_are_let_go(pair, matcher):
    left, right = pair
    out = numpy.zeros(SHAPE, numpy.int16)
    before = [sys.getrefcount(one) for one in (left, right, out)]
    for _ in range(50):
        result = matcher.compute(left, right, disparity=out)
        with pytest.raises(vergence.Error):
            matcher.compute(left, right, disparity=out, mask=left)
    del result
    gc.collect()
    assert [sys.getrefcount(one) for one in (left, right, out)] == before
    out.resize((1, 1), refcheck=False)  # nobody holds its memory


def test_grey():
    colours = numpy.random.default_rng(3).integers(0, 256, (5, 6, 4)).astype(numpy.uint8)
    expected = [[(9798 * int(r) + 19235 * int(g) + 3735 * int(b) + 16384) >> 15 for r, g, b, _ in row] for row in colours]
    assert vergence.grey(colours).tolist() == expected
    assert vergence.grey(colours[:, ::-1, :3]).tolist() == [row[::-1] for row in expected]
    refused(ValueError, "(5, 6)", lambda: vergence.grey(colours[:, :, 0]))
    refused(TypeError, "float64", lambda: vergence.grey(colours / 255))
