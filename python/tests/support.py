# SPDX-License-Identifier: Apache-2.0
"""What tests share: pictures, the program, hashes written apart from the library's."""

import functools
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest
import vergence

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Cases per domain and device; kernels are compiled for each case, so that OpenCL has fewer unless many are asked for.
CASES = int(os.environ.get("VERGENCE_PYTHON_CASES", "12"))


def program():
    path = pathlib.Path(os.environ.get("VERGENCE_PROGRAM", ROOT / "build" / "release" / "bin" / "vergence"))
    if not path.exists():
        pytest.skip(f"the program is not at {path}: name it in VERGENCE_PROGRAM")
    return str(path)


@functools.lru_cache
def device_names():
    """reference, cpu and the first device of OpenCL and of CUDA."""
    return ["reference", "cpu"] + [one.name for one in vergence.devices() if one.available and one.name in ("opencl:0", "cuda:0")]


def cases_of(device):
    return CASES if not device.startswith(("opencl", "cuda")) or CASES >= 200 else max(CASES // 4, 1)


def run_program(*arguments):
    """The program's JSON; None where it refuses."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done.stderr
    return json.loads(done.stdout) if done.returncode == 0 else None


def run_python(text, *, check=True):
    """Runs a script in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", text], capture_output=True, text=True, check=False, timeout=600)
    assert not check or (done.returncode == 0 and not done.stderr), (done.returncode, done.stdout, done.stderr)
    return done


def fnv1a(words):
    """FNV-1a, 64 bits, over 32-bit little-endian words."""
    state = 0xCBF29CE484222325
    for byte in numpy.ascontiguousarray(words).astype("<u4").tobytes():
        state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"0x{state:016x}"


def write_pgm(path, picture, most=255):
    height, width = picture.shape
    with open(path, "wb") as file:
        file.write(f"P5\n{width} {height}\n{most}\n".encode())
        file.write(picture.astype(">u2" if picture.dtype == numpy.uint16 else "u1").tobytes())


def random_pair(rng, most=255, largest=(50, 70)):
    """A shifted pair with noise; some rows flat."""
    height, width = (int(rng.integers(1, side + 1)) for side in largest)
    dtype = numpy.uint16 if most > 255 else numpy.uint8
    wide = rng.integers(0, most + 1, (height, width + 16)).astype(dtype)
    wide[:: int(rng.integers(2, 9))] = most // 2
    shift = int(rng.integers(0, 9))
    left = numpy.ascontiguousarray(wide[:, 8 : 8 + width])
    right = numpy.ascontiguousarray(wide[:, 8 + shift - 4 : 8 + shift - 4 + width])
    return left, right


@pytest.fixture(scope="session")
def scene():
    """Two frames of the built-in scene."""
    source = vergence.Scene(size=(60, 90), seed=2, frames=2)
    return [source.render(0), source.render(1)]


def poison(monkeypatch, folder):
    """Python processes that begin from now on end when they open a file whose name begins with "poison"."""
    os.mkdir(folder)
    with open(f"{folder}/sitecustomize.py", "w") as file:
        file.write("""import builtins, os, signal
opened = builtins.open
def watched(name, *more, **options):
    if isinstance(name, str) and os.path.basename(name).startswith("poison"):
        os.kill(os.getpid(), signal.SIGKILL)
    return opened(name, *more, **options)
builtins.open = watched
""")
    monkeypatch.setenv("PYTHONPATH", str(folder))
