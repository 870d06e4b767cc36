"""Where the functions of talus.linalg put their results, and arguments as Talus's routines take them.

Of lists each function here sees one array after the other.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

from talus import _talus
from talus._errors import call, shape_of
from talus._frameworks import (
    Array,
    Arrays,
    Framework,
    Lists,
    Repeats,
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
    check_out(f, out, shape, like)
    if out is not like and f.may_overlap(out, like):
        return empty(shape, like)
    fits = is_by_columns(f, out[..., None] if stored == "vectors" else out)
    return out if fits or (stored == "rows" and is_by_columns(f, f.transposed(out))) else empty(shape, like)


def check_out(f: Framework, out: Array, shape: Shape, like: Array) -> None:
    """Refuses an `out` that cannot hold a result of this shape."""
    f.look_alike("out", out, like.dtype, like)
    if tuple(out.shape) != tuple(shape):
        raise ValueError(f"out: has shape {tuple(out.shape)}, the result {tuple(shape)}")
    why = f.why_read_only(out)
    if why:
        raise TypeError(f"out: {why}")
    if 0 not in shape and any(
        stride == 0 and extent > 1 for stride, extent in zip(f.strides(out) or (), shape)
    ):
        raise ValueError("out: its elements overlap")


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
    return repeated_ints(f, vectors, shape)


def repeated_ints(f: Framework, ints: Array, shape: Shape) -> Array:
    """Returns a copy, broadcast to a shape."""
    copy = f.ints(shape, ints)
    copy[...] = f.expanded(ints, shape)
    return copy


# ---- matrices that are repeated along dimensions of a batch --------------------------------------

FEW = 16  # matrices, each of which has a call of its own


class Sides:
    """Right-hand sides B of matrices A that are repeated, copied to an array of its own: dimensions along
    which A changes come before those along which it is repeated, so that the right-hand sides of one matrix
    are adjacent columns in memory."""

    def __init__(self, f: Framework, r: Repeats, B: Array, rows: int) -> None:
        """Copies B (*batch_B, m, nrhs) to the first m of `rows` rows."""
        m, nrhs = B.shape[-2:]
        self._f, self._r = f, r
        self._memory = f.empty((*r.own, *r.repeated, nrhs, rows), B)
        B = f.permuted(f.expanded(B, (*r.batch, m, nrhs)), self._axes(r.order))
        copy_matrices("B", B, f.transposed(self._memory)[..., :m, :])

    def _axes(self, order: Sequence[int]) -> tuple[int, ...]:
        return (*order, len(order), len(order) + 1)

    def side_by_side(self, parts: int = 1) -> Array:
        """Returns a view (distinct, parts, rows, columns): the right-hand sides of each A in `parts` matrices
        of one size."""
        r, (*_, nrhs, rows) = self._r, self._memory.shape
        shape = (r.distinct, parts, r.times // parts * nrhs, rows)
        return self._f.transposed(self._f.reshaped(self._memory, shape))

    def in_order_of_batch(self, out: Array | None = None) -> Array:
        """Returns (*batch, rows, nrhs), in `out` or stored column by column. It is a view if A is repeated
        along the last dimensions."""
        order = self._r.order
        in_order = sorted(range(len(order)), key=order.__getitem__)
        X = self._f.permuted(self._f.transposed(self._memory), self._axes(in_order))
        if out is not None:
            return put(self._f, X, out)
        return X if in_order == sorted(order) else copied_by_columns(self._f, X)

    def info(self, of_A: Array) -> Array:
        """Returns info (*batch,), given the info of the distinct matrices in any shape."""
        return repeated_ints(self._f, self._f.reshaped(of_A, self._r.batch_A), self._r.batch)


def solve_repeated(
    f: Framework,
    r: Repeats,
    solve: Callable[..., None],
    factors: Sequence[Array],
    B: Array,
    out: Array | None,
) -> tuple[Array, Array]:
    """X (*batch, n, nrhs), in `out` or stored column by column, and info (*batch,), where solve(*factors, X,
    info) of equal batches overwrites right-hand sides. No factor (*batch_A, ...) is copied: few matrices have
    a call each, in which strides of 0 repeat the matrix; many have one call with longer matrices of
    right-hand sides."""
    if out is not None:
        check_out(f, out, (*r.batch, *B.shape[-2:]), B)
    sides, batch_dimensions = Sides(f, r, B, B.shape[-2]), len(factors[0].shape) - 2
    factors = [f.reshaped(x, (r.distinct, *x.shape[batch_dimensions:])) for x in factors]
    few = r.distinct < FEW < r.times
    X = sides.side_by_side(r.times if few else 1)
    infos = f.ints(X.shape[:2], B)
    if few:
        for a in range(r.distinct):
            repeated = [f.expanded(x[a, ...], (r.times, *x.shape[1:])) for x in factors]
            solve(*repeated, X[a, ...], infos[a, ...])
    else:
        solve(*factors, X[:, 0, ...], infos[:, 0])
    return sides.in_order_of_batch(out), sides.info(infos[:, 0])


def into(new: Framework | Lists, X: Arrays, out: Arrays | None) -> Arrays:
    """The result, copied where it could not be computed in `out`."""
    return X if out is None else new.each(put, X, out)


def put(f: Framework, X: Array, out: Array) -> Array:
    if X is out:
        return out
    if f.is_regular(out):
        copy_matrices("out", *((X[None], out[None]) if len(X.shape) == 1 else (X, out)))
    else:
        out[...] = X
    return out


def put_ints(f: Framework, vectors: Array, out: Array) -> Array:
    f.look_alike("out", out, vectors.dtype, vectors)
    if vectors.shape != out.shape:
        raise ValueError(f"out: has shape {tuple(out.shape)}, the result {tuple(vectors.shape)}")
    why = f.why_read_only(out)
    if why:
        raise TypeError(f"out: {why}")
    out[...] = vectors
    return out
