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
  int k = std::min(s.m, s.n), ldb = std::max(s.m, s.n);
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

/// Calls one(b) for every matrix of a batch: one after the other, each by all of OpenBLAS's threads; or side by
/// side, each by one.
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
                           lapack(typename one_size<R>::type(),
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
