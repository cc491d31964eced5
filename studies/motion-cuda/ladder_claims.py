# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of the full search, tables I and II."""

from statistics import mean, median

from cells import (CODES, at_speed_of, base, best, clip_names, code, frames_apart, in_turns, is_whole, kernels, most, ms, pick, ratios, reach_of, residue, shape_cells, slowdown, speedup,
                   stream_cells, times, walls)
from figures import bound, number
from judging import FEW, UNSAID, by_code, by_code_verdicts, drifted, of_told, searched_in_turns, shifts, side, three, told
from verdicts import EQUAL, FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, compare, holds_if, of_signs

ONE_BLOCK = "some blocks were timed, not a frame"
SHOWN = (2, 4)  # numbers of streams that the paper's tables are of

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
    """Whose kernels were timed by the device's clock: one block in older runs."""
    blocks = cell["counts"].get("event_blocks", 1)
    return f"kernels {number(cell['median']['kernel_ms'])} (by the device's clock, from {blocks} block{'s' if blocks > 1 else ''})"


def launches_weigh(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    if cell is None or not cell["median"]["kernel_ms"]:
        return None
    kernel, launch, copy, whole = cell["median"]["kernel_ms"], cell["counts"]["launch_ms"], cell["counts"]["copy_ms"], mean(walls(cell))
    text = f"of {number(whole)} ms a frame, as all of these a mean of frames, {by_device(cell)}, launching {number(launch)}, fetching each launch's sums, with waiting for its kernels, {number(copy)}; {of_frames(cell)}"
    if searched_in_turns(result, cell) < FEW:
        return Finding(text, NOT_YET, ONE_BLOCK)
    if kernel > 0.45 * whole:
        return Finding(text, OPEN, f"{100 * kernel / whole:.0f} % of the time is the kernels'; how much of that is a launch's cost is not measured")
    if launch > copy - kernel:
        return Finding(text, HOLDS, "launching takes more than kernels, and more than fetching without them" if launch > kernel else "")
    return Finding(text, PART, f"launching is {100 * launch / whole:.0f} % of it; fetching, less what the kernels take, {100 * (copy - kernel) / whole:.0f} %")


def reduction_limits(result):
    clip = clip_names(result)[0]
    cell = best(result, clip, "sad")
    return Finding("-", OPEN, "every rung with a launch for each candidate reduces in its kernel: none is without") if cell else None


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


def borders_on_cpu(result):
    found = step_of_ladder("sad-swap", "borders")(result)
    if found and found.verdict != NOT_YET:
        cell = best(result, clip_names(result)[0], "borders")
        counts = cell["counts"]
        found.because = f"the device is left {counts['blocks'] - counts['on_host']} of {counts['blocks']} blocks, the CPU searches the others in {'plain code' if code(cell) == 'plain' else 'vectors'}"
    return found


def sads_bound(result):
    """By the host's clocks, border blocks on the CPU: is it the SADs on the GPU, their launches and fetches among them?"""
    cell = best(result, clip_names(result)[0], "borders")
    if cell is None or not cell["median"]["kernel_ms"]:
        return None
    launch, copy, host = (cell["counts"][key] for key in ("launch_ms", "copy_ms", "cpu_ms"))
    whole = mean(walls(cell))
    text = (f"of {number(whole)} ms a frame, as all of these a mean of frames, launching {number(launch)}, fetching each launch's sums, with waiting for its kernels, {number(copy)}, the CPU's part {number(host)}; "
            f"{by_device(cell)}; {of_frames(cell)}")
    if searched_in_turns(result, cell) < FEW:
        return Finding(text, NOT_YET, ONE_BLOCK)
    part = (launch + copy) / whole
    return Finding(text, HOLDS if part > 0.75 else PART if part > 0.5 else FAILS, f"launching and fetching are {100 * part:.0f} % of it; kernels, by the device's clock, {100 * cell['median']['kernel_ms'] / whole:.0f} %")


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
    return Finding(f"{number(times(result, *cells), 4)}x", OPEN, f"launches fall from {cells[0]['launches']:,} to {cells[1]['launches']:,}, too: what the threads give is not told")


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
    return of_told(result, [told(result, *cells)], text)


# ---- table II

def streams_below_one(result):
    if not three(result):
        return None
    parts, ok = [], []
    for clip in clip_names(result)[1:]:
        one = best(result, clip, "search")
        streams = [best(result, clip, rung, streams=SHOWN) for rung in ("streams-portions", "streams-reduced")]
        if one is None or None in streams:
            return None
        parts.append(f"{clip}: {number(ms(one))} ms without, {number(ms(streams[0]))} (portions, {streams[0]['streams']}) and {number(ms(streams[1]))} ms (reduced, {streams[1]['streams']}) with")
        ok += [told(result, s, one) for s in streams]
    return of_told(result, ok, "; ".join(parts))


def streams_on_first(result):
    """The smallest video, where the paper's table has them at half the time."""
    clip = clip_names(result)[0]
    one, streams = best(result, clip, "search"), [best(result, clip, rung, streams=SHOWN) for rung in ("streams-portions", "streams-reduced")]
    if one is None or None in streams:
        return None
    text = f"{clip}: {number(ms(one))} ms without, {number(ms(streams[0]))} (portions, {streams[0]['streams']}) and {number(ms(streams[1]))} ms (reduced, {streams[1]['streams']}) with"
    return of_told(result, [told(result, one, s) for s in streams], text)


def reductions_weigh(result):
    """The paper's reason for the second form: its kernels that reduce."""
    clip = clip_names(result)[-1]
    cells = [next((c for c in stream_cells(result, clip, rung) if c["streams"] == 2), None) for rung in ("streams-portions", "streams-reduced")]
    if None in cells or not all(c["median"]["kernel_ms"] for c in cells):
        return None
    kernel, host = ([number(c[part][key]) for c in cells] for part, key in (("median", "kernel_ms"), ("counts", "cpu_ms")))
    return Finding(f"{clip}, 2 streams: kernels {kernel[0]} ms in portions, {kernel[1]} ms reduced; the CPU's part {host[0]} and {host[1]} ms", OPEN,
                   "kernels and the CPU's part overlap: no difference of one is a difference of the whole")


def more_streams(result):
    clip = clip_names(result)[-1]
    cells = stream_cells(result, clip, "streams-portions")
    if len(cells) < 4:
        return None
    text = f"{clip}: " + ", ".join(f"{c['streams']}: {number(ms(c))} ms" for c in cells)
    top = min(cells, key=ms)
    if all(told(result, top, c) == 0 for c in cells):
        return Finding(text, EQUAL)
    others = [c for c in cells if c["streams"] not in (2, 4)]
    signs = [told(result, other, c) for c in cells if c["streams"] in (2, 4) for other in others]
    return Finding(text, OPEN, drifted(result)) if None in signs else holds_if(all(sign < 0 for sign in signs), text)


def four_over_two(result):
    """Portions: 4 streams a little faster than 2, on each clip."""
    parts, signs = [], []
    for clip in clip_names(result):
        cells = {c["streams"]: c for c in stream_cells(result, clip, "streams-portions")}
        if not {2, 4} <= set(cells):
            return None
        parts.append(f"{clip}: {number(ms(cells[2]))} to {number(ms(cells[4]))} ms")
        signs.append(told(result, cells[2], cells[4]))
    return of_told(result, signs, "; ".join(parts))


def larger_array(result):
    """Portions in the best of several streams take less than in one, of an array of results larger than the paper's."""
    if reach_of(result) <= 64:
        return None
    parts, signs = [], []
    for clip in clip_names(result):
        cells = stream_cells(result, clip, "streams-portions")
        if len(cells) < 2 or cells[0]["streams"] != 1:
            return None
        parts.append(f"{clip}, reach {reach_of(result)}: " + ", ".join(f"{c['streams']}: {number(ms(c))} ms" for c in cells))
        signs.append(told(result, cells[0], min(cells[1:], key=ms)))
    borders = ", without blocks at the border" if result["settings"].get("borders", "yes") == "no" else ""
    return of_told(result, signs, "; ".join(parts) + borders)


def reduced_alike(result):
    """Reduced on the GPU: no number of streams differs from the first of them, on each clip."""
    parts, same = [], []
    for clip in clip_names(result):
        cells = stream_cells(result, clip, "streams-reduced")
        if len(cells) < 4:
            return None
        parts.append(f"{clip}: " + ", ".join(f"{c['streams']}: {number(ms(c))} ms" for c in cells))
        same += [{None: None, 0: True}.get(told(result, cells[0], c), False) for c in cells[1:]]
    if None in same:
        return Finding("; ".join(parts), OPEN, drifted(result))
    return Finding("; ".join(parts), HOLDS if all(same) else PART if any(same) else FAILS, "" if all(same) else f"as with one at {sum(same)} of {len(same)} places")


def second_form_worse(result):
    clip = clip_names(result)[-1]
    cells = [best(result, clip, rung, streams=SHOWN) for rung in ("streams-portions", "streams-reduced")]
    if None in cells:
        return None
    sign = told(result, *cells)
    text = f"{clip}: {number(ms(cells[0]))} ms in portions ({cells[0]['streams']} streams), {number(ms(cells[1]))} ms reduced on the GPU ({cells[1]['streams']})"
    return Finding(text, OPEN, drifted(result)) if sign is None else Finding(text, EQUAL) if sign == 0 else holds_if(sign > 0, text)


def scanning_is_small(result):
    clip = clip_names(result)[-1]
    cell = best(result, clip, "all-on-device")
    if cell is None:
        return None
    scan = cell["counts"]["cpu_ms"] - cell["counts"]["reconstruct_ms"]
    text, kernel = f"{clip}: {number(scan)} of {number(ms(cell))} ms, kernels {number(cell['median']['kernel_ms'])} ms (all on the device)", cell["median"]["kernel_ms"]
    slower = most(walls(cell)) / ms(cell) if in_turns(result) else shifts(result)[-1]
    if scan <= ms(cell) / 10:
        return Finding(text, HOLDS, "less than a tenth of it")
    return Finding(text, PART, f"kernels take more; but {100 * scan / ms(cell):.0f} % of the time is not far from being much") if scan * slower < kernel else Finding(text, OPEN, drifted(result))


def all_on_device(result):
    clip = clip_names(result)[-1]
    a, b = pick(result, clip, "search"), best(result, clip, "all-on-device")
    if not three(result) or a is None or b is None:
        return None
    plain = pick(result, clip, "search", how="plain")
    text = f"{clip}: {number(times(result, a, b), 4)}x (border blocks in {'plain code' if code(a) == 'plain' else 'vectors'})"
    if plain is not None and plain is not a:
        text += f", {number(times(result, plain, b), 4)}x (plain code)"
    sign = told(result, a, b, 2)
    return Finding(text, OPEN, drifted(result)) if sign is None else Finding(text, OPEN, "the runs' spread, or 2 %, reaches to both sides of 2x") if sign == 0 else holds_if(sign < 0, text)


def discards(result):
    """Every vector is compared with the least of the candidates that the program allows, met by columns."""
    parts, same = [], []
    for clip in clip_names(result):
        cell, program = best(result, clip, "all-on-device"), pick(result, clip, "scalar", "host")
        if cell is None or program is None:
            return None
        parts.append(f"{residue(cell):,} against the program's {residue(program):,} ({clip})")
        same.append(cell["differing"] == 0)
    return Finding("residues: " + "; ".join(parts), FAILS if all(same) else OPEN,
                   "each vector is that of the least SAD of all candidates that the program allows" if all(same) else "vectors differ")


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
    first, last = clip_names(result)[0], clip_names(result)[-1]
    pairs = [(best(result, clip, "all-on-device"), best(result, clip, "pinned")) for clip in (first, last)]
    if first == last or any(None in pair or not pair[1]["pinned"] for pair in pairs):
        return None
    gains = [times(result, a, b) for a, b in pairs]
    text = f"{number(gains[0], 4)}x and {number(gains[1], 4)}x"
    if in_turns(result):
        sign = side([one / other for one, other in zip(*(ratios(result, a, b) for a, b in pairs))])
        return Finding(text, OPEN, drifted(result)) if sign is None else Finding(text, EQUAL) if sign == 0 else holds_if(sign > 0, text)
    likely = [[median(at_speed_of(result, a, b, shift)) / ms(b) for shift in shifts(result)] for a, b in pairs]
    if any((one > other) != (gains[0] > gains[1]) for one in likely[0] for other in likely[1]):
        return Finding(text, OPEN, drifted(result))
    return Finding(text, EQUAL) if abs(gains[0] - gains[1]) < 0.05 else holds_if(gains[0] > gains[1], text)


def group_shape(result):
    """The best shape of threads in x alone takes less than the best of the others, on each clip."""
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
        signs.append(compare(kernels(other), kernels(flat)))
    found = of_signs(signs, f"the {'best' if len(flat_shapes) > 1 else 'only one run'} in x alone and the best of the others: " + "; ".join(parts))
    if len(flat_shapes) == 1 and found.verdict != HOLDS:
        return Finding(found.figures, OPEN, "of shapes in x alone one was run: another may be faster")
    return found


def threads_in_z(result):
    clip = clip_names(result)[-1]
    b = best(result, clip, "z", 32)
    a = best(result, clip, "pinned") or best(result, clip, "all-on-device")
    if a is None or b is None:
        return None
    text = f"{number(times(result, a, b), 4)}x ({clip}, over the rung {a['rung']})"
    if a["median"]["kernel_ms"] and b["median"]["kernel_ms"]:
        text += f"; kernels {number(a['median']['kernel_ms'])} to {number(b['median']['kernel_ms'])} ms"
    return of_told(result, [told(result, a, b)], text)
