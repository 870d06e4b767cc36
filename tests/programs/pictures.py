#!/usr/bin/env python3
"""The pictures can be told apart: no two lines of a record look the same, talus like nobody else.

Needs no matplotlib."""
import csv
import sys
from collections import defaultdict
from pathlib import Path

source = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(source / "bench"))
from plotting import styles_of

problems = []
for record in sorted((source / "bench/results").glob("*/*.csv")):
    panels = defaultdict(list)
    with open(record, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        if not {"library", "regime"} <= set(rows.fieldnames or []):
            continue  # no record of talus-bench
        for row in rows:
            names = panels[row["routine"], row["precision"], row["regime"]]
            if row["library"] not in names:
                names.append(row["library"])
    names = list(dict.fromkeys(name for panel in panels.values() for name in panel))
    styles = styles_of(names)
    looks = [tuple(sorted(styles[name].items())) for name in names]
    if len(set(looks)) < len(looks):
        problems.append(f"{record}: two lines look the same")
    colours = [styles[name]["color"] for name in names if name != "talus"]
    if "talus" in names and styles["talus"]["color"] in colours:
        problems.append(f"{record}: talus shares its colour")
    if styles_of(names[::-1]) != styles:
        problems.append(f"{record}: the styles depend on the order of the file")
for picture in sorted((source / "docs").rglob("*.png")):
    if picture.stat().st_size > 300_000:
        problems.append(f"{picture}: {picture.stat().st_size} bytes, more than 300 kB")
print("\n".join(problems))
sys.exit(bool(problems))
