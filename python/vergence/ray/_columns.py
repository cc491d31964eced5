# SPDX-License-Identifier: Apache-2.0
"""Columns of Ray Data's batches as lists of numpy arrays, paths or contents of files, and back."""

import numpy

from .._errors import ArgumentError, ArgumentTypeError


def check(batch):
    """Refuses a batch that is neither a dict of numpy arrays nor a pyarrow.Table."""
    if isinstance(batch, dict) or (type(batch).__module__.startswith("pyarrow") and hasattr(batch, "append_column")):
        return
    raise ArgumentTypeError(f"the batch is of type {type(batch).__name__}: give map_batches batch_format='numpy' or 'pyarrow'")


def rows_of(batch, name):
    """A column as a list with an entry per row."""
    names = list(batch) if isinstance(batch, dict) else batch.column_names
    if name not in names:
        raise ArgumentError(f"the batch has no column {name!r}: it has {', '.join(map(repr, names))}; `columns` names those that are used")
    if isinstance(batch, dict):
        return list(batch[name])
    column = batch.column(name)
    rows = []
    for chunk in column.chunks:
        to_numpy = getattr(chunk, "to_numpy_ndarray", None)
        if to_numpy is not None:
            rows += list(to_numpy())
        elif hasattr(chunk.type, "storage_type"):  # Ray's own tensors
            rows += list(chunk.to_numpy(zero_copy_only=False))
        else:
            rows += chunk.to_pylist()
    return rows


def length_of(batch):
    """Rows of a batch."""
    return len(next(iter(batch.values()))) if isinstance(batch, dict) and batch else len(batch)


def with_columns(batch, columns):
    """The batch with further columns, of lists; one that exists is replaced."""
    if isinstance(batch, dict):
        return {**batch, **{name: _numpy_column(rows) for name, rows in columns.items()}}
    for name, rows in columns.items():
        if name in batch.column_names:
            batch = batch.drop_columns([name])
        batch = batch.append_column(name, _arrow_column(rows))
    return batch


def _numpy_column(rows):
    if rows and all(isinstance(row, numpy.ndarray) for row in rows):
        if len({(row.shape, row.dtype) for row in rows}) == 1:
            return numpy.stack(rows)
    elif rows and not any(row is None or isinstance(row, (str, bytes)) for row in rows):
        return numpy.asarray(rows)
    column = numpy.empty(len(rows), object)
    for index, row in enumerate(rows):
        column[index] = row
    return column


def _arrow_column(rows):
    import pyarrow

    if not rows or not all(isinstance(row, numpy.ndarray) for row in rows):
        return pyarrow.array(rows)
    if len({(row.shape, row.dtype) for row in rows}) == 1 and rows[0].size:
        return pyarrow.FixedShapeTensorArray.from_numpy_ndarray(numpy.stack(rows))
    from ray.data.extensions import ArrowVariableShapedTensorArray

    return ArrowVariableShapedTensorArray.from_numpy(_numpy_column(rows))
