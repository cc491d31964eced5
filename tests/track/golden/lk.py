#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pyramidal Lucas-Kanade as docs/algorithms/track says it, in double precision and without its roundings: the source of the golden
points lk_*.txt beside it. It shares no line with the library.

Usage: lk.py WINDOW PREVIOUS.pgm CURRENT.pgm    prints x y, where the point is in the current frame, of points with texture that more
steps would not move"""

import math
import sys

LEVELS, ITERATIONS, EPSILON = 3, 20, 0.03
SPACING, LEAST = 8, 16.0  # px between the points; smaller eigenvalue of the mean of squared slopes, in grey levels per px, squared


def read_pgm(path):
    with open(path, "rb") as file:
        magic, width, height, most = file.read().split(maxsplit=4)[:4]
        assert magic == b"P5" and most == b"255", path
        file.seek(-int(width) * int(height), 2)
        pixels = file.read()
    return [[float(p) for p in pixels[y * int(width) : (y + 1) * int(width)]] for y in range(int(height))]


def mirrored(index, count):
    index = abs(index)
    return 2 * count - 2 - index if index >= count else index


def smaller(picture):
    """The next level: 1 4 6 4 1 both ways at every second pixel."""

    def across(lines):
        return [[sum(w * line[mirrored(2 * x + k - 2, len(line))] for k, w in enumerate((1, 4, 6, 4, 1))) / 16 for x in range((len(line) + 1) // 2)] for line in lines]

    return list(map(list, zip(*across(list(zip(*across(picture)))))))


def slopes(picture):
    """Change per px across and down, by 3 10 3."""
    height, width = len(picture), len(picture[0])

    def pixel(x, y):
        return picture[mirrored(y, height)][mirrored(x, width)]

    def slope(x, y, u, v):
        return sum(w * (pixel(x + u + k * v, y + v + k * u) - pixel(x - u + k * v, y - v + k * u)) for k, w in ((-1, 3), (0, 10), (1, 3))) / 32

    return [[[slope(x, y, u, v) for x in range(width)] for y in range(height)] for u, v in ((1, 0), (0, 1))]


def sampled(plane, x, y, outside):
    """Between four pixels; beside the picture they are mirrored or 0."""
    height, width = len(plane), len(plane[0])

    def pixel(u, v):
        if outside == "mirror":
            return plane[mirrored(v, height)][mirrored(u, width)]
        return plane[v][u] if 0 <= u < width and 0 <= v < height else 0.0

    u, v = math.floor(x), math.floor(y)
    a, b = x - u, y - v
    return (1 - a) * (1 - b) * pixel(u, v) + a * (1 - b) * pixel(u + 1, v) + (1 - a) * b * pixel(u, v + 1) + a * b * pixel(u + 1, v + 1)


def window_of(plane, x, y, side, outside="mirror"):
    reach = side // 2
    return [sampled(plane, x + u, y + v, outside) for v in range(-reach, reach + 1) for u in range(-reach, reach + 1)]


def squares(dx, dy):
    return sum(a * a for a in dx), sum(a * b for a, b in zip(dx, dy)), sum(b * b for b in dy)


def least_eigenvalue(dx, dy):
    a, b, c = squares(dx, dy)
    return ((a + c) - math.sqrt((a - c) ** 2 + 4 * b * b)) / 2 / len(dx)


def on_level(before, after, side, x, y, d, iterations, epsilon):
    """The displacement after the steps of one level, or None where the point leaves."""
    picture, (across, down) = before
    template = window_of(picture, x, y, side)
    dx, dy = window_of(across, x, y, side, "zero"), window_of(down, x, y, side, "zero")
    a, b, c = squares(dx, dy)
    last = None
    for _ in range(iterations):
        if not (0 <= x + d[0] <= len(after[0]) - 1 and 0 <= y + d[1] <= len(after) - 1):
            return None
        error = [i - j for i, j in zip(template, window_of(after, x + d[0], y + d[1], side))]
        e, f = sum(i * g for i, g in zip(error, dx)), sum(i * g for i, g in zip(error, dy))
        step = (c * e - b * f) / (a * c - b * b), (a * f - b * e) / (a * c - b * b)
        d = d[0] + step[0], d[1] + step[1]
        if step[0] ** 2 + step[1] ** 2 <= epsilon**2:
            break
        if last and abs(step[0] + last[0]) < 0.01 and abs(step[1] + last[1]) < 0.01:
            d = d[0] - step[0] / 2, d[1] - step[1] / 2
            break
        last = step
    return d


def main(words):
    side, frames = int(words[0]), [read_pgm(path) for path in words[1:3]]
    pyramids = []
    for frame in frames:
        pyramid = [frame]
        while len(pyramid) <= LEVELS:
            pyramid.append(smaller(pyramid[-1]))
        pyramids.append(pyramid)
    before = [(picture, slopes(picture)) for picture in pyramids[0]]
    height, width = len(frames[0]), len(frames[0][0])
    for row in range(SPACING, height - SPACING, SPACING):
        for column in range(SPACING, width - SPACING, SPACING):
            x, y = column + row // SPACING % 4 / 4, row + column // SPACING % 8 / 8
            if any(least_eigenvalue(*(window_of(s, x / 2**level, y / 2**level, side, "zero") for s in before[level][1])) < LEAST for level in range(LEVELS + 1)):
                continue
            found = []
            for iterations, epsilon in ((ITERATIONS, EPSILON), (2 * ITERATIONS, EPSILON / 10)):
                d = (0.0, 0.0)
                for level in range(LEVELS, -1, -1):
                    d = d and on_level(before[level], pyramids[1][level], side, x / 2**level, y / 2**level, (2 * d[0], 2 * d[1]), iterations, epsilon)
                found.append(d)
            d = found[0]
            # Points that more steps would move are left to chance: a rounding decides.
            if None not in found and math.dist(*found) < 0.02:
                print(f"{x:.3f} {y:.3f} {x + d[0]:.4f} {y + d[1]:.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
