# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study stencil-energy up.

The paper's items go all the way down a column or along a row: `strip` 0. Rows named after the paper are those; other strips
are our cut. Results of before 23 November 2026 timed few of the paper's items; there the search has them, the least of five runs
each."""

from dataclasses import dataclass
from statistics import median

from verdicts import OfProcessor

HD, VGA, L1, L2 = "1920x1080", "640x480", "64x48", "160x128"
SIZES = [(HD, "full HD"), (VGA, "VGA"), (L1, "64x48"), (L2, "160x128")]
# The paper's rows: name, form, whether vectors, whether unrolled.
ROWS = [("2P-NV", "2P", False, False), ("2P-V", "2P", True, False), ("2P-V-UR", "2P", True, True),
        ("1P-NV", "1P", False, False), ("1P-V", "1P", True, False), ("1P-V-UR", "1P", True, True)]
NAMES = [name for name, *_ in ROWS]
UNROLLED = (2, 4, 8)
FLOP = {25: 20, 9: 12}  # of a pixel, as the paper counts


@dataclass
class Time:
    """Milliseconds of a variant, GFlop/s as the paper counts operations, and where they are from."""
    ms: float
    gflops: float
    unrolled: int
    group: int
    strip: int
    items: int  # of its last kernel; 0: not known
    runs: list  # ms of each round; of a search one
    searched: bool
    cell: dict


def each_operation(time):
    """Each round's nanoseconds for an operation: of pictures of different sizes."""
    return type(time.runs)(run / time.ms / time.gflops for run in time.runs)


def idle_of(time, size):
    """" (4 idle)": of the items of 1P with the paper's vectors those that lie beside the picture, which fill the last group."""
    if not time.cell:
        return ""
    across, down = time.cell["global_size"]
    idle = (across - -(-int(size.split("x")[0]) // 8)) * down
    return f" ({idle:,} idle)" if idle > 0 else ""


def one_group(result, time):
    """Whether a processor runs it in one work-group, which one of its several threads does."""
    return is_cpu(result) and threads_of(result) > 1 and 0 < time.items <= time.group


def too_few_groups(result, time):
    """" in 4 groups": where a processor has more threads than that, so that some have no work; else empty."""
    groups = -(-time.items // time.group) if is_cpu(result) else 0
    return f" in {groups} group{'s' if groups > 1 else ''}" if 0 < groups < threads_of(result) else ""


def launch_us(time):
    """Microseconds of one of its launches, each with many runs of a small picture; None of a search."""
    return 1000 * time.ms * time.cell["counts"]["runs"] / time.cell["launches"] if time.cell.get("launches") and "runs" in time.cell["counts"] else None


def is_cpu(result):
    return result["limits"]["is_cpu"]


def threads_of(result):
    return result["device"]["compute_units"] if is_cpu(result) else None


def with_trackers(results):
    """A run of trackers alone, NAME-trackers, gives the run NAME its cells of those that had fewer rounds there."""

    def key(cell):
        return cell["on"], cell["form"], cell["counts"].get("clip")

    more = {name.removesuffix("-trackers"): {key(c): c for c in reversed(r["cells"]) if c["part"] == "tracker" and c["refused"] is None} for name, r in results if name.endswith("-trackers")}
    made = []
    for name, result in results:
        if name in more:
            cells = [more[name][key(c)] if c["part"] == "tracker" and c["refused"] is None and key(c) in more[name] and len(c["runs"]) < len(more[name][key(c)]["runs"]) else c for c in result["cells"]]
            made.append((name, {**result, "cells": cells}))
        elif not name.endswith("-trackers"):
            made.append((name, result))
    for _, result in made:
        for cell in result["cells"]:
            if cell["part"] == "tracker" and cell["refused"] is None:  # stored is the rate of one round, the middle one or the next slower
                cell["counts"]["frames_per_s"] = 1000 / median(run[3] for run in cell["runs"])
    return made


def of_one_machine(one, other):
    return all(one["host"][key] == other["host"][key] for key in ("processor", "threads"))


def main_results(results):
    """Without those of processors with fewer threads than another run there has: these are for the sweep."""
    most = {}
    for _, result in results:
        if is_cpu(result):
            key = result["host"]["processor"], result["host"]["threads"]
            most[key] = max(most.get(key, 0), threads_of(result))
    return [(name, r) for name, r in results if not is_cpu(r) or threads_of(r) == most[r["host"]["processor"], r["host"]["threads"]]]


def cells(result, **wanted):
    found = [c for c in result["cells"] if c["refused"] is None and all(c.get(k) == v for k, v in wanted.items())]
    return sorted(found, key=ms)


def ms(cell):
    return cell["median"]["kernel_ms"] or cell["median"]["wall_ms"]


def first(found):
    return found[0] if found else None


def pixels(size):
    width, height = map(int, size.split("x"))
    return width * height


def gflops(cell):
    return None if cell is None else cell["counts"]["gflops"]


def _time_of_cell(cell, kind=list):
    kernel = cell["median"]["kernel_ms"] > 0
    runs = kind(run[1] if kernel else run[3] for run in cell["runs"])
    return Time(ms(cell), gflops(cell), cell["unrolled"], cell["group"], cell["strip"], cell["global_size"][0] * cell["global_size"][1], runs, False, cell)


def _time_of_search(row, share):
    return Time(row["ms"], share * FLOP[row["points"]] * pixels(row["size"]) / row["ms"] * 1e-6, row["unrolled"], row["group"], row["strip"], 0, [row["ms"]], True, {})


def variant(result, size, form, width, taps, unrolls=(1, 2, 4, 8), points=25, paper=True):
    """The fastest of a form with these vectors and unrolls, with the paper's items or in our cut; None where it was not run."""
    def fits(one):
        return (one["form"], one["size"], one["points"], one["width"]) == (form, size, points, width) and one["taps"] in (taps, "-") and one["unrolled"] in unrolls and (one["strip"] == 0) == paper

    found = [c for c in cells(result, part="stencil", on="device") if fits(c)]
    if found:
        return _time_of_cell(found[0], OfProcessor if is_cpu(result) else list)
    rows = sorted((r for r in result["search"] if r["ms"] and fits(r)), key=lambda r: r["ms"])
    return _time_of_search(rows[0], 0.5 if "alone" in form else 1) if rows else None


def two_pass_form(result):
    """Each device's own, as in the paper: along the rows first on processors, along the columns on GPUs."""
    return "2P rows" if is_cpu(result) else "2P columns"


def row(result, size, name, points=25, form=None, paper=True):
    """The time that stands for one of the paper's rows."""
    _, kind, vectors, unrolled = next(r for r in ROWS if r[0] == name)
    form = form or (two_pass_form(result) if kind == "2P" else "1P")
    if not vectors:
        return variant(result, size, form, 1, "-", (1,), points, paper)
    return variant(result, size, form, 8, "shuffles", (2, 4, 8) if unrolled else (1,), points, paper)


def alone(result, size, form, unrolls=(1, 2, 4, 8), paper=True):
    """One pass of the paper's two, by itself, the best of these unrolls."""
    return variant(result, size, form, 8, "shuffles", unrolls, paper=paper)


def ours(result, size, name, points=25):
    """Our cut of a row's form: fewer pixels to an item."""
    kind = next(r[1] for r in ROWS if r[0] == name)
    return variant(result, size, two_pass_form(result) if kind == "2P" else "1P", 1 if name.endswith("NV") else 8, "shuffles", points=points, paper=False)


def host(result, size, form, points=25, on="one core"):
    return first(cells(result, part="stencil", on=on, size=size, points=points, form=form))


def walls(cell):
    """Milliseconds of each round of the host's."""
    return OfProcessor(run[3] for run in cell["runs"])


def share(result, value):
    """Percent of the device's peak without fused operations."""
    return 100 * value / result["limits"]["peak_gflops"]


def core_share(result, cell):
    """Of a core's peak at 256 bits: no bound of our filter, whose vectors may be wider."""
    if cell is not None and cell["form"] == "ours":
        return None
    peak = result["host"].get("core_peak_gflops")
    return None if cell is None or not peak else 100 * gflops(cell) / peak


def has_processor_counter(result):
    counted = result["energy"]["counted"]
    return not isinstance(counted, str) and any(name.startswith(("package", "psys")) for name in counted)


def missing_counter(result):
    return result["energy"]["missing"]


def energy(result, counts, on_processor):
    """Joules and what follows, or None where nothing was counted that did the work."""
    value = counts.get("energy") if counts else None
    if not isinstance(value, dict) or (on_processor and not has_processor_counter(result)):
        return None
    return value


def window_doubt(value):
    """By what part a window's energy may be off, as docs/energy.md bounds it: a board's counter moves every 100 ms, and reading it takes 4."""
    return 0.104 / value["seconds"]


def told_apart(a, b, key):
    """Which way a figure of two windows differs: -1 where b's is less, 1 where it is more, by more than both may be off and 2 %; else 0."""
    ratio, doubt = b[key] / a[key] - 1, max(0.02, window_doubt(a) + window_doubt(b))
    return 0 if abs(ratio) <= doubt else 1 if ratio > 0 else -1


def idle_watts(result):
    """What the counted boards drew before anything ran, or None."""
    idle = result.get("idle")
    return sum(idle["watts"].values()) if isinstance(idle, dict) and idle.get("watts") else None


def trackers(result, name):
    """Cells of table III of a tracker ("published", "ours"): SC, MC, GPU, MC+GPU, GPU+MC, auto; each the first that was run."""
    own = result["device"]["name"]
    processor = result.get("processor_device")
    mc = "cpu" if name == "ours" else (processor["name"] if isinstance(processor, dict) else None)
    single = ("exact-sdvbs", "one core") if name == "published" else ("ours", "cpu, threads 1")
    wanted = {"SC": single, "MC": (name, mc), "GPU": (name, own if not is_cpu(result) else None),
              "MC+GPU": (name, f"prepare={mc},update={own}"), "GPU+MC": (name, f"prepare={own},update={mc}"), "auto": (name, "auto")}
    out = {}
    for title, (tracker, on) in wanted.items():
        found = [c for c in result["cells"] if c["part"] == "tracker" and c["on"] == on and c["counts"].get("tracker") == tracker]
        found = [c for c in found if name == "ours" or c["counts"].get("clip") == "drifting"]
        if found and (found[0]["refused"] is None):
            out[title] = found[0]
    return out


def search_doubt(result, size):
    """How far the search's least times and the rounds' medians of the same variants lie apart at most, of the one-pass form with the
    paper's vectors and items: 0.5 where one is half as long again; none where nothing was both searched and timed in rounds."""
    apart = []
    for cell in cells(result, part="stencil", on="device", size=size, points=25, form="1P", width=8, taps="shuffles", strip=0):
        for one in result["search"]:
            if one["ms"] and all(one[key] == cell[key] for key in ("size", "points", "form", "width", "taps", "strip", "unrolled", "group")):
                apart.append(max(one["ms"] / ms(cell), ms(cell) / one["ms"]) - 1)
    return max(apart, default=0)


def one_configuration(results, size):
    """The unroll and group for all devices together whose largest loss against each device's best is least, of the one-pass form with
    the paper's vectors and items: that configuration, and for each device its best one and the loss in percent. None where processor or
    board is missing."""
    tables = []
    for _, result in results:
        times = {}
        for one in result["search"]:
            if (one["size"], one["form"], one["width"], one["taps"], one["strip"], one["points"]) == (size, "1P", 8, "shuffles", 0, 25) and one["ms"]:
                key = one["unrolled"], one["group"]
                times[key] = min(one["ms"], times.get(key, one["ms"]))
        if times:
            tables.append((result, times))
    common = set.intersection(*(set(times) for _, times in tables)) if tables else set()
    if len({is_cpu(result) for result, _ in tables}) < 2 or not common:
        return None

    def losses(configuration):
        return [100 * (times[configuration] / min(times.values()) - 1) for _, times in tables]

    configuration = min(sorted(common), key=lambda c: max(losses(c)))
    return configuration, [(result, min(times, key=times.get), loss) for (result, times), loss in zip(tables, losses(configuration))]
