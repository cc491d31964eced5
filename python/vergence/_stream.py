# SPDX-License-Identifier: Apache-2.0
"""Generators that keep frames in flight."""

from collections import deque

from ._errors import ArgumentError, ArgumentTypeError


def _check(in_flight, wants):
    if in_flight < 1:
        raise ArgumentError(f"in_flight is {in_flight}: at least 1 is needed")
    for name, value in wants.items():
        if not isinstance(value, bool):
            raise ArgumentTypeError(f"{name} is {value!r}: a stream takes True or False, since frames have arrays of their own")


def stereo(matcher, pairs, in_flight, **wants):
    """Results of StereoMatcher.enqueue in order; see StereoMatcher.stream."""
    _check(in_flight, wants)
    return _results(lambda pair: matcher.enqueue(pair[0], pair[1], **wants), pairs, in_flight)


def motion(stream, frames, in_flight, **wants):
    """Results of MotionStream.enqueue in order; see MotionStream.stream."""
    _check(in_flight, wants)
    return _results(lambda frame: stream.enqueue(frame, **wants), frames, in_flight)


def _results(enqueue, items, in_flight):
    pending = deque()
    # The arrays of frames under way belong to the matcher until they are whole, so that an exception, a
    # KeyboardInterrupt or a caller that stops leaves nothing behind.
    for item in items:
        pending.append(enqueue(item))
        if len(pending) >= in_flight:
            yield pending.popleft().wait()
    while pending:
        yield pending.popleft().wait()
