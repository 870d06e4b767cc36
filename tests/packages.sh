#!/usr/bin/env bash
# Makes the Debian packages, of the host backend alone, and tests them in a fresh Debian of this machine's release: they
# install, the tools run, CMake and pkg-config find the library, Python imports it. As root, on Debian, with mmdebstrap;
# the packages come through apt, from where this machine's do.
#
#   tests/packages.sh [FOLDER]      where to build: build/packages
#   TALUS_CMAKE_ARGS, JOBS          as for ./run
set -euo pipefail

say() { printf '\n== %s\n' "$*"; }

# ---- inside the fresh system, where the packages and tests/install lie in /packages ----------------------------------
if [ "${1:-}" = --inside ]; then
  export DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes OMP_WAIT_POLICY=passive
  [ -z "${2:-}" ] || export OPENBLAS_CORETYPE=$2
  cd /packages
  install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

  say "the tools"
  install ./libtalus0.1_*.deb ./talus-tools_*.deb
  talus-bench --version
  talus-tune --explain potrf d 96 --gpu 'NVIDIA H200' | grep 'measured:'  # finds the tables
  ls /usr/share/doc/talus-tools/copyright >/dev/null

  say "find_package"
  install ./libtalus-dev_*.deb g++ cmake make
  cmake -S install -B cxx >/dev/null
  cmake --build cxx >/dev/null
  for user in shared_user static_user c_user; do cxx/$user; done
  cmake -S install/c -B c >/dev/null
  cmake --build c >/dev/null
  for user in c_talus_user c_static_user; do c/$user; done

  say "pkg-config"
  install pkg-config
  flags=$(pkg-config --cflags --libs talus)
  # shellcheck disable=SC2086  # they are flags
  cc install/main.c $flags -o plain_c && ./plain_c
  # shellcheck disable=SC2086
  c++ -std=c++17 install/main.cpp $flags -o plain_cxx && ./plain_cxx

  say "Python"
  if compgen -G 'python3-talus_*.deb' >/dev/null; then
    install ./python3-talus_*.deb python3-numpy
    python3 -c '
import numpy, talus
a, info = numpy.array([[[4.0, 2.0], [2.0, 5.0]]] * 3), numpy.ones(3, numpy.int32)
factor = numpy.linalg.cholesky(a)
assert numpy.allclose(talus.linalg.cholesky(a), factor)
talus.potrf("lower", a, info)
assert not info.any() and numpy.allclose(numpy.tril(a), factor), a'
  else
    echo "skipped: python3-talus was not built, because no Python with nanobind was found"
  fi

  say "removing"
  apt-get purge -y -qq libtalus0.1 talus-tools >/dev/null
  left=$(find /usr -name '*talus*')
  [ -z "$left" ] || { printf 'left behind:\n%s\n' "$left"; exit 1; }
  exit 0
fi

# ---- here ------------------------------------------------------------------------------------------------------------
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/packages}")
# shellcheck source=/dev/null
. /etc/os-release

say "building in $folder"
python=()  # of the system: packages of Debian's release are of its Python
if /usr/bin/python3 -m nanobind --cmake_dir >/dev/null 2>&1; then
  python=(-DTALUS_BUILD_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3)
elif /usr/bin/python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install -q nanobind typing_extensions; then
  python=(-DTALUS_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$folder/venv/bin/python")
fi
# shellcheck disable=SC2086  # TALUS_CMAKE_ARGS is meant to be split
cmake -S . -B "$folder" -G Ninja -DTALUS_CUDA=OFF -DCMAKE_INSTALL_PREFIX=/usr -DTALUS_BUILD_TESTS=OFF \
  -DTALUS_BUILD_EXAMPLES=OFF "${python[@]}" \
  ${TALUS_CMAKE_ARGS:-} >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
cmake --build "$folder" ${JOBS:+--parallel "$JOBS"}
rm -rf "$folder/made"
for generator in DEB TGZ; do
  (cd "$folder" && cpack -G $generator -B made) >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
done
ls "$folder"/made/*.deb "$folder"/made/*.tar.gz

say "testing in a fresh $PRETTY_NAME"
mkdir -p "$folder/made/packages"
cp -r "$folder"/made/*.deb tests/install tests/packages.sh "$folder/made/packages"
sources=/etc/apt/sources.list.d/debian.sources
[ -r $sources ] || sources=/etc/apt/sources.list
# OpenBLAS takes some newer CPUs for old ones, and crashes on them (docs/guide/build.md).
core=${OPENBLAS_CORETYPE:-$(grep -qm1 avx2 /proc/cpuinfo && echo Haswell)}
mmdebstrap --quiet --variant=apt --format=null \
  --customize-hook="copy-in $folder/made/packages /" \
  --customize-hook="chroot \"\$1\" bash /packages/packages.sh --inside $core" \
  "$VERSION_CODENAME" /dev/null $sources
say "the packages are fine"
