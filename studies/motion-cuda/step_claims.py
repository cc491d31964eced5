# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of the step search, residues and gains, tables III to V."""

from statistics import median

from cells import CODES, base, best, clip_names, gain, in_turns, loss, ms, pick, ratios, residue, slowdown, speedup, times, walls
from figures import number
from judging import (ONE_RECORDING, THEIR_VIDEOS, alike_sign, back, by_code, by_code_verdicts, decided_places, listed, most_of_clips, of_told, over, speedups, three, told)
from paper import FULL_RESIDUE, STEP
from verdicts import FAILS, HOLDS, NOT_HERE, OPEN, PART, Finding, compare, holds_if

def unless_near(found, result, cells, limit, said=""):
    """A finding about a speed-up and a limit, unless the runs' spread reaches over the limit: `cells` has the (clip, cell) of each way of
    compiling the program."""
    against = {how: base(result, clip, cell, how) for how, (clip, cell) in cells.items()}

    def sign(other, cell):
        return told(result, other, cell, limit) if in_turns(result) else compare(walls(other), [limit * wall for wall in walls(cell)])

    signs = {how: sign(other, cells[how][1]) for how, other in against.items() if other}
    if all(signs.values()):
        found.because = "; ".join(one for one in (found.because, said) if one)
        return found
    sides = [f"over {'plain code' if how == 'plain' else how} " + (f"it lies {'above' if s == -1 else 'below'} the limit" if s else "the runs' spread reaches to both sides of the limit")
             for how, s in signs.items()]
    return Finding(found.figures, OPEN, "; ".join(sides + [said] if said else sides))


# ---- tables III and IV

def never_ahead(result):
    """A single place where a rung is ahead refutes it."""
    if not three(result):
        return None
    clips = clip_names(result)
    rungs = [("step-3x3", 0), ("step-13x13", 0), ("step-z", 32), ("step-z", 256), ("step-7x7-z", 256), ("step-13x13-z", 256)]
    cells = [(clip, best(result, clip, rung, lanes)) for clip in clips for rung, lanes in rungs]
    if any(cell is None for _, cell in cells):
        return None

    def measure(how, shift=None):
        values = [speedup(result, clip, cell, how, shift) for clip, cell in cells]
        return None if None in values else [max(values)]

    def verdict(how, _):
        signs = [told(result, cell, base(result, clip, cell, how)) for clip, cell in cells]
        return FAILS if 1 in signs else OPEN if None in signs else HOLDS

    found = by_code_verdicts(result, measure, verdict, drifts=False)
    if found:
        found.figures = f"the highest of six rungs and three videos: {found.figures}"
        if found.verdict == OPEN:
            found.because += "; " + ", ".join(f"over {'plain code' if how == 'plain' else how} it is {verdict(how, None)}".replace("is holds", "holds").replace("is does", "does")
                                              for how in CODES if base(result, *cells[0], how))
    return found


def three_by_three(result):
    cells = {clip: best(result, clip, "step-3x3") for clip in clip_names(result)}
    if None in cells.values():
        return None

    def measure(how, shift=None):
        values = [slowdown(result, clip, cell, how, shift) for clip, cell in cells.items()]
        return None if None in values else values

    found = by_code(result, measure, lambda times: min(times) >= 2)
    if found:
        found.because = found.because or "the limit is twice as long"
    return found


def short(rung, lanes):
    """A rung's name in a cell."""
    return rung.replace("step-z", "step-3x3-z").removeprefix("step-").replace("-z", " + Z") + (f", {lanes} threads" if lanes else "")


def faster(before, after, lanes_before=0, lanes_after=(0,), only=None):
    """Each clip: the second rung takes less than the first, whichever number of threads for a SAD the paper means."""

    def check(result):
        clips = clip_names(result) if only is None else [clip_names(result)[i] for i in only if i < len(clip_names(result))]
        parts, signs = [], {lanes: [] for lanes in lanes_after}
        for clip in clips:
            a, others = best(result, clip, before, lanes_before), [best(result, clip, after, lanes) for lanes in lanes_after]
            if a is None or None in others:
                return None
            parts.append(f"{clip}: {short(before, lanes_before)} {number(ms(a))} ms, " + ", ".join(f"{short(after, lanes)} {number(ms(b))} ms ({over(result, a, b)})" for lanes, b in zip(lanes_after, others)))
            for lanes, b in zip(lanes_after, others):
                signs[lanes].append(told(result, a, b))
        if not parts:
            return None
        return by_lanes(result, signs, "; ".join(parts))

    return check


def by_lanes(result, signs, text, always=False):
    """of_told() of the signs for each number of threads for a SAD: the paper does not say which it had. Decided where they agree, or where
    all places together are against it."""
    found = {lanes: of_told(result, line, text, always=always) for lanes, line in signs.items()}
    pooled = of_told(result, sum(signs.values(), []), text, always=always)
    if len({one.verdict for one in found.values()}) == 1 or pooled.verdict == FAILS and not any(-1 in line for line in signs.values()):
        return pooled
    said = [f"with {lanes} {one.verdict}" + (f", {one.because}" if one.verdict == OPEN else "") for lanes, one in found.items()]
    return Finding(text, OPEN, "the paper does not say how many threads a SAD had: " + "; ".join(said))


def alike(first, second, lanes, within=0.1):
    """The times of two rungs lie within a tenth of each other, on each clip."""

    def check(result):
        parts, signs = [], {}
        for clip in clip_names(result):
            cells = [best(result, clip, rung, lanes) for rung in (first, second)]
            if None in cells:
                return None
            signs[clip] = alike_sign(result, *cells, within)
            both = ", ".join(f"{short(rung, lanes)} {number(ms(cell))} ms" for rung, cell in zip((first, second), cells))
            parts.append(f"{clip}: {both} ({over(result, *cells)})")
        return decided_places(result, signs, within, "; ".join(parts))

    return check


def closer(before, after, lanes):
    """What the second rung's residue has above the full search's is less than the first's, on each clip by the least that the paper has
    for its own and calls significant."""
    own = {title: residues for title, *_, residues, _ in STEP}
    part = max((b - full) / (a - full) for a, b, full in zip(own["7x7 + Z, 256"], own["13x13 + Z, 256"], FULL_RESIDUE["z"]))

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
            near.append(b - full <= part * (a - full))
            parts.append(f"{b - full:,} instead of {a - full:,}, {100 * (b - a) / (a - full):+.0f} % ({clip})")
        return Finding("above the full search's: " + ", ".join(parts), HOLDS if all(near) else PART if any(near) else FAILS,
                       f"the paper's own least, {100 * (1 - part):.0f} % closer, is reached on {sum(near)} of {len(near)}; {ONE_RECORDING}")

    return check


def most_on_first(before, after, lanes_after):
    """What the second rung gains over the first is more on the first clip than on each of the others, in each number of threads."""

    def check(result):
        clips = clip_names(result)
        parts, signs = [], {}
        for lanes in lanes_after:
            pairs = [(best(result, clip, before), best(result, clip, after, lanes)) for clip in clips]
            if len(clips) < 2 or any(None in pair for pair in pairs):
                return None
            parts.append(f"{lanes} threads " + ", ".join(f"{number(times(result, a, b), 4)}x ({clip})" for clip, (a, b) in zip(clips, pairs)))
            signs[lanes] = most_of_clips(result, pairs)
        return by_lanes(result, signs, "; ".join(parts), always=True)

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
    return None if None in values else Finding(listed(values, 4), NOT_HERE, f"{THEIR_VIDEOS}; {ONE_RECORDING}")


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
    higher = [f"{grid} above the CPU's on {clip}" for grid, line in values.items() for clip, v in zip(clips, line) if v >= 1]
    return Finding(f"losses, {text}", PART if 0 < len(higher) < 2 * len(clips) else FAILS if higher else HOLDS, "; ".join(higher + [ONE_RECORDING]))


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
    return None if None in values else holds_if(all(abs(v - 1) < 1e-3 for v in values), listed(values, 7), *["the limit is a thousandth"] * 2)


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
    return holds_if(all(abs(v - 1) < 1e-3 for v in values), listed(values, 7), *["the limit is a thousandth"] * 2)


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
        return unless_near(found, result, {how: (clip, cell) for how in CODES}, limit * loss(result, clip, cell)) if found else None

    return check


def below_one(rung, lanes):
    """The gain on each clip lies below 1: a single one above refutes it."""

    def check(result):
        if not three(result):
            return None
        cells = {clip: best(result, clip, rung, lanes) for clip in clip_names(result)}
        if None in cells.values():
            return None

        def verdict(how, _):
            signs = [told(result, base(result, clip, cell, how), cell, loss(result, clip, cell)) for clip, cell in cells.items()]
            return of_told(result, [back(s) for s in signs], "", always=True).verdict

        return by_code_verdicts(result, speedups(rung, lanes, of=gain)(result), verdict, drifts=False)

    return check


def best_gain(result):
    """The highest gain of the clips, against the paper's highest."""
    if not three(result):
        return None
    every = speedups("step-13x13-z", 256, of=gain)(result)

    def measure(how, shift=None):
        values = every(how, shift)
        return None if None in values else [max(values)]

    found = by_code(result, measure, lambda top: top[0] >= 0.851)
    if found:
        found.figures = f"the highest of three videos: {found.figures}"
        found.because = "; ".join(one for one in (found.because, "close is here what the paper has, 0.851") if one)
    return found


def second_is_highest(result):
    if not three(result):
        return None
    found = by_code_verdicts(result, speedups("step-13x13-z", 256, of=gain)(result), lambda how, _: NOT_HERE, drifts=False)
    return Finding(found.figures, NOT_HERE, f"{THEIR_VIDEOS}; {ONE_RECORDING}") if found else None


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
    """Not ahead of the scalar program on any clip."""
    cells = [(clip, best(result, clip, "tz-z", 256), best(result, clip, "z", 32)) for clip in clip_names(result)]
    if any(None in one for one in cells):
        return None

    def measure(how, shift=None):
        values = [speedup(result, clip, zones, how, shift) for clip, zones, _ in cells]
        return None if None in values else values

    found = by_code(result, measure, lambda s: max(s) <= 1)
    if found:
        full = {how: [speedup(result, clip, z, how) for clip, _, z in cells] for how in CODES}
        found.figures += "; full search: " + "; ".join(f"over {'plain code' if how == 'plain' else how} {listed(values)}" for how, values in full.items() if None not in values)
        behind = found.verdict == HOLDS and all(v is not None and v <= 1 for values in full.values() for v in values)
        found.because = "; ".join(one for one in (found.because, "low is a speed-up of at most 1", "the full search is not ahead here either" if behind else "") if one)
    return found
