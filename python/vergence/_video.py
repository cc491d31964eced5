# SPDX-License-Identifier: Apache-2.0
"""Grey frames of videos and of numbered pictures, and where a video may be cut so that its parts give the same frames."""

import contextlib
import glob
import os
import re
from dataclasses import dataclass

from ._container import missing_bytes
from ._errors import ArgumentError, BadDataError, IoError, as_error
from ._read import filesystem, grey_frame, import_av, read_grey

# Codecs whose every picture stands for itself, and those whose pictures behind a key frame, as they are shown, need
# nothing from before it. Of H.264 and HEVC only the key frames that say so themselves count, not the container's marks.
_INTRA = {"mjpeg", "png", "prores", "dnxhd", "huffyuv", "ffvhuff", "utvideo", "magicyuv", "rawvideo", "v210", "jpeg2000", "cfhd"}
_KEYED = _INTRA | {"mpeg1video", "mpeg2video", "mpeg4", "vp9", "av1", "ffv1"}
_NUMBER = re.compile(r"%(0\d+)?d")


@dataclass(frozen=True)
class Part:
    """Frames `first` to `last` of a video, both included; begin_pts and end_pts are their times in the stream's unit.

    Where the times are None the part is the whole video.
    """

    first: int = 0
    last: int | None = None
    begin_pts: int | None = None
    end_pts: int | None = None


def is_numbered(name):
    """Whether a name stands for numbered pictures: frame_%04d.png."""
    return _NUMBER.search(name) is not None


def numbered_files(pattern):
    """(number, name) of the files that a name with one %d or %04d stands for, in the order of the numbers.

    Raises
    ------
    ArgumentError, IoError
        More than one number in the name; no file; a gap.
    """
    if len(_NUMBER.findall(pattern)) != 1 or _NUMBER.search(os.path.dirname(pattern)):
        raise ArgumentError(f"{pattern}: one %d (or %04d) is needed, in the file's name")
    match = _NUMBER.search(pattern)
    around = [glob.escape(part) for part in (pattern[: match.start()], pattern[match.end() :])]
    there = filesystem(pattern).glob("*".join(around)) if "://" in pattern else glob.glob("*".join(around))
    head, tail = os.path.basename(pattern[: match.start()]), pattern[match.end() :]
    numbers = sorted(int(word) for word in (os.path.basename(name)[len(head) : len(os.path.basename(name)) - len(tail)] for name in there)
                     if word.isascii() and word.isdigit() and match[0] % int(word) == word)  # fmt: skip
    if not numbers:
        raise IoError(f"{pattern}: no file has such a name")
    for number, expected in zip(numbers, range(numbers[0], numbers[-1] + 1)):
        if number != expected:
            raise IoError(f"{pattern}: number {expected} is missing: a sequence has no gaps")
    return [(number, pattern[: match.start()] + match[0] % number + pattern[match.end() :]) for number in numbers]


def frames(source, part=Part()):
    """(number, grey picture, largest possible value) of a video's frames, or of numbered pictures.

    Numbers of pictures are those in their names, videos count from 0. A damaged or truncated video raises BadDataError
    that names the frame.
    """
    if is_numbered(source):
        for number, name in numbered_files(source):
            yield number, *read_grey(name)
        return
    number = part.first
    for frame in _decoded(source, part):
        yield number, *grey_frame(frame, source)
        number += 1
    if part.last is None and number == part.first:
        raise BadDataError(f"{source} holds no frame that can be decoded")
    if part.last is not None and number != part.last + 1:
        raise BadDataError(f"{source}: frame {number} of {part.first} .. {part.last} is missing: the video is damaged")


@contextlib.contextmanager
def _open(source):
    """The container of a video, whose file is closed with it."""
    av = import_av(source)
    try:
        file = filesystem(source).open(source, "rb") if "://" in source else open(source, "rb")
    except Exception as error:  # stores have exceptions of their own
        raise as_error(error, source) from None
    with file:
        missing = missing_bytes(file)
        if missing:
            raise BadDataError(f"{source} lacks {missing} bytes at its end: the video is truncated, copy it again")
        try:
            container = av.open(file)
        except (av.error.FFmpegError, ValueError) as error:
            raise BadDataError(f"{source} is no video: {getattr(error, 'strerror', None) or error}") from None
        with container:
            try:
                yield container
            except av.error.FFmpegError as error:  # of seeking, of looking for key frames
                raise BadDataError(f"{source}: {error.strerror or error}: the video is damaged") from None


def _stream(container, source):
    if not container.streams.video:
        raise BadDataError(f"{source} holds no video")
    stream = container.streams.video[0]
    stream.codec_context.options = {"err_detect": "crccheck+bitstream+buffer+explode"}
    return stream


def _decoded(source, part):
    """The frames of a part; decoded from the video's start where the container cannot jump to the part's."""
    jump = part.begin_pts is not None and part.first > 0
    with _open(source) as container:
        stream = _stream(container, source)
        if jump:
            container.seek(part.begin_pts, stream=stream, backward=True)
        begun = part.begin_pts is None
        for frame in _good(container, stream, source, part if jump else Part()):
            if not begun and jump and frame.pts > part.begin_pts:
                break
            begun = begun or frame.pts == part.begin_pts
            if not begun:
                continue
            if part.end_pts is not None and frame.pts > part.end_pts:
                return
            yield frame
    if jump and not begun:
        yield from _decoded(source, Part(0, part.last, part.begin_pts, part.end_pts))


def _good(container, stream, source, part):
    """Frames from the first key frame on, or from the part's begin on: those shown before it may lack others."""
    av = import_av(source)
    number, started = part.first, False
    try:
        for packet in container.demux(stream):
            if packet.is_corrupt:
                raise BadDataError(f"{source}: the data of a frame behind frame {number} is cut off: the video is truncated or damaged")
            for frame in _decode(av, packet, f"{source}: behind frame {number}"):
                started = started or bool(frame.key_frame)
                if not started or (part.begin_pts is not None and (frame.pts is None or frame.pts < part.begin_pts)):
                    continue
                if frame.is_corrupt:
                    raise BadDataError(f"{source}: frame {number} is damaged")
                yield frame
                number += 1
    except av.error.FFmpegError as error:
        raise BadDataError(f"{source}: behind frame {number}: {error.strerror}") from None


def _decode(av, packet, where):
    """Frames of a packet. FFV1's decoder repairs a slice whose checksum is wrong, and says so in FFmpeg's log alone."""
    if packet.stream.codec_context.name != "ffv1":
        return packet.decode()
    level = av.logging.get_level()
    av.logging.set_level(av.logging.ERROR)
    try:
        with av.logging.Capture() as complaints:
            decoded = packet.decode()
    finally:
        av.logging.set_level(level)
    if complaints:
        raise BadDataError(f"{where}: {complaints[0][2].strip()}: the video is damaged")
    return decoded


def _nal_kinds(data, extradata, hevc):
    """Kinds of the units of a packet of H.264 or HEVC, in a container's form (lengths) or a stream's (start codes)."""
    kinds, at = set(), 0
    data = memoryview(data)
    if bytes(data[:4]) == b"\0\0\0\1" or bytes(data[:3]) == b"\0\0\1":
        whole = bytes(data)
        starts = [match.end() for match in re.finditer(b"\0\0\1", whole)]
        return {(whole[at] >> 1) & 63 if hevc else whole[at] & 31 for at in starts if at < len(whole)}
    size = 4
    if extradata and len(extradata) > 21:
        size = ((extradata[21] if hevc else extradata[4]) & 3) + 1
    while at + size < len(data):
        length = int.from_bytes(data[at : at + size], "big")
        kinds.add((data[at + size] >> 1) & 63 if hevc else data[at + size] & 31)
        at += size + length
    return kinds


def _is_key(packet, stream):
    name = stream.codec_context.name
    if not packet.is_keyframe:
        return False
    if name == "h264":
        return 5 in _nal_kinds(packet, stream.codec_context.extradata, False)
    if name == "hevc":
        return any(16 <= kind <= 21 for kind in _nal_kinds(packet, stream.codec_context.extradata, True))
    return name in _KEYED or name.startswith(("libdav1d", "libvpx-vp9"))


def key_frames(source):
    """Times of all frames in the order in which they are shown, and the numbers of the key frames among them.

    None where the video cannot be cut safely: a codec or container that does not tell, frames without times or with
    equal ones, hidden ones.
    """
    times, keys = [], []
    with _open(source) as container:
        stream = _stream(container, source)
        for packet in container.demux(stream):
            if packet.size == 0:
                continue
            if packet.pts is None or packet.is_discard or packet.is_corrupt:
                return None
            times.append(packet.pts)
            if _is_key(packet, stream):
                keys.append(packet.pts)
    times.sort()
    if not keys or keys[0] != times[0] or len(set(times)) != len(times):
        return None
    places = {time: number for number, time in enumerate(times)}
    return times, sorted(places[time] for time in keys)


def split(source, least, shared=0, beside=None):
    """Parts of a video of at least `least` frames each, cut at key frames; one part where it cannot be cut.

    Parameters
    ----------
    shared : int
        How many frames a part has in common with the next one: 1 for fields between two frames, so that the part's last
        frame is the key frame that the next part begins with.
    beside : str, optional
        Another video that is cut at the same frames: only key frames of both count, and times of frames are the same in both.
    """
    found = None if is_numbered(source) else key_frames(source)
    if found is not None and beside is not None:
        other = key_frames(beside)
        found = (found[0], sorted({*found[1]} & {*other[1]})) if other is not None and other[0] == found[0] else None
    if found is None or least < 1:
        return [Part()]
    times, keys = found
    cuts = [0]
    for key in keys:
        if key - cuts[-1] >= least and len(times) - key >= max(least // 2, shared + 1):
            cuts.append(key)
    if len(cuts) == 1:
        return [Part()]
    ends = [cut - 1 + shared for cut in cuts[1:]] + [len(times) - 1]
    return [Part(first, last, times[first], times[last]) for first, last in zip(cuts, ends)]
