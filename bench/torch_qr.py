#!/usr/bin/env python3
"""Times torch.linalg.qr on batches of the sizes that talus-bench measured, and says how many times as fast talus was.

  bench/torch_qr.py bench/results/h200/qr/qr.csv                      every line of talus in it, on a GPU
  bench/torch_qr.py qr.csv --sizes 16,64,512x32 --regime b3000        some of them
  bench/torch_qr.py qr.csv --csv torch.csv                            and keeps the times, in the same columns

The CSV file is of `talus-bench qr`, made on the same GPU. geqrf's is compared with torch.geqrf.

Exit codes: 0 fine, 1 PyTorch's result was wrong, 2 bad arguments, a file without such lines, or no PyTorch or GPU.
"""
import argparse
import csv
import math
import statistics
import sys

from plotting import for_each_row

COLUMNS = "library,routine,precision,regime,m,n,batch,median_ms,min_ms,max_ms,gflops,roofline_fraction,note".split(",")


def fail(words):
    print("torch_qr.py: " + words, file=sys.stderr)
    sys.exit(2)


def parse_sizes(text):
    """'16,512x32' is {(16, 16), (512, 32)}."""
    sizes = set()
    for word in text.split(","):
        try:
            m, _, n = word.partition("x")
            sizes.add((int(m), int(n or m)))
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{word}' is no size such as 16 or 512x32") from None
    return sizes


def lines_of(arguments):
    """What talus did of what is asked for, in the file's order, as dictionaries."""
    lines = []

    def take(row):
        if row["library"] != "talus" or row["routine"] not in ("qr", "geqrf"):
            return
        line = dict(row, m=int(row["m"]), n=int(row["n"]), batch=int(row["batch"]), median_ms=float(row["median_ms"]),
                    gflops=float(row["gflops"]))
        if arguments.sizes and (line["m"], line["n"]) not in arguments.sizes:
            return
        if line["precision"] in arguments.precision and arguments.regime in (None, line["regime"]):
            lines.append(line)

    try:
        for_each_row([arguments.file], "holds no results of talus-bench", take)
    except SystemExit as error:
        fail(str(error.code).replace("plot.py: ", ""))
    if not lines:
        fail(f"'{arguments.file}' has no line of talus's qr or geqrf that is asked for")
    return lines


class Torch:
    def __init__(self):
        try:
            import torch
        except ImportError as error:
            fail(f"needs PyTorch: {error}")
        if not torch.cuda.is_available():
            fail("PyTorch finds no GPU")
        self.torch = torch
        self.types = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}

    def matrices(self, line):
        """Random ones, column by column in memory, as talus has them and as PyTorch's own libraries take them."""
        self.torch.manual_seed(1)
        shape = (line["batch"], line["n"], line["m"])
        return self.torch.randn(shape, dtype=self.types[line["precision"]], device="cuda").mT

    def complaint(self, A, Q, R):
        """Empty, or what is wrong with the last matrix: LAPACK's ratio for A - Q R."""
        A, Q, R = A[-1], Q[-1], R[-1]
        eps = self.torch.finfo(A.dtype).eps / 2
        norm = self.torch.linalg.matrix_norm
        ratio = float(norm(A - Q @ R, ord=1) / (norm(A, ord=1) * max(A.shape) * eps))
        return "" if ratio < 30 else f"a residual of {ratio:.3g} n eps, the limit is 30"

    def milliseconds(self, line, repeats):
        """One for each run, from its beginning to its end on the GPU, and what was wrong with the first. Where the
        GPU waits for PyTorch to queue the next kernel, that counts: its user waits, too."""
        A = self.matrices(line)
        call = self.torch.linalg.qr if line["routine"] == "qr" else self.torch.geqrf
        result = call(A)
        if line["routine"] == "qr":
            wrong = self.complaint(A, *result)
        else:
            k = min(line["m"], line["n"])
            reflectors, tau = result
            Q = self.torch.linalg.householder_product(reflectors[-1:, :, :k], tau[-1:])
            wrong = self.complaint(A, Q, reflectors[-1:, :k, :].triu())
        del result
        times = []
        for _ in range(repeats):
            begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            call(A)
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end))
        return times, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="CSV file of talus-bench")
    parser.add_argument("--sizes", type=parse_sizes, help="only these, as 16,64,512x32")
    parser.add_argument("--precision", default="sdcz", help="only these, any of s, d, c, z (default: %(default)s)")
    parser.add_argument("--regime", help="only this one, as b3000")
    parser.add_argument("--repeats", type=int, default=5, help="timed runs, their median counts (default: %(default)s)")
    parser.add_argument("--csv", help="file to write PyTorch's times to")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        fail("--repeats is at least 1")
    lines = lines_of(arguments)
    pytorch = Torch()
    print(f"{pytorch.torch.cuda.get_device_name()}, PyTorch {pytorch.torch.__version__}")
    print(f"{'routine':>8} {'m':>6} {'n':>6} {'batch':>8} {'regime':>7} | {'talus ms':>10} {'torch ms':>10} {'x':>7}")
    rows, ratios, right = [], [], True
    for line in lines:
        name = line["precision"] + line["routine"]
        size = f"{name:>8} {line['m']:6} {line['n']:6} {line['batch']:8} {line['regime']:>7}"
        try:
            times, wrong = pytorch.milliseconds(line, arguments.repeats)
        except pytorch.torch.cuda.OutOfMemoryError:
            print(f"{size} | out of memory")
            continue
        finally:
            pytorch.torch.cuda.empty_cache()
        median = statistics.median(times)
        ratios.append(median / line["median_ms"])
        print(f"{size} | {line['median_ms']:10.4f} {median:10.4f} {ratios[-1]:7.2f}", flush=True)
        if wrong:
            right = False
            print(f"{'*** WRONG ***':>16} ^ torch: {wrong}")
        gflops = line["gflops"] * line["median_ms"] / median
        rows.append(dict(line, library="torch", median_ms=median, min_ms=min(times), max_ms=max(times), gflops=gflops,
                         roofline_fraction=float(line["roofline_fraction"]) * line["median_ms"] / median,
                         note="WRONG" if wrong else ""))
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
        print(f"\nover {len(ratios)} batches talus is {mean:.2f} times as fast as torch (geometric mean)")
    if arguments.csv:
        try:
            with open(arguments.csv, "w", newline="") as file:
                file.write(f"# {pytorch.torch.cuda.get_device_name()}, PyTorch {pytorch.torch.__version__}\n")
                writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        except OSError as error:
            fail(f"--csv: {error}")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
