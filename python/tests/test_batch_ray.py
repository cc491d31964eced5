# SPDX-License-Identifier: Apache-2.0
"""vergence-batch on a local Ray: items that kill their process or hang, wrong bits, and the whole program."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import numpy
import pytest
from support import poison, write_pgm
from vergence.batch import _arguments, _items, _manifest
from vergence.batch._dispatch import Dispatcher
from vergence.batch._results import Results
from vergence.batch._store import Store
from vergence.batch._worker import Worker

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install vergence[ray]")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from vergence.batch import _cluster  # noqa: E402
from vergence.batch._cluster import Actor, Cluster, Group  # noqa: E402

SETTINGS = {"task": "stereo", "options": {"preset": "default", "disparities": 8}, "format": "npy"}


class Trouble(Actor):
    """Inputs whose names tell what they do."""

    def run(self, items, write=True):
        for item in items:
            name = os.path.basename(item["inputs"][0])
            if name.startswith("kill"):
                os.kill(os.getpid(), signal.SIGKILL)
            if name.startswith("hang"):
                time.sleep(1000)
        records = super().run(items, write)
        if write:
            for record in records:
                if os.path.basename(record["input"][0]).startswith("flip"):
                    record["sha256"] = "0"
        return records


@pytest.fixture(scope="module")
def local_ray():
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init(num_cpus=2, num_gpus=0, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture
def items(tmp_path):
    rng = numpy.random.default_rng(1)
    names = [f"a{number:02d}" for number in range(20)]
    names[5], names[11] = "kill", "hang"
    for name in names:
        for side in "lr":
            write_pgm(tmp_path / f"{name}_{side}.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
    return _items.plan("stereo", _manifest.read_manifest("stereo", [str(tmp_path / "*_l.pgm"), str(tmp_path / "*_r.pgm")]), SETTINGS)


def run(dispatcher, out, groups, timeout=0.0):
    settled = []
    cluster = Cluster(groups, (SETTINGS, out), timeout, Trouble)
    try:
        cluster.run(dispatcher, settled.extend, lambda: None)
    finally:
        cluster.close()
    return settled


def test_items_that_kill_or_hang_are_named_and_the_rest_is_done(local_ray, tmp_path, items):
    out = str(tmp_path / "out")
    dispatcher = Dispatcher(items, 4, attempts=2)
    settled = run(dispatcher, out, [Group("cpu", 1, 0, 2)], timeout=1.0)
    assert sorted(record["output"] for record in settled) == sorted(item["output"] for item in items)
    failed = {record["output"].split("_")[0]: record["error"] for record in settled if record["status"] == "failed"}
    assert sorted(failed) == ["hang", "kill"]
    assert "more than 1 s" in failed["hang"] and "2 times" in failed["kill"]
    expected = {r["output"]: r["sha256"] for r in Worker(SETTINGS, str(tmp_path / "plain"), "reference").run(items)}
    assert all(expected[record["output"]] == record["sha256"] for record in settled if record["status"] == "done")
    assert len(os.listdir(out)) == 18


def test_wrong_bits_put_their_node_into_quarantine(local_ray, tmp_path, items, monkeypatch):
    monkeypatch.setattr(_cluster, "_PATIENCE", 1.0)
    good = [item for item in items if os.path.basename(item["inputs"][0]).startswith("a")]
    dispatcher = Dispatcher(good, 4, verify_share=1.0)
    settled = run(dispatcher, str(tmp_path / "out"), [Group("cpu", 1, 0, 1), Group("reference", 0.01, 0, 1, verifier=True)])
    assert dispatcher.done and not dispatcher.quarantined and dispatcher.unverified == 0
    assert sum("verified" in record for record in settled) == len(good)
    os.rename(good[3]["inputs"][0], os.path.join(tmp_path, "flip_l.pgm"))
    good[3]["inputs"][0] = os.path.join(tmp_path, "flip_l.pgm")
    dispatcher = Dispatcher(good, 4, verify_share=1.0)
    run(dispatcher, str(tmp_path / "out"), [Group("cpu", 1, 0, 1), Group("reference", 0.01, 0, 1, verifier=True)])
    assert len(dispatcher.quarantined) == 1 and dispatcher.disagreements[0]["output"] == good[3]["output"]


def test_the_program(tmp_path):
    rng = numpy.random.default_rng(2)
    for name in ("l0", "r0", "l1", "r1", "l2", "r2"):
        write_pgm(tmp_path / f"{name}.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
    (tmp_path / "r1.pgm").write_bytes((tmp_path / "r1.pgm").read_bytes()[:-3])
    command = [sys.executable, "-m", "vergence.batch", "stereo", "l*.pgm", "r*.pgm", "-o", "out", "--disparities", "8", "--workers", "1"]

    def go(*more):
        done = subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert not done.stderr or "--check" in more, done.stderr
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    status, events = go()
    assert status == 1 and (events[-1]["done"], events[-1]["failed"]) == (2, 1)
    assert any("r1.pgm" in event.get("text", "") for event in events)
    before = {name: os.stat(tmp_path / "out" / name).st_mtime_ns for name in os.listdir(tmp_path / "out") if name.endswith(".npy")}
    write_pgm(tmp_path / "r1.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
    status, events = go()
    assert status == 0 and events[-1]["done"] == 3 and events[-1]["devices"] == {"cpu": 1}
    assert all(os.stat(tmp_path / "out" / name).st_mtime_ns == time_ns for name, time_ns in before.items())
    name = sorted(before)[0]
    content = bytearray((tmp_path / "out" / name).read_bytes())
    content[-1] ^= 1
    (tmp_path / "out" / name).write_bytes(content)
    assert go()[1][-1]["devices"] == {}  # no size has changed, and nobody asked for more
    status, events = go("--check")
    assert status == 0 and events[-1]["devices"] == {"cpu": 1}
    assert numpy.load(io.BytesIO((tmp_path / "out" / name).read_bytes())).shape == (20, 30)


def test_the_first_input_may_kill_its_process(tmp_path, monkeypatch):
    """Nobody but a worker ends, and standard output holds JSON alone, whatever Ray prints of workers."""
    rng = numpy.random.default_rng(3)
    for name in ("poison", "q", "z"):
        for side in "lr":
            write_pgm(tmp_path / f"{name}_{side}.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
    poison(monkeypatch, tmp_path / "site")
    command = [sys.executable, "-m", "vergence.batch", "stereo", "*_l.pgm", "*_r.pgm", "-o", "out", "--disparities", "8", "--workers", "1", "--attempts", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1 and (events[-1]["done"], events[-1]["failed"]) == (2, 1), done.stderr
    assert any("poison_l" in event.get("text", "") and "its process ended" in event["text"] for event in events)


@pytest.mark.parametrize("number,status,told", [(signal.SIGTERM, 143, "SIGTERM"), (signal.SIGINT, 130, "Ctrl-C"), (signal.SIGKILL, -9, None)])
def test_signals_amid_the_work(tmp_path, number, status, told):
    """Long calls are under way, of which the program was told nothing: what they have written is known all the same."""
    rng = numpy.random.default_rng(4)
    for side in "lr":
        write_pgm(tmp_path / f"{side}.pgm", rng.integers(0, 256, (240, 320)).astype(numpy.uint8))
    (tmp_path / "pairs.csv").write_text("left,right,output\n" + "".join(f"l.pgm,r.pgm,{number}.npy\n" for number in range(5000)))
    command = [sys.executable, "-m", "vergence.batch", "stereo", "pairs.csv", "-o", "out", "--preset", "quality", "--batch", "500"]  # long calls: the program waits
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not list(tmp_path.glob("out/*.npy")):
        time.sleep(0.05)
    process.send_signal(number)
    ended = f"vergence-batch: ended by {told}: what was done is kept; the same command does the rest\n"
    assert process.communicate()[1] == (ended if told else "") and process.returncode == status
    assert (tmp_path / "out/results.parquet").exists() == (told is not None)
    there = -1
    while there != (there := len(list(tmp_path.glob("out/*.npy")))):  # workers of a killed program go on for a moment
        time.sleep(0.5)
    results = Results(Store(str(tmp_path / "out")))
    assert there > 0 and sorted(os.path.basename(name) for name in tmp_path.glob("out/*.npy")) == sorted(
        name for name, record in results.read().items() if record["status"] == "done" and name in results.sizes)  # fmt: skip


def test_groups_of_actors():
    from vergence.batch._start import groups

    told = _arguments.parse(["stereo", "a.csv", "-o", "out", "--threads", "2", "--gpu-share", "0.5", "--verify-share", "0.1"])
    assert [(g.device, g.cpus, g.gpus, g.verifier) for g in groups(told, {"CPU": 4})] == [("cpu", 2, 0, False), ("reference", 0.01, 0, True)]
    assert [(g.device, g.gpus) for g in groups(told, {"CPU": 4, "GPU": 2})] == [("cuda:0", 0.5), ("cpu", 0)]
    told.device = "cpu,cuda"
    assert [(g.device, g.verifier) for g in groups(told, {"CPU": 4, "GPU": 2})] == [("cuda:0", False), ("cpu", False)]
