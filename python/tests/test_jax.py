"""talus.jax: values, jit, vmap, derivatives and failures, on the CPU and, where JAX has one, on the GPU."""

from __future__ import annotations

import os

import numpy as np
import pytest

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other tests of the process need memory, too
jax = pytest.importorskip("jax")
tj = pytest.importorskip("talus.jax", reason="built without jaxlib")

import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, PartitionSpec  # noqa: E402
from jax.test_util import check_grads  # noqa: E402


def devices() -> list[jax.Device]:
    cpu = jax.devices("cpu")[0]
    others = [d for d in jax.devices() if d.platform != "cpu"]
    return [cpu, *others[:1], *others[1:][-1:]]  # the last one is not the device that is current


TYPES = [np.float32, np.float64, np.complex64, np.complex128]
WIDE_TYPES = [np.float64, np.complex128]
SHAPES = [(6, 6), (9, 4), (4, 9), (40, 33)]
CASES = [(1, (5,)), (3, ()), (16, (2, 3)), (40, (2,))]  # n, batch


@pytest.fixture(autouse=True)
def double_precision():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture(params=devices(), ids=str)
def device(request):
    with jax.default_device(request.param):
        yield request.param


def random(dtype, *shape: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng([seed, *shape])
    x = generator.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        x = x + 1j * generator.standard_normal(shape)
    return x.astype(dtype)


def H(A):
    return A.conj().swapaxes(-1, -2)


def regular(dtype, *shape: int, seed: int = 0) -> np.ndarray:
    """Square matrices that are well conditioned."""
    n = shape[-1]
    return (random(dtype, *shape, seed=seed) / np.sqrt(n) + 3 * np.eye(n)).astype(dtype)


def definite(dtype, *shape: int, seed: int = 0) -> np.ndarray:
    A = random(dtype, *shape, seed=seed)
    return (A @ H(A) / shape[-1] + np.eye(shape[-1])).astype(dtype)


def assert_close(actual, expected, size: int = 10) -> None:
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    if not np.issubdtype(actual.dtype, np.inexact):
        assert np.array_equal(actual, expected)
        return
    error = np.abs(actual - expected).max(initial=0)
    assert error <= 30 * size * np.finfo(actual.dtype).eps * max(1, np.abs(expected).max(initial=0))


def on_cpu(function, *arguments):
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, function(*arguments))


# ---- values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n,batch", CASES)
@pytest.mark.parametrize("dtype", TYPES)
def test_cholesky(device, dtype, n, batch):
    A = definite(dtype, *batch, n, n)
    expected = on_cpu(jnp.linalg.cholesky, A)
    lower = tj.cholesky(np.tril(A) + np.triu(np.full_like(A, np.nan), 1))  # only its triangle is read
    upper = tj.cholesky(np.triu(A) + np.tril(np.full_like(A, np.nan), -1), upper=True)
    assert lower.devices() == {device}
    assert_close(lower, expected, n)
    assert_close(upper, H(expected), n)
    factor, info = tj.cholesky_ex(A)
    assert_close(factor, expected, n)
    assert info.dtype == np.int32 and info.shape == batch and not info.any()


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("n,nrhs", [(5, 3), (33, 40)])
@pytest.mark.parametrize("dtype", TYPES)
def test_cholesky_solve(device, dtype, n, nrhs, upper):
    A, B = definite(dtype, 4, n, n), random(dtype, 4, n, nrhs)
    factor = np.linalg.cholesky(A)
    factor = H(factor) + np.tril(np.full_like(A, np.nan), -1) if upper else factor
    assert_close(tj.cholesky_solve(B, factor, upper), np.linalg.solve(A, B), n)
    X, info = tj.cholesky_solve_ex(B, factor, upper=upper)
    assert_close(X, np.linalg.solve(A, B), n)
    assert not info.any()


@pytest.mark.parametrize("n,batch", CASES)
@pytest.mark.parametrize("dtype", TYPES)
def test_solve_and_inv(device, dtype, n, batch):
    A, B, b = regular(dtype, *batch, n, n), random(dtype, *batch, n, 3), random(dtype, *batch, n)
    assert_close(tj.solve(A, B), on_cpu(jnp.linalg.solve, A, B), n)
    assert_close(tj.solve(A, b), on_cpu(jnp.linalg.solve, A, b[..., None])[..., 0], n)
    assert_close(tj.inv(A), on_cpu(jnp.linalg.inv, A), n)
    assert not tj.solve_ex(A, B)[1].any() and not tj.inv_ex(A)[1].any()


@pytest.mark.parametrize("unitriangular", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_solve_triangular(device, dtype, upper, left, unitriangular):
    A = regular(dtype, 4, 1, 6, 6)
    B = random(dtype, 3, 6, 2) if left else random(dtype, 3, 2, 6)
    unread = A + (np.tril(np.full_like(A, np.nan), -1) if upper else np.triu(np.full_like(A, np.nan), 1))
    T = np.triu(A) if upper else np.tril(A)
    if unitriangular:
        T[..., range(6), range(6)] = 1
        unread[..., range(6), range(6)] = np.nan
    words = {"upper": upper, "left": left, "unitriangular": unitriangular}
    expected = np.linalg.solve(T, B) if left else H(np.linalg.solve(H(T), H(B)))
    assert_close(tj.solve_triangular(unread, B, **words), expected, 20)
    b = jnp.asarray(B)
    assert_close(jax.vmap(lambda a: tj.solve_triangular(a, b, **words))(A[:, 0]), expected, 20)
    if dtype in WIDE_TYPES:
        check_grads(lambda a, b: tj.solve_triangular(a, b, **words), (A[:, 0], B[:1]), order=1)


def test_solve_broadcasts(device):
    A, B = regular(np.float64, 3, 1, 4, 4), random(np.float64, 5, 4, 2)
    assert_close(tj.solve(A, B), np.linalg.solve(A, B))
    assert_close(tj.solve(A[0, 0], B), np.linalg.solve(A[0, 0], B))
    assert_close(tj.solve(A[:, 0], B[0, :, 0]), np.linalg.solve(A[:, 0], B[0, :, :1])[..., 0])
    L = np.linalg.cholesky(definite(np.float64, 4, 4))
    assert_close(tj.cholesky_solve(B, L), np.linalg.solve(L @ H(L), B))


@pytest.mark.parametrize("m,n", SHAPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_lu_factor(device, dtype, m, n):
    A = random(dtype, 3, m, n)
    k = min(m, n)
    LU, pivots, info = (np.asarray(x) for x in tj.lu_factor_ex(A))
    assert pivots.dtype == np.int32 and pivots.shape == (3, k) and not info.any()
    for i in range(3):
        permuted = A[i].copy()
        for j, p in enumerate(pivots[i] - 1):
            permuted[[j, p]] = permuted[[p, j]]
        L = np.tril(LU[i][:, :k], -1) + np.eye(m, k, dtype=dtype)
        assert np.abs(L).max() <= 1.5
        assert_close(L @ np.triu(LU[i][:k]), permuted, max(m, n))
    assert all(np.array_equal(x, y) for x, y in zip(tj.lu_factor(A), (LU, pivots)))


@pytest.mark.parametrize("m,n", SHAPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_qr(device, dtype, m, n):
    A = random(dtype, 3, m, n)
    expected = on_cpu(jnp.linalg.qr, A)  # up to signs
    for mode, columns in ("reduced", min(m, n)), ("complete", m):
        Q, R = (np.asarray(x) for x in tj.qr(A, mode))
        assert Q.shape == (3, m, columns) and R.shape == (3, columns, n)
        assert_close(Q @ R, A, max(m, n))
        assert_close(H(Q) @ Q, np.broadcast_to(np.eye(columns, dtype=dtype), (3, columns, columns)), m)
        assert np.array_equal(R, np.triu(R))
        assert_close(np.abs(R[:, : min(m, n)]), np.abs(expected[1]), max(m, n))
    Q, R = tj.qr(A, "r")
    assert Q is None
    assert_close(R, tj.qr(A).R, max(m, n))


@pytest.mark.parametrize("m,n", SHAPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_lstsq(device, dtype, m, n):
    A = random(dtype, 3, m, n) + 3 * np.eye(m, n, dtype=dtype)
    B = random(dtype, 3, m, 2)
    expected = on_cpu(jax.vmap(lambda a, b: jnp.linalg.lstsq(a, b)[0]), A, B)
    solution, residuals = tj.lstsq(A, B)
    assert_close(solution, expected, 10 * max(m, n))
    assert not tj.lstsq_ex(A, B)[2].any()
    of_vectors = tj.lstsq(A, B[..., 0])
    assert_close(of_vectors.solution, expected[..., 0], 10 * max(m, n))
    if m > n:
        squares = (np.abs(B - A @ expected) ** 2).sum(axis=-2)
        assert_close(residuals, squares, 10 * m)
        assert_close(of_vectors.residuals, squares[..., :1], 10 * m)
    else:
        assert residuals.shape == of_vectors.residuals.shape == (0,)


def test_many_small_matrices(device):
    A, B = definite(np.float64, 10000, 4, 4), random(np.float64, 10000, 4, 1)
    assert_close(tj.cholesky(A), np.linalg.cholesky(A))
    assert_close(tj.solve(A, B), np.linalg.solve(A, B))


def test_single_precision_is_the_default_of_jax(device):
    jax.config.update("jax_enable_x64", False)
    L = tj.cholesky([[4, 0], [2, 2]])  # of integers, too
    assert_close(L, np.array([[2, 0], [1, 1]], np.float32))


# ---- transformations ---------------------------------------------------------------------------------------


def test_vmap_is_one_call(device):
    A, B = regular(np.float64, 7, 3, 4, 4), random(np.float64, 7, 3, 4, 2)
    for function, routine, arguments in [
        (tj.cholesky, "potrf", [A]),
        (tj.inv, "inverse", [A]),
        (tj.solve, "gesv", [A, B]),
        (tj.lstsq, "gels", [A[..., :3], B]),
        (tj.cholesky_solve, "potrs", [B, A]),
        (tj.qr, "qr", [A]),
        (tj.lu_factor, "getrf", [A]),
    ]:
        mapped = jax.jit(jax.vmap(jax.vmap(function)))
        assert mapped.lower(*arguments).as_text().count(f"@talus_{routine}") == 1
        for x, y in zip(jax.tree.leaves(mapped(*arguments)), jax.tree.leaves(function(*arguments))):
            assert_close(x, y)


def test_vmap_over_any_axis(device):
    A, B = np.moveaxis(regular(np.float64, 5, 4, 4), 0, 1), random(np.float64, 4, 2, 5)
    expected = np.linalg.solve(np.moveaxis(A, 1, 0), np.moveaxis(B, 2, 0))
    assert_close(jax.vmap(tj.solve, in_axes=(1, 2), out_axes=2)(A, B), np.moveaxis(expected, 0, 2))
    one = A[:, 0]
    assert_close(jax.vmap(tj.solve, in_axes=(None, 2))(one, B), np.linalg.solve(one, np.moveaxis(B, 2, 0)))
    of_one = jax.vmap(tj.solve, in_axes=(1, None))(A, B[..., 0])
    assert_close(of_one, np.linalg.solve(np.moveaxis(A, 1, 0), B[..., 0]))


REPEATED = [
    ((), (40,)),
    ((5, 1), (5, 3)),
    ((1, 5), (3, 5)),
    ((3, 1, 2, 1), (3, 5, 2, 2)),
    ((3,), (2, 3)),
    ((2, 1), (1, 3)),
]


@pytest.mark.parametrize("of_A,of_B", REPEATED)
def test_repeated_matrices_are_factored_once(device, of_A, of_B):
    A, B = regular(np.float64, *of_A, 4, 4), random(np.float64, *of_B, 4, 2)
    tall, batch = random(np.float64, *of_A, 6, 4), np.broadcast_shapes(of_A, of_B)
    count = int(np.prod(of_A))
    for function, routine, a, b in [
        (tj.solve_ex, "gesv", A, B),
        (lambda a, b: tj.lstsq_ex(a, b)[::2], "gels", tall, random(np.float64, *of_B, 6, 2)),
    ]:
        X, info = function(a, b)
        assert_close(X, np.linalg.pinv(a) @ b, 100)
        assert info.shape == batch and not info.any()
        (call,) = (line for line in jax.jit(function).lower(a, b).as_text().splitlines() if routine in line)
        of_factor = call[call.index("(tensor<") + 8 :].split("xf64")[0].split("x")
        assert np.prod([int(extent) for extent in of_factor[:-2]], dtype=int) == count
    check_grads(tj.solve, (A, B), order=1)
    bad = A.copy()
    bad[(0,) * len(of_A)][:, 1] = 0
    expected = np.zeros(of_A, np.int32)
    expected[(0,) * len(of_A)] = 2
    assert np.array_equal(
        tj.solve_ex(bad, B)[1], np.broadcast_to(expected, batch) if of_A else np.full(batch, 2)
    )


def test_vmap_of_right_hand_sides_factors_once(device):
    A, B = regular(np.float64, 3, 4, 4), random(np.float64, 7, 3, 4, 2)
    L = np.linalg.cholesky(definite(np.float64, 3, 4, 4))
    expected = np.linalg.solve(A, B)
    for function, routine, a, x in [
        (tj.solve, "gesv", A, expected),
        (lambda a, b: tj.lstsq(a, b).solution, "gels", A, expected),
        (lambda a, b: tj.cholesky_solve(b, a), "potrs", L, np.linalg.solve(L @ H(L), B)),
    ]:
        mapped = jax.jit(jax.vmap(function, in_axes=(None, 0)))
        assert_close(mapped(a, B), x, 100)
        text = mapped.lower(a, B).as_text()
        assert text.count(f"@talus_{routine}") == 1 and "7x3x4x4xf64" not in text
    gradient = jax.vmap(jax.grad(lambda a, b: (tj.solve(a, b) ** 2).sum(), argnums=(0, 1)), in_axes=(None, 0))
    for i, b in enumerate(B):
        for of_all, of_one in zip(
            gradient(A, B), jax.grad(lambda a, b: (tj.solve(a, b) ** 2).sum(), (0, 1))(A, b)
        ):
            assert_close(of_all[i], of_one, 100)
    X, info = jax.vmap(tj.solve_ex, in_axes=(None, 0))(A, B)
    assert info.shape == (7, 3) and not info.any()


def test_arguments_stay_as_they_were(device):
    A, B = jnp.asarray(regular(np.float64, 3, 5, 5)), jnp.asarray(random(np.float64, 3, 5, 2))
    before = np.array(A), np.array(B)
    for function in tj.solve, tj.lstsq:
        function(A, B)
    for function in tj.cholesky, tj.inv, tj.lu_factor, tj.qr:
        function(A)
    assert np.array_equal(A, before[0]) and np.array_equal(B, before[1])


def test_donated_argument(device):
    A = definite(np.float64, 3, 5, 5)
    assert_close(jax.jit(tj.inv, donate_argnums=0)(jnp.asarray(A)), np.linalg.inv(A))


def test_in_a_loop(device):
    """A loop's body, which on a GPU becomes a CUDA graph, run more than once."""
    A, b = definite(np.float64, 6, 5, 5), random(np.float64, 6, 5)

    @jax.jit
    def iterate(A, b):
        def step(_, carry):
            A, x = carry
            x = tj.solve(A, x)
            L = tj.cholesky(A)
            return L @ L.mT, x / jnp.linalg.norm(x)

        return lax.fori_loop(0, 8, step, (A, b))

    x = b
    for _ in range(8):
        x = np.linalg.solve(A, x[..., None])[..., 0]
        x = x / np.linalg.norm(x)
    for _ in range(3):
        assert_close(iterate(A, b)[1], x, 100)


@pytest.mark.skipif(jax.__version_info__ < (0, 10), reason="shard_map was another")
def test_shard_map(device):
    A = definite(np.float64, 4, 3, 3)
    mesh, spec = Mesh([device], ("x",)), PartitionSpec("x")
    mapped = jax.shard_map(tj.cholesky, mesh=mesh, in_specs=spec, out_specs=spec)
    assert_close(mapped(A), np.linalg.cholesky(A))
    gradient = jax.vmap(jax.grad(lambda a: tj.inv(a).sum()))
    mapped = jax.shard_map(gradient, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    assert_close(mapped(A), gradient(A))


# ---- derivatives -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", WIDE_TYPES)
def test_derivatives_of_cholesky(device, dtype, upper):
    S, B = definite(dtype, 2, 3, 3), random(dtype, 2, 3, 2)

    def of_hermitian(a):
        return tj.cholesky((a + a.mT.conj()) / 2, upper)

    check_grads(of_hermitian, (S,), order=1)
    check_grads(lambda b, l: tj.cholesky_solve(b, l, upper), (B, of_hermitian(S)), order=1)


@pytest.mark.parametrize("dtype", WIDE_TYPES)
def test_derivatives_of_solve_and_inv(device, dtype):
    A, B = regular(dtype, 2, 3, 3), random(dtype, 2, 3, 2)
    check_grads(tj.solve, (A, B), order=1)
    check_grads(tj.solve, (A, B[..., 0]), order=1)
    check_grads(tj.inv, (A,), order=1)


@pytest.mark.parametrize("dtype,m,n", [(np.float64, 3, 3), (np.complex128, 5, 3), (np.float64, 3, 5)])
def test_derivatives_of_factors(device, dtype, m, n):
    A = random(dtype, 2, m, n) + 3 * np.eye(m, n, dtype=dtype)
    check_grads(lambda a: tj.lu_factor(a)[0], (A,), order=1)
    check_grads(lambda a: tuple(tj.qr(a)), (A,), order=1)


def test_second_derivatives(device):
    A, b = regular(np.float64, 3, 3), random(np.float64, 3)
    check_grads(lambda a, b: tj.solve(a, b) @ tj.cholesky(a @ a.mT), (A, b), order=2)


@pytest.mark.parametrize("dtype", WIDE_TYPES)
def test_gradients_are_those_of_jax(device, dtype):
    A, B = regular(dtype, 2, 4, 4), random(dtype, 2, 4, 3)
    S = definite(dtype, 2, 4, 4)
    for ours, theirs, argument in [
        (tj.cholesky, jnp.linalg.cholesky, S),
        (tj.inv, jnp.linalg.inv, A),
        (lambda a: tj.solve(a, B), lambda a: jnp.linalg.solve(a, B), A),
    ]:
        gradients = [jax.grad(lambda a, f=f: (jnp.abs(f(a)) ** 3).sum())(argument) for f in (ours, theirs)]
        assert_close(*gradients, size=100)


def test_gradient_under_jit_and_vmap(device):
    A, b = regular(np.float64, 6, 4, 4), random(np.float64, 4)

    def loss(a, b):
        return (tj.solve(a, b) ** 2).sum() + jnp.log(jnp.diagonal(tj.cholesky(a @ a.mT))).sum()

    gradients = jax.jit(jax.vmap(jax.grad(loss, argnums=(0, 1)), in_axes=(0, None)))(A, b)
    for i in range(6):
        for of_all, of_one in zip(gradients, jax.grad(loss, argnums=(0, 1))(A[i], b)):
            assert_close(of_all[i], of_one)


def test_gradient_in_single_precision(device):
    A, B = regular(np.float64, 3, 20, 20), random(np.float64, 3, 20, 2)
    S = definite(np.float64, 3, 20, 20)

    def loss(a, s, b):
        return (tj.solve(a, b) * tj.cholesky_solve(b, tj.cholesky(s))).sum()

    wide = jax.grad(loss, argnums=(0, 1, 2))(A, S, B)
    narrow = jax.grad(loss, argnums=(0, 1, 2))(*(x.astype(np.float32) for x in (A, S, B)))
    for x, y in zip(narrow, wide):
        assert_close(x, np.asarray(y).astype(np.float32), 20)


# ---- failures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TYPES)
def test_failed_matrices(device, dtype):
    A = definite(dtype, 3, 4, 4)
    bad = A.copy()
    bad[1] = np.diag(np.array([1, 2, -1, 1], dtype))
    L, info = tj.cholesky_ex(bad)
    assert info.tolist() == [0, 3, 0]
    L = np.asarray(tj.cholesky(bad))
    assert np.isnan(L[1]).all()
    assert_close(L[::2], np.linalg.cholesky(A)[::2])

    B = random(dtype, 3, 4, 2)
    X, info = tj.cholesky_solve_ex(B, bad)
    assert info.tolist() == [0, 3, 0] and np.isnan(np.asarray(tj.cholesky_solve(B, bad))[1]).all()

    bad[1] = np.diag(np.array([1, 0, 1, 1], dtype))
    assert tj.lu_factor_ex(bad)[2].tolist() == tj.solve_ex(bad, B)[1].tolist() == [0, 2, 0]
    assert tj.inv_ex(bad)[1].tolist() == tj.lstsq_ex(bad, B)[2].tolist() == [0, 2, 0]
    assert np.isfinite(np.asarray(tj.lu_factor(bad)[0])).all()
    for result, expected in [
        (tj.solve(bad, B), np.linalg.solve(A, B)),
        (tj.solve(bad, B[..., 0]), np.linalg.solve(A, B)[..., 0]),
        (tj.inv(bad), np.linalg.inv(A)),
        (tj.lstsq(bad, B).solution, np.linalg.solve(A, B)),
    ]:
        result = np.asarray(result)
        assert np.isnan(result[1]).all()
        assert_close(result[::2], expected[::2], 100)
    tall = np.concatenate([A, A], axis=-2)
    tall[1, :, 2] = 0
    solution, residuals = tj.lstsq(tall, np.concatenate([B, B], axis=-2))
    assert np.isnan(solution[1]).all() and np.isnan(residuals[1]).all() and np.isfinite(residuals[0]).all()


def test_not_a_number(device):
    A = definite(np.float64, 3, 4, 4)
    A[1, 2, 2] = np.nan
    L = np.asarray(tj.cholesky(A))
    assert np.isnan(L[1]).all() and np.isfinite(L[::2]).all()
    assert tj.cholesky_ex(A)[1].tolist() == [0, 3, 0]


@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0), (0, 0), (2, 0, 3, 3)])
def test_empty(device, shape):
    A, B = jnp.zeros(shape), jnp.zeros((*shape[:-1], 2))
    for function in tj.cholesky, tj.inv, jax.jit(jax.grad(lambda a: tj.cholesky(a).sum())):
        assert function(A).shape == shape
    assert tj.solve(A, B).shape == tj.cholesky_solve(B, A).shape == tj.lstsq(A, B).solution.shape == B.shape
    assert tj.lu_factor(A)[1].shape == shape[:-1]
    assert tj.qr(A).Q.shape == tj.qr(A, "complete").Q.shape == tj.qr(A, "r").R.shape == shape
    info = tj.cholesky_ex(A)[1]
    assert info.shape == shape[:-2] and not info.any()


def test_empty_rectangles(device):
    Q, R = tj.qr(jnp.zeros((2, 3, 0)), "complete")
    assert_close(Q, np.broadcast_to(np.eye(3), (2, 3, 3)))
    assert R.shape == (2, 3, 0)
    assert [x.shape for x in tj.qr(jnp.zeros((2, 0, 3)))] == [(2, 0, 0), (2, 0, 3)]
    assert tj.lstsq(jnp.ones((2, 0, 3)), jnp.ones((2, 0, 1))).solution.shape == (2, 3, 1)
    X, info = tj.solve_ex(jnp.zeros((2, 3, 3)), jnp.zeros((2, 3, 0)))
    assert X.shape == (2, 3, 0) and info.tolist() == [1, 1]


def test_refusals():
    square, vector = jnp.eye(3), jnp.ones(3)
    for function in tj.cholesky, tj.inv, tj.lu_factor, tj.qr:
        with pytest.raises(ValueError, match="^A: has 1 dimensions"):
            function(vector)
        with pytest.raises(TypeError, match="^A: has dtype float16"):
            function(square.astype(jnp.float16))
    for function in tj.cholesky, tj.inv, lambda a: tj.solve(a, jnp.ones((2, 1))):
        with pytest.raises(ValueError, match="^A: has matrices of 2 x 3"):
            function(jnp.ones((2, 3)))
    for function in (
        tj.solve,
        tj.lstsq,
        lambda a, b: tj.cholesky_solve(b, a),
        lambda a, b: tj.solve_triangular(a, b, upper=True),
    ):
        with pytest.raises(ValueError, match="^B: has 4 rows, [AL] has 3"):
            function(square, jnp.ones((4, 2)))
    with pytest.raises(ValueError, match=r"^B: batch dimensions \(2,\) and \(5,\)"):
        tj.solve(jnp.ones((2, 3, 3)), jnp.ones((5, 3, 1)))
    with pytest.raises(ValueError, match="^mode: is 'full'"):
        tj.qr(square, "full")
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda a: tj.lstsq(a, vector).solution.sum())(square)


@pytest.mark.parametrize("value", [0, 5, -1, 2_000_000_000])
def test_pivots_outside_the_matrix(value):
    """No function of talus.jax takes pivots, but its handler of getrs refuses illegal pivots on the CPU."""
    with jax.default_device(jax.devices("cpu")[0]):
        LU, B = jnp.stack([jnp.eye(4)] * 3), jnp.ones((3, 4, 1))
        pivots = jnp.array([[1, 2, 3, 4]] * 3, jnp.int32)
        solve = jax.jit(tj._getrs("N"))
        assert np.array_equal(solve(B, LU, pivots), B)
        with pytest.raises(Exception, match="talus getrs: a pivot is above its row or outside"):
            solve(B, LU, pivots.at[2, 1].set(value)).block_until_ready()


def test_a_newer_ffi_is_an_import_error(monkeypatch):
    major, minor = tj._jax.api_version
    monkeypatch.setattr(tj._jax, "api_version", (major, minor + 99))
    with pytest.raises(ImportError, match="^talus.jax: built for XLA's FFI .* build talus beside"):
        tj._register()
