# SPDX-License-Identifier: Apache-2.0
"""The results table, results.parquet, and the journal that holds what a run has done until the table is written."""

import fcntl
import io
import json
import os
import secrets
import time

from .._errors import BadDataError, BusyError, UnsupportedError

TABLE = "results.parquet"
_JOURNAL = "results.journal-"
_REMOTE_SECONDS = 10  # between parts of a journal in a store that cannot append


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
    """Records of items, the last one of each counts. Only one run at a time may use a local folder.

    A record is a dict with the table's columns.
    """

    def __init__(self, store, table=TABLE):
        _schema()
        self._store, self._table, self.records = store, table, {}
        self._journal = f"{_JOURNAL if table == TABLE else table + '.journal-'}{int(time.time()):010d}-{secrets.token_hex(4)}"
        self._file, self._lock, self._pending, self._parts, self._told = None, None, [], 0, time.monotonic()

    def open(self):
        """Reads what earlier runs have done. BusyError where another one is at work."""
        if self._store.local:
            self._lock = open(self._store.path("." + self._table + ".lock"), "a")  # noqa: SIM115
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BusyError(f"{self._store.root}: another run is writing there: wait for it, or give another folder to -o") from None
        self.read()

    def read(self):
        """Fills `records` from the table and from journals of runs that ended early."""
        import pyarrow
        from pyarrow import parquet

        names = self._store.sizes()
        if self._table in names:
            try:
                rows = parquet.read_table(io.BytesIO(self._store.read(self._table))).to_pylist()
            except pyarrow.ArrowInvalid as error:
                raise BadDataError(f"{self._store.path(self._table)}: {error}: move it away; outputs are then made again") from None
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
            if self._file is None:
                self._file = open(self._store.path(self._journal), "ab", buffering=0)  # noqa: SIM115
            self._file.write(text)
            return
        self._pending.append(text)
        if time.monotonic() - self._told > _REMOTE_SECONDS:
            self._flush()

    def _flush(self):
        if self._pending:
            self._store.put(f"{self._journal}.{self._parts:06d}", b"".join(self._pending))
            self._parts, self._pending = self._parts + 1, []
        self._told = time.monotonic()

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
        if self._file is not None:
            self._file.close()
        gone = [*self._old, *(f"{self._journal}.{part:06d}" for part in range(self._parts))]
        if self._file is not None:
            gone.append(self._journal)
        for name in gone:
            self._store.remove(name)
        self._file, self._old, self._parts, self._pending = None, [], 0, []
        if self._lock is not None:
            self._lock.close()
            os.unlink(self._store.path("." + self._table + ".lock"))
            self._lock = None


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
        if not done or sizes.get(item["output"]) != record["bytes"]:
            missing.append(item)
    return missing
