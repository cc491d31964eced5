# SPDX-License-Identifier: Apache-2.0
"""Grey pictures from coloured ones."""

import numpy

from ._errors import ArgumentError, ArgumentTypeError


def grey(picture: numpy.ndarray) -> numpy.ndarray:
    """The grey picture of a coloured one, by the weights that the program uses.

    Parameters
    ----------
    picture : numpy.ndarray
        uint8 or uint16, shape (height, width, 3) or (height, width, 4): red, green, blue, and alpha, which is dropped.
        OpenCV has blue first: pass ``picture[:, :, ::-1]``.

    Returns
    -------
    numpy.ndarray
        (9798 R + 19235 G + 3735 B + 16384) >> 15, shape (height, width), of the same type.

    Examples
    --------
    >>> int(vergence.grey(numpy.full((1, 1, 3), (255, 0, 0), numpy.uint8))[0, 0])
    76
    """
    picture = numpy.asarray(picture)
    if picture.ndim != 3 or picture.shape[2] not in (3, 4):
        raise ArgumentError(f"picture has the shape {picture.shape}: (height, width, 3) or (height, width, 4) is needed")
    if picture.dtype not in (numpy.uint8, numpy.uint16):
        raise ArgumentTypeError(f"picture is {picture.dtype}: uint8 or uint16 is needed, and nothing is converted")
    red, green, blue = (picture[:, :, i].astype(numpy.uint32) for i in range(3))
    return ((9798 * red + 19235 * green + 3735 * blue + 16384) >> 15).astype(picture.dtype)
