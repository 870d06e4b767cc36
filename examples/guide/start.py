import numpy as np
import talus

A = np.ones((100_000, 16, 16)) + np.eye(16)  # 100,000 matrices
B = np.ones((100_000, 16))  # a right-hand side for each

X = talus.linalg.solve(A, B)
print("largest error:", np.abs(X - 1 / 17).max())

L = talus.linalg.cholesky(A)
assert np.allclose(L @ L.swapaxes(-1, -2), A)
assert np.allclose(X, 1 / 17)
