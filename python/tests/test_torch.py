"""talus.torch: values, derivatives, transforms, compilation, failures, on the CPU and on a GPU if any."""

import pytest

torch = pytest.importorskip("torch")

import talus
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad, gradcheck, gradgradcheck

tt = pytest.importorskip("talus.torch")

REAL_AND_COMPLEX = [torch.float64, torch.complex128]
DTYPES = [torch.float32, torch.complex64, *REAL_AND_COMPLEX]
BATCHES = [(), (3,), (2, 3), (0,)]

no_gpu = not torch.cuda.is_available() or ", cuda" not in talus.configuration()
on_gpu = pytest.mark.skipif(no_gpu, reason="no GPU, or Talus was built without CUDA")


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=on_gpu)])
def device(request):
    return request.param


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def random(*shape, dtype=torch.float64, device="cpu"):
    """The same numbers on every device."""
    return torch.randn(*shape, dtype=dtype).to(device)


def square(*batch, n=3, **kind):
    """Well conditioned."""
    A = random(*batch, n, n, **kind)
    return A + 2 * n**0.5 * torch.eye(n, dtype=A.dtype, device=A.device)


def positive_definite(A):
    """A function of A, so that derivatives keep to Hermitian matrices."""
    return A @ A.mH + A.shape[-1] * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def on_cpu(tensors):
    return tuple(x.cpu() for x in as_tuple(tensors))


def assert_close(result, expected):
    for x, y in zip(on_cpu(result), on_cpu(expected), strict=True):
        torch.testing.assert_close(x, y)


def factor(A, upper=False):
    return torch.linalg.cholesky(positive_definite(A), upper=upper)


def least_squares(A, B):
    X = torch.linalg.pinv(A) @ B
    return X, (A @ X - B).abs().square().sum(-2)


# What is tested: a function of talus.torch, PyTorch's, and what arguments are: "square", well conditioned, or
# random of that shape. PyTorch's is called on the CPU, where the signs of R are LAPACK's.
FUNCTIONS = {
    "cholesky": (lambda A: tt.cholesky(positive_definite(A)), factor, ["square"]),
    "cholesky_upper": (
        lambda A: tt.cholesky(positive_definite(A), upper=True),
        lambda A: factor(A, upper=True),
        ["square"],
    ),
    "cholesky_solve": (
        lambda B, A: tt.cholesky_solve(B, factor(A)),
        lambda B, A: torch.cholesky_solve(B, factor(A)),
        [(3, 2), "square"],
    ),
    "cholesky_solve_upper": (
        lambda B, A: tt.cholesky_solve(B, factor(A, upper=True), upper=True),
        lambda B, A: torch.cholesky_solve(B, factor(A, upper=True), upper=True),
        [(3, 2), "square"],
    ),
    "solve": (tt.solve, torch.linalg.solve, ["square", (3, 2)]),
    "solve_vector": (tt.solve, torch.linalg.solve, ["square", (3,)]),
    "solve_right": (
        lambda A, B: tt.solve(A, B, left=False),
        lambda A, B: torch.linalg.solve(A, B, left=False),
        ["square", (2, 3)],
    ),
    "solve_triangular": (
        lambda A, B: tt.solve_triangular(A, B, upper=True),
        lambda A, B: torch.linalg.solve_triangular(A, B, upper=True),
        ["square", (3, 2)],
    ),
    "solve_triangular_right": (
        lambda A, B: tt.solve_triangular(A, B, upper=False, left=False, unitriangular=True),
        lambda A, B: torch.linalg.solve_triangular(A, B, upper=False, left=False, unitriangular=True),
        ["square", (2, 3)],
    ),
    "inv": (tt.inv, torch.linalg.inv, ["square"]),
    "qr": (tt.qr, lambda A: tuple(torch.linalg.qr(A)), ["square"]),
    "qr_tall": (tt.qr, lambda A: tuple(torch.linalg.qr(A)), [(4, 3)]),
    "qr_wide": (tt.qr, lambda A: tuple(torch.linalg.qr(A)), [(2, 4)]),
    "lstsq": (
        lambda A, B: tuple(tt.lstsq(A, B)),
        least_squares,
        [(4, 3), (4, 2)],
    ),
    "lstsq_square": (
        lambda A, B: tt.lstsq(A, B).solution,
        lambda A, B: torch.linalg.solve(A, B),
        ["square", (3, 2)],
    ),
}


@pytest.fixture(params=FUNCTIONS)
def functions(request):
    return FUNCTIONS[request.param]


def arguments_of(functions, *batch, **kind):
    return tuple(
        square(*batch, **kind) if shape == "square" else random(*batch, *shape, **kind)
        for shape in functions[2]
    )


def with_gradients(arguments):
    return tuple(a.detach().clone().requires_grad_() for a in arguments)


# ---- values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_values(functions, dtype, batch, device):
    arguments = arguments_of(functions, *batch, dtype=dtype, device=device)
    ours, theirs, _ = functions
    assert_close(ours(*arguments), theirs(*on_cpu(arguments)))


@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_any_strides_and_views(functions, dtype, device):
    ours, theirs, _ = functions
    arguments = arguments_of(functions, 3, dtype=dtype, device=device)
    expected = theirs(*on_cpu(arguments))

    def stored_otherwise(a):
        yield a.transpose(0, -1).contiguous().transpose(0, -1)
        yield torch.stack((a, a), dim=-1)[..., 0]
        yield a.conj().resolve_conj().conj()
        if not a.is_complex():
            yield torch.complex(torch.zeros_like(a), -a).conj().imag
            assert torch.complex(a, a).conj().imag.is_neg()

    for each in zip(*map(stored_otherwise, arguments)):
        assert_close(ours(*each), expected)


def test_layouts(device):
    A, B = positive_definite(square(5, n=4, device=device)), random(5, 4, 2, device=device)
    assert tt.cholesky(A).is_contiguous() and tt.inv(A).is_contiguous()
    by_columns = tt.solve(A, B), tt.cholesky_solve(B, A), tt.solve_triangular(A, B, upper=True), *tt.qr(B)
    assert all(X.mT.is_contiguous() for X in by_columns)


@pytest.mark.parametrize("batches", [((2, 3), (3,)), ((3,), (2, 1)), ((), (2,)), ((2,), ())], ids=str)
def test_broadcast(batches, device):
    A, B = square(*batches[0], device=device), random(*batches[1], 3, 2, device=device)
    L, T = factor(A), random(*batches[1], 4, 2, device=device)
    assert_close(tt.solve(A, B), torch.linalg.solve(A, B))
    assert_close(tt.cholesky_solve(B, L), torch.cholesky_solve(B, L))
    assert_close(tt.solve_triangular(A, B, upper=False), torch.linalg.solve_triangular(A, B, upper=False))
    M = random(*batches[0], 4, 3, device=device)
    assert_close(tt.lstsq(M, T).solution, torch.linalg.pinv(M) @ T)
    assert gradcheck(tt.solve, with_gradients((A, B)))
    assert gradcheck(lambda M, T: tuple(tt.lstsq(M, T)), with_gradients((M, T)))


REPEATED = [
    ((), (40,)),
    ((5, 1), (5, 3)),
    ((1, 5), (3, 5)),
    ((20, 1), (20, 2)),
    ((3,), (2, 3)),
    ((2, 1), (1, 3)),
]


@pytest.mark.parametrize("batches", REPEATED, ids=str)
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_repeated_matrices(batches, left, dtype, device):
    """A repeated A gives the values and derivatives of copies of A, also under vmap."""
    A, B = (
        square(*batches[0], dtype=dtype, device=device),
        random(*batches[1], 3, 3, dtype=dtype, device=device),
    )

    def ours(A, B):
        return tt.solve(A, B, left=left)

    assert_close(ours(A, B), torch.linalg.solve(A, B, left=left))
    X = ours(A, B)
    assert (X.mT if left else X).is_contiguous()
    arguments = with_gradients((A, B))
    assert gradcheck(ours, arguments, fast_mode=True)
    assert gradgradcheck(ours, arguments, fast_mode=True)
    found = torch.autograd.grad(ours(*arguments).abs().square().sum(), arguments)
    expected = torch.autograd.grad(torch.linalg.solve(*arguments, left=left).abs().square().sum(), arguments)
    assert_close(found, expected)
    C = random(4, *batches[1], 3, 3, dtype=dtype, device=device)
    assert_close(torch.func.vmap(ours, (None, 0))(A, C), torch.linalg.solve(A, C, left=left))
    one, of_each = A[(0,) * len(batches[0])], C[(slice(None), *(0,) * len(batches[1]))]

    T = A / 9 + torch.eye(3, dtype=dtype, device=device)
    for words in ({"upper": True}, {"upper": False, "unitriangular": True}):
        words["left"] = left
        assert_close(tt.solve_triangular(T, B, **words), torch.linalg.solve_triangular(T, B, **words))
        assert gradcheck(
            lambda A, B: tt.solve_triangular(A, B, **words), with_gradients((T, B)), fast_mode=True
        )
        found = torch.func.vmap(lambda b: tt.solve_triangular(T, b, **words))(C)
        assert_close(found, torch.linalg.solve_triangular(T, C, **words))

    def loss(A, B):
        return ours(A, B).abs().square().sum()

    gradients = torch.func.vmap(torch.func.grad(loss, argnums=(0, 1)), (None, 0))(one, of_each)
    for i, b in enumerate(of_each):
        assert_close(tuple(g[i] for g in gradients), torch.func.grad(loss, argnums=(0, 1))(one, b))


@pytest.mark.parametrize("batches", [((), (64,)), ((5, 1), (5, 30)), ((1, 20), (3, 20))], ids=str)
def test_repeated_matrices_are_factored_once(monkeypatch, batches):
    factored = []
    for name in ("getrf", "gesv"):
        routine = getattr(talus._talus, name)

        def count(*arguments, routine=routine, **sources):
            factored.append(arguments[0].shape[:-2].numel())
            return routine(*arguments, **sources)

        for module in (talus, talus._talus):
            monkeypatch.setattr(module, name, count)
    A, B = with_gradients((square(*batches[0], n=8), random(*batches[1], 8, 1)))
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(x) or x, lambda x: x):
        X = tt.solve(A, B)
        X.square().sum().backward()
    torch.func.vmap(lambda b: tt.solve(A.detach(), b))(B.detach().expand(2, *B.shape))
    once = A.shape[:-2].numel()
    assert factored == [once] * 2
    assert A.grad.shape == A.shape
    assert max(x.untyped_storage().size() for x in saved) <= 8 * max(A.numel(), B.numel())


def test_repeated_matrices_that_fail(device):
    A, B = square(5, 1, device=device), random(5, 4, 3, 2, device=device)
    A[3, 0, :, 1] = 0
    info = tt.solve_ex(A, B)[1]
    assert info.tolist() == [[0] * 4] * 3 + [[2] * 4] + [[0] * 4]
    with pytest.raises(talus.LinAlgError, match=r"^solve: matrix \(3, 0\) "):
        tt.solve(A, B)


def test_vectors(device):
    A, b = square(4, device=device), random(3, device=device)
    assert_close(tt.solve(A, b), torch.linalg.solve(A, b))
    assert gradcheck(tt.solve, with_gradients((A, b)))
    M, t = random(4, 5, 3, device=device), random(5, device=device)
    solution, residuals = tt.lstsq(M, t)
    assert_close(solution, torch.linalg.pinv(M) @ t)
    assert_close(residuals, (M @ solution.unsqueeze(-1) - t.unsqueeze(-1)).square().sum(-2))
    with pytest.raises(ValueError, match="^B: "):
        tt.solve(A, b, left=False)


FORWARD_MODE = {
    "jvp": lambda f, A: torch.func.jvp(f, (A,), (A,)),
    "jvp of vmap": lambda f, A: torch.func.jvp(
        torch.func.vmap(f), (A.expand(2, 3, 3),), (A.expand(2, 3, 3),)
    ),
    "jacfwd": lambda f, A: torch.func.jacfwd(f)(A),
    "functional.jacobian": lambda f, A: torch.autograd.functional.jacobian(
        f, A, strategy="forward-mode", vectorize=True
    ),
    "compiled": lambda f, A: torch.compile(lambda x: torch.func.jvp(f, (x,), (x,)), backend="eager")(A),
}


@pytest.mark.parametrize("name", FORWARD_MODE)
def test_forward_mode_is_refused(name):
    with pytest.raises(NotImplementedError, match="talus.torch: cholesky has no forward-mode derivative"):
        FORWARD_MODE[name](tt.cholesky, 4 * torch.eye(3, dtype=torch.float64))


def test_dual_numbers_are_refused():
    A = 4 * torch.eye(3, dtype=torch.float64)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(A, A)
        for function in (tt.inv, lambda x: tt.solve(A, x), lambda x: tt.qr(x)[0]):
            with pytest.raises(NotImplementedError, match="has no forward-mode derivative"):
                function(dual)
        assert_close(tt.inv(A), torch.linalg.inv(A))  # has no derivative


# ---- derivatives -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_derivatives(functions, dtype, batch, device):
    arguments = with_gradients(arguments_of(functions, *batch, dtype=dtype, device=device))
    assert gradcheck(functions[0], arguments, fast_mode=len(batch) > 0)  # fast: along one random direction
    assert gradgradcheck(functions[0], arguments, fast_mode=True)


@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_gradients_are_those_of_torch(functions, dtype, device):
    ours, theirs, _ = functions
    arguments = with_gradients(arguments_of(functions, 4, dtype=dtype, device=device))

    def gradients(results):
        torch.manual_seed(2)
        weights = [random(*x.shape, dtype=x.dtype, device=x.device) for x in results]
        return torch.autograd.grad(results, arguments, weights)

    assert_close(gradients(as_tuple(ours(*arguments))), gradients(as_tuple(theirs(*on_cpu(arguments)))))


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_gradient_of_cholesky_is_hermitian(dtype, upper, device):
    A = positive_definite(square(2, dtype=dtype, device=device)).requires_grad_()
    L = tt.cholesky(A, upper)
    (gA,) = torch.autograd.grad(L, A, random(*L.shape, dtype=dtype, device=device))
    assert_close(gA, gA.mH.resolve_conj())


def test_only_what_is_needed(device):
    A, B = square(2, device=device), random(2, 3, 2, device=device)
    for A_needs, B_needs in ((True, False), (False, True)):
        a, b = A.clone().requires_grad_(A_needs), B.clone().requires_grad_(B_needs)
        for function in (
            tt.solve,
            lambda *ab: tt.solve_triangular(*ab, upper=True),
            lambda *ab: tt.lstsq(*ab)[0],
        ):
            function(a, b).sum().backward()
            assert (a.grad is not None) == A_needs and (b.grad is not None) == B_needs
            a.grad = b.grad = None
    X, *others = torch.ops.talus.solve_ex(A.clone().requires_grad_(), B, True)
    assert X.requires_grad and not any(other.requires_grad for other in others)
    with torch.no_grad():
        assert not tt.solve(A.requires_grad_(), B).requires_grad
    with torch.inference_mode():
        assert_close(tt.solve(A, B), torch.linalg.solve(A, B))


def test_derivatives_of_solve_factorize_once(monkeypatch):
    calls = []
    for name in ("gesv", "getrf"):
        routine = getattr(talus._talus, name)
        for module in (talus, talus._talus):
            monkeypatch.setattr(
                module, name, lambda *a, routine=routine, **sources: calls.append(a) or routine(*a, **sources)
            )
    A, B = with_gradients((square(2), random(2, 3, 1)))
    (gA,) = torch.autograd.grad(tt.solve(A, B).square().sum(), A, create_graph=True)
    gA.square().sum().backward()
    assert len(calls) == 1


# ---- failures ----------------------------------------------------------------------------------------------


def test_failures(device):
    A = positive_definite(square(3, device=device))
    A[1, 1, 1] = -1
    L, info = tt.cholesky_ex(A)
    assert info.dtype == torch.int32 and info.tolist() == [0, 2, 0]
    assert_close(L[::2], torch.linalg.cholesky(A[::2]))
    with pytest.raises(talus.LinAlgError, match="cholesky: matrix 1 of 3 .* order 2"):
        tt.cholesky(A)
    B = random(3, 3, 2, device=device)
    X, info = tt.cholesky_solve_ex(B, L)
    assert info.tolist() == [0, 2, 0]
    with pytest.raises(talus.LinAlgError, match="cholesky_solve: matrix 1 of 3"):
        tt.cholesky_solve(B, L)

    S = square(3, device=device)
    S[2, :, 2] = 0
    for name, arguments in (("solve", (S, B)), ("inv", (S,)), ("lstsq", (S, B))):
        *_, info = getattr(tt, name + "_ex")(*arguments)
        assert info.tolist() == [0, 0, 3]
        with pytest.raises(talus.LinAlgError, match=f"{name}: matrix 2 of 3"):
            getattr(tt, name)(*arguments)
    assert_close(tt.solve_ex(S, B)[0][:2], torch.linalg.solve(S[:2], B[:2]))
    assert_close(tt.inv_ex(S)[0][:2], torch.linalg.inv(S[:2]))


def test_refusals():
    A, B = square(2), random(2, 3, 2)
    with pytest.raises(TypeError, match="^A: "):
        tt.cholesky(A.half())
    with pytest.raises(TypeError, match="^B: "):
        tt.solve(A, B.float())
    with pytest.raises(ValueError, match="^A: "):
        tt.inv(B)
    with pytest.raises(ValueError, match="^A: "):
        tt.solve(A[0, 0], B)
    with pytest.raises(ValueError, match="^B: "):
        tt.solve(square(3), B)
    with pytest.raises(ValueError, match="^L: "):
        tt.cholesky_solve(B, square(3))
    with pytest.raises(ValueError, match="^A: has fewer rows than columns"):
        tt.lstsq(B.mT, random(2, 2, 1))


# ---- operators, transforms, compilation --------------------------------------------------------------------


def test_operators(device):
    dtype = torch.complex128
    A, B, T = square(2, dtype=dtype), random(2, 3, 2, dtype=dtype), random(2, 4, 3, dtype=dtype)
    S = positive_definite(A)
    L, R = torch.linalg.cholesky(S), torch.linalg.qr(A).R
    LU, pivots = torch.linalg.lu_factor(A)
    inputs = {
        "cholesky_ex": [(S, True, True)],
        "cholesky_solve_ex": [(B, L, False, True)],
        "solve_triangular": [
            (L, B.mT, False, False, True),
            (L, B, False, True, False),
            (L[:1], B, False, True, True),
        ],
        "solve_ex": [(A, B, True), (A[:1], B, True)],
        "solve_factored": [(A, LU, pivots, B, True), (A[:1], LU[:1], pivots[:1], B, False)],
        "inv_ex": [(A, True)],
        "qr": [(T,), (T.mT,)],
        "lstsq_ex": [(T, T, True), (A, B, True)],
        "solve_normal_equations": [(A, R, B)],
    }
    assert set(inputs) == {name.split("::")[1] for name in map(str, tt._library._op_defs)}
    differentiable = {
        A,
        B,
        T,
        S,
        L,
        inputs["solve_ex"][1][0],
        inputs["solve_factored"][1][0],
        inputs["solve_triangular"][2][0],
    }
    for name, each in inputs.items():
        operator = getattr(torch.ops.talus, name).default
        for arguments in each:
            arguments = [
                a.to(device).requires_grad_(a in differentiable) if isinstance(a, torch.Tensor) else a
                for a in arguments
            ]
            torch.library.opcheck(operator, arguments)
            with FakeTensorMode() as mode:
                faked = [mode.from_tensor(a) if isinstance(a, torch.Tensor) else a for a in arguments]
                fake = operator(*faked)
            for x, y in zip(as_tuple(fake), as_tuple(operator(*arguments)), strict=True):
                assert (x.shape, x.stride(), x.dtype) == (y.shape, y.stride(), y.dtype)


@pytest.mark.parametrize("dtype", REAL_AND_COMPLEX, ids=str)
def test_vmap(functions, dtype, device):
    ours, theirs, _ = functions
    arguments = arguments_of(functions, 4, dtype=dtype, device=device)
    moved = [a.movedim(0, 1) if a.dim() > 2 else a for a in arguments]
    in_dims = tuple(1 if a.dim() > 2 else 0 for a in arguments)
    assert_close(torch.func.vmap(ours, in_dims)(*moved), theirs(*on_cpu(arguments)))
    if len(arguments) > 1:  # one of them the same for all
        expected = theirs(*on_cpu((arguments[0], arguments[1][:1].expand_as(arguments[1]))))
        assert_close(torch.func.vmap(ours, (0, None))(arguments[0], arguments[1][0]), expected)
    with_grad = with_gradients(arguments)
    sum(x.abs().square().sum() for x in as_tuple(torch.func.vmap(ours)(*with_grad))).backward()
    assert all(a.grad is not None for a in with_grad)


def test_transforms(functions):
    ours, theirs, _ = functions
    arguments = arguments_of(functions, 2)
    one = [a[0] for a in arguments]
    jacobian, hessian = torch.func.jacrev, lambda f: torch.func.jacrev(torch.func.jacrev(f))
    assert_close(jacobian(ours)(*one), jacobian(theirs)(*one))
    assert_close(torch.func.vmap(jacobian(ours))(*arguments), torch.func.vmap(jacobian(theirs))(*arguments))
    assert_close(jacobian(torch.func.vmap(ours))(*arguments), jacobian(torch.func.vmap(theirs))(*arguments))
    assert_close(hessian(ours)(*one), hessian(theirs)(*one))


@pytest.mark.parametrize(
    "name", ["cholesky", "cholesky_solve", "solve_vector", "solve_triangular", "inv", "qr_wide", "lstsq"]
)
def test_compile(name, device):
    functions = FUNCTIONS[name]
    ours, _, _ = functions
    torch._dynamo.reset()
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager", dynamic=True)
    for batch in ((3,), (5,)):
        arguments = with_gradients(arguments_of(functions, *batch, device=device))
        expected, result = ours(*arguments), compiled(*arguments)
        assert_close(result, expected)

        def gradients(results):
            return torch.autograd.grad(sum(x.square().sum() for x in as_tuple(results)), arguments)

        assert_close(gradients(result), gradients(expected))


def test_compiled_vmap_and_failure(device):
    torch._dynamo.reset()
    solve = torch.compile(tt.solve, fullgraph=True, backend="aot_eager", dynamic=True)
    for batch in (3, 5):
        a, b = with_gradients((square(device=device), random(batch, 3, 2, device=device)))
        assert_close(solve(a, b), torch.linalg.solve(a, b))
        found = torch.autograd.grad(solve(a, b).square().sum(), (a, b))
        assert_close(found, torch.autograd.grad(torch.linalg.solve(a, b).square().sum(), (a, b)))
    A = positive_definite(square(2, device=device))
    vmapped = torch.compile(torch.func.vmap(tt.inv), fullgraph=True, backend="aot_eager")
    assert_close(vmapped(A), torch.linalg.inv(A))
    compiled = torch.compile(tt.cholesky, fullgraph=True, backend="aot_eager")
    assert_close(compiled(A), torch.linalg.cholesky(A))
    with pytest.raises(talus.LinAlgError):
        compiled(-A)


def test_export():
    class Module(torch.nn.Module):
        def forward(self, A, B):
            return tt.solve(A, B)

    A, B = square(2), random(2, 3, 1)
    program = torch.export.export(Module(), (A, B))
    assert_close(program.module()(A, B), torch.linalg.solve(A, B))


# ---- CUDA --------------------------------------------------------------------------------------------------

EX = {
    "cholesky": lambda A, B: tt.cholesky_ex(positive_definite(A))[0],
    "cholesky_solve": lambda A, B: tt.cholesky_solve_ex(B, tt.cholesky_ex(positive_definite(A))[0])[0],
    "solve": lambda A, B: tt.solve_ex(A, B)[0],
    "solve_triangular": lambda A, B: tt.solve_triangular(A, B, upper=True),
    "inv": lambda A, B: tt.inv_ex(A)[0] @ B,
    "qr": lambda A, B: tt.qr(A)[1] @ B,
    "lstsq": lambda A, B: tt.lstsq_ex(A, B)[0],
}


@pytest.fixture(params=EX)
def step(request):
    """A result and gradients, with nothing that waits."""
    function = EX[request.param]

    def result_and_gradients(A, B):
        X = function(A, B)
        return X, *torch.autograd.grad(X.square().sum(), (A, B), allow_unused=True, materialize_grads=True)

    return result_and_gradients


@on_gpu
@pytest.mark.parametrize("n", [3, 40, 150])
def test_graph(step, n):
    def some():
        return with_gradients((square(5, n=n, device="cuda"), random(5, n, 2, device="cuda")))

    A, B = some()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            step(A, B)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = step(A, B)
    for _ in range(2):
        new = some()
        with torch.no_grad():
            A.copy_(new[0])
            B.copy_(new[1])
        graph.replay()
        assert_close(results, step(*new))


@on_gpu
def test_side_stream(step):
    """Where the work were queued on another stream, it would not wait for the arguments."""
    A, B = square(100, n=20, device="cuda"), random(100, 20, 2, device="cuda")
    expected = step(*with_gradients((A, B)))
    torch.cuda.synchronize()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        a, b = torch.zeros_like(A).requires_grad_(), torch.zeros_like(B).requires_grad_()
        torch.cuda._sleep(100_000_000)
        with torch.no_grad():
            a.copy_(A)
            b.copy_(B)
        results = step(a, b)
    side.synchronize()
    assert_close(results, expected)


@on_gpu
def test_nothing_waits(step):
    A, B = with_gradients((square(5, n=10, device="cuda"), random(5, 10, 2, device="cuda")))
    torch.cuda.set_sync_debug_mode("error")
    try:
        step(A, B)
    finally:
        torch.cuda.set_sync_debug_mode("default")


@on_gpu
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one GPU")
def test_other_device(step):
    A, B = with_gradients((square(5, n=10, device="cuda:1"), random(5, 10, 2, device="cuda:1")))
    expected = step(*with_gradients((A.cpu(), B.cpu())))
    assert_close(tuple(x.cpu() for x in step(A, B)), expected)
