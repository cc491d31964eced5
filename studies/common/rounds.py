# SPDX-License-Identifier: Apache-2.0
"""Names what a stored run measured in fewer than ten rounds. A result says why in `fewer_rounds`: the reason by kind."""

from figures import table

LEAST = 10
KEYS = ("clip", "rung", "kernel", "input", "picture", "part", "on", "size", "points", "form", "window", "memory")
CELLS, CLOCK, PROGRAM, SEARCH, UNTIMED, OURS, ENERGY = "cells", "by the device's clock", "the program on the processor", "search", "not measured", "our searches and copies", "energy"


def _names(cells):
    """What the cells are: of each key all values that they have."""
    said = []
    for key in KEYS:
        values = list(dict.fromkeys(str(c[key]) for c in cells if c.get(key) not in (None, "-", "")))
        if values:
            said.append(f"{key} {', '.join(values)}")
    return "; ".join(said)


def fewer(result):
    """(kind, what, how many of it, rounds) of each kind and number of rounds."""
    found, kinds = [], {}
    for c in result["cells"]:
        counts, runs = c.get("counts", {}), len(c.get("runs", []))
        if c["refused"] is not None:
            if c["refused"].startswith("not measured"):
                kinds.setdefault((UNTIMED, 0), []).append(c)
            continue  # what does not fit, or fails, has no rounds
        if runs < LEAST:
            kinds.setdefault((CELLS, runs), []).append(c)
        if isinstance(counts.get("energy"), dict):
            kinds.setdefault((ENERGY, 1), []).append(c)
        if counts.get("event_frames", LEAST) < LEAST:
            kinds.setdefault((CLOCK, counts["event_frames"]), []).append(c)
    settings = result["settings"]
    found = [(kind, _names(cells), len(cells), rounds) for (kind, rounds), cells in sorted(kinds.items(), key=lambda one: one[0])]
    if result.get("c_program") and int(settings["baseline-runs"]) < LEAST:
        found.append((PROGRAM, "windows and disparities of all cells", len(result["c_program"]), int(settings["baseline-runs"])))
    if result.get("search") and int(settings["search-runs"]) < LEAST:
        found.append((SEARCH, "unrolls and groups, the least of so many runs", len(result["search"]), int(settings["search-runs"])))
    if "rounds" in settings and int(settings["rounds"]) < LEAST and (result.get("transfers") or any(c["rung"].startswith("ours") for c in result["cells"])):
        found.append((OURS, "the least of so many, of each frame", len(result.get("transfers", [])) + sum(c["rung"].startswith("ours") for c in result["cells"]), int(settings["rounds"])))
    return found


def unexplained(result):
    """Kinds for which the result gives no reason."""
    return sorted({kind for kind, *_ in fewer(result)} - set(result.get("fewer_rounds", {})))


def section(results):
    """The table of all of it, or None."""
    rows = [[f"`{name}`", kind, what, count, rounds, result.get("fewer_rounds", {}).get(kind, "**no reason is given**")]
            for name, result in results for kind, what, count, rounds in fewer(result)]
    return table(["results", "kind", "of what", "how many", "rounds", "why"], rows) if rows else None
