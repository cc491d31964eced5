# SPDX-License-Identifier: Apache-2.0
"""Hours of work in one process: nothing may grow, no hash may change, no frame may be lost or done twice.

Usage: soak.py [MINUTES [DEVICE...]]      default: 60 minutes on cpu
Where VERGENCE_PROGRAM names the program, its page's server is part of it, on the first device.
Prints a line a minute, and at the end the slopes of resident memory, file descriptors, threads (of the page's server, too)
and, where nvidia-smi is there, GPU memory, over the time behind the first fifth and over the half of it that comes last. Exit status 1 where one of
them rises in both: what is leaked goes on; what is kept for the next use comes once.
"""

import contextlib
import gc
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from array import array

import numpy
import vergence
from soak_page import Page, process_values
from vergence._hash import ValueHash, track_rows
from vergence.batch._items import plan
from vergence.batch._outputs import npy
from vergence.batch._worker import Worker

SIZE, FRAMES = (120, 160), 12
POOL = 96  # threads
# Else each thread keeps up to 0.25 MB of what it freed, and heaps of its own: both fill over hours where there are many threads.
TUNABLES = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"
# What may be called flat: the slope's rise over an hour, at least four times its own error above zero.
MOST = {"memory_mb": 8.0, "descriptors": 0.5, "threads": 0.5, "gpu_mb": 8.0}


def measure(page):
    """Resident memory, file descriptors and threads of both processes, and memory of the first GPU where nvidia-smi tells."""
    values = process_values("self") | (page.measure() if page else {})
    if shutil.which("nvidia-smi"):
        done = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            values["gpu_mb"] = float(done.stdout.split()[0])
    return values


def start_threads(devices):
    """The pool's threads begin as work asks for them, and each gets memory of its own with its first work: all of that before
    anything is measured.

    The pool takes another one where work comes before those that have ended theirs sleep again: hence more than are ever at work.
    """
    barrier, lock, left = threading.Barrier(POOL), threading.Lock(), iter(range(POOL))
    small, opened = numpy.zeros(SIZE, numpy.uint8), [vergence.Device("cpu", threads=1), *(vergence.Device(name) for name in devices)]

    def work(slot):
        barrier.wait(60)  # so that there is a thread for each
        with lock:  # one after the other: what is free afterwards would hide what is leaked
            for device in opened:
                vergence.StereoMatcher(device, SIZE, "quality", disparities=32).compute(small, small)
                vergence.PointTracker(device, SIZE, points=100).next(small)

    workers = [(f"thread {number}", work) for number in range(POOL)]
    vergence.run_pipeline(POOL, lambda slot: next(left, None) is not None, [("work", workers)], lambda slot: None)
    frame = numpy.zeros((2160, 3840), numpy.uint8)
    for device in {"cpu", *devices}:
        matcher = vergence.StereoMatcher(device, frame.shape, "default", disparities=64)
        for _ in range(3):
            matcher.compute(frame, frame)


class Soak:
    """Rounds of all kinds of work on one device; each gives a hash that must never change."""

    def __init__(self, device, folder):
        scene = vergence.Scene(size=SIZE, frames=FRAMES, seed=5)
        rendered = [scene.render(number) for number in range(FRAMES)]
        self.pairs = [(frame["left"], frame["right"]) for frame in rendered]
        self.name, self.device, self.folder = device, vergence.Device(device), folder
        self.matcher = vergence.StereoMatcher(self.device, SIZE, "quality", disparities=32)
        self.motion = vergence.MotionStream(self.device, SIZE, range=8)
        for number, pair in enumerate(self.pairs):
            for side, picture in zip("lr", pair):
                with open(f"{folder}/{side}{number}.npy", "wb") as file:
                    file.write(npy(picture))
        self.settings = {"task": "stereo", "options": {"preset": "quality", "disparities": 32}, "format": "npy"}
        rows = [{"left": f"{folder}/l{number}.npy", "right": f"{folder}/r{number}.npy", "output": f"o{number}.npy"} for number in range(FRAMES)]
        self.items = plan("stereo", rows, self.settings)
        self.worker = Worker(self.settings, f"{folder}/out", device)

    def stereo(self):
        value = ValueHash()
        for result in self.matcher.stream(self.pairs, raw=True):
            value.add_disparity(result.disparity)
        return str(value)

    def vectors(self):
        value = ValueHash()
        self.motion.restart()
        for field in self.motion.stream([left for left, _ in self.pairs], raw=True, cost=True):
            if field is not None:
                value.add_motion(field.vectors, field.cost)
        return str(value)

    def tracks(self):
        value = ValueHash()
        tracker = vergence.PointTracker(self.device, SIZE, points=100)  # one that starts again goes on counting its ids
        for number, (left, _) in enumerate(self.pairs):
            value.add_tracks(track_rows(number, tracker.next(left)))
        return str(value)

    def made_anew(self):
        """Objects that are made and go."""
        device = vergence.Device(self.name)
        result = vergence.StereoMatcher(device, SIZE, "fast", disparities=16).compute(*self.pairs[0], raw=True)
        value = ValueHash()
        value.add_disparity(result.disparity)
        return str(value)

    def failing_pipeline(self, round_number):
        """One of two devices fails in the middle of a stream, another one in each round; a new one is there in the next."""
        matchers = [vergence.StereoMatcher(vergence.Device(self.name), SIZE, "fast", disparities=16) for _ in range(2)]
        fails_at, calls = 1 + round_number % 5, [0]
        slots, found, order = 4, [None] * 4, []
        left = iter(enumerate(self.pairs))
        numbers, value = [None] * slots, ValueHash()

        def read(slot):
            numbers[slot] = next(left, None)
            return numbers[slot] is not None

        def work(matcher, fails):
            def call(slot):
                if fails:
                    calls[0] += 1
                    if calls[0] >= fails_at:
                        raise vergence.DeviceError("it fell off the bus")
                found[slot] = matcher.compute(*numbers[slot][1], raw=True).disparity

            return call

        def write(slot):
            order.append(numbers[slot][0])
            value.add_disparity(found[slot])

        workers = [("one", work(matchers[0], True)), ("cpu", work(matchers[1], False))]  # the processor beside a device: threads apart
        report = vergence.run_pipeline(slots, read, [("match", workers)], write, on_device_loss="go_on")
        if order != list(range(FRAMES)) or report["frames"] != FRAMES:
            raise SystemExit(f"frames were lost or doubled: {order}")
        return str(value)

    def batch(self):
        records = self.worker.run(self.items)
        if len(os.listdir(f"{self.folder}/out")) != FRAMES:
            raise SystemExit(f"outputs are missing or too many: {sorted(os.listdir(f'{self.folder}/out'))}")
        return " ".join(record["sha256"] for record in records)

    def round(self, number):
        """Hashes of everything."""
        return {"stereo": self.stereo(), "motion": self.vectors(), "tracks": self.tracks(), "made anew": self.made_anew(),
                "failing pipeline": self.failing_pipeline(number), "batch": self.batch()}  # fmt: skip


def slope(times, values):
    """Rise per hour of the line through the values, and its standard error."""
    known = ~numpy.isnan(values)
    t, v = numpy.array(times)[known] / 3600, numpy.array(values, float)[known]
    t = t - t.mean()
    square = (t * t).sum()
    rise = (t * v).sum() / square
    rest = v - v.mean() - rise * t
    return rise, numpy.sqrt((rest * rest).sum() / max(len(v) - 2, 1) / square)


def main():
    if "GLIBC_TUNABLES" not in os.environ:  # read as a process begins
        os.environ["GLIBC_TUNABLES"] = TUNABLES
        os.execv(sys.executable, [sys.executable, *sys.argv])
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    devices = sys.argv[2:] or ["cpu"]
    program = os.environ.get("VERGENCE_PROGRAM")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the page's server ends with it
    start_threads(devices)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        soaks = []
        for place, device in enumerate(devices):
            os.mkdir(f"{folder}/{place}")
            soaks.append(Soak(device, f"{folder}/{place}"))
        page = stack.enter_context(Page(program, folder, soaks[0].pairs, devices[0])) if program else None
        # Numbers without objects: the record itself shall not grow by what counts.
        expected, asked, rounds, history = None, None, 0, {name: array("d") for name in ("when", *measure(page))}
        start = told = time.monotonic()
        while time.monotonic() - start < 60 * minutes:
            for device, soak in zip(devices, soaks):
                found = soak.round(rounds)
                expected = expected or found  # of the first device: all give the same bits
                for name, value in found.items():
                    if value != expected[name]:
                        raise SystemExit(f"{name} on {device}, round {rounds}: {value} instead of {expected[name]}")
            if page:
                asked, before = page.ask(), asked
                if before not in (None, asked):
                    raise SystemExit(f"page, round {rounds}: {asked} instead of {before}")
            rounds += 1
            gc.collect()  # exceptions and closures refer to each other in circles, and to matchers
            values = measure(page)
            values["when"] = time.monotonic() - start
            for name, column in history.items():  # nvidia-smi may fail once
                column.append(values.get(name, math.nan))
            if time.monotonic() - told >= 60:
                told = time.monotonic()
                print(f"{(told - start) / 60:6.1f} min, {rounds} rounds, " + ", ".join(f"{name} {value:g}" for name, value in values.items() if name != "when"), flush=True)
    return judge(history, rounds, minutes, "and the page" if page else "without the page")


def judge(history, rounds, minutes, page):
    """Prints the slopes; 1 where something rises."""
    when = numpy.array(history.pop("when"))
    first = int(numpy.searchsorted(when, 60 * minutes / 5, "right"))
    if len(when) - first < 20:
        raise SystemExit(f"{rounds} rounds are too few to tell a slope: give more minutes")
    status = 0
    for name, values in history.items():
        told, rises = [], True
        for begin in (first, (first + len(when)) // 2):
            rise, error = slope(when[begin:], values[begin:])
            rises &= rise > MOST[name.removeprefix("page_")] and rise > 4 * error and values[-1] > values[begin]
            told.append(f"{rise:+.2f} +- {error:.2f}")
        print(f"{name}: {values[first]:g} -> {values[-1]:g}, {told[0]} an hour, in the last half {told[1]}{': IT RISES' if rises else ''}")
        status |= rises
    print(f"{rounds} rounds of {FRAMES} frames and six kinds of work, {page}, in {minutes:g} min: all hashes constant, no frame lost or doubled")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
