# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study stencil-energy."""

from application import short_reason
from bars import bar_plot
from claims import MISPRINTS, claims
from figures import device_name, number, table
from figures_of import (HD, L1, NAMES, SIZES, UNROLLED, VGA, alone, core_share, energy, gflops, has_processor_counter, host, is_cpu, main_results,
                        missing_counter, ms, one_configuration, ours, pixels, row, share, too_few_groups, trackers, variant, with_trackers)
from published import CACHED, MACHINE, TABLE_THREE, TEXT, table_two


def _parts(results, make):
    parts = []
    for name, result in results:
        head, rows = make(result)
        if rows:
            parts.append(f"**{device_name(result)}** (`results/{name}.json`):\n\n" + table(head, rows))
    return "\n\n".join(parts) or "*Not measured yet.*"


def _percent(value):
    return "-" if value is None else f"{value:.3g} %"


def _machine(results):
    rows = [[what, cpu, gpu] + ["-"] * len(results) for what, cpu, gpu in MACHINE]

    def put(index, texts):
        rows[index][3:] = texts

    put(0, [number(r["device"]["clock_mhz"] / 1000) for _, r in results])
    put(1, [f'{number(r["limits"]["peak_gflops"])} measured, each operation rounded; {number(r["limits"]["peak_fused_gflops"])} fused' for _, r in results])
    put(3, [str(r["device"]["compute_units"]) for _, r in results])
    put(6, [f'{number(r["limits"]["copy_1080p_gbs"])} measured: a copy at full HD' for _, r in results])
    rows.append(["local memory of a group", "-", "64 KB"] + [f'{r["device"]["local_memory"]:,} B' for _, r in results])
    rows.append(["the host", "-", "-"] + [f'{r["host"]["processor"]}, {r["host"]["threads"]} threads' for _, r in results])
    rows.append(["its caches L1, L2, L3", "-", "-"] + [" / ".join(f'{(r["host"][k] or 0) // 1024:,} KiB' for k in ("l1_bytes", "l2_bytes", "l3_bytes")) for _, r in results])
    rows.append(["one core of it, 256 bits, GFlop/s", "-", "-"] + [number(r["host"].get("core_peak_gflops")) for _, r in results])
    return table(["", "i7-3770K", "HD4000"] + [device_name(r) for _, r in results], rows)


def _cut(time):
    return f"{time.unrolled}, {time.group}, {time.strip or 'all'}{' (search)' if time.searched else ''}"


def _forms(result):
    platform = "MC" if is_cpu(result) else "GPU"
    rows = []
    for size, title in SIZES:
        index = {HD: 0, VGA: 1}.get(size)
        for name, form in (("SC-2P-auto", "C"), ("the same with restrict", "C restrict"), ("our filter (SIMD), one core", "ours")):
            cell = host(result, size, form)
            if cell:
                printed = {"C": TEXT["SC", "2P-auto"][0], "C restrict": 2.3}.get(form) if index == 0 else None
                rows.append([title, name, number(printed), number(gflops(cell)), _percent(core_share(result, cell)) + " of a core", number(ms(cell)), "-", "-", "-"])
        for name in NAMES:
            time, cut = row(result, size, name), ours(result, size, name)
            if not time and not cut:
                continue
            printed = TEXT.get((platform, name), (None, None))[index] if index is not None else CACHED.get((platform, name)) if size == (L1 if platform == "MC" else "160x128") else None
            line = [number(time.gflops), _percent(share(result, time.gflops)), number(time.ms), _cut(time)] if time else ["-"] * 4
            rows.append([title, f"{platform}-{name}", number(printed), *line, *([number(cut.gflops), _cut(cut)] if cut else ["-", "-"])])
    return ["size", "variant", "the paper, GFlop/s", "its items: GFlop/s", "of the peak", "ms", "unroll, group, pixels of an item", "our cut: GFlop/s", "unroll, group, pixels of an item"], rows


PASSES = [("rows alone", "across, along rows", {HD: 87.1, L1: 84.2}), ("columns alone", "across, along columns", {}), ("down alone", "down", {HD: 29.3, L1: 112.6})]


def _passes(result):
    rows = []
    for form, title, printed in PASSES:
        for size, name in SIZES:
            plain, time, cut = alone(result, size, form, (1,)), alone(result, size, form, UNROLLED), alone(result, size, form, paper=False)
            if plain or time or cut:
                rows.append([title, name, number(printed.get(size) if is_cpu(result) else None), number(plain.gflops) if plain else "-", number(time.gflops) if time else "-",
                             _percent(share(result, time.gflops)) if time else "-", number(time.ms) if time else "-", number(cut.gflops) if cut else "-"])
    return ["pass", "size", "the paper, unrolled, GFlop/s", "its items: GFlop/s", "unrolled: GFlop/s", "of the peak", "ms", "our cut: GFlop/s"], rows


def _vectors(result):
    rows = []
    ways = [(1, "-")] + [(w, t) for t in ("shuffles", "loads") for w in (4, 8, 16)]
    for size, title in SIZES:
        for form in ("1P", "2P rows", "2P columns", "rows alone", "columns alone"):
            for paper, who in ((True, "the paper's"), (False, "ours")):
                line = [variant(result, size, form, width, taps, paper=paper) for width, taps in ways]
                if any(line):
                    rows.append([title, form, who] + [number(t.gflops) if t else "-" for t in line])
    return ["size", "form", "items", "no vectors"] + [f"{t} {w}" for t in ("shuffles", "loads") for w in (4, 8, 16)], rows


def _unrolls(result):
    rows = []
    for size, title in SIZES[:2]:
        for form in ("1P", "2P rows", "2P columns"):
            times = {}
            for one in result["search"]:
                if (one["size"], one["form"], one["width"], one["taps"], one["strip"], one["points"]) == (size, form, 8, "shuffles", 0, 25) and one["ms"]:
                    times[one["unrolled"]] = min(one["ms"], times.get(one["unrolled"], one["ms"]))
            if len(times) > 1:
                rows.append([title, form] + [number(times.get(n)) for n in (1, 2, 4, 8)])
    return ["size", "form", "1, ms", "2, ms", "4, ms", "8, ms"], rows


def _one_code(results):
    rows = []
    for (size, title), printed in zip(SIZES[:2], ("2.3 %", "16.8 %")):
        found = one_configuration(results, size)
        for result, own, loss in found[1] if found else []:
            rows.append([title, device_name(result), f"{own[0]}, {own[1]}", f"{found[0][0]}, {found[0][1]}", printed, _percent(loss)])
    return table(["size", "device", "its best unroll, group", "one for all", "the paper loses", "here lost"], rows) if rows else "*One device was measured: a second one is needed.*"


def _threads(result):
    rows = []
    for points in (25, 9):
        for size, title in SIZES:
            for cell in [c for c in result["cells"] if c["part"] == "stencil" and c["form"] == "ours" and c["size"] == size and c["points"] == points and c["refused"] is None]:
                plain = host(result, size, "C", points)
                rows.append([points, title, cell["on"], number(gflops(cell)), number(ms(cell)), f"{8e-6 * pixels(size) / ms(cell):.3g}", number(ms(plain) / ms(cell), 4) if plain else "-"])
    return ["points", "size", "on", "GFlop/s", "ms", "GB/s read and written", "over the scalar program"], rows


def _thread_sweep(results):
    """Runs on processors, by their threads: stencils and the published tracker; and our tracker on the processor's threads."""
    rows = []
    for name, result in results:
        if is_cpu(result):
            times = [row(result, size, variant) for size in (HD, VGA) for variant in ("2P-NV", "1P-V-UR")]
            found = trackers(result, "published")
            rows.append([f"`{name}`", result["device"]["compute_units"]] + [f"{number(t.gflops)}{too_few_groups(result, t)}" if t else "-" for t in times] + [number(found[who]["counts"]["frames_per_s"]) if who in found else "-" for who in ("MC", "SC")])
    head = ["results", "threads", "2P-NV, full HD, GFlop/s", "1P-V-UR", "2P-NV, VGA", "1P-V-UR", "published tracker, frames/s", "the program on one core"]
    return table(head, sorted(rows, key=lambda r: (r[0].rsplit("-", 1)[0], r[1]))) if rows else "*Not measured yet.*"


def _our_threads(result):
    rows = []
    for cell in result["cells"]:
        if cell["part"] == "tracker" and cell["on"].startswith("cpu, threads") and cell["refused"] is None:
            counts = cell["counts"]
            rows.append([cell["on"].split()[-1], number(counts["frames_per_s"]), number(counts["prepare_ms"]), number(counts["update_ms"])])
    return ["threads", "frames/s", "filters, ms", "update, ms"], rows


def _nine(result):
    rows = []
    for size, title in SIZES:
        for form in ("C", "C restrict", "ours"):
            cell = host(result, size, form, 9)
            if cell:
                rows.append([title, {"ours": "our filter (SIMD), one core"}.get(form, form), number(gflops(cell)), _percent(core_share(result, cell)) + " of a core", number(ms(cell)), "-"])
        for name in NAMES:
            time, cut = row(result, size, name, points=9), ours(result, size, name, points=9)
            if time or cut:
                line = [number(time.gflops), _percent(share(result, time.gflops)), number(time.ms)] if time else ["-"] * 3
                rows.append([title, name, *line, number(cut.gflops) if cut else "-"])
    return ["size", "variant", "its items: GFlop/s", "of the peak", "ms", "our cut: GFlop/s"], rows


def _sum_of(result, value):
    """What a sum of joules is made of, and what it lacks."""
    summed = value.get("summed") or [name for name in value["counters"]]
    return " + ".join(summed) + ("" if has_processor_counter(result) else f"; without {short_reason(missing_counter(result))}")


def _energy(result):
    platform = "MC" if is_cpu(result) else "GPU"
    rows = []
    for name in NAMES:
        joules, watts, time = table_two(platform, name)
        paper = [number(joules), number(watts), number(10 * joules * time), number(20 * 1920 * 1080 * 100e-6 / joules)]
        for who, found in (("the paper's", row(result, HD, name)), ("ours", ours(result, HD, name))):
            value = energy(result, found.cell.get("counts"), is_cpu(result)) if found else None
            if not value and (who == "ours" or is_cpu(result)):
                continue
            line = [number(value[k]) for k in ("joules", "watts", "energy_delay", "mflop_per_joule")] if value else ["not measured yet"] + ["-"] * 3
            rows.append([f"{platform}-{name}", who] + [f"{p} / {o}" for p, o in zip(paper if who != "ours" else ["-"] * 4, line)] + [_sum_of(result, value) if value else "-"])
    if is_cpu(result) and not rows:
        rows.append(["all", "-", "not measurable here: the processor has no counter", "-", "-", "-", missing_counter(result)])
    return ["variant", "items", "J per 100 runs, paper / here", "W", "energy-delay of 1000 runs, J s", "MFlop/J", "the sum is of"], rows


def _joules(result, title, counts):
    on_processor = title != "GPU"
    value = energy(result, counts, on_processor)
    if value and ("energy_detection" in counts or "summed" in value):
        detection = counts.get("energy_detection")
        return [number(value["joules"]), number(detection["joules"]) if isinstance(detection, dict) else "-", number(value["energy_delay"]), _sum_of(result, value)]
    why = "not measured yet" if not on_processor else f"not measurable here: {short_reason(missing_counter(result))}"
    return ["-", "-", "-", why]


def _table_three(name):
    def make(result):
        rows = []
        for title, cell in trackers(result, name).items():
            printed = TABLE_THREE.get(title, (None,) * 4) if name == "published" else (None,) * 4
            counts = cell["counts"]
            other = f'; {number(counts.get("read_ms"))} + {number(counts["hand_over_ms"])}' if "hand_over_ms" in counts else ""
            chosen = f' ({counts["chosen"]})' if "chosen" in counts else ""
            rows.append([title + chosen, " / ".join(number(p) for p in printed), number(counts["frames_per_s"]), f'{counts["frames"]} x {counts.get("rounds", 1)}',
                         f'{counts.get("found", "-")}, {number(counts["mean_features"], 4)}, {counts["left"]}', f'{number(counts["prepare_ms"])} + {number(counts["update_ms"])}{other}',
                         number(counts["detect_ms"]), number(counts["from_program_px"]) if "from_program_px" in counts else "-", *_joules(result, title, counts)])
        return ["", "the paper: frames/s / J / frames/s per W / energy-delay", "frames/s", "frames x rounds", "features found, mean, left", "filters + update; copied out + handed over, ms a frame", "detection, ms",
                "from the program's places, px at most", "J per 200 frames", "J of a detection", "energy-delay, J s", "the sum is of"], rows
    return make


def _features(result):
    """The published program, by its strongest pixels and clips."""
    rows = []
    for cell in result["cells"]:
        counts = cell["counts"]
        if cell["part"] == "tracker" and cell["refused"] is None and counts.get("tracker") in ("exact-sdvbs", "published") and "clip" in counts:
            rows.append([cell["on"], counts["clip"], counts["features"], counts["window"], counts["found"], counts["left"], counts["frames"], len(cell["runs"]), number(counts["frames_per_s"]), _percent(100 * counts["prepare_share"])])
    return ["on", "clip", "strongest pixels", "window", "features found", "left", "after frames", "rounds", "frames/s", "filters' share"], rows


def _sweep(result):
    rows = []
    table_cells = {id(c) for c in trackers(result, "ours").values()}
    for cell in result["cells"]:
        counts = cell["counts"]
        if cell["part"] != "tracker" or id(cell) in table_cells or counts.get("tracker") != "ours" or cell["refused"] or cell["on"].startswith(("cpu, threads", "one core", "reference", "prepare")):
            continue
        rows.append((counts["window"], counts["features"], cell["on"], len(cell["runs"]), number(counts["frames_per_s"], 4), number(counts["prepare_ms"]), number(counts["update_ms"]), number(counts["mean_features"], 4), _percent(100 * counts["prepare_share"])))
    return ["window", "features asked for", "on", "rounds", "frames/s", "filters, ms", "update, ms", "features followed", "filters' share"], sorted(rows)


def _sharing(result):
    rows = []
    for cell in result["cells"]:
        if cell["part"] == "sharing" and cell["refused"] is None:
            m = cell["median"]
            rows.append([cell["size"], cell["form"], *(number(m[k]) for k in ("upload_ms", "kernel_ms", "download_ms", "wall_ms")), len(cell["runs"])])
    return ["size", "way", "up, ms", "stencil, ms", "down, ms", "whole, ms", "frames"], rows


def _inputs(results):
    rows = []
    for name, r in results:
        s = r["settings"]
        rows.append([f"[{name}](results/{name}.json)", device_name(r), f'{r["host"]["processor"]}, {r["host"]["threads"]} threads', r["inputs"]["names"][0] + (" (built in)" if r["inputs"]["built_in_scene"] else ""),
                     r["date"][:10], r.get("commit", "not stated"), f'{s["launches"]} x {s["runs"]}', "processor and board" if has_processor_counter(r) else "the board alone" if not is_cpu(r) else "no counter"])
    return table(["results", "device", "host", "clip", "date", "commit", "rounds x runs", "joules of"], rows)


def _settings(results):
    rows = [[f"`{name}`", " ".join(f"{k}={v}" for k, v in r["settings"].items()), missing_counter(r)] for name, r in results]
    return table(["results", "settings", "counters that are missing"], rows)


def blocks(results):
    results = with_trackers(results)
    return {"claims": claims(results), "misprints": table(["the paper", "what follows", "so that it"], MISPRINTS)}


def page(results):
    stored, results = results, with_trackers(results)
    main = main_results(results)
    made = [("Runs", f"{_inputs(stored)}\n\n{_settings(stored)}"), ("The machine (table I)", _machine(main)), ("Forms (figures 4 and 5)", _parts(main, _forms)), ("Each pass alone", _parts(main, _passes)),
            ("Vectors, shuffles and loads, GFlop/s", _parts(main, _vectors)), ("Unrolling, the paper's items", _parts(main, _unrolls)), ("One unroll and group for all devices, the paper's items", _one_code(main)),
            ("Threads: OpenCL on the processor", _thread_sweep(results)), ("Threads: our filter", _parts(main, _threads)), ("Threads: our tracker", _parts(main, _our_threads)),
            ("9 points", _parts(main, _nine)), ("Energy of stencils (table II, figure 6)", _parts(main, _energy)), ("The published tracker (table III)", _parts(main, _table_three("published"))),
            ("The published tracker's features", _parts(main, _features)), ("Our tracker (table III)", _parts(main, _table_three("ours"))), ("Our tracker: windows and features", _parts(main, _sweep)),
            ("Copies, or the host's memory", _parts(main, _sharing)),
            ("Plots", "\n".join(f"![{file[:-4]}](results/{file})" for file, svg in plots(results).items() if svg))]
    return made


def plots(results):
    made = {}
    for name, result in main_results(with_trackers(results)):
        figure = "4" if is_cpu(result) else "5"
        groups = [("SC-2P-auto", [gflops(host(result, size, "C")) if host(result, size, "C") else None for size, _ in SIZES[:2]])]
        for variant_name in NAMES:
            times = [row(result, size, variant_name) for size, _ in SIZES[:2]]
            groups.append((variant_name, [t.gflops if t else None for t in times]))
        made[f"figure{figure}-{name}.svg"] = bar_plot(f"As figure {figure}, the paper's items: {device_name(result)}", "GFlop/s", [title for _, title in SIZES[:2]], groups)
    return made
