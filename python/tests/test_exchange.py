# SPDX-License-Identifier: Apache-2.0
"""Arrays that are read by DLPack's table of C functions, and as CuPy's: stand-ins of both, in host memory."""

import ctypes

import numpy
import pytest
import vergence

SHAPE = (12, 40)
CPU, CUDA = 1, 2


class Tensor(ctypes.Structure):
    """DLManagedTensorVersioned of `dlpack.h`."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Tensor))
Tensor._fields_ = [
    ("version", ctypes.c_uint32 * 2),
    ("manager", ctypes.c_void_p),
    ("deleter", Deleter),
    ("flags", ctypes.c_uint64),
    ("data", ctypes.c_void_p),
    ("device", ctypes.c_int32 * 2),
    ("ndim", ctypes.c_int32),
    ("code", ctypes.c_uint8),
    ("bits", ctypes.c_uint8),
    ("lanes", ctypes.c_uint16),
    ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("byte_offset", ctypes.c_uint64),
]


class Table(ctypes.Structure):
    """DLPackExchangeAPI of `dlpack.h`."""


Export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
Stream = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
Table._fields_ = [
    ("version", ctypes.c_uint32 * 2),
    ("older", ctypes.POINTER(Table)),
    ("allocate", ctypes.c_void_p),
    ("export", Export),
    ("make", ctypes.c_void_p),
    ("view", ctypes.c_void_p),
    ("stream", Stream),
]

freed = []


def export(one, out):
    if one.fails:
        return -1
    array, item = one.array, one.array.itemsize
    one.sides = (ctypes.c_int64 * array.ndim)(*array.shape)
    one.steps = (ctypes.c_int64 * array.ndim)(*(step // item for step in array.strides))
    one.deleter = Deleter(lambda tensor: freed.append(tensor.contents.data))
    one.tensor = Tensor((ctypes.c_uint32 * 2)(one.major, 3), None, one.deleter, one.flags, array.ctypes.data,
                        (ctypes.c_int32 * 2)(one.kind, 0), array.ndim, {"i": 0, "u": 1, "f": 2}[array.dtype.kind], 8 * item, 1,
                        one.sides, one.steps if one.has_strides else None, 0)  # fmt: skip
    out[0] = ctypes.addressof(one.tensor)
    return 0


def stream(kind, device, out):
    out[0] = 0
    return 0


def table(major=1, older=None):
    return Table((ctypes.c_uint32 * 2)(major, 3), older, None, Export(export), None, None, Stream(stream))


TABLE = table()
NEWER = table(2, ctypes.pointer(TABLE))
UNKNOWN = table(2)


def capsule(of):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(of), b"dlpack_exchange_api", None)


class Exchanged:
    """An array that is told by the table alone."""

    __dlpack_c_exchange_api__ = capsule(TABLE)

    def __init__(self, array, kind=CPU, flags=0, has_strides=True, fails=False, major=1):
        self.array, self.kind, self.flags, self.has_strides, self.fails, self.major = array, kind, flags, has_strides, fails, major


class ExchangedByANewer(Exchanged):
    __dlpack_c_exchange_api__ = capsule(NEWER)


class OfAnUnknownVersion(Exchanged):
    __dlpack_c_exchange_api__ = capsule(UNKNOWN)

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)


class Both(Exchanged):
    """The usual way too."""

    asked = 0

    def __dlpack__(self, **keywords):
        Both.asked += 1
        return self.array.__dlpack__(**keywords)


@pytest.fixture
def matcher():
    return vergence.StereoMatcher("cpu", SHAPE, disparities=8)


def pictures():
    rng = numpy.random.default_rng(8)
    return [rng.integers(0, 256, (SHAPE[0], SHAPE[1] + 6)).astype(numpy.uint8) for _ in range(2)]


def test_tensors_of_the_host_are_read_and_written(matcher):
    left, right = (one[:, 3:-3] for one in pictures())
    expected = matcher.compute(left, right, raw=True, mask=True)
    for kind in (Exchanged, ExchangedByANewer, OfAnUnknownVersion):
        disparity, mask = numpy.zeros(SHAPE, numpy.int16), numpy.zeros(SHAPE, numpy.uint8)
        freed.clear()
        matcher.compute(kind(left), kind(right), disparity=kind(disparity), mask=kind(mask, has_strides=False))
        assert numpy.array_equal(disparity, expected.disparity) and numpy.array_equal(mask, expected.mask), kind
        if kind is not OfAnUnknownVersion:
            assert sorted(freed) == sorted(one.ctypes.data for one in (left, right, disparity, mask))
    held = Exchanged(left), Exchanged(right), Exchanged(disparity)  # whose tensors are their own
    pending = matcher.enqueue(held[0], held[1], disparity=held[2])
    assert pending.wait().disparity is held[2] and numpy.array_equal(disparity, expected.disparity)


def test_what_the_table_cannot_tell_is_asked_the_usual_way(matcher):
    left, right = (one[:, 3:-3] for one in pictures())
    pixels = numpy.zeros(SHAPE, numpy.float32)
    expected = matcher.compute(left, right).disparity
    for one in (Both(pixels), Both(left, fails=True), Both(left, major=2)):
        before = Both.asked
        if one.array is pixels:
            matcher.compute(left, right, disparity=one)
            assert numpy.array_equal(pixels, expected, equal_nan=True)
        else:
            assert numpy.array_equal(matcher.compute(one, right).disparity, expected, equal_nan=True)
        assert Both.asked > before
    with pytest.raises(vergence.ArgumentTypeError, match="no array"):
        matcher.compute(Exchanged(left, fails=True), right)


def test_refusals(matcher):
    left, right = (one[:, 3:-3] for one in pictures())
    map_ = numpy.zeros(SHAPE, numpy.int16)
    for words, call in {
        "disparity map is read-only": lambda: matcher.compute(left, right, disparity=Exchanged(map_, flags=1)),
        "left picture is int16": lambda: matcher.compute(Exchanged(map_), right),
        "left picture has the shape": lambda: matcher.compute(Exchanged(left[:5]), right),
        "negative strides": lambda: matcher.compute(Exchanged(left[::-1]), right),
        "4 dimensions": lambda: matcher.compute(Exchanged(left.reshape(1, 1, *SHAPE)), right),
        "left picture lies in CUDA memory": lambda: matcher.compute(Exchanged(left, kind=CUDA), right),
        "no array": lambda: matcher.compute(Exchanged(left, kind=9), right),
    }.items():
        with pytest.raises(vergence.Error, match=words):
            call()


def cupy_array(**changes):
    """An object of a type that passes for CuPy's."""
    data = type("MemoryPointer", (), {"ptr": 4096})()
    said = {"data": data, "shape": SHAPE, "strides": (SHAPE[1], 1), "dtype": numpy.dtype(numpy.uint8), **changes}
    return type("ndarray", (), {"__module__": "cupy", **said})()


def test_arrays_of_cupy_are_read_by_their_attributes(matcher):
    _, right = (one[:, 3:-3] for one in pictures())
    for words, array in {
        "left picture lies in CUDA memory": cupy_array(),
        "left picture is float32": cupy_array(dtype=numpy.dtype(numpy.float32)),
        "left picture has the shape .3, 40, 2.": cupy_array(shape=(3, 40, 2), strides=(80, 2, 1)),
        "negative strides": cupy_array(strides=(-40, 1)),
        "rows that overlap": cupy_array(strides=(0, 1)),
        "no array": cupy_array(data=None),  # nothing that could be read
    }.items():
        with pytest.raises(vergence.Error, match=words):
            matcher.compute(array, right)
    interface = {"shape": (5, 6, 2), "typestr": "|u1", "data": (4096, False), "version": 3, "stream": 1}
    with pytest.raises(vergence.Error, match="has the shape .5, 6, 2."):
        matcher.compute(cupy_array(data=None, __cuda_array_interface__=interface), right)
