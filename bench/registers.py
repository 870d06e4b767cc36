#!/usr/bin/env python3
"""Registers and spills of every kernel of a build, as ptxas reports them.

  bench/registers.py build/release                    a table of all kernels
  bench/registers.py build/release --only potrf       of kernels whose name contains potrf
  bench/registers.py build/release --out FILE         also into a file

Compiles the .cu files of the build once more, with -Xptxas -v, two at a time. Exit status 1 if a kernel that holds
its matrix on the chip (potrf_warp, potrf_smem) spills registers to memory, 2 if nothing was found.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

RESIDENT = ("potrf_warp", "potrf_smem")


def commands(build):
    """The build's commands for .cu files, each with its source."""
    database = json.loads(subprocess.check_output(["ninja", "-C", build, "-t", "compdb"], text=True))
    return [(entry["file"], entry["command"], entry["directory"]) for entry in database
            if entry["file"].endswith(".cu") and "/src/" in entry["file"] and " -c " in entry["command"]]


def report(source, command, directory):
    """ptxas's words on one source."""
    words = shlex.split(re.sub(r" (-o|-MF|-MT) \S+| -MD\b", "", command)) + ["-o", "/dev/null", "-Xptxas", "-v"]
    done = subprocess.run(words, cwd=directory, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{source} does not compile:\n{done.stderr}")
    return done.stderr


def kernels(text):
    """(mangled name, registers, bytes of stack, bytes spilled) of every kernel."""
    pattern = re.compile(r"Compiling entry function '(\w+)' for '\w+'.*?(\d+) bytes stack frame, (\d+) bytes spill "
                         r"stores.*?Used (\d+) registers", re.S)
    return [(m[1], int(m[4]), int(m[2]), int(m[3])) for m in pattern.finditer(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="a build folder made with ninja")
    parser.add_argument("--only", default="", help="kernels whose name contains this")
    parser.add_argument("--out", help="write the table here, too")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda c: report(*c), commands(options.build))
    found = sorted(set(kernel for text in texts for kernel in kernels(text)))
    if not found:
        print(f"{options.build} has no kernels", file=sys.stderr)
        return 2
    names = subprocess.run(["c++filt"], input="\n".join(k[0] for k in found), text=True, capture_output=True).stdout
    rows, spilling = [], []
    for name, (_, registers, stack, spilled) in zip(names.splitlines(), found):
        short = name.replace("(talus::uplo)76", "lower").replace("(talus::uplo)85", "upper")
        short = re.sub(r"\(anonymous namespace\)::|talus::cuda::|cholesky::|talus::|^void |\((?:int|bool)\)", "", short)
        short = short[:short.rindex(">(") + 1] if ">(" in short else short.split("(")[0]
        if options.only not in short:
            continue
        rows.append(f"{short:70} {registers:4} registers {stack:5} B stack {spilled:5} B spilled")
        if spilled and short.startswith(RESIDENT):
            spilling.append(short)
    compiler = subprocess.check_output([shlex.split(commands(options.build)[0][1])[0], "--version"], text=True)
    head = f"# {' '.join([os.path.relpath(sys.argv[0]), *sys.argv[1:]])}\n# nvcc {re.search(r'release ([0-9.]+)', compiler)[1]}\n"
    text = head + "\n".join(rows) + f"\n{len(rows)} kernels; resident ones that spill: {len(spilling)}\n"
    print(text, end="")
    if options.out:
        with open(options.out, "w") as file:
            file.write(text)
    return 1 if spilling else 0


if __name__ == "__main__":
    sys.exit(main())
