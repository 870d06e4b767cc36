#!/usr/bin/env python3
"""Times the copies of the Python package on a GPU: of arrays beside PyTorch's, and of lists of matrices.

  bench/python_copies.py            both tables, of 10,000 equal matrices and of lists

Arrays: microseconds of CUDA's events, of calls that are queued before the first one runs. same: one memory
copy; transposed: rows into columns; lower: one triangle, zeros in the rest; torch: copy_ into columns; limit:
bytes read and written at --bandwidth.

Lists: milliseconds of the host's clock until a call is queued, of double matrices of n = 1 to 64 at random.
arrays: what PyTorch takes to allocate one array for each matrix; A_from: potrf of copies; torch:
torch.linalg.cholesky_ex of one matrix after the other.

Exit codes: 0 fine, 2 bad arguments, or no Talus, PyTorch or GPU.
"""

import argparse
import random
import statistics
import time

from python_linalg import Machine


def microseconds(torch, call, calls=20, repeats=5):
    """Of the GPU."""
    times = []
    for _ in range(repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(2_000_000)  # cycles, in which all calls are queued
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / calls)
    return statistics.median(times)


def milliseconds(torch, call, repeats=11):
    """Of the host."""
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


def table(heads, rows):
    print("".join(f"{head:>13}" for head in heads))
    for row in rows:
        print(
            "".join(f"{cell:13.4g}" if isinstance(cell, float) else f"{cell:>13}" for cell in row), flush=True
        )


def arrays(machine, bandwidth, batch=10_000):
    torch, copy = machine.torch, machine.talus.copy
    for dtype in (torch.float32, torch.float64):
        for n in (4, 16, 64, 256):
            A = torch.rand((batch, n, n), dtype=dtype, device="cuda")
            rows = torch.empty_like(A)
            columns = torch.empty_like(A).mT
            calls = [
                lambda A=A, B=rows: copy(A, B),
                lambda A=A, B=columns: copy(A, B),
                lambda A=A, B=columns: copy(A, B, "lower"),
                lambda A=A, B=columns: B.copy_(A),
            ]
            limit = 2 * A.numel() * A.element_size() / bandwidth / 1e3
            yield [str(dtype)[6:], n, *(microseconds(torch, call) for call in calls), limit]
            del A, rows, columns, calls
            machine.free()


def lists(machine):
    torch, talus = machine.torch, machine.talus
    for count in (100, 1000, 5000):
        random.seed(1)
        sizes = [random.randint(1, 64) for _ in range(count)]
        options = {"dtype": torch.float64, "device": "cuda"}
        A = [n * torch.eye(n, **options) + torch.ones((n, n), **options) for n in sizes]
        L, info = [a.clone() for a in A], torch.zeros(count, dtype=torch.int32, device="cuda")
        calls = [
            lambda A=A: [a.new_empty_strided(a.shape, a.stride()) for a in A],
            lambda L=L, info=info: talus.potrf("lower", L, info),
            lambda A=A, L=L, info=info: talus.potrf("lower", L, info, A_from=A),
            lambda A=A: talus.linalg.cholesky_ex(A),
            lambda A=A: talus.linalg.lu_factor_ex(A),
            lambda A=A: [torch.linalg.cholesky_ex(a) for a in A],
        ]
        for call in calls:  # which loads the kernels, and has the allocator take its memory
            call()
        yield [count, *(milliseconds(torch, call) for call in calls)]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--bandwidth", type=float, default=4200, help="GB/s of the GPU, for the limit (default: %(default)s)"
    )
    arguments = parser.parse_args()
    if arguments.bandwidth <= 0:
        parser.error("--bandwidth is above 0")
    machine = Machine("cuda")
    print(machine.name())
    table("type n same transposed lower torch limit".split(), arrays(machine, arguments.bandwidth))
    print()
    table(
        "matrices arrays potrf A_from cholesky_ex lu_factor_ex torch".split(),
        lists(machine),
    )


if __name__ == "__main__":
    main()
