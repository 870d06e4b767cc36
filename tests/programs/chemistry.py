#!/usr/bin/env python3
"""Checks what chemistry prints."""

from printed import Checks

checks = Checks(__doc__, always="--backend host")

checks(
    "bad_mechanism",
    "--mechanism 20",
    r"'20' is neither robertson, nor h2o2, nor a number of species from 21 to 144",
)
checks("bad_name", "--mechanism methane", r"'methane' is neither robertson")
checks("no_cells", "--cells 0", r"--cells: Value 0 not in range")
checks("bad_tolerance", "--tolerance 0.5", r"--tolerance: Value 0.5 not in range")
checks("empty_picture", "--picture ''", r"--picture: its value is empty")

if "d" in checks.precisions:
    picture = checks.folder / "ignition.svg"
    checks("program", f"--mechanism h2o2 --cells 20 --compare 1 --picture {picture}", "all is well", status=0)
    checks(
        "verdict",
        "--mechanism robertson --cells 2",
        r"the tolerance.\n\nall is well: 2 cells integrated, each one checked",
    )
    checks("no_temperature", "--mechanism robertson --picture p.svg", r"--picture: Robertson has no temperature")
    checks(
        "no_picture",
        "--mechanism 21 --cells 1 --compare 1 --picture no_such/p.svg",
        r"no_such/p.svg: cannot be written",
    )

if "s" in checks.precisions:
    checks("single", "--mechanism 21 --cells 3 --precision s", "all is well", status=0)
checks.finish()
