// The sort of LU's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/lu.hpp"

namespace talus::cuda {

/// Any of the checks by which the sort is called.
struct lu_checks
    : one_of<lu::matrix_check<std::byte, float>, lu::system_check<std::byte>,
             lu::split_check<std::byte, float>, blas::systems_check<std::byte, lu::infos_of_getri>> {
  using one_of::one_of;
};
namespace lu {
lu_checks family_of(lu_checks);
}

template struct ordering<lu::matrix_check<std::byte, float>>;
template struct ordering<lu::system_check<std::byte>>;
template struct ordering<lu::split_check<std::byte, float>>;
template struct ordering<blas::systems_check<std::byte, lu::infos_of_getri>>;

}  // namespace talus::cuda
