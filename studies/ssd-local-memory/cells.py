# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study ssd-local-memory up."""

from figures import kernel_ms, matching, one

PAPER_S = {(11, 60): 0.2775, (15, 60): 0.5780, (11, 90): 0.4932, (15, 90): 0.8518}
MEMORIES = ["uchar4", "bytes", "none"]


def of_report(results):
    """Runs of the report's groups, 32x16 and 32x32: others have other widths."""
    return [(name, result) for name, result in results if "32x32" in groups_of(result)]


def pick(result, window, disparities, memory="uchar4", group="32x16", form="separate"):
    return one(result["cells"], window=window, disparities=disparities, memory=memory, group=group, form=form)


def problems_of(result):
    return [(entry["window"], entry["disparities"]) for entry in result["c_program"]]


def program(result, window, disparities):
    """What the plain program took, and the holes of its maps."""
    return next(e for e in result["c_program"] if (e["window"], e["disparities"]) == (window, disparities))


def groups_of(result):
    return list(dict.fromkeys(cell["group"] for cell in result["cells"]))


def best(result, window, disparities, form="separate"):
    cells = [c for c in matching(result["cells"], window=window, disparities=disparities, form=form) if c["refused"] is None]
    return min(cells, key=kernel_ms, default=None)
