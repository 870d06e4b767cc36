#!/usr/bin/env python3
"""Checks what assembly_tree prints."""

import os

from printed import Checks

checks = Checks(__doc__, always="--backend host")

checks("bad_grid", "--grid 5x0", r"'5x0' is not NXxNY or NXxNYxNZ")
checks("bad_levels", "--levels 3:1", r"'3:1' is neither a level nor FIRST:LAST")
checks("empty_tree", "--tree ''", r"--tree: its value is empty")
checks("empty_csv", "--grid 5x5 --csv ''", r"--csv: its value is empty")

if "d" in checks.precisions:
    checks("program", "--grid 9x8x7 --solve --compare loop --memory 100KiB", "all is well", status=0)
    if os.path.exists("/dev/full"):  # a program whose output is lost must not exit with 0
        checks("full_disk", "--grid 5x5 --csv /dev/full", "/dev/full", status=range(1, 256))
        checks("full_output", "--grid 5x5", "", status=range(1, 256), output="/dev/full")
    checks("verdict", "--grid 7x7", r"below 30.\n\nall is well: 31 fronts .* 31 of them checked. worst residual ")
    checks("last_level", "--grid 7x7 --levels 0:1", r"level 0 comes first, level 1 last")
    checks("no_file", "--tree no_such.csv", r"no_such.csv:0: cannot be read")
    checks("no_level", "--grid 7x7 --levels 9", r"--levels 9: the tree has the levels 0 to 4")
    checks("no_memory", "--grid 7x7 --memory 512", r"a front of n = 10 takes .* more than the 512 bytes")
    checks("left_out", "--grid 7x7 --max 8", r"left out: 6 fronts of more than 8 rows")
checks.finish()
