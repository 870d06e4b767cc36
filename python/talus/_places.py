"""Where the functions of talus.linalg put their results, and arguments as Talus's routines take them.

Of lists each function here sees one array after the other.
"""

from __future__ import annotations

from typing import Any

from talus import _talus
from talus._errors import call, shape_of
from talus._frameworks import (
    Array,
    Arrays,
    Framework,
    Lists,
    Shape,
    common_batch,
    framework_of,
    is_by_columns,
)


def place(f: Framework, out: Array | None, shape: Shape, like: Array, stored: str = "columns") -> Array:
    """Where a result is computed: in `out` if it is stored as Talus's routines take it, and if it is `like`,
    the argument that is copied there, or apart from it; else in a new array. `stored`: "columns", "rows", for
    what may be transposed, or "vectors"."""
    empty = f.empty_columns if stored == "columns" else f.empty
    if out is None:
        return empty(shape, like)
    f.look_alike("out", out, like.dtype, like)
    if tuple(out.shape) != tuple(shape):
        raise ValueError(f"out: has shape {tuple(out.shape)}, the result {tuple(shape)}")
    if not f.is_writable(out):
        raise TypeError("out: is read-only")
    if 0 not in shape and any(
        stride == 0 and extent > 1 for stride, extent in zip(f.strides(out) or (), shape)
    ):
        raise ValueError("out: its elements overlap")
    if out is not like and f.may_overlap(out, like):
        return empty(shape, like)
    fits = is_by_columns(f, out[..., None] if stored == "vectors" else out)
    return out if fits or (stored == "rows" and is_by_columns(f, f.transposed(out))) else empty(shape, like)


def overlap(f: Framework, A: Array, out: Array | None) -> bool:
    """May the result overwrite A? What is no array `place` refuses."""
    return out is not None and framework_of("out", out) is f and f.may_overlap(A, out)


def of_one_batch(f: Framework, name_A: str, A: Array, name_B: str, B: Array) -> tuple[Array, Array]:
    """Both broadcast to what their batches have in common."""
    shape_A, shape_B = shape_of(name_A, A), shape_of(name_B, B)
    if shape_A[:-2] == shape_B[:-2]:
        return A, B
    batch = common_batch(name_B, shape_B[:-2], shape_A[:-2])
    shape_A, shape_B = (*batch, *shape_A[-2:]), (*batch, *shape_B[-2:])
    return (
        A if tuple(A.shape) == shape_A else f.expanded(A, shape_A),  # itself, for it may be `out`
        B if tuple(B.shape) == shape_B else f.expanded(B, shape_B),
    )


def are_vectors(shape_B: Shape, shape_A: Shape) -> bool:
    """PyTorch's rule for right-hand sides."""
    return len(shape_B) == 1 or (len(shape_B) == len(shape_A) - 1 and shape_B == shape_A[:-1])


def copy_matrices(name: str, A: Array, B: Array, part: Any = "all") -> None:
    """B := A, where `name` is that of the argument from which A comes."""
    call({"A": name, "B": "out"}, _talus.copy, A, B, part)


def place_by_rows(f: Framework, A: Array, out: Array | None, name: str = "A") -> Array:
    """An array like A, of which the transpose may be stored column by column."""
    shape = shape_of(name, A)
    return f.empty(shape, A) if out is None else place(f, out, shape, A, "rows")


def copied_by_columns(f: Framework, A: Array, out: Array | None = None, name: str = "A") -> Array:
    """A copy stored column by column."""
    copy = f.empty_columns(A.shape, A) if out is None else place(f, out, A.shape, A)
    copy_matrices(name, A, copy)
    return copy


def readable(f: Framework, name: str, A: Array, overwritten: bool, by_rows_too: bool = False) -> Array:
    """A for routines that only read it: a copy where it is stored otherwise, or `out` overwrites it."""
    if not overwritten and (is_by_columns(f, A) or (by_rows_too and is_by_columns(f, f.transposed(A)))):
        return A
    return copied_by_columns(f, A, name=name)


def readable_ints(f: Framework, vectors: Array, shape: Shape) -> Array:
    """Broadcast to a shape, and copied where they are not stored without gaps."""
    f.look_alike("pivots", vectors, f.int32(vectors), vectors)
    if vectors.shape != shape:
        vectors = f.expanded(vectors, shape)
    if is_by_columns(f, vectors[..., None]):
        return vectors
    copy = f.ints(shape, vectors)
    copy[...] = vectors
    return copy


def into(new: Framework | Lists, X: Arrays, out: Arrays | None) -> Arrays:
    """The result, copied where it could not be computed in `out`."""
    return X if out is None else new.each(put, X, out)


def put(f: Framework, X: Array, out: Array) -> Array:
    if X is not out:
        copy_matrices("out", *((X[None], out[None]) if len(X.shape) == 1 else (X, out)))
    return out


def put_ints(f: Framework, vectors: Array, out: Array) -> Array:
    f.look_alike("out", out, vectors.dtype, vectors)
    if vectors.shape != out.shape:
        raise ValueError(f"out: has shape {tuple(out.shape)}, the result {tuple(vectors.shape)}")
    if not f.is_writable(out):
        raise TypeError("out: is read-only")
    out[...] = vectors
    return out
