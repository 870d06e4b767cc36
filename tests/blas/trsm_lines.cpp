// Needs: trsm

// The lines of the tables that choose how triangles are solved with on the GPU: each kernel by itself, at the
// corners of its box, with one triangle and with two.
#include "batched/blas/trsm.hpp"

#include "blas/blas.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "lines.hpp"
#include "lu/lu.hpp"

#ifdef TALUS_WITH_CUDA

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace talus;
using namespace talus::test;

namespace {

using cuda::trsm_tables;

/// The bound of one of a line's extents, but for large ones, which stand for all that are larger.
template <class T>
int upper_bound_of(int line, int extent) {
  const int bound = trsm_tables::at<T>(line).bounds[extent];
  return std::min(bound, extent == 0 ? 270 : 70);
}

template <class T>
batch<const T> all_of(const resident<T>& x, call_form how) {
  const slab<T>& s = x.host;
  return read_only(how == call_form::strided
                       ? strided_batch(x.memory.data(), s.m, s.n, s.ld, s.stride, s.count)
                       : pointer_batch(x.pointers.data(), s.m, s.n, s.ld, s.count));
}
template <class T>
batch<T> written(const resident<T>& x, call_form how) {
  const slab<T>& s = x.host;
  return how == call_form::strided ? strided_batch(x.memory.data(), s.m, s.n, s.ld, s.stride, s.count)
                                   : pointer_batch(x.pointers.data(), s.m, s.n, s.ld, s.count);
}

/// trsm by one line, in both forms of a batch.
template <class T>
void run_triangle(int line, const trsm_form& f, const std::string& kind, int n, int nrhs, std::int64_t count,
                  int gap) {
  CAPTURE(line, f.name(), kind, n, nrhs, count, gap);
  const int m = f.side == side::left ? n : nrhs, columns = f.side == side::left ? nrhs : n;
  const int distinct = 2;
  const repeated_triangles<T> A(f, kind, n, distinct, 7);
  const slab<T> before = right_hand_sides<T>(m, columns, m + gap, count, distinct);
  const resident<T> a(A.fill(n + gap, count));
  const T alpha = factors<T>().back();
  std::vector<slab<T>> results;
  for (const call_form how : forms) {
    const resident<T> x(before);
    const info_array info(count);
    REQUIRE(cuda::blas::solve<T>(cuda::blas::plan_of_trsm(f.side, f.uplo, f.op, f.diag, alpha),
                                 all_of(a, how), written(x, how), info.data(), test_queue(), line) == 0);
    finish();
    CHECK(all_zero(info.download()));
    results.push_back(x.download());
    CHECK(results.back().guards_untouched(before));
    CHECK(position_does_not_matter(results.back(), distinct));
    for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
      CHECK(trsm_ratio(f, A[b], results.back().get(b), before.get(b), alpha, m, columns) < threshold);
  }
  CHECK(results[0].same_bits(results[1]));
}

/// L and U of small integers with pivots, or L of A = L L^H, whose solves by one line are known bit by bit;
/// the second and third matrices have a bad diagonal element, and the last matrix has an illegal pivot.
template <class T>
void run_factors(int line, const cuda::blas::solve_plan<T>& plan, bool is_cholesky, uplo uplo, op op, int n,
                 int nrhs, bool has_pivots) {
  CAPTURE(line, is_cholesky, static_cast<char>(uplo), static_cast<char>(op), n, nrhs, has_pivots);
  const std::int64_t count = 5;
  const trsm_form lower{side::left, uplo::lower, op::none, is_cholesky ? diag::non_unit : diag::unit},
      upper{side::left, uplo::upper, op::none, diag::non_unit};
  dense<T> L = as_stored(lower, exact_triangle<T>(n, 3), n), U = as_stored(upper, exact_triangle<T>(n, 4), n);
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  if (is_cholesky) {
    for (int j = 0; j < n; ++j) L[at(j, j)] = T(static_cast<real_of<T>>(1 << j % 2));
    U = applied(op::conj_trans, L, n);
  }
  dense<T> A(L.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) A[at(i, j)] = i > j || (is_cholesky && i == j) ? L[at(i, j)] : U[at(i, j)];
    if (!is_cholesky) continue;
    for (int i = 0; i < n; ++i) {
      const bool owned = uplo == uplo::lower ? i >= j : i <= j;
      A[at(i, j)] = owned ? (uplo == uplo::lower ? L : U)[at(i, j)] : nan_of<T>();
    }
  }
  std::vector<int> ipiv(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    ipiv[static_cast<std::size_t>(i)] = has_pivots ? i + 1 + (5 * i + 3) % (n - i) : i + 1;
  const dense<T> X = small_integers<T>(n, nrhs, 5);
  dense<T> B = product(applied(op, U, n), X, n, n, nrhs);
  const auto exchange = [&](dense<T>& x, int i) {
    for (int c = 0; c < nrhs; ++c) std::swap(x[at(i, c)], x[at(ipiv[static_cast<std::size_t>(i)] - 1, c)]);
  };
  if (op == op::none) {  // A = P L U
    B = product(L, B, n, n, nrhs);
    for (int i = n - 1; i >= 0; --i) exchange(B, i);
  } else {  // A^T = U^T L^T P^T
    dense<T> Y = X;
    for (int i = 0; i < n; ++i) exchange(Y, i);
    B = product(applied(op, L, n), Y, n, n, nrhs);
    B = product(applied(op, U, n), B, n, n, nrhs);
  }
  slab<T> factors(n, n, n + 2, count), before(n, nrhs, n + 1, count);
  for (std::int64_t b = 0; b < count; ++b) {
    factors.put(b, A);
    before.put(b, B);
  }
  factors.at(1, n / 2, n / 2) = is_cholesky ? T(-1) : T(0);
  factors.at(2, n - 1, n - 1) = nan_of<T>();
  std::vector<int> of_all;
  for (std::int64_t b = 0; b < count; ++b) of_all.insert(of_all.end(), ipiv.begin(), ipiv.end());
  const int illegal = n / 3;
  of_all[static_cast<std::size_t>((count - 1) * n + illegal)] = line % 2 == 0 ? illegal : 2000000000;
  const array<int> pivots(of_all);
  const resident<T> a(factors);
  for (const call_form how : forms) {
    const resident<T> x(before);
    const info_array info(count);
    cuda::blas::solve_plan<T> with = plan;
    if (!is_cholesky && has_pivots) with.ipiv = strided_vectors<const int>(pivots.data(), n);
    REQUIRE(cuda::blas::solve<T>(with, all_of(a, how), written(x, how), info.data(), test_queue(), line) ==
            0);
    finish();
    const bool fails = with.ipiv.slab != nullptr;
    CHECK(info.download() == std::vector<int>{0, n / 2 + 1, n, 0, fails ? illegal + 1 : 0});
    const slab<T> after = x.download();
    CHECK(after.guards_untouched(before));
    CHECK(after.get(0) == X);
    CHECK(after.same_bits(1, before, 1));
    CHECK(after.same_bits(2, before, 2));
    CHECK(after.same_bits(3, after, 0));
    CHECK(after.same_bits(4, fails ? before : after, fails ? 4 : 0));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line solves with a triangle in every form", "[trsm]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<trsm_tables, T>(); ++line) {
    const int n = upper_bound_of<T>(line, 0), nrhs = upper_bound_of<T>(line, 1);
    for (const trsm_form& f : every_trsm_form()) {
      const char* kind = f.diag == diag::unit ? "small" : "dominant";
      run_triangle<T>(line, f, kind, n, nrhs, 3, 0);
      run_triangle<T>(line, f, kind, std::max(1, n - 1), std::max(1, nrhs - 1), 3, 3);
    }
    const trsm_form plain{side::left, uplo::lower, op::none, diag::non_unit},
        right{side::right, uplo::upper, op::conj_trans, diag::non_unit};
    const int tbc = tbc_of(trsm_tables::at<T>(line).kernel);
    for (const std::int64_t count : {1, tbc - 1, tbc + 1, 1000}) {
      if (count > 0 && n <= 64) run_triangle<T>(line, plain, "dominant", n, std::min(nrhs, 3), count, 1);
    }
    run_triangle<T>(line, plain, "dominant", 1, 1, 5, 1);
    for (const std::string& kind : triangle_kinds()) {
      if (kind == "small") continue;
      run_triangle<T>(line, plain, kind, n, nrhs, 2, 2);
      run_triangle<T>(line, right, kind, n, nrhs, 2, 2);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every line solves with two triangles, and finds what is bad on a diagonal", "[trsm]",
                        precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<trsm_tables, T>(); ++line) {
    const int n = std::min(40, upper_bound_of<T>(line, 0)), nrhs = upper_bound_of<T>(line, 1);
    for (const int order : {n, std::max(2, n - 1), 2}) {
      for (const uplo uplo : both)
        run_factors<T>(line, cuda::blas::plan_of_potrs<T>(uplo), true, uplo, op::none, order, nrhs, false);
      for (const op op : every_op) {
        for (const bool has_pivots : {false, true})
          run_factors<T>(line, cuda::blas::plan_of_getrs<T>(op, {}), false, uplo::lower, op, order, nrhs,
                         has_pivots);
      }
    }
  }
}

#endif
