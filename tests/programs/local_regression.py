#!/usr/bin/env python3
"""Checks what local_regression prints."""

from printed import Checks

checks = Checks(__doc__, always="--backend host")

checks("bad_dimension", "--dimension 4", r"--dimension: Value 4 not in range")
checks("bad_degree", "--degree 1", r"--degree: Value 1 not in range")
checks("excluded", "--neighbours 40 --ragged", r"--neighbours excludes --ragged")
checks("empty_csv", "--csv ''", r"--csv: its value is empty")

if "d" in checks.precisions:
    files = f"--csv {checks.folder / 'errors.csv'} --picture {checks.folder / 'errors.svg'}"
    checks("program", f"--points 14000 --compare loop {files}", "all is well", status=0)
    checks("ragged", "--points 14000 --dimension 2 --degree 4 --ragged --memory 10MiB", "all is well", status=0)
    checks(
        "verdict",
        "--dimension 2 --points 1024",
        r"stays below 30.\n\nall is well: 1344 points fitted, each one checked, and 3",
    )
    checks("few_points", "--points 5000", r"--points 5000: in 3D three refinements need 24.3 points")
    checks("few_neighbours", "--neighbours 14", r"--neighbours 14: a fit of 10 coefficients needs 15")
    checks("no_memory", "--memory 512", r"a point take .* more than the 512 bytes")
    checks("no_picture", "--picture no_such/p.svg", r"no_such/p.svg: cannot be written")

if "s" in checks.precisions:
    checks("single", "--points 14000 --precision s", "all is well", status=0)
checks.finish()
