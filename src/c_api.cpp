// The C names of every routine, for the one precision this file is compiled for.
#include <cstdint>

#include "talus/batched.hpp"
#include "talus/talus.h"
#include "talus/vbatched.hpp"

namespace {

using T = TALUS_T;

talus::uplo to_uplo(int letter) {  // A value that does not fit a char must not turn into a legal letter.
  return letter == TALUS_LOWER   ? talus::uplo::lower
         : letter == TALUS_UPPER ? talus::uplo::upper
                                 : talus::uplo{};
}

talus::queue to_queue(talus_queue q) {
  return {static_cast<talus::backend>(q.where), q.stream, q.work, q.work_bytes, q.options,
          {q.reserved[0], q.reserved[1]}};
}

}  // namespace

#define TALUS_JOIN_(s, name) talus_##s##name
#define TALUS_JOIN(s, name) TALUS_JOIN_(s, name)
#define TALUS_NAME(name) TALUS_JOIN(TALUS_PREFIX, name)

extern "C" {

int TALUS_NAME(potrf_batched)(int uplo, int n, T* const* A_array, int lda, int* info_array,
                              int64_t batch_count, talus_queue q) {
  return talus::potrf_batched(to_uplo(uplo), n, A_array, lda, info_array, batch_count, to_queue(q));
}
int TALUS_NAME(potrf_strided_batched)(int uplo, int n, T* A, int lda, int64_t stride_A, int* info_array,
                                      int64_t batch_count, talus_queue q) {
  return talus::potrf_strided_batched(to_uplo(uplo), n, A, lda, stride_A, info_array, batch_count,
                                      to_queue(q));
}
size_t TALUS_NAME(potrf_work)(int n, int64_t batch_count) { return talus::potrf_work<T>(n, batch_count); }

int TALUS_NAME(potri_batched)(int uplo, int n, T* const* A_array, int lda, int* info_array,
                              int64_t batch_count, talus_queue q) {
  return talus::potri_batched(to_uplo(uplo), n, A_array, lda, info_array, batch_count, to_queue(q));
}
int TALUS_NAME(potri_strided_batched)(int uplo, int n, T* A, int lda, int64_t stride_A, int* info_array,
                                      int64_t batch_count, talus_queue q) {
  return talus::potri_strided_batched(to_uplo(uplo), n, A, lda, stride_A, info_array, batch_count,
                                      to_queue(q));
}
size_t TALUS_NAME(potri_work)(int n, int64_t batch_count) { return talus::potri_work<T>(n, batch_count); }

int TALUS_NAME(potrs_batched)(int uplo, int n, int nrhs, T* const* A_array, int lda, T* const* B_array,
                              int ldb, int* info_array, int64_t batch_count, talus_queue q) {
  return talus::potrs_batched<T>(to_uplo(uplo), n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count,
                                 to_queue(q));
}
int TALUS_NAME(potrs_strided_batched)(int uplo, int n, int nrhs, const T* A, int lda, int64_t stride_A, T* B,
                                      int ldb, int64_t stride_B, int* info_array, int64_t batch_count,
                                      talus_queue q) {
  return talus::potrs_strided_batched<T>(to_uplo(uplo), n, nrhs, A, lda, stride_A, B, ldb, stride_B,
                                         info_array, batch_count, to_queue(q));
}
size_t TALUS_NAME(potrs_work)(int n, int nrhs, int64_t batch_count) {
  return talus::potrs_work<T>(n, nrhs, batch_count);
}

int TALUS_NAME(posv_batched)(int uplo, int n, int nrhs, T* const* A_array, int lda, T* const* B_array,
                             int ldb, int* info_array, int64_t batch_count, talus_queue q) {
  return talus::posv_batched<T>(to_uplo(uplo), n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count,
                                to_queue(q));
}
int TALUS_NAME(posv_strided_batched)(int uplo, int n, int nrhs, T* A, int lda, int64_t stride_A, T* B,
                                     int ldb, int64_t stride_B, int* info_array, int64_t batch_count,
                                     talus_queue q) {
  return talus::posv_strided_batched<T>(to_uplo(uplo), n, nrhs, A, lda, stride_A, B, ldb, stride_B,
                                        info_array, batch_count, to_queue(q));
}
size_t TALUS_NAME(posv_work)(int n, int nrhs, int64_t batch_count) {
  return talus::posv_work<T>(n, nrhs, batch_count);
}

int TALUS_NAME(potrf_vbatched)(int uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                               int64_t batch_count, int n_max, talus_queue q) {
  return talus::potrf_vbatched(to_uplo(uplo), n, A_array, lda, info_array, batch_count, n_max, to_queue(q));
}
size_t TALUS_NAME(potrf_vbatched_work)(int n_max, int64_t batch_count) {
  return talus::potrf_vbatched_work<T>(n_max, batch_count);
}

int TALUS_NAME(potri_vbatched)(int uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                               int64_t batch_count, int n_max, talus_queue q) {
  return talus::potri_vbatched(to_uplo(uplo), n, A_array, lda, info_array, batch_count, n_max, to_queue(q));
}
size_t TALUS_NAME(potri_vbatched_work)(int n_max, int64_t batch_count) {
  return talus::potri_vbatched_work<T>(n_max, batch_count);
}

int TALUS_NAME(potrs_vbatched)(int uplo, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                               T* const* B_array, const int* ldb, int* info_array, int64_t batch_count,
                               int n_max, int nrhs_max, talus_queue q) {
  return talus::potrs_vbatched<T>(to_uplo(uplo), n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count,
                                  n_max, nrhs_max, to_queue(q));
}
size_t TALUS_NAME(potrs_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count) {
  return talus::potrs_vbatched_work<T>(n_max, nrhs_max, batch_count);
}

int TALUS_NAME(posv_vbatched)(int uplo, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                              T* const* B_array, const int* ldb, int* info_array, int64_t batch_count,
                              int n_max, int nrhs_max, talus_queue q) {
  return talus::posv_vbatched<T>(to_uplo(uplo), n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count,
                                 n_max, nrhs_max, to_queue(q));
}
size_t TALUS_NAME(posv_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count) {
  return talus::posv_vbatched_work<T>(n_max, nrhs_max, batch_count);
}

}  // extern "C"
