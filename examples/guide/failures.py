import numpy as np
import talus

A = np.stack([np.eye(3), -np.eye(3), np.eye(3)])
try:
    talus.linalg.cholesky(A)
    raise SystemExit("matrix 1 is not positive definite")
except talus.LinAlgError as error:
    print(error)

L, info = talus.linalg.cholesky_ex(A)  # raises nothing and never waits for a GPU
assert info.tolist() == [0, 1, 0]

try:
    talus.potrf("lower", A, np.empty(3))
    raise SystemExit("info has to be int32")
except TypeError as error:
    print(error)
    assert str(error).startswith("info")
