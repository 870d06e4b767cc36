#include "talus/vbatched.hpp"

#include "backends.hpp"
#include "validate.hpp"
#include "vbatched/work.hpp"

namespace talus {

template <class T>
int potrf_vbatched(uplo uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                   std::int64_t batch_count, int n_max, queue q) {
  const int status = check_matrix_vbatched(uplo, n, A_array, lda, info_array, batch_count, n_max, q);
  if (status != 0 || batch_count == 0) return status;
  const variable_batch<T> A{A_array, n, n, lda, batch_count};
  return q.where == backend::host ? host::potrf(uplo, A, info_array, n_max)
                                  : cuda::potrf(uplo, A, info_array, n_max, q);
}

template <class T>
std::size_t potrf_vbatched_work(int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

template int potrf_vbatched(uplo, const int*, TALUS_T* const*, const int*, int*, std::int64_t, int, queue);
template std::size_t potrf_vbatched_work<TALUS_T>(int, std::int64_t) noexcept;

}  // namespace talus
