# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says of several devices or runs beside each other: threads of a processor, a processor and the board of the
same machine, one text and one configuration for all."""

from application import NOT_HERE, short_reason
from figures import bound, number
from figures_of import HD, NAMES, VGA, energy, has_processor_counter, host, is_cpu, main_results, missing_counter, ms, of_one_machine, one_configuration, row, search_doubt, threads_of, too_few_groups, walls
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, at_least, compare, counted, holds_if, of_signs, short_name


SHOWN = ((HD, "full HD"), (VGA, "VGA"))


def pairs_of(results):
    """Boards with the processor beside them."""
    return [(board, processor) for _, board in results for _, processor in results if not is_cpu(board) and is_cpu(processor) and of_one_machine(board, processor)]


def more_threads(results):
    """All threads of a processor against half of them: the variants and sizes that both ran in groups of one size, with work for all threads.
    The claim is of two threads to a core, and no run says which threads share one: it is left open."""
    figures, reasons = [], []
    for _, result in main_results(results):
        for _, half in results:
            same = is_cpu(result) and is_cpu(half) and of_one_machine(result, half)
            if not same or 2 * threads_of(half) != threads_of(result):
                continue
            times = [(f"{name}, {title}", row(result, size, name), row(half, size, name)) for size, title in SHOWN for name in NAMES]
            times = [(says, a, b) for says, a, b in times if a and b and a.group == b.group and not too_few_groups(result, a) and not too_few_groups(half, b)]
            few = f"{threads_of(half)} thread{'s' if threads_of(half) > 1 else ''}"
            figures += [f"{says}: {threads_of(result)} threads {number(a.gflops)}, {few} {number(b.gflops)} GFlop/s" for says, a, b in times]
            signs = [compare(b.runs, a.runs) for _, a, b in times]
            if signs:
                reasons.append(f"{threads_of(result)} threads against {few}: {counted(signs + [0] * (len(SHOWN) * len(NAMES) - len(signs)))}")
    if not figures:
        return Finding("-", NOT_YET, "no processor was run with half of its threads too")
    return Finding("<br>".join(figures), OPEN, "; ".join(reasons) + "; whether two of these threads share a core no run says; what is not told apart ran in groups of different sizes, left threads without work, was not run, or is so by its runs")


def of_places(signs, figures, places=0, always=False):
    """of_signs(), with at how many places it is so where it is not so everywhere; what was not run of so many places is not told apart."""
    missing = max(0, places - len(signs))
    signs = signs + [0] * missing
    found = of_signs(signs, figures, always=always)
    if len(set(signs)) > 1:
        found.because = f"faster at {signs.count(-1)} of {len(signs)}, slower at {signs.count(1)}, not told apart at {signs.count(0)}"
    if missing:
        found.because = "; ".join(text for text in (found.because, f"{missing} of {places} {'was' if missing == 1 else 'were'} not run") if text)
    return found


def alike_shapes(results):
    """The order of the paper's six variants on a processor and on the board beside it: of each pair that both tell apart."""
    figures, reasons, counts = [], [], []
    for board, processor in pairs_of(results):
        for size, title in SHOWN:
            api = board["device"]["api"].split()[0]
            times = {name: [row(r, size, name) for r in (processor, board)] for name in NAMES}
            if not all(a and b for a, b in times.values()):
                reasons.append(f"{api}, {title}: not run on both")
                continue
            pairs = {f"{name} and {second}": [compare(a.runs, b.runs) for a, b in zip(times[name], times[second])] for i, name in enumerate(NAMES) for second in NAMES[i + 1:]}
            told = {name: signs for name, signs in pairs.items() if 0 not in signs}
            other = [name for name, (a, b) in told.items() if a != b]
            reasons.append(f"{api}, {title}: {len(told) - len(other)} of {len(pairs)} pairs in the same order, {len(pairs) - len(told)} not told apart" + (f", the other way round for {', '.join(other)}" if other else ""))
            counts.append((len(told) - len(other), len(other), len(pairs) - len(told)))
            figures.append(f"{api}, {title}: MC {', '.join(number(a.gflops) for a, _ in times.values())}; GPU {', '.join(number(b.gflops) for _, b in times.values())}")
    if not figures:
        return lambda result: None
    same, other, untold = (sum(count) for count in zip(*counts))
    verdict = part_of(same, other, untold)
    return Finding(f"{', '.join(NAMES)}, GFlop/s: " + "<br>".join(figures), verdict, "<br>".join(reasons))


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
    lacks = []
    for board, processor in pairs_of(results):
        lacks += [at for size, at in SHOWN if not all(row(r, size, "1P-NV") for r in (processor, board))]
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
    reasons += [f"{at}: not run on both" for at in dict.fromkeys(lacks)]
    return Finding("MC, GPU: " + "; ".join(figures), FAILS if names["other"] else part_of(*map(len, names.values())), "; ".join(reasons))


def one_text(results):
    """The same kernels for processors and boards."""
    ran = [c for _, r in results for c in r["cells"] if c["refused"] is None and "differing" in c and c["on"] == "device"]
    kinds = {is_cpu(result) for _, result in results}
    right = all(c["differing"] == 0 for c in ran)
    different = {tuple(str(c.get(key)) for key in ("size", "points", "form", "width", "taps", "unrolled", "group", "strip")) for c in ran}
    return Finding(f"{len(different)} variants and sizes, {len(ran)} runs of them, on {', '.join(short_name(result).replace(', ', ' by ') for _, result in results)}: {'all' if right else 'not all'} equal the reference bit by bit", PART if right and len(kinds) == 2 else OPEN, "it runs; from when on it runs well, the paper does not say: the next rows have what one configuration loses")


def lower_than_processor(results):
    """The GPU's rows against those of all threads of the processor beside it, at both sizes."""
    def check(result):
        processor = next((p for board, p in pairs_of(results) if board is result), None)
        if processor is None:
            return None if is_cpu(result) else Finding("-", NOT_YET, "no run on this board has one on its processor beside it")
        times = [(name, title, row(result, size, name), row(processor, size, name)) for size, title in SHOWN for name in NAMES]
        times = [one for one in times if one[2] and one[3]]
        parts = [f"{title}: " + ", ".join(f"{name} {number(a.gflops)} against {number(b.gflops)}" for name, at, a, b in times if at == title) for _, title in SHOWN if any(at == title for _, at, *_ in times)]
        figures = (f"its host's {processor['device']['compute_units']} threads, {'; '.join(parts)} GFlop/s; measured peaks {number(result['limits']['peak_gflops'])} and "
                   f"{number(processor['limits']['peak_gflops'])} (the paper's 147 and 125, which is 250 of 4 cores by our correction)")
        signs = [compare(a.runs, b.runs) for _, _, a, b in times]  # -1: the processor takes less
        found = of_places(signs, figures, len(SHOWN) * len(NAMES))
        found.because = f"the GPU is slower at {signs.count(-1)} of {len(SHOWN) * len(NAMES)} variants and sizes, faster at {signs.count(1)}, not told apart at {signs.count(0)}, not run on both at {len(SHOWN) * len(NAMES) - len(signs)}"
        return found
    return check


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
