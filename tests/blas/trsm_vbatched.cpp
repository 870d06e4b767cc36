// Needs: trsm gemm gemv

// trsm of mixed sizes, and what all of BLAS's routines of mixed sizes promise of scratch and streams. Every
// case runs on the backend under test.
#include <algorithm>
#include <utility>
#include <vector>

#include "blas/vbatched.hpp"
#include "catch.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Orders around the borders that kernels may have, each with few or many right-hand sides.
std::vector<shape> systems(const trsm_form& f, std::int64_t count, int largest, unsigned seed) {
  std::vector<shape> shapes;
  for (const shape& s : some_systems(count, largest, seed))
    shapes.push_back(f.side == side::left ? shape{s.n, s.nrhs, 0, 0} : shape{s.nrhs, s.n, 0, 0});
  return shapes;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("trsm of mixed sizes gives exact solutions where there are such", "[trsm_vbatched]",
                        precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::trsm)) {
    for (const std::int64_t count : {1, 2, 33, 300}) {
      const std::vector<shape> shapes = systems(r.form, count, count < 33 ? 100 : 65, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 77), {}};
      run_and_check(r, shapes, bounds[seed % 3], true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm of mixed sizes is backward stable", "[trsm_vbatched]", precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::trsm)) {
    for (const std::int64_t count : {1, 31, 200}) {
      const std::vector<shape> shapes = systems(r.form, count, count == 31 ? 200 : 130, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 9), {}, {bounds_of(shapes).m, -1}};
      run_and_check(r, shapes, bounds[seed % 4], false);
    }
  }
  for (blas_request<TestType> r : requests<TestType>(blas_routine::trsm)) {
    r.alpha = factors<TestType>()[3];
    run_and_check(r, some_products(60, 90, ++seed), {}, false);
  }
}

TEMPLATE_LIST_TEST_CASE("trsm solves a few large systems among many small ones", "[trsm_vbatched]",
                        precisions) {
  // Few systems of a size are shared by as many blocks as there is room for, 700 by two of each.
  for (const std::size_t f : {0, 23}) {
    const trsm_form form = every_trsm_form()[f];
    std::vector<shape> shapes(2000, {3, 2, 0, 0});
    for (int b = 0; b < 700; ++b) shapes[static_cast<std::size_t>(b)] = {33 + b % 30, 130 + b % 70, 0, 0};
    shapes[1000] = {260, 400, 0, 0};
    shapes[1999] = {150, 1, 0, 0};
    if (form.side == side::right) {
      for (shape& s : shapes) std::swap(s.m, s.n);
    }
    run_and_check<TestType>({blas_routine::trsm, form}, shapes, bounds_of(shapes), false);
  }
}

TEMPLATE_LIST_TEST_CASE("trsm solves small systems with very different numbers of right-hand sides",
                        "[trsm_vbatched]", precisions) {
  // If a call has few systems, warps share the right-hand sides of a system.
  const int orders[] = {1, 5, 8, 9, 12, 16, 17, 24, 25, 32}, sides[] = {1, 64, 700, 65, 0, 31, 130};
  for (const std::size_t f : {0, 23}) {
    const trsm_form form = every_trsm_form()[f];
    for (const int count : {3, 90}) {
      std::vector<shape> shapes;
      for (int b = 0; b < count; ++b) shapes.push_back({orders[b % 10], sides[b % 7], 0, 0});
      shapes[2].n = 2000;
      if (form.side == side::right) {
        for (shape& s : shapes) std::swap(s.m, s.n);
      }
      run_and_check<TestType>({blas_routine::trsm, form}, shapes, bounds_of(shapes), true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm of mixed sizes gives the same bits again, and wherever a matrix stands",
                        "[trsm_vbatched]", precisions) {
  unsigned seed = 0;
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::trsm)) {
    permute_and_compare(r, systems(r.form, 37, 130, ++seed));
    permute_and_compare(r, systems(r.form, 300, 33, ++seed));
  }
}

TEMPLATE_LIST_TEST_CASE("of trsm a matrix of illegal size is skipped and reported by argument",
                        "[trsm_vbatched]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::trsm)) {
    for (const bool bounds_known : {true, false}) {
      for (const bool wants_info : {true, false}) refuse_and_check(r, bounds_known, wants_info);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("with alpha = 0 trsm of mixed sizes gives zeros, whatever matrices hold",
                        "[trsm_vbatched]", precisions) {
  using T = TestType;
  for (blas_request<T> r : requests<T>(blas_routine::trsm)) {
    r.alpha = 0;
    CAPTURE(r.name());
    std::vector<slab<T>> A, B, C;
    const std::vector<shape> shapes = systems(r.form, 60, 130, 8);
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      const int k = r.form.order(shapes[b].m, shapes[b].n);
      A.emplace_back(k, k, ld_of(k, b), 1);  // NaN
      B.emplace_back(shapes[b].m, shapes[b].n, ld_of(shapes[b].m, b / 3), 1);
      C.emplace_back(0, 0, 1, 1);
    }
    blas_batch<T> batch(r, A, B, C, std::vector<int>(shapes.size()));
    REQUIRE(batch.run(r.routine, bounds_of(shapes)) == 0);
    const blas_results<T> now = batch.finished();
    CHECK(all_zero(now.info));
    for (const slab<T>& X : now.B) CHECK(X.get(0) == dense<T>(X.get(0).size()));
  }
}

TEMPLATE_LIST_TEST_CASE("a zero or NaN in one triangle of trsm is not looked for and harms no neighbour",
                        "[trsm_vbatched]", precisions) {
  using T = TestType;
  for (const blas_request<T>& r : requests<T>(blas_routine::trsm)) {
    if (r.form.diag == diag::unit) continue;
    CAPTURE(r.name());
    const std::vector<shape> shapes = systems(r.form, 40, 130, 6);
    const blas_operands<T> healthy = operands(r, shapes);
    std::vector<slab<T>> A = healthy.batch->A.host;
    const auto is_spoilt = [&](std::size_t b) { return b % 3 == 1 && A[b].n > 0; };
    for (std::size_t b = 0; b < A.size(); ++b) {
      if (is_spoilt(b)) A[b].at(0, A[b].n / 2, A[b].n / 2) = b % 2 == 0 ? T(0) : nan_of<T>();
    }
    blas_batch<T> batch(r, A, healthy.batch->B.host, healthy.batch->C.host, healthy.batch->inner);
    REQUIRE(healthy.batch->run(r.routine, bounds_of(shapes)) == 0);
    REQUIRE(batch.run(r.routine, bounds_of(shapes)) == 0);
    const blas_results<T> expected = healthy.batch->finished(), now = batch.finished();
    CHECK(all_zero(now.info));
    for (std::size_t b = 0; b < A.size(); ++b) {
      CAPTURE(b);
      if (!is_spoilt(b)) CHECK(now.B[b].same_bits(expected.B[b]));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nothing to do among mixed sizes of BLAS needs no memory", "[trsm_vbatched]",
                        precisions) {
  using T = TestType;
  const queue q = test_queue();
  const std::size_t count = 100;
  const auto b = static_cast<std::int64_t>(count);
  const array<int> zeros(std::vector<int>(count, 0)), ones(std::vector<int>(count, 1));
  const int *z = zeros.data(), *o = ones.data();
  const array<T*> nulls(std::vector<T*>(count, nullptr));
  const trsm_form f = every_trsm_form()[0];
  for (const bool arrays : {true, false}) {
    T* const* const p = arrays ? nulls.data() : nullptr;
    for (const int most : {0, 5, -1}) {
      if (!arrays && most != 0) continue;
      CAPTURE(arrays, most);
      std::vector<std::unique_ptr<info_array>> infos;
      const auto next = [&] {
        infos.push_back(std::make_unique<info_array>(b));
        return infos.back()->data();
      };
      CHECK(trsm_vbatched<T>(f.side, f.uplo, f.op, f.diag, z, o, T(1), p, o, p, o, next(), b, most, 1, q) ==
            0);
      CHECK(trsm_vbatched<T>(side::right, f.uplo, f.op, f.diag, o, z, T(0), p, o, p, o, next(), b, 1, most,
                             q) == 0);
      CHECK(gemm_vbatched<T>(op::none, op::trans, z, o, o, T(1), p, o, arrays ? nulls.data() : nullptr, o,
                             T(0), p, o, nullptr, 0, most, 1, 1, q) == 0);
      CHECK(gemm_vbatched<T>(op::none, op::none, z, z, z, T(1), p, o, p, o, T(1), p, o, next(), b, most, most,
                             most, q) == 0);
      CHECK(gemv_vbatched<T>(op::none, z, z, T(1), p, o, p, o, T(0), p, o, next(), b, most, most, q) == 0);
      finish();
      for (const auto& info : infos) CHECK(all_zero(info->download()));
    }
  }
}

TEST_CASE("sizes above a bound of 0 are refused by BLAS without arrays of pointers", "[trsm_vbatched]") {
#ifdef TALUS_HAVE_D
  const array<int> sizes(std::vector<int>{0, 3, -1}), ld(std::vector<int>{1, 3, 1}),
      zeros(std::vector<int>{0, 0, 0});
  const int *const n = sizes.data(), *const l = ld.data(), *const z = zeros.data();
  const info_array solve(3), inner(3), product(3), vector(3);
  const queue q = test_queue();
  REQUIRE(trsm_vbatched<double>(side::left, uplo::lower, op::none, diag::unit, n, z, 1, nullptr, l, nullptr,
                                l, solve.data(), 3, 0, 0, q) == 0);
  REQUIRE(gemm_vbatched<double>(op::none, op::none, z, z, n, 1, nullptr, l, nullptr, l, 0, nullptr, l,
                                inner.data(), 3, 0, 0, 2, q) == 0);
  REQUIRE(gemm_vbatched<double>(op::none, op::none, n, n, z, 1, nullptr, l, nullptr, l, 0, nullptr, l,
                                product.data(), 3, 0, 0, 0, q) == 0);
  REQUIRE(gemv_vbatched<double>(op::none, z, n, 1, nullptr, l, nullptr, l, 0, nullptr, l, vector.data(), 3, 0,
                                0, q) == 0);
  finish();
  CHECK(solve.download() == std::vector<int>{0, -8, -5});
  CHECK(inner.download() == std::vector<int>{0, -18, -5});
  CHECK(product.download() == std::vector<int>{0, -12, -3});
  CHECK(vector.download() == std::vector<int>{0, -7, -3});
#endif
}

TEST_CASE("one large triangle among many of order 4 is solved with", "[trsm_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::size_t count = on_cuda() ? 100'001 : 10'001;
  std::vector<shape> shapes(count, {4, 2, 0, 0});
  shapes[count / 3] = {700, 2, 0, 0};
  run_and_check<double>({blas_routine::trsm}, shapes, {700, 2, -1, -1}, true);
#endif
}

TEMPLATE_LIST_TEST_CASE("trsm of mixed sizes, small", "[.][sanitize]", precisions) {
  for (const blas_request<TestType>& r : requests<TestType>(blas_routine::trsm)) {
    const std::vector<shape> shapes = systems(r.form, 9, 70, 3);
    run_and_check(r, shapes, bounds_of(shapes), false);
    run_and_check(r, shapes, {}, true);
    refuse_and_check(r, true, true);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Each routine once, on operands of its own of the same mixed sizes.
template <class T>
struct every_call : calls_on_mixed_sizes<blas_batch<T>, blas_routine> {
  every_call() {
    for (const blas_routine r : {blas_routine::trsm, blas_routine::gemm, blas_routine::gemv})
      this->calls.push_back({r, std::move(operands(requests<T>(r)[2], some_products(33, 200, 4)).batch),
                             work_bytes<T>(r, most_of_calls, 33)});
    finish();
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("calls of BLAS on mixed sizes can be captured in a graph and replayed",
                        "[trsm_vbatched]", precisions) {
  if (on_cuda()) capture_and_replay<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("BLAS of mixed sizes takes the scratch it says and no less", "[trsm_vbatched]",
                        precisions) {
  if (on_cuda()) check_scratch<every_call<TestType>>();
}
#endif
