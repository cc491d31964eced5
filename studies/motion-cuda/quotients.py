# SPDX-License-Identifier: Apache-2.0
"""Rungs beside each other: the quotients of their times within rounds, which decide what the paper says of one and the other."""

from statistics import median

from cells import CODES, best, clip_names, code, least, most, ms, pick, ratios, stream_cells
from figures import number

PAIRS = [(("sad", 0), ("sad-swap", 0)), (("sad-swap", 0), ("borders", 0)), (("borders", 0), ("search", 0)), (("all-on-device", 0), ("pinned", 0)), (("pinned", 0), ("z", 32)),
         (("step-3x3", 0), ("step-13x13", 0)), (("step-3x3", 0), ("step-z", 32)), (("step-3x3", 0), ("step-z", 256)), (("step-13x13", 0), ("step-z", 32)),
         (("step-13x13", 0), ("step-z", 256)), (("step-7x7-z", 256), ("step-13x13-z", 256))]
STREAMS = ("streams-portions", "streams-reduced")


def name_of(rung, lanes=0):
    return rung + (f", {lanes} threads" if lanes else "")


def coded(how):
    return "plain code" if how == "plain" else how


def pairs_of(result, clip):
    """(name, cell, name, cell) of what rows compare on a clip."""
    for first, second in PAIRS:
        yield name_of(*first), best(result, clip, *first), name_of(*second), best(result, clip, *second)
    for how in CODES:
        yield f"search, {coded(how)}", pick(result, clip, "search", how=how), "all-on-device", best(result, clip, "all-on-device")
    one, lines = pick(result, clip, "search"), [{c["streams"]: c for c in stream_cells(result, clip, rung)} for rung in STREAMS]
    for rung, line in zip(STREAMS, lines):
        for n, cell in line.items():
            yield f"search, {coded(code(one))}" if one else "search", one, f"{rung}, {n}", cell
        for n, cell in line.items():
            for m in line:
                if m < n:
                    yield f"{rung}, {m}", line[m], f"{rung}, {n}", cell
    for n in sorted(lines[0].keys() & lines[1].keys()):
        yield f"{STREAMS[0]}, {n}", lines[0][n], f"{STREAMS[1]}, {n}", lines[1][n]


def quotients(result):
    """For each clip and pair that took turns: the middle quotient, and what nearly all lie between."""
    rows = []
    for clip in clip_names(result):
        for first, a, second, b in pairs_of(result, clip):
            if a is None or b is None or ms(a) is None or ms(b) is None:
                continue
            rounds = ratios(result, a, b)
            if len(rounds) > 1:
                rows.append([clip, first, second, number(ms(a)), number(ms(b)), f"{number(median(rounds), 4)}x", f"{number(least(rounds), 4)} to {number(most(rounds), 4)}"])
    return ["clip", "first", "second", "ms", "ms", "first over second", "nearly all"], rows
