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


COLOURS = ["C1", "C2", "C3", "C4", "C5", "C6", "C8", "C9", "C7"]  # C0 is talus's alone
DASHES = ["-", "--", ":", "-."]
MARKERS = ["o", "s", "^", "v"]
LIMITS = ["roofline", "at the copy's speed", "generic table"]  # drawn in black, last in the legend


def parts_of(name):
    """'lazy classic ib=8' is a way, 'lazy classic', and a parameter, ('ib', 8)."""
    way, _, last = name.rpartition(" ")
    parameter, equals, value = last.partition("=")
    return (way, (parameter, int(value))) if equals else (name, ("", 0))


def in_order(names):
    """Talus first, then by way and parameter."""
    return sorted(set(names), key=lambda name: (name != "talus", parts_of(name)))


def styles_of(names):
    """{name: keywords of axes.plot}. They follow from the set of the names, so that all panels of a picture agree. Of
    ways and parameters the one that takes more values has the colours, the other the dashes and markers."""
    others = [parts_of(name) for name in in_order(names) if name != "talus"]
    ways, parameters = sorted({way for way, _ in others}), sorted({parameter for _, parameter in others})
    styles = {"talus": {"color": "C0", "linestyle": "-", "marker": "o", "linewidth": 2.5, "zorder": 3}}
    for name in names:
        if name == "talus":
            continue
        way, parameter = parts_of(name)
        colour, dash = ways.index(way), parameters.index(parameter)
        if len(parameters) > len(ways):
            colour, dash = dash, colour
        dash += colour // len(COLOURS)  # more names than colours
        styles[name] = {"color": COLOURS[colour % len(COLOURS)], "linestyle": DASHES[dash % len(DASHES)],
                        "marker": MARKERS[dash % len(MARKERS)]}
    return styles


def scale_by_powers_of_two(axes):
    """For an x axis of matrix sizes."""
    from matplotlib import ticker

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(base=2))


def finish(axes):
    """Plain numbers and a grid."""
    from matplotlib import ticker

    axes.xaxis.set_major_formatter(ticker.ScalarFormatter())
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(alpha=0.3)


def save(figure, path, dpi):
    """One legend for all panels, beside them, where it covers nothing. A PNG gets a palette, which is a third of the
    bytes."""
    handles = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    figure.tight_layout()
    if handles:
        names = [name for name in in_order(handles) if name not in LIMITS]
        names += [name for name in LIMITS if name in handles]
        figure.legend([handles[name] for name in names], names, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=dpi, bbox_inches="tight")
    if path.endswith(".png"):
        from PIL import Image

        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(128)
        small.save(path, optimize=True)
    print(path)
