# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study stencil-energy up."""

HD, VGA, L1, L2 = "1920x1080", "640x480", "64x48", "160x128"
# The paper's rows: name, form, whether vectors, whether unrolled.
ROWS = [("2P-NV", "2P", False, False), ("2P-V", "2P", True, False), ("2P-V-UR", "2P", True, True),
        ("1P-NV", "1P", False, False), ("1P-V", "1P", True, False), ("1P-V-UR", "1P", True, True)]


def is_cpu(result):
    return result["limits"]["is_cpu"]


def cells(result, **wanted):
    found = [c for c in result["cells"] if c["refused"] is None and all(c.get(k) == v for k, v in wanted.items())]
    return sorted(found, key=ms)


def ms(cell):
    return cell["median"]["kernel_ms"] or cell["median"]["wall_ms"]


def first(found):
    return found[0] if found else None


def paper_width(result):
    widths = {c["width"] for c in result["cells"] if c["part"] == "stencil" and c["on"] == "device"}
    return 8 if 8 in widths else max(widths, default=8)


def two_pass_form(result):
    """Each device's own: along the rows first on processors, along the columns on GPUs."""
    return "2P rows" if is_cpu(result) else "2P columns"


def row(result, size, name, points=25, form=None):
    """The cell that stands for one of the paper's rows."""
    _, kind, vectors, unrolled = next(r for r in ROWS if r[0] == name)
    form = form or (two_pass_form(result) if kind == "2P" else "1P")
    wanted = {"part": "stencil", "on": "device", "size": size, "points": points, "form": form}
    if vectors:
        wanted |= {"width": paper_width(result), "taps": "shuffles"}
    else:
        wanted |= {"width": 1}
    if not unrolled:
        wanted["unrolled"] = 1
    return first(cells(result, **wanted))


def alone(result, size, form):
    found = cells(result, part="stencil", on="device", size=size, points=25, form=form, width=paper_width(result))
    return first([c for c in found if c["taps"] in ("shuffles", "-")])


def host(result, size, form, points=25, on="one core"):
    return first(cells(result, part="stencil", on=on, size=size, points=points, form=form))


def gflops(cell):
    return None if cell is None else cell["counts"]["gflops"]


def share(result, cell, key="peak_gflops"):
    """Percent of the device's peak without fused operations."""
    return None if cell is None else 100 * gflops(cell) / result["limits"][key]


def core_share(result, cell):
    peak = result["host"].get("core_peak_gflops")
    return None if cell is None or not peak else 100 * gflops(cell) / peak


def energy(cell):
    """Joules and what follows, or None."""
    value = None if cell is None else cell["counts"].get("energy")
    return value if isinstance(value, dict) else None


def trackers(result):
    """Those of table III: name of the row, and its cell or the reason why there is none."""
    own = result["device"]["name"]
    wanted = [("SC: exact-sdvbs, one core", "exact-sdvbs", "one core"), ("our reference, one core", "ours", "reference"),
              ("ours, one core", "ours", "one core"), ("MC: ours, all cores", "ours", "cpu"), ("device: ours", "ours", own),
              ("filters on the CPU, update on the device", "ours", f"prepare=cpu,update={own}"),
              ("filters on the device, update on the CPU", "ours", f"prepare={own},update=cpu")]
    all_cells = [c for c in result["cells"] if c["part"] == "tracker"]
    out = []
    for title, tracker, on in wanted:
        found = [c for c in all_cells if c["on"] == on and c["counts"].get("tracker") == tracker]
        out.append((title, found[0] if found else None))
    return out


def _cut_times(result, size):
    """Least ms of each (unroll, group) of the one-pass form with the paper's vectors and shuffles, over all strips."""
    times = {}
    for one in result["search"]:
        if (one["size"], one["form"], one["width"], one["taps"]) != (size, "1P", paper_width(result), "shuffles") or one["ms"] is None:
            continue
        key = one["unrolled"], one["group"]
        times[key] = min(one["ms"], times.get(key, one["ms"]))
    return times


def one_configuration(results, size):
    """The unroll and group for all devices together whose largest loss against each device's best is least: that configuration, and
    for each device its best one and the loss in percent."""
    tables = [(result, _cut_times(result, size)) for _, result in results]
    tables = [(result, times) for result, times in tables if times]
    common = set.intersection(*(set(times) for _, times in tables)) if tables else set()
    if not common:
        return None

    def losses(configuration):
        return [100 * (times[configuration] / min(times.values()) - 1) for _, times in tables]

    configuration = min(sorted(common), key=lambda c: max(losses(c)))
    return configuration, [(result, min(times, key=times.get), loss) for (result, times), loss in zip(tables, losses(configuration))]
