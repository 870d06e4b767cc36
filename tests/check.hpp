// Batches with guarded surroundings, and LAPACK's ratios of what came out.
// compiled_once/check.cpp compiles the slow functions with -O3.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "matgen.hpp"
#include "memory.hpp"
#include "talus/talus.hpp"

namespace talus::test {

/// LAPACK's own limit for its test ratios.
constexpr double threshold = 30;

template <class T>
T nan_of() {
  return T(std::numeric_limits<real_of<T>>::quiet_NaN());
}

/// count matrices of m x n elements with leading dimension ld in one slab. All that no test puts there is
/// NaN: whoever reads it spoils his result, and whoever writes it is found.
template <class T>
struct slab {
  int m, n, ld;
  std::int64_t stride, count;
  std::vector<T> host;

  /// `gap` elements that belong to no matrix behind each.
  slab(int m_, int n_, int ld_, std::int64_t count_, int gap = 5)
      : m(m_), n(n_), ld(ld_), stride(static_cast<std::int64_t>(ld_) * n_ + gap), count(count_) {
    host.assign(static_cast<std::size_t>(stride * count + 5), nan_of<T>());
  }

  T& at(std::int64_t b, int i, int j) {
    return host[static_cast<std::size_t>(b * stride + i + std::int64_t{j} * ld)];
  }
  const T& at(std::int64_t b, int i, int j) const {
    return host[static_cast<std::size_t>(b * stride + i + std::int64_t{j} * ld)];
  }

  void put(std::int64_t b, const dense<T>& A) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) at(b, i, j) = A[static_cast<std::size_t>(i + j * m)];
    }
  }
  /// Only the triangle; imaginary parts of the diagonal, which nobody may look at, are NaN.
  void put_triangle(std::int64_t b, const dense<T>& A, uplo uplo) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (uplo == uplo::lower ? i < j : i > j) continue;
        T a = A[static_cast<std::size_t>(i + j * n)];
        if constexpr (is_complex<T>) {
          if (i == j) a = {std::real(a), std::numeric_limits<real_of<T>>::quiet_NaN()};
        }
        at(b, i, j) = a;
      }
    }
  }
  dense<T> get(std::int64_t b) const {
    dense<T> A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) A[static_cast<std::size_t>(i + j * m)] = at(b, i, j);
    }
    return A;
  }
  /// The triangle as a lower triangular matrix, zero above: L of L L^H, or the lower half of a Hermitian
  /// matrix.
  dense<T> get_lower(std::int64_t b, uplo uplo) const {
    dense<T> L(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        L[static_cast<std::size_t>(i + j * n)] = uplo == uplo::lower ? at(b, i, j) : conjugate(at(b, j, i));
      }
    }
    return L;
  }

  bool same_bits(std::int64_t b, const slab& other, std::int64_t other_b) const {
    const auto bytes = static_cast<std::size_t>(stride) * sizeof(T);
    return std::memcmp(static_cast<const void*>(&host[static_cast<std::size_t>(b * stride)]),
                       static_cast<const void*>(&other.host[static_cast<std::size_t>(other_b * stride)]),
                       bytes) == 0;
  }
  bool same_bits(const slab& other) const {
    return std::memcmp(static_cast<const void*>(host.data()), static_cast<const void*>(other.host.data()),
                       host.size() * sizeof(T)) == 0;
  }
  /// Everything but the matrices (or, with a uplo, but their triangles) is as it was.
  bool guards_untouched(const slab& before, const uplo* triangle = nullptr) const {
    slab masked = *this;
    for (std::int64_t b = 0; b < count; ++b) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
          if (triangle && (*triangle == uplo::lower ? i < j : i > j)) continue;
          masked.at(b, i, j) = before.at(b, i, j);
        }
      }
    }
    return masked.same_bits(before);
  }
};

/// `distinct` random matrices, repeated until the batch is full.
template <class T>
slab<T> right_hand_sides(int n, int nrhs, int ld, std::int64_t count, int distinct);

/// A slab in the memory of the backend under test, reachable both ways.
template <class T>
struct resident {
  explicit resident(const slab<T>& s) : host(s), memory(s.host), pointers(static_cast<std::size_t>(s.count)) {
    std::vector<T*> starts(pointers.size());
    for (std::size_t b = 0; b < starts.size(); ++b)
      starts[b] = memory.data() + static_cast<std::int64_t>(b) * s.stride;
    pointers.upload(starts);
  }
  slab<T> download() const {
    slab<T> s = host;
    s.host = memory.download();
    return s;
  }

  slab<T> host;  // as uploaded
  array<T> memory;
  array<T*> pointers;
};

/// info in the memory of the backend, filled with values that no routine may take for its own.
struct info_array {
  explicit info_array(std::int64_t count)
      : memory(std::vector<int>(static_cast<std::size_t>(count) + 1, -777)),
        count_(static_cast<std::size_t>(count)) {}
  int* data() const { return memory.data(); }
  /// Throws if what lies behind the last info was written.
  std::vector<int> download() const {
    std::vector<int> info = memory.download();
    if (info.back() != -777) throw std::runtime_error("info was written beyond its end");
    info.resize(count_);
    return info;
  }
  array<int> memory;
  std::size_t count_;
};

inline bool all_zero(const std::vector<int>& info) {
  return std::all_of(info.begin(), info.end(), [](int i) { return i == 0; });
}

/// Every matrix of the batch is bit for bit the one `distinct` places before it.
template <class T>
bool position_does_not_matter(const slab<T>& result, std::int64_t distinct);

/// Calls run(start) on copies of a slab that start 0 to 3 elements behind the start of an allocation. The
/// results must have the same bits.
template <class T, class Run>
void check_all_starts(const slab<T>& s, Run run) {
  std::vector<T> first;
  for (const std::size_t shift : {0, 1, 2, 3}) {
    CAPTURE(shift);
    std::vector<T> host(shift, T(7));
    host.insert(host.end(), s.host.begin(), s.host.end());
    const array<T> memory(host);
    run(memory.data() + shift);
    finish();
    std::vector<T> after = memory.download();
    after.erase(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(shift));
    if (first.empty()) first = after;
    CHECK(std::memcmp(static_cast<const void*>(first.data()), static_cast<const void*>(after.data()),
                      first.size() * sizeof(T)) == 0);
  }
}

enum class call_form { pointers, strided };
constexpr call_form forms[] = {call_form::pointers, call_form::strided};
constexpr op every_op[] = {op::none, op::trans, op::conj_trans};

/// ||A||_1 of an m x n matrix
template <class T>
double norm1(const dense<T>& A, int m, int n);

/// Scaled to 1 first, so that tiny and huge matrices are judged like any other.
template <class T>
dense<T> scaled(dense<T> A, double factor);

/// (A - L L^H) / ||A||_1, summed in double precision: beside a large diagonal of many columns single
/// precision loses a sum itself.
template <class T>
dense<in_double<T>> factor_residual(const dense<T>& A, const dense<T>& L, int n);

/// ||A - L L^H||_1 / (n ||A||_1 eps)
template <class T>
double factor_ratio(const dense<T>& A, const dense<T>& L, int n);

/// The larger of both; a NaN stays.
inline double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

/// max |A - L L^H|_ij / (sqrt(a_ii a_jj) (4 sqrt(n) + 4) eps) of such a residual: errors of either sign add
/// up to no more, in whichever order. In single precision the norm does not see a lost sum beside a large
/// diagonal.
template <class T>
double entry_ratio(const dense<T>& A, const dense<in_double<T>>& R, int n);

/// C = A B, A m x k, B k x n
template <class T>
dense<T> product(const dense<T>& A, const dense<T>& B, int m, int k, int n);

/// An m x n matrix, its transpose, or its conjugate transpose.
template <class T>
dense<T> applied(op op, const dense<T>& A, int m, int n);
template <class T>
dense<T> applied(op op, const dense<T>& A, int n);

/// max over right-hand sides of ||b - A x||_1 / (n ||A||_1 ||x||_1 eps)
template <class T>
double solve_ratio(const dense<T>& A, const dense<T>& X, const dense<T>& B, int n, int nrhs);

/// ||I - A X||_1 / (n ||A||_1 ||X||_1 eps)
template <class T>
double inverse_ratio(const dense<T>& A, const dense<T>& X, int n);

/// `distinct` matrices of one kind, repeated until the batch is full.
template <class T>
struct repeated_general {
  repeated_general(const std::string& kind, int m_, int n_, int distinct, unsigned seed) : m(m_), n(n_) {
    for (int i = 0; i < distinct; ++i)
      matrices.push_back(general<T>(kind, m, n, seed + static_cast<unsigned>(i)));
  }
  const dense<T>& operator[](std::int64_t b) const {
    return matrices[static_cast<std::size_t>(b) % matrices.size()];
  }
  slab<T> fill(int ld, std::int64_t count, int gap = 5) const {
    slab<T> s(m, n, ld, count, gap);
    for (std::int64_t b = 0; b < count; ++b) s.put(b, (*this)[b]);
    return s;
  }
  int m, n;
  std::vector<dense<T>> matrices;
};

/// Rows and columns.
struct extents {
  int m, n;
};

/// A factorization's two entries of equal sizes on matrices without rows or columns: legal, info 0.
template <class Pointers, class Strided>
void check_without_elements(Pointers factor, Strided factor_strided) {
  for (const extents e : {extents{0, 0}, {0, 5}, {5, 0}}) {
    CAPTURE(e.m, e.n);
    const int lda = std::max(1, e.m);
    const info_array info(3), info_strided(3);
    CHECK(factor(e.m, e.n, nullptr, lda, nullptr, info.data(), 3, test_queue()) == 0);
    CHECK(factor_strided(e.m, e.n, nullptr, lda, 0, nullptr, 0, info_strided.data(), 3, test_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(all_zero(info_strided.download()));
  }
}

}  // namespace talus::test
