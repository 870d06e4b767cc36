// Factor and solve on the GPU: select a line of posv's table, launch its kernel: one launch while the matrix
// is on the chip, if it is small; else potrf, then potrs on the same stream.
#include "batched/cholesky/posv.hpp"

#include <algorithm>

#include "backends.hpp"
#include "batched/cholesky/smem_solve.cuh"
#include "batched/cholesky/warp_solve.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {
namespace {

/// The most right-hand sides in one launch: in shared memory one, and a tile of others.
constexpr int fused_right_hand_sides = 1 + square_order;

/// potrf, then potrs. No flag passes from one to the other: where potrf fails it leaves a pivot that is not >
/// 0 on the diagonal, and potrs finds it there, skips the matrix and writes the same info again.
template <class T>
int potrf_then_potrs(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  const int status = potrf(uplo, A, info, q);
  return status != 0 ? status : potrs(uplo, read_only(A), B, info, q);
}

template <class D>
cholesky::solve_in_warp<D> epilogue_of(cholesky::warp, batch<D> B) {
  return {B};
}
template <class D>
cholesky::solve_in_smem<D> epilogue_of(cholesky::smem, batch<D> B) {
  return {B};
}

struct launch_posv {
  template <class Line, uplo UPLO, class T>
  static int line(Line line, stored_as<UPLO> stored, batch<T> A, batch<T> B, int* info, queue q) {
    using D = device_t<T>;
    if constexpr (std::is_same_v<decltype(Line::kernel), const cholesky::unfused>) {
      return potrf_then_potrs(UPLO, A, B, info, q);
    } else {
      const batch<T> first = B.block(0, 0, A.n, std::min(B.n, fused_right_hand_sides));
      const int status =
          cholesky::launch_family<D>(Line::kernel, line, stored, equal_sizes<D>{on_device(A)}, info, q,
                                     epilogue_of(Line::kernel, on_device(first)));
      if (status != 0 || first.n == B.n) return status;
      return potrs(UPLO, read_only(A), B.block(0, first.n, A.n, B.n - first.n), info, q);
    }
  }
};

}  // namespace

template <class T>
int posv_at(int line, uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  if (A.n == 0 || B.n == 0) return potrf_then_potrs(uplo, A, B, info, q);
  return dispatch<posv_tables, T, launch_posv>(line, uplo, A, B, info, q);
}

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  int table = 0;
  if (const int status = posv_tables::find(table)) return status;
  return posv_at(posv_tables::select<T>(table, upto(A.n, B.n), A.count), uplo, A, B, info, q);
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);
template int posv_at(int, uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
