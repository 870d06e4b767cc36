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

/// Legal arguments for k = 2, m2 = 3 and n2 = 4.
template <class T>
struct split_call : common_arguments {
  using R = real_of<T>;
  talus::form form = talus::form::lapack;
  talus::schur schur = talus::schur::subtract;
  int m2 = 3, n2 = 4, m2_max = 3, n2_max = 4;
  std::vector<int> all_n2{4, 1};
  const int *m2s = all_m.data(), *n2s = all_n2.data();
  matrix_argument<T> A11{3}, A12{2}, A21{5}, A22{4};
  matrix_argument<int> ipiv{0, 4}, replaced{0};
  R floor = R(0.5);
  const R* floors = nullptr;

  bool is_untouched() const {
    return A11.is_untouched() && A12.is_untouched() && A21.is_untouched() && A22.is_untouched() &&
           ipiv.is_untouched() && replaced.is_untouched() && info_is_untouched();
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
         return getrf_partial_split_batched(c.form, c.schur, c.k, c.m2, c.n2, c.A11.array, c.A11.ld,
                                            c.A12.array, c.A12.ld, c.A21.array, c.A21.ld, c.A22.array,
                                            c.A22.ld, c.ipiv.array, c.info, c.count, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form", "schur", "k", "m2", "n2", "A11", "lda11", "A12", "lda12", "A21", "lda21", "A22", "lda22",
        "floor", "floors", "replaced", "info", "count", "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_batched<T>(
             c.form, c.schur, c.k, c.m2, c.n2, c.A11.array, c.A11.ld, c.A12.array, c.A12.ld, c.A21.array,
             c.A21.ld, c.A22.array, c.A22.ld, c.floor, c.floors, c.replaced.slab, c.info, c.count, c.q);
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
         return getrf_partial_split_strided_batched(
             c.form, c.schur, c.k, c.m2, c.n2, c.A11.slab, c.A11.ld, c.A11.stride, c.A12.slab, c.A12.ld,
             c.A12.stride, c.A21.slab, c.A21.ld, c.A21.stride, c.A22.slab, c.A22.ld, c.A22.stride,
             c.ipiv.slab, c.ipiv.stride, c.info, c.count, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form",       "schur", "k",          "m2",       "n2",    "A11",        "lda11", "stride_A11",
        "A12",        "lda12", "stride_A12", "A21",      "lda21", "stride_A21", "A22",   "lda22",
        "stride_A22", "floor", "floors",     "replaced", "info",  "count",      "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_strided_batched<T>(
             c.form, c.schur, c.k, c.m2, c.n2, c.A11.slab, c.A11.ld, c.A11.stride, c.A12.slab, c.A12.ld,
             c.A12.stride, c.A21.slab, c.A21.ld, c.A21.stride, c.A22.slab, c.A22.ld, c.A22.stride, c.floor,
             c.floors, c.replaced.slab, c.info, c.count, c.q);
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
         return getrf_partial_split_vbatched(c.form, c.schur, c.ks, c.m2s, c.n2s, c.A11.array, c.A11.lds,
                                             c.A12.array, c.A12.lds, c.A21.array, c.A21.lds, c.A22.array,
                                             c.A22.lds, c.ipiv.array, c.info, c.count, c.k_max, c.m2_max,
                                             c.n2_max, c.q);
       }},
      {"getrf_partial_split_nopiv",
       {"form",   "schur", "ks",     "m2s",    "n2s",    "A11",   "lda11s", "A12",
        "lda12s", "A21",   "lda21s", "A22",    "lda22s", "floor", "floors", "replaced",
        "info",   "count", "k_max",  "m2_max", "n2_max", "q"},
       [](const call& c) {
         return getrf_partial_split_nopiv_vbatched<T>(
             c.form, c.schur, c.ks, c.m2s, c.n2s, c.A11.array, c.A11.lds, c.A12.array, c.A12.lds, c.A21.array,
             c.A21.lds, c.A22.array, c.A22.lds, c.floor, c.floors, c.replaced.slab, c.info, c.count, c.k_max,
             c.m2_max, c.n2_max, c.q);
       }}};
  return entries;
}

template <class T>
entry_lists<split_call<T>> split_forms() {
  return {&split_pointers<T>(), &split_strided<T>(), &split_mixed<T>()};
}

template <class T>
spoilers<split_call<T>> split_spoilers() {
  using call = split_call<T>;
  spoilers<call> all = common_spoilers<call>();
  for (const auto& one : spoilers<call>{{"form", [](call& c) { c.form = static_cast<form>('X'); }},
                                        {"form", [](call& c) { c.form = static_cast<form>(0); }},
                                        {"schur", [](call& c) { c.schur = static_cast<schur>('F'); }},
                                        {"schur", [](call& c) { c.schur = static_cast<schur>(0); }},
                                        {"floor", [](call& c) { c.floor = -1; }},
                                        {"floor", [](call& c) { c.floor = nan_of<real_of<T>>(); }},
                                        {"m2", [](call& c) { c.m2 = -1; }},
                                        {"n2", [](call& c) { c.n2 = -1; }},
                                        {"m2s", [](call& c) { c.m2s = nullptr; }, true},
                                        {"n2s", [](call& c) { c.n2s = nullptr; }, true},
                                        {"m2_max", [](call& c) { c.m2_max = -2; }},
                                        {"n2_max", [](call& c) { c.n2_max = -2; }}})
    all.push_back(one);
  add_matrix(all, "A11", &call::A11, 2);
  add_matrix(all, "A12", &call::A12, 2);
  add_matrix(all, "A21", &call::A21, 3);
  add_matrix(all, "A22", &call::A22, 3);
  add_vector(all, "ipiv", &call::ipiv, 2);
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of getrf_partial_split are refused by number, nothing is touched",
                        "[arguments]", precisions) {
  check_refusals(split_forms<TestType>(), split_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of fronts of LU needs nothing", "[arguments]", precisions) {
  check_empty(split_forms<TestType>(), split_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("of illegal arguments of getrf_partial_split all forms refuse the same",
                        "[arguments]", precisions) {
  using T = TestType;
  for (const form leaves : {form::lapack, form::left}) {
    for (const schur makes : {schur::subtract, schur::product}) {
      for (const auto* form : split_forms<T>()) {
        for (const split_entry<T>& e : *form) {
          for (const auto& one : split_spoilers<T>()) {
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
