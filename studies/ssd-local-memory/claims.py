# SPDX-License-Identifier: Apache-2.0
"""Every claim of the report, with a verdict that follows from the figures of each run. The report's own form is the single launch:
what it says of times is judged by that one."""

from cells import PAPER_S, best, groups_of, of_report, pick, problems_of, program
from figures import bound, kernel_ms, number
from verdicts import EQUAL, FAILS, Finding, HOLDS, OPEN, PART, compare, holds_if, kernels, mark, nearly_all, of_signs, row, table_of

REPORTS = {"memory": "uchar4", "group": "32x16", "form": "single"}
NO_BANKS = "a processor's local memory has no banks"
OWN_GROUPS = " in groups 32 across, 32x16 and 32x32, as the report's"
NARROW, WIDE = ("16x32", "8x64"), "64x8"
ALIKE, APART = 0.05, 0.25  # of a quotient of the report's


def is_gpu(result):
    return "NVIDIA" in result["device"]["device"]


def name(problem):
    return f"{problem[0]}x{problem[0]}, {problem[1]}"


def over(result, first, second, groups=None):
    """Signs and ratios of all cells that both have, of these groups or of all: `first` and `second` are kinds of memory."""
    signs, ratios = [], []
    for problem in problems_of(result):
        for group in groups or groups_of(result):
            a, b = (pick(result, *problem, memory, group, "single") for memory in (first, second))
            if a and b:
                signs.append(compare(kernels(a), kernels(b)))
                ratios.append(kernel_ms(a) / kernel_ms(b))
    return signs, ratios


def range_of(ratios):
    return " to ".join(dict.fromkeys(number(end(ratios)) for end in (min, max)))


def in_widths(everything, result, first, second):
    """The same ratios of narrower groups and a wider one, of the run of the same device that has them: not the report's, which has 32 across."""
    other = next((r for _, r in everything if r is not result and NARROW[0] in groups_of(r) and [r["device"][key] for key in ("device", "api")] == [result["device"][key] for key in ("device", "api")]), None)
    found = {group: over(other, first, second, [group])[1] for group in (WIDE, *NARROW)} if other else {}
    return f"{OWN_GROUPS}; in others {', '.join(f'{group} {range_of(ratios)}' for group, ratios in found.items() if ratios)}" if any(found.values()) else OWN_GROUPS


def uchar4(result, everything=()):
    signs, ratios = over(result, "bytes", "uchar4")
    if not signs:
        return None
    text = f"time with packed bytes / uchar4: {range_of(ratios)}, {len(ratios)} cells{in_widths(everything, result, 'bytes', 'uchar4')}"
    if not is_gpu(result):
        return Finding(text, OPEN, NO_BANKS)
    found = of_signs(signs, text)
    if found.verdict == EQUAL:
        found.because = f"no cell differs by more than {bound(100 * max(abs(r - 1) for r in ratios), 1)} %; conflicts themselves are not counted: judged by the times that they would cost"
    return found


def width_ratios(result, memory):
    """Of each problem: the times of groups of as many work-items in other widths, in relation to 32x16."""
    found = {}
    for problem in problems_of(result):
        cells = {group: pick(result, *problem, memory, group, "single") for group in ("32x16", WIDE, *NARROW)}
        found[problem] = {group: (cell, kernel_ms(cell) / kernel_ms(cells["32x16"])) for group, cell in cells.items() if cell and cells["32x16"]}
    return found


def told_widths(found, groups=(WIDE, *NARROW)):
    return "; ".join(f"{name(problem)}: {', '.join(f'{group} {number(line[group][1])}' for group in groups if group in line)}" for problem, line in found.items())


def widths(result):
    """Groups of a multiple of 32 work-items across take less than the narrower ones."""
    found = width_ratios(result, "uchar4")
    if not any(group in line for line in found.values() for group in NARROW):
        return None
    signs = [compare(kernels(line[group][0]), kernels(line[wide][0])) for line in found.values() for group in NARROW if group in line for wide in ("32x16", WIDE)]
    return of_signs(signs, f"time in relation to 32x16, uchar4: {told_widths(found)}")


def banks_of_widths(result):
    """The report's reason: how groups of 16 across do with less local memory, and with none."""
    found = {memory: width_ratios(result, memory) for memory in ("bytes", "none")}
    if not any(NARROW[0] in line for line in found["none"].values()):
        return None
    text = "; ".join(f"{'packed bytes' if memory == 'bytes' else 'no local memory'}, {told_widths(ratios, NARROW)}" for memory, ratios in found.items())
    slower = all(line[group][1] > 1.02 for line in found["none"].values() for group in NARROW if group in line)
    return Finding(f"time in relation to 32x16: {text}", OPEN, "conflicts are not counted" + ("; without local memory the narrower group is slower, too" if slower else ""))


def local_memory(result, everything=()):
    signs, ratios = over(result, "none", "uchar4")
    if not signs:
        return None
    found = of_signs(signs, f"time without / with uchar4: {range_of(ratios)}, {len(ratios)} cells{in_widths(everything, result, 'none', 'uchar4')}")
    if found.verdict == PART:
        found.because = f"faster with it in {signs.count(-1)} of {len(signs)} cells, slower in {signs.count(1)}, not told apart in {signs.count(0)}"
    return found


def largest_group(result):
    """Against each other group of the run: one that is faster refutes it."""
    signs, parts = [], []
    for problem in problems_of(result):
        small, large = (pick(result, *problem, **{**REPORTS, "group": group}) for group in ("32x16", "32x32"))
        if small is None:
            return None
        if large is None:
            refused = [c for c in result["cells"] if (c["window"], c["disparities"], c["memory"], c["group"]) == (*problem, "uchar4", "32x32")]
            parts.append(f"{name(problem)}: does not fit" + (f" ({refused[0]['local_bytes']:,} bytes)" if refused else ""))
            continue
        others = [pick(result, *problem, **{**REPORTS, "group": group}) for group in groups_of(result) if group != "32x32"]
        signs += [compare(kernels(other), kernels(large)) for other in others if other]
        parts.append(f"{name(problem)}: {number(kernel_ms(large) / kernel_ms(small))}")
    return of_signs(signs, "time at 32x32 / at 32x16, uchar4: " + "; ".join(parts), always=True) if signs else None


def one_launch(result):
    signs, ratios = [], []
    for problem in problems_of(result):
        for group in groups_of(result):
            for memory in ("uchar4", "bytes", "none"):
                three, whole = (pick(result, *problem, memory, group, form) for form in ("separate", "single"))
                if three and whole:
                    signs.append(compare(kernels(three), kernels(whole)))
                    ratios.append(kernel_ms(three) / kernel_ms(whole))
    if not signs:
        return None
    faster = sum(s > 0 for s in signs)
    return Finding(f"time of three launches / one: {range_of(ratios)}; three are faster in {faster} of {len(signs)} cells", OPEN, "filling alone in a launch of its own was not run")


def one_launch_right(result):
    cells = [c for c in result["cells"] if c["form"] == "single" and c["refused"] is None]
    if not cells:
        return None
    wrong = [c["differing"] for c in cells]
    pixels = result["inputs"]["width"] * result["inputs"]["height"]
    text = f"{sum(w > 0 for w in wrong)} of {len(cells)} cells differ, in up to {max(wrong):,} pixels ({100 * max(wrong) / pixels:.2f} %)"
    return holds_if(max(wrong) == 0, text, "no pixel differed in these runs, which promises nothing", "its barrier holds the work-items of one group, while check and filling read what others write")


def seconds(window, disparities):
    def check(result):
        cell, three, fastest = pick(result, window, disparities, **REPORTS), pick(result, window, disparities), best(result, window, disparities)
        if None in (cell, three):
            return None
        c = program(result, window, disparities)
        size = f"{result['inputs']['width']}x{result['inputs']['height']}"
        return Finding(f"{size}: {number(kernel_ms(cell))} ms in one launch, as the report has it, {number(kernel_ms(three))} ms in three, {number(kernel_ms(fastest))} ms in three at best "
                       f"({fastest['memory']}, {fastest['group']}); C++ on one core{', one run,' if result.get('settings', {}).get('baseline-runs') == '1' else ''} {number(c['median_ms'])} ms", OPEN, "the report does not say how large its pictures were")

    return check


def factor(pairs):
    """Times of pairs of problems in relation, beside what the report's times give."""

    def check(result):
        cells = [[pick(result, *problem, **REPORTS) for problem in pair] for pair in pairs]
        if any(None in pair for pair in cells):
            return None
        ours = [kernel_ms(a) / kernel_ms(b) for a, b in cells]
        taps = [a["counts"]["differences"] / b["counts"]["differences"] for a, b in cells]
        printed = [PAPER_S[a] / PAPER_S[b] for a, b in pairs]
        off = [o / p - 1 for o, p in zip(ours, printed)]
        text = f"{number(ours[0])} and {number(ours[1])}; squared differences {number(taps[0])} and {number(taps[1])} times as many"
        times = [kernels(cell) for pair in cells for cell in pair]
        if min(map(len, times)) < 3:
            return Finding(text, OPEN, f"{min(map(len, times))} runs of each, up to {bound(max(max(t) / min(t) for t in times), 1)} times apart")
        said = f"{' and '.join(f'{100 * o:+.0f} %' for o in off)} against the report's: within {100 * ALIKE:.0f} % is alike, beyond {100 * APART:.0f} % not, of nearly all runs"
        ends = [[nearly_all(kernels(cell)) for cell in pair] for pair in cells]
        ranges = [(a[0] / b[1] / p - 1, a[1] / b[0] / p - 1) for (a, b), p in zip(ends, printed)]
        signs = [-1 if -ALIKE <= first and last <= ALIKE else 1 if first > APART or last < -APART else 0 for first, last in ranges]
        found = of_signs(signs, text)
        return Finding(text, OPEN if found.verdict == EQUAL else found.verdict, said)

    return check


def eats_memory(result):
    """Four bytes to a pixel against one, in every cell that both have."""
    pairs = [(pick(result, *problem, "uchar4", group, "single"), pick(result, *problem, "bytes", group, "single")) for problem in problems_of(result) for group in groups_of(result)]
    pairs = [pair for pair in pairs if None not in pair]
    if not pairs:
        return None
    more = [a["local_bytes"] / b["local_bytes"] for a, b in pairs]
    same = all(a["counts"][key] == b["counts"][key] for a, b in pairs for key in ("global_reads_per_pixel", "local_reads_per_pixel"))
    a, b = max(pairs, key=lambda pair: pair[0]["local_bytes"])
    return holds_if(min(more) > 1, f"{number(min(more))} times the local memory, up to {a['local_bytes']:,} bytes instead of {b['local_bytes']:,}; {'as many' if same else 'other numbers of'} loads of both memories")


def holes(result):
    """Filled is what was rejected and is no longer 0. Older runs counted all pixels that are 0, those of disparity 0 among them."""
    parts, ok = [], []
    for problem in problems_of(result):
        h = program(result, *problem)["holes"]
        left = h.get("rejected_still_0", 0 if h["still_0_after_filling"] == 0 else None)
        ok.append(None if left is None else 0 if left >= h["rejected"] else 2 if left == 0 else 1)
        after = f"{left:,} of them" if left is not None else f"{h['still_0_after_filling']:,} of all pixels"
        parts.append(f"{name(problem)}: {100 * h['rejected'] / h['valid_pixels']:.1f} %, {h['rejected']:,} pixels, {after} 0 after filling")
    text = f"rejected on {'the built-in scene' if result['inputs']['built_in_scene'] else ' '.join(result['inputs']['names'])}: {'; '.join(parts)}"
    if None in ok:
        return Finding(text, OPEN, "a pixel of disparity 0 that was never rejected is 0, too")
    verdict = HOLDS if min(ok) == 2 else FAILS if max(ok) == 0 else PART
    return Finding(text, verdict, "" if verdict == HOLDS else "where all around a hole is 0 too, it stays one")


MEASURED = [
    ("Optimization", "`uchar4` avoids bank conflicts", uchar4),
    ("Optimization", "With `uchar4` groups a multiple of 32 wide are the faster ones (implied)", widths),
    ("Optimization", "... since that maximises the use of 32 banks", banks_of_widths),
    ("Optimization", "Only the first of four bytes is used: it eats memory", eats_memory),
    ("Optimization", "Local memory is worth its size (implied)", local_memory),
    ("Optimization", "Groups of 32x32 are the fastest", largest_group),
    ("The GPU part", "Filling in a kernel of its own adds no speed", one_launch),
    ("The GPU part", "Everything in one kernel gives the checked and filled map (implied)", one_launch_right),
    ("Results", "11x11, 60 disparities: 0.2775 s", seconds(11, 60)),
    ("Results", "15x15, 60 disparities: 0.5780 s", seconds(15, 60)),
    ("Results", "11x11, 90 disparities: 0.4932 s", seconds(11, 90)),
    ("Results", "15x15, 90 disparities: 0.8518 s", seconds(15, 90)),
    ("Results", "By its times 15x15 takes 2.08 (60 disparities) and 1.73 (90) times as long as 11x11", factor([((15, 60), (11, 60)), ((15, 90), (11, 90))])),
    ("Results", "By its times 90 disparities take 1.78 (11x11) and 1.47 (15x15) times as long as 60", factor([((11, 90), (11, 60)), ((15, 90), (15, 60))])),
    ("The GPU part", "The cross-check, threshold 125, rejects pixels that the filling replaces", holes),
]

FIXED = [
    ("Optimization", "A group needs (width + 2 x window + disparities) x (height + 2 x window): 32,640 bytes at 32x16", Finding("with the window's radius for `window_size`: 2 x 136 x 30 x 4 = 32,640; with 15, 2 x 152 x 46 x 4 = 55,936", PART,
     "the figure is right for 15x15 and 90; the formula's window is the radius")),
    ("The GPU part", "Local memory of 49,151 bytes", Finding("48 KiB are 49,152", OPEN, "its device is not at hand; some drivers report less than there is")),
    ("Optimization", "Four bytes in one bank must be read four times", Finding("see the row on `uchar4`", FAILS,
     "CUDA C Programming Guide 8.0, appendix on compute capability 2.x, shared memory: threads that read any bytes of one 32-bit word are served at once; the GT540M is such a GPU")),
    ("The GPU part", "Filling in another kernel has to wait for the result anyway", Finding("a hole reads 11x11 pixels: near the edge of its group some that other groups check", HOLDS, "the data ask for it, in a launch of its own or not; the report's one launch does not wait: see the rows on one kernel")),
    ("The GPU part", "The centre of the filling window is always 0", Finding("only holes, which are 0, are filled", HOLDS)),
]


def claims(results):
    report = of_report(mark(results))

    def check_of(check):
        return (lambda result: check(result, results)) if check in (uchar4, local_memory) else check

    return table_of([row(where, says, check_of(check), results if check in (widths, banks_of_widths) else report) for where, says, check in MEASURED + FIXED])
