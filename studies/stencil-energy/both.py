# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of several devices or runs beside each other: threads of a processor, a processor and the board of the
same machine, one text and one configuration for all."""

from application import NOT_HERE, short_reason
from figures import bound, number
from figures_of import HD, NAMES, VGA, energy, has_processor_counter, host, is_cpu, main_results, missing_counter, ms, of_one_machine, one_configuration, row, search_doubt, walls
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, at_least, compare, holds_if, of_signs, short_name


def pairs_of(results):
    """Boards with the processor beside them."""
    return [(board, processor) for _, board in results for _, processor in results if not is_cpu(board) and is_cpu(processor) and of_one_machine(board, processor)]


def more_threads(results):
    """All threads of a processor against half of them, 2P-NV at full HD."""
    figures, signs = [], []
    for _, result in main_results(results):
        for _, half in results:
            same = is_cpu(result) and is_cpu(half) and of_one_machine(result, half)
            if same and 2 * half["device"]["compute_units"] == result["device"]["compute_units"]:
                a, b = row(result, HD, "2P-NV"), row(half, HD, "2P-NV")
                if a and b:
                    figures.append(f"2P-NV, full HD: {result['device']['compute_units']} threads {number(a.gflops)}, {half['device']['compute_units']} thread{'s' if half['device']['compute_units'] > 1 else ''} {number(b.gflops)} GFlop/s")
                    signs.append(compare(b.runs, a.runs))
    return of_signs(signs, "<br>".join(figures), because_not="whether two of these threads share a core is not known") if figures else Finding("-", NOT_YET, "no processor was run with half of its threads too")


def alike_shapes(results):
    """The order of the paper's six variants on a processor and on the board beside it: of each pair that both tell apart."""
    figures, reasons, counts = [], [], []
    for board, processor in pairs_of(results):
        times = {name: [row(r, HD, name) for r in (processor, board)] for name in NAMES}
        if not all(a and b for a, b in times.values()):
            continue
        pairs = {f"{name} and {second}": [compare(a.runs, b.runs) for a, b in zip(times[name], times[second])] for i, name in enumerate(NAMES) for second in NAMES[i + 1:]}
        told = {name: signs for name, signs in pairs.items() if 0 not in signs}
        other = [name for name, (a, b) in told.items() if a != b]
        api = board["device"]["api"].split()[0]
        reasons.append(f"{api}: {len(told) - len(other)} of {len(pairs)} pairs in the same order, {len(pairs) - len(told)} not told apart" + (f", the other way round for {', '.join(other)}" if other else ""))
        counts.append((len(told) - len(other), len(other), len(pairs) - len(told)))
        figures.append(f"{api}: MC {', '.join(number(a.gflops) for a, _ in times.values())}; GPU {', '.join(number(b.gflops) for _, b in times.values())}")
    if not figures:
        return lambda result: None
    same, other, untold = (sum(count) for count in zip(*counts))
    verdict = part_of(same, other, untold)
    return Finding(f"{', '.join(NAMES)}, GFlop/s at full HD: " + "<br>".join(figures), verdict, "<br>".join(reasons))


def part_of(same, other, untold):
    """What studies/README.md says of so many places for a claim, against it and not told apart."""
    if same:
        return PART if other or untold else HOLDS
    return FAILS if other >= untold else OPEN


def same_on_both(results):
    """Whether each optimisation that is faster on a processor is so on the board beside it, and the other way round, at full HD and VGA: one
    that is not refutes it."""
    steps = [(f"vectors {form}", f"{form}-NV", f"{form}-V") for form in ("2P", "1P")] + [(f"unrolling {form}", f"{form}-V", f"{form}-V-UR") for form in ("2P", "1P")]
    steps += [(f"one pass {kind}", f"2P-{kind}", f"1P-{kind}") for kind in ("NV", "V", "V-UR")]
    figures, names = [], {"same": [], "other": [], "untold": []}
    for board, processor in pairs_of(results):
        for size, at in ((HD, ""), (VGA, " at VGA")):
            for name, before, after in steps:
                times = [(row(r, size, before), row(r, size, after)) for r in (processor, board)]
                if not all(a and b for a, b in times):
                    continue
                figures.append(f"{name}{at} {', '.join(f'{number(a.ms / b.ms)}x' for a, b in times)} ({board['device']['api'].split()[0]})")
                signs = {compare(a.runs, b.runs) for a, b in times}
                names["other" if signs == {-1, 1} else "untold" if 0 in signs else "same"].append(name + at)
    if not figures:
        return lambda result: None
    reasons = [f"{said} {', '.join(dict.fromkeys(names[kind]))}" for said, kind in (("the same for", "same"), ("not for", "other"), ("no difference measured on one of them for", "untold")) if names[kind]]
    return Finding("MC, GPU: " + "; ".join(figures), FAILS if names["other"] else part_of(*map(len, names.values())), "; ".join(reasons))


def one_text(results):
    """The same kernels for processors and boards."""
    ran = [c for _, r in results for c in r["cells"] if c["refused"] is None and "differing" in c and c["on"] == "device"]
    kinds = {is_cpu(result) for _, result in results}
    right = all(c["differing"] == 0 for c in ran)
    different = {tuple(str(c.get(key)) for key in ("size", "points", "form", "width", "taps", "unrolled", "group", "strip")) for c in ran}
    return Finding(f"{len(different)} variants and sizes, {len(ran)} runs of them, on {', '.join(short_name(result).replace(', ', ' by ') for _, result in results)}: {'all' if right else 'not all'} equal the reference bit by bit", HOLDS if right and len(kinds) == 2 else OPEN)


def copy_part(result, time):
    """GB/s that a row of one pass reads and writes, a float each for a pixel, and those of a copy of the picture."""
    return 8e-6 * 1920 * 1080 / time.ms, result["limits"]["copy_1080p_gbs"]


def lower_than_processor(results):
    """GPU and MC of one machine."""
    figures, signs, why = [], [], []
    for board, processor in pairs_of(results):
        times = [(title, row(board, size, "1P-V-UR"), row(processor, size, "1P-V-UR")) for size, title in ((HD, "full HD"), (VGA, "VGA"))]
        times = [one for one in times if one[1] and one[2]]
        if not times:
            continue
        figures.append(f"{short_name(board)}, its host's {processor['device']['compute_units']} threads: " + "; ".join(f"{title} {number(a.gflops)} against {number(b.gflops)} GFlop/s" for title, a, b in times) +
                       f"; measured peaks {number(board['limits']['peak_gflops'])} and {number(processor['limits']['peak_gflops'])} (the paper's 147 and 250)")
        signs += [compare(a.runs, b.runs) for _, a, b in times]
        if compare(times[0][1].runs, times[0][2].runs) >= 0 and times[0][0] == "full HD":
            rates = [copy_part(r, time) for r, time in zip((board, processor), times[0][1:])]
            said = [f"{number(rate)} of the {number(copy)} GB/s of a copy" for rate, copy in rates]
            why.append(f"{board['device']['api'].split()[0]}: the board moves {said[0]}, the processor {said[1]}" + (": the memory is the limit of neither" if all(rate < 0.8 * copy for rate, copy in rates) else ""))
    return of_signs(signs, "<br>".join(figures), because_not="<br>".join(dict.fromkeys(why))) if figures else Finding("-", NOT_YET, "no run on a board has one on its processor beside it")


def over_intrinsics(everything):
    """One thread of OpenCL, which was measured by itself, against one core of our filter on the same machine."""
    def check(result):
        alone = next((r for _, r in everything if is_cpu(r) and r["device"]["compute_units"] == 1 and of_one_machine(r, result)), None)
        time, simd = row(alone, HD, "1P-V") if alone else None, host(result, HD, "ours")
        if not time or not simd:
            return None
        found = at_least(walls(simd), time.runs, 1, f"OpenCL in one thread, groups of {time.group}, {number(time.ms)} ms, our filter, in place of theirs, on one core {number(ms(simd))} ms", *2 * ["our filter's vectors may be wider than the paper's 8 floats"])
        if found.verdict == FAILS:
            half = at_least(walls(simd), time.runs, 0.5, "").verdict  # of a filter with vectors of 8
            found = Finding(found.figures, FAILS if half == FAILS else OPEN, "our filter's vectors may be twice as wide as the paper's 8 floats: " + ("half its speed would be ahead, too" if half == FAILS else "half its speed is not ahead for sure"))
        return found
    return check


def one_code(size, printed):
    """Decided only beyond what the search's least times and the rounds of the same variants lie apart."""
    def check(results):
        found = one_configuration(results, size)
        if not found:
            return lambda result: None
        (unrolled, group), entries = found
        doubts = [search_doubt(result, size) for result, _, _ in entries]
        least = [(1 + loss / 100) / (1 + doubt) - 1 for (_, _, loss), doubt in zip(entries, doubts)]
        most = [(1 + loss / 100) * (1 + doubt) - 1 for (_, _, loss), doubt in zip(entries, doubts)]
        figures = f"unroll {unrolled}, groups of {group}: " + ", ".join(f"{short_name(result)} {number(loss)} %" for result, _, loss in entries) + " (of a search's least times)"
        if all(100 * value <= printed for value in most):
            return Finding(figures, HOLDS)
        if any(100 * value > printed for value in least):
            return Finding(figures, FAILS)
        worst = max(range(len(doubts)), key=doubts.__getitem__)
        return Finding(figures, OPEN, f"search and rounds of the same variants lie up to {bound(100 * doubts[worst])} % apart on {short_name(entries[worst][0])}")
    return check


def on_processor_and_board(key, name="1P-V-UR", more=True):
    """A figure of energy, of a processor against the board beside it."""
    def of(results):
        def check(result):
            if not is_cpu(result):
                return None
            if not has_processor_counter(result):
                return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")
            for board, processor in pairs_of(results):
                values = [energy(r, row(r, HD, name).cell.get("counts"), is_cpu(r)) if row(r, HD, name) else None for r in (processor, board)]
                if processor is result and all(values):
                    mine, other = (value[key] for value in values)
                    return holds_if((mine > other) == more, f"{number(mine)} against {number(other)}")
            return None
        return check
    return of


def no_copies(result):
    """Memory of the host's that the device works in: what of mapping it grows with the picture, beside the stencil."""
    found = {(c["form"], c["size"]): c["median"] for c in result["cells"] if c["part"] == "sharing" and c["refused"] is None}
    ways = ("CL_MEM_ALLOC_HOST_PTR", "CL_MEM_USE_HOST_PTR")
    if not all((way, size) in found for way in ("copies", *ways) for size in (HD, VGA)):
        return None
    took = {key: median["upload_ms"] + median["download_ms"] for key, median in found.items()}
    grows = {way: max(0, took[way, HD] - took[way, VGA]) / (1 - 640 * 480 / (1920 * 1080)) for way in ways}
    kernel = min(found[way, HD]["kernel_ms"] for way in ways)
    parts = [f"{way} {number(took[way, HD])} ms (VGA {number(took[way, VGA])} ms)" for way in ways]
    figures = f"full HD up and down: copies {number(took['copies', HD])} ms, {', '.join(parts)}; the stencil {number(kernel)} ms"
    most, small = max(grows.values()), max(took[way, VGA] / found[way, VGA]["kernel_ms"] for way in ways)
    grown = f"of mapping {number(most)} ms grow with the picture" if most else "nothing of mapping grows with the picture"
    return Finding(figures, OPEN, f"{grown}; at VGA it takes {100 * small:.0f} % of the stencil's time; the paper speaks of its on-chip GPU, this is a processor")
