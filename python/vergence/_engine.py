# SPDX-License-Identifier: Apache-2.0
"""What workers of vergence.ray and vergence.batch do: inputs of any size through one device, opened once, several in flight."""

import itertools
import queue
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor

import numpy

from . import _core, _video
from ._errors import ArgumentError, ArgumentTypeError, BadDataError, Error, NotFoundError, as_error
from ._hash import ValueHash, track_rows
from ._read import read_grey

MOST_OBJECTS = 4  # matchers of different sizes that are kept
_PIXELS = ("pixel_depth", "max_value")


def open_device(name, threads=0):
    """The device of a worker. "auto" is the GPU that was assigned to this process, else the processor.

    Parameters
    ----------
    threads : int
        Of `cpu`; 0: all cores.
    """
    if isinstance(name, _core.Device):
        return name
    if name == "auto":
        usable = {info.name for info in _core.devices() if info.available}
        name = "cuda:0" if "cuda:0" in usable else "cpu"
    return _core.Device(name, threads=threads) if name == "cpu" else _core.Device(name)


def rig_of(rig):
    """A StereoRig from one, or from a dict of its numbers, which unlike a rig can be sent to other processes.

    The dict has `size` (height, width), `M1`, `D1`, `M2`, `D2`, `R`, `T` (metres), as OpenCV names them; `model` may be
    "fisheye".
    """
    if isinstance(rig, _core.StereoRig):
        return rig
    try:
        size, model = tuple(rig["size"]), rig.get("model", "pinhole")
        left, right = (_core.Camera(rig[f"M{i}"], rig.get(f"D{i}"), size=size, model=model) for i in (1, 2))
        return _core.StereoRig(left, right, rig["R"], rig["T"])
    except KeyError as error:
        raise ArgumentError(f"the rig lacks {error}: size, M1, D1, M2, D2, R and T are needed") from None


def _fitted(rig, size):
    """A rig for pictures of another size; cameras without one take it as theirs."""
    left, right = (camera if camera.size != (0, 0) else _core.Camera(camera.matrix, _coefficients(camera), size=size, model=camera.model)
                   for camera in (rig.left, rig.right))  # fmt: skip
    if left.size != rig.left.size or right.size != rig.right.size:
        rig = _core.StereoRig(left, right, rig.rotation, rig.translation, rig.rectified)
    return rig if left.size == right.size == size else rig.scaled(size)


def _coefficients(camera):
    return camera.distortion[:4] if camera.model == "fisheye" else camera.distortion


def fields_independent(preset="default", independent=False, **options):
    """Whether each field of these settings of motion depends on two frames alone, so that a video can be cut."""
    presets = _core.motion_presets()
    if preset not in presets:
        raise NotFoundError(f"preset {preset!r} does not exist: {', '.join(presets)} are known")
    options = {**presets[preset], **options}
    return independent or (options["search"] in ("full", "step") and options["lambda_"] == 0)


class Kept:
    """Objects by size and kind of the pictures; the ones used least recently go."""

    def __init__(self, make):
        self._make, self._kept = make, OrderedDict()

    def get(self, picture, most):
        key = (picture.shape, picture.dtype.str, most)
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            while len(self._kept) >= MOST_OBJECTS:
                self._kept.popitem(last=False)
            depth = {} if picture.dtype == numpy.uint8 else {"pixel_depth": "u16", "max_value": most}
            self._kept[key] = self._make(picture.shape, depth)
        return self._kept[key]


class Lanes:
    """Calls of one after the other, or on a GPU of several threads at a time, each with objects of its own: one object is
    used by one thread. The processor's cores are those of the device's threads, of which more at a time would take more.

    Parameters
    ----------
    make : callable
        What a call gets: objects that are made when the first call needs them.
    """

    def __init__(self, device, in_flight, make):
        if in_flight < 1:
            raise ArgumentError(f"in_flight is {in_flight}: at least 1 is needed")
        self.count = 1 if device.kind in ("cpu", "reference") else in_flight
        self._make, self._free = make, queue.LifoQueue()
        for _ in range(self.count):
            self._free.put(None)

    def call(self, function, *arguments):
        """function(objects, *arguments), with objects that no other call has meanwhile."""
        objects = self._free.get()
        try:
            objects = objects or self._make()
            return function(objects, *arguments)
        finally:
            self._free.put(objects)

    def map(self, function, rows):
        """function(objects, row) of each row, in the order of the rows. It must not raise."""
        if self.count == 1:
            for row in rows:
                yield self.call(function, row)
            return
        pending, pool = deque(), ThreadPoolExecutor(self.count)
        try:
            for row in rows:
                pending.append(pool.submit(self.call, function, row))
                if len(pending) > self.count:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _or_error(call):
    """A call of lanes for a row that gives the Error in place of raising it."""

    def called(objects, row):
        try:
            return call(objects, *row)
        except Exception as error:
            return as_error(error, name_of(row))

    return called


def _check_picture(picture, what):
    if not isinstance(picture, numpy.ndarray) or picture.ndim != 2 or picture.dtype not in (numpy.uint8, numpy.uint16):
        kind = f"{picture.dtype} of shape {picture.shape}" if isinstance(picture, numpy.ndarray) else type(picture).__name__
        raise ArgumentTypeError(f"{what} is {kind}: a grey picture is uint8 or uint16 of (height, width); see vergence.grey")


def read_pair(left, right, names=("left", "right")):
    """Both pictures and their common largest value. Each is whatever read_grey takes."""
    pictures = [read_grey(source, name) for source, name in zip((left, right), names)]
    for (picture, _), name in zip(pictures, names):
        _check_picture(picture, f"{name} picture")
    (one, most), (two, other) = pictures
    if one.shape != two.shape or one.dtype != two.dtype or most != other:
        told = [f"{p.shape[1]}x{p.shape[0]} {p.dtype} up to {m}" for p, m in pictures]
        raise BadDataError(f"{names[0]} is {told[0]}, {names[1]} is {told[1]}: pictures of a pair have one size and depth")
    return one, two, most


class Stereo:
    """Disparities of pairs. `wants` are further maps of StereoMatcher.compute: "mask", "confidence", ..."""

    def __init__(self, device="auto", preset="default", *, wants=(), in_flight=4, threads=0, rig=None, rectify=None, **options):
        if in_flight < 1:
            raise ArgumentError(f"in_flight is {in_flight}: at least 1 is needed")
        self.device, self.in_flight = open_device(device, threads), in_flight
        self._wants = dict.fromkeys(wants, True)
        self._rectifiers = None if rig is None else Rectify(self.device, rig=rig, **(rectify or {}))
        given = {name: options.pop(name) for name in _PIXELS if name in options}

        def make(size, depth):
            masks = self._rectifiers.masks() if self._rectifiers else {}
            return _core.StereoMatcher(self.device, size, preset, **masks, **options, **{**depth, **given})

        self._matchers = Kept(make)

    def check(self, left, right):
        """Raises Error where the options do not fit a pair."""
        left, _, most = read_pair(left, right) if self._rectifiers is None else self._rectifiers.pair(left, right)
        self._matchers.get(left, most)

    def run(self, pairs):
        """For each pair its StereoResult, raw, or the Error that it ended with, in the order of the pairs."""
        pending = deque()
        for pair in pairs:
            try:
                left, right, most = read_pair(*pair) if self._rectifiers is None else self._rectifiers.pair(*pair)
                matcher = self._matchers.get(left, most)
                pending.append(matcher.enqueue(left, right, raw=True, **self._wants))
            except Exception as error:
                pending.append(as_error(error, name_of(pair)))
            if len(pending) >= self.in_flight:
                yield _waited(pending.popleft())
        while pending:
            yield _waited(pending.popleft())

    def video(self, left, right, part=_video.Part()):
        """The StereoResult of each pair of frames of two videos, or of a part of them. Raises the first Error."""
        for result in self.run(_frame_pairs(left, right, part)):
            if isinstance(result, Error):
                raise result
            yield result


def name_of(row):
    """What errors call a row of inputs."""
    first = next(iter(row), None)
    return first if isinstance(first, str) else "the pair" if len(row) > 1 else "the input"


def _waited(pending):
    if isinstance(pending, Error):
        return pending
    try:
        return pending.wait()
    except Exception as error:
        return as_error(error, "the pair")


def _frame_pairs(left, right, part):
    """Pairs of frames with their largest values, as read_pair takes them. Both videos have equally many."""
    sides = [_same_size(_video.frames(source, part), source) for source in (left, right)]
    for one, other in itertools.zip_longest(*sides):
        if one is None or other is None:
            ended, number = (left, other[0]) if one is None else (right, one[0])
            raise BadDataError(f"{ended} ends before frame {number}, which the other video has: both views need equally many frames")
        yield one[1:], other[1:]


class Rectify:
    """Rectifies pairs of one rig. With `fit` the rig is scaled to the pictures' size, else theirs must be its own."""

    def __init__(self, device="auto", *, rig, fit=False, in_flight=1, threads=0, **options):
        self.device, self._rig, self._masks = open_device(device, threads), rig_of(rig), None

        def make(size, depth):
            rig = _fitted(self._rig, size) if fit and size else self._rig
            return _core.StereoRectifier(rig, self.device, max_value=depth.get("max_value", 65535), **options)

        self._make, self._lanes = make, Lanes(self.device, in_flight, lambda: Kept(make))

    def check(self, left, right):
        """Raises Error where the rig does not fit a pair, or the options do not fit the rig."""
        left, _, most = read_pair(left, right)
        self._lanes.call(lambda rectifiers: rectifiers.get(left, most))

    def masks(self):
        """The masks that a matcher of the rectified pictures takes."""
        if self._masks is None:
            one = self._make(None, {})
            self._masks = {"left_mask": one.left_mask, "right_mask": one.right_mask}
        return self._masks

    def pair(self, left, right):
        """Both pictures rectified, and their largest value."""
        return self._lanes.call(self._pair, left, right)

    @staticmethod
    def _pair(rectifiers, left, right):
        left, right, most = read_pair(left, right)
        return *rectifiers.get(left, most).rectify(left, right), most

    def run(self, pairs):
        """For each pair (left, right), or the Error that it ended with."""
        return self._lanes.map(_or_error(lambda rectifiers, *pair: self._pair(rectifiers, *pair)[:2]), pairs)


class Motion:
    """Fields of videos and of pairs of frames, raw, with costs."""

    def __init__(self, device="auto", preset="default", *, wants=(), in_flight=4, threads=0, independent=False, **options):
        self.device, self.in_flight = open_device(device, threads), in_flight
        self._wants = {"cost": True, **dict.fromkeys(wants, True)}
        self.independent = independent
        given = {name: options.pop(name) for name in _PIXELS if name in options}

        def made(kind):
            return lambda size, depth: kind(self.device, size, preset, **options, **{**depth, **given})

        self._streams = Kept(made(_core.MotionStream))
        self._lanes = Lanes(self.device, in_flight, lambda: Kept(made(_core.MotionEstimator)))

    def check(self, frame):
        """Raises Error where the options do not fit a frame, which is whatever read_grey takes."""
        frame, most = read_grey(frame)
        if self.independent:
            self._lanes.call(lambda estimators: estimators.get(frame, most))
        else:
            self._streams.get(frame, most)

    def _pair(self, estimators, current, reference):
        """The field between two frames."""
        one, other, most = read_pair(current, reference, ("current", "reference"))
        return estimators.get(one, most).compute(one, other, raw=True, **self._wants)

    def run(self, pairs):
        """For each pair (current, reference) its MotionResult, or the Error that it ended with."""
        return self._lanes.map(_or_error(self._pair), pairs)

    def video(self, source, part=_video.Part()):
        """(number of the current frame, MotionResult) of a video's fields, or of a part's."""
        frames = _same_size(_video.frames(source, part), source)
        if self.independent:
            yield from self._by_pairs(frames)
            return
        stream, pending = None, deque()
        for number, frame, most in frames:
            if stream is None:
                stream = self._streams.get(frame, most)
                stream.restart()
            pending.append((number, stream.enqueue(frame, raw=True, **self._wants)))
            if len(pending) >= self.in_flight:
                yield from _field(pending.popleft())
        while pending:
            yield from _field(pending.popleft())

    def _by_pairs(self, frames):
        def pairs():
            for (_, before, _), (number, frame, most) in itertools.pairwise(frames):
                yield number, (frame, most), (before, most)

        fields = self._lanes.map(_or_error(lambda estimators, number, *pair: (number, self._pair(estimators, *pair))), pairs())
        for field in fields:
            if isinstance(field, Error):
                raise field
            yield field


def _field(pending):
    number, field = pending[0], pending[1].wait()
    if field is not None:  # the first frame has no reference
        yield number, field


def _same_size(frames, source):
    first = None
    for number, frame, most in frames:
        kind = (frame.shape, frame.dtype, most)
        first = first or kind
        if kind != first:
            told = [f"{shape[1]}x{shape[0]} {dtype} up to {most}" for shape, dtype, most in (kind, first)]
            raise BadDataError(f"{source}: frame {number} is {told[0]}, those before {told[1]}")
        yield number, frame, most


class Track:
    """Points along videos. Each video has a tracker of its own, whose ids begin at 0: a tracker that starts again goes on
    counting, and what a video gives would depend on those before it."""

    def __init__(self, device="auto", preset="default", *, threads=0, **options):
        self.device, self._preset, self._options = open_device(device, threads), preset, options

    def _tracker(self, frame, most):
        depth = {} if frame.dtype == numpy.uint8 else {"pixel_depth": "u16", "max_value": most}
        return _core.PointTracker(self.device, frame.shape, self._preset, **{**depth, **self._options})

    def check(self, frame):
        """Raises Error where the options do not fit a frame."""
        self._tracker(*read_grey(frame))

    def video(self, source):
        """(frame's number, rows of track_rows) of each frame."""
        tracker = None
        for number, frame, most in _same_size(_video.frames(source), source):
            tracker = tracker or self._tracker(frame, most)
            yield number, track_rows(number, tracker.next(frame))


def motion_hash(fields):
    """The program's hash over the vectors and costs of fields."""
    value = ValueHash()
    for field in fields:
        value.add_motion(field.vectors, field.cost)
    return str(value)
