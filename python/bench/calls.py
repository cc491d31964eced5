#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call costs beyond the same call in C++ (calls.cpp), for arrays of the host and of the device.

Usage: calls.py PYTHON_CALLS_PROGRAM [DEVICE...]     default: cpu, and cuda where there is one
Prints a table of medians (and the best) in us: C++ and Python take turns, ROUNDS times, so that a machine that becomes slower
meanwhile slows both; a median is that of the rounds' medians,
`ratio` the median of the rounds' own ratios. CuPy and PyTorch take part where they are installed.
"""

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


def measure(program, device):
    print(f"{device}\n{'pictures':>20} {'arrays':>24} {'C++ median':>11} {'median':>9} {'beyond':>8} {'C++ best':>9} {'best':>9} {'beyond':>8} {'ratio':>6}")
    for width, height, disparities, preset, calls in SETTINGS:
        run_peer = functools.partial(cpp, program, device, width, height, disparities, preset, calls)
        peer = run_peer()
        left, right = picture(width, height, 0), picture(width, height, 5)
        opened = vergence.Device(device)
        matcher = vergence.StereoMatcher(opened, (height, width), preset, disparities=disparities)
        raw, pixels = numpy.zeros((height, width), numpy.int16), numpy.zeros((height, width), numpy.float32)

        def row(name, kind, call):
            rounds = [(*run_peer()[kind], *timed(calls, call)) for _ in range(ROUNDS)]
            c_median, median = (statistics.median(one[place] for one in rounds) for place in (0, 2))
            c_best, best = (min(one[place] for one in rounds) for place in (1, 3))
            ratio = statistics.median(one[2] / one[0] for one in rounds)
            print(f"{f'{width}x{height}, {disparities}':>20} {name:>24} {c_median:11.1f} {median:9.1f} {median - c_median:8.1f} "
                  f"{c_best:9.1f} {best:9.1f} {best - c_best:8.1f} {ratio:6.3f}", flush=True)  # fmt: skip

        row("int16, given", "host", lambda: matcher.compute(left, right, disparity=raw))
        row("int16, new", "host", lambda: matcher.compute(left, right, raw=True))
        row("float32, given", "host", lambda: matcher.compute(left, right, disparity=pixels))
        if "device" not in peer:
            continue
        there = opened.put(left), opened.put(right)
        row("DeviceArray, new", "device", lambda: matcher.compute(*there, raw=True))
        assert numpy.array_equal(matcher.compute(*there, raw=True).disparity.get(), raw)
        if not device.startswith("cuda"):
            continue
        for name, a, b, out, read, take in tensors(left, right):
            row(f"{name}, given", "device", lambda: matcher.compute(a, b, disparity=out))
            assert numpy.array_equal(read(out), raw), f"{name}: other bytes"
            row(f"{name}, new", "device", lambda: take(matcher.compute(a, b, raw=True).disparity))
            assert numpy.array_equal(read(take(matcher.compute(a, b, raw=True).disparity)), raw), f"{name}: other bytes"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    devices = sys.argv[2:] or ["cpu"] + [one.name for one in vergence.devices() if one.available and one.kind == "cuda"]
    for device in devices:
        measure(sys.argv[1], device)


if __name__ == "__main__":
    main()
