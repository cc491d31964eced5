# SPDX-License-Identifier: Apache-2.0
"""The results table, results.parquet, and the journal that holds what a run has done until the table is written."""

import errno
import fcntl
import io
import os
import sys
import time

from .._errors import BadDataError, BusyError, Error, UnsupportedError, as_error
from . import _journal
from ._store import files_of

TABLE = "results.parquet"
_JOURNAL = "results.journal-"
_REMOTE_SECONDS = 10  # between parts of a journal in a store that cannot append
_NO_LOCKS = {errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK}  # of file systems that have none


def _schema():
    try:
        import pyarrow as pa
    except ImportError:
        raise UnsupportedError("the results table needs pyarrow: pip install vergence[ray]") from None
    return pa.schema([
        ("id", pa.string()), ("input", pa.list_(pa.string())), ("frames", pa.list_(pa.int64())), ("output", pa.string()),
        ("status", pa.string()), ("hash", pa.string()), ("sha256", pa.string()), ("bytes", pa.int64()),
        ("scores", pa.map_(pa.string(), pa.float64())), ("ms", pa.float64()), ("finished", pa.float64()),
        ("device", pa.string()), ("node", pa.string()), ("attempts", pa.int32()), ("verified", pa.string()),
        ("error", pa.string()), ("kind", pa.string()),
    ])  # fmt: skip


class Results:
    """Records of items, the last one of each counts. Only one run at a time may use a table of a local folder, whose file
    system refuses a second one unless it has no locks.

    A record is a dict with the table's columns. `sizes` holds the bytes of all files below the folder when it was read.
    `warn` is told of records that a store did not take, and that it is given again later. `journal` names this run's for
    its workers.
    """

    def __init__(self, store, table=TABLE):
        _schema()
        self._store, self._table, self.records, self.sizes = store, table, {}, {}
        self.warn = lambda text: print(f"vergence-batch: warning: {text}", file=sys.stderr)
        self._prefix = _JOURNAL if table == TABLE else table + ".journal-"
        self.journal = _journal.new_name(self._prefix)
        self._file, self._lock, self._old, self._pending, self._parts, self._told = None, None, {}, [], 0, time.monotonic()

    @property
    def path(self):
        """The table's path or URL."""
        return self._store.path(self._table)

    def open(self):
        """Reads what earlier runs have done. BusyError where another one is at work."""
        if self._store.local:
            path = self._store.path("." + self._table + ".lock")
            try:
                self._lock = _locked(path)
            except BlockingIOError:
                raise BusyError(f"{self._store.root}: another run is writing there: wait for it, or give another folder to -o") from None
            except OSError as error:
                raise as_error(error, path) from None
        self.read()

    def read(self):
        """Fills `records` from the table and from journals of runs that ended early."""
        from pyarrow import parquet

        names = self.sizes = self._store.sizes()
        if self._table in names:
            data = io.BytesIO(self._store.read(self._table))
            try:
                rows = parquet.read_table(data).to_pylist()
            except Exception as error:  # damage gives exceptions of several kinds
                raise BadDataError(f"{self.path}: {' '.join(str(error).split())}: move it away; outputs are then made again") from None
            for row in rows:
                row["scores"] = dict(row["scores"] or {})
                self.records[row["output"]] = row
        self._old = _journal.runs_of(names, self._prefix)
        for mine in self._old.values():
            self.records.update(_journal.read(self._store, mine))
        return self.records

    def add(self, records):
        """Adds records, which a killed run will not lose."""
        for record in records:
            self.records[record["output"]] = record
        self._note(records)

    def quarantine(self, node):
        """What a node has done in this run and nobody was told of counts for nothing."""
        self._note([{"quarantined": node}])

    def _note(self, lines):
        text = b"".join(map(_journal.line_of, lines))
        if self._store.local:
            self._append(text)
            return
        self._pending.append(text)
        self.tick()

    def tick(self):
        """Writes what a store has not got yet, where it is time to."""
        if self._pending and time.monotonic() - self._told > _REMOTE_SECONDS:
            self._put_pending()

    def _put_pending(self):
        self._told = time.monotonic()
        try:
            self._store.put(f"{self.journal}.{self._parts:06d}", b"".join(self._pending))
        except Error as error:
            self.warn(f"what was done cannot be noted: {error}: a run that is killed before would do it again; tried again in {_REMOTE_SECONDS} s")
            return
        self._parts, self._pending = self._parts + 1, []

    def _append(self, text):
        path = self._store.path(self.journal)
        try:
            if self._file is None:
                self._file = _journal.opened(path)
            _journal.append(self._file, text)
        except OSError as error:
            raise as_error(error, path) from None

    def close(self, early=False):
        """Writes the table, then removes the journals. Later calls do nothing.

        Parameters
        ----------
        early : bool
            Workers may still be writing: their journals are read, and stay for the next run, as the others do.
        """
        if early:
            self.records.update(_journal.read(self._store, self._own()))
            if self._pending:
                self._put_pending()
        self._write_table()
        if self._file is not None:
            os.close(self._file)
        if not early:
            for run, names in {**self._old, self.journal: self._own()}.items():
                _journal.remove(self._store, run, names)
        self._file, self._old, self._parts, self._pending = None, {}, 0, []
        if self._lock is not None:
            self._store.remove("." + self._table + ".lock")  # while it is held: else it might be another run's
            os.close(self._lock)
            self._lock = None

    def _own(self):
        """The names of this run's journals."""
        mine = [self.journal] if self._file is not None else [f"{self.journal}.{part:06d}" for part in range(self._parts)]
        return mine + self._store.names_in(self.journal + ".workers")

    def _write_table(self):
        import pyarrow
        from pyarrow import parquet

        schema = _schema()
        rows = [{**{name: None for name in schema.names}, **record, "scores": list(record.get("scores", {}).items())}
                for _, record in sorted(self.records.items())]  # fmt: skip
        table = pyarrow.Table.from_pylist(rows, schema)
        file = io.BytesIO()
        parquet.write_table(table, file)
        self._store.put(self._table, file.getvalue())


def _locked(path):
    """A descriptor that holds the lock of a file, which is there under that name. BlockingIOError where another one has it."""
    while True:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), os.stat(path)):
                return file
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return file
            os.close(file)
            raise
        os.close(file)  # its owner removed it meanwhile


def missing_items(items, records, sizes):
    """Items that have no right output: never done, failed, their inputs or settings changed, or the file is gone.

    Parameters
    ----------
    sizes : dict
        Bytes of the files that exist, by name.
    """
    missing = []
    for item in items:
        record = records.get(item["output"])
        done = record is not None and record["status"] == "done" and record["id"] == item["id"]
        found = [sizes.get(name) for name in files_of(item["output"])]
        if not done or None in found or sum(found) != record["bytes"]:
            missing.append(item)
    return missing
