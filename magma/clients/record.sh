#!/usr/bin/env bash
# What the clients say with --bench, for bench/results/<gpu>/magma.txt: by Talus, and by MAGMA where its library is
# named. Trees that STRUMPACK and CHOLMOD have made are *.csv in a folder.
#
#   magma/clients/record.sh build/release/magma/clients [FOLDER OF TREES [PEERS.csv]]
#
# environment
#   ONLY     levels: the levels of trees alone, for bench/results/<gpu>/sparse/levels.txt
#   MAGMA    a shared library of MAGMA's: the clients of which it has all names run once more with it
#   COMMIT   of what is measured, where the machine has no git
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,10s/^# \?//p' "$0" >&2; exit 2; }
programs=$(realpath "$1") trees=$(realpath "${2:-../shared/data/fronts}") peers=${3:+$(realpath "$3")}

echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
echo "# commit: ${COMMIT:-$(git -C "$(dirname "$0")" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)}"
echo "# date: $(date -u '+%Y-%m-%d %H:%M:%S UTC')"
run() {
  printf '\n$ %s\n' "$*"
  "$programs/$1" "${@:2}" 2>&1 || echo "exit status $?"
}
cd "$trees"
for name in strumpack_p3d7_48 strumpack_p3d7_32 strumpackNDP_p3d7_48 strumpack_el3d_32; do
  run magma_strumpack_level --bench --tree $name.csv
done
for name in cholmod_p3d7_48 cholmod_p2d5_1000; do
  run magma_strumpack_level --bench --tree $name.csv ${peers:+--peers "$peers"}
done
[ "${ONLY:-}" != levels ] || exit 0
run magma_strumpack_level --bench --tree strumpack_p3d7_48.csv --precision s
run magma_superlu_batch --bench
for client in magma_mfem_lu magma_sundials_solver; do
  run $client --bench
  [ -n "${MAGMA:-}" ] || continue
  printf '\nby MAGMA:\n'
  LD_PRELOAD=$MAGMA run $client --bench
done
