"""What only a GPU shows: streams, graphs, devices, and the results beside PyTorch's."""

import numpy as np
import pytest
import talus
from helpers import DTYPES, Maker, positive_definite, random

T = talus.linalg
SLEEP = 100_000_000  # cycles of the GPU's clock, some 50 ms
SIZES = [3, 40, 100]


@pytest.fixture
def make():
    return Maker("torch-cuda")


@pytest.fixture
def torch(make):
    return make.module


def calls(make, rng, n, batch=(7,), dtype="float64"):
    """{name: function of positive definite matrices}, of which each returns tensors, and none waits for the
    GPU."""
    B = make(random(rng, (*batch, n, 2), dtype))

    def low_level(A):
        L, info = A.clone(), make.module.empty(A.shape[:-2], dtype=make.module.int32, device=A.device)
        talus.potrf("lower", L, info)
        return L.tril(), info

    return {
        "potrf": low_level,
        "cholesky_ex": T.cholesky_ex,
        "cholesky_solve_ex": lambda A: T.cholesky_solve_ex(B, T.cholesky_ex(A)[0]),
        "cholesky_inverse_ex": lambda A: T.cholesky_inverse_ex(T.cholesky_ex(A)[0]),
        "lu_factor_ex": T.lu_factor_ex,
        "lu_solve_ex": lambda A: T.lu_solve_ex(*T.lu_factor_ex(A)[:2], B),
        "solve_ex": lambda A: T.solve_ex(A, B),
        "solve_ex of vectors": lambda A: T.solve_ex(A, B[..., 0]),
        "solve_ex from the right": lambda A: T.solve_ex(A, B.mT, left=False),
        "inv_ex": T.inv_ex,
        "qr": T.qr,
        "qr complete": lambda A: T.qr(A[..., :-1], "complete"),
        "lstsq_ex": lambda A: T.lstsq_ex(A[..., :-1], B),
    }


NAMES = list(calls(Maker("numpy"), np.random.default_rng(1), 3))
names = pytest.mark.parametrize("name", NAMES)
sizes = pytest.mark.parametrize("n", SIZES)


def equal(torch, results, expected):
    return len(results) == len(expected) and all(map(torch.equal, results, expected))


@names
@sizes
def test_work_is_queued_on_the_current_stream(make, torch, rng, name, n):
    call = calls(make, rng, n)[name]
    values = make(positive_definite(rng, (7,), n, "float64"))
    expected = call(values)  # which also loads the kernels
    A = torch.full_like(values, float("nan"))
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        call(values)  # so that the allocator has memory for this stream
        stream.synchronize()
        torch.cuda._sleep(SLEEP)
        A.copy_(values)
        torch.cuda.set_sync_debug_mode("error")
        try:
            results = call(A)
        finally:
            torch.cuda.set_sync_debug_mode("default")
        assert not stream.query(), "the call waited for the GPU"
    stream.synchronize()
    assert equal(torch, results, expected)


@sizes
def test_memory_that_is_freed_while_work_is_queued(make, torch, rng, n):
    """Temporaries go back to the allocator before the GPU is done with them."""
    many = make(positive_definite(rng, (20, 7), n, "float64"))
    B = make(random(rng, (7, n, 2), "float64"))
    expected = [T.solve(A, B) for A in many]
    with torch.cuda.stream(torch.cuda.Stream()) as _:
        torch.cuda._sleep(SLEEP)
        results = [T.solve_ex(A, B)[0] for A in many]
    torch.cuda.synchronize()
    assert equal(torch, results, expected)


def test_lists_on_a_stream(make, torch, rng):
    values = [make(positive_definite(rng, (), n, "float64")) for n in (3, 50, 17)]
    expected, _ = T.cholesky_ex(values)
    A = [torch.full_like(a, float("nan")) for a in values]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP)
        for a, value in zip(A, values):
            a.copy_(value)
        L, info = T.cholesky_ex(A)
    stream.synchronize()
    assert equal(torch, L, expected) and not info.any()


class Stream:
    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return 0, self.stream.cuda_stream


@pytest.mark.parametrize("wrap", [lambda stream: stream.cuda_stream, Stream])
def test_stream_that_is_named(make, torch, rng, wrap):
    values = make(positive_definite(rng, (7,), 20, "float64"))
    expected = T.cholesky(values)
    A, info = torch.full_like(values, float("nan")), torch.zeros(7, dtype=torch.int32, device="cuda")
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP)
        A.copy_(values)
    talus.potrf("lower", A, info, stream=wrap(stream))
    assert not stream.query()
    stream.synchronize()
    assert torch.equal(A.tril(), expected)


@names
@sizes
def test_graphs(make, torch, rng, name, n):
    call = calls(make, rng, n)[name]
    A = make(positive_definite(rng, (7,), n, "float64"))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        call(A)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = call(A)
    for _ in range(3):
        other = make(positive_definite(rng, (7,), n, "float64"))
        A.copy_(other)
        graph.replay()
        torch.cuda.synchronize()
        assert equal(torch, results, call(other))


def test_long_lists_do_not_wait(make, torch, rng):
    values = make(positive_definite(rng, (3000,), 4, "float64"))
    A, L = list(values), list(torch.empty_like(values))
    info = torch.zeros(len(A), dtype=torch.int32, device="cuda")
    talus.potrf("lower", L, info, A_from=A)  # which also loads the kernels
    expected = torch.stack(L)
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP)
        talus.potrf("lower", L, info, A_from=A)
        assert not stream.query(), "the call waited for the GPU"
    stream.synchronize()
    assert torch.equal(torch.stack(L), expected)


def test_lists_are_refused_in_a_graph(make, torch, rng):
    A = [make(positive_definite(rng, (), n, "float64")) for n in (3, 5)]
    T.cholesky_ex(A)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        L = torch.zeros_like(A[0])
        with pytest.raises(RuntimeError, match="captured"):
            T.cholesky_ex(A)
        talus.copy(A[0], L)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(L, A[0])


def test_devices(make, torch):
    on_gpu, on_host = torch.eye(2, device="cuda"), torch.eye(2)
    info = torch.zeros((), dtype=torch.int32)
    with pytest.raises(ValueError, match="^B: lives on the CPU, .* on CUDA device 0"):
        T.solve(on_gpu, on_host)
    with pytest.raises(ValueError, match="^info: lives on the CPU, .* on CUDA device 0"):
        talus.potrf("lower", on_gpu, info)
    with pytest.raises(ValueError, match="^A: lives on CUDA device 0, .* on the CPU"):
        talus.potrf("lower", [on_host, on_gpu], torch.zeros(2, dtype=torch.int32))
    with pytest.raises(ValueError, match="^out: lives on cpu"):
        T.cholesky(on_gpu, out=on_host)


def test_the_current_device_stays(make, torch, rng):
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    with torch.cuda.device(0):  # importing JAX may have left another one
        for n in SIZES:
            values = positive_definite(rng, (7,), n, "float64")
            A = make(values).to("cuda:1")
            for name, call in calls(make, rng, n).items():
                if name in ("potrf", "cholesky_ex", "lu_factor_ex", "inv_ex", "qr"):
                    results = call(A)
                    assert all(result.device == A.device for result in results)
                    assert equal(torch, [result.to("cuda:0") for result in results], call(make(values)))
                assert torch.cuda.current_device() == 0


def test_pinned_memory_is_of_the_host(torch):
    A, info = (4 * torch.eye(2)).pin_memory(), torch.zeros((), dtype=torch.int32)
    talus.potrf("lower", A, info)
    assert torch.equal(A, 2 * torch.eye(2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 8, 33, 100, 200])
def test_results_agree_with_torch(make, torch, rng, dtype, n):
    A = make(positive_definite(rng, (5,), n, dtype))
    B = make(random(rng, (5, n, 3), dtype))
    tall = make(random(rng, (5, 2 * n, n), dtype))
    right = make(random(rng, (5, 2 * n, 3), dtype))
    single = dtype in ("float32", "complex64")

    def agree(found, expected, looser=1):
        scale = expected.abs().max() + 1
        assert (found - expected).abs().max() <= looser * (2e-3 if single else 1e-10) * scale

    other = torch.linalg
    agree(T.cholesky(A), other.cholesky(A))
    agree(T.cholesky(A, upper=True), other.cholesky(A, upper=True))
    agree(T.solve(A, B), other.solve(A, B))
    agree(T.solve(A, B.mT, left=False), other.solve(A, B.mT, left=False))
    agree(T.inv(A), other.inv(A))
    LU, pivots = T.lu_factor(A)
    agree(torch.linalg.lu_solve(LU, pivots, B), other.solve(A, B))
    for adjoint in (False, True):
        agree(T.lu_solve(LU, pivots, B, adjoint=adjoint), other.lu_solve(LU, pivots, B, adjoint=adjoint))
        agree(
            T.lu_solve(LU, pivots, B.mT, left=False, adjoint=adjoint),
            other.lu_solve(LU, pivots, B.mT, left=False, adjoint=adjoint),
        )
    L = other.cholesky(A)
    agree(T.cholesky_solve(B, L), torch.cholesky_solve(B, L))
    agree(T.cholesky_inverse(L), torch.cholesky_inverse(L))
    Q, R = T.qr(tall)
    agree(R.abs(), other.qr(tall).R.abs())
    agree(Q @ R, tall)
    solution, residuals = T.lstsq(tall, right)
    expected = other.lstsq(tall, right)
    agree(solution, expected.solution, 10)
    agree(residuals, (right - tall @ expected.solution).abs().square().sum(-2), 10)


def test_cupy_on_a_stream(rng, torch):
    make = Maker("cupy")
    cupy = make.module
    values = make(positive_definite(rng, (7,), 20, "float64"))
    B = make(random(rng, (7, 20, 2), "float64"))
    expected = [*T.cholesky_ex(values), *T.solve_ex(values, B), *T.qr(values)]
    A = cupy.full_like(values, np.nan)
    cupy.cuda.Device().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
            torch.cuda._sleep(SLEEP)
        cupy.copyto(A, values)
        results = [*T.cholesky_ex(A), *T.solve_ex(A, B), *T.qr(A)]
        assert not stream.done
    stream.synchronize()
    assert all(bool((a == b).all()) for a, b in zip(results, expected))
