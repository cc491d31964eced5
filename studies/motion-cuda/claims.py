# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper, with a verdict that follows from the figures of each run."""

from cells import (CODES, base, best, clip_names, code, gain, is_whole, kernels, loss, ms, pick, residue, shape_cells, speedup, stream_cells, walls)
from figures import number
from verdicts import EQUAL, FAILS, HOLDS, NOT_YET, OPEN, Finding, claims_table, compare, holds_if, of_signs

UNSAID = "the paper does not say how its CPU program was compiled, and the two ways of ours give different answers"


FEW = 8  # blocks of a frame that the device must have searched for a verdict


def on_device(cell):
    """Blocks of a frame that the device searched."""
    counts = cell["counts"]
    left = counts["blocks"] - counts.get("on_host", 0)
    return left if is_whole(cell) else round(counts["searched"] * left / counts["blocks"])


def listed(values, digits=3):
    return ", ".join(number(v, digits) for v in values)


def by_code(measure, test):
    """A finding about speed-ups over the scalar program, compiled plainly and with vectors: `measure(code)` is a list of figures
    with None where there are none, `test(list)` says whether the claim holds for them."""
    figures = {how: measure(how) for how in CODES}
    have = {how: values for how, values in figures.items() if values and None not in values}
    if not have:
        return None
    text = "; ".join(f"over {'plain code' if how == 'plain' else 'vectors'} {listed(values)}" for how, values in have.items())
    if len(have) == 1:
        only = next(iter(have))
        return Finding(text, OPEN, f"the scalar program {'with vectors' if only == 'plain' else 'without vectors'} is {NOT_YET.replace('measured', 'timed')} beside it")
    answers = {how: test(values) for how, values in have.items()}
    if len(set(answers.values())) == 2:
        return Finding(text, OPEN, UNSAID)
    return Finding(text, HOLDS if answers["plain"] else FAILS)


def speedups(rung, lanes=0, which=slice(None), of=speedup):
    """For by_code: the speed-ups (or gains) of a rung on the clips."""

    def measure_of(result):
        return lambda how: [of(result, clip, best(result, clip, rung, lanes), how) for clip in clip_names(result)[which]]

    return measure_of


def three(result):
    """The paper's three sizes are there."""
    return len(clip_names(result)) == 3


# ---- table I

def sad_is_slow(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    if cell is None or base(result, clip, cell, "plain") is None:
        return None
    slower = {how: 1 / speedup(result, clip, cell, how) for how in CODES if base(result, clip, cell, how)}
    per_launch = 1000 * ms(cell) / cell["launches"]
    text = "; ".join(f"{number(v)} times the {how} program's time" for how, v in slower.items())
    text += f"; {cell['launches']:,} launches of {number(per_launch)} us a frame" + ("" if is_whole(cell) else f", from {cell['counts']['searched']} of {cell['counts']['blocks']} blocks")
    if cell["counts"]["searched"] < FEW:
        return Finding(text, NOT_YET, "one block was timed, not a frame")
    if len(slower) < 2:
        return Finding(text, OPEN, "the program with vectors is not timed beside it")
    within = [v >= 50 for v in slower.values()]
    return Finding(text, HOLDS if all(within) else FAILS if not any(within) else OPEN, "" if len(set(within)) == 1 else UNSAID)


def launches_weigh(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    if cell is None or not cell["median"]["kernel_ms"]:
        return None
    kernel = cell["median"]["kernel_ms"]
    return holds_if(kernel < ms(cell) / 2, f"kernels {number(kernel)} of {number(ms(cell))} ms a frame", "most of the time is not the kernels'",
                    "the kernels themselves take most of it")


def step_of_ladder(before, after):
    def check(result):
        clip = clip_names(result)[0]
        a, b = best(result, clip, before), best(result, clip, after)
        if a is None or b is None:
            return None
        text = f"{number(ms(a) / ms(b), 4)}x ({number(ms(a))} to {number(ms(b))} ms)"
        if min(on_device(a), on_device(b)) < FEW:
            return Finding(text, NOT_YET, "from one block, not a frame")
        return of_signs([compare(walls(a), walls(b))], text)

    return check


def borders_on_cpu(result):
    found = step_of_ladder("sad-swap", "borders")(result)
    if found:
        counts = best(result, clip_names(result)[0], "borders")["counts"]
        found.because = f"the device is left {counts['blocks'] - counts['on_host']} of {counts['blocks']} blocks"
    return found


def condition_costs(result):
    clip = clip_names(result)[0]
    a, b = best(result, clip, "sad-swap"), best(result, clip, "borders")
    if not a or not b or not a["median"]["kernel_ms"] or not b["launches"]:
        return None
    us = [1000 * c["median"]["kernel_ms"] / c["launches"] for c in (a, b)]
    text = f"a launch's kernels take {number(us[0])} us with it, {number(us[1])} us without"
    if abs(us[0] - us[1]) <= 0.05 * max(us):
        return Finding(text, EQUAL)
    return holds_if(us[1] < us[0], text)


def almost_on_video_1(result):
    first, last = clip_names(result)[0], clip_names(result)[-1]
    if not three(result):
        return None

    def measure(how):
        return [speedup(result, clip, pick(result, clip, "search", how=how) or pick(result, clip, "search"), how) for clip in (first, last)]

    return by_code(measure, lambda s: s[0] < 1 < s[1])


def search_beats_sads(result):
    clip = clip_names(result)[0]
    cells = best(result, clip, "borders"), best(result, clip, "search")
    if None in cells:
        return None
    if code(cells[0]) != code(cells[1]):
        return None
    text = f"{number(ms(cells[0]) / ms(cells[1]), 4)}x; {cells[1]['launches']:,} launches a frame instead of {cells[0]['launches']:,}"
    return of_signs([compare(walls(cells[0]), walls(cells[1]))], text)


# ---- table II

def streams_below_one(result):
    if not three(result):
        return None
    parts, ok = [], []
    for clip in clip_names(result)[1:]:
        one = best(result, clip, "search")
        streams = [best(result, clip, rung) for rung in ("streams-portions", "streams-reduced")]
        if one is None or None in streams:
            return None
        parts.append(f"{clip}: {number(ms(one))} ms without, {number(ms(streams[0]))} and {number(ms(streams[1]))} ms with")
        ok += [compare(walls(s), walls(one)) for s in streams]
    return of_signs(ok, "; ".join(parts))


def more_streams(result):
    clip = clip_names(result)[-1]
    cells = stream_cells(result, clip, "streams-portions")
    if len(cells) < 4:
        return None
    text = f"{clip}: " + ", ".join(f"{c['streams']}: {number(ms(c))} ms" for c in cells)
    top = min(cells, key=ms)
    equal = [c["streams"] for c in cells if compare(walls(top), walls(c)) == 0]
    if len(equal) == len(cells):
        return Finding(text, EQUAL)
    return holds_if(set(equal) <= {2, 4}, text, because_not=f"of {', '.join(map(str, equal))} none is better" if len(equal) > 1 else f"{equal[0]} is the best")


def second_form_worse(result):
    clip = clip_names(result)[-1]
    cells = [best(result, clip, rung) for rung in ("streams-portions", "streams-reduced")]
    if None in cells:
        return None
    sign = compare(walls(cells[0]), walls(cells[1]))
    text = f"{clip}: {number(ms(cells[0]))} ms in portions, {number(ms(cells[1]))} ms reduced on the GPU"
    return Finding(text, EQUAL) if sign == 0 else holds_if(sign > 0, text)


def scanning_is_small(result):
    clip = clip_names(result)[-1]
    cell = best(result, clip, "all-on-device")
    if cell is None:
        return None
    scan = cell["counts"]["cpu_ms"] - cell["counts"]["reconstruct_ms"]
    return holds_if(scan < ms(cell) / 4, f"{clip}: {number(scan)} of {number(ms(cell))} ms (all on the device)", because_not="the CPU's part is a large one once nothing else is left to it")


def all_on_device(result):
    clip = clip_names(result)[-1]
    a, b = pick(result, clip, "search"), best(result, clip, "all-on-device")
    if not three(result) or a is None or b is None:
        return None
    plain = pick(result, clip, "search", how="plain")
    text = f"{clip}: {number(ms(a) / ms(b), 4)}x (border blocks in {'plain code' if code(a) == 'plain' else 'vectors'})"
    if plain is not None and plain is not a:
        text += f", {number(ms(plain) / ms(b), 4)}x (plain code)"
    return holds_if(ms(a) / ms(b) > 2, text)


def pinned(result):
    parts, signs = [], []
    for clip in clip_names(result):
        a, b = best(result, clip, "all-on-device"), best(result, clip, "pinned")
        if a is None or b is None or not b["pinned"]:
            return None
        parts.append(f"{number(ms(a) / ms(b), 4)}x ({clip})")
        signs.append(compare(walls(a), walls(b)))
    text = ", ".join(parts)
    return of_signs(signs, text)


def pinned_small(result):
    first, last = clip_names(result)[0], clip_names(result)[-1]
    ratios = []
    for clip in (first, last):
        a, b = best(result, clip, "all-on-device"), best(result, clip, "pinned")
        if a is None or b is None or not b["pinned"]:
            return None
        ratios.append(ms(a) / ms(b))
    if first == last:
        return None
    text = f"{number(ratios[0], 4)}x and {number(ratios[1], 4)}x"
    return Finding(text, EQUAL) if abs(ratios[0] - ratios[1]) < 0.05 else holds_if(ratios[0] > ratios[1], text)


def group_shape(result):
    parts, ok = [], []
    for clip in clip_names(result):
        cells = [c for c in shape_cells(result, clip) if c["median"]["kernel_ms"]]
        if len(cells) < 4:
            return None
        top = min(cells, key=lambda c: c["median"]["kernel_ms"])
        first = pick(result, clip, "all-on-device", group="128x1")
        parts.append(f"{clip}: 128x1 {number(first['median']['kernel_ms'])} ms, best {top['group']} {number(top['median']['kernel_ms'])} ms")
        ok.append(top["group"].endswith("x1") or compare(kernels(top), kernels(first)) == 0)
    return holds_if(all(ok), "; ".join(parts))


def threads_in_z(result):
    clip = clip_names(result)[-1]
    b = best(result, clip, "z", 32)
    a = best(result, clip, "pinned") or best(result, clip, "all-on-device")
    if a is None or b is None:
        return None
    return of_signs([compare(walls(a), walls(b))], f"{number(ms(a) / ms(b), 4)}x ({clip}, over the rung {a['rung']})")


# ---- tables III and IV

def never_ahead(result):
    clips = clip_names(result)
    rungs = [("step-3x3", 0), ("step-13x13", 0), ("step-z", 256), ("step-7x7-z", 256), ("step-13x13-z", 256)]
    if any(best(result, clip, rung, lanes) is None for clip in clips for rung, lanes in rungs):
        return None

    def measure(how):
        values = [speedup(result, clip, best(result, clip, rung, lanes), how) for clip in clips for rung, lanes in rungs]
        return None if None in values else [max(values)]

    return by_code(measure, lambda top: top[0] <= 1)


def three_by_three(result):
    clip = clip_names(result)[-1]
    cell = best(result, clip, "step-3x3")
    if cell is None:
        return None

    def measure(how):
        value = speedup(result, clip, cell, how)
        return [1 / value] if value else None

    return by_code(measure, lambda times: times[0] >= 2)


def faster(before, after, lanes_before=0, lanes_after=0, only=None):
    """Each clip: the second rung takes less than the first."""

    def check(result):
        clips = clip_names(result) if only is None else [clip_names(result)[i] for i in only if i < len(clip_names(result))]
        parts, signs = [], []
        for clip in clips:
            a, b = best(result, clip, before, lanes_before), best(result, clip, after, lanes_after)
            if a is None or b is None:
                return None
            parts.append(f"{number(ms(a))} to {number(ms(b))} ms ({clip})")
            signs.append(compare(walls(a), walls(b)))
        text = "; ".join(parts)
        if not signs:
            return None
        return of_signs(signs, text)

    return check


def most_on_first(before, after, lanes):
    """What the second rung gains over the first is more on the first clip than on the last."""

    def check(result):
        clips = clip_names(result)
        ratios = []
        for clip in (clips[0], clips[-1]):
            a, b = best(result, clip, before), best(result, clip, after, lanes)
            if a is None or b is None:
                return None
            ratios.append(ms(a) / ms(b))
        if len(clips) < 2:
            return None
        text = f"{number(ratios[0], 4)}x ({clips[0]}), {number(ratios[1], 4)}x ({clips[-1]})"
        return Finding(text, EQUAL) if abs(ratios[0] / ratios[1] - 1) < 0.05 else holds_if(ratios[0] > ratios[1], text)

    return check


def intensity(result):
    """How much of the time the device computes."""
    clip = clip_names(result)[-1]
    step, full = best(result, clip, "step-13x13-z", 256), best(result, clip, "z", 32)
    if step is None or full is None or not step["median"]["kernel_ms"] or not full["median"]["kernel_ms"]:
        return None
    shares = [c["median"]["kernel_ms"] / ms(c) for c in (step, full)]
    return holds_if(shares[0] < 0.9 * shares[1], f"{clip}: kernels are {100 * shares[0]:.0f} % of the step search's time, {100 * shares[1]:.0f} % of the full search's")


def lowest_on_second(result):
    if not three(result):
        return None
    values = [loss(result, clip, best(result, clip, "step-13x13-z", 256)) for clip in clip_names(result)]
    return None if None in values else holds_if(values[1] == min(values), listed(values, 4))


def residues_fall(result):
    clips = clip_names(result)
    grids = [("7x7", "step-7x7-z"), ("13x13", "step-13x13-z")]
    if any(best(result, clip, rung, 256) is None for clip in clips for _, rung in grids):
        return None
    values = {grid: [loss(result, clip, best(result, clip, rung, 256)) for clip in clips] for grid, rung in grids}
    if any(v is None for line in values.values() for v in line):
        return None
    text = "; ".join(f"{grid}: {listed(line, 4)}" for grid, line in values.items())
    return holds_if(all(v < 1 for v in values["7x7"]) and all(b < a for a, b in zip(values["7x7"], values["13x13"])), text,
                    because_not="a grid's later rounds start elsewhere than 3x3's, which may end in a worse place")


def above_full(result):
    parts, ok = [], []
    for clip in clip_names(result):
        step, full = best(result, clip, "step-13x13-z", 256), best(result, clip, "z", 32)
        if step is None or full is None:
            return None
        parts.append(f"{number(residue(step) / residue(full), 4)} times ({clip})")
        ok.append(residue(step) > residue(full))
    return holds_if(all(ok), ", ".join(parts))


def same_residue(result):
    pairs = [(best(result, clip, "step-3x3"), best(result, clip, "step-z", 32)) for clip in clip_names(result)]
    if any(None in pair for pair in pairs):
        return None
    return holds_if(all(residue(a) == residue(b) for a, b in pairs), "equal" if all(residue(a) == residue(b) for a, b in pairs) else "they differ")


# ---- table V

def loss_is_one(result):
    cells = [best(result, clip, "z", 32) for clip in clip_names(result)]
    values = [loss(result, clip, cell) for clip, cell in zip(clip_names(result), cells) if cell]
    if not values or None in values:
        return None
    return holds_if(all(abs(v - 1) < 1e-3 for v in values), listed(values, 7))


def gain_grows(rung, lanes):
    def check(result):
        if not three(result):
            return None
        return by_code(lambda how: speedups(rung, lanes, of=gain)(result)(how), lambda g: all(b > 1.02 * a for a, b in zip(g, g[1:])))

    return check


def grows_speedup(result):
    if not three(result):
        return None
    return by_code(lambda how: speedups("step-13x13-z", 256)(result)(how), lambda s: all(b > 1.02 * a for a, b in zip(s, s[1:])))


def last_gain(rung, lanes, test):
    def check(result):
        if not three(result):
            return None
        return by_code(lambda how: speedups(rung, lanes, slice(-1, None), gain)(result)(how), test)

    return check


def second_is_highest(result):
    if not three(result):
        return None
    return by_code(lambda how: speedups("step-13x13-z", 256, of=gain)(result)(how), lambda g: g[1] == max(g))


def full_against_step(result):
    clips = clip_names(result)
    parts, values = [], {}
    for how in CODES:
        pairs = [(pick(result, clip, "scalar", "host", how=how), pick(result, clip, "step-scalar", "host", how=how)) for clip in clips]
        if any(None in pair for pair in pairs):
            continue
        values[how] = [ms(a) / ms(b) for a, b in pairs]
        parts.append(f"{'plain code' if how == 'plain' else 'vectors'}: {listed(values[how])}")
    if not values:
        return None
    return Finding("; ".join(parts), OPEN, "the paper says nothing of compiler, options or what its seconds hold besides the search")


def zones_potential(result):
    clip = clip_names(result)[-1]
    zones, full = best(result, clip, "tz-z", 256), best(result, clip, "z", 32)
    if zones is None or full is None:
        return None

    def measure(how):
        values = [speedup(result, clip, zones, how), speedup(result, clip, full, how)]
        return None if None in values else values

    found = by_code(measure, lambda s: s[0] <= 1)
    if found:
        found.figures = f"{clip}: test zones, then full search: " + found.figures
        if found.verdict == HOLDS:
            found.because = f"{zones['launches'] / zones['counts']['blocks']:.1f} launches for a block, one after the other"
    return found


FIXED = [
    ("III-A", "Less memory overhead \"speeds up our execution time by 10 seconds\"", Finding("97.644 - 82.564 = 15.08 s", FAILS, "a slip: its table I gives 15")),
    ("Table I", "Relative speed-ups 1.19, 4.33, 8.62; speed-up 0.448", Finding("97.644 / 82.564 = 1.183, 82.564 / 18.894 = 4.370, 18.894 / 2.163 = 8.735; 0.983 / 2.163 = 0.4545", FAILS,
     "quotients of speed-ups that were rounded first; the last is a misprint or another run's time")),
    ("Table IV", "Residues in seconds", Finding("sums of absolute differences", FAILS, "a misprint in its head")),
    ("II-B", "13x13 does three rounds in one", Finding("from spacings 4, 2, 1 three rounds reach 7 away: 15x15", FAILS, "the outermost ring is left out; the rung `step-15x15-z` has it")),
    ("III-A", "Without the CPU some border candidates are discarded, with small errors", Finding("CPU and GPU test one inequality: all vectors are equal but for ties", FAILS,
     "residues differ by the order in which equal SADs are met")),
]

MEASURED = [
    ("III-A, table I", "One SAD to a launch is 99 times slower than the CPU (97.6 s against 0.983 s)", sad_is_slow),
    ("III-A", "... because of the launches' cost, not the arithmetic", launches_weigh),
    ("III-A, table I", "Fewer transfers help (1.19x)", step_of_ladder("sad", "sad-swap")),
    ("III-A, table I", "Border blocks on the CPU help (4.33x)", borders_on_cpu),
    ("II-A", "The kernel's condition costs time", condition_costs),
    ("III-A, table I", "The whole search in a kernel is faster still (8.62x)", search_beats_sads),
    ("III-A, tables I, II", "... still behind the CPU on video 1 (0.448x), ahead on video 3 (3.54x)", almost_on_video_1),
    ("III-A, table II", "With streams the larger videos take longer than without", streams_below_one),
    ("III-A", "2 and 4 streams are the best", more_streams),
    ("III-A", "The CPU's scan of the results is far from being the bottleneck", scanning_is_small),
    ("III-A", "Streams that reduce on the GPU are worse than portions to the CPU", second_form_worse),
    ("III-A, table II", "All on the GPU more than doubles the speed-up (3.54x to 8.09x)", all_on_device),
    ("III-A, table II", "Pinned memory helps (1.06x on video 3)", pinned),
    ("III-B", "... more on small videos (5.10x on video 1)", pinned_small),
    ("III-A", "Blocks of many threads in x alone are the most effective shape", group_shape),
    ("III-A, table II", "32 work-items for a SAD help (1.24x)", threads_in_z),
    ("III-B, table III", "3x3 in one block is far slower than the CPU (2.8 times on video 3)", three_by_three),
    ("III-B, table III", "13x13 in one block is faster than 3x3", faster("step-3x3", "step-13x13")),
    ("III-B, table III", "Threads in Z are faster (1.73x on video 3)", faster("step-3x3", "step-z", 0, 256)),
    ("III-B", "... most on video 1 (19x)", most_on_first("step-3x3", "step-z", 256)),
    ("III-B, table III", "7x7 + Z is faster than 13x13 + Z on videos 2 and 3", faster("step-13x13-z", "step-7x7-z", 256, 256, (1, 2))),
    ("III-B", "The step search never gets ahead of the CPU", never_ahead),
    ("III-B, table IV", "Larger grids lower the residue", residues_fall),
    ("III-B", "... but it stays above the full search's", above_full),
    ("III-B, table IV", "Threads in Z leave the residue as it is", same_residue),
    ("III-C, table V", "Full search: the prediction loss is about 1", loss_is_one),
    ("III-C, table V", "Full search: the gain grows with the video: 4.02, 7.88, 10.66", gain_grows("z", 32)),
    ("Abstract, IV", "Full search: a normalised gain above 10 on video 3", last_gain("z", 32, lambda g: g[0] > 10)),
    ("III-C, table V", "Step search, 13x13 + Z: the prediction gain is highest on video 2 (loss 0.871, 0.844, 0.984)", lowest_on_second),
    ("III-C, table V", "... the speed-up grows with the video (0.630, 0.718, 0.805)", grows_speedup),
    ("III-C, table V", "Step search, 13x13 + Z: the gain is highest on video 2 (0.724, 0.851, 0.818)", second_is_highest),
    ("Abstract, IV", "Step search: the gain stays below 1", last_gain("step-13x13-z", 256, lambda g: g[0] < 1)),
    ("III-C", "For a very large video the step search might match the CPU", last_gain("step-13x13-z", 256, lambda g: g[0] >= 1)),
    ("IV", "The step search gains nothing because of its lower arithmetic intensity", intensity),
    ("IV", "Test zones have low potential for acceleration", zones_potential),
    ("Table V", "Its CPU takes 21, 26, 28 times as long for the full search as for the step search (implied)", full_against_step),
]


def claims(results):
    return claims_table(MEASURED + FIXED, results)
