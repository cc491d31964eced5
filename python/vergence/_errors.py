# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""


class Error(Exception):
    """What everything in Vergence raises that can fail.

    The text names what failed, the value that was given and what to do about it, in one line.

    Attributes
    ----------
    field : str
        The option (``min_disparity``) or the argument (``left picture``) that it is about; empty where it is about
        none.
    """

    field: str = ""


class ArgumentError(Error, ValueError):
    """An option, a size or an array is outside what is allowed."""


class ArgumentTypeError(Error, TypeError):
    """An argument has the wrong type: a list for an array, float pixels, an unknown keyword."""


class NotFoundError(Error, ValueError):
    """A device or a preset of that name does not exist."""


class UnsupportedError(Error, RuntimeError):
    """Valid, but this device cannot honour it."""


class BadDataError(Error, ValueError):
    """Data is truncated, empty or not what it claims to be."""


class IoError(Error, OSError):
    """The operating system refused to read or write."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation on the host or on a device failed."""


class DeviceError(Error, RuntimeError):
    """A device is absent, failed its bit probe, was lost, or refused work."""


class BusyError(Error, RuntimeError):
    """Two threads used one object at the same time."""


def as_error(error: BaseException, name: str) -> Error:
    """Any exception as one of these: itself, or one that names what it is about in one line."""
    if isinstance(error, Error):
        return error
    if isinstance(error, MemoryError):
        return OutOfMemoryError(f"{name}: memory is exhausted: {error}".removesuffix(": "))
    if isinstance(error, OSError):
        text = "no such file" if isinstance(error, FileNotFoundError) else str(error) or type(error).__name__
        return IoError(f"{name}: {error.strerror or text}")
    text = " ".join(str(error).split())
    return Error(f"{name}: {type(error).__name__}: {text}".removesuffix(": "))
