# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study motion-cuda."""

from claims import claims
from cells import best, best_cpu, clip_names, gain, loss, ms, pick, residue, speedup
from figures import device_name, line_plot, number, table
from paper import FINAL, FULL, FULL_RESIDUE, OURS, PAPER_GAIN, PRINTED_ONE, PRINTED_TWO, STEP, TABLE_ONE, TABLE_TWO
from bars import bar_plot

TITLES = {rung: title for title, rung, _ in FULL}
SECONDS = {rung: seconds or (None, None, None) for _, rung, seconds in FULL}


def _parts(results, make):
    """A table for each device, under its name."""
    parts = []
    for name, result in results:
        head, rows = make(result)
        if rows:
            parts.append(f"**{device_name(result)}** (`results/{name}.json`, {result['date'][:10]}):\n\n" + table(head, rows))
    return "\n\n".join(parts)


def _note(cell):
    """How a rung's name goes on: what it was run with, and whether its time is extrapolated."""
    text = f", {cell['streams']} streams" if cell["rung"].startswith("streams") else ""
    share = cell["counts"]["searched"], cell["counts"]["blocks"]
    return text + ("" if share[0] == share[1] else f" ({share[0]} of {share[1]} blocks timed)")


def _inputs(results):
    rows = []
    for _, result in results:
        for i, clip in enumerate(clip_names(result)):
            scalar = pick(result, clip, "scalar")
            counts = scalar["counts"]
            rows.append([device_name(result), i + 1, clip, result["inputs"]["names"][i], counts["frames"], counts["timed_frames"],
                         counts["blocks"], number(ms(scalar)), number(best_cpu(result, clip, "full"))])
    return table(["device", "video", "size", "from", "frames searched", "of these timed by the scalar program", "blocks",
                  "scalar program, ms per frame", "our `full` on the CPU at best, ms"], rows)


def _table_one(result):
    clip = clip_names(result)[0]
    rows, before, printed_before = [], None, None
    for rung in TABLE_ONE:
        cell = best(result, clip, rung)
        if cell is None:
            continue
        seconds = SECONDS[rung][0]
        printed = PRINTED_ONE.get(rung, ("-", "-"))
        # Rows that the paper has are compared with the row before that it has; others with the row before.
        whole = rung in PRINTED_ONE
        earlier = printed_before if whole else before
        relative = earlier / ms(cell) if earlier else None
        rows.append([TITLES[rung] + _note(cell), number(seconds), printed[0], printed[1], number(ms(cell)),
                     number(speedup(result, clip, cell), 4), number(best_cpu(result, clip, "full") / ms(cell), 3),
                     number(relative, 4)])
        before = ms(cell) if rung != "scalar" else None
        printed_before = ms(cell) if whole else printed_before
    return ["method", "the paper, s", "speed-up", "relative", "ours, ms per frame", "speed-up over the scalar program",
            "over our best CPU", "relative to the row above"], rows


def _table_two(result):
    clips = clip_names(result)
    rows = []
    for rung in TABLE_TWO:
        cells = [best(result, clip, rung) for clip in clips]
        if not any(cells):
            continue
        seconds = SECONDS[rung]
        ours = [number(ms(cell)) if cell else "-" for cell in cells]
        last = cells[-1]
        rows.append([TITLES[rung] + (_note(last) if last else ""), " / ".join(number(s, 4) for s in seconds), PRINTED_TWO.get(rung, "-"), " / ".join(ours),
                     " / ".join(number(speedup(result, clip, cell), 4) if cell else "-" for clip, cell in zip(clips, cells)),
                     " / ".join(number(best_cpu(result, clip, "full") / ms(cell)) if cell else "-" for clip, cell in zip(clips, cells))])
    sizes = " / ".join(clips)
    return ["method", "the paper, s, videos 1 / 2 / 3", "speed-up, video 3", f"ours, ms per frame, {sizes}",
            "speed-up over the scalar program", "over our best CPU"], rows


def _table_three(result):
    clips = clip_names(result)
    rows = []
    for title, rung, lanes, seconds, _, printed in STEP:
        cells = [best(result, clip, rung, lanes) for clip in clips]
        if not any(cells):
            continue
        rows.append([title, " / ".join(number(s) for s in seconds) if seconds else "-", printed or "-",
                     " / ".join(number(ms(cell)) for cell in cells),
                     " / ".join(number(speedup(result, clip, cell), 4) for clip, cell in zip(clips, cells)),
                     " / ".join(number(best_cpu(result, clip, "step") / ms(cell)) if cell else "-" for clip, cell in zip(clips, cells))])
    sizes = " / ".join(clips)
    return ["method", "the paper, s, videos 1 / 2 / 3", "speed-up, video 3", f"ours, ms per frame, {sizes}",
            "speed-up over the scalar program", "over our best CPU (step 3x3)"], rows


def _table_four(result):
    clips = clip_names(result)
    rows = []

    def add(title, rung, lanes, printed, base):
        cells = [best(result, clip, rung, lanes) for clip in clips]
        if not any(cells):
            return
        paper_loss = number(printed[0] / base[0], 4) if printed else "-"
        rows.append([title, " / ".join(f"{value:,}" for value in printed) if printed else "-", paper_loss,
                     " / ".join(f"{residue(cell):,}" if cell else "-" for cell in cells),
                     " / ".join(number(loss(result, clip, cell), 6) if cell else "-" for clip, cell in zip(clips, cells))])

    for title, rung, lanes, _, printed, _ in STEP:
        add(title, rung, lanes, printed, STEP[0][4])
    add("full search, CPU", "scalar", 0, FULL_RESIDUE["scalar"], FULL_RESIDUE["scalar"])
    add("full search, Threads in Z", "z", 32, FULL_RESIDUE["z"], FULL_RESIDUE["scalar"])
    sizes = " / ".join(clips)
    return ["method", "the paper, videos 1 / 2 / 3", "loss, video 1", f"ours, {sizes}", "loss"], rows


def _table_five(result):
    clips = clip_names(result)
    rows = []
    for video, search, rung, lanes, base, printed in FINAL:
        if video >= len(clips):
            continue
        clip = clips[video]
        cpu, gpu = pick(result, clip, base), best(result, clip, rung, lanes)
        if gpu is None:
            continue
        gain = speedup(result, clip, gpu) / loss(result, clip, gpu)
        ours = [f"{residue(cpu):,}", number(ms(cpu)), f"{residue(gpu):,}", number(ms(gpu)), number(loss(result, clip, gpu), 6),
                number(speedup(result, clip, gpu), 4), number(gain, 4)]
        rows.append([clip, search] + [f"{p} / {o}" for p, o in zip(printed, ours)])
    head = ["video", "search"] + [f"{name}: the paper / ours" for name in
                                  ["CPU residue", "CPU s / ms", "GPU residue", "GPU s / ms", "prediction loss", "speed-up", "normalised gain"]]
    return head, rows


def _split(result):
    rows = []
    for clip in clip_names(result):
        for rung, lanes in [(r, 0) for r in dict.fromkeys(TABLE_ONE + TABLE_TWO)] + [(s[1], s[2]) for s in STEP]:
            cell = best(result, clip, rung, lanes)
            if cell is None or "launch_ms" not in cell["counts"]:
                continue
            c, m = cell["counts"], cell["median"]
            rows.append([clip, rung + (f", {lanes}" if lanes else "") + _note(cell), f'{cell.get("launches", 0):,}', number(c["launch_ms"]),
                         number(m["upload_ms"] + m["download_ms"]), number(m["kernel_ms"]), number(c["cpu_ms"]),
                         number(c["reconstruct_ms"]), number(ms(cell)), f'{cell.get("bytes_up", 0):,}', f'{cell.get("bytes_down", 0):,}'])
    return ["clip", "rung", "launches", "launching, ms", "transfers, ms", "kernels, ms", "CPU part, ms", "of it reconstruction, ms",
            "whole, ms", "bytes up", "bytes down"], rows


def _streams(result):
    rows = []
    for clip in clip_names(result):
        for rung in ("streams-portions", "streams-reduced"):
            cells = [c for c in result["cells"] if c["clip"] == clip and c["rung"] == rung and c["refused"] is None]
            if cells:
                rows.append([clip, rung] + [number(ms(c)) for c in sorted(cells, key=lambda c: c["streams"])])
    counts = sorted({c["streams"] for c in result["cells"] if c["rung"].startswith("streams")})
    return ["clip", "rung"] + [f"{n} streams, ms" for n in counts], rows


def _shape_cells(result, clip):
    return [c for c in result["cells"] if c["clip"] == clip and c["rung"] == "all-on-device" and c["refused"] is None]


def _shapes(result):
    rows = []
    groups = [c["group"] for c in _shape_cells(result, clip_names(result)[0])]
    for clip in clip_names(result):
        rows.append([clip] + [number(c["median"]["kernel_ms"]) for c in _shape_cells(result, clip)])
    return ["clip"] + [f"{g}, ms" for g in groups], rows if groups else []


def _transfers(result):
    rows = [[f'{row["bytes"]:,}'] + [number(row[key]) for key in ("pageable_up_ms", "pinned_up_ms", "pageable_down_ms", "pinned_down_ms")]
            for row in result["transfers"]]
    return ["bytes", "pageable up, ms", "pinned up, ms", "pageable down, ms", "pinned down, ms"], rows


def _ours(result):
    rows = []
    for clip in clip_names(result):
        for rung in OURS:
            cells = {on: pick(result, clip, rung, on=on) for on in ("one core", "all cores", "device")}
            if cells["device"] is None or cells["one core"] is None:
                continue
            full = "full" in rung
            base = pick(result, clip, "scalar" if full else "step-scalar")
            rows.append([clip, rung[5:]] + [number(ms(cell)) for cell in cells.values()] + [number(cells["device"]["median"]["kernel_ms"])] +
                        [number(ms(base) / ms(cell), 4) for cell in (cells["one core"], cells["device"])] +
                        [f'{residue(cells["device"]):,}', number(residue(cells["device"]) / residue(base), 4),
                         number(residue(cells["device"]) / residue(pick(result, clip, "scalar")), 4)])
    return ["clip", "search", "one core, ms", "all cores, ms", "device, host to host, ms", "of it kernels of the search, ms",
            "one core over the scalar program", "device over it", "residue", "loss against the program's same search", "against its full search"], rows


def blocks(results):
    makers = {"table1": _table_one, "table2": _table_two, "table3": _table_three, "table4": _table_four, "table5": _table_five,
              "split": _split, "streams": _streams, "shapes": _shapes, "transfers": _transfers, "ours": _ours}
    made = {key: _parts(results, make) for key, make in makers.items()}
    made["inputs"] = _inputs(results)
    made["plots"] = "\n".join(f"![{file[:-4]}](results/{file})" for file, svg in plots(results).items() if svg)
    made["claims"] = claims(results)
    return made


def _stream_plot(result, title):
    cells = [c for c in result["cells"] if c["rung"].startswith("streams") and c["refused"] is None]
    counts = sorted({c["streams"] for c in cells})
    lines = [(f"{clip}, {rung[8:]}", [next((ms(c) for c in cells if (c["clip"], c["rung"], c["streams"]) == (clip, rung, n)), None) for n in counts])
             for clip in clip_names(result) for rung in ("streams-portions", "streams-reduced")]
    return line_plot(title, "streams", "ms per frame", counts, lines, logarithmic=True) if counts else None


def _shape_plot(result, title):
    shapes = [c["group"] for c in _shape_cells(result, clip_names(result)[0])]
    lines = [(clip, [c["median"]["kernel_ms"] or None for c in _shape_cells(result, clip)]) for clip in clip_names(result)]
    return line_plot(title, "group", "kernels, ms per frame", shapes, lines, logarithmic=True) if shapes else None


def _gain_plot(result, title):
    clips = clip_names(result)
    lines = []
    for rung, lanes, name in (("z", 32, "full search"), ("step-13x13-z", 256, "step search, 13x13")):
        cells = [best(result, clip, rung, lanes) for clip in clips]
        lines.append((f"{name}, ours", [gain(result, clip, cell) if cell else None for clip, cell in zip(clips, cells)]))
        lines.append((f"{name}, the paper", list(PAPER_GAIN[rung])[:len(clips)]))
    return line_plot(title, "video", "normalised gain", clips, lines, logarithmic=True)


def plots(results):
    made = {}
    for name, result in results:
        clips, device = clip_names(result), device_name(result)
        made[f"ladder-{name}.svg"] = bar_plot(
            f"Full search, {device}", "ms per frame", clips,
            [(rung, [ms(best(result, clip, rung)) for clip in clips])
             for rung in dict.fromkeys(TABLE_ONE + TABLE_TWO + ["ours full"])])
        made[f"steps-{name}.svg"] = bar_plot(
            f"Step search, {device}", "ms per frame", clips,
            [(rung + (f" ({lanes})" if lanes else ""), [ms(best(result, clip, rung, lanes)) for clip in clips]) for _, rung, lanes, *_ in STEP]
            + [("ours step 3x3", [ms(best(result, clip, "ours step 3x3")) for clip in clips])])
        made[f"gain-{name}.svg"] = _gain_plot(result, f"Normalised gain, {device}")
        made[f"streams-{name}.svg"] = _stream_plot(result, f"Streams, {device}")
        made[f"shapes-{name}.svg"] = _shape_plot(result, f"Group shapes, {device}")
        rows = result["transfers"]
        keys = ["pageable_up_ms", "pinned_up_ms", "pageable_down_ms", "pinned_down_ms"]
        lines = [(key[:-3].replace("_", " "), [row[key] for row in rows]) for key in keys if any(row[key] for row in rows)]
        made[f"transfers-{name}.svg"] = line_plot(f"Copies, {device}", "KiB", "ms", [f'{row["bytes"] // 1024}' for row in rows], lines,
                                                  logarithmic=True) if rows else None
    return made
