import talus
import torch

A = torch.eye(16, device="cuda").repeat(10_000, 1, 1)
L, info = torch.empty_like(A), torch.empty(10_000, dtype=torch.int32, device="cuda")


def factor():
    L.copy_(A)
    talus.potrf("lower", L, info)  # on the current stream


stream = torch.cuda.Stream()
stream.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(stream):
    factor()  # one call before the capture loads CUDA's modules
torch.cuda.current_stream().wait_stream(stream)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    factor()

for scale in (1, 4, 9):  # new values in the same memory
    A.copy_(scale * torch.eye(16, device="cuda"))
    graph.replay()
    torch.testing.assert_close(L.tril(), A / scale**0.5)
    assert not info.any()
