# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of the step search, residues and gains, tables III to V."""

from statistics import median

from cells import CODES, at_speed_of, base, best, clip_names, gain, in_turns, loss, ms, pick, ratios, residue, slowdown, speedup, times, walls
from figures import number
from judging import by_code, by_code_verdicts, drifted, growth, listed, of_told, shifts, side, spread_of, speedups, three, told
from verdicts import EQUAL, FAILS, HOLDS, OPEN, PART, Finding, compare, holds_if

def unless_near(found, result, clip, cell, limit):
    """A finding about a speed-up and a limit, unless the runs' spread reaches over the limit."""
    against = {how: base(result, clip, cell, how) for how in CODES}

    def alike(other):
        return not told(result, other, cell, limit) if in_turns(result) else compare(walls(other), [limit * wall for wall in walls(cell)]) == 0

    near = [how for how, other in against.items() if other and alike(other)]
    if not near:
        return found
    return Finding(found.figures, OPEN, f"over {' and '.join('plain code' if how == 'plain' else how for how in near)} the runs' spread reaches to both sides of the limit")


# ---- tables III and IV

def never_ahead(result):
    if not three(result):
        return None
    clips = clip_names(result)
    rungs = [("step-3x3", 0), ("step-13x13", 0), ("step-z", 32), ("step-z", 256), ("step-7x7-z", 256), ("step-13x13-z", 256)]
    if any(best(result, clip, rung, lanes) is None for clip in clips for rung, lanes in rungs):
        return None

    def measure(how, shift=None):
        values = [speedup(result, clip, best(result, clip, rung, lanes), how, shift) for clip in clips for rung, lanes in rungs]
        return None if None in values else [max(values)]

    clip, cell = max(((clip, best(result, clip, rung, lanes)) for clip in clips for rung, lanes in rungs), key=lambda one: speedup(result, *one, "plain") or 0)
    found = by_code(result, measure, lambda top: top[0] <= 1)
    if found:
        found.figures = f"the highest of six rungs and three videos: {found.figures}"
    return unless_near(found, result, clip, cell, 1) if found else None


def three_by_three(result):
    clip = clip_names(result)[-1]
    cell = best(result, clip, "step-3x3")
    if cell is None:
        return None

    def measure(how, shift=None):
        value = slowdown(result, clip, cell, how, shift)
        return [value] if value else None

    found = by_code(result, measure, lambda times: times[0] >= 2)
    if found:
        found.figures = f"{clip}: {found.figures}"
        found.because = found.because or "the limit is twice as long"
    return found


def short(rung, lanes):
    """A rung's name in a cell."""
    return rung.replace("step-z", "step-3x3-z").removeprefix("step-").replace("-z", " + Z") + (f", {lanes} threads" if lanes else "")


def faster(before, after, lanes_before=0, lanes_after=(0,), only=None):
    """Each clip: the second rung takes less than the first, in each number of threads for a SAD that the paper may mean."""

    def check(result):
        clips = clip_names(result) if only is None else [clip_names(result)[i] for i in only if i < len(clip_names(result))]
        parts, signs = [], []
        for clip in clips:
            a, others = best(result, clip, before, lanes_before), [best(result, clip, after, lanes) for lanes in lanes_after]
            if a is None or None in others:
                return None
            parts.append(f"{clip}: {short(before, lanes_before)} {number(ms(a))} ms, " + ", ".join(f"{short(after, lanes)} {number(ms(b))} ms" for lanes, b in zip(lanes_after, others)))
            signs += [told(result, a, b) for b in others]
        return of_told(result, signs, "; ".join(parts)) if signs else None

    return check


def alike(first, second, lanes, within=0.1):
    """The times of two rungs lie within a tenth of each other, on each clip."""

    def check(result):
        parts, signs = [], {}
        for clip in clip_names(result):
            cells = [best(result, clip, rung, lanes) for rung in (first, second)]
            if None in cells:
                return None
            less, more = sorted(cells, key=ms)
            signs[clip] = told(result, more, less, 1 + within)
            both = ", ".join(f"{short(rung, lanes)} {number(ms(cell))} ms" for rung, cell in zip((first, second), cells))
            parts.append(f"{clip}: {both}, {100 * (times(result, more, less) - 1):.1f} % apart within a round")
        near, far, unsure, drifting = ([clip for clip, s in signs.items() if s == sign] for sign in (1, -1, 0, None))
        reasons = [f"more than {100 * within:.0f} % apart on {', '.join(far)}"] if far else []
        reasons += [f"the runs' spread reaches to both sides of {100 * within:.0f} % on {', '.join(unsure)}"] if unsure else []
        reasons += [f"{drifted(result)} on {', '.join(drifting)}"] if drifting else []
        return Finding("; ".join(parts), PART if far and near else FAILS if far else OPEN if unsure or drifting else HOLDS, "; ".join(reasons))

    return check


def closer(before, after, lanes):
    """What the second rung's residue has above the full search's is less than the first's by more than a tenth, on each clip."""

    def check(result):
        if not three(result):
            return None
        parts, near = [], []
        for clip in clip_names(result):
            cells = [best(result, clip, rung, lanes) for rung in (before, after)] + [best(result, clip, "z", 32)]
            if None in cells:
                return None
            a, b, full = map(residue, cells)
            if a <= full:
                return None
            near.append(b - full < 0.9 * (a - full))
            parts.append(f"{b - full:,} instead of {a - full:,} ({clip})")
        return Finding("above the full search's: " + ", ".join(parts), HOLDS if all(near) else PART if any(near) else FAILS,
                       "" if all(near) else f"closer by a tenth on {sum(near)} of {len(near)}")

    return check


def most_on_first(before, after, lanes_after):
    """What the second rung gains over the first is more on the first clip than on the last, in each number of threads."""

    def check(result):
        clips = clip_names(result)
        parts, verdicts = [], []
        for lanes in lanes_after:
            cells = [(best(result, clip, before), best(result, clip, after, lanes)) for clip in (clips[0], clips[-1])]
            if len(clips) < 2 or any(None in pair for pair in cells):
                return None
            first, last = (times(result, a, b) for a, b in cells)
            if in_turns(result):
                sign = side([one / other for one, other in zip(*(ratios(result, a, b) for a, b in cells))])
                verdicts.append(OPEN if sign is None else EQUAL if sign == 0 else HOLDS if sign > 0 else FAILS)
            else:
                noise = max(0.02, sum(spread_of(cell) for pair in cells for cell in pair) / 2)
                likely = [[median(at_speed_of(result, a, b, shift)) / ms(b) for shift in shifts(result)] for a, b in cells]
                turned = any((one > other) != (first > last) for one in likely[0] for other in likely[1])
                verdicts.append(EQUAL if abs(first / last - 1) <= noise else OPEN if turned else HOLDS if first > last else FAILS)
            parts.append(f"{lanes} threads {number(first, 4)}x ({clips[0]}), {number(last, 4)}x ({clips[-1]})")
        if OPEN in verdicts:
            return Finding("; ".join(parts), OPEN, drifted(result))
        alike = len(set(verdicts)) == 1
        return Finding("; ".join(parts), verdicts[0] if alike else OPEN, "" if alike else "the paper does not say how many threads a SAD had, and these give different answers")

    return check


def intensity(result):
    """How much of the time the device computes."""
    clip = clip_names(result)[-1]
    step, full = best(result, clip, "step-13x13-z", 256), best(result, clip, "z", 32)
    if step is None or full is None or not step["median"]["kernel_ms"] or not full["median"]["kernel_ms"]:
        return None
    parts = [f"{name} {number(ms(c))} ms, its kernels {number(c['median']['kernel_ms'])} ms" for c, name in ((step, "step search"), (full, "full search"))]
    return Finding(f"{clip}: {', '.join(parts)}", OPEN, "parts of the time are no arithmetic intensity, and no run varies it by itself")


def lowest_on_second(result):
    if not three(result):
        return None
    values = [loss(result, clip, best(result, clip, "step-13x13-z", 256)) for clip in clip_names(result)]
    return None if None in values else holds_if(values[1] == min(values), listed(values, 4))


def residues_fall(result):
    if not three(result):
        return None
    clips = clip_names(result)
    grids = [("7x7", "step-7x7-z"), ("13x13", "step-13x13-z")]
    if any(best(result, clip, rung, 256) is None for clip in clips for _, rung in grids):
        return None
    values = {grid: [loss(result, clip, best(result, clip, rung, 256)) for clip in clips] for grid, rung in grids}
    if any(v is None for line in values.values() for v in line):
        return None
    text = "; ".join(f"{grid}: {listed(line, 4)}" for grid, line in values.items())
    higher = [f"7x7 above 3x3 on {clip}" for clip, v in zip(clips, values["7x7"]) if v >= 1]
    higher += [f"13x13 above 7x7 on {clip}" for clip, a, b in zip(clips, values["7x7"], values["13x13"]) if b >= a]
    return Finding(text, PART if 0 < len(higher) < 2 * len(clips) else FAILS if higher else HOLDS, "; ".join(higher))


def above_full(result):
    if not three(result):
        return None
    parts, ok = [], []
    for clip in clip_names(result):
        step, full = best(result, clip, "step-13x13-z", 256), best(result, clip, "z", 32)
        if step is None or full is None:
            return None
        parts.append(f"{number(residue(step) / residue(full), 4)} times ({clip})")
        ok.append(residue(step) > residue(full))
    return holds_if(all(ok), ", ".join(parts))


def rounds_keep_residue(result):
    """All candidates of a round at once, scanned by columns: the residue is the CPU's but for ties."""
    values = [loss(result, clip, best(result, clip, "step-3x3")) for clip in clip_names(result)]
    return None if None in values else holds_if(all(abs(v - 1) < 1e-3 for v in values), listed(values, 7))


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


def last_gain(rung, lanes, limit, above):
    """The gain on the last clip lies above a limit, or below it, by more than the runs' spread."""

    def check(result):
        if not three(result):
            return None
        clip = clip_names(result)[-1]
        cell = best(result, clip, rung, lanes)
        found = by_code(result, speedups(rung, lanes, slice(-1, None), gain)(result), lambda g: g[0] > limit if above else g[0] < limit)
        if found:
            found.figures = f"{clip}, gain: {found.figures}"
        return unless_near(found, result, clip, cell, limit * loss(result, clip, cell)) if found else None

    return check


def best_gain(result):
    """The highest gain of the clips, against the paper's highest."""
    if not three(result):
        return None
    every = speedups("step-13x13-z", 256, of=gain)(result)

    def measure(how, shift=None):
        values = every(how, shift)
        return None if None in values else [max(values)]

    return by_code(result, measure, lambda top: top[0] >= 0.851)


def second_is_highest(result):
    if not three(result):
        return None
    measure = speedups("step-13x13-z", 256, of=gain)(result)

    def verdict(how, g):
        if in_turns(result):
            rise, fall = growth(result, "step-13x13-z", 256, how, gain)
            return HOLDS if (rise, fall) == (-1, 1) else FAILS if rise == 1 or fall == -1 else OPEN
        likely = [[measure(how, shift)[i] for shift in shifts(result)] + [g[i]] for i in range(3)]
        others = likely[0], likely[2]
        return HOLDS if min(likely[1]) > max(map(max, others)) else FAILS if max(likely[1]) < max(map(min, others)) else OPEN

    return by_code_verdicts(result, measure, verdict, drifts=False)


def full_against_step(result):
    clips = clip_names(result)
    parts, values = [], {}
    for how in CODES:
        pairs = [(pick(result, clip, "scalar", "host", how=how), pick(result, clip, "step-scalar", "host", how=how)) for clip in clips]
        if any(None in pair for pair in pairs):
            continue
        values[how] = [median(ratios(result, a, b)) if in_turns(result) else ms(a) / ms(b) for a, b in pairs]
        parts.append(f"{'plain code' if how == 'plain' else 'vectors'}: {listed(values[how])}")
    if not values:
        return None
    return Finding("; ".join(parts), OPEN, "the paper says nothing of compiler, options or what its seconds hold besides the search")


def zones_potential(result):
    clip = clip_names(result)[-1]
    zones, full = best(result, clip, "tz-z", 256), best(result, clip, "z", 32)
    if zones is None or full is None:
        return None

    def measure(how, shift=None):
        values = [speedup(result, clip, zones, how, shift), speedup(result, clip, full, how, shift)]
        return None if None in values else values

    found = by_code(result, measure, lambda s: s[0] <= 1)
    if found:
        found.figures = f"{clip}: test zones, then full search: " + found.figures
        if found.verdict == HOLDS:
            found.because = f"{zones['launches'] / zones['counts']['blocks']:.1f} launches for a block, one after the other"
    return found
