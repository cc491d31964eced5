# SPDX-License-Identifier: Apache-2.0
"""Stages of Ray Data: stereo, motion, tracks and rectification on a cluster, with the same bits on every machine.

    import ray, vergence.ray
    pairs = ray.data.read_csv("pairs.csv")                  # columns left and right: paths, URLs or arrays
    maps = pairs.map_batches(vergence.ray.StereoStage, **vergence.ray.StereoStage.on("cpu", preset="quality"))

A stage opens its device once per actor and keeps matchers for the sizes it meets. `on` tells map_batches what an actor
needs: a processor core, or a GPU. Batches are dicts of numpy arrays or pyarrow Tables, and stay what they are; columns
that a stage does not use pass through it. `pip install vergence[ray]` brings Ray. docs/scale.md says how to run it.

StereoStage    columns left, right               -> disparity (raw, 1/16 px), and maps or hash as asked for
               videos, parts of stereo_parts     -> the same of all frames
RectifyStage   columns left, right               -> the same, rectified
MotionStage    columns current, reference        -> vectors (raw, 1/4 px)
               column video, parts of video_parts -> vectors of all fields, first_field
TrackStage     column video                      -> tracks: frame, id, x, y, status, residual, age
video_parts    rows for MotionStage: a video cut at its key frames
stereo_parts   rows for StereoStage: two videos cut at the key frames of both
"""

from ._stages import MotionStage, RectifyStage, StereoStage, TrackStage, stereo_parts, video_parts

__all__ = ["MotionStage", "RectifyStage", "StereoStage", "TrackStage", "stereo_parts", "video_parts"]
