#!/usr/bin/env python3
"""Shows that potrf_vbatched never waits: one call under PyTorch's profiler, what it asked of CUDA, and when each of its
kernels ran.

  bench/timeline.py --library build/release/libtalus.so --max 512 -o trace.png     measures, on a GPU
  bench/timeline.py --read trace.json -o trace.png                                 draws a trace again

Exit codes: 0 the call did not wait and read nothing back; 1 it did; 2 bad arguments, or no PyTorch, GPU or library.
"""
import argparse
import ctypes
import json
import re
import sys

from plotting import load_pyplot

NAME = "potrf_vbatched"
WAITS = re.compile(r"Synchronize|^cudaMemcpy$|^cudaMalloc$|^cudaFree$|Query$")


def fail(words):
    print("timeline.py: " + words, file=sys.stderr)
    sys.exit(2)


class Queue(ctypes.Structure):
    _fields_ = [("where", ctypes.c_int), ("stream", ctypes.c_void_p), ("work", ctypes.c_void_p),
                ("work_bytes", ctypes.c_size_t), ("options", ctypes.c_uint32), ("reserved", ctypes.c_void_p * 2)]


def measure(arguments):
    """Two calls on batches of the same sizes, the second of them in the trace, which is written to arguments.json."""
    try:
        import torch
        from torch.profiler import ProfilerActivity, profile, record_function
    except ImportError as error:
        fail(f"needs PyTorch: {error}")
    if not torch.cuda.is_available():
        fail("PyTorch finds no GPU")
    try:
        talus = ctypes.CDLL(arguments.library)
    except OSError as error:
        fail(f"--library: {error}")
    potrf = getattr(talus, f"talus_{arguments.precision}potrf_vbatched")
    potrf.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4 + [ctypes.c_int64, ctypes.c_int, Queue]
    talus.talus_queue_cuda.restype = Queue
    talus.talus_queue_cuda.argtypes = [ctypes.c_void_p]

    torch.manual_seed(arguments.seed)
    n = torch.randint(1, arguments.max + 1, (arguments.batch,))
    first = torch.cumsum(n * n, 0) - n * n
    dtype = {"s": torch.float32, "d": torch.float64}[arguments.precision]
    pristine = torch.rand(int((n * n).sum()), dtype=dtype) * 0.1
    for begin, order in zip(first.tolist(), n.tolist()):
        pristine[begin:begin + order * order:order + 1] = order  # the diagonal
    pristine = pristine.cuda()
    A = torch.empty_like(pristine)
    sizes = n.int().cuda()
    pointers = (A.data_ptr() + first * A.element_size()).cuda()
    info = torch.full((arguments.batch,), -1, dtype=torch.int32, device="cuda")
    queue = talus.talus_queue_cuda(torch.cuda.current_stream().cuda_stream)

    def call():
        status = potrf(ord("L"), sizes.data_ptr(), pointers.data_ptr(), sizes.data_ptr(), info.data_ptr(),
                       arguments.batch, arguments.max, queue)
        if status != 0:
            fail(f"potrf_vbatched returned {status}")

    A.copy_(pristine)
    call()  # loads the kernels
    A.copy_(pristine)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as trace:
        with record_function(NAME):
            call()
        torch.cuda.synchronize()
    if int(info.abs().max()) != 0:
        fail("a matrix was not factored")
    trace.export_chrome_trace(arguments.json)


def read(path):
    """What the call asked of CUDA, and what the GPU did of it: two lists of (start, duration, name), from when it
    began, in microseconds."""
    try:
        with open(path) as file:
            events = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X"]
        call = next(e for e in events if e["name"] == NAME and e["cat"] == "user_annotation")
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        fail(f"'{path}' holds no trace of a call: {error!r}")
    begin, end = call["ts"], call["ts"] + call["dur"]
    asked = [e for e in events if e["cat"] in ("cuda_runtime", "cuda_driver") and begin <= e["ts"] <= end]
    correlated = {e["args"].get("correlation") for e in asked}
    done = [e for e in events if e["cat"] in ("kernel", "gpu_memset", "gpu_memcpy")
            and e["args"].get("correlation") in correlated]

    def listed(some):
        return sorted((e["ts"] - begin, e["dur"], e["name"]) for e in some)

    return listed(asked), listed(done)


def short(name):
    """A kernel by its own name and its numbers: potrf_smem 32 4."""
    match = re.search(r"(\w+)<(.*)>", name)
    if not match:
        return name
    return " ".join([match[1].replace("_vbatched", "")] + re.findall(r"(?<![\w)])\d+(?![\w])", match[2]))


def draw(done, path):
    pyplot = load_pyplot()
    start = done[0][0]
    figure, axes = pyplot.subplots(figsize=(9, 0.8 + 0.22 * len(done)))
    for row, (ts, duration, _) in enumerate(done):
        axes.barh(row, duration, left=ts - start, height=0.7)
    axes.set_yticks(range(len(done)), [short(name) for _, _, name in done], fontsize="small")
    axes.invert_yaxis()
    axes.set(xlabel="microseconds")
    axes.grid(alpha=0.3, axis="x")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/release/libtalus.so", help="default: %(default)s")
    parser.add_argument("--precision", choices="sd", default="d")
    parser.add_argument("--max", type=int, default=512, help="sizes are uniform up to this one (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=3000, help="matrices (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", default="trace.json", help="trace that is written (default: %(default)s)")
    parser.add_argument("--read", help="trace that is drawn, instead of measuring")
    parser.add_argument("-o", "--output", help="picture to draw")
    arguments = parser.parse_args()
    if arguments.max < 1 or arguments.batch < 1:
        fail("--max and --batch are at least 1")
    if not arguments.read:
        measure(arguments)
    asked, done = read(arguments.read or arguments.json)
    if not done:
        fail("the GPU did nothing in the call")

    print("asked of CUDA, in the call:")
    names = [name for _, _, name in asked]
    for name in sorted(set(names)):
        print(f"  {names.count(name):4} {name}")
    print("\n   start  duration  us")
    start = done[0][0]
    for ts, duration, name in done:
        print(f"{ts - start:8.1f} {duration:9.1f}  {short(name)}")
    total = max(ts + duration for ts, duration, _ in done) - start
    at_a_time = sum(duration for _, duration, _ in done) / total
    print(f"{len(done)} on the GPU in {total:.1f} us, {at_a_time:.2f} of them at a time in the mean")
    if arguments.output:
        draw(done, arguments.output)
    waits = [name for name in names if WAITS.search(name)]
    back = [name for _, _, name in done if "DtoH" in name]
    if waits or back:
        print("the call waits: " + ", ".join(waits + back))
        sys.exit(1)
    print("nothing waits, nothing is read back")


if __name__ == "__main__":
    main()
