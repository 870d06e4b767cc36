// Solve with Cholesky factors of mixed sizes on the GPU: in order, a block per matrix.
#include <algorithm>

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrs_panel.cuh"
#include "vbatched/cholesky/check.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

constexpr std::size_t potrs_shared_bytes = 47 * 1024;  // every device grants that much

template <class T>
using factors = mixed_sizes<cholesky::matrix_check<const T>>;

/// A block takes one matrix after the other off the queue, and solves for as many right-hand sides at a time
/// as there is room for.
template <class T, int THREADS>
__global__ void __launch_bounds__(THREADS > 128 ? THREADS : 128)
    potrs_panel_vbatched(std::int64_t first_block, factors<T> A, variable_batch<T> B, int* info_array,
                         uplo uplo) {
  constexpr int IB = THREADS < 32 ? THREADS : 32, room = potrs_shared_bytes / sizeof(T) - IB * IB - IB;
  A.template for_each_of_block<THREADS>(first_block, info_array, [&](auto number, const single<const T>& L) {
    const int b = number();
    const single<T> X(B[b]);
    const int fit = room / L.n;
    const int columns = max(1, fit > 0 ? min(X.n, fit) : X.n);
    int first = 0;
    do {
      cholesky::solve_columns<T, THREADS>(uplo, b, true, L, X, info_array, first, columns, fit > 0);
      __syncthreads();
      first += columns;
    } while (first < X.n);
  });
}

template <int THREADS, class T>
int launch_potrs(const factors<T>& L, variable_batch<T> X, uplo uplo, int* info, queue q) {
  return launch_over<potrs_panel_vbatched<T, THREADS>>(L, 1, dim3(THREADS), potrs_shared_bytes, 0, q, X, info,
                                                       uplo);
}

}  // namespace

template <>
int potrs(uplo uplo, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
          int nrhs_max, queue q) {
  cholesky::system_check<TALUS_T> check{A, B, upto(n_max), nrhs_max};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = check.bounds[0];
  const extents<1> bounds[] = {upto(32), upto(64), upto(any_extent)};
  int classes = 1;
  while (bounds[classes - 1][0] < largest) ++classes;
  launches<cholesky::system_check<TALUS_T>> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const factors<device_t<TALUS_T>> L{{on_device(each.part.A), check.bounds}, each.matrices, false};
    const auto X = on_device(each.part.B);
    const int status = each.c == 0   ? launch_potrs<32>(L, X, uplo, each.info_of_part, q)
                       : each.c == 1 ? launch_potrs<64>(L, X, uplo, each.info_of_part, q)
                                     : launch_potrs<256>(L, X, uplo, each.info_of_part, q);
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda
