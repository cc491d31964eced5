#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the report of stencil-energy makes of runs: the paper's items decide, joules need a counter, reasons come from figures.
Usage: tests/studies/stencil_verdicts_test.py"""

import pathlib
import sys

sys.dont_write_bytecode = True
studies = pathlib.Path(__file__).resolve().parent.parent.parent / "studies"
sys.path[:0] = [str(studies / "stencil-energy"), str(studies / "common")]

import report  # noqa: E402
from claims import rows  # noqa: E402
from verdicts import row  # noqa: E402

HD, VGA = "1920x1080", "640x480"
RAPL = "RAPL: /sys/class/powercap is not there"
JOULES = {"seconds": 2.1, "joules": 1.0, "watts": 100.0, "energy_delay": 0.5, "mflop_per_joule": 10.0, "counters": {"GPU": 1.0}, "summed": ["GPU"], "missing": RAPL}


def stencil(form, width, unrolled, strip, ms, size=HD, energy=None):
    counts = {"gflops": 20 * 1920 * 1080 / ms * 1e-6 if size == HD else 20 * 640 * 480 / ms * 1e-6} | ({"energy": energy} if energy else {})
    return {"part": "stencil", "on": "device", "size": size, "points": 25, "form": form, "width": width, "taps": "-" if width == 1 else "shuffles", "unrolled": unrolled,
            "group": 64, "strip": strip, "refused": None, "counts": counts, "global_size": [240, 1], "median": {"kernel_ms": ms, "wall_ms": ms}, "runs": [[0, ms, 0, ms]] * 10}


def tracker(name, on, ms, **counts):
    prepare, update = ms
    whole = counts.pop("whole", prepare + update)
    counts = {"tracker": name, "clip": "drifting", "window": 48, "features": 500, "frames": 200, "rounds": 10, "found": 9, "left": 9, "mean_features": 9.0, "frames_per_s": 1000 / whole,
              "prepare_ms": prepare, "update_ms": update, "prepare_share": prepare / (prepare + update), "detect_ms": 50.0, "last": "0"} | counts
    return {"part": "tracker", "on": on, "size": HD, "form": name, "refused": None, "counts": counts, "median": {"kernel_ms": 0, "wall_ms": whole}, "runs": [[0, 0, 0, whole]] * 10}


def result(is_cpu, cells, counted, processor):
    return {"study": "stencil-energy", "date": "2026-11-23T00:00:00Z", "limits": {"is_cpu": is_cpu, "peak_gflops": 1000.0, "peak_fused_gflops": 2000.0, "copy_1080p_gbs": 2000.0 if not is_cpu else 50.0},
            "device": {"name": "opencl:1" if is_cpu else "cuda:0", "device": "pthread" if is_cpu else "NVIDIA H100", "api": "OpenCL 3.0" if is_cpu else "CUDA 13.0", "compute_units": 16 if is_cpu else 132,
                       "clock_mhz": 2000, "local_memory": 49152},
            "host": {"processor": "X", "threads": 16, "core_peak_gflops": 60.0, "l1_bytes": 1, "l2_bytes": 1, "l3_bytes": 1}, "inputs": {"names": ["scene"], "built_in_scene": True, "width": 1920, "height": 1080},
            "settings": {"launches": "10", "runs": "100"}, "energy": {"counted": counted, "processor": processor, "board": "", "missing": RAPL if processor else ""}, "idle": {}, "search": [],
            "processor_device": {"name": "opencl:1"}, "cells": cells}


def verdicts_of(results):
    return {says: row(where, says, check, results) for where, says, check in rows(results)}


def all_rows(two_pass, paper, cut, energy=None):
    """Cells of every row of the paper's items, and of a cut that is the other way round."""
    cells = []
    for size in (HD, VGA):
        for (form, width, unrolled), ms in paper.items():
            cells.append(stencil(form, width, unrolled, 0, ms if size == HD else ms / 6.75, size, energy))
        for (form, width, unrolled), ms in cut.items():
            cells.append(stencil(form, width, unrolled, 8, ms if size == HD else ms / 6.75, size))
    return cells


paper = {("2P columns", 1, 1): 4.0, ("2P columns", 8, 1): 2.0, ("2P columns", 8, 4): 1.8, ("2P rows", 8, 4): 1.0, ("1P", 1, 1): 3.0, ("1P", 8, 1): 1.5, ("1P", 8, 4): 1.4}
cut = {key: 2.0 - ms / 4 for key, ms in paper.items()}
trackers = [tracker("exact-sdvbs", "one core", (20.0, 2.0)), tracker("published", "opencl:1", (4.0, 1.0)), tracker("published", "cuda:0", (2.0, 0.2), energy=JOULES),
            tracker("published", "prepare=opencl:1,update=cuda:0", (4.1, 0.2), whole=4.2, read_ms=0.0, hand_over_ms=0.9, plane_bytes=31.8e6),
            tracker("published", "prepare=cuda:0,update=opencl:1", (2.0, 1.0), whole=6.5, read_ms=1.0, hand_over_ms=0.0, plane_bytes=31.8e6)]
board = result(False, all_rows("2P columns", paper, cut, JOULES) + trackers, ["GPU"], "the processor has no counter: " + RAPL)
results = [("h100-cuda", board)]
found = verdicts_of(results)


def verdict(says):
    return found[says][3]


# The paper's items decide: rows first is faster there, and slower in our cut.
assert verdict("the multicore's 2P-V-UR is 26.0 % slower on the GPU") == "**does not hold**", found
# Joules of the processor are none where only the board is counted, whatever the board's are.
assert verdict("... 3.1x less on the GPU") == "**not measurable here**"
assert "RAPL" in found["... 3.1x less on the GPU"][4]
assert verdict("EDP: MC+GPU is best") == "**not measurable here**"
# Joules that are closer than two windows may be off do not tell.
assert found["joules fall with each optimisation (full HD, table II)"][3:] == ["**not decided**", "7 of 7 steps are closer than two windows may be off together, of 5 % each"]
assert "1.00 J of 100 runs (the board alone)" in found["joules fall with each optimisation (full HD, table II)"][2]
# Both together are slower than the board; the reason is the stage that was measured to be longer.
both = found["MC+GPU is faster than either"]
assert both[3] == "**does not hold**" and "first stage takes 4.10 ms" in both[4] and "whole frame on GPU alone 2.20 ms" in both[4], both
assert verdict("... 4.3x on both") == "**holds**" and verdict("... 2.6x on the GPU") == "**holds**"
assert verdict("the reverse mapping is 46.2 % slower") == "**holds**"
# Shares turn with the numbers of frames and of features, which the paper does not state.
second = found["98 % of the time is the second part"]
assert second[3] == verdict("89 % of that are filters") == "**not decided**" and "98 % from 89 on" in second[4], second

# With counters of the processor the same rows are judged.
whole = {**JOULES, "summed": ["package-0", "GPU"]}
for cell, joules in zip(trackers, (22.0, 10.0, 5.0, 8.0, 9.0)):
    cell["counts"]["energy"] = {**whole, "joules": joules, "energy_delay": joules * joules}
    cell["counts"]["energy_detection"] = whole
board["energy"] = {"counted": ["package-0", "GPU"], "processor": "", "board": "", "missing": ""}
found = verdicts_of(results)
assert verdict("... 3.1x less on the GPU") == "**holds**" and verdict("... 2.7x less on both") == "**holds**" and verdict("it consumes 2.2x less energy on the multicore") == "**holds**"
assert verdict("frames/s per W: MC+GPU has nearly the GPU's (1.1, 1.2)") == "**does not hold**"
assert verdict("EDP: MC+GPU is best") == "**does not hold**" and verdict("EDP: the GPU's is better than the CPU's") == "**holds**"
assert verdict("more GFlop/s go with more MFlop/J") == "**not decided**"  # equal joules in all rows
assert verdict("mappings other than these two orders might work better") == "**not decided**"

# One configuration for all is decided beyond what search and rounds lie apart; a thread of OpenCL is that of a run with one.


def searched(times):
    return [{"size": HD, "form": "1P", "width": 8, "taps": "shuffles", "strip": 0, "points": 25, "unrolled": unrolled, "group": 64, "ms": ms} for unrolled, ms in times.items()]


def one_for_all(rounds):
    processor = result(True, [stencil("1P", 8, 1, 0, rounds)], [], "the processor has no counter: " + RAPL)
    processor["search"], other = searched({1: 1.0, 4: 2.0}), result(False, [], ["GPU"], "")
    other["search"] = searched({1: 5.0, 4: 1.0})
    return verdicts_of([("a", processor), ("b", other)])["one unroll and group for both loses at most 2.3 %, full HD"]


assert one_for_all(1.0)[3] == "**does not hold**"
assert one_for_all(2.5)[3] == "**not decided**" and "150 % apart" in one_for_all(2.5)[4], one_for_all(2.5)
alone, wide = (result(True, [stencil("1P", 8, 1, 0, ms)], [], "the processor has no counter: " + RAPL) for ms in (4.0, 1.0))
alone["device"] = {**alone["device"], "compute_units": 1}
ours = stencil("ours", 1, 1, 0, 5.0) | {"on": "one core"}
wide["cells"].append(ours)
against = next(row(where, says, check, [("wide", wide)]) for where, says, check in rows([("wide", wide)], [("alone", alone), ("wide", wide)]) if says.startswith("OpenCL (1P-V) is faster"))
assert against[3] == "**holds**" and "4.00 ms" in against[2] and "8 floats" in against[4], against

for ms, told in ((9.0, "not decided"), (11.0, "does not hold")):  # our filter's 5 ms, or twice as many with vectors half as wide
    alone["cells"] = [stencil("1P", 8, 1, 0, ms)]
    against = next(row(where, says, check, [("wide", wide)]) for where, says, check in rows([("wide", wide)], [("alone", alone), ("wide", wide)]) if says.startswith("OpenCL (1P-V) is faster"))
    assert against[3] == f"**{told}**" and "twice as wide" in against[4], against

# Memory of the host's: a processor is not the on-chip GPU of the paper, whatever grows.
shared = [{"part": "sharing", "on": "device", "form": form, "size": size, "refused": None, "runs": [], "median": {"upload_ms": ms, "kernel_ms": 1.0, "download_ms": 0.0, "wall_ms": 2.0}}
          for form, times in (("copies", (2.0, 0.3)), ("CL_MEM_ALLOC_HOST_PTR", (0.2, 0.2)), ("CL_MEM_USE_HOST_PTR", (0.25, 0.3))) for size, ms in zip((HD, VGA), times)]
wide["cells"] += shared
SHARED = "for a device that shares the host's memory, data transfer is no problem"
said = verdicts_of([("wide", wide)])[SHARED]
assert said[3] == "**not decided**" and said[4].startswith("nothing of mapping grows with the picture; at VGA it takes 30 % of"), said
shared[2]["median"]["upload_ms"] = 0.5
assert verdicts_of([("wide", wide)])[SHARED][4].startswith("of mapping 0.352 ms grow with the picture"), verdicts_of([("wide", wide)])[SHARED]

# What a sum across loads is named for vectors and for single floats, and decides nothing; the same variant on two devices counts once.
cached = [stencil("1P", 8, 4, 0, 2.0, "160x128"), stencil("1P", 8, 4, 0, 4.0, "160x128") | {"taps": "loads"}, stencil("1P", 1, 1, 0, 1.0, "160x128")]
for cell in cached:
    cell["differing"] = 0
loaded, beside = result(False, cached, ["GPU"], ""), result(True, cached[:1], [], "")
elements = verdicts_of([("a", loaded), ("b", beside)])
read = elements["... which, with shuffles, slows the GPU down in its L3 too"]
assert read[3] == "**not decided**" and "24 for 8: 3.07, 40 for 8: 1.54, 5 for 1: 6.14 GFlop/s" in read[2], read
text = elements["one OpenCL text runs well on both"]
assert text[3] == "**holds in part**" and text[2].startswith("3 variants and sizes, 4 runs of them, on H100 by CUDA, PoCL (16 cores): all"), text

# Of two passes each has its limit, which the rounds' spread may reach across; power may rise in one form and fall in the other.
BOUNDS, POWER = "bandwidth bounds the pass down, not the one along rows", "on the GPU power stays or falls"


def passes(rows_hd, down_hd, copy=2.0):
    """Full HD beside 64x48, where both passes do 20 GFlop/s; GB/s of a copy."""
    cells = []
    for form, ms in (("rows alone", rows_hd), ("down alone", down_hd)):
        runs = ms if isinstance(ms, list) else [ms] * 10
        large = stencil(form, 8, 4, 0, sorted(runs)[len(runs) // 2])
        small = stencil(form, 8, 4, 0, 64 * 48 * 1e-6, "64x48")
        cells += [large | {"runs": [[0, run, 0, run] for run in runs]}, small | {"counts": {"gflops": 20.0}}]
    one = result(True, cells, [], "")
    one["limits"]["copy_1080p_gbs"] = copy
    return verdicts_of([("a", one)])[BOUNDS]


same = 1920 * 1080 * 1e-6  # ms at 20 GFlop/s
assert passes(same, 3 * same)[3] == "**holds**" and passes(same, 3 * same, 50.0)[3] == "**not decided**"
assert passes(same, 1.5 * same)[3] == "**does not hold**" and passes(same, 2 * same)[3] == "**not decided**"
assert passes(1.5 * same, 3 * same)[3:] == ["**holds in part**", "the pass along rows gains too"]
assert passes([same, 1.15 * same, 1.3 * same] * 4, 3 * same)[3] == "**holds in part**"


def powers(one, two):
    """Of the last of each form, where the others have 100 W."""
    found = all_rows("2P columns", paper, cut, JOULES)
    for c in found:
        c["counts"]["energy"] = {**JOULES, "watts": {"1P": one, "2P columns": two}.get(c["form"], 100.0) if c["unrolled"] == 4 else 100.0}
    return verdicts_of([("a", result(False, found, ["GPU"], ""))])[POWER]


assert powers(100.0, 99.0)[3] == "**holds**" and powers(115.0, 116.0)[3] == "**does not hold**" and powers(103.0, 104.0)[3] == "**not decided**"
assert powers(115.0, 90.0)[3:] == ["**holds in part**", "1P rises from NV to V-UR"]

# A gain of the paper's 8 threads: more of them do not show it, fewer do not refute it, and a run with 8 decides.
GAIN, BOTH = "the application runs 3.2x faster on the multicore", "... 4.3x on both"


def gains(threads, ms, sweep=()):
    one = result(False, [tracker("exact-sdvbs", "one core", (20.0, 2.0)), tracker("published", "opencl:1", (ms, 1.0)), tracker("published", "prepare=opencl:1,update=cuda:0", (ms, 0.2))], ["GPU"], "")
    one["processor_device"] = {"name": "opencl:1", "compute_units": threads}
    return {says: row(where, says, check, [("a", one)])[3:] for where, says, check in rows([("a", one)], [("a", one), *sweep]) if says in (GAIN, BOTH)}


assert gains(8, 3.0)[GAIN][0] == gains(8, 3.0)[BOTH][0] == "**holds**" and gains(8, 19.0)[GAIN][0] == gains(16, 19.0)[GAIN][0] == "**does not hold**"
assert gains(16, 3.0) == {GAIN: ["**not decided**", "with 16 threads; the paper's are 8"], BOTH: ["**not decided**", "with 16 threads; the paper's are 8"]}
assert gains(2, 3.0)[GAIN][0] == "**holds**" and gains(2, 19.0)[GAIN][0] == "**not decided**"
eight = result(True, [tracker("exact-sdvbs", "one core", (20.0, 2.0)), tracker("published", "opencl:1", (3.0, 1.0))], [], "")
eight["device"] = {**eight["device"], "compute_units": 8}
assert gains(16, 3.0, [("b", eight)])[GAIN] == ["**holds**", "by the run with 8 threads, as the paper's"]

# So is a gain of vectors; where the run with 8 tried one size of group, it decides nothing.
VECTORS, FAR = "vectors: almost 4x (2P, full HD, 11.9 to 39.0)", "... still far from the 8 that a vector holds"


def with_vectors(threads, gain, groups=None):
    """A processor with so many threads, and a run with 8 of its threads that tried these groups, where 2P-V is 5 times as fast as 2P-NV."""
    made = []
    for n, times in ((threads, gain), (8, 5.0))[:1 if groups is None else 2]:
        made.append(result(True, [stencil("2P rows", 1, 1, 0, 10.0), stencil("2P rows", 8, 1, 0, 10.0 / times)], [], ""))
        made[-1]["device"] = {**made[-1]["device"], "compute_units": n}
    if groups:
        made[1]["search"] = [{"group": group, "size": "", "form": "", "width": 8, "taps": "-", "strip": 0, "points": 25, "unrolled": 1, "ms": 1.0} for group in groups]
    return {says: row(where, says, check, [("a", made[0])])[3] for where, says, check in rows([("a", made[0])], [("r", one) for one in made]) if says in (VECTORS, FAR)}


assert with_vectors(8, 5.0) == {VECTORS: "**holds**", FAR: "**holds in part**"} and with_vectors(8, 9.0)[FAR] == "**does not hold**"
assert with_vectors(16, 5.0) == with_vectors(16, 5.0, [64]) == {VECTORS: "**not decided**", FAR: "**not decided**"}
assert with_vectors(16, 2.0)[VECTORS] == with_vectors(16, 9.0)[FAR] == "**does not hold**"
assert with_vectors(16, 5.0, [8, 64]) == {VECTORS: "**holds**", FAR: "**holds in part**"}
assert with_vectors(2, 5.0)[VECTORS] == "**holds**" and with_vectors(2, 2.0)[VECTORS] == "**not decided**"


# A picture of one work-group is one thread's: against all threads it refutes no gain.
def in_cache(items, speed):
    small = stencil("1P", 8, 4, 0, 0.001, "64x48") | {"counts": {"gflops": speed}, "global_size": [items, 1]}
    large = stencil("1P", 8, 4, 0, 1.0) | {"counts": {"gflops": 10.0}}
    one = result(True, [small, large], [], "")
    one["device"] = {**one["device"], "compute_units": 8}
    return next(found[3] for says, found in verdicts_of([("a", one)]).items() if says.startswith("in L1 1P-V-UR: 92.1"))


assert (in_cache(64, 9.0), in_cache(128, 9.0), in_cache(64, 30.0)) == ("**not decided**", "**does not hold**", "**holds**")

# One pass is faster at both sizes or not in all; a share of a peak that wider vectors have is open; one claim of two is a part.
alone_passes = {(form, width, unrolled): ms for form, ms in (("2P rows", 2.0), ("1P", 1.0)) for width, unrolled in ((1, 1), (8, 1), (8, 4))}
processor = result(True, all_rows("2P rows", alone_passes, {}), [], "")
ONE, RATES = "on the multicore all 1P are faster than their 2P", next(says for _, says, _ in rows([]) if "54.0 and 58.6 GFlop/s" in says)
of_cores = verdicts_of([("a", processor)])
assert of_cores[ONE][3] == "**holds**" and of_cores[RATES][3] == "**does not hold**" and "41.5 GFlop/s, 4.15 %" in of_cores[RATES][2], of_cores[RATES]
processor["limits"]["peak_gflops"], processor["device"]["device"] = 300.0, "pthread-skylake-avx512"
assert verdicts_of([("a", processor)])[RATES][3] == "**not decided**"
slow_vga = next(c for c in processor["cells"] if (c["form"], c["width"], c["size"]) == ("1P", 1, VGA))
slow_vga.update(stencil("1P", 1, 1, 0, 3.0, VGA))
assert verdicts_of([("a", processor)])[ONE][3:] == ["**does not hold**", "slower for NV at VGA"]
fast_core = result(True, [tracker("exact-sdvbs", "one core", (20.0, 2.0)), tracker("published", "opencl:1", (3.0, 1.0))], [], "")
assert verdicts_of([("a", fast_core)])["one core does less than 33 frames/s, all others more"][3:] == ["**holds in part**", "one core does 33 too"]

# A sentence on all variants is judged by all at both sizes; what no run has counts as not told apart.
LOWER, BACK = next(says for _, says, _ in rows([]) if says.startswith("the GPU is slower")), "the reverse mapping is 46.2 % slower"


def against_board(ms, sizes=(HD, VGA)):
    """A board beside a processor whose rows take `ms` where the board's take 1, or 1 / 6.75 at VGA."""
    shapes = [(1, 1), (8, 1), (8, 4)]
    made = [all_rows("", {(form, *shape): took for form, took in ((two, each), ("1P", each)) for shape in shapes}, {}) for two, each in (("2P columns", 1.0), ("2P rows", ms))]
    both = [("a", result(False, made[0], ["GPU"], "")), ("b", result(True, [c for c in made[1] if c["size"] in sizes], [], ""))]
    return verdicts_of(both)[LOWER]


assert against_board(0.5)[3] == "**holds**" and against_board(2.0)[3] == against_board(2.0, (HD,))[3] == "**does not hold**"
assert against_board(0.5, (HD,))[3] == "**holds in part**" and "not run on both at 6" in against_board(0.5, (HD,))[4]
for whole, verdict_of, why in ((6.5, "holds", ""), (5.0, "does not hold", "it is slower, but by less than the 46.2 %"), (3.0, "does not hold", "it is faster")):
    orders = [tracker("published", "prepare=opencl:1,update=cuda:0", (4.0, 0.2)), tracker("published", "prepare=cuda:0,update=opencl:1", (2.0, 1.0), whole=whole)]
    assert verdicts_of([("a", result(False, orders, ["GPU"], ""))])[BACK][3:] == [f"**{verdict_of}**", why], whole

# Nothing measured is no verdict; runs with fewer threads are for the sweep alone.
processor = result(True, [stencil("1P", 8, 1, 0, 1.0)], [], "the processor has no counter: " + RAPL)
fewer = result(True, [stencil("1P", 8, 1, 0, 9.0)], [], "the processor has no counter: " + RAPL)
fewer["device"] = {**fewer["device"], "compute_units": 4}
some = [("a", processor), ("b", fewer)]
found = verdicts_of([some[0]])
assert verdict("threads: 7.4x with 8 (2P-NV, full HD)") == "**not measured yet**"
assert [name for name, _ in report.main_results(some)] == ["a"]
everything = results + some
texts = dict(report.page(everything))
assert "`b`" in texts["Threads: OpenCL on the processor"]
assert set(report.blocks(everything)) == {"claims", "misprints"}
print("stencil-energy's verdicts follow from figures")
