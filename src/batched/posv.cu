// Factor and solve on the GPU: in one launch while the matrix is on the chip, if it is small; else potrf,
// then potrs on the same stream.
#include <algorithm>
#include <utility>

#include "backends.hpp"
#include "posv_smem.cuh"
#include "posv_warp.cuh"
#include "potrf_smem.cuh"
#include "potrf_smem_ahead.cuh"
#include "potrf_table.hpp"
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

template <class D, int LANES, int ROWS>
int in_warp(int tbc, uplo uplo, batch<D> A, batch<D> B, int* info, queue q) {
  // All columns of the factor take more room than the two that potrf keeps; every GPU grants 48 KB.
  const auto bytes = [&](int matrices) {
    return static_cast<std::size_t>(matrices * potrf_warp_elements(sizeof(D), LANES, ROWS, uplo, true)) *
           sizeof(D);
  };
  while (bytes(tbc) > 48 * 1024 && tbc % 2 == 0 && tbc / 2 * LANES >= 32) tbc /= 2;
  constexpr bool late = LANES * ROWS > 4 && LANES * ROWS != 40;  // which is slower by a quarter
  return launch_potrf_warp<D, LANES, ROWS, late>(tbc, uplo, A, info, q, solve_in_warp<D>{B});
}

/// With the kernel that potrf would take, if there is one that also solves.
template <class T, int LINE>
int at_once(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  using D = device_t<T>;
  constexpr potrf_line line = potrf_lines<T>[LINE];
  const auto dA = on_device(A);
  const auto dB = on_device(B);
  constexpr bool small = line.threads == 32 && line.rows * square_order <= posv_at_once;  // smem
  if constexpr (line.family == potrf_family::warp || line.family == potrf_family::warp_late) {
    return in_warp<D, line.threads, line.rows>(line.tbc, uplo, dA, dB, info, q);
  } else if constexpr (line.family == potrf_family::thread && line.threads <= 32) {
    return launch_potrf_thread<D, line.ib, line.threads, line.rows>(line.tbc, uplo, dA, info, q,
                                                                    solve_in_warp<D>{dB});
  } else if constexpr (line.family == potrf_family::smem && small) {
    return launch_potrf_smem<D, line.rows>(uplo, dA, info, q, solve_in_smem<D>{dB});
  } else {
    if (A.n <= 4) return in_warp<D, 4, 1>(16, uplo, dA, dB, info, q);
    if (A.n <= 48) return launch_potrf_smem<D, 3>(uplo, dA, info, q, solve_in_smem<D>{dB});
    return launch_potrf_smem_ahead<D, 64, 3, posv_at_once>(uplo, dA, info, q, solve_in_smem<D>{dB});
  }
}

template <class T, std::size_t... LINE>
int at_once(int line, uplo uplo, batch<T> A, batch<T> B, int* info, queue q, std::index_sequence<LINE...>) {
  using launcher = int (*)(talus::uplo, batch<T>, batch<T>, int*, queue);
  constexpr launcher launch[] = {at_once<T, LINE>...};
  return launch[line](uplo, A, B, info, q);
}

#ifdef TALUS_SEARCH  // hundreds of lines, of which the tuner measures potrf
constexpr bool has_kernels = false;
#else
constexpr bool has_kernels = true;
#endif

}  // namespace

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  if constexpr (has_kernels) {
    if (A.n > 0 && A.n <= posv_at_once && B.n > 0) {
      int table = 0;
      if (const int status = find_table(potrf_gpus.data(), static_cast<int>(potrf_gpus.size()), table))
        return status;
      const int first = std::min(B.n, posv_at_once_rhs);
      const int line = potrf_select<T>(table, A.n, A.count);
      const int status = at_once(line, uplo, A, B.block(0, 0, A.n, first), info, q,
                                 std::make_index_sequence<potrf_lines<T>.size()>{});
      if (status != 0 || first == B.n) return status;
      return potrs(uplo, read_only(A), B.block(0, first, A.n, B.n - first), info, q);
    }
  }
  return one_after_the_other(uplo, A, B, info, q);
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
