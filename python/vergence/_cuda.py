# SPDX-License-Identifier: Apache-2.0
"""Finds NVRTC, NVIDIA's compiler, among Python's packages."""

import ctypes
import glob
import os
import sys

_loaded: list = []


def load_nvrtc() -> None:
    """Loads NVRTC from NVIDIA's packages on sys.path, unless VERGENCE_NVRTC names one.

    The library then finds it by its name among what is loaded. Where there is none, nothing happens: it looks in the
    system's places itself.
    """
    if _loaded or os.environ.get("VERGENCE_NVRTC"):
        return
    for folder in sys.path:
        for path in sorted(glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libnvrtc.so.*")), reverse=True):
            try:
                _loaded.append(ctypes.CDLL(path))
            except OSError:
                continue
            return
