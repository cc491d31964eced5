# SPDX-License-Identifier: Apache-2.0
"""What a worker does with items: reads, computes on its device, writes the output, and tells of it in a record."""

import itertools
import os
import socket
import time

import numpy

from .. import _core, _engine
from .._errors import ArgumentError, BadDataError, DeviceError, Error, NotFoundError, UnsupportedError, as_error
from .._hash import ValueHash
from .._video import Part, frames, is_numbered
from . import _outputs
from ._calibration import rig_of
from ._journal import WorkerJournal
from ._manifest import is_video
from ._store import Store, files_of, sha256

# Errors that another attempt cannot mend.
FINAL = (ArgumentError, BadDataError, UnsupportedError, NotFoundError)


class Worker:
    """Holds a device. Used by one process of Ray, or alone.

    Parameters
    ----------
    settings : dict
        `task`, `options` (of the engine's class), `format`; of `rectify` the `calibration`.
    out : str
        The folder of outputs.
    device : str
    threads : int
        Of `cpu`.
    journal : str
        Of the run, beside which this worker has one of its own; None: it has none.
    """

    def __init__(self, settings, out, device, threads=0, journal=None):
        self._task, self._form, self._store = settings["task"], settings["format"], Store(out)
        self._journal = journal and WorkerJournal(self._store, journal)
        self._truth_scale = settings.get("truth_scale", 1)
        self.device = _engine.open_device(device, threads)
        kinds = {"stereo": _engine.Stereo, "rectify": _engine.Rectify, "motion": _engine.Motion, "track": _engine.Track}
        rig = {"rig": rig_of(settings["calibration"]), "fit": True} if self._task == "rectify" else {}
        self._work = kinds[self._task](self.device, **rig, **settings["options"])

    def describe(self):
        """What this worker is: device, kind, node, process."""
        return {"device": self.device.name, "kind": self.device.kind, "node": socket.gethostname(), "pid": os.getpid()}

    def check(self, item):
        """Raises Error where settings do not fit an item's first picture; nothing is computed."""
        first = [next(frames(source))[1:] if is_video(source) or is_numbered(source) else source for source in item["inputs"]]
        self._work.check(*first)

    def run(self, items, write=True):
        """A record for each item; an item that cannot be done has its error there. Nothing is raised but DeviceError.

        Parameters
        ----------
        write : bool
            False: nothing is written, for comparing hashes.
        """
        records = []
        for item, result in zip(items, self._results(items)):
            start = time.perf_counter()
            record = {"id": item["id"], "input": item["inputs"], "frames": item["part"] and item["part"][:2], "output": item["output"],
                      "device": self.device.name, "status": "failed", "attempts": 1, "scores": {}, "finished": time.time()}  # fmt: skip
            try:
                if isinstance(result, Error):
                    raise result
                seconds, *result = result
                self._finish(item, record, result, write, 1000 * seconds)
                record["ms"] = 1000 * (seconds + time.perf_counter() - start)
            except DeviceError:
                raise
            except Exception as error:
                told = as_error(error, item["inputs"][0])
                record.update(error=str(told), kind=type(told).__name__, final=isinstance(told, FINAL))
            records.append(record)
        if self._journal:
            self._journal.flush()
        return records

    def _finish(self, item, record, result, write, ms):
        files, value, scores = result
        data = b"".join(files)
        done = {"status": "done", "hash": value, "sha256": sha256(data), "bytes": len(data), "scores": scores}
        if write:
            self._write(files_of(item["output"]), files, {**record, **done, "ms": ms})
        record.update(done, finished=time.time())

    def _write(self, names, files, record):
        if self._journal:
            self._journal.note({**record, "node": self.describe()["node"]})
        try:
            for name, data in zip(names, files, strict=True):
                self._store.put(name, data)
        except BaseException:
            if self._journal:
                self._journal.not_written()
            raise

    def _results(self, items):
        """For each item its seconds, the bytes of its files, the hash of its values and scores; or the Error."""
        for pairs, group in itertools.groupby(items, self._is_pair):
            yield from self._pairs(list(group)) if pairs else self._singly(group)

    def _is_pair(self, item):
        return self._task == "stereo" and not any(map(is_video, item["inputs"]))

    def _singly(self, items):
        call = {"stereo": self._stereo_video, "rectify": self._rectify, "motion": self._motion, "track": self._track}[self._task]
        for item in items:
            start = time.perf_counter()
            try:
                result = call(item)
            except Exception as error:
                yield as_error(error, item["inputs"][0])
                continue
            yield time.perf_counter() - start, *result

    def _pairs(self, items):
        results = self._work.run(item["inputs"] for item in items)
        for item in items:
            start = time.perf_counter()
            result = next(results)
            if isinstance(result, Error):
                yield result
                continue
            try:
                value = ValueHash()
                value.add_disparity(result.disparity)
                data = _outputs.disparity(result.disparity, result.invalid, self._form)
                scores = self._scores(item, result.disparity, result.invalid)
            except Exception as error:
                yield as_error(error, item["inputs"][0])
                continue
            yield time.perf_counter() - start, [data], str(value), scores

    def _scores(self, item, raw, invalid):
        scores = {"density": 100 * float((raw != invalid).mean())}
        if item["truth"]:
            truth = _outputs.read_truth(item["truth"], self._truth_scale)
            pixels = numpy.where(raw == invalid, numpy.float32(numpy.nan), raw.astype(numpy.float32) / 16)
            found = _core.score_stereo(pixels, truth)["all"]
            if found is not None:
                scores.update({f"bad_{limit}": share for limit, share in found["bad"].items()}, average_error=found["average_error"])
        return scores

    def _stereo_video(self, item):
        part = Part(*item["part"]) if item["part"] else Part()
        maps, value, invalid = [], ValueHash(), 0
        for result in self._work.video(*item["inputs"], part):
            value.add_disparity(result.disparity)
            maps.append(result.disparity)
            invalid = result.invalid
        maps = _stacked(maps, item)
        scores = {"frames": len(maps), "density": 100 * float((maps != invalid).mean())}
        return [_outputs.disparity(maps, invalid, self._form)], str(value), scores

    def _rectify(self, item):
        left, right, _ = self._work.pair(*item["inputs"])
        return [_outputs.picture(pixels, self._form) for pixels in (left, right)], None, {}

    def _motion(self, item):
        part = Part(*item["part"]) if item["part"] else Part()
        fields = [field for _, field in self._work.video(item["inputs"][0], part)]
        vectors = _stacked([field.vectors for field in fields], item)
        cost = float(sum(field.cost.sum() for field in fields)) / sum(field.cost.size for field in fields)
        return [_outputs.npy(vectors, least=128)], _engine.motion_hash(fields), {"fields": len(fields), "cost_per_block": cost}

    def _track(self, item):
        lines = numpy.concatenate([numpy.empty((0, 7)), *(rows for _, rows in self._work.video(item["inputs"][0]))])
        value = ValueHash()
        value.add_tracks(lines)
        count = len(numpy.unique(lines[:, 1]))
        return [_outputs.npy(lines, least=128)], str(value), {"tracks": count, "lines": len(lines)}


def _stacked(maps, item):
    if not maps:
        raise BadDataError(f"{item['inputs'][0]} gives no result: it has too few frames")
    return numpy.stack(maps)
