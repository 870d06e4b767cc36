#!/usr/bin/env python3
"""Checks what fem_elements prints."""

from printed import Checks

checks = Checks(__doc__, always="--backend host")

checks("empty_matrix", "--matrix ''", r"--matrix: its value is empty")
checks("empty_seed", "--elements 2x2x2 --order 1 --seed ''", r"--seed: its value is empty")
checks("empty_dt", "--elements 2x2x2 --order 1 --dt ''", r"--dt: its value is empty")

if "d" in checks.precisions:
    one_element = "--elements 1x1x1 --physics heat --order 1"
    bad_block = checks.file("bad_block.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -1\n")
    checks("best_of_openblas", f"{one_element}", r" best of OpenBLAS .* ms (loop|static|dynamic) ")
    checks("verdict", f"{one_element}", r"below 30.\n\nall is well: 1 matrices .*, each one checked. worst residual ")
    checks("bad_verdict", f"--matrix {bad_block} --block 1", r"NOT WELL: 2 matrices .* 1 of them off")
checks.finish()
