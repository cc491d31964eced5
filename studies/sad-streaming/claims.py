# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper, with a verdict that follows from the figures of each run."""

from cells import (ALL, RINGS, drop, groups_of, kernel_ms, main_picture, of_paper, pick, pixels, swept, swept_pictures)
from figures import number
from flags import flags
from stated import FIXED
from verdicts import EQUAL, FAILS, Finding, HOLDS, OPEN, PART, claims_table, compare, counted_less, holds_if, kernels, mark, nearly_all, of_signs

PAPER = [32, 64, 128, 256, 512]
LIKE_SMALL = 1.05  # times the time of a pixel that a larger picture may take: the paper names no limit


def upto(result, most=512):
    return [g for g in groups_of(result) if g <= most]


def named(kernel, rows):
    return f"{kernel}, {rows} rows" if rows > 1 else kernel


def rows_of(rows):
    return f"{rows} row{'s' if rows > 1 else ''}"


def listed(values):
    return ", ".join(map(str, values)) or "none"


def bytes_up(result):
    wide, narrow = pick(result, "distributed", 1, 512), pick(result, "distributed", 1, 512, "8-bit")
    if not wide or not narrow:
        return None
    less = 100 * (1 - narrow["bytes_up"] / wide["bytes_up"])
    return holds_if(round(less) == 75, f'{less:.0f} %, {wide["bytes_up"]:,} to {narrow["bytes_up"]:,}')


def bytes_time(result):
    """Copies and kernel together, of each kernel and group of the paper."""
    signs, shown = [], None
    for kernel, rows in ALL:
        for group in PAPER:
            cells = [pick(result, kernel, rows, group, bits) for bits in ("32-bit", "8-bit")]
            if None in cells:
                continue
            signs.append(compare(*[type(kernels(cell))(run[0] + run[1] + run[2] for run in cell["runs"]) for cell in cells]))
            if (kernel, rows, group) == ("distributed", 1, 512):
                shown = [sum(cell["median"][key] for key in ("upload_ms", "kernel_ms", "download_ms")) for cell in cells]
    if shown is None:
        return None
    less, more = sum(sign < 0 for sign in signs), sum(sign > 0 for sign in signs)
    return of_signs(signs, f"copies and kernel, distributed, 512: {number(shown[0])} to {number(shown[1])} ms; of {len(signs)} kernels and groups {less} take less, {more} more")


def loops_beside(result):
    """Loops and unrolled, of the paper's three kernels at each of its groups. With four rows to a group loops were not run."""
    found = {kernel: [[pick(result, kernel, 1, g, unrolled=how) for how in (False, True)] for g in PAPER] for kernel in ("global", "centralised", "distributed")}
    return None if any(None in pair for pairs in found.values() for pair in pairs) else found


def unrolling(result):
    found = loops_beside(result)
    if not found:
        return None
    signs = [compare(*map(kernels, pair)) for pairs in found.values() for pair in pairs]
    gains = (f"{kernel} {', '.join(number(kernel_ms(a) / kernel_ms(b)) for a, b in pairs)}" for kernel, pairs in found.items())
    return of_places(signs, f"times as fast at {listed(PAPER)}: {'; '.join(gains)}")


def unrolled_code(result):
    found = loops_beside(result)
    if not found or found["global"][0][1]["code_kind"] == "program file":  # which holds more than the kernel
        return None
    longer = {kernel: [b["code_bytes"] / a["code_bytes"] for a, b in pairs] for kernel, pairs in found.items()}
    every = sum(longer.values(), [])
    first, last = ([f"{kernel} {pairs[i][0]['code_bytes']:,} to {pairs[i][1]['code_bytes']:,}" for kernel, pairs in found.items()] for i in (0, -1))
    text = "; ".join(f"{g}: {', '.join(parts)}" for g, parts in ((PAPER[0], first), (PAPER[-1], last)))
    return Finding(f'{text} bytes of {found["global"][0][1]["code_kind"]}', HOLDS if min(every) >= 2 else PART if max(every) > 1 else FAILS,
                   "the limit is twice as long" if min(every) >= 2 else f"at {listed(PAPER)} {number(min(every))} to {number(max(every))} times as long; it holds from twice as long on; from how much on that is much, the paper does not say")


def global_slowest(result):
    small = [g for g in groups_of(result) if g < 256]
    signs, beaten = [], []
    for g in small:
        cells = pick(result, "global", 1, g), [pick(result, k, r, g) for k, r in RINGS]
        if cells[0] is None or None in cells[1]:
            return None
        all_signs = [compare(kernels(cells[0]), kernels(other)) for other in cells[1]]
        signs += all_signs
        beaten += [f"{k}, {r} {'row' if r == 1 else 'rows'}, {g}" for (k, r), s in zip(RINGS, all_signs) if s > 0]
    return of_signs(signs, "slower than global: " + (f"{len(beaten)} of {len(signs)} ({', '.join(beaten[:4])}{', ...' if len(beaten) > 4 else ''})" if beaten else "none"), always=True)


def equal_at_512(result):
    a, parts, signs = pick(result, "global", 1, 512), [], []
    for rows in (1, 4):
        b = pick(result, "centralised", rows, 512)
        if a is None or b is None:
            return None
        parts.append(f"{number(kernel_ms(b))} ms with {rows} row{'s' if rows > 1 else ''} to a group")
        signs.append(compare(kernels(a), kernels(b)))
    return Finding(f"global {number(kernel_ms(a))} ms, centralised " + ", ".join(parts), HOLDS if not any(signs) else PART if 0 in signs else FAILS, "told apart from global" + (f" at {len(signs) - signs.count(0)} of {len(signs)}" if any(signs) else " at none"))


def distributed_fastest(result):
    """Of a row to a group and of four: the paper does not say how many its groups have."""
    found, parts = [], []
    for rows in (1, 4):
        signs, beaten = [], []
        for g in upto(result):
            mine, others = pick(result, "distributed", rows, g), [pick(result, k, r, g) for k, r in ALL[:3]]
            if mine is None or None in others:
                return None
            all_signs = [compare(kernels(other), kernels(mine)) for other in others]
            signs += all_signs
            beaten += [str(g)] if max(all_signs) > 0 else []
        found.append(of_signs(signs, "", always=True).verdict)
        parts.append(f"{rows_of(rows)}: slower than one of the others at {listed(beaten)}")
    return Finding(f"{'; '.join(parts)}, of {listed(upto(result))}", found[0] if len(set(found)) == 1 else PART, "" if set(found) == {HOLDS} else "a single group at which it is slower refutes it")


def rate(result):
    """On work of the paper's size alone."""
    cell, settings = pick(result, "distributed", 1, 512), result["settings"]
    if cell is None or main_picture(result) != "434x383" or (settings["window"], settings["disparities"]) != ("5", "64"):
        return None
    ms, wall = kernel_ms(cell), cell["median"]["wall_ms"]
    work = f"{main_picture(result)}, windows of {settings['window']}x{settings['window']}, {settings['disparities']} candidates as in the paper; its device is a GeForce 940M"
    return holds_if(ms <= 4.88, f"{number(ms)} ms, {number(1000 / ms)} frames/s; host to host {number(wall)} ms, {number(1000 / wall)} frames/s", work, work)


def faster_at_all(before, after, rows, printed=""):
    """Whether one kernel takes less than another at each of the paper's groups, with these rows to a group."""

    def check(result):
        parts, signs = [], []
        for shape in rows:
            cells = [[pick(result, kernel, 1 if kernel == "global" else shape, g) for kernel in (before, after)] for g in PAPER]
            if any(None in pair for pair in cells):
                return None
            signs += [compare(kernels(a), kernels(b)) for a, b in cells]
            parts.append(f"{rows_of(shape)} {', '.join(number(kernel_ms(a) / kernel_ms(b)) for a, b in cells)}")
        return of_places(signs, f"times as fast at {listed(PAPER)}{printed}: {'; '.join(parts)}")

    return check


def of_places(signs, text, always=False):
    """of_signs(), with at how many places it is so where it is not so everywhere."""
    found = of_signs(signs, text, always=always)
    if len(set(signs)) > 1:
        found.because = f"faster at {signs.count(-1)} of {len(signs)}, slower at {signs.count(1)}, not told apart at {signs.count(0)}"
    return found


def of_steps(signs, text, what):
    """of_signs(), with how many steps were told apart."""
    right, wrong, untold = (signs.count(sign) for sign in (-1, 1, 0))
    found = of_signs(signs, text)
    if found.verdict == PART or untold:
        found.because = f"it {what} at {right} of {len(signs)} steps, the other way at {wrong}, not told apart at {untold}"
    return found


def falls(wanted, kernels_of, band=None, rises=False):
    """From doubling to doubling the times fall (or rise); with `band`, a kernel's by so many percent each time."""

    def check(result):
        parts, signs, inside = [], [], []
        for kernel, rows in kernels_of:
            steps = []
            for before, after in wanted:
                a, b = pick(result, kernel, rows, before), pick(result, kernel, rows, after)
                if a is None or b is None:
                    return None
                signs.append(compare(kernels(a), kernels(b)))
                steps.append(drop(kernel_ms(a), kernel_ms(b)))
            inside.append([band is not None and band[0] <= step <= band[1] for step in steps])
            parts.append(f"{named(kernel, rows)}: " + ", ".join(f"{number(s)} %" for s in steps))
        text = "; ".join(parts)
        if band:
            return Finding(text, HOLDS if all(map(all, inside)) else PART if any(map(all, inside)) else FAILS,
                           f"a kernel's falls have to lie in it at each doubling: so of {sum(map(all, inside))} of {len(inside)}; single ones do at {sum(map(sum, inside))} of {sum(map(len, inside))} steps, by medians")
        return of_steps([-s for s in signs] if rises else signs, text, "rises" if rises else "falls")

    return check


PAIRS = list(zip(PAPER, PAPER[1:]))
OTHERS = [("global", 1), ("distributed", 1), ("distributed", 4)]  # the paper does not say how many rows a group has


def peak_at_128(result):
    """On the given picture and at each size of the sweep: groups of 128 against each of the other sizes; one that is faster refutes it."""
    parts, signs = [], []
    for picture in sorted([main_picture(result)] + swept_pictures(result), key=pixels):
        said = []
        for kernel, rows in ALL:
            cells = [c for c in swept(result, picture, kernel, rows) if c["group"] in PAPER]
            at = [c for c in cells if c["group"] == 128]
            if not at or len(cells) < 4:
                continue
            found = {c["group"]: compare(kernels(c), kernels(at[0])) for c in cells if c["group"] != 128}
            signs += found.values()
            said.append(f"{named(kernel, rows)} " + " and ".join(f"{how} {listed([g for g, s in found.items() if s == sign])}"
                                                                 for sign, how in ((1, "slower than"), (0, "not told apart from"), (-1, "faster than")) if sign in found.values()))
        if said:
            parts.append(f"{picture} {'; '.join(said)}")
    return of_places(signs, f"8-bit; 128 against each other group: {'. '.join(parts)}", always=True) if signs else None


def grows_to_512(result):
    """The paper's observation of all three: it goes on to fall, to the largest group."""
    parts, signs = [], []
    for kernel, rows in ALL:
        cells = [pick(result, kernel, rows, g) for g in (128, 512)]
        if None in cells:
            return None
        signs.append(compare(*map(kernels, cells)))
        parts.append(f"{named(kernel, rows)} {number(kernel_ms(cells[0]))}, {number(kernel_ms(cells[1]))} ms")
    return of_places(signs, "128, 512: " + "; ".join(parts))


def scaled(cell, factor):
    """Each run's kernel time, times a factor."""
    return type(kernels(cell))(factor * run for run in kernels(cell))


def larger_pictures(result):
    """Time for each pixel at each size of the sweep, against that of the given picture."""
    if not swept_pictures(result):
        return None
    best = {p: min((c for c in swept(result, p, "distributed") if c["group"] in PAPER), key=kernel_ms, default=None) for p in [main_picture(result)] + swept_pictures(result)}
    if None in best.values():
        return None
    each = {p: 1e6 * kernel_ms(cell) / pixels(p) for p, cell in best.items()}
    text = "; ".join(f"{p}: {number(v)}" for p, v in each.items()) + " ns a pixel (distributed, 8-bit, best group)"
    needed, there = {p: 4 * cell["local_bytes"] for p, cell in best.items()}, result["device"]["local_memory"]
    wide = [p for p, size in needed.items() if size > there]
    why = f"the limit is {LIKE_SMALL} times the first" + (f"; of 32-bit input rows of {', '.join(wide)} would need {listed([f'{needed[p]:,}' for p in wide])} bytes of local memory; the device has {there:,}" if wide else "")
    first = best[main_picture(result)]
    found = of_signs([compare(scaled(first, LIKE_SMALL / pixels(main_picture(result))), scaled(best[p], 1 / pixels(p))) for p in swept_pictures(result)], text, why, why)
    return Finding(text, OPEN if found.verdict == EQUAL else found.verdict, why)


def more_cores(result):
    cell = pick(result, "distributed", 1, 512)
    units = result["device"]["compute_units"]
    if cell is None or units <= 3:
        return None
    faster = 4.88 / kernel_ms(cell)
    text = f"{units} units instead of 3, {number(faster)} times as fast as the paper's 4.88 ms: {number(3 * faster / units)} times for each unit"
    return Finding(text, HOLDS if 3 * faster >= units else PART if faster > 1 else FAILS, "the limit is as many times as fast as it has units more; clock and kind of the units differ too")


def same_code(results):
    """The same kernels on all devices and sizes."""
    units = sorted({result["device"]["compute_units"] for _, result in results})
    sizes = {picture for _, result in results for picture in [main_picture(result)] + swept_pictures(result)}
    ran = [c for _, result in results for c in result["cells"] if c["refused"] is None and c["must_equal"]]
    right = all(c["differing"] == 0 for c in ran)
    text = f"one text on devices of {listed(units)} units, at {listed(sorted(sizes, key=pixels))}: {'all' if right else 'not all'} of {len(ran)} maps equal the reference's"
    return Finding(text, HOLDS if right and len(units) > 1 and len(sizes) > 1 else OPEN)


def fall_shrinks(result):
    """Figure 9: each fall is smaller than the one before. What all runs but the outermost can give tells where."""
    parts, smaller, larger = [], 0, 0
    for kernel, rows in ALL:
        cells = [pick(result, kernel, rows, g) for g in PAPER]
        if None in cells:
            return None
        ranges = [nearly_all(kernels(c)) for c in cells]
        falls_of = [(drop(a[0], b[1]), drop(a[1], b[0])) for a, b in zip(ranges, ranges[1:])]
        smaller += sum(b[1] < a[0] for a, b in zip(falls_of, falls_of[1:]))
        larger += sum(b[0] > a[1] for a, b in zip(falls_of, falls_of[1:]))
        parts.append(f"{named(kernel, rows)}: " + ", ".join(f"{number(drop(kernel_ms(a), kernel_ms(b)))} %" for a, b in zip(cells, cells[1:])))
    places = 3 * len(ALL)
    verdict = of_signs([-1] * smaller + [1] * larger + [0] * (places - smaller - larger), "").verdict if smaller or larger else OPEN
    return Finding("; ".join(parts), verdict, f"smaller than the fall before at {smaller} of {places} places, larger at {larger}, not told apart at {places - smaller - larger}")


def above_512(result):
    """All of the paper's kernels: a group of 1024 has twice the rows of one of 512, or twice the columns."""
    signs, parts = [], []
    for kernel, rows in ALL:
        a, larger = pick(result, kernel, rows, 512), pick(result, kernel, rows, 1024)
        if a is None or larger is None:
            continue
        signs.append(compare(kernels(larger), kernels(a)))
        parts.append(f"{named(kernel, rows)} {number(kernel_ms(a))}, {number(kernel_ms(larger))} ms")
    if not signs:
        return None
    why = f"slower at {signs.count(-1)} of {len(signs)}" + "".join(f", {said} at {signs.count(sign)}" for said, sign in (("faster", 1), ("not told apart", 0)) if sign in signs) + "; the paper's reason, 384 cores, is not of this device"
    return of_signs(signs, "512, 1024: " + "; ".join(parts), why, why)


def reads_of(cell):
    return cell["counts"]["global_reads_per_disparity"]


def fewer_reads(result):
    """Groups of as many columns: with one row all five rows of a window are brought for each, with four one new row for each but the first."""
    plain, parts, less, widths = pick(result, "global", 1, 512), [], [], [g for g in PAPER if 4 * g in PAPER]
    for kernel in ("centralised", "distributed"):
        pairs = [(pick(result, kernel, 1, width), pick(result, kernel, 4, 4 * width)) for width in widths]
        if plain is None or any(None in pair or [c["local_size"][0] for c in pair] != [width] * 2 for pair, width in zip(pairs, widths)):
            return None
        parts.append(f"{kernel} " + ", ".join(f"{listed([number(reads_of(pair[i])) for pair in pairs])} with {said}" for i, said in enumerate(("1 row to a group", "4"))))
        less += [reads_of(four) < reads_of(one) < reads_of(plain) for one, four in pairs]
    return counted_less(less, f"reads of global memory a disparity, groups {listed(widths)} wide (with 4 rows those called {listed([4 * g for g in widths])} elsewhere): {'; '.join(parts)}; global {number(reads_of(plain))}")


def shared_more(result):
    """The larger a group, the fewer reads a disparity costs, whoever brings them."""
    parts, less = [], []
    for rows in (1, 4):
        lines = [[pick(result, kernel, rows, g) for g in PAPER] for kernel in ("centralised", "distributed")]
        if any(None in cells for cells in lines):
            return None
        counted = [[reads_of(c) for c in cells] for cells in lines]
        said = [", ".join(map(number, line)) for line in counted]
        parts.append(f"{rows_of(rows)} to a group {said[0]}" + ("" if said[0] == said[1] else f" (distributed {said[1]})"))
        less += [b < a for line in counted for a, b in zip(line, line[1:])]
    return counted_less(less, f"reads of global memory a disparity at {listed(PAPER)}: {'; '.join(parts)}")


def conditions(result):
    a, b = pick(result, "centralised", 1, 512), pick(result, "distributed", 1, 512)
    if a is None or b is None:
        return None
    loads = a["counts"]["global_reads_per_disparity"], b["counts"]["global_reads_per_disparity"]
    text = f'{a["code_bytes"]:,} against {b["code_bytes"]:,} bytes of {a["code_kind"]}, at 512 {number(kernel_ms(a))} against {number(kernel_ms(b))} ms'
    brought = f"both bring the same pixels ({number(loads[0])} loads a disparity)" if loads[0] == loads[1] else f"{number(loads[0])} against {number(loads[1])} loads a disparity"
    return Finding(text, OPEN, f"{brought}, one work-item or all: conditions and loads are not told apart")


def banks(result):
    """The same copies in columns of local memory, with a pitch of a power of 2 and with an odd one."""
    found = [(g, [pick(result, "distributed", 1, g, tile=tile) for tile in ("columns", "columns-padded")]) for g in PAPER]
    if any(None in cells for _, cells in found) or result["device"]["largest_group"] > 1024:
        return None  # PoCL's local memory has no banks
    many, few = ([cells[i]["counts"]["bank_conflicts"] for _, cells in found] for i in (0, 1))
    times = "; ".join(f"{max(count)} at a bank {', '.join(number(kernel_ms(cells[i])) for _, cells in found)} ms" for i, count in enumerate((many, few)))
    return of_signs([compare(kernels(a), kernels(b)) for _, (a, b) in found], f"work-items that meet, groups of {listed(PAPER)}: {times}")


def vertical(result):
    found = [(pick(result, "distributed", 1, g), pick(result, "vertical", 1, g)) for g in PAPER]
    if any(None in pair for pair in found):
        return None
    counted = [number(cell["counts"]["differences_per_disparity"]) for cell in found[-1]]
    gains = ", ".join(number(kernel_ms(a) / kernel_ms(b)) for a, b in found)
    text = f"four to a work-item: {gains} times as fast as distributed, at {listed(PAPER)}; {counted[1]} differences a disparity instead of {counted[0]}"
    return of_places([compare(kernels(a), kernels(b)) for a, b in found], text)


MEASURED = [
    ("VI", "8-bit input cuts what is copied to the GPU by 75 %", bytes_up),
    ("VI", "... which noticeably lowers the time", bytes_time),
    ("VI-A", "A new row at a time reduces the accesses to global memory", fewer_reads),
    ("V", "Unrolling the loops makes it faster", unrolling),
    ("V", "... since it removes the loops' overhead and hides stalls", Finding("-", OPEN, "times alone do not tell the cause")),
    ("V", "... at the price of much lengthier code", unrolled_code),
    ("VII, fig. 8", "There is a trend: the time falls as groups grow, 32 to 512", falls(PAIRS, ALL)),
    ("VII", "A larger group shares more of local memory: fewer reads of global memory", shared_more),
    ("VII", "... which, with a better mapping to the hardware, explains the trend", Finding("-", OPEN, "reads are counted, times measured: what of them makes the times is not told, and times do not fall at each step")),
    ("VII, fig. 9", "The fall is 40 to 50 % a doubling up to 128", falls(PAIRS[:2], OTHERS, (40, 50))),
    ("VII, fig. 9", "... and the time of all three still falls from 128 to 512 (by less: the next row)", falls(PAIRS[2:], ALL)),
    ("VII, fig. 9", "The larger the group, the smaller the fall (generally)", fall_shrinks),
    ("VII, fig. 9", "The centralised kernel gets slower from 128 to 256 and to 512", falls(PAIRS[2:], [("centralised", 1), ("centralised", 4)], rises=True)),
    ("VII", "The peak is expected at groups of 128", peak_at_128),
    ("VII", "... but 512 is faster", grows_to_512),
    ("VII", "Global memory is the slowest below groups of 256", global_slowest),
    ("VII", "At 512, global and centralised take similarly long (18.03, 18.01 ms)", equal_at_512),
    ("VII", "Distributed is consistently faster than both", distributed_fastest),
    ("VII, VIII", "Distributed at 512: 4.88 ms, 205 frames/s", rate),
    ("Abstract, VIII", "Local memory filled by all beats global memory", faster_at_all("global", "distributed", (1, 4), "; by the paper's times 3.7 at 512")),
    ("VIII", "Distributed beats centralised loading", faster_at_all("centralised", "distributed", (1, 4), "; by the paper's times 3.7 at 512")),
    ("VI-B", "Without the centralised kernel's conditions the distributed one saves time", conditions),
    ("V", "Groups above 512 do not match the hardware", above_512),
    ("IV", "Bank conflicts should be avoided", banks),
    ("VI-A", "A flag for each row is enough: work-items run in the order of their rows", flags("printed")),
    ("VI-A, ours", "... with a second flag for what is loaded", flags("loaded")),
    ("VI-A, ours", "... and with rows that wait for the group above, as the array has room for", flags("chained")),
    ("VI-A, ours", "... where the group above comes later, which OpenCL allows", flags("reversed")),
    ("VIII", "Loading downwards, several disparities from a kernel, optimises further (future work)", vertical),
    ("VIII", "It scales to GPUs with more cores", more_cores),
    ("VIII", "... and to higher resolutions", larger_pictures),
]


def claims(results):
    results = of_paper(mark(results))
    return claims_table(MEASURED + [("VIII", "... with very similar code", same_code(results))] + FIXED, results)
