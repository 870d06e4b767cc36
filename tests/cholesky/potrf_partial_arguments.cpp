// Needs: potrf_partial

// Illegal arguments of potrf_partial and potrf_partial_split: the right -i, and nothing touched. The checks
// are the same on both backends and need no device.
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "check.hpp"
#include "checks/cholesky.hpp"
#include "refusals.hpp"
#include "talus/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Legal arguments for k = 2, n = 3 of fronts in one piece, and n2 = 3 of fronts in blocks.
template <class T>
struct front_call : common_arguments {
  talus::uplo uplo = talus::uplo::lower;
  int n2 = 3, n2_max = 3;
  const int* n2s = all_n.data();
  matrix_argument<T> A{4}, A11{3}, A21{5}, A22{4};

  bool is_untouched() const {
    return A.is_untouched() && A11.is_untouched() && A21.is_untouched() && A22.is_untouched() &&
           info_is_untouched();
  }
};

template <class T>
using front_entry = entry<front_call<T>>;

template <class T>
const std::vector<front_entry<T>>& front_pointers() {
  using call = front_call<T>;
  static const std::vector<front_entry<T>> entries{
      {"potrf_partial",
       {"uplo", "n", "k", "A", "lda", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_batched(c.uplo, c.n, c.k, c.A.array, c.A.ld, c.info, c.count, c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "any_k", "n2", "A11", "lda11", "A21", "lda21", "A22", "lda22", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_split_batched(c.uplo, c.k, c.n2, c.A11.array, c.A11.ld, c.A21.array, c.A21.ld,
                                            c.A22.array, c.A22.ld, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<front_entry<T>>& front_strided() {
  using call = front_call<T>;
  static const std::vector<front_entry<T>> entries{
      {"potrf_partial",
       {"uplo", "n", "k", "A", "lda", "stride_A", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_strided_batched(c.uplo, c.n, c.k, c.A.slab, c.A.ld, c.A.stride, c.info, c.count,
                                              c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "any_k", "n2", "A11", "lda11", "stride_A11", "A21", "lda21", "stride_A21", "A22", "lda22",
        "stride_A22", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_split_strided_batched(c.uplo, c.k, c.n2, c.A11.slab, c.A11.ld, c.A11.stride,
                                                    c.A21.slab, c.A21.ld, c.A21.stride, c.A22.slab, c.A22.ld,
                                                    c.A22.stride, c.info, c.count, c.q);
       }}};
  return entries;
}

template <class T>
const std::vector<front_entry<T>>& front_mixed() {
  using call = front_call<T>;
  static const std::vector<front_entry<T>> entries{
      {"potrf_partial",
       {"uplo", "ns", "ks", "A", "ldas", "info", "count", "n_max", "k_max", "q"},
       [](const call& c) {
         return potrf_partial_vbatched(c.uplo, c.ns, c.ks, c.A.array, c.A.lds, c.info, c.count, c.n_max,
                                       c.k_max, c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "ks", "n2s", "A11", "lda11s", "A21", "lda21s", "A22", "lda22s", "info", "count", "k_max",
        "n2_max", "q"},
       [](const call& c) {
         return potrf_partial_split_vbatched(c.uplo, c.ks, c.n2s, c.A11.array, c.A11.lds, c.A21.array,
                                             c.A21.lds, c.A22.array, c.A22.lds, c.info, c.count, c.k_max,
                                             c.n2_max, c.q);
       }}};
  return entries;
}

template <class T>
entry_lists<front_call<T>> front_forms() {
  return {&front_pointers<T>(), &front_strided<T>(), &front_mixed<T>()};
}

template <class T>
spoilers<front_call<T>> front_spoilers() {
  using call = front_call<T>;
  spoilers<call> all = common_spoilers<call>();
  for (const auto& one : spoilers<call>{{"uplo", [](call& c) { c.uplo = static_cast<uplo>('X'); }},
                                        {"uplo", [](call& c) { c.uplo = static_cast<uplo>(0); }},
                                        {"k", [](call& c) { c.k = 4; }},
                                        {"any_k", [](call& c) { c.k = -1; }},  // no other extent bounds it
                                        {"n2", [](call& c) { c.n2 = -1; }},
                                        {"n2s", [](call& c) { c.n2s = nullptr; }, true},
                                        {"n2_max", [](call& c) { c.n2_max = -2; }}})
    all.push_back(one);
  add_matrix(all, "A", &call::A, 3);
  add_matrix(all, "A11", &call::A11, 2);
  add_matrix(all, "A21", &call::A21, 3);
  add_matrix(all, "A22", &call::A22, 3);
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of potrf_partial are refused by number, nothing is touched",
                        "[arguments]", precisions) {
  check_refusals(front_forms<TestType>(), front_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("of A12, potrf_partial_split wants k rows", "[arguments]", precisions) {
  using T = TestType;
  // k = 2 and n2 = 3: a leading dimension of 2, too small for A21, does for A12.
  front_call<T> c;
  c.A21.ld = 2;
  CHECK(front_pointers<T>()[1].call(c) == -7);
  CHECK(front_strided<T>()[1].call(c) == -8);
  c.uplo = uplo::upper;
  c.info = nullptr;  // the next that is illegal
  CHECK(front_pointers<T>()[1].call(c) == -10);
  CHECK(front_strided<T>()[1].call(c) == -13);
  c.A21.stride = 5;  // three columns two elements apart are six
  CHECK(front_strided<T>()[1].call(c) == -9);
  c.A21.ld = 1;
  CHECK(front_pointers<T>()[1].call(c) == -7);
  CHECK(front_strided<T>()[1].call(c) == -8);
  CHECK(c.is_untouched());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of fronts needs nothing", "[arguments]", precisions) {
  check_empty(front_forms<TestType>(), front_spoilers<TestType>());
}

TEMPLATE_LIST_TEST_CASE("on a GPU, the slabs of fronts begin at a whole element", "[arguments]", precisions) {
  using T = TestType;
  using call = front_call<T>;
  check_misplaced<call, T>(front_strided<T>(),
                           {{"A", &call::A}, {"A11", &call::A11}, {"A21", &call::A21}, {"A22", &call::A22}});
}

TEST_CASE("without a device, cuda queues say so of fronts, too", "[arguments]") {
#ifdef TALUS_HAVE_D
  check_no_device(front_forms<double>());
#endif
}

TEST_CASE("the scratch sizes of fronts are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  // k + n2 is more than an int holds.
  const int most = std::numeric_limits<int>::max();
  CHECK(potrf_partial_split_work<double>(most, most, 1000) >= potrf_partial_work<double>(most, 5, 1000));
  for (const int n : {0, 1, 100, 1000}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}}) {
      CAPTURE(n, count);
      CHECK(potrf_partial_work<double>(n, n / 2, count) ==
            potrf_partial_split_work<double>(n / 2, n - n / 2, count));
      CHECK(potrf_partial_vbatched_work<double>(n, n / 2, count) ==
            potrf_partial_split_vbatched_work<double>(n / 2, n - n / 2, count));
      CHECK(potrf_partial_work<double>(n, n / 2, count) >= potrf_partial_work<double>(n / 2, 0, count));
    }
  }
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int n_max : {-1, 0, 100, most}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CAPTURE(n_max, count);
      CHECK(potrf_partial_vbatched_work<double>(n_max, -1, count) > 0);
      CHECK(potrf_partial_split_vbatched_work<double>(n_max, -1, count) > 0);
      CHECK(potrf_partial_split_vbatched_work<double>(-1, n_max, count) > 0);
      CHECK(potrf_partial_vbatched_work<double>(n_max, n_max, count) >=
            potrf_partial_vbatched_work<double>(n_max, n_max, count / 2));
    }
  }
#endif
}

TEST_CASE("what is illegal of one front among mixed sizes has its number", "[arguments]") {
  using cholesky::check_front;
  using cholesky::check_split;
  double a[1];
  CHECK(check_front(matrix<double>{a, 9, 9, 9}, 9, 9, 9) == 0);
  CHECK(check_front(matrix<double>{nullptr, 0, 0, 1}, 0, 0, 0) == 0);
  CHECK(check_front(matrix<double>{a, 9, 9, 9}, 4, -1, -1) == 0);
  CHECK(check_front(matrix<double>{a, -1, -1, 9}, 0, 9, 9) == -2);
  CHECK(check_front(matrix<double>{a, 9, 9, 9}, 10, 9, 9) == -3);
  CHECK(check_front(matrix<double>{nullptr, 9, 9, 9}, 0, 9, 9) == -4);
  CHECK(check_front(matrix<double>{a, 9, 9, 8}, 3, 9, 9) == -5);
  CHECK(check_front(matrix<double>{a, 9, 9, 9}, 3, 8, 2) == -8);
  CHECK(check_front(matrix<double>{a, 9, 9, 9}, 3, 9, 2) == -9);

  // k = 2, n2 = 5: of A21 five rows, of A12 two.
  const matrix<double> A11{a, 2, 2, 2}, A21{a, 5, 2, 5}, A12{a, 2, 5, 2}, A22{a, 5, 5, 5};
  CHECK(check_split(A11, A21, A22, true, 2, 5) == 0);
  CHECK(check_split(A11, A12, A22, false, 2, 5) == 0);
  CHECK(check_split(A11, matrix<double>{a, 5, 2, 4}, A22, true, 2, 5) == -7);
  CHECK(check_split(A11, matrix<double>{a, 2, 5, 1}, A22, false, 2, 5) == -7);
  CHECK(check_split(A11, A21, A22, true, 1, 4) == -12);
  CHECK(check_split(A11, A21, A22, true, 2, 4) == -13);
  CHECK(check_split(A11, A21, A22, true, -1, -1) == 0);
}
