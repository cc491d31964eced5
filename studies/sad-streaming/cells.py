# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study sad-streaming up."""

from statistics import median

from figures import one

RINGS = [("centralised", 1), ("centralised", 4), ("distributed", 1), ("distributed", 4)]
ALL = [("global", 1)] + RINGS


def kernel_ms(cell):
    """The median of the runs: the stored one is rounded."""
    return None if cell is None else median(run[1] for run in cell["runs"])


def of_paper(results):
    """Runs of the paper's kernels: others ask what keeps the kernel `vertical` from running."""
    return [(name, result) for name, result in results if any(c["kernel"] == "global" for c in result["cells"])]


def main_picture(result):
    return f"{result['inputs']['width']}x{result['inputs']['height']}"


def main_cells(result):
    """Those of the pictures that were given, without flags."""
    picture = main_picture(result)
    return [c for c in result["cells"] if c.get("flags", "-") == "-" and c.get("picture", picture) == picture]


def pick(result, kernel, rows, group, bits="32-bit", unrolled=True, tile=None):
    tile = tile or ("none" if kernel == "global" else "rows")
    return one(main_cells(result), kernel=kernel, rows=rows, group=group, input=bits, unrolled=unrolled, tile=tile)


def groups_of(result):
    return sorted({cell["group"] for cell in main_cells(result)})


def series(result, kernel, rows, **more):
    return [kernel_ms(pick(result, kernel, rows, group, **more)) for group in groups_of(result)]


def drop(before, after):
    """Percent by which the time fell from the next smaller group."""
    return None if before is None or after is None else 100 * (before - after) / before


def flag_cells(result, how):
    return sorted((c for c in result["cells"] if c.get("flags") == how), key=lambda c: c["group"])


def launched_groups(cell):
    return (cell["global_size"][0] // cell["local_size"][0]) * (cell["global_size"][1] // cell["local_size"][1])


def swept_pictures(result):
    """Sizes of the sweep, the smallest first."""
    main = main_picture(result)
    names = {c["picture"] for c in result["cells"] if c.get("picture", main) != main}
    return sorted(names, key=lambda name: int(name.split("x")[0]))


def swept(result, picture, kernel, rows=1):
    """Cells of a size by group: of the sweep, or for the main picture those that are like it."""
    if picture == main_picture(result):
        found = [pick(result, kernel, rows, group, "8-bit") for group in groups_of(result) if group <= 1024]
    else:
        found = [c for c in result["cells"] if c.get("picture") == picture and (c["kernel"], c["rows"]) == (kernel, rows) and c["refused"] is None]
    return sorted((c for c in found if c), key=lambda c: c["group"])


def pixels(picture):
    width, height = picture.split("x")
    return int(width) * int(height)
