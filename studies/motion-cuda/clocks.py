# SPDX-License-Identifier: Apache-2.0
"""Puts runs together: a run in turns has the host's times of some rungs, another one the device's of all and the host's of the rest."""

from cells import clocked, has_all, in_turns, of_device, is_as_paper

KEYS = ("clip", "rung", "on", "streams", "lanes", "group", "pinned", "host")


def key_of(cell):
    return tuple(cell.get(key) for key in KEYS)


def with_clock(cell, clocks):
    """A cell with the times by the device's clock of the same one of another run, where that has more frames of them."""
    clock = None if cell["refused"] is not None else clocks.get(key_of(cell))
    if clock is None or clock["counts"]["event_frames"] <= cell["counts"].get("event_frames", 0):
        return cell
    runs = [(clock["runs"][i] if i < len(clock["runs"]) else run)[:3] + run[3:] for i, run in enumerate(cell["runs"])]
    counts = {**cell["counts"], **{key: clock["counts"][key] for key in ("event_frames", "event_blocks") if key in clock["counts"]}}
    return {**cell, "median": {**clock["median"], "wall_ms": cell["median"]["wall_ms"]}, "runs": runs, "counts": counts}


def _has_ladder(result):
    return in_turns(result) and any(c["rung"] == "z" for c in result["cells"])


def together(results):
    """Times by the device's clock alone go to the same cells of the device's other runs. The run that they are of gets the cells of the
    run in turns that has the host's times of them; each cell knows which run it is of, for times of two runs do not compare. So does a run
    without turns: of a cell that took turns elsewhere it gives the device's times alone, and its other cells stand `apart`."""
    for name, result in results:
        others = [(n, r) for n, r in results if r is not result and of_device(r) == of_device(result) and is_as_paper(r)]
        older = not in_turns(result) and any(_has_ladder(r) for _, r in others)
        clocks = {key_of(c): c for c in result["cells"] if c["refused"] is None and (clocked(c) or older and c["counts"].get("event_frames"))}
        if not clocks or "clock_of" in result or not has_all(result):
            continue
        result["clock_of"] = name
        if older:
            result["settings"] = {**result["settings"], "turns": "yes"}
            result["cells"] = [{**c, "apart": True} for c in result["cells"]]
        for _, other in others:
            other["cells"] = [with_clock(c, clocks) for c in other["cells"]]
        have = {key_of(c) for _, other in others for c in other["cells"]}
        cells = [{**c, "of": name} for c in result["cells"] if c["refused"] is not None or not (older or clocked(c)) or key_of(c) not in have]
        for n, other in others:
            if _has_ladder(other):
                cells = [{**c, "of": n} for c in other["cells"]] + cells
                other["part_of"] = name
                result["turns_of"], result["turns_commit"] = n, other.get("commit", "not noted")
        result["cells"] = cells
    return results
