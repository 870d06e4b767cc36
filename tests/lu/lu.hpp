// Calls of LU's routines on resident slabs by whichever of their two forms, matrices whose factors are known
// to the last bit, and LAPACK's ratios.
// compiled_once/lu.cpp compiles the slow functions with -O3.
#pragma once

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "check.hpp"

namespace talus::test {

/// Pivots of a batch in the memory of the backend under test, a gap behind those of each matrix. All are
/// values that no routine may take for its own.
struct pivot_array {
  static constexpr int guard = -999, gap = 2;

  pivot_array(std::int64_t count_, int length_)
      : count(count_),
        length(length_),
        stride(length_ + gap),
        memory(std::vector<int>(static_cast<std::size_t>(count * stride), guard)),
        pointers(static_cast<std::size_t>(count)) {
    std::vector<int*> starts(pointers.size());
    for (std::size_t b = 0; b < starts.size(); ++b)
      starts[b] = memory.data() + static_cast<std::int64_t>(b) * stride;
    pointers.upload(starts);
  }
  /// The same for each matrix.
  pivot_array(std::int64_t count_, const std::vector<int>& each)
      : pivot_array(count_, static_cast<int>(each.size())) {
    std::vector<int> all = memory.download();
    for (std::int64_t b = 0; b < count; ++b) std::copy(each.begin(), each.end(), all.begin() + b * stride);
    memory.upload(all);
  }

  /// Those of each matrix. Throws if a gap was written.
  std::vector<std::vector<int>> download() const {
    const std::vector<int> all = memory.download();
    std::vector<std::vector<int>> each;
    for (auto from = all.begin(); from != all.end(); from += stride) {
      each.emplace_back(from, from + length);
      if (std::count(from + length, from + stride, guard) != gap)
        throw std::runtime_error("pivots were written beyond their end");
    }
    return each;
  }

  std::int64_t count;
  int length;
  std::int64_t stride;
  array<int> memory;
  array<int*> pointers;
};

/// What a call without row exchanges says of its pivots.
template <class T>
struct pivot_floor {
  real_of<T> all = 0;
  const real_of<T>* each = nullptr;
  int* replaced = nullptr;
};

template <class T>
int getrf(call_form how, const resident<T>& A, const pivot_array& ipiv, const info_array& info,
          queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? getrf_batched(s.m, s.n, A.pointers.data(), s.ld, ipiv.pointers.data(), info.data(), s.count, q)
             : getrf_strided_batched(s.m, s.n, A.memory.data(), s.ld, s.stride, ipiv.memory.data(),
                                     ipiv.stride, info.data(), s.count, q);
}

template <class T>
int getrf_nopiv(call_form how, const resident<T>& A, const pivot_floor<T>& floor, const info_array& info,
                queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? getrf_nopiv_batched<T>(s.m, s.n, A.pointers.data(), s.ld, floor.all, floor.each,
                                      floor.replaced, info.data(), s.count, q)
             : getrf_nopiv_strided_batched<T>(s.m, s.n, A.memory.data(), s.ld, s.stride, floor.all,
                                              floor.each, floor.replaced, info.data(), s.count, q);
}

template <class T>
int getrf_partial(call_form how, int k, const resident<T>& A, const pivot_array& ipiv, const info_array& info,
                  queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? getrf_partial_batched(s.m, s.n, k, A.pointers.data(), s.ld, ipiv.pointers.data(), info.data(),
                                     s.count, q)
             : getrf_partial_strided_batched(s.m, s.n, k, A.memory.data(), s.ld, s.stride, ipiv.memory.data(),
                                             ipiv.stride, info.data(), s.count, q);
}

template <class T>
int getrf_partial_nopiv(call_form how, int k, const resident<T>& A, const pivot_floor<T>& floor,
                        const info_array& info, queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? getrf_partial_nopiv_batched<T>(s.m, s.n, k, A.pointers.data(), s.ld, floor.all, floor.each,
                                              floor.replaced, info.data(), s.count, q)
             : getrf_partial_nopiv_strided_batched<T>(s.m, s.n, k, A.memory.data(), s.ld, s.stride, floor.all,
                                                      floor.each, floor.replaced, info.data(), s.count, q);
}

// Of the next four, info may be null.

template <class T>
int getrs(call_form how, op op, const resident<T>& A, const pivot_array& ipiv, const resident<T>& B,
          int* info, queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? getrs_batched<T>(op, a.n, x.n, A.pointers.data(), a.ld, ipiv.pointers.data(),
                                B.pointers.data(), x.ld, info, a.count, q)
             : getrs_strided_batched<T>(op, a.n, x.n, A.memory.data(), a.ld, a.stride, ipiv.memory.data(),
                                        ipiv.stride, B.memory.data(), x.ld, x.stride, info, a.count, q);
}

template <class T>
int getrs_nopiv(call_form how, op op, const resident<T>& A, const resident<T>& B, int* info,
                queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? getrs_nopiv_batched<T>(op, a.n, x.n, A.pointers.data(), a.ld, B.pointers.data(), x.ld, info,
                                      a.count, q)
             : getrs_nopiv_strided_batched<T>(op, a.n, x.n, A.memory.data(), a.ld, a.stride, B.memory.data(),
                                              x.ld, x.stride, info, a.count, q);
}

template <class T>
int getri(call_form how, const resident<T>& A, const pivot_array& ipiv, int* info, queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? getri_batched(s.n, A.pointers.data(), s.ld, ipiv.pointers.data(), info, s.count, q)
             : getri_strided_batched(s.n, A.memory.data(), s.ld, s.stride, ipiv.memory.data(), ipiv.stride,
                                     info, s.count, q);
}

template <class T>
int getri_outofplace(call_form how, const resident<T>& A, const pivot_array& ipiv, const resident<T>& C,
                     int* info, queue q = test_queue()) {
  const slab<T>&a = A.host, &c = C.host;
  return how == call_form::pointers
             ? getri_outofplace_batched<T>(a.n, A.pointers.data(), a.ld, ipiv.pointers.data(),
                                           C.pointers.data(), c.ld, info, a.count, q)
             : getri_outofplace_strided_batched<T>(a.n, A.memory.data(), a.ld, a.stride, ipiv.memory.data(),
                                                   ipiv.stride, C.memory.data(), c.ld, c.stride, info,
                                                   a.count, q);
}

template <class T>
int gesv(call_form how, const resident<T>& A, const pivot_array& ipiv, const resident<T>& B,
         const info_array& info, queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? gesv_batched(a.n, x.n, A.pointers.data(), a.ld, ipiv.pointers.data(), B.pointers.data(), x.ld,
                            info.data(), a.count, q)
             : gesv_strided_batched(a.n, x.n, A.memory.data(), a.ld, a.stride, ipiv.memory.data(),
                                    ipiv.stride, B.memory.data(), x.ld, x.stride, info.data(), a.count, q);
}

/// How a matrix of known factors is made.
struct known_shape {
  int m, n, k;            // columns that are eliminated
  int pivot_rows;         // from the first of which pivots come; 0: there are no row exchanges
  std::set<int> zeros{};  // columns, from 0, whose pivot is zero
  std::set<int> small{};  // those whose pivot is below a floor of 1 (without row exchanges)
};
/// Partial pivoting, all columns.
inline known_shape pivoted(int m, int n, std::set<int> zeros = {}) {
  return {m, n, std::min(m, n), m, std::move(zeros)};
}

/// A matrix of small multiples of 1/2 and what its elimination leaves, to the last bit: factors with powers
/// of two on U's diagonal, and beside them the Schur complement. Pivots are unambiguous, though often not the
/// only elements of their magnitude: the others stand in later rows.
template <class T>
struct known_lu {
  known_lu(const known_shape& shape, unsigned seed);

  int m, n;
  dense<T> A, factors;
  std::vector<int> ipiv;  // of the columns that are eliminated
  int info = 0, replaced = 0;
};

// ---- what factors have to be ---------------------------------------------------------------------------

/// A with the row exchanges of its factorization. No pivots: none.
template <class T>
dense<T> exchanged(dense<T> A, const std::vector<int>& ipiv, int m, int n);

/// ||A - P L U||_1 / (max(m, n) ||A||_1 eps); of the first k columns' elimination, with the Schur complement
/// in its place, if k is not min(m, n).
template <class T>
double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, int n,
                int k);
template <class T>
double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, int n);

/// max |U| / max |A|, at least 1: what the ratio may be larger by.
template <class T>
double growth(const dense<T>& A, const dense<T>& factors, int m, int n);

/// The largest |L|: not above 1 but for rounding if pivots are the largest of their columns. (Of complex
/// numbers, whose magnitudes are |re| + |im|, not above sqrt(2).)
template <class T>
double largest_multiplier(const dense<T>& factors, int m, int n);

/// The first j, from 1, for which U(j, j) is exactly zero, or 0.
template <class T>
int first_zero(const dense<T>& factors, int m, int n);

/// Is every pivot a row at or below its own?
inline bool are_pivots(const std::vector<int>& ipiv, int rows) {
  for (std::size_t j = 0; j < ipiv.size(); ++j) {
    if (ipiv[j] <= static_cast<int>(j) || ipiv[j] > rows) return false;
  }
  return true;
}

/// All that partial pivoting promises of one matrix's factors, pivots and info.
template <class T>
void check_pivoted(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int info, int m,
                   int n) {
  CHECK(info == first_zero(factors, m, n));
  REQUIRE(are_pivots(ipiv, m));
  CHECK(largest_multiplier(factors, m, n) <=
        (is_complex<T> ? std::sqrt(2.0) : 1.0) * (1 + 64 * static_cast<double>(epsilon<T>)));
  CHECK(lu_ratio(A, factors, ipiv, m, n) < threshold * growth(A, factors, m, n));
}

/// Zeros and NaN to the diagonals of U of some matrices, of eleven. What solves and inverses say of each.
template <class T>
std::vector<int> spoil_diagonals(slab<T>& factors) {
  const int n = factors.n;
  factors.at(2, n / 2, n / 2) = T(0);
  factors.at(3, n - 1, n - 1) = nan_of<T>();
  factors.at(7, n / 2, n / 2) = nan_of<T>();
  factors.at(7, n - 1, n - 1) = T(0);
  factors.at(10, 0, 0) = T(0);
  std::vector<int> info(11);
  info[2] = info[7] = n / 2 + 1;
  info[3] = n;
  info[10] = 1;
  return info;
}

/// The last pivot of one matrix of a batch is illegal: it names no row to exchange with.
struct bad_pivot {
  std::int64_t matrix;
  std::vector<int> info;  ///< the call must write these values

  /// Checks that the call changed every result but the result of the matrix with the illegal pivot.
  template <class T>
  void check(const slab<T>& before, const resident<T>& result, const info_array& written) const {
    finish();
    CHECK(written.download() == info);
    const slab<T> now = result.download();
    CHECK(now.same_bits(matrix, before, matrix));
    for (std::int64_t b = 0; b < before.count; ++b) {
      if (b != matrix) CHECK(!now.same_bits(b, before, b));
    }
  }
};

/// Calls visit(factors, pivots, bad) for several sizes and illegal pivots. getrf makes the factors.
template <class T, class Visit>
void for_each_bad_pivot(Visit visit) {
  for (const int n : {1, 2, 8, 33, 100, 260}) {
    for (const std::int64_t count : {1, 3, 40}) {
      if (n > 100 && count > 3) continue;
      const repeated_general<T> A("dominant", n, n, 1, 7);
      const resident<T> factors(A.fill(n, count));
      const pivot_array legal(count, n);
      REQUIRE(getrf(call_form::strided, factors, legal, info_array(count)) == 0);
      finish();
      for (const int bad : {0, -1, n + 1, 2000000000, n - 1}) {
        CAPTURE(n, count, bad);
        bad_pivot expected{count / 2, std::vector<int>(static_cast<std::size_t>(count))};
        expected.info[static_cast<std::size_t>(expected.matrix)] = n;
        std::vector<int> pivots = legal.memory.download();
        pivots[static_cast<std::size_t>(expected.matrix * legal.stride + n - 1)] = bad;
        pivot_array spoilt(count, n);
        spoilt.memory.upload(pivots);
        visit(factors, spoilt, expected);
      }
    }
  }
}

}  // namespace talus::test
