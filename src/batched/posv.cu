// Factor and solve on the GPU: potrf, then potrs on the same stream.
#include "backends.hpp"

namespace talus::cuda {

/// No flag passes from one to the other: where potrf fails it leaves a pivot that is not > 0 on the diagonal,
/// and potrs finds it there, skips the matrix and writes the same info again.
template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  const int status = potrf(uplo, A, info, q);
  return status != 0 ? status : potrs(uplo, read_only(A), B, info, q);
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
