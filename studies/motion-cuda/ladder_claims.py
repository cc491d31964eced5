# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of the full search, tables I and II."""

from statistics import mean

from cells import (CODES, base, best, clip_names, code, frames_apart, host_doubt, is_whole, kernels, ms, pick, residue, shape_cells, slowdown, speedup, times, walls, with_plain_borders)
from figures import bound, number
from judging import FEW, UNSAID, by_code, by_code_verdicts, drifted, most_of_clips, of_told, searched_in_turns, shifts, three, told
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, OfProcessor, compare, holds_if, of_signs

ONE_BLOCK = "some blocks were timed, not a frame"

# ---- table I

def sad_is_slow(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    if cell is None or base(result, clip, cell, "plain") is None:
        return None
    slower = {how: slowdown(result, clip, cell, how) for how in CODES if base(result, clip, cell, how)}
    per_launch = 1000 * ms(cell) / cell["launches"]
    text = "; ".join(f"{number(v)} times the {how} program's time" for how, v in slower.items())
    text += f"; {cell['launches']:,} launches of {number(per_launch)} us a frame; {of_frames(cell)}"
    if searched_in_turns(result, cell) < FEW:
        return Finding(text, NOT_YET, ONE_BLOCK)
    if len(slower) < 2:
        return Finding(text, OPEN, "the program with vectors is not timed beside it")
    within = [v >= 50 for v in slower.values()]
    near = any((slowdown(result, clip, cell, how, shift) >= 50) != (v >= 50) for how, v in slower.items() for shift in shifts(result))
    reasons = ([UNSAID] if len(set(within)) == 2 else []) + ([drifted(result)] if near else [])
    return Finding(text, OPEN if reasons else HOLDS if all(within) else FAILS, "; ".join(reasons + ["the limit is 50 times, half of the paper's 99"]))


def of_frames(*cells):
    """What the figures of rungs with a launch for each candidate rest on."""
    few = [c for c in cells if len(c["runs"]) < 3]
    said = f"{'one frame' if len(few[0]['runs']) == 1 else 'two frames'}{' each' if len(cells) > 1 else ''}" if few else f"{min(len(c['runs']) for c in cells)} frames"
    parts = [f"{c['counts']['searched']} of {c['counts']['blocks']} blocks" for c in cells]
    return said + ("" if all(is_whole(c) for c in cells) else f", {' and '.join(dict.fromkeys(parts))} of {'it' if few else 'each, others in the next'}")


def by_device(cell):
    """A frame's mean of kernels by the device's clock, and what it is said to be: one block in older runs."""
    kernel, blocks = mean(kernels(cell)), cell["counts"].get("event_blocks", 1)
    return kernel, f"kernels {number(kernel)} (by the device's clock, from {blocks} block{'s' if blocks > 1 else ''})"


def launches_weigh(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    if cell is None or not cell["median"]["kernel_ms"]:
        return None
    launch, copy, whole = cell["counts"]["launch_ms"], cell["counts"]["copy_ms"], mean(walls(cell))
    kernel, said = by_device(cell)
    text = f"of {number(whole)} ms a frame, as all of these a mean of frames, {said}, launching {number(launch)}, fetching each launch's sums, with waiting for its kernels, {number(copy)}; {of_frames(cell)}"
    if searched_in_turns(result, cell) < FEW:
        return Finding(text, NOT_YET, ONE_BLOCK)
    if kernel > 0.45 * whole:
        return Finding(text, OPEN, f"{100 * kernel / whole:.0f} % of the time is the kernels', above the limit of 45 %; how much of that is a launch's cost is not measured")
    if launch > copy - kernel:
        return Finding(text, HOLDS, "launching takes more than kernels, and more than fetching without them" if launch > kernel else "launching takes more than fetching without kernels")
    return Finding(text, PART if launch > 0.1 * whole else FAILS, f"launching is {100 * launch / whole:.0f} % of it (below a tenth it would not hold); fetching, less what the kernels take, {100 * (copy - kernel) / whole:.0f} %")


def reduction_limits(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    return Finding("-", NOT_YET, "every rung with a launch for each candidate reduces in its kernel: none is without") if cell else None


def step_of_ladder(before, after):
    def check(result):
        clip = clip_names(result)[0]
        a, b = best(result, clip, before), best(result, clip, after)
        if a is None or b is None:
            return None
        text = f"{number(times(result, a, b), 4)}x ({number(ms(a))} to {number(ms(b))} ms; {of_frames(a, b)})"
        if min(searched_in_turns(result, a), searched_in_turns(result, b)) < FEW:
            return Finding(text, NOT_YET, ONE_BLOCK)
        apart, usual = max(ms(a), ms(b)) / min(ms(a), ms(b)) - 1, frames_apart(result)
        if min(len(a["runs"]), len(b["runs"])) < 3 and usual and apart <= usual:
            return Finding(text, OPEN, f"{100 * apart:.1f} % apart, in {of_frames(a, b).split(',')[0]}; frames of three quarters of this run's other rungs lie up to {bound(100 * usual)} % apart")
        return of_told(result, [told(result, a, b)], text)

    return check


def by_both_codes(result, clip, found, before, after):
    """A finding about two cells, of which one or both left border blocks to the host in vectors: plain code there, as far as other rungs
    tell its time, has to give the same verdict."""
    plain = [with_plain_borders(result, clip, cell) or cell if cell["counts"].get("on_host") else cell for cell in (before, after)]
    if plain == [before, after]:
        return found
    found.figures += f"; border blocks in vectors, by an estimate about {number(times(result, *plain), 2)}x with them in plain code"
    if found.verdict != OPEN and of_told(result, [told(result, *plain)], "").verdict != found.verdict:
        return Finding(found.figures, OPEN, "border blocks in vectors and in plain code give different answers")
    return found


def borders_on_cpu(result):
    found = step_of_ladder("sad-swap", "borders")(result)
    if found and found.verdict != NOT_YET:
        clip = clip_names(result)[0]
        before, cell = best(result, clip, "sad-swap"), best(result, clip, "borders")
        found = by_both_codes(result, clip, found, before, cell)
        found.because = "; ".join(([found.because] if found.because else []) + [f"the device is left {cell['counts']['blocks'] - cell['counts']['on_host']} of {cell['counts']['blocks']} blocks"])
    return found


def sads_bound(result):
    """By the host's clocks, border blocks on the CPU: is it the SADs on the GPU, their launches and fetches among them?"""
    cell = best(result, clip_names(result)[0], "borders")
    if cell is None or not cell["median"]["kernel_ms"]:
        return None
    launch, copy, host = (cell["counts"][key] for key in ("launch_ms", "copy_ms", "cpu_ms"))
    whole, (kernel, said) = mean(walls(cell)), by_device(cell)
    text = (f"of {number(whole)} ms a frame, as all of these a mean of frames, launching {number(launch)}, fetching each launch's sums, with waiting for its kernels, {number(copy)}, the CPU's part {number(host)}; "
            f"{said}; {of_frames(cell)}")
    if searched_in_turns(result, cell) < FEW:
        return Finding(text, NOT_YET, ONE_BLOCK)
    plain = with_plain_borders(result, clip_names(result)[0], cell)
    extra, doubt = 0 if plain is None else plain["counts"]["cpu_ms"] - host, host_doubt(result)
    parts = [(launch + copy) / (whole + more) for more in (0, extra, extra * doubt)]
    verdicts = {HOLDS if part > 0.75 else PART if part > 0.5 else FAILS for part in parts}
    because = f"launching and fetching are {100 * parts[0]:.0f} % of it" + (f", with border blocks in plain code, by an estimate, about {100 * parts[1]:.0f} %" + (f", {100 * parts[2]:.0f} % by what is in doubt of the host's speed" if doubt > 1 else "") if plain else "")
    because += f": from three quarters on it holds, up to a half it does not; kernels, by the device's clock, {100 * kernel / whole:.0f} %"
    return Finding(text, verdicts.pop() if len(verdicts) == 1 else OPEN, because)


def condition_costs(result):
    clip = clip_names(result)[0]
    a, b = best(result, clip, "sad-swap"), best(result, clip, "borders")
    if not a or not b or not a["median"]["kernel_ms"] or not b["launches"]:
        return None
    us = [1000 * c["median"]["kernel_ms"] / c["launches"] for c in (a, b)]
    blocks = [c["counts"]["blocks"] - c["counts"]["on_host"] for c in (a, b)]
    timed = [c["counts"].get("event_blocks", 1) for c in (a, b)]
    return Finding(f"a launch's kernels take {number(us[0])} us with it, {number(us[1])} us without; from {timed[0]} and {timed[1]} block{'s' if max(timed) > 1 else ''}", OPEN,
                   f"not the same blocks: with it some of all {blocks[0]}, without it of the {blocks[1]} inner ones")


def search_against_cpu(which, ahead):
    """Parallel FSBM on some of the three clips: everywhere ahead of the CPU, or everywhere behind. A run may have the first clip alone."""

    def check(result):
        if len(clip_names(result)[which]) < which.stop - which.start:
            return None

        def cell_of(clip, how):
            return pick(result, clip, "search", how=how) or pick(result, clip, "search")

        def measure(how, shift=None):
            return [speedup(result, clip, cell_of(clip, how), how, shift) for clip in clip_names(result)[which]]

        def verdict(how, values):
            pairs = [(base(result, clip, cell_of(clip, how), how), cell_of(clip, how)) for clip in clip_names(result)[which]]
            return of_told(result, [told(result, *(pair if ahead else pair[::-1])) for pair in pairs], "").verdict

        return with_borders_alike(by_code_verdicts(result, measure, verdict, drifts=False))

    return check


def with_borders_alike(found):
    """Says how the host searched border blocks: Parallel FSBM is compared with each of the two programs by that program's code."""
    if found:
        found.figures += "; border blocks in the same code"
    return found


def below_ten(result):
    """Parallel FSBM on the larger clips."""
    if not three(result):
        return None

    def measure(how, shift=None):
        return [speedup(result, clip, pick(result, clip, "search", how=how) or pick(result, clip, "search"), how, shift) for clip in clip_names(result)[1:]]

    return with_borders_alike(by_code(result, measure, lambda values: max(values) < 10))


def sixteen_times(result):
    """What the paper expects of 16 times the threads."""
    clip = clip_names(result)[0]
    cells = best(result, clip, "borders"), best(result, clip, "search")
    if None in cells or code(cells[0]) != code(cells[1]):
        return None
    found = Finding(f"{number(times(result, *cells), 4)}x", OPEN, f"launches fall from {cells[0]['launches']:,} to {cells[1]['launches']:,}, too: what the threads give is not told")
    return by_both_codes(result, clip, found, *cells)


def mostly_borders(result):
    """Of the first clip most blocks are at the border, of each larger one a smaller part."""
    if not three(result):
        return None
    counts = [best(result, clip, "search")["counts"] for clip in clip_names(result)]
    parts = [c["on_host"] / c["blocks"] for c in counts]
    return holds_if(parts[0] > 0.5 and parts[0] > parts[1] > parts[2], "; ".join(f"{clip}: {c['on_host']:,} of {c['blocks']:,} blocks" for clip, c in zip(clip_names(result), counts)))


def search_beats_sads(result):
    clip = clip_names(result)[0]
    cells = best(result, clip, "borders"), best(result, clip, "search")
    if None in cells:
        return None
    if code(cells[0]) != code(cells[1]):
        return None
    text = f"{number(times(result, *cells), 4)}x; {cells[1]['launches']:,} launches a frame instead of {cells[0]['launches']:,}"
    return by_both_codes(result, clip, of_told(result, [told(result, *cells)], text), *cells)


# ---- table II

def all_on_device(result):
    """By border blocks in either code."""
    clip = clip_names(result)[-1]
    pairs = {how: (pick(result, clip, "search", how=how), best(result, clip, "all-on-device")) for how in ("vectors", "plain")}
    pairs = {how: pair for how, pair in pairs.items() if None not in pair}
    if not three(result) or not pairs:
        return None
    text = f"{clip}: " + ", ".join(f"{number(times(result, *pair), 4)}x ({'border blocks in vectors' if how == 'vectors' else 'in plain code'})" for how, pair in pairs.items())
    signs = [told(result, *pair, 2) for pair in pairs.values()]
    if None in signs:
        return Finding(text, OPEN, drifted(result))
    if 0 in signs or len(set(signs)) > 1:
        return Finding(text, OPEN, "the runs' spread, or 2 %, reaches to both sides of 2x" if 0 in signs else UNSAID)
    return holds_if(signs[0] < 0, text)


def discards(result):
    """Every vector is compared with the least of the candidates that the program allows, met by columns."""
    parts, same, more = [], [], []
    for clip in clip_names(result):
        cell, program = best(result, clip, "all-on-device"), pick(result, clip, "scalar", "host")
        if cell is None or program is None:
            return None
        more.append(residue(cell) / residue(program) - 1)
        parts.append(f"{residue(cell):,} against the program's {residue(program):,} ({clip})")
        same.append(cell["differing"] == 0)
    if all(same):
        return Finding("residues: " + "; ".join(parts), FAILS, "each vector is that of the least SAD of all candidates that the program allows")
    small = all(0 <= part < 0.01 for part in more) and any(more)
    return Finding("residues: " + "; ".join(parts), HOLDS if small else OPEN, "vectors differ" + (", and leave less than one per cent more" if small else ""))


def pinned(result):
    parts, signs = [], []
    for clip in clip_names(result):
        a, b = best(result, clip, "all-on-device"), best(result, clip, "pinned")
        if a is None or b is None or not b["pinned"]:
            return None
        parts.append(f"{number(times(result, a, b), 4)}x ({clip})")
        signs.append(told(result, a, b))
    return of_told(result, signs, ", ".join(parts))


def pinned_small(result):
    """Pinned memory gains more on the first clip than on each of the others."""
    clips = clip_names(result)
    pairs = [(best(result, clip, "all-on-device"), best(result, clip, "pinned")) for clip in clips]
    if len(clips) < 2 or any(None in pair or not pair[1]["pinned"] for pair in pairs):
        return None
    text = ", ".join(f"{number(times(result, a, b), 4)}x ({clip})" for clip, (a, b) in zip(clips, pairs))
    return of_told(result, most_of_clips(result, pairs), text, always=True)


def group_shape(result):
    """The best shape of threads in x alone takes less than each of the others, on each clip: one that takes less refutes it."""
    parts, signs, flat_shapes = [], [], set()
    for clip in clip_names(result):
        cells = [c for c in shape_cells(result, clip) if c["median"]["kernel_ms"]]
        flat_shapes |= {c["group"] for c in cells if c["group"].endswith("x1")}
        if len(cells) < 4:
            return None
        flat, other = (min((c for c in cells if c["group"].endswith("x1") == flat), key=lambda c: c["median"]["kernel_ms"], default=None) for flat in (True, False))
        if flat is None or other is None:
            return None
        parts.append(f"{clip}: " + " and ".join(f"{c['group']} {number(c['median']['kernel_ms'])} ms" for c in (flat, other)))
        kind = list if "NVIDIA" in result["device"]["device"] else OfProcessor
        signs += [compare(kind(kernels(c)), kind(kernels(flat))) for c in cells if not c["group"].endswith("x1")]
    found = of_signs(signs, always=True, figures=f"the {'best' if len(flat_shapes) > 1 else 'only one run'} in x alone and the best of the others: " + "; ".join(parts))
    if len(flat_shapes) == 1 and found.verdict != HOLDS:
        return Finding(found.figures, OPEN, "of shapes in x alone one was run: another may be faster")
    return found


def threads_in_z(result):
    parts, signs = [], []
    for clip in clip_names(result):
        a, b = best(result, clip, "pinned") or best(result, clip, "all-on-device"), best(result, clip, "z", 32)
        if a is None or b is None:
            return None
        kernel = [c["median"]["kernel_ms"] for c in (a, b)]
        parts.append(f"{clip}: {number(times(result, a, b), 4)}x over the rung {a['rung']}" + (f", kernels {number(kernel[0])} to {number(kernel[1])} ms" if all(kernel) else ""))
        signs.append(told(result, a, b))
    return of_told(result, signs, "; ".join(parts))
