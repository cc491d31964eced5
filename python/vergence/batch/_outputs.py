# SPDX-License-Identifier: Apache-2.0
"""Results as the bytes of files, those that the program writes (docs/formats.md)."""

import numpy

from .._errors import BadDataError, UnsupportedError
from .._read import load_npy, read_bytes, read_grey

FORMATS = {"stereo": ("npy", "pfm"), "rectify": ("pgm", "npy"), "motion": ("npy",), "track": ("npy",)}


def npy(array, note="", least=0):
    """An array as the program writes it: `note` behind the header's dictionary, a header of at least `least` bytes."""
    shape = ", ".join(map(str, array.shape))
    text = f"{{'descr': '{array.dtype.newbyteorder('<').str}', 'fortran_order': False, 'shape': ({shape}), }}{note}"
    length = max(-(-(10 + len(text) + 1) // 64) * 64, least) - 10
    head = b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + text.ljust(length - 1).encode() + b"\n"
    return head + numpy.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def disparity(maps, invalid, form):
    """A raw map, or (frames, height, width) of a video's."""
    if form == "npy":
        return npy(maps, f"  # invalid {invalid}" if maps.ndim == 2 else "")
    if maps.ndim != 2:
        raise UnsupportedError("a .pfm holds one map: write those of a video as .npy")
    pixels = numpy.where(maps == invalid, numpy.inf, maps / 16).astype("<f4")
    return f"Pf\n{maps.shape[1]} {maps.shape[0]}\n-1.0\n".encode() + pixels[::-1].tobytes()


def picture(pixels, form):
    """A grey picture."""
    if form == "npy":
        return npy(pixels)
    most, kind = (255, "u1") if pixels.dtype == numpy.uint8 else (65535, ">u2")
    return b"P5\n%d %d\n%d\n" % (*pixels.shape[::-1], most) + pixels.astype(kind).tobytes()


def read_truth(source, scale):
    """A true disparity map, px, not a number where it is not known.

    Parameters
    ----------
    source : str
        .npy of floats, .pfm, or a picture, of which 0 is not known.
    scale : float
        What stored values are divided by.
    """
    data = read_bytes(source)
    if data[:6] == b"\x93NUMPY":
        truth = load_npy(data, source)
        if truth.ndim != 2 or truth.dtype.kind not in "fiu":
            raise BadDataError(f"{source} is {truth.dtype} of shape {truth.shape}: a truth is numbers of (height, width)")
        truth = truth.astype(numpy.float32)
    elif data[:3] == b"Pf\n":
        try:
            head = data.split(b"\n", 3)
            width, height = map(int, head[1].split())
            order = "<" if float(head[2]) < 0 else ">"
            truth = numpy.frombuffer(head[3], f"{order}f4").reshape(height, width)[::-1].astype(numpy.float32)
        except (ValueError, IndexError):
            raise BadDataError(f"{source}: the PFM is damaged") from None
    else:
        stored, _ = read_grey(data, source)
        truth = numpy.where(stored == 0, numpy.float32(numpy.nan), stored.astype(numpy.float32))
    truth = numpy.ascontiguousarray(truth) / numpy.float32(scale)
    return numpy.where(numpy.isfinite(truth), truth, numpy.float32(numpy.nan)).astype(numpy.float32)
