// Factor and solve systems of mixed sizes on the GPU: getrf, then getrs. As for equal sizes, no flag passes
// between them: both leave alone what is illegal, getrf says so, and getrs sees on the diagonal of U where
// there is nothing to solve with.
#include "batched/lu/backends.hpp"
#include "batched/lu/getrf.cuh"
#include "gpu/launch.cuh"
#include "validate.hpp"
#include "vbatched/lu/getrf.hpp"

namespace talus::cuda {

template <>
int gesv(variable_batch<TALUS_T> A, vectors<int> ipiv, variable_batch<TALUS_T> B, int* info, int n_max,
         int nrhs_max, queue q) {
  // The solve would refuse the capture after the factorization was queued.
  int status = nrhs_max == unknown_bound ? refuse_capture(q) : 0;
  if (status == 0) status = getrf_of_systems(A, ipiv, B, info, n_max, nrhs_max, q);
  if (status != 0) return status;
  return getrs(op::none, read_only(A), read_only(ipiv), B, nullptr, n_max, nrhs_max, q);
}

}  // namespace talus::cuda
