# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study motion-cuda up."""

CODES = ["plain", "vectors"]


def clip_names(result):
    return [clip["name"] for clip in result["clips"]]


def ms(cell):
    """Per frame, from the frames in host memory to the rebuilt frame."""
    return None if cell is None else cell["median"]["wall_ms"]


def walls(cell):
    """The same of each timed frame."""
    return [run[3] for run in cell["runs"]]


def kernels(cell):
    """Kernels of each frame that was run by the device's clock."""
    return [run[1] for run in cell["runs"][: cell["counts"].get("event_frames", len(cell["runs"]))]]


def code(cell):
    """How the host's SAD was compiled: the older runs know the plain form alone."""
    return cell.get("host", "plain")


def residue(cell):
    return cell["counts"]["residue"]


def borrow_host_cells(results):
    """Cells of the host alone, the program's and ours, for runs without: those of another run of the same machine and clips."""

    def key(result):
        return result["device"]["device"], str(result["clips"]), str(result.get("machine"))

    for _, result in results:
        for on in sorted({"host", "one core", "all cores"} - {c["on"] for c in result["cells"]}):
            for name, other in results:
                found = [c for c in other["cells"] if c["on"] == on]
                if other is not result and key(other) == key(result) and found:
                    result["cells"] = found + result["cells"]
                    result["host_cells_of"] = name
                    break
    return results


def frames_apart(result):
    """How far the slowest frame of a rung lies from the fastest, as a part of the median: three quarters of the device's rungs on
    the first clip, which have three frames or more, stay below."""
    ranges = sorted((max(walls(c)) - min(walls(c))) / ms(c) for c in result["cells"]
                    if c["clip"] == clip_names(result)[0] and c["on"] == "device" and c["refused"] is None and len(c["runs"]) >= 3 and not c["rung"].startswith("ours"))
    return ranges[len(ranges) * 3 // 4] if ranges else None


def reach_of(result):
    return int(result["settings"].get("reach", 64))


def of_paper(results):
    """Runs with the paper's block and reach, blocks at the border among them: the others answer one question alone."""
    return [(name, result) for name, result in results
            if result["settings"].get("block", "32") == "32" and reach_of(result) == 64 and result["settings"].get("borders", "yes") == "yes"]


def pick(result, clip, rung, on=None, lanes=0, how=None, streams=None, group=None):
    """The first such cell that ran: of host codes and group shapes that is the one which all rungs have."""
    for c in result["cells"]:
        if c["clip"] != clip or c["rung"] != rung or c["refused"] is not None or (on and c["on"] != on):
            continue
        if (lanes and c["lanes"] != lanes) or (how and code(c) != how) or (streams and c["streams"] != streams) or (group and c["group"] != group):
            continue
        return c
    return None


def stream_cells(result, clip, rung):
    return sorted((c for c in result["cells"] if c["clip"] == clip and c["rung"] == rung and c["refused"] is None), key=lambda c: c["streams"])


def shape_cells(result, clip):
    return [c for c in result["cells"] if c["clip"] == clip and c["rung"] == "all-on-device" and c["refused"] is None]


def best(result, clip, rung, lanes=0, streams=()):
    """Of numbers of streams, all or these, the fastest."""
    if rung.startswith("streams"):
        return min((c for c in stream_cells(result, clip, rung) if not streams or c["streams"] in streams), key=ms, default=None)
    return pick(result, clip, rung, "device" if rung.startswith("ours") else None, lanes)


def base_rung(cell):
    return {"full": "scalar", "step": "step-scalar", "zones": "tz-scalar"}[cell["counts"]["search"]]


def base(result, clip, cell, how):
    return pick(result, clip, base_rung(cell), "host", how=how)


def speedup(result, clip, cell, how):
    """Over the scalar program, compiled in that way."""
    against = base(result, clip, cell, how) if cell else None
    return ms(against) / ms(cell) if against else None


def loss(result, clip, cell):
    against = base(result, clip, cell, "plain") or base(result, clip, cell, "vectors") if cell else None
    return residue(cell) / residue(against) if against else None


def gain(result, clip, cell, how):
    faster = speedup(result, clip, cell, how)
    return faster / loss(result, clip, cell) if faster else None


def best_cpu(result, clip, search):
    """ms of our search on one core or all, whichever takes less."""
    rung = {"full": "ours full", "step": "ours step 3x3", "zones": "ours tz"}[search]
    cells = [pick(result, clip, rung, on) for on in ("one core", "all cores")]
    return min((ms(cell) for cell in cells if cell), default=None)


def is_whole(cell):
    """Were all blocks of a frame searched?"""
    return cell["counts"]["searched"] >= cell["counts"]["blocks"]
