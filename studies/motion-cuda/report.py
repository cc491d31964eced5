# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study motion-cuda."""

from statistics import mean

from bars import bar_plot
from cells import (CODES, best, best_cpu, borrow_host_cells, clip_names, clocked, code, gain, host_speeds, in_turns, is_whole, kernels, least, loss, most, ms, of_paper, of_sads, pick, ratios, reach_of, rebuilds,
                   residue, shape_cells, speedup, stream_cells, times, base, walls)
from claims import claims
from clocks import together
from figures import device_name, line_plot, number, table
from judging import over
from paper import FINAL, FULL, FULL_RESIDUE, OURS, PAPER_GAIN, PRINTED_ONE, PRINTED_TWO, STEP, TABLE_ONE, TABLE_TWO
from quotients import quotients

TITLES = {rung: title for title, rung, _ in FULL}
SECONDS = {rung: seconds or (None, None, None) for _, rung, seconds in FULL}


def _parts(results, make):
    """A table for each device, under its name."""
    parts = []
    for name, result in results:
        head, rows = make(result)
        if rows:
            other = ", beside other work on the machine" if result.get("beside_other_work") else ""
            turns = f"; rungs in turns, by the host's clock: `results/{result['turns_of']}.json`" if "turns_of" in result else ""
            parts.append(f"**{device_name(result)}** (`results/{name}.json`, {result['date'][:10]}{other}{turns}):\n\n" + table(head, rows))
    return "\n\n".join(parts)


def _note(cell):
    """How a rung's name goes on: what it was run with, and whether its time is extrapolated."""
    text = f", {cell['streams']} streams" if cell["rung"].startswith("streams") else ""
    if cell["counts"].get("on_host") and cell["rung"] in ("search", "borders"):
        text += f", border blocks in {'plain code' if code(cell) == 'plain' else 'vectors'}"
    return text + ("" if is_whole(cell) else f" ({cell['counts']['searched']} of {cell['counts']['blocks']} blocks timed)")


def _joined(values, digits=3):
    return " / ".join(number(v, digits) for v in values)


def _inputs(results):
    rows = []
    for _, result in results:
        for i, clip in enumerate(clip_names(result)):
            scalar = {how: pick(result, clip, "scalar", "host", how=how) for how in CODES}
            if not any(scalar.values()):
                continue
            counts = next(c for c in scalar.values() if c)["counts"]
            each = counts["searched"]
            whose = f"; `full` on the CPU is of `{result['host_cells_of']}`" if "host_cells_of" in result else ""
            rows.append([device_name(result) + whose, result.get("turns_commit", result.get("commit", "not noted")), i + 1, clip, counts["frames"], counts["timed_frames"],
                         "all" if each >= counts["blocks"] else f"{each}, others in each frame", counts["blocks"],
                         number(ms(scalar["plain"])), number(ms(scalar["vectors"])), number(best_cpu(result, clip, "full"))])
    return table(["device", "commit", "video", "size", "frames searched", "of these timed by the scalar program", "blocks of a frame that it searched", "blocks",
                  "scalar program, plain, ms per frame", "with vectors", "our `full` on the CPU at best, ms"], rows)


def _both(result, clip, cell, digits=4):
    return [number(speedup(result, clip, cell, how), digits) for how in CODES]


def _against_ours(result, clip, cell):
    ours = best_cpu(result, clip, cell["counts"]["search"])
    return number(ours / ms(cell)) if ours else "-"


def _scalar_rows(result, clip, rung, title, tail):
    """The program's own rows, compiled both ways."""
    rows = []
    for how in CODES:
        cell = pick(result, clip, rung, "host", how=how)
        if cell:
            rows.append([f"{title}, {'plain' if how == 'plain' else 'vectors'}"] + tail(cell))
    return rows


def _table_one(result):
    clip = clip_names(result)[0]
    rows, before, printed_before = [], None, None
    for rung in TABLE_ONE:
        if rung == "scalar":
            rows += _scalar_rows(result, clip, rung, "CPU", lambda c: [number(SECONDS["scalar"][0]), "-", "-", number(ms(c))] + _both(result, clip, c) +
                                 [_against_ours(result, clip, c), "-"])
            continue
        cell = best(result, clip, rung)
        if cell is None:
            continue
        printed = PRINTED_ONE.get(rung, ("-", "-"))
        # Rows that the paper has are compared with the row before that it has; others with the row before.
        whole = rung in PRINTED_ONE
        earlier = printed_before if whole else before  # its quotient, as a row's: of rounds, where both took turns
        rows.append([TITLES[rung] + _note(cell), number(SECONDS[rung][0]), printed[0], printed[1], number(ms(cell))] + _both(result, clip, cell) +
                    [_against_ours(result, clip, cell), number(times(result, earlier, cell), 4) if earlier else "-"])
        before = cell
        printed_before = cell if whole else printed_before
    return ["method", "the paper, s", "its speed-up", "its relative", "ours, ms per frame", "speed-up over plain code", "over vectors",
            "over our best CPU (not in turns)", "relative to the row above"], rows


def _row_of_clips(result, title, cells, seconds, printed):
    clips = clip_names(result)
    parts = [_joined([ms(cell) for cell in cells])]
    for how in CODES:
        parts.append(_joined([speedup(result, clip, cell, how) for clip, cell in zip(clips, cells)], 4))
    parts.append(" / ".join(_against_ours(result, clip, cell) if cell else "-" for clip, cell in zip(clips, cells)))
    return [title, " / ".join(number(s, 4) for s in seconds) if seconds else "-", printed or "-"] + parts


def _heads(result):
    return ["method", "the paper, s, videos 1 / 2 / 3", "its speed-up, video 3", f"ours, ms per frame, {' / '.join(clip_names(result))}",
            "speed-up over plain code", "over vectors", "over our best CPU (not in turns)"]


def _table_two(result):
    clips = clip_names(result)
    rows = []
    for rung in TABLE_TWO:
        if rung in ("scalar", "search"):
            choices = CODES
        else:
            choices = [None]
        for how in choices:
            cells = [pick(result, clip, rung, how=how) if how else best(result, clip, rung) for clip in clips]
            if not any(cells):
                continue
            last = next(c for c in reversed(cells) if c)
            title = TITLES[rung] + (f", {how}" if rung == "scalar" else _note(last))
            rows.append(_row_of_clips(result, title, cells, SECONDS[rung], PRINTED_TWO.get(rung)))
    return _heads(result), rows


def _table_three(result):
    clips = clip_names(result)
    rows = []
    for title, rung, lanes, seconds, _, printed in STEP:
        for how in CODES if rung == "step-scalar" else [None]:
            cells = [pick(result, clip, rung, how=how) if how else best(result, clip, rung, lanes) for clip in clips]
            if any(cells):
                rows.append(_row_of_clips(result, title + (f", {how}" if how else ""), cells, seconds, printed))
    for how in CODES + [None]:
        rung = "tz-scalar" if how else "tz-z"
        for lanes in [0] if how else [32, 256]:
            cells = [pick(result, clip, rung, lanes=lanes, how=how) for clip in clips]
            if any(cells):
                rows.append(_row_of_clips(result, f"test zones, {'CPU, ' + how if how else 'Z, ' + str(lanes)} (not in the paper)", cells, None, None))
    return _heads(result), rows


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
    """Two rows for each of the paper's: its figures in seconds, ours in ms a frame."""
    clips = clip_names(result)
    rows = []
    for video, search, rung, lanes, against, printed in FINAL:
        if video >= len(clips):
            continue
        clip = clips[video]
        gpu = best(result, clip, rung, lanes)
        if gpu is None:
            continue
        rows.append([f"video {video + 1}", search, "the paper", printed[0], f"{printed[1]} s", printed[2], f"{printed[3]} s"] + list(printed[4:]))
        for how in CODES:
            cpu = pick(result, clip, against, "host", how=how)
            if cpu:
                rows.append([clip, search, f"ours, {'plain code' if how == 'plain' else 'vectors'}", f"{residue(cpu):,}", f"{number(ms(cpu))} ms", f"{residue(gpu):,}", f"{number(ms(gpu))} ms",
                             number(loss(result, clip, gpu), 6), number(speedup(result, clip, gpu, how), 4), number(gain(result, clip, gpu, how), 4)])
    return ["video", "search", "whose", "CPU residue", "CPU", "GPU residue", "GPU", "prediction loss", "speed-up", "normalised gain"], rows


def _split_row(clip, name, cell):
    c, m = cell["counts"], cell["median"]
    return [clip, name + _note(cell), f'{cell.get("launches", 0):,}', number(c["launch_ms"]), number(m["upload_ms"] + m["download_ms"]), number(m["kernel_ms"]),
            number(mean(kernels(cell))), number(c["copy_ms"]), number(c["cpu_ms"]), number(c["reconstruct_ms"]), number(ms(cell)), number(mean(walls(cell))), f'{cell.get("bytes_up", 0):,}', f'{cell.get("bytes_down", 0):,}']


def _split(result):
    rows = []
    for clip in clip_names(result):
        programs = [c for c in result["cells"] if (c["clip"], c["rung"], c["on"], c["refused"]) == (clip, "scalar", "host", None)]
        for cell in programs:
            of = f", of `{cell['of']}`" if len({c.get("of") for c in programs}) > 1 else ""
            rows.append(_split_row(clip, f"scalar, {'plain code' if code(cell) == 'plain' else 'vectors'}{of}", cell))
        for rung, lanes in [(r, 0) for r in dict.fromkeys(TABLE_ONE + TABLE_TWO) if r != "scalar"] + [(s[1], s[2]) for s in STEP] + [("tz-z", 32), ("tz-z", 256)]:
            for cell in stream_cells(result, clip, rung) if rung.startswith("streams") else [best(result, clip, rung, lanes)]:
                if cell is None or "launch_ms" not in cell["counts"]:
                    continue
                rows.append(_split_row(clip, rung + (f", {lanes}" if lanes else ""), cell))
    return ["clip", "rung", "launches", "launching, mean ms", "transfers, median ms", "kernels, median ms", "kernels, mean ms", "copying and waiting for it, by the host's clock, mean ms", "CPU part, mean ms", "of it reconstruction, mean ms",
            "whole, median ms", "whole, mean ms", "bytes up", "bytes down"], rows


def _streams(result):
    rows = []
    for clip in clip_names(result):
        for rung in ("streams-portions", "streams-reduced"):
            cells = [c for c in result["cells"] if c["clip"] == clip and c["rung"] == rung and c["refused"] is None]
            if cells:
                first, *more = sorted(cells, key=lambda c: c["streams"])
                rows.append([clip, rung, number(ms(first))] + [f"{number(ms(c))} ({over(result, first, c)})" for c in more])
    counts = sorted({c["streams"] for c in result["cells"] if c["rung"].startswith("streams")})
    return ["clip", "rung"] + [f"{n} streams, ms{' (over the first number)' if n != counts[0] else ''}" for n in counts], rows


def _streams_of_reach(result):
    head, rows = _streams(result)
    return ["reach"] + head, [[reach_of(result)] + row for row in rows]


def _shapes(result):
    rows = []
    groups = [c["group"] for c in shape_cells(result, clip_names(result)[0])]
    for clip in clip_names(result):
        rows.append([clip] + [number(c["median"]["kernel_ms"]) for c in shape_cells(result, clip)])
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
            kind = "scalar" if "full" in rung else "tz-scalar" if "tz" in rung else "step-scalar"
            against = {how: pick(result, clip, kind, "host", how=how) for how in CODES}
            same = next((c for c in against.values() if c), None)
            full = pick(result, clip, "scalar", "host")
            rows.append([clip, rung[5:]] + [number(ms(cell)) for cell in cells.values()] + [number(cells["device"]["median"]["kernel_ms"])] +
                        [number(ms(c) / ms(cells["one core"]), 4) if c else "-" for c in against.values()] +
                        [number(ms(c) / ms(cells["device"]), 4) if c else "-" for c in against.values()] +
                        [f'{residue(cells["device"]):,}', number(residue(cells["device"]) / residue(same), 4) if same else "-",
                         number(residue(cells["device"]) / residue(full), 4) if full else "-"])
    return ["clip", "search", "one core, ms", "all cores, ms", "device, host to host, ms", "of it kernels of the search, ms",
            "one core over plain code", "over vectors", "device over plain code", "over vectors",
            "residue", "loss against the program's same search", "against its full search"], rows


def _host(result):
    rows = []
    for clip in clip_names(result):
        speeds = host_speeds(result, clip)
        rebuilt = [c["counts"]["reconstruct_ms"] for c in result["cells"] if c["clip"] == clip and rebuilds(c)]
        ratios = [each / one for each, one in speeds]
        if speeds and rebuilt:
            rows.append([clip, len(rebuilt), f"{number(min(rebuilt))} to {number(max(rebuilt))}", len(speeds), f"{number(min(speeds)[0])} to {number(max(speeds)[0])}", number(max(ratios) / min(ratios))])
    return ["clip", "cells", "rebuilding a frame, ms", "cells with blocks on the host, in vectors", "a candidate there, ns", "both disagree by up to, times"], rows


def _in_turns(result):
    """Each rung's rounds beside those of the scalar program: the middle one, and what nearly all lie between."""
    rows = []
    for cell in result["cells"]:
        if clocked(cell) or cell.get("apart") or cell["refused"] is not None or cell["rung"].startswith("ours"):
            continue
        clip, shown = cell["clip"], [number(ms(cell)), f"{number(least(walls(cell)))} to {number(most(walls(cell)))}"]
        for how in CODES:
            against = base(result, clip, cell, how) if cell["on"] == "device" else None
            rounds = ratios(result, against, cell) if against else None
            shown.append(f"{number(speedup(result, clip, cell, how))} ({number(least(rounds))} to {number(most(rounds))})" if rounds else "-")
        rung = cell["rung"] + (f", {cell['lanes']} threads" if cell["lanes"] else "") + (f", {code(cell)}" if cell["on"] == "host" else "")
        rows.append([clip, rung + _note(cell), len(cell["runs"])] + shown)
    return ["clip", "rung", "rounds", "ms per frame", "nearly all", "over plain code", "over vectors"], rows


MAKERS = [
    ("Clips and baselines", None),
    ("Table I: first solutions, video 1", _table_one),
    ("Table II: better solutions", _table_two),
    ("Table III: step search", _table_three),
    ("Table IV: residues", _table_four),
    ("Table V: the final comparison", _table_five),
    ("This library on the same frames", _ours),
    ("Where the time goes", _split),
    ("The host's speed", _host),
    ("Streams", _streams),
    ("Group shapes, kernels per frame", _shapes),
    ("Pinned against pageable, one copy with waiting", _transfers),
]


def page(results):
    every = borrow_host_cells(together(results))
    results, sads = of_paper(every), [one for one in of_sads(every) if one not in of_paper(every)]
    turns = [one for one in every if in_turns(one[1]) and "part_of" not in one[1]]
    sections = []
    for title, make in MAKERS:
        runs = results + sads if make in (None, _table_one) else results + sads + [one for one in turns if one not in sads] if make is _host else results
        sections.append((title, _parts(runs, make) if make else _inputs(runs)))
    plotted = "\n".join(f"![{file[:-4]}](results/{file})" for file, svg in plots(results).items() if svg)
    others = [one for one in every if one not in results + sads + turns]
    if turns:
        sections.append(("In turns: a frame of each, then the next", _parts(turns, _in_turns)))
        sections.append(("In turns: rungs beside each other", _parts(turns, quotients)))
    if sads:
        sections.append(("Where the time goes with a launch for each candidate, ten frames", _parts(sads, _split)))
    if others:
        sections.append(("Streams without blocks at the border", _parts(others, _streams_of_reach)))
    return sections + [("Plots", plotted)]


def blocks(results):
    return {"claims": claims(results)}


def _stream_plot(result, title):
    cells = [c for c in result["cells"] if c["rung"].startswith("streams") and c["refused"] is None]
    counts = sorted({c["streams"] for c in cells})
    lines = [(f"{clip}, {rung[8:]}", [next((ms(c) for c in cells if (c["clip"], c["rung"], c["streams"]) == (clip, rung, n)), None) for n in counts])
             for clip in clip_names(result) for rung in ("streams-portions", "streams-reduced")]
    return line_plot(title, "streams", "ms per frame", counts, lines, logarithmic=True) if counts else None


def _shape_plot(result, title):
    shapes = [c["group"] for c in shape_cells(result, clip_names(result)[0])]
    lines = [(clip, [c["median"]["kernel_ms"] or None for c in shape_cells(result, clip)]) for clip in clip_names(result)]
    return line_plot(title, "group", "kernels, ms per frame", shapes, lines, logarithmic=True) if shapes else None


def _gain_plot(result, title):
    clips = clip_names(result)
    lines = []
    for rung, lanes, name in (("z", 32, "full search"), ("step-13x13-z", 256, "step search, 13x13")):
        cells = [best(result, clip, rung, lanes) for clip in clips]
        for how in CODES:
            values = [gain(result, clip, cell, how) if cell else None for clip, cell in zip(clips, cells)]
            if any(values):
                lines.append((f"{name}, over {how}", values))
        lines.append((f"{name}, the paper", list(PAPER_GAIN[rung])[:len(clips)]))
    return line_plot(title, "video", "normalised gain", clips, lines, logarithmic=True)


def plots(results):
    made = {}
    for name, result in of_paper(borrow_host_cells(together(results))):
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
