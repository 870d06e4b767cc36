// Needs: getrf getrs gesv getri

// Illegal arguments of LU: the right -i, and nothing touched. The checks are the same on both backends and
// need no device.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "check.hpp"
#include "refusals.hpp"
#include "talus/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr int untouched = 4711;

/// Legal arguments for m = n = 3, nrhs = 2, k = 2 and batch_count = 2, in memory of the host that no call may
/// look at.
template <class T>
struct lu_call {
  using R = real_of<T>;
  std::vector<T> A_data = std::vector<T>(64, T(untouched)), B_data = A_data, C_data = A_data;
  std::vector<T*> A_pointers = starts(A_data), B_pointers = starts(B_data), C_pointers = starts(C_data);
  std::vector<int> ipiv_data = std::vector<int>(8, untouched), info_data = ipiv_data,
                   replaced_data = ipiv_data;
  std::vector<int*> ipiv_pointers{ipiv_data.data(), ipiv_data.data() + 4};

  talus::op op = talus::op::none;
  int m = 3, n = 3, k = 2, nrhs = 2, lda = 4, ldb = 5, ldc = 4;
  T* const* A_array = A_pointers.data();
  T* const* B_array = B_pointers.data();
  T* const* C_array = C_pointers.data();
  int* const* ipiv_array = ipiv_pointers.data();
  T *A = A_data.data(), *B = B_data.data(), *C = C_data.data();
  int *ipiv = ipiv_data.data(), *info = info_data.data(), *replaced = replaced_data.data();
  std::int64_t stride_A = 16, stride_B = 16, stride_C = 16, stride_ipiv = 4, count = 2;
  R floor = R(0.5);
  const R* floors = nullptr;
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_m{3, 2}, all_n{3, 2}, all_k{2, 1}, all_nrhs{2, 1}, all_ld{5, 4};
  const int *ms = all_m.data(), *ns = all_n.data(), *ks = all_k.data(), *nrhss = all_nrhs.data(),
            *ldas = all_ld.data(), *ldbs = ldas, *ldcs = ldas;
  int m_max = 3, n_max = 3, k_max = 2, nrhs_max = 2;

  static std::vector<T*> starts(std::vector<T>& data) { return {data.data(), data.data() + 32}; }
  bool is_untouched() const {
    const std::vector<T> all(64, T(untouched));
    const std::vector<int> ints(8, untouched);
    return A_data == all && B_data == all && C_data == all && ipiv_data == ints && info_data == ints &&
           replaced_data == ints;
  }
};

template <class T>
using lu_entry = entry<lu_call<T>>;

template <class T>
const std::vector<lu_entry<T>>& lu_pointers() {
  using call = lu_call<T>;
  static const std::vector<lu_entry<T>> entries{
      {"getrf",
       {"m", "n", "A", "lda", "ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_batched(c.m, c.n, c.A_array, c.lda, c.ipiv_array, c.info, c.count, c.q);
       }},
      {"getrf_nopiv",
       {"m", "n", "A", "lda", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_nopiv_batched<T>(c.m, c.n, c.A_array, c.lda, c.floor, c.floors, c.replaced, c.info,
                                       c.count, c.q);
       }},
      {"getrf_partial",
       {"m", "n", "k", "A", "lda", "ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_batched(c.m, c.n, c.k, c.A_array, c.lda, c.ipiv_array, c.info, c.count, c.q);
       }},
      {"getrf_partial_nopiv",
       {"m", "n", "k", "A", "lda", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_batched<T>(c.m, c.n, c.k, c.A_array, c.lda, c.floor, c.floors, c.replaced,
                                               c.info, c.count, c.q);
       }},
      {"getrs",
       {"op", "n", "nrhs", "A", "lda", "ipiv", "B", "ldb", "optional", "count", "q"},
       [](const call& c) {
         return getrs_batched<T>(c.op, c.n, c.nrhs, c.A_array, c.lda, c.ipiv_array, c.B_array, c.ldb, c.info,
                                 c.count, c.q);
       }},
      {"getrs_nopiv",
       {"op", "n", "nrhs", "A", "lda", "B", "ldb", "optional", "count", "q"},
       [](const call& c) {
         return getrs_nopiv_batched<T>(c.op, c.n, c.nrhs, c.A_array, c.lda, c.B_array, c.ldb, c.info, c.count,
                                       c.q);
       }},
      {"gesv",
       {"n", "nrhs", "A", "lda", "ipiv", "B", "ldb", "info", "count", "q"},
       [](const call& c) {
         return gesv_batched(c.n, c.nrhs, c.A_array, c.lda, c.ipiv_array, c.B_array, c.ldb, c.info, c.count,
                             c.q);
       }},
      {"getri",
       {"n", "A", "lda", "ipiv", "optional", "count", "q"},
       [](const call& c) {
         return getri_batched(c.n, c.A_array, c.lda, c.ipiv_array, c.info, c.count, c.q);
       }},
      {"getri_outofplace",
       {"n", "A", "lda", "ipiv", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return getri_outofplace_batched<T>(c.n, c.A_array, c.lda, c.ipiv_array, c.C_array, c.ldc, c.info,
                                            c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<lu_entry<T>>& lu_strided() {
  using call = lu_call<T>;
  static const std::vector<lu_entry<T>> entries{
      {"getrf",
       {"m", "n", "A", "lda", "stride_A", "ipiv", "stride_ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_strided_batched(c.m, c.n, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv, c.info,
                                      c.count, c.q);
       }},
      {"getrf_nopiv",
       {"m", "n", "A", "lda", "stride_A", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_nopiv_strided_batched<T>(c.m, c.n, c.A, c.lda, c.stride_A, c.floor, c.floors,
                                               c.replaced, c.info, c.count, c.q);
       }},
      {"getrf_partial",
       {"m", "n", "k", "A", "lda", "stride_A", "ipiv", "stride_ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_strided_batched(c.m, c.n, c.k, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv,
                                              c.info, c.count, c.q);
       }},
      {"getrf_partial_nopiv",
       {"m", "n", "k", "A", "lda", "stride_A", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_strided_batched<T>(c.m, c.n, c.k, c.A, c.lda, c.stride_A, c.floor,
                                                       c.floors, c.replaced, c.info, c.count, c.q);
       }},
      {"getrs",
       {"op", "n", "nrhs", "A", "lda", "read_A", "ipiv", "read_ipiv", "B", "ldb", "stride_B", "optional",
        "count", "q"},
       [](const call& c) {
         return getrs_strided_batched<T>(c.op, c.n, c.nrhs, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv,
                                         c.B, c.ldb, c.stride_B, c.info, c.count, c.q);
       }},
      {"getrs_nopiv",
       {"op", "n", "nrhs", "A", "lda", "read_A", "B", "ldb", "stride_B", "optional", "count", "q"},
       [](const call& c) {
         return getrs_nopiv_strided_batched<T>(c.op, c.n, c.nrhs, c.A, c.lda, c.stride_A, c.B, c.ldb,
                                               c.stride_B, c.info, c.count, c.q);
       }},
      {"gesv",
       {"n", "nrhs", "A", "lda", "stride_A", "ipiv", "stride_ipiv", "B", "ldb", "stride_B", "info", "count",
        "q"},
       [](const call& c) {
         return gesv_strided_batched(c.n, c.nrhs, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv, c.B, c.ldb,
                                     c.stride_B, c.info, c.count, c.q);
       }},
      {"getri",
       {"n", "A", "lda", "stride_A", "ipiv", "read_ipiv", "optional", "count", "q"},
       [](const call& c) {
         return getri_strided_batched(c.n, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv, c.info, c.count,
                                      c.q);
       }},
      {"getri_outofplace",
       {"n", "A", "lda", "read_A", "ipiv", "read_ipiv", "C", "ldc", "stride_C", "optional", "count", "q"},
       [](const call& c) {
         return getri_outofplace_strided_batched<T>(c.n, c.A, c.lda, c.stride_A, c.ipiv, c.stride_ipiv, c.C,
                                                    c.ldc, c.stride_C, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<lu_entry<T>>& lu_mixed() {
  using call = lu_call<T>;
  static const std::vector<lu_entry<T>> entries{
      {"getrf",
       {"ms", "ns", "A", "ldas", "ipiv", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return getrf_vbatched(c.ms, c.ns, c.A_array, c.ldas, c.ipiv_array, c.info, c.count, c.m_max, c.n_max,
                               c.q);
       }},
      {"getrf_nopiv",
       {"ms", "ns", "A", "ldas", "floor", "floors", "replaced", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return getrf_nopiv_vbatched<T>(c.ms, c.ns, c.A_array, c.ldas, c.floor, c.floors, c.replaced, c.info,
                                        c.count, c.m_max, c.n_max, c.q);
       }},
      {"getrf_partial",
       {"ms", "ns", "ks", "A", "ldas", "ipiv", "info", "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return getrf_partial_vbatched(c.ms, c.ns, c.ks, c.A_array, c.ldas, c.ipiv_array, c.info, c.count,
                                       c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"getrf_partial_nopiv",
       {"ms", "ns", "ks", "A", "ldas", "floor", "floors", "replaced", "info", "count", "m_max", "n_max",
        "k_max", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_vbatched<T>(c.ms, c.ns, c.ks, c.A_array, c.ldas, c.floor, c.floors,
                                                c.replaced, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"getrs",
       {"op", "ns", "nrhss", "A", "ldas", "ipiv", "B", "ldbs", "optional", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return getrs_vbatched<T>(c.op, c.ns, c.nrhss, c.A_array, c.ldas, c.ipiv_array, c.B_array, c.ldbs,
                                  c.info, c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"getrs_nopiv",
       {"op", "ns", "nrhss", "A", "ldas", "B", "ldbs", "optional", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return getrs_nopiv_vbatched<T>(c.op, c.ns, c.nrhss, c.A_array, c.ldas, c.B_array, c.ldbs, c.info,
                                        c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"gesv",
       {"ns", "nrhss", "A", "ldas", "ipiv", "B", "ldbs", "info", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return gesv_vbatched(c.ns, c.nrhss, c.A_array, c.ldas, c.ipiv_array, c.B_array, c.ldbs, c.info,
                              c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"getri",
       {"ns", "A", "ldas", "ipiv", "optional", "count", "n_max", "q"},
       [](const call& c) {
         return getri_vbatched(c.ns, c.A_array, c.ldas, c.ipiv_array, c.info, c.count, c.n_max, c.q);
       }},
      {"getri_outofplace",
       {"ns", "A", "ldas", "ipiv", "C", "ldcs", "optional", "count", "n_max", "q"},
       [](const call& c) {
         return getri_outofplace_vbatched<T>(c.ns, c.A_array, c.ldas, c.ipiv_array, c.C_array, c.ldcs, c.info,
                                             c.count, c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
std::vector<const std::vector<lu_entry<T>>*> lu_forms() {
  return {&lu_pointers<T>(), &lu_strided<T>(), &lu_mixed<T>()};
}

template <class T>
using lu_spoiler = spoiler<lu_call<T>>;

/// Ways to make an argument illegal. (read_A, read_ipiv: strides of what is only read.)
template <class T>
const std::vector<lu_spoiler<T>>& lu_spoilers() {
  using call = lu_call<T>;
  static const std::vector<lu_spoiler<T>> spoilers{
      {"op", [](call& c) { c.op = static_cast<op>('X'); }},
      {"op", [](call& c) { c.op = static_cast<op>(0); }},
      {"m", [](call& c) { c.m = -1; }},
      {"n", [](call& c) { c.n = -1; }},
      {"k", [](call& c) { c.k = -1; }},
      {"k", [](call& c) { c.k = 4; }},
      {"k", [](call& c) { c.k = 3, c.m = std::min(c.m, 2); }},
      {"k", [](call& c) { c.k = 3, c.n = std::min(c.n, 2); }},
      {"nrhs", [](call& c) { c.nrhs = -1; }},
      {"A", [](call& c) { c.A = nullptr, c.A_array = nullptr; }},
      {"B", [](call& c) { c.B = nullptr, c.B_array = nullptr; }},
      {"C", [](call& c) { c.C = nullptr, c.C_array = nullptr; }},
      {"ipiv", [](call& c) { c.ipiv = nullptr, c.ipiv_array = nullptr; }},
      {"lda", [](call& c) { c.lda = 2; }},
      {"ldb", [](call& c) { c.ldb = 2; }},
      {"ldc", [](call& c) { c.ldc = 2; }},
      {"stride_A", [](call& c) { c.stride_A = 2; }},
      {"stride_A", [](call& c) { c.stride_A = -16; }},
      {"read_A", [](call& c) { c.stride_A = -16; }},
      {"stride_B", [](call& c) { c.stride_B = 2; }},
      {"stride_C", [](call& c) { c.stride_C = 2; }},
      {"stride_ipiv", [](call& c) { c.stride_ipiv = 1; }},
      {"stride_ipiv", [](call& c) { c.stride_ipiv = -4; }},
      {"read_ipiv", [](call& c) { c.stride_ipiv = -4; }},
      {"floor", [](call& c) { c.floor = -1; }},
      {"floor", [](call& c) { c.floor = nan_of<real_of<T>>(); }},
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
      {"m_max", [](call& c) { c.m_max = -2; }},
      {"n_max", [](call& c) { c.n_max = -2; }},
      {"k_max", [](call& c) { c.k_max = -2; }},
      {"nrhs_max", [](call& c) { c.nrhs_max = -2; }},
  };
  return spoilers;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of LU are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  using T = TestType;
  std::set<std::string> spoilt;
  for (const auto* form : lu_forms<T>()) spoilt.merge(check_refusals(*form, lu_spoilers<T>()));
  CHECK(spoilt.size() == 33);  // every argument that can be illegal
}

TEMPLATE_LIST_TEST_CASE("an empty batch of LU needs nothing, and no work to do no memory", "[arguments]",
                        precisions) {
  using T = TestType;
  for (const auto* form : lu_forms<T>()) {
    for (const lu_entry<T>& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      lu_call<T> c;
      c.q = test_queue();
      c.count = 0;
      for (const lu_spoiler<T>& one : lu_spoilers<T>()) {  // all that may be null is
        for (const char* const pointer :
             {"A", "B", "C", "ipiv", "info", "ms", "ns", "ks", "nrhss", "ldas", "ldbs", "ldcs"})
          if (one.argument == pointer) one.spoil(c);
      }
      CHECK(e.call(c) == 0);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("on a GPU, LU's slabs begin at a whole element", "[arguments]", precisions) {
  using T = TestType;
  using call = lu_call<T>;
  check_misplaced<call, T>(lu_strided<T>(), {{"A", &call::A}, {"B", &call::B}, {"C", &call::C}});
}

TEST_CASE("without a device, cuda queues say so of LU, too", "[arguments]") {
#ifdef TALUS_HAVE_D
  check_no_device(lu_forms<double>());
#endif
}

TEST_CASE("LU's scratch sizes are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  CHECK(getrf_work<double>(100, 90, 1000) > 0);
  CHECK(getrf_nopiv_work<double>(100, 90, 1000) > 0);
  CHECK(getrf_partial_work<double>(100, 90, 50, 1000) > 0);
  CHECK(getrf_partial_nopiv_work<double>(100, 90, 50, 1000) > 0);
  CHECK(getrs_work<double>(100, 2, 1000) == 0);
  CHECK(getrs_nopiv_work<double>(100, 2, 1000) == 0);
  CHECK(gesv_work<double>(100, 2, 1000) > 0);
  CHECK(getri_work<double>(100, 1000) == 0);
  CHECK(getri_outofplace_work<double>(100, 1000) == 0);
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int n_max : {-1, 0, 100}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CHECK(getrf_vbatched_work<double>(n_max, n_max, count) > 0);
      CHECK(getrf_nopiv_vbatched_work<double>(n_max, -1, count) > 0);
      CHECK(getrf_partial_vbatched_work<double>(n_max, n_max, -1, count) > 0);
      CHECK(getrf_partial_nopiv_vbatched_work<double>(n_max, n_max, n_max, count) > 0);
      CHECK(getrs_vbatched_work<double>(n_max, 2, count) > 0);
      CHECK(getrs_nopiv_vbatched_work<double>(n_max, -1, count) > 0);
      CHECK(gesv_vbatched_work<double>(n_max, 2, count) > 0);
      CHECK(getri_vbatched_work<double>(n_max, count) > 0);
      CHECK(getri_outofplace_vbatched_work<double>(n_max, count) > 0);
      CHECK(getrf_vbatched_work<double>(n_max, n_max, count) >=
            getrf_vbatched_work<double>(n_max, n_max, count / 2));
    }
  }
#endif
}
