// Needs: orgqr

// orgqr: the columns of Q, and what is left alone. Every case runs on the backend under test.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "batched/qr/orgqr.hpp"
#include "catch.hpp"
#include "lines.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// n columns of Q, of m rows, from k reflectors.
struct q_shape {
  int m, n, k;
};

std::vector<q_shape> shapes() {
  std::vector<q_shape> all;
  const extents sizes[] = {{1, 1},   {2, 1},   {2, 2},    {3, 3},     {5, 5},    {8, 8},   {9, 4},   {16, 16},
                           {17, 17}, {20, 3},  {32, 32},  {33, 33},   {40, 33},  {64, 64}, {65, 65}, {70, 1},
                           {97, 97}, {128, 8}, {130, 70}, {129, 129}, {200, 40}, {500, 7}};
  for (const extents e : sizes) {
    for (const int k : std::set<int>{0, 1, e.n / 3, e.n / 2, e.n - 1, e.n}) all.push_back({e.m, e.n, k});
  }
  return all;
}

/// Reflectors of LAPACK's for each matrix of a batch, repeated; NaN in columns that have none.
template <class T>
struct operands {
  operands(const q_shape& s_, int distinct, std::int64_t count)
      : s(s_), A(s.m, s.n, s.m + s.n % 3, count), tau(unset_tau<T>(s.k, count)) {
    for (int i = 0; i < distinct; ++i)
      each.push_back(reflectors<T>::alone(s.m, s.k, static_cast<unsigned>(3 * s.m + i)));
    for (std::int64_t b = 0; b < count; ++b) {
      dense<T> whole = of(b).factors;
      whole.resize(static_cast<std::size_t>(s.m) * static_cast<std::size_t>(s.n), nan_of<T>());
      A.put(b, whole);
      tau.put(b, of(b).tau);
    }
  }
  const reflectors<T>& of(std::int64_t b) const { return each[static_cast<std::size_t>(b) % each.size()]; }

  q_shape s;
  std::vector<reflectors<T>> each;
  slab<T> A, tau;
};

/// Calls orgqr, with the given line of orgqr_tables unless that is cuda::selected.
template <class T>
int run_orgqr(int line, call_form how, const q_shape& s, const resident<T>& a, const resident<T>& tau,
              const info_array& info) {
  if (line == cuda::selected) return test::orgqr(how, a, tau, info.data());
  const slab<T>&A = a.host, &taus = tau.host;
  if (how == call_form::strided)
    return cuda::orgqr_at(line, s.k, strided_batch(a.memory.data(), s.m, s.n, A.ld, A.stride, A.count),
                          read_only(strided_vectors(tau.memory.data(), taus.stride)), info.data(),
                          test_queue());
  return cuda::orgqr_at(line, s.k, pointer_batch(a.pointers.data(), s.m, s.n, A.ld, A.count),
                        read_only(pointer_vectors(tau.pointers.data())), info.data(), test_queue());
}

template <class T>
void form_and_check(const q_shape& s, std::int64_t count, call_form how, int line = cuda::selected) {
  CAPTURE(s.m, s.n, s.k, count, how == call_form::pointers, line);
  const int distinct = 2;
  const operands<T> x(s, distinct, count);
  const resident<T> a(x.A), tau(x.tau);
  const info_array info(count);
  REQUIRE(run_orgqr(line, how, s, a, tau, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(tau.download().same_bits(x.tau));  // only read
  const slab<T> Q = a.download();
  CHECK(Q.guards_untouched(x.A));
  CHECK(position_does_not_matter(Q, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    const dense<judged<T>> result = converted<judged<T>>(Q.get(b)),
                           expected = explicit_Q(x.of(b).factors, x.of(b).tau, s.m, s.k, s.n);
    CHECK(orthogonality_ratio<T>(result, s.m, s.n) < threshold);
    double worst = 0;
    for (std::size_t e = 0; e < result.size(); ++e) worst = worse(worst, std::abs(result[e] - expected[e]));
    CHECK(worst / (s.m * static_cast<double>(epsilon<T>)) < threshold);
    if (s.k == 0) CHECK(result == expected);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("orgqr forms the Q worked by hand", "[orgqr]", precisions) {
  using T = TestType;
  // v = (1, 1, 0) and (0, 1, 1), tau = 1: Q = [0 -1 0; -1 0 0; 0 0 1] [1 0 0; 0 0 -1; 0 -1 0].
  const dense<T> V{7, 1, 0, 7, 7, 1, 7, 7, 7}, Q{0, -1, 0, 0, 0, -1, 1, 0, 0};
  for (const call_form how : forms) {
    for (const int n : {2, 3}) {
      slab<T> A(3, n, 4, 2), taus = unset_tau<T>(2, 2);
      for (const int b : {0, 1}) {
        A.put(b, V);
        taus.put(b, {1, 1});
      }
      const resident<T> a(A), tau(taus);
      const info_array info(2);
      REQUIRE(orgqr(how, a, tau, info.data()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, 0});
      for (const int b : {0, 1}) CHECK(a.download().get(b) == dense<T>(Q.begin(), Q.begin() + 3 * n));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("orgqr forms orthonormal columns, those of the reflectors", "[orgqr]", precisions) {
  for (const q_shape& s : shapes())
    form_and_check<TestType>(s, 3, forms[static_cast<std::size_t>(s.m + s.n + s.k) % 2]);
  for (const q_shape& s : {q_shape{257, 200, 130},
                           {300, 300, 300},
                           {2000, 20, 20},
                           {1000, 3, 2},
                           {2500, 40, 33},
                           {9000, 20, 20},
                           {700, 70, 70}})
    form_and_check<TestType>(s, 1, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("orgqr takes any number of matrices", "[orgqr]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) {
      form_and_check<T>({n, n, n}, count, call_form::strided);
      form_and_check<T>({n + 3, n, (n + 1) / 2}, count, call_form::pointers);
    }
  }
  form_and_check<T>({2, 2, 2}, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("orgqr forms the Q of matrices that geqrf factored", "[orgqr]", precisions) {
  using T = TestType;
  for (const std::string& kind : qr_kinds()) {
    for (const extents e : few_extents()) {
      if (e.m < e.n) continue;
      CAPTURE(kind, e.m, e.n);
      const repeated_general<T> A = repeated_qr<T>(kind, e.m, e.n, 1, 9);
      const resident<T> a(A.fill(e.m, 1)), tau(unset_tau<T>(e.n, 1));
      REQUIRE(geqrf(call_form::strided, a, tau, info_array(1)) == 0);
      finish();
      const dense<T> R = upper_trapezoid(a.download().get(0), e.m, e.n, e.n);
      REQUIRE(orgqr<T>(call_form::strided, a, tau, nullptr) == 0);
      finish();
      check_thin(A[0], a.download().get(0), R, e.m, e.n);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("orgqr gives the same bits on every run, by pointers and by strides", "[orgqr]",
                        precisions) {
  using T = TestType;
  for (const q_shape& s : shapes()) {
    CAPTURE(s.m, s.n, s.k);
    const std::int64_t count = s.m * s.n > 3000 ? 9 : 37;
    const operands<T> x(s, 4, count);
    const resident<T> tau(x.tau), first(x.A), second(x.A), third(x.A);
    REQUIRE(orgqr<T>(call_form::strided, first, tau, nullptr) == 0);
    REQUIRE(orgqr<T>(call_form::strided, second, tau, nullptr) == 0);
    REQUIRE(orgqr<T>(call_form::pointers, third, tau, nullptr) == 0);
    finish();
    CHECK(first.download().same_bits(second.download()));
    CHECK(first.download().same_bits(third.download()));
    CHECK(position_does_not_matter(first.download(), 4));
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN comes out of orgqr, and harms no neighbour", "[orgqr]", precisions) {
  using T = TestType;
  for (const q_shape& s : {q_shape{1, 1, 1},
                           {3, 2, 2},
                           {8, 8, 8},
                           {9, 4, 3},
                           {17, 17, 9},
                           {33, 33, 33},
                           {70, 20, 20},
                           {100, 100, 60}}) {
    CAPTURE(s.m, s.n, s.k);
    const operands<T> x(s, 1, 5);
    slab<T> A = x.A, taus = x.tau;
    const int j = s.k / 2;
    if (s.m > j + 1) A.at(1, s.m - 1, j) = nan_of<T>();
    taus.at(3, s.k - 1, 0) = nan_of<T>();
    const resident<T> tau(x.tau), spoilt_tau(taus), healthy(x.A), a(A);
    const info_array info(5);
    REQUIRE(orgqr<T>(call_form::strided, healthy, tau, nullptr) == 0);
    REQUIRE(orgqr(call_form::strided, a, spoilt_tau, info.data()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> Q = a.download(), expected = healthy.download();
    for (const std::int64_t b : {0, 2, 4}) CHECK(Q.same_bits(b, expected, b));
    if (s.m > j + 1) CHECK(has_nan(Q, 1, j));
    CHECK(has_nan(Q, 3, s.k - 1));
  }
}

TEMPLATE_LIST_TEST_CASE("orgqr of matrices without columns: legal, info 0", "[orgqr]", precisions) {
  using T = TestType;
  for (const int m : {0, 5}) {
    const info_array info(3), by_pointers(3);
    CHECK(orgqr_strided_batched<T>(m, 0, 0, nullptr, std::max(1, m), 0, nullptr, 0, info.data(), 3,
                                   test_queue()) == 0);
    CHECK(orgqr_batched<T>(m, 0, 0, nullptr, std::max(1, m), nullptr, by_pointers.data(), 3, test_queue()) ==
          0);
    CHECK(orgqr_batched<T>(m, 0, 0, nullptr, std::max(1, m), nullptr, nullptr, 3, test_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(all_zero(by_pointers.download()));
  }
}

TEMPLATE_LIST_TEST_CASE("orgqr of complex matrices is ungqr, too", "[orgqr]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    const operands<T> x({9, 6, 5}, 2, 7);
    const resident<T> tau(x.tau), first(x.A), second(x.A), third(x.A);
    REQUIRE(orgqr<T>(call_form::strided, first, tau, nullptr) == 0);
    REQUIRE(ungqr_strided_batched<T>(9, 6, 5, second.memory.data(), x.A.ld, x.A.stride, tau.memory.data(),
                                     x.tau.stride, nullptr, 7, test_queue()) == 0);
    REQUIRE(ungqr_batched<T>(9, 6, 5, third.pointers.data(), x.A.ld, tau.pointers.data(), nullptr, 7,
                             test_queue()) == 0);
    finish();
    CHECK(first.download().same_bits(second.download()));
    CHECK(first.download().same_bits(third.download()));
  }
}

#ifdef TALUS_WITH_CUDA

TEMPLATE_LIST_TEST_CASE("every line of orgqr's table works at its borders", "[orgqr][table]", precisions) {
  using T = TestType;
  using tables = cuda::orgqr_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& at = tables::at<T>(line);
    const int m_max = at.bounds[0] == cuda::any_extent ? 150 : at.bounds[0],
              n_max = at.bounds[1] == cuda::any_extent ? 13 : at.bounds[1], tbc = tbc_of(at.kernel);
    for (const int n : borders(n_max)) {
      for (const int m : std::set<int>{n, n + 1, m_max - 1, m_max}) {
        if (n == 0 || m < n || m > m_max) continue;
        form_and_check<T>({m, n, n}, 1, call_form::pointers, line);
        form_and_check<T>({m, n, n / 2}, 2 * tbc + 1, call_form::strided, line);
      }
    }
  }
}

#endif  // TALUS_WITH_CUDA

TEMPLATE_LIST_TEST_CASE("orgqr, small", "[.][sanitize]", precisions) {
  for (const q_shape& s : {q_shape{1, 1, 1}, {3, 3, 0}, {8, 8, 8}, {20, 9, 5}, {40, 40, 40}, {70, 33, 33}}) {
    form_and_check<TestType>(s, 9, call_form::strided);
    form_and_check<TestType>(s, 3, call_form::pointers);
  }
  form_and_check<TestType>({2100, 21, 19}, 2, call_form::strided);
}
