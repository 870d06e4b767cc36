// Cholesky on the GPU: select a line of the table, launch its kernel. What the table names is what is
// instantiated.
#include <utility>

#include "backends.hpp"
#include "potrf_blocked.cuh"
#include "potrf_panel.cuh"
#include "potrf_smem.cuh"
#include "potrf_smem_ahead.cuh"
#include "potrf_table.hpp"
#include "potrf_thread.cuh"
#include "potrf_warp.cuh"

namespace talus::cuda {
namespace {

template <class T, int LINE>
int launch_line(uplo uplo, batch<T> A, int* info, queue q) {
  using D = device_t<T>;
  constexpr potrf_line line = potrf_tables::lines<T>[LINE];
  static_assert(!potrf_objection(line, sizeof(T), any_gpu_limits), "run talus-tune --check on the table");
  if constexpr (line.family == potrf_family::thread) {
    return launch_potrf_thread<D, line.ib, line.threads, line.rows>(line.tbc, uplo, on_device(A), info, q);
  } else if constexpr (is_warp(line.family)) {
    return launch_potrf_warp<D, line.family, line.threads, line.rows, line.nb>(line.tbc, uplo, on_device(A),
                                                                               info, q);
  } else if constexpr (line.family == potrf_family::smem) {
    if constexpr (line.threads == 32) {
      return launch_potrf_smem<D, line.rows>(line.nb, uplo, on_device(A), info, q);
    } else {
      return launch_potrf_smem_ahead<D, line.threads, line.rows, line.n_max>(uplo, on_device(A), info, q);
    }
  } else if constexpr (line.family == potrf_family::blocked) {
    return launch_potrf_blocked<D, line.nb, line.threads, line.rows>(uplo, on_device(A), info, q);
  } else if constexpr (line.family == potrf_family::panel_exclusive) {
    return launch_potrf_panel_exclusive<D, line.ib, line.threads, line.rows>(line.tbc, uplo, on_device(A),
                                                                             info, q);
  } else {
    return launch_potrf_panel_inclusive<D, line.ib, line.threads>(line.tbc, uplo, on_device(A), info, q);
  }
}

template <class T, std::size_t... LINE>
int launch_at(int line, uplo uplo, batch<T> A, int* info, queue q, std::index_sequence<LINE...>) {
  using launcher = int (*)(talus::uplo, batch<T>, int*, queue);
  constexpr launcher launch[] = {launch_line<T, LINE>...};
  return launch[line](uplo, A, info, q);
}

}  // namespace

template <class T>
int potrf_at(int line, uplo uplo, batch<T> A, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  return launch_at(line, uplo, A, info, q, std::make_index_sequence<potrf_tables::lines<T>.size()>{});
}

template <class T>
int potrf(uplo uplo, batch<T> A, int* info, queue q) {
  int line = 0;
  if (const int status = potrf_tables::find<T>(A.n, A.count, line)) return status;
  return potrf_at(line, uplo, A, info, q);
}

template int potrf(uplo, batch<TALUS_T>, int*, queue);
template int potrf_at(int, uplo, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
