# SPDX-License-Identifier: Apache-2.0
"""Journals: a record per line, written while a run goes on, by its driver and by each of its workers. A run that is killed
leaves them to the next one.

`results.journal-TIME-NUMBER` is the driver's, in a store `results.journal-TIME-NUMBER.000000` and so on; the workers' lie
in the folder `results.journal-TIME-NUMBER.workers`.
"""

import contextlib
import json
import os
import secrets
import time

from .._errors import Error
from ._store import wrong_outputs

_WORKERS = ".workers"
_SECONDS = 2.0  # between parts of a worker's journal in a store that cannot append
_KEPT_SECONDS = 120.0  # that a record stays in a store's file: the driver has it long since


def new_name(prefix):
    """The name of a run's journal; later runs have later ones."""
    return f"{prefix}{int(time.time()):010d}-{secrets.token_hex(4)}"


def line_of(record):
    """A record as a line of bytes."""
    return json.dumps(record).encode() + b"\n"


def opened(path):
    """The descriptor of a local file that grows."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)


def append(file, data):
    """Writes all of it."""
    while data:  # a signal or a full disk may cut a write short
        data = data[os.write(file, data) :]


class WorkerJournal:
    """What a worker writes, so that nothing is done again because the driver ended before it was told.

    A record stands here before its output does: whoever reads a file compares its last record with the output. What
    keeps a record from being written is no reason to stop: the item would be done again.

    Parameters
    ----------
    store : Store
    run : str
        The driver's journal.
    """

    def __init__(self, store, run):
        self._store, self._folder, self._recent, self._told = store, run + _WORKERS, [], time.monotonic()
        self._file = None
        self._begin()

    def _begin(self):
        if self._file is not None:
            os.close(self._file)
        self._name, self._file, self._recent = f"{self._folder}/{secrets.token_hex(8)}", None, []

    def note(self, record):
        """The output of this record is about to be written."""
        if self._store.local:
            try:
                if self._file is None:
                    self._file = opened(self._store.path(self._name))
                append(self._file, line_of(record))
            except OSError:
                self._begin()  # half a line may stand there
            return
        self._recent.append((time.monotonic(), line_of(record)))
        if time.monotonic() - self._told > _SECONDS:
            self.flush()

    def not_written(self):
        """The output of the last record could not be written: no other one may follow it in the file."""
        self.flush()
        self._begin()

    def flush(self):
        """A store gets what it has not got yet; the last record may be of an output that is not there."""
        if self._recent:
            self._told = time.monotonic()
            self._recent = [(noted, line) for noted, line in self._recent if self._told - noted < _KEPT_SECONDS]
            with contextlib.suppress(Error):
                self._store.put(self._name, b"".join(line for _, line in self._recent))


def _lines(store, name):
    found = []
    with contextlib.suppress(Error):  # a driver that ends removes them
        for line in store.read(name).split(b"\n"):
            with contextlib.suppress(ValueError):  # the last line of a killed run
                found.append(json.loads(line))
    return found


def runs_of(names, prefix):
    """Journals among the files of a folder: a dict of names by their run, the oldest first."""
    runs = {}
    for name in sorted(names):
        if name.startswith(prefix):
            runs.setdefault(name[: len(new_name(prefix))], []).append(name)
    return runs


def read(store, names):
    """Records, by output, of the journals of one run. What the driver says counts; of nodes in quarantine, nothing else does."""
    driver = [line for name in names if "/" not in name for line in _lines(store, name)]
    quarantined = {line["quarantined"] for line in driver if "quarantined" in line}
    records, last = {}, []
    for name in names:
        lines = _lines(store, name) if "/" in name else []
        records.update((line["output"], line) for line in lines[:-1] if line["node"] not in quarantined)
        last += [line for line in lines[-1:] if line["node"] not in quarantined]
    told = {line["output"]: line for line in driver if "output" in line}
    last = [line for line in last if line["output"] not in told]
    wrong = set(wrong_outputs(store, last))
    records.update((line["output"], line) for line in last if line["output"] not in wrong)
    return {**records, **told}


def remove(store, run, names):
    """Removes the journals of a run: `names`, and what its workers have."""
    for name in names:
        store.remove(name)
    store.remove_folder(run + _WORKERS)
