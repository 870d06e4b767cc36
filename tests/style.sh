#!/usr/bin/env bash
# Checks the style of all files in one language: tests/style.sh cpp | shell | python. Files that git ignores are left
# out. Exit status 1: a file violates the style; 77: the tool is missing. ./run test installs the tools.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:$PWD/build/style-env/bin  # ./run prepares this folder

skip() { echo "skipped: $*"; exit 77; }
needs() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

# find_files PATTERN...: sets files, which exist and match a pattern of git
find_files() {
  local listed file
  listed=$(git ls-files --cached --others --exclude-standard -- "$@") || skip "git lists no files"
  files=()
  while read -r file; do
    [ ! -f "$file" ] || files+=("$file")
  done <<<"$listed"
  [ ${#files[@]} -gt 0 ] || skip "git lists no files"
}

case ${1:-} in
  cpp)  # another version of clang-format breaks some lines differently
    for formatter in clang-format-14 clang-format "$PWD/build/style-env/bin/clang-format" ''; do
      [[ $("$formatter" --version 2>/dev/null) != *" version 14."* ]] || break
    done
    [ -n "$formatter" ] || skip "clang-format 14 is not installed"
    find_files '*.cpp' '*.hpp' '*.cu' '*.cuh' '*.c' '*.h'
    "$formatter" --dry-run -Werror "${files[@]}"
    ;;
  shell)  # scripts are found by their first line, as `run` has no suffix
    needs shellcheck
    find_files '*'
    mapfile -t files < <(awk 'FNR == 1 && /^#!.*sh( |$)/ {print FILENAME} {nextfile}' "${files[@]}")
    shellcheck "${files[@]}"
    ;;
  python)
    needs ruff
    find_files '*.py' '*.pyi'
    ruff check --no-cache --force-exclude --quiet "${files[@]}"
    ;;
  *) echo "usage: tests/style.sh cpp | shell | python" >&2; exit 2 ;;
esac
echo "$1: ${#files[@]} files"
