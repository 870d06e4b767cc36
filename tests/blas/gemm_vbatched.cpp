// Needs: trsm gemm gemv

// Matrix products of mixed sizes. Every case runs on the backend under test.
#include <algorithm>
#include <vector>

#include "blas/vbatched.hpp"
#include "catch.hpp"

using namespace talus;
using namespace talus::test;

TEMPLATE_LIST_TEST_CASE("gemm multiplies the matrices worked by hand", "[gemm_vbatched]", precisions) {
  using T = TestType;
  // A = [1 2 3; i 0 1], B = [1 0; 2 1; 0 -1], A B = [5 -1; i -1], with i = 1 for real numbers.
  const T i = is_complex<T> ? T(std::sqrt(T(-1))) : T(1), c = conjugate(i);
  const dense<T> A{1, i, 2, 0, 3, 1}, B{1, 2, 0, 0, 1, -1}, before{1, 0, 2, 1};
  const T two = 2, three = 3;
  for (const op of_A : every_op) {
    for (const op of_B : every_op) {
      CAPTURE(static_cast<char>(of_A), static_cast<char>(of_B));
      // What is stored is such that op(A) is A, or for conj_trans A with -i in the place of i.
      const bool plain_A = of_A == op::none, plain_B = of_B == op::none;
      slab<T> a(plain_A ? 2 : 3, plain_A ? 3 : 2, 4, 1), b(plain_B ? 3 : 2, plain_B ? 2 : 3, 3, 1),
          C(2, 2, 3, 1);
      a.put(0, plain_A ? A : applied(op::trans, A, 2, 3));
      b.put(0, plain_B ? B : applied(op::trans, B, 3, 2));
      C.put(0, before);
      blas_batch<T> batch({blas_routine::gemm, every_trsm_form()[0], of_A, of_B, two, three}, {a, a}, {b, b},
                          {C, C}, {3, 3});
      REQUIRE(batch.run(blas_routine::gemm, {2, 2, 3, -1}) == 0);
      const blas_results<T> now = batch.finished();
      CHECK(now.info == std::vector<int>{0, 0});
      const T corner = of_A == op::conj_trans ? c : i;
      for (const int m : {0, 1}) CHECK(now.C[m].get(0) == dense<T>{13, two * corner, 4, 1});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemm gives exact products where there are such", "[gemm_vbatched]", precisions) {
  unsigned seed = 0;
  for (blas_request<TestType> r : requests<TestType>(blas_routine::gemm)) {
    r.alpha = factors<TestType>()[seed % 3];
    if (r.beta == factors<TestType>()[3]) r.beta = factors<TestType>()[2];
    for (const std::int64_t count : {1, 2, 33, 200}) {
      const std::vector<shape> shapes = some_products(count, count < 33 ? 200 : 65, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 77), {}};
      run_and_check(r, shapes, bounds[seed % 3], true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemm is as good as its sums", "[gemm_vbatched]", precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemm)) {
    for (const std::int64_t count : {1, 33}) {
      const std::vector<shape> shapes = some_products(count, count == 1 ? 150 : 130, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 9), {}, {-1, bounds_of(shapes).n}};
      run_and_check(r, shapes, bounds[seed % 4], false);
    }
  }
  for (const shape& s : {shape{1, 1, 3000, 0}, {700, 1, 300, 0}, {1, 300, 70, 0}, {300, 257, 2, 0}})
    run_and_check<TestType>({blas_routine::gemm}, {s, {3, 3, 3, 0}}, {}, false);
}

TEMPLATE_LIST_TEST_CASE("gemm multiplies a few large matrices among many small ones", "[gemm_vbatched]",
                        precisions) {
  // Few products of a size are shared by as many blocks as they have tiles, 150 by fewer.
  std::vector<shape> shapes(2000, {3, 2, 2, 0});
  for (std::size_t b = 0; b < 150; ++b) shapes[b] = {500 + static_cast<int>(b), 270, 5, 0};
  run_and_check<TestType>({blas_routine::gemm}, shapes, bounds_of(shapes), false);
  std::fill_n(shapes.begin(), 150, shape{3, 2, 2, 0});
  shapes[1000] = {700, 300, 5, 0};
  shapes[1999] = {17, 500, 3, 0};
  run_and_check<TestType>({blas_routine::gemm}, shapes, bounds_of(shapes), false);
}

TEMPLATE_LIST_TEST_CASE("gemm gives the same bits again, and wherever a matrix stands", "[gemm_vbatched]",
                        precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemm)) {
    permute_and_compare(r, some_products(37, 130, ++seed));
    permute_and_compare(r, some_products(200, 33, ++seed));
  }
}

TEMPLATE_LIST_TEST_CASE("of gemm a matrix of illegal size is skipped and reported by argument",
                        "[gemm_vbatched]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemm)) {
    for (const bool bounds_known : {true, false}) {
      for (const bool wants_info : {true, false}) refuse_and_check(r, bounds_known, wants_info);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("with alpha = 0, or k = 0, gemm does not read A and B, with beta = 0 not C",
                        "[gemm_vbatched]", precisions) {
  using T = TestType;
  for (const bool with_k : {true, false}) {
    for (blas_request<T> r : requests<T>(blas_routine::gemm)) {
      CAPTURE(r.name(), with_k, r.beta);
      std::vector<slab<T>> A, B, C;
      std::vector<int> inner;
      std::vector<shape> shapes = some_products(60, 130, 8);
      if (with_k) r.alpha = 0;
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        auto& [m, n, k, nrhs] = shapes[b];
        if (!with_k) k = 0;
        const bool plain_A = r.of_A == op::none, plain_B = r.of_B == op::none;
        A.emplace_back(plain_A ? m : k, plain_A ? k : m, ld_of(plain_A ? m : k, b), 1);  // NaN
        B.emplace_back(plain_B ? k : n, plain_B ? n : k, ld_of(plain_B ? k : n, b), 1);
        C.emplace_back(m, n, ld_of(m, b / 3), 1);
        if (r.beta != T(0)) C.back().put(0, small_integers<T>(m, n, static_cast<unsigned>(b)));
        inner.push_back(k);
      }
      blas_batch<T> batch(r, A, B, C, inner);
      REQUIRE(batch.run(r.routine, bounds_of(shapes)) == 0);
      const blas_results<T> now = batch.finished();
      CHECK(all_zero(now.info));
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        CAPTURE(b, shapes[b].m, shapes[b].n);
        dense<T> expected = C[b].get(0);
        for (T& e : expected) e = r.beta == T(0) ? T(0) : times(r.beta, e);
        CHECK(now.C[b].get(0) == expected);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemm of mixed sizes, small", "[.][sanitize]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemm)) {
    const std::vector<shape> shapes = some_products(9, 70, 3);
    run_and_check(r, shapes, bounds_of(shapes), false);
    run_and_check(r, shapes, {}, false);
    refuse_and_check(r, true, true);
  }
}
