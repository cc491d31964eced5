# SPDX-License-Identifier: Apache-2.0
"""Stereo disparity, block motion and feature tracks, with the same bits on every device.

>>> import numpy, vergence
>>> frame = vergence.Scene(size=(96, 128)).render()          # or two grey pictures of yours, uint8
>>> left, right = frame["left"], frame["right"]
>>> matcher = vergence.StereoMatcher("cpu", left.shape, "quality", disparities=16)
>>> result = matcher.compute(left, right, mask=True)
>>> result.disparity.dtype                                    # px, NaN where there is none
dtype('float32')
>>> metres = result.depth(focal_px=100, baseline_m=0.1)

Pictures are numpy arrays of shape (height, width), uint8 or uint16, and grey: see `grey`. Every pair of sizes is
(height, width). What does not fit is refused with an `Error` that says what to do; nothing is converted silently.

StereoMatcher      disparities of a rectified pair
StereoRectifier    rectifies the pictures of a calibrated pair (Camera, StereoRig)
read_rig           a calibrated pair from files of OpenCV, ROS, Kalibr, ...; write_rig
MotionEstimator    block motion between two frames; MotionStream along a video; MotionSizesEstimator
PointTracker       points followed along a video; PointFlow between two frames; TrackerState
PictureFilter      blur, gradients, half size
Scene              pictures with exact truth
devices, Device    what can do the work; verify proves that a device gives the same bits
run_pipeline       streams of frames over several devices
score_stereo, ...  how far results are from the truth; TrackScorer
"""

from ._core import (
    Camera,
    Device,
    DeviceArray,
    DeviceInfo,
    MotionEstimator,
    MotionResult,
    MotionSizesEstimator,
    MotionStream,
    PendingMotion,
    PendingStereo,
    PictureFilter,
    PointFlow,
    PointTracker,
    RigFile,
    RigRectification,
    Scene,
    StereoMatcher,
    StereoRectifier,
    StereoResult,
    StereoRig,
    TrackerState,
    Tracks,
    TrackScorer,
    TrackStatus,
    __version__,
    check_motion,
    dense_motion,
    devices,
    find_disparity_range,
    is_scene_cut,
    motion_fields,
    motion_presets,
    read_rig,
    run_pipeline,
    score_prediction,
    score_stereo,
    stereo_fields,
    stereo_presets,
    track_fields,
    track_presets,
    vector_entropy,
    verify,
    write_rig,
)
from ._errors import (
    ArgumentError,
    ArgumentTypeError,
    BadDataError,
    BusyError,
    DeviceError,
    Error,
    IoError,
    NotFoundError,
    OutOfMemoryError,
    UnsupportedError,
)
from ._pictures import grey

__all__ = sorted(name for name in globals() if not name.startswith("_")) + ["__version__"]
