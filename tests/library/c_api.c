/* Calls the library from C99, in every precision of this build: A = [4 2; 2 2] has the factor [2 0; 1 1]. */
#include <stddef.h>
#include <string.h>

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
    CHECK(first + 15, talus_##p##potrf_work(0, 2) == 0 && talus_##p##potrs_work(2, 1, 2) == 0);             \
    CHECK(first + 16, talus_##p##posv_work(0, 1, 2) == 0 && talus_##p##potri_work(2, 2) == 0);              \
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

/* LU's routines, on two copies of A = [2 4; 4 0], which after an exchange of rows has L = [1; 1/2 1] and
 * U = [4 0; 0 4]. B is A times (1, 2). */
#define SET(a, b, c, d)                                                                          \
  (A[0] = A[4] = (a), A[1] = A[5] = (b), A[2] = A[6] = (c), A[3] = A[7] = (d), B[0] = B[2] = 10, \
   B[1] = B[3] = 4)
#define HOLDS(X, a, b, c, d)                                                                                \
  (X[0] == (a) && X[1] == (b) && X[2] == (c) && X[3] == (d) && X[4] == (a) && X[5] == (b) && X[6] == (c) && \
   X[7] == (d))

#define CHECK_LU(first, p, T, R)                                                                             \
  do {                                                                                                       \
    T A[8], B[4], C[8];                                                                                      \
    T *A_array[2] = {A, A + 4}, *B_array[2] = {B, B + 2}, *C_array[2] = {C, C + 4};                          \
    const R floors[2] = {4, 4};                                                                              \
    int ipiv[4], info[2] = {9, 9}, replaced[2] = {9, 9};                                                     \
    int* ipiv_array[2] = {ipiv, ipiv + 2};                                                                   \
    const int n[2] = {2, 2}, nrhs[2] = {1, 1}, k[2] = {1, 1};                                                \
    const talus_queue q = talus_queue_host();                                                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 1, talus_##p##getrf_batched(2, 2, A_array, 2, ipiv_array, info, 2, q) == 0);               \
    CHECK(first + 2,                                                                                         \
          HOLDS(A, 4, (T)0.5, 0, 4) && ipiv[0] == 2 && ipiv[3] == 2 && info[0] == 0 && info[1] == 0);        \
    CHECK(first + 3,                                                                                         \
          talus_##p##getrs_batched('N', 2, 1, A_array, 2, ipiv_array, B_array, 2, info, 2, q) == 0);         \
    CHECK(first + 4, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                      \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 5, talus_##p##getrf_strided_batched(2, 2, A, 2, 4, ipiv, 2, info, 2, q) == 0);             \
    CHECK(first + 6, HOLDS(A, 4, (T)0.5, 0, 4));                                                             \
    CHECK(first + 7,                                                                                         \
          talus_##p##getrs_strided_batched('T', 2, 1, A, 2, 4, ipiv, 2, B, 2, 2, NULL, 2, q) == 0);          \
    CHECK(first + 8, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                      \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 9, talus_##p##getrf_vbatched(n, n, A_array, n, ipiv_array, info, 2, 2, -1, q) == 0);       \
    CHECK(first + 10, HOLDS(A, 4, (T)0.5, 0, 4));                                                            \
    CHECK(first + 11, talus_##p##getrs_vbatched('C', n, nrhs, A_array, n, ipiv_array, B_array, n, info, 2,   \
                                                2, 1, q) == 0);                                              \
    CHECK(first + 12, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                     \
    CHECK(first + 13,                                                                                        \
          talus_##p##getri_outofplace_batched(2, A_array, 2, ipiv_array, C_array, 2, info, 2, q) == 0);      \
    CHECK(first + 14, HOLDS(C, 0, (T)0.25, (T)0.25, (T)-0.125) && HOLDS(A, 4, (T)0.5, 0, 4));                \
    C[0] = C[4] = 9;                                                                                         \
    CHECK(first + 15,                                                                                        \
          talus_##p##getri_outofplace_strided_batched(2, A, 2, 4, ipiv, 2, C, 2, 4, NULL, 2, q) == 0);       \
    CHECK(first + 16, HOLDS(C, 0, (T)0.25, (T)0.25, (T)-0.125));                                             \
    C[0] = C[4] = 9;                                                                                         \
    CHECK(first + 17,                                                                                        \
          talus_##p##getri_outofplace_vbatched(n, A_array, n, ipiv_array, C_array, n, info, 2, 2, q) == 0);  \
    CHECK(first + 18, HOLDS(C, 0, (T)0.25, (T)0.25, (T)-0.125));                                             \
    CHECK(first + 19, talus_##p##getri_batched(2, A_array, 2, ipiv_array, info, 1, q) == 0);                 \
    CHECK(first + 20, talus_##p##getri_strided_batched(2, A + 4, 2, 4, ipiv, 2, info, 1, q) == 0);           \
    CHECK(first + 21, HOLDS(A, 0, (T)0.25, (T)0.25, (T)-0.125));                                             \
    A[0] = A[4] = 4, A[1] = A[5] = (T)0.5, A[2] = A[6] = 0, A[3] = A[7] = 4;                                 \
    CHECK(first + 22, talus_##p##getri_vbatched(n, A_array, n, ipiv_array, info, 2, 2, q) == 0);             \
    CHECK(first + 23, HOLDS(A, 0, (T)0.25, (T)0.25, (T)-0.125));                                             \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 24, talus_##p##gesv_batched(2, 1, A_array, 2, ipiv_array, B_array, 2, info, 1, q) == 0);   \
    CHECK(first + 25,                                                                                        \
          talus_##p##gesv_strided_batched(2, 1, A + 4, 2, 4, ipiv, 2, B + 2, 2, 2, info, 1, q) == 0);        \
    CHECK(first + 26, HOLDS(A, 4, (T)0.5, 0, 4) && B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);        \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 27,                                                                                        \
          talus_##p##gesv_vbatched(n, nrhs, A_array, n, ipiv_array, B_array, n, info, 2, 2, 1, q) == 0);     \
    CHECK(first + 28, HOLDS(A, 4, (T)0.5, 0, 4) && B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);        \
    SET(2, 4, 4, 0); /* A pivot of 4 in the place of 2. */                                                   \
    CHECK(first + 29,                                                                                        \
          talus_##p##getrf_nopiv_batched(2, 2, A_array, 2, 3, floors, replaced, info, 2, q) == 0);           \
    CHECK(first + 30, HOLDS(A, 4, 1, 4, -4) && replaced[0] == 1 && replaced[1] == 1 && info[1] == 0);        \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 31,                                                                                        \
          talus_##p##getrf_nopiv_strided_batched(2, 2, A, 2, 4, 4, NULL, NULL, info, 2, q) == 0);            \
    CHECK(first + 32, HOLDS(A, 4, 1, 4, -4));                                                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 33,                                                                                        \
          talus_##p##getrf_nopiv_vbatched(n, n, A_array, n, 4, NULL, replaced, info, 2, 2, 2, q) == 0);      \
    CHECK(first + 34, HOLDS(A, 4, 1, 4, -4));                                                                \
    B[0] = B[2] = 12, B[1] = B[3] = 4; /* L U times (1, 2) */                                                \
    CHECK(first + 35, talus_##p##getrs_nopiv_batched('N', 2, 1, A_array, 2, B_array, 2, NULL, 1, q) == 0);   \
    CHECK(first + 36,                                                                                        \
          talus_##p##getrs_nopiv_strided_batched('N', 2, 1, A, 2, 4, B + 2, 2, 2, info, 1, q) == 0);         \
    CHECK(first + 37, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                     \
    B[0] = B[2] = 12, B[1] = B[3] = 4;                                                                       \
    CHECK(first + 38,                                                                                        \
          talus_##p##getrs_nopiv_vbatched('N', n, nrhs, A_array, n, B_array, n, info, 2, 2, 1, q) == 0);     \
    CHECK(first + 39, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                     \
    SET(2, 4, 4, 0); /* The first row alone may be the pivot's. */                                           \
    CHECK(first + 40, talus_##p##getrf_partial_batched(2, 2, 1, A_array, 2, ipiv_array, info, 2, q) == 0);   \
    CHECK(first + 41, HOLDS(A, 2, 2, 4, -8) && ipiv[0] == 1 && ipiv[2] == 1);                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 42, talus_##p##getrf_partial_strided_batched(2, 2, 1, A, 2, 4, ipiv, 1, info, 2, q) == 0); \
    CHECK(first + 43, HOLDS(A, 2, 2, 4, -8) && ipiv[0] == 1 && ipiv[1] == 1);                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 44,                                                                                        \
          talus_##p##getrf_partial_vbatched(n, n, k, A_array, n, ipiv_array, info, 2, 2, 2, 1, q) == 0);     \
    CHECK(first + 45, HOLDS(A, 2, 2, 4, -8));                                                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 46,                                                                                        \
          talus_##p##getrf_partial_nopiv_batched(2, 2, 1, A_array, 2, 4, NULL, replaced, info, 2, q) == 0);  \
    CHECK(first + 47, HOLDS(A, 4, 1, 4, -4) && replaced[0] == 1);                                            \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 48, talus_##p##getrf_partial_nopiv_strided_batched(2, 2, 1, A, 2, 4, 0, floors, NULL,      \
                                                                     info, 2, q) == 0);                      \
    CHECK(first + 49, HOLDS(A, 4, 1, 4, -4));                                                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 50, talus_##p##getrf_partial_nopiv_vbatched(n, n, k, A_array, n, 0, NULL, replaced, info,  \
                                                              2, 2, 2, 1, q) == 0);                          \
    CHECK(first + 51, HOLDS(A, 2, 2, 4, -8) && replaced[0] == 0);                                            \
    CHECK(first + 52, talus_##p##getrf_work(2, 2, 2) > 0 && talus_##p##getrf_nopiv_work(2, 2, 2) > 0);       \
    CHECK(first + 53, talus_##p##getrf_partial_work(2, 2, 1, 2) > 0);                                        \
    CHECK(first + 54, talus_##p##getrf_partial_nopiv_work(2, 2, 1, 2) > 0);                                  \
    CHECK(first + 55, talus_##p##getrs_work(2, 1, 2) == 0 && talus_##p##getrs_nopiv_work(2, 1, 2) == 0);     \
    CHECK(first + 56, talus_##p##gesv_work(2, 1, 2) > 0 && talus_##p##getri_work(2, 2) == 0);                \
    CHECK(first + 57, talus_##p##getri_outofplace_work(2, 2) == 0);                                          \
    CHECK(first + 58, talus_##p##getrf_vbatched_work(2, 2, 2) > 0);                                          \
    CHECK(first + 59, talus_##p##getrf_nopiv_vbatched_work(2, 2, 2) > 0);                                    \
    CHECK(first + 60, talus_##p##getrf_partial_vbatched_work(2, 2, 1, 2) > 0);                               \
    CHECK(first + 61, talus_##p##getrf_partial_nopiv_vbatched_work(2, 2, 1, 2) > 0);                         \
    CHECK(first + 62, talus_##p##getrs_vbatched_work(2, 1, 2) > 0);                                          \
    CHECK(first + 63, talus_##p##getrs_nopiv_vbatched_work(2, 1, 2) > 0);                                    \
    CHECK(first + 64,                                                                                        \
          talus_##p##gesv_vbatched_work(2, 1, 2) > 0 && talus_##p##getri_vbatched_work(2, 2) > 0);           \
    CHECK(first + 65, talus_##p##getri_outofplace_vbatched_work(2, 2) > 0);                                  \
    CHECK(first + 66,                                                                                        \
          talus_##p##getrs_batched('X', 2, 1, A_array, 2, ipiv_array, B_array, 2, info, 2, q) == -1);        \
    CHECK(first + 67,                                                                                        \
          talus_##p##getrs_nopiv_batched('C' + 256, 2, 1, A_array, 2, B_array, 2, info, 2, q) == -1);        \
  } while (0)

/* QR's routines, on two copies of A = [0 4; 2 6], which has R = [-2 -6; 0 -4], v = (1, 1) and tau = 1, then 0.
 * So Q = [0 -1; -1 0]; all numbers are exact. B is A times (1, 2). */
#define SET_QR() (SET(0, 2, 4, 6), B[0] = B[2] = 8, B[1] = B[3] = 14)

#define CHECK_QR(first, p, T)                                                                                \
  do {                                                                                                       \
    T A[8], B[4], C[8], tau[4];                                                                              \
    T *A_array[2] = {A, A + 4}, *B_array[2] = {B, B + 2}, *C_array[2] = {C, C + 4};                          \
    T* tau_array[2] = {tau, tau + 2};                                                                        \
    int info[2] = {9, 9};                                                                                    \
    const int n[2] = {2, 2}, one[2] = {1, 1};                                                                \
    const talus_queue q = talus_queue_host();                                                                \
    SET_QR();                                                                                                \
    CHECK(first + 1, talus_##p##geqrf_batched(2, 2, A_array, 2, tau_array, info, 2, q) == 0);                \
    CHECK(first + 2, HOLDS(A, -2, 1, -6, -4) && tau[0] == 1 && tau[1] == 0 && tau[2] == 1 && tau[3] == 0 &&  \
                         info[0] == 0 && info[1] == 0);                                                      \
    SET_QR();                                                                                                \
    CHECK(first + 3, talus_##p##geqrf_strided_batched(2, 2, A, 2, 4, tau, 2, info, 2, q) == 0);              \
    CHECK(first + 4, HOLDS(A, -2, 1, -6, -4) && tau[0] == 1 && tau[1] == 0 && tau[2] == 1 && tau[3] == 0);   \
    SET_QR();                                                                                                \
    CHECK(first + 5, talus_##p##geqrf_vbatched(n, n, A_array, n, tau_array, info, 2, 2, -1, q) == 0);        \
    CHECK(first + 6, HOLDS(A, -2, 1, -6, -4) && tau[0] == 1 && tau[1] == 0 && tau[2] == 1 && tau[3] == 0);   \
    CHECK(first + 7,                                                                                         \
          talus_##p##ormqr_batched('L', 'C', 2, 1, 2, A_array, 2, tau_array, B_array, 2, info, 2, q) == 0);  \
    CHECK(first + 8, B[0] == -14 && B[1] == -8 && B[2] == -14 && B[3] == -8);                                \
    CHECK(first + 9, talus_##p##ormqr_strided_batched(TALUS_RIGHT, 'N', 1, 2, 2, A, 2, 4, tau, 2, B, 1, 2,   \
                                                      NULL, 2, q) == 0);                                     \
    CHECK(first + 10, B[0] == 8 && B[1] == 14 && B[2] == 8 && B[3] == 14);                                   \
    CHECK(first + 11, talus_##p##ormqr_vbatched(TALUS_LEFT, 'N', n, one, n, A_array, n, tau_array, B_array,  \
                                                n, info, 2, 2, 1, 2, q) == 0);                               \
    CHECK(first + 12, B[0] == -14 && B[1] == -8 && B[2] == -14 && B[3] == -8 && HOLDS(A, -2, 1, -6, -4));    \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 13, talus_##p##orgqr_batched(2, 2, 2, C_array, 2, tau_array, info, 2, q) == 0);            \
    CHECK(first + 14, HOLDS(C, 0, -1, -1, 0));                                                               \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 15, talus_##p##orgqr_strided_batched(2, 2, 2, C, 2, 4, tau, 2, NULL, 2, q) == 0);          \
    CHECK(first + 16, HOLDS(C, 0, -1, -1, 0));                                                               \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 17, talus_##p##orgqr_vbatched(n, n, n, C_array, n, tau_array, info, 2, 2, 2, 2, q) == 0);  \
    CHECK(first + 18, HOLDS(C, 0, -1, -1, 0));                                                               \
    SET_QR();                                                                                                \
    CHECK(first + 19, talus_##p##gels_batched('N', 2, 2, 1, A_array, 2, B_array, 2, info, 2, q) == 0);       \
    CHECK(first + 20, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2 && info[0] == 0 && info[1] == 0);     \
    SET_QR();                                                                                                \
    CHECK(first + 21, talus_##p##gels_strided_batched('N', 2, 2, 1, A, 2, 4, B, 2, 2, info, 2, q) == 0);     \
    CHECK(first + 22, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                     \
    SET_QR();                                                                                                \
    CHECK(first + 23,                                                                                        \
          talus_##p##gels_vbatched('N', n, n, one, A_array, n, B_array, n, info, 2, 2, 2, 1, q) == 0);       \
    CHECK(first + 24, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2);                                     \
    SET_QR();                                                                                                \
    CHECK(first + 25, talus_##p##qr_batched(2, 2, A_array, 2, C_array, 2, info, 2, q) == 0);                 \
    CHECK(first + 26, HOLDS(A, 0, -1, -1, 0) && HOLDS(C, -2, 0, -6, -4) && info[0] == 0 && info[1] == 0);    \
    SET_QR();                                                                                                \
    C[0] = C[1] = C[4] = C[5] = 9;                                                                           \
    CHECK(first + 27, talus_##p##qr_strided_batched(2, 2, A, 2, 4, C, 2, 4, info, 2, q) == 0);               \
    CHECK(first + 28, HOLDS(A, 0, -1, -1, 0) && HOLDS(C, -2, 0, -6, -4));                                    \
    SET_QR();                                                                                                \
    C[0] = C[1] = C[4] = C[5] = 9;                                                                           \
    CHECK(first + 29, talus_##p##qr_vbatched(n, n, A_array, n, C_array, n, info, 2, 2, 2, q) == 0);          \
    CHECK(first + 30, HOLDS(A, 0, -1, -1, 0) && HOLDS(C, -2, 0, -6, -4));                                    \
    CHECK(first + 31, talus_##p##geqrf_work(2, 2, 2) == 0 && talus_##p##ormqr_work(2, 1, 2, 2) == 0);        \
    CHECK(first + 32, talus_##p##orgqr_work(2, 2, 2, 2) == 0 && talus_##p##gels_work(2, 2, 1, 2) == 0 &&     \
                          talus_##p##qr_work(2, 2, 2) == 0);                                                 \
    CHECK(first + 33, talus_##p##geqrf_vbatched_work(2, 2, 2) > 0);                                          \
    CHECK(first + 34, talus_##p##ormqr_vbatched_work(2, 1, 2, 2) > 0);                                       \
    CHECK(first + 35, talus_##p##orgqr_vbatched_work(2, 2, 2, 2) > 0);                                       \
    CHECK(first + 36, talus_##p##gels_vbatched_work(2, 2, 1, 2) > 0);                                        \
    CHECK(first + 37, talus_##p##qr_vbatched_work(2, 2, 2) > 0);                                             \
    CHECK(first + 38, talus_##p##ormqr_batched('L' + 256, 'N', 2, 1, 2, A_array, 2, tau_array, B_array, 2,   \
                                               info, 2, q) == -1);                                           \
    CHECK(first + 39,                                                                                        \
          talus_##p##ormqr_batched('U', 'N', 2, 1, 2, A_array, 2, tau_array, B_array, 2, info, 2, q) == -1); \
    CHECK(first + 40,                                                                                        \
          talus_##p##ormqr_batched('R', 'X', 2, 1, 1, A_array, 2, tau_array, B_array, 2, info, 2, q) == -2); \
    CHECK(first + 41, talus_##p##gels_batched('X', 2, 2, 1, A_array, 2, B_array, 2, info, 2, q) == -1);      \
  } while (0)

/* By their names for complex numbers. */
#define CHECK_UNITARY(first, p, T)                                                                           \
  do {                                                                                                       \
    T A[8], B[4], C[8], tau[4];                                                                              \
    T *A_array[2] = {A, A + 4}, *B_array[2] = {B, B + 2}, *C_array[2] = {C, C + 4};                          \
    T* tau_array[2] = {tau, tau + 2};                                                                        \
    int info[2] = {9, 9};                                                                                    \
    const int n[2] = {2, 2}, one[2] = {1, 1};                                                                \
    const talus_queue q = talus_queue_host();                                                                \
    SET_QR();                                                                                                \
    CHECK(first + 1, talus_##p##geqrf_batched(2, 2, A_array, 2, tau_array, info, 2, q) == 0);                \
    CHECK(first + 2,                                                                                         \
          talus_##p##unmqr_batched('L', 'C', 2, 1, 2, A_array, 2, tau_array, B_array, 2, info, 2, q) == 0);  \
    CHECK(first + 3, B[0] == -14 && B[1] == -8 && B[2] == -14 && B[3] == -8);                                \
    CHECK(first + 4,                                                                                         \
          talus_##p##unmqr_strided_batched('R', 'N', 1, 2, 2, A, 2, 4, tau, 2, B, 1, 2, NULL, 2, q) == 0);   \
    CHECK(first + 5, B[0] == 8 && B[1] == 14 && B[2] == 8 && B[3] == 14);                                    \
    CHECK(first + 6, talus_##p##unmqr_vbatched('L', 'N', n, one, n, A_array, n, tau_array, B_array, n, info, \
                                               2, 2, 1, 2, q) == 0);                                         \
    CHECK(first + 7, B[0] == -14 && B[1] == -8 && B[2] == -14 && B[3] == -8);                                \
    CHECK(first + 8,                                                                                         \
          talus_##p##unmqr_batched('L', 'T', 2, 1, 2, A_array, 2, tau_array, B_array, 2, info, 2, q) == -2); \
    CHECK(first + 9, talus_##p##gels_batched('T', 2, 2, 1, A_array, 2, B_array, 2, info, 2, q) == -1);       \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 10, talus_##p##ungqr_batched(2, 2, 2, C_array, 2, tau_array, info, 2, q) == 0);            \
    CHECK(first + 11, HOLDS(C, 0, -1, -1, 0));                                                               \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 12, talus_##p##ungqr_strided_batched(2, 2, 2, C, 2, 4, tau, 2, NULL, 2, q) == 0);          \
    CHECK(first + 13, HOLDS(C, 0, -1, -1, 0));                                                               \
    memcpy(C, A, sizeof A);                                                                                  \
    CHECK(first + 14, talus_##p##ungqr_vbatched(n, n, n, C_array, n, tau_array, info, 2, 2, 2, 2, q) == 0);  \
    CHECK(first + 15, HOLDS(C, 0, -1, -1, 0));                                                               \
    CHECK(first + 16, talus_##p##unmqr_work(2, 1, 2, 2) == 0 && talus_##p##ungqr_work(2, 2, 2, 2) == 0);     \
    CHECK(first + 17,                                                                                        \
          talus_##p##unmqr_vbatched_work(2, 1, 2, 2) > 0 && talus_##p##ungqr_vbatched_work(2, 2, 2, 2) > 0); \
  } while (0)

/* BLAS's routines, on two copies of A = [2 0; 1 4] and B = A times (1, 2). */
#define SET_BLAS() (SET(2, 1, -7, 4), B[0] = B[2] = 2, B[1] = B[3] = 9)

#define CHECK_BLAS(first, p, T)                                                                              \
  do {                                                                                                       \
    T A[8], B[4], C[8] = {1, 2, 3, 4, 1, 2, 3, 4};                                                           \
    T *A_array[2] = {A, A + 4}, *B_array[2] = {B, B + 2}, *C_array[2] = {C, C + 4};                          \
    const T one = 1, two = 2, half = (T)0.5, zero = 0;                                                       \
    int info[2] = {9, 9};                                                                                    \
    const int n[2] = {2, 2}, ones[2] = {1, 1}, back[2] = {-1, -1};                                           \
    const talus_queue q = talus_queue_host();                                                                \
    SET_BLAS();                                                                                              \
    CHECK(first + 1, talus_##p##trsm_batched(TALUS_LEFT, TALUS_LOWER, TALUS_NO_TRANS, TALUS_NON_UNIT, 2, 1,  \
                                             &two, A_array, 2, B_array, 2, info, 2, q) == 0);                \
    CHECK(first + 2, B[0] == 2 && B[1] == 4 && B[2] == 2 && B[3] == 4 && info[0] == 0 && info[1] == 0);      \
    SET_BLAS();                                                                                              \
    CHECK(first + 3, talus_##p##trsm_strided_batched(TALUS_RIGHT, 'L', 'T', 'N', 1, 2, &one, A, 2, 4, B, 1,  \
                                                     2, NULL, 2, q) == 0);                                   \
    CHECK(first + 4, B[0] == 1 && B[1] == 2 && B[2] == 1 && B[3] == 2 && HOLDS(A, 2, 1, -7, 4));             \
    SET_BLAS();                                                                                              \
    CHECK(first + 5, talus_##p##trsm_vbatched('L', 'L', 'N', TALUS_UNIT, n, ones, &one, A_array, n, B_array, \
                                              n, info, 2, 2, -1, q) == 0);                                   \
    CHECK(first + 6, B[0] == 2 && B[1] == 7 && B[2] == 2 && B[3] == 7);                                      \
    SET(1, 0, 2, 1); /* [1 2; 0 1] times [1 3; 2 4] is [5 11; 2 4] */                                        \
    CHECK(first + 7, talus_##p##gemm_vbatched('N', 'N', n, n, n, &two, A_array, n, C_array, n, &zero,        \
                                              A_array, n, info, 0, 2, 2, 2, q) == 0);                        \
    CHECK(first + 8, talus_##p##gemm_vbatched('N', 'N', n, ones, n, &half, A_array, n, C_array, n, &one,     \
                                              B_array, n, info, 2, 2, 1, 2, q) == 0);                        \
    CHECK(first + 9, B[0] == (T)12.5 && B[1] == 5 && B[2] == (T)12.5 && B[3] == 5 && info[1] == 0);          \
    CHECK(first + 10, talus_##p##gemv_vbatched('T', n, n, &one, A_array, n, C_array, back, &zero, B_array,   \
                                               ones, info, 2, 2, 2, q) == 0);                                \
    CHECK(first + 11, B[0] == 2 && B[1] == 5 && B[2] == 2 && B[3] == 5);                                     \
    CHECK(first + 12, talus_##p##trsm_work('L', 2, 1, 2) == 0);                                              \
    CHECK(first + 13, talus_##p##trsm_vbatched_work(2, 1, 2) > 0);                                           \
    CHECK(first + 14,                                                                                        \
          talus_##p##gemm_vbatched_work(2, 1, 2, 2) > 0 && talus_##p##gemv_vbatched_work(2, 2, 2) > 0);      \
    CHECK(first + 15, talus_##p##trsm_batched('L' + 256, 'L', 'N', 'N', 2, 1, &one, A_array, 2, B_array, 2,  \
                                              info, 2, q) == -1);                                            \
    CHECK(first + 16, talus_##p##trsm_batched('L', 'L', 'N', 'U' + 256, 2, 1, &one, A_array, 2, B_array, 2,  \
                                              info, 2, q) == -4);                                            \
    /* A factor is needed where there are matrices, and no earlier than its argument. */                     \
    CHECK(first + 17,                                                                                        \
          talus_##p##trsm_batched('L', 'L', 'N', 'N', 2, 1, NULL, NULL, 2, B_array, 2, info, 2, q) == -7);   \
    CHECK(first + 18,                                                                                        \
          talus_##p##trsm_batched('L', 'L', 'N', 'N', 2, 1, NULL, NULL, 2, NULL, 2, NULL, 0, q) == 0);       \
    CHECK(first + 19, talus_##p##trsm_strided_batched('L', 'L', 'N', 'N', 2, -1, NULL, A, 2, 4, B, 2, 2,     \
                                                      info, 2, q) == -6);                                    \
    CHECK(first + 20, talus_##p##trsm_vbatched('L', 'L', 'N', 'N', n, ones, NULL, A_array, n, B_array, n,    \
                                               info, 2, 2, 1, q) == -7);                                     \
    CHECK(first + 21, talus_##p##gemm_vbatched('N', 'N', n, n, n, NULL, A_array, n, C_array, n, &zero,       \
                                               B_array, n, info, 2, 2, 2, 2, q) == -6);                      \
    CHECK(first + 22, talus_##p##gemm_vbatched('N', 'N', n, n, n, &one, A_array, n, C_array, n, NULL,        \
                                               B_array, n, info, 2, 2, 2, 2, q) == -11);                     \
    CHECK(first + 23, talus_##p##gemv_vbatched('T', n, n, NULL, A_array, n, C_array, back, &zero, B_array,   \
                                               ones, info, 2, 2, 2, q) == -4);                               \
    CHECK(first + 24, talus_##p##gemv_vbatched('T', n, n, &one, A_array, n, C_array, back, NULL, B_array,    \
                                               ones, info, 2, 2, 2, q) == -9);                               \
    CHECK(first + 25, B[0] == 2 && B[1] == 5 && HOLDS(A, 1, 0, 2, 1));                                       \
  } while (0)

/* One column of two copies of the front A = [4 2; 2 2]: [2; 1] and the Schur complement 1. The element that
 * is not used is 4. As blocks its elements stay where they are. */
#define SET_FRONT(between) \
  (A[0] = A[4] = 4, A[1] = A[5] = (between), A[2] = A[6] = 6 - (between), A[3] = A[7] = 2)

#define CHECK_FRONTS(first, p, T)                                                                            \
  do {                                                                                                       \
    T A[8];                                                                                                  \
    T *A_array[2] = {A, A + 4}, *A21_array[2] = {A + 1, A + 5}, *A12_array[2] = {A + 2, A + 6},              \
      *A22_array[2] = {A + 3, A + 7};                                                                        \
    int info[2] = {9, 9};                                                                                    \
    const int n[2] = {2, 2}, one[2] = {1, 1};                                                                \
    const talus_queue q = talus_queue_host();                                                                \
    SET_FRONT(2);                                                                                            \
    CHECK(first + 1, talus_##p##potrf_partial_batched(TALUS_LOWER, 2, 1, A_array, 2, info, 2, q) == 0);      \
    CHECK(first + 2, HOLDS(A, 2, 1, 4, 1) && info[0] == 0 && info[1] == 0);                                  \
    SET_FRONT(4);                                                                                            \
    CHECK(first + 3, talus_##p##potrf_partial_strided_batched(TALUS_UPPER, 2, 1, A, 2, 4, info, 2, q) == 0); \
    CHECK(first + 4, HOLDS(A, 2, 4, 1, 1));                                                                  \
    SET_FRONT(2);                                                                                            \
    CHECK(first + 5,                                                                                         \
          talus_##p##potrf_partial_vbatched(TALUS_LOWER, n, one, A_array, n, info, 2, 2, 1, q) == 0);        \
    CHECK(first + 6, HOLDS(A, 2, 1, 4, 1) && info[0] == 0 && info[1] == 0);                                  \
    SET_FRONT(2);                                                                                            \
    CHECK(first + 7, talus_##p##potrf_partial_split_batched(TALUS_LOWER, 1, 1, A_array, 2, A21_array, 2,     \
                                                            A22_array, 2, info, 2, q) == 0);                 \
    CHECK(first + 8, HOLDS(A, 2, 1, 4, 1) && info[0] == 0 && info[1] == 0);                                  \
    SET_FRONT(2);                                                                                            \
    CHECK(first + 9, talus_##p##potrf_partial_split_strided_batched(TALUS_LOWER, 1, 1, A, 2, 4, A + 1, 2, 4, \
                                                                    A + 3, 2, 4, info, 2, q) == 0);          \
    CHECK(first + 10, HOLDS(A, 2, 1, 4, 1));                                                                 \
    SET_FRONT(4);                                                                                            \
    CHECK(first + 11, talus_##p##potrf_partial_split_vbatched(TALUS_UPPER, one, one, A_array, n, A12_array,  \
                                                              n, A22_array, n, info, 2, 1, -1, q) == 0);     \
    CHECK(first + 12, HOLDS(A, 2, 4, 1, 1) && info[0] == 0 && info[1] == 0);                                 \
    CHECK(first + 13,                                                                                        \
          talus_##p##potrf_partial_work(2, 1, 2) == talus_##p##potrf_partial_split_work(1, 1, 2));           \
    CHECK(first + 14, talus_##p##potrf_partial_vbatched_work(2, 1, 2) > 0);                                  \
    CHECK(first + 15, talus_##p##potrf_partial_split_vbatched_work(1, 1, 2) > 0);                            \
    CHECK(first + 16, talus_##p##potrf_partial_batched(TALUS_LOWER, 2, 3, A_array, 2, info, 2, q) == -3);    \
    CHECK(first + 17, talus_##p##potrf_partial_batched('L' + 256, 2, 1, A_array, 2, info, 2, q) == -1);      \
    CHECK(first + 18, talus_##p##potrf_partial_split_batched('X', 1, 1, A_array, 2, A21_array, 2, A22_array, \
                                                             2, info, 2, q) == -1);                          \
  } while (0)

/* One column of two copies of the front A = [2 4; 4 0], whose blocks stay where they are. */
#define CHECK_LU_FRONTS(first, p, T, R)                                                                      \
  do {                                                                                                       \
    T A[8], B[4];                                                                                            \
    T *A_array[2] = {A, A + 4}, *A21_array[2] = {A + 1, A + 5}, *A12_array[2] = {A + 2, A + 6},              \
      *A22_array[2] = {A + 3, A + 7};                                                                        \
    const R floors[2] = {4, 4};                                                                              \
    int ipiv[2], info[2] = {9, 9}, replaced[2] = {9, 9};                                                     \
    int* ipiv_array[2] = {ipiv, ipiv + 1};                                                                   \
    const int one[2] = {1, 1}, ld[2] = {2, 2};                                                               \
    const talus_queue q = talus_queue_host();                                                                \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 1, talus_##p##getrf_partial_split_batched(TALUS_FORM_LAPACK, TALUS_SCHUR_SUBTRACT, 1, 1,   \
                                                            1, A_array, 2, A12_array, 2, A21_array, 2,       \
                                                            A22_array, 2, ipiv_array, info, 2, q) == 0);     \
    CHECK(first + 2, HOLDS(A, 2, 2, 4, -8) && ipiv[0] == 1 && ipiv[1] == 1 && info[0] == 0 && info[1] == 0); \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 3, talus_##p##getrf_partial_split_strided_batched(                                         \
                         TALUS_FORM_LEFT, TALUS_SCHUR_SUBTRACT, 1, 1, 1, A, 2, 4, A + 2, 2, 4, A + 1, 2, 4,  \
                         A + 3, 2, 4, ipiv, 1, info, 2, q) == 0);                                            \
    CHECK(first + 4, HOLDS(A, 2, 4, 2, -8));                                                                 \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 5, talus_##p##getrf_partial_split_vbatched('F', 'P', one, one, one, A_array, ld,           \
                                                             A12_array, ld, A21_array, ld, A22_array, ld,    \
                                                             ipiv_array, info, 2, 1, 1, -1, q) == 0);        \
    CHECK(first + 6, HOLDS(A, 2, 2, 4, 8) && info[0] == 0 && info[1] == 0);                                  \
    SET(2, 4, 4, 0); /* A pivot of 4 in the place of 2. */                                                   \
    CHECK(first + 7, talus_##p##getrf_partial_split_nopiv_batched('F', 'S', 1, 1, 1, A_array, 2, A12_array,  \
                                                                  2, A21_array, 2, A22_array, 2, 4, NULL,    \
                                                                  replaced, info, 2, q) == 0);               \
    CHECK(first + 8, HOLDS(A, 4, 1, 4, -4) && replaced[0] == 1 && replaced[1] == 1);                         \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 9, talus_##p##getrf_partial_split_nopiv_strided_batched('I', 'P', 1, 1, 1, A, 2, 4, A + 2, \
                                                                          2, 4, A + 1, 2, 4, A + 3, 2, 4, 0, \
                                                                          floors, NULL, info, 2, q) == 0);   \
    CHECK(first + 10, HOLDS(A, 4, 4, 1, 4));                                                                 \
    SET(2, 4, 4, 0);                                                                                         \
    CHECK(first + 11, talus_##p##getrf_partial_split_nopiv_vbatched(                                         \
                          'I', 'S', one, one, one, A_array, ld, A12_array, ld, A21_array, ld, A22_array, ld, \
                          0, NULL, replaced, info, 2, -1, 1, 1, q) == 0);                                    \
    CHECK(first + 12, HOLDS(A, 2, 4, 2, -8) && replaced[0] == 0 && replaced[1] == 0 && info[1] == 0);        \
    CHECK(first + 13, talus_##p##getrf_partial_split_work(1, 1, 1, 2) ==                                     \
                          talus_##p##getrf_partial_split_nopiv_work(1, 1, 1, 2));                            \
    CHECK(first + 14, talus_##p##getrf_partial_split_vbatched_work(1, 1, 1, 2) > 0);                         \
    CHECK(first + 15, talus_##p##getrf_partial_split_nopiv_vbatched_work(1, 1, 1, 2) > 0);                   \
    CHECK(first + 16,                                                                                        \
          talus_##p##getrf_partial_split_batched('F' + 256, 'S', 1, 1, 1, A_array, 2, A12_array, 2,          \
                                                 A21_array, 2, A22_array, 2, ipiv_array, info, 2, q) == -1); \
    CHECK(first + 17,                                                                                        \
          talus_##p##getrf_partial_split_batched('I', 'F', 1, 1, 1, A_array, 2, A12_array, 2, A21_array, 2,  \
                                                 A22_array, 2, ipiv_array, info, 2, q) == -2);               \
    CHECK(first + 18, talus_##p##getrf_partial_split_nopiv_batched('I', 'S', 1, 1, -1, A_array, 2,           \
                                                                   A12_array, 2, A21_array, 2, A22_array, 2, \
                                                                   0, NULL, NULL, info, 2, q) == -5);        \
    CHECK(first + 19, talus_##p##getrf_partial_split_nopiv_vbatched(                                         \
                          'I', 'P' + 256, one, one, one, A_array, ld, A12_array, ld, A21_array, ld,          \
                          A22_array, ld, 0, NULL, NULL, info, 2, 1, 1, 1, q) == -2);                         \
  } while (0)

int talus_test_c_api(void) {
#ifdef TALUS_HAVE_S
  CHECK_PRECISION(100, s, float);
  CHECK_LU(500, s, float, float);
  CHECK_QR(900, s, float);
  CHECK_BLAS(1500, s, float);
  CHECK_FRONTS(1900, s, float);
  CHECK_LU_FRONTS(2300, s, float, float);
#endif
#ifdef TALUS_HAVE_D
  CHECK_PRECISION(200, d, double);
  CHECK_LU(600, d, double, double);
  CHECK_QR(1000, d, double);
  CHECK_BLAS(1600, d, double);
  CHECK_FRONTS(2000, d, double);
  CHECK_LU_FRONTS(2400, d, double, double);
#endif
#ifdef TALUS_HAVE_C
  CHECK_PRECISION(300, c, talus_complex_float);
  CHECK_LU(700, c, talus_complex_float, float);
  CHECK_QR(1100, c, talus_complex_float);
  CHECK_BLAS(1700, c, talus_complex_float);
  CHECK_FRONTS(2100, c, talus_complex_float);
  CHECK_LU_FRONTS(2500, c, talus_complex_float, float);
  CHECK_UNITARY(1300, c, talus_complex_float);
#endif
#ifdef TALUS_HAVE_Z
  CHECK_PRECISION(400, z, talus_complex_double);
  CHECK_LU(800, z, talus_complex_double, double);
  CHECK_QR(1200, z, talus_complex_double);
  CHECK_BLAS(1800, z, talus_complex_double);
  CHECK_FRONTS(2200, z, talus_complex_double);
  CHECK_LU_FRONTS(2600, z, talus_complex_double, double);
  CHECK_UNITARY(1400, z, talus_complex_double);
#endif
  CHECK(1, talus_strerror(0)[0] == 's');
  CHECK(2, talus_queue_host().where == TALUS_HOST);
  CHECK(3, talus_queue_cuda(NULL).where == TALUS_CUDA);
  CHECK(4, talus_version() == TALUS_VERSION);
  CHECK(5, strstr(talus_configuration(), "Talus " TALUS_VERSION_STRING "\n") == talus_configuration());
  return 0;
}
