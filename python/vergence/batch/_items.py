# SPDX-License-Identifier: Apache-2.0
"""Items of a batch: what one output is made of, what tells it from others, and what it is named."""

import hashlib
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

from .. import __version__
from .._engine import fields_independent
from .._errors import ArgumentError, as_error
from .._video import Part, is_numbered, numbered_files, split
from ._apart import Processes, ProcessLost
from ._manifest import INPUTS, is_video
from ._store import BOTH, stamp


def canonical(settings):
    """Text that equal settings share."""
    return json.dumps(settings, sort_keys=True, separators=(",", ":"))


def _digest(*parts):
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def plan(task, rows, settings, part_frames=0, threads=16):
    """Items of a manifest's rows.

    An item is a dict: `id` (of inputs, their sizes and times, settings and version: an output that stands for it is
    right), `inputs`, `part` of a video, `output` (a name that follows from inputs' names and settings alone), `truth`,
    and `error` where an input cannot be found.

    Parameters
    ----------
    settings : dict
        Whatever the bytes of outputs depend on.
    part_frames : int
        Videos whose frames can be done apart are cut at key frames into parts of at least so many; 0: they are not cut.
    """
    with ThreadPoolExecutor(threads) as pool, Processes(os.cpu_count() or 1) as processes:
        found = [item for items in pool.map(lambda row: _of_row(task, row, settings, part_frames, processes), rows) for item in items]
    names = {}
    for item in found:
        other = names.setdefault(item["output"], item)
        if other is not item:
            if (other["inputs"], other["part"]) == (item["inputs"], item["part"]):
                raise ArgumentError(f"{' and '.join(item['inputs'])} stands twice in the manifest: take one out")
            raise ArgumentError(f"{item['output']} is the output of {other['inputs'][0]} and of {item['inputs'][0]}: give each its own")
    return found


def _of_row(task, row, settings, part_frames, processes):
    inputs = [row[name] for name in INPUTS[task]]
    base = {"inputs": inputs, "truth": row.get("truth"), "error": None, "kind": None}
    name = _output_name(task, row.get("output") or _name(inputs, settings))
    try:
        stamps = [_stamp(source) for source in (*inputs, *([row["truth"]] if row.get("truth") else []))]
        parts = _parts(task, inputs, settings, part_frames, processes)
    except Exception as problem:
        error = as_error(problem, inputs[0])
        return [{**base, "part": None, "id": _digest(__version__, settings, inputs, None), "output": name, "error": str(error), "kind": type(error).__name__}]
    items = []
    for part in parts:
        whole = part is None or part.last is None
        place = None if whole else [part.first, part.last, part.begin_pts, part.end_pts]
        items.append({**base, "part": place, "id": _digest(__version__, settings, inputs, stamps, place),
                      "output": name if whole else _numbered_name(name, part)})  # fmt: skip
    return items


def _stamp(source):
    return [stamp(name) for _, name in numbered_files(source)] if is_numbered(source) else stamp(source)


def _parts(task, inputs, settings, part_frames, processes):
    if not part_frames or not is_video(inputs[0]):
        return [None]
    try:
        if task == "motion" and fields_independent(**settings["options"]):
            return processes.call(split, inputs[0], part_frames, 1)
        if task == "stereo" and is_video(inputs[1]):
            return processes.call(split, inputs[0], part_frames, 0, inputs[1])
    except ProcessLost:  # workers try the whole video as often as told, and tell of it
        pass
    return [Part()]


def _name(inputs, settings):
    """left_0001-3f6a81c2d0e4.npy: the input's name, and what tells inputs of one name and settings apart."""
    stem = re.sub(r"%0?\d*d", "", os.path.splitext(os.path.basename(inputs[0]))[0])
    stem = re.sub(r"[^\w.+-]", "_", stem)[:80] or "item"
    return f"{stem}-{_digest(inputs, settings)[:12]}.{settings['format']}"


def _numbered_name(name, part):
    stem, ending = os.path.splitext(name)
    return f"{stem}-{part.first:08d}{ending}"


def _output_name(task, name):
    """The name, checked; that of a rectified pair stands for both pictures."""
    if task == "rectify" and BOTH not in name:
        stem, ending = os.path.splitext(name)
        name = f"{stem}-{BOTH}{ending}"
    if task != "rectify" and BOTH in name:
        raise ArgumentError(f"output {name!r} holds {BOTH}, which stands for two files: give another name")
    if not name or name.startswith("/") or "\\" in name or any(part in ("", ".", "..") or part.startswith(".vergence-") for part in name.split("/")):
        raise ArgumentError(f"output {name!r} does not lie below the output folder: give a relative name without ..")
    if name.split("/")[0].startswith("results."):
        raise ArgumentError(f"output {name!r} is a name of the results table: give another one")
    return name
