#!/usr/bin/env python3
"""bench/guard.sh judges times, measures doubtful points again, and compares two builds.  guard.py BUILD-FOLDER"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GUARD = pathlib.Path(__file__).resolve().parents[2] / "bench/guard.py"
BUILD = pathlib.Path(sys.argv[1]).resolve()
problems = []
os.environ["OMP_NUM_THREADS"] = "1"  # threads that share a core wait for each other


def expect(name, arguments, status, *words, program=(sys.executable, GUARD)):
    """Runs guard.py; its exit status is one of `status`, and its output has a match of all words."""
    ended = subprocess.run([*program, *map(str, arguments)], text=True, capture_output=True)
    text = ended.stdout + ended.stderr
    missing = [word for word in words if not re.search(word, text)]
    if ended.returncode not in ([status] if isinstance(status, int) else status) or missing:
        problems.append(f"{name}: exit status {ended.returncode}, expected {status}, without {missing}\n{text}")
    return ended.returncode, text


# ---- the judgement of a file -----------------------------------------------------------------------------------------

REGIMES, SIZES = ("fill", "b3000", "b10"), (8, 32, 128)


def judge(name, time_of, status, *words):
    """time_of(build, routine, regime, n, run) in ms; None: the build lacks the point."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        writer = csv.writer(file)
        writer.writerow("build,routine,precision,regime,m,n,batch,ms".split(","))
        for run in range(3):
            for build in "old", "new":
                for routine in "potrf", "getrf":
                    for regime in REGIMES:
                        for n in SIZES:
                            ms = time_of(build, routine, regime, n, run)
                            if ms:
                                writer.writerow((build, routine, "d", regime, n, n, 10, ms))
        file.flush()
        expect(name, ["--check", file.name], status, *words)


judge("equal", lambda *_: 0.5, 0, r"potrf +9 +3 +0\.0% +0\.0% +1\.000 +1\.000", r"all +18", "No routine is slower")
judge("one point", lambda build, routine, regime, n, run:
      0.6 if (build, routine, regime, n) == ("new", "getrf", "b10", 32) else 0.5, 1,
      r"SLOWER  getrf d b10 32, batch 10: 0\.833", "(?s)^(?!.*SLOWER  potrf)")
judge("one routine", lambda build, routine, *_: 0.53 if (build, routine) == ("new", "potrf") else 0.5, 1,
      r"SLOWER  potrf: geometric mean 0\.943", "(?s)^(?!.*SLOWER  getrf)")
judge("one size in all regimes", lambda build, routine, regime, n, run:
      0.53 if (build, routine, n) == ("new", "potrf", 32) else 0.5, 1,
      r"SLOWER  potrf d 32: geometric mean 0\.943 of 3 points", "(?s)^(?!.*SLOWER  potrf:)", "(?s)^(?!.*SLOWER  getrf)")
judge("within the limits", lambda build, *_: 0.52 if build == "new" else 0.5, 0, r"all .* 0\.962 +0\.962")
judge("faster", lambda build, *_: 0.4 if build == "new" else 0.5, 0, r"all .* 1\.250 +1\.250")
judge("a disturbed run", lambda build, routine, regime, n, run:
      0.8 if (build, n, run) == ("new", 32, 1) else 0.5, 0, r"all .* 1\.000 +1\.000")
judge("noise", lambda build, routine, regime, n, run: 0.5 * (1.02, 1, 1.02)[run], 0,
      r"getrf +9 +3 +2\.0% +2\.0% +1\.000 +1\.000")
judge("one run", lambda build, routine, regime, n, run: 0.5 if run == 0 else None, 0, r"potrf +9 +1 +unknown +1\.000")
judge("missing points", lambda build, routine, regime, n, run:
      None if build == "old" and routine == "getrf" and n == 8 else 0.5, 0,
      "not compared: OLD lacks getrf d fill 8, d b3000 8, d b10 8\n", "potrf +9 ", "getrf +6 ")
judge("nothing in common", lambda build, routine, *_: 0.5 if (build == "old") == (routine == "potrf") else None, 2,
      "OLD lacks getrf .* and 5 more", "no point was measured in both builds")
judge("no time", lambda *_: -1, 2, "cannot be read")

# ---- builds with invented times ----------------------------------------------------------------------------------

FAKE = """#!{python}
import itertools, pathlib, sys
if sys.argv[1] == "--version":
    sys.exit(print("commit: fake\\nprecisions: s, d"))
if sys.argv[1] not in {routines}:
    sys.exit(print("routine:", sys.argv[1], "is not here", file=sys.stderr) or 2)
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
log = pathlib.Path(__file__).with_name("log")
run = len(log.read_text().splitlines()) if log.exists() else 0
with log.open("a") as file:
    print(*sys.argv[1:], file=file)
with open(options["--csv"], "w") as file:
    print("library,routine,precision,regime,m,n,batch,median_ms", file=file)
    for p, n, regime in itertools.product(*(options[o].split(",") for o in ("--precision", "--sizes", "--regime"))):
        print("talus", sys.argv[1], p, regime, n, n, 10, {ms}, sep=",", file=file)
sys.exit({status})
"""


def fake(folder, ms="0.5", routines=("potrs", "posv"), status=0):
    program = folder / "bench/talus-bench"
    program.parent.mkdir(parents=True)
    program.write_text(FAKE.format(python=sys.executable, ms=ms, routines=tuple(routines), status=status))
    program.chmod(0o755)
    return folder


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    old = fake(work / "old")
    options = ["--backend", "host", "--rounds", "2", "--only"]
    expect("fakes agree", [old, fake(work / "equal"), *options, "potrs,posv"], 0, "potrs +2 +2", "posv +2 +2",
           "OLD lacks precision c")
    disturbed = fake(work / "disturbed", ms="0.7 if run < 2 and p == 'd' else 0.5")
    expect("measured again", [old, disturbed, *options, "potrs"], 0, "points measured again: 2", r" 1\.000 +1\.000")
    narrow = fake(work / "narrow", ms="0.52 if p == 's' else 0.57")
    expect("slower", [old, narrow, *options, "potrs"], 1, r"SLOWER  potrs d b100 24, batch 10: 0\.877",
           r"runs: 7\)")
    fake(work / "one", ms="0.57 if p == 'd' else 0.45")
    expect("slower at a point", [old, work / "one", *options, "potrs"], 1, "points measured again: 1")
    if not (work / "one/bench/log").read_text().splitlines()[-1].count("--precision d "):
        problems.append("a point is not measured alone")
    expect("no time", [old, fake(work / "slow", ms="0.7"), *options, "potrs", "--minutes", "0.0001"], 1,
           "potrs +2 +2 ", "the time is up")
    expect("one routine is missing", [old, fake(work / "partial", routines=["potrs"]), *options, "potrs,posv"], 0,
           "NEW cannot run 'talus-bench posv .*is not here", "NEW lacks posv s b100 24, d b100 24\n", "potrs +2 +2")
    expect("wrong result", [old, fake(work / "wrong", status=1), *options, "potrs"], 1, "NEW: .* ended with status 1")
    expect("no GPU", [old, fake(work / "none", status=3), *options, "potrs"], 3)

# ---- arguments, and the programs of this build -----------------------------------------------------------------------

expect("no builds", [], 2, "two build folders are needed")
expect("no build folder", ["no_such", BUILD], 2, "no_such' is no build folder")
expect("no folder for the file", [BUILD, BUILD, "--csv", "no_such/times.csv"], 2, "no_such/times.csv")
expect("no file", ["--check", "no_such.csv"], 2, "no_such.csv' cannot be read")
expect("no routine", ["--list", "--only", "potrg"], 2, "--only: 'potrg' is none of potrf, ")
expect("help", ["--help"], 0, "bench/guard.sh OLD NEW", "Exit status", program=[GUARD.with_suffix(".sh")])
precisions = subprocess.run([BUILD / "bench/talus-bench", "--version"], text=True, capture_output=True).stdout
has_real = re.search("precisions: .*[sd]", precisions)
refusal = subprocess.run([BUILD / "bench/talus-bench", "?"], text=True, capture_output=True).stderr
names = re.search(r"\{(.*?)\}", refusal)[1].split(",")
_, listing = expect("list", ["--list"], 0, r"\d+ points in \d+ commands", "multifrontal", "talus-call-overhead cuda")
aliases = "potrf_partial", "getrf_partial", "figure"
problems += [f"--list has no {name}" for name in names if f"talus-bench {name} " not in listing and name not in aliases]
if has_real and not shutil.which("nvidia-smi"):
    expect("no device", [BUILD, BUILD, "--only", "getrs"], 3, "OLD: .*no CUDA device")
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "times.csv"
    status, text = expect("a build and itself", [BUILD, BUILD, "--backend", "host", "--only", "getrs,call-overhead",
                                                 "--rounds", "1", "--minutes", "0.01", "--csv", file],
                          (0, 1) if has_real else 2, "getrs |no point|call-overhead", r"\d s\n")
    _, again = expect("its file", ["--check", file], status)
    if has_real and text[text.find("routine  "):] != again:
        problems.append(f"--check differs:\n{text}\n{again}")
print("\n".join(problems))
sys.exit(bool(problems))
