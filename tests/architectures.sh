#!/usr/bin/env bash
# Compiles potrf and getrf in double precision for GPUs other than the GPU of this machine. It shows that the kernels
# compile, not that they run. Run it by hand; it needs nvcc and takes 4 minutes on 16 cores, an hour on two.
#
#   tests/architectures.sh [COMPUTE-CAPABILITY...]      75 80 100 120
#   JOBS, TALUS_CMAKE_ARGS                              as for ./run
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- 75 80 100 120
failed=()
for capability in "$@"; do
  folder=build/sm_$capability
  mkdir -p build
  SECONDS=0
  # shellcheck disable=SC2086  # TALUS_CMAKE_ARGS is meant to be split
  if cmake -S . -B "$folder" -G Ninja -DTALUS_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=$capability-real" \
       -DTALUS_PRECISIONS=d "-DTALUS_ROUTINES=potrf;getrf" -DTALUS_LANES=native "-DTALUS_SHARDS=${JOBS:-$(nproc)}" \
       -DTALUS_BUILD_TESTS=OFF -DTALUS_BUILD_BENCH=OFF -DTALUS_BUILD_TUNE=OFF -DTALUS_BUILD_EXAMPLES=OFF \
       -DTALUS_BUILD_MAGMA=OFF -DTALUS_WERROR=ON ${TALUS_CMAKE_ARGS:-} >"$folder.log" 2>&1 &&
     cmake --build "$folder" ${JOBS:+--parallel "$JOBS"} --target talus -- -k 0 >>"$folder.log" 2>&1; then
    printf 'sm_%s: compiled in %d s, libtalus.so has %d MB\n' "$capability" $SECONDS \
      $(($(stat -Lc %s "$folder"/libtalus.so) / 1000000))
  else
    printf 'sm_%s: FAILED, the last lines of %s:\n' "$capability" "$folder.log"
    tail -n 5 "$folder.log"
    failed+=("$capability")
  fi
done
[ ${#failed[@]} = 0 ] || { echo "not compiled: ${failed[*]}" >&2; exit 1; }
