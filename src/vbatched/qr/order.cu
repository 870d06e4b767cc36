// The sort of QR's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/qr.hpp"

namespace talus::cuda {

template struct ordering<householder::matrix_check<std::byte>>;
template struct ordering<householder::ormqr_check<std::byte>>;
template struct ordering<householder::orgqr_check<std::byte>>;
template struct ordering<householder::gels_check<std::byte>>;
template struct ordering<householder::thin_check<std::byte>>;

}  // namespace talus::cuda
