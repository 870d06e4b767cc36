"""What is refused: by an exception that begins with the name of the argument, before anything is touched, and
with nobody left holding an array."""

import ctypes
import sys
import threading
import weakref

import numpy as np
import pytest
import talus
from helpers import Maker, module_or_skip

T = talus.linalg
I2, I3 = np.eye(2), np.eye(3)


def info(*shape):
    return np.zeros(shape, np.int32)


def columns(*shape, dtype="float64"):
    """Of a unit matrix."""
    A = np.zeros((*shape[:-2], shape[-1], shape[-2]), dtype)
    A[...] = np.eye(shape[-1], shape[-2])
    return A.swapaxes(-1, -2)


def read_only(A):
    A = A.copy()
    A.flags.writeable = False
    return A


def swapped(A):
    """Of the other byte order."""
    return A.astype(A.dtype.newbyteorder())


class Speaks:
    """An array that answers DLPack's questions as it is told to."""

    def __init__(self, device=(1, 0), capsule=None, error=None):
        self.device, self.capsule, self.error = device, capsule, error

    def __dlpack_device__(self):
        if isinstance(self.device, Exception):
            raise self.device
        return self.device

    def __dlpack__(self, **keywords):
        if self.error:
            raise self.error
        return self.capsule


used = np.eye(2).__dlpack__()
np.from_dlpack(Speaks(capsule=used))  # consumes it

WRONG_MATRICES = [
    (TypeError, None),
    (TypeError, 1.0),
    (TypeError, np.float64(1)),
    (TypeError, "A"),
    (TypeError, {}),
    (TypeError, b"12345678"),
    (TypeError, memoryview(np.eye(2))),
    (TypeError, I2.astype(np.float16)),
    (TypeError, I2.astype(np.int64)),
    (TypeError, I2.astype(bool)),
    (TypeError, I2.astype(np.longdouble)),
    (TypeError, I2.astype(object)),
    (TypeError, swapped(I2)),
    (TypeError, np.zeros((2, 2), [("x", "f8")])),
    (ValueError, np.ones(4)),
    (ValueError, np.ones(())),
    (TypeError, Speaks(error=RuntimeError("no"))),
    (TypeError, Speaks(device=RuntimeError("no"))),
    (TypeError, Speaks(device=None)),
    (TypeError, Speaks(device=(1,))),
    (TypeError, Speaks(device=("cpu", 0))),
    (TypeError, Speaks(capsule=None)),
    (TypeError, Speaks(capsule=3)),
    (TypeError, Speaks(capsule=used)),
    (TypeError, Speaks(error=TypeError("no"))),
    (TypeError, Speaks(error=BufferError("no"))),
]
ids = [f"{error.__name__}-{type(A).__name__}-{i}" for i, (error, A) in enumerate(WRONG_MATRICES)]


@pytest.mark.parametrize(("error", "A"), WRONG_MATRICES, ids=ids)
def test_what_is_no_array_of_matrices(error, A):
    for _ in range(3):
        with pytest.raises(error, match="^A: "):
            talus.potrf("lower", A, info())
        with pytest.raises(error, match="^B: "):
            talus.potrs("lower", columns(2, 2), A, info())
        with pytest.raises(error, match="^A: "):
            talus.copy(A, np.eye(2))
        with pytest.raises(error, match="^A: "):
            talus.getrf([columns(2, 2), A], [info(2), info(2)], info(2))
        for function in (T.cholesky, T.lu_factor_ex, T.inv, T.qr):
            with pytest.raises(error, match="^A: "):
                function(A)
        if not (isinstance(A, np.ndarray) and A.shape == (4,)):
            with pytest.raises((TypeError, ValueError), match="^B: "):
                T.solve(np.eye(4), A)


LOW_LEVEL = {
    # Layouts
    "^A: .*row by row": (ValueError, lambda: talus.getrf(np.ones((2, 3)), info(2), info())),
    "^A: strides": (ValueError, lambda: talus.potrf("lower", np.ones((4, 4))[::2, ::2], info())),
    "^A: strides .*-": (ValueError, lambda: talus.potrf("lower", np.eye(3)[::-1], info())),
    "^A: strides .*2, -1": (ValueError, lambda: talus.potrf("lower", np.eye(2)[:, ::-1], info())),
    "^A: a stride of its batch is negative": (
        ValueError,
        lambda: talus.potrf("lower", np.ones((3, 2, 2))[::-1], info(3)),
    ),
    "^A: strides .* one distance": (
        ValueError,
        lambda: talus.potrf("lower", np.ones((4, 3, 2, 2))[::2, ::2], info(2, 2)),
    ),
    "^A: its matrices overlap": (
        ValueError,
        lambda: talus.potrf(
            "lower", np.lib.stride_tricks.as_strided(np.ones(9), (3, 2, 2), (8, 16, 8)), info(3)
        ),
    ),
    "^ipiv: the elements of its vectors are 2 apart": (
        ValueError,
        lambda: talus.getrf(columns(2, 2), info(4)[::2], info()),
    ),
    "^ipiv: the elements of its vectors are -1 apart": (
        ValueError,
        lambda: talus.getrf(columns(2, 2), info(2)[::-1], info()),
    ),
    "^info: has gaps": (ValueError, lambda: talus.potrf("lower", columns(3, 2, 2), info(6)[::2])),
    "^B: its elements overlap": (
        ValueError,
        lambda: talus.copy(I2, np.lib.stride_tricks.as_strided(np.ones(4), (2, 2), (0, 8))),
    ),
    # Read-only
    "^A: is read-only": (TypeError, lambda: talus.potrf("lower", read_only(I2), info())),
    "^B: is read-only": (
        TypeError,
        lambda: talus.potrs("lower", columns(2, 2), read_only(columns(2, 1)), info()),
    ),
    "^info: is read-only": (TypeError, lambda: talus.potrf("lower", columns(2, 2), read_only(info()))),
    "^ipiv: is read-only": (TypeError, lambda: talus.getrf(columns(2, 2), read_only(info(2)), info())),
    # Types
    "^info: is of float64, not of int32": (
        TypeError,
        lambda: talus.potrf("lower", columns(2, 2), np.zeros(())),
    ),
    "^info: is of int64, not of int32": (
        TypeError,
        lambda: talus.potrf("lower", columns(2, 2), np.zeros((), int)),
    ),
    "^info: potrf needs an int32 array": (TypeError, lambda: talus.potrf("lower", columns(2, 2), None)),
    "^ipiv: is of int64": (TypeError, lambda: talus.getrf(columns(2, 2), np.zeros(2, int), info())),
    "^B: is of float32, not of the same type as A": (
        TypeError,
        lambda: talus.potrs("lower", columns(2, 2), columns(2, 1, dtype="float32"), info()),
    ),
    "^tau: is of complex128": (TypeError, lambda: talus.geqrf(columns(2, 2), np.zeros(2, complex), info())),
    "^pivot_floor_array: is of float32": (
        TypeError,
        lambda: talus.getrf_nopiv(columns(2, 2), info(), pivot_floor_array=np.zeros((), "float32")),
    ),
    # Shapes
    "^A: has 3 rows, and 2 columns": (ValueError, lambda: talus.potrf("lower", columns(3, 2), info())),
    "^B: has 3 rows, and A has 2 columns": (
        ValueError,
        lambda: talus.potrs("lower", columns(2, 2), columns(3, 1), info()),
    ),
    r"^B: its batch is \(4,\), that of A \(3,\)": (
        ValueError,
        lambda: talus.potrs("lower", columns(3, 2, 2), columns(4, 2, 1), info(3)),
    ),
    r"^info: its batch is \(\), that of A \(3,\)": (
        ValueError,
        lambda: talus.potrf("lower", columns(3, 2, 2), info()),
    ),
    r"^info: its batch is \(6,\), that of A \(2, 3\)": (
        ValueError,
        lambda: talus.potrf("lower", columns(2, 3, 2, 2), info(6)),
    ),
    "^ipiv: has 3 elements": (ValueError, lambda: talus.getrf(columns(2, 4), info(3), info())),
    "^ipiv: has 0 dimensions": (ValueError, lambda: talus.getrf(columns(2, 2), info(), info())),
    "^tau: ": (ValueError, lambda: talus.geqrf(columns(3, 2), np.zeros(3), info())),
    "^R: has 3 rows": (ValueError, lambda: talus.qr(columns(3, 2), columns(3, 2), info())),
    "^B: has 2 rows": (ValueError, lambda: talus.gels("none", columns(2, 3), columns(2, 1), info())),
    "^k: is 3": (ValueError, lambda: talus.potrf_partial("lower", 3, columns(2, 2), info())),
    "^k: is -1": (ValueError, lambda: talus.potrf_partial("lower", -1, columns(2, 2), info())),
    "^k: is no int": (TypeError, lambda: talus.potrf_partial("lower", 1.5, columns(2, 2), info())),
    "^k: is a list": (TypeError, lambda: talus.potrf_partial("lower", [1], columns(2, 2), info())),
    "^k: holds 1 sizes": (
        ValueError,
        lambda: talus.potrf_partial("lower", [1], [columns(2, 2)] * 2, info(2)),
    ),
    "^B: ": (ValueError, lambda: talus.copy(columns(3, 2), columns(2, 3))),
    # Words and numbers
    "^uplo: 'Lower' is none of 'lower', 'upper'": (
        ValueError,
        lambda: talus.potrf("Lower", columns(2, 2), info()),
    ),
    "^op: '' is none of": (ValueError, lambda: talus.getrs("", columns(2, 2), info(2), columns(2, 1), None)),
    "^op: 'trans' is for real": (
        ValueError,
        lambda: talus.gels(
            "trans", columns(2, 2, dtype="complex64"), columns(2, 1, dtype="complex64"), info()
        ),
    ),
    "^part: 'both' is none of": (ValueError, lambda: talus.copy(I2, np.eye(2), "both")),
    "^alpha: has an imaginary part": (
        ValueError,
        lambda: talus.trsm("left", "lower", "none", "unit", 1j, columns(2, 2), columns(2, 1)),
    ),
    "^pivot_floor: ": (ValueError, lambda: talus.getrf_nopiv(columns(2, 2), info(), pivot_floor=-1)),
    "^stream: ": (TypeError, lambda: talus.potrf("lower", columns(2, 2), info(), stream=1.5)),
    "^stream: .*cudaStream_t": (TypeError, lambda: talus.potrf("lower", columns(2, 2), info(), stream=-1)),
    # Lists
    "^B: is no list": (TypeError, lambda: talus.potrs("lower", [columns(2, 2)], columns(1, 2, 1), info(1))),
    "^B: is a list": (TypeError, lambda: talus.potrs("lower", columns(1, 2, 2), [columns(2, 1)], info(1))),
    "^B: holds 1 arrays": (
        ValueError,
        lambda: talus.potrs("lower", [columns(2, 2)] * 2, [columns(2, 1)], info(2)),
    ),
    "^A: .*as the first one": (ValueError, lambda: talus.potrf("lower", [columns(2, 2), np.eye(3)], info(2))),
    "^A: has 3 dimensions, not 2": (ValueError, lambda: talus.potrf("lower", [columns(1, 2, 2)], info(1))),
}


@pytest.mark.parametrize("words", LOW_LEVEL)
def test_low_level(words):
    error, call = LOW_LEVEL[words]
    with pytest.raises(error, match=words):
        call()


LINALG = {
    "^B: has 3 rows": (ValueError, lambda: T.solve(I2, np.ones((3, 1)))),
    "^B: has 3 rows, A has 4": (ValueError, lambda: T.lstsq(np.ones((4, 2)), np.ones((3, 1)))),
    "^B: its batch": (ValueError, lambda: T.solve(np.stack([I2] * 3), np.ones((2, 2, 1)))),
    "^B: has 2 columns, and there are 3": (ValueError, lambda: T.solve(I3, I2, left=False)),
    "^B: is a vector": (ValueError, lambda: T.solve(I2, np.ones(2), left=False)),
    "^B: is of float32, not of the same type as A": (
        TypeError,
        lambda: T.solve(I2, np.ones((2, 1), "float32")),
    ),
    "^B: element 0 is a float": (TypeError, lambda: T.solve(I2, [1.0, 2.0])),
    "^B: is a list": (TypeError, lambda: T.solve(I2, [I2])),
    "^L: its batch": (ValueError, lambda: T.cholesky_solve(np.ones((3, 2, 1)), np.stack([I2] * 2))),
    "^B: is of float64, not of the same type as L": (
        TypeError,
        lambda: T.cholesky_solve(np.ones((2, 1)), I2.astype("float32")),
    ),
    "^L: has 3 rows, and 2 columns": (ValueError, lambda: T.cholesky_solve(np.ones((2, 1)), columns(3, 2))),
    "^L: has 2 rows, and 3": (ValueError, lambda: T.cholesky_inverse(np.ones((2, 3)))),
    "^L: is of int64": (TypeError, lambda: T.cholesky_inverse(np.ones((2, 2), int))),
    "^L: has 1 dimensions": (ValueError, lambda: T.cholesky_inverse(np.ones(2))),
    "^B: has 1 dimensions": (ValueError, lambda: T.cholesky_solve(np.ones(2), I2)),
    "^LU: has 3 rows": (ValueError, lambda: T.lu_solve(columns(3, 2), info(2), np.ones((2, 1)))),
    "^LU: is of int32": (
        TypeError,
        lambda: T.lu_solve(np.ones((2, 2), np.int32), info(2), np.ones((2, 1), np.int32)),
    ),
    "^pivots: is of float64, not of int32": (TypeError, lambda: T.lu_solve(I2, np.ones(2), np.ones((2, 1)))),
    "^pivots: has 3 elements": (ValueError, lambda: T.lu_solve(I2, info(3), np.ones((2, 1)))),
    "^pivots: has 0 dimensions": (ValueError, lambda: T.lu_solve(I2, info(), np.ones((2, 1)))),
    "^pivots: its batch": (ValueError, lambda: T.lu_solve(I2, info(3, 2), np.ones((2, 1)))),
    "^A: has 3 rows, and 2 columns": (ValueError, lambda: T.solve(columns(3, 2), np.ones((9, 3, 1)))),
    "^B: has 4 rows, and A has 3 columns": (ValueError, lambda: T.solve(I3, np.ones((9, 4, 1)))),
    "^B: has 4 rows, and A has 3 rows|^B: has 4 rows, A has 3 rows": (
        ValueError,
        lambda: T.lstsq(I3, np.ones((9, 4, 1))),
    ),
    "^B: has 4 rows, and L has 3": (
        ValueError,
        lambda: T.cholesky_solve(np.ones((2, 30, 4, 1)), np.stack([I3, I3])[:, None]),
    ),
    "^B: has 4 rows, and LU has 3": (
        ValueError,
        lambda: T.lu_solve(
            np.stack([I3, I3])[:, None],
            np.ones((2, 1, 3), np.int32),
            np.ones((2, 30, 4, 1)),
        ),
    ),
    "^B: is of float32, not of the same type as A$": (
        TypeError,
        lambda: T.solve(I2, np.ones((5, 2, 1), "float32")),
    ),
    r"^out: has shape \(9, 3\)": (
        ValueError,
        lambda: T.solve(np.stack([I3, I3])[:, None], np.ones((2, 30, 3, 1)), out=np.empty((9, 3))),
    ),
    "^A: has 3 rows, and 2 columns$": (
        ValueError,
        lambda: T.solve_triangular(columns(3, 2), np.ones((3, 1)), upper=True),
    ),
    "^B: has 2 rows, and A has 3 columns$": (
        ValueError,
        lambda: T.solve_triangular(I3, np.ones((2, 1)), upper=True),
    ),
    "^B: has 2 columns, and there are 3 unknowns": (
        ValueError,
        lambda: T.solve_triangular(I3, I2, upper=True, left=False),
    ),
    "^B: is of int64, not of the same type as A|^B: is of int64; Talus": (
        TypeError,
        lambda: T.solve_triangular(I2, np.ones((2, 1), int), upper=True),
    ),
    "^B: has 1 dimensions, not 2": (ValueError, lambda: T.solve_triangular(I2, np.ones(2), upper=True)),
    "^mode: 'full' is none of": (ValueError, lambda: T.qr(I2, "full")),
    "^out: has shape": (ValueError, lambda: T.cholesky(I2, out=np.empty((3, 3)))),
    "^out: is of float32": (TypeError, lambda: T.cholesky(I2, out=np.empty((2, 2), "float32"))),
    "^out: is read-only": (TypeError, lambda: T.cholesky(I2, out=read_only(I2))),
    "^out: its elements overlap": (
        ValueError,
        lambda: T.inv(I2, out=np.lib.stride_tricks.as_strided(np.ones(4), (2, 2), (8, 0))),
    ),
    r"^out: has to be a pair \(LU, pivots\)": (TypeError, lambda: T.lu_factor(I2, out=np.empty((2, 2)))),
    "^out: is of float64, not of int32": (
        TypeError,
        lambda: T.lu_factor(I2, out=(np.empty((2, 2)), np.empty(2))),
    ),
    r"^out: has shape \(3,\)": (ValueError, lambda: T.lu_factor(I2, out=(np.empty((2, 2)), info(3)))),
    "^A: is of >f8, whose byte order .* use .astype..=f8..": (TypeError, lambda: T.cholesky(swapped(I2))),
    "^B: is of >f8, whose byte order .* use .astype..=f8..": (TypeError, lambda: T.solve(I2, swapped(I2))),
    "^A: is of >c8, whose byte order .* use .astype..=c8..": (
        TypeError,
        lambda: T.qr(swapped(I2.astype("complex64"))),
    ),
    "^pivots: is of >i4, not of int32; use .astype..int32..": (
        TypeError,
        lambda: T.lu_solve(I2, swapped(info(2)), I2),
    ),
    "^A: is of float128, which is long double; use .astype..=f8..": (
        TypeError,
        lambda: T.inv(I2.astype(np.longdouble)),
    ),
    "^A: is of complex256, which is long double; use .astype..=c16..": (
        TypeError,
        lambda: T.inv(I2.astype(np.clongdouble)),
    ),
    "^out: is of >f8, not of float64": (TypeError, lambda: T.inv(I2, out=swapped(I2))),
    "^out: is a str": (TypeError, lambda: T.solve(I2, np.ones((2, 1)), out="X")),
}


@pytest.mark.parametrize("words", LINALG)
def test_linalg(words):
    error, call = LINALG[words]
    with pytest.raises(error, match=words):
        call()


# ---- pivots --------------------------------------------------------------------------------------


def pivot_calls(make, A, pivots):
    """Returns {name: call} for every function that takes pivots of NumPy's A (*batch, n, n)."""
    LU, ipiv, like = make(A, "columns"), make(pivots), [make(A.copy(), "columns") for _ in range(8)]
    n = make(info(*A.shape[:-2]))
    calls = {
        "getrs": lambda: talus.getrs("none", LU, ipiv, like[0], n),
        "getrs, trans": lambda: talus.getrs("trans", LU, ipiv, like[1], None),
        "getri": lambda: talus.getri(like[2], ipiv, n),
        "getri_outofplace": lambda: talus.getri_outofplace(LU, ipiv, like[3], n),
    }
    for left in (True, False):
        for adjoint in (True, False):
            words = {"left": left, "adjoint": adjoint}
            calls[f"lu_solve, {words}"] = lambda words=words: T.lu_solve(LU, ipiv, like[4], **words)
            calls[f"lu_solve_ex, {words}"] = lambda words=words: T.lu_solve_ex(LU, ipiv, like[5], **words)
    if A.ndim == 2:
        good, last = make(4 * I2, "columns"), make(info(2) + 2)
        many = [good, LU], [last, ipiv]
        calls["list, getrs"] = lambda: talus.getrs("none", *many, [make(I2, "columns"), like[6]], None)
        calls["list, getri"] = lambda: talus.getri([good, like[7]], many[1], None)
        calls["list, lu_solve"] = lambda: T.lu_solve(*many, [good, LU])
        calls["list, getri_outofplace"] = lambda: talus.getri_outofplace(
            *many, [make(I2, "columns"), like[7]], None
        )
    return calls


@pytest.mark.parametrize("value", [0, 7, -1, 41, 2_000_000_000, -2_147_483_648])
@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_pivots_outside_the_matrix(make, batch, value):
    """Such pivots would read and write outside of the matrices."""
    if make.name == "cupy" or make.device == "cuda":
        pytest.skip("pivots in device memory are not read")
    A = np.zeros((*batch, 40, 40))
    A[...] = 4 * np.eye(40)
    pivots = np.zeros((*batch, 40), np.int32)
    pivots[...] = np.arange(1, 41)
    where = tuple(extent - 1 for extent in batch)
    pivots[(*where, 7)] = value
    of_matrix = {0: "", 1: " of matrix 2", 2: r" of matrix \(1, 2\)"}[len(batch)]
    why = ", which is none of the rows 8 to 40"
    if 0 <= value < 8:
        why += r": pivots count from 1, and SciPy's need \+ 1"
    for name, call in pivot_calls(make, A, pivots).items():
        argument = "pivots" if "lu_solve" in name else "ipiv"
        which = " of matrix 1" if name.startswith("list") else of_matrix
        with pytest.raises(ValueError, match=f"^{argument}: element 7{which} is {value}{why}$"):
            call()


@pytest.mark.parametrize("n", [2, 3, 8, 40])
def test_pivots_of_scipy_are_refused(n, rng):
    """The last of SciPy's pivots is always n - 1."""
    linalg = module_or_skip("scipy.linalg")
    for A in [rng.standard_normal((n, n)), np.eye(n), np.arange(1.0, n * n + 1).reshape(n, n) + np.eye(n)]:
        b = np.ones((n, 1))
        LU, pivots = linalg.lu_factor(A)
        with pytest.raises(ValueError, match="^pivots: element .* pivots count from 1, and SciPy's need"):
            T.lu_solve(LU, pivots, b)
        assert np.allclose(A @ T.lu_solve(LU, pivots + 1, b), b)


def test_pivots_that_are_broadcast_and_empty_ones():
    pivots = np.broadcast_to(np.array([1, 3], np.int32), (3, 2))
    with pytest.raises(ValueError, match="^pivots: element 1 of matrix 0 is 3"):
        T.lu_solve(np.stack([I2] * 3), pivots, np.ones((3, 2, 1)))
    assert T.lu_solve(np.empty((0, 2, 2)), info(0, 2), np.empty((0, 2, 1))).shape == (0, 2, 1)
    assert T.lu_solve(np.empty((3, 0, 0)), info(3, 0), np.empty((3, 0, 1))).shape == (3, 0, 1)


def test_lengths_of_tau():
    """Such lengths would read reflectors outside of the matrices."""
    A, C = columns(4, 3), columns(4, 2)
    for k in (5, 4):
        tau = np.zeros(k)
        with pytest.raises(ValueError, match=f"^tau: has {k} elements, and A has 3 columns$"):
            talus.ormqr("left", "none", A, tau, C, None)
        with pytest.raises(ValueError, match=f"^tau: has {k} elements, and A has 3 columns$"):
            talus.orgqr(A, tau, None)
    with pytest.raises(ValueError, match="^tau: has 3 elements, and A has 2 rows$"):
        talus.ormqr("left", "none", columns(2, 3), np.zeros(3), columns(2, 2), None)
    with pytest.raises(ValueError, match="^tau: has 4 elements in matrix 1, and A has 3 columns$"):
        talus.orgqr([columns(4, 3), columns(4, 3)], [np.zeros(3), np.zeros(4)], None)
    with pytest.raises(ValueError, match="^A: has 3 columns, and 2 rows$"):
        talus.orgqr(columns(2, 3), np.zeros(2), None)


def test_negative_strides_are_served_by_linalg(rng):
    A = rng.standard_normal((4, 3, 3)) + 9 * np.eye(3)
    for view in (A[::-1], A[:, ::-1], A[:, :, ::-1], A[::-1, ::-1, ::-1]):
        assert np.allclose(T.inv(view), np.linalg.inv(view))
        assert np.allclose(T.solve(view, view), np.eye(3))


def test_what_is_only_read_may_be_read_only():
    A = read_only(4 * I2)
    assert np.array_equal(T.cholesky(A), 2 * I2)
    X = columns(2, 2)
    talus.potrs("lower", A, X, info())
    assert np.array_equal(X, I2 / 16)


def test_refusals_touch_nothing():
    A, B, n = columns(2, 2) * 4, columns(3, 1), info()
    for call in (
        lambda: talus.posv("lower", A, B, n),
        lambda: talus.potrf("lower", A, info(3)),
        lambda: T.cholesky(A, out=A.astype("float32")),
        lambda: T.solve(A, B, out=A),
        lambda: talus.potrf("lower", A, n, A_from=np.eye(3)),
        lambda: talus.gesv(A, info(2), columns(2, 1), n, A_from=np.eye(2), B_from=np.ones((2, 2))),
        lambda: T.lu_solve(I2, info(3), I2, out=A),
        lambda: talus.copy([np.zeros((2, 2)), np.eye(4)], [A, columns(3, 3)]),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
        assert np.array_equal(A, 4 * I2) and n == 0


def test_matrices_that_are_not_square_are_left_alone():
    for function in (
        lambda A, out: T.inv(A, out=out),
        lambda A, out: T.solve(A, np.ones((2, 3)), left=False, out=out),
    ):
        for A in (np.ones((2, 3)), columns(2, 3), np.ones((5, 2, 3))):
            out = np.full(A.shape, 7.0)
            with pytest.raises(ValueError, match="^A: has 2 rows, and 3 columns"):
                function(A, out)
            assert np.all(out == 7)


def test_lists_that_change_meanwhile():
    """A call holds what it is given: elements that a list makes when asked, and those that are removed."""
    torch = module_or_skip("torch")

    class Fresh(list):
        def __getitem__(self, index):
            return 4 * torch.eye(3 + len(self), dtype=torch.float64)

        def __iter__(self):
            return (self[i] for i in range(len(self)))

    for _ in range(20):
        n, L = info(5), Fresh([None] * 5)
        try:
            talus.potrf("lower", L, n)
            talus.copy(L, L)
        except TypeError as error:  # or the elements that are stored, None, are looked at
            assert str(error).startswith("A: ")

    class Clears:
        """An array that removes itself and its neighbours from the list when it is looked at."""

        def __init__(self, of):
            self.of, self.array = of, np.full((200, 200), 4.0) * np.eye(200)

        def __dlpack_device__(self):
            self.of.clear()
            return 1, 0

        def __dlpack__(self, **keywords):
            return self.array.__dlpack__(**keywords)

    for call in (
        lambda A: talus.potrf("lower", A, info(3)),
        lambda A: talus.copy(A, [np.empty((200, 200)) for _ in range(3)]),
    ):
        for before in range(3):
            A = []
            A += [4 * np.eye(200) for _ in range(before)] + [Clears(A)] + [4 * np.eye(200)] * (2 - before)
            try:
                call(A)
            except (TypeError, ValueError, IndexError, RuntimeError):
                pass  # that nothing is read after it was freed is what counts


def test_list_cleared_by_another_thread():
    A, n, done = [], info(50), threading.Event()

    def clear():
        while not done.is_set():
            A.clear()

    thread = threading.Thread(target=clear)
    thread.start()
    try:
        for _ in range(200):
            A += [4 * np.eye(8) for _ in range(50)]
            try:
                talus.potrf("lower", A, n)
            except (TypeError, ValueError, IndexError):
                pass  # it was cleared before the call
    finally:
        done.set()
        thread.join()


class OfVersion:
    """A capsule of DLPack in another major version."""

    def __init__(self, major):
        self.major, self.array = major, np.eye(2)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **keywords):
        capsule = self.array.__dlpack__(max_version=(1, 0))
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        # struct DLManagedTensorVersioned begins with the version.
        version = ctypes.cast(get(capsule, b"dltensor_versioned"), ctypes.POINTER(ctypes.c_uint32))
        version[0] = self.major
        return capsule


def test_versions_of_dlpack():
    talus.potrf("lower", OfVersion(1), info())
    with pytest.raises(TypeError, match="^A: .*major version"):
        talus.potrf("lower", OfVersion(2), info())


class WithoutStrides:
    """A capsule whose strides are null, which stands for row by row."""

    def __init__(self, array):
        self.array = np.ascontiguousarray(array)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **keywords):
        capsule = self.array.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        # struct DLTensor: void* data, the device, ndim and type, 8 bytes each, int64_t* shape, int64_t*
        # strides.
        pointers = ctypes.cast(get(capsule, b"dltensor"), ctypes.POINTER(ctypes.c_void_p))
        pointers[4] = None
        return capsule


def test_arrays_without_strides():
    A = np.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)
    B = np.empty((2, 3, 5, 4)).swapaxes(-1, -2)
    talus.copy(WithoutStrides(A), B)
    assert np.array_equal(B, A)
    C = [np.empty((5, 4)).T, np.empty((3, 2)).T]
    talus.copy([WithoutStrides(A[0, 1]), WithoutStrides(A[1, 2, :2, :3])], C)
    assert np.array_equal(C[0], A[0, 1]) and np.array_equal(C[1], A[1, 2, :2, :3])
    D, n = WithoutStrides(np.broadcast_to([[4, np.nan], [2, 5]], (3, 2, 2))), info(3)
    talus.potrf("lower", D, n)
    assert np.array_equal(D.array[..., 0], [[2, 1]] * 3) and np.array_equal(D.array[..., 1, 1], [2] * 3)
    assert np.array_equal(n, [0] * 3)
    with pytest.raises(ValueError, match=r"^A: strides \(3, 1\) of its matrices"):
        talus.getrf(WithoutStrides(np.eye(3)), info(3), info())


# ---- frameworks beside each other ----------------------------------------------------------------


def test_low_level_takes_arrays_of_several_frameworks():
    torch = module_or_skip("torch")
    A, n = torch.eye(2, dtype=torch.float64) * 4, info()
    talus.potrf("lower", A, n)
    assert torch.equal(A, 2 * torch.eye(2, dtype=torch.float64))


def test_linalg_takes_arrays_of_one_framework():
    torch = module_or_skip("torch")
    with pytest.raises(TypeError, match="^B: is a ndarray, and the first argument a Tensor"):
        T.solve(torch.eye(2), np.ones((2, 1), "float32"))
    with pytest.raises(TypeError, match="^A: element 1"):
        T.inv([torch.eye(2), np.eye(2, dtype="float32")])


def test_tensors_of_pytorch():
    torch = module_or_skip("torch")
    one = torch.eye(2, dtype=torch.float64)
    A = one.clone().requires_grad_()
    for name, call in {
        "A": lambda: talus.potrf("lower", A, torch.zeros((), dtype=torch.int32)),
        "L": lambda: T.cholesky_inverse(A),
        "LU": lambda: T.lu_solve(
            A.detach().mT.contiguous().mT.requires_grad_(), torch.ones(2, dtype=torch.int32), one
        ),
        "B": lambda: T.solve(one, A),
    }.items():
        with pytest.raises(TypeError, match=f"^{name}: .*requires a gradient, .*talus.torch"):
            call()
    with pytest.raises(TypeError, match="^A: .*requires a gradient"):
        T.cholesky(A)
    with torch.no_grad(), pytest.raises(TypeError, match="^A: "):
        T.cholesky(A)
    for out in (torch.empty_like(one).requires_grad_(), torch.empty_like(one).mT.requires_grad_()):
        for call in (
            lambda: T.cholesky(one, out=out),
            lambda: T.inv(one, out=out),
            lambda: T.solve(one, one, out=out),
            lambda: T.solve(one, one, left=False, out=out),
            lambda: T.lu_factor(one, out=(out, torch.empty(2, dtype=torch.int32))),
            lambda: T.qr(one, out=(one.clone(), out)),
            lambda: T.cholesky_inverse(one, out=out),
        ):
            with pytest.raises(TypeError, match="^out: requires a gradient"):
                call()
    C = torch.complex(one, one)
    with pytest.raises(TypeError, match=r"^out: .*resolve_conj"):
        T.inv(C, out=torch.empty_like(C).conj())
    with pytest.raises(TypeError, match=r"^A: .*resolve_conj"):
        T.inv(C.conj())
    with pytest.raises(TypeError, match=r"^A: .*resolve_neg"):
        T.inv(C.conj().imag)
    for B in (one.to("meta"), torch.nn.Parameter(one), one.to(torch.bfloat16)):
        with pytest.raises((TypeError, ValueError), match="^A: "):
            T.cholesky(B)
    for B in (one.to_sparse(), one.to("meta")):
        with pytest.raises((TypeError, ValueError), match="^A: "):
            talus.potrf("lower", B, info())
    assert torch.equal(T.cholesky(torch.nn.Parameter(4 * one, requires_grad=False)), 2 * one)
    assert torch.equal(T.cholesky((4 * one).view(1, 2, 2).squeeze(0).as_subclass(torch.Tensor)), 2 * one)


def test_arrays_of_jax_are_never_written():
    jnp = module_or_skip("jax.numpy")
    A = jnp.eye(2, dtype="float32")
    with pytest.raises(TypeError, match="^A: is read-only"):
        talus.potrf("lower", A, info())


def test_devices():
    """On one machine with a GPU, or with the other device made up."""
    with pytest.raises(ValueError, match="^A: lives on (CUDA device 0|DLPack's device type 8)"):
        talus.potrf("lower", OnDevice(8), info())
    if ", cuda" not in talus.configuration():
        with pytest.raises(
            ValueError, match="^A: lives on CUDA device 1, but this Talus was built without CUDA"
        ):
            talus.potrf("lower", OnDevice(2, 1), info())


class OnDevice:
    """NumPy's memory that says it is elsewhere."""

    def __init__(self, kind, number=0):
        self.kind, self.number, self.array = kind, number, np.eye(2)

    def __dlpack_device__(self):
        return self.kind, self.number

    def __dlpack__(self, **keywords):
        capsule = self.array.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        # struct DLTensor: void* data, then the device.
        device = ctypes.cast(
            get(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int32)
        )
        device[0], device[1] = self.kind, self.number
        return capsule


# ---- references ----------------------------------------------------------------------------------


def calls(make):
    """Arrays, a function that is given them, and whether it is refused."""

    def eye(*shape):
        return make(np.broadcast_to(4 * np.eye(shape[-1]), shape))

    def ints(*shape):
        return make(info(*shape))

    yield [eye(3, 2, 2), ints(3)], lambda A, n: talus.potrf("lower", A, n), False
    yield (
        [make(4 * np.eye(2), "columns"), make(np.ones((2, 1)), "columns"), ints(2), ints()],
        (lambda A, B, p, n: talus.gesv(A, p, B, n)),
        False,
    )
    yield [eye(2, 2), eye(3, 3), ints(2)], lambda A, B, n: talus.potrf("lower", [A, B], n), False
    yield [eye(2, 2), eye(2, 2)], lambda A, B: talus.copy(A, B), False
    yield [eye(3, 2, 2)], lambda A: T.cholesky(A), False
    yield [eye(3, 2, 2), eye(2, 2)], lambda A, B: T.solve(A, B), False
    yield [eye(2, 2), eye(2, 2)], lambda A, out: T.inv(A, out=out), False
    yield [eye(2, 2), eye(3, 3)], lambda A, B: T.qr([A, B]), False
    yield [eye(3, 2, 2), ints(2)], lambda A, n: talus.potrf("lower", A, n), True
    yield (
        [eye(2, 2), make(np.ones((2, 1), "float32")), ints()],
        lambda A, B, n: talus.posv("lower", A, B, n),
        True,
    )
    yield [eye(2, 2), ints(2, 2), ints(2)], lambda A, B, n: talus.potrf("lower", [A, B], n), True
    yield [eye(2, 2), eye(3, 3)], lambda A, B: T.solve(A, B), True
    yield [eye(2, 2), eye(3, 3)], lambda A, out: T.inv(A, out=out), True


def test_references(make):
    for arrays, call, is_refused in calls(make):
        refused = 0
        before = [sys.getrefcount(array) for array in arrays]
        for _ in range(50):
            try:
                call(*arrays)
            except (TypeError, ValueError):
                refused += 1
        assert refused == 50 * is_refused
        assert [sys.getrefcount(array) for array in arrays] == before


def test_arrays_are_freed(make):
    for arrays, call, _ in calls(make):
        try:
            call(*arrays)
        except (TypeError, ValueError):
            pass
        weak = [weakref.ref(array) for array in arrays]
        del arrays
        assert all(each() is None for each in weak)


def test_results_hold_no_arguments():
    make = Maker("numpy")
    A = make(4 * np.eye(2))
    weak = weakref.ref(A)
    results = [T.cholesky(A), *T.lu_factor(A), T.solve(A, A), T.inv(A), *T.qr(A), *T.lstsq(A, A)]
    del A
    assert weak() is None and len(results) == 9


def test_deleters_are_called():
    """A capsule's memory goes back to its owner, whether the call is refused or not."""

    class Owner:
        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

        def __dlpack__(self, **keywords):
            return self.array.__dlpack__(**keywords)

    for shape, refused in (((2, 2), False), ((2, 3), True)):
        array = np.ones(shape)
        array[:2, :2] = 4 * np.eye(2)
        before = sys.getrefcount(array)
        owner = Owner(array)
        for _ in range(50):
            array[:2, :2] = 4 * np.eye(2)
            if refused:
                with pytest.raises(ValueError, match="^A: "):
                    talus.potrf("lower", owner, info())
            else:
                talus.potrf("lower", owner, info())
        del owner
        assert sys.getrefcount(array) == before
