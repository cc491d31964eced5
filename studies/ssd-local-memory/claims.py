# SPDX-License-Identifier: Apache-2.0
"""Every claim of the report beside our figure, with a verdict that follows from the figures."""

from figures import device_name, kernel_ms, number, table


def verdict(holds, because):
    return "holds" if holds else f"does not, because {because}"


def fixed_claims():
    """What needs no measurement."""
    return [
        ("A group needs (width + 2 x 7 + 90) x (height + 2 x 7) elements for each picture: 32,640 bytes at 32x16",
         "2 x 136 x 30 x 4 = 32,640", "holds"),
        ("Local memory of the GPU: 49,151 bytes", "49,152 = 48 KiB",
         "does not, because the figure is a misprint by one (or the largest address)"),
        ("Bytes of four neighbours lie in one bank, which must be read four times",
         "see the row on `uchar4`",
         "does not, because since compute capability 2.0, to which that GPU belongs, a bank hands one word to all who ask for it in one cycle"),
        ("Only the first of four bytes is used, the others stay empty", "four times the local memory, the same loads",
         "holds"),
        ("Without filling in the same kernel one would have to wait for the result anyway",
         "three launches in one queue need no wait of the host", "does not, because the queue keeps the order"),
        ("The centre of the filling window needs no exclusion, it is always 0", "only holes, which are 0, are filled",
         "holds"),
        ("The cross-check compares disparities of both views, threshold 125",
         "in the kernel that circulates with these constants it compares grey levels of the pictures, and the right view's "
         "branch is never taken (see *Faults*)",
         "does not, because of that; here it is done as described"),
    ]


def _memory_claims(result, pick, problems, groups):
    ratios = {}
    for problem in problems:
        for group in groups:
            wide, narrow, none = (pick(result, *problem, memory, group) for memory in ("uchar4", "bytes", "none"))
            ratios[problem, group] = (kernel_ms(narrow) / kernel_ms(wide) if wide and narrow else None,
                                      kernel_ms(none) / kernel_ms(narrow) if none and narrow else None)
    wide = [r for r, _ in ratios.values() if r]
    used = [r for _, r in ratios.values() if r]
    rows = [
        ("`uchar4` maximises the use of the banks", f"bytes / uchar4 in time: {number(min(wide))} to {number(max(wide))}",
         verdict(min(wide) > 1.02, "neighbours that share a bank's word share one access, and packed bytes leave room for more groups")),
        ("Local memory is worth its trouble", f"none / bytes in time: {number(min(used))} to {number(max(used))}",
         verdict(min(used) > 1.05, "the first-level cache serves the overlapping windows as well")),
    ]
    if "32x16" in groups and "32x32" in groups:
        faster, fitting, text = 0, 0, []
        for problem in problems:
            small, large = (pick(result, *problem, "uchar4", group) for group in ("32x16", "32x32"))
            if small and large:
                fitting += 1
                faster += kernel_ms(large) < kernel_ms(small)
                text.append(f"{problem[0]}x{problem[0]}, {problem[1]}: {number(kernel_ms(large) / kernel_ms(small))}")
            else:
                text.append(f"{problem[0]}x{problem[0]}, {problem[1]}: does not fit")
        rows.append(("Groups of 32x32 are the fastest", "time at 32x32 / at 32x16, uchar4: " + "; ".join(text),
                     verdict(fitting > 0 and faster == len(problems),
                             "15x15 with 90 disparities needs 50,048 bytes at 32x32, more than that GPU has"
                             + ("" if faster == fitting else ", and elsewhere half as large groups are no slower"))))
    return rows


def _single_claims(result, pick, problems, groups):
    times, wrong = [], []
    for problem in problems:
        for group in groups:
            for memory in ("uchar4", "bytes", "none"):
                three, whole = (pick(result, *problem, memory, group, form) for form in ("separate", "single"))
                if three and whole:
                    times.append(kernel_ms(three) / kernel_ms(whole))
                    wrong.append(whole["differing"])
    if not times:
        return []
    return [
        ("Check and filling in kernels of their own add no speed",
         f"three launches / one launch in time: {number(min(times))} to {number(max(times))}",
         "holds for the time, but " + (f"up to {max(wrong):,} pixels of the one launch are wrong: its barrier holds one group only"
                                       if max(wrong) else "only by luck for the result: no pixel differed in these runs")
         if min(times) > 0.95 else "does not, because the one launch keeps work-items waiting at its barriers"),
    ]


def claims(results, pick, problems_of, groups_of, best):
    result = next((r for name, r in results if "opencl" in name), results[0][1])
    problems, groups = problems_of(result), groups_of(result)
    rows = fixed_claims() + _memory_claims(result, pick, problems, groups) + _single_claims(result, pick, problems, groups)
    for window, disparities, seconds in ((11, 60, .2775), (15, 60, .5780), (11, 90, .4932), (15, 90, .8518)):
        cell = pick(result, window, disparities)
        if cell is None:
            continue
        c_ms = next(e["median_ms"] for e in result["c_program"] if (e["window"], e["disparities"]) == (window, disparities))
        fastest = best(result, window, disparities)
        rows.append((f"{window}x{window}, {disparities} disparities: {seconds:.4f} s",
                     f"{number(kernel_ms(cell))} ms (uchar4, 32x16), {number(kernel_ms(fastest))} ms "
                     f'({fastest["memory"]}, {fastest["group"]}); C on one core {number(c_ms)} ms',
                     verdict(kernel_ms(cell) < 1000 * seconds, "the device is slower")))
    work = {p: pick(result, *p) for p in problems}
    if all(work.get(p) for p in ((11, 60), (15, 60), (11, 90), (15, 90))):
        ours = [kernel_ms(work[15, d]) / kernel_ms(work[11, d]) for d in (60, 90)]
        rows.append(("The larger window takes 2.08 (D 60) and 1.73 (D 90) times as long",
                     f"{number(ours[0])} and {number(ours[1])}; the taps are 1.86 times as many",
                     verdict(all(abs(o - p) < 0.35 for o, p in zip(ours, (2.08, 1.73))), "our times follow the taps more closely")))
    return f"Our figures: {device_name(result)}.\n\n" + table(["the report", "ours", "verdict"], rows)
