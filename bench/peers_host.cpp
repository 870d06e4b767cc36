// Peers on the host: OpenBLAS in the three ways its users have, and the copy.
#include <omp.h>

#include <complex>
#include <cstdint>
#include <map>

#include "peers.hpp"

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

const std::vector<std::string> peer_names = {"copy",          "cusolver",        "cublas",          "magma",
                                             "openblas-loop", "openblas-static", "openblas-dynamic"};

std::string why_absent(const std::string& peer, const std::string& routine, backend where) {
  const bool on_host = peer.rfind("openblas", 0) == 0;
  if (on_host != (where == backend::host)) return on_host ? "runs on the host alone" : "runs on cuda alone";
#ifndef TALUS_WITH_CUSOLVER
  if (peer == "cusolver") return "not in this build: the CUDA toolkit it was configured with has no cuSOLVER";
#endif
#ifndef TALUS_WITH_CUBLAS
  if (peer == "cublas") return "not in this build: the CUDA toolkit it was configured with has no cuBLAS";
#endif
#ifndef TALUS_WITH_MAGMA
  if (peer == "magma") return "not in this build: MAGMA was not found when it was configured";
#endif
  if (peer == "cublas") return "has no batched " + routine + ": it has no Cholesky, so it only serves potrs";
  if (peer == "cusolver") return "has no batched " + routine + " for this number of right-hand sides";
  return "has no batched " + routine;
}

namespace {

// ---- OpenBLAS ------------------------------------------------------------------------------------

template <class T>
using on_one_matrix = void (*)(const problem<T>&, T* A, T* B, int* info);

/// LAPACK's routines by name, for one matrix.
#define TALUS_LAPACK(p, T)                                             \
  const std::map<std::string, on_one_matrix<T>>& lapack(const T*) {    \
    static const std::map<std::string, on_one_matrix<T>> functions = { \
        {"potrf",                                                      \
         [](const problem<T>& q, T* A, T*, int* info) {                \
           const char uplo = static_cast<char>(q.uplo);                \
           p##potrf_(&uplo, &q.n, A, &q.n, info);                      \
         }},                                                           \
        {"potri",                                                      \
         [](const problem<T>& q, T* A, T*, int* info) {                \
           const char uplo = static_cast<char>(q.uplo);                \
           p##potri_(&uplo, &q.n, A, &q.n, info);                      \
         }},                                                           \
        {"potrs",                                                      \
         [](const problem<T>& q, T* A, T* B, int* info) {              \
           const char uplo = static_cast<char>(q.uplo);                \
           p##potrs_(&uplo, &q.n, &q.nrhs, A, &q.n, B, &q.n, info);    \
         }},                                                           \
        {"posv", [](const problem<T>& q, T* A, T* B, int* info) {      \
           const char uplo = static_cast<char>(q.uplo);                \
           p##posv_(&uplo, &q.n, &q.nrhs, A, &q.n, B, &q.n, info);     \
         }}};                                                          \
    return functions;                                                  \
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

template <class T>
void one_after_the_other(on_one_matrix<T> function, const problem<T>& p, int copy) {
  const openblas_threads all(omp_get_max_threads());
  T *const A = p.A(copy), *const B = p.B(copy);
  for (std::int64_t b = 0; b < p.batch; ++b)
    function(p, A + b * p.stride_A(), B + b * p.stride_B(), p.info() + b);
}

template <class T>
void static_over_the_batch(on_one_matrix<T> function, const problem<T>& p, int copy) {
  const openblas_threads one(1);
  T *const A = p.A(copy), *const B = p.B(copy);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < p.batch; ++b)
    function(p, A + b * p.stride_A(), B + b * p.stride_B(), p.info() + b);
}

template <class T>
void dynamic_over_the_batch(on_one_matrix<T> function, const problem<T>& p, int copy) {
  const openblas_threads one(1);
  T *const A = p.A(copy), *const B = p.B(copy);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < p.batch; ++b)
    function(p, A + b * p.stride_A(), B + b * p.stride_B(), p.info() + b);
}

// ---- copy ----------------------------------------------------------------------------------------

typedef std::uint32_t __attribute__((may_alias))
word;  // whatever the elements are, they are copied bit by bit

/// Read where the compiler cannot: x ^ zero is x, and must be computed and written.
volatile word zero = 0;
volatile word sink = 0;

inline void update(word* first, std::int64_t words, word nothing) {
  for (std::int64_t i = 0; i < words; ++i) first[i] ^= nothing;
}

inline word read(const word* first, std::int64_t words) {
  word all = 0;
  for (std::int64_t i = 0; i < words; ++i) all ^= first[i];
  return all;
}

/// Each matrix's triangle (or its whole square), column by column: updated in place, or only read.
template <class T>
void copy_triangles(const problem<T>& p, int copy, traffic what, bool square) {
  constexpr std::int64_t words = sizeof(T) / sizeof(word);
  const word nothing = zero;
  word all_read = 0;
  word* const A = reinterpret_cast<word*>(p.A(copy));
  word* const B = reinterpret_cast<word*>(p.B(copy));
  const std::int64_t n = p.n, stride_A = p.stride_A() * words, stride_B = p.stride_B() * words;
  const bool lower = p.uplo == talus::uplo::lower;
#pragma omp parallel for schedule(static) reduction(^ : all_read)
  for (std::int64_t b = 0; b < p.batch; ++b) {
    word* const A_b = A + b * stride_A;
    if (square) {
      what.writes_A ? update(A_b, stride_A, nothing) : void(all_read ^= read(A_b, stride_A));
    } else {
      for (std::int64_t j = 0; j < n; ++j) {
        word* const column = A_b + (lower ? j + j * n : j * n) * words;
        const std::int64_t length = (lower ? n - j : j + 1) * words;
        what.writes_A ? update(column, length, nothing) : void(all_read ^= read(column, length));
      }
    }
    if (what.has_B) update(B + b * stride_B, stride_B, nothing);
  }
  sink = all_read;
}

constexpr int n_max_square = 16;  // above, the other triangle costs more than short columns do

}  // namespace

template <class T>
std::vector<library<T>> host_peers(const std::string& routine, traffic what) {
  std::vector<library<T>> peers;
  const auto add_copy = [&](const char* variant, bool square) -> library<T>& {
    peers.push_back({"copy", variant, false,
                     [=](const problem<T>& p, int copy) { copy_triangles(p, copy, what, square); }});
    return peers.back();
  };
  add_copy("triangle", false);
  add_copy("square", true).n_max = n_max_square;

  const auto& functions = lapack(static_cast<const T*>(nullptr));
  const auto found = functions.find(routine);
  if (found == functions.end()) return peers;
  const auto add = [&](const char* name, void (*way)(on_one_matrix<T>, const problem<T>&, int)) {
    peers.push_back({name, "", true, [=, function = found->second](const problem<T>& p, int copy) {
                       way(function, p, copy);
                     }});
  };
  add("openblas-loop", one_after_the_other<T>);
  add("openblas-static", static_over_the_batch<T>);
  add("openblas-dynamic", dynamic_over_the_batch<T>);
  return peers;
}

template std::vector<library<float>> host_peers(const std::string&, traffic);
template std::vector<library<double>> host_peers(const std::string&, traffic);
template std::vector<library<std::complex<float>>> host_peers(const std::string&, traffic);
template std::vector<library<std::complex<double>>> host_peers(const std::string&, traffic);

}  // namespace talus::bench
