"""What the pictures of the bench and of the tuner have in common."""
import csv
import sys


def for_each_row(paths, missing, take):
    """Calls take(row) for each row of the CSV files. One that take cannot understand ends the program: `missing` says
    what its file does not hold."""
    for path in paths:
        try:
            with open(path, newline="") as file:
                for row in csv.DictReader(line for line in file if not line.startswith("#")):
                    take(row)
        except (OSError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            sys.exit(f"plot.py: '{path}' {missing}: {error!r}")


def load_pyplot():
    """matplotlib's pyplot for pictures in files."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("plot.py: matplotlib is not installed (python3 -m pip install matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def scale_by_powers_of_two(axes):
    """For an x axis of matrix sizes."""
    from matplotlib import ticker

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(base=2))


def finish(axes, fontsize):
    """Plain numbers, a grid, and a legend where there is something to explain."""
    from matplotlib import ticker

    axes.xaxis.set_major_formatter(ticker.ScalarFormatter())
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=fontsize)
