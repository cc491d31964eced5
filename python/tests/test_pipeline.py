# SPDX-License-Identifier: Apache-2.0
"""Streams over several devices, with functions of Python."""

import gc
import sys

import numpy
import pytest
import vergence

SHAPE = (24, 40)
SLOTS = 6


def pairs(count):
    rng = numpy.random.default_rng(3)
    return [rng.integers(0, 256, (2, *SHAPE)).astype(numpy.uint8) for _ in range(count)]


def stream(frames, workers, **options):
    """What a pipeline of one stage gives."""
    places, results, found = [None] * SLOTS, [None] * SLOTS, []
    left = iter(frames)

    def read(slot):
        places[slot] = next(left, None)
        return places[slot] is not None

    def work(matcher):
        def call(slot):
            results[slot] = matcher.compute(*places[slot], raw=True).disparity

        return call

    stages = [("match", [(name, work(matcher)) for name, matcher in workers])]
    report = vergence.run_pipeline(SLOTS, read, stages, lambda slot: found.append(results[slot]), **options)
    return report, found


def test_devices_share_a_stream():
    frames = pairs(20)
    matchers = [(name, vergence.StereoMatcher(name, SHAPE, disparities=8)) for name in ("cpu", "cpu", "reference")]
    expected = [matchers[2][1].compute(*pair, raw=True).disparity for pair in frames]
    report, found = stream(frames, matchers)
    assert report["frames"] == 20 and sum(share["frames"] for share in report["shares"]) == 20
    assert all(numpy.array_equal(one, other) for one, other in zip(found, expected, strict=True))


class Lost:
    """A matcher whose device fails at its second frame."""

    def __init__(self, matcher):
        self.matcher, self.calls = matcher, 0

    def compute(self, *pair, raw):
        self.calls += 1
        if self.calls > 1:
            raise vergence.DeviceError("it fell off the bus")
        return self.matcher.compute(*pair, raw=raw)


def test_a_lost_device():
    frames = pairs(20)
    matchers = [vergence.StereoMatcher("cpu", SHAPE, disparities=8) for _ in range(2)]
    expected = [matchers[0].compute(*pair, raw=True).disparity for pair in frames]
    report, found = stream(frames, [("one", Lost(matchers[0])), ("two", matchers[1])], on_device_loss="go_on")
    assert all(numpy.array_equal(one, other) for one, other in zip(found, expected, strict=True))
    lost = [share for share in report["shares"] if share["device"] == "one"][0]
    assert not lost["lost"] or "fell off the bus" in lost["reason"]  # it may have got no second frame
    with pytest.raises(vergence.DeviceError, match="fell off the bus"):
        stream(frames, [("one", Lost(matchers[0]))])


def test_errors_end_the_stream():
    frames = pairs(5)
    matcher = vergence.StereoMatcher("cpu", SHAPE, disparities=8)
    for error, bad in ((KeyboardInterrupt, None), (ZeroDivisionError, None), (vergence.ArgumentTypeError, (1, 2))):

        def broken(error=error, bad=bad):
            yield frames[0]
            if bad is None:
                raise error
            yield bad

        with pytest.raises(error):
            stream(broken(), [("cpu", matcher)])
    for call in (
        lambda: vergence.run_pipeline(0, lambda slot: False, [("a", [("cpu", print)])], print),
        lambda: vergence.run_pipeline(2, lambda slot: False, [("a", [])], print),
        lambda: vergence.run_pipeline(2, None, [("a", [("cpu", print)])], print),
        lambda: vergence.run_pipeline(2, lambda slot: False, [("a", [("cpu", 3)])], print),
        lambda: vergence.run_pipeline(2, lambda slot: False, [3], print),
        lambda: vergence.run_pipeline(2, lambda slot: False, [("a", [("cpu", print)])], print, on_device_loss="cry"),
    ):
        with pytest.raises(vergence.Error):
            call()


def test_functions_may_return_arrays_and_outlive_their_list():
    frames, seen = iter(range(3)), []
    workers = [("cpu", lambda slot: seen.append(slot) or numpy.zeros(2))]

    def read(slot):
        workers.clear()
        gc.collect()
        return next(frames, None) is not None

    report = vergence.run_pipeline(2, read, [("a", workers)], lambda slot: numpy.zeros(2))
    assert report["frames"] == len(seen) == 3


def test_functions_are_let_go():
    def read(slot):
        return False

    before = sys.getrefcount(read)
    for _ in range(5):
        vergence.run_pipeline(2, read, [("a", [("cpu", read)])], read)
    gc.collect()
    assert sys.getrefcount(read) == before
