// Factor and solve on the GPU: select a line of posv's table, launch its kernel: one launch while the matrix
// is on the chip, if it is small; else potrf, then potrs on the same stream.
#include <algorithm>
#include <utility>

#include "backends.hpp"
#include "posv_smem.cuh"
#include "posv_table.hpp"
#include "posv_warp.cuh"
#include "potrf_smem.cuh"
#include "potrf_thread.cuh"
#include "potrf_warp.cuh"

namespace talus::cuda {
namespace {

/// The most right-hand sides in one launch: in shared memory one, and a tile of others.
constexpr int posv_at_once_rhs = 1 + square_order;

/// potrf, then potrs. No flag passes from one to the other: where potrf fails it leaves a pivot that is not >
/// 0 on the diagonal, and potrs finds it there, skips the matrix and writes the same info again.
template <class T>
int one_after_the_other(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  const int status = potrf(uplo, A, info, q);
  return status != 0 ? status : potrs(uplo, read_only(A), B, info, q);
}

template <class T, int LINE>
int launch_line(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  using D = device_t<T>;
  constexpr potrf_line line = posv_tables::lines<T>[LINE];
  static_assert(!posv_objection(line, sizeof(T), any_gpu_limits), "run talus-tune --check on the table");
  if constexpr (line.family == potrf_family::apart) {
    return one_after_the_other(uplo, A, B, info, q);
  } else {
    const auto dA = on_device(A);
    const auto first = on_device(B.block(0, 0, A.n, std::min(B.n, posv_at_once_rhs)));
    int status = 0;
    if constexpr (line.family == potrf_family::smem) {
      status = launch_potrf_smem<D, line.rows>(line.nb, uplo, dA, info, q, solve_in_smem<D>{first});
    } else if constexpr (line.family == potrf_family::thread) {
      status = launch_potrf_thread<D, line.ib, line.threads, line.rows>(line.tbc, uplo, dA, info, q,
                                                                        solve_in_warp<D>{first});
    } else {
      status = launch_potrf_warp<D, line.family, line.threads, line.rows, line.nb>(
          line.tbc, uplo, dA, info, q, solve_in_warp<D>{first});
    }
    if (status != 0 || first.n == B.n) return status;
    return potrs(uplo, read_only(A), B.block(0, first.n, A.n, B.n - first.n), info, q);
  }
}

template <class T, std::size_t... LINE>
int launch_at(int line, uplo uplo, batch<T> A, batch<T> B, int* info, queue q, std::index_sequence<LINE...>) {
  using launcher = int (*)(talus::uplo, batch<T>, batch<T>, int*, queue);
  constexpr launcher launch[] = {launch_line<T, LINE>...};
  return launch[line](uplo, A, B, info, q);
}

}  // namespace

template <class T>
int posv_at(int line, uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  if (A.n == 0 || B.n == 0) return one_after_the_other(uplo, A, B, info, q);
  return launch_at(line, uplo, A, B, info, q, std::make_index_sequence<posv_tables::lines<T>.size()>{});
}

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  int line = 0;
  if (const int status = posv_tables::find<T>(A.n, A.count, line)) return status;
  return posv_at(line, uplo, A, B, info, q);
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);
template int posv_at(int, uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
