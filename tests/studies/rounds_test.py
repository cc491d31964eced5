#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cells with few rounds are named, and runs of motion-cuda are put together. Usage: tests/studies/rounds_test.py"""

import pathlib
import sys

sys.dont_write_bytecode = True
STUDIES = pathlib.Path(__file__).resolve().parent.parent.parent / "studies"
sys.path[:0] = [str(STUDIES / "motion-cuda"), str(STUDIES / "common")]

import rounds  # noqa: E402
from cells import base, ms, of_paper, pick, shape_cells, speedup, turns_instead  # noqa: E402
from clocks import together  # noqa: E402
from judging import told  # noqa: E402


def cell(rung, walls, kernels=(), group="-", on="device", **counts):
    """A cell of ten frames; without walls one by the device's clock alone."""
    many = max(len(walls), len(kernels))
    runs = [[0, kernels[i] if i < len(kernels) else 0, 0, walls[i] if walls else 0] for i in range(many)]
    counts = {"search": "full", "blocks": 91, "searched": 91, "residue": 1, "timed_frames": len(walls), **({"event_frames": len(kernels), "event_blocks": 5} if kernels else {}), **counts}
    return {"clip": "a", "rung": rung, "on": on, "streams": 1, "lanes": 0, "group": group, "pinned": False, "host": "plain", "refused": None, "counts": counts, "runs": runs, "launches": 1,
            "median": {"upload_ms": 0, "kernel_ms": kernels[0] if kernels else 0, "download_ms": 0, "wall_ms": walls[0] if walls else 0}}


def result(*cells, **settings):
    return {"clips": [{"name": "a"}], "device": {"device": "NVIDIA X", "api": "CUDA 13.0"}, "settings": {"turns": "yes", **settings}, "cells": list(cells)}


# What has fewer than ten rounds, or frames by the device's clock, or was not measured; what does not fit is no such cell.
late, large = ({**cell("z", [1.0]), "refused": why} for why in ("not measured: the study's time was over", "does not fit: too large"))
few = result(cell("z", [1.0] * 10, [1.0] * 2), cell("search", [1.0] * 9), cell("pinned", [1.0] * 10, [1.0] * 10), late, large)
assert [(kind, count, least) for kind, _, count, least in rounds.fewer(few)] == [(rounds.CLOCK, 1, 2), (rounds.CELLS, 1, 9), (rounds.UNTIMED, 1, 0)], rounds.fewer(few)
assert rounds.unexplained(few) == sorted([rounds.CLOCK, rounds.CELLS, rounds.UNTIMED])
few["fewer_rounds"] = {rounds.CELLS: "the reason"}
assert rounds.unexplained(few) == sorted([rounds.CLOCK, rounds.UNTIMED]) and "the reason" in rounds.section([("few", few)])
assert rounds.section([("all", result(cell("z", [1.0] * 10)))]) is None
assert [one[0] for one in rounds.fewer({**result(**{"baseline-runs": "3", "search-runs": "5"}), "c_program": [1], "search": [1, 2]})] == [rounds.PROGRAM, rounds.SEARCH]

# A run by the device's clock gets the host's times of the run in turns, which gets the device's; each cell keeps to its own program.
turns = result(cell("scalar", [100.0] * 10, on="host"), cell("z", [10.0] * 10), cell("all-on-device", [20.0] * 10, group="128x1"))
clocked = result(cell("scalar", [50.0] * 10, on="host"), cell("z", [], [4.0] * 10), cell("step-7x7", [25.0] * 10, [5.0] * 10),
                 *(cell("all-on-device", [], [kernel] * 10, group=group) for group, kernel in (("128x1", 8.0), ("1x32", 6.0))))
runs = together([("main", clocked), ("main-turns", turns)])
assert [name for name, _ in of_paper(runs)] == ["main"] == [name for name, _ in turns_instead(of_paper(runs), runs, "z")]
z, other = pick(clocked, "a", "z"), pick(clocked, "a", "step-7x7")
assert (ms(z), z["median"]["kernel_ms"], z["runs"][9]) == (10.0, 4.0, [0, 4.0, 0, 10.0])
assert pick(turns, "a", "z")["median"]["kernel_ms"] == 4.0
assert (ms(base(clocked, "a", z, "plain")), speedup(clocked, "a", z, "plain")) == (100.0, 10.0)
assert (ms(base(clocked, "a", other, "plain")), speedup(clocked, "a", other, "plain")) == (50.0, 2.0)
assert told(clocked, other, z) is None  # times of two runs
assert [(c["group"], ms(c)) for c in shape_cells(clocked, "a")] == [("128x1", 20.0), ("1x32", None)]
assert together(runs) is runs and len(clocked["cells"]) == 6
# An older run, without turns: the same cells have the host's times of the turns, the others stand apart.
turns = result(cell("scalar", [100.0] * 10, on="host"), cell("z", [10.0] * 10))
older = result(cell("z", [12.0] * 2, [4.0] * 2), cell("tz-z", [30.0] * 2, [5.0] * 2), turns="no")
runs = together([("main", older), ("main-turns", turns)])
z, other = pick(older, "a", "z"), pick(older, "a", "tz-z")
assert (ms(z), z["median"]["kernel_ms"], z["counts"]["event_frames"], ms(other), other["apart"], "apart" in z) == (10.0, 4.0, 2, 30.0, True, False)
assert speedup(older, "a", z, "plain") == 10.0 and speedup(older, "a", other, "plain") is None and told(older, other, z) is None
print("few rounds are named, runs put together")
