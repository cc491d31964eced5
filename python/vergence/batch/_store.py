# SPDX-License-Identifier: Apache-2.0
"""Where outputs and results lie: a local folder, or a store that fsspec knows. A file there is whole or absent."""

import contextlib
import hashlib
import os
import posixpath
import secrets
import stat
import time
from concurrent.futures import ThreadPoolExecutor

from .._errors import Error, IoError, as_error
from .._read import filesystem, read_bytes

_TEMPORARY = ".vergence-"
_STALE = 3600.0  # seconds after which nobody writes a temporary file any more
# Stores whose put makes an object visible whole or not at all; the others write under a temporary name and rename.
_ATOMIC = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "memory", "oci"}


BOTH = "{left,right}"  # in the name of an output that is two files


def files_of(output):
    """Names of the files that an output is.

    >>> files_of("a.npy"), files_of("b-{left,right}.pgm")
    (['a.npy'], ['b-left.pgm', 'b-right.pgm'])
    """
    return [output.replace(BOTH, side) for side in ("left", "right")] if BOTH in output else [output]


def sha256(data):
    """Hexadecimal digits, as sha256sum prints them."""
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def _errors(name):
    """Errors of the system, and those that packages of stores have of their own, as IoError."""
    try:
        yield
    except Exception as error:
        told = as_error(error, name)
        raise (IoError(str(told)) if type(told) is Error else told) from None


class Store:
    """A folder.

    Parameters
    ----------
    root : str
        A path, which is made where it does not exist, or a URL.
    """

    def __init__(self, root):
        root = root.removeprefix("file://")
        self.root = root.rstrip("/") if "://" in root else os.path.abspath(root)
        self.local = "://" not in root
        self._fs = None if self.local else filesystem(root)
        self._atomic = not self.local and root.split("://")[0] in _ATOMIC

    def path(self, name):
        """The path or URL of a file."""
        return f"{self.root}/{name}"

    def make(self):
        """Makes the folder, and removes what writers left that were killed more than an hour ago."""
        with _errors(self.root):
            if not self.local:
                self._fs.makedirs(self.root, exist_ok=True)
                return
            os.makedirs(self.root, exist_ok=True)
            for folder, _, names in os.walk(self.root):
                for name in names:
                    if name.startswith(_TEMPORARY):
                        _remove_stale(os.path.join(folder, name))

    def put(self, name, data):
        """Writes a file, which takes the place of an older one when it is whole on the disk."""
        with _errors(self.path(name)):
            if self.local:
                self._put_local(name, data)
            elif self._atomic:
                self._fs.pipe_file(self.path(name), data)
            else:
                temporary = self.path(posixpath.join(posixpath.dirname(name), f"{_TEMPORARY}{secrets.token_hex(8)}"))
                if "/" in name:
                    self._fs.makedirs(posixpath.dirname(self.path(name)), exist_ok=True)
                self._fs.pipe_file(temporary, data)
                self._fs.mv(temporary, self.path(name))

    def _put_local(self, name, data):
        path = self.path(name)
        temporary = os.path.join(os.path.dirname(path), f"{_TEMPORARY}{secrets.token_hex(8)}")
        try:
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            try:
                rest = memoryview(data)
                while rest:  # a signal or a full disk may cut a write short
                    rest = rest[os.write(file, rest) :]
                os.fsync(file)
            finally:
                os.close(file)
            os.rename(temporary, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise

    def read(self, name):
        """A file's content; IoError where it does not exist."""
        return read_bytes(self.path(name))

    def remove(self, name):
        """Removes a file, if it exists."""
        with _errors(self.path(name)), contextlib.suppress(FileNotFoundError):
            if self.local:
                os.unlink(self.path(name))
            else:
                self._fs.rm_file(self.path(name))

    def names_in(self, folder):
        """Names of the files in a folder, which need not exist."""
        with _errors(self.path(folder)):
            if self.local:
                return [f"{folder}/{name}" for name in sorted(os.listdir(self.path(folder)))] if os.path.isdir(self.path(folder)) else []
            found = self._fs.find(self.path(folder)) if self._fs.exists(self.path(folder)) else []
            return [f"{folder}/{posixpath.basename(name)}" for name in sorted(found)]

    def remove_folder(self, folder):
        """Removes a folder with its files, if it exists."""
        for name in self.names_in(folder):
            self.remove(name)
        if self.local:
            with contextlib.suppress(OSError):  # it does not exist, or somebody still writes there
                os.rmdir(self.path(folder))

    def sizes(self):
        """Bytes of each file, by its name below the folder; files that vanish meanwhile are left out."""
        with _errors(self.root):
            return self._sizes_local() if self.local else self._sizes_remote()

    def _sizes_remote(self):
        found = self._fs.find(self.root, detail=True) if self._fs.exists(self.root) else {}
        start = len(self._fs._strip_protocol(self.root)) + 1
        return {path[start:]: info["size"] for path, info in found.items()}

    def _sizes_local(self):
        sizes, pending = {}, [""]
        while pending:
            below = pending.pop()
            with contextlib.suppress(FileNotFoundError), os.scandir(os.path.join(self.root, below)) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):
                        if entry.is_dir(follow_symlinks=False):
                            pending.append(f"{below}{entry.name}/")
                        else:
                            sizes[below + entry.name] = entry.stat().st_size
        return sizes


def _remove_stale(path):
    with contextlib.suppress(FileNotFoundError):
        if time.time() - os.stat(path).st_mtime > _STALE:
            os.unlink(path)


def stamp(source):
    """Size and modification time, or the store's tag, of an input: what tells that it has changed.

    Raises
    ------
    IoError
        It does not exist.
    """
    with _errors(source):
        if "://" not in source:
            status = os.stat(source)
            if not stat.S_ISREG(status.st_mode):  # whoever reads a pipe or a device may wait for ever
                raise IoError(f"{source} is no regular file")
            return [status.st_size, status.st_mtime_ns]
        info = filesystem(source).info(source)
    return [info.get("size"), str(info.get("ETag") or info.get("etag") or info.get("LastModified") or info.get("mtime") or info.get("created") or "")]


def wrong_outputs(store, records, threads=8):
    """Names of outputs whose bytes are not those that their records tell, or that are gone."""

    def is_wrong(record):
        try:
            return sha256(b"".join(map(store.read, files_of(record["output"])))) != record["sha256"]
        except Error:
            return True

    done = [record for record in records if record["status"] == "done"]
    with ThreadPoolExecutor(threads) as pool:
        return [record["output"] for record, wrong in zip(done, pool.map(is_wrong, done)) if wrong]
