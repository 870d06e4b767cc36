// Solve with Cholesky factors of different sizes on the GPU: ordered by size, a block per matrix.
#include <algorithm>

#include "backends.hpp"
#include "batched/potrs_panel.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

constexpr std::size_t potrs_shared_bytes = 47 * 1024;  // every device grants that much

/// A block draws one matrix after the other, and solves for as many right-hand sides at a time as there is
/// room for.
template <class T, int THREADS>
__global__ void __launch_bounds__(THREADS > 128 ? THREADS : 128)
    potrs_panel_vbatched(std::int64_t first_block, uplo uplo, variable_batch<const T> A, variable_batch<T> B,
                         int* info_array, share s) {
  constexpr int IB = THREADS < 32 ? THREADS : 32, room = potrs_shared_bytes / sizeof(T) - IB * IB - IB;
  for_each_draw<THREADS>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
    const int b = s.number(position);
    const single<const T> L(A[b]);
    const single<T> X(B[b]);
    const int fit = room / L.n;
    const int columns = max(1, fit > 0 ? min(X.n, fit) : X.n);
    int first = 0;
    do {
      solve_columns<T, THREADS>(uplo, b, true, L, X, info_array, first, columns, fit > 0);
      __syncthreads();
      first += columns;
    } while (first < X.n);
  });
}

template <class T, int THREADS>
int launch_potrs(uplo uplo, variable_batch<const T> A, variable_batch<T> B, int* info, const share& s,
                 queue q) {
  return launch_share<potrs_panel_vbatched<T, THREADS>>(s, 1, A.count, dim3(THREADS), potrs_shared_bytes, 0,
                                                        q, uplo, A, B, info);
}

}  // namespace

template <class T>
int potrs(uplo uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
          queue q) {
  system_check<T> check{A, B, n_max, nrhs_max};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bound(check, q)) return status;
  const int bounds[] = {32, 64, any_n};
  class_bounds classes{1, {bounds[0], bounds[1], bounds[2]}};
  while (bounds[classes.count - 1] < check.n_max) ++classes.count;
  return for_each_class(classes, check, info, q,
                        [&](int c, const system_check<T>& part, int* infos, const share& s) {
                          const auto dA = on_device(part.A);
                          const auto dB = on_device(part.B);
                          if (c == 0) return launch_potrs<device_t<T>, 32>(uplo, dA, dB, infos, s, q);
                          if (c == 1) return launch_potrs<device_t<T>, 64>(uplo, dA, dB, infos, s, q);
                          return launch_potrs<device_t<T>, 256>(uplo, dA, dB, infos, s, q);
                        });
}

template int potrs(uplo, variable_batch<const TALUS_T>, variable_batch<TALUS_T>, int*, int, int, queue);

}  // namespace talus::cuda
