#!/usr/bin/env bash
# Counts the reports of compute-sanitizer on correct patterns, and on the same patterns with a race:
#
#   tests/racecheck/run.sh
#
# Each pattern is a kernel of about 20 lines. racecheck or synccheck reports this pattern in a kernel of the
# library, although the kernel is correct. Exit status 1: a program computed a wrong result, or racecheck did
# not report a race; 3: there is no GPU.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "racecheck/run.sh: there is no NVIDIA GPU on this machine" >&2; exit 3; }

# reports PROGRAM TOOL [OPTION...]: the number of errors and warnings
reports() { "$sanitizer" --tool "${@:2}" "$1" 2>&1 | grep -c '^========= \(Error\|Warning\|Barrier\)' || true; }

status=0
printf '%-14s %-10s %10s %10s\n' pattern version racecheck synccheck
for source in "$here"/*.cu; do
  pattern=$(basename "$source" .cu)
  for version in correct race; do
    program=$folder/$pattern-$version flags=()
    [ $version = correct ] || flags=(-DRACE)
    "$nvcc" -arch=native -lineinfo "${flags[@]}" -o "$program" "$source"
    if [ $version = correct ]; then "$program" || { echo "$pattern: wrong result" >&2; status=1; }; fi
    races=$(reports "$program" racecheck --racecheck-report all) barriers=$(reports "$program" synccheck)
    printf '%-14s %-10s %10s %10s\n' "$pattern" $version "$races" "$barriers"
    [ $version = correct ] || [ "$races" -gt 0 ] || { echo "$pattern: the race was not reported" >&2; status=1; }
  done
done
exit $status
