# SPDX-License-Identifier: Apache-2.0
"""The hashes that the program's reports carry: two runs with equal hashes gave equal values."""

import numpy

from ._core import _fnv1a


class ValueHash:
    """FNV-1a, 64 bits, over 32-bit little-endian numbers in raster order, frame after frame.

    Equal to `hash` in the program's `--json` for the same pictures and settings, on every device.
    """

    def __init__(self):
        self.state = 0xCBF29CE484222325

    def __str__(self):
        return f"0x{self.state:016x}"

    def add_disparity(self, disparity):
        """A raw map, int16 or int32."""
        self._add(disparity.astype(numpy.int32))

    def add_motion(self, vectors, cost):
        """Raw vectors (rows, columns, 2), int16, and the blocks' costs, uint64."""
        words = numpy.empty((*cost.shape, 4), numpy.uint32)
        words[..., :2] = vectors.astype(numpy.int32).view(numpy.uint32)
        words[..., 2] = cost & 0xFFFFFFFF
        words[..., 3] = cost >> 32
        self._add(words)

    def add_tracks(self, rows):
        """Rows of frame, id, x, y, status, residual, age, float64, as `track_rows` gives them."""
        words = rows * [1, 1, 1024, 1024, 1, 1024, 1]
        self._add(words.astype(numpy.int64).astype(numpy.uint32))

    def _add(self, words):
        self.state = _fnv1a(numpy.ascontiguousarray(words).view(numpy.uint32).ravel(), self.state)


def track_rows(frame, tracks):
    """A line for each track of a frame: frame, id, x, y, status, residual, age, float64, as the program writes them."""
    rows = numpy.empty((len(tracks), 7))
    rows[:, 0] = frame
    rows[:, 1] = tracks.id
    rows[:, 2:4] = tracks.xy
    rows[:, 4] = tracks.status
    rows[:, 5] = tracks.residual
    rows[:, 6] = tracks.age
    return rows
