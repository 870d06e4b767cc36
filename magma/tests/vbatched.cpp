// Batches of mixed sizes, by MAGMA's names and in each of their forms: results, and what is left of sizes.
#include "blas/vbatched.hpp"
#include "catch.hpp"
#include "lu/vbatched.hpp"
#include "mixed_sizes.hpp"
#include "names.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// What is behind the routine's name.
enum class ending { plain, nocheck, max, max_nocheck };
constexpr ending every_ending[] = {ending::plain, ending::nocheck, ending::max, ending::max_nocheck};
constexpr bool has_bounds(ending f) { return f == ending::max || f == ending::max_nocheck; }
constexpr bool looks_for_errors(ending f) { return f == ending::plain || f == ending::max; }

/// An argument that has one int for each matrix.
struct listed {
  size_array* sizes;
  int number;
  bool is_extent;
  int illegal;  // of a matrix of order 6
};

/// What MAGMA leaves in the last element.
int last_of(ending f, const listed& one) {
  const int largest = one.is_extent ? largest_of(one.sizes->values()) : 0;
  switch (f) {
    case ending::plain:
      return largest;
    case ending::nocheck:
      return one.is_extent ? largest : size_array::unset;
    case ending::max:
      return 0;
    default:
      return size_array::unset;
  }
}
void check_last(ending f, const std::vector<listed>& all) {
  for (const listed& one : all) {
    CAPTURE(static_cast<int>(f), one.number);
    CHECK(one.sizes->last() == last_of(f, one));
  }
}

// ---- products and triangular solves ----------------------------------------------------------------------

/// The sizes of a batch as MAGMA takes them.
template <class T>
struct blas_sizes {
  explicit blas_sizes(const blas_batch<T>& of)
      : routine(of.request.routine),
        m(owner(of).rows),
        n(owner(of).columns),
        k(of.inner),
        lda(of.A.lds),
        ldb(of.B.lds),
        ldc(of.C.lds) {}

  /// In the order of the arguments.
  std::vector<listed> list() {
    switch (routine) {
      case blas_routine::trsm:
        return {{&m, 5, true, -1}, {&n, 6, true, -1}, {&lda, 9, false, 5}, {&ldb, 11, false, 5}};
      case blas_routine::gemm:
        return {{&m, 3, true, -1},   {&n, 4, true, -1},    {&k, 5, true, -1},
                {&lda, 8, false, 5}, {&ldb, 10, false, 5}, {&ldc, 13, false, 5}};
      default:
        return {{&m, 2, true, -1},
                {&n, 3, true, -1},
                {&lda, 6, false, 5},
                {&ldb, 8, false, 0},
                {&ldc, 11, false, 0}};
    }
  }

  blas_routine routine;
  size_array m, n, k, lda, ldb, ldc;

 private:
  /// Whose rows and columns are m and n.
  static const mixed<T>& owner(const blas_batch<T>& of) {
    return of.request.routine == blas_routine::trsm   ? of.B
           : of.request.routine == blas_routine::gemm ? of.C
                                                      : of.A;
  }
};

template <class T>
void run(ending f, const blas_batch<T>& batch, const blas_sizes<T>& s, const size_bounds& most) {
  using N = names<T>;
  const blas_request<T>& r = batch.request;
  const element<T> alpha = number(r.alpha), beta = number(r.beta);
  element<T>**const A = starts(batch.A.pointers), **const B = starts(batch.B.pointers),
                    **const C = starts(batch.C.pointers);
  int *const m = s.m.data(), *const n = s.n.data(), *const k = s.k.data(), *const lda = s.lda.data(),
             *const ldb = s.ldb.data(), *const ldc = s.ldc.data();
  const int count = static_cast<int>(batch.A.count());
  const auto queue = default_queue();
  const magma_trans_t of_A = to_magma(r.of_A), of_B = to_magma(r.of_B);
  if (r.routine == blas_routine::trsm) {
    const auto side = to_magma(r.form.side);
    const auto uplo = to_magma(r.form.uplo);
    const auto op = to_magma(r.form.op);
    const auto diag = to_magma(r.form.diag);
    if (has_bounds(f)) {
      const auto trsm = f == ending::max ? N::trsm_vbatched_max : N::trsm_vbatched_max_nocheck;
      trsm(side, uplo, op, diag, most.m, most.n, m, n, alpha, A, lda, B, ldb, count, queue);
    } else {
      const auto trsm = f == ending::plain ? N::trsm_vbatched : N::trsm_vbatched_nocheck;
      trsm(side, uplo, op, diag, m, n, alpha, A, lda, B, ldb, count, queue);
    }
  } else if (r.routine == blas_routine::gemm) {
    if (has_bounds(f)) {
      const auto gemm = f == ending::max ? N::gemm_vbatched_max : N::gemm_vbatched_max_nocheck;
      gemm(of_A, of_B, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count, most.m, most.n, most.k, queue);
    } else {
      const auto gemm = f == ending::plain ? N::gemm_vbatched : N::gemm_vbatched_nocheck;
      gemm(of_A, of_B, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count, queue);
    }
  } else {
    if (has_bounds(f)) {
      const auto gemv = f == ending::max ? N::gemv_vbatched_max : N::gemv_vbatched_max_nocheck;
      gemv(of_A, m, n, alpha, A, lda, B, ldb, beta, C, ldc, count, most.m, most.n, queue);
    } else {
      const auto gemv = f == ending::plain ? N::gemv_vbatched : N::gemv_vbatched_nocheck;
      gemv(of_A, m, n, alpha, A, lda, B, ldb, beta, C, ldc, count, queue);
    }
  }
}

/// Every request of a routine, in every form: the bits that Talus's own routine leaves for these bounds. That
/// is tested elsewhere.
template <class T>
void compare_forms(blas_routine routine) {
  std::vector<shape> shapes = some_products(12, 40, 5);
  for (const shape& s : {shape{5, 4, 0, 0}, {0, 3, 2, 0}, {3, 0, 2, 0}, {97, 65, 70, 0}}) shapes.push_back(s);
  for (const blas_request<T>& r : requests<T>(routine)) {
    const blas_operands<T> expected = operands(r, shapes);
    for (const ending f : every_ending) {
      CAPTURE(r.name(), r.alpha, r.beta, static_cast<int>(f));
      const size_bounds most = bounds_of(shapes, has_bounds(f) ? 3 : 0);
      const blas_operands<T> all = operands(r, shapes);
      blas_sizes<T> sizes(*all.batch);
      run(f, *all.batch, sizes, most);
      const blas_results<T> now = all.batch->finished();
      expected.batch->restore();
      REQUIRE(expected.batch->run(routine, most, nullptr) == 0);
      finish();
      CHECK(now.same_bits(expected.batch->results()));
      check_last(f, sizes.list());
    }
  }
}

/// A size of one matrix, or two of them, that is illegal: nothing is computed.
template <class T>
void refuse(blas_routine routine, const std::string& name) {
  const std::vector<shape> shapes(5, {6, 6, 6, 0});
  const blas_operands<T> all = operands(requests<T>(routine)[0], shapes);
  const std::size_t arguments = blas_sizes<T>(*all.batch).list().size();
  for (const ending f : {ending::plain, ending::max}) {
    const std::string saying =
        std::string("magmablas_") + names<T>::letter + name + (f == ending::max ? "_max" : "");
    for (std::size_t first = 0; first < arguments; ++first) {
      for (std::size_t second = first; second < arguments; ++second) {
        blas_sizes<T> sizes(*all.batch);
        const std::vector<listed> list = sizes.list();
        CAPTURE(saying, list[first].number, list[second].number);
        list[first].sizes->set(3, list[first].illegal);
        list[second].sizes->set(1, list[second].illegal);
        run(f, *all.batch, sizes, {6, 6, 6, 0});
        finish();
        CHECK(taken_reports() == std::vector<report>{{saying, list[first].number}});
        CHECK(all.batch->results().same_bits(all.batch->as_uploaded()));
        for (std::size_t i = 0; i < arguments; ++i)
          CHECK(list[i].sizes->last() == (i == first || i == second ? -1 : 0));
      }
    }
  }
}

// ---- LU without row exchanges ----------------------------------------------------------------------------

/// A matrix of known factors, a tolerance for it, and what is to be found.
template <class T>
struct tolerated {
  known_lu<T> matrix;
  real_of<T> tolerance;
  int info;
  bool has_factors = true;

  dense<T>& A() { return matrix.A; }
};

enum class tolerance { none, of_all, of_each };

/// Matrices without row exchanges: well-behaved ones, such with a zero for a pivot, such with pivots below a
/// tolerance of 1, and such that meet a NaN.
template <class T>
std::vector<tolerated<T>> some_tolerated(tolerance given) {
  std::vector<tolerated<T>> all;
  const auto shape_of = [](int m, int n, std::set<int> zeros, std::set<int> small) {
    return known_shape{m, n, std::min(m, n), 0, std::move(zeros), std::move(small)};
  };
  unsigned seed = 1;
  for (const auto [m, n] : std::vector<extents>{{4, 4}, {17, 17}, {33, 20}, {20, 33}, {65, 65}, {5, 9}}) {
    const int k = std::min(m, n);
    all.push_back({known_lu<T>(shape_of(m, n, {}, {}), ++seed), 1, 0});
    if (given != tolerance::of_all)
      all.push_back({known_lu<T>(shape_of(m, n, {k / 2}, {}), ++seed), 0, k / 2 + 1});
    if (given != tolerance::none)
      all.push_back({known_lu<T>(shape_of(m, n, {}, {0, k / 2, k - 1}), ++seed), 1, 3});
    tolerated<T> with_nan{known_lu<T>(shape_of(m, n, {}, {0}), ++seed), 1, 3, false};
    with_nan.A()[static_cast<std::size_t>(2 + 2 * m)] = nan_of<T>();
    if (given != tolerance::none) all.push_back(with_nan);
    all.push_back({known_lu<T>(shape_of(m, n, {}, {}), ++seed), 0, 2, false});
    all.back().A()[static_cast<std::size_t>(1 + m)] = nan_of<T>();
  }
  for (const auto [m, n] : std::vector<extents>{{0, 0}, {0, 4}, {4, 0}})
    all.push_back({known_lu<T>(shape_of(m, n, {}, {}), ++seed), 1, 0});
  return all;
}

}  // namespace

// ---- Cholesky --------------------------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("potrf_vbatched factors mixed sizes in either form", "[vbatched]", precisions) {
  using T = TestType;
  using N = names<T>;
  library<T> A("random");
  std::vector<int> orders = some_sizes(40, 97, 1);
  orders[3] = orders[4] = 0;  // one of them with a null pointer
  for (const uplo uplo : both) {
    const std::vector<slab<T>> before = matrices(A, orders, uplo);
    for (const ending f : {ending::plain, ending::max_nocheck}) {
      CAPTURE(uplo == uplo::lower, static_cast<int>(f));
      const mixed<T> a(before);
      const info_array info(a.count());
      size_array n(a.rows), lda(a.lds);
      const int count = static_cast<int>(a.count());
      REQUIRE((f == ending::plain
                   ? N::potrf_vbatched(to_magma(uplo), n.data(), starts(a.pointers), lda.data(), info.data(),
                                       count, default_queue())
                   : N::potrf_vbatched_max_nocheck(to_magma(uplo), n.data(), starts(a.pointers), lda.data(),
                                                   info.data(), count, 100, default_queue())) == 0);
      finish();
      CHECK(all_zero(info.download()));
      check_factors(A, before, a.download(), uplo);
      check_last(f, {{&n, 2, true, 0}, {&lda, 4, false, 0}});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_vbatched refuses illegal sizes", "[vbatched]", precisions) {
  using T = TestType;
  library<T> A("random");
  const std::vector<slab<T>> before = matrices(A, {6, 6, 6, 6}, uplo::lower);
  const mixed<T> a(before);
  const std::string name = std::string("magma_") + names<T>::letter + "potrf_vbatched";
  struct illegal {
    int n, lda, number;
  };
  for (const auto [n, lda, number] : {illegal{-1, 6, 2}, {6, 5, 4}, {6, 0, 4}, {0, 0, 4}, {-3, 0, 2}}) {
    CAPTURE(n, lda);
    const info_array info(4);
    size_array orders(4, 6), ldas(4, 6);
    orders.set(2, n);
    ldas.set(2, lda);
    CHECK(names<T>::potrf_vbatched(MagmaLower, orders.data(), starts(a.pointers), ldas.data(), info.data(), 4,
                                   default_queue()) == -number);
    finish();
    CHECK(taken_reports() == std::vector<report>{{name, number}});
    CHECK(same_bits(a.download(), before));
    CHECK(info.download() == std::vector<int>(4, -777));
    CHECK(orders.last() == (n < 0 ? -1 : 0));
    CHECK(ldas.last() == (lda < std::max(1, n) ? -1 : 0));
  }
}

// ---- LU --------------------------------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("getrf_vbatched factors mixed sizes in each form", "[vbatched]", precisions) {
  using T = TestType;
  using N = names<T>;
  general_library<T> A("random");
  std::vector<shape> shapes = some_shapes(40, 97, 3);
  for (const shape& s : {shape{0, 5, 0, 0}, {5, 0, 0, 0}, {0, 0, 0, 0}, {0, 7, 0, 0}}) shapes.push_back(s);
  const size_bounds most = bounds_of(shapes, 2);
  for (const char* const name : {"plain", "max_nocheck", "work"}) {
    CAPTURE(name);
    const std::unique_ptr<lu_batch<T>> batch = operands(routine::getrf, A, shapes);
    const size_array m(batch->A.rows), n(batch->A.columns), lda(batch->A.lds);
    element<T>** const a = starts(batch->A.pointers);
    int** const ipiv = batch->ipiv.pointers.data();
    int* const info = batch->info.data();
    const int count = static_cast<int>(shapes.size());
    if (name == std::string("plain")) {
      REQUIRE(N::getrf_vbatched(m.data(), n.data(), a, lda.data(), ipiv, info, count, default_queue()) == 0);
    } else if (name == std::string("max_nocheck")) {
      int nb = 0, recnb = 0;
      N::nbparam(most.m, most.n, &nb, &recnb);
      const size_array least(shapes.size(), 0);
      REQUIRE(N::getrf_vbatched_max_nocheck(m.data(), n.data(), least.data(), most.m, most.n, most.n,
                                            most.m * most.n, nb, recnb, a, lda.data(), ipiv, nullptr, info,
                                            count, default_queue()) == 0);
    } else {
      const auto call = [&](void* work, int* lwork) {
        return N::getrf_vbatched_max_nocheck_work(m.data(), n.data(), most.m, most.n, most.n, most.m * most.n,
                                                  a, lda.data(), ipiv, info, work, lwork, count,
                                                  default_queue());
      };
      int lwork = -1;
      REQUIRE(call(nullptr, &lwork) == 0);
      const guarded_work work(static_cast<std::size_t>(lwork));
      if (int less = lwork - 1; less >= 0) {
        CHECK(call(work.memory.data(), &less) == -12);
        CHECK(taken_reports().size() == 1);
        finish();
        CHECK(batch->results().same_bits(batch->as_uploaded()));
      }
      REQUIRE(call(work.memory.data(), &lwork) == 0);
      finish();
      CHECK(work.guard_untouched());
    }
    const lu_results<T> now = batch->finished(routine::getrf);
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      CAPTURE(b, shapes[b].m, shapes[b].n);
      check_pivoted(A(shapes[b], b), now.A[b].get(0), now.ipiv[b], now.info[b], shapes[b].m, shapes[b].n);
    }
    for (const size_array* sizes : {&m, &n, &lda}) CHECK(sizes->last() == size_array::unset);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv_vbatched counts pivots that it replaces, in each form", "[vbatched]",
                        precisions) {
  using T = TestType;
  using N = names<T>;
  using R = real_of<T>;
  for (const tolerance given : {tolerance::none, tolerance::of_all, tolerance::of_each}) {
    std::vector<tolerated<T>> all = some_tolerated<T>(given);
    std::vector<slab<T>> before, sides;
    std::vector<R> tolerances;
    std::vector<shape> shapes;
    for (std::size_t b = 0; b < all.size(); ++b) {
      const int m = all[b].matrix.m, n = all[b].matrix.n;
      before.emplace_back(m, n, ld_of(m, b), 1);
      before.back().put(0, all[b].A());
      sides.emplace_back(n, 0, std::max(1, n), 1);
      tolerances.push_back(all[b].tolerance);
      shapes.push_back({m, n, 0, 0});
    }
    const std::vector<int> no_columns(all.size(), 0);
    const size_bounds most = bounds_of(shapes, 1);
    const array<R> each(tolerances);
    R* const dtol = given == tolerance::of_each ? each.data() : nullptr;
    const R eps = given == tolerance::of_all ? R(1) : given == tolerance::of_each ? R(100) : R(0);
    for (const char* const name : {"plain", "expert", "max_nocheck", "work"}) {
      if (name == std::string("plain") && given != tolerance::none) continue;
      CAPTURE(static_cast<int>(given), name);
      lu_batch<T> batch(before, no_columns, mixed_pivots::unset(no_columns), sides);
      const size_array m(batch.A.rows), n(batch.A.columns), lda(batch.A.lds);
      element<T>** const a = starts(batch.A.pointers);
      int* const info = batch.info.data();
      const int count = static_cast<int>(all.size());
      const auto with_work = [&](void* work, int* lwork) {
        return N::getrf_nopiv_vbatched_max_nocheck_work(m.data(), n.data(), most.m, most.n, most.n,
                                                        most.m * most.n, a, lda.data(), dtol, eps, info, work,
                                                        lwork, count, default_queue());
      };
      int lwork = -1;
      REQUIRE(with_work(nullptr, &lwork) == 0);
      const guarded_work work(static_cast<std::size_t>(lwork));
      if (name == std::string("plain")) {
        REQUIRE(N::getrf_nopiv_vbatched(m.data(), n.data(), a, lda.data(), info, count, default_queue()) ==
                0);
      } else if (name == std::string("expert")) {
        REQUIRE(N::getrf_nopiv_expert_vbatched(m.data(), n.data(), a, lda.data(), dtol, eps, info, count,
                                               default_queue()) == 0);
      } else if (name == std::string("max_nocheck")) {
        REQUIRE(N::getrf_nopiv_vbatched_max_nocheck(m.data(), n.data(), nullptr, most.m, most.n, most.n,
                                                    most.m * most.n, 1, 1, a, lda.data(), dtol, eps, info,
                                                    count, default_queue()) == 0);
      } else {
        int less = lwork - 1;
        CHECK(with_work(work.memory.data(), &less) == -12);
        CHECK(taken_reports().size() == 1);
        REQUIRE(with_work(work.memory.data(), &lwork) == 0);
      }
      const lu_results<T> now = batch.finished(routine::getrf_nopiv);
      CHECK(work.guard_untouched());
      for (std::size_t b = 0; b < all.size(); ++b) {
        CAPTURE(b, shapes[b].m, shapes[b].n);
        CHECK(now.info[b] == all[b].info);
        if (all[b].has_factors) CHECK(now.A[b].get(0) == all[b].matrix.factors);
      }
      for (const size_array* sizes : {&m, &n, &lda}) CHECK(sizes->last() == size_array::unset);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_vbatched and its kin refuse illegal sizes", "[vbatched]", precisions) {
  using T = TestType;
  using N = names<T>;
  general_library<T> A("dominant");
  const std::unique_ptr<lu_batch<T>> batch = operands(routine::getrf, A, std::vector<shape>(4, {6, 5, 0, 0}));
  element<T>** const a = starts(batch->A.pointers);
  int* const info = batch->info.data();
  struct illegal {
    int m, n, lda, number;
  };
  for (const auto [m, n, lda, number] :
       {illegal{-1, 5, 6, 1}, {6, -1, 6, 2}, {6, 5, 5, 4}, {0, 5, 0, 4}, {-1, -1, 0, 1}}) {
    CAPTURE(m, n, lda);
    size_array ms(4, 6), ns(4, 5), ldas(4, 7);
    ms.set(2, m);
    ns.set(2, n);
    ldas.set(2, lda);
    CHECK(N::getrf_vbatched(ms.data(), ns.data(), a, ldas.data(), batch->ipiv.pointers.data(), info, 4,
                            default_queue()) == -number);
    CHECK(N::getrf_nopiv_vbatched(ms.data(), ns.data(), a, ldas.data(), info, 4, default_queue()) == -number);
    CHECK(N::getrf_nopiv_expert_vbatched(ms.data(), ns.data(), a, ldas.data(), nullptr, 1, info, 4,
                                         default_queue()) == -number);
    finish();
    const std::vector<report> said = taken_reports();
    CHECK(said.size() == 3);
    for (const report& one : said) CHECK(one.number == number);
    CHECK(batch->results().same_bits(batch->as_uploaded()));
    for (const size_array* sizes : {&ms, &ns, &ldas}) CHECK(sizes->last() == size_array::unset);
  }
}

// ---- products and triangular solves ----------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("trsm_vbatched solves mixed sizes in each form", "[vbatched]", precisions) {
  compare_forms<TestType>(blas_routine::trsm);
}
TEMPLATE_LIST_TEST_CASE("gemm_vbatched multiplies mixed sizes in each form", "[vbatched]", precisions) {
  compare_forms<TestType>(blas_routine::gemm);
}
TEMPLATE_LIST_TEST_CASE("gemv_vbatched multiplies mixed sizes in each form", "[vbatched]", precisions) {
  compare_forms<TestType>(blas_routine::gemv);
}
TEMPLATE_LIST_TEST_CASE("trsm, gemm and gemv of mixed sizes refuse illegal ones", "[vbatched]", precisions) {
  refuse<TestType>(blas_routine::trsm, "trsm_vbatched");
  refuse<TestType>(blas_routine::gemm, "gemm_vbatched");
  refuse<TestType>(blas_routine::gemv, "gemv_vbatched");
}

TEMPLATE_LIST_TEST_CASE("in gemm k = 0 scales C, and beta = 0 forgets what it was", "[vbatched]",
                        precisions) {
  using T = TestType;
  for (const ending f : every_ending) {
    for (const T beta : {T(0), T(-2)}) {
      CAPTURE(static_cast<int>(f), beta);
      slab<T> before(5, 4, 6, 1);
      if (beta != T(0)) before.put(0, small_integers<T>(5, 4, 1));
      blas_request<T> r{blas_routine::gemm};
      r.beta = beta;
      const blas_batch<T> batch(r, {slab<T>(5, 0, 5, 1)}, {slab<T>(0, 4, 1, 1)}, {before}, {0});
      const blas_sizes<T> sizes(batch);
      run(f, batch, sizes, {5, 4, 0, 0});
      finish();
      dense<T> expected(20, T(0));
      for (std::size_t e = 0; beta != T(0) && e < expected.size(); ++e)
        expected[e] = times(beta, before.get(0)[e]);
      const slab<T> after = batch.C.download()[0];
      CHECK(after.get(0) == expected);
      CHECK(after.guards_untouched(before));
    }
  }
}
