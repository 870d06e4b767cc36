#!/usr/bin/env bash
# Runs multifrontal on the problems of docs/multifrontal.md, for bench/results/<machine>/sparse/multifrontal.txt.
# Without a GPU it runs one problem on the host.
#
#   examples/multifrontal/record.sh build/release/examples/multifrontal [FOLDER OF MATRICES]
#
#   COMPARE=cudss   compares with cuDSS instead of the CPU, for multifrontal-cudss.txt
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7s/^# \?//p' "$0" >&2; exit 2; }
program=$(realpath "$1") matrices=${2:-../shared/data/matrices} peer=${COMPARE:-cpu}
also=()  # for the problems that are compared with cuDSS alone
[ "$peer" = cpu ] || also=(--compare "$peer")

has_gpu=$(nvidia-smi -L >/dev/null 2>&1 && echo yes || echo no)
[ "$has_gpu" = no ] || echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
echo "# CPU: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) cores"
echo "# commit: $(git -C "$(dirname "$0")" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)"
echo "# date: $(date -u '+%Y-%m-%d %H:%M:%S UTC')"
run() {
  printf '\n$ multifrontal %s\n' "$*"
  "$program" "$@" 2>&1 | grep -vE ': [0-9]+ of [0-9]+$' || echo "exit status $?"  # without progress
}
[ "$has_gpu" = yes ] || { run --backend host --poisson 32x32x32 --compare cpu; exit; }
run --poisson 48x48x48 --compare "$peer"
run --elasticity 24x24x24 --compare "$peer"
run --poisson 12x12x12 --systems 1000 --compare "$peer"
run --poisson 48x48x48 --rhs 32 "${also[@]}"
run --poisson 1000x1000 "${also[@]}"
run --poisson 24x24x24 --factor lu --compare "$peer"
run --poisson 48x48x48 --factor lu "${also[@]}"
cd "$matrices"
for name in bcsstk16 4elt_laplacian 1138_bus bcsstk13 add32_big; do run --matrix $name.mtx --compare "$peer"; done
run --matrix SiH4.mtx "${also[@]}"
run --matrix SiH4.mtx --factor lu "${also[@]}"
run --matrix matrix_ACTIVSg200_AC.mtx --factor lu "${also[@]}"
