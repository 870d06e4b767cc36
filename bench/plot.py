#!/usr/bin/env python3
"""Draws the results of talus-bench: GFLOP/s over n, one line per library, and how fast the machine could be.

  bench/plot.py potrf.csv -o potrf.png
  bench/plot.py s.csv d.csv -o both.png           one panel for each routine, precision and regime

Variable sizes are drawn over the largest of them, trees over their levels.
"""
import argparse
import sys
from collections import defaultdict

from plotting import finish, for_each_row, load_pyplot, save, scale_by_powers_of_two, styles_of


def read(paths):
    """{(routine, precision, regime): {library: {n: row}}}; a later file replaces an earlier one's rows. Of a tree
    {level: row}: its regimes are tree:<name>:<level>, and their sum is not drawn."""
    panels = defaultdict(lambda: defaultdict(dict))

    def take(row):
        regime, x = row["regime"], row["n"]
        if regime.startswith("tree:"):
            regime, x = regime.rsplit(":", 1)
            if x == "all":
                return
        numbers = {name: float(row[name]) for name in ("median_ms", "gflops", "roofline_fraction")}
        library = row["library"] + (" (file)" if row["note"].startswith("from ") else "")
        panels[row["routine"], row["precision"], regime][library][int(x)] = numbers

    for_each_row(paths, "is no result of talus-bench", take)
    if not panels:
        sys.exit("plot.py: no results in " + ", ".join(paths))
    return panels


def draw(axes, libraries, styles):
    talus = libraries.get("talus", {})
    for name, rows in libraries.items():
        if name != "copy":
            sizes = sorted(rows)
            axes.plot(sizes, [rows[n]["gflops"] for n in sizes], markersize=3, label=name, **styles[name])
    # What the machine allows follows from any timed row: its own rate, divided by the share it reached.
    sizes = [n for n in sorted(talus) if talus[n]["roofline_fraction"] > 0]
    axes.plot(sizes, [talus[n]["gflops"] / talus[n]["roofline_fraction"] for n in sizes], "k-", linewidth=1,
              label="roofline")
    both = [n for n in sizes if n in libraries.get("copy", {})]
    if both:
        axes.plot(both, [talus[n]["gflops"] * talus[n]["median_ms"] / libraries["copy"][n]["median_ms"] for n in both],
                  "k:", linewidth=1, label="at the copy's speed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="+", help="files that talus-bench --csv wrote")
    parser.add_argument("-o", "--output", default="bench.png", help="figure to write (default: %(default)s)")
    arguments = parser.parse_args()
    panels = read(arguments.csv)
    styles = styles_of([name for libraries in panels.values() for name in libraries])
    pyplot = load_pyplot()
    columns = len(panels) if len(panels) <= 3 else 2
    rows = -(-len(panels) // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(6.5 * columns, 4.5 * rows), squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, ((routine, precision, regime), libraries) in zip(grid.flat, sorted(panels.items())):
        draw(axes, libraries, styles)
        variable, tree = routine.endswith("_vbatched"), regime.startswith("tree:")
        xlabel = "level" if tree else "largest n" if variable else "n"
        axes.set(title=f"{precision}{routine}, {regime}", xlabel=xlabel, ylabel="GFLOP/s", yscale="log")
        if not tree:
            scale_by_powers_of_two(axes)
        finish(axes)
    save(figure, arguments.output, dpi=150)


if __name__ == "__main__":
    main()
