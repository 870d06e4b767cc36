// Fronts in blocks of their own for LU: calls of getrf_partial_split and its twin by whichever of their
// forms, fronts of which all is known that a call leaves, and ratios.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

namespace talus::test {

/// Order of A11, rows and columns of A22.
struct split_size {
  int k, m2, n2;
  int m() const { return k + m2; }
  int n() const { return k + n2; }
};

/// What a call is asked for: row exchanges or not, which form, what becomes of A22.
struct split_way {
  bool exchanges;
  form leaves;
  schur makes;
};
constexpr split_way every_split_way[] = {
    {true, form::lapack, schur::subtract},  {true, form::lapack, schur::product},
    {true, form::left, schur::subtract},    {true, form::left, schur::product},
    {false, form::lapack, schur::subtract}, {false, form::lapack, schur::product},
    {false, form::left, schur::subtract},   {false, form::left, schur::product}};
inline std::string name_of(const split_way& way) {
  return std::string(way.exchanges ? "pivots" : "no pivots") + ", form " + static_cast<char>(way.leaves) +
         ", schur " + static_cast<char>(way.makes);
}

/// Elements (i, j) that a slab's matrices have in common with m x n blocks from (i0, j0) on.
template <class T>
slab<T> block_from(const slab<T>& from, int i0, int j0, int m, int n, int more, int gap) {
  slab<T> block(m, n, std::max(1, m) + more, from.count, gap);
  for (std::int64_t b = 0; b < from.count; ++b) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) block.at(b, i, j) = from.at(b, i0 + i, j0 + j);
    }
  }
  return block;
}
template <class T>
void block_into(const slab<T>& block, slab<T>& into, int i0, int j0) {
  for (std::int64_t b = 0; b < into.count; ++b) {
    for (int j = 0; j < block.n; ++j) {
      for (int i = 0; i < block.m; ++i) into.at(b, i0 + i, j0 + j) = block.at(b, i, j);
    }
  }
}

/// The blocks of whole fronts, copied, with leading dimensions, gaps and guards of their own.
template <class T>
struct lu_blocks {
  lu_blocks(const slab<T>& fronts, int k)
      : A11(block_from(fronts, 0, 0, k, k, k % 3, 5)),
        A12(block_from(fronts, 0, k, k, fronts.n - k, fronts.n % 2, 1)),
        A21(block_from(fronts, k, 0, fronts.m - k, k, 2, 0)),
        A22(block_from(fronts, k, k, fronts.m - k, fronts.n - k, fronts.m % 2, 3)) {}

  /// The blocks in the places that they were copied from.
  slab<T> together(slab<T> fronts) const {
    block_into(A11, fronts, 0, 0);
    block_into(A12, fronts, 0, A11.n);
    block_into(A21, fronts, A11.n, 0);
    block_into(A22, fronts, A11.n, A11.n);
    return fronts;
  }
  bool guards_untouched(const lu_blocks& before) const {
    return A11.guards_untouched(before.A11) && A12.guards_untouched(before.A12) &&
           A21.guards_untouched(before.A21) && A22.guards_untouched(before.A22);
  }
  bool same_bits(const lu_blocks& other) const {
    return A11.same_bits(other.A11) && A12.same_bits(other.A12) && A21.same_bits(other.A21) &&
           A22.same_bits(other.A22);
  }

  slab<T> A11, A12, A21, A22;
};

/// Such blocks in the memory of the backend under test.
template <class T>
struct resident_lu_blocks {
  explicit resident_lu_blocks(const lu_blocks<T>& blocks)
      : host(blocks), A11(blocks.A11), A12(blocks.A12), A21(blocks.A21), A22(blocks.A22) {}
  lu_blocks<T> download() const {
    lu_blocks<T> now = host;
    now.A11 = A11.download();
    now.A12 = A12.download();
    now.A21 = A21.download();
    now.A22 = A22.download();
    return now;
  }

  lu_blocks<T> host;  // as uploaded
  resident<T> A11, A12, A21, A22;
};

template <class T>
int getrf_partial_split(call_form how, const split_way& way, const resident_lu_blocks<T>& A,
                        const pivot_array& ipiv, const info_array& info, queue q = test_queue()) {
  const slab<T>&a = A.host.A11, &b = A.host.A12, &c = A.host.A21, &d = A.host.A22;
  return how == call_form::pointers
             ? getrf_partial_split_batched(way.leaves, way.makes, a.n, d.m, d.n, A.A11.pointers.data(), a.ld,
                                           A.A12.pointers.data(), b.ld, A.A21.pointers.data(), c.ld,
                                           A.A22.pointers.data(), d.ld, ipiv.pointers.data(), info.data(),
                                           a.count, q)
             : getrf_partial_split_strided_batched(way.leaves, way.makes, a.n, d.m, d.n, A.A11.memory.data(),
                                                   a.ld, a.stride, A.A12.memory.data(), b.ld, b.stride,
                                                   A.A21.memory.data(), c.ld, c.stride, A.A22.memory.data(),
                                                   d.ld, d.stride, ipiv.memory.data(), ipiv.stride,
                                                   info.data(), a.count, q);
}

template <class T>
int getrf_partial_split_nopiv(call_form how, const split_way& way, const resident_lu_blocks<T>& A,
                              const pivot_floor<T>& floor, const info_array& info, queue q = test_queue()) {
  const slab<T>&a = A.host.A11, &b = A.host.A12, &c = A.host.A21, &d = A.host.A22;
  return how == call_form::pointers
             ? getrf_partial_split_nopiv_batched<T>(
                   way.leaves, way.makes, a.n, d.m, d.n, A.A11.pointers.data(), a.ld, A.A12.pointers.data(),
                   b.ld, A.A21.pointers.data(), c.ld, A.A22.pointers.data(), d.ld, floor.all, floor.each,
                   floor.replaced, info.data(), a.count, q)
             : getrf_partial_split_nopiv_strided_batched<T>(
                   way.leaves, way.makes, a.n, d.m, d.n, A.A11.memory.data(), a.ld, a.stride,
                   A.A12.memory.data(), b.ld, b.stride, A.A21.memory.data(), c.ld, c.stride,
                   A.A22.memory.data(), d.ld, d.stride, floor.all, floor.each, floor.replaced, info.data(),
                   a.count, q);
}

/// What a call left of fronts, in one piece; nothing else was written.
template <class T>
struct split_fronts {
  slab<T> fronts;
  std::vector<std::vector<int>> ipiv;
  std::vector<int> info, replaced;

  split_fronts(const split_way& way, call_form how, int k, const slab<T>& before,
               const std::vector<real_of<T>>& floors = {}, queue q = test_queue())
      : fronts(before) {
    CAPTURE(name_of(way), how == call_form::pointers, before.m, before.n, k, before.count);
    const resident_lu_blocks<T> A(lu_blocks<T>(before, k));
    const pivot_array pivots(before.count, k);
    const info_array infos(before.count), counts(before.count);
    const array<real_of<T>> each(floors);
    if (way.exchanges) {
      REQUIRE(getrf_partial_split(how, way, A, pivots, infos, q) == 0);
    } else {
      REQUIRE(getrf_partial_split_nopiv(
                  how, way, A, {0, floors.empty() ? nullptr : each.data(), counts.data()}, infos, q) == 0);
    }
    finish();
    const lu_blocks<T> now = A.download();
    CHECK(now.guards_untouched(A.host));
    if (way.leaves == form::left) CHECK(now.A21.same_bits(A.host.A21));
    fronts = now.together(before);
    ipiv = pivots.download();
    info = infos.download();
    replaced = counts.download();
    if (!way.exchanges) CHECK(ipiv == pivot_array(before.count, k).download());
  }
  bool same_bits(const split_fronts& other) const {
    return fronts.same_bits(other.fronts) && ipiv == other.ipiv && info == other.info &&
           replaced == other.replaced;
  }
};

// ---- fronts of which all is known ----------------------------------------------------------------------

/// L X, L the unit lower triangle of k x k factors; and U X. X has n columns.
template <class T>
dense<T> times_lower(const dense<T>& factors, const dense<T>& X, int k, int n) {
  dense<T> L = factors;
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i <= j; ++i) L[static_cast<std::size_t>(i + j * k)] = i == j ? T(1) : T(0);
  }
  return product(L, X, k, k, n);
}
template <class T>
dense<T> times_upper(const dense<T>& factors, const dense<T>& X, int k, int n) {
  dense<T> U = factors;
  for (int j = 0; j < k; ++j) {
    for (int i = j + 1; i < k; ++i) U[static_cast<std::size_t>(i + j * k)] = T(0);
  }
  return product(U, X, k, k, n);
}

/// A front of small multiples of 1/2 and what a call leaves of it, to the last bit.
template <class T>
struct known_split {
  /// zeros, small: columns of A11, from 0, whose pivot is zero, or below a floor of 1.
  known_split(const split_size& s, const split_way& way, unsigned seed, const std::set<int>& zeros = {},
              const std::set<int>& small = {})
      : size(s) {
    if (way.leaves == form::lapack) {
      take({{s.m(), s.n(), s.k, way.exchanges ? s.k : 0, zeros, small}, seed});
    } else {
      leave_quotient({{s.k, s.k, s.k, way.exchanges ? s.k : 0, zeros, small}, seed}, seed);
    }
    if (way.makes == schur::subtract || (info > 0 && way.leaves == form::left)) return;
    for (int j = s.k; j < s.n();
         ++j) {  // A22 less what is left of it is the product; what it was is not read
      for (int i = s.k; i < s.m(); ++i) {
        after[at(i, j)] = before[at(i, j)] - after[at(i, j)];
        before[at(i, j)] = T(real_of<T>(12345));
      }
    }
  }

  split_size size;
  dense<T> before, after;  // whole fronts
  std::vector<int> ipiv;
  int info = 0, replaced = 0;

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i + j * size.m()); }
  void put(const dense<T>& block, dense<T>& into, int i0, int j0, int m, int n) const {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) into[at(i0 + i, j0 + j)] = block[static_cast<std::size_t>(i + j * m)];
    }
  }
  void take(const known_lu<T>& known) {
    before = known.A;
    after = known.factors;
    ipiv = known.ipiv;
    info = known.info;
    replaced = known.replaced;
  }
  /// A12 = P L U X and A22 = S + A21 X, of which X and S are left.
  void leave_quotient(const known_lu<T>& known, unsigned seed) {
    const auto [k, m2, n2] = size;
    take(known);
    small_numbers<T> draw(seed + 1000);
    const auto numbers = [&draw](int m, int n) {
      dense<T> X(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
      for (T& x : X) x = draw.element(1);
      return X;
    };
    const dense<T> A11 = before, factors = after, X = numbers(k, n2), A21 = numbers(m2, k),
                   S = numbers(m2, n2);
    dense<T> A12 = times_lower(factors, times_upper(factors, X, k, n2), k, n2);
    for (int i = k - 1; i >= 0 && !ipiv.empty(); --i) {
      for (int j = 0; j < n2; ++j)
        std::swap(A12[static_cast<std::size_t>(i + j * k)],
                  A12[static_cast<std::size_t>(ipiv[static_cast<std::size_t>(i)] - 1 + j * k)]);
    }
    dense<T> A22 = product(A21, X, m2, k, n2);
    for (std::size_t i = 0; i < A22.size(); ++i) A22[i] += S[i];
    before.assign(static_cast<std::size_t>(size.m()) * static_cast<std::size_t>(size.n()), T());
    put(A11, before, 0, 0, k, k);
    put(A12, before, 0, k, k, n2);
    put(A21, before, k, 0, m2, k);
    put(A22, before, k, k, m2, n2);
    after = before;
    put(factors, after, 0, 0, k, k);
    if (info > 0) return;
    put(X, after, 0, k, k, n2);
    put(S, after, k, k, m2, n2);
  }
};

// ---- what other fronts have to be ----------------------------------------------------------------------

/// m x n of a dense matrix with ld rows, from (i0, j0) on.
template <class T>
dense<T> part_of_dense(const dense<T>& A, int ld, int i0, int j0, int m, int n) {
  dense<T> part;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) part.push_back(A[static_cast<std::size_t>(i0 + i + (j0 + j) * ld)]);
  }
  return part;
}

/// The largest multiplier and the growth of what was eliminated, by which ratios may be larger; 1 at least.
template <class T>
double allowed_of(const dense<T>& before, const dense<T>& factors, int m, int n) {
  return std::max(1.0, largest_multiplier(factors, m, n)) * growth(before, factors, m, n);
}

/// The ratios that batched.hpp documents of what a call left of one front, the larger of those of form left,
/// divided by what they may be larger by.
template <class T>
double split_ratio(const split_way& way, const dense<T>& before, dense<T> now, const std::vector<int>& ipiv,
                   const split_size& s) {
  const int m = s.m(), n = s.n(), k = s.k;
  const auto at = [m](int i, int j) { return static_cast<std::size_t>(i + j * m); };
  if (way.makes == schur::product) {
    for (int j = k; j < n; ++j) {
      for (int i = k; i < m; ++i) now[at(i, j)] = before[at(i, j)] - now[at(i, j)];
    }
  }
  if (way.leaves == form::lapack) return lu_ratio(before, now, ipiv, m, n, k) / allowed_of(before, now, m, n);
  const dense<T> A11 = part_of_dense(before, m, 0, 0, k, k), LU = part_of_dense(now, m, 0, 0, k, k),
                 A12 = part_of_dense(before, m, 0, k, k, s.n2), X = part_of_dense(now, m, 0, k, k, s.n2),
                 A21 = part_of_dense(before, m, k, 0, s.m2, k),
                 A22 = part_of_dense(before, m, k, k, s.m2, s.n2),
                 S = part_of_dense(now, m, k, k, s.m2, s.n2);
  const double factors = lu_ratio(A11, LU, ipiv, k, k, k) / allowed_of(A11, LU, k, k);
  const double quotient = solve_ratio(A11, X, A12, k, s.n2) / allowed_of(A11, LU, k, k);
  dense<T> R = product(A21, X, s.m2, k, s.n2);
  for (std::size_t i = 0; i < R.size(); ++i) R[i] = A22[i] - S[i] - R[i];
  const double size = norm1(A22, s.m2, s.n2) + norm1(A21, s.m2, k) * norm1(X, k, s.n2),
               rest = norm1(R, s.m2, s.n2),
               rest_ratio = rest == 0 ? 0 : rest / ((k + 1) * size * static_cast<double>(epsilon<T>));
  return worse(worse(factors, quotient), rest_ratio);
}

}  // namespace talus::test
