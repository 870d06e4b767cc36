// The kernels of by_threads: compiled once for potri and getri, and for one size and mixed sizes.
#include "batched/blas/pieces/inverse.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

template <>
int blas::launch_thin_inverse(int columns, const either_systems<D>& systems, int n, int* info, queue q,
                              const solve_plan<D>& plan) {
  const dim3 threads(threads_of_thin_inverse);
  const std::size_t bytes = thin_bytes<D>(n, columns);
  return columns == 4 ? launch_whole_systems<invert_by_threads<D, 4>>(systems, threads, bytes, q, info, plan)
                      : launch_whole_systems<invert_by_threads<D, 1>>(systems, threads, bytes, q, info, plan);
}

}  // namespace talus::cuda
