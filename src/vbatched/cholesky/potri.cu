// Inverses from Cholesky factors of mixed sizes on the GPU: in order, a block per matrix, each class with the
// widest panel whose rows fit in shared memory.
#include <algorithm>

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potri_panel.cuh"
#include "vbatched/cholesky/check.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

template <class T>
using factors = mixed_sizes<cholesky::matrix_check<T>>;

template <class T, int IB>
__global__ void __launch_bounds__(256)
    potri_panel_vbatched(std::int64_t first_block, factors<T> source, int* info_array, uplo uplo) {
  source.template for_each_of_block<256>(first_block, info_array, [&](auto number, const single<T>& A) {
    cholesky::invert_in_panels<T, IB>(uplo, number(), true, A, info_array);
  });
}

template <int IB, class T>
int launch_potri(const factors<T>& source, uplo uplo, int* info, queue q) {
  const int threads = std::clamp(ceil_div(source.n_max(), 32) * 32, 32, 256);
  return launch_over<potri_panel_vbatched<T, IB>>(source, 1, dim3(static_cast<unsigned>(threads)),
                                                  panel_bytes<T, IB>(source.n_max()), 0, q, info, uplo);
}

/// Of the first class; each is twice as large as the one before it.
constexpr int first_bound = 32;

}  // namespace

template <>
int potri(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  using D = device_t<TALUS_T>;
  cholesky::matrix_check<TALUS_T> check{A, upto(n_max)};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = check.bounds[0];
  if (const int status = with_widest_panel<D>(largest, [](auto) { return 0; })) return status;
  extents<1> bounds[most_classes] = {upto(first_bound)};
  int classes = 1;
  for (; bounds[classes - 1][0] < largest; ++classes) bounds[classes] = upto(2 * bounds[classes - 1][0]);
  launches<cholesky::matrix_check<TALUS_T>> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const int most = std::min(bounds[each.c][0], std::max(1, largest));
    const factors<D> source{{on_device(each.part.A), upto(most)}, each.matrices, false};
    const int status = with_widest_panel<D>(
        most, [&](auto IB) { return launch_potri<IB>(source, uplo, each.info_of_part, q); });
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda
