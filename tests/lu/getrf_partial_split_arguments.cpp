// Needs: getrf_partial_split

// Illegal arguments of getrf_partial_split and getrf_partial_split_nopiv: the right -i, and nothing touched.
// The checks are the same on both backends and need no device.
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "check.hpp"
#include "checks/lu.hpp"
#include "refusals.hpp"
#include "talus/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr int untouched = 4711;

/// Legal arguments for k = 2, m2 = 3, n2 = 4 and batch_count = 2, in memory of the host that no call may look
/// at.
template <class T>
struct split_call {
  using R = real_of<T>;
  std::vector<T> A11_data = std::vector<T>(64, T(untouched)), A12_data = A11_data, A21_data = A11_data,
                 A22_data = A11_data;
  std::vector<T*> A11_pointers = starts(A11_data), A12_pointers = starts(A12_data),
                  A21_pointers = starts(A21_data), A22_pointers = starts(A22_data);
  std::vector<int> ipiv_data = std::vector<int>(8, untouched), info_data = ipiv_data,
                   replaced_data = ipiv_data;
  std::vector<int*> ipiv_pointers{ipiv_data.data(), ipiv_data.data() + 4};

  talus::form form = talus::form::lapack;
  talus::schur schur = talus::schur::subtract;
  int k = 2, m2 = 3, n2 = 4, lda11 = 3, lda12 = 2, lda21 = 5, lda22 = 4;
  T *const *A11_array = A11_pointers.data(), *const *A12_array = A12_pointers.data(),
           *const *A21_array = A21_pointers.data(), *const *A22_array = A22_pointers.data();
  int* const* ipiv_array = ipiv_pointers.data();
  T *A11 = A11_data.data(), *A12 = A12_data.data(), *A21 = A21_data.data(), *A22 = A22_data.data();
  std::int64_t stride_A11 = 16, stride_A12 = 16, stride_A21 = 16, stride_A22 = 16, stride_ipiv = 4, count = 2;
  int *ipiv = ipiv_data.data(), *info = info_data.data(), *replaced = replaced_data.data();
  R floor = R(0.5);
  const R* floors = nullptr;
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_k{2, 1}, all_m2{3, 2}, all_n2{4, 1}, all_ld{5, 4};
  const int *ks = all_k.data(), *m2s = all_m2.data(), *n2s = all_n2.data(), *lda11s = all_ld.data(),
            *lda12s = lda11s, *lda21s = lda11s, *lda22s = lda11s;
  int k_max = 2, m2_max = 3, n2_max = 4;

  static std::vector<T*> starts(std::vector<T>& data) { return {data.data(), data.data() + 32}; }
  bool is_untouched() const {
    const std::vector<T> all(64, T(untouched));
    const std::vector<int> ints(8, untouched);
    return A11_data == all && A12_data == all && A21_data == all && A22_data == all && ipiv_data == ints &&
           info_data == ints && replaced_data == ints;
  }
};

template <class T>
using split_entry = entry<split_call<T>>;

template <class T>
const std::vector<split_entry<T>>& split_pointers() {
  using call = split_call<T>;
  static const std::vector<split_entry<T>> entries{
      {"getrf_partial_split",
       {"form", "schur", "k", "m2", "n2", "A11", "lda11", "A12", "lda12", "A21", "lda21", "A22", "lda22",
        "ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_split_batched(c.form, c.schur, c.k, c.m2, c.n2, c.A11_array, c.lda11,
                                            c.A12_array, c.lda12, c.A21_array, c.lda21, c.A22_array, c.lda22,
                                            c.ipiv_array, c.info, c.count, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form", "schur", "k", "m2", "n2", "A11", "lda11", "A12", "lda12", "A21", "lda21", "A22", "lda22",
        "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_batched<T>(
             c.form, c.schur, c.k, c.m2, c.n2, c.A11_array, c.lda11, c.A12_array, c.lda12, c.A21_array,
             c.lda21, c.A22_array, c.lda22, c.floor, c.floors, c.replaced, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<split_entry<T>>& split_strided() {
  using call = split_call<T>;
  static const std::vector<split_entry<T>> entries{
      {"getrf_partial_split",
       {"form",       "schur", "k",           "m2",   "n2",    "A11",        "lda11", "stride_A11",
        "A12",        "lda12", "stride_A12",  "A21",  "lda21", "stride_A21", "A22",   "lda22",
        "stride_A22", "ipiv",  "stride_ipiv", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_split_strided_batched(c.form, c.schur, c.k, c.m2, c.n2, c.A11, c.lda11,
                                                    c.stride_A11, c.A12, c.lda12, c.stride_A12, c.A21,
                                                    c.lda21, c.stride_A21, c.A22, c.lda22, c.stride_A22,
                                                    c.ipiv, c.stride_ipiv, c.info, c.count, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form",       "schur", "k",          "m2",       "n2",    "A11",        "lda11", "stride_A11",
        "A12",        "lda12", "stride_A12", "A21",      "lda21", "stride_A21", "A22",   "lda22",
        "stride_A22", "floor", "floors",     "replaced", "info",  "count",      "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_strided_batched<T>(
             c.form, c.schur, c.k, c.m2, c.n2, c.A11, c.lda11, c.stride_A11, c.A12, c.lda12, c.stride_A12,
             c.A21, c.lda21, c.stride_A21, c.A22, c.lda22, c.stride_A22, c.floor, c.floors, c.replaced,
             c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<split_entry<T>>& split_mixed() {
  using call = split_call<T>;
  static const std::vector<split_entry<T>> entries{
      {"getrf_partial_split",
       {"form",   "schur", "ks",     "m2s",  "n2s",  "A11",   "lda11s", "A12",    "lda12s", "A21",
        "lda21s", "A22",   "lda22s", "ipiv", "info", "count", "k_max",  "m2_max", "n2_max", "q"},
       [](const call& c) {
         return getrf_partial_split_vbatched(c.form, c.schur, c.ks, c.m2s, c.n2s, c.A11_array, c.lda11s,
                                             c.A12_array, c.lda12s, c.A21_array, c.lda21s, c.A22_array,
                                             c.lda22s, c.ipiv_array, c.info, c.count, c.k_max, c.m2_max,
                                             c.n2_max, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form",   "schur", "ks",     "m2s",    "n2s",    "A11",   "lda11s", "A12",
        "lda12s", "A21",   "lda21s", "A22",    "lda22s", "floor", "floors", "replaced",
        "info",   "count", "k_max",  "m2_max", "n2_max", "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_vbatched<T>(c.form, c.schur, c.ks, c.m2s, c.n2s, c.A11_array,
                                                      c.lda11s, c.A12_array, c.lda12s, c.A21_array, c.lda21s,
                                                      c.A22_array, c.lda22s, c.floor, c.floors, c.replaced,
                                                      c.info, c.count, c.k_max, c.m2_max, c.n2_max, c.q);
       }}};
  return entries;
}

template <class T>
std::vector<const std::vector<split_entry<T>>*> split_forms() {
  return {&split_pointers<T>(), &split_strided<T>(), &split_mixed<T>()};
}

template <class T>
using split_spoiler = spoiler<split_call<T>>;

/// Ways to make an argument illegal.
template <class T>
const std::vector<split_spoiler<T>>& split_spoilers() {
  using call = split_call<T>;
  static const std::vector<split_spoiler<T>> spoilers{
      {"form", [](call& c) { c.form = static_cast<form>('X'); }},
      {"form", [](call& c) { c.form = static_cast<form>(0); }},
      {"schur", [](call& c) { c.schur = static_cast<schur>('F'); }},
      {"schur", [](call& c) { c.schur = static_cast<schur>(0); }},
      {"k", [](call& c) { c.k = -1; }},
      {"m2", [](call& c) { c.m2 = -1; }},
      {"n2", [](call& c) { c.n2 = -1; }},
      {"A11", [](call& c) { c.A11 = nullptr, c.A11_array = nullptr; }},
      {"A12", [](call& c) { c.A12 = nullptr, c.A12_array = nullptr; }},
      {"A21", [](call& c) { c.A21 = nullptr, c.A21_array = nullptr; }},
      {"A22", [](call& c) { c.A22 = nullptr, c.A22_array = nullptr; }},
      {"ipiv", [](call& c) { c.ipiv = nullptr, c.ipiv_array = nullptr; }},
      {"lda11", [](call& c) { c.lda11 = 1; }},
      {"lda12", [](call& c) { c.lda12 = 1; }},
      {"lda21", [](call& c) { c.lda21 = 2; }},
      {"lda22", [](call& c) { c.lda22 = 2; }},
      {"stride_A11", [](call& c) { c.stride_A11 = 1; }},
      {"stride_A11", [](call& c) { c.stride_A11 = -16; }},
      {"stride_A12", [](call& c) { c.stride_A12 = 1; }},
      {"stride_A12", [](call& c) { c.stride_A12 = -16; }},
      {"stride_A21", [](call& c) { c.stride_A21 = 2; }},
      {"stride_A21", [](call& c) { c.stride_A21 = -16; }},
      {"stride_A22", [](call& c) { c.stride_A22 = 2; }},
      {"stride_A22", [](call& c) { c.stride_A22 = -16; }},
      {"stride_ipiv", [](call& c) { c.stride_ipiv = 1; }},
      {"stride_ipiv", [](call& c) { c.stride_ipiv = -16; }},
      {"floor", [](call& c) { c.floor = -1; }},
      {"floor", [](call& c) { c.floor = nan_of<real_of<T>>(); }},
      {"info", [](call& c) { c.info = nullptr; }},
      {"count", [](call& c) { c.count = -1; }},
      {"q", [](call& c) { c.q.where = static_cast<backend>(7); }},
      {"q", [](call& c) { c.q.options = 1; }},
      {"q", [](call& c) { c.q.reserved[1] = &c; }},
      {"ks", [](call& c) { c.ks = nullptr; }},
      {"m2s", [](call& c) { c.m2s = nullptr; }},
      {"n2s", [](call& c) { c.n2s = nullptr; }},
      {"lda11s", [](call& c) { c.lda11s = nullptr; }},
      {"lda12s", [](call& c) { c.lda12s = nullptr; }},
      {"lda21s", [](call& c) { c.lda21s = nullptr; }},
      {"lda22s", [](call& c) { c.lda22s = nullptr; }},
      {"k_max", [](call& c) { c.k_max = -2; }},
      {"m2_max", [](call& c) { c.m2_max = -2; }},
      {"n2_max", [](call& c) { c.n2_max = -2; }},
  };
  return spoilers;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of getrf_partial_split are refused by number, nothing is touched",
                        "[arguments]", precisions) {
  using T = TestType;
  std::set<std::string> spoilt;
  for (const auto* form : split_forms<T>()) spoilt.merge(check_refusals(*form, split_spoilers<T>()));
  CHECK(spoilt.size() == 33);  // every argument that can be illegal
}

TEMPLATE_LIST_TEST_CASE("an empty batch of fronts of LU needs nothing", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : split_forms<T>()) {
    for (const split_entry<T>& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      split_call<T> c;
      c.q = test_queue();
      c.count = 0;
      for (const split_spoiler<T>& one : split_spoilers<T>()) {  // all that may be null is
        for (const char* const pointer : {"A11", "A12", "A21", "A22", "ipiv", "info", "ks", "m2s", "n2s",
                                          "lda11s", "lda12s", "lda21s", "lda22s"})
          if (one.argument == pointer) one.spoil(c);
      }
      CHECK(e.call(c) == 0);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("of illegal arguments of getrf_partial_split all forms refuse the same",
                        "[arguments]", precisions) {
  using T = TestType;
  for (const form leaves : {form::lapack, form::left}) {
    for (const schur makes : {schur::subtract, schur::product}) {
      for (const auto* form : split_forms<T>()) {
        for (const split_entry<T>& e : *form) {
          for (const split_spoiler<T>& one : split_spoilers<T>()) {
            if (e.refusal(one.argument) == 0 || one.argument == "form" || one.argument == "schur") continue;
            split_call<T> c;
            c.form = leaves;
            c.schur = makes;
            one.spoil(c);
            CAPTURE(e.name, static_cast<char>(leaves), static_cast<char>(makes), one.argument);
            CHECK(e.call(c) == e.refusal(one.argument));
            CHECK(c.is_untouched());
          }
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("on a GPU, the slabs of fronts of LU begin at a whole element", "[arguments]",
                        precisions) {
  using T = TestType;
  using call = split_call<T>;
  check_misplaced<call, T>(
      split_strided<T>(),
      {{"A11", &call::A11}, {"A12", &call::A12}, {"A21", &call::A21}, {"A22", &call::A22}});
}

TEST_CASE("without a device, cuda queues say so of fronts of LU, too", "[arguments]") {
#ifdef TALUS_HAVE_D
  check_no_device(split_forms<double>());
#endif
}

TEST_CASE("the scratch sizes of fronts of LU are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  const int most = std::numeric_limits<int>::max();
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int n : {-1, 0, 100, most}) {
    CHECK(getrf_partial_split_work<double>(n, n, n, 0) == 0);
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CAPTURE(n, count);
      CHECK(getrf_partial_split_work<double>(n, n, n, count) == lu_work_bytes(count));
      CHECK(getrf_partial_split_nopiv_work<double>(n, n, n, count) == lu_work_bytes(count));
      CHECK(getrf_partial_split_vbatched_work<double>(n, n, -1, count) == mixed_lu_work_bytes(count));
      CHECK(getrf_partial_split_nopiv_vbatched_work<double>(-1, n, n, count) == mixed_lu_work_bytes(count));
      CHECK(getrf_partial_split_vbatched_work<double>(n, n, n, count) >
            getrf_partial_split_work<double>(n, n, n, count));
      CHECK(getrf_partial_split_work<double>(n, n, n, count) >=
            getrf_partial_split_work<double>(n, n, n, count / 2));
    }
  }
#endif
}

TEST_CASE("what is illegal of one front of LU among mixed sizes has its number", "[arguments]") {
  double a[1];
  int ipiv[1] = {};
  const auto check = [&](pivoting how, int k, int m2, int n2, int most) {
    const auto ld = [](int rows) { return rows > 1 ? rows : 1; };
    return lu::check_split(how, matrix<double>{a, k, k, ld(k)}, matrix<double>{a, k, n2, ld(k)},
                           matrix<double>{a, m2, k, ld(m2)}, matrix<double>{a, m2, n2, ld(m2)}, ipiv,
                           {most, most, most});
  };
  CHECK(check(pivoting::partial, 2, 5, 3, 5) == 0);
  CHECK(check(pivoting::partial, 2, 5, 3, -1) == 0);
  CHECK(check(pivoting::partial, 0, 0, 0, 0) == 0);
  CHECK(check(pivoting::partial, 2, 5, 3, 1) == -17);
  CHECK(check(pivoting::partial, 2, 5, 3, 4) == -18);
  CHECK(check(pivoting::partial, 2, 3, 5, 4) == -19);
  CHECK(check(pivoting::none, 2, 5, 3, 1) == -19);
  CHECK(check(pivoting::none, 2, 5, 3, 4) == -20);
  CHECK(check(pivoting::none, 2, 3, 5, 4) == -21);
  CHECK(check(pivoting::partial, -1, -1, -1, 4) == -3);
  CHECK(check(pivoting::partial, 0, -1, -1, 4) == -4);
  CHECK(check(pivoting::partial, 0, 0, -1, 4) == -5);
}

TEST_CASE("fronts of LU of mixed sizes are ordered by their extents", "[arguments]") {
  using check = cuda::lu::split_check<double, double>;
  using extents = cuda::extents<3>;
  const int most = std::numeric_limits<int>::max();
  double a[1];
  int p[1] = {};
  double* const array[] = {a, a, a, a, a};
  int* const pivots[] = {p, p, p, p, p};
  const int k[] = {2, 0, -1, most, 2}, m2[] = {3, 4, 5, most, 9}, n2[] = {4, 0, 6, 2, 1},
            ld[] = {9, 9, 9, most, 9};
  const auto block = [&](const int* m, const int* n) { return variable_batch<double>{array, m, n, ld, 5}; };
  eliminations<double> each;
  each.ipiv = pointer_vectors<int>(pivots);
  const check all({block(k, k), block(k, n2), block(m2, k), block(m2, n2)}, each, pivoting::partial,
                  form::left, schur::product, {-1, 8, -1});
  CHECK(all.A.count == 5);
  CHECK(all.bounds[0] == -1);
  CHECK(all.bounds[1] == -1);
  CHECK(all.bounds[2] == -1);
  const int infos[] = {0, 0, -3, -18, -18}, m[] = {5, 4, 0, most, 11}, n[] = {6, 0, 0, most, 3};
  for (int b = 0; b < 5; ++b) {
    CAPTURE(b);
    const cuda::checked<3> one = all(b);
    CHECK(one.info == infos[b]);
    CHECK(one.sizes[0] == m[b]);
    CHECK(one.sizes[1] == n[b]);
    CHECK(one.sizes[2] == std::max(k[b], 0));
    const check rest = all.part(b, 5 - b);
    CHECK(rest.A.count == 5 - b);
    CHECK(rest.form == form::left);
    CHECK(rest.schur == schur::product);
    CHECK(rest(0).info == infos[b]);
    CHECK(rest(0).sizes[0] == m[b]);
  }
  CHECK(check::work(extents{{5, 6, 2}}) == 30);
  CHECK(check::work(extents{{4, 3, 0}}) == 12);
  CHECK(check::work(extents{{most, most, most}}) == 1 << 30);
  const check bounded(all.A, each, pivoting::none, form::lapack, schur::subtract, {2, 3, most});
  CHECK(bounded.bounds[0] == 5);
  CHECK(bounded.bounds[1] == most);
}
