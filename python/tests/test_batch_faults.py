# SPDX-License-Identifier: Apache-2.0
"""Stores and workers of vergence-batch where files vanish, videos do not fit, and errors are nobody's own."""

import os

import numpy
import pytest
import vergence
from support import poison
from test_batch import SETTINGS, pictures, rows_of  # noqa: F401
from vergence import _engine, _video
from vergence.batch import _items, _store, _worker
from vergence.batch._apart import Processes, ProcessLost
from vergence.batch._worker import Worker


def test_only_old_temporary_files_are_removed(tmp_path, monkeypatch):
    """Another run may be writing there."""
    store = _store.Store(str(tmp_path))
    for name in (".vergence-old", ".vergence-young", ".vergence-gone"):
        (tmp_path / name).write_bytes(b"a part")
    os.utime(tmp_path / ".vergence-old", (1, 1))
    stat = os.stat

    def vanishing(path, **more):
        if str(path).endswith("gone"):
            os.unlink(path)
        return stat(path, **more)

    with monkeypatch.context() as patch:
        patch.setattr(_store.os, "stat", vanishing)
        store.make()
    assert os.listdir(tmp_path) == [".vergence-young"]

    def broken(temporary, path):
        os.unlink(temporary)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "rename", broken)
    with pytest.raises(vergence.IoError, match="one.npy: Input/output error"):
        store.put("one.npy", b"first")


def test_a_file_that_vanishes_hides_no_other(tmp_path):
    for number in range(50):
        (tmp_path / f"{number}.npy").write_bytes(b"abc")
        if number % 10 == 5:
            (tmp_path / f"gone{number}").symlink_to("nowhere")
    assert _store.Store(str(tmp_path)).sizes() == {f"{number}.npy": 3 for number in range(50)}


def test_errors_of_stores_are_the_packages_own(tmp_path, monkeypatch):
    class NoCredentials(Exception):
        """What a store's package raises."""

    def refuse(*arguments):
        raise NoCredentials("Unable to locate\ncredentials")

    store = _store.Store(str(tmp_path))
    monkeypatch.setattr(store, "_put_local", refuse)
    with pytest.raises(vergence.IoError, match="one.npy: NoCredentials: Unable to locate credentials"):
        store.put("one.npy", b"")
    monkeypatch.setattr(_items, "stamp", refuse)
    [item] = _items.plan("stereo", [{"left": "l.pgm", "right": "r.pgm"}], SETTINGS)
    assert item["error"] == "l.pgm: NoCredentials: Unable to locate credentials"


@pytest.fixture
def videos(monkeypatch):
    """Videos as lists of frames and their largest values, by name."""
    known = {}

    def frames(source, part=None):
        for number, (frame, most) in enumerate(known[source]):
            yield number, frame, most

    monkeypatch.setattr(_video, "frames", frames)
    monkeypatch.setattr(_worker, "frames", frames)
    return known


def item_of(left, right, output):
    return {"id": output, "inputs": [left, right], "part": None, "truth": None, "output": output}


def test_pairs_and_videos_in_one_call(pictures, videos):
    rng = numpy.random.default_rng(5)
    for side in "lr":
        videos[f"{side}.mp4"] = [(rng.integers(0, 256, (20, 30)).astype(numpy.uint8), 255) for _ in range(3)]
    pairs = _items.plan("stereo", rows_of(pictures, "l/*.pgm", "r/*.pgm"), SETTINGS)
    mixed = [pairs[0], item_of("l.mp4", "r.mp4", "video.npy"), pairs[1], pairs[2]]
    worker = Worker(SETTINGS, str(pictures / "out"), "cpu")
    records = worker.run(mixed)
    assert [(record["output"], record["status"]) for record in records] == [(item["output"], "done") for item in mixed]
    assert numpy.load(pictures / "out/video.npy").shape == (3, 20, 30)
    assert [record["sha256"] for record in worker.run(pairs[:3])] == [records[place]["sha256"] for place in (0, 2, 3)]


def test_videos_of_12_bits_keep_their_largest_value(tmp_path, videos):
    wall = numpy.random.default_rng(6).integers(0, 4096, (20, 40)).astype(numpy.uint16)
    noise = numpy.random.default_rng(7).integers(0, 4096, (20, 30)).astype(numpy.uint16)
    videos["l.mp4"] = [(numpy.ascontiguousarray(wall[:, :30]), 4095)]
    videos["r.mp4"] = [(wall[:, 3:33] // 2 + noise // 2, 4095)]
    options = {"disparities": 8, "aggregate": "sgm"}
    worker = Worker({**SETTINGS, "options": options}, str(tmp_path), "cpu")
    item = item_of("l.mp4", "r.mp4", "video.npy")
    worker.check(item)
    assert worker.run([item])[0]["status"] == "done"
    (left, _), (right, _) = videos["l.mp4"][0], videos["r.mp4"][0]
    expected = [vergence.StereoMatcher("reference", (20, 30), pixel_depth="u16", max_value=most, **options).compute(left, right, raw=True).disparity for most in (4095, 65535)]
    assert not numpy.array_equal(*expected)  # penalties grow with the largest value
    assert numpy.array_equal(numpy.load(tmp_path / "video.npy")[0], expected[0])


def test_videos_that_do_not_fit_each_other_are_told(tmp_path, videos):
    frame, small = (numpy.zeros((20, 30), numpy.uint8), 255), (numpy.zeros((20, 29), numpy.uint8), 255)
    videos.update({"l.mp4": [frame] * 3, "short.mp4": [frame] * 2, "resized.mp4": [frame, small, frame]})
    records = Worker(SETTINGS, str(tmp_path), "cpu").run([item_of("l.mp4", name, name + ".npy") for name in ("short.mp4", "resized.mp4")])
    assert [record["kind"] for record in records] == ["BadDataError", "BadDataError"]
    assert "short.mp4 ends before frame 2" in records[0]["error"] and "resized.mp4: frame 1 is 29x20" in records[1]["error"]


def test_a_video_without_frames_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(_video, "_decoded", lambda source, part: iter(()))
    for task in ("stereo", "motion", "track"):
        item = {**item_of("l.mp4", "r.mp4", "o.npy"), "inputs": ["l.mp4", "r.mp4"] if task == "stereo" else ["l.mp4"]}
        worker = Worker({"task": task, "options": {}, "format": "npy"}, str(tmp_path), "cpu")
        with pytest.raises(vergence.BadDataError, match="l.mp4 holds no frame"):
            worker.check(item)
        [record] = worker.run([item])
        assert record["kind"] == "BadDataError" and "l.mp4 holds no frame" in record["error"] and not os.listdir(tmp_path)


def test_whatever_an_item_raises_the_others_are_done(pictures, monkeypatch):
    items = _items.plan("stereo", rows_of(pictures, "l/*.pgm", "r/*.pgm"), SETTINGS)
    (pictures / "truth.npy").write_bytes(b"\x93NUMPY\x01\x00\x40\x00" + b"{'descr': '<f4', 'shape': (1 << 99,)}".ljust(63) + b"\n")
    items[1]["truth"] = str(pictures / "truth.npy")
    worker, put = Worker(SETTINGS, str(pictures / "out"), "cpu"), _store.Store.put

    def failing(store, name, data):
        if name == items[2]["output"]:
            raise KeyError("what nobody foresaw")
        put(store, name, data)

    monkeypatch.setattr(_store.Store, "put", failing)
    read = _engine.read_grey

    def odd(source, name=""):
        if source == items[3]["inputs"][0]:
            raise TypeError("nor that")
        return read(source, name)

    monkeypatch.setattr(_engine, "read_grey", odd)
    records = worker.run(items)
    assert [record["status"] for record in records] == ["done", "failed", "failed", "failed", "done"]
    assert "truth.npy: the .npy is damaged" in records[1]["error"] and records[1]["final"]
    assert "KeyError: 'what nobody foresaw'" in records[2]["error"] and not records[2]["final"]
    assert "p3.pgm: TypeError: nor that" in records[3]["error"]


def test_a_split_video_is_looked_at_once(monkeypatch):
    looked = []

    def split(source, least, shared=0, beside=None):
        looked.extend((source, beside))
        return [_video.Part()]

    monkeypatch.setattr(_items, "split", split)
    monkeypatch.setattr(_items.Processes, "call", lambda self, function, *arguments: function(*arguments))
    monkeypatch.setattr(_items, "stamp", lambda source: [1, 1])
    _items.plan("stereo", [{"left": "l.mp4", "right": "r.mp4"}], SETTINGS, 50)
    assert looked == ["l.mp4", "r.mp4"]


def test_calls_apart():
    with Processes(2) as processes:
        assert processes.call(int, "3") == 3
        with pytest.raises(ValueError, match="'x'"):
            processes.call(int, "x")
        with pytest.raises(ProcessLost):
            processes.call(os._exit, 3)
        assert processes.call(print, "no answer") is None and processes.call(os.getpid) not in (os.getpid(), os.getppid())
        begun = processes.call(os.getpid)
    with pytest.raises(ProcessLookupError):
        os.kill(begun, 0)
    with pytest.raises(ProcessLost):
        processes.call(int, "3")


def test_a_video_that_ends_the_process_that_looks_at_it_is_one_item(tmp_path, monkeypatch):
    """A worker will end with it, and the run go on."""
    poison(monkeypatch, tmp_path / "site")
    for name in ("poison.mp4", "a.mp4"):
        (tmp_path / name).write_bytes(b"no video")
    settings = {"task": "motion", "options": {"preset": "default", "independent": True}, "format": "npy"}
    bad, other = _items.plan("motion", [{"video": str(tmp_path / name)} for name in ("poison.mp4", "a.mp4")], settings, 50)
    assert (bad["part"], bad["error"]) == (None, None) and "is no video" in other["error"]


def test_inputs_that_nobody_can_read_to_an_end_are_refused(tmp_path):
    os.mkfifo(tmp_path / "l.pgm")
    for name in (tmp_path / "l.pgm", tmp_path, "/dev/zero"):
        with pytest.raises(vergence.IoError, match="no regular file"):
            _store.stamp(str(name))
