#!/usr/bin/env bash
# Shows what compute-sanitizer reports of patterns that are right, and of the same patterns with a race:
#
#   tests/racecheck/run.sh [FOLDER OF NVCC] [FOLDER OF PROGRAMS]
#
# Each pattern is a kernel of about 20 lines. A pattern stands here because racecheck or synccheck reports it in a
# kernel of the library, and the report was taken for false. Exit status 1: a program printed a wrong result, or a
# race was not reported; 3: there is no GPU.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
nvcc=${1:-/usr/local/cuda/bin}/nvcc folder=${2:-$(mktemp -d)}
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "racecheck/run.sh: there is no NVIDIA GPU on this machine" >&2; exit 3; }

# reports PROGRAM TOOL [OPTION...]: the number of errors and warnings
reports() { "$sanitizer" --tool "${@:2}" "$1" 2>&1 | grep -c '^========= \(Error\|Warning\|Barrier\)' || true; }

status=0
printf '%-14s %-10s %10s %10s\n' pattern version racecheck synccheck
for source in "$here"/*.cu; do
  pattern=$(basename "$source" .cu)
  for version in right race; do
    program=$folder/$pattern-$version flags=()
    [ $version = right ] || flags=(-DRACE)
    [ -x "$program" ] || "$nvcc" -arch=native -lineinfo "${flags[@]}" -o "$program" "$source"
    if [ $version = right ]; then "$program" || { echo "$pattern: wrong result" >&2; status=1; }; fi
    races=$(reports "$program" racecheck --racecheck-report all) barriers=$(reports "$program" synccheck)
    printf '%-14s %-10s %10s %10s\n' "$pattern" $version "$races" "$barriers"
    [ $version = right ] || [ "$races" -gt 0 ] || { echo "$pattern: the race was not reported" >&2; status=1; }
  done
done
exit $status
