# SPDX-License-Identifier: Apache-2.0
"""vergence-batch without Ray: manifests, names, stores, tables, workers and the command line."""

import csv
import json
import os
import subprocess

import numpy
import pytest
import vergence
from support import program, run_program, write_pgm
from vergence._read import load_npy
from vergence.batch import _arguments, _items, _look, _manifest, _store
from vergence.batch._outputs import disparity, npy, read_truth
from vergence.batch._worker import Worker

SETTINGS = {"task": "stereo", "options": {"preset": "default", "disparities": 8}, "format": "npy"}


@pytest.fixture
def pictures(tmp_path):
    """Five pairs in folders l and r."""
    rng = numpy.random.default_rng(1)
    for side in "lr":
        (tmp_path / side).mkdir()
        for number in range(5):
            write_pgm(tmp_path / side / f"p{number}.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
    return tmp_path


def rows_of(folder, *patterns):
    return _manifest.read_manifest("stereo", [str(folder / pattern) for pattern in patterns])


def test_the_same_rows_from_globs_numbers_and_tables(pictures):
    expected = [{"left": str(pictures / f"l/p{i}.pgm"), "right": str(pictures / f"r/p{i}.pgm")} for i in range(5)]
    assert rows_of(pictures, "l/*.pgm", "r/*.pgm") == expected
    assert rows_of(pictures, "l/p%d.pgm", "r/p%d.pgm") == expected
    with open(pictures / "table.csv", "w", newline="") as file:
        table = csv.DictWriter(file, ["right", "left", "note"])
        table.writeheader()
        table.writerows({"left": f"l/p{i}.pgm", "right": row["right"], "note": "x"} for i, row in enumerate(expected))
    assert rows_of(pictures, "table.csv") == expected
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"left": [row["left"] for row in expected], "right": [row["right"] for row in expected]}), pictures / "t.parquet")
    assert rows_of(pictures, "t.parquet") == expected


def test_manifests_that_are_refused(pictures):
    (pictures / "r/p3.pgm").rename(pictures / "r/q3.pgm")
    (pictures / "no_right.csv").write_text("left,truth\na.png,b.png\n")
    (pictures / "empty.csv").write_text("left,right\n")
    (pictures / "hole.csv").write_text("left,right\na.png,b.png\nc.png,\n")
    for patterns, told in (
        (("l/*.pgm", "r/*.pgm"), "no partner .*r/p3.pgm"),
        (("l/p%d.pgm", "r/p%d.pgm"), "number 3 is missing"),
        (("l/*.pgm", "r/p0.pgm"), "in one way"),
        (("l/*.pgm",), "2 patterns"),
        (("l/*.png", "r/*.png"), "no file has such a name"),
        (("l/*.*", "r/*.*"), "one \\* is understood"),
        (("no_right.csv",), "no column 'right'"),
        (("empty.csv",), "names no item"),
        (("hole.csv",), "row 2 has no right"),
        (("nowhere.csv",), "No such file"),
    ):
        with pytest.raises(vergence.Error, match=told):
            rows_of(pictures, *patterns)


def test_names_follow_from_inputs_and_settings_and_identity_from_contents_too(pictures):
    rows = rows_of(pictures, "l/*.pgm", "r/*.pgm")
    first, again = (_items.plan("stereo", rows, SETTINGS) for _ in range(2))
    assert first == again and len({item["output"] for item in first}) == len({item["id"] for item in first}) == 5
    other = _items.plan("stereo", rows, {**SETTINGS, "options": {"preset": "default", "disparities": 9}})
    assert not {item["output"] for item in first} & {item["output"] for item in other}
    write_pgm(pictures / "l/p2.pgm", numpy.zeros((20, 31), numpy.uint8))
    os.utime(pictures / "r/p4.pgm", ns=(1, 1))
    changed = _items.plan("stereo", rows, SETTINGS)
    assert [a["output"] for a in first] == [b["output"] for b in changed]
    assert [a["id"] == b["id"] for a, b in zip(first, changed)] == [True, True, False, True, False]
    (pictures / "r/p1.pgm").unlink()
    gone = _items.plan("stereo", rows, SETTINGS)[1]
    assert "r/p1.pgm" in gone["error"] and gone["kind"] == "IoError"


def test_outputs_lie_below_the_folder_and_are_of_one_item(pictures):
    rows = rows_of(pictures, "l/*.pgm", "r/*.pgm")
    for name in ("/etc/x.npy", "../x.npy", "a/../x.npy", "a//b.npy", ".vergence-1", "results.parquet"):
        with pytest.raises(vergence.ArgumentError, match="output"):
            _items.plan("stereo", [{**rows[0], "output": name}], SETTINGS)
    with pytest.raises(vergence.ArgumentError, match="each its own"):
        _items.plan("stereo", [{**row, "output": "a.npy"} for row in rows], SETTINGS)
    with pytest.raises(vergence.ArgumentError, match="twice"):
        _items.plan("stereo", [rows[0], rows[0]], SETTINGS)


def test_a_worker_writes_the_bytes_of_the_program(pictures, tmp_path):
    items = _items.plan("stereo", rows_of(pictures, "l/*.pgm", "r/*.pgm"), SETTINGS)
    (pictures / "r/p1.pgm").write_bytes((pictures / "r/p1.pgm").read_bytes()[:-5])
    for form in ("npy", "pfm"):
        out = tmp_path / form
        records = Worker({**SETTINGS, "format": form}, str(out), "cpu").run([{**item, "output": item["output"][:-3] + form} for item in items])
        assert [record["status"] for record in records] == ["done", "failed", "done", "done", "done"]
        assert "p1.pgm" in records[1]["error"] and records[1]["final"] and records[1]["kind"] == "BadDataError"
        assert len(list(out.iterdir())) == 4
        for item, record in zip(items, records):
            if record["status"] == "done":
                report = run_program("stereo", *item["inputs"], "--disparities", "8", "--json", "-o", tmp_path / f"program.{form}")
                written = (out / record["output"]).read_bytes()
                assert written == (tmp_path / f"program.{form}").read_bytes() and record["hash"] == report["hash"]
                assert record["sha256"] == _store.sha256(written) and record["bytes"] == len(written)
                assert record["scores"]["density"] == pytest.approx(report["density"], abs=0.01)


def test_motion_and_tracks_are_those_of_the_program(tmp_path):
    scene = vergence.Scene(size=(64, 96), frames=4)
    for number in range(4):
        write_pgm(tmp_path / f"f_{number}.pgm", scene.render(number)["left"])
    pattern = str(tmp_path / "f_%d.pgm")
    for task, options, arguments in (("motion", {"block": 8, "range": 8}, ["--block", "8x8", "--range", "8"]), ("track", {"points": 30}, ["--points", "30"])):
        settings = {"task": task, "options": options, "format": "npy"}
        [item] = _items.plan(task, _manifest.read_manifest(task, [pattern]), settings, part_frames=10)
        worker = Worker(settings, str(tmp_path), "cpu")
        worker.run([item])
        [record] = worker.run([item])  # what it did before changes nothing
        done = subprocess.run([program(), task, pattern, *arguments, "--json", "-o", tmp_path / "program.npy"], capture_output=True, check=True)
        assert record["hash"] == json.loads(done.stdout)["hash"]
        assert (tmp_path / record["output"]).read_bytes() == (tmp_path / "program.npy").read_bytes()


def test_a_video_in_parts(tmp_path):
    from test_video import write_video

    path = write_video(tmp_path / "a.mp4", "libx264", bframes=2)
    settings = {"task": "motion", "options": {"block": 8, "range": 4}, "format": "npy"}
    row = _manifest.read_manifest("motion", [path])
    parts, [whole] = _items.plan("motion", row, settings, 8), _items.plan("motion", row, settings)
    assert len(parts) > 2 and len({item["id"] for item in [*parts, whole]}) == len(parts) + 1
    worker = Worker(settings, str(tmp_path), "cpu")
    assert all(record["status"] == "done" for record in worker.run([*parts, whole]))
    joined = numpy.concatenate([numpy.load(tmp_path / item["output"]) for item in sorted(parts, key=lambda item: item["output"])])
    assert numpy.array_equal(joined, numpy.load(tmp_path / whole["output"])) and len(joined) == 31
    dependent = {"task": "motion", "options": {"preset": "fast"}, "format": "npy"}
    assert len(_items.plan("motion", row, dependent, 8)) == 1
    stereo = _items.plan("stereo", [{"left": path, "right": path}], {**SETTINGS, "options": {"disparities": 8}}, 8)
    assert len(stereo) > 2 and all(record["status"] == "done" for record in Worker(SETTINGS, str(tmp_path), "cpu").run(stereo))
    assert sum(len(numpy.load(tmp_path / item["output"])) for item in stereo) == 32


def test_videos_of_both_views_are_cut_where_both_have_key_frames(tmp_path):
    from test_video import write_video

    row = {"left": write_video(tmp_path / "l.mp4", "libx264", bframes=2), "right": write_video(tmp_path / "r.mp4", "libx264", {"crf": "35"}, 0, apart=16)}
    parts, [whole] = _items.plan("stereo", [row], SETTINGS, 8), _items.plan("stereo", [row], SETTINGS)
    assert [item["part"][:2] for item in parts] == [[0, 15], [16, 31]]
    assert all(record["status"] == "done" for record in Worker(SETTINGS, str(tmp_path), "cpu").run([*parts, whole]))
    joined = numpy.concatenate([numpy.load(tmp_path / item["output"]) for item in parts])
    assert numpy.array_equal(joined, numpy.load(tmp_path / whole["output"])) and joined.min() != joined.max()
    row["right"] = write_video(tmp_path / "short.mp4", "libx264", frames=24)
    assert len(_items.plan("stereo", [row], SETTINGS, 8)) == 1


def test_scores_against_truth(tmp_path):
    frame = vergence.Scene(size=(40, 60)).render()
    for side in ("left", "right"):
        write_pgm(tmp_path / f"{side}.pgm", frame[side])
    truth = frame["disparity"].astype(numpy.float32)
    (tmp_path / "truth.npy").write_bytes(npy(truth))
    (tmp_path / "truth.pfm").write_bytes(b"Pf\n60 40\n-1.0\n" + numpy.where(numpy.isnan(truth), numpy.inf, truth).astype("<f4")[::-1].tobytes())
    for name in ("truth.npy", "truth.pfm"):
        assert numpy.array_equal(read_truth(str(tmp_path / name), 1), truth, equal_nan=True)
        row = {"left": str(tmp_path / "left.pgm"), "right": str(tmp_path / "right.pgm"), "truth": str(tmp_path / name)}
        [record] = Worker(SETTINGS, str(tmp_path), "cpu").run(_items.plan("stereo", [row], SETTINGS))
        expected = vergence.score_stereo(vergence.StereoMatcher("cpu", (40, 60), disparities=8).compute(frame["left"], frame["right"]).disparity, truth)["all"]
        assert record["scores"]["average_error"] == expected["average_error"]
        assert {key for key in record["scores"] if key.startswith("bad_")} == {f"bad_{limit}" for limit in expected["bad"]}


def test_a_header_that_claims_too_much_is_damage():
    data = npy(numpy.zeros((2, 3), numpy.float32))
    for shape in ("(1000000000, 1000000000)", "(100000000, 4000000)"):
        end = f"{shape}, }}".encode()
        claims = data.replace(b"(2, 3), }".ljust(len(end)), end, 1)
        assert len(claims) == len(data) and claims != data
        with pytest.raises(vergence.BadDataError, match="its header asks for"):
            load_npy(claims, "t.npy")


def test_a_put_is_whole_or_absent(tmp_path, monkeypatch):
    store = _store.Store(str(tmp_path / "out"))
    store.put("a/b/one.npy", b"first")
    assert store.read("a/b/one.npy") == b"first" and store.sizes() == {"a/b/one.npy": 5}
    for name in ("write", "fsync", "rename"):

        def broken(*arguments):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, name, broken)
            with pytest.raises(vergence.IoError, match="one.npy: No space"):
                store.put("a/b/one.npy", b"second")
        assert store.sizes() == {"a/b/one.npy": 5} and store.read("a/b/one.npy") == b"first"
    with monkeypatch.context() as patch:
        write = os.write
        patch.setattr(os, "write", lambda file, data: write(file, data[:2]))
        store.put("a/b/one.npy", b"second")
    assert store.read("a/b/one.npy") == b"second"


@pytest.mark.parametrize("scheme", ("memory", "file", "local"))
def test_stores_of_fsspec(tmp_path, scheme):
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    root = f"memory://batch-{tmp_path.name}" if scheme == "memory" else f"{scheme}://{tmp_path}/out"
    store = _store.Store(root)
    assert store.local == (scheme == "file")  # flushed to the disk, and locked
    store.make()
    store.put("one.npy", b"first")
    store.put("one.npy", b"second")
    assert store.read("one.npy") == b"second" and store.sizes() == {"one.npy": 6}
    store.remove("one.npy")
    store.remove("one.npy")
    assert store.sizes() == {}
    with pytest.raises(vergence.IoError, match="one.npy"):
        store.read("one.npy")
    before = None
    for content in (b"a", b"ab"):
        store.put("stamp", content)
        assert _store.stamp(f"{root}/stamp") != before
        before = _store.stamp(f"{root}/stamp")


def test_a_remote_manifest(pictures):
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    rows = _manifest.read_manifest("stereo", [f"file://{pictures}/l/*.pgm", f"file://{pictures}/r/*.pgm"])
    assert [row["left"] for row in rows] == [f"file://{pictures}/l/p{i}.pgm" for i in range(5)]
    alias = _manifest.read_manifest("stereo", [f"local://{pictures}/l/*.pgm", f"local://{pictures}/r/*.pgm"])
    assert alias == [{side: name.replace("file:", "local:") for side, name in row.items()} for row in rows]
    _store.Store(f"file://{pictures}/out").make()
    records = Worker(SETTINGS, f"file://{pictures}/out", "cpu").run(_items.plan("stereo", rows, SETTINGS))
    assert all(record["status"] == "done" for record in records) and len(list((pictures / "out").iterdir())) == 5


def test_options_are_read_as_the_program_reads_them():
    from test_equality import MOTION, STEREO, TRACK, argument

    for values in (STEREO, MOTION, TRACK):
        for name, choices in values.items():
            for value in choices:
                found = _arguments.value_of(name, argument(name, value))
                assert found == value or (found, value) in [((0, 0), 0), (0, False), (1, True)], (name, value, found)
    assert _arguments.value_of("range", "-64:63") == (-64, 63)
    told = _arguments.parse(["stereo", "a.csv", "-o", "x", "--min-disparity", "-4", "--window=9x7", "--subpixel", "off"])
    assert told.settings["options"] == {"preset": "default", "min_disparity": -4, "window": (7, 9), "subpixel": False}


def test_check_finds_what_is_not_what_was_written(tmp_path):
    store = _store.Store(str(tmp_path))
    records = []
    for name in ("a", "b", "c", "d"):
        store.put(name, name.encode())
        records.append({"output": name, "status": "done", "sha256": _store.sha256(name.encode())})
    (tmp_path / "b").write_bytes(b"x")
    (tmp_path / "c").unlink()
    assert _store.wrong_outputs(store, [*records, {"output": "e", "status": "failed"}]) == ["b", "c"]


def test_disparity_files_of_videos():
    maps = numpy.zeros((2, 3, 4), numpy.int16)
    assert disparity(maps, -16, "npy").startswith(b"\x93NUMPY")
    with pytest.raises(vergence.UnsupportedError, match="one map"):
        disparity(maps, -16, "pfm")
