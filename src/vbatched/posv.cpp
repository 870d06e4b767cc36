#include "talus/vbatched.hpp"

#include "backends.hpp"
#include "validate.hpp"
#include "vbatched/work.hpp"

namespace talus {

template <class T>
int posv_vbatched(uplo uplo, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                  T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count, int n_max,
                  int nrhs_max, queue q) {
  const int status = check_system_vbatched(uplo, n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count,
                                           n_max, nrhs_max, q);
  if (status != 0 || batch_count == 0) return status;
  const variable_batch<T> A{A_array, n, n, lda, batch_count};
  const variable_batch<T> B{B_array, n, nrhs, ldb, batch_count};
  return q.where == backend::host ? host::posv(uplo, A, B, info_array, n_max, nrhs_max)
                                  : cuda::posv(uplo, A, B, info_array, n_max, nrhs_max, q);
}

template <class T>
std::size_t posv_vbatched_work(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

template int posv_vbatched(uplo, const int*, const int*, TALUS_T* const*, const int*, TALUS_T* const*,
                           const int*, int*, std::int64_t, int, int, queue);
template std::size_t posv_vbatched_work<TALUS_T>(int, int, std::int64_t) noexcept;

}  // namespace talus
