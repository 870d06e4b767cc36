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

constexpr int untouched = 4711;

/// Legal arguments for m = 4, n = 3, k = 2, nrhs = 2 and batch_count = 2, in memory of the host that no call
/// may look at.
template <class T>
struct qr_call {
  std::vector<T> A_data = std::vector<T>(64, T(untouched)), B_data = A_data, C_data = A_data, R_data = A_data,
                 tau_data = A_data;
  std::vector<T*> A_pointers = starts(A_data), B_pointers = starts(B_data), C_pointers = starts(C_data),
                  R_pointers = starts(R_data), tau_pointers = starts(tau_data);
  std::vector<int> info_data = std::vector<int>(8, untouched);

  talus::side side = talus::side::left;
  talus::op op = talus::op::none;
  int m = 4, n = 3, k = 2, nrhs = 2, lda = 5, ldb = 6, ldc = 5, ldr = 4;
  T* const* A_array = A_pointers.data();
  T* const* B_array = B_pointers.data();
  T* const* C_array = C_pointers.data();
  T* const* R_array = R_pointers.data();
  T* const* tau_array = tau_pointers.data();
  T *A = A_data.data(), *B = B_data.data(), *C = C_data.data(), *R = R_data.data(), *tau = tau_data.data();
  int* info = info_data.data();
  std::int64_t stride_A = 24, stride_B = 16, stride_C = 16, stride_R = 16, stride_tau = 4, count = 2;
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_m{4, 3}, all_n{3, 2}, all_k{2, 1}, all_nrhs{2, 1}, all_ld{6, 5};
  const int *ms = all_m.data(), *ns = all_n.data(), *ks = all_k.data(), *nrhss = all_nrhs.data(),
            *ldas = all_ld.data(), *ldbs = ldas, *ldcs = ldas, *ldrs = ldas;
  int m_max = 4, n_max = 3, k_max = 2, nrhs_max = 2;

  static std::vector<T*> starts(std::vector<T>& data) { return {data.data(), data.data() + 32}; }
  bool is_untouched() const {
    const std::vector<T> all(64, T(untouched));
    return A_data == all && B_data == all && C_data == all && R_data == all && tau_data == all &&
           info_data == std::vector<int>(8, untouched);
  }
  /// Where C is on the other side of Q, unless that is illegal.
  talus::side other_side() const { return side == talus::side::left ? talus::side::right : side; }
  /// No memory but info's.
  void forget_matrices() {
    A = B = C = R = tau = nullptr;
    A_array = B_array = C_array = R_array = tau_array = nullptr;
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
         return geqrf_batched<T>(c.m, c.n, c.A_array, c.lda, c.tau_array, c.info, c.count, c.q);
       }},
      {"ormqr",
       {"side", "op", "m", "n", "k", "A", "lda", "tau", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return ormqr_batched<T>(c.side, c.op, c.m, c.n, c.k, c.A_array, c.lda, c.tau_array, c.C_array, c.ldc,
                                 c.info, c.count, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "m", "n", "k", "A", "lda", "tau", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return ormqr_batched<T>(c.other_side(), c.op, c.m, c.n, c.k, c.A_array, c.lda, c.tau_array,
                                 c.C_array, c.ldc, c.info, c.count, c.q);
       }},
      {"orgqr",
       {"m", "columns", "k", "A", "lda", "tau", "optional", "count", "q"},
       [](const call& c) {
         return orgqr_batched<T>(c.m, c.n, c.k, c.A_array, c.lda, c.tau_array, c.info, c.count, c.q);
       }},
      {"gels",
       {"op", "m", "n", "nrhs", "A", "lda", "B", "ldb", "info", "count", "q"},
       [](const call& c) {
         return gels_batched<T>(c.op, c.m, c.n, c.nrhs, c.A_array, c.lda, c.B_array, c.ldb, c.info, c.count,
                                c.q);
       }},
      {"qr", {"m", "n", "A", "lda", "R", "ldr", "info", "count", "q"}, [](const call& c) {
         return qr_batched<T>(c.m, c.n, c.A_array, c.lda, c.R_array, c.ldr, c.info, c.count, c.q);
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
         return geqrf_strided_batched<T>(c.m, c.n, c.A, c.lda, c.stride_A, c.tau, c.stride_tau, c.info,
                                         c.count, c.q);
       }},
      {"ormqr",
       {"side", "op", "m", "n", "k", "A", "lda", "read_A", "tau", "read_tau", "C", "ldc", "stride_C",
        "optional", "count", "q"},
       [](const call& c) {
         return ormqr_strided_batched<T>(c.side, c.op, c.m, c.n, c.k, c.A, c.lda, c.stride_A, c.tau,
                                         c.stride_tau, c.C, c.ldc, c.stride_C, c.info, c.count, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "m", "n", "k", "A", "lda", "read_A", "tau", "read_tau", "C", "ldc", "stride_C",
        "optional", "count", "q"},
       [](const call& c) {
         return ormqr_strided_batched<T>(c.other_side(), c.op, c.m, c.n, c.k, c.A, c.lda, c.stride_A, c.tau,
                                         c.stride_tau, c.C, c.ldc, c.stride_C, c.info, c.count, c.q);
       }},
      {"orgqr",
       {"m", "columns", "k", "A", "lda", "stride_A", "tau", "read_tau", "optional", "count", "q"},
       [](const call& c) {
         return orgqr_strided_batched<T>(c.m, c.n, c.k, c.A, c.lda, c.stride_A, c.tau, c.stride_tau, c.info,
                                         c.count, c.q);
       }},
      {"gels",
       {"op", "m", "n", "nrhs", "A", "lda", "stride_A", "B", "ldb", "stride_B", "info", "count", "q"},
       [](const call& c) {
         return gels_strided_batched<T>(c.op, c.m, c.n, c.nrhs, c.A, c.lda, c.stride_A, c.B, c.ldb,
                                        c.stride_B, c.info, c.count, c.q);
       }},
      {"qr",
       {"m", "n", "A", "lda", "stride_A", "R", "ldr", "stride_R", "info", "count", "q"},
       [](const call& c) {
         return qr_strided_batched<T>(c.m, c.n, c.A, c.lda, c.stride_A, c.R, c.ldr, c.stride_R, c.info,
                                      c.count, c.q);
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
         return geqrf_vbatched<T>(c.ms, c.ns, c.A_array, c.ldas, c.tau_array, c.info, c.count, c.m_max,
                                  c.n_max, c.q);
       }},
      {"ormqr",
       {"side", "op", "ms", "ns", "ks", "A", "ldas", "tau", "C", "ldcs", "optional", "count", "m_max",
        "n_max", "k_max", "q"},
       [](const call& c) {
         return ormqr_vbatched<T>(c.side, c.op, c.ms, c.ns, c.ks, c.A_array, c.ldas, c.tau_array, c.C_array,
                                  c.ldcs, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"ormqr from the right",
       {"side", "op", "ms", "ns", "ks", "A", "ldas", "tau", "C", "ldcs", "optional", "count", "m_max",
        "n_max", "k_max", "q"},
       [](const call& c) {
         return ormqr_vbatched<T>(c.other_side(), c.op, c.ms, c.ns, c.ks, c.A_array, c.ldas, c.tau_array,
                                  c.C_array, c.ldcs, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"orgqr",
       {"ms", "ns", "ks", "A", "ldas", "tau", "optional", "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return orgqr_vbatched<T>(c.ms, c.ns, c.ks, c.A_array, c.ldas, c.tau_array, c.info, c.count, c.m_max,
                                  c.n_max, c.k_max, c.q);
       }},
      {"gels",
       {"op", "ms", "ns", "nrhss", "A", "ldas", "B", "ldbs", "info", "count", "m_max", "n_max", "nrhs_max",
        "q"},
       [](const call& c) {
         return gels_vbatched<T>(c.op, c.ms, c.ns, c.nrhss, c.A_array, c.ldas, c.B_array, c.ldbs, c.info,
                                 c.count, c.m_max, c.n_max, c.nrhs_max, c.q);
       }},
      {"qr",
       {"ms", "ns", "A", "ldas", "R", "ldrs", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return qr_vbatched<T>(c.ms, c.ns, c.A_array, c.ldas, c.R_array, c.ldrs, c.info, c.count, c.m_max,
                               c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
std::vector<const std::vector<entry<qr_call<T>>>*> qr_forms() {
  return {&qr_pointers<T>(), &qr_strided<T>(), &qr_mixed<T>()};
}

template <class T>
std::vector<spoiler<qr_call<T>>> qr_spoilers() {
  using call = qr_call<T>;
  std::vector<spoiler<call>> spoilers{
      {"side", [](call& c) { c.side = static_cast<side>('X'); }},
      {"side", [](call& c) { c.side = static_cast<side>(0); }},
      {"op", [](call& c) { c.op = static_cast<op>('X'); }},
      {"op", [](call& c) { c.op = static_cast<op>(0); }},
      {"m", [](call& c) { c.m = -1; }},
      {"n", [](call& c) { c.n = -1; }},
      {"columns", [](call& c) { c.n = -1; }},
      {"columns", [](call& c) { c.n = 5; }},
      {"k", [](call& c) { c.k = -1; }},
      {"k", [](call& c) { c.k = 5; }},
      {"nrhs", [](call& c) { c.nrhs = -1; }},
      {"A", [](call& c) { c.A = nullptr, c.A_array = nullptr; }},
      {"B", [](call& c) { c.B = nullptr, c.B_array = nullptr; }},
      {"C", [](call& c) { c.C = nullptr, c.C_array = nullptr; }},
      {"R", [](call& c) { c.R = nullptr, c.R_array = nullptr; }},
      {"tau", [](call& c) { c.tau = nullptr, c.tau_array = nullptr; }},
      {"lda", [](call& c) { c.lda = 2; }},
      {"lda", [](call& c) { c.lda = 0; }},
      {"ldb", [](call& c) { c.ldb = 3; }},
      {"ldb",
       [](call& c) {  // of a wide matrix it is n that it has to reach
         if (c.m == 4 && c.n == 3) std::swap(c.m, c.n);
         c.ldb = 3;
       }},
      {"ldc", [](call& c) { c.ldc = 3; }},
      {"ldr", [](call& c) { c.ldr = 2; }},
      {"stride_A", [](call& c) { c.stride_A = 2; }},
      {"stride_A", [](call& c) { c.stride_A = -16; }},
      {"read_A", [](call& c) { c.stride_A = -16; }},
      {"stride_B", [](call& c) { c.stride_B = 3; }},
      {"stride_C", [](call& c) { c.stride_C = 2; }},
      {"stride_R", [](call& c) { c.stride_R = 2; }},
      {"stride_tau", [](call& c) { c.stride_tau = 2; }},
      {"stride_tau", [](call& c) { c.stride_tau = -4; }},
      {"read_tau", [](call& c) { c.stride_tau = -4; }},
      {"info", [](call& c) { c.info = nullptr; }},
      {"count", [](call& c) { c.count = -1; }},
      {"q", [](call& c) { c.q.where = static_cast<backend>(7); }},
      {"q", [](call& c) { c.q.options = 1; }},
      {"ms", [](call& c) { c.ms = nullptr; }},
      {"ns", [](call& c) { c.ns = nullptr; }},
      {"ks", [](call& c) { c.ks = nullptr; }},
      {"nrhss", [](call& c) { c.nrhss = nullptr; }},
      {"ldas", [](call& c) { c.ldas = nullptr; }},
      {"ldbs", [](call& c) { c.ldbs = nullptr; }},
      {"ldcs", [](call& c) { c.ldcs = nullptr; }},
      {"ldrs", [](call& c) { c.ldrs = nullptr; }},
      {"m_max", [](call& c) { c.m_max = -2; }},
      {"n_max", [](call& c) { c.n_max = -2; }},
      {"k_max", [](call& c) { c.k_max = -2; }},
      {"nrhs_max", [](call& c) { c.nrhs_max = -2; }},
  };
  if (is_complex<T>) spoilers.push_back({"op", [](call& c) { c.op = op::trans; }});
  return spoilers;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of QR are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  using T = TestType;
  std::set<std::string> spoilt, all;
  for (const auto* form : qr_forms<T>()) spoilt.merge(check_refusals(*form, qr_spoilers<T>()));
  for (const auto& one : qr_spoilers<T>()) all.insert(one.argument);
  CHECK(spoilt == all);
  for (const auto* form : qr_forms<T>()) {
    for (const auto& e : *form) {
      for (const std::string& argument : e.arguments) {
        CAPTURE(e.name, argument);
        CHECK((argument == "optional" || all.count(argument) == 1));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("how many reflectors there may be depends on Q's side", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : {&qr_pointers<T>(), &qr_strided<T>()}) {
    for (const auto& e : *form) {
      if (e.name != std::string("ormqr from the right")) continue;
      qr_call<T> c;
      c.k = 4;  // at most n = 3; m = 4 would do
      CHECK(e.call(c) == -5);
      c.k = 3, c.lda = 3, c.op = op::trans;  // rows of A: n, too
      CHECK(e.call(c) == (is_complex<T> ? -2 : 0));
      CHECK(c.is_untouched() == is_complex<T>);
    }
    for (const auto& e : *form) {
      if (e.name != std::string("ormqr")) continue;
      qr_call<T> c;
      c.lda = 3;
      CHECK(e.call(c) == -7);
      CHECK(c.is_untouched());
      c.k = 4, c.lda = 4, c.info = nullptr;
      CHECK(e.call(c) == 0);
      CHECK(c.info_data == std::vector<int>(8, untouched));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("an empty batch of QR needs nothing", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : qr_forms<T>()) {
    for (const auto& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      qr_call<T> c;
      c.q = test_queue();
      c.count = 0;
      c.forget_matrices();
      c.info = nullptr;
      c.ms = c.ns = c.ks = c.nrhss = c.ldas = c.ldbs = c.ldcs = c.ldrs = nullptr;
      CHECK(e.call(c) == 0);
    }
  }
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
  c.lda = c.ldb = c.ldc = c.ldr = 1;
  c.stride_A = c.stride_B = c.stride_C = c.stride_R = c.stride_tau = 0;
  for (const auto* form : {&qr_pointers<T>(), &qr_strided<T>()}) {
    for (const auto& e : *form) {
      check(e, c);
      qr_call<T> tall = c;
      tall.m = tall.lda = tall.ldb = tall.ldc = 10;
      check(e, tall);
      if (e.refusal("columns") != 0) continue;  // n > m
      qr_call<T> wide = c;
      wide.n = wide.ldb = wide.lda = 10;
      check(e, wide);
    }
  }
  c.ms = c.ns = c.ks = c.nrhss = zeros.data();
  c.ldas = c.ldbs = c.ldcs = c.ldrs = ones.data();
  for (const auto& e : qr_mixed<T>()) {
    qr_call<T> none = c;
    none.m_max = none.n_max = none.k_max = none.nrhs_max = 0;
    check(e, none);
    qr_call<T> tall = none;
    tall.ms = tall.ldas = tall.ldbs = tall.ldcs = tens.data(), tall.m_max = 10;
    check(e, tall);
    qr_call<T> unknown = c;
    unknown.A_array = unknown.B_array = unknown.C_array = unknown.R_array = unknown.tau_array = nulls.data();
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
  c.k = 0, c.lda = c.ldc = 4, c.stride_A = c.stride_C = 12, c.stride_tau = 0;
  for (const side where : {side::left, side::right}) {
    CHECK(ormqr_strided_batched<T>(where, op::conj_trans, c.m, c.n, c.k, nullptr, c.lda, 0, nullptr, 0,
                                   C.data(), c.ldc, c.stride_C, nullptr, c.count, c.q) == 0);
    finish();
    CHECK(C.download() == before);
  }
  CHECK(orgqr_strided_batched<T>(c.m, c.n, c.k, Q.data(), c.lda, c.stride_A, nullptr, 0, nullptr, c.count,
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
  CHECK(unmqr_batched<T>(c.side, op::trans, c.m, c.n, c.k, c.A_array, c.lda, c.tau_array, c.C_array, c.ldc,
                         c.info, c.count, c.q) == -2);
  CHECK(unmqr_strided_batched<T>(c.side, c.op, c.m, c.n, 5, c.A, c.lda, c.stride_A, c.tau, c.stride_tau, c.C,
                                 c.ldc, c.stride_C, c.info, c.count, c.q) == -5);
  CHECK(unmqr_vbatched<T>(c.side, c.op, c.ms, c.ns, c.ks, c.A_array, c.ldas, c.tau_array, c.C_array, c.ldcs,
                          c.info, c.count, c.m_max, c.n_max, -2, c.q) == -15);
  CHECK(ungqr_batched<T>(c.m, 5, c.k, c.A_array, c.lda, c.tau_array, c.info, c.count, c.q) == -2);
  CHECK(ungqr_strided_batched<T>(c.m, c.n, c.k, c.A, c.lda, 2, c.tau, c.stride_tau, c.info, c.count, c.q) ==
        -6);
  CHECK(ungqr_vbatched<T>(c.ms, c.ns, c.ks, c.A_array, c.ldas, c.tau_array, c.info, c.count, c.m_max, c.n_max,
                          -2, c.q) == -11);
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
