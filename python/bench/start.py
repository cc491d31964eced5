#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a new user waits for: from `pip install vergence-*.whl` to a depth map, and `import vergence`.

Usage: start.py WHEEL LEFT RIGHT [RUNS]     e.g. build/release/python-3.11/wheel/vergence-*.whl build/demo/aloeL.jpg build/demo/aloeR.jpg
Each run makes an empty environment (not timed), installs the wheel and Pillow without pip's cache, and runs depth_map.py of
docs/python.md (limit: 10 s). Imports are timed in processes of their own, with and without the package in turn, as time of the
import statement (limit: 40 ms beyond numpy's).
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def from_wheel_to_map(wheel, left, right):
    """Seconds of pip, and of depth_map.py; and the environment's Python."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vergence-start-"))
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    (text,) = re.findall(r"^```python depth_map.py\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    (folder / "depth_map.py").write_text(text)
    start = time.perf_counter()
    subprocess.run([python, "-m", "pip", "-q", "--no-cache-dir", "--disable-pip-version-check", "install", wheel, "pillow"], check=True)
    installed = time.perf_counter()
    subprocess.run([python, "depth_map.py", left, right], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    done = time.perf_counter()
    assert (folder / "disparity.png").stat().st_size > 0
    return installed - start, done - installed, python


def imports(python, count=25):
    """Medians in ms: numpy; numpy and vergence."""
    times = {"numpy": [], "numpy, vergence": []}
    for _ in range(count):
        for what, all_times in times.items():
            done = subprocess.run([python, "-c", IMPORT.format(what)], capture_output=True, text=True, check=True)
            all_times.append(float(done.stdout) * 1e3)
    return [statistics.median(all_times) for all_times in times.values()]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    wheel, left, right = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
    print(f"wheel {pathlib.Path(wheel).stat().st_size / 1e6:.2f} MB (limit 15)")
    for _ in range(int(sys.argv[4]) if len(sys.argv) == 5 else 3):
        pip, program, python = from_wheel_to_map(wheel, left, right)
        print(f"pip install {pip:.2f} s + depth map {program:.2f} s = {pip + program:.2f} s (limit 10)", flush=True)
    without, with_it = imports(python)
    print(f"import numpy {without:.1f} ms, with vergence {with_it:.1f} ms: {with_it - without:.1f} ms beyond (limit 40)")


if __name__ == "__main__":
    main()
