// Peers on the host: OpenBLAS in the three ways its users have.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ways.hpp"

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace talus::bench {

/// Of a batch one matrix, and what stands beside it.
template <class T>
struct one_matrix {
  char uplo;
  sizes s;
  T *A, *B;
  int* ipiv;
  T* tau;
  int* info;
  int k = s.k, ldb = std::max(s.m, s.n);
  int lwork = 64 * (std::max(ldb, s.nrhs) + 66);  // no block of LAPACK's is wider; triangles for ormqr

  T* work() const {  // of a thread
    thread_local std::vector<T> memory;
    memory.resize(std::max(memory.size(), static_cast<std::size_t>(lwork + k)));
    return memory.data();
  }
  T* tau_in_work() const { return work() + lwork; }  // of routines that have none beside A
};

// LAPACK's routines for one matrix, by their descriptions: lapack(description, one_matrix).
typedef const int* in;
#define TALUS_LAPACK_ROUTINE(p, routine, T, parameters, ...) \
  extern "C" void p##routine##_ parameters;                  \
  inline void lapack(measure::routine<T>, const one_matrix<T>& x) { p##routine##_(__VA_ARGS__); }
#define TALUS_LAPACK(p, P, T)                                                                                \
  TALUS_LAPACK_ROUTINE(p, potrf, T, (const char*, in, T*, in, int*), &x.uplo, &x.s.n, x.A, &x.s.n, x.info)   \
  TALUS_LAPACK_ROUTINE(p, potri, T, (const char*, in, T*, in, int*), &x.uplo, &x.s.n, x.A, &x.s.n, x.info)   \
  TALUS_LAPACK_ROUTINE(p, potrs, T, (const char*, in, in, T*, in, T*, in, int*), &x.uplo, &x.s.n, &x.s.nrhs, \
                       x.A, &x.s.n, x.B, &x.s.n, x.info)                                                     \
  TALUS_LAPACK_ROUTINE(p, posv, T, (const char*, in, in, T*, in, T*, in, int*), &x.uplo, &x.s.n, &x.s.nrhs,  \
                       x.A, &x.s.n, x.B, &x.s.n, x.info)                                                     \
  TALUS_LAPACK_ROUTINE(p, getrf, T, (in, in, T*, in, int*, int*), &x.s.m, &x.s.n, x.A, &x.s.m, x.ipiv,       \
                       x.info)                                                                               \
  TALUS_LAPACK_ROUTINE(p, getrs, T, (const char*, in, in, T*, in, int*, T*, in, int*), "N", &x.s.n,          \
                       &x.s.nrhs, x.A, &x.s.n, x.ipiv, x.B, &x.s.n, x.info)                                  \
  TALUS_LAPACK_ROUTINE(p, gesv, T, (in, in, T*, in, int*, T*, in, int*), &x.s.n, &x.s.nrhs, x.A, &x.s.n,     \
                       x.ipiv, x.B, &x.s.n, x.info)                                                          \
  TALUS_LAPACK_ROUTINE(p, getri, T, (in, T*, in, int*, T*, in, int*), &x.s.n, x.A, &x.s.n, x.ipiv, x.work(), \
                       &x.lwork, x.info)                                                                     \
  TALUS_LAPACK_ROUTINE(p, geqrf, T, (in, in, T*, in, T*, T*, in, int*), &x.s.m, &x.s.n, x.A, &x.s.m, x.tau,  \
                       x.work(), &x.lwork, x.info)                                                           \
  TALUS_LAPACK_ROUTINE(p, gels, T, (const char*, in, in, in, T*, in, T*, in, T*, in, int*), "N", &x.s.m,     \
                       &x.s.n, &x.s.nrhs, x.A, &x.s.m, x.B, &x.ldb, x.work(), &x.lwork, x.info)
TALUS_FOR_ALL_LETTERS(TALUS_LAPACK)
#undef TALUS_LAPACK
#undef TALUS_LAPACK_ROUTINE

// What is orthogonal in real precisions, and named so, is unitary in the others.
#define TALUS_LAPACK_OF_Q(name, routine, T, parameters, ...) \
  extern "C" void name##_ parameters;                        \
  inline void lapack(measure::routine<T>, const one_matrix<T>& x) { name##_(__VA_ARGS__); }
#define TALUS_LAPACK(gqr, mqr, T, op)                                                                      \
  TALUS_LAPACK_OF_Q(gqr, orgqr, T, (in, in, in, T*, in, const T*, T*, in, int*), &x.s.m, &x.k, &x.k, x.A,  \
                    &x.s.m, x.tau, x.work(), &x.lwork, x.info)                                             \
  TALUS_LAPACK_OF_Q(                                                                                       \
      mqr, ormqr, T, (const char*, const char*, in, in, in, const T*, in, const T*, T*, in, T*, in, int*), \
      "L", op, &x.s.m, &x.s.n, &x.k, x.A, &x.s.m, x.tau, x.B, &x.ldb, x.work(), &x.lwork, x.info)
TALUS_LAPACK(sorgqr, sormqr, float, "T")
TALUS_LAPACK(dorgqr, dormqr, double, "T")
TALUS_LAPACK(cungqr, cunmqr, std::complex<float>, "C")
TALUS_LAPACK(zungqr, zunmqr, std::complex<double>, "C")
#undef TALUS_LAPACK
#undef TALUS_LAPACK_OF_Q

// BLAS has no info.
#define TALUS_BLAS(p, P, T)                                                                                \
  extern "C" void p##trsm_(const char*, const char*, const char*, const char*, in, in, const T*, const T*, \
                           in, T*, in);                                                                    \
  inline void lapack(measure::trsm<T>, const one_matrix<T>& x) {                                           \
    const T one = 1;                                                                                       \
    p##trsm_("L", &x.uplo, x.uplo == 'L' ? "N" : "C", "N", &x.s.n, &x.s.nrhs, &one, x.A, &x.s.n, x.B,      \
             &x.s.n);                                                                                      \
    *x.info = 0;                                                                                           \
  }
TALUS_FOR_ALL_LETTERS(TALUS_BLAS)
#undef TALUS_BLAS

// Fronts: LAPACK factors the leading block, and BLAS does the others. A Hermitian update of rank k has a name
// of its own in real precisions.
#define TALUS_BLAS_OF_FRONTS(p, rank_k, T)                                                                \
  extern "C" void p##rank_k##_(const char*, const char*, in, in, const real_of<T>*, const T*, in,         \
                               const real_of<T>*, T*, in);                                                \
  extern "C" void p##gemm_(const char*, const char*, in, in, in, const T*, const T*, in, const T*, in,    \
                           const T*, T*, in);                                                             \
  extern "C" void p##laswp_(in, T*, in, in, in, in, in);                                                  \
  inline void lapack(measure::potrf_partial_vbatched<T>, const one_matrix<T>& x) {                        \
    const T one = 1;                                                                                      \
    const real_of<T> plus = 1, minus = -1;                                                                \
    const int n = x.s.n, n2 = n - x.k;                                                                    \
    const bool lower = x.uplo == 'L';                                                                     \
    T *const A21 = x.A + (lower ? x.k : std::int64_t{x.k} * n), *const A22 = x.A + x.k * (n + 1LL);       \
    *x.info = 0;                                                                                          \
    if (x.k == 0) return;                                                                                 \
    p##potrf_(&x.uplo, &x.k, x.A, &n, x.info);                                                            \
    if (*x.info != 0 || n2 == 0) return;                                                                  \
    p##trsm_(lower ? "R" : "L", &x.uplo, "C", "N", lower ? &n2 : &x.k, lower ? &x.k : &n2, &one, x.A, &n, \
             A21, &n);                                                                                    \
    p##rank_k##_(&x.uplo, lower ? "N" : "C", &n2, &x.k, &minus, A21, &n, &plus, A22, &n);                 \
  }                                                                                                       \
  inline void lapack(measure::getrf_partial_vbatched<T>, const one_matrix<T>& x) {                        \
    const T plus = 1, minus = -1;                                                                         \
    const int m = x.s.m, m2 = m - x.k, n2 = x.s.n - x.k, first = 1;                                       \
    T *const A12 = x.A + std::int64_t{x.k} * m, *const A21 = x.A + x.k;                                   \
    *x.info = 0;                                                                                          \
    if (x.k == 0) return;                                                                                 \
    p##getrf_(&x.k, &x.k, x.A, &m, x.ipiv, x.info);                                                       \
    if (n2 > 0) {                                                                                         \
      p##laswp_(&n2, A12, &m, &first, &x.k, x.ipiv, &first);                                              \
      p##trsm_("L", "L", "N", "U", &x.k, &n2, &plus, x.A, &m, A12, &m);                                   \
    }                                                                                                     \
    if (m2 > 0) p##trsm_("R", "U", "N", "N", &m2, &x.k, &plus, x.A, &m, A21, &m);                         \
    if (n2 > 0 && m2 > 0)                                                                                 \
      p##gemm_("N", "N", &m2, &n2, &x.k, &minus, A21, &m, A12, &m, &plus, A12 + x.k, &m);                 \
  }
TALUS_BLAS_OF_FRONTS(s, syrk, float)
TALUS_BLAS_OF_FRONTS(d, syrk, double)
TALUS_BLAS_OF_FRONTS(c, herk, std::complex<float>)
TALUS_BLAS_OF_FRONTS(z, herk, std::complex<double>)
#undef TALUS_BLAS_OF_FRONTS

/// LAPACK inverts in place alone.
template <class T>
void lapack(measure::getri_outofplace<T>, one_matrix<T> x) {
  std::copy_n(x.A, std::int64_t{x.s.n} * x.s.n, x.B);
  x.A = x.B;
  lapack(measure::getri<T>(), x);
}

/// Q and R, and zeros below R's diagonal, as talus gives them.
template <class T>
void lapack(measure::qr<T>, one_matrix<T> x) {
  x.tau = x.tau_in_work();
  lapack(measure::geqrf<T>(), x);
  for (std::int64_t j = 0; j < x.s.n; ++j) {
    T* const end = std::copy_n(x.A + j * x.s.m, std::min<std::int64_t>(j + 1, x.k), x.B + j * x.ldb);
    std::fill(end, x.B + j * x.ldb + x.k, T(0));
  }
  lapack(measure::orgqr<T>(), x);
}

/// Calls one(b) for every matrix of a batch: one after the other, each by all of OpenBLAS's threads; or side
/// by side, each by one.
template <class One>
void over_batch(bool side_by_side, omp_sched_t schedule, std::int64_t batch, One one) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(side_by_side ? 1 : omp_get_max_threads());
  omp_set_schedule(schedule, 0);
#pragma omp parallel for schedule(runtime) if (side_by_side)
  for (std::int64_t b = 0; b < batch; ++b) one(b);
  openblas_set_num_threads(before);
}

/// The peers that serve a routine.
template <class R>
ways_of<R> host_peers() {
  ways_of<R> peers;
  constexpr const peer* known = find_peer<R>("openblas");
  if constexpr (known != nullptr) {
    const auto add = [&](const char* name, bool side_by_side, omp_sched_t schedule) {
      peers.push_back({name, known->how, true, [=](const typename R::problem& p, int copy) {
                         over_batch(side_by_side, schedule, p.batch, [&](std::int64_t b) {
                           lapack(one_size<R>(),
                                  one_matrix<typename R::problem::scalar>{
                                      static_cast<char>(p.uplo), p.sizes_of(b), p.A(copy, b), p.B(copy, b),
                                      p.ipiv(copy, b), p.tau(copy, b), p.info() + b});
                         });
                       }});
    };
    add("openblas-loop", false, omp_sched_static);
    add("openblas-static", true, omp_sched_static);
    add("openblas-dynamic", true, omp_sched_dynamic);
  }
  return peers;
}

}  // namespace talus::bench
