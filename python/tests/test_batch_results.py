# SPDX-License-Identifier: Apache-2.0
"""The table of results, runs that are started again, and the command line."""

import errno
import json
import os
import signal
import subprocess
import sys

import numpy
import pytest
import vergence
from support import poison, write_pgm
from vergence.batch import _items, _manifest, _results
from vergence.batch._results import Results, missing_items
from vergence.batch._store import Store
from vergence.batch._worker import Worker

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

SETTINGS = {"task": "stereo", "options": {"preset": "default", "disparities": 8}, "format": "npy"}


def record(name, status="done", **more):
    return {"id": name, "input": [name], "output": name, "status": status, "bytes": 3, "scores": {"density": 0.5}, "attempts": 1, **more}


def test_a_table_holds_the_last_record_of_each_item(tmp_path):
    results = Results(Store(str(tmp_path)))
    results.open()
    results.add([record("a"), record("b", "failed", error="x")])
    results.add([record("b"), record("c", "revoked")])
    results.close()
    assert sorted(os.listdir(tmp_path)) == ["results.parquet"]
    table = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert [(row["output"], row["status"], dict(row["scores"])) for row in table] == [
        ("a", "done", {"density": 0.5}), ("b", "done", {"density": 0.5}), ("c", "revoked", {"density": 0.5})]  # fmt: skip


def test_a_killed_run_loses_no_record(tmp_path):
    """SIGKILL after two records and half a line."""
    script = f"""
import os
from vergence.batch._results import Results
from vergence.batch._store import Store
results = Results(Store({str(tmp_path)!r}))
results.open()
results.add([{record("a")!r}])
results.add([{record("b")!r}])
os.write(results._file, b'{{"output": "c"')
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    results = Results(Store(str(tmp_path)))
    results.open()
    assert sorted(results.records) == ["a", "b"]
    results.add([record("d")])
    results.close()
    names = {name for name in os.listdir(tmp_path)}
    assert names == {"results.parquet"}
    again = Results(Store(str(tmp_path)))
    again.open()
    assert sorted(again.records) == ["a", "b", "d"] and again.records["a"]["scores"] == {"density": 0.5}
    again.close()


def test_one_run_at_a_time(tmp_path):
    first = Results(Store(str(tmp_path)))
    first.open()
    with pytest.raises(vergence.BusyError, match="another run"):
        Results(Store(str(tmp_path))).open()
    other = Results(Store(str(tmp_path)), "results.00001-of-00002.parquet")
    other.open()
    other.add([record("z")])
    first.add([record("y")])
    first.close()
    other.close()
    assert sorted(os.listdir(tmp_path)) == ["results.00001-of-00002.parquet", "results.parquet"]


def test_a_store_that_cannot_append(tmp_path, monkeypatch):
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    monkeypatch.setattr(_results, "_REMOTE_SECONDS", -1)
    store = Store(f"memory://results-{tmp_path.name}")
    results = Results(store)
    results.open()
    for name in "abc":
        results.add([record(name)])
    killed = Results(store)
    killed.open()
    assert sorted(killed.records) == ["a", "b", "c"]
    killed.close()
    assert sorted(store.sizes()) == ["results.parquet"]


def test_a_store_gets_the_records_though_no_more_come(monkeypatch):
    class Memory:
        """A store that cannot append."""

        local, files = False, {}

        def put(self, name, data):
            self.files[name] = data

    store = Memory()
    results = Results(store)
    results.add([record("a")])
    results.tick()
    assert not store.files
    monkeypatch.setattr(_results, "_REMOTE_SECONDS", -1)
    results.tick()
    results.tick()
    assert [json.loads(data)["output"] for data in store.files.values()] == ["a"]


def test_a_store_that_fails_for_a_while_ends_nothing_and_gets_the_records_later(monkeypatch):
    class Failing:
        local, files, refuses = False, {}, True

        def put(self, name, data):
            if self.refuses:
                raise vergence.IoError("s3://bucket/out: slow down")
            self.files[name] = data

    monkeypatch.setattr(_results, "_REMOTE_SECONDS", -1)
    store, told = Failing(), []
    results = Results(store)
    results.warn = told.append
    results.add([record("a")])
    results.add([record("b")])
    assert not store.files and len(told) == 2 and "slow down" in told[0] and "tried again" in told[0]
    store.refuses = False
    results.add([record("c")])
    assert [json.loads(line)["output"] for data in store.files.values() for line in data.splitlines()] == ["a", "b", "c"]
    assert len(told) == 2


def test_writes_that_are_cut_short_or_fail(tmp_path, monkeypatch):
    results, write = Results(Store(str(tmp_path))), os.write
    results.open()
    with monkeypatch.context() as patch:
        patch.setattr(_results.os, "write", lambda file, data: write(file, data[:7]))
        results.add([record("a"), record("b")])
    again = Results(Store(str(tmp_path)))
    assert sorted(again.read()) == ["a", "b"]

    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(_results.os, "write", full)
        with pytest.raises(vergence.IoError, match="journal.*No space left"):
            results.add([record("c")])
    results.close()


@pytest.mark.parametrize("number,told", [(errno.EWOULDBLOCK, "another run"), (errno.EIO, "lock: Input/output error"), (errno.ENOLCK, None), (errno.ENOSYS, None)])
def test_what_keeps_a_run_from_its_lock(tmp_path, monkeypatch, number, told):
    def refuse(file, how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(_results.fcntl, "flock", refuse)
    results = Results(Store(str(tmp_path)))
    if told is None:  # a file system without locks
        results.open()
        results.close()
        assert os.listdir(tmp_path) == ["results.parquet"]
        return
    with pytest.raises(vergence.Error, match=told) as raised:
        results.open()
    assert isinstance(raised.value, vergence.BusyError if number == errno.EWOULDBLOCK else vergence.IoError)


def test_a_lock_whose_file_was_removed_meanwhile_holds_nothing(tmp_path, monkeypatch):
    path, lock, calls = tmp_path / "lock", _results.fcntl.flock, []

    def late(file, how):
        lock(file, how)
        calls.append(file)
        if len(calls) == 1:  # its owner ends between our opening and our lock, and a third run begins
            os.unlink(path)
            path.write_bytes(b"")

    monkeypatch.setattr(_results.fcntl, "flock", late)
    file = _results._locked(str(path))
    assert len(calls) == 2 and os.path.samestat(os.fstat(file), os.stat(path))
    os.close(file)


def test_a_damaged_table_is_an_error(tmp_path):
    (tmp_path / "results.parquet").write_bytes(b"no table")
    with pytest.raises(vergence.BadDataError, match="move it away"):
        Results(Store(str(tmp_path))).open()


def test_only_what_is_missing_is_done_again(tmp_path):
    rng = numpy.random.default_rng(1)
    for name in [f"{side}{number}.pgm" for side in "lr" for number in range(5)]:
        write_pgm(tmp_path / name, rng.integers(0, 256, (20, 30)).astype(numpy.uint8))

    def plan(settings=SETTINGS):
        return _items.plan("stereo", _manifest.read_manifest("stereo", [str(tmp_path / "l*.pgm"), str(tmp_path / "r*.pgm")]), settings)

    store = Store(str(tmp_path / "out"))
    items = plan()
    records = {r["output"]: r for r in Worker(SETTINGS, store.root, "cpu").run(items)}
    assert missing_items(items, records, store.sizes()) == []
    os.unlink(store.path(items[0]["output"]))
    with open(store.path(items[1]["output"]), "ab") as file:
        file.write(b"x")
    records[items[2]["output"]]["status"] = "failed"
    write_pgm(tmp_path / "l3.pgm", numpy.zeros((20, 31), numpy.uint8))
    assert [item["output"] for item in missing_items(plan(), records, store.sizes())] == [item["output"] for item in items[:4]]
    assert len(missing_items(plan({**SETTINGS, "options": {"disparities": 7}}), records, store.sizes())) == 5


def batch(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "vergence.batch", *map(str, arguments)], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("arguments,status,told", [
    ((), 2, "required"),
    (("stereo", "l*.pgm", "-o", "out"), 2, "2 patterns"),
    (("stereo", "l*.pgm", "r*.pgm"), 2, "-o"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--windw", "3"), 2, "--windw"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--window", "axb"), 2, "window"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--disparities", "1000"), 2, "disparities is 1000"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--roi", "1,2"), 2, "--roi is '1,2'"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--verify-share", "2"), 2, "share"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--shard", "0/4"), 2, "shard"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "l0.pgm/out", "--disparities", "8"), 1, "l0.pgm"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--verify-share", "1", "--verify-device", "gpu"), 2, "--verify-device is 'gpu'"),
    (("motion", "l*.pgm", "-o", "out", "--gpu-share", "0"), 2, "--gpu-share"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "memory://out"), 2, "memory"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--timeout", "-1"), 2, "--timeout"),
    (("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--price", "nan"), 2, "--price"),
    (("motion", "l*.pgm", "-o", "out", "--part-frames", "-1"), 2, "--part-frames"),
])  # fmt: skip
def test_errors_are_one_line_with_the_cure(tmp_path, arguments, status, told):
    for name in ("l0.pgm", "r0.pgm"):
        write_pgm(tmp_path / name, numpy.zeros((20, 30), numpy.uint8))
    done = batch(*arguments, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("vergence-batch:") and told in lines[0] and not done.stdout, done.stderr
    assert sorted(os.listdir(tmp_path)) in (["l0.pgm", "r0.pgm"], ["l0.pgm", "out", "r0.pgm"])


def test_a_dry_run_writes_nothing(tmp_path):
    for name in ("l0.pgm", "r0.pgm", "l1.pgm", "r1.pgm"):
        write_pgm(tmp_path / name, numpy.zeros((20, 30), numpy.uint8))
    (tmp_path / "l1.pgm").write_bytes(b"P5 20")
    done = batch("stereo", "l*.pgm", "r*.pgm", "-o", "out", "--dry-run", "--price", "1", "--disparities", "8", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 items: 0 done, 2 to do" in done.stdout and "would fail" in done.stdout and "worker hours" in done.stdout
    assert not (tmp_path / "out").exists()


def test_a_dry_run_outlives_what_its_sample_does(tmp_path, monkeypatch):
    for name in ("poison", "b"):
        for side in "lr":
            write_pgm(tmp_path / f"{name}_{side}.pgm", numpy.zeros((20, 30), numpy.uint8))
    poison(monkeypatch, tmp_path / "site")
    done = batch("stereo", "*_l.pgm", "*_r.pgm", "-o", "out", "--dry-run", "--disparities", "8", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert any(line.startswith("poison_l-") and "ends its process" in line for line in lines) and any(line.startswith("1 of them on cpu") for line in lines)
