#!/usr/bin/env bash
# A tool's completions: every option of its help is in them, the shells that are here can read them, and bash's give what
# they should.  completion.sh TOOL
set -uo pipefail
tool=$1 name=$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { printf '%s\n' "$*"; failures=$((failures + 1)); }

"$tool" --help >"$work/help"
for shell in bash zsh fish; do
  "$tool" --completion $shell >"$work/$shell" || fail "--completion $shell: exit status $?"
  while read -r option; do
    [ $shell != fish ] || option="-l ${option#--}"
    grep -qE -- "(^|[ '])${option}( |=|\[|'|$)" "$work/$shell" || fail "$shell is not told of $option"
  done < <(grep -oE '^ +(-[a-z],)?--[a-z]+' "$work/help" | grep -oE -- '--[a-z]+')
  if command -v $shell >/dev/null; then $shell -n "$work/$shell" || fail "$shell cannot read its completions"; fi
done
grep -q -- '--completion' "$work/help" && fail "the help shows --completion, which is the build's"
"$tool" --completion tcsh >/dev/null 2>&1 && fail "--completion tcsh: was accepted"

# completes EXPECTED WORD...: the last word is the one that is completed
completes() {
  local expected=$1 COMP_WORDS COMP_CWORD COMPREPLY=()
  shift
  COMP_WORDS=("$name" "$@")
  COMP_CWORD=$#
  "_${name//-/_}" 2>/dev/null
  [ "${COMPREPLY[*]}" = "$expected" ] || fail "'$name $*' is completed to '${COMPREPLY[*]}', not '$expected'"
}
# shellcheck source=/dev/null
. "$work/bash"
completes 'host' --backend ho
completes 'host' --backend = ho
completes 's d c z' --precision ''
completes 'd,s d,d d,c d,z' --precision d,
completes '--help' --hel
completes '--version' --vers
completes '' --sizes ''
touch "$work/table.csv"
case $name in
  talus-bench)
    completes 'potrf potrf_vbatched potrf_partial_vbatched potrf_partial' potrf
    completes "$work/table.csv" --csv "$work/t"
    ;;
  talus-tune)
    completes "$work/table.csv" --plot "$work/t"
    completes '' --out "$work/t"
    completes "$work" --out "$work"
    ;;
esac
[ $failures = 0 ] || exit 1
