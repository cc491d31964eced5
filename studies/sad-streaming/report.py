# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study sad-streaming."""

from claims import claims
from figures import device_name, kernel_ms, line_plot, matching, number, one, table

LINES = [
    ("global", "global", 1),
    ("centralised, one row", "centralised", 1),
    ("centralised, four rows", "centralised", 4),
    ("distributed, one row", "distributed", 1),
    ("distributed, four rows", "distributed", 4),
    ("vertical", "vertical", 1),
]
PAPER_MS = {"global": 18.03, "centralised, four rows": 18.01, "distributed, one row": 4.88}


def pick(result, kernel, rows, group, bits="32-bit", unrolled=True, tile=None):
    tile = tile or ("none" if kernel == "global" else "rows")
    return one(result["cells"], kernel=kernel, rows=rows, group=group, input=bits, unrolled=unrolled, tile=tile)


def groups_of(result):
    return sorted({cell["group"] for cell in result["cells"]})


def drop(before, after):
    """Percent by which the time fell from the next smaller group."""
    return None if before is None or after is None else 100 * (before - after) / before


def series(result, kernel, rows, **more):
    return [kernel_ms(pick(result, kernel, rows, group, **more)) for group in groups_of(result)]


def _refusal(result, kernel, rows, group, bits="32-bit"):
    found = matching(result["cells"], kernel=kernel, rows=rows, group=group, input=bits, unrolled=True)
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
                             number(m["download_ms"]), number(m["wall_ms"]), number(1000 / m["kernel_ms"]),
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
        for group in (32, 512):
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
        cell = result["cells"][0]["counts"]
        rows.append([f'{device_name(result)} ({result["device"]["compute_units"]} units)', cell["occupancy_rounds"],
                     cell["occupancy_rounds_padded"]])
    return table(["device", "rounds for the picture", "rounds with padding"], rows)


def _figures(results):
    return "\n\n".join(f"![Kernel times](results/times-{name}.svg)\n\n![Fall of the times](results/drops-{name}.svg)"
                       for name, _ in results)


def blocks(results):
    return {
        "figures": _figures(results),
        "times": _times(results),
        "drops": _drops(results),
        "transfers": _transfers(results),
        "unrolling": _unrolling(results),
        "tiles": _tiles(results),
        "counts": _counts(results),
        "rounds": _rounds(results),
        "claims": claims(results, pick, groups_of, series, drop),
    }


def plots(results):
    files = {}
    for name, result in results:
        groups = groups_of(result)
        lines = [(title, series(result, kernel, shape)) for title, kernel, shape in LINES]
        files[f"times-{name}.svg"] = line_plot(f"Kernel time, {device_name(result)}", "work-items in a group", "ms", groups,
                                               lines, logarithmic=True)
        falls = [(title, [drop(a, b) for a, b in zip(line, line[1:])]) for title, line in lines]
        files[f"drops-{name}.svg"] = line_plot(f"Fall of the time from the next smaller group, {device_name(result)}",
                                               "work-items in a group", "percent", groups[1:], falls)
    return files
