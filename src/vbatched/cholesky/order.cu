// The sort of Cholesky's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/cholesky.hpp"

namespace talus::cuda {

/// Any of the checks by which the sort is called.
struct cholesky_checks
    : one_of<cholesky::matrix_check<std::byte>, cholesky::system_check<std::byte>,
             cholesky::front_check<std::byte>, blas::systems_check<std::byte, cholesky::infos_of_potri>> {
  using one_of::one_of;
};
namespace cholesky {
cholesky_checks family_of(cholesky_checks);
}

template struct ordering<cholesky::matrix_check<std::byte>>;
template struct ordering<cholesky::system_check<std::byte>>;
template struct ordering<cholesky::front_check<std::byte>>;
template struct ordering<blas::systems_check<std::byte, cholesky::infos_of_potri>>;

}  // namespace talus::cuda
