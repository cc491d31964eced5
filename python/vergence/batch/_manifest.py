# SPDX-License-Identifier: Apache-2.0
"""What is to be done: rows of a table, or files that patterns name."""

import csv
import glob
import io
import os
import re

from .._errors import ArgumentError, BadDataError, UnsupportedError, as_error
from .._read import filesystem, read_bytes
from .._video import is_numbered, numbered_files

INPUTS = {"stereo": ("left", "right"), "rectify": ("left", "right"), "motion": ("video",), "track": ("video",)}
OPTIONAL = {"stereo": ("output", "truth"), "rectify": ("output",), "motion": ("output",), "track": ("output",)}
_VIDEOS = (".mp4", ".mov", ".m4v", ".3gp", ".mkv", ".webm", ".avi", ".flv", ".mpg", ".mpeg", ".ts", ".m2ts", ".ivf", ".nut", ".y4m", ".264", ".265", ".mjpeg")


def is_video(name):
    """Whether a name is that of a video."""
    return name.lower().endswith(_VIDEOS)


def read_manifest(task, arguments):
    """Rows, dicts of the task's inputs and what else the table says of an item.

    Parameters
    ----------
    task : str
        "stereo", "rectify", "motion" or "track".
    arguments : list of str
        One table (.csv, .parquet), or a pattern for each of the task's inputs: a file, a glob with one `*`, numbered
        pictures (%04d). Local or any URL of fsspec. The right pictures of a glob have what stands for `*` on the left.
    """
    rows = _table(task, arguments[0]) if _is_table(arguments) else _by_patterns(task, arguments)
    if not rows:
        raise ArgumentError(f"{arguments[0]} names no item: nothing is to be done")
    for row in rows:  # workers stand in other folders
        for name in (*INPUTS[task], "truth"):
            if name in row and "://" not in row[name]:
                row[name] = os.path.abspath(row[name])
    return rows


def _is_table(arguments):
    return len(arguments) == 1 and arguments[0].lower().endswith((".csv", ".parquet", ".pq"))


def _by_patterns(task, arguments):
    wanted = INPUTS[task]
    arguments = [name if "://" in name else re.sub("//+", "/", name) for name in arguments]  # as globbing writes names
    if len(arguments) != len(wanted):
        raise ArgumentError(f"{task} takes a table (.csv, .parquet) or {len(wanted)} pattern{'s' * (len(wanted) > 1)}, {' and '.join(wanted)}; "
                            f"{len(arguments)} arguments were given: put patterns in quotes, so that the shell leaves them alone")  # fmt: skip
    if len(wanted) == 2:
        return [dict(zip(wanted, pair)) for pair in _pairs(*arguments)]
    if is_numbered(arguments[0]):
        numbered_files(arguments[0])
        return [{"video": arguments[0]}]
    return [{"video": name} for name in _glob(arguments[0])]


def _table(task, source):
    known = INPUTS[task] + OPTIONAL[task]
    columns, rows = _csv(source) if source.lower().endswith(".csv") else _parquet(source)
    for name in INPUTS[task]:
        if name not in columns:
            raise BadDataError(f"{source} has no column {name!r}: {task} needs {' and '.join(INPUTS[task])}; it has {', '.join(columns)}")
    below = "" if "://" in source else os.path.dirname(source)
    if "://" in source:
        below = source.rsplit("/", 1)[0]
    items = []
    for number, row in enumerate(rows, 1):
        item = {name: row[name] for name in known if row.get(name)}
        for name in INPUTS[task]:
            if name not in item:
                raise BadDataError(f"{source}: row {number} has no {name}")
        for name in (*INPUTS[task], "truth"):
            if name in item and below and "://" not in item[name] and not os.path.isabs(item[name]):
                item[name] = f"{below}/{item[name]}"
        items.append(item)
    return items


def _csv(source):
    try:
        reader = csv.DictReader(io.StringIO(read_bytes(source).decode("utf-8-sig"), newline=""), strict=True)
        return list(reader.fieldnames or ()), list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadDataError(f"{source}: {error}") from None


def _parquet(source):
    try:
        from pyarrow import parquet
    except ImportError:
        raise UnsupportedError(f"{source}: Parquet needs pyarrow: pip install vergence[ray]") from None
    data = io.BytesIO(read_bytes(source))
    try:
        table = parquet.read_table(data)
    except Exception as error:  # damage gives exceptions of several kinds
        raise BadDataError(f"{source}: {' '.join(str(error).split())}") from None
    return table.column_names, table.to_pylist()


def _glob(pattern):
    if "*" not in pattern:
        return [pattern]
    if pattern.count("*") > 1:
        raise ArgumentError(f"{pattern}: one * is understood: list the files in a table else")
    if "://" in pattern:
        found = _glob_remote(pattern)
    else:
        before, _, after = pattern.partition("*")
        found = glob.glob(f"{glob.escape(before)}*{glob.escape(after)}")
    if not found:
        raise ArgumentError(f"{pattern}: no file has such a name")
    return sorted(found)


def _glob_remote(pattern):
    """Names as the pattern has them: a store's own names have none of its protocols, or another one (s3 for s3a)."""
    fs = filesystem(pattern)
    own_before, _, own_after = fs._strip_protocol(pattern).partition("*")
    before, _, after = pattern.partition("*")
    try:
        found = fs.glob(pattern)
    except Exception as error:  # stores have exceptions of their own
        raise as_error(error, pattern) from None
    stars = [name[len(own_before) : len(name) - len(own_after)] for name in found]
    return [f"{before}{star}{after}" for star in stars]


def _pairs(left, right):
    if is_numbered(left) != is_numbered(right) or ("*" in left) != ("*" in right):
        raise ArgumentError(f"{left} and {right}: left and right are named in one way, both by *, %d or as files")
    if is_numbered(left):
        lefts, rights = (dict(numbered_files(pattern)) for pattern in (left, right))
        for number in sorted(lefts.keys() ^ rights.keys()):
            raise ArgumentError(f"{right if number in lefts else left} has no number {number}: each number needs both pictures")
        return [(lefts[number], rights[number]) for number in lefts]
    if "*" not in left:
        return [(left, right)]
    if right.count("*") != 1:
        raise ArgumentError(f"{right}: one * is understood: list the files in a table else")
    before, _, after = left.partition("*")
    there = set(_glob(right))
    pairs = []
    for name in _glob(left):
        partner = right.replace("*", name[len(before) : len(name) - len(after)])
        if partner not in there:
            raise ArgumentError(f"{name} has no partner {partner}: each left picture needs a right one")
        pairs.append((name, partner))
    return pairs
