# SPDX-License-Identifier: Apache-2.0
"""Checks of what the paper says holds the stencils back: shuffles, bandwidth, and of what it measured in the first cache to tell."""

from figures import number
from figures_of import HD, L1, L2, UNROLLED, alone, each_operation, idle_of, is_cpu, launch_us, of_one_machine, one_group, row, share, threads_of, variant
from verdicts import FAILS, HOLDS, OPEN, PART, Finding, at_least, compare, holds_if

FIXED_COST = "what a launch costs whatever it does is not told from these"


def by_one(result, time):
    """" by one thread": where a small picture is one work-group, beside figures of all threads."""
    return " by one thread" if one_group(result, time) else ""


def shuffle_bound(result):
    """The pass along rows with shuffles, against without vectors and against the pass down, in the first cache."""
    times = [alone(result, L1, "rows alone", UNROLLED), variant(result, L1, "rows alone", 1, "-", (1,)), alone(result, L1, "down alone", UNROLLED)]
    if not all(times):
        return None
    return Finding(f"in L1{by_one(result, times[0])} {number(times[0].gflops)} GFlop/s along rows, {number(times[1].gflops)} without vectors, {number(times[2].gflops)} down", OPEN, "no variant along rows has vectors without shuffles or loads beyond them")


def both_limit(result):
    """1P: memory and shuffles."""
    large, small, loads = row(result, HD, "1P-V-UR"), row(result, L1, "1P-V-UR"), variant(result, L1, "1P", 8, "loads")
    if not large or not small or not loads:
        return None
    return Finding(f"{number(large.gflops)} at full HD, in L1 {number(small.gflops)}{by_one(result, small)}, there with loads instead of shuffles {number(loads.gflops)} GFlop/s", OPEN, "no variant has vectors with neither shuffles nor loads beyond its own")


def first_cache(everything=()):
    """Of a processor the small picture is one work-group: one thread against all of them at full HD may bear it out, and refutes nothing."""
    return lambda result: cached(result, everything)


def cached(result, everything):
    size = L1 if is_cpu(result) else L2
    small, large, two = row(result, size, "1P-V-UR"), row(result, HD, "1P-V-UR"), row(result, size, "2P-V-UR")
    if not small or not large:
        return None
    figures = f"{number(small.gflops)} ({number(share(result, small.gflops))} % of the peak) against {number(large.gflops)} at full HD" + (f"; 2P-V-UR {number(two.gflops)}" if two else "")
    least = 92.1 / 54 if is_cpu(result) else 36.7 / 21.3
    reason = f"{small.items:,} items of {size}{idle_of(small, size)} on {result['device']['compute_units']} units" if small.items else ""
    found = at_least(each_operation(large), each_operation(small), least, figures, because_not=reason)
    if not one_group(result, small):
        return found
    threads = threads_of(result)
    found.figures += f"; {size} is one work-group, by one thread: {number(threads * share(result, small.gflops))} % of its part of the peak"
    alone_there = next((r for _, r in everything if is_cpu(r) and threads_of(r) == 1 and of_one_machine(r, result) and row(r, HD, "1P-V-UR")), None)
    if alone_there:
        one = row(alone_there, HD, "1P-V-UR")
        found.figures += f"; one thread does {number(one.gflops)} at full HD in groups of {one.group}: {number(small.gflops / one.gflops)}x"
    return Finding(found.figures, OPEN if found.verdict == FAILS else found.verdict, f"one thread in L1, {threads} at full HD" + (f"; {found.because}" if found.verdict == OPEN else ""))


def forms_alike(result):
    one, two = row(result, L1, "1P-V-UR"), row(result, L1, "2P-V-UR")
    if not one or not two:
        return None
    fast, slow = sorted((one, two), key=lambda time: time.ms)
    apart = compare([1.1 * run for run in fast.runs], slow.runs)
    text = f"2P {number(two.gflops)}{by_one(result, two)}, 1P {number(one.gflops)}{by_one(result, one)}"
    took = [launch_us(time) for time in (two, one)]
    if all(took):
        text += f"; two launches of {number(took[0])} us, one of {number(took[1])} us"
    if apart == 0 or (apart > 0 and all(took)):
        return Finding(text, OPEN, ("the rounds reach to both sides of a tenth" if apart == 0 else "more than a tenth apart") + (f"; {FIXED_COST}" if all(took) else ""))
    return holds_if(apart < 0, text, because_not="more than a tenth apart")


def passes(size):
    """The two passes of 2P-V-UR."""
    def check(result):
        across, down = alone(result, size, "rows alone", UNROLLED), alone(result, size, "down alone", UNROLLED)
        if not across or not down:
            return None
        ratio = across.gflops / down.gflops
        figures = f"{number(across.gflops)} against {number(down.gflops)}, {number(ratio)}x{by_one(result, across)}"
        if size == HD:
            return at_least(down.runs, across.runs, 2, figures)
        took = [launch_us(time) for time in (across, down)]
        why = f"launches of {number(took[0])} and {number(took[1])} us: what one costs whatever it does brings both closer" if all(took) else ""
        return at_least(across.runs, down.runs, 1, figures, why)
    return check


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
    lone = one_group(result, times["rows alone", L1])
    if lone:
        figures += f"; {L1} by one thread, full HD by {threads_of(result)}"
    rows, down = (at_least(each_operation(times[form, HD]), each_operation(times[form, L1]), limit, "") for form, limit in (("rows alone", 1.2), ("down alone", 2)))
    if down.verdict != HOLDS:
        return Finding(figures, OPEN if lone else down.verdict, down.because)
    if copy and rates["down alone"] < 0.8 * copy:
        return Finding(figures, OPEN, "down gains in the cache, but moves less than the memory gives: bandwidth, or its order of reading, is not told")
    if lone:
        return Finding(figures, OPEN, f"whether a thread gains along rows is not told: one in the cache, {threads_of(result)} at full HD")
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
