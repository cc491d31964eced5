# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says holds the stencils back: shuffles, bandwidth."""

from figures import number
from figures_of import HD, L1, L2, UNROLLED, alone, each_operation, row, variant
from verdicts import FAILS, HOLDS, OPEN, PART, Finding, at_least


def shuffle_bound(result):
    """The pass along rows with shuffles, against without vectors and against the pass down, in the first cache."""
    times = [alone(result, L1, "rows alone", UNROLLED), variant(result, L1, "rows alone", 1, "-", (1,)), alone(result, L1, "down alone", UNROLLED)]
    if not all(times):
        return None
    return Finding(f"in L1 {number(times[0].gflops)} GFlop/s along rows, {number(times[1].gflops)} without vectors, {number(times[2].gflops)} down", OPEN, "no variant along rows has vectors without shuffles or loads beyond them")


def elements_read(result):
    """1P where the picture fits the GPU's cache, by the elements of a row that the kernels' text loads for a sum across: three aligned
    vectors, a vector for each of five taps, or a float for each."""
    times = [(f"{read} for {width}:", variant(result, L2, "1P", width, taps)) for read, width, taps in ((24, 8, "shuffles"), (40, 8, "loads"), (5, 1, "-"))]
    if not all(time for _, time in times):
        return None
    return Finding(f"in {L2}, by the elements that a kernel's text loads: " + ", ".join(f"{what} {number(time.gflops)}" for what, time in times) + " GFlop/s", OPEN,
                   "none loads 12 for 8, how many a compiler leaves is not counted, and shuffles or items differ too")


def moved(time):
    """GB/s at full HD: a float read and one written for each pixel."""
    return 8e-6 * 1920 * 1080 / time.ms


def bandwidth_bound(result):
    """In the first cache the pass down is at least twice as fast, the one along rows not even 1.2 times; and at full HD the pass down
    moves what the memory gives a copy, by 0.8 at least: else something other than its bandwidth holds it there."""
    times = {(form, size): alone(result, size, form, UNROLLED) for form in ("rows alone", "down alone") for size in (HD, L1)}
    if not all(times.values()):
        return None
    gain = {form: times[form, L1].gflops / times[form, HD].gflops for form in ("rows alone", "down alone")}
    figures = f"from full HD to {L1}: rows {number(gain['rows alone'])}x, down {number(gain['down alone'])}x (limits 1.2 and 2)"
    copy, rates = result["limits"].get("copy_1080p_gbs"), {form: moved(times[form, HD]) for form in ("rows alone", "down alone")}
    if copy:
        figures += f"; at full HD rows move {number(rates['rows alone'])} and down {number(rates['down alone'])} GB/s, a copy {number(copy)}"
    rows, down = (at_least(each_operation(times[form, HD]), each_operation(times[form, L1]), limit, "") for form, limit in (("rows alone", 1.2), ("down alone", 2)))
    if down.verdict != HOLDS:
        return Finding(figures, down.verdict, down.because)
    if copy and rates["down alone"] < 0.8 * copy:
        return Finding(figures, OPEN, "down gains in the cache, but moves less than the memory gives: bandwidth, or its order of reading, is not told")
    if rows.verdict == FAILS:
        return Finding(figures, HOLDS)
    return Finding(figures, PART, f"along rows {rows.because}" if rows.because else "the pass along rows gains too")


def some_bandwidth(result):
    """What 1P-V-UR reads and writes, a float each for a pixel, beside what the device's memory gives a copy of the picture."""
    time, copy = row(result, HD, "1P-V-UR"), result["limits"].get("copy_1080p_gbs")
    if not time or not copy:
        return None
    rate = moved(time)
    figures = f"1P-V-UR at full HD: {number(rate)} of the {number(copy)} GB/s of a copy"
    return Finding(figures, HOLDS) if rate >= 0.8 * copy else Finding(figures, OPEN, "not the memory's; what each cache can give is not measured")
