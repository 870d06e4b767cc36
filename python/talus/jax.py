"""Batches of small matrices in JAX: Talus's factorizations and solves under jit, vmap and grad.

Every function takes arrays of shape (*batch, m, n), of float32, float64, complex64 or complex128, on the CPU
or on a CUDA GPU, and works on all matrices of a batch at once. Names and results are those of talus.linalg:

=================  ===========================================  ===========================================
cholesky           A (*batch, n, n)                             L (*batch, n, n)
cholesky_solve     B (*batch, n, nrhs), L (*batch, n, n)        X (*batch, n, nrhs)
solve_triangular   A (*batch, n, n), B (*batch, n, nrhs)        X (*batch, n, nrhs)
lu_factor          A (*batch, m, n)                             LU (*batch, m, n), pivots (*batch, min(m, n))
solve              A (*batch, n, n), B (*batch, n[, nrhs])      X as B
inv                A (*batch, n, n)                             (*batch, n, n)
qr                 A (*batch, m, n)                             Q (*batch, m, k), R (*batch, k, n)
lstsq              A (*batch, m, n), B (*batch, m[, nrhs])      solution (*batch, n[, nrhs]), residuals
=================  ===========================================  ===========================================

A function under jit cannot raise: where a matrix fails (it is not positive definite, or singular), its result
is NaN, as in jax.numpy.linalg. lu_factor is the exception: factors of singular matrices are complete. The
forms whose names end in _ex return `info` as well, int32 of shape (*batch,): 0, or the number, counted from
1, of the row or column at which the matrix failed. What else they return of a matrix that failed is
unspecified.

- jit: results are arrays of XLA's; on a GPU nothing synchronises, and calls may become part of CUDA graphs.
- vmap: the mapped axis becomes one more batch dimension of the call. Matrices that are not mapped are
  factored once where only right-hand sides are mapped, which become columns of one matrix; else they are
  repeated along the axis.
- grad, jvp, vjp: of all but lstsq, to any order. Of lu_factor the factors, not the pivots. The derivative of
  cholesky is with respect to Hermitian matrices, as in jax.numpy.linalg and torch: gradients are Hermitian,
  although only one triangle is read.
- Arrays that are sharded over devices are first gathered. jax.shard_map lets each device work on its own (for
  derivatives with check_vma=False).
"""

from __future__ import annotations

import functools
import math
import pathlib
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from talus._frameworks import repeats
from talus._places import are_vectors
from talus.linalg import LstsqResult

try:
    from talus import _jax
except ImportError as error:
    raise ImportError("talus.jax: talus was built without jaxlib's headers; build it beside them") from error

Array = jax.Array

__all__ = [
    "cholesky",
    "cholesky_ex",
    "cholesky_solve",
    "cholesky_solve_ex",
    "inv",
    "inv_ex",
    "lstsq",
    "lstsq_ex",
    "lu_factor",
    "lu_factor_ex",
    "qr",
    "solve",
    "solve_ex",
    "solve_triangular",
]


def _register() -> None:
    """Makes the handlers known to XLA. Of ones that were built for a newer FFI than it has, it must not hear:
    JAX would have no backend at all then."""
    built, header = tuple(_jax.api_version), pathlib.Path(jax.ffi.include_dir(), "xla/ffi/api/c_api.h")
    if header.exists():
        here = tuple(map(int, re.findall(r"#define XLA_FFI_API_M(?:AJOR|INOR) (\d+)", header.read_text())))
        if built[0] != here[0] or built > here:
            raise ImportError(
                f"talus.jax: built for XLA's FFI {built[0]}.{built[1]}, jaxlib {jaxlib.__version__} has "
                f"{here[0]}.{here[1]}; build talus beside this jaxlib"
            )
    for platform, handlers in _jax.handlers().items():
        for routine, handler in handlers.items():
            jax.ffi.register_ffi_target(f"talus_{routine}", handler, platform=platform)


_register()

# ---- calls of Talus ----------------------------------------------------------------------------------------
#
# Arguments and results have the same batch dimensions; `letters` are LAPACK's. Talus's matrices are stored
# column by column, JAX's row by row, and XLA transposes what lies between. A square matrix need not be
# transposed where Talus may as well have its transpose, which is the same memory: such are given by rows.


def _call(
    routine: str,
    arguments: Sequence[Array],
    results: Sequence[Any],
    letters: str = "",
    *,
    in_place: int = 1,
    by_rows: int | None = None,
) -> Sequence[Array]:
    """One call. The first `in_place` results overwrite the first arguments, or copies of them. Of argument
    `by_rows` Talus gets the transpose."""
    if any(a.size == 0 for a in arguments):  # XLA may not survive their layouts
        return [jnp.zeros(r.shape, r.dtype) for r in results]

    def layout(i: int, array: Any) -> tuple[int, ...] | None:  # from the slowest axis to the fastest
        axes = tuple(range(array.ndim))
        is_by_columns = jnp.issubdtype(array.dtype, jnp.inexact) and i != by_rows
        return (*axes[:-2], axes[-1], axes[-2]) if is_by_columns else None

    return jax.ffi.ffi_call(
        f"talus_{routine}",
        tuple(results),
        input_layouts=[layout(i, a) for i, a in enumerate(arguments)],
        output_layouts=[layout(i, r) for i, r in enumerate(results)],
        input_output_aliases={i: i for i in range(in_place)},
    )(*arguments, letters=letters)


def _batched(function: Callable, sides: int | None = None) -> Callable:
    """`function`, which takes any batch dimensions: under vmap it gets one more, in front. Where only the
    argument `sides` is mapped, which is right-hand sides, these become columns side by side instead: the
    others are not repeated."""
    function = jax.custom_batching.custom_vmap(function)

    @function.def_vmap
    def one_more(axis_size: int, are_mapped: Sequence[bool], *arguments: Array):
        if sides is not None and [i for i, is_mapped in enumerate(are_mapped) if is_mapped] == [sides]:
            arguments = list(arguments)
            B = jnp.moveaxis(arguments[sides], 0, -2)
            arguments[sides] = B.reshape(*B.shape[:-2], axis_size * B.shape[-1])
            results = function(*arguments)
            X, *others = results if isinstance(results, tuple) else (results,)
            X = jnp.moveaxis(X.reshape(*X.shape[:-1], axis_size, B.shape[-1]), -2, 0)
            return ((X, *others), (True, *(False for _ in others))) if others else (X, True)
        arguments = [
            a if is_mapped else jnp.broadcast_to(a, (axis_size, *a.shape))
            for a, is_mapped in zip(arguments, are_mapped)
        ]
        results = function(*arguments)
        return results, jax.tree.map(lambda _: True, results)

    return function


def _like(A: Array, *shape: int) -> jax.ShapeDtypeStruct:
    """Matrices of A's batch and type, of its size unless another is given."""
    return jax.ShapeDtypeStruct((*A.shape[:-2], *shape) if shape else A.shape, A.dtype)


def _ints(A: Array, *shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct((*A.shape[:-2], *shape), jnp.int32)


def _scratch(routine: str, A: Array) -> jax.ShapeDtypeStruct:
    """A result that is scratch, so that it is XLA's memory, also in CUDA graphs."""
    *batch, m, n = A.shape
    count = _jax.scratch_bytes(routine, np.dtype(A.dtype).char, m, n, math.prod(batch))
    return jax.ShapeDtypeStruct((count,), jnp.uint8)


@functools.cache
def _potrf(letters: str) -> Callable:
    def potrf(A):
        results = [_like(A), _ints(A), _scratch("potrf", A)]
        return tuple(_call("potrf", [A], results, letters, by_rows=0)[:2])

    return _batched(potrf)


@functools.cache
def _potrs(letters: str, by_rows: bool) -> Callable:
    def potrs(B, L):
        return tuple(_call("potrs", [B, L], [_like(B), _ints(B)], letters, by_rows=1 if by_rows else None))

    return _batched(potrs, sides=0)


@_batched
def _getrf(A):
    results = [_like(A), _ints(A, min(A.shape[-2:])), _ints(A), _scratch("getrf", A)]
    return tuple(_call("getrf", [A], results)[:3])


@functools.cache
def _getrs(letters: str) -> Callable:
    return _batched(lambda B, LU, pivots: _call("getrs", [B, LU, pivots], [_like(B)], letters)[0], sides=0)


@functools.partial(_batched, sides=1)
def _gesv(A, B):
    if B.size == 0:
        return B, _getrf(A)[2]
    results = [_like(A), _like(B), _ints(A, A.shape[-1]), _ints(A), _scratch("gesv", A)]
    _, X, _, info, _ = _call("gesv", [A, B], results, in_place=2)
    return X, info


@_batched
def _inverse(A):
    results = [_like(A), _ints(A, A.shape[-1]), _ints(A), _scratch("getrf", A)]
    inverse, _, info, _ = _call("inverse", [A], results, by_rows=0)
    return inverse, info


@_batched
def _thin_qr(A):
    m, n = A.shape[-2:]
    Q, R, _ = _call("qr", [A], [_like(A), _like(A, min(m, n), n), _ints(A)])
    return Q[..., : min(m, n)], R


@_batched
def _geqrf(A):
    return tuple(_call("geqrf", [A], [_like(A), _like(A, 1, min(A.shape[-2:])), _ints(A)])[:2])


@_batched
def _orgqr(A, tau):
    if tau.size == 0:
        return jnp.broadcast_to(jnp.eye(A.shape[-1], dtype=A.dtype), A.shape)
    return _call("orgqr", [A, tau], [_like(A)])[0]


@functools.partial(_batched, sides=1)
def _gels(A, B):
    return tuple(_call("gels", [A, B], [_like(A), _like(B), _ints(A)], in_place=2)[1:])


@functools.cache
def _trsm(letters: str) -> Callable:
    return _batched(lambda B, A: _call("trsm", [B, A], [_like(B)], letters)[0])


# ---- linear algebra of derivatives -------------------------------------------------------------------------

# By default a GPU multiplies in lower precision.
_product = functools.partial(jnp.matmul, precision=lax.Precision.HIGHEST)


def _H(A: Array) -> Array:
    return A.mT.conj()


def _conjugated(function: Callable) -> Callable:
    return lambda x: function(x.conj()).conj()


def _triangular_solve(A: Array, B: Array, *, side: str = "L", upper: bool = False, op: str = "N") -> Array:
    """op(A)^-1 B (side "L") or B op(A)^-1 ("R") with a triangle A that has zeros beside it: linear in B, and
    differentiable by both."""

    def solve(op: str) -> Callable:
        # Of the transposed system, which is the same memory, the triangle stands on the other side.
        letters = ("R" if side == "L" else "L") + ("L" if upper else "U") + op
        return lambda b: _trsm(letters)(b.mT, lax.stop_gradient(A).mT).mT

    def product(x: Array) -> Array:
        op_A = {"N": A, "T": A.mT, "C": _H(A)}[op]
        return _product(op_A, x) if side == "L" else _product(x, op_A)

    transposed = _conjugated(solve("N")) if op == "C" else solve({"N": "T", "T": "N"}[op])
    return lax.custom_linear_solve(product, B, lambda _, b: solve(op)(b), lambda _, b: transposed(b))


def _lower_half(A: Array) -> Array:
    """Lower triangular X with A = X + X^H, of Hermitian A."""
    return jnp.tril(A) * (1 - 0.5 * jnp.eye(A.shape[-1], dtype=A.dtype))


def _no_tangent(x: Array) -> np.ndarray:
    """The tangent of integers."""
    return np.zeros(x.shape, jax.dtypes.float0)


# ---- arguments ---------------------------------------------------------------------------------------------


def _arrays(**arguments: ArrayLike) -> list[Array]:
    """The arguments as arrays of one type, with at least one dimension."""
    arrays = {name: jnp.asarray(value) for name, value in arguments.items()}
    dtype = jnp.result_type(*arrays.values())
    if not jnp.issubdtype(dtype, jnp.inexact):
        dtype = jnp.result_type(float)
    if np.dtype(dtype).char not in _jax.types:
        taken = ", ".join(np.dtype(letter).name for letter in _jax.types)
        raise TypeError(f"{next(iter(arrays))}: has dtype {dtype}, not one of {taken}")
    return [a.astype(dtype) for a in arrays.values()]


def _check_matrices(name: str, A: Array, square: bool = False) -> None:
    if A.ndim < 2:
        raise ValueError(f"{name}: has {A.ndim} dimensions, not at least 2")
    if square and A.shape[-2] != A.shape[-1]:
        raise ValueError(f"{name}: has matrices of {A.shape[-2]} x {A.shape[-1]}, not square ones")


def _matrices(name: str, A: ArrayLike, square: bool = False) -> Array:
    (array,) = _arrays(**{name: A})
    _check_matrices(name, array, square)
    return array


def _same_batch(**arrays: Array) -> list[Array]:
    """The matrices with their batch dimensions broadcast."""
    try:
        batch = jnp.broadcast_shapes(*(a.shape[:-2] for a in arrays.values()))
    except ValueError as error:
        name = list(arrays)[-1]
        shapes = " and ".join(str(a.shape[:-2]) for a in arrays.values())
        raise ValueError(f"{name}: batch dimensions {shapes} do not agree") from error
    return [jnp.broadcast_to(a, (*batch, *a.shape[-2:])) for a in arrays.values()]


def _right_hand_sides(A: ArrayLike, B: ArrayLike) -> tuple[Array, Array, bool]:
    """Returns A and B, of one type, and True if B was vectors: of one dimension, or of A's shape but the
    last."""
    A, B = _arrays(A=A, B=B)
    _check_matrices("A", A)
    is_vector = are_vectors(B.shape, A.shape)
    if is_vector:
        B = B[..., None]
    _check_matrices("B", B)
    if B.shape[-2] != A.shape[-2]:
        raise ValueError(f"B: has {B.shape[-2]} rows, A has {A.shape[-2]}")
    return A, B, is_vector


def _solve_batches(solve: Callable, A: Array, B: Array) -> tuple[Array, Array]:
    """Returns X and info of solve(A, B), with the batches broadcast. Where a matrix A is repeated, its B
    become columns of one matrix, so that A is factored once."""
    r = repeats(A.shape, B.shape)
    if r is None:
        return solve(*_same_batch(A=A, B=B))
    m, nrhs = B.shape[-2:]
    dimensions = len(r.batch)
    own, repeated = r.order[: len(r.own)], r.order[len(r.own) :]
    axes = (*own, dimensions, *repeated, dimensions + 1)
    B = jnp.broadcast_to(B, (*r.batch, m, nrhs)).transpose(axes)
    X, info = solve(A.reshape(*r.own, *A.shape[-2:]), B.reshape(*r.own, m, r.times * nrhs))
    X = X.reshape(*r.own, X.shape[-2], *r.repeated, nrhs).transpose(np.argsort(axes))
    return X, jnp.broadcast_to(info.reshape(r.batch_A), r.batch)


def _nan_where_failed(info: Array, *results: Array) -> tuple[Array, ...]:
    def marked(x: Array) -> Array:
        return jnp.where(jnp.expand_dims(info != 0, tuple(range(info.ndim, x.ndim))), jnp.nan, x)

    return tuple(marked(x) for x in results)


# ---- Cholesky ----------------------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _cholesky(A: Array, upper: bool) -> tuple[Array, Array]:
    # A^T = conj(A) = conj(L) L^T: the transpose's upper factor is the transpose of the lower one.
    factor, info = _potrf("L" if upper else "U")(A)
    return (jnp.triu if upper else jnp.tril)(factor), info


@_cholesky.defjvp
def _cholesky_jvp(upper, primals, tangents):
    (A,), (dA,) = primals, tangents
    factor, info = _cholesky(A, upper)
    L = _H(factor) if upper else factor
    # From dA = dL L^H + L dL^H:  L^-1 dA L^-H = X + X^H  with  X = L^-1 dL, which is lower triangular.
    left = _triangular_solve(L, (dA + _H(dA)) / 2)
    dL = _product(L, _lower_half(_triangular_solve(L, left, side="R", op="C")))
    return (factor, info), (_H(dL) if upper else dL, _no_tangent(info))


@functools.partial(jax.jit, static_argnames="upper", inline=True)
def cholesky_ex(A: ArrayLike, *, upper: bool = False) -> tuple[Array, Array]:
    """cholesky, and info (*batch,): 0, or the order of the leading minor that is not positive definite."""
    return _cholesky(_matrices("A", A, square=True), upper)


@functools.partial(jax.jit, static_argnames="upper", inline=True)
def cholesky(A: ArrayLike, upper: bool = False) -> Array:
    """L (*batch, n, n), lower triangular, of A = L L^H, A (*batch, n, n); upper: U of A = U^H U.

    Only that triangle of A is read. NaN where A is not positive definite.
    """
    factor, info = cholesky_ex(A, upper=upper)
    return _nan_where_failed(info, factor)[0]


@functools.partial(jax.jit, static_argnames="upper", inline=True)
def cholesky_solve_ex(B: ArrayLike, L: ArrayLike, *, upper: bool = False) -> tuple[Array, Array]:
    """cholesky_solve, and info (*batch,): 0, or the number of L's diagonal element that is not > 0."""
    B, L = _arrays(B=B, L=L)
    _check_matrices("B", B)
    _check_matrices("L", L, square=True)
    if B.shape[-2] != L.shape[-1]:
        raise ValueError(f"B: has {B.shape[-2]} rows, L has {L.shape[-1]}")
    B, L = _same_batch(B=B, L=L)
    factor = jnp.triu(L) if upper else jnp.tril(L)
    if jnp.iscomplexobj(L):  # what is used of it
        factor = jnp.where(jnp.eye(L.shape[-1], dtype=bool), factor.real, factor)

    def product(x: Array) -> Array:
        left, right = (_H(factor), factor) if upper else (factor, _H(factor))
        return _product(left, _product(right, x))

    def solve(_, b: Array) -> tuple[Array, Array]:
        is_real = not jnp.iscomplexobj(L)  # the transpose of L is a factor of conj(A)
        return _potrs("U" if upper != is_real else "L", is_real)(b, lax.stop_gradient(L))

    def transpose_solve(_, b: Array) -> tuple[Array, Array]:
        X, info = solve(_, b.conj())
        return X.conj(), info

    return lax.custom_linear_solve(product, B, solve, transpose_solve, has_aux=True)


@functools.partial(jax.jit, static_argnames="upper", inline=True)
def cholesky_solve(B: ArrayLike, L: ArrayLike, upper: bool = False) -> Array:
    """X (*batch, n, nrhs) of A X = B with the factor L (*batch, n, n) that cholesky gave of A.

    Only L's triangle is read. NaN where its diagonal has an element that is not > 0.
    """
    X, info = cholesky_solve_ex(B, L, upper=upper)
    return _nan_where_failed(info, X)[0]


# ---- triangular systems ------------------------------------------------------------------------------------


@functools.partial(jax.jit, static_argnames=("upper", "left", "unitriangular"), inline=True)
def solve_triangular(
    A: ArrayLike, B: ArrayLike, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Array:
    """X with A X = B, or with left=False X A = B, where A (*batch, n, n) is triangular: the other triangle is
    not read, nor with unitriangular=True the diagonal, which is ones.

    B (*batch, n, nrhs), or with left=False (*batch, nrhs, n). Batch dimensions are broadcast. A zero on the
    diagonal gives infinities and NaN.
    """
    A, B = _arrays(A=A, B=B)
    _check_matrices("A", A, square=True)
    _check_matrices("B", B)
    n, what, axis = A.shape[-1], *(("rows", -2) if left else ("columns", -1))
    if B.shape[axis] != n:
        raise ValueError(f"B: has {B.shape[axis]} {what}, A has {n}")
    A, B = _same_batch(A=A, B=B)
    outside = 1 if unitriangular else 0
    A = jnp.triu(A, outside) if upper else jnp.tril(A, -outside)
    if unitriangular:
        A = A + jnp.eye(n, dtype=A.dtype)
    return _triangular_solve(A, B, side="L" if left else "R", upper=upper)


# ---- LU ----------------------------------------------------------------------------------------------------


@jax.custom_jvp
def _lu_factor(A: Array) -> tuple[Array, Array, Array]:
    return _getrf(A)


@_lu_factor.defjvp
def _lu_factor_jvp(primals, tangents):
    (A,), (dA,) = primals, tangents
    LU, pivots, info = _lu_factor(A)
    m, n = A.shape[-2:]
    k = min(m, n)
    # Both factors as square ones, with the identity for what they lack.
    L = jnp.tril(LU[..., :k], -1) + jnp.eye(m, k, dtype=A.dtype)
    more_of_L = jnp.broadcast_to(jnp.eye(m, m - k, -k, A.dtype), (*L.shape[:-1], m - k))
    L = jnp.concatenate([L, more_of_L], axis=-1)
    U = jnp.triu(LU[..., :k, :])
    more_of_U = jnp.broadcast_to(jnp.eye(n - k, n, k, A.dtype), (*U.shape[:-2], n - k, n))
    U = jnp.concatenate([U, more_of_U], axis=-2)
    # P^T dA = dL U + L dU:  L^-1 P^T dA U^-1 = L^-1 dL + dU U^-1, strictly lower and upper triangular.
    rows = lax.linalg.lu_pivots_to_permutation(pivots - 1, m)
    both = _triangular_solve(L, jnp.take_along_axis(dA, rows[..., None], axis=-2))
    both = _triangular_solve(U, both, side="R", upper=True)
    dLU = _product(L, jnp.tril(both, -1)) + _product(jnp.triu(both), U)
    return (LU, pivots, info), (dLU, _no_tangent(pivots), _no_tangent(info))


@functools.partial(jax.jit, inline=True)
def lu_factor_ex(A: ArrayLike) -> tuple[Array, Array, Array]:
    """lu_factor, and info (*batch,): 0, or j where U(j, j) is the first that is zero."""
    return _lu_factor(_matrices("A", A))


@functools.partial(jax.jit, inline=True)
def lu_factor(A: ArrayLike) -> tuple[Array, Array]:
    """LU factorization with partial pivoting of A (*batch, m, n).

    Returns LU (*batch, m, n), U in its upper triangle and L, whose diagonal is ones, below; and pivots
    (*batch, min(m, n)), int32: row i was exchanged with row pivots[i], counted from 1 (scipy's and
    jax.scipy.linalg's are counted from 0: pass pivots - 1 to jax.scipy.linalg.lu_solve). The factors of
    singular matrices are complete, without NaN.
    """
    return lu_factor_ex(A)[:2]


@jax.custom_jvp
def _solve(A: Array, B: Array) -> tuple[Array, Array]:
    return _gesv(A, B)


@_solve.defjvp
def _solve_jvp(primals, tangents):
    (A, B), (dA, dB) = primals, tangents
    LU, pivots, info = _getrf(lax.stop_gradient(A))

    def solve(b: Array) -> Array:
        return lax.custom_linear_solve(
            lambda x: _product(A, x),
            b,
            lambda _, b: _getrs("N")(b, LU, pivots),
            lambda _, b: _getrs("T")(b, LU, pivots),
        )

    X = solve(B)
    return (X, info), (solve(dB - _product(dA, X)), _no_tangent(info))


@functools.partial(jax.jit, inline=True)
def solve_ex(A: ArrayLike, B: ArrayLike) -> tuple[Array, Array]:
    """solve, and info (*batch,): 0, or j where U(j, j) of A's LU factorization is zero."""
    A, B, is_vector = _right_hand_sides(A, B)
    _check_matrices("A", A, square=True)
    X, info = _solve_batches(_solve, A, B)
    return X[..., 0] if is_vector else X, info


@functools.partial(jax.jit, inline=True)
def solve(A: ArrayLike, B: ArrayLike) -> Array:
    """X of A X = B, A (*batch, n, n).

    B holds matrices (*batch, n, nrhs), or vectors: if it has one dimension, or A's shape but the last. Batch
    dimensions are broadcast. NaN where A is singular.
    """
    X, info = solve_ex(A, B)
    return _nan_where_failed(info, X)[0]


@jax.custom_jvp
def _inv(A: Array) -> tuple[Array, Array]:
    return _inverse(A)


@_inv.defjvp
def _inv_jvp(primals, tangents):
    (A,), (dA,) = primals, tangents
    X, info = _inv(A)
    return (X, info), (-_product(X, _product(dA, X)), _no_tangent(info))


@functools.partial(jax.jit, inline=True)
def inv_ex(A: ArrayLike) -> tuple[Array, Array]:
    """inv, and info (*batch,): 0, or > 0 where A is singular."""
    return _inv(_matrices("A", A, square=True))


@functools.partial(jax.jit, inline=True)
def inv(A: ArrayLike) -> Array:
    """The inverse (*batch, n, n) of A (*batch, n, n). NaN where A is singular."""
    inverse, info = inv_ex(A)
    return _nan_where_failed(info, inverse)[0]


# ---- QR ----------------------------------------------------------------------------------------------------


@jax.custom_jvp
def _reduced_qr(A: Array) -> tuple[Array, Array]:
    return _thin_qr(A)


@_reduced_qr.defjvp
def _reduced_qr_jvp(primals, tangents):
    (A,), (dA,) = primals, tangents
    Q, R = _reduced_qr(A)
    k = Q.shape[-1]
    # Of the first k columns, which determine Q:  dA R^-1 = dQ + Q dR R^-1.  Q^H dQ is skew-Hermitian, and
    # dR R^-1 upper triangular with a real diagonal.
    by_R = _triangular_solve(R[..., :k], dA[..., :k], side="R", upper=True)
    both = _product(_H(Q), by_R)
    below = jnp.tril(both, -1)
    skew = below - _H(below)
    if jnp.iscomplexobj(A):
        skew += jnp.eye(k) * 1j * both.imag
    dQ = by_R + _product(Q, skew - both)
    dR = _product(both - skew, R[..., :k])
    if k < A.shape[-1]:  # Q^H A is R
        dR = jnp.concatenate([dR, _product(_H(dQ), A[..., k:]) + _product(_H(Q), dA[..., k:])], axis=-1)
    return (Q, R), (dQ, dR)


class QRResult(NamedTuple):
    """What qr returns."""

    Q: Array | None
    R: Array


@functools.partial(jax.jit, static_argnames="mode", inline=True)
def qr(A: ArrayLike, mode: str = "reduced") -> QRResult:
    """QR factorization A = Q R of A (*batch, m, n), k = min(m, n).

    mode "reduced": Q (*batch, m, k), R (*batch, k, n); "complete": Q (*batch, m, m), R (*batch, m, n); "r":
    None and the reduced R. R's diagonal is real, with LAPACK's signs, which jump at exact zeros. "reduced"
    has derivatives.
    """
    A = _matrices("A", A)
    m, n = A.shape[-2:]
    if mode == "reduced" or (mode == "complete" and m <= n):
        return QRResult(*_reduced_qr(A))
    if mode == "r":
        return QRResult(None, jnp.triu(_geqrf(A)[0][..., : min(m, n), :]))
    if mode == "complete":
        reflectors, tau = _geqrf(A)
        padding = [(0, 0)] * (A.ndim - 1) + [(0, m - n)]
        return QRResult(_orgqr(jnp.pad(reflectors, padding), tau), jnp.triu(reflectors))
    raise ValueError(f"mode: is {mode!r}, not 'reduced', 'complete' or 'r'")


@functools.partial(jax.jit, inline=True)
def lstsq_ex(A: ArrayLike, B: ArrayLike) -> tuple[Array, Array, Array]:
    """The solution and residuals of lstsq, and info (*batch,): 0, or > 0 where A is not of full rank."""
    A, B, is_vector = _right_hand_sides(A, B)
    m, n = A.shape[-2:]
    padded = jnp.pad(B, [(0, 0)] * (B.ndim - 2) + [(0, max(0, n - m)), (0, 0)])
    X, info = _solve_batches(_gels, A, padded)
    left = (
        X[..., n:, :] if n > 0 else jnp.broadcast_to(B, X.shape[:-2] + B.shape[-2:])
    )  # without unknowns Talus's X is zero
    residuals = jnp.sum(jnp.abs(left) ** 2, axis=-2) if m > n else jnp.zeros((0,), X.real.dtype)
    solution = X[..., :n, :]
    return solution[..., 0] if is_vector else solution, residuals, info


@functools.partial(jax.jit, inline=True)
def lstsq(A: ArrayLike, B: ArrayLike) -> LstsqResult:
    """Least squares, or the solution of least norm where m < n, with A (*batch, m, n) of full rank.

    B holds matrices (*batch, m, nrhs) or vectors, as in solve. Returns the solution (*batch, n, nrhs) or
    (*batch, n), and residuals, sums of squares, where m > n (*batch, nrhs), of vectors nrhs = 1, else (0,).
    NaN where the diagonal of A's R has a zero. It has no derivative.
    """
    solution, residuals, info = lstsq_ex(A, B)
    if residuals.shape == (0,) and A.shape[-2] <= A.shape[-1]:
        return LstsqResult(*_nan_where_failed(info, solution), residuals)
    return LstsqResult(*_nan_where_failed(info, solution, residuals))
