# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper beside our figures, with the verdict that follows from them. Rows named after the paper are of the
paper's items, which go all the way down a column or along a row."""

from application import (NOT_HERE, application_energy, auto_best, both_best, by_eight, delay_product, filters_share, least_product, of_trackers, other_mapping, processor_first, rate_per_watt,
                         real_time, reverse, run_of_eight, shares, speed, unsearched)
from both import alike_shapes, lower_than_processor, more_threads, no_copies, of_places, on_processor_and_board, one_code, one_text, over_intrinsics, same_on_both
from bounds import bandwidth_bound, both_limit, elements_read, first_cache, forms_alike, passes, shuffle_bound, some_bandwidth
from figures import number
from figures_of import HD, L1, L2, UNROLLED, VGA, gflops, host, idle_of, is_cpu, main_results, ms, pixels, row, search_doubt, share, variant, walls
from stencil_joules import efficiency_follows, fall, no_processor_counter, of_processor_too, power, rise, share_of_board, stencil_energy
from verdicts import EQUAL, FAILS, HOLDS, OPEN, PART, Finding, at_least, claims_table, compare, holds_if, nearly_all

NO_VGA = "the run on these cores has full HD alone"


def of(kind):
    """A check for processors ("MC") or boards ("GPU") alone."""
    def only(check):
        return lambda result: check(result) if is_cpu(result) == (kind == "MC") else None
    return only


def _g(time):
    return number(time.gflops)


def _items(result, time, what="items"):
    return f"{time.items:,} {what} on {result['device']['compute_units']} units" if time and time.items else ""


# Stencils


def over_original(printed):
    def check(result):
        plain = host(result, HD, "C")
        times = [(name, row(result, HD, name)) for name in ("2P-V-UR", "1P-V-UR", "1P-V")]
        times = [(name, time) for name, time in times if time]
        if not plain or not times:
            return None
        name, best = min(times, key=lambda t: t[1].ms)
        return at_least(walls(plain), best.runs, printed, f"{number(ms(plain) / best.ms)}x ({name})", because_not=f"the original runs at {number(gflops(plain))} GFlop/s (paper: 1.6), {name} at {_g(best)}")
    return check


def at_both(result, before, after, limit, of):
    """Of the host's rows at full HD and VGA: (what, sign) of "at least `limit` times as fast", by at_least()."""
    found = []
    for size, at in ((HD, ""), (VGA, "VGA: ")):
        a, b = host(result, size, before), host(result, size, after)
        if a and b:
            found.append((at + of(a, b), {HOLDS: -1, FAILS: 1}.get(at_least(walls(a), walls(b), limit, "").verdict, 0)))
    return found


def limited(found, limit, figures):
    """A finding of at_both()."""
    if not found:
        return None
    made = of_places([sign for _, sign in found], figures, 2)
    made.verdict = OPEN if made.verdict == EQUAL else made.verdict
    made.because = "" if made.verdict == HOLDS else f"the limit is {limit}x, at full HD and VGA: so at {sum(sign < 0 for _, sign in found)}, not so at {sum(sign > 0 for _, sign in found)}, spread or 2 % to both sides at {sum(sign == 0 for _, sign in found)}, not run at {2 - len(found)}"
    return made


def vectorised(result):
    found = at_both(result, "C", "C restrict", 1.2, lambda a, b: f"{number(gflops(b))} against {number(gflops(a))} GFlop/s, {number(gflops(b) / gflops(a))}x")
    return limited(found, 1.2, "; ".join(says for says, _ in found) + " (paper 1.5x), of the host's core")


def parallel(result):
    plain, time = host(result, HD, "C"), row(result, HD, "2P-NV")
    if not plain or not time:
        return None
    gain, units = ms(plain) / time.ms, result["device"]["compute_units"]
    return at_least(walls(plain), time.runs, 7.4, f"{number(gain)}x on {units} threads ({_g(time)} GFlop/s)", because_not=f"{number(gain / units)}x a thread; the paper has {7.4 / 8:.2f}x")


def vectors(least, printed):
    def check(result):
        plain, fast = row(result, HD, "2P-NV"), row(result, HD, "2P-V")
        if not plain or not fast:
            return None
        gain = plain.ms / fast.ms
        return at_least(plain.runs, fast.runs, least, f"{number(gain)}x ({_g(plain)} to {_g(fast)})", because_not=f"2P-V has {_items(result, fast)}, 2P-NV {_items(result, plain)}" if fast.items and plain.items and not is_cpu(result) else "")
    return check


def pairs_of_rows(result, pairs):
    """(what, first, second) of each pair of rows, at full HD and at VGA where that was measured."""
    found = [(f"{says}{'' if size == HD else ' at VGA'}", row(result, size, first), row(result, size, second)) for size in (HD, VGA) for says, first, second in pairs]
    return [one for one in found if one[1] and one[2]]


def unrolling(result):
    pairs = pairs_of_rows(result, [(form, f"{form}-V-UR", f"{form}-V") for form in ("2P", "1P")])
    return of_places([compare(b.runs, a.runs) for _, a, b in pairs], ", ".join(f"{says} {number(b.ms / a.ms)}x" for says, a, b in pairs), 4) if pairs else None


def one_pass(result):
    pairs = pairs_of_rows(result, [(kind, f"1P-{kind}", f"2P-{kind}") for kind in ("NV", "V", "V-UR")])
    if not pairs:
        return None
    signs = [compare(b.runs, a.runs) for _, a, b in pairs]
    said = {0: "no difference for", 1: "slower for"}
    reasons = [f"{said[kind]} {', '.join(says for (says, *_), sign in zip(pairs, signs) if sign == kind)}" for kind in (0, 1) if kind in signs]
    found = of_places(signs, "; ".join(f"{says} {_g(a)} against {_g(b)}" for says, a, b in pairs) + " GFlop/s", 6, always=True)
    if 6 > len(signs):
        reasons.append(f"{6 - len(signs)} of 6 were not run")
    found.because = "; ".join(reasons)
    return found


def one_pass_large(result):
    gains, ranges = [], []
    for size in (HD, VGA):
        a, b = row(result, size, "1P-V-UR"), row(result, size, "2P-V-UR")
        if not a or not b:
            return None
        gains.append(b.ms / a.ms)
        (first, last), (other_first, other_last) = nearly_all(a.runs), nearly_all(b.runs)
        doubt = 1 + search_doubt(result, size) if is_cpu(result) else 1
        ranges.append((other_first / last / doubt, other_last / first * doubt))
    text = f"{number(gains[0])}x at full HD, {number(gains[1])}x at VGA"
    if ranges[0][0] <= ranges[1][1] and ranges[1][0] <= ranges[0][1]:
        return Finding(text, OPEN, "what rounds and search leave open of both gains overlaps")
    return holds_if(gains[0] > gains[1], text)


def larger_than_cache(result):
    """The paper's reason: its picture of full HD does not fit its last cache."""
    gain, cache = one_pass_large(result), result["host"].get("l3_bytes")
    if gain is None or not cache:
        return None
    picture = 4 * pixels(HD)
    text = f"a picture of {picture / 1e6:.1f} MB, the last cache {cache / 1e6:.0f} MB"
    if picture > cache:
        return Finding(text, OPEN, "it does not fit; what that costs is not told from all else")
    return Finding(text, FAILS if gain.verdict == HOLDS else OPEN, "it fits, and the gain is larger all the same" if gain.verdict == HOLDS else "it fits here")


def best_rates(everything=()):
    """By the share of the peak: GFlop/s are of each machine."""
    return lambda result: rates_of(result, everything)


def rates_of(result, everything):
    times = [row(result, size, "1P-V-UR") for size in (HD, VGA)]
    if not times[0]:
        return None
    printed = (21.6, 23.4) if is_cpu(result) else (14.5, 20.2)  # the multicore's of its true peak: see MISPRINTS
    parts = [share(result, time.gflops) for time in times if time]
    figures = "; ".join(f"{_g(time)} GFlop/s, {number(part)} % of the measured peak" for time, part in zip(times, parts)) + ("" if times[1] else "; VGA not measured")
    eight = run_of_eight(everything, result)
    no_vga = NO_VGA + (f"; {unsearched(eight)}" if eight and unsearched(eight) else "")
    if all(part >= p for part, p in zip(parts, printed)):
        return Finding(figures, HOLDS if times[1] else OPEN, "by the share of the peak" if times[1] else no_vga)
    wide = "avx512" in result["device"]["device"]  # the peak is of 16 floats there
    most = [(1 + wide) * part * time.ms / nearly_all(time.runs)[0] for time, part in zip(times, parts)]
    if any(value < p for value, p in zip(most, printed)):
        return Finding(figures, FAILS, "by the share of the peak" + ("" if is_cpu(result) or not times[0].items else f", with {_items(result, times[0])}"))
    why = "the peak is of vectors of up to 16 floats, which this processor has; the paper's and these hold 8: of half that peak the shares are twice as large" if wide else "the rounds reach to both sides"
    return Finding(figures, OPEN, why + ("" if times[1] else f"; {no_vga}"))


def little_parallelism(result):
    """The paper's reason in the GPU's cache: too few items to hide its latency. Our cut of the same kernel has more of them."""
    few, many = row(result, L2, "1P-V-UR"), variant(result, L2, "1P", 8, "shuffles", paper=False)
    if not few or not many or not few.items or not many.items:
        return None
    text = f"{L2}: {few.items:,} items{idle_of(few, L2)} {_g(few)}, {many.items:,} items of our cut{idle_of(many, L2)} {_g(many)} GFlop/s"
    return Finding(text, OPEN, f"{many.items / few.items:.0f} times the items are {number(many.gflops / few.gflops)} times as fast, but they also lie on more of the {result['device']['compute_units']} units: latency is not told from these")


def far_below_eight(result):
    """8 or more refute it; from where on less is far from it, the paper does not say."""
    plain, fast = row(result, HD, "2P-NV"), row(result, HD, "2P-V")
    if not plain or not fast:
        return None
    found = at_least(plain.runs, fast.runs, 8, f"{number(plain.ms / fast.ms)}x")
    if found.verdict == FAILS:
        return Finding(found.figures, PART, "less than 8; from where on that is far from it, the paper does not say")
    return Finding(found.figures, {HOLDS: FAILS}.get(found.verdict, OPEN), found.because)


def shuffles(result):
    """Every form that sums along a row."""
    forms = ("1P", "2P rows", "2P columns", "rows alone", "columns alone")
    pairs = [(f"{form}{'' if size == HD else ' at VGA'}", variant(result, size, form, 8, "shuffles"), variant(result, size, form, 8, "loads")) for size in (HD, VGA) for form in forms]
    pairs = [p for p in pairs if p[1] and p[2]]
    return of_places([compare(b.runs, a.runs) for _, a, b in pairs], "; ".join(f"{form} {_g(a)} against {_g(b)}" for form, a, b in pairs) + " GFlop/s", 2 * len(forms)) if pairs else None


def other_form(result):
    """2P-V-UR with its first pass along rows against the one down columns."""
    parts, signs = [], []
    for size, title in ((HD, ""), (VGA, "VGA: ")):
        rows, columns = (variant(result, size, form, 8, "shuffles", UNROLLED) for form in ("2P rows", "2P columns"))
        if not rows or not columns:
            continue
        slower = 100 * (rows.ms / columns.ms - 1)
        parts.append(f"{title}rows first {_g(rows)}, columns first {_g(columns)} GFlop/s: rows take {abs(slower):.1f} % {'more' if slower > 0 else 'less'} time")
        signs.append(compare(columns.runs, rows.runs) if is_cpu(result) else compare(rows.runs, [1.26 * run for run in columns.runs]))
    if not signs:
        return None
    found = of_places(signs, "; ".join(parts), 2)
    if not is_cpu(result) and found.verdict == FAILS:
        found.because = f"less than 26.0 % slower, or faster, at {signs.count(1)} of {len(signs)}"
    return found


def intrinsics(result):
    found = at_both(result, "C", "ours", 3.2, lambda a, b: f"{number(ms(a) / ms(b))}x ({number(gflops(b))} GFlop/s)")
    return limited(found, 3.2, "; ".join(says for says, _ in found) + "; our filter in place of theirs")


def rows(results, everything=()):
    """Of the main results; `everything` has the runs with fewer threads too."""
    mc, gpu = of("MC"), of("GPU")
    return [
        ("abstract, IV-C, VI", "the application runs 3.2x faster on the multicore", speed("MC", 3.2, everything)),
        ("abstract, IV-C, VI", "... 2.6x on the GPU", speed("GPU", 2.6)),
        ("abstract, IV-C, VI", "... 4.3x on both", speed("MC+GPU", 4.3)),
        ("abstract, IV-C", "it consumes 2.2x less energy on the multicore", application_energy("MC", 2.2)),
        ("abstract, IV-C", "... 3.1x less on the GPU", application_energy("GPU", 3.1)),
        ("abstract, IV-C", "... 2.7x less on both", application_energy("MC+GPU", 2.7)),
        ("I, VI", "the stencil runs 33.7x faster on the multicore, full HD", mc(by_eight(over_original(33.7), everything))),
        ("I, VI", "... 13.3x on the GPU", gpu(over_original(13.3))),
        ("II-A", "98 % of the time is the second part", of_trackers(["SC"], shares)),
        ("II-A", "89 % of that are filters", of_trackers(["SC"], filters_share)),
        ("II-B", "shuffles are better than unaligned loads (implied)", shuffles),
        ("IV-A", "`restrict` and ivdep: 2.3 against 1.5 GFlop/s", vectorised),
        ("IV-A", "... with them the compiler vectorises the pass down, not the one along rows", Finding("-", NOT_HERE, "its compiler, Intel's of 2014, is not at hand")),
        ("IV-A", "threads: 7.4x with 8 (2P-NV, full HD)", mc(by_eight(parallel, everything))),
        ("IV-A", "8 threads are faster than 4, two to a core", more_threads(everything)),
        ("IV-A", "vectors: almost 4x (2P, full HD, 11.9 to 39.0)", mc(by_eight(vectors(39.0 / 11.9, 39.0 / 11.9), everything))),
        ("IV-A", "... still far from the 8 that a vector holds", mc(by_eight(far_below_eight, everything))),
        ("IV-A, VI", "unrolling gives additional benefit", unrolling),
        ("IV-A", "... since the compiler schedules loads and sums better", Finding("-", OPEN, "no counter of stalls is read")),
        ("IV-A", "on the multicore all 1P are faster than their 2P", mc(one_pass)),
        ("IV-A", "of the multicore's 1P, V-UR gains more at full HD than at VGA", mc(one_pass_large)),
        ("IV-A", "... since full HD does not fit the last cache", mc(larger_than_cache)),
        ("IV-A", "1P-V-UR: 54.0 and 58.6 GFlop/s at full HD and VGA, 43.2 and 47.6 % of the peak (21.6 and 23.4 % of that of 4 cores)", mc(best_rates(everything))),
        ("IV-A", "in L1 1P-V-UR: 92.1 GFlop/s, 73.8 % of the peak (36.8 % of that of 4 cores); by its figures 1.7x of full HD", mc(by_eight(first_cache(everything), everything))),
        ("IV-A", "in L1 1P-V-UR and 2P-V-UR perform alike (92.1, 92.3)", mc(by_eight(forms_alike, everything))),
        ("IV-A", "2P-V-UR, full HD: the pass along rows is more than twice as fast as the one down (87.1, 29.3)", mc(by_eight(passes(HD), everything))),
        ("IV-A", "in L1 the opposite (84.2, 112.6)", mc(by_eight(passes(L1), everything))),
        ("IV-A", "bandwidth bounds the pass down, not the one along rows", mc(bandwidth_bound)),
        ("IV-A", "shuffles bound the pass along rows", mc(shuffle_bound)),
        ("IV-A", "bandwidth and shuffles limit 1P", mc(both_limit)),
        ("IV-A", "1P reads 12 elements of a row for the stencil of 8", Finding("8 and two at either side are 12; three aligned vectors, as figure 3 and our kernels load them, are 24", PART, "12 are needed; the whole vectors that are loaded hold twice as many")),
        ("IV-A", "... which, with shuffles, slows the GPU down in its L3 too", gpu(elements_read)),
        ("VI", "in all cases bandwidth to some level of the memory is the limit", some_bandwidth),
        ("IV-A", "vectors help the GPU (2P, full HD, 2.0x by table II)", gpu(vectors(7.31 / 3.61, 7.31 / 3.61))),
        ("IV-A", "1P-V-UR: 21.3 and 29.8 GFlop/s at full HD and VGA, by table I 14.5 and 20.2 % of its peak", gpu(best_rates())),
        ("IV-A", "the GPU is slower than the multicore (1P-V-UR at VGA 29.8 against 58.6, at full HD 21.3 against 54.0 GFlop/s)", lower_than_processor(results)),
        ("IV-A", "... since its way to the last cache is narrower, and its latency longer", Finding("-", OPEN, "bandwidth and latency of the caches are not measured")),
        ("IV-A", "figure 5 has the shape of figure 4", alike_shapes(results)),
        ("IV-A", "in the GPU's L3 1P-V-UR: 36.7 GFlop/s, 24.9 % of the peak; by its figures 1.7x of full HD", gpu(first_cache())),
        ("IV-A", "... since so few items do not hide its latency", gpu(little_parallelism)),
        ("IV-A", "the multicore's 2P-V-UR is 26.0 % slower on the GPU", gpu(other_form)),
        ("II-B, IV-A", "on the multicore rows first is the better 2P-V-UR (implied)", mc(other_form)),
        ("IV-B, VI", "joules fall with each optimisation (full HD, table II)", stencil_energy("joules", fall)),
        ("IV-B", "... since the hardware is used better and the work ends earlier", Finding("-", OPEN, "joules are watts times seconds: what of them is better use is not told")),
        ("IV-B", "MFlop/J rise with each optimisation (full HD, figure 6)", stencil_energy("mflop_per_joule", rise)),
        ("IV-B", "EDP falls with each optimisation (full HD, figure 6)", stencil_energy("energy_delay", fall)),
        ("IV-B", "more GFlop/s go with more MFlop/J", efficiency_follows),
        ("IV-B, VI", "on the multicore power rises", mc(stencil_energy("watts", rise))),
        ("IV-B", "... since vector units take more", mc(no_processor_counter)),
        ("IV-B, VI", "on the GPU power stays or falls", gpu(stencil_energy("watts", power))),
        ("IV-B", "the multicore has more Flop/J than the GPU", on_processor_and_board("mflop_per_joule")(results)),
        ("IV-B", "... and the lower EDP", on_processor_and_board("energy_delay", more=False)(results)),
        ("IV-B", "... but without vectors, 1P-NV", on_processor_and_board("mflop_per_joule", "1P-NV", False)(results)),
        ("IV-B", "... since the kernels do not use the GPU well", gpu(share_of_board)),
        ("IV-B", "a part of the GPU's joules is the processor's", of_processor_too),
        ("IV-C", "one core does less than 33 frames/s, all others more", of_trackers(["SC", "MC"], real_time)),
        ("IV-C", "MC is faster than GPU", of_trackers(["MC", "GPU"], processor_first)),
        ("IV-C", "MC+GPU is faster than either", of_trackers(["MC", "GPU", "MC+GPU"], both_best)),
        ("IV-C, ours", "the same of our tracker", of_trackers(["MC", "GPU", "MC+GPU"], both_best, "ours")),
        ("IV-C", "mappings other than these two orders might work better", of_trackers(["MC+GPU", "GPU+MC"], other_mapping)),
        ("IV-C, ours", "a trial of one device and of both orders finds a faster mapping of our tracker than MC+GPU", of_trackers(["MC", "GPU", "MC+GPU", "GPU+MC", "auto"], auto_best, "ours")),
        ("IV-C", "the reverse mapping is 46.2 % slower", of_trackers(["MC+GPU", "GPU+MC"], reverse)),
        ("IV-C", "EDP: the GPU's is better than the CPU's", delay_product(least_product("GPU", ("MC",)))),
        ("IV-C", "EDP: MC+GPU is best", delay_product(least_product("MC+GPU"))),
        ("VI", "EDP: 11.5x better than the original", delay_product(lambda v: holds_if(v["SC"]["energy_delay"] / v["MC+GPU"]["energy_delay"] >= 11.5, f"{number(v['SC']['energy_delay'] / v['MC+GPU']['energy_delay'])}x"))),
        ("IV-C", "frames/s per W: MC+GPU has nearly the GPU's (1.1, 1.2)", rate_per_watt),
        ("IV-D, VI", "what helps the multicore helps the GPU, and the other way round", same_on_both(results)),
        ("abstract, IV-D", "one OpenCL text runs well on both", one_text(results)),
        ("IV-D", "one unroll and group for both loses at most 2.3 %, full HD", one_code(HD, 2.3)(results)),
        ("IV-D", "... 16.8 %, VGA", one_code(VGA, 16.8)(results)),
        ("IV-D", "intrinsics on one core: 3.2x the original", intrinsics),
        ("IV-D", "OpenCL (1P-V) is faster than intrinsics, a core each (full HD)", mc(over_intrinsics(everything))),
        ("IV-D", "OpenCL takes less effort than intrinsics", Finding("-", OPEN, "the paper gives no measure of effort")),
        ("V", "for a device that shares the host's memory, data transfer is no problem", mc(no_copies)),
    ]


MISPRINTS = [
    ("table I: peak of a single core 125 GFlop/s", "8 floats x 2 operations x 3.9 GHz = 62.4; 125 is 4 cores x 8 floats x 3.9 GHz, one operation",
     "contradicts itself: all percentages for the multicore are of 125, twice those of 4 cores' 250"),
    ("58.6 GFlop/s are 47.6 % of the peak", "58.6 / 125 = 46.9 %", "a slip"),
    ("table II: watts and joules of 100 runs", "J / W gives 0.85 ms for MC-1P-V-UR; at 54.0 GFlop/s that is 22 operations a pixel", "agrees with the text, if 22 operations are counted; we count 20 (2 x (5 + 4 + 1))"),
    ("figure 1: weights 4 6 4, over 16, each pass", "they sum to 14", "incomplete: the program's are 1 4 6 4 1 (25 points) and 1 2 1 (9 points)"),
    ("matrices of neighbours of 8x8 to 48x48", "the program reads from -w to w - 1 each way", "half of what the program reads"),
    ("dozens to hundreds of features", "the program takes the 500 strongest pixels and then drops neighbours: a few remain", "not with the program's own settings at full HD; the table of trackers says N"),
]


def claims(results):
    main = main_results(results)
    return claims_table(rows(main, results), main)
