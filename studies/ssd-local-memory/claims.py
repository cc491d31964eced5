# SPDX-License-Identifier: Apache-2.0
"""Every claim of the report, with a verdict that follows from the figures of each run."""

from cells import PAPER_S, best, groups_of, kernels, pick, problems_of, program
from figures import kernel_ms, number
from verdicts import FAILS, HOLDS, Finding, claims_table, compare, holds_if, of_signs


def name(problem):
    return f"{problem[0]}x{problem[0]}, {problem[1]}"


def over(result, first, second, forms=("separate",)):
    """Signs and ratios of all cells that both have: `first` and `second` are kinds of memory."""
    signs, ratios = [], []
    for problem in problems_of(result):
        for group in groups_of(result):
            for form in forms:
                a, b = (pick(result, *problem, memory, group, form) for memory in (first, second))
                if a and b:
                    signs.append(compare(kernels(a), kernels(b)))
                    ratios.append(kernel_ms(a) / kernel_ms(b))
    return signs, ratios


def range_of(ratios):
    return f"{number(min(ratios))} to {number(max(ratios))}"


def uchar4(result):
    signs, ratios = over(result, "bytes", "uchar4")
    if not signs:
        return None
    return of_signs(signs, f"time with packed bytes / uchar4: {range_of(ratios)}, {len(ratios)} cells")


def local_memory(result):
    signs, ratios = over(result, "none", "uchar4")
    if not signs:
        return None
    return of_signs(signs, f"time without / with uchar4: {range_of(ratios)}, {len(ratios)} cells")


def largest_group(result):
    signs, parts = [], []
    for problem in problems_of(result):
        small, large = (pick(result, *problem, "uchar4", group) for group in ("32x16", "32x32"))
        if small is None:
            return None
        if large is None:
            refused = [c for c in result["cells"] if (c["window"], c["disparities"], c["memory"], c["group"]) == (*problem, "uchar4", "32x32")]
            parts.append(f"{name(problem)}: does not fit" + (f" ({refused[0]['local_bytes']:,} bytes)" if refused else ""))
            continue
        signs.append(compare(kernels(small), kernels(large)))
        parts.append(f"{name(problem)}: {number(kernel_ms(large) / kernel_ms(small))}")
    return of_signs(signs, "time at 32x32 / at 32x16, uchar4: " + "; ".join(parts)) if signs else None


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
    return holds_if(all(s <= 0 for s in signs), f"time of three launches / one: {range_of(ratios)}")


def one_launch_right(result):
    cells = [c for c in result["cells"] if c["form"] == "single" and c["refused"] is None]
    if not cells:
        return None
    wrong = [c["differing"] for c in cells]
    pixels = result["inputs"]["width"] * result["inputs"]["height"]
    text = f"{sum(w > 0 for w in wrong)} of {len(cells)} cells differ, in up to {max(wrong):,} pixels ({100 * max(wrong) / pixels:.1f} %)"
    return holds_if(max(wrong) == 0, text, "no pixel differed in these runs, which promises nothing", "its barrier holds the work-items of one group, while check and filling read what others write")


def seconds(window, disparities):
    def check(result):
        cell, fastest = pick(result, window, disparities), best(result, window, disparities)
        if cell is None or result["inputs"]["width"] < 400:  # the report's pictures will not have been smaller
            return None
        c = program(result, window, disparities)
        paper = 1000 * PAPER_S[window, disparities]
        return holds_if(kernel_ms(cell) <= paper, f"{number(kernel_ms(cell))} ms as the report has it, {number(kernel_ms(fastest))} ms at best "
                        f"({fastest['memory']}, {fastest['group']}); C++ on one core {number(c['median_ms'])} ms")

    return check


def window_factor(result):
    work = {p: pick(result, *p) for p in ((11, 60), (15, 60), (11, 90), (15, 90))}
    if None in work.values():
        return None
    ours = [kernel_ms(work[15, d]) / kernel_ms(work[11, d]) for d in (60, 90)]
    taps = [work[15, d]["counts"]["differences"] / work[11, d]["counts"]["differences"] for d in (60, 90)]
    return holds_if(all(abs(o / p - 1) <= 0.1 for o, p in zip(ours, (2.08, 1.73))), f"{number(ours[0])} and {number(ours[1])}; squared differences {number(taps[0])} and {number(taps[1])} times as many")


def faster_than_c(result):
    parts, ok = [], []
    for problem in problems_of(result):
        cell, c = pick(result, *problem), program(result, *problem)
        if cell is None:
            return None
        ok.append(kernel_ms(cell) < c["median_ms"])
        parts.append(f"{name(problem)}: {number(c['median_ms'] / kernel_ms(cell))}x")
    return holds_if(all(ok), "; ".join(parts))


def holes(result):
    parts = []
    for problem in problems_of(result):
        h = program(result, *problem)["holes"]
        parts.append(f"{name(problem)}: {100 * h['rejected'] / h['valid_pixels']:.1f} %")
    what = "the built-in scene" if result["inputs"]["built_in_scene"] else " ".join(result["inputs"]["names"])
    return Finding(f"rejected on {what}: " + ", ".join(parts), HOLDS) if parts else None


MEASURED = [
    ("Optimization", "`uchar4` avoids bank conflicts and maximises the banks' use", uchar4),
    ("Optimization", "Local memory is worth its size (implied)", local_memory),
    ("Optimization", "Groups of 32x32 are the fastest", largest_group),
    ("The GPU part", "Check and filling in kernels of their own add no speed", one_launch),
    ("The GPU part", "Everything in one kernel gives the checked and filled map", one_launch_right),
    ("Results", "11x11, 60 disparities: 0.2775 s", seconds(11, 60)),
    ("Results", "15x15, 60 disparities: 0.5780 s", seconds(15, 60)),
    ("Results", "11x11, 90 disparities: 0.4932 s", seconds(11, 90)),
    ("Results", "15x15, 90 disparities: 0.8518 s", seconds(15, 90)),
    ("Results", "15x15 takes 2.08 (60 disparities) and 1.73 (90) times as long as 11x11", window_factor),
    ("Time taken", "The GPU beats the program in C (implied)", faster_than_c),
    ("The GPU part", "The cross-check, threshold 125, rejects pixels that the filling replaces", holes),
]

FIXED = [
    ("Optimization", "A group needs (width + 2 x window + disparities) x (height + 2 x window): 32,640 bytes at 32x16", Finding("with the window's radius for `window_size`: 2 x 136 x 30 x 4 = 32,640; with 15, 2 x 152 x 46 x 4 = 55,936", FAILS,
     "the formula's window is the radius, as its own figure shows")),
    ("The GPU part", "Local memory of 49,151 bytes", Finding("49,152 = 48 KiB", FAILS, "a misprint by one, or the largest address")),
    ("Optimization", "Four bytes in one bank must be read four times", Finding("see the row on `uchar4`", FAILS,
     "CUDA C++ Programming Guide, section on compute capability 2.x: threads that ask for bytes of one 32-bit word are served at once; the GT540M is such a GPU")),
    ("Optimization", "Only the first of four bytes is used: it eats memory", Finding("four times the local memory, the same loads", HOLDS)),
    ("The GPU part", "Filling in another kernel has to wait for the result anyway", Finding("three launches in one queue need no wait of the host", FAILS, "the queue keeps the order")),
    ("The GPU part", "The centre of the filling window is always 0", Finding("only holes, which are 0, are filled", HOLDS)),
]


def claims(results):
    return claims_table(MEASURED + FIXED, results)
