import cupy as cp
import talus

A = cp.random.standard_normal((10_000, 24, 24))
B = cp.ones((10_000, 24, 1))
X = talus.linalg.solve(A, B)  # LU with partial pivoting
residual = cp.abs(A @ X - B).max() / cp.abs(X).max()
assert residual < 1e-12, residual
