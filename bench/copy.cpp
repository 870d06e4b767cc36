// The practical ceiling on the host: what a routine must move, moved in place.
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

void update(word* first, std::int64_t words, word nothing) {
  for (std::int64_t i = 0; i < words; ++i) first[i] ^= nothing;
}

word read(const word* first, std::int64_t words) {
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

template <class Problem>
void copy_batch(const Problem& p, int copy, traffic what, bool square) {
  constexpr std::int64_t words = sizeof(typename Problem::scalar) / sizeof(word);
  const word nothing = zero;
  const auto one = [&](std::int64_t b) {
    const sizes s = p.sizes_of(b);
    if (what.has_B) update(reinterpret_cast<word*>(p.B(copy, b)), words * s.n * s.nrhs, nothing);
    return copy_matrix(reinterpret_cast<word*>(p.A(copy, b)), s.n, words, p.uplo == uplo::lower, square,
                       what.writes_A, nothing);
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
std::vector<way<Problem>> host_copies(traffic what) {
  constexpr int n_max_square = 16;  // above, the other triangle costs more than short columns do
  const auto copy = [what](bool square) {
    return [=](const Problem& p, int copy) { copy_batch(p, copy, what, square); };
  };
  std::vector<way<Problem>> copies;
  copies.push_back({"copy", "triangle", false, copy(false)});
  copies.push_back({"copy", "square", false, copy(true), n_max_square});
  return copies;
}

#define TALUS_INSTANTIATE(T)                                       \
  template std::vector<way<problem<T>>> host_copies(traffic what); \
  template std::vector<way<variable_problem<T>>> host_copies(traffic what);
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::bench
