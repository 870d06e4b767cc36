import numpy as np
import talus

random = np.random.default_rng(1)
A = [random.standard_normal((n, n)) for n in random.integers(1, 60, size=500)]
B = [np.ones((len(a), 2)) for a in A]

X = talus.linalg.solve(A, B)  # a list of solutions
for a, x, b in zip(A, X, B):
    assert np.abs(a @ x - b).max() <= 1e-12 * np.abs(x).max() * len(a)
