// Inverses from Cholesky factors of mixed sizes on the GPU: in order, a block per matrix, each class with the
// widest panel whose rows fit in shared memory.
#include <algorithm>

#include "backends.hpp"
#include "batched/cholesky/potri_panel.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

template <class T, int IB>
__global__ void __launch_bounds__(256)
    potri_panel_vbatched(std::int64_t first_block, mixed_sizes<T> source, int* info_array, uplo uplo) {
  source.template for_each_of_block<256>(first_block, info_array, [&](auto number, const single<T>& A) {
    cholesky::invert_in_panels<T, IB>(uplo, number(), true, A, info_array);
  });
}

template <class T, int IB>
int launch_potri(int n_max, uplo uplo, variable_batch<T> A, int* info, const subset& s, queue q) {
  const int threads = std::clamp(ceil_div(n_max, 32) * 32, 32, 256);
  return launch_over<potri_panel_vbatched<T, IB>>(
      mixed_sizes<T>{A, s, n_max, false}, 1, dim3(static_cast<unsigned>(threads)),
      cholesky::potri_panel_bytes<T, IB>(n_max), 0, q, info, uplo);
}

/// Of each class, each twice as large as the one before it.
constexpr int first_bound = 32;

}  // namespace

template <class T>
int potri(uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  using D = device_t<T>;
  matrix_check<T> check{A, upto(n_max)};
  std::size_t limit = 0;
  if (const int status = shared_memory_limit(limit)) return status;
  limit -= 1024;  // what a block needs for itself
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = check.bounds[0];
  if (cholesky::potri_panel_bytes<D, 1>(largest) > limit) return err_unsupported;
  extents<1> bounds[most_classes] = {upto(first_bound)};
  int classes = 1;
  for (; bounds[classes - 1][0] < largest; ++classes) bounds[classes] = upto(2 * bounds[classes - 1][0]);
  return for_each_class(bounds, classes, check, info, q,
                        [&](int c, const matrix_check<T>& part, int* infos, const subset& s) {
                          const int most = std::min(bounds[c][0], std::max(1, largest));
                          const auto dA = on_device(part.A);
                          if (cholesky::potri_panel_bytes<D, 8>(most) <= limit)
                            return launch_potri<D, 8>(most, uplo, dA, infos, s, q);
                          if (cholesky::potri_panel_bytes<D, 4>(most) <= limit)
                            return launch_potri<D, 4>(most, uplo, dA, infos, s, q);
                          if (cholesky::potri_panel_bytes<D, 2>(most) <= limit)
                            return launch_potri<D, 2>(most, uplo, dA, infos, s, q);
                          return launch_potri<D, 1>(most, uplo, dA, infos, s, q);
                        });
}

template int potri(uplo, variable_batch<TALUS_T>, int*, int, queue);

}  // namespace talus::cuda
