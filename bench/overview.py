#!/usr/bin/env python3
"""Draws the guide's figures of every routine: GFLOP/s over n, as many matrices as fill the GPU, and 3,000.

  bench/overview.py bench/results/h200 -o docs/guide        docs/guide/cholesky.png, lu.png, qr.png, mixed.png

Each picture is of one family, a row of panels for each routine: solid lines in double, dashed ones in single.
Its records in the folder are <routine>.csv, <routine>-large.csv and regimes-<routine>.csv, of which square
matrices are drawn. How many times as fast talus is than the others, in the mean and at least, is printed.
"""
import argparse
import math
import sys
from collections import defaultdict
from pathlib import Path

from plotting import finish, for_each_row, load_pyplot, save, scale_by_powers_of_two, styles_of

FAMILIES = {
    "cholesky": ["potrf", "potrs", "posv", "potri", "trsm"],
    "lu": ["getrf", "getrf_nopiv", "getrs", "gesv", "getri_outofplace"],
    "qr": ["geqrf", "ormqr", "orgqr", "qr", "gels"],
    "mixed": ["potrf_vbatched", "getrf_vbatched", "geqrf_vbatched"],
}
COLUMNS = {"fill": "as many as fill the GPU", "b3000": "3,000 matrices"}
COLUMNS_OF_MIXED = {"uniform": "3,000, uniform sizes up to n", "gaussian": "3,000, gaussian sizes up to n"}
DASHES = {"d": "-", "s": "--"}
LIBRARIES = ["talus", "cublas", "cusolver", "magma"]


def read(folder, routine):
    """{(regime, library, precision): {n: (GFLOP/s, share of the roofline)}}; later files replace rows."""
    lines = defaultdict(dict)

    def take(row):
        if row["routine"] == routine and row["m"] == row["n"] and row["library"] in LIBRARIES:
            line = lines[row["regime"], row["library"], row["precision"]]
            line[int(row["n"])] = float(row["gflops"]), float(row["roofline_fraction"])

    paths = [folder / name for name in (f"{routine}.csv", f"{routine}-large.csv", f"regimes-{routine}.csv")]
    for_each_row([path for path in paths if path.exists()], "is no result of talus-bench", take)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="records of one GPU, bench/results/<gpu>")
    parser.add_argument("-o", "--output", type=Path, default=Path("."), help="where to draw (default: here)")
    arguments = parser.parse_args()
    pyplot = load_pyplot()
    for name, routines in FAMILIES.items():
        figure = picture(pyplot, arguments.folder, routines, COLUMNS_OF_MIXED if name == "mixed" else COLUMNS)
        save(figure, str(arguments.output / f"{name}.png"), dpi=80)


if __name__ == "__main__":
    main()
