#!/usr/bin/env python3
"""Draws the guide's figures: the rate of every routine over n, and the speed-ups of three factorizations.

  bench/overview.py bench/results/h200 -o docs/guide        docs/guide/cholesky.png, lu.png, qr.png, mixed.png,
                                                            speedups.png
  bench/overview.py bench/results/h200 --stale bench/kernels/sm_90.csv
                                                            the records that are older than their kernels

cholesky.png to mixed.png show one family each, in GFLOP/s, with a row of panels for each routine: solid lines in
double precision, dashed lines in single precision. One column has up to 1 GB of matrices, the other 3,000.
speedups.png shows how many times as fast potrf is as cuSOLVER, and getrf and geqrf as cuBLAS, in double
precision. The records of a routine in the folder are <routine>.csv, <routine>-large.csv and
regimes-<routine>.csv; square matrices are drawn. The program also prints the speed-ups over each library, as
the geometric mean over n and at least: first over libraries that were measured in the same run, then over MAGMA
and cuSolverDx in peers.csv, which were measured in a run of their own.
"""
import argparse
import math
import sys
from collections import defaultdict
from pathlib import Path

import kernels
from plotting import finish, for_each_row, load_pyplot, save, scale_by_powers_of_two, styles_of

FAMILIES = {
    "cholesky": ["potrf", "potrs", "posv", "potri", "trsm"],
    "lu": ["getrf", "getrf_nopiv", "getrs", "gesv", "getri_outofplace"],
    "qr": ["geqrf", "ormqr", "orgqr", "qr", "gels"],
    "mixed": ["potrf_vbatched", "getrf_vbatched", "geqrf_vbatched"],
}
COLUMNS = {"fill": "1 GB of matrices", "b3000": "3,000 matrices"}
COLUMNS_OF_MIXED = {"uniform": "3,000, uniform sizes up to n", "gaussian": "3,000, gaussian sizes up to n"}
DASHES = {"d": "-", "s": "--"}
LIBRARIES = ["talus", "cublas", "cusolver", "magma"]
PEERS = {"potrf": ("cusolver", "Cholesky over cuSOLVER"), "getrf": ("cublas", "LU over cuBLAS"),
         "geqrf": ("cublas", "QR over cuBLAS")}


def read(folder, routine):
    """{(regime, library, precision): {n: (GFLOP/s, share of the roofline)}}; later files replace rows."""
    lines = defaultdict(dict)

    def take(row):
        if row["routine"] == routine and row["m"] == row["n"] and row["library"] in LIBRARIES:
            line = lines[row["regime"], row["library"], row["precision"]]
            line[int(row["n"])] = float(row["gflops"]), float(row["roofline_fraction"])

    names = (f"{routine}.csv", f"{routine}-large.csv", f"regimes-{routine}.csv")
    paths = [path for name in names for path in folder.glob(f"*/{name}")]
    for_each_row(paths, "is no result of talus-bench", take)
    return lines


def draw(axes, lines, regime, styles):
    def label(name):  # double stands for both
        return name if precision == "d" else None

    for precision, dash in DASHES.items():
        for library in LIBRARIES:
            line = lines.get((regime, library, precision))
            if line:
                style = dict(styles[library], linestyle=dash, marker="", label=label(library))
                axes.plot(sorted(line), [line[n][0] for n in sorted(line)], **style)
        talus = lines.get((regime, "talus", precision), {})
        bound = {n: rate / share for n, (rate, share) in sorted(talus.items()) if share > 0}
        axes.plot(list(bound), list(bound.values()), color="k", linestyle=dash, linewidth=0.8,
                  label=label("roofline"))


def summary(lines, routine, regime):
    """A line of a Markdown table for each other library: how many times as fast talus is, mean and least."""
    for library in LIBRARIES[1:]:
        cells = []
        for precision in DASHES:
            talus, other = (lines.get((regime, name, precision), {}) for name in ("talus", library))
            factors = [talus[n][0] / other[n][0] for n in sorted(set(talus) & set(other))]
            if factors:
                mean = math.exp(sum(map(math.log, factors)) / len(factors))
                cells.append(f"{mean:.1f} | {min(factors):.2f}")
        if cells:
            print(" | ".join(["| " + routine, regime, library, *cells]) + " |")


def summary_of_peers(folder):
    """The lines of the table for libraries that were measured in a run of their own."""
    peers = defaultdict(dict)

    def take(row):
        key = row["library"], row["routine"], row["regime"], row["precision"]
        peers[key][int(row["n_or_nmax"])] = float(row["gflops"])

    for_each_row([folder / "peers.csv"], "is no record of other libraries", take)
    for library, routine, regime in sorted({key[:3] for key in peers if key[0] in ("magma", "cusolverdx")}):
        lines, cells = read(folder, routine), []
        for precision in DASHES:
            talus = lines.get((regime, "talus", precision), {})
            other = peers[library, routine, regime, precision]
            factors = {n: talus[n][0] / other[n] for n in sorted(set(talus) & set(other))}
            mean = math.exp(sum(map(math.log, factors.values())) / len(factors))
            cells.append(f"{min(factors)} to {max(factors)} | {mean:.1f} | {min(factors.values()):.2f}")
        print(" | ".join(["| " + routine, regime, library, *cells]) + " |")


def picture(pyplot, folder, routines, columns):
    rows = len(routines)
    figure, grid = pyplot.subplots(rows, len(columns), figsize=(5 * len(columns), 2.8 * rows), squeeze=False)
    styles = styles_of(LIBRARIES)
    for row, routine in zip(grid, routines):
        lines = read(folder, routine)
        for axes, (regime, title) in zip(row, columns.items()):
            axes.set(title=f"{routine}, {title}", ylabel="GFLOP/s")
            if not lines.get((regime, "talus", "d")):
                print(f"overview.py: {folder} has no record of {routine}, {regime}", file=sys.stderr)
                axes.set_visible(False)
                continue
            summary(lines, routine, regime)
            draw(axes, lines, regime, styles)
            axes.set(yscale="log", xlabel="n")
            scale_by_powers_of_two(axes)
            finish(axes)
    return figure


def speedups(pyplot, folder):
    """The README's picture: speed-ups over n in double precision, as many matrices as fill the GPU."""
    figure, axes = pyplot.subplots(figsize=(8, 2.6))
    for (routine, (peer, label)), marker in zip(PEERS.items(), "os^"):
        lines = read(folder, routine)
        talus, other = (lines.get(("fill", name, "d"), {}) for name in ("talus", peer))
        orders = sorted(set(talus) & set(other))
        axes.plot(orders, [talus[n][0] / other[n][0] for n in orders], marker=marker, markersize=3.5, label=label)
    axes.axhline(1, color="k", linewidth=0.8)
    axes.set(yscale="log", ylim=(0.8, 100), ylabel="times as fast", xlabel="n, matrices of n x n",
             title="One NVIDIA H200, double precision, up to 1 GB of matrices per call")
    axes.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.minorticks_off()
    scale_by_powers_of_two(axes)
    finish(axes)
    return figure


def stale(folder, path):
    """Prints each record of which a precision was measured with other kernels than those of a list or a build."""
    of_build, _ = kernels.read(path)
    known = {}  # by routine
    for record in sorted(folder.glob("*/*.csv")):
        lines = record.read_text().splitlines()
        head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
        if "command" not in head or not head["command"].startswith("talus-bench"):
            continue
        routine = head["command"].split()[1]
        if routine not in known:
            known[routine] = kernels.digests(of_build, routine)
        if not known[routine]:  # a figure of a paper
            continue
        measured = dict(word.split("=") for word in head.get("kernels", "").split())
        precisions = {row.split(",")[2] for row in lines if row.startswith("talus,")}
        changed = [p for p in "sdcz" if p in precisions and measured.get(p) != known[routine].get(p)]
        if not measured:
            print(f"{record.relative_to(folder)}: of {head['date'][:10]}, without hashes of its kernels")
        elif changed:
            print(f"{record.relative_to(folder)}: of {head['date'][:10]}, kernels changed in {', '.join(changed)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="records of one GPU, bench/results/<gpu>")
    parser.add_argument("-o", "--output", type=Path, default=Path("."), help="where to draw (default: here)")
    parser.add_argument("--stale", metavar="BUILD",
                        help="draw nothing; list the records that were measured with other kernels than those of a "
                        "build folder or a list by kernels.py")
    arguments = parser.parse_args()
    if arguments.stale:
        stale(arguments.folder, arguments.stale)
        return
    pyplot = load_pyplot()
    for name, routines in FAMILIES.items():
        figure = picture(pyplot, arguments.folder, routines, COLUMNS_OF_MIXED if name == "mixed" else COLUMNS)
        save(figure, str(arguments.output / f"{name}.png"), dpi=80)
    summary_of_peers(arguments.folder)
    save(speedups(pyplot, arguments.folder), str(arguments.output / "speedups.png"), dpi=100)


if __name__ == "__main__":
    main()
