# SPDX-License-Identifier: Apache-2.0
"""What was written is not done again, whenever driver and workers end: their journals."""

import errno
import json
import os
import pickle
import signal
import subprocess
import sys

import pytest
import vergence
from test_batch import SETTINGS, pictures, rows_of  # noqa: F401
from vergence.batch import _items, _journal, _store
from vergence.batch._results import Results, missing_items
from vergence.batch._store import Store
from vergence.batch._worker import Worker

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.fixture
def items(pictures):  # noqa: F811
    return _items.plan("stereo", rows_of(pictures, "l/*.pgm", "r/*.pgm"), SETTINGS)


def missing(store, items):
    results = Results(store)
    results.read()
    return [item["output"] for item in missing_items(items, results.records, results.sizes)]


KILLED = """
import os, pickle, signal, sys
from vergence.batch import _store
from vergence.batch._worker import Worker
items, settings, out, journal, call, count = pickle.loads(sys.stdin.buffer.read())
real, calls = getattr(os, call), []
def counted(*arguments):
    calls.append(arguments)
    if len(calls) == count:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments)
worker = Worker(settings, out, "cpu", 1, journal)
setattr(os, call, counted)
worker.run(items)
"""


@pytest.mark.parametrize("call,count,written", [("rename", 1, 0), ("rename", 3, 2), ("fsync", 3, 2), ("write", 5, 2), ("write", 6, 2), ("write", 7, 3)])
def test_outputs_of_a_killed_worker_whose_driver_ended_are_known(tmp_path, items, call, count, written):
    """The record of an output stands in the journal first; where the output never came, an older one of that size does not pass for it."""
    store = Store(str(tmp_path / "out"))
    store.make()
    for item in items:
        store.put(item["output"], bytes(128 + 20 * 30 * 2))
    driver = Results(store)
    driver.add([{"output": "other.npy", "id": "x", "status": "done"}])
    done = subprocess.run([sys.executable, "-c", KILLED], input=pickle.dumps((items, SETTINGS, store.root, driver.journal, call, count)), check=False)
    assert done.returncode == -signal.SIGKILL
    assert missing(store, items) == [item["output"] for item in items[written:]]
    again = Results(store)
    again.open()
    assert "other.npy" in again.records
    again.close()
    assert missing(store, items) == [item["output"] for item in items[written:]]
    assert not [name for name in os.listdir(store.root) if "journal" in name]


def test_an_output_that_could_not_be_written_is_missing_though_others_follow(tmp_path, items, monkeypatch):
    store, rename, calls = Store(str(tmp_path / "out")), os.rename, []
    store.make()
    results = Results(store)
    for item in items:
        store.put(item["output"], b"older")

    def full(*paths):
        calls.append(paths)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        rename(*paths)

    worker = Worker(SETTINGS, store.root, "cpu", 1, results.journal)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", full)
        records = worker.run(items)
    assert [record["status"] for record in records] == ["done", "failed", "done", "done", "done"]
    assert missing(store, items) == [items[1]["output"]]


def test_an_end_that_comes_early_keeps_what_workers_write_meanwhile(tmp_path, items):
    store = Store(str(tmp_path / "out"))
    results = Results(store)
    store.make()
    results.open()
    worker = Worker(SETTINGS, store.root, "cpu", 1, results.journal)
    results.add([{**record, "node": "n"} for record in worker.run(items[:1])])
    worker.run(items[1:3])  # nobody is told
    results.close(early=True)
    from pyarrow import parquet

    assert sorted(parquet.read_table(tmp_path / "out/results.parquet")["output"].to_pylist()) == sorted(item["output"] for item in items[:3])
    worker.run(items[3:4])  # it has not noticed yet
    assert missing(store, items) == [items[4]["output"]]


def test_what_a_node_in_quarantine_has_done_is_done_again(tmp_path, items):
    store = Store(str(tmp_path / "out"))
    store.make()
    results = Results(store)
    worker = Worker(SETTINGS, store.root, "cpu", 1, results.journal)
    worker.run(items[:3])
    assert missing(store, items) == [item["output"] for item in items[3:]]
    results.quarantine(worker.describe()["node"])
    assert missing(store, items) == [item["output"] for item in items]


def test_what_the_driver_says_counts(tmp_path, items):
    store = Store(str(tmp_path / "out"))
    store.make()
    results = Results(store)
    records = Worker(SETTINGS, store.root, "cpu", 1, results.journal).run(items)
    results.add([{**records[0], "status": "revoked"}])
    assert missing(store, items) == [items[0]["output"]]


def test_a_store_has_a_file_of_each_worker(tmp_path, items, monkeypatch):
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    monkeypatch.setattr(_journal, "_SECONDS", -1)
    store = Store(f"memory://journal-{tmp_path.name}")
    results = Results(store)
    worker = Worker(SETTINGS, store.root, "cpu", 1, results.journal)
    monkeypatch.setattr(worker, "_store", store)
    monkeypatch.setattr(worker._journal, "_store", store)
    worker.run(items[:2])
    worker.run(items[2:4])
    [name] = store.names_in(results.journal + ".workers")
    assert [json.loads(line)["output"] for line in store.read(name).splitlines()] == [item["output"] for item in items[:4]]
    assert missing(store, items) == [items[4]["output"]]
    results.close()
    assert not [name for name in store.sizes() if "journal" in name]


def test_what_keeps_a_worker_from_its_journal_keeps_it_from_nothing_else(tmp_path, items, monkeypatch):
    store = Store(str(tmp_path / "out"))
    store.make()
    worker = Worker(SETTINGS, store.root, "cpu", 1, "results.journal-1")
    append, failing = _journal.append, [2, 3]

    def full(*arguments):
        failing[:] = [count - 1 for count in failing]
        if 0 in failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        return append(*arguments)

    monkeypatch.setattr(_journal, "append", full)
    assert all(record["status"] == "done" for record in worker.run(items))
    monkeypatch.setattr(_store.Store, "put", lambda *arguments: (_ for _ in ()).throw(vergence.IoError("full")))
    assert [record["error"] for record in worker.run(items[:1])] == ["full"]
