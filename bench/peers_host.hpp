// Peers on the host: OpenBLAS in the three ways its users have.
#pragma once

#include <omp.h>

#include <cstdint>

#include "ways.hpp"

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace talus::bench {

// LAPACK's routines for one matrix, by their descriptions.
#define TALUS_LAPACK_OF_A(routine, p, T)                                                          \
  extern "C" void p##routine##_(const char* uplo, const int* n, T* A, const int* lda, int* info); \
  inline void lapack(measure::routine<T>, char uplo, const sizes& s, T* A, T*, int* info) {       \
    p##routine##_(&uplo, &s.n, A, &s.n, info);                                                    \
  }
#define TALUS_LAPACK_OF_A_AND_B(routine, p, T)                                                               \
  extern "C" void p##routine##_(const char* uplo, const int* n, const int* nrhs, T* A, const int* lda, T* B, \
                                const int* ldb, int* info);                                                  \
  inline void lapack(measure::routine<T>, char uplo, const sizes& s, T* A, T* B, int* info) {                \
    p##routine##_(&uplo, &s.n, &s.nrhs, A, &s.n, B, &s.n, info);                                             \
  }
#define TALUS_LAPACK(p, P, T)          \
  TALUS_LAPACK_OF_A(potrf, p, T)       \
  TALUS_LAPACK_OF_A(potri, p, T)       \
  TALUS_LAPACK_OF_A_AND_B(potrs, p, T) \
  TALUS_LAPACK_OF_A_AND_B(posv, p, T)
TALUS_FOR_ALL_LETTERS(TALUS_LAPACK)
#undef TALUS_LAPACK
#undef TALUS_LAPACK_OF_A
#undef TALUS_LAPACK_OF_A_AND_B

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
  if constexpr (find_peer<R>("openblas") != nullptr) {
    const auto add = [&](const char* name, bool side_by_side, omp_sched_t schedule) {
      peers.push_back({name, "", true, [=](const typename R::problem& p, int copy) {
                         over_batch(side_by_side, schedule, p.batch, [&](std::int64_t b) {
                           lapack(typename one_size<R>::type(), static_cast<char>(p.uplo), p.sizes_of(b),
                                  p.A(copy, b), p.B(copy, b), p.info() + b);
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
