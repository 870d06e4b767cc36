#!/usr/bin/env python3
"""Lists the kernels of a build with their resources and a hash of their machine code.

  bench/kernels.py list build/release                      a table of all kernels and a summary
  bench/kernels.py list build/release --only potrf_warp    kernels whose name contains potrf_warp
  bench/kernels.py list build/release --out FILE.csv       writes the list to a file
  bench/kernels.py diff OLD NEW                            names the kernels that differ in machine code
  bench/kernels.py check LIST.csv build/release            compares registers and stack with a list
  bench/kernels.py digest build/release potrf              one hash per precision of all that potrf may run

OLD, NEW and BUILD are a build folder, a library, an object file, a cubin or a list written by --out. No GPU is needed.
cuobjdump comes with the CUDA toolkit, or from PyPI: pip install nvidia-cuda-cuobjdump.

The hash covers the instructions of a kernel, its constants, and the functions that it calls. Names, addresses and
padding do not count: a kernel keeps its hash if it moves to another file, and two builds of one commit agree.
The stack of a kernel holds spilled registers and arrays that registers cannot hold.

Exit status: 0 fine, 1 kernels differ, 2 bad arguments, 77 nothing can be compared (no cuobjdump, another compiler).
"""
import argparse
import collections
import csv
import dataclasses
import hashlib
import io
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

UNCOMPARABLE = 77
COLUMNS = "name", "registers", "stack", "shared", "bytes", "hash"

# The kernels that a routine may run, by the first words of their names.
KERNELS_OF = [
    (r"potrf|lauum", r"potrf_|syrk_"),
    (r"posv", r"potrf_|syrk_|solve_"),
    (r"getrf", r"getrf_"),
    (r"gesv", r"getrf_|solve_"),
    (r"potrs|getrs|trsm", r"solve_"),
    (r"potri|getri", r"invert_"),
    (r"geqrf", r"householder::(geqrf|householder)_"),
    (r"ormqr|orgqr|gels|qr", r"householder::"),
    (r"gemm", r"multiply_(in|small)"),
    (r"gemv", r"multiply_vectors"),
]
PRECISIONS = {"s": r"<float\b", "d": r"<double\b", "c": r"<complex<float>", "z": r"<complex<double>"}


@dataclasses.dataclass(frozen=True, order=True)
class Kernel:
    name: str
    registers: int
    stack: int   # bytes per thread
    shared: int  # bytes of static shared memory per block
    bytes: int   # of machine code
    hash: str


# ---- a cubin is an ELF file ------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Section:
    name: str
    type: int
    info: int
    data: bytes


class Cubin:
    """Sections and symbols of a 64-bit ELF file."""
    SYMBOLS, RELA, NOBITS, REL = 2, 4, 8, 9
    ENTRY = 0x10  # bit of a symbol's st_other: a kernel, not a device function

    def __init__(self, data):
        offset, = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<3H", data, 0x3A)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]

        def body(head):
            return b"" if head[1] == self.NOBITS else data[head[4]:head[4] + head[5]]

        def text(table, at):
            return table[at:table.index(b"\0", at)].decode()

        self.sections = [Section(text(body(heads[names]), h[0]), h[1], h[7], body(h)) for h in heads]
        self.by_name = {section.name: section for section in self.sections}
        self.symbols = []  # (name, other, section's index)
        for head in heads:
            if head[1] == self.SYMBOLS:
                strings = body(heads[head[6]])
                for name, _, other, section, _, _ in struct.iter_unpack("<IBBHQQ", body(head)):
                    self.symbols.append((text(strings, name), other, section))

    def kernels(self):
        return [name for name, other, _ in self.symbols if other & self.ENTRY and ".text." + name in self.by_name]

    def code(self, function):
        """Instructions of 16 bytes without the no-operations behind the last one."""
        code = self.by_name[".text." + function].data
        while len(code) >= 16 and struct.unpack_from("<H", code, len(code) - 16)[0] & 0xFFF == 0x918:
            code = code[:-16]
        return code

    def digest(self, function, callers=()):
        """A hash of a function's instructions, its constants and what its relocations refer to."""
        digest = hashlib.sha256(self.code(function))
        for section in self.sections:
            if re.fullmatch(r"\.nv\.constant\d+\." + re.escape(function), section.name):
                digest.update(section.name.split(".")[2].encode() + section.data)
            if section.name in (".nv.constant3", ".nv.global.init"):
                digest.update(section.data)
        for kind, layout in (("rel", "<QQ"), ("rela", "<QQq")):
            relocations = self.by_name.get(f".{kind}.text.{function}")
            for offset, info, *addend in struct.iter_unpack(layout, relocations.data) if relocations else ():
                name = self.symbols[info >> 32][0]
                if ".text." + name in self.by_name and name != function and name not in callers:
                    name = self.digest(name, (*callers, function))
                else:
                    name = re.sub(r"_(INTERNAL|GLOBAL__N)_\w*?_cu_[0-9a-f]+_\d+", "", name)
                digest.update(repr((offset, info & 0xFFFFFFFF, name, addend)).encode())
        return digest.hexdigest()[:16]

    def compiler(self):
        note = self.by_name.get(".note.nv.tkinfo")
        version = re.search(rb"release [\d.]+, V([\d.]+)", note.data) if note else None
        return version[1].decode() if version else "?"


# ---- lists -----------------------------------------------------------------------------------------------------------

def cuobjdump():
    tool = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
    if not tool:
        found = sorted(pathlib.Path(sys.prefix).glob("lib/python*/site-packages/nvidia/*/bin/cuobjdump"))
        tool = str(found[-1]) if found else None
    if not tool:
        print("skipped: no cuobjdump (pip install nvidia-cuda-cuobjdump)")
        sys.exit(UNCOMPARABLE)
    return tool


def binary_in(path):
    """The library of a build folder, or the file itself."""
    library = path / "libtalus.so"
    if path.is_dir() and not library.exists():
        sys.exit(f"kernels.py: '{path}' holds no libtalus.so: is it a build folder?")
    return library if path.is_dir() else path


def short(name):
    """A kernel's demangled name without its arguments, namespaces and casts of enumerations."""
    name = re.sub(r"\(talus::uplo\)76", "lower", name)
    name = re.sub(r"\(talus::uplo\)85", "upper", name)
    name = re.sub(r"\(anonymous namespace\)::|std::|talus::|\bcuda::|\bcholesky::|\blu::|\bqr::|\bblas::", "", name)
    name = re.sub(r"^void ", "", name)
    name = re.sub(r"\((?:int|bool|unsigned int|long|[\w:]+)\)(?=-?\d)", "", name)
    depth = 0
    for i, character in enumerate(name):  # the arguments begin at the first parenthesis outside of < >
        depth += (character == "<") - (character == ">" and name[i - 1] != "-")
        if character == "(" and depth == 0:
            return name[:i]
    return name


def read_binary(path):
    """The kernels of a library, an object or a cubin; its compute capability and compiler."""
    tool, mangled, facts = cuobjdump(), [], {}
    with tempfile.TemporaryDirectory() as folder:
        if path.suffix == ".cubin":
            shutil.copy(path, folder)
        else:
            subprocess.run([tool, "-xelf", "all", path.resolve()], cwd=folder, check=True, capture_output=True)
        for file in sorted(pathlib.Path(folder).iterdir()):
            usage = subprocess.run([tool, "-res-usage", str(file)], text=True, check=True, capture_output=True).stdout
            resources = {m[1]: tuple(map(int, m.groups()[1:])) for m in re.finditer(
                r"Function (\w+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", usage)}
            cubin = Cubin(file.read_bytes())
            facts = {"nvcc": cubin.compiler(), "capability": (re.findall(r"sm_(\d+)", file.name) or ["?"])[-1]}
            for kernel in cubin.kernels():
                mangled.append((kernel, *resources[kernel], len(cubin.code(kernel)), cubin.digest(kernel)))
    names = subprocess.run(["c++filt"], input="\n".join(m[0] for m in mangled), text=True, check=True,
                           capture_output=True).stdout
    return sorted(Kernel(short(name), *m[1:]) for name, m in zip(names.splitlines(), mangled)), facts


def read(path):
    path = pathlib.Path(path)
    if not path.exists():
        sys.exit(f"kernels.py: '{path}' is not there")
    if path.suffix != ".csv":
        return read_binary(binary_in(path))
    lines = path.read_text().splitlines()
    facts = dict(re.findall(r"# (\w+): (\S+)", "\n".join(lines)))
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [Kernel(r["name"], *(int(r[c]) for c in COLUMNS[1:5]), r["hash"]) for r in rows], facts


def as_csv(kernels, facts):
    text = io.StringIO()
    text.write(f"# nvcc: {facts['nvcc']}\n# capability: {facts['capability']}\n")
    text.write("# command: bench/kernels.py list BUILD --out FILE\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(dataclasses.astuple(kernel) for kernel in kernels)
    return text.getvalue()


def summary(kernels):
    return (f"{len(kernels)} kernels, {len({k.hash for k in kernels})} of them different, "
            f"{sum(k.bytes for k in kernels) / 1e6:.1f} MB of machine code, "
            f"{sum(k.stack > 0 for k in kernels)} with a stack")


def digests(kernels, routine):
    """{precision: hash} of the kernels that a routine may run; empty for the name of no routine."""
    prefix = next((names for routines, names in KERNELS_OF if re.match(routines, routine)), r"(?!)")
    of = {}
    for precision, element in PRECISIONS.items():
        hashes = sorted({k.hash for k in kernels if re.match(prefix, k.name) and re.search(element, k.name)})
        if hashes:
            of[precision] = hashlib.sha256("".join(hashes).encode()).hexdigest()[:12]
    return of


# ---- commands --------------------------------------------------------------------------------------------------------

def list_kernels(options):
    kernels, facts = read(options.build)
    kernels = [k for k in kernels if options.only in k.name]
    if not kernels:
        sys.exit(f"kernels.py: '{options.build}' has no kernels" + (f" named {options.only}" if options.only else ""))
    if options.out:
        pathlib.Path(options.out).write_text(as_csv(kernels, facts))
    else:
        for k in kernels:
            print(f"{k.name:90} {k.registers:4} registers {k.stack:5} B stack {k.shared:6} B shared "
                  f"{k.bytes:7} B  {k.hash}")
    print(summary(kernels))
    return 0


def print_digests(options):
    kernels, _ = read(options.build)
    of = digests(kernels, options.routine)
    if not of:
        sys.exit(f"kernels.py: '{options.build}' has no kernels of a routine '{options.routine}'")
    print(" ".join(f"{precision}={digest}" for precision, digest in of.items()))
    return 0


def by_name(kernels):
    groups = collections.defaultdict(list)
    for kernel in kernels:
        groups[kernel.name].append(kernel)
    return groups


def differences(old, new, key, partial=False):
    """Lines that name kernels whose key differs. One name may belong to several kernels, in files of their own."""
    old, new, lines = by_name(old), by_name(new), []
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            if not partial:
                lines.append(f"removed  {name}")
        elif name not in old:
            lines.append(f"added    {name}")
        elif {key(k) for k in old[name]} != {key(k) for k in new[name]}:
            before, after = ([f"{k.registers} registers, {k.stack} B stack, {k.bytes} B" for k in side[name]]
                             for side in (old, new))
            lines.append(f"changed  {name}: {'; '.join(sorted(set(before)))} -> {'; '.join(sorted(set(after)))}")
    return lines


def diff(options):
    (old, _), (new, _) = read(options.old), read(options.new)
    lines = differences(old, new, lambda k: k.hash)
    print("\n".join([*lines, f"old: {summary(old)}", f"new: {summary(new)}",
                     f"{len(lines)} kernels differ" if lines else "the machine code of all kernels is the same"]))
    return 1 if lines else 0


def check(options):
    (wanted, about), (found, facts) = read(options.list), read(options.build)
    for fact in "nvcc", "capability":
        if about.get(fact) != facts.get(fact):
            print(f"skipped: the list is for {fact} {about.get(fact)}, the build for {facts.get(fact)}")
            return UNCOMPARABLE
    lines = differences(wanted, found, lambda k: (k.registers, k.stack), options.partial)
    for line in lines:
        print(line)
    if lines:
        print(f"If this is meant: bench/kernels.py list {options.build} --out {options.list}")
    print(summary(found))
    return 1 if lines else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="lists the kernels of a build")
    listing.add_argument("build")
    listing.add_argument("--only", default="", metavar="TEXT", help="kernels whose name contains TEXT")
    listing.add_argument("--out", metavar="FILE", help="write the list to FILE as CSV")
    listing.set_defaults(run=list_kernels)
    comparing = commands.add_parser("diff", help="names the kernels that differ in machine code")
    comparing.add_argument("old")
    comparing.add_argument("new")
    comparing.set_defaults(run=diff)
    digesting = commands.add_parser("digest", help="prints one hash per precision of the kernels of a routine")
    digesting.add_argument("build", help="build folder, library, object file or list")
    digesting.add_argument("routine", help="as talus-bench names it")
    digesting.set_defaults(run=print_digests)
    checking = commands.add_parser("check", help="compares registers and stack with a list")
    checking.add_argument("list")
    checking.add_argument("build")
    checking.add_argument("--partial", action="store_true", help="the build lacks routines or precisions of the list")
    checking.set_defaults(run=check)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
