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

/// Legal arguments for matrices of up to 3 x 3.
template <class T>
struct lu_call : common_arguments {
  using R = real_of<T>;
  talus::op op = talus::op::none;
  matrix_argument<T> A{4}, B{5}, C{4};
  matrix_argument<int> ipiv{0, 4}, replaced{0};
  R floor = R(0.5);
  const R* floors = nullptr;

  bool is_untouched() const {
    return A.is_untouched() && B.is_untouched() && C.is_untouched() && ipiv.is_untouched() &&
           replaced.is_untouched() && info_is_untouched();
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
         return getrf_batched(c.m, c.n, c.A.array, c.A.ld, c.ipiv.array, c.info, c.count, c.q);
       }},
      {"getrf_nopiv",
       {"m", "n", "A", "lda", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_nopiv_batched<T>(c.m, c.n, c.A.array, c.A.ld, c.floor, c.floors, c.replaced.slab,
                                       c.info, c.count, c.q);
       }},
      {"getrf_partial",
       {"m", "n", "k", "A", "lda", "ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_batched(c.m, c.n, c.k, c.A.array, c.A.ld, c.ipiv.array, c.info, c.count, c.q);
       }},
      {"getrf_partial_nopiv",
       {"m", "n", "k", "A", "lda", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_batched<T>(c.m, c.n, c.k, c.A.array, c.A.ld, c.floor, c.floors,
                                               c.replaced.slab, c.info, c.count, c.q);
       }},
      {"getrs",
       {"op", "n", "nrhs", "A", "lda", "ipiv", "B", "ldb", "optional", "count", "q"},
       [](const call& c) {
         return getrs_batched<T>(c.op, c.n, c.nrhs, c.A.array, c.A.ld, c.ipiv.array, c.B.array, c.B.ld,
                                 c.info, c.count, c.q);
       }},
      {"getrs_nopiv",
       {"op", "n", "nrhs", "A", "lda", "B", "ldb", "optional", "count", "q"},
       [](const call& c) {
         return getrs_nopiv_batched<T>(c.op, c.n, c.nrhs, c.A.array, c.A.ld, c.B.array, c.B.ld, c.info,
                                       c.count, c.q);
       }},
      {"gesv",
       {"n", "nrhs", "A", "lda", "ipiv", "B", "ldb", "info", "count", "q"},
       [](const call& c) {
         return gesv_batched(c.n, c.nrhs, c.A.array, c.A.ld, c.ipiv.array, c.B.array, c.B.ld, c.info, c.count,
                             c.q);
       }},
      {"getri",
       {"n", "A", "lda", "ipiv", "optional", "count", "q"},
       [](const call& c) {
         return getri_batched(c.n, c.A.array, c.A.ld, c.ipiv.array, c.info, c.count, c.q);
       }},
      {"getri_outofplace",
       {"n", "A", "lda", "ipiv", "C", "ldc", "optional", "count", "q"},
       [](const call& c) {
         return getri_outofplace_batched<T>(c.n, c.A.array, c.A.ld, c.ipiv.array, c.C.array, c.C.ld, c.info,
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
         return getrf_strided_batched(c.m, c.n, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab, c.ipiv.stride,
                                      c.info, c.count, c.q);
       }},
      {"getrf_nopiv",
       {"m", "n", "A", "lda", "stride_A", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_nopiv_strided_batched<T>(c.m, c.n, c.A.slab, c.A.ld, c.A.stride, c.floor, c.floors,
                                               c.replaced.slab, c.info, c.count, c.q);
       }},
      {"getrf_partial",
       {"m", "n", "k", "A", "lda", "stride_A", "ipiv", "stride_ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_strided_batched(c.m, c.n, c.k, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab,
                                              c.ipiv.stride, c.info, c.count, c.q);
       }},
      {"getrf_partial_nopiv",
       {"m", "n", "k", "A", "lda", "stride_A", "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_strided_batched<T>(c.m, c.n, c.k, c.A.slab, c.A.ld, c.A.stride, c.floor,
                                                       c.floors, c.replaced.slab, c.info, c.count, c.q);
       }},
      {"getrs",
       {"op", "n", "nrhs", "A", "lda", "read_A", "ipiv", "read_ipiv", "B", "ldb", "stride_B", "optional",
        "count", "q"},
       [](const call& c) {
         return getrs_strided_batched<T>(c.op, c.n, c.nrhs, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab,
                                         c.ipiv.stride, c.B.slab, c.B.ld, c.B.stride, c.info, c.count, c.q);
       }},
      {"getrs_nopiv",
       {"op", "n", "nrhs", "A", "lda", "read_A", "B", "ldb", "stride_B", "optional", "count", "q"},
       [](const call& c) {
         return getrs_nopiv_strided_batched<T>(c.op, c.n, c.nrhs, c.A.slab, c.A.ld, c.A.stride, c.B.slab,
                                               c.B.ld, c.B.stride, c.info, c.count, c.q);
       }},
      {"gesv",
       {"n", "nrhs", "A", "lda", "stride_A", "ipiv", "stride_ipiv", "B", "ldb", "stride_B", "info", "count",
        "q"},
       [](const call& c) {
         return gesv_strided_batched(c.n, c.nrhs, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab, c.ipiv.stride,
                                     c.B.slab, c.B.ld, c.B.stride, c.info, c.count, c.q);
       }},
      {"getri",
       {"n", "A", "lda", "stride_A", "ipiv", "read_ipiv", "optional", "count", "q"},
       [](const call& c) {
         return getri_strided_batched(c.n, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab, c.ipiv.stride, c.info,
                                      c.count, c.q);
       }},
      {"getri_outofplace",
       {"n", "A", "lda", "read_A", "ipiv", "read_ipiv", "C", "ldc", "stride_C", "optional", "count", "q"},
       [](const call& c) {
         return getri_outofplace_strided_batched<T>(c.n, c.A.slab, c.A.ld, c.A.stride, c.ipiv.slab,
                                                    c.ipiv.stride, c.C.slab, c.C.ld, c.C.stride, c.info,
                                                    c.count, c.q);
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
         return getrf_vbatched(c.ms, c.ns, c.A.array, c.A.lds, c.ipiv.array, c.info, c.count, c.m_max,
                               c.n_max, c.q);
       }},
      {"getrf_nopiv",
       {"ms", "ns", "A", "ldas", "floor", "floors", "replaced", "info", "count", "m_max", "n_max", "q"},
       [](const call& c) {
         return getrf_nopiv_vbatched<T>(c.ms, c.ns, c.A.array, c.A.lds, c.floor, c.floors, c.replaced.slab,
                                        c.info, c.count, c.m_max, c.n_max, c.q);
       }},
      {"getrf_partial",
       {"ms", "ns", "ks", "A", "ldas", "ipiv", "info", "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return getrf_partial_vbatched(c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.ipiv.array, c.info, c.count,
                                       c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"getrf_partial_nopiv",
       {"ms", "ns", "ks", "A", "ldas", "floor", "floors", "replaced", "info", "count", "m_max", "n_max",
        "k_max", "q"},
       [](const call& c) {
         return getrf_partial_nopiv_vbatched<T>(c.ms, c.ns, c.ks, c.A.array, c.A.lds, c.floor, c.floors,
                                                c.replaced.slab, c.info, c.count, c.m_max, c.n_max, c.k_max,
                                                c.q);
       }},
      {"getrs",
       {"op", "ns", "nrhss", "A", "ldas", "ipiv", "B", "ldbs", "optional", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return getrs_vbatched<T>(c.op, c.ns, c.nrhss, c.A.array, c.A.lds, c.ipiv.array, c.B.array, c.B.lds,
                                  c.info, c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"getrs_nopiv",
       {"op", "ns", "nrhss", "A", "ldas", "B", "ldbs", "optional", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return getrs_nopiv_vbatched<T>(c.op, c.ns, c.nrhss, c.A.array, c.A.lds, c.B.array, c.B.lds, c.info,
                                        c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"gesv",
       {"ns", "nrhss", "A", "ldas", "ipiv", "B", "ldbs", "info", "count", "n_max", "nrhs_max", "q"},
       [](const call& c) {
         return gesv_vbatched(c.ns, c.nrhss, c.A.array, c.A.lds, c.ipiv.array, c.B.array, c.B.lds, c.info,
                              c.count, c.n_max, c.nrhs_max, c.q);
       }},
      {"getri",
       {"ns", "A", "ldas", "ipiv", "optional", "count", "n_max", "q"},
       [](const call& c) {
         return getri_vbatched(c.ns, c.A.array, c.A.lds, c.ipiv.array, c.info, c.count, c.n_max, c.q);
       }},
      {"getri_outofplace",
       {"ns", "A", "ldas", "ipiv", "C", "ldcs", "optional", "count", "n_max", "q"},
       [](const call& c) {
         return getri_outofplace_vbatched<T>(c.ns, c.A.array, c.A.lds, c.ipiv.array, c.C.array, c.C.lds,
                                             c.info, c.count, c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
entry_lists<lu_call<T>> lu_forms() {
  return {&lu_pointers<T>(), &lu_strided<T>(), &lu_mixed<T>()};
}

template <class T>
spoilers<lu_call<T>> lu_spoilers() {
  using call = lu_call<T>;
  spoilers<call> all = common_spoilers<call>();
  for (const auto& one : spoilers<call>{{"op", [](call& c) { c.op = static_cast<op>('X'); }},
                                        {"op", [](call& c) { c.op = static_cast<op>(0); }},
                                        {"k", [](call& c) { c.k = 4; }},
                                        {"k", [](call& c) { c.k = 3, c.m = std::min(c.m, 2); }},
                                        {"k", [](call& c) { c.k = 3, c.n = std::min(c.n, 2); }},
                                        {"floor", [](call& c) { c.floor = -1; }},
                                        {"floor", [](call& c) { c.floor = nan_of<real_of<T>>(); }}})
    all.push_back(one);
  add_matrix(all, "A", &call::A, 3);
  add_matrix(all, "B", &call::B, 3);
  add_matrix(all, "C", &call::C, 3);
  add_vector(all, "ipiv", &call::ipiv, 2);
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of LU are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  check_refusals(lu_forms<TestType>(), lu_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of LU needs nothing, and no work to do no memory", "[arguments]",
                        precisions) {
  check_empty(lu_forms<TestType>(), lu_spoilers<TestType>());
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
