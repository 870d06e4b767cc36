#!/usr/bin/env python3
"""Checks what talus-bench says of bad arguments, and short runs from one end to the other."""

import os

from printed import Checks

checks = Checks(__doc__)

# What a figure lacks is said before anything is measured.
checks("no_figure", "figure", r"which. 2 .*, 3 .*, 4 .*, 5 .*, 6 ")
checks("figure_precision", "figure 2 --precision z", r"--precision z: the figures are of s and d")
checks("figure_of_potrf", "potrf 5", r"5 belongs to a figure, not to potrf")
checks("figure", "figure 2 --sizes 64", r"no CUDA device|inclusive")
checks("figure_variable", "figure 4 --max 64", r"no CUDA device|lazy")
checks("figure_backend", "figure 4 --backend host", r"--backend host: the kernels of figure 4 run on cuda")

# Options that do not belong to a routine, and values that cannot be read.
checks("sizes_of_variable", "potrf_vbatched --sizes 8", r"--sizes: belongs to routines of one size")
checks("shape_of_potrf", "potrf --backend host --sizes 8,9x4", r"--sizes: 9x4: the matrices of potrf are square")
checks("max_of_potrf", "potrf --max 8", r"--max: belongs to potrf_vbatched, .*getrf_vbatched.*, not to potrf")
checks("uplo_of_getrf", "getrf --backend host --uplo upper", r"--uplo: upper, but getrf takes whole matrices")
checks("padding_of_potrf", "potrf --compare padding", r"--compare: padding belongs to potrf_vbatched")
checks("distribution", "potrf_vbatched --distribution normal", r"--distribution: 'normal' is none of uniform")
checks("max", "potrf_vbatched --max 0", r"--max: '0' has '0' where a size is expected")
for value in ("-5", "-1GB", "0", "0MB", "99999999999999999999", "x"):
    checks(
        f"bytes={value}",
        f"potrf --bytes {value}",
        rf"--bytes: '{value}' is no size such as 2GB or 500000000",
        status=2,
    )
checks("no_batch", "potrf_vbatched --batch 0", r"--batch: Value 0 not in range 1 to 100000000", status=2)
checks("no_tree", "potrf_vbatched --distribution tree:no.csv", r"--distribution: 'no.csv' cannot be read")
checks("no_peers", "potrf_vbatched --peers no.csv", r"--peers: 'no.csv' cannot be read")
checks(
    "line_on_host",
    "potrf_vbatched --backend host --line 1",
    r"--line: 1 names a kernel of potrf_vbatched on cuda",
)
checks("short_name", "potrf_partial", r"routine: potrf_partial takes trees, by --tree FILE", status=2)
checks("no_tree_file", "getrf_partial --tree no.csv", r"--tree: 'no.csv' cannot be read", status=2)
checks("tree_of_potrf", "potrf --tree no.csv", r"--tree: belongs to potrf_vbatched.*, not to potrf", status=2)
fronts = checks.file("fronts.csv", "level,n,k,count\n0,8,1,20\n0,5,1,3\n1,12,12,9\n1,30,30,1\n")
tree = f"tree:{fronts}"
checks("tree_too_large", f"potrf_vbatched --distribution {tree} --max 4", r"has no front of at most --max 4")
checks("tree_of_maxima", f"potrf_vbatched --distribution {tree} --max 8,9", r"--max: '8,9' is more than the one")
checks("tree_of_batch", f"potrf_vbatched --distribution {tree} --batch 5", r"--batch: 5, but --distribution")

# Whole runs, whose results are checked.
if "d" in checks.precisions:
    bad = "WRONG|failed"
    checks(
        "tree",
        f"potrf_vbatched --backend host --distribution {tree} --max 20 --compare "
        "padding,padding_copies,groups,openblas-loop",
        r"1 of the tree's fronts .* all +12 +32 .*over 2 batches",
        never=bad,
    )
    checks(
        "rectangles",
        "getrf --backend host --sizes 9x4,3x8 --bytes 20KB",
        r"dgetrf, regime fill, host.* 9x4 .*over 2 batches",
        never=bad,
    )
    checks(
        "pads_triangles",
        "getrf_vbatched --backend host --max 9 --batch 40 --compare padding,groups,openblas-loop",
        r"padding is left out: it pads triangles alone.*over 1 batch",
        never=bad,
    )
    for routine in ("potrf_partial", "getrf_partial"):
        checks(
            routine,
            f"{routine} --backend host --tree {fronts} --compare groups,openblas-loop",
            r"groups is left out.* all +30 +33 .*over 2 batches",
            never=bad,
        )

    # Output that is lost has a status of its own: 1 is a wrong result.
    if os.path.exists("/dev/full"):
        tiny = "potrf --backend host --sizes 4 --bytes 10KB --compare none"
        checks("csv_full", f"{tiny} --csv /dev/full", r"talus-bench: cannot write '/dev/full'", status=5)
        lost = r"talus-bench: standard output was lost"
        checks("output_full", tiny, lost, status=5, output="/dev/full")
checks.finish()
