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

constexpr int untouched = 4711;

/// Legal arguments for m = n = 3, k = 2 and batch_count = 2, in memory of the host that no call may look at.
/// x and y are B and C.
template <class T>
struct blas_call {
  std::vector<T> A_data = std::vector<T>(64, T(untouched)), B_data = A_data, C_data = A_data;
  std::vector<T*> A_pointers = starts(A_data), B_pointers = starts(B_data), C_pointers = starts(C_data);
  std::vector<int> info_data = std::vector<int>(8, untouched);

  talus::side side = talus::side::left;
  talus::uplo uplo = talus::uplo::lower;
  talus::op op = talus::op::none, of_B = talus::op::trans;
  talus::diag diag = talus::diag::non_unit;
  int m = 3, n = 3, lda = 4, ldb = 5;
  T* const* A_array = A_pointers.data();
  T* const* B_array = B_pointers.data();
  T* const* C_array = C_pointers.data();
  T *A = A_data.data(), *B = B_data.data();
  int* info = info_data.data();
  std::int64_t stride_A = 16, stride_B = 16, count = 2;
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_m{3, 2}, all_n{3, 2}, all_k{2, 1}, all_ld{5, 4};
  const int *ms = all_m.data(), *ns = all_n.data(), *ks = all_k.data(), *ldas = all_ld.data(), *ldbs = ldas,
            *ldcs = ldas;
  int m_max = 3, n_max = 3, k_max = 2;

  static std::vector<T*> starts(std::vector<T>& data) { return {data.data(), data.data() + 32}; }
  bool is_untouched() const {
    const std::vector<T> all(64, T(untouched));
    return A_data == all && B_data == all && C_data == all && info_data == std::vector<int>(8, untouched);
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
         return trsm_batched<T>(c.side, c.uplo, c.op, c.diag, c.m, c.n, T(2), c.A_array, c.lda, c.B_array,
                                c.ldb, c.info, c.count, c.q);
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
         return trsm_strided_batched<T>(c.side, c.uplo, c.op, c.diag, c.m, c.n, T(2), c.A, c.lda, c.stride_A,
                                        c.B, c.ldb, c.stride_B, c.info, c.count, c.q);
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
         return trsm_vbatched<T>(c.side, c.uplo, c.op, c.diag, c.ms, c.ns, T(2), c.A_array, c.ldas, c.B_array,
                                 c.ldbs, c.info, c.count, c.m_max, c.n_max, c.q);
       }},
      {"gemm",
       {"op", "of_B", "ms", "ns", "ks", "alpha", "A", "ldas", "B", "ldbs", "beta", "C", "ldcs", "optional",
        "count", "m_max", "n_max", "k_max", "q"},
       [](const call& c) {
         return gemm_vbatched<T>(c.op, c.of_B, c.ms, c.ns, c.ks, T(2), c.A_array, c.ldas, c.B_array, c.ldbs,
                                 T(1), c.C_array, c.ldcs, c.info, c.count, c.m_max, c.n_max, c.k_max, c.q);
       }},
      {"gemv",
       {"op", "ms", "ns", "alpha", "A", "ldas", "B", "ldbs", "beta", "C", "ldcs", "optional", "count",
        "m_max", "n_max", "q"},
       [](const call& c) {
         return gemv_vbatched<T>(c.op, c.ms, c.ns, T(2), c.A_array, c.ldas, c.B_array, c.ldbs, T(1),
                                 c.C_array, c.ldcs, c.info, c.count, c.m_max, c.n_max, c.q);
       }}};
  return entries;
}

template <class T>
std::vector<const std::vector<blas_entry<T>>*> blas_forms() {
  return {&blas_pointers<T>(), &blas_strided<T>(), &blas_mixed<T>()};
}

template <class T>
using blas_spoiler = spoiler<blas_call<T>>;

/// Ways to make an argument illegal. (read_A: the stride of what is only read.)
template <class T>
const std::vector<blas_spoiler<T>>& blas_spoilers() {
  using call = blas_call<T>;
  static const std::vector<blas_spoiler<T>> spoilers{
      {"side", [](call& c) { c.side = static_cast<side>('X'); }},
      {"side", [](call& c) { c.side = static_cast<side>('U'); }},
      {"uplo", [](call& c) { c.uplo = static_cast<uplo>('R'); }},
      {"uplo", [](call& c) { c.uplo = static_cast<uplo>(0); }},
      {"op", [](call& c) { c.op = static_cast<op>('X'); }},
      {"of_B", [](call& c) { c.of_B = static_cast<op>(0); }},
      {"diag", [](call& c) { c.diag = static_cast<diag>('L'); }},
      {"diag", [](call& c) { c.diag = static_cast<diag>(0); }},
      {"m", [](call& c) { c.m = -1; }},
      {"n", [](call& c) { c.n = -1; }},
      {"A", [](call& c) { c.A = nullptr, c.A_array = nullptr; }},
      {"B", [](call& c) { c.B = nullptr, c.B_array = nullptr; }},
      {"C", [](call& c) { c.C_array = nullptr; }},
      {"lda", [](call& c) { c.lda = 2; }},
      {"ldb", [](call& c) { c.ldb = 2; }},
      {"read_A", [](call& c) { c.stride_A = -16; }},
      {"stride_B", [](call& c) { c.stride_B = 2; }},
      {"stride_B", [](call& c) { c.stride_B = 0; }},
      {"count", [](call& c) { c.count = -1; }},
      {"q", [](call& c) { c.q.where = static_cast<backend>(7); }},
      {"q", [](call& c) { c.q.options = 1; }},
      {"ms", [](call& c) { c.ms = nullptr; }},
      {"ns", [](call& c) { c.ns = nullptr; }},
      {"ks", [](call& c) { c.ks = nullptr; }},
      {"ldas", [](call& c) { c.ldas = nullptr; }},
      {"ldbs", [](call& c) { c.ldbs = nullptr; }},
      {"ldcs", [](call& c) { c.ldcs = nullptr; }},
      {"m_max", [](call& c) { c.m_max = -2; }},
      {"n_max", [](call& c) { c.n_max = -2; }},
      {"k_max", [](call& c) { c.k_max = -2; }},
  };
  return spoilers;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of BLAS are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  using T = TestType;
  std::set<std::string> spoilt;
  for (const auto* form : blas_forms<T>()) spoilt.merge(check_refusals(*form, blas_spoilers<T>()));
  CHECK(spoilt.size() == 25);  // every argument that can be illegal
}

TEMPLATE_LIST_TEST_CASE("trsm's triangle has the order of the side it stands on", "[arguments]", precisions) {
  using T = TestType;
  blas_call<T> c;
  c.n = 4;  // m = 3
  c.lda = 3;
  const auto pointers = blas_pointers<T>()[0], strided = blas_strided<T>()[0];
  c.side = side::right;
  CHECK(pointers.call(c) == pointers.refusal("lda"));
  CHECK(strided.call(c) == strided.refusal("lda"));
  c.lda = 4, c.ldb = 2;
  CHECK(pointers.call(c) == pointers.refusal("ldb"));
  CHECK(c.is_untouched());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of BLAS needs nothing", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : blas_forms<T>()) {
    for (const blas_entry<T>& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      blas_call<T> c;
      c.q = test_queue();
      c.count = 0;
      for (const blas_spoiler<T>& one : blas_spoilers<T>()) {  // all that may be null is
        for (const char* const pointer : {"A", "B", "C", "ms", "ns", "ks", "ldas", "ldbs", "ldcs"})
          if (one.argument == pointer) one.spoil(c);
      }
      c.info = nullptr;
      CHECK(e.call(c) == 0);
    }
  }
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
