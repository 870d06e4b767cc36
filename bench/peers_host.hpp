// Peers on the host: OpenBLAS in the three ways its users have.
#pragma once

#include <omp.h>

#include <complex>
#include <cstdint>

#include "ways.hpp"

extern "C" {
#define TALUS_LAPACK(p, T)                                                                                   \
  void p##potrf_(const char* uplo, const int* n, T* A, const int* lda, int* info);                           \
  void p##potri_(const char* uplo, const int* n, T* A, const int* lda, int* info);                           \
  void p##potrs_(const char* uplo, const int* n, const int* nrhs, const T* A, const int* lda, T* B,          \
                 const int* ldb, int* info);                                                                 \
  void p##posv_(const char* uplo, const int* n, const int* nrhs, T* A, const int* lda, T* B, const int* ldb, \
                int* info);
TALUS_LAPACK(s, float)
TALUS_LAPACK(d, double)
TALUS_LAPACK(c, std::complex<float>)
TALUS_LAPACK(z, std::complex<double>)
#undef TALUS_LAPACK
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace talus::bench {

/// LAPACK's routine for one matrix, by its description.
#define TALUS_LAPACK(p, T)                                                                  \
  inline void lapack(measure::potrf<T>, char uplo, const sizes& s, T* A, T*, int* info) {   \
    p##potrf_(&uplo, &s.n, A, &s.n, info);                                                  \
  }                                                                                         \
  inline void lapack(measure::potri<T>, char uplo, const sizes& s, T* A, T*, int* info) {   \
    p##potri_(&uplo, &s.n, A, &s.n, info);                                                  \
  }                                                                                         \
  inline void lapack(measure::potrs<T>, char uplo, const sizes& s, T* A, T* B, int* info) { \
    p##potrs_(&uplo, &s.n, &s.nrhs, A, &s.n, B, &s.n, info);                                \
  }                                                                                         \
  inline void lapack(measure::posv<T>, char uplo, const sizes& s, T* A, T* B, int* info) {  \
    p##posv_(&uplo, &s.n, &s.nrhs, A, &s.n, B, &s.n, info);                                 \
  }
TALUS_LAPACK(s, float)
TALUS_LAPACK(d, double)
TALUS_LAPACK(c, std::complex<float>)
TALUS_LAPACK(z, std::complex<double>)
#undef TALUS_LAPACK

/// OpenBLAS's number of threads, for a while.
class openblas_threads {
 public:
  explicit openblas_threads(int threads) : before_(openblas_get_num_threads()) {
    openblas_set_num_threads(threads);
  }
  ~openblas_threads() { openblas_set_num_threads(before_); }
  openblas_threads(const openblas_threads&) = delete;
  openblas_threads& operator=(const openblas_threads&) = delete;

 private:
  int before_;
};

/// Calls one(b) for every matrix of a batch, in the ways that OpenBLAS's users have.
struct one_after_the_other {
  template <class One>
  static void run(std::int64_t batch, One one) {
    const openblas_threads all(omp_get_max_threads());
    for (std::int64_t b = 0; b < batch; ++b) one(b);
  }
};
struct static_over_the_batch {
  template <class One>
  static void run(std::int64_t batch, One one) {
    const openblas_threads single(1);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < batch; ++b) one(b);
  }
};
struct dynamic_over_the_batch {
  template <class One>
  static void run(std::int64_t batch, One one) {
    const openblas_threads single(1);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t b = 0; b < batch; ++b) one(b);
  }
};

/// The peers that serve a routine.
template <class R>
ways_of<R> host_peers() {
  using problem = typename R::problem;
  ways_of<R> peers;
  if constexpr (find_peer<R>("openblas") != nullptr) {
    const auto add = [&](const char* name, auto way) {
      peers.push_back({name, "", true, [way](const problem& p, int copy) {
                         way.run(p.batch, [&](std::int64_t b) {
                           lapack(typename one_size<R>::type(), static_cast<char>(p.uplo), p.sizes_of(b),
                                  p.A(copy, b), p.B(copy, b), p.info() + b);
                         });
                       }});
    };
    add("openblas-loop", one_after_the_other());
    add("openblas-static", static_over_the_batch());
    add("openblas-dynamic", dynamic_over_the_batch());
  }
  return peers;
}

}  // namespace talus::bench
