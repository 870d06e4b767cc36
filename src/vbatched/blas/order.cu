// The sort of BLAS's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/blas.hpp"

namespace talus::cuda {

/// Any of the checks by which the sort is called.
struct blas_checks : one_of<blas::systems_check<std::byte, blas::infos_of_trsm>,
                            blas::systems_check<std::byte, blas::infos_of_solve>, blas::gemm_check<std::byte>,
                            blas::gemv_check<std::byte>> {
  using one_of::one_of;
};
namespace blas {
blas_checks family_of(blas_checks);
}

template struct ordering<blas::systems_check<std::byte, blas::infos_of_trsm>>;
template struct ordering<blas::systems_check<std::byte, blas::infos_of_solve>>;
template struct ordering<blas::gemm_check<std::byte>>;
template struct ordering<blas::gemv_check<std::byte>>;

}  // namespace talus::cuda
