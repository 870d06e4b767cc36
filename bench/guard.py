#!/usr/bin/env python3
"""Compares the speed of two builds on a GPU, point by point, and fails if a routine became slower.

  bench/guard.sh OLD NEW                        two build folders, three minutes
  bench/guard.sh OLD NEW --csv guard.csv        writes every time to a file, too
  bench/guard.sh OLD NEW --only potrf,getrf --minutes 1
  bench/guard.sh OLD OLD                        how large is the noise on this machine?
  bench/guard.sh --check guard.csv              judges a file again; needs no GPU
  bench/guard.sh --list                         prints the commands and their points; needs no GPU
  bench/guard.sh OLD NEW --backend host         small batches on the CPU

A point is a routine, a precision, a regime (fill: 256 MB of matrices; b3000: 3,000 matrices) and a size. Every command
runs in both builds, in alternating order. A point's ratio is the speed of NEW over the speed of OLD, each from its
fastest run. The comparison fails if a ratio is below 0.90, if the geometric mean of a routine's ratios is below 0.95,
or if the mean of one size in one precision is below 0.95 over three regimes or more, which often share a kernel.
Points below a limit are measured again, at least once, before they count.

Noise is the difference between successive runs of one build at one point, from both builds: half of the differences
are smaller than the first number, 19 of 20 are smaller than the second.

When time is short, points have fewer runs, but no point is left out. Points that only one build has are named and
not compared.

Exit status: 0 fine, 1 NEW is slower or a result is wrong, 2 bad arguments or nothing to compare, 3 no GPU.
"""
import argparse
import collections
import csv
import dataclasses
import datetime
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace
from typing import NamedTuple

LEAST_MEAN, LEAST_POINT = 0.95, 0.90
LEAST_REGIMES = 3  # points that a size of one precision has at least if it is judged by its mean
FINE, SLOWER, UNUSABLE, NO_GPU = 0, 1, 2, 3
BUILDS = "old", "new"
ROUNDS_SHARE = 0.85  # of the time; the rest is for points that are measured again
MOST_REPETITIONS = 5  # of a point that is measured again
SOURCE = pathlib.Path(__file__).resolve().parent.parent
BENCH, SOLVER, OVERHEAD = "bench/talus-bench", "examples/multifrontal", "bench/talus-call-overhead"
LACKING = {BENCH: (2,), SOLVER: (2, 3), OVERHEAD: (1, 2)}  # exit statuses of a build that cannot run a command


class Point(NamedTuple):
    routine: str
    precision: str
    regime: str
    m: int
    n: int
    batch: int

    def size(self):
        return str(self.n) if self.m == self.n else f"{self.m}x{self.n}"

    def __str__(self):
        return f"{self.precision} {self.regime} {self.size()}"


# ---- the plan --------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Command:
    """A program with its fixed words, and options that have a list of values each."""
    program: str
    routine: str
    words: list
    axes: dict = dataclasses.field(default_factory=dict)
    points: int = 1  # for each combination of values
    times: int = 1   # runs in a round

    def count(self):
        return self.points * math.prod(len(values) for values in self.axes.values())

    def arguments(self):
        return self.words + [word for option, values in self.axes.items() for word in (option, ",".join(values))]

    def narrowed_to(self, points):
        """The command with only the values that these points have."""
        values_of = {"--precision": {p.precision for p in points}, "--sizes": {p.size() for p in points},
                     "--regime": {p.regime for p in points}, "--max": {str(p.n) for p in points}}
        axes = {o: [v for v in values if v in values_of[o]] or values for o, values in self.axes.items()}
        return dataclasses.replace(self, axes=axes)

    def __str__(self):
        return " ".join([pathlib.Path(self.program).name, *self.arguments()])


MAIN = "potrf", "getrf", "geqrf"  # in all precisions, with more regimes, and with few large matrices
TALL = "getrf", "geqrf", "getrf_nopiv", "ormqr", "orgqr", "gels", "qr"


# Sizes and batches of each backend. The tree is the nested dissection of a cube with edge `grid`.
SCALES = {
    "cuda": SimpleNamespace(
        fill="256MB", main="8,32,128", other="8,48,160", tall="256x16", few="512,1536", mixed="32,128,384",
        main_regimes="fill,b3000,b100,b10", other_regimes="fill,b3000,b10", few_regimes="b1,b8",
        mixed_batch=3000, grid=32,
        solver=("--poisson 24x24x24", "--elasticity 12x12x12 --factor lu", "--poisson 10x10x10 --systems 100")),
    "host": SimpleNamespace(
        fill="4MB", main="8,32", other="24", tall="64x16", few="192", mixed="48",
        main_regimes="fill,b10", other_regimes="b100", few_regimes="b1",
        mixed_batch=100, grid=10,
        solver=("--poisson 10x10x10", "--elasticity 4x4x4 --factor lu"))}


def fronts(grid):
    """Sizes of the fronts of a cube's nested dissection: {(level, n, k): count}. Level 0 has the leaves."""
    by_depth = collections.Counter()

    def dissect(box, inner, depth, count):
        """inner: for each axis the number of the box's two faces, 0 to 2, that touch a separator."""
        volume = math.prod(box)
        boundary = sum(faces * volume // edge for faces, edge in zip(inner, box))
        axis = box.index(max(box))
        if box[axis] <= 4:
            by_depth[depth, volume + boundary, volume] += count
            return
        separator = volume // box[axis]
        by_depth[depth, separator + boundary, separator] += count
        rest = box[axis] - 1
        for half, faces in ((rest // 2, min(1, inner[axis]) + 1), (rest - rest // 2, max(0, inner[axis] - 1) + 1)):
            dissect((*box[:axis], half, *box[axis + 1:]), (*inner[:axis], faces, *inner[axis + 1:]), depth + 1, count)

    dissect((grid,) * 3, (0,) * 3, 0, 1)
    deepest = max(depth for depth, _, _ in by_depth)
    return {(deepest - depth, n, k): count for (depth, n, k), count in sorted(by_depth.items(), reverse=True)}


def routines():
    """Names of all routines that talus-bench measures."""
    path = SOURCE / "measure/routines.hpp"
    names = re.findall(r"visit\(routine<(\w+)>\(\)\)", path.read_text())
    if not names:
        raise SystemExit(f"guard.sh: {path} names no routines")
    return names


def plan(backend, precisions="sdcz"):
    """All commands."""
    scale, commands = SCALES[backend], []

    def bench(routine, words=(), points=1, few=False, **axes):
        letters = [p for p in ("sdcz" if routine in MAIN and not few else "sd") if p in precisions]
        axes = {f"--{option}": values.split(",") for option, values in axes.items()}
        if letters:
            commands.append(Command(BENCH, routine, [routine, "--backend", backend, "--compare", "none", *words],
                                    {"--precision": letters, **axes}, points))

    for name in routines():
        if name.endswith("_vbatched"):
            bench(name, ["--batch", str(scale.mixed_batch)], max=scale.mixed)
            if "_partial" in name:
                levels = len({level for level, _, _ in fronts(scale.grid)})
                bench(name, ["--tree", f"grid_{scale.grid}.csv"], points=levels + 1)  # and their sum
            continue
        sizes = (scale.main if name in MAIN else scale.other) + (f",{scale.tall}" if name in TALL else "")
        regimes = scale.main_regimes if name in MAIN else scale.other_regimes
        bench(name, ["--bytes", scale.fill], sizes=sizes, regime=regimes)
        if name in MAIN:
            bench(name, few=True, sizes=scale.few + (",4096x32" if name in TALL else ""), regime=scale.few_regimes)
    for problem in scale.solver:
        commands.append(Command(SOLVER, "multifrontal",
                                ["--backend", backend, *problem.split(), "--repeats", "5"], points=2))
    return [*commands, Command(OVERHEAD, "call-overhead", [backend], points=4, times=3)]


# ---- output of the programs -----------------------------------------------------------------------------------------

def read_bench(path):
    """Times of talus in a file that talus-bench wrote."""
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["library"] == "talus":
                yield point_of(row), float(row["median_ms"])


def read_multifrontal(command, text):
    unknowns, ordering = int(re.search(r"(\d+) unknowns", text)[1]), re.search(r"^ordering (\w+)", text, re.M)[1]
    words = dict(zip(command.words[::2], command.words[1::2]))
    problem = next(f"{option[2:]}:{words[option]}" for option in ("--poisson", "--elasticity") if option in words)
    for step, label in ("factor", "factorization, all"), ("solve", "solve"):
        ms = float(re.search(rf"^{label}: ([\d.]+) ms", text, re.M)[1])
        yield Point("multifrontal", "d", f"{problem}:{ordering}:{step}", unknowns, unknowns,
                    int(words.get("--systems", 1))), ms


def read_overhead(text):
    for name, microseconds in re.findall(r"^(\w+) ([\d.]+)$", text, re.M):
        yield Point("call-overhead", "d", name, 2, 2, 1), float(microseconds) * 1e-3


def point_of(row):
    return Point(row["routine"], row["precision"], row["regime"], int(row["m"]), int(row["n"]), int(row["batch"]))


# ---- the judgement ---------------------------------------------------------------------------------------------------

class Times:
    """Milliseconds of all runs: times[point][build] is a list."""

    def __init__(self):
        self.by_point = collections.defaultdict(lambda: {build: [] for build in BUILDS})

    def add(self, build, point, ms):
        self.by_point[point][build].append(ms)

    def ratios(self):
        """The speed of NEW over the speed of OLD at every point that both have."""
        return {point: min(runs["old"]) / min(runs["new"]) for point, runs in self.by_point.items()
                if runs["old"] and runs["new"]}

    def differences(self, points):
        """Relative differences between successive runs of one build."""
        return [abs(math.log(b / a)) for point in points for runs in self.by_point[point].values()
                for a, b in zip(runs, runs[1:])]

    def missing(self):
        """Points that one build lacks: {(build, routine): points}."""
        found = collections.defaultdict(list)
        for point, runs in self.by_point.items():
            for build in BUILDS:
                if not runs[build]:
                    found[build, point.routine].append(point)
        return found


def by_routine(ratios):
    groups = collections.defaultdict(dict)
    for point, ratio in ratios.items():
        groups[point.routine][point] = ratio
    return groups


def judged_together(ratios):
    """Groups of points that are judged by their mean: {name: {point: ratio}}. A group is a routine, or a size in one
    precision, which often has the same kernel in all regimes."""
    of_routine, sizes = by_routine(ratios), collections.defaultdict(dict)
    for point, ratio in ratios.items():
        sizes[point.routine, f"{point.precision} {point.size()}"][point] = ratio
    return of_routine | {f"{routine} {size}": points for (routine, size), points in sizes.items()
                        if LEAST_REGIMES <= len(points) < len(of_routine[routine])}


def suspects(ratios):
    """Points below the limit, and all points of groups whose mean is below the limit: {point: ratio}."""
    found = {point: ratio for point, ratio in ratios.items() if ratio < LEAST_POINT}
    for points in judged_together(ratios).values():
        if statistics.geometric_mean(points.values()) < LEAST_MEAN:
            found.update(points)
    return found


def noise_of(differences):
    """The middle and the upper end of the differences: half, and 19 of 20, are not larger."""
    ordered = sorted(differences)
    return (statistics.median(ordered), ordered[math.ceil(0.95 * len(ordered)) - 1]) if ordered else None


def report(times):
    """Prints the comparison and returns the exit status."""
    ratios = times.ratios()
    for (build, routine), points in times.missing().items():
        more = f" and {len(points) - 4} more" if len(points) > 4 else ""
        print(f"not compared: {build.upper()} lacks {routine} {', '.join(map(str, points[:4]))}{more}")
    if not ratios:
        print("guard.sh: no point was measured in both builds", file=sys.stderr)
        return UNUSABLE
    print(f"{'routine':26} points  runs   noise  19 of 20   mean  worst  at")

    def line(name, points):
        worst = min(points, key=points.get)
        mean = statistics.geometric_mean(points.values())
        at = str(worst) if name != "all" else f"{worst.routine} {worst}"
        runs = min(len(times.by_point[point]["new"]) for point in points)
        noise = noise_of(times.differences(points))
        words = f"{noise[0]:6.1%} {noise[1]:9.1%}" if noise else f"{'unknown':>16}"
        print(f"{name:26} {len(points):6}  {runs:4}  {words} {mean:6.3f} {points[worst]:6.3f}  {at}")
        return noise

    slow = []
    for routine, points in by_routine(ratios).items():
        line(routine, points)
        for point, ratio in sorted(points.items(), key=lambda item: item[1]):
            if ratio < LEAST_POINT:
                old, new = (min(times.by_point[point][build]) for build in BUILDS)
                slow.append(f"{routine} {point}, batch {point.batch}: {ratio:.3f}, below {LEAST_POINT:.2f} "
                            f"({old:.4g} -> {new:.4g} ms; runs: {len(times.by_point[point]['new'])})")
    for name, points in judged_together(ratios).items():
        mean = statistics.geometric_mean(points.values())
        if mean < LEAST_MEAN:
            slow.append(f"{name}: geometric mean {mean:.3f} of {len(points)} points, below {LEAST_MEAN}")
    noise = line("all", ratios)
    print("mean (geometric), worst: the speed of NEW over the speed of OLD. noise: half of the differences between\n"
          "successive runs of one build are smaller. runs: the least of all points, from each build.")
    if noise and noise[1] > 1 - LEAST_POINT:
        print(f"Noise of {noise[1]:.0%} is larger than the limit for a point: the machine may be busy.")
    for text in slow:
        print("SLOWER  " + text)
    print("NEW is slower." if slow else "No routine is slower.")
    return SLOWER if slow else FINE


# ---- measuring -------------------------------------------------------------------------------------------------------

class Stop(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Comparison:
    """Runs commands in both builds and keeps the times."""

    def __init__(self, folders, minutes, file, work):
        self.folders = dict(zip(BUILDS, folders))
        self.start, self.seconds = time.monotonic(), 60 * minutes
        self.file, self.work, self.times = file, work, Times()
        self.command_of, self.cost, self.lacking = {}, {}, set()

    def write(self, text):
        print(text, file=self.file, flush=True)

    def has_time(self, key, share=1.0):
        return time.monotonic() - self.start + self.cost.get(key, 0) < share * self.seconds

    def run(self, build, command):
        """Points and times of one run; None where the build lacks the program or the routine."""
        program, result = self.folders[build] / command.program, self.work / "result.csv"
        result.unlink(missing_ok=True)
        to_file = ["--csv", result.name] if command.program == BENCH else []
        if not program.exists():
            print(f"{build.upper()} has no {command.program}")
            return None
        try:
            ended = subprocess.run([program, *command.arguments(), *to_file], cwd=self.work, text=True,
                                   capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Stop(SLOWER, f"{build.upper()}: {command} takes more than 300 s") from None
        except OSError as error:
            raise Stop(UNUSABLE, f"{build.upper()}: {error}") from None
        words = (ended.stderr.strip() or ended.stdout.strip() or "no output").splitlines()
        if ended.returncode == 3 and command.program == BENCH:
            raise Stop(NO_GPU, f"{build.upper()}: {words[-1]}")
        if ended.returncode in LACKING[command.program]:
            print(f"{build.upper()} cannot run '{command}': {words[0]}")
            return None
        if ended.returncode != 0:
            raise Stop(SLOWER, f"{build.upper()}: '{command}' ended with status {ended.returncode}:\n"
                       + "\n".join(ended.stdout.splitlines()[-20:] + words[-3:]))
        if command.program == OVERHEAD:
            return list(read_overhead(ended.stdout))
        if command.program == SOLVER:
            return list(read_multifrontal(command, ended.stdout))
        if not self.times.by_point:
            self.write("".join(line for line in result.open() if re.match("# (GPU|CPU|details)", line)).rstrip())
        return list(read_bench(result))

    def run_both(self, command, key, new_first):
        """One run of each build. key: the command's place in the plan."""
        begin = time.monotonic()
        for build in BUILDS[::-1] if new_first else BUILDS:
            found = self.run(build, command)
            if found is None:
                self.lacking.add(key)
            for point, ms in found or ():
                self.command_of[point] = key
                self.times.add(build, point, ms)
                self.write(",".join(map(str, (build, *point, f"{ms:.6g}"))))
        self.cost[key] = time.monotonic() - begin

    def rounds(self, commands, most):
        """Runs every command once, and again while time is left."""
        for number in range(most):
            for key, command in enumerate(commands):
                for repetition in range(command.times):
                    if key in self.lacking:
                        continue
                    if number > 0 and not self.has_time(key, ROUNDS_SHARE):
                        return
                    show(f"round {number + 1}, command {key + 1} of {len(commands)}: {command}")
                    self.run_both(command, key, new_first=(number + key + repetition) % 2 != 0)

    def measure_again(self, commands):
        """Runs the commands of suspects once, and again while time is left; the slowest come first."""
        for repetition in range(MOST_REPETITIONS):
            groups = collections.defaultdict(list)
            found = suspects(self.times.ratios())
            for point in sorted(found, key=found.get):
                groups[self.command_of[point]].append(point)
            if groups:
                print(f"points measured again: {len(found)}")
            for key, points in groups.items():
                if repetition > 0 and not self.has_time(key):
                    print("the time is up: --minutes gives more")
                    return
                show(f"again: {commands[key]}")
                self.run_both(commands[key].narrowed_to(points), key, new_first=repetition % 2 != 0)


def show(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)


def facts_of(folder):
    """Commit and precisions of a build."""
    try:
        text = subprocess.run([folder / BENCH, "--version"], text=True, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Stop(UNUSABLE, f"'{folder}' is no build folder with {BENCH}: {error}") from None
    facts = dict(re.findall(r"^(\w+): (.*)$", text, re.M))
    return facts.get("commit", "unknown"), facts.get("precisions", "s, d, c, z").split(", ")


def compare(options):
    folders = [pathlib.Path(options.old).resolve(), pathlib.Path(options.new).resolve()]
    commits, precisions = zip(*map(facts_of, folders))
    for build, letters in zip(BUILDS, precisions):
        for letter in [p for p in "sdcz" if p not in letters]:
            print(f"not compared: {build.upper()} lacks precision {letter}")
    commands = chosen(plan(options.backend, set(precisions[0]) & set(precisions[1])), options.only)
    with tempfile.TemporaryDirectory() as work, open(options.csv or os.devnull, "w") as file:
        scale = SCALES[options.backend]
        (pathlib.Path(work) / f"grid_{scale.grid}.csv").write_text(
            "level,n,k,count\n" + "".join(f"{level},{n},{k},{count}\n"
                                          for (level, n, k), count in fronts(scale.grid).items()))
        comparison = Comparison(folders, options.minutes, file, pathlib.Path(work))
        comparison.write("\n".join(f"# {build}: commit {commit}" for build, commit in zip(BUILDS, commits)))
        comparison.write(f"# command: bench/guard.sh {' '.join(sys.argv[1:])}")
        comparison.write(f"# date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M:%S} UTC")
        comparison.write(",".join(("build", *Point._fields, "ms")))
        comparison.rounds(commands, options.rounds)
        show("")
        comparison.measure_again(commands)
        show("")
        print(f"{time.monotonic() - comparison.start:.0f} s")
        return report(comparison.times)


def check(path):
    times = Times()
    try:
        with open(path, newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                if row["build"] not in BUILDS or not float(row["ms"]) > 0:
                    raise ValueError(f"a line with build '{row['build']}' and {row['ms']} ms")
                times.add(row["build"], point_of(row), float(row["ms"]))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise Stop(UNUSABLE, f"--check: '{path}' cannot be read: {error!r}") from None
    return report(times)


def chosen(commands, only):
    names = [*routines(), "multifrontal", "call-overhead"]
    for name in only:
        if name not in names:
            raise Stop(UNUSABLE, f"--only: '{name}' is none of {', '.join(names)}")
    return [command for command in commands if not only or command.routine in only]


def list_commands(options):
    commands = chosen(plan(options.backend), options.only)
    for command in commands:
        print(f"{command.count():4}  {command}")
    print(f"{sum(command.count() for command in commands)} points in {len(commands)} commands")
    return FINE


def main():
    parser = argparse.ArgumentParser(prog="bench/guard.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="?", metavar="OLD", help="build folder of the commit before")
    parser.add_argument("new", nargs="?", metavar="NEW", help="build folder of the changed commit")
    parser.add_argument("--csv", metavar="FILE", help="write all times to FILE")
    parser.add_argument("--minutes", type=float, default=3, help="time limit (3)")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], metavar="ROUTINE,..",
                        help="these routines, multifrontal or call-overhead")
    parser.add_argument("--rounds", type=int, default=9, metavar="N",
                        help="most runs of a point, unless it is measured again (9)")
    parser.add_argument("--backend", choices=SCALES, default="cuda", help="where to run (cuda)")
    parser.add_argument("--list", action="store_true", help="print the commands, each with its number of points")
    parser.add_argument("--check", metavar="FILE", help="judge a file that --csv wrote")
    options = parser.parse_args()
    try:
        if options.list:
            return list_commands(options)
        if options.check:
            return check(options.check)
        if not options.new:
            parser.error("two build folders are needed: OLD and NEW")
        if options.minutes <= 0 or options.rounds <= 0:
            parser.error("--minutes and --rounds are above 0")
        return compare(options)
    except Stop as stop:
        print(f"guard.sh: {stop}", file=sys.stderr)
        return stop.status
    except OSError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
