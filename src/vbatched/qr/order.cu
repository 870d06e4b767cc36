// The sort of QR's matrices of mixed sizes on the GPU, for all precisions.
#include "vbatched/order.cuh"

#include <cstddef>

#include "checks/qr.hpp"

namespace talus::cuda {

/// Any of the checks by which the sort is called.
struct qr_checks : one_of<householder::matrix_check<std::byte>, householder::ormqr_check<std::byte>,
                          householder::orgqr_check<std::byte>, householder::gels_check<std::byte>,
                          householder::thin_check<std::byte>> {
  using one_of::one_of;
};
namespace householder {
qr_checks family_of(qr_checks);
}

template struct ordering<householder::matrix_check<std::byte>>;
template struct ordering<householder::ormqr_check<std::byte>>;
template struct ordering<householder::orgqr_check<std::byte>>;
template struct ordering<householder::gels_check<std::byte>>;
template struct ordering<householder::thin_check<std::byte>>;

}  // namespace talus::cuda
