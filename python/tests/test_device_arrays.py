# SPDX-License-Identifier: Apache-2.0
"""Pictures and maps in a device's memory: OpenCL's on this machine, CUDA's where there is one."""

import ctypes

import numpy
import pytest
import vergence
from support import device_names

GPUS = [name for name in device_names() if name.startswith("opencl")]
GPUS += [one.name for one in vergence.devices() if one.available and one.kind == "cuda"][:1]
SHAPE = (33, 47)


@pytest.fixture(params=GPUS or [None])
def device(request):
    if request.param is None:
        pytest.skip("no OpenCL or CUDA device")
    return vergence.Device(request.param)


def pictures():
    rng = numpy.random.default_rng(8)
    return [rng.integers(0, 256, SHAPE).astype(numpy.uint8) for _ in range(2)]


def test_put_and_get(device):
    for array in (numpy.arange(12, dtype=numpy.uint16).reshape(3, 4), numpy.arange(24, dtype=numpy.int32).reshape(2, 3, 4)):
        there = device.put(array)
        assert there.shape == array.shape and there.dtype == array.dtype.name and there.device.name == device.name
        assert numpy.array_equal(there.get(), array) and there.get().dtype == array.dtype
    with pytest.raises(vergence.Error, match="gaps"):
        device.put(numpy.zeros((4, 4))[:, :2])
    with pytest.raises(vergence.ArgumentTypeError, match="None"):
        device.put(None)
    for array in (numpy.zeros((2, 3), object), numpy.zeros((2, 3), "u1,u1"), numpy.zeros((2, 3), "U1")):
        with pytest.raises(vergence.ArgumentTypeError, match="numbers"):
            device.put(array)


def test_stereo(device):
    left, right = pictures()
    matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
    expected = matcher.compute(left, right, raw=True, mask=True)
    there = device.put(left), device.put(right)
    result = matcher.compute(*there, raw=True, mask=True)
    assert isinstance(result.disparity, vergence.DeviceArray) and result.disparity.dtype == "int16"
    assert numpy.array_equal(result.disparity.get(), expected.disparity)
    assert numpy.array_equal(result.mask.get(), expected.mask)
    given = device.put(numpy.zeros(SHAPE, numpy.int16))
    assert matcher.compute(*there, disparity=given).disparity is given
    assert numpy.array_equal(given.get(), expected.disparity)
    pixels = numpy.zeros(SHAPE, numpy.float32)  # a map of host memory takes float pixels
    matcher.compute(*there, disparity=pixels)
    assert numpy.array_equal(pixels, matcher.compute(left, right).disparity, equal_nan=True)
    for result in matcher.stream([there] * 6, raw=True):
        assert numpy.array_equal(result.disparity.get(), expected.disparity)


def test_refusals(device):
    left, right = pictures()
    matcher = vergence.StereoMatcher(device, SHAPE, disparities=8)
    there = device.put(left), device.put(right)
    for words, call in {
        "raw=True": lambda: matcher.compute(*there),
        "give both in the same": lambda: matcher.compute(*there, disparity=numpy.zeros(SHAPE, numpy.int16), mask=True),
        "uint8": lambda: matcher.compute(*there, raw=True, mask=device.put(numpy.zeros(SHAPE, numpy.int16))),
        "left picture is float64": lambda: matcher.compute(device.put(left.astype(float)), right),
        "shape": lambda: matcher.compute(device.put(left[:9].copy()), right),
    }.items():
        with pytest.raises(vergence.Error, match=words):
            call()
    with pytest.raises(vergence.Error):
        vergence.StereoMatcher("cpu", SHAPE, disparities=8).compute(*there, raw=True)
    for use in (lambda a: vergence.MotionEstimator(device, SHAPE).compute(a, a), lambda a: vergence.PictureFilter(device, SHAPE).blur(a),
                lambda a: vergence.PointTracker(device, SHAPE).next(a)):  # fmt: skip
        with pytest.raises(vergence.Error):
            use(there[0])


def test_rectification(device):
    camera = vergence.Camera([[60, 0, 23], [0, 60, 16], [0, 0, 1]], [-0.1], size=SHAPE)
    rectifier = vergence.StereoRectifier(vergence.StereoRig(camera, camera, numpy.eye(3), (-0.2, 0, 0)), device, alpha=0)
    left, right = pictures()
    expected = rectifier.rectify(left, right)
    found = rectifier.rectify(device.put(left), device.put(right))
    for one, other in zip(found, expected):
        assert isinstance(one, vergence.DeviceArray) and numpy.array_equal(one.get(), other)


def test_others_take_cuda_memory_alone(device):
    there = device.put(numpy.arange(6, dtype=numpy.int16).reshape(2, 3))
    if device.kind == "cuda":
        interface = there.__cuda_array_interface__
        assert interface["shape"] == (2, 3) and interface["typestr"] == "<i2"
        return
    for call in (lambda: there.__dlpack__(), lambda: there.__dlpack_device__(), lambda: there.__cuda_array_interface__):
        with pytest.raises(vergence.UnsupportedError, match="get"):
            call()


class CudaArray:
    """What CuPy's arrays say of themselves, of memory that is none of CUDA's."""

    def __init__(self, **changes):
        self.__cuda_array_interface__ = {"shape": SHAPE, "typestr": "|u1", "data": (4096, False), "version": 3, **changes}


class DlTensor(ctypes.Structure):
    """DLPack's managed tensor of `dlpack.h`, as far as a reader of bytes goes."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("type", ctypes.c_uint8 * 4),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class Tensor:
    """A tensor that tells one kind of device and lies on another."""

    def __init__(self, told, lies):
        self.bytes = numpy.zeros(SHAPE, numpy.uint8)
        self.shape = (ctypes.c_int64 * 2)(*SHAPE)
        self.told = told
        type_ = (ctypes.c_uint8 * 4)(1, 8, 1, 0)
        self.tensor = DlTensor(self.bytes.ctypes.data, (ctypes.c_int32 * 2)(lies, 0), 2, type_, self.shape)
        if told is not None:
            self.__class__ = TensorThatTells

    def __dlpack__(self, stream=None):
        assert self.told != 2 or stream == 1, "the default stream must wait for the owner's"
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


class TensorThatTells(Tensor):
    def __dlpack_device__(self):
        return self.told, 0


@pytest.mark.parametrize("name", [name for name in device_names() if not name.startswith("cuda")])
def test_cuda_arrays_need_a_cuda_device(name):
    left, right = pictures()
    matcher = vergence.StereoMatcher(name, SHAPE, disparities=8)
    black = matcher.compute(numpy.zeros(SHAPE, numpy.uint8), right).disparity
    assert numpy.array_equal(matcher.compute(Tensor(1, 1), right).disparity, black, equal_nan=True)
    for array in (CudaArray(), Tensor(2, 2)):
        with pytest.raises(vergence.ArgumentError, match="left picture lies in CUDA memory"):
            matcher.compute(array, right)
    for array in (Tensor(2, 1), Tensor(1, 2), Tensor(None, 2)):
        with pytest.raises(vergence.ArgumentError, match="lies elsewhere than its __dlpack_device__ says"):
            matcher.compute(array, right)
    for words, array in {
        "4 dimensions": CudaArray(shape=(1, 1, 3, 4)),
        "read-only": CudaArray(data=(4096, True)),
        "negative strides": CudaArray(strides=(-47, 1)),
        "rows that overlap": CudaArray(strides=(0, 1)),
        "float64": CudaArray(typestr="<f8"),
        "byte order": CudaArray(typestr=">u2"),
    }.items():
        with pytest.raises(vergence.Error, match=words):
            matcher.compute(left, right, mask=array)
