// Factor and solve systems of mixed sizes on the GPU: potrf, then potrs. As for equal sizes, no flag
// passes between them; both leave alone what is illegal, and say so.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrf.cuh"
#include "gpu/launch.cuh"
#include "validate.hpp"
#include "vbatched/cholesky/potrf.hpp"

namespace talus::cuda {

template <>
int posv(uplo uplo, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max, int nrhs_max,
         queue q) {
  // The solve would refuse the capture after the factorization was queued.
  int status = nrhs_max == unknown_bound ? refuse_capture(q) : 0;
  if (status == 0) status = potrf_of_systems(uplo, A, B, info, n_max, nrhs_max, q);
  return status != 0 ? status : potrs(uplo, read_only(A), B, info, n_max, nrhs_max, q);
}

}  // namespace talus::cuda
