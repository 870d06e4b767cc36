"""talus.linalg: linear algebra of very many small matrices, with the names and shapes of torch.linalg.

An argument A (*batch, m, n) is an array of PyTorch, CuPy, NumPy or another framework of the array API
standard, in float32, float64, complex64 or complex128, or a list of arrays (m, n) of different sizes. Results
are new arrays of the same framework on the same device, or lists of such. Arrays of JAX go to talus.jax,
which raises no LinAlgError.

* `out=` names arrays for the results. One that is the argument itself is overwritten in place; one that
  shares memory with an argument in another way is written last. Of lists, an element of `out` may share
  memory with the elements at the same place of the arguments alone.
* Functions without `_ex` raise talus.LinAlgError where a matrix failed, and wait for the GPU to know. Those
  with `_ex` return `info` (*batch,), int32, instead, and never wait: it is 0 for each matrix that did not
  fail. What the results of one that did hold is not specified; its neighbours are unharmed.
* Work is queued on the current stream of the framework, and may be captured in a CUDA graph, except of lists.
* Arrays of lists are allocated one by one: who cannot wait for that has `out=`, or Talus's routines by
  LAPACK's names.
* Any strides are taken. Talus's routines work in place on matrices stored column by column, so that arguments
  are copied once: of matrices stored row by row the copy is a transposition. Results of cholesky,
  cholesky_inverse and inv are stored row by row, those of the others column by column, as LAPACK has them.
* An A that is broadcast, over all of the batch of B or over some dimensions, is factored once.
* Masked arrays of NumPy lose their mask. Fields of packed records are copied. Arrays of another byte order or
  of long double are refused: use A.astype('=f8').
* TypeError and ValueError begin with the name of the argument that is refused.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any, Literal, NamedTuple

from talus import _talus
from talus._errors import (
    NO_FACTOR,
    NOT_OF_FULL_RANK,
    OF_A,
    OF_A_AND_B,
    OF_B,
    OF_FACTORED_A,
    OF_L,
    OF_LU,
    SINGULAR,
    LinAlgError,
    at_least_2,
    call,
    check_square,
    raise_if_failed,
    renamed,
    shape_of,
    why_not_positive,
)
from talus._frameworks import (
    JAX,
    Array,
    Arrays,
    Framework,
    Repeats,
    Shape,
    Space,
    by_columns,
    by_rows,
    framework_of,
    int_vectors,
    is_by_columns,
    is_jax,
    repeats,
)
from talus._places import (
    FEW,
    Sides,
    are_vectors,
    copied_by_columns,
    copy_matrices,
    into,
    of_one_batch,
    overlap,
    place,
    place_by_rows,
    put_ints,
    readable,
    readable_ints,
    repeated_ints,
    solve_repeated,
)

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cholesky_inverse",
    "cholesky_inverse_ex",
    "cholesky_solve",
    "cholesky_solve_ex",
    "inv",
    "inv_ex",
    "lstsq",
    "lstsq_ex",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "lu_solve_ex",
    "qr",
    "solve",
    "solve_ex",
    "solve_triangular",
]


class LstsqResult(NamedTuple):
    solution: Arrays
    residuals: Arrays


# ---- Cholesky ------------------------------------------------------------------------------------


def cholesky(A: Arrays, *, upper: bool = False, out: Arrays | None = None) -> Arrays:
    """L with A = L L^H, or with upper=True U with A = U^H U.

    A (*batch, n, n) is Hermitian positive definite; only its lower (upper) triangle is read. Returns L
    (*batch, n, n), row by row, with zeros above its diagonal (of U below it). Imaginary parts of the diagonal
    count as zero. Raises talus.LinAlgError where a leading minor is not positive definite, or has a NaN.

    >>> import numpy, talus
    >>> talus.linalg.cholesky(numpy.array([[4.0, 2.0], [2.0, 10.0]]))
    array([[2., 0.],
           [1., 3.]])
    """
    if is_jax(A):
        return _of_jax("cholesky", out)(A, upper=upper)
    L, info = cholesky_ex(A, upper=upper, out=out)
    raise_if_failed("cholesky", info, why_not_positive(A, upper, _overwrites(out, A)))
    return L


def cholesky_ex(A: Arrays, *, upper: bool = False, out: Arrays | None = None) -> tuple[Arrays, Array]:
    """cholesky without an exception. Returns L and info (*batch,): j > 0 where the leading minor of order j
    is not positive definite."""
    new = framework_of("A", A)
    if new is JAX:
        L, info = _of_jax("cholesky_ex", out)(A, upper=upper)
        return L, info
    if out is None and isinstance(new, Framework):
        L, info = new.allocate(_cholesky_spaces(A.shape), A)
    else:
        L = new.each(place_by_rows, A, out)
        info = new.info(A)
    try:
        _talus.potrf("upper" if upper else "lower", L, info, A_from=A)
    except (TypeError, ValueError) as error:
        raise renamed(error, OF_A) from None
    return into(new, L, out), info


@functools.lru_cache(maxsize=1024)
def _cholesky_spaces(shape: Shape) -> tuple[Space, Space]:
    """Of L and info."""
    shape = tuple(at_least_2(shape))
    return by_rows(shape), int_vectors(shape[:-2])


def cholesky_solve(B: Arrays, L: Arrays, *, upper: bool = False, out: Arrays | None = None) -> Arrays:
    """X with A X = B, where L is the Cholesky factor of A (upper=True: its U). B comes first, as in PyTorch.

    B (*batch, n, nrhs), L (*batch, n, n); their batches are broadcast. Returns X (*batch, n, nrhs), column by
    column. Imaginary parts of L's diagonal count as zero. Real factors are read where they are; complex ones
    that are stored row by row are copied. Raises talus.LinAlgError where an element of a factor's diagonal is
    not > 0.

    >>> import numpy, talus
    >>> L = numpy.array([[2.0, 0.0], [1.0, 3.0]])
    >>> talus.linalg.cholesky_solve(numpy.array([[6.0], [12.0]]), L)
    array([[1.],
           [1.]])
    """
    if is_jax(B):
        return _of_jax("cholesky_solve", out)(B, L, upper=upper)
    X, info = cholesky_solve_ex(B, L, upper=upper, out=out)
    raise_if_failed("cholesky_solve", info, NO_FACTOR)
    return X


def cholesky_solve_ex(
    B: Arrays, L: Arrays, *, upper: bool = False, out: Arrays | None = None
) -> tuple[Arrays, Array]:
    """cholesky_solve without an exception. Returns X and info (*batch,): j > 0 where diagonal element j of
    the factor is not > 0."""
    new = framework_of("B", B)
    if new is JAX:
        X, info = _of_jax("cholesky_solve_ex", out)(B, L, upper=upper)
        return X, info
    new.beside("L", L, B)
    r = _partly_repeated(new, "L", L, B)
    if r is not None:
        solve = functools.partial(call, OF_L, _talus.potrs, _uplo(upper))
        return solve_repeated(new, r, solve, [_cholesky_factor(new, L)], B, out)
    factor, B, X = new.each(_cholesky_solve_arrays, B, L, out)
    info = new.info(X)
    call(OF_L, _talus.potrs, _uplo(upper), factor, X, info, B_from=B)
    return into(new, X, out), info


def _cholesky_solve_arrays(f: Framework, B: Array, L: Array, out: Array | None) -> tuple[Array, Array, Array]:
    """The factor and the right-hand sides as potrs takes them, and the place of the solution."""
    factor = _cholesky_factor(f, L, overlap(f, L, out))
    B, factor = of_one_batch(f, "B", B, "L", factor)
    return factor, B, place(f, out, B.shape, B)


def _cholesky_factor(f: Framework, L: Array, overwritten: bool = False) -> Array:
    shape_of("L", L)
    return readable(f, "L", L, overwritten, by_rows_too=not f.is_complex(L))


def cholesky_inverse(L: Arrays, *, upper: bool = False, out: Arrays | None = None) -> Arrays:
    """The inverse of A, where L (*batch, n, n) is the Cholesky factor of A (upper=True: its U).

    Returns A^-1 (*batch, n, n), both triangles, row by row. Raises talus.LinAlgError where an element of a
    factor's diagonal is not > 0.

    >>> import numpy, talus
    >>> talus.linalg.cholesky_inverse(numpy.array([[2.0, 0.0], [1.0, 2.0]]))
    array([[ 0.3125, -0.125 ],
           [-0.125 ,  0.25  ]])
    """
    inverse, info = cholesky_inverse_ex(L, upper=upper, out=out)
    raise_if_failed("cholesky_inverse", info, NO_FACTOR)
    return inverse


def cholesky_inverse_ex(L: Arrays, *, upper: bool = False, out: Arrays | None = None) -> tuple[Arrays, Array]:
    """cholesky_inverse without an exception. Returns A^-1 and info (*batch,): j > 0 where diagonal element j
    of the factor is not > 0."""
    new = _without_jax("L", L)
    inverse = new.each(place_by_rows, L, out, "L")
    info = new.info(L)
    call(OF_L, _talus.potri, _uplo(upper), inverse, info, A_from=L)
    _talus.copy(inverse, inverse, "mirror_upper" if upper else "mirror_lower")
    return into(new, inverse, out), info


# ---- triangular systems --------------------------------------------------------------------------


def solve_triangular(
    A: Arrays,
    B: Arrays,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Arrays | None = None,
) -> Arrays:
    """X with A X = B, or with left=False X A = B, where A is triangular.

    A (*batch, n, n): the other triangle is not read, nor with unitriangular=True the diagonal, which is ones.
    B (*batch, n, nrhs), or with left=False (*batch, nrhs, n); the batches are broadcast. Returns X of B's
    shape, column by column, with left=False row by row. A is read where it is if it is stored column by
    column or row by row. No matrix fails: a zero on the diagonal gives infinities and NaN, as in
    torch.linalg.solve_triangular.

    >>> import numpy, talus
    >>> A = numpy.array([[2.0, 0.0], [1.0, 3.0]])
    >>> talus.linalg.solve_triangular(A, numpy.array([[2.0], [7.0]]), upper=False)
    array([[1.],
           [2.]])
    """
    new = framework_of("A", A)
    if new is JAX:
        return _of_jax("solve_triangular", out)(A, B, upper=upper, left=left, unitriangular=unitriangular)
    new.beside("B", B, A)
    transposed = _are_by_rows(new, A)
    op: Literal["none", "trans"] = "none" if transposed != left else "trans"
    solve = functools.partial(
        call,
        OF_B,
        _talus.trsm,
        "left",
        _uplo(upper != transposed),
        op,
        "unit" if unitriangular else "non_unit",
        1.0,
    )
    r = _partly_repeated(new, "A", A, B)
    if r is None:
        triangle, B, columns, X = new.each(_solve_triangular_arrays, A, B, transposed, left, out)
        solve(triangle, columns, B_from=B)
        return into(new, X, out)
    check_square("A", A)
    triangle = readable(new, "A", new.transposed(A) if transposed else A, False)
    if left:
        return solve_repeated(new, r, solve, [triangle], B, out)[0]
    of_out = out if out is None else new.transposed(out)
    X, _ = solve_repeated(new, r, solve, [triangle], new.transposed(B), of_out)
    return new.transposed(X) if out is None else out


def _are_by_rows(new: Any, A: Arrays) -> bool:
    """True if all matrices are stored row by row, and not all of them column by column."""

    def is_by_rows(f: Framework, A: Array) -> bool:
        return len(A.shape) >= 2 and not is_by_columns(f, A) and is_by_columns(f, f.transposed(A))

    found = new.each(is_by_rows, A)
    return all(found) if isinstance(found, list) else found


def _solve_triangular_arrays(
    f: Framework, A: Array, B: Array, transposed: bool, left: bool, out: Array | None
) -> tuple[Array, Array, Array, Array]:
    """Returns the triangle, or its transpose, the right-hand sides, the array that trsm overwrites, and the
    result."""
    check_square("A", A)
    triangle = readable(f, "A", f.transposed(A) if transposed else A, overlap(f, A, out))
    triangle, B = of_one_batch(f, "A", triangle, "B", B)
    return (triangle, *_solution(f, triangle, B, left, out))


# ---- LU ------------------------------------------------------------------------------------------


def lu_factor(A: Arrays, *, out: tuple[Arrays, Arrays] | None = None) -> tuple[Arrays, Arrays]:
    """L and U with A = P L U, in one array, and the row exchanges that make P.

    A (*batch, m, n). Returns LU (*batch, m, n), column by column: U on and above the diagonal, L, whose
    diagonal is ones, below it; and pivots (*batch, min(m, n)), int32, counted from 1: row i was exchanged
    with row pivots[i], i = 1, 2, ... Raises talus.LinAlgError where an element of U's diagonal is zero or
    NaN.

    >>> import numpy, talus
    >>> LU, pivots = talus.linalg.lu_factor(numpy.array([[1.0, 2.0], [2.0, 6.0]]))
    >>> LU
    array([[ 2. ,  6. ],
           [ 0.5, -1. ]])
    >>> pivots
    array([2, 2], dtype=int32)
    """
    if is_jax(A):
        LU, pivots = _of_jax("lu_factor", out)(A)
        return LU, pivots
    LU, pivots, info = lu_factor_ex(A, out=out)
    raise_if_failed("lu_factor", info, SINGULAR)
    return LU, pivots


def lu_factor_ex(A: Arrays, *, out: tuple[Arrays, Arrays] | None = None) -> tuple[Arrays, Arrays, Array]:
    """lu_factor without an exception. Returns LU, pivots and info (*batch,): j > 0 where U(j, j) is the first
    zero or NaN on the diagonal."""
    new = framework_of("A", A)
    if new is JAX:
        LU, pivots, info = _of_jax("lu_factor_ex", out)(A)
        return LU, pivots, info
    out_LU, out_pivots = _pair("(LU, pivots)", out)
    if out is None and isinstance(new, Framework):
        LU, pivots, info = new.allocate(_lu_factor_spaces(A.shape), A)
    else:
        LU, pivots = new.each(_lu_factor_arrays, A, out_LU)
        info = new.info(A)
    try:
        _talus.getrf(LU, pivots, info, A_from=A)
    except (TypeError, ValueError) as error:
        raise renamed(error, OF_A) from None
    if out_pivots is not None:
        new.each(put_ints, pivots, out_pivots)
        pivots = out_pivots
    return into(new, LU, out_LU), pivots, info


@functools.lru_cache(maxsize=1024)
def _lu_factor_spaces(shape: Shape) -> tuple[Space, Space, Space]:
    """Of LU, pivots and info."""
    *batch, m, n = at_least_2(shape)
    return by_columns((*batch, m, n)), int_vectors((*batch, min(m, n))), int_vectors(tuple(batch))


def _lu_factor_arrays(f: Framework, A: Array, out: Array | None) -> tuple[Array, Array]:
    *batch, m, n = shape_of("A", A)
    return place(f, out, A.shape, A), f.ints((*batch, min(m, n)), A)


def lu_solve(
    LU: Arrays,
    pivots: Arrays,
    B: Arrays,
    *,
    left: bool = True,
    adjoint: bool = False,
    out: Arrays | None = None,
) -> Arrays:
    """X with A X = B, or with left=False X A = B, where lu_factor made LU and pivots of A. adjoint=True: with
    A^H for A.

    LU (*batch, n, n), pivots (*batch, n), int32, B (*batch, n, nrhs), or with left=False (*batch, nrhs, n);
    the batches are broadcast. Returns X of B's shape, column by column, with left=False row by row. LU is
    read where it is if it is stored column by column, as lu_factor leaves it. Raises talus.LinAlgError where
    an element of U's diagonal is zero or NaN.

    Pivots count from 1, as in LAPACK and PyTorch. scipy.linalg and jax.scipy.linalg count pivots from 0: pass
    pivots + 1. On the CPU a pivot of row i outside i..n is a ValueError; every array of SciPy's has one. On a
    GPU the matrix fails, with the pivot's number in info.

    >>> import numpy, talus
    >>> factors = talus.linalg.lu_factor(numpy.array([[1.0, 2.0], [2.0, 6.0]]))
    >>> talus.linalg.lu_solve(*factors, numpy.array([[3.0], [8.0]]))
    array([[1.],
           [1.]])
    """
    X, info = lu_solve_ex(LU, pivots, B, left=left, adjoint=adjoint, out=out)
    raise_if_failed("lu_solve", info, SINGULAR)
    return X


def lu_solve_ex(
    LU: Arrays,
    pivots: Arrays,
    B: Arrays,
    *,
    left: bool = True,
    adjoint: bool = False,
    out: Arrays | None = None,
) -> tuple[Arrays, Array]:
    """lu_solve without an exception. Returns X and info (*batch,): j > 0 where U(j, j) is zero or NaN."""
    new = _without_jax("LU", LU)
    new.beside("pivots", pivots, LU)
    new.beside("B", B, LU)
    if left:
        op = "conj_trans" if adjoint else "none"
    else:  # X A = B is A^T X^T = B^T, and X A^H = B is A X^H = B^H
        op = "none" if adjoint else "trans"
    r = _partly_repeated(new, "LU", LU, B)
    if r is None:
        factor, pivots, B, columns, X = new.each(_lu_solve_arrays, LU, pivots, B, left, out)
        info = new.info(columns)
        if adjoint and not left:
            B = new.each(_conjugated, B)
        call(OF_LU, _talus.getrs, op, factor, pivots, columns, info, B_from=B)
        if adjoint and not left:
            new.each(_conjugate, columns)
        return into(new, X, out), info
    factors = _lu_factors(new, LU, pivots)
    solve = functools.partial(call, OF_LU, _talus.getrs, op)
    if left:
        return solve_repeated(new, r, solve, factors, B, out)
    columns = new.transposed(B)
    if adjoint:
        columns = _conjugated(new, columns)
    of_out = out if out is None else new.transposed(out)
    X, info = solve_repeated(new, r, solve, factors, columns, of_out)
    if adjoint:
        _conjugate(new, X)
    return new.transposed(X) if out is None else out, info


def _lu_solve_arrays(
    f: Framework, LU: Array, pivots: Array, B: Array, left: bool, out: Array | None
) -> tuple[Array, Array, Array, Array, Array]:
    """The factors, pivots and right-hand sides as getrs takes them, the array that it works on, and the
    result."""
    factor, pivots = _lu_factors(f, LU, pivots, overlap(f, LU, out))
    factor, B = of_one_batch(f, "LU", factor, "B", B)
    if pivots.shape[:-1] != factor.shape[:-2]:
        pivots = readable_ints(f, pivots, (*factor.shape[:-2], pivots.shape[-1]))
    return (factor, pivots, *_solution(f, factor, B, left, out))


def _lu_factors(f: Framework, LU: Array, pivots: Array, overwritten: bool = False) -> tuple[Array, Array]:
    """Returns factors and pivots of one batch, stored as getrs takes them."""
    if len(pivots.shape) < 1:
        raise ValueError("pivots: has 0 dimensions, not 1 or more")
    if pivots.shape[:-1] != shape_of("LU", LU)[:-2]:
        raise ValueError(
            f"pivots: its batch is {tuple(pivots.shape[:-1])}, that of LU {tuple(LU.shape[:-2])}"
        )
    return readable(f, "LU", LU, overwritten), readable_ints(f, pivots, pivots.shape)


def _conjugate(f: Framework, A: Array) -> None:
    """In place."""
    if f.is_complex(A):
        A[...] = f.conjugate(A)


def _conjugated(f: Framework, A: Array) -> Array:
    return f.conjugate(A) if f.is_complex(A) else A


def solve(A: Arrays, B: Arrays, *, left: bool = True, out: Arrays | None = None) -> Arrays:
    """X with A X = B, or with left=False X A = B.

    A (*batch, n, n), B (*batch, n, nrhs), or with left=False (*batch, nrhs, n); their batches are broadcast.
    B is a vector where it is (n,), or where its shape is (*batch, n) with A's batch. Returns X of B's shape,
    column by column, with left=False row by row. Raises talus.LinAlgError where A is singular.

    >>> import numpy, talus
    >>> talus.linalg.solve(numpy.array([[2.0, 1.0], [1.0, 3.0]]), numpy.array([3.0, 4.0]))
    array([1., 1.])
    """
    if is_jax(A):
        X = _of_jax("solve", out)(*((A, B) if left else (A.mT, B.mT)))
        return X if left else X.mT
    X, info = solve_ex(A, B, left=left, out=out)
    raise_if_failed("solve", info, SINGULAR)
    return X


def solve_ex(A: Arrays, B: Arrays, *, left: bool = True, out: Arrays | None = None) -> tuple[Arrays, Array]:
    """solve without an exception. Returns X and info (*batch,): j > 0 where U(j, j) of the LU factorization
    of A (of A^T with left=False) is zero or NaN."""
    new = framework_of("A", A)
    if new is JAX:
        X, info = _of_jax("solve_ex", out)(*((A, B) if left else (A.mT, B.mT)))
        return X if left else X.mT, info
    if out is None and left and type(A) is type(B) and isinstance(new, Framework):
        spaces = _solve_spaces(A.shape, B.shape)
        if spaces is not None:
            factor, pivots, X, info = new.allocate(spaces, A)
            try:
                _talus.gesv(factor, pivots, X, info, A_from=A, B_from=B)
            except (TypeError, ValueError) as error:
                raise renamed(error, OF_A_AND_B) from None
            return X, info
    new.beside("B", B, A)
    if isinstance(new, Framework) and repeats(A.shape, B.shape) is not None:
        if left:
            return _solve_by_factors(new, A, B, out)[2:]
        of_out = out if out is None else new.transposed(out)
        *_, X, info = _solve_by_factors(new, new.transposed(A), new.transposed(B), of_out)
        return new.transposed(X) if out is None else out, info
    A, B, factor, pivots, columns, X = new.each(_solve_arrays, A, B, left, out)
    info = new.info(factor)
    call(OF_A_AND_B, _talus.gesv, factor, pivots, columns, info, A_from=A, B_from=B)
    return into(new, X, out), info


def _solve_by_factors(
    f: Framework, A: Array, B: Array, out: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Factors each of the matrices A, which are repeated beside B, once. Returns LU, pivots, X and info."""
    check_square("A", A)
    shape_of("B", B)
    LU, pivots, info = lu_factor_ex(A)
    try:
        X, info_of_X = lu_solve_ex(LU, pivots, B, out=out)
    except (TypeError, ValueError) as error:
        raise renamed(error, OF_FACTORED_A) from None
    return LU, pivots, X, repeated_ints(f, info, info_of_X.shape)


@functools.lru_cache(maxsize=1024)
def _solve_spaces(shape_A: Shape, shape_B: Shape) -> tuple[Space, Space, Space, Space] | None:
    """Of the factors, pivots, X and info, where both batches are one. X may be vectors."""
    *batch, _, n = shape_A = tuple(at_least_2(shape_A))
    vectors = are_vectors(shape_B, shape_A)
    if len(shape_B) < 2 - vectors or shape_B[: vectors - 2] != tuple(batch):
        return None
    X = (by_rows if vectors else by_columns)(tuple(shape_B))
    return by_columns(shape_A), int_vectors((*batch, n)), X, int_vectors(tuple(batch))


def _solve_arrays(
    f: Framework, A: Array, B: Array, left: bool, out: Array | None
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Both arguments as gesv takes them, the arrays that it works on, and the result."""
    vectors = are_vectors(B.shape, A.shape)
    if vectors:
        if not left:
            raise ValueError("B: is a vector, which left=False does not take")
        of_vectors, B = B, B[..., None]
    A, B = of_one_batch(f, "A", A, "B", B)
    if not left:
        check_square("A", A)
        A = f.transposed(A)
    factor, pivots = place(f, None, A.shape, A), f.ints(A.shape[:-1], A)
    if not vectors:
        B, columns, X = _solution(f, A, B, left, out)
        return A, B, factor, pivots, columns, X
    X = place(f, out, B.shape[:-1], of_vectors, "vectors")
    return A, B, factor, pivots, X[..., None], X


def _solution(f: Framework, A: Array, B: Array, left: bool, out: Array | None) -> tuple[Array, Array, Array]:
    """B, or with left=False B^T, an array of its shape stored column by column, and that as B is."""
    if left:
        X = place(f, out, B.shape, B)
        return B, X, X
    if B.shape[-1] != A.shape[-1]:
        raise ValueError(f"B: has {B.shape[-1]} columns, and there are {A.shape[-1]} unknowns in a row")
    columns_of_B = f.transposed(B)
    of_out = out if out is None else columns_of_B if out is B else f.transposed(out)
    columns = place(f, of_out, columns_of_B.shape, columns_of_B)
    return columns_of_B, columns, out if columns is of_out else f.transposed(columns)


def inv(A: Arrays, *, out: Arrays | None = None) -> Arrays:
    """A^-1 (*batch, n, n) of A (*batch, n, n), row by row. Raises talus.LinAlgError where A is singular.

    >>> import numpy, talus
    >>> talus.linalg.inv(numpy.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if is_jax(A):
        return _of_jax("inv", out)(A)
    inverse, info = inv_ex(A, out=out)
    raise_if_failed("inv", info, SINGULAR)
    return inverse


def inv_ex(A: Arrays, *, out: Arrays | None = None) -> tuple[Arrays, Array]:
    """inv without an exception. Returns A^-1 and info (*batch,): j > 0 where U(j, j) of an LU factorization
    is zero or NaN."""
    new = framework_of("A", A)
    if new is JAX:
        inverse, info = _of_jax("inv_ex", out)(A)
        return inverse, info
    A, inverse, columns, pivots = new.each(_inv_arrays, A, out)
    info = new.info(columns)
    call(OF_A, _talus.getrf, columns, pivots, info, A_from=A)
    _talus.getri(columns, pivots, None)
    return into(new, inverse, out), info


def _inv_arrays(f: Framework, A: Array, out: Array | None) -> tuple[Array, Array, Array, Array]:
    """A, the place of its inverse, the same or the transposes of both, whichever are stored column by column,
    and pivots."""
    check_square("A", A)
    inverse = place_by_rows(f, A, out)
    pivots = f.ints(A.shape[:-1], A)
    if out is not None and is_by_columns(f, inverse):
        return A, inverse, inverse, pivots
    return f.transposed(A), inverse, f.transposed(inverse), pivots


# ---- QR and least squares ------------------------------------------------------------------------


def qr(
    A: Arrays, mode: str = "reduced", *, out: tuple[Arrays, Arrays] | None = None
) -> tuple[Arrays, Arrays]:
    """Q, whose columns are orthonormal, and upper trapezoidal R with A = Q R. R's diagonal is real; its signs
    are LAPACK's. They jump at exact zeros: R(1, 1) is -2 for a first column (2, 1e-30), and 2 for (2, 0).

    A (*batch, m, n), k = min(m, n). mode "reduced": returns Q (*batch, m, k) and R (*batch, k, n);
    "complete": Q (*batch, m, m) and R (*batch, m, n); "r": None and R (*batch, k, n). All are stored column
    by column. It never waits for the GPU, nor raises LinAlgError: no matrix fails, and what is NaN or
    infinite gives NaN.

    >>> import numpy, talus
    >>> Q, R = talus.linalg.qr(numpy.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> R.round(12)
    array([[-5. , -2.2],
           [ 0. ,  0.4]])
    """
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"mode: {mode!r} is none of 'reduced', 'complete', 'r'")
    new = framework_of("A", A)
    if new is JAX:
        Q, R = _of_jax("qr", out)(A, mode)
        return Q, R
    if out is None and mode == "reduced" and isinstance(new, Framework):
        spaces = _qr_spaces(A.shape)
        if spaces is not None:
            Q, R, info = new.allocate(spaces, A)
            call(OF_A, _talus.qr, Q, R, info, A_from=A)
            return Q, R
    out_Q, out_R = _pair("(Q, R)", out)
    info = new.info(A)
    if mode == "reduced":
        Q, R = new.each(_qr_arrays, A, out_Q, out_R)
        call(OF_A, _talus.qr, Q, R, info, A_from=A)
        Q = new.each(_first_columns, Q, out_Q)
    else:
        factors, tau = new.each(_geqrf_arrays, A)
        call(OF_A, _talus.geqrf, factors, tau, info, A_from=A)
        R = new.each(_upper_triangle, factors, mode == "complete", out_R)
        if mode == "r":
            return None, into(new, R, out_R)
        Q = new.each(_reflectors, factors, out_Q)
        _talus.orgqr(Q, tau, None)
    return into(new, Q, out_Q), into(new, R, out_R)


@functools.lru_cache(maxsize=1024)
def _qr_spaces(shape: Shape) -> tuple[Space, Space, Space] | None:
    """Of Q, R and info, where Q has as many columns as A."""
    *batch, m, n = at_least_2(shape)
    if m < n:
        return None
    return by_columns((*batch, m, n)), by_columns((*batch, n, n)), int_vectors(tuple(batch))


def _qr_arrays(f: Framework, A: Array, out_Q: Array | None, out_R: Array | None) -> tuple[Array, Array]:
    """The places of Q, where A is copied to, and of R."""
    *batch, m, n = shape_of("A", A)
    Q = place(f, out_Q if m >= n else None, A.shape, A)
    return Q, place(f, out_R, (*batch, min(m, n), n), A)


def _first_columns(f: Framework, Q: Array, out: Array | None) -> Array:
    """Q in an array of its own where it is fewer columns than A has."""
    m, n = Q.shape[-2:]
    return Q if m >= n else copied_by_columns(f, Q[..., :m], out)


def _geqrf_arrays(f: Framework, A: Array) -> tuple[Array, Array]:
    *batch, m, n = shape_of("A", A)
    return place(f, None, A.shape, A), f.empty((*batch, min(m, n)), A)


def _upper_triangle(f: Framework, factors: Array, complete: bool, out: Array | None) -> Array:
    *batch, m, n = factors.shape
    rows = m if complete else min(m, n)
    R = place(f, out, (*batch, rows, n), factors)
    copy_matrices("A", factors[..., :rows, :], R, "upper")
    return R


def _reflectors(f: Framework, factors: Array, out: Array | None) -> Array:
    """In the first columns of square matrices."""
    *batch, m, n = factors.shape
    Q = place(f, out, (*batch, m, m), factors)
    copy_matrices("A", factors[..., : min(m, n)], Q[..., : min(m, n)])
    return Q


def lstsq(A: Arrays, B: Arrays, *, out: Arrays | None = None) -> LstsqResult:
    """X that minimizes ||A X - B||_2, column by column, or where A has fewer rows than columns the solution
    of A X = B of least norm. A has full rank: whether it nearly has not is not looked at.

    A (*batch, m, n), B (*batch, m, nrhs); their batches are broadcast. B is a vector as in solve. Returns a
    named tuple: `solution` (*batch, n, nrhs), or of vectors (*batch, n), column by column; `residuals`
    (*batch, nrhs), the sums of squares ||A X - B||_2^2, where m > n, else (0,). `out` takes the solution.
    Raises talus.LinAlgError where an element of the diagonal of R, of A = Q R or A^H = Q R, is zero or NaN.

    >>> import numpy, talus
    >>> A = numpy.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> solution, residuals = talus.linalg.lstsq(A, numpy.array([1.0, 2.0, 6.0]))
    >>> solution.round(12), residuals.round(12)
    (array([0.5, 2.5]), array([1.5]))
    """
    if is_jax(A):
        result: LstsqResult = _of_jax("lstsq", out)(A, B)
        return result
    solution, residuals, info = lstsq_ex(A, B, out=out)
    raise_if_failed("lstsq", info, NOT_OF_FULL_RANK)
    return LstsqResult(solution, residuals)


def lstsq_ex(A: Arrays, B: Arrays, *, out: Arrays | None = None) -> tuple[Arrays, Arrays, Array]:
    """lstsq without an exception. Returns solution, residuals and info (*batch,): j > 0 where R(j, j) is zero
    or NaN."""
    new = framework_of("A", A)
    if new is JAX:
        solution, residuals, info = _of_jax("lstsq_ex", out)(A, B)
        return solution, residuals, info
    new.beside("B", B, A)
    r = repeats(A.shape, B.shape) if isinstance(new, Framework) else None
    if r is None:
        factor, X = new.each(_lstsq_arrays, A, B)
        info = new.info(factor)
        _talus.gels("none", factor, X, info)
    else:
        X, info = _lstsq_repeated(new, r, A, B)
    solution, residuals = new.each(_lstsq_results, A, B, X, out)
    return into(new, solution, out), residuals, info


def _lstsq_arrays(f: Framework, A: Array, B: Array) -> tuple[Array, Array]:
    """A copy of A, and the right-hand sides in the first rows of max(m, n)."""
    if are_vectors(B.shape, A.shape):
        B = B[..., None]
    A, B = of_one_batch(f, "A", A, "B", B)
    m, n = A.shape[-2:]
    *batch, _, nrhs = B.shape
    _check_rows(A, B)
    X = f.empty_columns((*batch, max(m, n), nrhs), B)
    copy_matrices("B", B, X[..., :m, :])
    return copied_by_columns(f, A), X


def _check_rows(A: Array, B: Array) -> None:
    if B.shape[-2] != A.shape[-2]:
        raise ValueError(f"B: has {B.shape[-2]} rows, A has {A.shape[-2]} rows")


def _lstsq_repeated(f: Framework, r: Repeats, A: Array, B: Array) -> tuple[Array, Array]:
    """Returns X (*batch, max(m, n), nrhs) and info of matrices A that are repeated beside B. Each matrix is
    factored once, with all its right-hand sides. Fewer than 16 matrices are factored up to 16 times each, so
    that all cores have work."""
    shape_of("B", B)
    m, n = shape_of("A", A)[-2:]
    _check_rows(A, B)
    sides, factor, parts = Sides(f, r, B, max(m, n)), copied_by_columns(f, A), 1
    factor = f.reshaped(factor, (r.distinct, 1, m, n))
    if r.distinct < FEW:  # a copy of A for each part takes at most an eighth of the right-hand sides' memory
        most = min(FEW, r.times * B.shape[-1] // (8 * max(m, n, 1)))
        parts = next((p for p in range(most, 1, -1) if r.times % p == 0), 1)
    if parts > 1:
        factor = copied_by_columns(f, f.expanded(factor, (r.distinct, parts, m, n)))
    info = f.ints((r.distinct, parts), B)
    _talus.gels("none", factor, sides.side_by_side(parts), info)
    return sides.in_order_of_batch(), sides.info(info[:, 0])


def _lstsq_results(f: Framework, A: Array, B: Array, X: Array, out: Array | None) -> tuple[Array, Array]:
    """The solution, which has fewer rows than X where m > n, and the squares of what is below it."""
    m, n = A.shape[-2:]
    vectors = are_vectors(B.shape, A.shape)
    if m <= n:
        residuals = f.empty((0,), X)
    elif n > 0:
        residuals = f.sums_of_squares(X[..., n:, :])
    else:  # without unknowns gels makes B zero
        B = B[..., None] if vectors else B
        residuals = f.sums_of_squares(f.expanded(B, (*X.shape[:-2], *B.shape[-2:])))
    if m <= n and out is None:
        return X[..., 0] if vectors else X, residuals
    if vectors:
        solution = place(f, out, (*X.shape[:-2], n), X, "vectors")
        copy_matrices("B", X[..., :n, :], solution[..., None])
    else:
        solution = place(f, out, (*X.shape[:-2], n, X.shape[-1]), X)
        copy_matrices("B", X[..., :n, :], solution)
    return solution, residuals


# ---- what they have in common --------------------------------------------------------------------


def _pair(names: str, out: Any) -> tuple[Any, Any]:
    if out is None:
        return None, None
    if not isinstance(out, (list, tuple)) or len(out) != 2:
        raise TypeError(f"out: has to be a pair {names}")
    return out[0], out[1]


def _partly_repeated(new: Any, name: str, factor: Arrays, B: Arrays) -> Repeats | None:
    """Returns the Repeats of factors beside B, or None if the batches are equal, or if a stride of 0 repeats
    one factor."""
    if not isinstance(new, Framework) or factor.shape[:-2] == B.shape[:-2]:
        return None
    shape_of("B", B)
    r = repeats(shape_of(name, factor), B.shape)
    return r if r is not None and r.distinct > 1 else None


def _overwrites(out: Arrays | None, A: Arrays) -> bool:
    """True if results in `out` may have changed A."""
    if out is None:
        return False
    found = framework_of("A", A).each(overlap, A, out)
    return any(found) if isinstance(found, list) else bool(found)


def _without_jax(name: str, A: Arrays) -> Any:
    """framework_of, for what talus.jax does not have."""
    new = framework_of(name, A)
    if new is JAX:
        raise TypeError(f"{name}: is an array of JAX, and talus.jax has no such function")
    return new


def _of_jax(name: str, out: Any) -> Any:
    if out is not None:
        raise TypeError("out: arrays of JAX never change")
    return getattr(importlib.import_module("talus.jax"), name)


def _uplo(upper: bool) -> Literal["lower", "upper"]:
    return "upper" if upper else "lower"
