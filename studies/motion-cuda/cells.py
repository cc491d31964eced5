# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study motion-cuda up."""


def clip_names(result):
    return [clip["name"] for clip in result["clips"]]


def ms(cell):
    """Per frame, from the frames in host memory to the rebuilt frame."""
    return None if cell is None else cell["median"]["wall_ms"]


def residue(cell):
    return cell["counts"]["residue"]


def _ran(result, clip, rung, on, lanes):
    return [c for c in result["cells"] if c["clip"] == clip and c["rung"] == rung and c["refused"] is None and
            (on is None or c["on"] == on) and (not lanes or c["lanes"] == lanes)]


def pick(result, clip, rung, on=None):
    found = _ran(result, clip, rung, on, 0)
    return found[0] if found else None


def best(result, clip, rung, lanes=0):
    """The fastest of its kind: of numbers of streams; of group shapes the first, which all rungs have."""
    found = _ran(result, clip, rung, "device" if rung.startswith("ours") else None, lanes)
    if not rung.startswith("streams"):
        found = found[:1]
    return min(found, key=ms) if found else None


def is_step(cell):
    return cell["counts"]["search"] == "step"


def base_of(result, clip, cell):
    return pick(result, clip, "step-scalar" if is_step(cell) else "scalar")


def speedup(result, clip, cell):
    return None if cell is None else ms(base_of(result, clip, cell)) / ms(cell)


def loss(result, clip, cell):
    return residue(cell) / residue(base_of(result, clip, cell))


def gain(result, clip, cell):
    return speedup(result, clip, cell) / loss(result, clip, cell)


def best_cpu(result, clip, search):
    """ms of our search on one core or all, whichever takes less."""
    rung = "ours full" if search == "full" else "ours step 3x3"
    return min(ms(cell) for cell in (pick(result, clip, rung, "one core"), pick(result, clip, rung, "all cores")) if cell)
