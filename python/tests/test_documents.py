# SPDX-License-Identifier: Apache-2.0
"""What the documentation shows runs: docs/python.md, and the examples of docstrings."""

import doctest
import re
import subprocess
import sys

import numpy
import pytest
import vergence
from support import ROOT


def test_python_md(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    assert len(blocks) > 5
    names = {"__name__": "docs/python.md"}
    for block in blocks:
        exec(block, names)  # noqa: S102
    assert numpy.load("disparity.npy").shape == (480, 640)
    assert "of the pixels have a depth" in capsys.readouterr().out


def test_depth_map(tmp_path):
    """The program of "Ten seconds to a depth map", with a picture file."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is missing: pip install pillow")
    (text,) = re.findall(r"^```python depth_map.py\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    frame = vergence.Scene(size=(120, 160), seed=3, color=True).render()
    for side in ("left", "right"):
        image.fromarray(frame[side + "_rgb"]).save(tmp_path / f"{side}.png")
    done = subprocess.run([sys.executable, "-c", text, "left.png", "right.png"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("160x120: ") and not done.stderr, done.stderr
    assert vergence.score_stereo(numpy.load(tmp_path / "disparity.npy"), frame["disparity"])["all"]["bad"][2.0] < 15
    shown = numpy.asarray(image.open(tmp_path / "disparity.png"))
    assert shown.shape == (120, 160) and shown.max() > 200


DOCUMENTED = ["__doc__", "run_pipeline", "Device", "MotionSizesEstimator", "StereoMatcher", "StereoRectifier", "StereoRig", "Scene", "TrackerState",
              "TrackScorer", "grey", "read_rig"]  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings(name):
    text = vergence.__doc__ if name == "__doc__" else getattr(vergence, name).__doc__
    test = doctest.DocTestParser().get_doctest(text, {"vergence": vergence, "numpy": numpy}, name, None, 0)
    assert test.examples
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


def test_every_public_name_is_documented():
    for name in vergence.__all__:
        assert getattr(vergence, name).__doc__, name
