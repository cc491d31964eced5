#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call with arrays in a CUDA device's memory costs beyond the same call in C++ (device_calls.cpp).

Usage: device_calls.py PYTHON_DEVICE_CALLS_PROGRAM [DEVICE]     default: the first CUDA device
Prints medians in us, the best in brackets, of

  compute   C++ alone: the call, which waits for the maps
  ordered   the call in the order of the current stream, which is waited for then
  row       one of 50 such calls before the stream is waited for
  returns   the call until it returns, before the stream is waited for

for maps that are given and for new ones. CuPy and PyTorch take part where they are installed.
"""

import statistics
import subprocess
import sys
import time

import numpy
import vergence

SETTINGS = [(64, 48, 16, "fast", 3000), (1920, 1080, 128, "fast", 200)]
ROW = 50


def picture(width, height, shift):
    place = numpy.arange(height, dtype=numpy.uint32)[:, None] * numpy.uint32(4096) + numpy.arange(shift, width + shift, dtype=numpy.uint32)
    return ((place * numpy.uint32(2654435761)) >> 24).astype(numpy.uint8)


def timed(calls, call, between=lambda: None, share=1.0):
    times = []
    for number in range(calls + 10):
        start = time.perf_counter_ns()
        call()
        end = time.perf_counter_ns()
        between()
        if number >= 10:
            times.append((end - start) / 1000 * share)
    return statistics.median(times), min(times)


def cpp(program, *arguments):
    lines = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: (float(median), float(best)) for name, median, best in (line.split() for line in lines)}


def packages():
    """Of each package: its name, arrays of it, a map as numpy's, the wait for its stream, DLPack, and what reading costs it."""
    try:
        import cupy

        stream = cupy.cuda.get_current_stream()
        pieces = {
            "CuPy's attributes": lambda a: (a.data.ptr, a.shape, a.strides, a.dtype),
            "CuPy's current stream": lambda a: cupy.cuda.get_current_stream().ptr,
            "CuPy's __cuda_array_interface__": lambda a: a.__cuda_array_interface__,
        }
        yield "CuPy " + cupy.__version__, cupy.asarray, cupy.asnumpy, stream.synchronize, cupy.from_dlpack, pieces
    except ImportError:
        print("cupy is missing", file=sys.stderr)
    try:
        import torch

        stream = torch.cuda.current_stream()
        pieces = {
            "PyTorch's __dlpack__": lambda a: a.__dlpack__(),
            "PyTorch's from_dlpack": torch.from_dlpack,
            "PyTorch's current stream": lambda a: torch.cuda.current_stream().cuda_stream,
        }
        yield ("PyTorch " + torch.__version__, lambda a: torch.from_numpy(a).cuda(), lambda t: t.cpu().numpy(), stream.synchronize,
               torch.from_dlpack, pieces)  # fmt: skip
    except ImportError:
        print("torch is missing", file=sys.stderr)


def text(pair):
    return f"{pair[0]:.1f} ({pair[1]:.1f})"


class Table:
    def __init__(self, peer):
        self.peer = peer
        print(f"{'':34} {'returns':>16} {'ordered':>16} {'- compute':>10} {'- ordered':>10} {'row':>16} {'- row':>7}")
        print(f"{'C++':34} {text(peer['returns']):>16} {text(peer['ordered']):>16} "
              f"{peer['ordered'][0] - peer['compute'][0]:10.1f} {'':>10} {text(peer['row']):>16}")  # fmt: skip

    def row(self, name, calls, call, wait):
        def in_a_row():
            for _ in range(ROW):
                call()
            wait()

        returns = timed(calls, call, wait)
        ordered = timed(calls, lambda: (call(), wait()))
        row = timed(max(calls // ROW, 5), in_a_row, share=1 / ROW)
        print(f"{name:34} {text(returns):>16} {text(ordered):>16} {ordered[0] - self.peer['compute'][0]:10.1f} "
              f"{ordered[0] - self.peer['ordered'][0]:10.1f} {text(row):>16} {row[0] - self.peer['row'][0]:7.1f}", flush=True)  # fmt: skip


def measure(program, device, width, height, disparities, preset, calls):
    arguments = (device, width, height, disparities, preset, calls)
    peer = cpp(program, *arguments)
    print(f"\n{width}x{height}, {disparities} disparities, {preset}: C++ compute {text(peer['compute'])}")
    left, right = picture(width, height, 0), picture(width, height, 5)
    opened = vergence.Device(device)
    matcher = vergence.StereoMatcher(opened, (height, width), preset, disparities=disparities)
    expected = matcher.compute(left, right, raw=True).disparity
    table = Table(peer)
    for name, place, read, wait, take, pieces in packages():
        a, b, out = place(left), place(right), place(numpy.zeros((height, width), numpy.int16))
        matcher.compute(a, b, disparity=out)
        assert numpy.array_equal(read(out), expected), f"{name}: other bytes"
        assert numpy.array_equal(read(take(matcher.compute(a, b, raw=True).disparity)), expected), f"{name}: other bytes"
        table.row(f"{name}, given", calls, lambda: matcher.compute(a, b, disparity=out), wait)
        table.row(f"{name}, new", calls, lambda: matcher.compute(a, b, raw=True).disparity, wait)
        table.row(f"{name}, new, taken by DLPack", calls, lambda: take(matcher.compute(a, b, raw=True).disparity), wait)
        print("".join(f"  {what}: {text(timed(1000, lambda piece=piece: piece(a)))}\n" for what, piece in pieces.items())
              + f"  waiting for its idle stream: {text(timed(1000, wait))}", flush=True)  # fmt: skip
    again = cpp(program, *arguments)
    print("C++ again: " + ", ".join(f"{name} {text(pair)}" for name, pair in again.items()), flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = sys.argv[2:3] or [one.name for one in vergence.devices() if one.available and one.kind == "cuda"]
    if not found:
        sys.exit("there is no CUDA device")
    for setting in SETTINGS:
        measure(sys.argv[1], found[0], *setting)


if __name__ == "__main__":
    main()
