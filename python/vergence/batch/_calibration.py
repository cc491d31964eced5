# SPDX-License-Identifier: Apache-2.0
"""Calibrations for `rectify`: their files travel to the workers in the settings, which outputs depend on."""

import os
import tempfile

from .. import _core
from .._errors import ArgumentError
from .._read import read_bytes

METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}


def read_calibration(files, unit="m", cameras=None, fisheye=False):
    """A calibration as settings hold it, and doubts about it, a line each.

    Parameters
    ----------
    files : list of str
        One or two paths or URLs.
    cameras : str, optional
        Left and right camera of a file that holds more: "2:3".
    """
    if len(files) > 2:
        raise ArgumentError(f"--calibration names {len(files)} files: one, or two, left and right, are allowed")
    options = {"metres_per_unit": METRES[unit], "fisheye": fisheye}
    if cameras is not None:
        left, _, right = cameras.partition(":")
        if not (left.isdecimal() and right.isdecimal() and left != right):
            raise ArgumentError(f"--cameras is {cameras!r}: two numbers are needed, left:right")
        options.update(left_camera=int(left), right_camera=int(right))
    if all("://" not in name for name in files):
        found = _core.read_rig(*files, **options)  # errors name the files themselves
    calibration = {"files": [[os.path.basename(name), read_bytes(name).decode("latin-1")] for name in files], "options": options}
    if any("://" in name for name in files):
        found = _read(calibration)
    return calibration, found.doubts


def rig_of(calibration):
    """The StereoRig of a calibration in settings."""
    return _read(calibration).rig


def _read(calibration):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for place, (name, text) in enumerate(calibration["files"]):
            os.mkdir(f"{folder}/{place}")  # both files of a rig may have one name
            paths.append(f"{folder}/{place}/{name}")
            with open(paths[-1], "wb") as file:
                file.write(text.encode("latin-1"))
        return _core.read_rig(*paths, **calibration["options"])
