#!/usr/bin/env bash
# Measures again what bench/results/<gpu> holds, each file by the command that its head names.
set -euo pipefail

usage() {
  cat <<'TXT'
usage: bench/record.sh TALUS-BENCH FOLDER [RECORD...]

  potrf           every precision, fill and b3000, against copy, cuSOLVER and the generic table
  potrf-upper     upper storage
  potrf-every-n   every size up to 256 in d and s
  posv            up to n = 64
  potrf_vbatched  uniform and Gaussian sizes up to 16 ... 1024, 3,000 matrices, against padding, groups, classes
  getrf           d and s, fill and b3000, against copy, cuBLAS and MAGMA
  getrf-complex   c and z, against copy
  getrf-every-n   every size up to 128 in d and s
  getrf-rectangles  tall and wide ones, 3,000 matrices
  getrf-loop      some sizes against cuSOLVER, one matrix after the other
  getrf_nopiv     without pivoting, d and s
  getrs gesv getri  solves with one right-hand side, and inverses in place and out of place, d and s
  potrs trsm potri  solves with one right-hand side, with one triangle or two, and inverses, d and s
  potrs-many getrs-many trsm-many  with 32 right-hand sides
  potrs-square getrs-square  with as many as n, n = 32, 64, 128
  posv-large gesv-large  from n = 48 to 512, and potrf and getrf beside them
  getrf_vbatched  uniform and Gaussian sizes, 3,000 matrices, against copy, classes and MAGMA
  geqrf           d and s, fill and b3000, against copy and cuBLAS
  geqrf-complex   c and z, against copy
  geqrf-rectangles  tall and wide ones, 3,000 matrices
  geqrf-loop      some sizes against cuSOLVER, one matrix after the other, and over 8 streams
  potrf-few       1, 4, 16 and 64 matrices of n = 256 to 8192 against cuSOLVER over 8 streams
  getrf-few       one matrix of up to 16,384 rows, square or tall, against cuSOLVER
  geqrf-few       20 to 640 matrices in single precision against cuSOLVER over 8 streams
  geqrf-tall      20 and 300 matrices of up to 16,384 rows and 64 columns against cuBLAS,
                  and cuSOLVER over 8 streams
  qr-tall gels-tall  20 of the same: Q and R, and least squares with one right-hand side against cuBLAS
  ormqr orgqr qr  Q^H applied to as many columns as A has, Q formed, Q and R; 3,000 matrices, d and s
  gels            least squares with one right-hand side, squares and tall ones, against copy and cuBLAS
  geqrf_vbatched  uniform and Gaussian sizes, 3,000 matrices, against copy and classes
  regimes         fill and b3000 of the routines whose records above have one of them, against cuBLAS
  trees           the fronts of assembly trees: every TREES/*.csv (default: ../shared/data/fronts, where that is there)
  potrf_partial-trees getrf_partial-trees  the columns that a multifrontal solver eliminates, of the four of these
                  trees that MAGMA's times are known of, against copy
  one_of_8000     one front of 8,000 rows among 100,000 of 4, and both alone, LU and Cholesky in double

All of them unless some are named; a file is replaced when its record is complete. FOLDER has a subfolder
for each family: cholesky, lu, qr and blas. sparse/multifrontal.txt is by examples/multifrontal/record.sh.

examples
  bench/record.sh build/release/bench/talus-bench bench/results/h200
  bench/record.sh build/release/bench/talus-bench bench/results/h200 potrf_vbatched trees
environment
  TREES   folder of assembly trees
  PEERS   other people's times for potrf_vbatched, talus-bench's --peers
TXT
}

[ $# -ge 2 ] || { usage >&2; exit 2; }
bench=$1 folder=$2
shift 2
[ -x "$bench" ] || { echo "record.sh: '$bench' is no program" >&2; exit 2; }
[ $# -gt 0 ] || set -- potrf potrf-upper potrf-every-n posv potrf_vbatched trees \
  getrf getrf-complex getrf-every-n getrf-rectangles getrf-loop getrf_nopiv getrs gesv getri getrf_vbatched \
  potrs trsm potri potrs-many getrs-many trsm-many potrs-square getrs-square posv-large gesv-large \
  potrf_partial-trees getrf_partial-trees one_of_8000 potrf-few getrf-few \
  geqrf geqrf-complex geqrf-rectangles geqrf-loop geqrf-few geqrf-tall qr-tall gels-tall \
  ormqr orgqr qr gels geqrf_vbatched regimes
mkdir -p "$folder"
unfinished=$(mktemp -d)
trap 'rm -rf "$unfinished"' EXIT
peers=()
[ -z "${PEERS:-}" ] || peers=(--peers "$PEERS")

around_64=48,64,65,80,96,128,192,256,384,512
squares=4,8,16,32,48,64,96,128,256,512
tall=1024x32,4096x32,16384x32,16384x64
rectangles=32x8,64x16,128x16,256x16,128x32,256x32,512x32,256x64,8x32,16x64,16x256,32x256,64x256

# family_of ROUTINE: the subfolder that holds its records
family_of() {
  case $1 in
    potr* | posv*) echo cholesky ;;
    getr* | gesv*) echo lu ;;
    ge* | or* | qr*) echo qr ;;
    *) echo blas ;;
  esac
}

# Hashes of the kernels of this program, for the heads of records: overview.py --stale compares them with a build's.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python3 "$here/kernels.py" list "$bench" --out "$unfinished/kernels.csv" ||
  echo "record.sh: without cuobjdump, records have no hashes of their kernels" >&2

# record NAME ROUTINE OPTION...: runs talus-bench and keeps its output if it ended well
record() {
  local name=$1 family hashes
  shift
  family=$(family_of "$1")
  printf '\n== %s/%s\n' "$family" "$name"
  "$bench" "$@" --csv "$unfinished/$name.csv"
  if [ -s "$unfinished/kernels.csv" ]; then
    hashes=$(python3 "$here/kernels.py" digest "$unfinished/kernels.csv" "$1")
    sed -i "1i # kernels: $hashes" "$unfinished/$name.csv"
  fi
  mkdir -p "$folder/$family"
  mv "$unfinished/$name.csv" "$folder/$family/$name.csv"
}

for what in "$@"; do
  case $what in
    potrf) record potrf potrf --precision d,s,c,z --regime fill,b3000 --repeats 9 --compare copy,cusolver,generic ;;
    potrf-upper) record potrf-upper potrf --precision d,s,c,z --uplo upper --compare none ;;
    potrf-every-n) record potrf-every-n potrf --precision d,s --sizes 2:256:1 --compare copy --repeats 5 ;;
    posv) record posv posv --precision d,s,c,z --sizes 2:64 --repeats 9 --compare none ;;
    potrf_vbatched)
      record potrf_vbatched potrf_vbatched --precision d,s --distribution uniform,gaussian --repeats 9 \
        --max 16,32,64,100,128,192,200,256,300,384,400,500,512,640,768,1024 \
        --compare copy,generic,padding,padding_copies,groups,classes "${peers[@]}"
      ;;
    getrf) record getrf getrf --precision d,s --regime fill,b3000 --compare copy,cublas,magma ;;
    getrf-complex) record getrf-complex getrf --precision c,z --compare copy ;;
    getrf-every-n) record getrf-every-n getrf --precision d,s --sizes 2:128:1 --compare none ;;
    getrf-rectangles)
      record getrf-rectangles getrf --precision d,s --regime b3000 --repeats 9 --compare copy,magma,generic \
        --sizes "$rectangles"
      ;;
    getrf-loop) record getrf-loop getrf --precision d,s --regime b3000 --sizes 16,32,64,128,256,512 --compare cusolver ;;
    getrf_nopiv) record getrf_nopiv getrf_nopiv --precision d,s --regime fill,b3000 --repeats 9 --compare copy,cublas,magma ;;
    getrs) record getrs getrs --precision d,s --repeats 5 --compare copy,cublas,cusolver ;;
    gesv) record gesv gesv --precision d,s,c,z --regime fill,b3000 --repeats 9 --compare copy,cublas,magma,generic ;;
    getri)
      record getri getri --precision d,s --regime fill,b3000 --repeats 9 --compare copy
      record getri_outofplace getri_outofplace --precision d,s --regime fill,b3000 --repeats 9 --compare copy,cublas,magma
      ;;
    potrs) record potrs potrs --precision d,s --repeats 5 --compare copy,cublas,cusolver ;;
    trsm) record trsm trsm --precision d,s --repeats 5 --compare copy,cublas ;;
    potri) record potri potri --precision d,s --repeats 5 --compare copy,cublas ;;
    potrs-many | getrs-many | trsm-many)
      record "$what" "${what%-many}" --nrhs 32 --precision d,s --repeats 5 --compare copy,cublas
      ;;
    potrs-square | getrs-square)
      for n in 32 64 128; do
        record "$what-$n" "${what%-square}" --nrhs $n --sizes $n --precision d,s --repeats 5 --compare copy,cublas
      done
      ;;
    posv-large)
      record potrf-beside-posv potrf --precision d,s --sizes "$around_64" --repeats 5 --compare none
      record posv-large posv --precision d,s --sizes "$around_64" --repeats 5 --compare none
      ;;
    gesv-large)
      record getrf-beside-gesv getrf --precision d,s --sizes "$around_64" --repeats 5 --compare none
      record gesv-large gesv --precision d,s --sizes "$around_64" --repeats 5 --compare none
      ;;
    getrf_vbatched)
      record getrf_vbatched getrf_vbatched --precision d,s --distribution uniform,gaussian \
        --max 16,32,64,100,128,192,256,384,512,768,1024 --compare copy,classes,magma "${peers[@]}"
      ;;
    geqrf)
      record geqrf geqrf --precision d,s --regime fill,b3000 --compare copy,cublas \
        --sizes 4,8,12,16,24,32,48,64,96,128,192,256,384,512
      ;;
    geqrf-complex) record geqrf-complex geqrf --precision c,z --compare copy --sizes 4:512 ;;
    geqrf-rectangles)
      record geqrf-rectangles geqrf --precision d,s --regime b3000 --repeats 9 --compare copy,cublas,generic \
        --sizes "$rectangles"
      ;;
    geqrf-loop)
      record geqrf-loop geqrf --precision d,s --regime b3000 --sizes 16,32,64,128,256,512 \
        --compare cusolver,cusolver_streams
      ;;
    potrf-few)
      record potrf-few potrf --precision d,s --regime b1,b4,b16,b64 --sizes 256,512,1024,2048,4096,8192 --repeats 5 \
        --compare cusolver_streams
      ;;
    getrf-few)
      record getrf-few getrf --precision d,s --regime b1 --repeats 5 --compare cusolver \
        --sizes 512,1024,2048,4096,8192,16384,2048x512,4096x1024,8192x2048,8192x512,16384x1024
      ;;
    geqrf-few)
      record geqrf-few geqrf --precision s --regime b20,b40,b60,b640 --sizes 32,176,352,512,1024 --repeats 5 \
        --compare cusolver_streams
      ;;
    geqrf-tall)
      record geqrf-tall geqrf --precision s,d --regime b20,b300 --sizes "$tall" --repeats 5 \
        --compare cublas,cusolver_streams
      ;;
    qr-tall) record qr-tall qr --precision s,d --regime b20 --sizes "$tall" --repeats 5 --compare none ;;
    gels-tall) record gels-tall gels --precision s,d --regime b20 --sizes "$tall" --repeats 5 --compare cublas ;;
    ormqr | orgqr | qr) record "$what" "$what" --precision d,s --regime b3000 --compare copy --sizes "$squares" ;;
    gels) record gels gels --precision d,s --regime b3000 --compare copy,cublas --sizes "$squares,50x20,64x16,256x32" ;;
    geqrf_vbatched)
      record geqrf_vbatched geqrf_vbatched --precision d,s --distribution uniform,gaussian \
        --max 16,32,64,128,256,512 --compare copy,classes
      ;;
    regimes)
      for routine in potrs posv potri trsm getrf_nopiv getrs gesv ormqr orgqr qr gels; do
        record "regimes-$routine" $routine --precision d,s --regime fill,b3000 --repeats 5 --compare cublas \
          --sizes "$squares"
      done
      ;;
    trees)
      [ -d "${TREES:=../shared/data/fronts}" ] || { echo "record.sh: trees: '$TREES' is not there, left out" >&2; continue; }
      trees=$(find "$TREES" -name '*.csv' | sort | sed 's/^/tree:/' | paste -sd,)
      record potrf_vbatched-trees potrf_vbatched --precision d --distribution "$trees" --max 4096 \
        --compare copy,generic,groups "${peers[@]}"
      ;;
    potrf_partial-trees | getrf_partial-trees)
      [ -d "${TREES:=../shared/data/fronts}" ] || { echo "record.sh: $what: '$TREES' is not there, left out" >&2; continue; }
      trees=$(printf '%s,' "$TREES"/{cholmod_p3d7_48,cholmod_amalg_p3d27_48,cholmod_amalg_el3d_32,cholmod_p2d5_1000}.csv)
      record "$what" "${what%-trees}" --precision d --tree "${trees%,}" --compare copy
      ;;
    one_of_8000)
      printf '%s\n' level,n,k,count 0,4,4,100000 0,8000,8000,1 1,4,4,100000 2,8000,8000,1 \
        >"$unfinished/one_of_8000.csv"
      for routine in potrf_partial getrf_partial; do
        record "one_of_8000-$routine" "$routine" --precision d --tree "$unfinished/one_of_8000.csv" --compare none
      done
      ;;
    *) usage >&2; echo "record.sh: no record '$what'" >&2; exit 2 ;;
  esac
done
