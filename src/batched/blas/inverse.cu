// Inverses of large matrices by threads, compiled once for potri and getri, of one size and of mixed sizes.
#include "batched/blas/pieces/inverse.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

template <>
int blas::launch_thin_inverse(const either_systems<D>& systems, int n, int* info, queue q,
                              const solve_plan<D>& plan) {
  std::size_t limit = 0;
  if (const int status = shared_memory_for_inverse(limit)) return status;
  const dim3 threads(threads_of_thin_inverse);
  if (thin_bytes<D, 4>(n) <= limit)
    return launch_whole_systems<invert_by_threads<D, 4>>(systems, threads, thin_bytes<D, 4>(n), q, info,
                                                         plan);
  if (thin_bytes<D, 1>(n) <= limit)
    return launch_whole_systems<invert_by_threads<D, 1>>(systems, threads, thin_bytes<D, 1>(n), q, info,
                                                         plan);
  return err_unsupported;
}

}  // namespace talus::cuda
