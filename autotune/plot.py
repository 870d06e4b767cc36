#!/usr/bin/env python3
"""Draws the measurements of talus-tune, a panel per precision: how many times as fast as the generic table's kernel the
best kernel of each size is, and of which family. With --parameters what each parameter matters, in one precision and
regime: the best rate with a value, over the best of all, per size; a parameter that does not matter gives a flat line
at 1.
Of calls on different sizes: how many times as fast as the generic table's classes are the best classes, the best kernel
for all sizes as they come, and that in order.

  autotune/plot.py autotune/results/h200/potrf.csv -o potrf.png
  autotune/plot.py first.csv second.csv --parameters d --regime fill -o d.png
"""
import argparse
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from plotting import MARKERS, finish, for_each_row, load_pyplot, save, scale_by_powers_of_two


def read(paths):
    """{(precision, regime): {n: [candidate, ...]}}, where a candidate that was measured has its time over the generic
    table's as 'ratio'."""
    points = defaultdict(lambda: defaultdict(list))

    def take(row):
        if row["result"] in ("ok", "slow"):
            row["family"], *values = row["kernel"].split()
            row["values"] = {name: int(value) for name, value in (one.split("=") for one in values if "=" in one)}
            row["ratio"] = float(row["median_ms"]) / float(row["reference_ms"])
            points[row["precision"], row["regime"]][int(row["n"])].append(row)

    for_each_row(paths, "holds no measurements of talus-tune", take)
    if not points:
        sys.exit("plot.py: no measurements in " + ", ".join(paths))
    return points


def panels(pyplot, count, columns, width, height):
    """A figure of so many panels; what is left over of its last row stays empty."""
    rows = -(-count // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, list(grid.flat[:count])


def precisions_of(points):
    return [p for p in "sdcz" if any(p == key[0] for key in points)]


def draw_gains(points, pyplot):
    """The best kernel of each size over the generic table's, by family."""
    precisions = precisions_of(points)
    families = sorted({row["family"] for sizes in points.values() for rows in sizes.values() for row in rows})
    colours = {family: f"C{i}" for i, family in enumerate(families)}
    markers = dict(zip(dict.fromkeys(regime for _, regime in points), MARKERS))
    figure, grid = panels(pyplot, len(precisions), min(2, len(precisions)), 6.5, 4)
    for axes, precision in zip(grid, precisions):
        for regime, marker in markers.items():
            gains = defaultdict(list)
            for n, rows in sorted(points.get((precision, regime), {}).items()):
                winner = min(rows, key=lambda row: row["ratio"])
                gains[winner["family"]].append((n, 1 / winner["ratio"]))
            for family, gained in gains.items():
                axes.plot(*zip(*gained), marker, markersize=4, label=f"{family}, {regime}", color=colours[family],
                          fillstyle="full" if marker == "o" else "none")
        axes.axhline(1, color="k", linestyle="--", linewidth=1, label="generic table")
        axes.set(title=f"{precision}, the best kernel of each size", xlabel="n", ylabel="times as fast as generic")
        scale_by_powers_of_two(axes)
        finish(axes)
    return figure


def draw_parameter(axes, sizes, parameter, colour_of):
    """For some sizes, the best rate with each value of a parameter, over the best of all. Families without it are left
    out; where it is not named it is 0."""
    with_it = {row["family"] for rows in sizes.values() for row in rows if parameter in row["values"]}
    sizes = {n: [row for row in rows if row["family"] in with_it] for n, rows in sizes.items()}
    varied = [n for n in sorted(sizes) if len({row["values"].get(parameter, 0) for row in sizes[n]}) > 1]
    for n in varied[:: max(1, len(varied) // 8)]:
        best = min(row["ratio"] for row in sizes[n])
        by_value = defaultdict(lambda: float("inf"))
        for row in sizes[n]:
            value = row["values"].get(parameter, 0)
            by_value[value] = min(by_value[value], row["ratio"])
        values = sorted(by_value)
        axes.plot(values, [best / by_value[v] for v in values], "o-", markersize=3, color=colour_of(n))
    axes.set(xlabel=parameter, ylabel="best rate with it / best", ylim=(0, 1.05))


def draw_parameters(points, precision, regime, pyplot):
    from matplotlib import cm, colors

    sizes = points[precision, regime]
    colour_of = cm.ScalarMappable(colors.LogNorm(min(sizes), max(sizes)), "viridis")
    parameters = sorted({name for rows in sizes.values() for row in rows for name in row["values"]})
    figure, grid = panels(pyplot, len(parameters), min(3, len(parameters)), 5.3, 4)
    for axes, parameter in zip(grid, parameters):
        draw_parameter(axes, sizes, parameter, colour_of.to_rgba)
        axes.set(title=f"{precision}, {regime}: {parameter}")
        finish(axes)
    bar = figure.colorbar(colour_of, ax=grid[:3][-1], label="n", ticks=[2**i for i in range(1, 12)])
    bar.ax.yaxis.set_major_formatter("{x:.0f}")
    bar.ax.yaxis.set_minor_locator(pyplot.NullLocator())
    return figure


def way_of_call(row):
    """Of calls that differ in what serves them, whose names stand for the kernel's: classes are "16+32+56", one for all
    sizes "direct 56" or "ordered 56"; None for kernels of equal sizes."""
    first = row["kernel"].split()[0]
    if first[0].isdigit() or first.startswith("any"):
        return "classes"
    return first if first in ("direct", "ordered") else None


def of_calls(points):
    return any(way_of_call(row) for sizes in points.values() for rows in sizes.values() for row in rows)


def draw_calls(points, pyplot):
    precisions = precisions_of(points)
    regimes = sorted({key[1] for key in points}, key=lambda regime: int(regime[1:]))
    figure, grid = panels(pyplot, len(precisions) * len(regimes), len(regimes), 4.2, 3.6)
    for axes, (precision, regime) in zip(grid, product(precisions, regimes)):
        best = defaultdict(dict)  # {way: {n: times as fast}}
        for n, rows in sorted(points.get((precision, regime), {}).items()):
            for row in rows:
                way = way_of_call(row)
                best[way][n] = max(best[way].get(n, 0), 1 / row["ratio"])
        for way in ("classes", "direct", "ordered"):
            if best[way]:
                axes.plot(*zip(*best[way].items()), marker="o", markersize=3, label=way)
        axes.axhline(1, color="k", linestyle="--", linewidth=1)
        axes.set(title=f"{precision}, {regime}", xlabel="largest n", ylabel="times as fast as the generic table")
        scale_by_powers_of_two(axes)
        finish(axes)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="+", help="files that talus-tune measured")
    parser.add_argument("--parameters", metavar="PRECISION", help="draw what each parameter matters in this precision")
    parser.add_argument("--regime", help="--parameters: the batches (default: the first in the files)")
    parser.add_argument("-o", "--output", default="tuned.png", help="picture to write (default: %(default)s)")
    arguments = parser.parse_args()
    points = read(arguments.csv)
    regime = arguments.regime or next(iter(points))[1]
    if arguments.parameters and (arguments.parameters, regime) not in points:
        known = ", ".join(f"{p} {r}" for p, r in points)
        sys.exit(f"plot.py: no measurements of {arguments.parameters} {regime} in these files, only {known}")
    pyplot = load_pyplot()
    if of_calls(points):
        figure = draw_calls(points, pyplot)
    elif arguments.parameters:
        figure = draw_parameters(points, arguments.parameters, regime, pyplot)
    else:
        figure = draw_gains(points, pyplot)
    save(figure, arguments.output, dpi=110)


if __name__ == "__main__":
    main()
