# SPDX-License-Identifier: Apache-2.0
"""Horizontal bars on a logarithmic scale, in groups."""

import math

from figures import COLOURS, number


def bar_plot(title, unit, names, groups):
    """SVG. `groups` are (label, values), one value for each of `names`, None where it is missing."""
    groups = [group for group in groups if any(v for v in group[1])]
    values = [v for _, line in groups for v in line if v]
    if not values:
        return None
    bar, gap, left, right, top = 12, 8, 150, 70, 60
    width = 760
    height = top + len(groups) * (bar * len(names) + gap) + 40
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    low = low - 1 if low == math.log10(min(values)) else low

    def place(value):
        return left + (math.log10(value) - low) / (high - low) * (width - left - right)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="20" font-size="14">{title}</text>',
    ]
    for i, name in enumerate(names):
        out.append(f'<rect x="{left + 130 * i}" y="32" width="10" height="10" fill="{COLOURS[i % len(COLOURS)]}"/>')
        out.append(f'<text x="{left + 14 + 130 * i}" y="41">{name}</text>')
    for exponent in range(low, high + 1):
        x = place(10.0**exponent)
        out.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{height - 34}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{height - 20}" text-anchor="middle">{10.0**exponent:g}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 5}" text-anchor="middle">{unit}</text>')
    y = top
    for label, line in groups:
        out.append(f'<text x="{left - 6}" y="{y + bar * len(names) / 2 + 4:.1f}" text-anchor="end">{label}</text>')
        for i, value in enumerate(line):
            if value:
                out.append(f'<rect x="{left}" y="{y}" width="{place(value) - left:.1f}" height="{bar - 1}" fill="{COLOURS[i % len(COLOURS)]}"/>')
                out.append(f'<text x="{place(value) + 4:.1f}" y="{y + bar - 3}">{number(value)}</text>')
            y += bar
        y += gap
    return "\n".join(out) + "\n</svg>\n"
