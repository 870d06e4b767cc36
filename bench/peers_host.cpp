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

/// LAPACK's routines, by name for one matrix of a batch of one size; potrf for any matrix.
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
  }                                                                    \
  void lapack_potrf(char uplo, int n, T* A, int* info) { p##potrf_(&uplo, &n, A, &n, info); }
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
template <class One>
void one_after_the_other(std::int64_t batch, One one) {
  const openblas_threads all(omp_get_max_threads());
  for (std::int64_t b = 0; b < batch; ++b) one(b);
}

template <class One>
void static_over_the_batch(std::int64_t batch, One one) {
  const openblas_threads single(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) one(b);
}

template <class One>
void dynamic_over_the_batch(std::int64_t batch, One one) {
  const openblas_threads single(1);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < batch; ++b) one(b);
}

/// Adds the three of them; on_one(problem, copy) gives the function that factors matrix b.
template <class Problem, class OnOne>
void add_openblas(std::vector<way<Problem>>& peers, OnOne on_one) {
  peers.push_back({"openblas-loop", "", true,
                   [=](const Problem& p, int copy) { one_after_the_other(p.batch, on_one(p, copy)); }});
  peers.push_back({"openblas-static", "", true,
                   [=](const Problem& p, int copy) { static_over_the_batch(p.batch, on_one(p, copy)); }});
  peers.push_back({"openblas-dynamic", "", true,
                   [=](const Problem& p, int copy) { dynamic_over_the_batch(p.batch, on_one(p, copy)); }});
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

/// A matrix's triangle (or its whole square), column by column: updated in place, or only read, which gives
/// something to keep.
word copy_matrix(word* A, std::int64_t n, std::int64_t words, bool lower, bool square, bool write,
                 word nothing) {
  word all_read = 0;
  const auto move = [&](word* first, std::int64_t length) {
    write ? update(first, length, nothing) : void(all_read ^= read(first, length));
  };
  if (square) {
    move(A, n * n * words);
  } else {
    for (std::int64_t j = 0; j < n; ++j)
      move(A + (lower ? j + j * n : j * n) * words, (lower ? n - j : j + 1) * words);
  }
  return all_read;
}

template <class T>
void copy_triangles(const problem<T>& p, int copy, traffic what, bool square) {
  constexpr std::int64_t words = sizeof(T) / sizeof(word);
  const word nothing = zero;
  word all_read = 0;
  word* const A = reinterpret_cast<word*>(p.A(copy));
  word* const B = reinterpret_cast<word*>(p.B(copy));
  const std::int64_t stride_A = p.stride_A() * words, stride_B = p.stride_B() * words;
  const bool lower = p.uplo == talus::uplo::lower;
#pragma omp parallel for schedule(static) reduction(^ : all_read)
  for (std::int64_t b = 0; b < p.batch; ++b) {
    all_read ^= copy_matrix(A + b * stride_A, p.n, words, lower, square, what.writes_A, nothing);
    if (what.has_B) update(B + b * stride_B, stride_B, nothing);
  }
  sink = all_read;
}

template <class T>
void copy_triangles(const variable_problem<T>& p, int copy, bool square) {
  constexpr std::int64_t words = sizeof(T) / sizeof(word);
  const word nothing = zero;
  const bool lower = p.uplo == talus::uplo::lower;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t b = 0; b < p.batch; ++b)
    copy_matrix(reinterpret_cast<word*>(p.A(copy, b)), p.sizes[static_cast<std::size_t>(b)], words, lower,
                square, true, nothing);
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
  add_openblas(peers, [function = found->second](const problem<T>& p, int copy) {
    return [=, &p](std::int64_t b) {
      function(p, p.A(copy) + b * p.stride_A(), p.B(copy) + b * p.stride_B(), p.info() + b);
    };
  });
  return peers;
}

template <class T>
std::vector<variable_library<T>> variable_host_peers() {
  using problem = variable_problem<T>;
  std::vector<variable_library<T>> peers;
  peers.push_back(
      {"copy", "triangle", false, [](const problem& p, int copy) { copy_triangles(p, copy, false); }});
  peers.push_back(
      {"copy", "square", false, [](const problem& p, int copy) { copy_triangles(p, copy, true); }});
  peers.back().n_max = n_max_square;
  add_openblas(peers, [](const problem& p, int copy) {
    return [=, &p](std::int64_t b) {
      lapack_potrf(static_cast<char>(p.uplo), p.sizes[static_cast<std::size_t>(b)], p.A(copy, b),
                   p.info() + b);
    };
  });
  return peers;
}

template std::vector<library<float>> host_peers(const std::string&, traffic);
template std::vector<library<double>> host_peers(const std::string&, traffic);
template std::vector<library<std::complex<float>>> host_peers(const std::string&, traffic);
template std::vector<library<std::complex<double>>> host_peers(const std::string&, traffic);
template std::vector<variable_library<float>> variable_host_peers();
template std::vector<variable_library<double>> variable_host_peers();
template std::vector<variable_library<std::complex<float>>> variable_host_peers();
template std::vector<variable_library<std::complex<double>>> variable_host_peers();

}  // namespace talus::bench
