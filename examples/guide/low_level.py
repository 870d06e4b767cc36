import numpy as np
import talus

n, count = 6, 1000
random = np.random.default_rng(1)
A = random.standard_normal((count, n, n))
info = np.empty(count, np.int32)

# LAPACK's names, in place. Matrices are column by column: the last but one axis has stride 1.
LU = np.empty((count, n, n)).swapaxes(-1, -2)
X = np.ones((count, 1, n)).swapaxes(-1, -2)  # one right-hand side of n rows for each
ipiv = np.empty((count, n), np.int32)
talus.getrf(LU, ipiv, info, A_from=A)  # a copy of A, from rows to columns
talus.getrs("none", LU, ipiv, X, info)
assert not info.any()
assert np.allclose(A @ X, 1)

# Cholesky takes matrices that are row by row, too: their other triangle is the same matrix.
S = A @ A.swapaxes(-1, -2) + np.eye(n)
L = S.copy()
talus.potrf("lower", L, info)
L = np.tril(L)  # what is above the diagonal was never touched
assert np.allclose(L @ L.swapaxes(-1, -2), S)
