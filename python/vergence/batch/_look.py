# SPDX-License-Identifier: Apache-2.0
"""What --check and --dry-run say."""

import time

from .._video import is_numbered
from ._apart import Processes, ProcessLost
from ._store import stamp
from ._worker import Worker

SAMPLE = 3  # items that a dry run does


def check(settings, out, item):
    """Raises Error where settings do not fit an item's first picture."""
    Worker(settings, out, "reference").check(item)


def measure(settings, out, device, threads, items):
    """Seconds for some items, their records and the device's name; nothing is written."""
    worker = Worker(settings, out, device, threads)
    worker.run(items[:1], write=False)  # the first one compiles and allocates
    start = time.perf_counter()
    records = worker.run(items, write=False)
    return time.perf_counter() - start, records, worker.device.name


def _measured(processes, make, sample):
    """Results of `measure`: of all, or of one after the other where one ends its process, which is then None."""
    try:
        return [processes.call(measure, *make, sample)]
    except ProcessLost:
        pass
    found = []
    for item in sample:
        try:
            found.append(processes.call(measure, *make, [item]))
        except ProcessLost:
            found.append(None)
    return found


def dry_run(told, items, missing, device):
    """Lines that say what a run would do, from a few items done here without writing."""
    yield f"{len(items)} items: {len(items) - len(missing)} done, {len(missing)} to do"
    broken = [item for item in missing if item["error"]]
    if broken:
        yield f"{len(broken)} cannot be done: {broken[0]['error']}"
    rest = [item for item in missing if not item["error"]]
    if not rest:
        return
    sources = {source for item in rest for source in item["inputs"] if not is_numbered(source)}
    size = sum(stamp(source)[0] or 0 for source in sources)
    yield f"{_bytes(size)} to read from {len(sources)} files"
    count = min(SAMPLE, len(rest))
    sample = [rest[i * len(rest) // count] for i in range(count)]
    with Processes() as processes:
        found = _measured(processes, (told.settings, told.out, device, told.threads), sample)
    records = [record for one in found if one for record in one[1]]
    for item in sample:
        if item["output"] not in {record["output"] for record in records}:
            yield f"{item['output']} would fail: it ends its process"
    if not records:
        return
    for record in records:
        if record["status"] != "done":
            yield f"{record['output']} would fail: {record['error']}"
    good = [record for record in records if record["status"] == "done"]
    seconds = sum(one[0] for one in found if one) / len(records)
    name = next(one[2] for one in found if one)
    hours = seconds * len(rest) / 3600
    yield (f"{len(records)} of them on {name} here with {told.threads} thread{'s' * (told.threads > 1)}: {1000 * seconds:.1f} ms each, "
           f"so {hours:.3g} worker hours for all")  # fmt: skip
    if good:
        written = sum(record["bytes"] for record in good) / len(good)
        yield f"{_bytes(written * len(rest))} to write"
    if told.workers:
        yield f"{told.workers} workers: {3600 * hours / told.workers:.3g} s"
    if told.price is not None:
        yield f"at {told.price:g} an hour of a worker: {told.price * hours:.4g}"


def _bytes(count):
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.3g} {unit}"
        count /= 1000
    return ""
