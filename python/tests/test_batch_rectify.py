# SPDX-License-Identifier: Apache-2.0
"""vergence-batch rectify: the program's bytes, two files of an output, calibrations that travel to the workers."""

import os

import numpy
import pytest
import vergence
from support import run_program, write_pgm
from vergence.batch import _arguments, _items, _manifest, _store
from vergence.batch.__main__ import _check_settings
from vergence.batch._results import missing_items
from vergence.batch._store import Store
from vergence.batch._worker import Worker


@pytest.fixture
def folder(tmp_path):
    """Pairs of 8 and 16 bits and of half the size, and the rig."""
    rng = numpy.random.default_rng(7)
    camera = vergence.Camera([[50, 0, 29.5], [0, 50, 19.5], [0, 0, 1]], [-0.1, 0.02], size=(40, 60))
    angle = 0.02
    turn = [[1, 0, 0], [0, numpy.cos(angle), -numpy.sin(angle)], [0, numpy.sin(angle), numpy.cos(angle)]]
    vergence.write_rig(tmp_path / "rig.yml", vergence.StereoRig(camera, camera, turn, (-0.1, 0, 0)), "opencv-yaml")
    vergence.write_rig(tmp_path / "left.yaml", vergence.StereoRig(camera, camera, turn, (-0.1, 0, 0)), "euroc", tmp_path / "right.yaml")
    for name, shape, dtype in (("a", (40, 60), numpy.uint8), ("b", (40, 60), numpy.uint16), ("c", (20, 30), numpy.uint8)):
        for side in "lr":
            write_pgm(tmp_path / f"{side}_{name}.pgm", rng.integers(0, numpy.iinfo(dtype).max + 1, shape).astype(dtype), numpy.iinfo(dtype).max)
    return tmp_path


def told(folder, *more, calibration=("rig.yml",)):
    told = _arguments.parse(["rectify", str(folder / "l_*.pgm"), str(folder / "r_*.pgm"), "-o", str(folder / "out"), *more,
                             "--calibration", *(str(folder / name) for name in calibration)])  # fmt: skip
    return told, _items.plan("rectify", _manifest.read_manifest("rectify", told.inputs), told.settings)


@pytest.mark.parametrize("form", ("pgm", "npy"))
@pytest.mark.parametrize("options", ([], ["--alpha", "0"], ["--focal", "40", "--size", "50x30"]), ids=" ".join)
def test_both_files_are_those_of_the_program(folder, form, options):
    line, items = told(folder, "--format", form, *options)
    if "--size" in options:  # a size stands for one size of pictures
        items = items[:2]
    records = Worker(line.settings, line.out, "cpu").run(items)
    assert [record["status"] for record in records] == ["done"] * len(items), records
    for item, record in zip(items, records):
        left, right = (folder / f"program_{side}.{form}" for side in "lr")
        run_program("rectify", *item["inputs"], "--calibration", folder / "rig.yml", "-o", left, "--other", right, "--json", *options)
        names = [item["output"].replace("{left,right}", side) for side in ("left", "right")]
        assert [(folder / "out" / name).read_bytes() for name in names] == [left.read_bytes(), right.read_bytes()]
        assert record["bytes"] == sum(os.path.getsize(folder / "out" / name) for name in names)


def test_an_output_of_which_one_file_is_gone_or_wrong_is_made_again(folder):
    line, items = told(folder)
    store = Store(line.out)
    records = {record["output"]: record for record in Worker(line.settings, line.out, "cpu").run(items)}
    assert missing_items(items, records, store.sizes()) == [] and _store.wrong_outputs(store, list(records.values())) == []
    first, second = (item["output"].replace("{left,right}", "right") for item in items[:2])
    os.unlink(store.path(first))
    with open(store.path(second), "r+b") as file:
        file.write(b"x")
    assert missing_items(items, records, store.sizes()) == items[:1]
    assert _store.wrong_outputs(store, list(records.values())) == [item["output"] for item in items[:2]]


@pytest.mark.parametrize("options,text", [(["--size", "70000x30"], "size is 70000x30"), (["--size", "30x70000"], "size is 30x70000")], ids=" ".join)
def test_settings_that_no_pair_can_fit_are_refused_before_the_work(folder, options, text):
    (folder / "l_a.pgm").write_bytes(b"P5 60")  # the next one tells
    with pytest.raises(vergence.ArgumentError, match=text):
        _check_settings(*told(folder, *options))


def test_calibrations_are_part_of_what_an_output_is(folder):
    _, first = told(folder)
    _, two_files = told(folder, calibration=("left.yaml", "right.yaml"))
    text = (folder / "rig.yml").read_text()
    (folder / "rig.yml").write_text(text.replace("-0.1", "-0.11"))
    _, changed = told(folder)
    assert text != (folder / "rig.yml").read_text()
    names = [item["output"] for items in (first, two_files, changed) for item in items]
    assert len(set(names)) == 9
    line, items = told(folder, calibration=("left.yaml", "right.yaml"))
    assert Worker(line.settings, line.out, "reference").run(items[:1])[0]["status"] == "done"


def test_what_cannot_be_rectified_is_told(folder):
    with pytest.raises(vergence.IoError, match="nowhere.yml"):
        told(folder, calibration=("nowhere.yml",))
    with pytest.raises(vergence.ArgumentError, match="3 files"):
        told(folder, calibration=("rig.yml",) * 3)
    with pytest.raises(vergence.ArgumentError, match="--alpha and --focal"):
        told(folder, "--alpha", "0", "--focal", "9")
    with pytest.raises(vergence.ArgumentError, match="--cameras is '0-1'"):
        told(folder, "--cameras", "0-1")
    for side in "lr":
        write_pgm(folder / f"{side}_a.pgm", numpy.zeros((41, 60), numpy.uint8))
    line, items = told(folder)
    [record] = Worker(line.settings, line.out, "cpu").run(items[:1])
    assert record["status"] == "failed" and record["final"] and "60x41" in record["error"]
    _check_settings(line, items)  # one pair that does not fit is no reason to refuse the others
    write_pgm(folder / "r_b.pgm", numpy.zeros((39, 60), numpy.uint8))
    _check_settings(*told(folder))
    rows = [{"left": "l.pgm", "right": "r.pgm", "output": "sub/a.pgm"}]
    assert _items.plan("rectify", rows, line.settings)[0]["output"] == "sub/a-{left,right}.pgm"
    with pytest.raises(vergence.ArgumentError, match="stands for two files"):
        _items.plan("stereo", [{**rows[0], "output": "a-{left,right}.npy"}], {"task": "stereo", "options": {}, "format": "npy"})
