import numpy as np
import talus

n, count = 6, 1000
random = np.random.default_rng(1)
A = random.standard_normal((count, n, n))
info = np.empty(count, np.int32)

# Functions with LAPACK's names work in place. Matrices are stored column by column: the
# second-to-last axis has stride 1.
LU = np.empty((count, n, n)).swapaxes(-1, -2)
X = np.ones((count, 1, n)).swapaxes(-1, -2)  # one right-hand side for each matrix
ipiv = np.empty((count, n), np.int32)
talus.getrf(LU, ipiv, info, A_from=A)  # copies A to LU, from rows to columns
talus.getrs("none", LU, ipiv, X, info)
assert not info.any()
assert np.allclose(A @ X, 1)

# Cholesky also takes matrices stored row by row: it uses the other triangle of the transpose.
S = A @ A.swapaxes(-1, -2) + np.eye(n)
L = S.copy()
talus.potrf("lower", L, info)
L = np.tril(L)  # potrf leaves the elements above the diagonal unchanged
assert np.allclose(L @ L.swapaxes(-1, -2), S)
