// Needs: trsm gemm gemv

// Illegal arguments of BLAS: the right -i, and nothing touched. The checks are the same on both backends and
// need no device.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "c_api.hpp"
#include "catch.hpp"
#include "check.hpp"
#include "refusals.hpp"
#include "talus/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Legal arguments for matrices of up to 3 x 3. x and y are B and C.
template <class T>
struct blas_call : common_arguments {
  talus::side side = talus::side::left;
  talus::uplo uplo = talus::uplo::lower;
  talus::op op = talus::op::none, of_B = talus::op::trans;
  talus::diag diag = talus::diag::non_unit;
  matrix_argument<T> A{4}, B{5}, C{4};

  bool is_untouched() const {
    return A.is_untouched() && B.is_untouched() && C.is_untouched() && info_is_untouched();
  }
};

template <class T>
using blas_entry = entry<blas_call<T>>;

template <class T>
const std::vector<blas_entry<T>>& blas_pointers() {
  using call = blas_call<T>;
  static const std::vector<blas_entry<T>> entries{
      {"trsm",
       {"side", "uplo", "op", "diag", "m", "n", "alpha", "A", "lda", "B", "ldb", "optional", "count", "q"},
       [](const call& c) {
         return trsm_batched<T>(c.side, c.uplo, c.op, c.diag, c.m, c.n, T(2), c.A.array, c.A.ld, c.B.array,
                                c.B.ld, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<blas_entry<T>>& blas_strided() {
  using call = blas_call<T>;
  static const std::vector<blas_entry<T>> entries{
      {"trsm",
       {"side", "uplo", "op", "diag", "m", "n", "alpha", "A", "lda", "read_A", "B", "ldb", "stride_B",
        "optional", "count", "q"},
       [](const call& c) {
         return trsm_strided_batched<T>(c.side, c.uplo, c.op, c.diag, c.m, c.n, T(2), c.A.slab, c.A.ld,
                                        c.A.stride, c.B.slab, c.B.ld, c.B.stride, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<blas_entry<T>>& blas_mixed() {
  using call = blas_call<T>;
  static const std::vector<blas_entry<T>> entries{
      {"trsm",
       {"side", "uplo", "op", "diag", "ms", "ns", "alpha", "A", "ldas", "B", "ldbs", "optional", "count",
        "m_max", "n_max", "q"},
       [](const call& c) {
         return trsm_vbatched<T>(c.side, c.uplo, c.op, c.diag, c.ms, c.ns, T(2), c.A.array, c.A.lds,
                                 c.B.array, c.B.lds, c.info, c.count, c.m_max, c.n_max, c.q);
       }},
      {"gemm",
       {"op", "of_B", "ms", "ns", "ks", "alpha", "A", "ldas", "B", "ldbs", "beta", "C", "ldcs", "optional",
        "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return gemm_vbatched<T>(c.op, c.of_B, c.ms, c.ns, c.ks, T(2), c.A.array, c.A.lds, c.B.array, c.B.lds,
                                 T(1), c.C.array, c.C.lds, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"gemv",
       {"op", "ms", "ns", "alpha", "A", "ldas", "B", "ldbs", "beta", "C", "ldcs", "optional", "count",
        "m_max", "n_max", "q"},
       [](const call& c) {
         return gemv_vbatched<T>(c.op, c.ms, c.ns, T(2), c.A.array, c.A.lds, c.B.array, c.B.lds, T(1),
                                 c.C.array, c.C.lds, c.info, c.count, c.m_max, c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
entry_lists<blas_call<T>> blas_forms() {
  return {&blas_pointers<T>(), &blas_strided<T>(), &blas_mixed<T>()};
}

template <class T>
spoilers<blas_call<T>> blas_spoilers() {
  using call = blas_call<T>;
  spoilers<call> all = common_spoilers<call>();
  for (const auto& one : spoilers<call>{{"side", [](call& c) { c.side = static_cast<side>('X'); }},
                                        {"side", [](call& c) { c.side = static_cast<side>('U'); }},
                                        {"uplo", [](call& c) { c.uplo = static_cast<uplo>('R'); }},
                                        {"uplo", [](call& c) { c.uplo = static_cast<uplo>(0); }},
                                        {"op", [](call& c) { c.op = static_cast<op>('X'); }},
                                        {"of_B", [](call& c) { c.of_B = static_cast<op>(0); }},
                                        {"diag", [](call& c) { c.diag = static_cast<diag>('L'); }},
                                        {"diag", [](call& c) { c.diag = static_cast<diag>(0); }},
                                        {"stride_B", [](call& c) { c.B.stride = 0; }}})
    all.push_back(one);
  add_matrix(all, "A", &call::A, 3);
  add_matrix(all, "B", &call::B, 3);
  add_matrix(all, "C", &call::C, 3);
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of BLAS are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  check_refusals(blas_forms<TestType>(), blas_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("trsm's triangle has the order of the side it stands on", "[arguments]", precisions) {
  using T = TestType;
  blas_call<T> c;
  c.n = 4;  // m = 3
  c.A.ld = 3;
  const auto pointers = blas_pointers<T>()[0], strided = blas_strided<T>()[0];
  c.side = side::right;
  CHECK(pointers.call(c) == pointers.refusal("lda"));
  CHECK(strided.call(c) == strided.refusal("lda"));
  c.A.ld = 4, c.B.ld = 2;
  CHECK(pointers.call(c) == pointers.refusal("ldb"));
  CHECK(c.is_untouched());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of BLAS needs nothing", "[arguments]", precisions) {
  check_empty(blas_forms<TestType>(), blas_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("on a GPU, BLAS's slabs begin at a whole element", "[arguments]", precisions) {
  using T = TestType;
  using call = blas_call<T>;
  check_misplaced<call, T>(blas_strided<T>(), {{"A", &call::A}, {"B", &call::B}});
}

TEST_CASE("without a device, cuda queues say so of BLAS, too", "[arguments]") {
#ifdef TALUS_HAVE_D
  check_no_device(blas_forms<double>());
#endif
}

TEST_CASE("letters of the C names are what they are in C++", "[arguments]") {
  CHECK((to_diag('N') == diag::non_unit && to_diag('U') == diag::unit));
  for (const int letter : {0 + 'n', 0 + 'u', 0, 0 + 'L', 'N' + 256, 'U' - 256}) {
    CAPTURE(letter);
    CHECK((to_diag(letter) != diag::non_unit && to_diag(letter) != diag::unit));
  }
}

TEST_CASE("BLAS's scratch sizes are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  CHECK(trsm_work<double>(side::left, 100, 90, 1000) == 0);
  CHECK(trsm_work<double>(side::right, 100, 90, 1000) == 0);
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int most : {-1, 0, 100}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CHECK(trsm_vbatched_work<double>(most, 2, count) > 0);
      CHECK(gemm_vbatched_work<double>(most, -1, most, count) > 0);
      CHECK(gemv_vbatched_work<double>(most, most, count) > 0);
      CHECK(gemm_vbatched_work<double>(most, most, most, count) >=
            gemm_vbatched_work<double>(most, most, most, count / 2));
    }
  }
#endif
}
