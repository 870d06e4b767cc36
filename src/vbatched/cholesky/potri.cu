// Inverses from Cholesky factors of mixed sizes on the GPU: in order, a block per matrix, each class with the
// widest panel whose rows fit in shared memory.
#include <algorithm>

#include "batched/cholesky/backends.hpp"
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

template <int IB, class T>
int launch_potri(const mixed_sizes<T>& source, uplo uplo, int* info, queue q) {
  const int threads = std::clamp(ceil_div(source.bound, 32) * 32, 32, 256);
  return launch_over<potri_panel_vbatched<T, IB>>(source, 1, dim3(static_cast<unsigned>(threads)),
                                                  cholesky::potri_panel_bytes<T, IB>(source.bound), 0, q,
                                                  info, uplo);
}

/// Of the first class; each is twice as large as the one before it.
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
  schedule_maker<matrix_check<T>> order(check, bounds, classes, q);
  if (order.status != 0) return order.status;
  for (std::int64_t first = 0; first < A.count; first += schedule_most, info += schedule_most) {
    const matrix_check<T> part = check.part(first, std::min(schedule_most, A.count - first));
    if (const int status = order.make(part, info)) return status;
    for (int c = classes - 1; c >= 0; --c) {
      const int most = std::min(bounds[c][0], std::max(1, largest));
      const mixed_sizes<D> source{on_device(part.A), order.of_class(c), most, false};
      const int status =
          cholesky::potri_panel_bytes<D, 8>(most) <= limit   ? launch_potri<8>(source, uplo, info, q)
          : cholesky::potri_panel_bytes<D, 4>(most) <= limit ? launch_potri<4>(source, uplo, info, q)
          : cholesky::potri_panel_bytes<D, 2>(most) <= limit ? launch_potri<2>(source, uplo, info, q)
                                                             : launch_potri<1>(source, uplo, info, q);
      if (status != 0) return status;
    }
  }
  return 0;
}

template int potri(uplo, variable_batch<TALUS_T>, int*, int, queue);

}  // namespace talus::cuda
