# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of the full search with streams, section III-A and table II."""

from statistics import mean

from cells import best, clip_names, code, kernels, ms, reach_of, stream_cells, walls
from figures import number
from judging import alike_sign, decided_places, in_plain, of_both, of_told, over, three, told, told_both, with_plain
from verdicts import FAILS, HOLDS, OPEN, PART, Finding

SHOWN = (2, 4)  # numbers of streams that the paper's tables are of
FORMS = ("streams-portions", "streams-reduced")
SHORT = {"streams-portions": "portions", "streams-reduced": "reduced"}
WITHIN = 0.1  # similar, and marginal: the paper names no limit
TENTH = 0.1  # of the time, that is far from being the bottleneck


def in_code(cells):
    """How the host searched border blocks, for the end of a row's figures."""
    left = [c for c in cells if c["counts"].get("on_host")]
    return f"; border blocks in {'plain code' if code(left[0]) == 'plain' else 'vectors'}" if left else ""


def beside_one(result, cells):
    """"1: 20 ms, 2: 25 ms (0.8x)": each number of streams, with its speed-up over the first."""
    return ", ".join(f"{c['streams']}: {number(ms(c))} ms" + ("" if c is cells[0] else f" ({over(result, cells[0], c)})") for c in cells)


def alike_both(result, a, b):
    """alike_sign(), where border blocks in plain code say the same; else None."""
    sign, plain = alike_sign(result, a, b, WITHIN), in_plain(result, a, b)
    return sign if plain is None or alike_sign(result, *plain, WITHIN) == sign else None


def with_and_without(result, clip):
    """The rung without streams, 2 and 4 streams of both forms, and what a row says of them."""
    one, lines = best(result, clip, "search"), [[c for c in stream_cells(result, clip, rung) if c["streams"] in SHOWN] for rung in FORMS]
    if one is None or any([c["streams"] for c in line] != [*SHOWN] for line in lines):
        return None
    said = "; ".join(f"{SHORT[line[0]['rung']]} " + ", ".join(f"{c['streams']}: {number(ms(c))} ms ({over(result, one, c)})" for c in line) for line in lines)
    return one, sum(lines, []), f"{clip}: {number(ms(one))} ms without, with {said}"


def streams_below_one(result):
    """Each of 2 and 4 streams, of both forms, on each of the larger clips."""
    if not three(result):
        return None
    found = [with_and_without(result, clip) for clip in clip_names(result)[1:]]
    if None in found:
        return None
    pairs = [(s, one) for one, streams, _ in found for s in streams]
    return of_both(result, pairs, "; ".join(text for *_, text in found) + in_code(found[0][1]))


def streams_on_first(result):
    """The smallest video, where the paper's table has them at half the time: each of 2 and 4 streams, of both forms."""
    found = with_and_without(result, clip_names(result)[0])
    if found is None:
        return None
    one, streams, text = found
    return of_both(result, [(one, s) for s in streams], text + in_code(streams))


def reductions_weigh(result):
    """The paper's reason for the second form: its kernels that reduce."""
    clip = clip_names(result)[-1]
    cells = [next((c for c in stream_cells(result, clip, rung) if c["streams"] == 2), None) for rung in FORMS]
    if None in cells or not all(c["median"]["kernel_ms"] for c in cells):
        return None
    kernel, host = [number(mean(kernels(c))) for c in cells], [number(c["counts"]["cpu_ms"]) for c in cells]
    return Finding(f"{clip}, 2 streams, means of frames: kernels {kernel[0]} ms in portions, {kernel[1]} ms reduced, launches that overlap counted one by one; the CPU's part {host[0]} and {host[1]} ms",
                   OPEN, "kernels and the CPU's part overlap: no difference of one is a difference of the whole")


def two_and_four_best(rung):
    """Neither 2 nor 4 streams take more than any other number, on each clip: a single place where one does refutes it."""

    def check(result):
        parts, pairs, against = [], [], []
        for clip in clip_names(result):
            cells = stream_cells(result, clip, rung)
            if len(cells) < 4:
                return None
            parts.append(f"{clip}: {beside_one(result, cells)}")
            for other in (c for c in cells if c["streams"] not in SHOWN):
                places = [(other, shown) for shown in cells if shown["streams"] in SHOWN]
                pairs += places
                against += [f"{other['streams']} stream{'s take' if other['streams'] > 1 else ' takes'} less than {shown['streams']} on {clip}" for _, shown in places if told_both(result, other, shown) == 1]
        return of_both(result, pairs, "; ".join(parts) + in_code(cells), because_not="; ".join(against), always=True)

    return check


def marginal_gains(result):
    """Portions: 2 and 4 streams are faster than one, by no more than a tenth, on each clip."""
    parts, signs, against, pairs = [], [], [], []
    for clip in clip_names(result):
        cells = [c for c in stream_cells(result, clip, FORMS[0]) if c["streams"] in (1,) + SHOWN]
        if [c["streams"] for c in cells] != [1, *SHOWN]:
            return None
        parts.append(f"{clip}: {beside_one(result, cells)}")
        for c in cells[1:]:
            faster, much = told_both(result, cells[0], c), told_both(result, cells[0], c, 1 + WITHIN)
            pairs.append((cells[0], c))
            signs.append(1 if faster == 1 or much == -1 else 0 if faster == 0 else -1 if (faster, much) == (-1, 1) else None)
            against += [f"{c['streams']} streams on {clip}: {'slower than one' if faster == 1 else 'more than a tenth faster'}"] if signs[-1] == 1 else []
    found = of_told(result, signs, "; ".join(parts) + in_code(cells), because="faster by at most a tenth", because_not="; ".join(against), always=True)
    return with_plain(result, found, pairs)


def four_over_two(result):
    """Portions: 4 streams a little faster than 2, on each clip."""
    parts, pairs = [], []
    for clip in clip_names(result):
        cells = {c["streams"]: c for c in stream_cells(result, clip, FORMS[0])}
        if not set(SHOWN) <= set(cells):
            return None
        parts.append(f"{clip}: {number(ms(cells[2]))} to {number(ms(cells[4]))} ms ({over(result, cells[2], cells[4])})")
        pairs.append((cells[2], cells[4]))
    return of_both(result, pairs, "; ".join(parts) + in_code(cells.values()))


def larger_array(result):
    """Portions in some number of several streams take less than in one, of an array of results larger than the paper's."""
    if reach_of(result) <= 64:
        return None
    parts, signs = [], []
    for clip in clip_names(result):
        cells = stream_cells(result, clip, FORMS[0])
        if len(cells) < 2 or cells[0]["streams"] != 1:
            return None
        parts.append(f"{clip}, reach {reach_of(result)}: {beside_one(result, cells)}")
        found = [told(result, cells[0], c) for c in cells[1:]]
        signs.append(next((sign for sign in (-1, None, 0) if sign in found), 1))
    borders = ", without blocks at the border" if result["settings"].get("borders", "yes") == "no" else ""
    return of_told(result, signs, "; ".join(parts) + borders)


def reduced_alike(result):
    """Reduced on the GPU: each number of streams takes as long as one, within a tenth, on each clip."""
    parts, signs, slower, turned = [], {}, True, 0
    for clip in clip_names(result):
        cells = stream_cells(result, clip, FORMS[1])
        if len(cells) < 4:
            return None
        parts.append(f"{clip}: {beside_one(result, cells)}")
        for c in cells[1:]:
            signs[f"{c['streams']} on {clip}"] = alike_both(result, cells[0], c)
            turned += signs[f"{c['streams']} on {clip}"] is None and alike_sign(result, cells[0], c, WITHIN) is not None
            slower &= signs[f"{c['streams']} on {clip}"] != -1 or told(result, cells[0], c) == 1
    found = decided_places(result, signs, WITHIN, "; ".join(parts) + in_code(cells))
    if None in signs.values() and turned:
        found.because += f"; at {turned} of {len(signs)} places border blocks in plain code, by an estimate, do not say what vectors do"
    if found.verdict in (FAILS, PART) and slower:
        found.because += "; slower there, so that they are not like portions with more streams either, should the paper mean that"
    return found


def second_form_worse(result):
    """With as many streams, 2 or 4, the second form takes more than the first, on each clip."""
    parts, pairs = [], []
    for clip in clip_names(result):
        lines = [{c["streams"]: c for c in stream_cells(result, clip, rung)} for rung in FORMS]
        if not all(set(SHOWN) <= set(line) for line in lines):
            return None
        parts.append(f"{clip}: " + ", ".join(f"{n}: {number(ms(lines[0][n]))} to {number(ms(lines[1][n]))} ms ({over(result, lines[0][n], lines[1][n])})" for n in SHOWN))
        pairs += [(lines[1][n], lines[0][n]) for n in SHOWN]
    return of_both(result, pairs, "portions, then reduced, by streams: " + "; ".join(parts) + in_code(lines[0].values()))


def left_on_host(result, clip):
    """Of the rung without borders on the host: mean milliseconds a block that are neither launching, copying, waiting nor rebuilding.
    The scan of the results is a part of it."""
    cell = best(result, clip, "all-on-device")
    return (cell["counts"]["cpu_ms"] - cell["counts"]["reconstruct_ms"]) / cell["counts"]["blocks"] if cell else None


def scanning_is_small(result):
    """With streams in portions, where the device searches the inner blocks: a bound, which bears the claim out or leaves it open."""
    parts, shares = [], []
    for clip in clip_names(result):
        each, cells = left_on_host(result, clip), [c for c in stream_cells(result, clip, FORMS[0]) if c["streams"] in SHOWN]
        if each is None or not cells:
            return None
        cell = min(cells, key=lambda c: mean(walls(c)))
        scan, whole = each * (cell["counts"]["blocks"] - cell["counts"]["on_host"]), mean(walls(cell))
        parts.append(f"{clip}, {cell['streams']} streams: {number(scan)} of {number(whole)} ms")
        shares.append(scan / whole)
    text = f"{'; '.join(parts)}: means of frames{in_code([cell])}"
    said = f"what the host does for inner blocks besides launches, copies and rebuilding takes up to {100 * max(shares):.1f} % (as in `all-on-device`, for as many blocks); the limit is a tenth"
    return Finding(text, HOLDS, said) if max(shares) <= TENTH else Finding(text, OPEN, f"{said}, and a bound refutes nothing")
