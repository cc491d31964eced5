#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published tracker as its page (studies/published/exact_sdvbs.md) says it, without a line of the program in C++: the source of
the golden coordinates sdvbs_*.txt beside it. Numbers are rounded to single precision after each operation, as there. It gives the golden
coordinates of the benchmark's own sets sqcif and cif, too, to the last printed digit.

Usage: exact_sdvbs.py WINDOW FEATURES ITERATIONS ACCURACY FRAME.pgm...    prints a row of x, a row of y"""

import math
import struct
import sys

WEIGHTS = (1, 4, 6, 4, 1)
SINGLE = struct.Struct("f")


def single(value):
    """A double rounded to single precision. For one +, -, * or / of two singles that is what single precision itself gives."""
    return SINGLE.unpack(SINGLE.pack(value))[0]


def read_pgm(path):
    with open(path, "rb") as file:
        magic, width, height, most = file.read().split(maxsplit=4)[:4]
        assert magic == b"P5" and most == b"255", path
        file.seek(-int(width) * int(height), 2)
        pixels = file.read()
    return [[float(p) for p in pixels[y * int(width) : (y + 1) * int(width)]] for y in range(int(height))]


def zeros(width, height):
    return [[0.0] * width for _ in range(height)]


def transposed(picture):
    return [list(column) for column in zip(*picture)]


def smoothed_rows(picture, columns, rows):
    """1 4 6 4 1 over 16 along each of these rows at these columns; column i of the result is the i-th of them."""
    out = {}
    for y in rows:
        for i, x in enumerate(columns):
            total = 0.0
            for k, weight in enumerate(WEIGHTS):
                total = single(total + single(picture[y][x + k - 2] * weight))
            out[i, y] = single(total / 16)
    return out


def filtered(picture, step):
    """Both passes, at every pixel (step 1, which stay where they are) or at every second one (step 2, which move to the corner)."""
    height, width = len(picture), len(picture[0])
    columns, rows = range(2, width - 2, step), range(2, height - 2, step)
    across = zeros((width + step - 1) // step, height)
    for (i, y), value in smoothed_rows(picture, columns, range(2, height - 2)).items():
        across[y][i if step == 2 else i + 2] = value
    down = zeros((height + step - 1) // step, len(across[0]))
    for (i, x), value in smoothed_rows(transposed(across), rows, range(len(across[0]))).items():
        down[x][i if step == 2 else i + 2] = value
    return transposed(down)


def gradient_across(picture):
    """Minus the derivative along a row, smoothed by 1 2 1 down the column."""
    height, width = len(picture), len(picture[0])
    difference, out = zeros(width, height), zeros(width, height)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            difference[y][x] = single(single(picture[y][x - 1] - picture[y][x + 1]) / 2)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            total = single(difference[y - 1][x] + single(2 * difference[y][x]))
            out[y][x] = single(single(total + difference[y + 1][x]) / 4)
    return out


class Frame:
    def __init__(self, pixels):
        first = filtered(pixels, 1)
        self.pictures = [first, filtered(first, 2)]
        self.dx = [gradient_across(p) for p in self.pictures]
        self.dy = [transposed(gradient_across(transposed(p))) for p in self.pictures]


def running_sums(line, window):
    """Of the `window` values from (window + 1) / 2 before each; a value enters, then one leaves."""
    before = (window + 1) // 2
    padded = [0.0] * window + line + [0.0] * (window + 1)
    total, out = 0.0, []
    for value in padded[window - before : 2 * window - before]:
        total = single(total + value)
    for i in range(len(line)):
        out.append(total)
        entering, leaving = padded[i + 2 * window - before], padded[i + window - before]
        total = single(single(total + entering) - leaving)
    return out


def box_sums(one, other, window):
    products = [[single(a * b) for a, b in zip(line, line_other)] for line, line_other in zip(one, other)]
    rows = [running_sums(line, window) for line in products]
    return transposed([running_sums(column, window) for column in transposed(rows)])


def detect(frame, window, count):
    dx, dy = frame.dx[0], frame.dy[0]
    a, b, c = box_sums(dx, dx, window), box_sums(dx, dy, window), box_sums(dy, dy, window)
    found = []
    for y in range(window, len(dx) - window):
        for x in range(window, len(dx[0]) - window):
            determinant = single(single(a[y][x] * c[y][x]) - single(b[y][x] * b[y][x]))
            strength = single(determinant / (single(a[y][x] + c[y][x]) + 0.00001))
            if strength > 0:
                found.append((-strength, y, x))
    strongest = [(x, y) for _, y, x in sorted(found)[:count]]
    strongest += [(-1, -1)] * (count - len(strongest))
    kept = []
    for x, y in strongest:
        if all((x - u) ** 2 + (y - v) ** 2 > 100 for u, v in kept):
            kept.append((x, y))
    return [(float(x), float(y)) for x, y in kept]


def leaves(picture, x, y, window):
    bottom, right = single(single(y + window) + 1), single(single(x + window) + 1)
    return single(x - window) < 0 or single(y - window) < 0 or bottom >= len(picture) or right >= len(picture[0])


def patch(picture, x, y, window):
    column, row = math.floor(x), math.floor(y)
    right, below = single(x - column), single(y - row)
    left, above = single(1 - right), single(1 - below)
    taps = [(0, 0, single(left * above)), (0, 1, single(right * above)), (1, 0, single(left * below)), (1, 1, single(right * below))]
    out = []
    for v in range(row - window, row + window):
        for u in range(column - window, column + window):
            total = 0.0
            for down, across, weight in taps:
                total = single(total + single(picture[v + down][u + across] * weight))
            out.append(total)
    return out


def dot(one, other):
    total = 0.0
    for a, b in zip(one, other):
        total = single(total + single(a * b))
    return total


def follow(before, after, feature, window, iterations, accuracy):
    """Where a feature of the frame before is in the one after, or None."""
    x, y, dx, dy, valid = single(feature[0] / 4), single(feature[1] / 4), 0.0, 0.0, True
    for level in (1, 0):
        x, y, dx, dy = 2 * x, 2 * y, 2 * dx, 2 * dy
        if leaves(before.pictures[level], x, y, window):
            return None
        template = patch(before.pictures[level], x, y, window)
        across, down = patch(after.dx[level], x, y, window), patch(after.dy[level], x, y, window)
        a, b, c = dot(across, across), dot(across, down), dot(down, down)
        determinant = single(single(a * c) - single(b * b))
        if determinant / (single(a + c) + 0.00001) < accuracy:
            return None
        inverse = single(1 / determinant)
        for _ in range(iterations):
            at_x, at_y = single(x + dx), single(y + dy)
            if leaves(after.pictures[level], at_x, at_y, window):
                valid = False
                break
            error = [single(i - j) for i, j in zip(template, patch(after.pictures[level], at_x, at_y, window))]
            e, f = dot(error, across), dot(error, down)
            step_x = single(inverse * single(single(e * c) - single(f * b)))
            step_y = single(inverse * single(single(-e * b) + single(f * a)))
            dx, dy = single(dx + step_x), single(dy + step_y)
            if single(single(step_x * step_x) + single(step_y * step_y)) < accuracy:
                break
    return (single(feature[0] + dx), single(feature[1] + dy)) if valid else None


def main(words):
    window, count, iterations, accuracy = int(words[0]), int(words[1]), int(words[2]), single(float(words[3]))
    frames = [Frame(read_pgm(path)) for path in words[4:]]
    features, before = detect(frames[0], window, count), frames[0]
    for frame in frames:  # the first one is followed into itself first
        moved = [follow(before, frame, feature, window, iterations, accuracy) for feature in features]
        features, before = [feature for feature in moved if feature], frame
    for axis in (0, 1):
        print(" ".join(f"{feature[axis]:.6f}" for feature in features))


if __name__ == "__main__":
    main(sys.argv[1:])
