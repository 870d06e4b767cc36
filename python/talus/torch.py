"""Factorizations and solves of many small matrices as operators of PyTorch, with derivatives.

================  ======================================  =====================================
cholesky          A (*batch, n, n)                        L (*batch, n, n), row by row
cholesky_solve    B (*batch, n, nrhs), L (*batch, n, n)   X (*batch, n, nrhs)
solve             A (*batch, n, n), B (*batch, n[, nrhs]) X as B
solve_triangular  A (*batch, n, n), B (*batch, n, nrhs)   X (*batch, n, nrhs)
inv               A (*batch, n, n)                        A^-1 (*batch, n, n), row by row
qr                A (*batch, m, n), k = min(m, n)         Q (*batch, m, k), R (*batch, k, n)
lstsq             A (*batch, m, n), B (*batch, m[, nrhs]) solution (*batch, n[, nrhs]), residuals
================  ======================================  =====================================

Names, shapes and gradients are those of torch.linalg. Tensors are of float32, float64, complex64 or
complex128, on the CPU or on a CUDA device, of any strides; the batches of two arguments are broadcast.
Results are stored column by column where the table does not say row by row; those of left=False row by row.
On a CUDA device work is queued on the current stream.

Each function calls operators of torch.library (torch.ops.talus), so that it works
- in backward(), to any order of derivatives. In forward mode (torch.func.jvp), which there is not,
  NotImplementedError is raised, but not where torch.compile meets torch.autograd.forward_ad.dual_level;
- in torch.func.vmap, as one call, and in torch.func.grad, vjp and jacrev;
- in torch.compile(fullgraph=True), except for torch.func.grad and its like there, and in torch.export.

A matrix fails if it is not positive definite, or singular. Plain functions then raise talus.LinAlgError, and
wait for the device to know. Functions with _ex never wait. They return `info` (*batch,), int32, as well: 0,
or the number, counted from 1, of the column at which a matrix failed; what else they return of it is not
specified. Functions without an _ex form cannot fail, and derivatives never wait. Where a CUDA graph is
captured, by torch.cuda.graph or by torch.compile(mode="reduce-overhead"), nothing may wait: use the _ex forms
there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

import talus
from talus import _frameworks, linalg
from talus._errors import (
    NO_FACTOR,
    NOT_OF_FULL_RANK,
    OF_A_AND_B,
    SINGULAR,
    call,
    raise_if_failed,
    shape_of,
    why_not_positive,
)
from talus._places import are_vectors

__all__ = [
    "cholesky",
    "cholesky_ex",
    "cholesky_solve",
    "cholesky_solve_ex",
    "inv",
    "inv_ex",
    "lstsq",
    "lstsq_ex",
    "qr",
    "solve",
    "solve_ex",
    "solve_triangular",
]

# ---- definition of operators -------------------------------------------------------------------------------
#
# The tensors of a call have the same batch dimensions. Where the work is done, autograd is off, but tensors
# still say that they require a gradient, which Talus refuses: hence detach(). Views that are conjugated or
# negated only when they are read do not get there: PyTorch copies them. By torch.library.Library, since
# a call of a torch.library.custom_op takes the host some 2 us more.

_library = torch.library.Library("talus", "DEF")


def _operator(
    schema: str,
    implementation: Callable[..., Any],
    fake: Callable[..., Any],
    save: Callable[..., None],
    backward: Callable[..., Any],
    repeatable: int = 0,
) -> Callable[..., Any]:
    """Defines an operator, and returns a function that calls it.

    fake takes the same arguments as the implementation and gives tensors as its results are, but for their
    values. save(ctx, inputs, output) and backward(ctx, *gradients) are as in torch.library.register_autograd,
    and a gradient of a result that nothing depends on is None. The first `repeatable` arguments, matrices A
    or their factors, may have batch dimensions of length 1 where the other tensors' are longer.
    """
    name = schema[: schema.index("(")]
    _library.define(schema, tags=(torch.Tag.pt2_compliant_tag, torch.Tag.flexible_layout))
    operator = getattr(torch.ops.talus, name).default

    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        save(ctx, inputs, output)

    # What torch.library.register_autograd makes does not work in torch.func.grad and its like.
    class InTransforms(torch.autograd.Function):
        @staticmethod
        def forward(*arguments):
            return operator(*arguments)

        @staticmethod
        def vmap(info, in_dims, *arguments):
            return _vmap(call, repeatable, info, in_dims, *arguments)

    InTransforms.setup_context = staticmethod(setup_context)
    InTransforms.backward = staticmethod(backward)

    def call(*arguments):
        if forward_ad._current_level >= 0 and any(map(_has_tangent, arguments)):
            raise NotImplementedError(
                f"talus.torch: {name.removesuffix('_ex')} has no forward-mode derivative"
            )
        if torch._C._are_functorch_transforms_active() and not torch.compiler.is_compiling():
            return InTransforms.apply(*arguments)
        return operator(*arguments)

    for device in ("CPU", "CUDA"):
        _library.impl(name, implementation, device)
    torch.library.register_fake(f"talus::{name}", fake, lib=_library)
    torch.library.register_autograd(f"talus::{name}", backward, setup_context=setup_context, lib=_library)
    torch.library.register_vmap(
        f"talus::{name}", functools.partial(_vmap, operator, repeatable), lib=_library
    )
    return call


def _has_tangent(argument: Any) -> bool:
    """Is the argument differentiated in forward mode? Where an operator has no such derivative, PyTorch can
    take it for zero. In vmap there is no telling, but the call that _vmap makes comes here again."""
    if not isinstance(argument, Tensor) or torch._C._functorch.is_batchedtensor(argument):
        return False
    return forward_ad.unpack_dual(argument).tangent is not None


def _vmap(call: Callable[..., Any], repeatable: int, info, in_dims, *arguments) -> tuple[Any, Any]:
    """The mapped dimension becomes the first one of the batch. Tensors without it are repeated: by a
    dimension of length 1 where the operator takes that."""
    once = repeatable if all(dim is None for dim in in_dims[:repeatable]) else 0

    def batched(i, argument, dim):
        if not isinstance(argument, Tensor):
            return argument
        if dim is None:
            return argument.expand(1 if i < once else info.batch_size, *argument.shape)
        return argument.movedim(dim, 0)

    results = call(*map(batched, range(len(arguments)), arguments, in_dims))
    if not isinstance(results, tuple):
        return results, 0
    return tuple(x.expand(info.batch_size, *x.shape[1:]) for x in results), (0,) * len(results)


# ---- what they have in common ------------------------------------------------------------------------------


def _fake_rows(A: Tensor, m: int, n: int) -> Tensor:
    """Matrices (*batch, m, n), stored row by row, with A's batch, type and device."""
    return A.new_empty((*A.shape[:-2], m, n))


def _fake_columns(A: Tensor, m: int, n: int) -> Tensor:
    """The same, stored column by column."""
    return A.new_empty((*A.shape[:-2], n, m)).mT


def _fake_integers(A: Tensor, *shape: int) -> Tensor:
    """Integers (*batch, *shape)."""
    return A.new_empty((*A.shape[:-2], *shape), dtype=torch.int32)


_arrays = _frameworks.Torch()


def _is_by_columns(A: Tensor) -> bool:
    return _frameworks.is_by_columns(_arrays, A)


def _copied(A: Tensor) -> Tensor:
    """A copy of A, stored column by column, without its gradient."""
    copy = _arrays.empty_columns(A.shape, A)
    talus.copy(A.detach(), copy)
    return copy


def _hermitian(triangles: Tensor) -> Tensor:
    """Hermitian matrices with these triangles, but for the diagonal, of which it is the real part."""
    whole = triangles + triangles.mH
    whole.diagonal(dim1=-2, dim2=-1).mul_(0.5)
    return whole


def _one_batch(A: Tensor, B: Tensor, name_of_B: str) -> tuple[Tensor, Tensor]:
    """A and B, broadcast to the same batch dimensions."""
    of_A, of_B = A.shape[:-2], B.shape[:-2]
    if of_A == of_B:
        return A, B
    batch = _frameworks.common_batch(name_of_B, of_B, of_A)
    return A.expand(*batch, *A.shape[-2:]), B.expand(*batch, *B.shape[-2:])


def _one_batch_of_sides(A: Tensor, B: Tensor, name_of_B: str) -> tuple[Tensor, Tensor]:
    """Broadcasts as _one_batch does, but keeps dimensions of length 1 of A, along which A is repeated."""
    of_A, of_B = A.shape[:-2], B.shape[:-2]
    if of_A == of_B:
        return A, B
    batch = _frameworks.common_batch(name_of_B, of_B, of_A)
    return A[(None,) * (len(batch) - len(of_A))], B.expand(*batch, *B.shape[-2:])


def _gradient_of_product(A: Tensor, Y: Tensor, X: Tensor) -> Tensor:
    """Returns Y X^H, the gradient with respect to A of a product A X with the gradient Y. Along a batch
    dimension where A has length 1 this is a sum, computed as one product of matrices with the columns of all
    Y and X."""
    repeated = [i for i in range(A.dim() - 2) if A.shape[i] != X.shape[i]]
    if not repeated:
        return Y @ X.mH
    own = [i for i in range(A.dim() - 2) if i not in repeated]

    def side_by_side(B: Tensor) -> Tensor:
        return B.permute(*own, -2, *repeated, -1).flatten(len(own) + 1)

    return (side_by_side(Y) @ side_by_side(X).mH).reshape(A.shape)


# ---- Cholesky ----------------------------------------------------------------------------------------------


def _cholesky(A: Tensor, upper: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    L, info = linalg.cholesky_ex(A.detach(), upper=upper)
    if check_errors:
        raise_if_failed("cholesky", info, why_not_positive(A.detach(), upper, False))
    return L, info


def _cholesky_fake(A: Tensor, upper: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    return _fake_rows(A, *A.shape[-2:]), _fake_integers(A)


def _cholesky_save(ctx, inputs, output):
    _, ctx.upper, _ = inputs
    L, info = output
    ctx.mark_non_differentiable(info)
    ctx.save_for_backward(L)


def _cholesky_backward(ctx, gL, _):
    """gA = 1/2 L^-H H(tril(L^H gL)) L^-1, with H = _hermitian: Murray, Differentiation of the Cholesky
    decomposition, arXiv:1602.07527, equations 9 and 10. The derivative is with respect to Hermitian matrices,
    although only one triangle is read."""
    if gL is None:
        return None, None, None
    (L,) = ctx.saved_tensors
    if ctx.upper:
        L, gL = L.mH, gL.mH
    gA = 0.5 * _hermitian((L.mH @ gL).tril())
    gA = _solve_triangular_op(L.mH, gA, True, True, False)
    return _solve_triangular_op(L, gA, False, False, False), None, None


_cholesky_op = _operator(
    "cholesky_ex(Tensor A, bool upper, bool check_errors) -> (Tensor, Tensor)",
    _cholesky,
    _cholesky_fake,
    _cholesky_save,
    _cholesky_backward,
)


def cholesky(A: Tensor, upper: bool = False) -> Tensor:
    """L (*batch, n, n), lower triangular with A = L L^H, or with upper=True upper triangular with A = L^H L.
    A (*batch, n, n) is Hermitian positive definite; only that triangle of it is read, and imaginary parts of
    the diagonal count as zero. See torch.linalg.cholesky."""
    return _cholesky_op(A, upper, True)[0]


def cholesky_ex(A: Tensor, upper: bool = False) -> tuple[Tensor, Tensor]:
    """L and info (*batch,): 0, or the order of the first leading minor that is not positive definite."""
    return _cholesky_op(A, upper, False)


def _cholesky_solve(B: Tensor, L: Tensor, upper: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    X, info = linalg.cholesky_solve_ex(B.detach(), L.detach(), upper=upper)
    if check_errors:
        raise_if_failed("cholesky_solve", info, NO_FACTOR)
    return X, info


def _cholesky_solve_fake(B: Tensor, L: Tensor, upper: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    return _fake_columns(B, *B.shape[-2:]), _fake_integers(B)


def _cholesky_solve_save(ctx, inputs, output):
    _, L, ctx.upper, _ = inputs
    X, info = output
    ctx.mark_non_differentiable(info)
    ctx.save_for_backward(L, X)


def _cholesky_solve_backward(ctx, gX, _):
    """gB = A^-1 gX, where A = L L^H. Of A it would be gA = -gB X^H: so of L it is tril((gA + gA^H) L)."""
    if gX is None:
        return None, None, None, None
    L, X = ctx.saved_tensors
    gB, _ = _cholesky_solve_op(gX, L, ctx.upper, False)
    gL = None
    if ctx.needs_input_grad[1]:
        gA = gB @ X.mH
        gA = gA + gA.mH
        gL = -(L @ gA).triu() if ctx.upper else -(gA @ L).tril()
    return gB, gL, None, None


_cholesky_solve_op = _operator(
    "cholesky_solve_ex(Tensor B, Tensor L, bool upper, bool check_errors) -> (Tensor, Tensor)",
    _cholesky_solve,
    _cholesky_solve_fake,
    _cholesky_solve_save,
    _cholesky_solve_backward,
)


def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """X (*batch, n, nrhs) with A X = B, where L (*batch, n, n) is cholesky(A, upper). See
    torch.cholesky_solve."""
    B, L = _one_batch(B, L, "L")
    return _cholesky_solve_op(B, L, upper, True)[0]


def cholesky_solve_ex(B: Tensor, L: Tensor, upper: bool = False) -> tuple[Tensor, Tensor]:
    """X and info (*batch,): 0, or the number of the first diagonal element of L that is not > 0."""
    B, L = _one_batch(B, L, "L")
    return _cholesky_solve_op(B, L, upper, False)


# ---- triangular systems ------------------------------------------------------------------------------------


def _solve_triangular(A: Tensor, B: Tensor, upper: bool, left: bool, unitriangular: bool) -> Tensor:
    return linalg.solve_triangular(
        A.detach(), B.detach(), upper=upper, left=left, unitriangular=unitriangular
    )


def _solve_triangular_fake(A: Tensor, B: Tensor, upper: bool, left: bool, unitriangular: bool) -> Tensor:
    return (_fake_columns if left else _fake_rows)(B, *B.shape[-2:])


def _solve_triangular_save(ctx, inputs, output):
    A, _, ctx.upper, ctx.left, ctx.unitriangular = inputs
    ctx.save_for_backward(A, output)


def _solve_triangular_backward(ctx, gX):
    """gB = A^-H gX, and gA = -gB X^H on the triangle; from the right gB = gX A^-H and gA = -X^H gB."""
    if gX is None:
        return None, None, None, None, None
    A, X = ctx.saved_tensors
    gB = _solve_triangular_op(A.mH, gX, not ctx.upper, ctx.left, ctx.unitriangular)
    gA = None
    if ctx.needs_input_grad[0]:
        gA = -(_gradient_of_product(A, gB, X) if ctx.left else _gradient_of_product(A, X.mH, gB.mH))
        diagonal = 1 if ctx.unitriangular else 0
        gA = gA.triu(diagonal) if ctx.upper else gA.tril(-diagonal)
    return gA, gB, None, None, None


# torch.linalg.solve_triangular would do in the derivatives of the others, but on a GPU it is not made for
# many small matrices.
_solve_triangular_op = _operator(
    "solve_triangular(Tensor A, Tensor B, bool upper, bool left, bool unitriangular) -> Tensor",
    _solve_triangular,
    _solve_triangular_fake,
    _solve_triangular_save,
    _solve_triangular_backward,
    repeatable=1,
)


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with A X = B, or with left=False X A = B, where A (*batch, n, n) is triangular: the other triangle is
    not read, nor with unitriangular=True the diagonal, which is ones. B and X (*batch, n, nrhs), or with
    left=False (*batch, nrhs, n). See torch.linalg.solve_triangular."""
    shape_of("A", A)
    shape_of("B", B)
    A, B = _one_batch_of_sides(A, B, "B")
    return _solve_triangular_op(A, B, upper, left, unitriangular)


# ---- LU: general systems and inverses ----------------------------------------------------------------------


def _solve(A: Tensor, B: Tensor, check_errors: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    A, B = A.detach(), B.detach()
    spaces = linalg._solve_spaces(A.shape, B.shape)
    if spaces is None:  # matrices A are repeated
        LU, pivots, X, info = linalg._solve_by_factors(_arrays, A, B)
    else:
        LU, pivots, X, info = _arrays.allocate(spaces, A)
        call(OF_A_AND_B, talus.gesv, LU, pivots, X, info, A_from=A, B_from=B)
    if check_errors:
        raise_if_failed("solve", info, SINGULAR)
    return X, LU, pivots, info


def _solve_fake(A: Tensor, B: Tensor, check_errors: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    n = A.shape[-1]
    return _fake_columns(B, *B.shape[-2:]), _fake_columns(A, n, n), _fake_integers(A, n), _fake_integers(B)


def _solve_save(ctx, inputs, output):
    A, _, _ = inputs
    X, LU, pivots, info = output
    ctx.mark_non_differentiable(LU, pivots, info)
    ctx.save_for_backward(A, X, LU, pivots)


def _solve_backward(ctx, gX, *_):
    """gB = A^-H gX, gA = -gB X^H."""
    if gX is None:
        return None, None, None
    A, X, LU, pivots = ctx.saved_tensors
    gB = _solve_factored_op(A, LU, pivots, gX, True)
    return -_gradient_of_product(A, gB, X) if ctx.needs_input_grad[0] else None, gB, None


_solve_op = _operator(
    "solve_ex(Tensor A, Tensor B, bool check_errors) -> (Tensor, Tensor, Tensor, Tensor)",
    _solve,
    _solve_fake,
    _solve_save,
    _solve_backward,
    repeatable=1,
)


def _solve_factored(A: Tensor, LU: Tensor, pivots: Tensor, B: Tensor, adjoint: bool) -> Tensor:
    return linalg.lu_solve_ex(LU.detach(), pivots, B.detach(), adjoint=adjoint)[0]


def _solve_factored_fake(A: Tensor, LU: Tensor, pivots: Tensor, B: Tensor, adjoint: bool) -> Tensor:
    return _fake_columns(B, *B.shape[-2:])


def _solve_factored_save(ctx, inputs, output):
    A, LU, pivots, _, ctx.adjoint = inputs
    ctx.save_for_backward(A, LU, pivots, output)


def _solve_factored_backward(ctx, gX):
    """As of solve_ex; with adjoint=True for A^H in the place of A."""
    if gX is None:
        return None, None, None, None, None
    A, LU, pivots, X = ctx.saved_tensors
    gB = _solve_factored_op(A, LU, pivots, gX, not ctx.adjoint)
    gA = None
    if ctx.needs_input_grad[0]:
        gA = -(_gradient_of_product(A, X, gB) if ctx.adjoint else _gradient_of_product(A, gB, X))
    return gA, None, None, gB, None


# A^-1 B, or A^-H B, as a function of A and B. A itself is not read, since its factors are there; but
# derivatives are with respect to it, so that those of any order factorize nothing again.
_solve_factored_op = _operator(
    "solve_factored(Tensor A, Tensor LU, Tensor pivots, Tensor B, bool adjoint) -> Tensor",
    _solve_factored,
    _solve_factored_fake,
    _solve_factored_save,
    _solve_factored_backward,
    repeatable=3,
)


def _solve_in_form(A: Tensor, B: Tensor, left: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    """Solutions and info, of B a vector or matrices, from the left or from the right."""
    shape_of("A", A)
    is_vector = are_vectors(B.shape, A.shape)
    if is_vector:
        if not left:
            raise ValueError("B: is a vector, which left=False does not take")
        B = B.unsqueeze(-1)
    if not left:
        A, B = A.mT, B.mT
    A, B = _one_batch_of_sides(A, B, "B")
    X, _, _, info = _solve_op(A, B, check_errors)
    return X.squeeze(-1) if is_vector else X if left else X.mT, info


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B, or with left=False X A = B. A (*batch, n, n), B and X (*batch, n, nrhs), or with
    left=False (*batch, nrhs, n). B is a vector where it is (n,), or where its shape is (*batch, n) with A's
    batch. An A that is broadcast is factorized once for all its B. See torch.linalg.solve."""
    return _solve_in_form(A, B, left, True)[0]


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True) -> tuple[Tensor, Tensor]:
    """X and info (*batch,): 0, or the number of the first pivot that is zero or NaN."""
    return _solve_in_form(A, B, left, False)


def _inv(A: Tensor, check_errors: bool) -> tuple[Tensor, Tensor]:
    X, info = linalg.inv_ex(A.detach())
    if check_errors:
        raise_if_failed("inv", info, SINGULAR)
    return X, info


def _inv_fake(A: Tensor, check_errors: bool) -> tuple[Tensor, Tensor]:
    return _fake_rows(A, *A.shape[-2:]), _fake_integers(A)


def _inv_save(ctx, inputs, output):
    X, info = output
    ctx.mark_non_differentiable(info)
    ctx.save_for_backward(X)


def _inv_backward(ctx, gX, _):
    """gA = -X^H gX X^H, where X is the inverse."""
    if gX is None:
        return None, None
    (X,) = ctx.saved_tensors
    return -X.mH @ gX @ X.mH, None


_inv_op = _operator(
    "inv_ex(Tensor A, bool check_errors) -> (Tensor, Tensor)",
    _inv,
    _inv_fake,
    _inv_save,
    _inv_backward,
)


def inv(A: Tensor) -> Tensor:
    """The inverse (*batch, n, n) of A (*batch, n, n). See torch.linalg.inv."""
    return _inv_op(A, True)[0]


def inv_ex(A: Tensor) -> tuple[Tensor, Tensor]:
    """The inverse and info (*batch,): 0, or the number of the first pivot that is zero or NaN."""
    return _inv_op(A, False)


# ---- QR ----------------------------------------------------------------------------------------------------


def _qr(A: Tensor) -> tuple[Tensor, Tensor]:
    return linalg.qr(A.detach())


def _qr_fake(A: Tensor) -> tuple[Tensor, Tensor]:
    m, n = A.shape[-2:]
    k = min(m, n)
    return _fake_columns(A, m, k), _fake_columns(A, k, n)


def _qr_save(ctx, inputs, output):
    ctx.save_for_backward(*output)


def _qr_backward(ctx, gQ, gR):
    """For m >= n: gA = (gQ + Q H(triu(gR R^H - Q^H gQ))) R^-H, with H = _hermitian: Roberts and Roberts, QR
    and LQ decomposition matrix backpropagation algorithms, arXiv:2009.10071.

    For m < n, the first m columns are A1 = Q R1, and the others A2 = Q R2: hence gA2 = Q gR2, and to gQ comes
    A2 gR2^H."""
    if gQ is None and gR is None:
        return None
    Q, R = ctx.saved_tensors
    m, n = Q.shape[-2], R.shape[-1]
    if m >= n:
        return _qr_backward_of_columns(Q, R, gQ, gR)
    gA2 = None
    if gR is not None:
        gQ2 = Q @ (R[..., m:] @ gR[..., m:].mH)
        gQ = gQ2 if gQ is None else gQ + gQ2
        gA2, gR = Q @ gR[..., m:], gR[..., :m]
    gA1 = _qr_backward_of_columns(Q, R[..., :m], gQ, gR)
    return torch.cat((gA1, gA1.new_zeros((*gA1.shape[:-1], n - m)) if gA2 is None else gA2), dim=-1)


def _qr_backward_of_columns(Q: Tensor, R: Tensor, gQ: Tensor | None, gR: Tensor | None) -> Tensor:
    inner = 0 if gR is None else gR @ R.mH
    if gQ is not None:
        inner = inner - Q.mH @ gQ
    gA = Q @ _hermitian(inner.triu())
    if gQ is not None:
        gA = gA + gQ
    return _solve_triangular_op(R.mH, gA, False, False, False)


_qr_op = _operator("qr(Tensor A) -> (Tensor, Tensor)", _qr, _qr_fake, _qr_save, _qr_backward)


def qr(A: Tensor) -> tuple[Tensor, Tensor]:
    """Q (*batch, m, k) with orthonormal columns and R (*batch, k, n), upper triangular, with A = Q R, A
    (*batch, m, n), k = min(m, n). R's diagonal is real; its signs jump at exact zeros, as in talus.linalg.qr.
    Derivatives need that the first k columns of A are linearly independent. See torch.linalg.qr,
    mode="reduced"."""
    return _qr_op(A)


# ---- least squares -----------------------------------------------------------------------------------------


def _lstsq(A: Tensor, B: Tensor, check_errors: bool) -> tuple[Tensor, Tensor, Tensor]:
    X, squares, info = linalg.lstsq_ex(A.detach(), B.detach())
    if check_errors:
        raise_if_failed("lstsq", info, NOT_OF_FULL_RANK)
    return X, squares if A.shape[-2] > A.shape[-1] else _fake_squares(A, 0), info


def _lstsq_fake(A: Tensor, B: Tensor, check_errors: bool) -> tuple[Tensor, Tensor, Tensor]:
    (m, n), nrhs = A.shape[-2:], B.shape[-1]
    return _fake_columns(B, n, nrhs), _fake_squares(A, nrhs if m > n else 0), _fake_integers(A)


def _fake_squares(A: Tensor, nrhs: int) -> Tensor:
    return A.new_empty((*A.shape[:-2], nrhs), dtype=A.dtype.to_real())


def _lstsq_save(ctx, inputs, output):
    A, B, _ = inputs
    X, _, info = output
    ctx.mark_non_differentiable(info)
    ctx.save_for_backward(A, B, X)


def _lstsq_backward(ctx, gX, g_squares, _):
    """X = (A^H A)^-1 A^H B and the squares are those of the columns of D = B - A X. With S = (A^H A)^-1 gX:
    gB = A S + 2 D diag(g_squares), gA = D S^H - gB X^H. Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973)."""
    if g_squares is not None and g_squares.shape[-1] == 0:  # there are none where m = n
        g_squares = None
    if gX is None and g_squares is None:
        return None, None, None
    A, B, X = ctx.saved_tensors
    D = B - A @ X
    gA = gB = 0
    if gX is not None:
        _, R = _qr_op(A.detach())
        S = _solve_normal_equations_op(A, R, gX)
        gA, gB = D @ S.mH, A @ S
    if g_squares is not None:
        gB = gB + 2 * D * g_squares.unsqueeze(-2)
    return gA - gB @ X.mH, gB, None


_lstsq_op = _operator(
    "lstsq_ex(Tensor A, Tensor B, bool check_errors) -> (Tensor, Tensor, Tensor)",
    _lstsq,
    _lstsq_fake,
    _lstsq_save,
    _lstsq_backward,
)


def _solve_normal_equations(A: Tensor, R: Tensor, B: Tensor) -> Tensor:
    X, R = _copied(B), R.detach()
    if not _is_by_columns(R):
        R = _copied(R)
    talus.trsm("left", "upper", "conj_trans", "non_unit", 1.0, R, X)
    talus.trsm("left", "upper", "none", "non_unit", 1.0, R, X)
    return X


def _solve_normal_equations_fake(A: Tensor, R: Tensor, B: Tensor) -> Tensor:
    return _fake_columns(B, *B.shape[-2:])


def _solve_normal_equations_save(ctx, inputs, output):
    A, R, _ = inputs
    ctx.save_for_backward(A, R, output)


def _solve_normal_equations_backward(ctx, gX):
    """gB = (A^H A)^-1 gX, and of A^H A it would be -gB X^H: so gA = -A (gB X^H + X gB^H)."""
    if gX is None:
        return None, None, None
    A, R, X = ctx.saved_tensors
    gB = _solve_normal_equations_op(A, R, gX)
    gA = None
    if ctx.needs_input_grad[0]:
        gA = gB @ X.mH
        gA = -A @ (gA + gA.mH)
    return gA, None, gB


# (A^H A)^-1 B as a function of A and B, by the R of A's QR factorization, as solve_factored by A's factors.
_solve_normal_equations_op = _operator(
    "solve_normal_equations(Tensor A, Tensor R, Tensor B) -> Tensor",
    _solve_normal_equations,
    _solve_normal_equations_fake,
    _solve_normal_equations_save,
    _solve_normal_equations_backward,
)


def _lstsq_in_form(A: Tensor, B: Tensor, check_errors: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Solution, residuals and info, of B a vector or matrices."""
    m, n = shape_of("A", A)[-2:]
    if m < n:
        raise ValueError(
            f"A: has fewer rows than columns, {m} and {n}; the solution of least norm is Q @ "
            "solve_triangular(R.mH, B, upper=False) with Q, R = qr(A.mH)"
        )
    is_vector = are_vectors(B.shape, A.shape)
    A, B = _one_batch(A, B.unsqueeze(-1) if is_vector else B, "B")
    X, squares, info = _lstsq_op(A, B, check_errors)
    if m == n:
        squares = squares.new_empty(0)
    return X.squeeze(-1) if is_vector else X, squares, info


def lstsq(A: Tensor, B: Tensor) -> linalg.LstsqResult:
    """A named tuple: `solution` X (*batch, n, nrhs), which minimizes ||A X - B||_2 column by column, and
    `residuals` (*batch, nrhs), these norms' squares, or (0,) where m = n. A (*batch, m, n) has full rank and
    m >= n; B (*batch, m, nrhs) is a vector as in solve: then X is one, too, and nrhs = 1. See
    torch.linalg.lstsq."""
    return linalg.LstsqResult(*_lstsq_in_form(A, B, True)[:2])


def lstsq_ex(A: Tensor, B: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The same and info (*batch,): 0, or the number of the first diagonal element of R, A = Q R, that is zero
    or NaN."""
    return _lstsq_in_form(A, B, False)
