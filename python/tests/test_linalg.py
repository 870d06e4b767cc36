"""talus.linalg against its definition, by residuals, and on matrices whose results are known exactly."""

import copy
import doctest
import pickle
import re
import tracemalloc

import numpy as np
import pytest
import talus
from helpers import (
    BATCHES,
    DTYPES,
    H,
    STORED,
    Maker,
    assert_small,
    columns_are_contiguous,
    module_or_skip,
    positive_definite,
    random,
    rows_are_contiguous,
    well_conditioned,
    wide,
)
from talus._frameworks import has_one_stride

SIZES = [0, 1, 2, 5, 17, 40]
TALL = [(0, 0), (3, 0), (1, 1), (5, 2), (17, 17), (40, 6)]
CASES = [(batch, n) for n in SIZES for batch in (BATCHES if n in (2, 5) else [(3,)])]

dtypes = pytest.mark.parametrize("dtype", DTYPES)
layouts = pytest.mark.parametrize("stored", STORED)


def eye(n):
    return np.eye(n)


def batch_is_good(make, info, batch):
    assert tuple(info.shape) == batch
    assert make.is_of(info)
    assert make.numpy(info).dtype == np.int32
    assert not make.numpy(info).any()


# ---- Cholesky ------------------------------------------------------------------------------------


@dtypes
@layouts
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(make, rng, dtype, stored, upper):
    for batch, n in CASES:
        values = positive_definite(rng, batch, n, dtype)
        A = make(values, stored)
        L, info = talus.linalg.cholesky_ex(A, upper=upper)
        batch_is_good(make, info, batch)
        assert make.is_of(L) and L.dtype == A.dtype and L.shape == A.shape
        assert rows_are_contiguous(make, L)
        F = wide(make.numpy(L))
        assert np.array_equal(F, np.triu(F) if upper else np.tril(F))
        assert_small((H(F) @ F if upper else F @ H(F)) - values, values, dtype=dtype)
        assert np.array_equal(make.numpy(A), values)
        assert np.array_equal(make.numpy(talus.linalg.cholesky(A, upper=upper)), make.numpy(L))


def test_cholesky_reads_one_triangle(make):
    A = np.array([[4.0, np.nan], [2.0, 10.0]])
    for stored in STORED:
        L = make.numpy(talus.linalg.cholesky(make(A, stored)))
        assert np.array_equal(L, [[2, 0], [1, 3]])
        U = make.numpy(talus.linalg.cholesky(make(A.T.copy(), stored), upper=True))
        assert np.array_equal(U, [[2, 1], [0, 3]])


@dtypes
@layouts
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_solve_and_inverse(make, rng, dtype, stored, upper):
    for batch, n in CASES:
        A = positive_definite(rng, batch, n, dtype)
        B = random(rng, (*batch, n, 3), dtype)
        factor = np.linalg.cholesky(wide(A)).astype(dtype)
        # What is in the other triangle has no effect.
        factor = (H(factor) if upper else factor) + (np.tril if upper else np.triu)(
            np.full((n, n), 7, dtype), -1 if upper else 1
        )
        L, right = make(factor, stored), make(B, stored)
        X, info = talus.linalg.cholesky_solve_ex(right, L, upper=upper)
        batch_is_good(make, info, batch)
        assert X.shape == right.shape and make.is_of(X) and columns_are_contiguous(make, X)
        assert_small(A @ wide(make.numpy(X)) - B, A, make.numpy(X), dtype=dtype)
        inverse, info = talus.linalg.cholesky_inverse_ex(L, upper=upper)
        batch_is_good(make, info, batch)
        assert inverse.shape == L.shape and rows_are_contiguous(make, inverse)
        I = wide(make.numpy(inverse))
        assert np.array_equal(I, H(I))
        assert_small(A @ I - eye(n), A, I, dtype=dtype)
        assert np.array_equal(make.numpy(L), factor) and np.array_equal(make.numpy(right), B)
        assert np.array_equal(make.numpy(talus.linalg.cholesky_solve(right, L, upper=upper)), make.numpy(X))
        assert np.array_equal(make.numpy(talus.linalg.cholesky_inverse(L, upper=upper)), make.numpy(inverse))


# ---- LU ------------------------------------------------------------------------------------------


def product_of(LU, pivots):
    """P L U of one matrix."""
    m, n = LU.shape
    k = min(m, n)
    A = (np.tril(LU[:, :k], -1) + np.eye(m, k)) @ np.triu(LU[:k])
    for i in reversed(range(k)):
        p = pivots[i] - 1
        A[[i, p]] = A[[p, i]]
    return A


@dtypes
@layouts
def test_lu_factor(make, rng, dtype, stored):
    for batch, m, n in [*((batch, n, n) for batch, n in CASES), ((3,), 5, 8), ((3,), 8, 5), ((2, 3), 1, 3)]:
        values = random(rng, (*batch, m, n), dtype)
        A = make(values, stored)
        LU, pivots, info = talus.linalg.lu_factor_ex(A)
        batch_is_good(make, info, batch)
        assert LU.shape == A.shape and make.is_of(LU) and columns_are_contiguous(make, LU)
        assert tuple(pivots.shape) == (*batch, min(m, n)) and make.numpy(pivots).dtype == np.int32
        for index in np.ndindex(*batch):
            PLU = product_of(wide(make.numpy(LU)[index]), make.numpy(pivots)[index])
            assert_small(PLU - values[index], values[index], dtype=dtype)
        assert np.array_equal(make.numpy(A), values)
        again = talus.linalg.lu_factor(A)
        assert np.array_equal(make.numpy(again[0]), make.numpy(LU))
        assert np.array_equal(make.numpy(again[1]), make.numpy(pivots))


@dtypes
@layouts
@pytest.mark.parametrize("left", [True, False])
def test_solve_and_lu_solve(make, rng, dtype, stored, left):
    for batch, n in CASES:
        values = well_conditioned(rng, batch, n, dtype)
        B = random(rng, (*batch, n, 3) if left else (*batch, 3, n), dtype)
        A, right = make(values, stored), make(B, stored)
        X, info = talus.linalg.solve_ex(A, right, left=left)
        batch_is_good(make, info, batch)
        assert X.shape == right.shape and make.is_of(X)
        assert (columns_are_contiguous if left else rows_are_contiguous)(make, X)

        def check(X, A):
            X = wide(make.numpy(X))
            assert_small(
                (A @ X if left else X @ A) - B, A if left else H(A), X if left else H(X), dtype=dtype
            )

        check(X, values)
        assert np.array_equal(make.numpy(talus.linalg.solve(A, right, left=left)), make.numpy(X))
        LU, pivots = talus.linalg.lu_factor(A)
        for factors in (LU, make(make.numpy(LU), stored)):
            for adjoint in (False, True):
                X, info = talus.linalg.lu_solve_ex(factors, pivots, right, left=left, adjoint=adjoint)
                batch_is_good(make, info, batch)
                assert X.shape == right.shape
                check(X, H(values) if adjoint else values)
        check(talus.linalg.lu_solve(LU, pivots, right, left=left), values)
        assert np.array_equal(make.numpy(A), values) and np.array_equal(make.numpy(right), B)


@dtypes
@layouts
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("unitriangular", [True, False])
def test_solve_triangular(make, rng, dtype, stored, left, unitriangular):
    for batch, n in CASES:
        for upper in (True, False):
            values = well_conditioned(rng, batch, n, dtype) / (4 * n or 1)
            triangle = wide(np.triu(values) if upper else np.tril(values))
            if unitriangular:
                triangle[..., range(n), range(n)] = 1
            B = random(rng, (*batch, n, 3) if left else (*batch, 3, n), dtype)
            unread = values.copy()
            unread[(..., *(np.tril_indices(n, -1) if upper else np.triu_indices(n, 1)))] = np.nan
            if unitriangular:
                unread[..., range(n), range(n)] = np.nan
            A, right = make(unread, stored), make(B, stored)
            X = talus.linalg.solve_triangular(A, right, upper=upper, left=left, unitriangular=unitriangular)
            assert X.shape == right.shape and make.is_of(X)
            assert (columns_are_contiguous if left else rows_are_contiguous)(make, X)
            found = wide(make.numpy(X))
            if not left:
                found, triangle, B = H(found), H(triangle), H(B)
            assert_small(triangle @ found - B, triangle, found, dtype=dtype)
            out = make(np.full(X.shape, 7, dtype), stored)
            words = {"upper": upper, "left": left, "unitriangular": unitriangular}
            assert talus.linalg.solve_triangular(A, right, **words, out=out) is out
            assert np.array_equal(make.numpy(out), make.numpy(X))
            assert talus.linalg.solve_triangular(A, right, **words, out=right) is right
            assert np.array_equal(make.numpy(right), make.numpy(X))
            if batch == () and n > 1:
                X = talus.linalg.solve_triangular([make(unread, s) for s in STORED], [out] * 3, **words)
                for one in X:
                    assert np.array_equal(make.numpy(one), make.numpy(X[0]))


def test_solve_triangular_by_hand(make):
    A, B = make(np.array([[2.0, 1.0], [0.0, 0.0]])), make(np.ones((2, 1)))
    X = make.numpy(talus.linalg.solve_triangular(A, B, upper=True))  # no matrix fails
    assert np.isinf(X[1, 0])
    A, B = make(np.array([[2.0, 0.0], [1.0, 3.0]])), make(np.array([[2.0], [7.0]]))
    assert np.array_equal(make.numpy(talus.linalg.solve_triangular(A, B, upper=False)), [[1], [2]])
    for place in (A, make._transposed(A)):  # out is the triangle
        square = make(np.array([[2.0, 2.0], [7.0, 4.0]]))
        a = make(np.array([[2.0, 0.0], [1.0, 3.0]]))
        out = a if place is A else make._transposed(a)
        assert np.array_equal(
            make.numpy(talus.linalg.solve_triangular(a, square, upper=False, out=out)), [[1, 1], [2, 1]]
        )


@dtypes
def test_solve_of_vectors(make, rng, dtype):
    for shape_A, shape_B, vectors in [
        ((5, 5), (5,), True),
        ((3, 5, 5), (5,), True),  # the same one for every matrix
        ((3, 5, 5), (3, 5), True),
        ((2, 3, 5, 5), (2, 3, 5), True),
        ((5, 5, 5), (5, 5), True),  # PyTorch's rule, though it could be a matrix
        ((3, 5, 5), (5, 5), False),
        ((0, 5, 5), (0, 5), True),
    ]:
        A, B = well_conditioned(rng, shape_A[:-2], 5, dtype), random(rng, shape_B, dtype)
        X, info = talus.linalg.solve_ex(make(A), make(B))
        batch_is_good(make, info, shape_A[:-2])
        expected = np.linalg.solve(A, B[..., None])[..., 0] if vectors else np.linalg.solve(A, B)
        assert tuple(X.shape) == expected.shape
        assert_small(
            (make.numpy(X) - expected)[..., None] if vectors else make.numpy(X) - expected, A, dtype=dtype
        )


def test_batches_are_broadcast(make, rng):
    for batch_A, batch_B in [
        ((), (3,)),
        ((3,), ()),
        ((2, 1), (3,)),
        ((2, 1), (1, 3)),
        ((1,), (4,)),
        ((2, 3), (3,)),
        ((3, 1), (2, 1, 2)),
        ((0,), (1,)),
        ((1, 1), (2, 3)),
    ]:
        A = positive_definite(rng, batch_A, 4, "float64")
        B = random(rng, (*batch_B, 4, 2), "float64")
        batch = np.broadcast_shapes(batch_A, batch_B)
        expected = np.linalg.solve(A, B)
        LU, pivots = talus.linalg.lu_factor(make(A))
        L = talus.linalg.cholesky(make(A))
        for X, info in [
            talus.linalg.solve_ex(make(A), make(B)),
            talus.linalg.lu_solve_ex(LU, pivots, make(B)),
            talus.linalg.cholesky_solve_ex(make(B), L),
            talus.linalg.lstsq_ex(make(A), make(B))[::2],
        ]:
            batch_is_good(make, info, batch)
            assert tuple(X.shape) == expected.shape
            assert np.allclose(make.numpy(X), expected)


REPEATED = [  # batches of A and of B
    ((), (40,)),
    ((), (2, 3)),
    ((1,), (4,)),
    ((1, 1), (5, 7)),
    ((5, 1), (5, 30)),  # a call for each A
    ((1, 5), (30, 5)),
    ((3, 1, 2, 1), (3, 5, 2, 7)),
    ((3,), (20, 3)),
    ((20, 1), (20, 3)),  # one call
    ((1, 20), (3, 20)),
    ((2, 1), (1, 3)),
    ((2, 1, 1), (3, 1)),
]


@pytest.mark.parametrize("batches", REPEATED, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_repeated_matrices(make, rng, dtype, batches):
    """A repeated A gives the same results as copies of A, in every storage order."""
    T, tolerance = talus.linalg, 1e3 * np.finfo(dtype).eps
    A = positive_definite(rng, batches[0], 4, dtype)
    B = random(rng, (*batches[1], 4, 2), dtype)
    batch = np.broadcast_shapes(*batches)
    X, L = np.linalg.solve(wide(A), wide(B)), np.linalg.cholesky(wide(A)).astype(dtype)
    tall = random(rng, (*batches[0], 6, 3), dtype)
    right = random(rng, (*batches[1], 6, 2), dtype)
    fitted = np.linalg.pinv(wide(tall)) @ right
    least = np.linalg.pinv(wide(H(tall))) @ right[..., :3, :]
    LU, pivots = T.lu_factor(A)
    for stored in STORED:
        of_A, of_B, factors = make(A, stored), make(B, stored), (make(LU, stored), make(pivots))
        rows, zeros = make(B.swapaxes(-1, -2), stored), np.zeros(batch, np.int32)
        of_L, of_L_X = make(L, stored), make((L @ X).astype(dtype), stored)
        for expected, function, *arguments in [
            (X, T.solve_ex, of_A, of_B),
            (X, T.cholesky_solve_ex, of_B, make(L, stored)),
            (X, T.lu_solve_ex, *factors, of_B),
            (X, lambda *a, **k: (T.solve_triangular(*a, upper=False, **k), make(zeros)), of_L, of_L_X),
            (
                X.swapaxes(-1, -2),
                lambda *a, **k: (T.solve_triangular(*a, upper=True, left=False, **k), make(zeros)),
                make(L.swapaxes(-1, -2), stored),
                make((L @ X).swapaxes(-1, -2).astype(dtype), stored),
            ),
            (fitted, lambda *a, **k: T.lstsq_ex(*a, **k)[::2], make(tall, stored), make(right, stored)),
            (
                least,
                lambda *a, **k: T.lstsq_ex(*a, **k)[::2],
                make(H(tall), stored),
                make(right[..., :3, :], stored),
            ),
            (
                np.linalg.solve(wide(A).swapaxes(-1, -2), wide(B)).swapaxes(-1, -2),
                lambda *a, **k: T.solve_ex(*a, left=False, **k),
                of_A,
                rows,
            ),
            (
                np.linalg.solve(wide(A).conj(), wide(B)).swapaxes(-1, -2),
                lambda *a, **k: T.lu_solve_ex(*a, left=False, adjoint=True, **k),
                *factors,
                rows,
            ),
        ]:
            found, info = function(*arguments)
            batch_is_good(make, info, batch)
            assert make.is_of(found) and tuple(found.shape) == expected.shape
            if expected.shape[-2] > 2:
                assert columns_are_contiguous(make, found)
            strides = make.strides(found)
            if strides is not None:  # the matrices follow each other, so that Talus's routines take them
                assert has_one_stride(batch, strides[:-2])
            assert np.allclose(make.numpy(found), expected, rtol=tolerance, atol=tolerance)
            out = make(np.full(expected.shape, 7, dtype), stored)
            again, _ = function(*arguments, out=out)
            assert again is out
            assert np.allclose(make.numpy(out), expected, rtol=tolerance, atol=tolerance)
    if tall.shape[-2] > tall.shape[-1]:
        residuals = make.numpy(T.lstsq(make(tall), make(right)).residuals)
        squares = (np.abs(tall @ fitted - right) ** 2).sum(-2)
        assert np.allclose(residuals, squares, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("batches", [((), (64,)), ((5, 1), (5, 30)), ((1, 20), (3, 20))], ids=str)
def test_repeated_matrices_are_factored_once(rng, monkeypatch, batches):
    T, factored = talus.linalg, []
    for name in ("getrf", "gesv", "gels"):
        routine = getattr(T._talus, name)

        def count(*arguments, routine=routine, **sources):
            matrices = next(a for a in arguments if isinstance(a, np.ndarray))
            factored.append(int(np.prod(matrices.shape[:-2], dtype=int)))
            return routine(*arguments, **sources)

        monkeypatch.setattr(T._talus, name, count)
    A, B = random(rng, (*batches[0], 30, 30), "float64"), random(rng, (*batches[1], 30, 1), "float64")
    for function in (T.solve, T.lstsq, lambda A, B: T.solve(A, B.swapaxes(-1, -2), left=False)):
        factored.clear()
        function(A, B)
        assert sum(factored) == np.prod(batches[0], dtype=int)


@pytest.mark.parametrize("batches", [((), (4000,)), ((5, 1), (5, 800))], ids=str)
def test_memory_of_repeated_matrices(rng, batches):
    """The memory of a call is the memory of the factors and the solution."""
    T, A = talus.linalg, random(rng, (*batches[0], 32, 32), "float64")
    B = random(rng, (*batches[1], 32, 1), "float64")
    least = A.nbytes + B.nbytes
    for function in (
        lambda: T.solve(A, B),
        lambda: T.lu_solve(*T.lu_factor(A), B),
        lambda: T.lstsq(A, B),
        lambda: T.cholesky_solve(B, np.abs(A)),
    ):
        function()
        tracemalloc.start()
        result = function()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del result
        assert peak < 1.2 * least


def test_failures_of_repeated_matrices(make, rng):
    """Every B of a singular A gets the info of A."""
    T, A = talus.linalg, well_conditioned(rng, (5, 1), 3, "float64")
    A[3, 0, :, 1] = 0
    B = random(rng, (5, 30, 3, 1), "float64")
    expected = np.zeros((5, 30), int)
    expected[3] = 2
    good = [0, 1, 2, 4]
    for name, arguments, to_axes in [
        ("solve", (A, B), (0, 1)),
        ("lstsq", (A, B), (0, 1)),
        ("solve", (A.swapaxes(0, 1), B.swapaxes(0, 1)), (1, 0)),
        ("lstsq", (A.swapaxes(0, 1), B.swapaxes(0, 1)), (1, 0)),
    ]:
        X, *_, info = getattr(T, name + "_ex")(*map(make, arguments))
        assert np.array_equal(make.numpy(info).transpose(to_axes), expected)
        X = make.numpy(X).transpose(*to_axes, 2, 3)
        assert np.allclose(X[good], np.linalg.solve(A[good], B[good]))
        first = "(3, 0)" if to_axes == (0, 1) else "(0, 3)"
        with pytest.raises(talus.LinAlgError, match=f"^{name}: matrix {re.escape(first)} "):
            getattr(T, name)(*map(make, arguments))
    one = np.zeros((3, 3))
    with pytest.raises(talus.LinAlgError, match="^solve: matrix 0 of 30 is singular"):
        T.solve(make(one), make(B[0]))
    assert (make.numpy(T.solve_ex(make(one), make(B[0]))[1]) == 1).all()
    # A NaN below the diagonal is found where getrf finds it.
    one = np.eye(3)
    one[2, 0] = np.nan
    assert (make.numpy(T.solve_ex(make(one), make(B[0]))[1]) == 1).all()


def test_batches_of_any_strides(make, rng):
    """Every second matrix, dimensions of the batch exchanged, one of length 1 cut out of a longer one."""
    values = positive_definite(rng, (4, 6), 5, "float64")
    whole = make(values)
    transposed = make(values.transpose(1, 0, 2, 3))
    transposed = (
        transposed.permute(1, 0, 2, 3)
        if make.name.startswith("torch")
        else (
            make.module.permute_dims(transposed, (1, 0, 2, 3))
            if make.name == "array_api_strict"
            else transposed.transpose(1, 0, 2, 3)
        )
    )
    for A, expected in [
        (whole[::2, ...], values[::2]),
        (whole[:, ::3, ...], values[:, ::3]),
        (transposed, values),
        (whole[:, :1, ...], values[:, :1]),
        (whole[1:2, 2:3, ...], values[1:2, 2:3]),
        (whole[..., 1:4, 1:4], values[..., 1:4, 1:4]),
    ]:
        L = make.numpy(talus.linalg.cholesky(A))
        assert np.allclose(L, np.linalg.cholesky(expected))
        assert np.allclose(make.numpy(talus.linalg.inv(A)), np.linalg.inv(expected))
        B = np.ones((*expected.shape[:-1], 2))
        X = talus.linalg.lu_solve(*talus.linalg.lu_factor(A), make(B))
        assert np.allclose(make.numpy(X), np.linalg.solve(expected, B))


@dtypes
@layouts
def test_inv(make, rng, dtype, stored):
    for batch, n in CASES:
        values = well_conditioned(rng, batch, n, dtype)
        A = make(values, stored)
        inverse, info = talus.linalg.inv_ex(A)
        batch_is_good(make, info, batch)
        assert inverse.shape == A.shape and make.is_of(inverse) and rows_are_contiguous(make, inverse)
        X = wide(make.numpy(inverse))
        assert_small(X @ values - eye(n), values, X, dtype=dtype)
        assert np.array_equal(make.numpy(A), values)
        assert np.array_equal(make.numpy(talus.linalg.inv(A)), make.numpy(inverse))


# ---- QR and least squares ------------------------------------------------------------------------


@dtypes
@layouts
def test_qr(make, rng, dtype, stored):
    for (m, n), batch in [
        *((shape, (3,)) for shape in TALL),
        *((shape[::-1], (3,)) for shape in TALL),
        *(((5, 2), batch) for batch in BATCHES),
        *(((2, 5), batch) for batch in BATCHES),
    ]:
        values = random(rng, (*batch, m, n), dtype)
        A, k = make(values, stored), min(m, n)
        for mode, rows, columns in [("reduced", k, k), ("complete", m, m), ("r", k, k)]:
            Q, R = talus.linalg.qr(A, mode)
            assert tuple(R.shape) == (*batch, rows, n) and make.is_of(R) and columns_are_contiguous(make, R)
            F = wide(make.numpy(R))
            assert np.array_equal(F, np.triu(F))
            if mode == "r":
                assert Q is None
                assert_small(H(F) @ F - H(wide(values)) @ values, values, H(values), dtype=dtype)
                continue
            assert (
                tuple(Q.shape) == (*batch, m, columns) and make.is_of(Q) and columns_are_contiguous(make, Q)
            )
            W = wide(make.numpy(Q))
            assert_small(W @ F - values, values, dtype=dtype)
            assert_small(H(W) @ W - eye(columns), dtype=dtype)
        assert np.array_equal(make.numpy(A), values)


@dtypes
@layouts
def test_lstsq(make, rng, dtype, stored):
    for (m, n), batch in [
        *((shape, (3,)) for shape in TALL),
        *((shape[::-1], (3,)) for shape in TALL),
        *(((5, 2), batch) for batch in BATCHES),
        *(((2, 5), batch) for batch in BATCHES),
    ]:
        values, B = random(rng, (*batch, m, n), dtype), random(rng, (*batch, m, 3), dtype)
        A, right = make(values, stored), make(B, stored)
        solution, residuals, info = talus.linalg.lstsq_ex(A, right)
        batch_is_good(make, info, batch)
        assert tuple(solution.shape) == (*batch, n, 3) and make.is_of(solution)
        assert columns_are_contiguous(make, solution)
        X = wide(make.numpy(solution))
        left_over = B - values @ X
        if m > n:
            assert_small(H(values) @ left_over, values, B, H(values), dtype=dtype)
            assert tuple(residuals.shape) == (*batch, 3)
            assert np.allclose(
                make.numpy(residuals), (np.abs(left_over) ** 2).sum(-2), rtol=1e3 * np.finfo(dtype).eps
            )
        else:
            assert tuple(residuals.shape) == (0,)
            assert_small(left_over, values, X, dtype=dtype)
            if m > 0:  # the least norm: X is in the range of A^H
                expected = np.linalg.pinv(wide(values)) @ B
                assert np.allclose(
                    X, expected, rtol=1e-2 if dtype in ("float32", "complex64") else 1e-6, atol=1e-3
                )
        assert np.array_equal(make.numpy(A), values) and np.array_equal(make.numpy(right), B)
        result = talus.linalg.lstsq(A, right)
        assert np.array_equal(make.numpy(result.solution), make.numpy(solution))


def test_lstsq_of_vectors(make, rng):
    for batch_A, shape_B in [((), (6,)), ((3,), (6,)), ((3,), (3, 6)), ((2, 3), (2, 3, 6))]:
        for n in (2, 6, 9):
            A, B = random(rng, (*batch_A, 6, n), "float64"), random(rng, shape_B, "float64")
            solution, residuals = talus.linalg.lstsq(make(A), make(B))
            assert tuple(solution.shape) == (*batch_A, n)
            assert np.allclose(make.numpy(solution), (np.linalg.pinv(A) @ B[..., None])[..., 0])
            assert tuple(residuals.shape) == ((*batch_A, 1) if n < 6 else (0,))


# ---- out -----------------------------------------------------------------------------------------


def outputs(make, results, stored):
    """Arrays like the results, filled with something else."""
    return tuple(
        make(np.full(make.numpy(result).shape, 7, make.numpy(result).dtype), stored) for result in results
    )


@layouts
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_out(make, rng, dtype, stored):
    A, B = positive_definite(rng, (2, 3), 5, dtype), random(rng, (2, 3, 5, 2), dtype)
    tall, vectors = random(rng, (2, 3, 7, 5), dtype), random(rng, (2, 3, 7), dtype)
    L, (LU, pivots) = talus.linalg.cholesky(make(A)), talus.linalg.lu_factor(make(A))
    T = talus.linalg
    for function, *arguments in [
        (T.cholesky, A),
        (T.inv, A),
        (T.cholesky_inverse, L),
        (T.cholesky_solve, B, L),
        (T.lu_solve, LU, pivots, B),
        (T.solve, A, B),
        (T.solve, A, B[..., 0]),
        (T.lu_factor, A),
        (T.qr, tall),
        (T.qr, H(tall)),
        (lambda *a, **k: T.solve(*a, left=False, **k), A, H(B)),
        (lambda *a, **k: T.lu_solve(*a, left=False, adjoint=True, **k), LU, pivots, H(B)),
        (lambda *a, **k: T.qr(*a, "complete", **k), tall),
        (lambda *a, **k: T.solve_triangular(*a, upper=True, **k), A, B),
        (lambda *a, **k: T.solve_triangular(*a, upper=True, left=False, **k), A, H(B)),
        (lambda *a, **k: T.lstsq(*a, **k).solution, tall, np.ones((7, 2), dtype)),
        (lambda *a, **k: T.lstsq(*a, **k).solution, H(tall), B),
        (lambda *a, **k: T.lstsq(*a, **k).solution, tall, vectors),
    ]:
        arguments = [
            make(a, stored) if isinstance(a, np.ndarray) and not make.is_of(a) or make.name == "numpy" else a
            for a in arguments
        ]
        expected = function(*arguments)
        pair = isinstance(expected, tuple)
        out = outputs(make, expected if pair else (expected,), stored)
        found = function(*arguments, out=out if pair else out[0])
        for given, returned, right in zip(
            out, found if pair else (found,), expected if pair else (expected,)
        ):
            assert returned is given
            assert np.allclose(make.numpy(given), make.numpy(right), atol=100 * np.finfo(dtype).eps)


@layouts
def test_in_place(make, rng, stored):
    A, B = positive_definite(rng, (3,), 5, "float64"), random(rng, (3, 5, 5), "float64")
    T = talus.linalg
    for function in (
        T.cholesky,
        T.inv,
        lambda A, out=None: T.solve(A, make(B), out=out),
        lambda A, out=None: T.solve(make(B), A, out=out),
        lambda A, out=None: T.solve(make(B), A, left=False, out=out),
    ):
        expected, a = function(make(A)), make(A, stored)
        assert function(a, out=a) is a
        assert np.allclose(make.numpy(a), make.numpy(expected), atol=1e-13)
    L, (LU, pivots) = T.cholesky(make(A)), T.lu_factor(make(A))
    for out in (L, LU):  # a factor that the solution overwrites
        solve = (
            (lambda out=None: T.cholesky_solve(make(B), L, out=out))
            if out is L
            else (lambda out=None: T.lu_solve(LU, pivots, make(B), out=out))
        )
        expected = make.numpy(solve())
        assert solve(out=out) is out
        assert np.allclose(make.numpy(out), expected, atol=1e-13)
    q, r = make(B, stored), make(B, stored)
    Q, R = T.qr(q)
    found = T.qr(q, out=(q, r))
    assert found[0] is q and found[1] is r
    assert np.array_equal(make.numpy(q), make.numpy(Q)) and np.array_equal(make.numpy(r), make.numpy(R))


@pytest.mark.parametrize("name", ["numpy", "torch-cpu", "torch-cuda", "cupy"])
@dtypes
def test_out_that_overlaps_an_argument(name, rng, dtype):
    """Results are right wherever `out` lies: all of the argument, its transpose, or shifted by a matrix."""
    make, T = Maker(name), talus.linalg
    S, B = positive_definite(rng, (4,), 3, dtype), random(rng, (4, 3, 3), dtype)
    L, (LU, pivots) = np.linalg.cholesky(S), T.lu_factor(S)
    pivots = make(pivots)
    cases = {
        "cholesky": (lambda A, out=None: T.cholesky(A, out=out), S),
        "cholesky_inverse": (lambda L, out=None: T.cholesky_inverse(L, out=out), L),
        "cholesky_solve, B": (lambda B, out=None: T.cholesky_solve(B, make(L)[: len(B)], out=out), B),
        "cholesky_solve, L": (lambda L, out=None: T.cholesky_solve(make(B)[: len(L)], L, out=out), L),
        "lu_factor": (
            lambda A, out=None: T.lu_factor(
                A, out=out if out is None else (out, make(make.numpy(pivots)[: len(A)]))
            )[0],
            S,
        ),
        "triangle, A": (
            lambda A, out=None: T.solve_triangular(A, make(B)[: len(A)], upper=False, out=out),
            S,
        ),
        "triangle, B": (
            lambda B, out=None: T.solve_triangular(make(S)[: len(B)], B, upper=True, left=False, out=out),
            B,
        ),
        "solve, A": (lambda A, out=None: T.solve(A, make(B)[: len(A)], out=out), S),
        "solve, B": (lambda B, out=None: T.solve(make(S)[: len(B)], B, out=out), B),
        "inv": (lambda A, out=None: T.inv(A, out=out), S),
        "qr, Q": (lambda A, out=None: T.qr(A, out=out if out is None else (out, make(make.numpy(A))))[0], B),
        "qr, R": (lambda A, out=None: T.qr(A, out=out if out is None else (make(make.numpy(A)), out))[1], B),
        "lstsq, A": (lambda A, out=None: T.lstsq(A, make(B)[: len(A)], out=out).solution, S),
        "lstsq, B": (lambda B, out=None: T.lstsq(make(S)[: len(B)], B, out=out).solution, B),
    }
    for left in (True, False):
        for adjoint in (True, False):
            words = {"left": left, "adjoint": adjoint}
            cases[f"lu_solve, LU, {words}"] = (
                lambda LU, out=None, words=words: T.lu_solve(
                    LU, pivots[: len(LU)], make(B)[: len(LU)], out=out, **words
                ),
                LU,
            )
            cases[f"lu_solve, B, {words}"] = (
                lambda B, out=None, words=words: T.lu_solve(
                    make(LU)[: len(B)], pivots[: len(B)], B, out=out, **words
                ),
                B,
            )
        cases[f"solve, A, {left}"] = (
            lambda A, out=None, left=left: T.solve(A, make(B)[: len(A)], left=left, out=out),
            S,
        )
        cases[f"solve, B, {left}"] = (
            lambda B, out=None, left=left: T.solve(make(S)[: len(B)], B, left=left, out=out),
            B,
        )
    places = {
        "itself": lambda A: (A, A),
        "another object": lambda A: (A, A[:]),
        "transposed": lambda A: (A, make._transposed(A)),
        "shifted": lambda A: (A[:3], A[1:]),
        "shifted back": lambda A: (A[1:], A[:3]),
    }
    for case, (function, values) in cases.items():
        for where, place in places.items():
            for stored in STORED:
                A, out = place(make(values, stored))
                expected = make.numpy(function(make(make.numpy(A), "columns")))
                found = function(A, out=out)
                assert found is out, (case, where, stored)
                error = np.abs(make.numpy(out) - expected).max()
                assert error < 1e3 * np.finfo(dtype).eps * np.abs(expected).max(), (case, where, stored)


@pytest.mark.parametrize("name", ["numpy", "torch-cpu"])
def test_in_place_nothing_is_copied(name, rng, monkeypatch):
    """Where `out` is the argument and stored as the routines take it."""
    make, T = Maker(name), talus.linalg
    A, B, b = (
        random(rng, (3, 4, 4), "float64"),
        random(rng, (3, 4, 4), "float64"),
        random(rng, (3, 4), "float64"),
    )
    LU, pivots = map(make, T.lu_factor(A))
    LU = make(make.numpy(LU), "columns")

    def refuse(*arguments):
        raise AssertionError("a copy")

    monkeypatch.setattr(T._talus, "copy", refuse)
    for function, argument in (
        (lambda x: T.inv(x, out=x), make(A)),
        (lambda x: T.inv(x, out=x), make(A, "columns")),
        (lambda x: T.lu_factor_ex(x, out=(x, pivots))[0], make(A, "columns")),
        (lambda x: T.solve(make(A), x, out=x), make(B, "columns")),
        (lambda x: T.solve(make(A), x, left=False, out=x), make(B)),
        (lambda x: T.solve(make(A), x, out=x), make(b)),
        (lambda x: T.lu_solve(LU, pivots, x, out=x), make(B, "columns")),
        (lambda x: T.lu_solve(LU, pivots, x, left=False, out=x), make(B)),
        (lambda x: T.qr(x, out=(x, make(B, "columns")))[0], make(A, "columns")),
    ):
        assert function(argument) is argument


# ---- fields of records ---------------------------------------------------------------------------

RECORDS = {
    "strides that are no multiple of an element's size": [("t", "u1"), ("A", "f8"), ("p", "i4")],
    "elements that are not aligned": [("t", "u4"), ("A", "f8"), ("p", "i4")],
    "aligned complex elements 24 bytes apart": [("t", "f8"), ("A", "c16")],
}


@pytest.mark.parametrize("kind", RECORDS)
@pytest.mark.parametrize("of", ["matrices", "elements"])
def test_fields_of_packed_records(rng, kind, of):
    """Fields of packed records are copied on the way in, and results are written to them."""
    T, fields = talus.linalg, RECORDS[kind]
    dtype = np.dtype(fields)["A"]
    S, B = positive_definite(rng, (5,), 3, dtype.name), random(rng, (5, 3, 2), dtype.name)
    L, (LU, pivots), X = T.cholesky(S), T.lu_factor(S), np.linalg.solve(S, B)

    def field(values, stored="rows", name="A"):
        if stored == "columns":
            return field(values.swapaxes(-1, -2), name=name).swapaxes(-1, -2)
        if of == "elements":
            records = np.zeros(values.shape, fields)
        else:
            records = np.zeros(5, [(x, t, values.shape[1:] if x == name else ()) for x, t in fields])
        records[name] = values
        return records[name]

    if "p" in dict(fields):
        pivots = field(pivots, name="p")
    for stored in ("rows", "columns"):
        A, b = field(S, stored), field(B, stored)
        assert np.array_equal(T.cholesky(A), L)
        assert np.allclose(T.inv(A), np.linalg.inv(S))
        assert np.allclose(T.qr(A)[1], T.qr(S)[1])
        for found in (
            T.solve(A, b),
            T.solve(S, b),
            T.solve(A, B),
            T.lstsq(A, b).solution,
            T.cholesky_solve(b, field(L, stored)),
            T.lu_solve(field(LU, stored), pivots, b),
            T.solve(A.swapaxes(-1, -2), b.swapaxes(-1, -2), left=False).swapaxes(-1, -2),
        ):
            assert np.allclose(found, X)
        assert np.allclose(T.solve(A[0], b), np.linalg.solve(S[0], B))
        assert np.allclose(T.cholesky([A[0], A[1]]), L[:2])
        out = field(np.zeros_like(S), stored)
        assert T.cholesky(S, out=out) is out and np.array_equal(out, L)
        assert T.inv(A, out=A) is A and np.allclose(A, np.linalg.inv(S))
        out = field(np.zeros_like(B), stored)
        assert T.solve(S, b, out=out) is out and np.allclose(out, X)
        out, of_pivots = field(np.zeros_like(S), stored), np.zeros_like(pivots)
        assert T.lu_factor(S, out=(out, of_pivots))[0] is out and np.array_equal(out, LU)
        info, Y = np.zeros(5, np.int32), np.empty((5, 2, 3), dtype).swapaxes(-1, -2)
        factors = np.empty((5, 3, 3), dtype).swapaxes(-1, -2)
        talus.gesv(factors, np.empty((5, 3), np.int32), Y, info, A_from=field(S, stored), B_from=b)
        assert np.allclose(Y, X)


# ---- failures ------------------------------------------------------------------------------------


@dtypes
def test_failures_leave_neighbours_unharmed(make, rng, dtype):
    n = 5
    good = positive_definite(rng, (4,), n, dtype)
    bad = good.copy()
    bad[1] = 0
    bad[2, 3, 3] = np.nan
    B = random(rng, (4, n, 2), dtype)
    tall = random(rng, (4, 7, n), dtype)
    tall_bad = tall.copy()
    tall_bad[1] = 0
    tall_bad[2, 3, 3] = np.nan
    T = talus.linalg
    for function, without, with_failures in [
        (lambda A: T.cholesky_ex(A), good, bad),
        (lambda A: T.lu_factor_ex(A)[::2], good, bad),
        (lambda A: T.solve_ex(A, make(B)), good, bad),
        (lambda A: T.inv_ex(A), good, bad),
        (lambda A: T.lstsq_ex(A, make(np.ones((7, 2), dtype)))[::2], tall, tall_bad),
        (
            lambda L: T.cholesky_solve_ex(make(B), L),
            good,
            bad,
        ),  # any matrix with a positive diagonal is a factor
        (lambda L: T.cholesky_inverse_ex(L), good, bad),
    ]:
        X, info = function(make(with_failures))
        info = make.numpy(info)
        assert info[0] == info[3] == 0 and info[1] == 1 and info[2] > 0
        right, _ = function(make(without))
        assert np.array_equal(make.numpy(X)[[0, 3]], make.numpy(right)[[0, 3]])


def test_exceptions_name_the_matrix(make):
    good = np.array([[2.0, 1.0], [1.0, 2.0]])
    negative, singular = np.diag([1.0, -1.0]), np.array([[1.0, 2.0], [2.0, 4.0]])
    one = np.ones((2, 1))

    def message(function, *arguments):
        with pytest.raises(talus.LinAlgError) as error:
            function(*map(make, arguments))
        assert isinstance(error.value, RuntimeError) and isinstance(error.value, np.linalg.LinAlgError)
        assert make.is_of(error.value.info) and make.numpy(error.value.info).any()
        for again in (copy.copy(error.value), pickle.loads(pickle.dumps(error.value))):
            assert type(again) is talus.LinAlgError and str(again) == str(error.value)
            assert np.array_equal(make.numpy(again.info), make.numpy(error.value.info))
        return str(error.value)

    T = talus.linalg
    assert message(T.cholesky, negative) == (
        "cholesky: the matrix is not positive definite: its leading minor of order 2 is not > 0"
    )
    assert message(T.cholesky, np.stack([good, good, negative, singular * 0])).startswith(
        "cholesky: matrix 2 of 4 is not positive definite: its leading minor of order 2 "
    )
    with_nan = np.array([[2.0, 1.0], [np.nan, 2.0]])
    assert message(T.cholesky, np.stack([good, with_nan])) == (
        "cholesky: matrix 1 of 2 has a NaN in the lower triangle of its first 2 rows and columns"
    )
    assert message(lambda A: T.cholesky(A, upper=True), np.stack([[good, with_nan.T]])) == (
        "cholesky: matrix (0, 1) has a NaN in the upper triangle of its first 2 rows and columns"
    )
    assert message(lambda A: T.cholesky([A, A]), with_nan).startswith("cholesky: matrix 0 of 2 has a NaN")
    assert "is not positive definite: its leading minor of order 1" in message(T.cholesky, with_nan - 5)
    assert "is not positive definite: its leading minor of order 2" in message(
        T.cholesky, np.array([[1.0, np.nan], [2.0, 1.0]])
    )
    assert message(lambda A: T.cholesky(A, out=A), with_nan) == (
        "cholesky: the matrix is not positive definite or has a NaN: its leading minor of order 2 is not > 0"
    )
    assert message(T.solve, np.stack([[good, good], [good, singular]]), one) == (
        "solve: matrix (1, 1) is singular: U(2, 2) is zero or NaN"
    )
    assert message(T.inv, np.stack([[[good], [good], [good]], [[good], [singular], [good]]])).startswith(
        "inv: matrix (1, 1, 0) is singular"
    )
    assert message(T.lu_factor, singular).startswith("lu_factor: the matrix is singular: U(2, 2)")
    assert message(lambda A: T.lu_solve(*T.lu_factor_ex(A)[:2], make(one)), singular).startswith(
        "lu_solve: the matrix"
    )
    assert message(T.lstsq, np.zeros((3, 4, 2)), np.ones(4)) == (
        "lstsq: matrix 0 of 3 does not have full rank: R(1, 1) is zero or NaN"
    )
    assert message(T.cholesky_solve, one, negative).startswith(
        "cholesky_solve: the matrix is no Cholesky factor: its diagonal element 2 is not > 0"
    )
    assert message(T.cholesky_inverse, negative).startswith(
        "cholesky_inverse: the matrix is no Cholesky factor"
    )


# ---- the package ---------------------------------------------------------------------------------


def test_doctests():
    Maker("numpy")
    failed, attempted = doctest.testmod(talus.linalg)
    assert failed == 0 and attempted > 15


def test_package(capsys):
    assert talus.__version__.count(".") == 2
    talus.show_config()
    assert capsys.readouterr().out.startswith(f"Talus {talus.__version__}\n")
    for name in talus.__all__:
        assert hasattr(talus, name)
    for name in talus.linalg.__all__:
        assert getattr(talus.linalg, name).__doc__


def test_arrays_of_jax():
    jnp = module_or_skip("jax.numpy")
    module_or_skip("talus.jax")
    T = talus.linalg
    A, B = jnp.array([[4.0, 2.0], [2.0, 10.0]], jnp.float32), jnp.array([[1.0], [2.0]], jnp.float32)
    L, (LU, pivots), (Q, R) = T.cholesky(A), T.lu_factor(A), T.qr(A)
    assert np.allclose(L, [[2, 0], [1, 3]])
    assert np.allclose(Q @ R, A, atol=1e-5)
    expected = np.linalg.solve(A, B)
    for X in (
        T.solve(A, B),
        T.solve_ex(A, B)[0],
        T.inv(A) @ B,
        T.inv_ex(A)[0] @ B,
        T.lstsq(A, B).solution,
        T.lstsq_ex(A, B)[0],
        T.cholesky_solve(B, L),
        T.cholesky_solve_ex(B, L)[0],
        T.solve(A, B.T, left=False).T,
        T.solve_ex(A, B.T, left=False)[0].T,
        T.solve_triangular(L.T, T.solve_triangular(L, B, upper=False), upper=True),
    ):
        assert isinstance(X, type(A)) and np.allclose(X, expected, atol=1e-5)
    assert T.cholesky_ex(A)[1] == 0 and T.lu_factor_ex(A)[2] == 0
    with pytest.raises(TypeError, match="^LU: "):
        T.lu_solve(LU, pivots, B)
    with pytest.raises(TypeError, match="^out: "):
        T.cholesky(A, out=A)
