# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown and line plots in SVG, for the reports of the studies. Python's standard library alone."""

import math
import struct
import zlib

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]


def table(titles, rows):
    """Markdown; numbers are the caller's text."""
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def number(value, digits=3):
    """A figure with so many significant digits, without an exponent; a dash where there is none."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def bound(value, decimals=0):
    """An "up to" or "at most": rounded up, so that no figure lies beyond it."""
    shift = 10**decimals
    return f"{math.ceil(round(value * shift, 6)) / shift:,.{decimals}f}"


def matching(cells, **wanted):
    """The cells that have all these values."""
    return [cell for cell in cells if all(cell.get(key) == value for key, value in wanted.items())]


def one(cells, **wanted):
    """The only such cell that ran, or None."""
    found = [cell for cell in matching(cells, **wanted) if cell["refused"] is None]
    return found[0] if len(found) == 1 else None


def kernel_ms(cell):
    return None if cell is None else cell["median"]["kernel_ms"]


def device_name(result):
    device = result["device"]
    return f'{device["device"]}, {device["api"]}'


def _ticks(low, high, logarithmic):
    if logarithmic:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0**e for e in range(first, last + 1)]
    step = 10 ** math.floor(math.log10(max(high - low, 1e-12)))
    while (high - low) / step < 4:
        step /= 2
    return [step * i for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def line_plot(title, x_title, y_title, xs, lines, logarithmic=False):
    """SVG. `xs` are labels, equally spaced; `lines` are (name, values), None where a value is missing."""
    width, height, left, right, top, bottom = 760, 420, 70, 230, 40, 50
    values = [v for _, line in lines for v in line if v is not None]
    if not values:
        return None
    low, high = min(values), max(values)
    ticks = _ticks(low if logarithmic else min(low, 0), high, logarithmic)
    low, high = ticks[0], ticks[-1]

    def place(value):
        share = math.log(value / low) / math.log(high / low) if logarithmic else (value - low) / (high - low)
        return height - bottom - share * (height - top - bottom)

    def column(index):
        return left + (index + 0.5) * (width - left - right) / len(xs)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="22" font-size="14">{title}</text>',
        f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">{x_title}</text>',
        f'<text x="16" y="{(top + height - bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 {(top + height - bottom) / 2})">{y_title}</text>',
    ]
    for tick in ticks:
        y = place(tick)
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for index, label in enumerate(xs):
        out.append(f'<text x="{column(index):.1f}" y="{height - bottom + 18}" text-anchor="middle">{label}</text>')
    for index, (name, line) in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if index >= len(COLOURS) else ""
        points = [(column(i), place(v)) for i, v in enumerate(line) if v is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = top + 10 + 18 * index
        out.append(f'<line x1="{width - right + 12}" y1="{y}" x2="{width - right + 36}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{width - right + 42}" y="{y + 4}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def png_of_pgm(data):
    """The bytes of an 8-bit grey PNG from those of a raw PGM as this project writes it."""
    magic, size, most, pixels = data.split(b"\n", 3)
    width, height = map(int, size.split())
    assert magic == b"P5" and most == b"255" and len(pixels) == width * height
    rows = b"".join(b"\0" + pixels[y * width : (y + 1) * width] for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
