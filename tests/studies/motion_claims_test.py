#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the report of motion-cuda judges: the paper's own items, both ways of compiling, and nothing closer to a limit than the rounds lie
apart. Usage: tests/studies/motion_claims_test.py"""

import sys

from study_cells import GPU, cell, modules_of

# Motion: 2 or 4 streams, both ways of compiling, a gain that lies off its limit.
cells, ladder, streams, step, reasons = modules_of("motion-cuda", "cells", "ladder_claims", "stream_claims", "step_claims", "reason_claims")
CLIPS = ["a", "b", "c"]


def motion(scalar, vectors, z, in_streams=()):
    """Ladders on three clips; nothing tells the host's speed."""
    made = []
    for clip in CLIPS:
        counts = {"search": "full", "residue": 1, "blocks": 91, "searched": 91}
        common = {"clip": clip, "streams": 1, "lanes": 0, "group": "-", "counts": counts}
        made += [cell(scalar, rung="scalar", on="host", host="plain", **common), cell(vectors, rung="scalar", on="host", host="vectors", **common),
                 cell(z, rung="z", on="device", **{**common, "lanes": 32}), cell(50.0, rung="search", on="device", **common)]
        made += [cell(ms, rung=rung, on="device", **{**common, "streams": n}) for rung, n, ms in in_streams]
    return {"clips": [{"name": name} for name in CLIPS], "device": GPU, "cells": made}


above_ten = step.last_gain("z", 32, 10, True)
assert above_ten(motion(1000.0, 200.0, 10.0)).verdict == "holds"
assert above_ten(motion(1000.0, 50.0, 10.0)).verdict == "not decided"
near = above_ten(motion(1000.0, [90.0, 100.0, 105.0, 120.0] * 3, 10.0))
assert near.verdict == "not decided" and "spread" in near.because, near
assert above_ten(motion(50.0, 20.0, 10.0)).verdict == "does not hold"
with_streams = motion(1000.0, 200.0, 10.0, [(rung, n, ms) for rung in ("streams-portions", "streams-reduced") for n, ms in ((1, 20.0), (2, 80.0), (4, 70.0), (8, 90.0))])
assert cells.best(with_streams, "a", "streams-portions")["streams"] == 1
assert streams.streams_below_one(with_streams).verdict == "holds", streams.streams_below_one(with_streams)
assert streams.four_over_two(with_streams).verdict == "holds"
# One decided place refutes what is said of all: one stream beats 2 and 4. "Similar" is within a tenth, "marginal" faster by no more; where one is
# decided against it and others for it, it holds in part.
best_of = streams.two_and_four_best("streams-portions")
against = best_of(with_streams)
assert against.verdict == "does not hold" and "1 stream takes less than 2 on a" in against.because, against


def of_streams(*times, rung="streams-portions"):
    return motion(1000.0, 200.0, 10.0, [(rung, n, ms) for n, ms in zip((1, 2, 4, 8), times)])


assert [best_of(of_streams(*times)).verdict for times in ((20.0, 15.0, 14.0, 18.0), (20.0, 20.0, 20.0, 20.0))] == ["holds", "no difference measured"]
assert [streams.marginal_gains(of_streams(*times)).verdict for times in ((20.0, 19.0, 18.8, 9.0), (20.0, 19.0, 12.0, 9.0), (20.0, 19.0, 22.0, 9.0))] == ["holds", "does not hold", "does not hold"]
alike = [streams.reduced_alike(of_streams(*times, rung="streams-reduced")) for times in ((20.0, 20.5, 19.5, 21.0), (20.0, 30.0, 30.0, 30.0), (20.0, 20.5, 19.5, 30.0))]
assert [one.verdict for one in alike] == ["holds", "does not hold", "holds in part"] and "slower there" in alike[1].because, alike


# What border blocks in vectors decide, plain code has to say too, by an estimate: there they take 900 of 1000 ms.
with_borders = of_streams(20.0, 25.0, 25.0, 25.0)
for c in with_borders["cells"]:
    if c["rung"].startswith("streams"):
        c["host"], c["counts"] = "vectors", {**c["counts"], "on_host": 75, "cpu_ms": 10.0}
assert best_of(with_borders).verdict == "does not hold"
both_codes = best_of({**with_borders, "plain_borders": dict.fromkeys(CLIPS, 0.9)})
assert both_codes.verdict == "not decided" and "at 6 of 12 places border blocks in plain code" in both_codes.because and "(0.995x)" in both_codes.because, both_codes
assert best_of({**with_borders, "plain_borders": dict.fromkeys(CLIPS, 0.01)}).verdict == "does not hold"
# Each of 2 and 4 streams is judged, of both forms.
each = motion(1000.0, 200.0, 10.0, [(rung, n, ms) for rung in ("streams-portions", "streams-reduced") for n, ms in ((2, 40.0), (4, 60.0))])
assert streams.streams_on_first(each).verdict == "holds in part" and streams.streams_below_one(each).verdict == "holds in part"


def on_host(cpu):
    made = of_streams(20.0, 20.0, 20.0, 20.0)
    for c in made["cells"]:
        if c["rung"].startswith("streams"):
            c["counts"] = {**c["counts"], "blocks": 100, "on_host": 50}
    made["cells"] += [cell(30.0, rung="all-on-device", on="device", clip=clip, streams=1, lanes=0, group="128x1", counts={"blocks": 100, "cpu_ms": cpu, "reconstruct_ms": 1.0}) for clip in CLIPS]
    return streams.scanning_is_small(made)


assert on_host(4.0).verdict == "holds" and "streams: 1.50 of 20.0 ms" in on_host(4.0).figures and on_host(9.0).verdict == "not decided", on_host(4.0)
# A larger array of results is judged by its own runs, and those by nothing else.
large = {**motion(1000.0, 200.0, 10.0, [("streams-portions", n, ms) for n, ms in ((1, 20.0), (2, 15.0), (4, 25.0))]), "settings": {"reach": "128", "borders": "no"}}
assert streams.larger_array(large).verdict == "holds", streams.larger_array(large)
usual = {**large, "settings": {"reach": "64"}}
assert streams.larger_array(usual) is None
assert cells.of_paper([("a", usual), ("b", large)]) == [("a", usual)]
# Rungs with a launch for each candidate: the run with the most frames of them, of each device and API.
few, many = ({**usual, "cells": usual["cells"] + [cell([10.0] * n, rung="sad", on="device", clip="a", streams=1, lanes=0, group="-", counts={})]} for n in (1, 10))
assert [name for name, _ in cells.of_sads([("few", few), ("many", many), ("none", usual)])] == ["many"]
# One frame each decides only beyond what frames of other rungs differ by; equality is neither ahead nor behind.
first_rungs = motion(1000.0, 200.0, [10.0, 11.0, 12.0] * 4)
for rung, ms in (("sad", 100.0), ("sad-swap", 90.0), ("borders", 10.0)):
    first_rungs["cells"].append(cell([ms], rung=rung, on="device", clip="a", streams=1, lanes=0, group="-", launches=10, counts={"search": "full", "blocks": 91, "searched": 91, "on_host": 0}))
near = ladder.step_of_ladder("sad", "sad-swap")(first_rungs)
assert near.verdict == "not decided" and "up to 19 % apart" in near.because, near  # 2 of 11 ms: 18.2 %
assert ladder.step_of_ladder("sad-swap", "borders")(first_rungs).verdict == "holds"
assert ladder.search_against_cpu(slice(0, 1), True)(motion(1000.0, 200.0, 10.0)).verdict == "holds"
assert ladder.search_against_cpu(slice(0, 1), False)(motion(50.4, 50.2, 10.0)).verdict == "no difference measured"
# A speed-up grows beyond the runs' spread, or not at all.
judging = sys.modules["judging"]
growing = motion(1000.0, 100.0, 10.0)
for c in growing["cells"]:
    if c["rung"] == "z" and c["clip"] != "a":
        c.update(cell([9.0, 9.9, 10.6, 9.6] if c["clip"] == "b" else 5.0))
assert judging.growth(growing, "z", 32, "plain") == [0, -1], judging.growth(growing, "z", 32, "plain")
assert judging.grows("z", 32)(growing).verdict == "holds in part"
# Shapes in x alone against the others; numbers of threads that disagree.
shapes = motion(1000.0, 200.0, 10.0)
shapes["cells"] += [cell(ms, rung="all-on-device", on="device", clip=clip, streams=1, lanes=0, group=group, counts={"event_frames": 10}) for clip in CLIPS
                    for group, ms in (("128x1", 5.0), ("32x1", 4.0), ("8x8", 4.05), ("1x32", 9.0))]
assert ladder.group_shape(shapes).verdict == "holds in part"
for c in shapes["cells"]:
    if c.get("group") in ("8x8", "1x32"):  # the least median is of runs far apart, and not told apart; the other is faster
        c.update(cell([3.0] * 6 + [9.0] * 4 if c["group"] == "8x8" else 3.2))
assert ladder.group_shape(shapes).verdict == "does not hold"
grids = motion(1000.0, 200.0, 10.0)
for clip, three, few, many in (("a", 10.0, 4.0, 5.0), ("b", 10.0, 5.0, 5.0), ("c", 10.0, 8.0, 2.0)):
    grids["cells"] += [cell(ms, rung=rung, on="device", clip=clip, streams=1, lanes=lanes, group="-", counts={}) for rung, lanes, ms in (("step-3x3", 0, three), ("step-z", 32, few), ("step-z", 256, many))]
assert step.most_on_first("step-3x3", "step-z", (32, 256))(grids).verdict == "not decided"
assert step.most_on_first("step-3x3", "step-z", (32,))(grids).verdict == "holds"
fewer_threads = step.faster("step-3x3", "step-z", 0, (32, 256))
assert fewer_threads(grids).verdict == "holds"
for c in grids["cells"]:
    if (c["rung"], c["lanes"], c["clip"]) == ("step-z", 256, "b"):
        c.update(cell(11.0))
turned = fewer_threads(grids)
assert turned.verdict == "not decided" and "with 32 holds; with 256 holds in part" in turned.because, turned
# Times are alike within a tenth, beyond the spread; a residue is closer to the full search's by more than a tenth.


def two_grids(times, residues, full=100):
    made = motion(1000.0, 200.0, 10.0)
    for c in made["cells"]:
        if c["rung"] == "z":
            c["counts"] = {**c["counts"], "residue": full}
    for clip, (seven, thirteen), (a, b) in zip(CLIPS, times, residues):
        made["cells"] += [cell(ms, rung=rung, on="device", clip=clip, streams=1, lanes=256, group="-", counts={"residue": value, "search": "full"})
                          for rung, ms, value in (("step-7x7-z", seven, a), ("step-13x13-z", thirteen, b))]
    return made


close, fewer = [(10.0, 10.5)] * 3, [(200, 150)] * 3
similar, nearer = step.alike("step-7x7-z", "step-13x13-z", 256), step.closer("step-7x7-z", "step-13x13-z", 256)
assert similar(two_grids(close, fewer)).verdict == "holds"
assert similar(two_grids([(10.0, 12.0)] * 3, fewer)).verdict == similar(two_grids([(12.0, 10.0)] * 3, fewer)).verdict == "does not hold"
assert similar(two_grids(close[:2] + [(12.0, 10.0)], fewer)).verdict == "holds in part"
assert similar(two_grids(close[:2] + [(10.0, 11.1)], fewer)).verdict == "not decided"
assert nearer(two_grids(close, fewer)).verdict == "holds"
assert nearer(two_grids(close, fewer[:2] + [(200, 195)])).verdict == "holds in part"
assert nearer(two_grids(close, [(200, 210)] * 3)).verdict == "does not hold"
grid_residues = two_grids(close, [(90, 80), (90, 95), (90, 80)])
for c in grid_residues["cells"]:
    if c["rung"] == "scalar":
        c["counts"] = {**c["counts"], "residue": 100}
assert step.residues_fall(grid_residues).verdict == "holds"  # against the program's, not the smaller grid's
for c in grid_residues["cells"]:
    if c["rung"] == "step-13x13-z" and c["clip"] == "b":
        c["counts"] = {**c["counts"], "residue": 105}
assert step.residues_fall(grid_residues).verdict == "holds in part" and "13x13 above the CPU's on b" in step.residues_fall(grid_residues).because
# Of rungs that searched different parts of a frame each is named; what bounds the first is what takes most of its time.
parts_of = [cell([10.0], counts={"blocks": 91, "searched": n}) for n in (16, 91)]
assert ladder.of_frames(*parts_of) == "one frame each, 16 of 91 blocks and 91 of 91 blocks of it", ladder.of_frames(*parts_of)
assert ladder.of_frames(parts_of[1]) == "one frame" and ladder.of_frames(parts_of[0], parts_of[0]) == "one frame each, 16 of 91 blocks of it"


def shares(launch, copy, host):
    counts = {"blocks": 91, "searched": 91, "on_host": 75, "launch_ms": launch, "copy_ms": copy, "cpu_ms": host}
    return {"clips": [{"name": "a"}], "cells": [cell([100.0], rung="borders", on="device", clip="a", streams=1, lanes=0, group="-", counts=counts)]}


assert [ladder.sads_bound(shares(*one)).verdict for one in ((30, 60, 10), (30, 30, 40), (10, 20, 70))] == ["holds", "holds in part", "does not hold"]


def launching(kernel, launch, copy):
    counts = {"blocks": 91, "searched": 91, "launch_ms": launch, "copy_ms": copy, "cpu_ms": 5}
    one = cell([100.0] * 10, rung="sad", on="device", clip="a", streams=1, lanes=0, group="-", counts=counts)
    one["runs"] = [[0, kernel, 0, 100.0]] * 10
    return ladder.launches_weigh({"clips": [{"name": "a"}], "cells": [one]}).verdict


assert [launching(*one) for one in ((60, 20, 70), (20, 50, 60), (20, 30, 60), (20, 5, 90))] == ["not decided", "holds", "holds in part", "does not hold"]
# Border blocks in plain code, by an estimate, have to give the verdict of those in vectors.


def borders(swap, whole, part):
    made = motion(1000.0, 50.0, 10.0)
    for rung, ms, left in (("sad-swap", swap, 0), ("borders", whole, 75)):
        made["cells"].append(cell(ms, rung=rung, on="device", host="vectors", clip="a", streams=1, lanes=0, group="-", launches=10,
                                  counts={"search": "full", "blocks": 91, "searched": 91, "on_host": left, "cpu_ms": 1.0}))
    return ladder.borders_on_cpu({**made, "plain_borders": {"a": part}})


first = {"clips": [{"name": "a"}], "plain_borders": {"a": 0.03}, "cells": shares(30, 60, 10)["cells"] + [cell(1000.0, rung="scalar", on="host", host="plain", clip="a", counts={})]}
first["cells"][0]["counts"]["search"], first["cells"][0]["host"] = "full", "vectors"
both = ladder.sads_bound(first)
assert both.verdict == "not decided" and "90 % of it, with border blocks in plain code, by an estimate, about 69 %" in both.because, both
assert borders(5000.0, 1000.0, 0.5).verdict == "holds" and "about 3.3x" in borders(5000.0, 1000.0, 0.5).figures
assert borders(5000.0, 4400.0, 1.0).verdict == "not decided" and borders(5000.0, 6000.0, 1.0).verdict == "does not hold"
slower = {**motion(1000.0, 200.0, 10.0, [("streams-portions", n, ms) for n, ms in ((1, 20.0), (2, 25.0))]), "settings": {"reach": "128"}}
assert streams.larger_array(slower).verdict == "does not hold"
# Reasons of the step search: each verdict turns with the figures.


def grids_of(rungs):
    """Rungs of the step search on each clip, (rung, lanes, whole, kernels, SADs a block, residue), beside a program of 20 and 10 ms."""
    made = [cell(ms, rung="step-scalar", on="host", host=how, clip=clip, streams=1, lanes=0, group="-", counts={"search": "step", "residue": 100})
            for clip in CLIPS for how, ms in (("plain", 20.0), ("vectors", 10.0))]
    for rung, lanes, whole, kernel, sads, left in rungs:
        for clip in CLIPS:
            one = cell(whole, rung=rung, on="device", clip=clip, streams=1, lanes=lanes, group="-", launches=10 * sads, bytes_down=40 * sads,
                       counts={"search": "step", "blocks": 10, "residue": left, "launch_ms": whole - kernel})
            one["median"]["kernel_ms"], one["runs"] = kernel, [[0, kernel, 0, run[3]] for run in one["runs"]]
            made.append(one)
    return {"clips": [{"name": name} for name in CLIPS], "device": GPU, "cells": made}


def reason(check, *rungs):
    return check(grids_of(rungs)).verdict


one_group = ("step-3x3", 0, 40.0, 15.0, 54, 100)
assert reason(reasons.little_of_device, one_group, ("step-13x13", 0, 30.0, 20.0, 338, 90)) == "holds"
assert reason(reasons.little_of_device, one_group, ("step-13x13", 0, 90.0, 80.0, 338, 90)) == "does not hold"
assert [reason(reasons.overhead_of_3x3, ("step-3x3", 0, 40.0, k, 54, 100)) for k in (10.0, 15.0, 39.0)] == ["holds", "not decided", "does not hold"]
assert [reason(reasons.behind_cpu("step-13x13"), ("step-13x13", 0, ms, 5.0, 338, 90)) for ms in (30.0, 15.0, 5.0)] == ["holds", "not decided", "does not hold"]
assert [reason(reasons.launches_limit, ("step-z", 32, 20.0, a, 54, 100), ("step-z", 256, 20.0, b, 54, 100)) for a, b in ((10.0, 10.0), (19.0, 19.0))] == ["not decided"] * 2
seven, thirteen = ("step-7x7-z", 256, 20.0, 10.0, 147, 95), ("step-13x13-z", 256, 30.0, 25.0, 338, 90)
assert reason(reasons.one_round_less, seven, thirteen) == "holds"  # kernels and the whole take more
assert reason(reasons.one_round_less, seven, ("step-13x13-z", 256, 20.0, 12.0, 338, 90)) == "not decided"
assert reason(reasons.choice, seven, thirteen) == reason(reasons.more_points, one_group, seven, thirteen) == "holds"
assert reason(reasons.highest_gain, one_group, seven, thirteen) == reason(reasons.lower_on_all, thirteen) == "holds"
better = ("step-13x13-z", 256, 15.0, 5.0, 338, 97)
assert reason(reasons.one_round_less, seven, better) == reason(reasons.highest_gain, one_group, seven, better) == "does not hold"
assert reason(reasons.more_points, one_group, seven, better) == "holds"  # against the original, not the smaller grid
assert reason(reasons.more_points, one_group, seven, ("step-13x13-z", 256, 15.0, 5.0, 338, 103)) == "holds in part" and reason(reasons.choice, seven, better) == "holds"
assert reason(reasons.choice, seven, ("step-13x13-z", 256, 15.0, 5.0, 338, 90)) == "does not hold"
chosen = [("step-13x13-z", 256, whole, kernel, 338, 90) for whole, kernel in ((30.0, 5.0), (30.0, 25.0), (5.0, 4.0), (30.0, 15.0))]
assert [reason(reasons.overhead_decides, one) for one in chosen] == ["holds", "does not hold", "does not hold", "not decided"]
assert [reason(reasons.comes_close, one) for one in (chosen[0], chosen[2])] == ["does not hold", "holds"]
assert [reason(step.below_one("step-13x13-z", 256), one) for one in (chosen[0], chosen[2], ("step-13x13-z", 256, 15.0, 5.0, 338, 90))] == ["holds", "does not hold", "not decided"]
assert reason(step.lowest_on_second, chosen[0]) == reason(step.second_is_highest, chosen[0]) == "not measurable here"
# The host's own speed: each cell rebuilds frames by the same code. What it could turn is open; kernels do not hang on it.


def hosts(first, second, kernel=0.0, limit=1):
    """Two rungs, (milliseconds, of them rebuilding), with as much of kernels."""
    made = [cell(ms, rung=rung, on="device", clip="a", streams=1, lanes=0, group="-", counts={"reconstruct_ms": rebuilt, "cpu_ms": 0}) for rung, (ms, rebuilt) in (("x", first), ("y", second))]
    for one in made:
        one["median"]["kernel_ms"] = kernel
    return judging.told({"clips": [{"name": "a", "width": 416, "height": 240}], "device": GPU, "cells": made, "settings": {}, "host_doubt": 1.2}, *made, limit)


assert hosts((20.0, 1.0), (10.0, 1.0)) == -1 and hosts((10.0, 1.0), (20.0, 1.0)) == 1
assert hosts((20.0, 2.0), (10.0, 1.0)) is None and hosts((20.0, 1.7), (10.0, 1.0)) is None and hosts((20.0, 1.6), (10.0, 1.0)) == -1
assert hosts((20.0, 2.0), (10.0, 1.0), kernel=9.0) == -1  # 9 + 11 against 9 + 1
assert hosts((10.0, 2.0), (10.0, 1.0)) is None and hosts((10.0, 1.0), (10.0, 1.0)) is None and hosts((10.0, 1.0), (10.0, 1.0), kernel=10.0) == 0
assert hosts((20.0, 1.0), (10.0, 1.0), limit=1.5) == -1 and hosts((20.0, 1.0), (10.0, 1.0), limit=1.7) is None
signs_of = lambda *signs: judging.of_told({"clips": [], "cells": []}, signs, "").verdict  # noqa: E731
assert (signs_of(-1, -1), signs_of(-1, None), signs_of(1, None), signs_of(1, 1)) == ("holds", "not decided", "not decided", "does not hold")
assert signs_of(1, 1, None) == "does not hold" and signs_of(1, 1, None, None) == "not decided" and signs_of(-1, 1, None) == "holds in part"
assert "decided are 0 for it and 1 against it, of 2" in judging.of_told({"clips": [], "cells": []}, [1, None], "").because
drifting = motion(1000.0, 200.0, 10.0)
drifting["host_doubt"] = 2.1
assert above_ten(drifting).verdict == "holds"  # kernels take all of it
for c in drifting["cells"]:
    c["median"]["kernel_ms"] = 0
assert above_ten(drifting).verdict == "not decided" and "host" in above_ten(drifting).because
assert cells.host_candidates({"clips": [{"name": "a", "width": 416, "height": 240}], "settings": {}}, "a") == (1106944, 844800)
# Rungs that took turns: quotients within the rounds, whatever the host's speed was from one to the next.
speeds = [1.0, 2.0, 1.5, 1.0, 3.0, 1.2, 1.0, 2.5, 1.1, 1.9]


def turns(before, after, limit=1):
    made = [cell(list(ms), rung=rung, on="device", clip="a", streams=1, lanes=0, group="-", counts={}) for rung, ms in (("x", before), ("y", after))]
    return judging.told({"clips": [{"name": "a"}], "cells": made, "settings": {"turns": "yes"}}, *made, limit)


ten, eleven = ([ms * speed for speed in speeds] for ms in (10.0, 11.0))
assert (turns(eleven, ten), turns(ten, eleven), turns(ten, ten), turns(eleven, ten, 1.2)) == (-1, 1, 0, 1)
assert turns(eleven, [5.0 * ten[0], *ten[1:]]) == -1 and turns(eleven, [5.0 * ten[0], 5.0 * ten[1], *ten[2:]]) is None  # one round, two
assert turns(ten, [ms * (1.5 if i % 2 else 0.7) for i, ms in enumerate(ten)]) is None  # the rounds lie on both sides
busy = {"clips": [], "settings": {"turns": "yes"}, "beside_other_work": True}
pair = [cell(list(ms), rung=rung, on="device", clip="a", streams=1, lanes=0, group="-", counts={}) for rung, ms in (("x", eleven), ("y", ten))]
assert judging.told(busy, *pair) is None and judging.told(busy, *pair, 0.5) == -1 and judging.told(busy, *reversed(pair), 2) == 1
fast, slow = motion([100.0 * speed for speed in speeds], 200.0, [10.0 * speed for speed in speeds]), motion(100.0, 200.0, 10.0)
fast["settings"] = slow["settings"] = {"turns": "yes"}
assert cells.speedup(fast, "a", cells.best(fast, "a", "z", 32), "plain") == 10.0
assert judging.growth(fast, "z", 32, "plain") == [0, 0]
for c in fast["cells"]:
    if c["clip"] == "c" and c["rung"] == "z":
        c["runs"] = [run[:3] + [run[3] / 1.5] for run in c["runs"]]
assert judging.growth(fast, "z", 32, "plain") == [0, -1]
older = {**motion(100.0, 200.0, 10.0), "settings": {}}
for one in (older, fast):
    one["device"] = {**GPU, "api": "CUDA 13.0"}
assert [name for name, _ in cells.turns_instead([("older", older)], [("fast", fast), ("older", older)], "z")] == ["fast"]
assert [name for name, _ in cells.turns_instead([("older", older)], [("older", older)], "z")] == ["older"]
assert cells.of_paper([("fast", fast), ("older", older)]) == [("older", older)]
# What the search leaves of the program's time is more on the first clip than on the last, or that is not told.


def weights(first, last, doubt=1):
    made = {**motion(1000.0, 1000.0, 10.0), "settings": {}, "host_doubt": doubt}
    for c in made["cells"]:
        if c["rung"] == "scalar":
            c["counts"] = {**c["counts"], "search": "", "reconstruct_ms": {"a": first, "b": 1.0, "c": last}[c["clip"]]}
    return reasons.weight_of_search(made).verdict


assert (weights(10.0, 5.0), weights(5.0, 5.0), weights(5.0, 10.0)) == ("holds", "not decided", "does not hold")
# A quotient within what searching and rebuilding disagree by about the host's speed decides nothing.
assert (weights(10.0, 5.0, 1.9), weights(10.0, 5.0, 2.1), weights(5.0, 10.0, 2.1)) == ("holds", "not decided", "not decided")
print("motion-cuda's claims are judged by the paper's items")
