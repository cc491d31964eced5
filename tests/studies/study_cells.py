# SPDX-License-Identifier: Apache-2.0
"""What the tests of the studies' claims share: a study's modules, cells of a result."""

import pathlib
import sys

sys.dont_write_bytecode = True
studies = pathlib.Path(__file__).resolve().parent.parent.parent / "studies"
sys.path.insert(0, str(studies / "common"))


def modules_of(study, *names):
    """Modules of a study's folder; other studies have some of the same names."""
    folder = studies / study
    for path in folder.glob("*.py"):
        sys.modules.pop(path.stem, None)
    sys.path.insert(0, str(folder))
    found = [__import__(name) for name in names]
    sys.path.pop(0)
    return found


def cell(ms, **more):
    """Ten runs of one time, or the runs that are given."""
    runs = ms if isinstance(ms, list) else [ms] * 10
    middle = sorted(runs)[len(runs) // 2]
    return {"refused": None, "runs": [[0, t, 0, t] for t in runs], "median": {"upload_ms": 0, "kernel_ms": middle, "download_ms": 0, "wall_ms": middle}, "must_equal": True, "differing": 0, **more}


GPU = {"device": "NVIDIA H100", "api": "CUDA 13.0", "compute_units": 132, "largest_group": 1024}
