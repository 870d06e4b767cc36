import talus
import torch

A = torch.randn(10_000, 32, 32, device="cuda", dtype=torch.float64)
A = A @ A.mT + 32 * torch.eye(32, device="cuda", dtype=torch.float64)
B = torch.ones(10_000, 32, 1, device="cuda", dtype=torch.float64)

L = talus.linalg.cholesky(A)  # runs on the GPU of A, on PyTorch's current stream
X = talus.linalg.cholesky_solve(B, L)
torch.testing.assert_close(A @ X, B)
