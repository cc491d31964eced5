# SPDX-License-Identifier: Apache-2.0
"""Grey pictures from files and URLs, as the program takes them; see docs/formats.md."""

import io
import math
import re
import struct
import zlib

import numpy

from ._errors import BadDataError, UnsupportedError, as_error
from ._pictures import grey

_PNM = re.compile(rb"P([56])(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)\s")


def read_bytes(url):
    """The content of a local file or, through fsspec, of any URL."""
    try:
        if "://" not in url:
            with open(url, "rb") as file:
                return file.read()
        return filesystem(url).cat_file(url)
    except Exception as error:  # stores have exceptions of their own
        raise as_error(error, url) from None


def filesystem(url):
    """fsspec's file system of a URL; clear errors where fsspec or the store's package is missing."""
    try:
        import fsspec
    except ImportError:
        raise UnsupportedError(f"{url}: URLs need fsspec: pip install fsspec, and the package of the store (s3fs, gcsfs)") from None
    try:
        return fsspec.core.url_to_fs(url)[0]
    except (ImportError, ValueError) as error:
        raise UnsupportedError(f"{url}: {error}") from None


def import_av(what):
    """PyAV, which reads compressed pictures and video."""
    try:
        import av
    except ImportError:
        raise UnsupportedError(f"{what}: reading it needs PyAV: pip install vergence[video]") from None
    return av


def read_grey(source, name=""):
    """A grey picture and its largest possible value: 255, 65535 or what a PNM's header tells.

    Parameters
    ----------
    source : str, bytes, numpy.ndarray or (numpy.ndarray, int)
        A path or URL, a file's content, or the picture itself, which is passed on untouched, alone or with its largest
        possible value.
    name : str
        What errors call it, where it is no path.

    Raises
    ------
    IoError, BadDataError, UnsupportedError
        With the name.
    """
    if isinstance(source, tuple):
        return source
    if isinstance(source, numpy.ndarray):
        return source, 255 if source.dtype == numpy.uint8 else 65535
    if isinstance(source, str):
        name, data = source, read_bytes(source)
    else:
        name, data = name or "the picture", bytes(source)
    if not data:
        raise BadDataError(f"{name} is empty")
    if data[:2] in (b"P5", b"P6"):
        return _pnm(data, name)
    if data[:6] == b"\x93NUMPY":
        return _npy(data, name)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        _check_png(data, name)
    elif data[:3] == b"\xff\xd8\xff":
        if data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
            raise BadDataError(f"{name}: the JPEG ends before its end marker: the file is truncated, copy it again")
    else:
        raise UnsupportedError(f"{name} is no PNG, JPEG, PGM, PPM (P5, P6) or NPY: convert it to one of these")
    return _decode(data, name)


def _pnm(data, name):
    head = _PNM.match(data)
    if head is None:
        raise BadDataError(f"{name}: the header of the PNM is damaged")
    kind, width, height, most = (int(word) for word in head.groups())
    if not (0 < most <= 65535 and 0 < width < 2**31 and 0 < height < 2**31):
        raise BadDataError(f"{name}: a PNM of {width}x{height} with the maximum {most} does not exist")
    channels, dtype = (3 if kind == 6 else 1), numpy.dtype(">u2" if most > 255 else "u1")
    needed = width * height * channels * dtype.itemsize
    if len(data) - head.end() != needed:
        raise BadDataError(f"{name}: its header asks for {needed} bytes of pixels, {len(data) - head.end()} are there")
    pixels = numpy.frombuffer(data, dtype, offset=head.end())
    if pixels.max() > most:
        raise BadDataError(f"{name} holds {pixels.max()}, above its own maximum {most}")
    pixels = pixels.astype(dtype.newbyteorder("=")).reshape((height, width, 3) if kind == 6 else (height, width))
    return (grey(pixels) if kind == 6 else pixels), most


def _claimed(data):
    """Bytes of elements that the header of a .npy asks for; 0 where it is of a version that none of ours has."""
    stream = io.BytesIO(data)
    readers = {(1, 0): numpy.lib.format.read_array_header_1_0, (2, 0): numpy.lib.format.read_array_header_2_0}
    read = readers.get(numpy.lib.format.read_magic(stream))
    if read is None:
        return 0
    shape, _, dtype = read(stream)
    return math.prod(shape) * dtype.itemsize


def load_npy(data, name):
    """The array of a .npy file's content; BadDataError where it holds none."""
    try:
        return numpy.load(io.BytesIO(data), allow_pickle=False)
    except MemoryError:  # numpy allocates what the header claims before it reads
        if _claimed(data) <= len(data):
            raise
        raise BadDataError(f"{name}: the .npy is damaged: its header asks for {_claimed(data)} bytes, {len(data)} are there") from None
    except Exception as error:  # damaged headers give exceptions of many kinds
        raise BadDataError(f"{name}: the .npy is damaged: {' '.join(str(error).split())}") from None


def _npy(data, name):
    pixels = load_npy(data, name)
    if pixels.dtype.newbyteorder("=") not in (numpy.uint8, numpy.uint16) or pixels.ndim != 2 or pixels.size == 0:
        raise UnsupportedError(f"{name} is {pixels.dtype} of shape {pixels.shape}: a picture is uint8 or uint16 of (height, width)")
    return numpy.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder("="))), 255 if pixels.dtype == numpy.uint8 else 65535


def _check_png(data, name):
    """FFmpeg takes a PNG without its end."""
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if at + 12 + length > len(data):
            break
        if zlib.crc32(data[at + 4 : at + 8 + length]) != struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]:
            raise BadDataError(f"{name}: the checksum of a chunk {kind.decode('ascii', 'replace')} is wrong: the PNG is damaged")
        if kind == b"IEND":
            return
        at += 12 + length
    raise BadDataError(f"{name}: the PNG ends before its end chunk: the file is truncated, copy it again")


def _decode(data, name):
    av = import_av(name)
    try:
        with av.open(io.BytesIO(data)) as container:
            container.streams.video[0].codec_context.options = {"err_detect": "explode"}
            frame = next(container.decode(video=0), None)
    except (av.error.FFmpegError, ValueError, IndexError) as error:
        raise BadDataError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    if frame is None:
        raise BadDataError(f"{name} holds no picture")
    return grey_frame(frame, name)


def grey_frame(frame, name):
    """The grey picture of a decoded frame and its largest possible value: the Y plane untouched, or the grey of R, G, B."""
    form = frame.format
    if form.name.startswith(("yuv", "gray", "nv12", "nv21", "p010")) and not form.name.startswith("yuyv"):
        bits = form.components[0].bits
        pixels = _plane(frame, 0, 1 if bits <= 8 else 2, form.is_big_endian)
        if form.name.startswith("p010"):
            pixels >>= 6
        return pixels, 255 if bits <= 8 else (1 << bits) - 1
    if form.name in ("pal8", "monow", "monob", "ya8"):  # looked up, never scaled
        frame = frame.reformat(format="gray" if form.name.startswith("mono") else "rgba")
        form = frame.format
        if form.name == "gray":
            return _plane(frame, 0, 1, False), 255
    wide = form.components[0].bits > 8
    if form.name.startswith(("rgb", "bgr", "argb", "abgr")) and form.components[0].bits in (8, 16):
        channels = form.padded_bits_per_pixel // (16 if wide else 8)
        pixels = _plane(frame, 0, (2 if wide else 1), form.is_big_endian, channels)
        first = 1 if form.name.startswith("a") else 0
        pixels = pixels[..., first : first + 3]
        if "bgr" in form.name:
            pixels = pixels[..., ::-1]
        return grey(pixels), 65535 if wide else 255
    raise UnsupportedError(f"{name} has pixels of format {form.name}, which is not read: convert it to grey or RGB")


def _plane(frame, index, bytes_each, big_endian, channels=1):
    plane = frame.planes[index]
    dtype = numpy.dtype("u1" if bytes_each == 1 else ">u2" if big_endian else "<u2")
    rows = numpy.frombuffer(plane, numpy.uint8).reshape(-1, plane.line_size)[: frame.height, : frame.width * channels * bytes_each]
    pixels = numpy.ascontiguousarray(rows).view(dtype).astype(dtype.newbyteorder("="))
    return pixels.reshape(frame.height, frame.width, channels) if channels > 1 else pixels
