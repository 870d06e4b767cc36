// Inverses from the factors of LU factorizations of mixed sizes on the GPU: in order, a block per matrix,
// each class in shared memory, or with the widest panel whose rows fit there.
#include <algorithm>

#include "batched/lu/backends.hpp"
#include "batched/lu/getri_panel.cuh"
#include "vbatched/lu/check.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

template <class T>
using factors = mixed_sizes<ordered_matrices<const T>>;

template <class T, int IB, bool RESIDENT>
__global__ void __launch_bounds__(256)
    getri_panel_vbatched(std::int64_t first_block, factors<T> A, vectors<const int> ipiv, variable_batch<T> C,
                         int* info_array) {
  A.template for_each_of_block<256>(first_block, info_array, [&](auto number, const single<const T>& one) {
    const int b = number();
    lu::invert_in_panels<T, IB, RESIDENT>(true, one.A, ipiv[b], C[b],
                                          info_array != nullptr ? info_array + b : nullptr);
  });
}

/// Of the first class; each is twice as large as the one before it.
constexpr int first_bound = 32;

int invert(lu::inverse_check<TALUS_T> check, int* info, queue q) {
  using D = device_t<TALUS_T>;
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = std::max(1, check.bounds[0]);
  if (const int status = lu::with_getri_panel<D>(largest, [](auto, auto) { return 0; })) return status;
  extents<1> bounds[most_classes] = {upto(first_bound)};
  int classes = 1;
  for (; bounds[classes - 1][0] < largest; ++classes) bounds[classes] = upto(2 * bounds[classes - 1][0]);
  launches<lu::inverse_check<TALUS_T>> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const int most = std::min(bounds[each.c][0], largest);
    const int threads = std::clamp(ceil_div(most, 32) * 32, 32, 256);
    const factors<D> A{{on_device(each.part.A), upto(most)}, each.matrices, false};
    const int status = lu::with_getri_panel<D>(most, [&](auto IB, auto RESIDENT) {
      return launch_over<getri_panel_vbatched<D, IB, RESIDENT>>(
          A, 1, dim3(static_cast<unsigned>(threads)), lu::getri_bytes<D, IB, RESIDENT>(most), 0, q,
          each.part.ipiv, on_device(each.part.C), each.info_of_part);
    });
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace

template <>
int getri(variable_batch<TALUS_T> A, vectors<const int> ipiv, int* info, int n_max, queue q) {
  return invert({read_only(A), ipiv, A, true, upto(n_max)}, info, q);
}

template <>
int getri_outofplace(variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> C,
                     int* info, int n_max, queue q) {
  return invert({A, ipiv, C, false, upto(n_max)}, info, q);
}

}  // namespace talus::cuda
