# SPDX-License-Identifier: Apache-2.0
"""How long a video's file should be by its own lengths: FFmpeg takes what there is of one that is cut off."""

import io


def missing_bytes(file):
    """Bytes that an MP4, Matroska or AVI lacks at its end; 0 where it is whole, or does not tell.

    Parameters
    ----------
    file : binary file
        Any place in it; it is left at its beginning.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    head = file.read(12)
    end = 0
    if head[4:8] == b"ftyp":
        end = _end_of_mp4(file, size)
    elif head[:4] == b"\x1aE\xdf\xa3":
        end = _end_of_matroska(file)
    elif head[:4] == b"RIFF" and head[8:] == b"AVI ":
        end = int.from_bytes(head[4:8], "little") + 8  # recorders that were cut off leave 0 or a small number
    file.seek(0)
    return max(end - size, 0)


def _end_of_mp4(file, size):
    at = 0
    while at + 8 <= size:
        file.seek(at)
        length = int.from_bytes(file.read(4), "big")
        file.read(4)
        if length == 1:
            length = int.from_bytes(file.read(8), "big")
        if length == 0:  # up to the end
            return size
        if length < 8:
            return at
        at += length
    return at


def _number(file):
    """A length of Matroska; None where it is not known."""
    first = file.read(1)
    if not first or not first[0]:
        return None
    more = 8 - first[0].bit_length()
    value = int.from_bytes(bytes([first[0] & ((1 << (7 - more)) - 1)]) + file.read(more), "big")
    return None if value == (1 << (7 * (more + 1))) - 1 else value


def _end_of_matroska(file):
    file.seek(4)
    length = _number(file)
    if length is None:
        return 0
    file.seek(length, io.SEEK_CUR)
    if file.read(4) != b"\x18\x53\x80\x67":  # the segment, which holds all the rest
        return 0
    length = _number(file)
    return 0 if length is None else file.tell() + length
