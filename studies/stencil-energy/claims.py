# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper beside our figure, with a verdict that follows from the figures."""

from figures import device_name, number, table
from figures_of import (HD, L1, ROWS, VGA, alone, cells, core_share, energy, first, gflops, host, is_cpu, ms, one_configuration, paper_width, row,
                        share, trackers)


def verdict(holds, because):
    return "holds" if holds else f"does not, because {because}"


def misprints():
    return [
        ("Table I: peak of a single core 125 GFlop/s", "8 floats x (a multiplication and an addition) x 3.9 GHz = 62.4",
         "does not, because 125 is 4 cores x 8 floats x one operation; all its percentages for the multicore are of that, so that they are twice those of the true peak of 250"),
        ("Table II: watts and joules of 100 runs", "J / W gives 0.85 ms for the best; at the 54.0 GFlop/s of the text that is 22 operations a pixel",
         "holds, if 22 operations are counted; we count 20 (5 multiplications, 4 additions and a scaling a pass)"),
        ("Figure 1: weights 4 6 4, over 16, each pass", "they sum to 14",
         "does not, because the program's are 1 2 1 (9 points) and 1 4 6 4 1 (25 points); the figure leaves two weights out"),
        ("Windows of 8x8, 16x16, 32x32, 48x48", "the program reads from -w to w - 1 in each direction", "does not, because its patches are twice as wide and high"),
        ("Matrices of neighbours belong to dozens to hundreds of features", "the program keeps a dozen or fewer of the 500 strongest pixels, which lie side by side (9 in our scene)",
         "does not, if the program's own detection is kept; N is stated in each row"),
    ]


def _forms(result):
    def g(name, size=HD, form=None):
        return gflops(row(result, size, name, form=form))

    rows = []
    best = max(("2P", "1P"), key=lambda f: g(f + "-V-UR"))
    plain = host(result, HD, "C")
    if plain:
        times = ms(plain) / ms(row(result, HD, best + "-V-UR"))
        printed = "33.7" if is_cpu(result) else "13.3"
        rows.append((f"The best form is {printed}x the original at full HD", f"{number(times)}x ({best}-V-UR)",
                     verdict(times >= float(printed), f'{result["device"]["compute_units"]} units, and a compiler that does better with the original' if is_cpu(result) else "the device is slower")))
    restricted = host(result, HD, "C restrict")
    if plain and restricted:
        gain = gflops(restricted) / gflops(plain)
        rows.append(("`restrict` lets the compiler vectorise one of two loops: 2.3 against 1.5 GFlop/s", f"{number(gflops(restricted))} against {number(gflops(plain))}",
                     verdict(gain > 1.2, "nearly all the time goes into the pass down, which jumps from row to row either way")))
    gain = g("2P-V") / g("2P-NV")
    rows.append(("Vectors: almost 4x over no vectors (2P, full HD: 11.9 to 39.0)", f"{number(gain)}x",
                 verdict(gain > 2.5, "the compiler forms vectors of neighbouring work-items by itself" if is_cpu(result) else "the device's units are scalar, and fewer items have less to hide latency with")))
    gains = [g(f"{form}-V-UR") / g(f"{form}-V") for form in ("2P", "1P")]
    rows.append(("Unrolling gives additional benefit", ", ".join(f"{number(v)}x" for v in gains) + " (2P, 1P)",
                 verdict(min(gains) > 1.02, "memory limits the loop, or it is long enough")))
    pairs = [(g(f"1P-{kind}"), g(f"2P-{kind}")) for kind in ("NV", "V", "V-UR")]
    rows.append(("All 1P versions are faster than their 2P counterparts (full HD)", "; ".join(f"{number(a)} against {number(b)}" for a, b in pairs),
                 verdict(all(a > b for a, b in pairs), "sums across are computed again for each item's first rows, and an item reads three vectors for each that it writes")))
    more = [g("1P-V-UR", size) / g("2P-V-UR", size) for size in (HD, VGA)]
    rows.append(("One pass gains more at full HD than at VGA", f"{number(more[0])}x against {number(more[1])}x", verdict(more[0] > more[1], "both pictures fit the last cache, or neither does")))
    return rows


def _caches(result):
    rows = []
    small, large = (row(result, size, "1P-V-UR") for size in (L1, HD))
    if small and large:
        times = gflops(small) / gflops(large)
        printed = "92.1 against 54.0 GFlop/s" if is_cpu(result) else "36.7 (L3) against 21.3 GFlop/s"
        rows.append((f"A picture that fits the first cache runs faster: {printed}", f"{number(gflops(small))} ({number(share(result, small))} % of the peak) against {number(gflops(large))}",
                     verdict(times > 1.2, "so small a picture has too few items for the device" if not is_cpu(result) else "arithmetic, not memory, is what bounds both")))
    passes = {(form, size): alone(result, size, form) for form in ("rows alone", "down alone") for size in (HD, L1)}
    if all(passes.values()):
        across, down = gflops(passes["rows alone", HD]), gflops(passes["down alone", HD])
        rows.append(("Full HD: the pass along rows is more than twice as fast as the one down (87.1 against 29.3)", f"{number(across)} against {number(down)}",
                     verdict(across > 2 * down, "neighbouring items go down neighbouring columns, so that cache lines are used whole" if not is_cpu(result) else
                             "groups keep neighbouring columns in the cache, and items go down few rows each")))
        across, down = gflops(passes["rows alone", L1]), gflops(passes["down alone", L1])
        rows.append(("In the first cache it is the other way round (84.2 against 112.6)", f"{number(across)} against {number(down)}", verdict(down > across, "loads, not shuffles, bound the pass down" if is_cpu(result) else
                             "an item of the pass down has eight rows of a vector, one of the pass across a single vector, and so few items hide no latency")))
    loads, shuffles = (first(cells(result, part="stencil", on="device", size=HD, points=25, form="1P", width=paper_width(result), taps=t)) for t in ("loads", "shuffles"))
    if loads and shuffles:
        rows.append(("Shuffles are better than unaligned loads", f"{number(gflops(shuffles))} against {number(gflops(loads))} (1P, full HD)",
                     verdict(ms(shuffles) < ms(loads), "unaligned loads cost little here")))
    along, down = (row(result, HD, "2P-V-UR", form=form) for form in ("2P rows", "2P columns"))
    if along and down:
        slower = 100 * (ms(along) / ms(down) - 1)
        claim = "On the GPU the CPU's two-pass form is 26.0 % slower" if not is_cpu(result) else "On the CPU the form with rows first is the better one"
        rows.append((claim, f"rows first {slower:+.1f} %", verdict(slower > 0 if not is_cpu(result) else slower <= 0, "with few rows to an item both read whole cache lines")))
    ours, plain = host(result, HD, "ours"), host(result, HD, "C")
    if ours and plain:
        times = ms(plain) / ms(ours)
        rows.append(("Intrinsics on one core: 3.2x the original", f"{number(times)}x ({number(gflops(ours))} GFlop/s, {number(core_share(result, ours))} % of a core's peak without AVX-512)", verdict(times > 3.2, "the original is better compiled")))
        opencl = row(result, HD, "1P-V-UR")
        if is_cpu(result):
            per_core = ms(opencl) * result["host"]["threads"]
            rows.append(("... and OpenCL is better than intrinsics, parallelism discounted", f"{number(per_core)} ms of one core against {number(ms(ours))} ms",
                         verdict(per_core < ms(ours), "written vectors with rows kept in the first cache, and stores past the caches, need less than half of the traffic")))
    return rows


def _energy(result):
    values = {name: energy(row(result, HD, name)) for name, *_ in ROWS}
    if not all(values.values()):
        return [("Energy falls with each optimisation (table II, figure 6)", "no counters on this machine" if isinstance(result["energy"]["counted"], str) else "not measured", "not available")]
    joules = [values[name]["joules"] for name in ("2P-NV", "2P-V", "2P-V-UR", "1P-NV", "1P-V", "1P-V-UR")]
    watts = [values[name]["watts"] for name in ("2P-NV", "2P-V", "2P-V-UR", "1P-NV", "1P-V", "1P-V-UR")]
    falls = joules[0] > joules[1] >= joules[2] and joules[3] > joules[4] >= joules[5]
    return [("Energy falls with each optimisation (table II)", ", ".join(number(v) for v in joules) + " J", verdict(falls, "faster forms draw more power")),
            ("On the GPU power stays or falls" if not is_cpu(result) else "On the multicore power rises", ", ".join(number(v) for v in watts) + " W",
             verdict((watts[5] <= 1.05 * watts[3]) != is_cpu(result), "power follows what the memories and units do"))]


def _tracker(result):
    found = {title: cell for title, cell in trackers(result) if cell and not cell["refused"]}
    rows = []

    def fps(title):
        return found[title]["counts"]["frames_per_s"]

    single, multi, device = "SC: exact-sdvbs, one core", "MC: ours, all cores", "device: ours"
    both, other = "filters on the CPU, update on the device", "filters on the device, update on the CPU"
    if single in found:
        counts = found[single]["counts"]
        loop = (counts["prepare_ms"] + counts["update_ms"]) * 200
        rows.append(("98 % of the time is following", f'{100 * loop / (loop + counts["detect_ms"]):.3g} % of 200 frames (exact-sdvbs)', verdict(loop / (loop + counts["detect_ms"]) > 0.95, "detection weighs more")))
        rows.append(("89 % of that are filters", f'{100 * counts["prepare_share"]:.3g} % with {number(counts["mean_features"])} features', verdict(counts["prepare_share"] > 0.8, "our version of the program has slower patches, and windows of 96x96")))
        rows.append(("One core does less than 33 frames/s (17.0)", number(fps(single)), verdict(fps(single) < 33, "a core is faster now")))
    for title, printed in ((multi, 3.2), (device, 2.6), (both, 4.3)):
        if title in found and single in found:
            times = fps(title) / fps(single)
            rows.append((f"{title.split(':')[0]}: {printed}x of one core", f"{number(times)}x", verdict(times >= printed, "500 features are followed, not 9")))
    if all(t in found for t in (both, multi, device)):
        rows.append(("Both together are faster than either", f"{number(fps(both))} against {number(fps(multi))} and {number(fps(device))} frames/s",
                     verdict(fps(both) > max(fps(multi), fps(device)), "the faster of the two waits for the slower one, and prepared frames are copied between them")))
    if both in found and other in found:
        slower = 100 * (fps(both) / fps(other) - 1)
        rows.append(("The reverse mapping is 46.2 % slower", f"{slower:+.1f} %", verdict(slower > 0, "the device is as much ahead in the filters as it is in the update")))
    return rows


def claims(results):
    parts = ["The paper against itself:\n\n" + table(["the paper", "what follows", "verdict"], misprints())]
    for _, result in results:
        rows = []
        if row(result, HD, "1P-V-UR") and row(result, VGA, "1P-V-UR"):
            rows += _forms(result) + _caches(result) + _energy(result)
        rows += _tracker(result)
        if rows:
            parts.append(f"**{device_name(result)}**:\n\n" + table(["the paper", "ours", "verdict"], rows))
    if len(results) > 1:
        rows = []
        for size, title, printed in ((HD, "full HD", 2.3), (VGA, "VGA", 16.8)):
            found = one_configuration(results, size)
            if found:
                worst = max(loss for *_, loss in found[1])
                rows.append((f"One unroll and group for all devices loses at most {printed} % ({title})", f"{worst:.3g} %", verdict(worst <= printed, "these devices are further apart than a processor and the GPU beside it")))
        if rows:
            parts.append("All devices together:\n\n" + table(["the paper", "ours", "verdict"], rows))
    return "\n\n".join(parts)
