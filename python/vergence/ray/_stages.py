# SPDX-License-Identifier: Apache-2.0
"""The stages of vergence.ray."""

import warnings

import numpy

from .. import _engine, _video
from .._errors import ArgumentError, DeviceError, Error, as_error
from .._hash import ValueHash
from . import _columns

_MAPS = ("mask", "confidence", "cost", "second_cost", "cost_before", "cost_after", "other_disparity")


class _Stage:
    """What the stages share: columns, outputs, and what happens to a row that cannot be done."""

    known = ()  # outputs
    forms = {}  # type and empty shape of outputs, where no row has shown them yet
    default_batch = 16

    def __init__(self, device, columns, outputs, on_error, threads):
        if on_error not in ("raise", "record"):
            raise ArgumentError(f"on_error is {on_error!r}: 'raise' and 'record' are known")
        for name in outputs:
            if name not in self.known:
                raise ArgumentError(f"output {name!r} does not exist: {', '.join(self.known)} are known")
        self._columns, self._outputs, self._on_error = tuple(columns), tuple(outputs), on_error
        self._device = _engine.open_device(device, threads)
        self._seen = {}  # the form of each output, by the latest row that was done

    @classmethod
    def on(cls, device="auto", *, batch_size=None, concurrency=None, gpus=1.0, cpus=1, batch_format="numpy", **settings):
        """The arguments of Dataset.map_batches for this stage.

        Parameters
        ----------
        device : str
            "cpu": an actor has `cpus` cores and as many threads; one core each is fastest where there are many pairs.
            "cuda", "opencl" or one of their devices: an actor has `gpus` of a GPU, as Ray counts them, and sees that
            GPU alone. "auto": as "cuda" if `gpus` are asked for and the cluster has one, else "cpu".
        batch_size : int
            Rows of a call. Ray's own costs are per call: more rows lower them, fewer spread the work better.
        concurrency : int or (int, int)
            Actors, or least and most of them; default: one up to as many as the cluster has room for.
        gpus, cpus : float, int
            Of an actor.
        **settings
            Of the stage's constructor.

        Raises
        ------
        DeviceError
            The cluster has no GPU, and none will come: Ray would wait for it for ever. Where an autoscaler may bring
            one, that is a warning.
        """
        if device == "auto":
            device = "cuda" if gpus and _cluster("GPU") else "cpu"
        on_gpu = device.startswith(("cuda", "opencl")) and gpus > 0
        if on_gpu and _cluster("GPU") < min(gpus, 1):
            _without_gpu(device)
        if concurrency is None:
            concurrency = (1, max(int(_cluster("GPU") / gpus) if on_gpu else int(_cluster("CPU") / cpus), 1))
        arguments = {"device": "cuda:0" if device == "cuda" else device, **settings}
        if not device.startswith(("cuda", "opencl")):
            arguments.setdefault("threads", cpus)
        return {
            "fn_constructor_kwargs": arguments,
            "batch_size": batch_size or cls.default_batch,
            "batch_format": batch_format,
            "compute": _pool(concurrency),
            **({"num_gpus": gpus} if on_gpu else {"num_cpus": cpus}),
        }

    def __call__(self, batch):
        _columns.check(batch)
        rows = zip(*(_columns.rows_of(batch, name) for name in self._columns))
        found = {name: [] for name in self._outputs}
        if self._on_error == "record":
            found["error"] = []
        for result in self._run(rows, batch):
            failed = isinstance(result, Error)
            if failed and self._on_error == "raise":
                raise result
            for name, rows_of_name in found.items():
                if name == "error":
                    rows_of_name.append(str(result) if failed else None)
                else:
                    rows_of_name.append(None if failed else self._output(name, result))
        return _columns.with_columns(batch, {name: rows if name == "error" else self._filled(name, rows) for name, rows in found.items()})

    def _filled(self, name, rows):
        """What stands for an output of rows that failed: of the type and with the axes of the others, which a column needs."""
        if name in ("hash", "first_field"):
            return [("" if name == "hash" else 0) if row is None else row for row in rows]
        form = self.forms.get(name, ("u1", (0, 0)))
        fixed = tuple(length for length in form[1] if length)
        for row in rows:
            if row is not None:
                self._seen[name] = row.dtype, (0,) * (row.ndim - len(fixed)) + fixed
        kind, shape = self._seen.get(name, form)
        return [numpy.zeros(shape, kind) if row is None else row for row in rows]


def _cluster(resource):
    """How much of a resource the cluster has now; 1 core where Ray is not running yet."""
    import ray

    if not ray.is_initialized():
        ray.init()
    return ray.cluster_resources().get(resource, 0)


def _without_gpu(device):
    """Raises DeviceError, or warns where an autoscaler's configuration has GPUs, or nobody tells of it."""
    try:
        from ray._private.state import state

        most = state.get_max_resources_from_cluster_config() or {}
        may_come = most.get("GPU", 0) > 0
    except Exception:  # a client of Ray (ray://) is not told, and the call is Ray's own
        may_come = True
    text = f"{device}: the cluster has no GPU that Ray knows of"
    if not may_come:
        raise DeviceError(f"{text}: start its nodes with --num-gpus, or use cpu")
    warnings.warn(f"{text}: the pipeline waits until one comes", stacklevel=3)


def _pool(concurrency):
    """Actors for map_batches, whose `concurrency` Ray takes with a warning."""
    from ray.data import ActorPoolStrategy

    if isinstance(concurrency, int):
        return ActorPoolStrategy(size=concurrency)
    return ActorPoolStrategy(min_size=concurrency[0], max_size=concurrency[1])


class StereoStage(_Stage):
    """Disparities of rectified pairs, or of raw ones with `rig`.

    Parameters
    ----------
    device, preset, **options
        As of StereoMatcher. "auto" is the GPU that Ray gave to the actor, else "cpu". Size and depth follow from the
        pictures, which may differ from row to row.
    columns : (str, str)
        Left and right picture: arrays (height, width), uint8 or uint16, paths or URLs, or contents of files (bytes).
    videos : bool
        The columns are videos of both views, paths, URLs or numbered pictures; rows may be parts of `stereo_parts`, whose
        columns are then used. Maps are those of all frames: "disparity" is (frames, height, width).
    outputs : tuple of str
        New columns: "disparity" (int16 or int32, 1/16 px; invalid ones as in StereoMatcher.invalid), "mask",
        "confidence", "cost", ...: maps of StereoMatcher.compute; "hash": of the disparities, as the program's --json.
    rig : dict
        Rectifies first: `size`, `M1`, `D1`, `M2`, `D2`, `R`, `T`; see StereoRig. `rectify` holds StereoRectifier's options.
    in_flight : int
        Frames under way at a time.
    threads : int
        Of `cpu`, 0: all cores of the machine, which Ray does not know of; `on` sets the actor's cores.
    on_error : str
        "raise" ends the job; "record" goes on: a column `error` holds the text, None for rows that were done. The maps of
        rows that failed are empty, (0, 0), of the type of the others.

    Raises
    ------
    Error
        With "raise": of the first row that cannot be done.
    """

    known = ("disparity", *_MAPS, "hash")
    forms = {"disparity": ("i2", (0, 0)), "other_disparity": ("i2", (0, 0)),
             **dict.fromkeys(("cost", "second_cost", "cost_before", "cost_after"), ("u4", (0, 0)))}  # fmt: skip

    def __init__(self, device="auto", preset="default", *, columns=("left", "right"), videos=False, outputs=("disparity",), rig=None,
                 rectify=None, in_flight=4, threads=0, on_error="raise", **options):  # fmt: skip
        super().__init__(device, columns, outputs, on_error, threads)
        self._videos = videos
        if videos:
            self.forms = {name: (kind, (0, *shape)) for name, (kind, shape) in {**dict.fromkeys(_MAPS, ("u1", (0, 0))), **self.forms}.items()}
        wants = [name for name in outputs if name in _MAPS]
        self._work = _engine.Stereo(self._device, preset, wants=wants, in_flight=in_flight, rig=rig, rectify=rectify, **options)

    def _run(self, rows, batch):
        return self._of_videos(rows, batch) if self._videos else self._work.run(rows)

    def _of_videos(self, rows, batch):
        for (left, right), part in zip(rows, _parts_of(batch)):
            try:
                yield list(self._work.video(left, right, part))
            except Exception as error:
                yield as_error(error, str(left))

    def _output(self, name, result):
        results = result if self._videos else [result]
        if name == "hash":
            value = ValueHash()
            for one in results:
                value.add_disparity(one.disparity)
            return str(value)
        maps = [getattr(one, name) for one in results]
        return numpy.stack(maps) if self._videos else maps[0]


class RectifyStage(_Stage):
    """Rectified pictures of raw pairs, in the place of the raw ones.

    Parameters
    ----------
    rig : dict
        `size`, `M1`, `D1`, `M2`, `D2`, `R`, `T`; see StereoRig.
    device, columns, threads, on_error
        As of StereoStage.
    outputs : (str, str)
        The columns that the rectified pictures come to.
    in_flight : int
        On a GPU, pairs under way at a time; the processor does one after the other.
    **options
        Of StereoRectifier: alpha, focal_px, size, along_rows.
    """

    def __init__(self, device="auto", *, rig, columns=("left", "right"), outputs=("left", "right"), in_flight=4, threads=0, on_error="raise", **options):
        self.known = outputs
        super().__init__(device, columns, outputs, on_error, threads)
        self._work = _engine.Rectify(self._device, rig=rig, in_flight=in_flight, **options)

    def _run(self, rows, batch):
        return self._work.run(rows)

    def _output(self, name, result):
        return result[self._outputs.index(name)]


class MotionStage(_Stage):
    """Vectors between pairs of frames, or of videos.

    Parameters
    ----------
    device, preset, threads, on_error, **options
        As of MotionEstimator and StereoStage.
    in_flight : int
        Frames of a video under way at a time, and on a GPU pairs, too, each in a thread with an estimator of its own; the
        processor does pairs one after the other.
    columns : (str, str) or (str,)
        Current and reference frame; or the video: a path, a URL or numbered pictures (frame_%04d.png). A video's rows
        may be parts of `video_parts`, whose columns are then used.
    outputs : tuple of str
        "vectors" (int16, 1/4 px, (rows, columns, 2), of a video (fields, rows, columns, 2)), "cost", "first_field" (of a
        video: number of the first field's current frame), "hash" (of all fields, as the program's --json).
    independent : bool
        Fields of a video are found as if none were known of the frame before, as by the program's --independent. Then,
        and with searches that need none, parts of a video joined are the whole video's, byte for byte.
    """

    known = ("vectors", "cost", "confidence", "first_field", "hash")
    forms = {"vectors": ("i2", (0, 0, 2)), "cost": ("u8", (0, 0)), "confidence": ("u1", (0, 0))}
    default_batch = 4

    def __init__(self, device="auto", preset="default", *, columns=("current", "reference"), outputs=("vectors",), independent=False,
                 in_flight=4, threads=0, on_error="raise", **options):  # fmt: skip
        super().__init__(device, columns, outputs, on_error, threads)
        if len(columns) == 1:  # of all fields of a video
            self.forms = {name: (kind, (0, *shape)) for name, (kind, shape) in self.forms.items()}
        wants = [name for name in outputs if name == "confidence"]
        self._work = _engine.Motion(self._device, preset, wants=wants, in_flight=in_flight, independent=independent, **options)

    def _run(self, rows, batch):
        return self._videos(rows, batch) if len(self._columns) == 1 else self._work.run(rows)

    def _videos(self, rows, batch):
        parts = _parts_of(batch)
        for (source,), part in zip(rows, parts):
            try:
                yield list(self._work.video(source, part))
            except Exception as error:
                yield as_error(error, str(source))

    def _output(self, name, result):
        video = isinstance(result, list)
        fields = [field for _, field in result] if video else [result]
        if name == "hash":
            return _engine.motion_hash(fields)
        if name == "first_field":
            return result[0][0] if video and result else 0
        maps = [getattr(field, name) for field in fields]
        return numpy.stack(maps) if video and maps else maps[0] if maps else None


class TrackStage(_Stage):
    """Points along videos. Tracks go from frame to frame, so a video is one row, and one frame is under way at a time.

    Parameters
    ----------
    device, preset, threads, on_error, **options
        As of PointTracker and StereoStage.
    columns : (str,)
        The video: a path, a URL or numbered pictures (frame_%04d.png).
    outputs : tuple of str
        "tracks": float64 (lines, 7): frame, id, x, y, status, residual, age, as the program's .npy; "hash".
    """

    known = ("tracks", "hash")
    forms = {"tracks": ("f8", (0, 7))}
    default_batch = 1

    def __init__(self, device="auto", preset="default", *, columns=("video",), outputs=("tracks",), threads=0, on_error="raise", **options):
        super().__init__(device, columns, outputs, on_error, threads)
        self._work = _engine.Track(self._device, preset, **options)

    def _run(self, rows, batch):
        for (source,) in rows:
            try:
                yield numpy.concatenate([numpy.empty((0, 7)), *(lines for _, lines in self._work.video(source))])
            except Exception as error:
                yield as_error(error, str(source))

    def _output(self, name, result):
        if name == "tracks":
            return result
        value = ValueHash()
        value.add_tracks(result)
        return str(value)


def _parts_of(batch):
    names = list(batch) if isinstance(batch, dict) else batch.column_names
    if "begin_pts" not in names:
        return [_video.Part()] * _columns.length_of(batch)
    columns = [_columns.rows_of(batch, name) for name in ("first", "last", "begin_pts", "end_pts")]
    return [_video.Part() if row[1] < 0 else _video.Part(*map(int, row)) for row in zip(*columns)]


def _columns_of(part):
    return {"first": part.first, "last": -1 if part.last is None else part.last, "begin_pts": part.begin_pts or 0, "end_pts": part.end_pts or 0}


def stereo_parts(pairs, frames=500):
    """Rows for StereoStage with `videos=True`: videos of both views cut at key frames that both have, for
    ray.data.from_items. The rows' maps in the order of `left` and `first` are the whole videos'.

    A pair is one row where it cannot be cut: as in `video_parts`, and where the times of the frames are not the same.

    Parameters
    ----------
    pairs : iterable of (str, str)
        Left and right video.
    frames : int
        The least number of frames of a part.

    Returns
    -------
    list of dict
        `left`, `right`, and the columns of `video_parts`.
    """
    return [{"left": left, "right": right, **_columns_of(part)} for left, right in pairs for part in _video.split(left, frames, beside=right)]


def video_parts(videos, frames=500, **options):
    """Rows for MotionStage with `columns=("video",)`: videos cut at key frames, for ray.data.from_items.

    Parts share the frame between them, so that every field belongs to one of them: the rows' vectors in the order of
    `video` and `first` are the whole video's. A video is one row where it cannot be cut (no times, hidden frames, no key
    frames that are marked by the codec itself), and where fields follow from each other.

    Parameters
    ----------
    videos : iterable of str
    frames : int
        The least number of frames of a part.
    **options
        What MotionStage gets: preset, search, lambda_, independent, ...

    Returns
    -------
    list of dict
        `video`, `first`, `last`, `begin_pts`, `end_pts`: numbers of the frames and their times; last -1: the whole video.
    """
    rows = []
    for video in videos:
        parts = _video.split(video, frames, shared=1) if _engine.fields_independent(**options) else [_video.Part()]
        rows += [{"video": video, **_columns_of(part)} for part in parts]
    return rows
