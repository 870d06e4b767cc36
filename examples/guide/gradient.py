import talus.torch
import torch

torch.manual_seed(1)
A = torch.randn(100, 8, 8, dtype=torch.float64)
A = (A @ A.mT + torch.eye(8)).requires_grad_()

L = talus.torch.cholesky(A)
log_determinant = 2 * L.diagonal(dim1=-2, dim2=-1).log().sum()
log_determinant.backward()
torch.testing.assert_close(A.grad, torch.linalg.inv(A.detach()))  # the gradient is the inverse
