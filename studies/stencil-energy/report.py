# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study stencil-energy."""

from bars import bar_plot
from claims import claims
from figures import device_name, line_plot, number, table
from figures_of import (HD, L1, L2, ROWS, VGA, alone, cells, core_share, energy, first, gflops, host, is_cpu, ms, one_configuration, paper_width,
                        row, share, trackers, two_pass_form)
from published import CACHED, MACHINE, TABLE_THREE, TEXT, table_two

SIZES = [(HD, "full HD"), (VGA, "VGA"), (L1, "64x48"), (L2, "160x128")]


def _parts(results, make):
    parts = []
    for name, result in results:
        head, rows = make(result)
        if rows:
            parts.append(f"**{device_name(result)}** (`results/{name}.json`, {result['date'][:10]}):\n\n" + table(head, rows))
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


def _forms(result):
    platform = "MC" if is_cpu(result) else "GPU"
    rows = []
    for size, title in SIZES[:2]:
        index = 0 if size == HD else 1
        for name, form in (("SC-2P-auto", "C"), ("the same with restrict", "C restrict")):
            cell = host(result, size, form)
            if cell:
                text = {"C": TEXT["SC", "2P-auto"][index], "C restrict": 2.3 if index == 0 else None}[form]
                rows.append([title, name, number(text), "-", number(gflops(cell)), _percent(core_share(result, cell)) + " of a core", number(ms(cell)), "-"])
        for name, *_ in ROWS:
            cell = row(result, size, name)
            if cell:
                printed = TEXT.get((platform, name), (None, None))[index]
                time = table_two(platform, name)[2] if size == HD else None
                rows.append([title, f"{platform}-{name}", number(printed), number(time), number(gflops(cell)), _percent(share(result, cell)),
                             number(ms(cell)), f'{cell["unrolled"]}, {cell["group"]}, {cell["strip"] or "all"}'])
        cell = host(result, size, "ours")
        if cell:
            rows.append([title, "ours (SIMD), one core", "-", "-", number(gflops(cell)), _percent(core_share(result, cell)) + " of a core", number(ms(cell)), "-"])
    return ["size", "variant", "the paper, GFlop/s", "ms, from its table II", "ours, GFlop/s", "of the peak", "ms", "unroll, group, rows of an item"], rows


def _cached(result):
    platform = "MC" if is_cpu(result) else "GPU"
    rows = []
    for size, title in SIZES:
        for name in ("2P-V-UR", "1P-V-UR"):
            cell = row(result, size, name)
            if cell:
                printed = CACHED.get((platform, name)) if title == ("64x48" if platform == "MC" else "160x128") else None
                rows.append([title, name, number(printed), number(gflops(cell)), _percent(share(result, cell)), number(ms(cell) * 1000)])
    return ["size", "variant", "the paper, GFlop/s", "ours, GFlop/s", "of the peak", "us a run"], rows


PASSES = [("rows alone", "across, along rows", {HD: 87.1, L1: 84.2}), ("columns alone", "across, along columns", {}),
          ("down alone", "down", {HD: 29.3, L1: 112.6})]


def _passes(result):
    rows = []
    for form, title, printed in PASSES:
        for size, name in SIZES:
            cell = alone(result, size, form)
            if cell:
                text = printed.get(size) if is_cpu(result) else None
                rows.append([title, name, number(text), number(gflops(cell)), _percent(share(result, cell)), number(ms(cell))])
    return ["pass", "size", "the paper, GFlop/s", "ours, GFlop/s", "of the peak", "ms"], rows


def _vectors(result):
    rows = []
    for size, title in SIZES[:2]:
        for form in ("1P", "2P rows", "2P columns"):
            line = []
            for width, taps in [(1, "-")] + [(w, t) for t in ("shuffles", "loads") for w in (4, 8, 16)]:
                line.append(number(gflops(first(cells(result, part="stencil", on="device", size=size, points=25, form=form, width=width, taps=taps)))))
            if any(value != "-" for value in line):
                rows.append([title, form] + line)
    return ["size", "form", "no vectors"] + [f"{t} {w}" for t in ("shuffles", "loads") for w in (4, 8, 16)], rows


def _unrolls(result):
    rows = []
    for size, title in SIZES[:2]:
        for form in ("1P", "2P rows", "2P columns"):
            times = {}
            for one in result["search"]:
                if one["size"] == size and one["form"] == form and one["width"] == paper_width(result) and one["taps"] == "shuffles" and one["ms"]:
                    times[one["unrolled"]] = min(one["ms"], times.get(one["unrolled"], one["ms"]))
            if times:
                rows.append([title, form] + [number(times.get(n)) for n in (1, 2, 4, 8)])
    return ["size", "form", "1, ms", "2, ms", "4, ms", "8, ms"], rows


def _one_code(results):
    rows = []
    for (size, title), printed in zip(SIZES[:2], ("2.3 %", "16.8 %")):
        found = one_configuration(results, size)
        if found is None:
            continue
        configuration, losses = found
        for result, own, loss in losses:
            rows.append([title, device_name(result), f"{own[0]}, {own[1]}", f"{configuration[0]}, {configuration[1]}", printed, _percent(loss)])
    head = ["size", "device", "its best unroll, group", "one for all", "the paper loses", "ours loses"]
    if len(results) < 2:
        return "*One device was measured: a second one is needed to compare.*\n\n" + (table(head, rows) if rows else "")
    return table(head, rows)


def _two_forms(result):
    """Both two-pass forms on one device."""
    rows = []
    for size, title in SIZES[:2]:
        along, down = (row(result, size, "2P-V-UR", form=form) for form in ("2P rows", "2P columns"))
        if along and down:
            rows.append([title, number(ms(along)), number(ms(down)), f"{100 * (ms(along) / ms(down) - 1):+.1f} %"])
    return ["size", "first pass along rows, ms", "along columns, ms", "rows against columns (the paper's GPU: +26.0 %)"], rows


def _strip(result):
    rows = []
    for size, title in SIZES:
        found = cells(result, part="stencil", on="device", size=size, points=25, form="1P", width=paper_width(result), taps="shuffles")
        whole, best = first([c for c in found if c["strip"] == 0]), first(found)
        if whole and best:
            rows.append([title, number(gflops(whole)), number(gflops(best)), best["strip"] or "all", f'{best["global_size"][0] * best["global_size"][1]:,}'])
    return ["size", "an item goes all the way, GFlop/s", "best, GFlop/s", "rows of an item", "items"], rows


def _threads(result):
    rows = []
    for points in (25, 9):
        for size, title in SIZES:
            found = [c for c in result["cells"] if c["part"] == "stencil" and c["form"] == "ours" and c["size"] == size and c["points"] == points and c["refused"] is None]
            for cell in found:
                plain = host(result, size, "C", points)
                rows.append([points, title, cell["on"], number(gflops(cell)), number(ms(cell)), f'{8e-6 * _pixels(size) / ms(cell):.3g}',
                             number(ms(plain) / ms(cell), 4) if plain else "-"])
    return ["points", "size", "on", "GFlop/s", "ms", "GB/s read and written", "over the scalar program"], rows


def _pixels(size):
    width, height = map(int, size.split("x"))
    return width * height


def _nine(result):
    rows = []
    for size, title in SIZES:
        for form in ("C", "C restrict", "ours"):
            cell = host(result, size, form, 9)
            if cell:
                rows.append([title, {"ours": "ours (SIMD), one core"}.get(form, form), number(gflops(cell)), _percent(core_share(result, cell)) + " of a core", number(ms(cell))])
        for name, *_ in ROWS:
            cell = row(result, size, name, points=9)
            if cell:
                rows.append([title, name, number(gflops(cell)), _percent(share(result, cell)), number(ms(cell))])
    return ["size", "variant", "GFlop/s", "of the peak", "ms"], rows


def _no_energy(result):
    return result["energy"]["counted"] if isinstance(result["energy"]["counted"], str) else None


def _energy(result):
    platform = "MC" if is_cpu(result) else "GPU"
    rows = []
    for name, *_ in ROWS:
        joules, watts, time = table_two(platform, name)
        paper = [number(joules), number(watts), number(joules * time), number(20 * 1920 * 1080 * 100e-6 / joules)]
        value = energy(row(result, HD, name))
        ours = [number(value[k]) for k in ("joules", "watts", "energy_delay", "mflop_per_joule")] if value else ["not available" if _no_energy(result) else "-"] + ["-"] * 3
        rows.append([f"{platform}-{name}"] + [f"{p} / {o}" for p, o in zip(paper, ours)])
    return ["variant", "J per 100 runs, paper / ours", "W", "energy-delay of 1000 runs, J s", "MFlop/J"], rows


def _table_three(result):
    rows = []
    for title, cell in trackers(result):
        if cell is None:
            continue
        printed = TABLE_THREE.get(title.split(":")[0], (None,) * 4)
        counts = cell["counts"]
        if cell["refused"]:
            rows.append([title, " / ".join(number(p) for p in printed), cell["refused"]] + ["-"] * 7)
            continue
        value = energy(cell)
        joules = [number(value[k]) for k in ("joules", "frames_per_watt", "energy_delay")] if value else ["not available", "-", "-"]
        fps = counts["frames_per_s"]
        rows.append([title, " / ".join(number(p) for p in printed), number(fps), *joules, number(counts["mean_features"], 4),
                     counts["frames"], f'{number(counts["prepare_ms"])} + {number(counts["update_ms"])}', "yes" if fps >= 33 else "no"])
    return ["", "the paper: frames/s / J / frames/s per W / energy-delay", "frames/s", "J per 200 frames", "frames/s per W", "energy-delay, J s",
            "features followed", "frames timed", "filters + update, ms", "33 frames/s"], rows


def _sweep(result):
    rows = []
    table_cells = {id(c) for _, c in trackers(result)}
    for cell in result["cells"]:
        if cell["part"] != "tracker" or id(cell) in table_cells or cell["counts"].get("tracker") != "ours" or cell["refused"]:
            continue
        counts = cell["counts"]
        rows.append((counts["window"], counts["features"], cell["on"], number(counts["frames_per_s"], 4), number(counts["prepare_ms"]),
                     number(counts["update_ms"]), number(counts["mean_features"], 4), _percent(100 * counts["prepare_share"])))
    return ["window", "features asked for", "on", "frames/s", "filters, ms", "update, ms", "features followed", "filters' share"], sorted(rows)


def _shares(result):
    rows = []
    for title, cell in trackers(result):
        if cell and not cell["refused"]:
            counts = cell["counts"]
            # As the paper's 200 frames: the first part once, the loop 200 times.
            loop = (counts["prepare_ms"] + counts["update_ms"]) * 200
            rows.append([title, _percent(100 * loop / (loop + counts["detect_ms"])), _percent(100 * counts["prepare_share"])])
    return ["", "following, of the whole (the paper: 98 %)", "filters, of that (the paper: 89 %)"], rows


def _inputs(results):
    return table(["device", "clip", "size", "date", "rounds of runs", "energy"],
                 [[device_name(r), r["inputs"]["names"][0] + (" (built in)" if r["inputs"]["built_in_scene"] else ""),
                   f'{r["inputs"]["width"]}x{r["inputs"]["height"]}', r["date"][:10], f'{r["settings"]["launches"]} x {r["settings"]["runs"]}',
                   _no_energy(r) or ", ".join(r["energy"]["counted"])] for _, r in results])


def blocks(results):
    makers = {"forms": _forms, "cached": _cached, "passes": _passes, "vectors": _vectors, "unrolls": _unrolls, "two-forms": _two_forms,
              "strip": _strip, "threads": _threads, "nine": _nine, "table2": _energy, "table3": _table_three, "sweep": _sweep, "shares": _shares}
    made = {key: _parts(results, make) for key, make in makers.items()}
    made |= {"machine": _machine(results), "one-code": _one_code(results), "inputs": _inputs(results), "claims": claims(results)}
    made["plots"] = "\n".join(f"![{file[:-4]}](results/{file})" for file, svg in plots(results).items() if svg)
    return made


def _gflops_plot(result, title):
    """Figures 4 and 5."""
    groups = [("SC-2P-auto", [gflops(host(result, size, "C")) for size, _ in SIZES[:2]])]
    groups += [(name, [gflops(row(result, size, name)) for size, _ in SIZES[:2]]) for name, *_ in ROWS]
    return bar_plot(title, "GFlop/s", [name for _, name in SIZES[:2]], groups)


def _energy_plot(result, title):
    """Figure 6: both of its axes as bars, on one logarithmic scale."""
    values = [(name, energy(row(result, HD, name))) for name, *_ in ROWS]
    if not any(value for _, value in values):
        return None
    return bar_plot(title, "MFlop/J; J s", ["MFlop/J", "energy-delay, J s"],
                    [(name, [value["mflop_per_joule"], value["energy_delay"]] if value else [None, None]) for name, value in values])


def _sweep_plot(result, title):
    found = [c for c in result["cells"] if c["part"] == "tracker" and c["counts"].get("tracker") == "ours" and not c["refused"]]
    windows = sorted({c["counts"]["window"] for c in found})
    lines = []
    for on in sorted({c["on"] for c in found} & {"cpu", result["device"]["name"]}):
        for features in sorted({c["counts"]["features"] for c in found}):
            values = [next((c["counts"]["frames_per_s"] for c in reversed(found) if (c["on"], c["counts"]["window"], c["counts"]["features"]) == (on, w, features)), None) for w in windows]
            lines.append((f"{on}, {features} features", values))
    lines.append(("33 frames/s", [33.0] * len(windows)))
    return line_plot(title, "window", "frames/s", windows, lines, logarithmic=True) if windows else None


def plots(results):
    made = {}
    for name, result in results:
        device = device_name(result)
        figure = "4" if is_cpu(result) else "5"
        made[f"figure{figure}-{name}.svg"] = _gflops_plot(result, f"As figure {figure}: {device}")
        made[f"figure6-{name}.svg"] = _energy_plot(result, f"As figure 6: {device}")
        made[f"tracker-{name}.svg"] = _sweep_plot(result, f"The tracker, {device}")
    return made
