// Batches of one size, by MAGMA's names: LAPACK's ratios of what comes out, or the exact result.
#include <array>

#include "blas/vbatched.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "lu/lu.hpp"
#include "names.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr int count = 8, distinct = 3;
constexpr int orders[] = {1, 3, 16, 33, 70};
const std::vector<extents> shapes{{1, 1},  {3, 3},  {16, 16}, {33, 33}, {70, 70},
                                  {40, 9}, {9, 40}, {65, 1},  {1, 65}};

template <class T>
void check_solved(const repeated_general<T>& A, op op, const slab<T>& before, const resident<T>& X) {
  const slab<T> after = X.download();
  CHECK(after.guards_untouched(before));
  for (std::int64_t b = 0; b < count; ++b) {
    CAPTURE(b);
    CHECK(solve_ratio(applied(op, A[b], A.n), after.get(b), before.get(b), A.n, before.n) < threshold);
  }
}

/// A batch of vectors, `step` apart in memory.
template <class T>
struct vectors_in_steps {
  vectors_in_steps(int length, int step_, unsigned seed)
      : step(step_), storage(1, length, std::abs(step), count) {
    for (int b = 0; b < count; ++b) {
      elements.push_back(small_integers<T>(length, 1, seed + static_cast<unsigned>(b)));
      storage.put(b, vector_storage(elements.back(), step).get(0));
    }
  }
  int step;
  std::vector<dense<T>> elements;
  slab<T> storage;
};

/// The elements of vector b.
template <class T>
dense<T> elements_of(const slab<T>& storage, std::int64_t b, int step) {
  dense<T> x = storage.get(b);
  if (step < 0) std::reverse(x.begin(), x.end());
  return x;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("potrf factors, potrs and posv solve, with either triangle", "[batched]",
                        precisions) {
  using T = TestType;
  using N = names<T>;
  for (const int n : orders) {
    for (const uplo uplo : both) {
      CAPTURE(n, uplo == uplo::lower);
      const repeated<T> A("random", n, distinct, static_cast<unsigned>(n));
      const slab<T> before = A.fill(uplo, n, n + 1, count),
                    sides = right_hand_sides<T>(n, 3, n + 2, count, distinct);
      const resident<T> a(before), by_expert(before), by_posv(before), x(sides), x_by_posv(sides);
      const info_array info(count), info_of_expert(count), info_of_posv(count);
      const magma_uplo_t triangle = to_magma(uplo);
      REQUIRE(N::potrf_batched(triangle, n, starts(a.pointers), n + 1, info.data(), count, default_queue()) ==
              0);
      REQUIRE(N::potrf_expert_batched(triangle, n, 8, 4, starts(by_expert.pointers), n + 1,
                                      info_of_expert.data(), count, default_queue()) == 0);
      REQUIRE(N::potrs_batched(triangle, n, 3, starts(a.pointers), n + 1, starts(x.pointers), n + 2, count,
                               default_queue()) == 0);
      REQUIRE(N::posv_batched(triangle, n, 3, starts(by_posv.pointers), n + 1, starts(x_by_posv.pointers),
                              n + 2, info_of_posv.data(), count, default_queue()) == 0);
      finish();
      for (const info_array* one : {&info, &info_of_expert, &info_of_posv}) CHECK(all_zero(one->download()));
      CHECK(by_expert.download().same_bits(a.download()));
      for (const resident<T>* factor : {&a, &by_posv}) {
        const slab<T> after = factor->download();
        CHECK(after.guards_untouched(before, &uplo));
        for (int b = 0; b < count; ++b) CHECK(factor_ratio(A[b], after.get_lower(b, uplo), n) < threshold);
      }
      repeated_general<T> general("random", n, n, 0, 0);
      general.matrices = A.matrices;
      check_solved(general, op::none, sides, x);
      check_solved(general, op::none, sides, x_by_posv);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf factors tall, wide and square matrices", "[batched]", precisions) {
  using T = TestType;
  using N = names<T>;
  for (const auto [m, n] : shapes) {
    CAPTURE(m, n);
    const repeated_general<T> A("random", m, n, distinct, static_cast<unsigned>(m + 2 * n)),
        D("dominant", m, n, distinct, 5);
    const slab<T> before = A.fill(m + 1, count), dominant = D.fill(m + 2, count);
    const resident<T> a(before), d(dominant);
    const pivot_array ipiv(count, std::min(m, n));
    const info_array info(count), info_of_nopiv(count);
    REQUIRE(N::getrf_batched(m, n, starts(a.pointers), m + 1, ipiv.pointers.data(), info.data(), count,
                             default_queue()) == 0);
    REQUIRE(N::getrf_nopiv_batched(m, n, starts(d.pointers), m + 2, info_of_nopiv.data(), count,
                                   default_queue()) == 0);
    finish();
    const slab<T> factors = a.download(), of_nopiv = d.download();
    const std::vector<std::vector<int>> pivots = ipiv.download();
    const std::vector<int> infos = info.download();
    CHECK(all_zero(info_of_nopiv.download()));
    CHECK(factors.guards_untouched(before));
    CHECK(of_nopiv.guards_untouched(dominant));
    for (std::size_t b = 0; b < count; ++b) {
      CAPTURE(b);
      const auto i = static_cast<std::int64_t>(b);
      check_pivoted(A[i], factors.get(i), pivots[b], infos[b], m, n);
      CHECK(lu_ratio(D[i], of_nopiv.get(i), {}, m, n) < threshold);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrs, getrs_nopiv and gesv solve, transposed systems too", "[batched]",
                        precisions) {
  using T = TestType;
  using N = names<T>;
  for (const int n : orders) {
    const repeated_general<T> A("random", n, n, distinct, static_cast<unsigned>(n)),
        D("dominant", n, n, distinct, 7);
    const slab<T> before = A.fill(n + 1, count), dominant = D.fill(n + 1, count);
    const resident<T> a(before), d(dominant);
    const pivot_array ipiv(count, n), ipiv_of_gesv(count, n);
    const info_array info(count);
    REQUIRE(N::getrf_batched(n, n, starts(a.pointers), n + 1, ipiv.pointers.data(), info.data(), count,
                             default_queue()) == 0);
    REQUIRE(N::getrf_nopiv_batched(n, n, starts(d.pointers), n + 1, info.data(), count, default_queue()) ==
            0);
    for (const int nrhs : {1, 3}) {
      const slab<T> sides = right_hand_sides<T>(n, nrhs, n + 3, count, distinct);
      for (const op op : every_op) {
        CAPTURE(n, nrhs, static_cast<char>(op));
        const resident<T> x(sides), y(sides);
        const info_array info_of_nopiv(count);
        REQUIRE(N::getrs_batched(to_magma(op), n, nrhs, starts(a.pointers), n + 1, ipiv.pointers.data(),
                                 starts(x.pointers), n + 3, count, default_queue()) == 0);
        REQUIRE(N::getrs_nopiv_batched(to_magma(op), n, nrhs, starts(d.pointers), n + 1, starts(y.pointers),
                                       n + 3, info_of_nopiv.data(), count, default_queue()) == 0);
        finish();
        CHECK(all_zero(info_of_nopiv.download()));
        check_solved(A, op, sides, x);
        check_solved(D, op, sides, y);
      }
      const resident<T> again(before), z(sides);
      const info_array info_of_gesv(count);
      REQUIRE(N::gesv_batched(n, nrhs, starts(again.pointers), n + 1, ipiv_of_gesv.pointers.data(),
                              starts(z.pointers), n + 3, info_of_gesv.data(), count, default_queue()) == 0);
      finish();
      CHECK(all_zero(info_of_gesv.download()));
      CHECK(ipiv_of_gesv.download() == ipiv.download());
      check_solved(A, op::none, sides, z);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getri_outofplace inverts", "[batched]", precisions) {
  using T = TestType;
  using N = names<T>;
  for (const int n : orders) {
    CAPTURE(n);
    const repeated_general<T> A("random", n, n, distinct, static_cast<unsigned>(n));
    const slab<T> unset(n, n, n + 2, count);
    const resident<T> a(A.fill(n + 1, count)), inverse(unset);
    const pivot_array ipiv(count, n);
    const info_array info(count);
    REQUIRE(N::getrf_batched(n, n, starts(a.pointers), n + 1, ipiv.pointers.data(), info.data(), count,
                             default_queue()) == 0);
    finish();
    const slab<T> factors = a.download();
    REQUIRE(N::getri_outofplace_batched(n, starts(a.pointers), n + 1, ipiv.pointers.data(),
                                        starts(inverse.pointers), n + 2, info.data(), count,
                                        default_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(a.download().same_bits(factors));
    const slab<T> X = inverse.download();
    CHECK(X.guards_untouched(unset));
    for (int b = 0; b < count; ++b) CHECK(inverse_ratio(A[b], X.get(b), n) < threshold);
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf factors, with scratch of the caller's too", "[batched]", precisions) {
  using T = TestType;
  using N = names<T>;
  for (const auto [m, n] : shapes) {
    CAPTURE(m, n);
    const repeated_general<T> A("random", m, n, distinct, static_cast<unsigned>(m + 2 * n));
    const slab<T> before = A.fill(m + 1, count), no_tau = unset_tau<T>(std::min(m, n), count);
    struct factored {
      explicit factored(const slab<T>& A, const slab<T>& tau) : a(A), tau(tau) {}
      resident<T> a, tau;
      info_array info{count};
    };
    factored plain(before, no_tau), with_work(before, no_tau), expert(before, no_tau);
    REQUIRE(N::geqrf_batched(m, n, starts(plain.a.pointers), m + 1, starts(plain.tau.pointers),
                             plain.info.data(), count, default_queue()) == 0);
    REQUIRE(N::geqrf_expert_batched(m, n, 8, starts(expert.a.pointers), m + 1, nullptr, 1, nullptr, 1,
                                    starts(expert.tau.pointers), 0, nullptr, expert.info.data(), count,
                                    default_queue()) == 0);
    magma_int_t lwork = -1;
    const auto by_work = [&](void* work) {
      return N::geqrf_batched_work(m, n, starts(with_work.a.pointers), m + 1, starts(with_work.tau.pointers),
                                   with_work.info.data(), work, &lwork, count, default_queue());
    };
    REQUIRE(by_work(nullptr) == 0);
    const guarded_work work(static_cast<std::size_t>(lwork));
    REQUIRE(by_work(work.memory.data()) == 0);
    finish();
    CHECK(work.guard_untouched());
    for (const factored* one : {&plain, &with_work, &expert}) {
      CHECK(all_zero(one->info.download()));
      CHECK(one->a.download().same_bits(plain.a.download()));
      CHECK(one->tau.download().same_bits(plain.tau.download()));
    }
    const slab<T> factors = plain.a.download(), tau = plain.tau.download();
    CHECK(factors.guards_untouched(before));
    CHECK(tau.guards_untouched(no_tau));
    for (int b = 0; b < count; ++b) {
      CAPTURE(b);
      check_reflectors(A[b], factors.get(b), tau.get(b), m, n);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemm_batched_strided multiplies exactly", "[batched]", precisions) {
  using T = TestType;
  const std::vector<std::array<int, 3>> products{{1, 1, 1},    {5, 7, 3}, {33, 17, 20}, {16, 16, 16},
                                                 {70, 65, 40}, {4, 5, 0}, {0, 5, 3},    {4, 0, 3}};
  int turn = 0;
  for (const auto& [m, n, k] : products) {
    for (const op of_A : every_op) {
      for (const op of_B : every_op) {
        const T alpha = factors<T>()[1], beta = turn++ % 2 == 0 ? T(0) : T(-1);
        CAPTURE(m, n, k, static_cast<char>(of_A), static_cast<char>(of_B), beta);
        const bool a_plain = of_A == op::none, b_plain = of_B == op::none;
        slab<T> A(a_plain ? m : k, a_plain ? k : m, (a_plain ? m : k) + 1, count),
            B(b_plain ? k : n, b_plain ? n : k, (b_plain ? k : n) + 2, count), C(m, n, m + 3, count);
        for (int b = 0; b < count; ++b) {
          const auto seed = static_cast<unsigned>(3 * (b % distinct));
          A.put(b, small_integers<T>(A.m, A.n, seed));
          B.put(b, small_integers<T>(B.m, B.n, seed + 1));
          if (beta != T(0)) C.put(b, small_integers<T>(m, n, seed + 2));  // else it is NaN
        }
        const resident<T> a(A), x(B), c(C);
        names<T>::gemm_batched_strided(to_magma(of_A), to_magma(of_B), m, n, k, number(alpha),
                                       to_magma(a.memory.data()), A.ld, static_cast<int>(A.stride),
                                       to_magma(x.memory.data()), B.ld, static_cast<int>(B.stride),
                                       number(beta), to_magma(c.memory.data()), C.ld,
                                       static_cast<int>(C.stride), count, default_queue());
        finish();
        const slab<T> after = c.download();
        CHECK(after.guards_untouched(C));
        CHECK(a.download().same_bits(A));
        for (int b = 0; b < count; ++b)
          CHECK(product_ratio(applied(of_A, A.get(b), A.m, A.n), applied(of_B, B.get(b), B.m, B.n), C.get(b),
                              after.get(b), alpha, beta, m, n, k) == 0);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemv_batched and gemv multiply exactly", "[batched]", precisions) {
  using T = TestType;
  struct steps {
    int x, y;
  };
  for (const auto [m, n] : shapes) {
    for (const op op : every_op) {
      for (const auto [incx, incy] : {steps{1, 1}, {2, 3}, {-1, 2}, {3, -2}, {-2, -1}}) {
        const T alpha = factors<T>()[1], beta = incx > 1 ? T(0) : T(-1);
        CAPTURE(m, n, static_cast<char>(op), incx, incy, beta);
        const bool plain = op == op::none;
        slab<T> A(m, n, m + 1, count);
        for (int b = 0; b < count; ++b) A.put(b, small_integers<T>(m, n, static_cast<unsigned>(b)));
        const vectors_in_steps<T> x(plain ? n : m, incx, 50);
        vectors_in_steps<T> y(plain ? m : n, incy, 90);
        if (beta == T(0)) y.storage = slab<T>(1, y.storage.n, y.storage.ld, count);
        const resident<T> a(A), in(x.storage), out(y.storage), of_one(y.storage);
        names<T>::gemv_batched(to_magma(op), m, n, number(alpha), starts(a.pointers), A.ld,
                               starts(in.pointers), incx, number(beta), starts(out.pointers), incy, count,
                               default_queue());
        names<T>::gemv(to_magma(op), m, n, number(alpha), to_magma(a.memory.data()), A.ld,
                       to_magma(in.memory.data()), incx, number(beta), to_magma(of_one.memory.data()), incy,
                       default_queue());
        finish();
        const slab<T> all = out.download(), one = of_one.download();
        CHECK(all.guards_untouched(y.storage));
        for (std::size_t b = 0; b < count; ++b) {
          const auto i = static_cast<std::int64_t>(b);
          CHECK(product_ratio(applied(op, A.get(i), m, n), x.elements[b], y.elements[b],
                              elements_of(all, i, incy), alpha, beta, y.storage.n, 1, x.storage.n) == 0);
          CHECK(one.same_bits(i, b == 0 ? all : y.storage, i));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("set_pointer counts rows, columns and offsets", "[batched]", precisions) {
  using T = TestType;
  constexpr int many = 70001;
  T* const start = reinterpret_cast<T*>(std::uintptr_t{1} << 20);  // which nobody follows
  int* const ints = reinterpret_cast<int*>(start);
  const std::vector<T*> unset(many + 1, start - 1);
  for (const auto [lda, row, column, offset] :
       {std::array<int, 4>{5, 0, 0, 20}, {5, 3, 2, 20}, {7, 0, 4, 0}, {1 << 20, 1, 1 << 12, 1 << 20}}) {
    CAPTURE(lda, row, column, offset);
    const array<T*> out(unset);
    const array<int*> out_of_ints(std::vector<int*>(many + 1, nullptr));
    names<T>::set_pointer(starts(out), to_magma(start), lda, row, column, offset, many, default_queue());
    magma_iset_pointer(out_of_ints.data(), ints, lda, row, column, offset, many, default_queue());
    finish();
    const std::vector<T*> found = out.download();
    const std::vector<int*> found_ints = out_of_ints.download();
    bool right = found.back() == unset.back() && found_ints.back() == nullptr;
    for (std::int64_t b = 0; b < many; ++b) {
      const std::int64_t elements = b * offset + row + std::int64_t{column} * lda;
      const auto i = static_cast<std::size_t>(b);
      right = right && found[i] == start + elements && found_ints[i] == ints + elements;
    }
    CHECK(right);
  }
}
