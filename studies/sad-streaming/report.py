# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study sad-streaming."""

import re

from cells import drop, flag_cells, groups_of, kernel_ms, launched_groups, main_cells, main_picture, of_paper, pick, pixels, series, swept, swept_pictures
from verdicts import kernels
from claims import claims
from figures import device_name, line_plot, matching, number, table

LINES = [
    ("global", "global", 1),
    ("centralised, one row", "centralised", 1),
    ("centralised, four rows", "centralised", 4),
    ("distributed, one row", "distributed", 1),
    ("distributed, four rows", "distributed", 4),
    ("vertical", "vertical", 1),
]
PAPER_MS = {"global": 18.03, "centralised, four rows": 18.01, "distributed, one row": 4.88}


def _refusal(result, kernel, rows, group, bits="32-bit"):
    found = matching(main_cells(result), kernel=kernel, rows=rows, group=group, input=bits, unrolled=True)
    return found[0]["refused"].split(":")[0] if found and found[0]["refused"] else "-"


def _times(results):
    parts = []
    for name, result in results:
        groups = groups_of(result)
        rows = []
        for title, kernel, shape in LINES:
            for bits in ("32-bit", "8-bit"):
                row = [title, bits]
                for group in groups:
                    ms = kernel_ms(pick(result, kernel, shape, group, bits))
                    row.append(number(ms) if ms else _refusal(result, kernel, shape, group, bits))
                row.append(number(PAPER_MS[title]) if bits == "32-bit" and title in PAPER_MS else "")
                rows.append(row)
        head = ["kernel", "input"] + [str(group) for group in groups] + ["the paper, 512"]
        parts.append(f"**{device_name(result)}** (`results/{name}.json`, {result['date'][:10]}), kernel time in ms by work-group:\n\n"
                     + table(head, rows))
    return "\n\n".join(parts)


def _drops(results):
    parts = []
    for _, result in results:
        groups = groups_of(result)
        rows = []
        for title, kernel, shape in LINES:
            line = series(result, kernel, shape)
            rows.append([title] + [number(drop(a, b)) for a, b in zip(line, line[1:])])
        head = ["kernel"] + [f"{a} to {b}" for a, b in zip(groups, groups[1:])]
        parts.append(f"**{device_name(result)}**, percent:\n\n" + table(head, rows))
    return "\n\n".join(parts)


def _transfers(results):
    rows = []
    for _, result in results:
        for title, kernel, shape in LINES:
            for bits in ("32-bit", "8-bit"):
                cell = pick(result, kernel, shape, 512, bits)
                if cell is None:
                    continue
                m = cell["median"]
                rows.append([device_name(result), title, bits, f'{cell["bytes_up"]:,}', f'{cell["bytes_down"]:,}',
                             number(cell["setup_ms"]), number(m["upload_ms"]), number(m["kernel_ms"]),
                             number(m["download_ms"]), number(m["wall_ms"]), number(1000 / kernel_ms(cell)),
                             number(1000 / m["wall_ms"])])
    return table(["device", "kernel", "input", "bytes up", "bytes down", "set-up ms", "upload ms", "kernel ms",
                  "download ms", "wall ms", "frames/s, kernel", "frames/s, wall"], rows)


def _unrolling(results):
    rows = []
    for _, result in results:
        for title, kernel, shape in LINES:
            for bits in ("32-bit", "8-bit"):
                yes, no = (pick(result, kernel, shape, 512, bits, unrolled) for unrolled in (True, False))
                if yes is None or no is None:
                    continue
                rows.append([device_name(result), title, bits, number(kernel_ms(yes)), number(kernel_ms(no)),
                             number(kernel_ms(no) / kernel_ms(yes)), f'{yes["code_bytes"]:,}', f'{no["code_bytes"]:,}',
                             yes["code_kind"]])
    return table(["device", "kernel", "input", "unrolled, ms", "loops, ms", "gain", "unrolled, bytes", "loops, bytes",
                  "bytes of"], rows)


def _tiles(results):
    rows = []
    for _, result in results:
        for group in groups_of(result):
            cells = [pick(result, "distributed", 1, group, tile=tile) for tile in ("rows", "columns-padded", "columns")]
            if None in cells:
                continue
            rows.append([device_name(result), group]
                        + [f'{number(kernel_ms(cell))} ({cell["counts"]["bank_conflicts"]})' for cell in cells])
    return table(["device", "group", "rows side by side (the paper)", "columns, odd pitch", "columns, power of 2"], rows)


def _counts(results):
    result = results[0][1]
    rows = []
    for title, kernel, shape in LINES:
        for group in (32, 64, 128, 256, 512):
            for bits in ("32-bit", "8-bit"):
                cell = pick(result, kernel, shape, group, bits)
                if cell is None:
                    continue
                c = cell["counts"]
                rows.append([title, bits, f'{cell["local_size"][0]}x{cell["local_size"][1]}', f'{cell["local_bytes"]:,}',
                             f'{c["working_set_bytes"]:,}', number(c["global_reads_per_disparity"], 4),
                             number(c["local_reads_per_disparity"], 4), number(c["differences_per_disparity"], 4),
                             c["barriers"], c["bank_conflicts"] or "-"])
    return table(["kernel", "input", "group", "local bytes", "working set of a group, bytes",
                  "global loads per disparity", "local loads per disparity", "differences per disparity", "barriers",
                  "most items at one bank"], rows)


def _rounds(results):
    rows = [["the paper (3 units)", "423", "-"]]
    for _, result in results:
        cell = main_cells(result)[0]["counts"]
        rows.append([f'{device_name(result)} ({result["device"]["compute_units"]} units)', cell["occupancy_rounds"],
                     cell["occupancy_rounds_padded"]])
    return table(["device", "rounds for the picture", "rounds with padding"], rows)


def _figures(results):
    return "\n\n".join(f"![Kernel times](results/times-{name}.svg)\n\n![Fall of the times](results/drops-{name}.svg)"
                       for name, _ in results)


def _flags(results):
    rows = []
    for _, result in results:
        for how in ("printed", "loaded", "chained", "reversed"):
            for c in flag_cells(result, how):
                if c["refused"]:
                    continue
                f = c["counts"]["flags"]
                barriers = pick(result, "centralised", 4, c["group"])
                rows.append([device_name(result), how, c["group"], f'{c["local_size"][0]}x{c["local_size"][1]}', launched_groups(c), f["looked_at"],
                             f["runs_with_failed_waits"], f["wrong_runs"], f'{f["most_wrong_pixels"]:,}', number(kernel_ms(c)), number(kernel_ms(barriers))])
    if not rows:
        return "*Not measured yet.*"
    return table(["device", "flags", "group", "shape", "groups launched", "runs looked at", "runs with failed waits", "runs with a wrong map", "most wrong pixels",
                  "kernel, ms", "with barriers, ms"], rows)


def _sweep(results):
    rows, heads = [], [32, 64, 128, 256, 512, 1024]
    for _, result in results:
        if not swept_pictures(result):
            continue
        for picture in sorted([main_picture(result)] + swept_pictures(result), key=lambda p: int(p.split("x")[0])):
            for kernel in ("global", "centralised", "distributed"):
                by_group = {c["group"]: kernel_ms(c) for c in swept(result, picture, kernel)}
                if by_group:
                    best = min(by_group, key=by_group.get)
                    rows.append([device_name(result), picture, kernel] + [number(by_group.get(g)) for g in heads] + [best, number(1e6 * by_group[best] / pixels(picture))])
    if not rows:
        return "*Not measured yet.*"
    return table(["device", "picture", "kernel"] + [str(g) for g in heads] + ["best", "its ns a pixel"], rows)


def _items(cell):
    return cell["local_size"][0] * cell["local_size"][1]


def _beside(results, result, cell):
    """What ran beside a cell that failed: what the device allows, the most local memory that did run, the same cell elsewhere."""
    if not cell["refused"].startswith("failed"):
        return "-"
    ran, device = [c for c in result["cells"] if c["refused"] is None], result["device"]
    parts = [f"the device says that it takes groups of {device['largest_group']} and {device['local_memory']:,} bytes of local memory"]
    parts.append(f"groups of {_items(cell)} ran here with up to {max(c['local_bytes'] for c in ran if _items(c) >= _items(cell)):,} bytes, any with up to {max(c['local_bytes'] for c in ran):,}")
    counted = re.search(r"takes (\d+) bytes of local memory", cell["refused"])
    if counted:
        more = int(counted[1]) - cell["local_bytes"]
        parts.append(f"the driver counts {more} bytes more than the kernel asks for, so that it would need {int(counted[1]) - device['local_memory']} more than there are")
    keys = ("kernel", "input", "unrolled", "group", "rows", "tile", "flags", "picture", "local_bytes")
    elsewhere = [device_name(other) for _, other in results if any(c["refused"] is None and all(c.get(k) == cell.get(k) for k in keys) for c in other["cells"])]
    parts.append(f"the same ran on {', '.join(elsewhere)}" if elsewhere else "it ran nowhere")
    return "; ".join(parts + ([] if "groups of up to" in cell["refused"] else ["the run did not ask the driver what the kernel takes; a later one of the same cell did"]))


def _failures(results):
    rows = [[device_name(result), result["settings"]["per-item"] if c["kernel"] == "vertical" else 1, c["kernel"], c["input"], "written out" if c["unrolled"] else "loops", c["group"], c["refused"], _beside(results, result, c)]
            for _, result in results for c in result["cells"] if c["refused"]]
    return table(["device", "pixels of a work-item", "kernel", "input", "window", "group", "why", "beside it"], rows) if rows else "None."


def _runs(results):
    rows = []
    for name, result in results:
        spread = [(max(kernels(c)) - min(kernels(c))) / kernel_ms(c) for c in main_cells(result) if c["refused"] is None and kernel_ms(c)]
        rows.append([device_name(result), f"results/{name}.json", result["date"][:10], result.get("commit", "not noted"), result.get("machine", {}).get("processor", "not noted"),
                     "built-in scene" if result["inputs"]["built_in_scene"] else " ".join(result["inputs"]["names"]), result["settings"]["runs"],
                     f"{100 * sorted(spread)[len(spread) // 2]:.0f} %"])
    return table(["device", "file", "date", "commit", "host", "pictures", "runs of each", "largest less smallest kernel time, of the median (middle of all cells)"], rows)


def page(every):
    results = of_paper(every)
    return [("Runs", _runs(every)), ("Kernel times (figure 8)", _times(results)), ("Fall of the time from the next smaller group (figure 9)", _drops(results)),
            ("Other sizes", _sweep(results)), ("Flags instead of barriers", _flags(results)), ("Copies and frame rates, groups of 512", _transfers(results)),
            ("Unrolling, groups of 512", _unrolling(results)), ("Bank conflicts: kernel time in ms (work-items that meet at one bank)", _tiles(results)),
            ("Counted, not timed", _counts(results)), ("Rounds at full occupancy", _rounds(results)), ("Cells that did not run", _failures(every)), ("Plots", _figures(results))]


def blocks(results):
    return {"claims": claims(results)}


def plots(results):
    files = {}
    for name, result in of_paper(results):
        groups = groups_of(result)
        lines = [(title, series(result, kernel, shape)) for title, kernel, shape in LINES]
        files[f"times-{name}.svg"] = line_plot(f"Kernel time, {device_name(result)}", "work-items in a group", "ms", groups,
                                               lines, logarithmic=True)
        falls = [(title, [drop(a, b) for a, b in zip(line, line[1:])]) for title, line in lines]
        files[f"drops-{name}.svg"] = line_plot(f"Fall of the time from the next smaller group, {device_name(result)}",
                                               "work-items in a group", "percent", groups[1:], falls)
    return files
