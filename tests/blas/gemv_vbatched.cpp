// Needs: trsm gemm gemv

// Products of matrix and vector of mixed sizes. Every case runs on the backend under test.
#include <algorithm>
#include <vector>

#include "blas/vbatched.hpp"
#include "catch.hpp"

using namespace talus;
using namespace talus::test;

TEMPLATE_LIST_TEST_CASE("gemv multiplies the vectors worked by hand, with steps of either sign",
                        "[gemv_vbatched]", precisions) {
  using T = TestType;
  // A = [1 2 3; i 0 1], with i = 1 for real numbers: A (1, 2, 3) = (14, i + 3), A^T (1, 2) = (1 + 2i, 2, 5).
  const T i = is_complex<T> ? T(std::sqrt(T(-1))) : T(1), c = conjugate(i), two = 2, three = 3;
  const dense<T> A{1, i, 2, 0, 3, 1};
  for (const op op : every_op) {
    for (const int incx : {1, 2, -1, -2}) {
      for (const int incy : {1, 3, -1, -3}) {
        CAPTURE(static_cast<char>(op), incx, incy);
        const bool plain = op == op::none;
        const dense<T> x = plain ? dense<T>{1, 2, 3} : dense<T>{1, 2},
                       y = plain ? dense<T>{1, 0} : dense<T>{1, 0, 2};
        const T one_of = op == op::conj_trans ? c : i;
        const dense<T> expected =
            plain ? dense<T>{T(31), two * (i + three)} : dense<T>{T(5) + two * two * one_of, 4, 16};
        slab<T> a(2, 3, 4, 1);
        a.put(0, A);
        blas_batch<T> batch({blas_routine::gemv, every_trsm_form()[0], op, op::none, two, three}, {a, a},
                            {vector_storage(x, incx), vector_storage(x, incx)},
                            {vector_storage(y, incy), vector_storage(y, incy)}, {0, 0});
        batch.B.lds = {incx, incx};
        batch.C.lds = {incy, incy};
        batch.upload();
        REQUIRE(batch.run(blas_routine::gemv, {2, 3, -1, -1}) == 0);
        const blas_results<T> now = batch.finished();
        CHECK(now.info == std::vector<int>{0, 0});
        for (const int b : {0, 1}) CHECK(vector_elements(now.C[b], incy) == expected);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemv gives exact products where there are such", "[gemv_vbatched]", precisions) {
  unsigned seed = 0;
  for (blas_request<TestType> r : requests<TestType>(blas_routine::gemv)) {
    r.alpha = factors<TestType>()[seed % 3];
    if (r.beta == factors<TestType>()[3]) r.beta = factors<TestType>()[2];
    for (const std::int64_t count : {1, 2, 33, 300, 2000}) {
      const std::vector<shape> shapes = some_products(count, count < 300 ? 200 : 65, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 77), {}};
      run_and_check(r, shapes, bounds[seed % 3], true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemv is as good as its sums", "[gemv_vbatched]", precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemv)) {
    for (const std::int64_t count : {1, 33, 300}) {
      const std::vector<shape> shapes = some_products(count, 200, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 9), {}, {-1, bounds_of(shapes).n}};
      run_and_check(r, shapes, bounds[seed % 4], false);
    }
    run_and_check(r, {{1, 3000, 0, 0}, {3000, 1, 0, 0}, {700, 300, 0, 0}, {2, 2, 0, 0}}, {}, false);
  }
}

TEMPLATE_LIST_TEST_CASE("gemv gives the same bits again, and wherever a matrix stands", "[gemv_vbatched]",
                        precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemv)) {
    permute_and_compare(r, some_products(37, 200, ++seed));
    permute_and_compare(r, some_products(300, 33, ++seed));
  }
}

TEMPLATE_LIST_TEST_CASE("of gemv a matrix of illegal size is skipped and reported by argument",
                        "[gemv_vbatched]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemv)) {
    for (const bool bounds_known : {true, false}) {
      for (const bool wants_info : {true, false}) refuse_and_check(r, bounds_known, wants_info);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("with alpha = 0 gemv does not read A and x, with beta = 0 not y", "[gemv_vbatched]",
                        precisions) {
  using T = TestType;
  for (blas_request<T> r : requests<T>(blas_routine::gemv)) {
    r.alpha = 0;
    CAPTURE(r.name(), r.beta);
    const std::vector<shape> shapes = some_products(60, 130, 8);
    const blas_operands<T> all = operands(r, shapes, true);
    std::vector<slab<T>> A = all.batch->A.host, x = all.batch->B.host;
    for (std::vector<slab<T>>* unread : {&A, &x}) {
      for (slab<T>& s : *unread) std::fill(s.host.begin(), s.host.end(), nan_of<T>());
    }
    blas_batch<T> batch(r, A, x, all.batch->C.host, all.batch->inner);
    batch.B.lds = all.batch->B.lds;
    batch.C.lds = all.batch->C.lds;
    batch.upload();
    REQUIRE(batch.run(r.routine, bounds_of(shapes)) == 0);
    const blas_results<T> now = batch.finished();
    CHECK(all_zero(now.info));
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      CAPTURE(b, shapes[b].m, shapes[b].n);
      if (shapes[b].m == 0 || shapes[b].n == 0) continue;
      dense<T> expected = all.C[b];
      for (T& e : expected) e = r.beta == T(0) ? T(0) : times(r.beta, e);
      CHECK(vector_elements(now.C[b], batch.C.lds[b]) == expected);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gemv of mixed sizes, small", "[.][sanitize]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::gemv)) {
    const std::vector<shape> shapes = some_products(9, 70, 3);
    run_and_check(r, shapes, bounds_of(shapes), false);
    run_and_check(r, shapes, {}, false);
    refuse_and_check(r, true, true);
  }
}
