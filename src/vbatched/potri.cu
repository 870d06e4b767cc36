// Inverses from Cholesky factors of different sizes on the GPU: ordered by size, a block per matrix, each
// class of sizes with the widest panel whose rows fit in shared memory.
#include <algorithm>

#include "backends.hpp"
#include "batched/potri_panel.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

template <class T, int IB>
__global__ void __launch_bounds__(256)
    potri_panel_vbatched(std::int64_t first_block, uplo uplo, variable_batch<T> A, int* info_array, share s) {
  for_each_draw<256>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
    const int b = s.number(position);
    invert_in_panels<T, IB>(uplo, b, true, single<T>(A[b]), info_array);
  });
}

template <class T, int IB>
int launch_potri(int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q) {
  const int threads = std::clamp(ceil_div(n_max, 32) * 32, 32, 256);
  return launch_share<potri_panel_vbatched<T, IB>>(s, 1, A.count, dim3(static_cast<unsigned>(threads)),
                                                   potri_panel_bytes<T, IB>(n_max), 0, q, uplo, A, info);
}

}  // namespace

template <class T>
int potri(uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  using D = device_t<T>;
  matrix_check<T> check{A, n_max};
  std::size_t limit = 0;
  if (const int status = shared_memory_limit(limit)) return status;
  limit -= 1024;  // what a block needs for itself
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bound(check, q)) return status;
  if (potri_panel_bytes<D, 1>(check.n_max) > limit) return err_unsupported;
  class_bounds classes{1, {32}};  // twice as large each, up to the bound
  while (classes.n_max[classes.count - 1] < check.n_max) {
    classes.n_max[classes.count] = std::min(2 * classes.n_max[classes.count - 1], vbatched_last);
    if (classes.n_max[classes.count - 1] == vbatched_last) classes.n_max[classes.count] = check.n_max;
    ++classes.count;
  }
  return for_each_class(classes, check, info, q,
                        [&](int c, const matrix_check<T>& part, int* infos, const share& s) {
                          const int most = std::min(classes.n_max[c], std::max(1, check.n_max));
                          const auto dA = on_device(part.A);
                          if (potri_panel_bytes<D, 8>(most) <= limit)
                            return launch_potri<D, 8>(most, uplo, dA, infos, s, q);
                          if (potri_panel_bytes<D, 4>(most) <= limit)
                            return launch_potri<D, 4>(most, uplo, dA, infos, s, q);
                          if (potri_panel_bytes<D, 2>(most) <= limit)
                            return launch_potri<D, 2>(most, uplo, dA, infos, s, q);
                          return launch_potri<D, 1>(most, uplo, dA, infos, s, q);
                        });
}

template int potri(uplo, variable_batch<TALUS_T>, int*, int, queue);

}  // namespace talus::cuda
