#!/usr/bin/env python3
"""Draws what talus-accuracy found: LAPACK's ratios over the kinds of matrices, the largest over all sizes.

  bench/accuracy.py bench/results/h200/accuracy.csv -o docs/guide/accuracy-h200.png
"""
import argparse
import sys
from collections import defaultdict

from plotting import for_each_row, load_pyplot, save

PRECISIONS = {"d": ("double", "C0", "o"), "z": ("complex double", "C0", "x"), "s": ("single", "C1", "o"),
              "c": ("complex single", "C1", "x")}
LIMIT = 30
LEAST = 1e-3  # where ratios below it are drawn, those of exact results, too


def read(path):
    """{(routine, check): {precision: {kind: largest ratio}}}"""
    panels = defaultdict(lambda: defaultdict(dict))

    def take(row):
        kinds = panels[row["routine"], row["check"]][row["precision"]]
        kinds[row["kind"]] = max(kinds.get(row["kind"], LEAST), float(row["ratio"]))

    for_each_row([path], "is no result of talus-accuracy", take)
    if not panels:
        sys.exit(f"accuracy.py: no results in '{path}'")
    return panels


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", help="file that talus-accuracy --csv wrote")
    parser.add_argument("-o", "--output", default="accuracy.png", help="figure (default: %(default)s)")
    arguments = parser.parse_args()
    panels = read(arguments.csv)
    pyplot = load_pyplot()
    columns = 3
    rows = -(-len(panels) // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(4 * columns, 3.2 * rows), squeeze=False,
                                   sharey=True)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, ((routine, check), precisions) in zip(grid.flat, panels.items()):
        kinds = list(dict.fromkeys(kind for ratios in precisions.values() for kind in ratios))
        for precision, (name, colour, marker) in PRECISIONS.items():
            ratios = precisions.get(precision, {})
            at = [i for i, kind in enumerate(kinds) if kind in ratios]
            axes.plot(at, [ratios[kinds[i]] for i in at], color=colour, marker=marker, linestyle="",
                      label=name)
        axes.axhline(LIMIT, color="k", linewidth=1, label="the tests' limit")
        axes.set(title=f"{routine}: {check}", yscale="log", ylim=(LEAST / 2, 2 * LIMIT))
        axes.set_xticks(range(len(kinds)), kinds, rotation=60, ha="right", rotation_mode="anchor", fontsize=8)
        axes.grid(alpha=0.3)
    for axes in grid[:, 0]:
        axes.set_ylabel("ratio")
    save(figure, arguments.output, dpi=80)


if __name__ == "__main__":
    main()
