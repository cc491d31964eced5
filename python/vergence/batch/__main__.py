# SPDX-License-Identifier: Apache-2.0
"""vergence-batch, or python -m vergence.batch."""

import contextlib
import os
import signal
import sys
import time

from .._errors import ArgumentError, ArgumentTypeError, Error, NotFoundError, UnsupportedError
from . import _arguments, _look
from ._apart import Processes, ProcessLost
from ._dispatch import Dispatcher
from ._items import plan
from ._manifest import is_video, read_manifest
from ._progress import Progress, stream_of
from ._results import TABLE, Results, missing_items
from ._store import Store, wrong_outputs
from ._worker import Worker


_RECTIFY_FIELDS = ("alpha", "focal_px", "size", "translation")  # what no pair can mend


def main(argv=None):
    """The program; returns the exit status."""
    ended_by = []

    def terminate(number, frame):
        ended_by.append(number)
        raise KeyboardInterrupt  # Ray's calls know no other exception of a handler, and raise their own in its place

    signal.signal(signal.SIGTERM, terminate)
    try:
        told = _arguments.parse(argv)
        return _run(told)
    except (ArgumentError, ArgumentTypeError, NotFoundError) as error:
        return _fail(error, 2)
    except Error as error:
        return _fail(error, 1)
    except KeyboardInterrupt:
        by, status = ("SIGTERM", 143) if ended_by else ("Ctrl-C", 130)
        return _fail(f"ended by {by}: what was done is kept; the same command does the rest", status)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains of it at its end
        return _fail("nobody reads standard output any more: what was done is kept; the same command does the rest", 1)


def _fail(error, status):
    print(f"vergence-batch: {' '.join(str(error).split())}", file=sys.stderr)
    return status


def _run(told):
    for doubt in told.doubts:
        print(f"vergence-batch: warning: {doubt}", file=sys.stderr)
    items = plan(told.task, read_manifest(told.task, told.inputs), told.settings, told.part_frames)
    table = TABLE
    if told.shard:
        number, of = told.shard
        items, table = items[number - 1 :: of], f"results.{number:05d}-of-{of:05d}.parquet"
    _check_settings(told, items)
    store = Store(told.out)
    if told.dry_run:
        results = Results(store, table)
        results.read()
        missing = _missing(told, store, results, items)
        for line in _look.dry_run(told, items, missing, "cpu" if told.device == "auto" else told.device.split(",")[0]):
            print(line)
        return 0
    store.make()
    results = Results(store, table)
    results.open()
    progress = Progress(0, stream_of(sys.stdout, sys.stderr))
    results.warn = progress.message
    try:
        status = _do(told, store, results, items, progress)
    except BaseException:
        results.close(early=True)
        raise
    results.close()
    return status


def _check_settings(told, items):
    """Settings that no input can fit are refused before the work, by the first one that can be read."""
    worker = Worker(told.settings, told.out, "reference")  # whose options may be wrong
    with Processes() as processes:
        for item in items[:3]:
            try:
                if not item["error"]:
                    processes.call(_look.check, told.settings, told.out, item)
                    return
            except ProcessLost:  # the run will tell of it
                pass
            except Exception as error:  # of this, too, where it is no setting's
                field = getattr(error, "field", "")
                known = field in _RECTIFY_FIELDS if told.task == "rectify" else field  # a pair that the rig does not fit is no reason to refuse others
                of_settings = isinstance(error, (ArgumentError, NotFoundError, UnsupportedError)) and known
                if of_settings or isinstance(error, ArgumentTypeError):
                    raise


def _missing(told, store, results, items):
    missing = missing_items(items, results.records, results.sizes)
    if told.check:
        names = {item["output"] for item in items} - {item["output"] for item in missing}
        wrong = set(wrong_outputs(store, [results.records[name] for name in sorted(names)]))
        for name in sorted(wrong):
            print(f"vergence-batch: {store.path(name)} is not what was written: it {'would be' if told.dry_run else 'is'} made again", file=sys.stderr)
        missing += [item for item in items if item["output"] in wrong]
    return missing


def _do(told, store, results, items, progress):
    missing = _missing(told, store, results, items)
    broken = [item for item in missing if item["error"]]
    results.add([{"id": item["id"], "input": item["inputs"], "output": item["output"], "status": "failed", "attempts": 0, "scores": {},
                  "error": item["error"], "kind": item["kind"], "finished": time.time()} for item in broken])  # fmt: skip
    todo = [item for item in missing if not item["error"]]
    progress.start(len(items), len(items) - len(missing), len(broken))
    batch = told.batch or (1 if any(is_video(item["inputs"][0]) for item in todo) else 16)
    dispatcher = Dispatcher(todo, batch, told.attempts, told.verify_share, shrink=True)
    if todo:
        _on_ray(told, dispatcher, results, progress)
    return _report(dispatcher, results, items, progress)


def _on_ray(told, dispatcher, results, progress):
    from ._start import started  # Ray is imported here: looking needs none

    quarantined = set()

    def settled(records):
        results.add(records)
        for node in dispatcher.quarantined.keys() - quarantined:
            quarantined.add(node)
            results.quarantine(node)
        progress.settled(records)

    def tick():
        results.tick()
        progress.tick(len(cluster.workers))

    # What Ray prints, of workers that ended, too, is not the report.
    with contextlib.redirect_stdout(sys.stderr), started(told, results.journal) as cluster:
        if told.verify_share and not any(group.gpus for group in cluster.groups):
            progress.message("--verify-share: the cluster has no GPU, so that processors are compared with each other alone")
        cluster.run(dispatcher, settled, tick)
    for output in dispatcher.left():
        results.add([{**output, "status": "failed", "error": "no worker is left that may do it", "kind": "DeviceError"}])


def _report(dispatcher, results, items, progress):
    """Says how it ended; the exit status."""
    records = [results.records.get(item["output"]) for item in items]
    failed = [record for record in records if record is None or record["status"] != "done"]
    progress.tick(0, last=True)
    for one in dispatcher.disagreements:
        progress.message(f"node {one['node']} is in quarantine: its {one['output']} ({one['sha256']}) differs from that of others ({one['others']}); what it did was done again")
    if dispatcher.unverified:
        progress.message(f"{dispatcher.unverified} items could not be verified: no worker of another kind was there")
    verified = sum(1 for record in records if record and record.get("verified"))
    for record in failed[:10]:
        progress.message(f"failed: {record['output']}: {record['error']}" if record else "failed: an item without a record")
    if len(failed) > 10:
        progress.message(f"failed: {len(failed) - 10} more; {results.path} names them all")
    progress.end({"done": len(items) - len(failed), "failed": len(failed), "verified": verified, "quarantined": sorted(dispatcher.quarantined),
                  "results": results.path})  # fmt: skip
    return 1 if failed or dispatcher.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
