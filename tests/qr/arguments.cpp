// Needs: geqrf ormqr orgqr gels qr

// Illegal arguments of QR: the right -i, and nothing touched. The checks are the same on both
// backends and need no device. Of what is legal although there is little or nothing to do, either
// backend is asked.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "check.hpp"
#include "refusals.hpp"
#include "talus/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Legal arguments for matrices of up to 4 x 3.
template <class T>
struct qr_call : common_arguments {
  talus::side side = talus::side::left;
  talus::op op = talus::op::none;
  matrix_argument<T> A{5, 24}, B{6}, C{5}, R{4}, tau{0, 4};

  qr_call() { m = m_max = 4, all_m = {4, 3}, ms = all_m.data(); }
  bool is_untouched() const {
    return A.is_untouched() && B.is_untouched() && C.is_untouched() && R.is_untouched() &&
           tau.is_untouched() && info_is_untouched();
  }
  /// Where C is on the other side of Q, unless that is illegal.
  talus::side other_side() const { return side == talus::side::left ? talus::side::right : side; }
  /// No memory but info's.
  void forget_matrices() {
    for (matrix_argument<T>* each : {&A, &B, &C, &R, &tau}) each->forget();
  }
};

// "columns" is the n of orgqr, which m bounds; "optional" info that may be null; read_A and read_tau strides
// of what is only read.

template <class T>
const std::vector<entry<qr_call<T>>>& qr_pointers() {
  using call = qr_call<T>;
  static const std::vector<entry<call>> entries{
      {"geqrf",
       {"m", "n", "A", "lda", "tau", "info", "count", "q"},
       [](const call& c) {
         return geqrf_batched<T>(c.m, c.n, c.A.array, c.A.ld, c.tau.array, c.info, c.count, c.q);
       }},
      {"ormqr",
       {"side", "op", "m", "n", "k", "A", "lda", "tau", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return ormqr_batched<T>(c.side, c.op, c.m, c.n, c.k, c.A.array, c.A.ld, c.tau.array, c.C.array,
                                 c.C.ld, c.info, c.count, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "m", "n", "k", "A", "lda", "tau", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return ormqr_batched<T>(c.other_side(), c.op, c.m, c.n, c.k, c.A.array, c.A.ld, c.tau.array,
                                 c.C.array, c.C.ld, c.info, c.count, c.q);
       }},
      {"orgqr",
       {"m", "columns", "k", "A", "lda", "tau", "optional", "count", "q"},
       [](const call& c) {
         return orgqr_batched<T>(c.m, c.n, c.k, c.A.array, c.A.ld, c.tau.array, c.info, c.count, c.q);
       }},
      {"gels",
       {"op", "m", "n", "nrhs", "A", "lda", "B", "ldb", "info", "count", "q"},
       [](const call& c) {
         return gels_batched<T>(c.op, c.m, c.n, c.nrhs, c.A.array, c.A.ld, c.B.array, c.B.ld, c.info, c.count,
                                c.q);
       }},
      {"qr", {"m", "n", "A", "lda", "R", "ldr", "info", "count", "q"}, [](const call& c) {
         return qr_batched<T>(c.m, c.n, c.A.array, c.A.ld, c.R.array, c.R.ld, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<entry<qr_call<T>>>& qr_strided() {
  using call = qr_call<T>;
  static const std::vector<entry<call>> entries{
      {"geqrf",
       {"m", "n", "A", "lda", "stride_A", "tau", "stride_tau", "info", "count", "q"},
       [](const call& c) {
         return geqrf_strided_batched<T>(c.m, c.n, c.A.slab, c.A.ld, c.A.stride, c.tau.slab, c.tau.stride,
                                         c.info, c.count, c.q);
       }},
      {"ormqr",
       {"side", "op", "m", "n", "k", "A", "lda", "read_A", "tau", "read_tau", "C", "ldc", "stride_C",
        "optional", "count", "q"},
       [](const call& c) {
         return ormqr_strided_batched<T>(c.side, c.op, c.m, c.n, c.k, c.A.slab, c.A.ld, c.A.stride,
                                         c.tau.slab, c.tau.stride, c.C.slab, c.C.ld, c.C.stride, c.info,
                                         c.count, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "m", "n", "k", "A", "lda", "read_A", "tau", "read_tau", "C", "ldc", "stride_C",
        "optional", "count", "q"},
       [](const call& c) {
         return ormqr_strided_batched<T>(c.other_side(), c.op, c.m, c.n, c.k, c.A.slab, c.A.ld, c.A.stride,
                                         c.tau.slab, c.tau.stride, c.C.slab, c.C.ld, c.C.stride, c.info,
                                         c.count, c.q);
       }},
      {"orgqr",
       {"m", "columns", "k", "A", "lda", "stride_A", "tau", "read_tau", "optional", "count", "q"},
       [](const call& c) {
         return orgqr_strided_batched<T>(c.m, c.n, c.k, c.A.slab, c.A.ld, c.A.stride, c.tau.slab,
                                         c.tau.stride, c.info, c.count, c.q);
       }},
      {"gels",
       {"op", "m", "n", "nrhs", "A", "lda", "stride_A", "B", "ldb", "stride_B", "info", "count", "q"},
       [](const call& c) {
         return gels_strided_batched<T>(c.op, c.m, c.n, c.nrhs, c.A.slab, c.A.ld, c.A.stride, c.B.slab,
                                        c.B.ld, c.B.stride, c.info, c.count, c.q);
       }},
      {"qr",
       {"m", "n", "A", "lda", "stride_A", "R", "ldr", "stride_R", "info", "count", "q"},
       [](const call& c) {
         return qr_strided_batched<T>(c.m, c.n, c.A.slab, c.A.ld, c.A.stride, c.R.slab, c.R.ld, c.R.stride,
                                      c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<entry<qr_call<T>>>& qr_mixed() {
  using call = qr_call<T>;
  static const std::vector<entry<call>> entries{
      {"geqrf",
       {"ms", "ns", "A", "ldas", "tau", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return geqrf_vbatched<T>(c.ms, c.ns, c.A.array, c.A.lds, c.tau.array, c.info, c.count, c.m_max,
                                  c.n_max, c.q);
       }},
      {"ormqr",
       {"side", "op", "ms", "ns", "ks", "A", "ldas", "tau", "C", "ldcs", "optional", "count", "m_max",
        "n_max", "k_max", "q"},
       [](const call& c) {
         return ormqr_vbatched<T>(c.side, c.op, c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.tau.array, c.C.array,
                                  c.C.lds, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "ms", "ns", "ks", "A", "ldas", "tau", "C", "ldcs", "optional", "count", "m_max",
        "n_max", "k_max", "q"},
       [](const call& c) {
         return ormqr_vbatched<T>(c.other_side(), c.op, c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.tau.array,
                                  c.C.array, c.C.lds, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"orgqr",
       {"ms", "ns", "ks", "A", "ldas", "tau", "optional", "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return orgqr_vbatched<T>(c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.tau.array, c.info, c.count, c.m_max,
                                  c.n_max, c.k_max, c.q);
       }},
      {"gels",
       {"op", "ms", "ns", "nrhss", "A", "ldas", "B", "ldbs", "info", "count", "m_max", "n_max", "nrhs_max",
        "q"},
       [](const call& c) {
         return gels_vbatched<T>(c.op, c.ms, c.ns, c.nrhss, c.A.array, c.A.lds, c.B.array, c.B.lds, c.info,
                                 c.count, c.m_max, c.n_max, c.nrhs_max, c.q);
       }},
      {"qr",
       {"ms", "ns", "A", "ldas", "R", "ldrs", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return qr_vbatched<T>(c.ms, c.ns, c.A.array, c.A.lds, c.R.array, c.R.lds, c.info, c.count, c.m_max,
                               c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
entry_lists<qr_call<T>> qr_forms() {
  return {&qr_pointers<T>(), &qr_strided<T>(), &qr_mixed<T>()};
}

template <class T>
spoilers<qr_call<T>> qr_spoilers() {
  using call = qr_call<T>;
  spoilers<call> all = common_spoilers<call>();
  for (const auto& one :
       spoilers<call>{{"side", [](call& c) { c.side = static_cast<side>('X'); }},
                      {"side", [](call& c) { c.side = static_cast<side>(0); }},
                      {"op", [](call& c) { c.op = static_cast<op>('X'); }},
                      {"op", [](call& c) { c.op = static_cast<op>(0); }},
                      {"op", [](call& c) { c.op = is_complex<T> ? op::trans : static_cast<op>('Y'); }},
                      {"columns", [](call& c) { c.n = -1; }},
                      {"columns", [](call& c) { c.n = 5; }},
                      {"k", [](call& c) { c.k = 5; }},
                      {"ldb", [](call& c) {  // of a wide matrix it is n that it has to reach
                         if (c.m == 4 && c.n == 3) std::swap(c.m, c.n);
                         c.B.ld = 3;
                       }}})
    all.push_back(one);
  add_matrix(all, "A", &call::A, 3);
  add_matrix(all, "B", &call::B, 4);
  add_matrix(all, "C", &call::C, 4);
  add_matrix(all, "R", &call::R, 3);
  add_vector(all, "tau", &call::tau, 3);
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of QR are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  check_refusals(qr_forms<TestType>(), qr_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("how many reflectors there may be depends on Q's side", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : {&qr_pointers<T>(), &qr_strided<T>()}) {
    for (const auto& e : *form) {
      if (e.name != std::string("ormqr from the right")) continue;
      qr_call<T> c;
      c.k = 4;  // at most n = 3; m = 4 would do
      CHECK(e.call(c) == -5);
      c.k = 3, c.A.ld = 3, c.op = op::trans;  // rows of A: n, too
      CHECK(e.call(c) == (is_complex<T> ? -2 : 0));
      CHECK(c.is_untouched() == is_complex<T>);
    }
    for (const auto& e : *form) {
      if (e.name != std::string("ormqr")) continue;
      qr_call<T> c;
      c.A.ld = 3;
      CHECK(e.call(c) == -7);
      CHECK(c.is_untouched());
      c.k = 4, c.A.ld = 4, c.info = nullptr;
      CHECK(e.call(c) == 0);
      CHECK(c.info_data == std::vector<int>(8, untouched));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("an empty batch of QR needs nothing", "[arguments]", precisions) {
  check_empty(qr_forms<TestType>(), qr_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("matrices of no elements need no memory but info, in QR", "[arguments]", precisions) {
  using T = TestType;
  const array<int> zeros(std::vector<int>{0, 0}), ones(std::vector<int>{1, 1}), tens({10, 10});
  const array<T*> nulls(std::vector<T*>{nullptr, nullptr});
  const auto check = [](const entry<qr_call<T>>& e, qr_call<T> c) {
    CAPTURE(e.name, e.arguments.size(), c.m, c.n, c.m_max, c.n_max);
    const info_array info(c.count);
    c.info = info.data();
    CHECK(e.call(c) == 0);
    finish();
    CHECK(all_zero(info.download()));
    if (e.refusal("optional") == 0) return;
    c.info = nullptr;
    CHECK(e.call(c) == 0);
    finish();
  };
  qr_call<T> c;
  c.q = test_queue();
  c.forget_matrices();
  c.m = c.n = c.k = c.nrhs = 0;
  c.A.ld = c.B.ld = c.C.ld = c.R.ld = 1;
  c.A.stride = c.B.stride = c.C.stride = c.R.stride = c.tau.stride = 0;
  for (const auto* form : {&qr_pointers<T>(), &qr_strided<T>()}) {
    for (const auto& e : *form) {
      check(e, c);
      qr_call<T> tall = c;
      tall.m = tall.A.ld = tall.B.ld = tall.C.ld = 10;
      check(e, tall);
      if (e.refusal("columns") != 0) continue;  // n > m
      qr_call<T> wide = c;
      wide.n = wide.B.ld = wide.A.ld = 10;
      check(e, wide);
    }
  }
  c.ms = c.ns = c.ks = c.nrhss = zeros.data();
  c.A.lds = c.B.lds = c.C.lds = c.R.lds = ones.data();
  for (const auto& e : qr_mixed<T>()) {
    qr_call<T> none = c;
    none.m_max = none.n_max = none.k_max = none.nrhs_max = 0;
    check(e, none);
    qr_call<T> tall = none;
    tall.ms = tall.A.lds = tall.B.lds = tall.C.lds = tens.data(), tall.m_max = 10;
    check(e, tall);
    qr_call<T> unknown = c;
    unknown.A.array = unknown.B.array = unknown.C.array = unknown.R.array = unknown.tau.array = nulls.data();
    unknown.m_max = unknown.n_max = unknown.k_max = unknown.nrhs_max = -1;
    check(e, unknown);
  }
}

TEMPLATE_LIST_TEST_CASE("without reflectors Q is the identity, and needs neither A nor tau", "[arguments]",
                        precisions) {
  using T = TestType;
  const std::vector<T> before(24, T(7));  // two of 4 x 3
  const array<T> C(before), Q(before);
  qr_call<T> c;
  c.q = test_queue();
  c.forget_matrices();
  c.k = 0, c.A.ld = c.C.ld = 4, c.A.stride = c.C.stride = 12, c.tau.stride = 0;
  for (const side where : {side::left, side::right}) {
    CHECK(ormqr_strided_batched<T>(where, op::conj_trans, c.m, c.n, c.k, nullptr, c.A.ld, 0, nullptr, 0,
                                   C.data(), c.C.ld, c.C.stride, nullptr, c.count, c.q) == 0);
    finish();
    CHECK(C.download() == before);
  }
  CHECK(orgqr_strided_batched<T>(c.m, c.n, c.k, Q.data(), c.A.ld, c.A.stride, nullptr, 0, nullptr, c.count,
                                 c.q) == 0);
  finish();
  std::vector<T> identity(24, T(0));
  for (const std::size_t one : {0, 5, 10, 12, 17, 22}) identity[one] = T(1);
  CHECK(Q.download() == identity);
}

TEMPLATE_LIST_TEST_CASE("on a GPU, QR's slabs begin at a whole element", "[arguments]", precisions) {
  using T = TestType;
  using call = qr_call<T>;
  check_misplaced<call, T>(
      qr_strided<T>(),
      {{"A", &call::A}, {"B", &call::B}, {"C", &call::C}, {"R", &call::R}, {"tau", &call::tau}});
}

TEST_CASE("without a device, cuda queues say so of QR, too", "[arguments]") {
#ifdef TALUS_HAVE_D
  check_no_device(qr_forms<double>());
#endif
}

TEST_CASE("of complex matrices QR has LAPACK's names", "[arguments]") {
#ifdef TALUS_HAVE_Z
  using T = std::complex<double>;
  qr_call<T> c;
  CHECK(unmqr_batched<T>(c.side, op::trans, c.m, c.n, c.k, c.A.array, c.A.ld, c.tau.array, c.C.array, c.C.ld,
                         c.info, c.count, c.q) == -2);
  CHECK(unmqr_strided_batched<T>(c.side, c.op, c.m, c.n, 5, c.A.slab, c.A.ld, c.A.stride, c.tau.slab,
                                 c.tau.stride, c.C.slab, c.C.ld, c.C.stride, c.info, c.count, c.q) == -5);
  CHECK(unmqr_vbatched<T>(c.side, c.op, c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.tau.array, c.C.array, c.C.lds,
                          c.info, c.count, c.m_max, c.n_max, -2, c.q) == -15);
  CHECK(ungqr_batched<T>(c.m, 5, c.k, c.A.array, c.A.ld, c.tau.array, c.info, c.count, c.q) == -2);
  CHECK(ungqr_strided_batched<T>(c.m, c.n, c.k, c.A.slab, c.A.ld, 2, c.tau.slab, c.tau.stride, c.info,
                                 c.count, c.q) == -6);
  CHECK(ungqr_vbatched<T>(c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.tau.array, c.info, c.count, c.m_max,
                          c.n_max, -2, c.q) == -11);
  CHECK(c.is_untouched());
  CHECK(unmqr_work<T>(4, 3, 2, 10) == 0);
  CHECK(ungqr_work<T>(4, 3, 2, 10) == 0);
  CHECK(unmqr_vbatched_work<T>(4, 3, 2, 10) == ormqr_vbatched_work<T>(4, 3, 2, 10));
  CHECK(ungqr_vbatched_work<T>(4, 3, 2, 10) == orgqr_vbatched_work<T>(4, 3, 2, 10));
#endif
}

TEST_CASE("QR's scratch sizes are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  CHECK(geqrf_work<double>(100, 90, 1000) == 0);
  CHECK(ormqr_work<double>(100, 90, 50, 1000) == 0);
  CHECK(orgqr_work<double>(100, 90, 50, 1000) == 0);
  CHECK(gels_work<double>(100, 90, 2, 1000) == 0);
  CHECK(qr_work<double>(100, 90, 1000) == 0);
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int n_max : {-1, 0, 100}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CHECK(geqrf_vbatched_work<double>(n_max, n_max, count) > 0);
      CHECK(ormqr_vbatched_work<double>(n_max, -1, n_max, count) > 0);
      CHECK(orgqr_vbatched_work<double>(n_max, n_max, -1, count) > 0);
      CHECK(gels_vbatched_work<double>(n_max, n_max, 2, count) > 0);
      CHECK(qr_vbatched_work<double>(n_max, n_max, count) > 0);
      CHECK(geqrf_vbatched_work<double>(n_max, n_max, count) >=
            geqrf_vbatched_work<double>(n_max, n_max, count / 2));
    }
  }
#endif
}
