# SPDX-License-Identifier: Apache-2.0
"""Checks of the reasons that the paper gives for the step search's times and residues, and for its final choice."""

from statistics import mean

from cells import CODES, base, best, clip_names, code, gain, host_doubt, in_turns, kernels, loss, ms, ratios, residue, speedup, stream_cells, walls
from figures import number
from judging import ONE_RECORDING, by_code, by_code_verdicts, drifted, listed, of_both, of_told, over, side, three, told
from step_claims import short, unless_near
from verdicts import EQUAL, FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, OfProcessor, compare, nearly_all, of_signs

GRIDS = [("step-3x3", 0), ("step-7x7-z", 256), ("step-13x13-z", 256)]
CHOSEN = ("step-13x13-z", 256)


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


def points(cell):
    """SADs of a block: each comes back in four bytes."""
    return cell["bytes_down"] // (4 * cell["counts"]["blocks"])


def little_of_device(result):
    """In one group: how kernels grow with the threads, on each clip. What brings block and area takes the same in both."""
    parts, grown, signs = [], [], []
    for clip in clip_names(result):
        cells = [best(result, clip, rung) for rung in ("step-3x3", "step-13x13")]
        if None in cells or not all(c["median"]["kernel_ms"] for c in cells):
            return None
        kernel, work = ([of(c) for c in cells] for of in (lambda c: c["median"]["kernel_ms"], points))
        parts.append(f"{clip}: {number(kernel[0])} and {number(kernel[1])} ms")
        grown.append(kernel[1] / kernel[0])
        kind, limit = list if "NVIDIA" in result["device"]["device"] else OfProcessor, work[1] / work[0] / 2
        signs.append(compare(kind(limit * run for run in kernels(cells[0])), kind(kernels(cells[1]))))
    found = of_signs(signs, f"kernels a frame for {work[0]} SADs a block by 3x3 and {work[1]} by 13x13: {'; '.join(parts)}",
                    *[f"{work[1] / work[0]:.1f} times the SADs take {' , '.join(f'{g:.2f}' for g in grown).replace(' ,', ',')} times the kernels' time; the limit is half as many times"] * 2)
    found.verdict = OPEN if found.verdict == EQUAL else found.verdict
    return found


def overhead_of_3x3(result):
    """Overhead is what kernels and the CPU's own part, where that is known, leave of the time, on each clip: of the mean, and of the frames
    but the outermost, whose times lie around it."""
    parts, shares, spread = [], [], []
    for clip in clip_names(result):
        cell = best(result, clip, "step-3x3")
        if cell is None or not cell["median"]["kernel_ms"]:
            return None
        kernel, whole, own = mean(kernels(cell)), mean(walls(cell)), cell["counts"].get("cpu_ms", 0)
        shares.append(max(0, whole - kernel - own) / whole)
        spread += [1 - (kernel + own) / wall for wall in nearly_all(walls(cell))]
        parts.append(f"{clip}: of {number(whole)} ms kernels {number(kernel)}, the CPU's own part {number(own)}, all else {number(shares[-1] * whole)}")
    why = f"{', '.join(percent(share, 1) for share in shares)} of the time is neither, in nearly all frames {percent(min(spread), 1)} to {percent(max(spread), 1)}"
    found = of_signs([-1 if min(ends) > 2 / 3 else 1 if max(ends) < 0.1 else 0 for ends in zip(spread[::2], spread[1::2])], "")
    return Finding("means of frames, " + "; ".join(parts), OPEN if found.verdict == EQUAL else found.verdict,
                   f"{why}; the paper names no share: from two thirds on it holds here, below a tenth it does not")


def behind_cpu(rung):
    """On each clip the rung takes more than the scalar program."""

    def check(result):
        cells = {clip: best(result, clip, rung) for clip in clip_names(result)}
        if None in cells.values():
            return None
        return by_code_verdicts(result, lambda how, shift=None: [speedup(result, clip, cell, how, shift) for clip, cell in cells.items()],
                                lambda how, _: of_told(result, [told(result, cell, base(result, clip, cell, how)) for clip, cell in cells.items()], "").verdict, drifts=False)

    return check


def more_points(result):
    """More SADs than the original search's, and a lower residue than its own?"""
    if not three(result):
        return None
    parts, lower, further = [], [], []
    for clip in clip_names(result):
        cells = [best(result, clip, *grid) for grid in GRIDS]
        if None in cells:
            return None
        parts.append(f"{clip}: " + ", ".join(f"{points(c)} SADs a block {residue(c):,}" for c in cells))
        lower += [residue(c) < residue(cells[0]) for c in cells[1:] if points(c) > points(cells[0])]
        further.append(residue(cells[2]) < residue(cells[1]))
    if not lower:
        return None
    return Finding("; ".join(parts), HOLDS if all(lower) else PART if any(lower) else FAILS,
                   f"less than the original's at {sum(lower)} of {len(lower)}; from 7x7 to 13x13 the residue falls on {sum(further)} of {len(further)}; {ONE_RECORDING}")


def transfers_weigh(result):
    """Where copies of pageable memory take more of a frame: the step search has no rung with pinned memory alone."""
    clips = clip_names(result)
    cells = [best(result, clip, "step-3x3") for clip in (clips[0], clips[-1])]
    if len(clips) < 2 or None in cells:
        return None
    shares = [(c["median"]["upload_ms"] + c["median"]["download_ms"]) / ms(c) for c in cells]
    way = "more on the smaller" if shares[0] > 1.1 * shares[1] else "less on the smaller" if shares[1] > 1.1 * shares[0] else "alike on both"
    return Finding(f"of 3x3's time transfers are {percent(shares[0], 1)} ({clips[0]}), {percent(shares[1], 1)} ({clips[-1]})", OPEN,
                   f"they weigh {way}; but pinned memory comes with threads in Z, and what it saves alone is not measured")


def launches_limit(result):
    """Threads in Z: what launching takes of the time."""
    clip = clip_names(result)[-1]
    cells = {lanes: best(result, clip, "step-z", lanes) for lanes in (32, 256)}
    if None in cells.values():
        return None
    parts = [f"{short('step-z', lanes)}: of {number(mean(walls(c)))} ms launching {number(c['counts']['launch_ms'])}, kernels {number(mean(kernels(c)))}" for lanes, c in cells.items()]
    shares = [c["counts"]["launch_ms"] / mean(walls(c)) for c in cells.values()]
    return Finding(f"{clip}, means of frames: {'; '.join(parts)}", OPEN, f"launching is {' and '.join(percent(share, 1) for share in shares)} of it: from how much on that limits, the paper does not say")


def reduction_limits_step(result):
    clip = clip_names(result)[-1]
    if best(result, clip, "step-z", 32) is None:
        return None
    cells = [best(result, clip, rung, 32) for rung in ("z", "z-shuffles")]
    if None in cells:
        return Finding("-", NOT_YET, "every rung with several threads for a SAD has to reduce: none is without")
    text = f"{clip}, full search: kernels {number(cells[0]['median']['kernel_ms'])} ms through local memory, {number(cells[1]['median']['kernel_ms'])} ms by shuffles"
    return Finding(text, OPEN, "every rung with several threads for a SAD has to reduce: none is without")


def one_round_less(result):
    """Does the larger grid cost more than the round that it saves? It does where its kernels and the whole take more, and does not where
    either takes less."""
    parts, signs, grown = [], [], []
    for clip in clip_names(result)[1:]:
        cells = [best(result, clip, *grid) for grid in GRIDS[1:]]
        if None in cells:
            return None
        kernel, whole = [c["median"]["kernel_ms"] for c in cells], told(result, *cells)
        launches = [number(c["launches"] / c["counts"]["blocks"]) for c in cells]
        parts.append(f"{clip}: launches a block {' to '.join(launches)}, kernels {' to '.join(map(number, kernel))} ms, the whole {' to '.join(number(ms(c)) for c in cells)} ms ({over(result, *cells)})")
        grown.append(kernel[1] > kernel[0])
        signs.append(1 if not grown[-1] or whole == -1 else -1 if whole == 1 else None)
    if not signs:
        return None
    if any(grown):
        because = f"the larger grid's kernels take more on {sum(grown)} of {len(grown)} videos"
    else:
        because = "the larger grid's kernels take less, with a launch less for each block"
    found = of_told(result, signs, "; ".join(parts))
    found.because = f"{because}; {found.because}" if found.verdict == OPEN and found.because else because
    return found


def choice(result):
    """Is one of the two grids faster, the other nearer to the least residue?"""
    traded, parts = [], []
    for clip in clip_names(result):
        cells = [best(result, clip, *grid) for grid in GRIDS[1:]]
        if None in cells:
            return None
        time, left = told(result, *cells), residue(cells[1]) - residue(cells[0])
        traded.append(None if time is None else time * left < 0)
        faster, nearer = ("not told" if sign is None else "neither" if sign == 0 else "13x13" if sign < 0 else "7x7" for sign in (time, left))
        parts.append(f"{clip}: faster {faster}, less residue {nearer}")
    if None in traded:
        return Finding("; ".join(parts), OPEN, drifted(result))
    return Finding("; ".join(parts), HOLDS if all(traded) else PART if any(traded) else FAILS, "" if all(traded) else f"a choice on {sum(traded)} of {len(traded)}" + (f"; {ONE_RECORDING}" if three(result) else ""))


def overhead_decides(result):
    """Behind the CPU as a whole, ahead of it by the kernels alone, on each clip?"""
    cells = {clip: best(result, clip, *CHOSEN) for clip in clip_names(result)}
    if None in cells.values() or not all(c["median"]["kernel_ms"] for c in cells.values()):
        return None

    def measure(how, shift=None):
        against = [base(result, clip, cell, how) for clip, cell in cells.items()]
        if None in against:
            return None
        return [v for (clip, cell), program in zip(cells.items(), against) for v in (speedup(result, clip, cell, how, shift), ms(program) / cell["median"]["kernel_ms"])]

    def pairs(values):
        return list(zip(values[::2], values[1::2]))

    def verdict(how, values):
        held = [whole < 1 < alone for whole, alone in pairs(values)]
        return HOLDS if all(held) else PART if any(held) else FAILS

    found = by_code_verdicts(result, measure, verdict)
    if found:
        found.figures = f"{', '.join(cells)}: the whole, then kernels alone, each: {found.figures}"
        if found.verdict == FAILS:
            values = {how: measure(how) for how in CODES}
            found.because = "; ".join(f"over {'plain code' if how == 'plain' else how} {'kernels alone are behind too' if all(w < 1 for w, _ in pairs(v)) else 'it is not behind'}" for how, v in values.items() if v)
    return found


# ---- III-C

def z_is_best(result):
    """On each clip: less than each of the paper's other forms of the full search, each number of streams, border blocks in either code."""
    parts, pairs = [], []
    for clip in clip_names(result):
        z = best(result, clip, "z", 32)
        others = [c for c in (best(result, clip, rung) for rung in ("search", "streams-portions", "streams-reduced", "all-on-device", "pinned")) if c]
        if z is None or len(others) < 3:
            return None
        other = min(others, key=ms)
        parts.append(f"{clip}: {number(ms(z))} ms, of the others {other['rung']} {number(ms(other))} ms ({over(result, other, z)})")
        pairs += [(c, z) for c in others if not c["rung"].startswith("streams")]
        pairs += [(c, z) for rung in ("streams-portions", "streams-reduced") for c in stream_cells(result, clip, rung)]
    return of_both(result, pairs, "; ".join(parts), always=True)


def highest_gain(result):
    if not three(result):
        return None
    parts, first = [], []
    for clip in clip_names(result):
        cells = [best(result, clip, *grid) for grid in GRIDS]
        if None in cells:
            return None
        losses = [loss(result, clip, c) for c in cells]
        if None in losses:
            return None
        parts.append(f"{clip}: {listed(losses, 4)}")
        first.append(losses[2] < min(losses[:2]))
    return Finding("losses of 3x3, 7x7, 13x13: " + "; ".join(parts), HOLDS if all(first) else PART if any(first) else FAILS, "" if all(first) else f"the lowest on {sum(first)} of {len(first)}; {ONE_RECORDING}")


def discarded_rarely_least(result):
    cells = [best(result, clip, "z", 32) for clip in clip_names(result)]
    if None in cells:
        return None
    text = "vectors that differ: " + ", ".join(f"{c['differing']} ({clip})" for clip, c in zip(clip_names(result), cells))
    return Finding(text, OPEN, "some vectors differ; what was discarded is not counted" if any(c["differing"] for c in cells) else "nothing that could be the least is discarded here")


def weight_of_search(result):
    """What the scalar program's search leaves of its time, on the first and the last clip: in each run of it that there is, for no rounds
    are stored of rebuilding a frame. Its two parts are what host_doubt() compares, so that a quotient within that doubt tells nothing."""
    if not three(result):
        return None
    clips, parts, growth = [clip_names(result)[0], clip_names(result)[-1]], [], []
    for how in CODES:
        lines = [{c.get("of"): c["counts"]["reconstruct_ms"] / mean(walls(c)) for c in result["cells"]
                  if (c["clip"], c["rung"], c["on"], code(c)) == (clip, "scalar", "host", how) and c["refused"] is None} for clip in clips]
        if not lines[0] or lines[0].keys() != lines[1].keys():
            return None
        growth += [lines[0][run] / lines[1][run] for run in lines[0]]
        parts.append(f"{'plain code' if how == 'plain' else how} " + " and ".join(listed(100 * line[run] for line in lines) for run in lines[0]))
    doubt = max(1.02, host_doubt(result))
    verdict = HOLDS if min(growth) > doubt else FAILS if max(growth) < 1 / doubt else OPEN
    runs = f", of {len(lines[0])} runs" if len(lines[0]) > 1 else ""
    within = f"{sum(quotient > 1 for quotient in growth)} of {len(growth)} quotients, {number(min(growth))} to {number(max(growth))}, are for it, and not all beyond the {number(doubt)} times by which searching and rebuilding disagree about the host's speed; "
    return Finding(f"all but the search, in % of the program's time, means of frames{runs}, videos 1 and 3: {'; '.join(parts)}", verdict,
                   (within if verdict == OPEN else "") + "that the speed-up grows by it is not told: see the row on the gain")


def lower_on_all(result):
    if not three(result):
        return None
    values = [loss(result, clip, best(result, clip, *CHOSEN)) for clip in clip_names(result)]
    if None in values:
        return None
    low = [v <= 0.984 for v in values]
    return Finding(listed(values, 4), HOLDS if all(low) else PART if any(low) else FAILS, f"the paper's own least fall, 1.6 %, is reached on {sum(low)} of {len(low)}; {ONE_RECORDING}")


def comes_close(result):
    if not three(result):
        return None
    clip = clip_names(result)[-1]
    cell = best(result, clip, *CHOSEN)
    if cell is None:
        return None
    found = by_code(result, lambda how, shift=None: [speedup(result, clip, cell, how, shift)], lambda v: v[0] >= 0.8)
    return unless_near(found, result, {how: (clip, cell) for how in CODES}, 0.8, "the limit is 0.8 times the CPU's speed, that of a quarter more time") if found else None


def gain_by_residue(result):
    """Is the clip with the highest gain that with the lowest loss, and not just that with the highest speed-up?"""
    if not three(result):
        return None
    cells = {clip: best(result, clip, *CHOSEN) for clip in clip_names(result)}
    if None in cells.values():
        return None
    lowest = min(cells, key=lambda clip: loss(result, clip, cells[clip]))

    def top(of, how):
        return max(cells, key=lambda clip: of(result, clip, cells[clip], how) or 0)

    def rounds(how, clip):
        over = ratios(result, base(result, clip, cells[clip], how), cells[clip])
        return [ratio / loss(result, clip, cells[clip]) for ratio in over]

    def verdict(how, _):
        if in_turns(result):  # the gain of each other clip, within the rounds
            higher = [side([other / one for other, one in zip(rounds(how, clip), rounds(how, lowest))]) for clip in cells if clip != lowest]
        else:
            higher = [1 if top(gain, how) != lowest else -1]
        return FAILS if 1 in higher else HOLDS if set(higher) == {-1} and top(speedup, how) != lowest else OPEN

    found = by_code_verdicts(result, lambda how, shift=None: [gain(result, clip, cell, how, shift) for clip, cell in cells.items()], verdict, drifts=False)
    if found:
        found.figures += f"; the lowest loss on {lowest}"
        same = [how for how in CODES if base(result, lowest, cells[lowest], how) and verdict(how, None) == OPEN and top(speedup, how) == lowest]
        if found.verdict == OPEN and same:
            found.because = f"the video with the lowest loss has the highest speed-up too, over {' and '.join('plain code' if how == 'plain' else how for how in same)}"
    return found
