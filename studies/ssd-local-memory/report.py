# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of the study ssd-local-memory."""

from cells import MEMORIES, PAPER_S, best, groups_of, of_report, pick, problems_of, program
from claims import claims
from figures import device_name, kernel_ms, line_plot, matching, number, table


def _text(result, window, disparities, memory, group, form):
    found = matching(result["cells"], window=window, disparities=disparities, memory=memory, group=group, form=form)
    if not found:
        return "-"
    return found[0]["refused"].split(":")[0] if found[0]["refused"] else number(kernel_ms(found[0]))


def _paper(results):
    rows = []
    for problem in dict.fromkeys(problem for _, result in results for problem in problems_of(result)):
        row = [f"{problem[0]}x{problem[0]}", problem[1], number(1000 * PAPER_S[problem], 4) if problem in PAPER_S else "-"]
        for _, result in results:
            if problem not in problems_of(result):
                row += ["-", "-", "-"]
                continue
            fastest = best(result, *problem)
            row += [number(kernel_ms(pick(result, *problem))), f'{number(kernel_ms(fastest))} ({fastest["memory"]}, {fastest["group"]})' if fastest else "-",
                    number(program(result, *problem)["median_ms"])]
        rows.append(row)
    head = ["window", "disparities", "the report, ms"]
    for _, result in results:
        name = f'{device_name(result)}, {result["inputs"]["width"]}x{result["inputs"]["height"]}'
        head += [f"{name}: as the report, ms", f"{name}: fastest, ms", "C++ on one core there, ms"]
    return table(head, rows)


def forms_of(result):
    return [form for form in ("separate", "single") if any(cell["form"] == form for cell in result["cells"])]


def _times(results):
    parts = []
    for name, result in results:
        rows = []
        for problem in problems_of(result):
            for memory in MEMORIES:
                row = [f"{problem[0]}x{problem[0]}", problem[1], memory]
                for form in forms_of(result):
                    row += [_text(result, *problem, memory, group, form) for group in groups_of(result)]
                rows.append(row)
        head = ["window", "disparities", "local memory"]
        head += [f"{'three launches' if form == 'separate' else 'one launch'}, {group}" for form in forms_of(result) for group in groups_of(result)]
        parts.append(f"**{device_name(result)}** (`results/{name}.json`, {result['date'][:10]}), kernel time in ms:\n\n"
                     + table(head, rows))
    return "\n\n".join(parts)


def _transfers(results):
    rows = []
    for _, result in results:
        for problem in problems_of(result):
            cell = pick(result, *problem)
            if cell is None:
                continue
            m = cell["median"]
            rows.append([device_name(result), f"{problem[0]}x{problem[0]}", problem[1], f'{cell["bytes_up"]:,}',
                         f'{cell["bytes_down"]:,}', number(cell["setup_ms"]), number(m["upload_ms"]),
                         number(m["kernel_ms"]), number(m["download_ms"]), number(m["wall_ms"]),
                         number(1000 / m["kernel_ms"]), number(cell["counts"]["differences"] / m["kernel_ms"] / 1e6)])
    return table(["device", "window", "disparities", "bytes up", "bytes down", "set-up ms", "upload ms", "kernels ms",
                  "download ms", "wall ms", "frames/s, kernels", "10^9 squared differences/s"], rows)


def _memory(results):
    result = results[0][1]
    rows = []
    for problem in problems_of(result):
        for memory in MEMORIES:
            for group in groups_of(result):
                found = matching(result["cells"], window=problem[0], disparities=problem[1], memory=memory, group=group,
                                 form="separate")
                if not found:
                    continue
                c = found[0]["counts"]
                rows.append([f"{problem[0]}x{problem[0]}", problem[1], memory, group, f'{found[0]["local_bytes"]:,}',
                             number(c["global_reads_per_pixel"], 4), number(c["local_reads_per_pixel"], 4),
                             number(c["local_writes_per_pixel"], 4), found[0]["refused"] or "yes"])
    return table(["window", "disparities", "local memory", "group", "local bytes", "global loads per pixel",
                  "local loads per pixel", "local stores per pixel", f"fits {device_name(result)}"], rows)


def _single(results):
    rows = []
    for _, result in results:
        pixels = result["inputs"]["width"] * result["inputs"]["height"]
        for problem in problems_of(result):
            for memory in MEMORIES:
                row = [device_name(result), f"{problem[0]}x{problem[0]}", problem[1], memory]
                for group in groups_of(result):
                    three = pick(result, *problem, memory, group)
                    whole = pick(result, *problem, memory, group, "single")
                    row.append("does not fit" if whole is None or three is None else
                               f'{number(kernel_ms(whole) / kernel_ms(three))} / {whole["differing"]:,} '
                               f'({100 * whole["differing"] / pixels:.2f} %)')
                rows.append(row)
    return table(["device", "window", "disparities", "local memory"]
                 + [f"{group}: time / pixels that differ" for group in groups_of(results[0][1])], rows)


def _holes(results):
    rows, seen = [], set()
    for _, result in results:
        what = "built-in scene" if result["inputs"]["built_in_scene"] else " ".join(result["inputs"]["names"])
        for entry in result["c_program"]:
            h = entry["holes"]
            row = [what, f'{entry["window"]}x{entry["window"]}', entry["disparities"], f'{h["valid_pixels"]:,}',
                   f'{h["rejected"]:,} ({100 * h["rejected"] / h["valid_pixels"]:.1f} %)', f'{h["still_0_after_filling"]:,}']
            if str(row) not in seen:
                seen.add(str(row))
                rows.append(row)
    return table(["pictures", "window", "disparities", "pixels with a whole window", "rejected by the check", "still 0 after filling"], rows)


def _figures(results):
    return "\n\n".join(f"![Kernel times](results/times-{name}.svg)" for name, _ in results)


def _runs(results):
    rows = [[device_name(result), f"results/{name}.json", result["date"][:10], result.get("commit", "not noted"), result.get("machine", {}).get("processor", "not noted"),
             "built-in scene" if result["inputs"]["built_in_scene"] else " ".join(result["inputs"]["names"]), f'{result["inputs"]["width"]}x{result["inputs"]["height"]}',
             result["settings"]["runs"], result["settings"]["baseline-runs"]] for name, result in results]
    return table(["device", "file", "date", "commit", "host", "pictures", "size", "runs of each", "of the program in C++"], rows)


def page(every):
    results = of_report(every)
    return [("Runs", _runs(every)), ("Times beside the report's, three launches", _paper(results)), ("All variants", _times(every)), ("Copies and rates", _transfers(results)),
            ("The single launch: time in relation to three launches, and pixels that differ from the reference in the last run", _single(results)),
            ("Check and filling", _holes(results)), ("Counted, not timed", _memory(results)), ("Plots", _figures(results))]


def blocks(results):
    return {"claims": claims(results)}


def plots(results):
    files = {}
    for name, result in of_report(results):
        problems = problems_of(result)
        lines = [(f"{memory}, {group}", [kernel_ms(pick(result, *problem, memory, group)) for problem in problems])
                 for memory in MEMORIES for group in groups_of(result)]
        lines.append(("C on one core", [entry["median_ms"] for entry in result["c_program"]]))
        lines.append(("the paper", [1000 * PAPER_S[p] if p in PAPER_S else None for p in problems]))
        files[f"times-{name}.svg"] = line_plot(f"Kernel time, {device_name(result)}", "window, disparities", "ms",
                                               [f"{w}x{w}, {d}" for w, d in problems], lines, logarithmic=True)
    return files
