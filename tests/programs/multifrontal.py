#!/usr/bin/env python3
"""Checks what multifrontal prints: whole runs, what cannot be factored, what cannot be read or does not fit."""

from printed import Checks

checks = Checks(__doc__, always="--backend host")

kind = "%%MatrixMarket matrix coordinate"
head = f"{kind} real"


def matrix(name, text):
    """Writes a matrix, and returns the path of the file."""
    return checks.file(f"{name}.mtx", text)


indefinite_file = matrix("indefinite", f"{head} symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 -2\n3 2 -1\n3 3 2\n")
no_diagonal_file = matrix("no_diagonal", f"{head} general\n3 3 4\n1 1 1\n1 2 2\n2 3 1\n3 3 1\n")
singular_file = matrix("singular", f"{head} general\n2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n")
rectangle_file = matrix("rectangle", f"{head} general\n2 3 1\n1 1 1\n")
no_entries_file = matrix("no_entries", f"{head} general\n2 2 0\n")
malformed_file = matrix("malformed", f"{head} general\n2 2 2\n1 1 1\n2 x 1\n")
twice_file = matrix("twice", f"{head} general\n2 2 5\n2 1 3\n1 1 1\n1 2 2\n2 1 4\n2 2 8\n")
scaled_symmetric_file = matrix(
    "scaled_symmetric", f"{head} symmetric\n3 3 5\n1 1 4e200\n2 1 -1\n2 2 4e-200\n3 2 -1e-100\n3 3 4\n"
)
scaled_rows_file = matrix(
    "scaled_rows", f"{head} general\n3 3 6\n1 1 4e60\n2 1 -1e-60\n1 2 1e-40\n2 2 4e-160\n2 3 1e-60\n3 3 4e9\n"
)
skew_file = matrix("skew", f"{kind} real skew-symmetric\n4 4 5\n2 1 3\n3 1 1D0\n4 2 -2.D+00\n4 3 5\n3 2 .5\n")
upper_file = matrix(
    "upper", f"{head} symmetric\r\n% comment\r\n3 3 5\r\n1 1 4\r\n1 2 -1\r\n2 2 4\r\n2 3 -1\r\n3 3 4\r\n"
)
pattern_file = matrix("pattern", f"{kind} pattern symmetric\n3 3 3\n1 1\n2 2\n3 3\n")
path_file = matrix("path", f"{kind} pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n")
complex_file = matrix("complex", f"{kind} complex hermitian\n1 1 1\n1 1 1 0\n")
hermitian_file = matrix("hermitian", f"{kind} real hermitian\n1 1 1\n1 1 1\n")
tiny_file = matrix("tiny", f"{head} general\n1 1 1\n1 1 1e-310\n")
well = "all is well: .* factored and solved. worst backward error "
small = f"{well}[0-9.]+e-1[5-7]\n"
drawn = checks.folder / "levels.svg"

checks(
    "program",
    f"--poisson 12x12x12 --ordering natural --systems 3 --rhs 2 --picture {drawn}",
    rf"1728 unknowns, 6480 entries in the lower.*Cholesky on.*{well}",
    status=0,
)
checks("ordered", "--poisson 20x20 --repeats 1", rf"ordering (metis|amd): .*{well}|libmetis-dev", status=(0, 3))
checks(
    "lu",
    "--elasticity 6x5x4 --factor lu --systems 2 --rhs 3 --ordering natural",
    rf"LU on the CPU.*{well}",
    status=0,
)
checks("natural", "--poisson 20x20 --ordering natural --memory 100MiB", rf"ordering natural: .*{well}", status=0)
checks("twice", f"--matrix {twice_file} --ordering natural", rf"2 unknowns, 4 entries. LU .*{well}", status=0)
checks(
    "lu_of_indefinite",
    f"--matrix {indefinite_file} --factor lu --ordering natural",
    rf"3 unknowns, 7 entries. LU .*{well}",
    status=0,
)
for systems in (1, 3):
    checks(
        f"scaled_cholesky_{systems}",
        f"--matrix {scaled_symmetric_file} --systems {systems} --rhs 2 --ordering natural",
        rf"Cholesky on.*{small}",
        status=0,
    )
    checks(
        f"scaled_lu_{systems}",
        f"--matrix {scaled_symmetric_file} --factor lu --systems {systems} --ordering natural",
        rf"LU on.*{small}",
        status=0,
    )
    checks(
        f"scaled_rows_{systems}",
        f"--matrix {scaled_rows_file} --systems {systems} --ordering natural",
        rf"LU on.*{small}",
        status=0,
    )
checks(
    "out_of_range",
    f"--matrix {tiny_file} --ordering natural",
    r"x may exceed the range of double precision.*NOT WELL",
    status=1,
)
checks(
    "skew", f"--matrix {skew_file} --ordering natural --systems 2", rf"4 unknowns, 10 entries. LU .*{small}", status=0
)
checks(
    "upper",
    f"--matrix {upper_file} --ordering natural",
    rf"3 unknowns, 5 entries in the lower triangle. Chol.*{small}",
    status=0,
)
checks(
    "pattern",
    f"--matrix {pattern_file} --ordering natural",
    rf"3 unknowns, 3 entries in the lower triangle. Chol.*{well}0\n",
    status=0,
)
checks("path", f"--matrix {path_file} --ordering natural", r"path.mtx: not positive definite.* in column 1 ", status=4)
checks(
    "path_lu", f"--matrix {path_file} --ordering natural --factor lu", rf"4 unknowns, 6 entries. LU .*{well}", status=0
)
checks("complex", f"--matrix {complex_file}", r"complex.mtx:1: field 'complex': only real matrices are read", status=2)
checks("hermitian", f"--matrix {hermitian_file}", r"hermitian.mtx:1: symmetry 'hermitian' is for complex", status=2)
checks(
    "indefinite",
    f"--matrix {indefinite_file} --ordering natural",
    r"indefinite.mtx: not positive definite.* in column 2 .*--factor lu may factor it",
    status=4,
)
checks(
    "indefinite_systems",
    f"--matrix {indefinite_file} --systems 3 --ordering natural",
    r"indefinite.mtx, system 0: not positive definite",
    status=4,
)
checks(
    "singular",
    f"--matrix {singular_file} --ordering natural",
    r"singular.mtx: singular, .*no pivot is left in column 2 ",
    status=4,
)
checks(
    "no_diagonal",
    f"--matrix {no_diagonal_file}",
    r"no_diagonal.mtx: singular whatever its entries' values are: of 3 columns 2 can",
    status=4,
)
checks("rectangle", f"--matrix {rectangle_file}", r"rectangle.mtx:2: the matrix is 2 x 3: only a square one", status=2)
checks("no_entries", f"--matrix {no_entries_file}", r"no_entries.mtx:2: the matrix has no entries", status=2)
checks("malformed", f"--matrix {malformed_file}", r"malformed.mtx:4: column 'x' is not an integer", status=2)
checks("no_file", "--matrix no_such.mtx", r"no_such.mtx:0: cannot be read", status=2)
checks(
    "no_symmetry",
    f"--matrix {twice_file} --factor cholesky",
    r"--factor cholesky: twice.mtx holds no symmetric matrix",
    status=2,
)
checks("bad_grid", "--poisson 5x0", r"--poisson: '5x0' is not NXxNY or NXxNYxNZ", status=2)
checks("no_element", "--elasticity 5x1", r"elasticity, 5 x 1: with one node along y there is no element", status=2)
checks("two_problems", "--poisson 5x5 --elasticity 5x5", r"--poisson excludes --elasticity", status=2)
checks(
    "no_memory",
    "--poisson 8x8 --ordering natural --memory 1KiB",
    r"needs [0-9.]+ KiB .[0-9]+ bytes., more than --memory allows: 1.00 KiB .1024 bytes.\n",
    status=3,
)
checks("no_picture", "--poisson 5x5 --picture no_such/p.svg", r"no_such/p.svg: cannot be written", status=2)
checks("empty_matrix", "--matrix ''", r"--matrix: its value is empty")
for factor in ("cholesky", "lu"):  # without SuiteSparse the program says how to get it
    checks(
        f"compare_{factor}",
        f"--poisson 6x6x6 --factor {factor} --compare cpu --threads 2",
        rf"(CHOLMOD|UMFPACK) .*here .* times as fast.*{well}|libsuitesparse-dev",
        status=(0, 3),
    )
checks("compare_cudss", "--poisson 5x5 --compare cudss", r"--compare cudss: cuDSS runs on a GPU", status=(2, 3))
checks("compare_nobody", "--poisson 5x5 --compare cpu,nobody", r"--compare: nobody not in ", status=2)
checks.finish()
