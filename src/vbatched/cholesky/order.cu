// The sort of Cholesky's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/cholesky.hpp"

namespace talus::cuda {

template struct ordering<cholesky::matrix_check<std::byte>>;
template struct ordering<cholesky::system_check<std::byte>>;
template struct ordering<cholesky::front_check<std::byte>>;
template struct ordering<blas::systems_check<std::byte, cholesky::infos_of_potri>>;

}  // namespace talus::cuda
