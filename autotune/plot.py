#!/usr/bin/env python3
"""Draws the measurements of talus-tune, one row of pictures per precision: how fast the best kernel of each size is
beside the generic table's, and what each parameter matters (the best rate with that value, over the best of all, per
size; a parameter that does not matter gives a flat line at 1). Of calls on different sizes: how many times as fast as the
generic table's classes are the best classes, the best kernel for all sizes as they come, and that in order.

  autotune/plot.py autotune/results/h200/potrf.csv -o potrf.png
  autotune/plot.py first.csv second.csv --regime fill -o both.png
"""
import argparse
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from plotting import finish, for_each_row, load_pyplot, scale_by_powers_of_two

PARAMETERS = ["ib", "nb", "tbc", "threads", "rows"]


def read(paths):
    """{(precision, regime): {n: [candidate, ...]}}, where a candidate that was measured has its time over the generic
    table's as 'ratio'."""
    points = defaultdict(lambda: defaultdict(list))

    def take(row):
        if row["result"] in ("ok", "slow"):
            row["ratio"] = float(row["median_ms"]) / float(row["reference_ms"])
            points[row["precision"], row["regime"]][int(row["n"])].append(row)

    for_each_row(paths, "holds no measurements of talus-tune", take)
    if not points:
        sys.exit("plot.py: no measurements in " + ", ".join(paths))
    return points


def flops(precision, n):
    return (4 if precision in "cz" else 1) * (n**3 / 3 + n**2 / 2 + n / 6)


def draw_rates(axes, precision, sizes, colours):
    """GFLOP/s over n: the best kernel, by family, and the generic table's."""
    best, generic, families = [], [], defaultdict(list)
    for n in sorted(sizes):
        winner = min(sizes[n], key=lambda row: row["ratio"])
        rate = flops(precision, n) * int(winner["batch"]) / float(winner["reference_ms"]) * 1e-6
        generic.append((n, rate))
        best.append((n, rate / winner["ratio"]))
        families[winner["family"]].append(best[-1])
    axes.plot(*zip(*best), "-", color="0.6", linewidth=1)
    for family, points in sorted(families.items()):
        axes.plot(*zip(*points), "o", markersize=4, label=family, color=colours[family])
    axes.plot(*zip(*generic), "k--", linewidth=1, label="generic table")
    axes.set(ylabel="GFLOP/s", yscale="log")


def draw_parameter(axes, sizes, parameter):
    """For some sizes, the best rate with each value of a parameter, over the best of all."""
    from matplotlib import colormaps

    if parameter == "nb":  # 0: no outer steps
        sizes = {n: [row for row in rows if row["nb"] != "0"] for n, rows in sizes.items()}
    varied = [n for n in sorted(sizes) if len({row[parameter] for row in sizes[n]}) > 1]
    shown = varied[:: max(1, len(varied) // 8)]
    for i, n in enumerate(shown):
        best = min(row["ratio"] for row in sizes[n])
        by_value = defaultdict(lambda: float("inf"))
        for row in sizes[n]:
            value = int(row[parameter])
            by_value[value] = min(by_value[value], row["ratio"])
        values = sorted(by_value)
        axes.plot(values, [best / by_value[v] for v in values], "o-", markersize=3, label=f"n = {n}",
                  color=colormaps["viridis"](i / max(1, len(shown) - 1)))
    axes.set(xlabel=parameter, ylabel="best rate with it / best", ylim=(0, 1.05))
    if parameter != "rows":
        axes.set_xscale("log", base=2)


def way_of_call(row):
    """Of calls that differ in what serves them, whose names stand for the kernel's: classes are "16+32+56", one for all
    sizes "direct 56" or "ordered 56"; None for kernels of equal sizes."""
    first = row["family"].split()[0]
    return "classes" if first[0].isdigit() else first if first in ("direct", "ordered") else None


def draw_calls(axes, sizes):
    for way in ("classes", "direct", "ordered"):
        best = {n: min((row["ratio"] for row in rows if way_of_call(row) == way), default=None)
                for n, rows in sizes.items()}
        drawn = [(n, 1 / best[n]) for n in sorted(best) if best[n]]
        if drawn:
            axes.plot(*zip(*drawn), marker="o", markersize=3, label=way)
    axes.axhline(1, color="k", linestyle="--", linewidth=1)
    axes.set(xlabel="largest n", ylabel="times as fast as the generic table")


def of_calls(points):
    return any(way_of_call(row) for sizes in points.values() for rows in sizes.values() for row in rows)


def draw_all_calls(points, pyplot):
    precisions = [p for p in "sdcz" if any(p == key[0] for key in points)]
    regimes = sorted({key[1] for key in points}, key=lambda regime: int(regime[1:]))
    figure, grid = pyplot.subplots(len(precisions), len(regimes), figsize=(4.2 * len(regimes), 3.6 * len(precisions)),
                                   squeeze=False)
    for row, precision in zip(grid, precisions):
        for axes, regime in zip(row, regimes):
            axes.set(title=f"{precision}, {regime}")
            if (precision, regime) in points:
                draw_calls(axes, points[precision, regime])
            scale_by_powers_of_two(axes)
            finish(axes, fontsize="x-small")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="+", help="files that talus-tune measured")
    parser.add_argument("--regime", help="whose parameters are drawn (default: the first in the files)")
    parser.add_argument("-o", "--output", default="tuned.png", help="picture to write (default: %(default)s)")
    arguments = parser.parse_args()
    points = read(arguments.csv)
    pyplot = load_pyplot()
    if of_calls(points):
        figure = draw_all_calls(points, pyplot)
        figure.tight_layout()
        figure.savefig(arguments.output, dpi=80)
        print(arguments.output)
        return
    precisions = [p for p in "sdcz" if any(p == key[0] for key in points)]
    families = sorted({row["family"] for sizes in points.values() for rows in sizes.values() for row in rows})
    colours = {family: f"C{i}" for i, family in enumerate(families)}
    regimes = list(dict.fromkeys(key[1] for key in points))
    regime = arguments.regime or regimes[0]
    if regime not in regimes:
        sys.exit(f"plot.py: no regime '{regime}' in these files, only {', '.join(regimes)}")
    columns = len(regimes) + len(PARAMETERS)
    figure, grid = pyplot.subplots(len(precisions), columns, figsize=(4.2 * columns, 3.6 * len(precisions)),
                                   squeeze=False)
    for row, precision in zip(grid, precisions):
        for axes, name in zip(row, regimes):
            if (precision, name) in points:
                draw_rates(axes, precision, points[precision, name], colours)
            axes.set(title=f"{precision}, {name}", xlabel="n")
            scale_by_powers_of_two(axes)
        for axes, parameter in zip(row[len(regimes):], PARAMETERS):
            if (precision, regime) in points:
                draw_parameter(axes, points[precision, regime], parameter)
            axes.set(title=f"{precision}, {regime}: {parameter}")
        for axes in row:
            finish(axes, fontsize="x-small")
    figure.tight_layout()
    figure.savefig(arguments.output, dpi=80)
    print(arguments.output)


if __name__ == "__main__":
    main()
