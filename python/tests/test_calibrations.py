# SPDX-License-Identifier: Apache-2.0
"""Calibration files: what the program reads, shows and writes."""

import os
import pathlib
import subprocess

import numpy
import pytest
import vergence
from support import program, run_program

M = [[500.25, 0, 319.5], [0, 501, 239.5], [0, 0, 1]]
SIZE = (480, 640)
ONE_FILE = ["opencv-yaml", "opencv-xml", "opencv-json", "kalibr"]
TWO_FILES = ["ros", "euroc"]
OF_RECTIFIED = ["kitti-odometry", "middlebury"]


def turned(degrees):
    c, s = numpy.cos(numpy.deg2rad(degrees)), numpy.sin(numpy.deg2rad(degrees))
    return numpy.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rig(**changes):
    left = vergence.Camera(M, [-0.1, 0.01, 0.001, -0.002], size=SIZE)
    right = vergence.Camera(M, [-0.11, 0.02, 0, 0.001], size=SIZE)
    return vergence.StereoRig(left, right, turned(0.5), (-0.12, 0.001, 0.002), **changes)


def rectified():
    """The rig with the rectification that its rectifier makes."""
    made = vergence.StereoRectifier(rig(), alpha=0)
    return rig(rectified=vergence.RigRectification(made.p1, made.p2, made.r1, made.r2, made.size))


def flat():
    camera = vergence.Camera([[500, 0, 319.5], [0, 500, 239.5], [0, 0, 1]], size=SIZE)
    return vergence.StereoRig(camera, camera, numpy.eye(3), (-0.12, 0, 0))


def names(folder, form, name):
    ending = {"opencv-xml": "xml", "opencv-json": "json", "kitti-odometry": "txt", "middlebury": "txt"}.get(form, "yaml")
    return [folder / f"{name}{side}.{ending}" for side in (("_left", "_right") if form in TWO_FILES else ("",))]


def write(paths, one, form):
    vergence.write_rig(paths[0], one, form, *paths[1:])


@pytest.mark.parametrize("form", ONE_FILE + TWO_FILES + OF_RECTIFIED)
def test_the_program_reads_and_writes_the_same(form, tmp_path):
    one = flat() if form in OF_RECTIFIED else rectified()
    paths, again = names(tmp_path, form, "rig"), names(tmp_path, form, "again")
    write(paths, one, form)
    found = vergence.read_rig(*paths)
    assert found.format == form
    report = run_program("calibration", "show", *paths, "--json")
    assert report["format"] == form and report["warnings"] == found.doubts
    for side in ("left", "right"):
        camera, told = getattr(found.rig, side), report["rig"][side]
        assert camera.matrix.tolist() == [[told["fx"], 0, told["cx"]], [0, told["fy"], told["cy"]], [0, 0, 1]]
        lens = told["distortion"]
        assert camera.distortion.tolist() == lens + [0] * (14 - len(lens)) and camera.model == told["model"]
        if told["size"] is None:
            assert camera.size == (0, 0) and camera.view_degrees is None
        else:
            assert camera.size == (told["size"]["height"], told["size"]["width"])
            assert camera.view_degrees[::-1] == pytest.approx(told["view_degrees"], abs=6e-4)
    assert found.rig.rotation.ravel().tolist() == report["rig"]["rotation"]
    assert found.rig.translation.tolist() == report["rig"]["translation"]
    assert found.rig.turn_degrees == pytest.approx(report["rig"]["turn_degrees"], abs=1e-6)
    told = report["rig"]["rectified"]
    assert (told is None) == (found.rig.rectified is None)
    for name in ("r1", "r2", "p1", "p2") if told else ():
        assert getattr(found.rig.rectified, name).ravel().tolist() == told[name]
    shown = subprocess.run([program(), "calibration", "show", *paths], capture_output=True, text=True, check=True).stdout
    assert str(found.rig) + "\n" == shown.partition("\n")[2]
    other = ["--other", again[1]] if form in TWO_FILES else []
    assert run_program("calibration", "convert", *paths, "--format", form, "-o", again[0], *other, "--json")
    copies = names(tmp_path, form, "copy")
    write(copies, found.rig, form)
    assert [path.read_bytes() for path in copies] == [path.read_bytes() for path in again]


@pytest.mark.parametrize("form", ["opencv-yaml", "opencv-xml", "opencv-json"])
def test_what_was_written_is_read_back(form, tmp_path):
    for one in (rig(), rectified(), flat()):
        path = tmp_path / "rig"
        vergence.write_rig(path, one, form)
        assert vergence.read_rig(path).rig == one
    assert vergence.read_rig(str(path)).rig == vergence.read_rig(os.fsencode(path)).rig == one
    assert rig() != rectified() and rig().left != rig().right


def test_values_by_hand(tmp_path):
    one = flat()
    assert one.left.view_degrees == pytest.approx([2 * numpy.rad2deg(numpy.arctan(240 / 500)), 2 * numpy.rad2deg(numpy.arctan(320 / 500))])
    assert rig().turn_degrees == pytest.approx([0, 0.5, 0]) and one.left.model == "pinhole" and repr(one.left) == "<Camera (480, 640) pinhole>"
    half = one.scaled((240, 320))
    assert half.left.size == (240, 320) and half.left.matrix.tolist() == [[250, 0, 159.5], [0, 250, 119.5], [0, 0, 1]]
    assert half.baseline_m == 0.12 and repr(half) == "<StereoRig, baseline 0.12 m>"
    text = tmp_path / "mm.yaml"
    vergence.write_rig(text, one, "opencv-yaml")
    assert vergence.read_rig(text, metres_per_unit=0.001).rig.translation.tolist() == [-0.12 * 0.001, 0, 0]
    fisheye = vergence.Camera(M, [0.1, 0.01, 0, 0], size=SIZE, model="fisheye")
    vergence.write_rig(text, vergence.StereoRig(fisheye, fisheye, numpy.eye(3), (-0.1, 0, 0)), "kalibr")
    assert vergence.read_rig(text).rig.left == fisheye


def test_a_rectifier_keeps_what_a_file_tells(tmp_path):
    one = rectified()
    vergence.write_rig(tmp_path / "rig.yml", one, "opencv-yaml")
    kept = vergence.StereoRectifier(vergence.read_rig(tmp_path / "rig.yml").rig)
    for name in ("r1", "r2", "p1", "p2"):
        assert numpy.array_equal(getattr(kept, name), getattr(one.rectified, name))


def test_refusals(tmp_path):
    good = tmp_path / "good.yml"
    vergence.write_rig(good, rig(), "opencv-yaml")
    before = good.read_bytes()
    broken = tmp_path / "broken.yml"
    broken.write_bytes(before.replace(b"cols: 3", b"cols: 4"))
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    large = tmp_path / "large"
    large.write_bytes(b"\n" * (2 << 20))
    out = tmp_path / "out"
    for error, words, call in (
        (OSError, "missing.yml", lambda: vergence.read_rig(tmp_path / "missing.yml")),
        (OSError, str(tmp_path), lambda: vergence.read_rig(tmp_path)),
        (vergence.BadDataError, "broken.yml", lambda: vergence.read_rig(broken)),
        (vergence.BadDataError, "empty", lambda: vergence.read_rig(empty)),
        (vergence.BadDataError, "larger than 1 MB", lambda: vergence.read_rig(large)),
        (TypeError, "path is None", lambda: vergence.read_rig(None)),
        (TypeError, "path is 7", lambda: vergence.read_rig(7)),
        (TypeError, "zero byte", lambda: vergence.read_rig("a\0b")),
        (TypeError, "other is 7", lambda: vergence.read_rig(good, 7)),
        (vergence.ArgumentError, "camera -1", lambda: vergence.read_rig(good, left_camera=-1)),
        (vergence.ArgumentError, "0 m", lambda: vergence.read_rig(good, metres_per_unit=0)),
        (vergence.ArgumentError, "nan", lambda: vergence.read_rig(good, metres_per_unit=numpy.nan)),
        (vergence.ArgumentError, "format is 'yaml': allowed are opencv-yaml", lambda: vergence.write_rig(out, rig(), "yaml")),
        (vergence.Error, "kitti-raw", lambda: vergence.write_rig(out, flat(), "kitti-raw")),
        (vergence.Error, "ros", lambda: vergence.write_rig(out, rectified(), "ros")),
        (vergence.Error, "ros", lambda: vergence.write_rig(out, rig(), "ros", tmp_path / "out2")),
        (vergence.UnsupportedError, "middlebury", lambda: vergence.write_rig(out, rig(), "middlebury")),
        (vergence.Error, "kalibr", lambda: vergence.write_rig(out, rig(), "kalibr", tmp_path / "out2")),
        (OSError, "nowhere", lambda: vergence.write_rig(tmp_path / "nowhere" / "rig.yml", rig(), "opencv-yaml")),
        (TypeError, "path is None", lambda: vergence.write_rig(None, rig(), "opencv-yaml")),
        (vergence.ArgumentError, "640x480", lambda: rig().scaled((100, 100))),
        (vergence.ArgumentError, "p1 holds 9", lambda: vergence.RigRectification(numpy.eye(3), numpy.eye(3))),
        (vergence.ArgumentError, "rotation", lambda: rig(rectified=vergence.RigRectification(numpy.eye(3, 4), numpy.eye(3, 4), numpy.ones((3, 3))))),
    ):
        with pytest.raises(error) as caught:
            call()
        assert isinstance(caught.value, vergence.Error) and words in str(caught.value), str(caught.value)
        assert "\n" not in str(caught.value)
    assert not out.exists() and not (tmp_path / "out2").exists() and good.read_bytes() == before
    assert sorted(path.name for path in pathlib.Path(tmp_path).iterdir()) == ["broken.yml", "empty", "good.yml", "large"]


def test_doubts_are_told(tmp_path):
    far = vergence.StereoRig(flat().left, flat().right, numpy.eye(3), (-120, 0, 0))
    assert len(far.doubts()) == 1 and "120" in far.doubts()[0]
    vergence.write_rig(tmp_path / "rig.yml", far, "opencv-yaml")
    assert vergence.read_rig(tmp_path / "rig.yml").doubts == far.doubts()
