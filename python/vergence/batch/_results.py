# SPDX-License-Identifier: Apache-2.0
"""The results table, results.parquet, and the journal that holds what a run has done until the table is written."""

import errno
import fcntl
import io
import json
import os
import secrets
import sys
import time

from .._errors import BadDataError, BusyError, Error, UnsupportedError, as_error
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
    `warn` is told of records that a store did not take, and that it is given again later.
    """

    def __init__(self, store, table=TABLE):
        _schema()
        self._store, self._table, self.records, self.sizes = store, table, {}, {}
        self.warn = lambda text: print(f"vergence-batch: warning: {text}", file=sys.stderr)
        self._journal = f"{_JOURNAL if table == TABLE else table + '.journal-'}{int(time.time()):010d}-{secrets.token_hex(4)}"
        self._file, self._lock, self._old, self._pending, self._parts, self._told = None, None, [], [], 0, time.monotonic()

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
        prefix = self._journal[: -len("0000000000-00000000")]
        self._old = sorted(name for name in names if name.startswith(prefix))
        for name in self._old:
            for line in self._store.read(name).split(b"\n"):
                try:
                    record = json.loads(line)
                except ValueError:  # the last line of a killed run
                    continue
                self.records[record["output"]] = record
        return self.records

    def add(self, records):
        """Adds records, which a killed run will not lose."""
        for record in records:
            self.records[record["output"]] = record
        text = b"".join(json.dumps(record).encode() + b"\n" for record in records)
        if self._store.local:
            self._append(text)
            return
        self._pending.append(text)
        self.tick()

    def tick(self):
        """Writes what a store has not got yet, where it is time to."""
        if not self._pending or time.monotonic() - self._told <= _REMOTE_SECONDS:
            return
        self._told = time.monotonic()
        try:
            self._store.put(f"{self._journal}.{self._parts:06d}", b"".join(self._pending))
        except Error as error:
            self.warn(f"what was done cannot be noted: {error}: a run that is killed before would do it again; tried again in {_REMOTE_SECONDS} s")
            return
        self._parts, self._pending = self._parts + 1, []

    def _append(self, text):
        path = self._store.path(self._journal)
        try:
            if self._file is None:
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            while text:  # a signal or a full disk may cut a write short
                text = text[os.write(self._file, text) :]
        except OSError as error:
            raise as_error(error, path) from None

    def close(self):
        """Writes the table, then removes the journals. Later calls do nothing."""
        import pyarrow
        from pyarrow import parquet

        schema = _schema()
        rows = [{**{name: None for name in schema.names}, **record, "scores": list(record.get("scores", {}).items())}
                for _, record in sorted(self.records.items())]  # fmt: skip
        table = pyarrow.Table.from_pylist(rows, schema)
        file = io.BytesIO()
        parquet.write_table(table, file)
        self._store.put(self._table, file.getvalue())
        gone = [*self._old, *(f"{self._journal}.{part:06d}" for part in range(self._parts))]
        if self._file is not None:
            os.close(self._file)
            gone.append(self._journal)
        for name in gone:
            self._store.remove(name)
        self._file, self._old, self._parts, self._pending = None, [], 0, []
        if self._lock is not None:
            self._store.remove("." + self._table + ".lock")  # while it is held: else it might be another run's
            os.close(self._lock)
            self._lock = None


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
