"""The routines by LAPACK's names, on arrays and on lists of arrays."""

import numpy as np
import pytest
import talus
from helpers import DTYPES, H, STORED, assert_small, positive_definite, random, well_conditioned, wide

BATCH = (2, 3)
SIZES = [4, 1, 7, 0, 12]  # of lists

dtypes = pytest.mark.parametrize("dtype", DTYPES)
forms = pytest.mark.parametrize("form", ["equal", "mixed"])


class Problems:
    """Matrices of one routine: NumPy's in `each`, as arguments from `argument`."""

    def __init__(self, make, form):
        self.make, self.form = make, form

    def build(self, one):
        """one(batch, n) of a batch of equal matrices, or for each of a list."""
        return one(BATCH, 6) if self.form == "equal" else [one((), n) for n in SIZES]

    def argument(self, matrices, stored="columns"):
        if self.form == "equal":
            return self.make(matrices, stored)
        return [self.make(matrix, stored) for matrix in matrices]

    def vectors(self, matrices, dtype, length=min):
        """Of as many elements as length(m, n)."""
        one = lambda A: self.make(np.full((*A.shape[:-2], length(A.shape[-2:])), 7, dtype))  # noqa: E731
        return one(matrices) if self.form == "equal" else [one(A) for A in matrices]

    def info(self):
        return self.make(np.full(BATCH if self.form == "equal" else len(SIZES), 7, np.int32))

    def each(self, *arguments):
        """Tuples of the arguments' matrices, one after the other."""

        def flat(argument):
            if isinstance(argument, list):
                return [self.make.numpy(x) if self.make.is_of(x) else x for x in argument]
            argument = self.make.numpy(argument) if self.make.is_of(argument) else argument
            return list(argument.reshape(-1, *argument.shape[len(BATCH) :]))

        for one in zip(*map(flat, arguments)):
            yield tuple(wide(x) if x.dtype.kind in "fc" else x for x in one)

    def good(self, info):
        assert not self.make.numpy(info).any()


@pytest.fixture
def of(make, form):
    return Problems(make, form)


@dtypes
@forms
@pytest.mark.parametrize("uplo", ["lower", "upper", "L", "U"])
@pytest.mark.parametrize("stored", ["columns", "rows"])
def test_cholesky(of, rng, dtype, uplo, stored):
    if stored == "rows" and len(uplo) == 1:
        pytest.skip("said with words")
    lower = uplo in ("lower", "L")
    A = of.build(lambda batch, n: positive_definite(rng, batch, n, dtype))
    B = of.build(lambda batch, n: random(rng, (*batch, n, 2), dtype))
    L, X, info = of.argument(A, stored), of.argument(B), of.info()
    talus.potrf(uplo, L, info)
    of.good(info)
    for a, l in of.each(A, L):
        assert_small(
            (np.tril(l) @ H(np.tril(l)) if lower else H(np.triu(l)) @ np.triu(l)) - a, a, dtype=dtype
        )
        other = np.triu_indices(len(a), 1) if lower else np.tril_indices(len(a), -1)
        assert np.array_equal(l[other], a[other])
    if stored == "columns" or dtype in ("float32", "float64"):
        X = of.argument(B)
        talus.potrs(uplo, L, X, info)
        of.good(info)
        for a, b, x in of.each(A, B, X):
            assert_small(a @ x - b, a, x, dtype=dtype)
        F, X, info = of.argument(A, stored), of.argument(B), of.info()
        talus.posv(uplo, F, X, info)
        of.good(info)
        for a, b, x in of.each(A, B, X):
            assert_small(a @ x - b, a, x, dtype=dtype)
    else:
        with pytest.raises(ValueError, match="^A: "):
            talus.potrs(uplo, L, X, info)
    talus.potri(uplo, L, info)
    of.good(info)
    for a, l in of.each(A, L):
        part = np.tril if lower else np.triu
        assert_small(
            (part(l) + H(part(l, -1 if lower else 1))) @ a - np.eye(len(a)),
            a,
            np.linalg.inv(a) if len(a) else a,
            dtype=dtype,
        )


@dtypes
@forms
@pytest.mark.parametrize("stored", ["columns", "rows"])
def test_potrf_partial(of, form, rng, dtype, stored):
    A = of.build(lambda batch, n: positive_definite(rng, batch, n, dtype))
    k = 4 if form == "equal" else [3, 1, 2, 0, 12]
    L, info = of.argument(A, stored), of.info()
    talus.potrf_partial("lower", k, L, info)
    of.good(info)
    for (a, l), k_b in zip(of.each(A, L), [4] * 6 if form == "equal" else k):
        front, schur = np.tril(l)[:, :k_b], np.tril(l[k_b:, k_b:])
        rest = np.zeros_like(a)
        rest[k_b:, k_b:] = schur + H(np.tril(schur, -1))
        assert_small(front @ H(front) + rest - a, a, dtype=dtype)
    if form == "mixed":
        L = of.argument(A, stored)
        talus.potrf_partial("lower", 0, L, info)
        of.good(info)


@dtypes
@forms
def test_potrf_partial_split(of, rng, dtype):
    A = of.build(lambda batch, n: positive_definite(rng, batch, n + 3, dtype))
    blocks = [
        of.argument(A[block] if of.form == "equal" else [a[block] for a in A])
        for block in (np.s_[..., :3, :3], np.s_[..., 3:, :3], np.s_[..., 3:, 3:])
    ]
    info = of.info()
    talus.potrf_partial_split("lower", *blocks, info)
    of.good(info)
    for a, a11, a21, a22 in of.each(A, *blocks):
        front = np.concatenate([np.tril(a11), a21])
        rest = np.zeros_like(a)
        rest[3:, 3:] = np.tril(a22) + H(np.tril(a22, -1))
        assert_small(front @ H(front) + rest - a, a, dtype=dtype)


def unpacked(LU, ipiv=None):
    """P, L, U of one matrix."""
    m, n = LU.shape
    k = min(m, n)
    P = np.eye(m)
    for i in range(k if ipiv is not None else 0):
        P[[i, ipiv[i] - 1]] = P[[ipiv[i] - 1, i]]
    return P.T, np.tril(LU[:, :k], -1) + np.eye(m, k), np.triu(LU[:k])


@dtypes
@forms
def test_lu(of, rng, dtype):
    A = of.build(lambda batch, n: well_conditioned(rng, batch, n, dtype))
    B = of.build(lambda batch, n: random(rng, (*batch, n, 2), dtype))
    LU, ipiv, info = of.argument(A), of.vectors(A, np.int32), of.info()
    talus.getrf(LU, ipiv, info)
    of.good(info)
    for a, lu, p in of.each(A, LU, ipiv):
        P, L, U = unpacked(lu, p)
        assert_small(P @ L @ U - a, a, dtype=dtype)
    for op, matrix in [
        ("none", lambda a: a),
        ("trans", lambda a: a.T),
        ("conj_trans", H),
        ("N", lambda a: a),
    ]:
        X = of.argument(B)
        talus.getrs(op, LU, ipiv, X, None)
        for a, b, x in of.each(A, B, X):
            assert_small(matrix(a) @ x - b, matrix(a), x, dtype=dtype)
    F, p, X, info = of.argument(A), of.vectors(A, np.int32), of.argument(B), of.info()
    talus.gesv(F, p, X, info)
    of.good(info)
    for a, b, x in of.each(A, B, X):
        assert_small(a @ x - b, a, x, dtype=dtype)
    C = of.argument(A)
    talus.getri_outofplace(LU, ipiv, C, info)
    of.good(info)
    talus.getri(LU, ipiv, info)
    of.good(info)
    for a, c, i in of.each(A, C, LU):
        assert_small(c @ a - np.eye(len(a)), a, c, dtype=dtype)
        assert_small(i @ a - np.eye(len(a)), a, i, dtype=dtype)


@dtypes
@forms
def test_lu_without_pivoting(of, make, rng, dtype):
    A = of.build(lambda batch, n: (random(rng, (*batch, n, n), dtype) + 4 * n * np.eye(n)).astype(dtype))
    B = of.build(lambda batch, n: random(rng, (*batch, n, 2), dtype))
    LU, X, info = of.argument(A), of.argument(B), of.info()
    talus.getrf_nopiv(LU, info)
    of.good(info)
    talus.getrs_nopiv("none", LU, X, info)
    of.good(info)
    for a, b, x, lu in of.each(A, B, X, LU):
        _, L, U = unpacked(lu)
        assert_small(L @ U - a, a, dtype=dtype)
        assert_small(a @ x - b, a, x, dtype=dtype)
    # A pivot below the floor becomes the floor.
    zero = of.build(lambda batch, n: np.zeros((*batch, n, n), dtype))
    for floors in (
        {"pivot_floor": 0.5},
        {"pivot_floor_array": make(np.full(of.info().shape, 0.5, np.finfo(dtype).dtype))},
    ):
        Z, replaced = of.argument(zero), of.info()
        talus.getrf_nopiv(Z, info, replaced=replaced, **floors)
        of.good(info)
        counts = make.numpy(replaced).reshape(-1)
        for (z,), count in zip(of.each(Z), counts):
            assert count == len(z) and np.array_equal(z, 0.5 * np.eye(len(z)))


@dtypes
@forms
def test_getrf_partial(of, form, rng, dtype):
    A = of.build(lambda batch, n: (random(rng, (*batch, n, n), dtype) + 4 * n * np.eye(n)).astype(dtype))
    k = 4 if form == "equal" else [3, 1, 2, 0, 12]
    of_each = [4] * 6 if form == "equal" else k
    for pivoting in (True, False):
        LU, info = of.argument(A), of.info()
        if pivoting:
            ipiv = (
                of.make(np.zeros((*BATCH, 4), np.int32))
                if form == "equal"
                else [of.make(np.zeros(k_b, np.int32)) for k_b in k]
            )
            talus.getrf_partial(k, LU, ipiv, info)
        else:
            talus.getrf_partial_nopiv(k, LU, info)
        of.good(info)
        for (a, lu), k_b in zip(of.each(A, LU), of_each):
            L = np.tril(lu, -1)[:, :k_b] + np.eye(len(a), k_b)
            rest = np.zeros_like(a)
            rest[k_b:, k_b:] = lu[k_b:, k_b:]
            assert_small(
                L @ np.triu(lu)[:k_b] + rest - a, a, dtype=dtype
            )  # diagonally dominant: no exchanges


@dtypes
@forms
@pytest.mark.parametrize("pivoting", [True, False])
def test_getrf_partial_split(of, rng, dtype, pivoting):
    A = of.build(
        lambda batch, n: (random(rng, (*batch, n + 3, n + 3), dtype) + 40 * np.eye(n + 3)).astype(dtype)
    )
    for form, schur in [("lapack", "subtract"), ("left", "subtract"), ("left", "product")]:
        blocks = [
            of.argument(A[block] if of.form == "equal" else [a[block] for a in A])
            for block in (np.s_[..., :3, :3], np.s_[..., :3, 3:], np.s_[..., 3:, :3], np.s_[..., 3:, 3:])
        ]
        info = of.info()
        if pivoting:
            ipiv = of.vectors(blocks[0], np.int32)
            talus.getrf_partial_split(form, schur, *blocks, ipiv, info)
        else:
            talus.getrf_partial_split_nopiv(form, schur, *blocks, info, pivot_floor=1e-3)
        of.good(info)
        for a, a12, a22 in of.each(A, blocks[1], blocks[3]):
            X = np.linalg.solve(a[:3, :3], a[:3, 3:])
            product = a[3:, :3] @ X
            assert np.allclose(
                a22, product if schur == "product" else a[3:, 3:] - product, rtol=1e-3, atol=1e-4
            )
            if form == "left":
                assert np.allclose(a12, X, rtol=1e-3, atol=1e-4)


@dtypes
@forms
@pytest.mark.parametrize("extra", [0, 3])
def test_qr(of, rng, dtype, extra):
    A = of.build(lambda batch, n: random(rng, (*batch, n + extra, n), dtype))
    F, tau, info = of.argument(A), of.vectors(A, dtype), of.info()
    talus.geqrf(F, tau, info)
    of.good(info)
    R = [np.triu(f[: f.shape[1]]) for (f,) in of.each(F)]
    # Q^H A = R, and Q R = A
    C = of.argument(A)
    talus.ormqr("left", "conj_trans", F, tau, C, None)
    for (a, c), r in zip(of.each(A, C), R):
        full = np.concatenate([r, np.zeros((extra, r.shape[1]))])
        assert_small(c - full, a, dtype=dtype)
    talus.orgqr(F, tau, info)
    of.good(info)
    W, S = of.argument(A), of.argument(of.build(lambda batch, n: np.full((*batch, n, n), 7, dtype)))
    talus.qr(W, S, info)
    of.good(info)
    for (a, q, w, s), r in zip(of.each(A, F, W, S), R):
        for Q, T in ((q, r), (w, s)):
            assert_small(Q @ T - a, a, dtype=dtype)
            assert_small(H(Q) @ Q - np.eye(Q.shape[1]), dtype=dtype)
        assert np.array_equal(s, np.triu(s))


@dtypes
@forms
@pytest.mark.parametrize("op", ["none", "conj_trans"])
def test_gels(of, rng, dtype, op):
    A = of.build(lambda batch, n: random(rng, (*batch, n + 2, n), dtype))
    B = of.build(lambda batch, n: random(rng, (*batch, n + 2, 2), dtype))
    F, X, info = of.argument(A), of.argument(B), of.info()
    talus.gels(op, F, X, info)
    of.good(info)
    for a, b, x in of.each(A, B, X):
        n = a.shape[1]
        if op == "none":
            assert_small(H(a) @ (b - a @ x[:n]), a, b, H(a), dtype=dtype)
        elif n > 0:
            assert_small(H(a) @ x - b[:n], H(a), x, dtype=dtype)


@dtypes
@forms
def test_trsm(of, rng, dtype):
    A = of.build(lambda batch, n: well_conditioned(rng, batch, n, dtype))
    for side, uplo, op, diag in [
        ("left", "lower", "none", "non_unit"),
        ("right", "upper", "conj_trans", "non_unit"),
        ("L", "U", "T", "N"),
        ("R", "L", "N", "U"),
    ]:
        left = side in ("left", "L")
        B = of.build(lambda batch, n: random(rng, (*batch, n, 2) if left else (*batch, 2, n), dtype))
        X, info = of.argument(B), of.info()
        F = of.argument(A if diag != "U" else (A * 0.1 if of.form == "equal" else [a * 0.1 for a in A]))
        talus.trsm(side, uplo, op, diag, -2, F, X, info)
        of.good(info)
        for f, b, x in of.each(F, B, X):
            t = np.tril(f) if uplo in ("lower", "L") else np.triu(f)
            if diag == "U":
                t = t - np.diag(np.diag(t)) + np.eye(len(t))
            t = {"none": t, "N": t, "T": t.T, "conj_trans": H(t)}[op]
            assert_small(
                (t @ x if left else x @ t) + 2 * b, t if left else H(t), x if left else H(x), dtype=dtype
            )


@dtypes
def test_products_of_lists(make, rng, dtype):
    of = Problems(make, "mixed")
    A = of.build(lambda batch, n: random(rng, (n + 2, n), dtype))
    B = of.build(lambda batch, n: random(rng, (n + 1, n), dtype))
    C = of.build(lambda batch, n: random(rng, (n + 2, n + 1), dtype))
    out, info = of.argument(C), of.info()
    talus.gemm("none", "conj_trans", 2, of.argument(A), of.argument(B), -1, out, info)
    for a, b, c, o in of.each(A, B, C, out):
        assert np.allclose(o, 2 * a @ H(b) - c, rtol=1e-4, atol=1e-4)
    x = of.build(lambda batch, n: random(rng, (n,), dtype))
    y = of.build(lambda batch, n: random(rng, (n + 2,), dtype))
    out = of.argument(y)
    talus.gemv("none", 0.5, of.argument(A), of.argument(x), 3, out)
    for a, b, c, o in of.each(A, x, y, out):
        if len(b) > 0:  # else y is as it was, as BLAS leaves it
            assert np.allclose(o, 0.5 * a @ b + 3 * c, rtol=1e-4, atol=1e-4)
    with pytest.raises(TypeError, match="^A: is no list"):
        talus.gemm("none", "none", 1, make(np.eye(2)), make(np.eye(2)), 0, make(np.eye(2)))


def parts_of(values):
    """{part: what a copy of that part has}, of square matrices."""
    parts = {"all": values, "lower": np.tril(values), "upper": np.triu(values)}
    for half, other in (("lower", -1), ("upper", 1)):
        strict = (np.tril if half == "lower" else np.triu)(values, other)
        parts[f"mirror_{half}"] = parts[half] + H(strict)
    return parts


@dtypes
def test_copy(make, rng, dtype):
    values = random(rng, (2, 3, 5, 5), dtype)
    for part, expected in parts_of(values).items():
        for stored_A in STORED:
            for stored_B in STORED:
                A, B = make(values, stored_A), make(np.full(values.shape, 7, dtype), stored_B)
                talus.copy(A, B, part)
                assert np.array_equal(make.numpy(B), expected)
                assert np.array_equal(make.numpy(A), values)
            A = make(values, stored_A)
            talus.copy(A, A, part)
            assert np.array_equal(make.numpy(A), expected)


@dtypes
def test_copy_of_lists(make, rng, dtype):
    sizes = [(2, 3), (4, 1), (0, 2), (70, 33), (1, 200), (130, 65), (65, 130)]
    A = [random(rng, shape, dtype) for shape in sizes]
    for stored_A in STORED:
        for stored_B in STORED:
            B = [make(np.full(shape, 7, dtype), stored_B) for shape in sizes]
            talus.copy([make(a, stored_A) for a in A], B)
            assert all(np.array_equal(make.numpy(b), a) for a, b in zip(A, B))
    of_each = [parts_of(random(rng, (n, n), dtype)) for n in (5, 0, 1, 64, 33, 130)]
    for part in of_each[0]:
        values, expected = ([parts[which] for parts in of_each] for which in ("all", part))
        A = [make(a, stored) for a, stored in zip(values, STORED + STORED)]
        for B in (
            A,
            [make(np.full(a.shape, 7, dtype), stored) for a, stored in zip(values, STORED[::-1] * 2)],
        ):
            talus.copy([make(a) for a in values] if B is not A else A, B, part)
            assert all(np.array_equal(make.numpy(b), e) for b, e in zip(B, expected))


def test_copy_over_batches_of_any_strides(make, rng):
    values = random(rng, (4, 3, 2, 5, 6), "float64")
    whole = make(values)
    for index in (
        np.s_[:, :, :1, ...],
        np.s_[:, 1:2, ...],
        np.s_[::2, :, 1:2, ...],
        np.s_[:, :2, :, ...],
        np.s_[1:2, 1:2, 1:2, ...],
        np.s_[:, ::2, ::2, 1:3, ::2],
    ):
        A = whole[index]
        B = make(np.zeros(A.shape), "gaps")
        talus.copy(A, B)
        assert np.array_equal(make.numpy(B), values[index])


def test_arrays_that_are_read_may_be_broadcast(make, rng):
    A = positive_definite(rng, (), 4, "float64")
    L, info = make(A, "columns"), make(np.zeros((), np.int32))
    talus.potrf("lower", L, info)
    expand = L.expand if make.name.startswith("torch") else None
    if make.name == "array_api_strict":
        everywhere = make.module.broadcast_to(L, (2, 3, 4, 4))
    else:
        everywhere = expand((2, 3, 4, 4)) if expand else make.module.broadcast_to(L, (2, 3, 4, 4))
    B = random(rng, (2, 3, 4, 2), "float64")
    X = make(B, "columns")
    talus.potrs("lower", everywhere, X, make(np.zeros((2, 3), np.int32)))
    assert np.allclose(make.numpy(X), np.linalg.solve(A, B))
    with pytest.raises((TypeError, ValueError), match="^A: "):  # CuPy's and NumPy's are read-only
        talus.potri("lower", everywhere, make(np.zeros((2, 3), np.int32)))


def test_empty_batches(make):
    for batch in ((0,), (0, 3), (2, 0)):
        A, info = make(np.zeros((*batch, 3, 3))), make(np.zeros(batch, np.int32))
        talus.potrf("lower", A, info)
        talus.getrf(make(np.zeros((*batch, 3, 4)), "columns"), make(np.zeros((*batch, 3), np.int32)), info)
        talus.copy(A, A, "lower")
    info = make(np.zeros(0, np.int32))
    talus.potrf("lower", [], info)
    n0 = make(np.zeros((2, 0, 0)))
    info = make(np.full(2, 7, np.int32))
    talus.potrf("lower", n0, info)
    assert not make.numpy(info).any()


def test_stream_on_the_host():
    """Means nothing there, but is looked at."""
    A, info = np.eye(2), np.zeros((), np.int32)
    talus.potrf("lower", A, info, stream=0)
    with pytest.raises(TypeError, match="^stream: "):
        talus.potrf("lower", A, info, stream="fast")


@pytest.mark.parametrize("of", ["array", "list"])
def test_right_hand_sides_may_be_vectors(rng, of):
    """One for each matrix, from an array or a list of them, and copied from others."""
    A = rng.standard_normal((3, 4, 4))
    b = rng.standard_normal((3, 4))
    as_given = (lambda x: x) if of == "array" else list
    LU = as_given(np.empty((3, 4, 4)).swapaxes(-1, -2))
    x, ipiv, info = as_given(np.empty((3, 4))), as_given(np.empty((3, 4), np.int32)), np.empty(3, np.int32)
    talus.gesv(LU, ipiv, x, info, A_from=as_given(A), B_from=as_given(b))
    assert np.abs(np.einsum("bij,bj->bi", A, np.stack(x)) - b).max() < 1e-12
    talus.getrs("trans", LU, ipiv, x, info, B_from=as_given(b))
    assert np.abs(np.einsum("bji,bj->bi", A, np.stack(x)) - b).max() < 1e-12
    S = A @ A.swapaxes(-1, -2) + np.eye(4)
    talus.posv("lower", as_given(S.copy()), as_given(y := b.copy()), info)
    assert np.abs(np.einsum("bij,bj->bi", S, y) - b).max() < 1e-12


def test_what_is_copied_into_a_matrix(rng):
    """A_from has any strides, and stays as it is; of Cholesky a triangle and zeros are copied."""
    A = rng.standard_normal((5, 6, 4, 5))[..., ::2, ::-1][:, :, :, :3].transpose(1, 0, 3, 2)
    assert A.shape == (6, 5, 3, 2)
    before = A.copy()
    LU, ipiv, info = (
        np.empty((6, 5, A.shape[-1], A.shape[-2])).swapaxes(-1, -2),
        np.empty((6, 5, 2), np.int32),
        np.empty((6, 5), np.int32),
    )
    talus.getrf(LU, ipiv, info, A_from=A)
    assert np.array_equal(A, before)
    other = np.empty_like(LU)
    talus.copy(A, other)
    pivots = np.empty_like(ipiv)
    talus.getrf(other, pivots, info)
    assert np.array_equal(LU, other) and np.array_equal(ipiv, pivots)
    assert_small(
        np.stack([P @ L @ U for P, L, U in map(unpacked, LU[0], ipiv[0])]) - A[0], A[0], dtype="float64"
    )
    Z = positive_definite(rng, (6,), 3, "complex128")
    for stored_rows in (True, False):  # a factor of the other triangle, of the conjugated matrix
        F = np.full(Z.shape, np.nan, complex)
        F = F if stored_rows else F.swapaxes(-1, -2)
        for uplo, exact in (("lower", np.linalg.cholesky(Z)), ("upper", H(np.linalg.cholesky(Z)))):
            talus.potrf(uplo, F, np.empty(6, np.int32), A_from=Z)
            assert np.allclose(F, exact, atol=1e-13)
    S = np.array([[4.0, 99.0], [2.0, 10.0]])
    L = np.full((2, 2), np.nan)
    talus.potrf("lower", L, np.empty((), np.int32), A_from=S)
    assert np.array_equal(L, [[2, 0], [1, 3]])
    with pytest.raises(ValueError, match="^A: its matrices are"):
        talus.potrf("lower", L, np.empty((), np.int32), A_from=np.eye(3))
    with pytest.raises(TypeError, match="^A_from: is of float32"):
        talus.potrf("lower", L, np.empty((), np.int32), A_from=np.eye(2, dtype=np.float32))
