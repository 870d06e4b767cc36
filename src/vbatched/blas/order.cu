// The sort of BLAS's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/blas.hpp"

namespace talus::cuda {

template struct ordering<blas::systems_check<std::byte, blas::infos_of_trsm>>;
template struct ordering<blas::systems_check<std::byte, blas::infos_of_solve>>;
template struct ordering<blas::gemm_check<std::byte>>;
template struct ordering<blas::gemv_check<std::byte>>;

}  // namespace talus::cuda
