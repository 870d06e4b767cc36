// The practical ceiling on the host: what a routine must move, moved in place.
#include <algorithm>
#include <cstdint>

#include "measure/precisions.hpp"
#include "ways.hpp"

namespace talus::bench {
namespace {

// Whatever the elements are, they are copied bit by bit.
typedef std::uint32_t __attribute__((may_alias)) word;

/// Read where the compiler cannot: x ^ zero is x, and must be computed and written.
volatile word zero = 0;
volatile word sink = 0;

/// Updates words in place, or only reads them, which gives something to keep.
word move(word* first, std::int64_t words, bool write, word nothing) {
  word all = 0;
  if (write) {
    for (std::int64_t i = 0; i < words; ++i) first[i] ^= nothing;
  } else {
    for (std::int64_t i = 0; i < words; ++i) all ^= first[i];
  }
  return all;
}

/// The triangles of a batch, column by column, or all of its matrices.
template <class Problem>
void copy_batch(const Problem& p, int copy, traffic what, bool whole) {
  constexpr std::int64_t words = sizeof(typename Problem::scalar) / sizeof(word);
  const word nothing = zero;
  const bool lower = p.uplo == uplo::lower;
  const auto one = [&](std::int64_t b) {
    const std::int64_t n = p.sizes_of(b).n;
    if (p.sizes_of(b).k == 0) return word{0};  // nothing is eliminated, so nothing changes
    if (what.has_B && what.reads_B)
      move(reinterpret_cast<word*>(p.B(copy, b)), words * p.stride_B(), true, nothing);
    else if (what.has_B)
      std::fill_n(p.B(copy, b), std::min(p.m, p.n) * std::int64_t{p.nrhs}, typename Problem::scalar(0));
    word* const A = reinterpret_cast<word*>(p.A(copy, b));
    if (whole) return move(A, (p.first(b + 1) - p.first(b)) * words, what.writes_A, nothing);
    word all = 0;
    for (std::int64_t j = 0; j < n; ++j)
      all ^= move(A + (lower ? j + j * n : j * n) * words, (lower ? n - j : j + 1) * words, what.writes_A,
                  nothing);
    return all;
  };
  word all_read = 0;
  // Equal matrices are copied by the thread that generated them; mixed ones are no equal amounts of work.
  if constexpr (Problem::mixed_sizes) {
#pragma omp parallel for schedule(dynamic, 16) reduction(^ : all_read)
    for (std::int64_t b = 0; b < p.batch; ++b) all_read ^= one(b);
  } else {
#pragma omp parallel for schedule(static) reduction(^ : all_read)
    for (std::int64_t b = 0; b < p.batch; ++b) all_read ^= one(b);
  }
  sink = all_read;
}

}  // namespace

template <class Problem>
std::vector<way<Problem>> host_copies(const Problem& of, traffic what) {
  constexpr int n_max_square = 16;  // above, the other triangle costs more than short columns do
  const auto copy = [what](bool whole) {
    return [=](const Problem& p, int copy) { copy_batch(p, copy, what, whole); };
  };
  std::vector<way<Problem>> copies;
  if (what.A_to_B) {
    copies.push_back(copy_to_B<Problem>());
  } else if (of.is_hermitian()) {
    copies.push_back({"copy", "triangle", false, copy(false)});
    copies.push_back({"copy", "square", false, copy(true), n_max_square});
  } else {
    copies.push_back({"copy", "whole", false, copy(true)});
  }
  return copies;
}

#define TALUS_INSTANTIATE(T)                                                             \
  template std::vector<way<problem<T>>> host_copies(const problem<T>& of, traffic what); \
  template std::vector<way<variable_problem<T>>> host_copies(const variable_problem<T>& of, traffic what);
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::bench
