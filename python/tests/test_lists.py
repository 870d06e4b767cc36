"""Lists of matrices of different sizes."""

import numpy as np
import pytest
import talus
from helpers import DTYPES, H, STORED, assert_small, positive_definite, random, wide, well_conditioned

T = talus.linalg
ORDERS = [5, 0, 1, 17, 2, 40, 5]
SHAPES = [(5, 2), (2, 5), (1, 1), (17, 17), (0, 3), (3, 0), (40, 6), (6, 33)]
layouts = pytest.mark.parametrize("stored", STORED)
dtypes = pytest.mark.parametrize("dtype", DTYPES)


def arrays(make, matrices, stored="rows"):
    return [make(matrix, stored) for matrix in matrices]


def all_good(make, info, count):
    assert tuple(info.shape) == (count,) and make.is_of(info)
    assert make.numpy(info).dtype == np.int32 and not make.numpy(info).any()


def numpys(make, results):
    assert isinstance(results, list) and all(make.is_of(result) for result in results)
    return [wide(make.numpy(result)) for result in results]


@dtypes
@layouts
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(make, rng, dtype, stored, upper):
    A = [positive_definite(rng, (), n, dtype) for n in ORDERS]
    B = [random(rng, (n, k), dtype) for n, k in zip(ORDERS, (1, 2, 3, 0, 1, 2, 3))]
    L, info = T.cholesky_ex(arrays(make, A, stored), upper=upper)
    all_good(make, info, len(A))
    X, info = T.cholesky_solve_ex(arrays(make, B, stored), L, upper=upper)
    all_good(make, info, len(A))
    inverse, info = T.cholesky_inverse_ex(tuple(L), upper=upper)
    all_good(make, info, len(A))
    for a, b, l, x, i in zip(A, B, *(numpys(make, results) for results in (L, X, inverse))):
        assert np.array_equal(l, np.triu(l) if upper else np.tril(l))
        assert_small((H(l) @ l if upper else l @ H(l)) - a, a, dtype=dtype)
        assert x.shape == b.shape
        assert_small(a @ x - b, a, x, dtype=dtype)
        assert_small(a @ i - np.eye(len(a)), a, i, dtype=dtype)


@dtypes
@layouts
@pytest.mark.parametrize("left", [True, False])
def test_lu(make, rng, dtype, stored, left):
    A = [well_conditioned(rng, (), n, dtype) for n in ORDERS]
    B = [random(rng, (n, 3) if left else (3, n), dtype) for n in ORDERS]
    LU, pivots, info = T.lu_factor_ex(arrays(make, A, stored))
    all_good(make, info, len(A))
    X, info = T.lu_solve_ex(LU, pivots, arrays(make, B, stored), left=left)
    all_good(make, info, len(A))
    Y, info = T.solve_ex(arrays(make, A, stored), arrays(make, B, stored), left=left)
    all_good(make, info, len(A))
    Z, info = T.lu_solve_ex(LU, pivots, arrays(make, B, stored), left=left, adjoint=True)
    inverse, info = T.inv_ex(arrays(make, A, stored))
    all_good(make, info, len(A))
    for a, b, x, y, z, i in zip(A, B, *(numpys(make, results) for results in (X, Y, Z, inverse))):
        for solution, matrix in ((x, a), (y, a), (z, H(a))):
            residual = (matrix @ solution if left else solution @ matrix) - b
            assert_small(
                residual, matrix if left else H(matrix), solution if left else H(solution), dtype=dtype
            )
        assert_small(i @ a - np.eye(len(a)), a, i, dtype=dtype)


@dtypes
@layouts
def test_qr(make, rng, dtype, stored):
    A = [random(rng, shape, dtype) for shape in SHAPES]
    for mode in ("reduced", "complete", "r"):
        Q, R = T.qr(arrays(make, A, stored), mode)
        R = numpys(make, R)
        if mode == "r":
            assert Q is None
            for a, r in zip(A, R):
                assert r.shape == (min(a.shape), a.shape[1])
                assert_small(H(r) @ r - H(a) @ a, a, H(a), dtype=dtype)
            continue
        for a, q, r in zip(A, numpys(make, Q), R):
            columns = len(a) if mode == "complete" else min(a.shape)
            assert q.shape == (len(a), columns) and r.shape == (columns, a.shape[1])
            assert np.array_equal(r, np.triu(r))
            assert_small(q @ r - a, a, dtype=dtype)
            assert_small(H(q) @ q - np.eye(columns), dtype=dtype)


@dtypes
@layouts
def test_lstsq(make, rng, dtype, stored):
    A = [random(rng, shape, dtype) for shape in SHAPES]
    B = [random(rng, (shape[0], 2), dtype) for shape in SHAPES]
    solution, residuals, info = T.lstsq_ex(arrays(make, A, stored), arrays(make, B, stored))
    all_good(make, info, len(A))
    for a, b, x, squares in zip(A, B, numpys(make, solution), numpys(make, residuals)):
        m, n = a.shape
        assert x.shape == (n, 2) and squares.shape == ((2,) if m > n else (0,))
        left_over = b - a @ x
        if m > n:
            assert_small(H(a) @ left_over, a, b, H(a), dtype=dtype)
            assert np.allclose(squares, (np.abs(left_over) ** 2).sum(0), rtol=1e3 * np.finfo(dtype).eps)
        else:
            assert_small(left_over, a, x, dtype=dtype)


def test_vectors(make, rng):
    A = [well_conditioned(rng, (), n, "float64") for n in ORDERS]
    b = [random(rng, (n,), "float64") for n in ORDERS]
    for X in (T.solve(arrays(make, A), arrays(make, b)), T.lstsq(arrays(make, A), arrays(make, b)).solution):
        for a, right, x in zip(A, b, numpys(make, X)):
            assert x.shape == right.shape and np.allclose(a @ x, right)


def test_failures(make, rng):
    A = [positive_definite(rng, (), n, "float64") for n in (3, 4, 5)]
    expected = numpys(make, T.cholesky(arrays(make, A)))
    A[1] = np.diag([1.0, 2.0, -1.0, 1.0])
    L, info = T.cholesky_ex(arrays(make, A))
    assert list(make.numpy(info)) == [0, 3, 0]
    assert all(np.array_equal(make.numpy(L[b]), expected[b]) for b in (0, 2))
    with pytest.raises(talus.LinAlgError, match="^cholesky: matrix 1 of 3 .* order 3 ") as error:
        T.cholesky(arrays(make, A))
    assert list(make.numpy(error.value.info)) == [0, 3, 0]


@layouts
def test_out(make, rng, stored):
    A = [positive_definite(rng, (), n, "float64") for n in (3, 0, 5)]
    B = [random(rng, (n, 2), "float64") for n in (3, 0, 5)]
    given = arrays(make, A)
    for function, *arguments in [
        (T.cholesky, given),
        (T.inv, given),
        (T.solve, given, arrays(make, B)),
        (T.lu_factor, given),
        (T.qr, given),
    ]:
        expected = function(*arguments)
        pair = isinstance(expected, tuple)
        outs = [
            [make(np.full(each.shape, 7, make.numpy(each).dtype), stored) for each in results]
            for results in (expected if pair else (expected,))
        ]
        found = function(*arguments, out=tuple(outs) if pair else outs[0])
        for out, returned, right in zip(outs, found if pair else (found,), expected if pair else (expected,)):
            for a, b, c in zip(out, returned, right):
                assert a is b
                assert np.allclose(make.numpy(a), make.numpy(c))
    a = arrays(make, A, stored)
    expected = numpys(make, T.cholesky(a))
    for x, y in zip(numpys(make, T.cholesky(a, out=a)), expected):
        assert np.allclose(x, y)
    assert all(np.allclose(make.numpy(x), y) for x, y in zip(a, expected))


def test_refusals(make, rng):
    A = arrays(make, [positive_definite(rng, (), n, "float64") for n in (3, 5)])
    B = arrays(make, [random(rng, (n, 2), "float64") for n in (3, 5)])

    def refused(error, words, function, *arguments, **keywords):
        with pytest.raises(error, match=words):
            function(*arguments, **keywords)

    refused(ValueError, "^A: is an empty list", T.cholesky, [])
    refused(TypeError, "^A: element 1 is a float", T.cholesky, [A[0], 1.0])
    refused(TypeError, "^A: element 0 is a list", T.cholesky, [[1.0, 2.0], [3.0, 4.0]])
    refused(ValueError, "^A: has 1 dimensions", T.cholesky, [A[0], make(np.ones(3))])
    refused(ValueError, "^A: has 3 dimensions", T.lu_factor, [make(np.ones((2, 3, 3)))])
    refused(ValueError, "^A: ", T.cholesky, [A[0], make(np.ones((2, 3)))])
    refused(TypeError, "^A: is of float32", T.cholesky, [A[0], make(np.eye(3, dtype="float32"))])
    refused(TypeError, "^B: is no list", T.solve, A, B[0])
    refused(TypeError, "^B: ", T.solve, A[0], B)
    refused(ValueError, "^B: holds 1 arrays, .* 2", T.solve, A, B[:1])
    refused(ValueError, "^B: has 5 rows", T.solve, A, B[::-1])
    refused(TypeError, "^out: is no list", T.cholesky, A, out=A[0])
    refused(ValueError, "^out: holds 1 arrays, .* 2", T.cholesky, A, out=A[:1])
    refused(TypeError, "^out: ", T.cholesky, A[0], out=A)
    refused(ValueError, "^out: has shape", T.cholesky, A, out=A[::-1])
    refused(TypeError, r"^out: has to be a pair \(Q, R\)", T.qr, A, out=A[0])
