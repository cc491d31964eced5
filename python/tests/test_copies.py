# SPDX-License-Identifier: Apache-2.0
"""No call copies a picture or a map: every large allocation of a process is counted."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

COUNTER = pathlib.Path(__file__).with_name("large_allocations.cpp")

SCRIPT = """
import ctypes, numpy, vergence
count = ctypes.CDLL(None).large_allocations
height, width = 400, 600
rng = numpy.random.default_rng(1)
wide = rng.integers(0, 256, (2, height, width + 100)).astype(numpy.uint8)
left, right = wide[0, :, 50:-50], wide[1, :, 50:-50]
disparity = numpy.zeros((height, width), numpy.{type})
mask, confidence = numpy.zeros((2, height, width), numpy.uint8)
matcher = vergence.StereoMatcher("cpu", (height, width), "fast", disparities=8)
for _ in range(3):
    matcher.compute(left, right, disparity=disparity, mask=mask, confidence=confidence)
before = count()
for _ in range(10):
    matcher.compute(left, right, disparity=disparity, mask=mask, confidence=confidence)
    matcher.enqueue(left, right, disparity=disparity, mask=mask, confidence=confidence).wait()
print(count() - before)
before = count()
matcher.compute(left, right, raw=True)
print(count() - before)  # the new map alone
"""


@pytest.mark.parametrize("pixels", ["int16", "float32"])
def test_nothing_is_copied(tmp_path, pixels):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is missing")
    library = tmp_path / "count.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", COUNTER, "-o", library, "-ldl"], check=True)
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(type=pixels)], capture_output=True, text=True, check=True,
                          env={**os.environ, "LD_PRELOAD": str(library)})  # fmt: skip
    assert done.stdout.split() == ["0", "1"]
