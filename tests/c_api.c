/* Calls the library from C99, in every precision of this build: A = [4 2; 2 2] has the factor [2 0; 1 1]. */
#include <stddef.h>

#include "talus/talus.h"

int talus_test_c_api(void);

#define CHECK(number, condition) \
  if (!(condition)) return number

#define CHECK_PRECISION(first, p, T)                                                                        \
  do {                                                                                                      \
    T A[8] = {4, 2, -7, 2, 4, 2, -7, 2};                                                                    \
    T B[4] = {6, 4, 6, 4}; /* A times (1, 1) */                                                             \
    T* A_array[2] = {A, A + 4};                                                                             \
    T* B_array[2] = {B, B + 2};                                                                             \
    int info[2] = {9, 9};                                                                                   \
    const talus_queue q = talus_queue_host();                                                               \
    CHECK(first + 1, talus_##p##potrf_strided_batched(TALUS_LOWER, 2, A, 2, 4, info, 2, q) == 0);           \
    CHECK(first + 2, info[0] == 0 && info[1] == 0 && A[0] == 2 && A[1] == 1 && A[2] == -7 && A[3] == 1);    \
    CHECK(first + 3, talus_##p##potrs_batched(TALUS_LOWER, 2, 1, A_array, 2, B_array, 2, info, 2, q) == 0); \
    CHECK(first + 4, B[0] == 1 && B[1] == 1 && B[2] == 1 && B[3] == 1);                                     \
    CHECK(first + 5,                                                                                        \
          talus_##p##potrs_strided_batched(TALUS_LOWER, 2, 1, A, 2, 4, B, 2, 2, info, 2, q) == 0);          \
    CHECK(first + 6, talus_##p##potri_batched(TALUS_LOWER, 2, A_array, 2, info, 1, q) == 0 && A[3] == 1);   \
    CHECK(first + 7,                                                                                        \
          talus_##p##potri_strided_batched(TALUS_LOWER, 2, A + 4, 2, 4, info, 1, q) == 0 && A[7] == 1);     \
    A[0] = A[4] = 4, A[1] = A[5] = 2, A[3] = A[7] = 2, B[0] = B[2] = 6, B[1] = B[3] = 4;                    \
    CHECK(first + 8, talus_##p##posv_batched(TALUS_LOWER, 2, 1, A_array, 2, B_array, 2, info, 1, q) == 0);  \
    CHECK(first + 9, B[0] == 1 && B[2] == 6);                                                               \
    CHECK(first + 10,                                                                                       \
          talus_##p##posv_strided_batched(TALUS_LOWER, 2, 1, A + 4, 2, 4, B + 2, 2, 2, info, 1, q) == 0);   \
    CHECK(first + 11, B[2] == 1 && B[3] == 1);                                                              \
    CHECK(first + 12, talus_##p##potrf_batched(TALUS_LOWER, -1, A_array, 2, info, 2, q) == -2);             \
    CHECK(first + 13, talus_##p##potrf_batched('X', 2, A_array, 2, info, 2, q) == -1);                      \
    CHECK(first + 14, talus_##p##potrf_batched('L' + 256, 2, A_array, 2, info, 2, q) == -1);                \
    CHECK(first + 15, talus_##p##potrf_work(2, 2) == 0 && talus_##p##potrs_work(2, 1, 2) == 0);             \
    CHECK(first + 16, talus_##p##posv_work(2, 1, 2) == 0 && talus_##p##potri_work(2, 2) == 0);              \
    const int n[2] = {2, 1}, k[2] = {1, 1}, ld[2] = {2, 1};                                                 \
    A[0] = A[4] = 4, A[1] = A[3] = 2, B[0] = 6, B[1] = 4, B[2] = 8, B[3] = -7;                              \
    CHECK(first + 17,                                                                                       \
          talus_##p##posv_vbatched(TALUS_LOWER, n, k, A_array, ld, B_array, ld, info, 2, 2, 1, q) == 0);    \
    CHECK(first + 18, info[0] == 0 && info[1] == 0 && A[0] == 2 && A[1] == 1 && A[3] == 1 && A[4] == 2);    \
    CHECK(first + 19, B[0] == 1 && B[1] == 1 && B[2] == 2 && B[3] == -7);                                   \
    A[0] = A[4] = 4, A[1] = A[3] = 2, B[0] = 6, B[1] = 4, B[2] = 8;                                         \
    CHECK(first + 20, talus_##p##potrf_vbatched(TALUS_LOWER, n, A_array, ld, info, 2, -1, q) == 0);         \
    CHECK(first + 21, A[0] == 2 && A[1] == 1 && A[3] == 1 && A[4] == 2);                                    \
    CHECK(first + 22,                                                                                       \
          talus_##p##potrs_vbatched(TALUS_LOWER, n, k, A_array, ld, B_array, ld, info, 2, 2, 1, q) == 0);   \
    CHECK(first + 23, B[0] == 1 && B[1] == 1 && B[2] == 2 && B[3] == -7);                                   \
    CHECK(first + 24, talus_##p##potri_vbatched(TALUS_LOWER, n, A_array, ld, info, 2, 1, q) == 0);          \
    CHECK(first + 25, info[0] == -7 && info[1] == 0 && A[0] == 2 && A[4] == (T)0.25);                       \
    CHECK(first + 26, talus_##p##potrf_vbatched('X', n, A_array, ld, info, 2, 2, q) == -1);                 \
    CHECK(first + 27, talus_##p##potrf_vbatched_work(2, 2) > 0);                                            \
    CHECK(first + 28, talus_##p##potri_vbatched_work(2, 2) > 0);                                            \
    CHECK(first + 29, talus_##p##potrs_vbatched_work(2, 1, 2) > 0);                                         \
    CHECK(first + 30, talus_##p##posv_vbatched_work(2, 1, 2) > 0);                                          \
    talus_queue optioned = q, grown = {TALUS_HOST};                                                         \
    optioned.options = 1, grown.reserved[1] = info;                                                         \
    CHECK(first + 31, talus_##p##potrf_batched(TALUS_LOWER, 2, A_array, 2, info, 1, optioned) == -7);       \
    CHECK(first + 32, talus_##p##potrf_batched(TALUS_LOWER, 2, A_array, 2, info, 1, grown) == -7);          \
    CHECK(first + 33, talus_##p##potri_vbatched(TALUS_LOWER, n, A_array, ld, info, 2, 2, optioned) == -8);  \
  } while (0)

int talus_test_c_api(void) {
#ifdef TALUS_HAVE_S
  CHECK_PRECISION(100, s, float);
#endif
#ifdef TALUS_HAVE_D
  CHECK_PRECISION(200, d, double);
#endif
#ifdef TALUS_HAVE_C
  CHECK_PRECISION(300, c, talus_complex_float);
#endif
#ifdef TALUS_HAVE_Z
  CHECK_PRECISION(400, z, talus_complex_double);
#endif
  CHECK(1, talus_strerror(0)[0] == 's');
  CHECK(2, talus_queue_host().where == TALUS_HOST);
  CHECK(3, talus_queue_cuda(NULL).where == TALUS_CUDA);
  return 0;
}
