#!/usr/bin/env python3
"""Times talus.linalg beside torch.linalg and cupy.linalg in one run, on the same matrices.

  bench/python_linalg.py --csv linalg.csv                   the table, and the times in talus-bench's columns
  bench/python_linalg.py --sizes 8,64 --routines qr,inv     some of it
  bench/python_linalg.py --overhead --cpp build/release/bench/talus-call-overhead
                                                            microseconds of a call beside the same in C++
  bench/python_linalg.py --draw linalg.csv -o linalg.png    the figure, which needs neither GPU nor PyTorch

Matrices are stored row by row, as PyTorch makes them. Of functions that have a form which does not wait for the
GPU, that one is timed (`_ex`). Times are of CUDA's events, so that it counts where the GPU waits for Python. The
libraries take turns, and the median counts; of what takes longer than half a second one run does. CuPy is left out
where it takes no batches (lu_factor, lstsq), and any library where a call would take longer than --limit.

Exit codes: 0 fine, 1 a result was wrong, 2 bad arguments, or no Talus, PyTorch or GPU.
"""

import argparse
import csv
import importlib
import math
import pathlib
import re
import statistics
import subprocess
import sys
import time

from plotting import finish, for_each_row, load_pyplot, save, scale_by_powers_of_two, styles_of

COLUMNS = (
    "library,routine,precision,regime,m,n,batch,median_ms,min_ms,max_ms,gflops,roofline_fraction,note".split(
        ","
    )
)
LIBRARIES = ["talus", "torch", "cupy"]
SLOW = 200  # ms: of what takes longer one run does
ROUTINES = ["cholesky", "lu_factor", "solve", "qr", "inv", "lstsq"]


def fail(words):
    print(f"{pathlib.Path(sys.argv[0]).name}: {words}", file=sys.stderr)
    sys.exit(2)


def load(module):
    """A module, or None."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


class Machine:
    """PyTorch and the others on one device."""

    def __init__(self, device):
        self.torch, self.talus = load("torch"), load("talus")
        if self.torch is None or self.talus is None:
            fail(f"needs {'PyTorch' if self.torch is None else 'the Python package talus'}")
        self.on_gpu = device == "cuda"
        if self.on_gpu and not self.torch.cuda.is_available():
            fail("PyTorch finds no GPU")
        self.device = device
        self.cupy = load("cupy") if self.on_gpu else None
        self.types = {"s": self.torch.float32, "d": self.torch.float64}

    def name(self):
        versions = [
            f"{module.__name__} {module.__version__}"
            for module in (self.talus, self.torch, self.cupy)
            if module
        ]
        return ", ".join([self.torch.cuda.get_device_name() if self.on_gpu else "CPU", *versions])

    def synchronize(self):
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def milliseconds(self, call, calls):
        """Of one call, in the mean over some."""
        if not self.on_gpu:
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            return (time.perf_counter() - begin) * 1e3 / calls
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / calls

    def free(self):
        if self.on_gpu:
            self.torch.cuda.empty_cache()
        if self.cupy:
            self.cupy.get_default_memory_pool().free_all_blocks()

    def out_of_memory(self, error):
        return (
            isinstance(error, MemoryError)
            or "out of memory" in str(error).lower()
            or (self.cupy is not None and isinstance(error, self.cupy.cuda.memory.OutOfMemoryError))
        )


class Problem:
    """A batch for one routine, the calls of each library, and what is wrong with a result."""

    def __init__(self, machine, routine, precision, n, batch):
        torch = machine.torch
        self.machine, self.routine, self.batch, self.n = machine, routine, batch, n
        self.m = 2 * n if routine == "lstsq" else n
        options = {"dtype": machine.types[precision], "device": machine.device}
        torch.manual_seed(1)
        self.A = torch.rand((batch, self.m, n), **options) - 0.5
        if routine == "cholesky":
            self.A += self.A.mT.clone()
        if self.m == n and routine != "qr":
            self.A.diagonal(dim1=-2, dim2=-1).add_(n)
        self.B = torch.rand((batch, self.m, 1), **options) - 0.5

    def flops(self):
        n, m = self.n, self.m
        return (
            self.batch
            * {
                "cholesky": n**3 / 3,
                "lu_factor": 2 * n**3 / 3,
                "solve": 2 * n**3 / 3 + 2 * n**2,
                "qr": 8 * n**3 / 3,
                "inv": 2 * n**3,
                "lstsq": 2 * m * n**2 - 2 * n**3 / 3 + 4 * m * n - n**2,
            }[self.routine]
        )

    def calls(self, batch=None):
        """{library: a function that makes one call}, on the first matrices of the batch."""
        A, B = self.A[:batch], self.B[:batch]
        ours, torch = self.machine.talus.linalg, self.machine.torch.linalg
        calls = {
            "cholesky": (lambda: ours.cholesky_ex(A), lambda: torch.cholesky_ex(A)),
            "lu_factor": (lambda: ours.lu_factor_ex(A), lambda: torch.lu_factor_ex(A)),
            "solve": (lambda: ours.solve_ex(A, B), lambda: torch.solve_ex(A, B)),
            "qr": (lambda: ours.qr(A), lambda: torch.qr(A)),
            "inv": (lambda: ours.inv_ex(A), lambda: torch.inv_ex(A)),
            "lstsq": (lambda: ours.lstsq_ex(A, B), lambda: torch.lstsq(A, B)),
        }[self.routine]
        found = dict(zip(LIBRARIES, calls))
        if self.machine.cupy and self.routine not in ("lu_factor", "lstsq"):  # of which it takes no batches
            function = getattr(self.machine.cupy.linalg, self.routine)
            arrays = [self.machine.cupy.from_dlpack(x) for x in ((A, B) if self.routine == "solve" else (A,))]
            found["cupy"] = lambda: function(*arrays)
        return found

    def complaint(self, result):
        """Empty, or what is wrong with the last matrix: LAPACK's ratio of a residual."""
        torch = self.machine.torch
        results = result if isinstance(result, tuple) else (result,)
        last = [
            torch.from_dlpack(x)[-1].double()
            for x in results[:2]
            if x.shape[:1] == self.A.shape[:1] and x.ndim > 1
        ]
        A, B = self.A[-1].double(), self.B[-1].double()
        if self.routine == "cholesky":
            residual, scale = A - last[0].tril() @ last[0].tril().mT, A
        elif self.routine == "lu_factor":
            P, L, U = torch.lu_unpack(last[0], last[1].int())
            residual, scale = A - P @ L @ U, A
        elif self.routine == "qr":
            residual, scale = A - last[0] @ last[1], A
        elif self.routine == "inv":
            residual = torch.eye(self.n, dtype=A.dtype, device=A.device) - last[0] @ A
            scale = torch.linalg.matrix_norm(A, ord=1) * last[0]
        elif self.routine == "solve":
            residual, scale = B - A @ last[0], torch.linalg.matrix_norm(A, ord=1) * last[0]
        else:
            residual, scale = A.mT @ (B - A @ last[0]), torch.linalg.matrix_norm(A, ord=1) ** 2 * B
        norm = torch.linalg.matrix_norm
        eps = torch.finfo(self.A.dtype).eps / 2
        ratio = float(norm(residual, ord=1) / (norm(scale, ord=1) * self.m * eps))
        return "" if ratio < 30 else f"a residual of {ratio:.3g} n eps, the limit is 30"


def measure(machine, problem, repeats, limit):
    """{library: its times in ms, or words why there are none} and {library: what is wrong}."""
    times, wrong = {}, {}

    def milliseconds(library, call, calls):
        """Or None, where there is no memory."""
        try:
            return machine.milliseconds(call, calls)
        except Exception as error:
            if not machine.out_of_memory(error):
                raise
            times[library] = "out of memory"
            machine.free()
            return None

    few = max(1, problem.batch // 100)
    for library, call in problem.calls(few).items():
        call()  # which loads the kernels
        machine.synchronize()
        seconds = machine.milliseconds(call, 1) / 1e3 * problem.batch / few  # where it goes one by one
        if seconds > limit:
            times[library] = f"left out: up to {seconds:.0f} s"
    calls = {library: call for library, call in problem.calls().items() if library not in times}
    in_turn = {}  # calls for one time of about 2 ms
    for library, call in calls.items():
        results = []
        first = milliseconds(library, lambda call=call, results=results: results.append(call()), 1)
        if first is None:
            continue
        complaint = problem.complaint(results.pop())
        if complaint:
            wrong[library] = complaint
        if first > SLOW:
            times[library] = [first]
        else:
            times[library] = []
            in_turn[library] = min(50, math.ceil(2 / first))
    for _ in range(repeats):
        for library in list(in_turn):
            spent = milliseconds(library, calls[library], in_turn[library])
            if spent is None:
                del in_turn[library]
            else:
                times[library].append(spent)
    return times, wrong


def compare(machine, arguments):
    """Prints the table; returns the CSV file's rows, and whether all was right."""
    rows, ratios, right = [], [], True
    print(machine.name())
    others = [library for library in LIBRARIES[1:] if library != "cupy" or machine.cupy]
    head = " ".join(f"{library + ' ms':>11} {'x':>8}" for library in others)
    print(f"{'':>10} {'m':>5} {'n':>5} {'batch':>8} | {'talus ms':>10} {head}")
    for routine in arguments.routines:
        for precision in arguments.precision:
            for n in arguments.sizes:
                problem = Problem(machine, routine, precision, n, arguments.batch)
                times, wrong = measure(machine, problem, arguments.repeats, arguments.limit)
                medians = {
                    library: statistics.median(t) for library, t in times.items() if isinstance(t, list)
                }
                line = f"{precision + routine:>10} {problem.m:5} {n:5} {arguments.batch:8} | "
                line += f"{medians['talus']:10.4f}" if "talus" in medians else f"{times['talus']:>10}"
                for library in others:
                    if library in medians and "talus" in medians:
                        ratio = medians[library] / medians["talus"]
                        ratios.append((ratio, f"{precision}{routine}, n = {n}, {library}"))
                        line += f" {medians[library]:11.4f} {ratio:8.2f}"
                    else:
                        line += f" {times.get(library, 'no batches'):>20}"
                print(line, flush=True)
                for library, words in wrong.items():
                    print(f"{'*** WRONG ***':>16} ^ {library}: {words}")
                    right = False
                for library, median in medians.items():
                    row = {
                        "library": library,
                        "routine": routine,
                        "precision": precision,
                        "m": problem.m,
                        "n": n,
                    }
                    row.update(
                        regime=f"b{arguments.batch}",
                        batch=arguments.batch,
                        median_ms=median,
                        min_ms=min(times[library]),
                        max_ms=max(times[library]),
                        gflops=problem.flops() / median / 1e6,
                        roofline_fraction=0,
                        note="WRONG" if library in wrong else "",
                    )
                    rows.append(row)
                del problem
                machine.free()
    if ratios:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio, _ in ratios))
        worst, where = min(ratios)
        print(f"\nover {len(ratios)} points talus is {mean:.2f} times as fast (geometric mean)")
        print(f"worst point: {worst:.2f} times as fast, {where}")
    return rows, right


def write(path, machine, rows):
    try:
        with open(path, "w", newline="") as file:
            commit = re.search("commit: (.*)", machine.talus.configuration())[1]
            command = " ".join(["bench/python_linalg.py", *sys.argv[1:]])
            date = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
            file.write(f"# {machine.name()}\n# commit: {commit}\n# command: {command}\n# date: {date}\n")
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        fail(f"--csv: {error}")


def overhead(machine, program):
    """Prints microseconds of the host's clock per call on one 2-by-2 matrix, in the median over blocks,
    between which the queue is drained: in Python, what `program`, talus-call-overhead, says of the same in C++,
    where memory is there already, and what PyTorch takes to allocate and free the arrays of a call."""
    torch, talus = machine.torch, machine.talus
    A = torch.tensor([[4.0, 1.0], [1.0, 3.0]], dtype=torch.float64, device=machine.device)
    B = torch.ones((2, 1), dtype=torch.float64, device=machine.device)
    L, info = A.clone(), torch.zeros((), dtype=torch.int32, device=machine.device)
    pivots = torch.zeros(2, dtype=torch.int32, device=machine.device)
    functions = {
        "talus.potrf": ("potrf", lambda: talus.potrf("lower", L, info), []),
        "talus.linalg.cholesky_ex": ("cholesky", lambda: talus.linalg.cholesky_ex(A), [A, info]),
        "talus.linalg.lu_factor_ex": ("lu_factor", lambda: talus.linalg.lu_factor_ex(A), [A, pivots, info]),
        "talus.linalg.solve_ex": ("solve", lambda: talus.linalg.solve_ex(A, B), [A, pivots, B, info]),
    }
    in_cpp = {}
    if program:
        try:
            command = [program, "cuda" if machine.on_gpu else "host"]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            in_cpp = {name: float(number) for name, number in map(str.split, lines)}
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            fail(f"--cpp: {getattr(error, 'stderr', '') or error}")

    def microseconds(call, blocks=51, calls=100):
        times = []
        for _ in range(blocks):
            machine.synchronize()
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            times.append((time.perf_counter() - begin) * 1e6 / calls)
        return statistics.median(times)

    print(machine.name())
    print(f"{'n = 2, batch 1, microseconds':<30} {'Python':>8} {'C++':>8} {'arrays':>8} {'over both':>10}")
    for name, (in_cpp_name, call, arrays) in functions.items():
        new = [(array.new_empty_strided, array.shape, array.stride()) for array in arrays]
        python = microseconds(call)
        allocated = microseconds(lambda new=new: [make(shape, strides) for make, shape, strides in new])
        line = f"{name:<30} {python:8.2f}"
        if in_cpp_name in in_cpp:
            cpp = in_cpp[in_cpp_name]
            line += f" {cpp:8.2f} {allocated:8.2f} {python - cpp - allocated:10.2f}"
        print(line)


def draw(paths, output):
    """Milliseconds over n, a panel for each routine: solid lines in double, dashed ones in single."""
    panels, batches = {}, set()

    def take(row):
        line = panels.setdefault(row["routine"], {}).setdefault((row["library"], row["precision"]), {})
        line[int(row["n"])] = float(row["median_ms"])
        batches.add(int(row["batch"]))

    for_each_row(paths, "is no result of python_linalg.py", take)
    if not panels:
        sys.exit("python_linalg.py: no results in " + ", ".join(paths))
    styles = styles_of([library for lines in panels.values() for library, _ in lines])
    pyplot = load_pyplot()
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(4 * columns, 3.5 * rows), squeeze=False)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for axes, (routine, lines) in zip(grid.flat, panels.items()):
        for (library, precision), line in sorted(lines.items()):
            style = dict(styles[library], linestyle={"d": "-", "s": "--"}[precision])
            label = library if precision == "d" else f"{library}, single"
            axes.plot(sorted(line), [line[n] for n in sorted(line)], markersize=3, label=label, **style)
        size = "2n x n" if routine == "lstsq" else "n x n"
        axes.set(title=f"{routine}, {size}", xlabel="n", ylabel="ms", yscale="log")
        scale_by_powers_of_two(axes)
        finish(axes)
    figure.suptitle(f"{' and '.join(f'{batch:,}' for batch in sorted(batches))} matrices")
    save(figure, output, dpi=130)


def routines(text):
    for word in text.split(","):
        if word not in ROUTINES:
            raise argparse.ArgumentTypeError(f"'{word}' is none of {', '.join(ROUTINES)}")
    return text.split(",")


def precisions(text):
    if text not in ("d", "s", "ds", "sd"):
        raise argparse.ArgumentTypeError(f"'{text}' is none of d, s, ds")
    return text


def sizes(text):
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of sizes such as 8,64")
    return numbers


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--routines", type=routines, default=ROUTINES, help="only these, as qr,inv")
    parser.add_argument("--sizes", type=sizes, default=[4, 8, 16, 32, 64, 128, 256], help="n, as 8,64")
    parser.add_argument(
        "--precision", type=precisions, default="ds", help="d, s or both (default: %(default)s)"
    )
    parser.add_argument("--batch", type=int, default=10_000, help="matrices (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="timed runs (default: %(default)s)")
    parser.add_argument(
        "--limit", type=float, default=10, help="seconds a call may take (default: %(default)s)"
    )
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="(default: %(default)s)")
    parser.add_argument("--csv", help="file to write the times to")
    parser.add_argument("--overhead", action="store_true", help="time calls on one matrix instead")
    parser.add_argument(
        "--cpp", metavar="PROGRAM", help="with --overhead: talus-call-overhead, to compare with"
    )
    parser.add_argument("--draw", nargs="+", metavar="CSV", help="draw what --csv wrote instead")
    parser.add_argument("-o", "--output", default="linalg.png", help="figure to draw (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.batch < 1 or arguments.repeats < 1:
        fail("--batch and --repeats are at least 1")
    if arguments.draw:
        return draw(arguments.draw, arguments.output)
    machine = Machine(arguments.device)
    if arguments.overhead:
        return overhead(machine, arguments.cpp)
    rows, right = compare(machine, arguments)
    if arguments.csv:
        write(arguments.csv, machine, rows)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
