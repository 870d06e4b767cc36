#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"
#include "host/potrf_ways.hpp"

namespace talus::host {

template <class T>
int potri(uplo uplo, batch<T> A, int* info) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  if (potri_range(lanes).covers(A.n, A.count)) {
    return over_groups(lanes, A.count, A.n, info, [&](std::int64_t first, int* infos, void* scratch) {
      lanes.potri(uplo, A.n, group<T>(A, first, lanes.width).of, A.lda, infos, scratch);
    });
  }
  return over_matrices(A.count, aligned_copy<T>::bytes(A.n), [&](std::int64_t b, void* scratch) {
    info[b] = invert_if_factored(uplo, A[b], scratch);
  });
}

template int potri(uplo, batch<TALUS_T>, int*);

}  // namespace talus::host
