// Needs: geqrf ormqr orgqr gels qr

// QR of mixed sizes: what the five routines compute, what they refuse, and what they promise of bits, memory
// and streams. Every case runs on the backend under test.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "mixed_sizes.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

enum class qr_routine { geqrf, ormqr_left, ormqr_right, orgqr, gels, qr };
constexpr qr_routine every_qr[] = {qr_routine::geqrf, qr_routine::ormqr_left, qr_routine::ormqr_right,
                                   qr_routine::orgqr, qr_routine::gels,       qr_routine::qr};

constexpr bool is_ormqr(qr_routine r) { return r == qr_routine::ormqr_left || r == qr_routine::ormqr_right; }
constexpr bool takes_reflectors(qr_routine r) { return is_ormqr(r) || r == qr_routine::orgqr; }
constexpr bool may_lack_info(qr_routine r) { return takes_reflectors(r); }
constexpr bool has_tau(qr_routine r) { return r == qr_routine::geqrf || takes_reflectors(r); }
constexpr bool has_second(qr_routine r) {
  return is_ormqr(r) || r == qr_routine::gels || r == qr_routine::qr;
}

/// What is legal for a routine of shapes that are not. (m, n: of A, or of ormqr's C.)
shape legal(qr_routine r, shape s) {
  if (r == qr_routine::orgqr && s.m < s.n) std::swap(s.m, s.n);
  const int most = r == qr_routine::ormqr_left                              ? s.m
                   : r == qr_routine::ormqr_right || r == qr_routine::orgqr ? s.n
                                                                            : std::min(s.m, s.n);
  if (takes_reflectors(r)) {
    s.k = std::min(s.k, most);
  } else {
    s.k = most;
  }
  return s;
}
std::vector<shape> qr_shapes(qr_routine r, std::int64_t count, int largest, unsigned seed) {
  std::vector<shape> shapes = some_shapes(count, largest, seed);
  const std::vector<int> nrhs = some_nrhs(shapes.size());
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    shapes[b].nrhs = nrhs[b];
    shapes[b] = legal(r, shapes[b]);
  }
  return shapes;
}

template <class T>
struct qr_results {
  std::vector<slab<T>> A, tau, C;
  std::vector<int> info;

  bool same_bits(const qr_results& other) const {
    return test::same_bits(A, other.A) && test::same_bits(tau, other.tau) && test::same_bits(C, other.C) &&
           info == other.info;
  }
  bool same_bits(std::size_t b, const qr_results& other, std::size_t other_b) const {
    return A[b].same_bits(other.A[other_b]) && tau[b].same_bits(other.tau[other_b]) &&
           C[b].same_bits(other.C[other_b]) && info[b] == other.info[other_b];
  }
};

/// The operands of a routine. C: ormqr's C, gels' B, qr's R. A test may change sizes and pointers, and
/// uploads what it did.
template <class T>
struct qr_batch {
  qr_batch(std::vector<slab<T>> A_, std::vector<slab<T>> tau_, std::vector<slab<T>> C_, std::vector<int> k_)
      : A(std::move(A_)),
        tau(std::move(tau_)),
        C(std::move(C_)),
        columns(std::move(k_)),
        k(columns),
        info(A.count()) {}
  void upload() {
    for (mixed<T>* m : {&A, &tau, &C}) m->upload_sizes();
    k.upload(columns);
  }
  void restore() {
    for (mixed<T>* m : {&A, &tau, &C}) m->restore();
    info.memory.upload(std::vector<int>(A.host.size() + 1, -777));
  }
  int run(qr_routine r, const size_bounds& most, queue q = test_queue(), op op = op::none) {
    return run(r, most, info.data(), q, op);
  }
  int run(qr_routine r, const size_bounds& most, int* infos, queue q, op op) {
    T *const *const a = A.pointers.data(), *const *const t = tau.pointers.data(),
                    *const *const c = C.pointers.data();
    const int *const m = A.m.data(), *const n = A.n.data(), *const lda = A.ld.data(),
                     *const ldc = C.ld.data();
    const std::int64_t count = A.count();
    switch (r) {
      case qr_routine::geqrf:
        return geqrf_vbatched<T>(m, n, a, lda, t, infos, count, most.m, most.n, q);
      case qr_routine::ormqr_left:
      case qr_routine::ormqr_right:
        return ormqr_vbatched<T>(r == qr_routine::ormqr_left ? side::left : side::right, op, C.m.data(),
                                 C.n.data(), n, a, lda, t, c, ldc, infos, count, most.m, most.n, most.k, q);
      case qr_routine::orgqr:
        return orgqr_vbatched<T>(m, n, k.data(), a, lda, t, infos, count, most.m, most.n, most.k, q);
      case qr_routine::gels:
        return gels_vbatched<T>(op, m, n, C.n.data(), a, lda, c, ldc, infos, count, most.m, most.n, most.nrhs,
                                q);
      case qr_routine::qr:
        return qr_vbatched<T>(m, n, a, lda, c, ldc, infos, count, most.m, most.n, q);
    }
    return 1;
  }
  qr_results<T> results() const { return {A.download(), tau.download(), C.download(), info.download()}; }
  /// What results() are before any call.
  qr_results<T> as_uploaded() const {
    return {A.host, tau.host, C.host, std::vector<int>(A.host.size(), -777)};
  }
  /// Waits, and checks what every call promises of what is not its own.
  qr_results<T> finished(qr_routine r) {
    finish();
    qr_results<T> now = results();
    for (std::size_t b = 0; b < now.A.size(); ++b) {
      CAPTURE(b, A.host[b].m, A.host[b].n);
      CHECK(now.A[b].guards_untouched(A.host[b]));
      CHECK(now.tau[b].guards_untouched(tau.host[b]));
      CHECK(now.C[b].guards_untouched(C.host[b]));
      if (is_ormqr(r)) CHECK(now.A[b].same_bits(A.host[b]));
      if (r != qr_routine::geqrf) CHECK(now.tau[b].same_bits(tau.host[b]));
    }
    return now;
  }

  mixed<T> A, tau, C;
  std::vector<int> columns;
  array<int> k;
  info_array info;
};

template <class T>
std::size_t work_bytes(qr_routine r, const size_bounds& most, std::int64_t count) {
  switch (r) {
    case qr_routine::geqrf:
      return geqrf_vbatched_work<T>(most.m, most.n, count);
    case qr_routine::ormqr_left:
    case qr_routine::ormqr_right:
      return ormqr_vbatched_work<T>(most.m, most.n, most.k, count);
    case qr_routine::orgqr:
      return orgqr_vbatched_work<T>(most.m, most.n, most.k, count);
    case qr_routine::gels:
      return gels_vbatched_work<T>(most.m, most.n, most.nrhs, count);
    case qr_routine::qr:
      return qr_vbatched_work<T>(most.m, most.n, count);
  }
  return 0;
}

/// Matrices of a kind, or reflectors of LAPACK's, of every shape two, made when they are asked for first.
template <class T>
class qr_library {
 public:
  explicit qr_library(std::string kind) : kind_(std::move(kind)) {}
  const dense<T>& operator()(int m, int n, std::size_t b) {
    const auto [found, is_new] = matrices_.try_emplace({{m, n}, b % 2});
    const unsigned seed = static_cast<unsigned>(2 * m + n) + static_cast<unsigned>(b % 2);
    if (is_new)
      found->second =
          kind_ == "full_rank" ? well_conditioned<T>(m, n, seed) : qr_matrix<T>(kind_, m, n, seed);
    return found->second;
  }
  const reflectors<T>& of(int order, int k, std::size_t b) {
    const std::pair<std::pair<int, int>, std::size_t> key{{order, k}, b % 2};
    const auto found = reflectors_.find(key);
    if (found != reflectors_.end()) return found->second;
    const unsigned seed = static_cast<unsigned>(2 * order + k) + static_cast<unsigned>(b % 2);
    return reflectors_.emplace(key, reflectors<T>::alone(order, k, seed)).first->second;
  }

 private:
  std::string kind_;
  std::map<std::pair<std::pair<int, int>, std::size_t>, dense<T>> matrices_;
  std::map<std::pair<std::pair<int, int>, std::size_t>, reflectors<T>> reflectors_;
};

/// What a routine takes of these sizes.
template <class T>
std::unique_ptr<qr_batch<T>> operands(qr_routine r, qr_library<T>& of_kind,
                                      const std::vector<shape>& shapes) {
  std::vector<slab<T>> A, tau, C;
  std::vector<int> columns;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    const int order = r == qr_routine::ormqr_right ? n : m;
    const int width = is_ormqr(r) ? k : n;
    columns.push_back(k);
    A.emplace_back(order, width, ld_of(order, b), 1);
    tau.push_back(unset_tau<T>(has_tau(r) ? k : 0, 1));
    if (takes_reflectors(r)) {
      dense<T> all = of_kind.of(order, k, b).factors;
      all.resize(static_cast<std::size_t>(order) * static_cast<std::size_t>(width), nan_of<T>());
      A.back().put(0, all);
      tau.back().put(0, of_kind.of(order, k, b).tau);
    } else {
      A.back().put(0, of_kind(m, n, b));
    }
    if (!has_second(r)) C.emplace_back(0, 0, 1, 1);
    if (r == qr_routine::qr) C.emplace_back(k, n, ld_of(k, b / 3), 1);
    if (!is_ormqr(r) && r != qr_routine::gels) continue;
    const int rows = is_ormqr(r) ? m : std::max(m, n), sides = is_ormqr(r) ? n : nrhs;
    C.emplace_back(rows, sides, ld_of(rows, b / 3), 1);
    C.back().put(0, random_matrix<T>(rows, sides, static_cast<unsigned>(100 + b % 2)));
  }
  return std::make_unique<qr_batch<T>>(A, tau, C, columns);
}

/// One matrix's result, by the ratio that the routine is held to.
template <class T>
void check_one(qr_routine r, qr_library<T>& of_kind, const shape& s, std::size_t b, op op,
               const slab<T>& before, const qr_results<T>& now) {
  using W = judged<T>;
  const auto [m, n, k, nrhs] = s;
  const double eps = std::max({1, m, n}) * static_cast<double>(epsilon<T>);
  if (r == qr_routine::geqrf) {
    check_reflectors(of_kind(m, n, b), now.A[b].get(0), now.tau[b].get(0), m, n);
  } else if (r == qr_routine::qr) {
    check_thin(of_kind(m, n, b), now.A[b].get(0), now.C[b].get(0), m, n);
  } else if (takes_reflectors(r)) {
    const int order = r == qr_routine::ormqr_right ? n : m, width = r == qr_routine::orgqr ? n : order;
    const reflectors<T>& stored = of_kind.of(order, k, b);
    dense<W> Q = explicit_Q(stored.factors, stored.tau, order, k, width);
    if (is_ormqr(r) && op != op::none) Q = adjoint(Q, order, order);
    const dense<W> C = converted<W>(before.get(0));
    const dense<W> expected = r == qr_routine::orgqr        ? Q
                              : r == qr_routine::ormqr_left ? product(Q, C, m, m, n)
                                                            : product(C, Q, m, n, n);
    const dense<W> result = converted<W>((r == qr_routine::orgqr ? now.A : now.C)[b].get(0));
    double worst = 0;
    for (std::size_t e = 0; e < result.size(); ++e) worst = worse(worst, std::abs(result[e] - expected[e]));
    const double size = r == qr_routine::orgqr ? 1 : norm1(C, m, n);
    CHECK(worst <= threshold * size * eps);
  } else if (nrhs > 0 && m > 0 && n > 0) {  // gels: the equations, or those of the residual, and the norm
    const bool plain = op == op::none, squares = plain == (m >= n);
    const int rows = plain ? m : n, unknowns = plain ? n : m;
    dense<W> A = converted<W>(of_kind(m, n, b)), X, B;
    if (!plain) A = adjoint(A, m, n);
    for (int j = 0; j < nrhs; ++j) {
      for (int i = 0; i < unknowns; ++i) X.push_back(static_cast<W>(now.C[b].at(0, i, j)));
      for (int i = 0; i < rows; ++i) B.push_back(static_cast<W>(before.at(0, i, j)));
    }
    const double size = norm1(A, rows, unknowns) * (norm1(X, unknowns, nrhs) + norm1(B, rows, nrhs));
    const dense<W> AX = product(A, X, rows, unknowns, nrhs);
    for (std::size_t e = 0; e < B.size(); ++e) B[e] -= AX[e];
    if (!squares || rows == unknowns) CHECK(norm1(B, rows, nrhs) <= threshold * size * eps);
    const dense<W> gradient = product(adjoint(A, rows, unknowns), B, unknowns, rows, nrhs);
    CHECK(norm1(gradient, unknowns, nrhs) <= threshold * size * norm1(A, rows, unknowns) * eps);
  }
}

template <class T>
void run_and_check(qr_routine r, const std::string& kind, const std::vector<shape>& shapes,
                   const size_bounds& most, op op = op::none) {
  CAPTURE(static_cast<int>(r), kind, shapes.size(), most.m, most.n, most.k, most.nrhs, static_cast<char>(op));
  qr_library<T> of_kind(kind);
  const auto batch = operands(r, of_kind, shapes);
  REQUIRE(batch->run(r, most, test_queue(), op) == 0);
  const qr_results<T> now = batch->finished(r);
  CHECK(all_zero(now.info));
  std::map<std::pair<std::vector<int>, std::size_t>, std::size_t> first;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    CAPTURE(b, m, n, k, nrhs);
    const auto [found, is_new] = first.try_emplace({{m, n, k, nrhs}, b % 2}, b);
    if (is_new) {
      check_one(r, of_kind, shapes[b], b, op, batch->C.host[b], now);
    } else if (has_tau(r) || r == qr_routine::qr) {  // wherever it stands
      CHECK(same(now.tau[b].get(0), now.tau[found->second].get(0)));
      CHECK(same(now.C[b].get(0), now.C[found->second].get(0)));
      if (r != qr_routine::qr) CHECK(same(now.A[b].get(0), now.A[found->second].get(0)));
    }
  }
}

std::string kind_of(qr_routine r) { return r == qr_routine::gels ? "full_rank" : "random"; }

template <class T>
std::vector<op> ops_of(qr_routine r) {
  return is_ormqr(r) || r == qr_routine::gels ? legal_ops<T>() : std::vector<op>{op::none};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("QR of mixed sizes is backward stable, whatever is known of its bounds",
                        "[qr_vbatched]", precisions) {
  using T = TestType;
  for (const qr_routine r : every_qr) {
    unsigned seed = 0;
    for (const std::int64_t count : {1, 2, 31, 33, 200}) {
      const std::vector<shape> shapes = qr_shapes(r, count, count < 33 ? 130 : 65, ++seed);
      const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 9), {}};
      for (const op op : ops_of<T>(r)) run_and_check<T>(r, kind_of(r), shapes, bounds[++seed % 3], op);
    }
    const std::vector<shape> shapes = qr_shapes(r, 20, 50, 9);  // some bounds known, others not
    const size_bounds known = bounds_of(shapes);
    run_and_check<T>(r, kind_of(r), shapes, {known.m, -1, -1, -1});
    run_and_check<T>(r, kind_of(r), shapes, {-1, known.n, known.k, known.nrhs});
  }
}

TEMPLATE_LIST_TEST_CASE("QR of mixed sizes is backward stable on every kind of matrix", "[qr_vbatched]",
                        precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const qr_routine r : {qr_routine::geqrf, qr_routine::qr}) {
    for (const std::string& kind : qr_kinds()) {
      const std::vector<shape> shapes = qr_shapes(r, 33, 129, ++seed);
      run_and_check<T>(r, kind, shapes, seed % 2 == 0 ? bounds_of(shapes, 5) : size_bounds{});
    }
    for (const int largest : {8, 33, 400}) {
      const std::vector<shape> shapes = qr_shapes(r, largest == 400 ? 10 : 500, largest, ++seed);
      run_and_check<T>(r, "random", shapes, bounds_of(shapes));
    }
    run_and_check<T>(r, "random", {{500, 7, 7, 0}, {2, 2, 2, 0}, {7, 300, 7, 0}, {1000, 20, 20, 0}}, {});
  }
}

// ---- same bits -------------------------------------------------------------------------------------------

namespace {

template <class T>
void permute_and_compare(qr_routine r, const std::vector<shape>& shapes) {
  CAPTURE(static_cast<int>(r), shapes.size());
  qr_library<T> of_kind(kind_of(r));
  const size_bounds most = bounds_of(shapes);
  const auto first = operands(r, of_kind, shapes), second = operands(r, of_kind, shapes);
  std::vector<std::size_t> from(shapes.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::shuffle(from.begin(), from.end(), std::mt19937(3));
  std::vector<slab<T>> A, tau, C;
  std::vector<int> columns;
  for (const std::size_t i : from) {
    A.push_back(first->A.host[i]);
    tau.push_back(first->tau.host[i]);
    C.push_back(first->C.host[i]);
    columns.push_back(shapes[i].k);
  }
  qr_batch<T> moved(A, tau, C, columns);
  for (slab<T>& matrix : A)  // what others leave behind on the chip does not matter
    std::fill(matrix.host.begin(), matrix.host.end(), nan_of<T>());
  qr_batch<T> spoilt(A, tau, C, columns);
  for (qr_batch<T>* batch : {first.get(), &spoilt, second.get(), &moved}) REQUIRE(batch->run(r, most) == 0);
  finish();
  const qr_results<T> expected = first->results(), again = second->results(), elsewhere = moved.results();
  CHECK(again.same_bits(expected));
  for (std::size_t i = 0; i < from.size(); ++i) {
    CAPTURE(i, from[i], shapes[from[i]].m, shapes[from[i]].n);
    CHECK(elsewhere.same_bits(i, expected, from[i]));
  }
}

template <class T>
int run_equal(qr_routine r, const resident<T>& a, const resident<T>& tau, const resident<T>& c,
              const info_array& info) {
  const call_form how = call_form::strided;
  switch (r) {
    case qr_routine::geqrf:
      return test::geqrf(how, a, tau, info);
    case qr_routine::ormqr_left:
      return test::ormqr(how, side::left, op::none, a, tau, c, info.data());
    case qr_routine::ormqr_right:
      return test::ormqr(how, side::right, op::none, a, tau, c, info.data());
    case qr_routine::orgqr:
      return test::orgqr(how, a, tau, info.data());
    case qr_routine::gels:
      return test::gels(how, op::none, a.host.m, a.host.n, a, c, info);
    case qr_routine::qr:
      return test::qr(how, a, c, info);
  }
  return 1;
}

/// All matrices of a shape, in a call of their own and among others.
template <class T>
void compare_with_equal(qr_routine r, const std::vector<shape>& shapes) {
  qr_library<T> of_kind(kind_of(r));
  const auto batch = operands(r, of_kind, shapes);
  REQUIRE(batch->run(r, {}) == 0);
  const qr_results<T> now = batch->finished(r);
  std::map<std::vector<int>, std::vector<std::size_t>> by_shape;
  for (std::size_t b = 0; b < shapes.size(); ++b)
    by_shape[{shapes[b].m, shapes[b].n, shapes[b].k, shapes[b].nrhs}].push_back(b);
  for (const auto& [extents, members] : by_shape) {
    CAPTURE(static_cast<int>(r), extents[0], extents[1], extents[2], members.size());
    const resident<T> a(joined(batch->A.host, members)), tau(joined(batch->tau.host, members)),
        c(joined(batch->C.host, members));
    REQUIRE(run_equal(r, a, tau, c, info_array(a.host.count)) == 0);
    finish();
    const slab<T> A_equal = a.download(), tau_equal = tau.download(), C_equal = c.download();
    const bool whole = r == qr_routine::geqrf || r == qr_routine::orgqr;  // of others A is not specified
    bool same_A = true, same_tau = true, same_C = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      same_A = same_A && (!whole || same(now.A[members[i]].get(0), A_equal.get(at)));
      same_tau = same_tau && same(now.tau[members[i]].get(0), tau_equal.get(at));
      same_C = same_C && same(now.C[members[i]].get(0), C_equal.get(at));
    }
    CHECK(same_A);
    CHECK(same_tau);
    CHECK(same_C);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("QR of mixed sizes gives the same bits again, and wherever a matrix stands",
                        "[qr_vbatched]", precisions) {
  for (const qr_routine r : every_qr) {
    for (const auto& [count, largest] : {std::pair{37, 130}, {300, 33}})
      permute_and_compare<TestType>(r, qr_shapes(r, count, largest, 3));
  }
}

TEMPLATE_LIST_TEST_CASE("on the host QR of mixed sizes gets the bits of equal ones", "[qr_vbatched]",
                        precisions) {
  if (on_cuda()) return;
  // So many of each shape: their number decides which way they go.
  const std::pair<shape, int> counts[] = {
      {{1, 1, 1, 2}, 1},     {{5, 5, 3, 1}, 40},    {{32, 32, 32, 3}, 3},   {{33, 33, 9, 3}, 1},
      {{40, 40, 20, 2}, 17}, {{64, 64, 50, 1}, 33}, {{70, 70, 70, 1}, 2},   {{9, 5, 5, 2}, 20},
      {{5, 9, 2, 2}, 20},    {{33, 8, 8, 1}, 3},    {{129, 129, 60, 2}, 3}, {{100, 100, 99, 1}, 17},
      {{70, 33, 33, 1}, 1},  {{300, 5, 5, 1}, 9},   {{16, 8, 8, 1}, 8}};
  for (const qr_routine r : every_qr) {
    std::vector<shape> shapes;
    for (const auto& [s, count] : counts)
      shapes.insert(shapes.end(), static_cast<std::size_t>(count), legal(r, s));
    std::shuffle(shapes.begin(), shapes.end(), std::mt19937(9));
    compare_with_equal<TestType>(r, shapes);
  }
}

// ---- failures and illegal sizes --------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE(
    "a zero or NaN on R's diagonal among mixed sizes is reported by gels and harms no neighbour",
    "[qr_vbatched]", precisions) {
  using T = TestType;
  const qr_routine r = qr_routine::gels;
  for (const auto& [count, largest] : {std::pair{40, 130}, {200, 33}}) {
    for (const op op : {op::none, op::conj_trans}) {
      CAPTURE(count, largest, static_cast<char>(op));
      const std::vector<shape> shapes = qr_shapes(r, count, largest, 4);
      qr_library<T> of_kind("full_rank");
      const auto healthy = operands(r, of_kind, shapes);
      REQUIRE(healthy->run(r, bounds_of(shapes), test_queue(), op) == 0);
      const qr_results<T> expected = healthy->finished(r);
      std::vector<slab<T>> spoilt = healthy->A.host;
      std::vector<int> infos(shapes.size()), columns(shapes.size());
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        const auto [m, n, k, nrhs] = shapes[b];
        if (b % 3 != 1 || k == 0) continue;
        const int places[] = {0, k / 2, k - 1}, j = places[b / 3 % 3];
        infos[b] = j + 1;
        for (int i = 0; i < std::max(m, n); ++i) {  // a column of the tall one of A and A^H
          T& a = m >= n ? spoilt[b].at(0, i, j) : spoilt[b].at(0, j, i);
          if (b / 9 % 2 == 0) a = T(0);
          if (b / 9 % 2 == 1 && i == j) a = nan_of<T>();
        }
      }
      qr_batch<T> batch(spoilt, healthy->tau.host, healthy->C.host, columns);
      REQUIRE(batch.run(r, bounds_of(shapes), test_queue(), op) == 0);
      const qr_results<T> now = batch.finished(r);
      CHECK(now.info == infos);
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        CAPTURE(b, shapes[b].m, shapes[b].n, infos[b]);
        CHECK(now.C[b].same_bits(infos[b] == 0 ? expected.C[b] : batch.C.host[b]));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN among mixed sizes of QR harms no neighbour", "[qr_vbatched]", precisions) {
  using T = TestType;
  for (const qr_routine r : every_qr) {
    const std::vector<shape> shapes = qr_shapes(r, 80, 70, 4);
    qr_library<T> of_kind(kind_of(r));
    const auto healthy = operands(r, of_kind, shapes);
    REQUIRE(healthy->run(r, bounds_of(shapes)) == 0);
    const qr_results<T> expected = healthy->finished(r);
    std::vector<slab<T>> A = healthy->A.host;
    for (std::size_t b = 0; b < A.size(); b += 2) std::fill(A[b].host.begin(), A[b].host.end(), nan_of<T>());
    qr_batch<T> batch(A, healthy->tau.host, healthy->C.host, healthy->columns);
    REQUIRE(batch.run(r, bounds_of(shapes)) == 0);
    const qr_results<T> now = batch.finished(r);
    for (std::size_t b = 0; b < A.size(); ++b) {
      CAPTURE(static_cast<int>(r), b, shapes[b].m, shapes[b].n);
      if (b % 2 == 1) CHECK(now.same_bits(b, expected, b));
      if (r != qr_routine::gels) CHECK(now.info[b] == 0);
    }
  }
}

namespace {

/// The arguments of a routine of which one matrix may have an illegal one, by their numbers. m_max and its
/// kin: a size above that bound.
const std::map<std::string, int>& numbers(qr_routine r) {
  static const std::map<std::string, int> geqrf{{"m", 1},   {"n", 2},     {"A", 3},    {"lda", 4},
                                                {"tau", 5}, {"m_max", 8}, {"n_max", 9}},
      ormqr{{"m", 3}, {"n", 4},    {"k", 5},      {"A", 6},      {"lda", 7},   {"tau", 8},
            {"C", 9}, {"ldc", 10}, {"m_max", 13}, {"n_max", 14}, {"k_max", 15}},
      orgqr{{"m", 1},   {"n", 2},     {"k", 3},      {"A", 4},     {"lda", 5},
            {"tau", 6}, {"m_max", 9}, {"n_max", 10}, {"k_max", 11}},
      gels{{"m", 2}, {"n", 3},   {"nrhs", 4},   {"A", 5},      {"lda", 6},
           {"C", 7}, {"ldc", 8}, {"m_max", 11}, {"n_max", 12}, {"nrhs_max", 13}},
      qr{{"m", 1}, {"n", 2}, {"A", 3}, {"lda", 4}, {"C", 5}, {"ldc", 6}, {"m_max", 9}, {"n_max", 10}};
  switch (r) {
    case qr_routine::geqrf:
      return geqrf;
    case qr_routine::orgqr:
      return orgqr;
    case qr_routine::gels:
      return gels;
    case qr_routine::qr:
      return qr;
    default:
      return ormqr;
  }
}

/// Matrix b of a batch of order 6 with k = 4, nrhs = 3, leading dimensions of 8, made illegal.
template <class T>
void spoil(qr_routine r, qr_batch<T>& batch, std::size_t b, const std::string& argument) {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  std::vector<int>& rows = is_ormqr(r) ? batch.C.rows : batch.A.rows;
  std::vector<int>& columns = is_ormqr(r) ? batch.C.columns : batch.A.columns;
  std::vector<int>& k = is_ormqr(r) ? batch.A.columns : batch.columns;
  const auto larger = [&](int& extent) {  // than its bound of 6, although there is no more memory
    extent = 41;
    batch.A.lds[b] = batch.C.lds[b] = 50;
  };
  if (argument == "m") rows[b] = -1;
  if (argument == "n") columns[b] = b % 2 == 0 ? -1 : least;
  if (argument == "k") k[b] = b % 2 == 0 ? -1 : 7;  // or more than there may be
  if (argument == "nrhs") batch.C.columns[b] = -1;
  if (argument == "A") batch.A.starts[b] = nullptr;
  if (argument == "C") batch.C.starts[b] = nullptr;
  if (argument == "tau") batch.tau.starts[b] = nullptr;
  if (argument == "lda") batch.A.lds[b] = 5;
  if (argument == "ldc") batch.C.lds[b] = 5;
  if (argument == "m_max") larger(rows[b]);
  if (argument == "n_max") {
    larger(columns[b]);
    if (r == qr_routine::orgqr) larger(rows[b]);  // which is not less, so the bound on rows is above it, too
  }
  if (argument == "k_max") k[b] = 6;
  if (argument == "nrhs_max") batch.C.columns[b] = b % 2 == 0 ? 4 : most;
}

template <class T>
void refuse_and_check(qr_routine r, bool bounds_known, bool wants_info) {
  CAPTURE(static_cast<int>(r), bounds_known, wants_info);
  const std::map<std::string, int>& number = numbers(r);
  std::vector<std::vector<std::string>> spoilt{{}, {}};
  for (const auto& [one, i] : number) {
    const bool is_bound = one.find("_max") != std::string::npos;
    if (is_bound && !bounds_known) continue;
    for (int twice = 0; twice < 2; ++twice) {  // at an even place, and at an odd one
      spoilt.push_back({one});
      spoilt.push_back({});
    }
    spoilt.push_back({one});
    for (const auto& [other, later] : number) {
      // A bound does not go with what it makes of the others.
      if (!is_bound && later > i && other.find("_max") == std::string::npos) spoilt.push_back({one, other});
    }
  }
  const std::vector<shape> shapes(spoilt.size(), {6, 6, has_tau(r) && r != qr_routine::geqrf ? 4 : 6, 3});
  const int rows_most = r == qr_routine::orgqr ? 60 : 6;  // see n_max in spoil()
  qr_library<T> of_kind(kind_of(r));
  const auto healthy = operands(r, of_kind, shapes), batch = operands(r, of_kind, shapes);
  REQUIRE(healthy->run(r, {6, 6, 4, 3}) == 0);
  const qr_results<T> expected = healthy->finished(r);
  std::vector<int> infos;
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    for (const std::string& argument : spoilt[b]) {
      spoil(r, *batch, b, argument);
      if (argument == "m_max" && r == qr_routine::orgqr)
        batch->A.rows[b] = rows_most + 1, batch->A.lds[b] = 70;
    }
    infos.push_back(spoilt[b].empty() ? 0 : -number.at(spoilt[b][0]));
  }
  batch->upload();
  const size_bounds most = bounds_known ? size_bounds{rows_most, 6, 4, 3} : size_bounds{};
  int* const info = wants_info ? batch->info.data() : nullptr;
  REQUIRE(batch->run(r, most, info, test_queue(), op::none) == 0);
  const qr_results<T> now = batch->finished(r);
  if (wants_info) CHECK(now.info == infos);
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    CAPTURE(b, infos[b], spoilt[b].empty() ? "nothing" : spoilt[b][0], now.info[b]);
    const bool legal = infos[b] == 0;
    CHECK(now.A[b].same_bits(legal ? expected.A[b] : batch->A.host[b]));
    CHECK(now.tau[b].same_bits(legal ? expected.tau[b] : batch->tau.host[b]));
    CHECK(now.C[b].same_bits(legal ? expected.C[b] : batch->C.host[b]));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("of QR a matrix of illegal size is skipped and reported by argument", "[qr_vbatched]",
                        precisions) {
  for (const qr_routine r : every_qr) {
    for (const bool bounds_known : {true, false}) {
      refuse_and_check<TestType>(r, bounds_known, true);
      if (may_lack_info(r)) refuse_and_check<TestType>(r, bounds_known, false);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gels of mixed sizes makes B zero where A has no rows or columns", "[qr_vbatched]",
                        precisions) {
  using T = TestType;
  const std::vector<shape> shapes{{0, 5, 0, 2}, {5, 5, 5, 2},  {7, 0, 0, 3},
                                  {0, 0, 0, 2}, {0, 40, 0, 1}, {3, 0, 0, 0}};
  for (const op op : {op::none, op::conj_trans}) {
    qr_library<T> of_kind("full_rank");
    const auto batch = operands(qr_routine::gels, of_kind, shapes);
    REQUIRE(batch->run(qr_routine::gels, bounds_of(shapes), test_queue(), op) == 0);
    const qr_results<T> now = batch->finished(qr_routine::gels);
    CHECK(all_zero(now.info));
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      CAPTURE(b);
      if (shapes[b].k == 0) CHECK(now.C[b].get(0) == dense<T>(now.C[b].get(0).size(), T(0)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nothing to do among mixed sizes of QR needs no memory", "[qr_vbatched]",
                        precisions) {
  using T = TestType;
  const queue q = test_queue();
  const std::size_t count = 100;
  const auto b = static_cast<std::int64_t>(count);
  const array<int> zeros(std::vector<int>(count, 0)), ones(std::vector<int>(count, 1));
  const int *z = zeros.data(), *o = ones.data();
  const array<T*> nulls(std::vector<T*>(count, nullptr));
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
      CHECK(geqrf_vbatched<T>(z, z, p, o, p, next(), b, most, most, q) == 0);
      CHECK(geqrf_vbatched<T>(o, z, p, o, p, next(), b, 1, most, q) == 0);
      CHECK(ormqr_vbatched<T>(side::left, op::none, z, z, z, p, o, p, p, o, next(), b, most, most, most, q) ==
            0);
      CHECK(ormqr_vbatched<T>(side::right, op::none, o, z, z, p, o, p, p, o, nullptr, b, 1, most, most, q) ==
            0);
      CHECK(orgqr_vbatched<T>(o, z, z, p, o, p, next(), b, 1, most, most, q) == 0);
      CHECK(gels_vbatched<T>(op::none, z, z, o, p, o, p, o, next(), b, most, most, 1, q) == 0);
      CHECK(qr_vbatched<T>(z, o, p, o, p, o, next(), b, most, 1, q) == 0);
      finish();
      for (const auto& info : infos) CHECK(all_zero(info->download()));
    }
  }
}

TEST_CASE("one large matrix among many of order 4 is factored by QR", "[qr_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::size_t count = on_cuda() ? 100'001 : 10'001, where = count / 3;
  const int large = on_cuda() ? 2048 : 500;
  const known_qr<double> few[] = {{4, 4, 1}, {4, 4, 2}}, one(large, large, 3);
  std::vector<slab<double>> A, tau;
  const auto of = [&](std::size_t b) -> const known_qr<double>& { return b == where ? one : few[b % 2]; };
  for (std::size_t b = 0; b < count; ++b) {
    A.emplace_back(of(b).m, of(b).n, of(b).m + static_cast<int>(b % 2), 1);
    A.back().put(0, of(b).A);
    tau.push_back(unset_tau<double>(of(b).n, 1));
  }
  qr_batch<double> batch(A, tau, std::vector<slab<double>>(count, slab<double>(0, 0, 1, 1)),
                         std::vector<int>(count, 0));
  REQUIRE(batch.run(qr_routine::geqrf, {large, large, -1, -1}) == 0);
  finish();
  const qr_results<double> now = batch.results();
  CHECK(all_zero(now.info));
  std::int64_t wrong = 0;
  for (std::size_t b = 0; b < count; ++b) {
    wrong += now.A[b].get(0) != of(b).factors || now.tau[b].get(0) != of(b).tau;
    if (b % 100 == 0 || b == where) wrong += !now.A[b].guards_untouched(A[b]);
  }
  CHECK(wrong == 0);
#endif
}

TEMPLATE_LIST_TEST_CASE("QR of mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const qr_routine r : every_qr) {
    const std::vector<shape> shapes = qr_shapes(r, 11, 70, 3);
    for (const op op : ops_of<T>(r)) {
      run_and_check<T>(r, kind_of(r), shapes, bounds_of(shapes), op);
      run_and_check<T>(r, kind_of(r), shapes, {}, op);
    }
    permute_and_compare<T>(r, shapes);
    refuse_and_check<T>(r, true, true);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Each routine once, on operands of its own of mixed sizes.
template <class T>
struct every_call : calls_on_mixed_sizes<qr_batch<T>, qr_routine> {
  every_call() {
    for (const qr_routine r : every_qr) {
      qr_library<T> of_kind(kind_of(r));
      this->calls.push_back(
          {r, operands(r, of_kind, qr_shapes(r, 33, 200, 4)), work_bytes<T>(r, most_of_calls, 33)});
    }
    finish();
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("calls of QR on mixed sizes can be captured in a graph and replayed", "[qr_vbatched]",
                        precisions) {
  if (on_cuda()) capture_and_replay<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("QR of mixed sizes takes the scratch it says and no less", "[qr_vbatched]",
                        precisions) {
  if (on_cuda()) check_scratch<every_call<TestType>>();
}
#endif
