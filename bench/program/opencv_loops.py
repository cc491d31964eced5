# SPDX-License-Identifier: Apache-2.0
"""What a user of OpenCV writes in Python for the tasks of the program: reads, computes, keeps nothing."""

import sys

import cv2


def pairs(left, right):
    streams = [cv2.VideoCapture(left), cv2.VideoCapture(right)]
    while True:
        frames = [stream.read() for stream in streams]
        if not all(ok for ok, _ in frames):
            return
        yield [cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) for _, frame in frames]


def stereo(matcher, left, right):
    return sum(matcher.compute(*pair).size > 0 for pair in pairs(left, right))


def track(path):
    stream = cv2.VideoCapture(path)
    before, points, frames = None, None, 0
    while True:
        ok, frame = stream.read()
        if not ok:
            return frames
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        if points is None or len(points) < 400:
            points = cv2.goodFeaturesToTrack(grey, 500, 0.01, 10)
        elif before is not None:
            moved, found, _ = cv2.calcOpticalFlowPyrLK(before, grey, points, None, winSize=(21, 21), maxLevel=3)
            points = moved[found.ravel() == 1].reshape(-1, 1, 2)
        before, frames = grey, frames + 1


TASKS = {
    "bm": lambda left, right: stereo(cv2.StereoBM_create(64, 9), left, right),
    "sgbm": lambda left, right: stereo(cv2.StereoSGBM_create(0, 64, 5, 200, 800, 1), left, right),
    "track": track,
}

if __name__ == "__main__":
    if TASKS[sys.argv[1]](*sys.argv[2:]) == 0:
        sys.exit(f"error: nothing could be read from {' '.join(sys.argv[2:])}")
