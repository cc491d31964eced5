#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call costs beyond the same call in C++ (calls.cpp, calls_here.cpp), for arrays of the host and of the device.

Usage: calls.py PYTHON_CALLS_PROGRAM PYTHON_CALLS_HERE_LIBRARY [DEVICE...]     default: cpu, and cuda where there is one
Prints a table of medians (and the best) in us. For arrays of the host, C++ and Python take turns call by call, in this process and on
the same arrays; for arrays of the device they take turns ROUNDS times, C++ in a process of its own. Each round begins with new
matchers, and a row compares C++ with itself: what its figures differ from 0 and 1 is noise. A median is that of the rounds' medians,
`beyond` and `ratio` the medians of the rounds' own differences and ratios.
CuPy and PyTorch take part where they are installed.
"""

import ctypes
import functools
import statistics
import subprocess
import sys
import time

import numpy
import vergence

SETTINGS = [(64, 48, 16, "fast", 1000), (640, 480, 64, "fast", 100), (1920, 1080, 128, "fast", 20)]
ROUNDS = 11


def picture(width, height, shift):
    place = numpy.arange(height, dtype=numpy.uint32)[:, None] * numpy.uint32(4096) + numpy.arange(shift, width + shift, dtype=numpy.uint32)
    return ((place * numpy.uint32(2654435761)) >> 24).astype(numpy.uint8)


def timed(calls, call):
    times = []
    for number in range(calls + 3):
        start = time.perf_counter()
        call()
        if number >= 3:
            times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times), min(times)


def cpp(program, *arguments):
    """Median and best of each kind of call in a run of the program."""
    lines = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: (float(median), float(best)) for name, median, best in (line.split() for line in lines)}


def tensors(left, right):
    """The pictures and an empty map in CUDA memory, by each package that is there; and how to read a map."""
    try:
        import cupy

        yield "cupy", cupy.asarray(left), cupy.asarray(right), cupy.zeros(left.shape, cupy.int16), cupy.asnumpy, cupy.from_dlpack
    except ImportError:
        print("cupy is missing", file=sys.stderr)
    try:
        import torch

        there = [torch.from_numpy(one).cuda() for one in (left, right)]
        yield "torch", *there, torch.zeros(left.shape, dtype=torch.int16, device="cuda"), lambda t: t.cpu().numpy(), torch.from_dlpack
    except ImportError:
        print("torch is missing", file=sys.stderr)


class Here:
    """Calls of C++ in this process."""

    def __init__(self, library, device, width, height, disparities, preset):
        self.library = ctypes.CDLL(library)
        self.library.open_matcher.restype = ctypes.c_void_p
        self.library.compute.restype = ctypes.c_double
        self.library.compute.argtypes = [ctypes.c_void_p] * 4
        self.library.close_matcher.argtypes = [ctypes.c_void_p]
        self.matcher = self.library.open_matcher(device.encode(), width, height, disparities, preset.encode())
        if not self.matcher:
            sys.exit("error: C++ opens no matcher")

    def compute(self, left, right, out):
        return self.library.compute(self.matcher, left.ctypes.data, right.ctypes.data, out.ctypes.data)

    def close(self):
        self.library.close_matcher(self.matcher)


def clocked(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e6


def turns(calls, sides):
    """(median, best) of each of two sides; each gives the time of a call. They take turns in both orders."""
    times = [[], []]
    for number in range(calls + 10):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            taken = sides[side]()
            if number >= 10:
                times[side].append(taken)
    return [(statistics.median(one), min(one)) for one in times]


def print_row(setting, name, rounds):
    """rounds: [((median of C++, best), (median, best))]"""
    c_median, median = (statistics.median(one[side][0] for one in rounds) for side in (0, 1))
    c_best, best = (min(one[side][1] for one in rounds) for side in (0, 1))
    beyond = statistics.median(one[1][0] - one[0][0] for one in rounds)
    ratio = statistics.median(one[1][0] / one[0][0] for one in rounds)
    print(f"{setting:>20} {name:>24} {c_median:11.1f} {median:9.1f} {beyond:8.1f} {c_best:9.1f} {best:9.1f} {best - c_best:8.1f} {ratio:6.3f}", flush=True)


def measure_host(library, device, setting, calls):
    width, height, disparities, preset = setting
    left, right = picture(width, height, 0), picture(width, height, 5)

    def row(name, outputs):
        rounds = []
        for _ in range(ROUNDS):
            raw = numpy.zeros((height, width), numpy.int16)
            here = [Here(library, device, *setting) for _ in range(2)]
            sides = [lambda one=one: one.compute(left, right, raw) for one in here]  # noqa: B023
            if outputs is not None:
                matcher, keywords = vergence.StereoMatcher(device, (height, width), preset, disparities=disparities), outputs(raw)
                sides[1] = functools.partial(clocked, lambda: matcher.compute(left, right, **keywords))  # noqa: B023
            rounds.append(turns(calls, sides))
            for one in here:
                one.close()
        print_row(f"{width}x{height}, {disparities}", name, rounds)

    row("C++ again", None)
    row("int16, given", lambda raw: {"disparity": raw})
    row("int16, new", lambda raw: {"raw": True})
    row("float32, given", lambda raw: {"disparity": numpy.zeros(raw.shape, numpy.float32)})


def measure_device(program, device, setting, calls):
    width, height, disparities, preset = setting
    run_peer = functools.partial(cpp, program, device, *setting, calls)
    if "device" not in run_peer():
        return
    left, right = picture(width, height, 0), picture(width, height, 5)
    opened = vergence.Device(device)
    matcher = vergence.StereoMatcher(opened, (height, width), preset, disparities=disparities)
    raw = matcher.compute(left, right, raw=True).disparity

    def row(name, call):
        print_row(f"{width}x{height}, {disparities}", name, [(run_peer()["device"], timed(calls, call)) for _ in range(ROUNDS)])

    there = opened.put(left), opened.put(right)
    row("DeviceArray, new", lambda: matcher.compute(*there, raw=True))
    assert numpy.array_equal(matcher.compute(*there, raw=True).disparity.get(), raw)
    if not device.startswith("cuda"):
        return
    for name, a, b, out, read, take in tensors(left, right):
        row(f"{name}, given", lambda: matcher.compute(a, b, disparity=out))  # noqa: B023
        assert numpy.array_equal(read(out), raw), f"{name}: other bytes"
        row(f"{name}, new", lambda: take(matcher.compute(a, b, raw=True).disparity))  # noqa: B023
        assert numpy.array_equal(read(take(matcher.compute(a, b, raw=True).disparity)), raw), f"{name}: other bytes"


def measure(program, library, device):
    print(f"{device}\n{'pictures':>20} {'arrays':>24} {'C++ median':>11} {'median':>9} {'beyond':>8} {'C++ best':>9} {'best':>9} {'beyond':>8} {'ratio':>6}")
    for *setting, calls in SETTINGS:
        measure_host(library, device, setting, calls)
        measure_device(program, device, setting, calls)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    devices = sys.argv[3:] or ["cpu"] + [one.name for one in vergence.devices() if one.available and one.kind == "cuda"]
    for device in devices:
        measure(sys.argv[1], sys.argv[2], device)


if __name__ == "__main__":
    main()
