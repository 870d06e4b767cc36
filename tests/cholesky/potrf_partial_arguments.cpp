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

constexpr int untouched = 4711;

/// Legal arguments for k = 2 and batch_count = 2, n = 3 of fronts in one piece and n2 = 3 of those in blocks,
/// in memory of the host that no call may look at.
template <class T>
struct front_call {
  std::vector<T> A_data = std::vector<T>(64, T(untouched)), A11_data = A_data, A21_data = A_data,
                 A22_data = A_data;
  std::vector<T*> A_pointers = starts(A_data), A11_pointers = starts(A11_data),
                  A21_pointers = starts(A21_data), A22_pointers = starts(A22_data);
  std::vector<int> info_data = std::vector<int>(4, untouched);

  talus::uplo uplo = talus::uplo::lower;
  int n = 3, k = 2, n2 = 3, lda = 4, lda11 = 3, lda21 = 5, lda22 = 4;
  T *const *A_array = A_pointers.data(), *const *A11_array = A11_pointers.data(),
           *const *A21_array = A21_pointers.data(), *const *A22_array = A22_pointers.data();
  T *A = A_data.data(), *A11 = A11_data.data(), *A21 = A21_data.data(), *A22 = A22_data.data();
  std::int64_t stride_A = 16, stride_A11 = 16, stride_A21 = 16, stride_A22 = 16, count = 2;
  int* info = info_data.data();
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_n{3, 2}, all_k{2, 1}, all_ld{5, 4};
  const int *ns = all_n.data(), *ks = all_k.data(), *n2s = all_n.data(), *ldas = all_ld.data(),
            *lda11s = ldas, *lda21s = ldas, *lda22s = ldas;
  int n_max = 3, k_max = 2, n2_max = 3;

  static std::vector<T*> starts(std::vector<T>& data) { return {data.data(), data.data() + 32}; }
  bool is_untouched() const {
    const std::vector<T> all(64, T(untouched));
    return A_data == all && A11_data == all && A21_data == all && A22_data == all &&
           info_data == std::vector<int>(4, untouched);
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
         return potrf_partial_batched(c.uplo, c.n, c.k, c.A_array, c.lda, c.info, c.count, c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "any_k", "n2", "A11", "lda11", "A21", "lda21", "A22", "lda22", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_split_batched(c.uplo, c.k, c.n2, c.A11_array, c.lda11, c.A21_array, c.lda21,
                                            c.A22_array, c.lda22, c.info, c.count, c.q);
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
         return potrf_partial_strided_batched(c.uplo, c.n, c.k, c.A, c.lda, c.stride_A, c.info, c.count, c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "any_k", "n2", "A11", "lda11", "stride_A11", "A21", "lda21", "stride_A21", "A22", "lda22",
        "stride_A22", "info", "count", "q"},
       [](const call& c) {
         return potrf_partial_split_strided_batched(c.uplo, c.k, c.n2, c.A11, c.lda11, c.stride_A11, c.A21,
                                                    c.lda21, c.stride_A21, c.A22, c.lda22, c.stride_A22,
                                                    c.info, c.count, c.q);
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
         return potrf_partial_vbatched(c.uplo, c.ns, c.ks, c.A_array, c.ldas, c.info, c.count, c.n_max,
                                       c.k_max, c.q);
       }},
      {"potrf_partial_split",
       {"uplo", "ks", "n2s", "A11", "lda11s", "A21", "lda21s", "A22", "lda22s", "info", "count", "k_max",
        "n2_max", "q"},
       [](const call& c) {
         return potrf_partial_split_vbatched(c.uplo, c.ks, c.n2s, c.A11_array, c.lda11s, c.A21_array,
                                             c.lda21s, c.A22_array, c.lda22s, c.info, c.count, c.k_max,
                                             c.n2_max, c.q);
       }}};
  return entries;
}

template <class T>
std::vector<const std::vector<front_entry<T>>*> front_forms() {
  return {&front_pointers<T>(), &front_strided<T>(), &front_mixed<T>()};
}

template <class T>
using front_spoiler = spoiler<front_call<T>>;

/// Ways to make an argument illegal. (any_k: one that no other extent bounds.)
template <class T>
const std::vector<front_spoiler<T>>& front_spoilers() {
  using call = front_call<T>;
  static const std::vector<front_spoiler<T>> spoilers{
      {"uplo", [](call& c) { c.uplo = static_cast<uplo>('X'); }},
      {"uplo", [](call& c) { c.uplo = static_cast<uplo>(0); }},
      {"n", [](call& c) { c.n = -1; }},
      {"k", [](call& c) { c.k = -1; }},
      {"k", [](call& c) { c.k = 4; }},
      {"any_k", [](call& c) { c.k = -1; }},
      {"n2", [](call& c) { c.n2 = -1; }},
      {"A", [](call& c) { c.A = nullptr, c.A_array = nullptr; }},
      {"A11", [](call& c) { c.A11 = nullptr, c.A11_array = nullptr; }},
      {"A21", [](call& c) { c.A21 = nullptr, c.A21_array = nullptr; }},
      {"A22", [](call& c) { c.A22 = nullptr, c.A22_array = nullptr; }},
      {"lda", [](call& c) { c.lda = 2; }},
      {"lda11", [](call& c) { c.lda11 = 1; }},
      {"lda21", [](call& c) { c.lda21 = 2; }},
      {"lda22", [](call& c) { c.lda22 = 2; }},
      {"stride_A", [](call& c) { c.stride_A = 2; }},
      {"stride_A", [](call& c) { c.stride_A = -16; }},
      {"stride_A11", [](call& c) { c.stride_A11 = 1; }},
      {"stride_A11", [](call& c) { c.stride_A11 = -16; }},
      {"stride_A21", [](call& c) { c.stride_A21 = 2; }},
      {"stride_A21", [](call& c) { c.stride_A21 = -16; }},
      {"stride_A22", [](call& c) { c.stride_A22 = 2; }},
      {"stride_A22", [](call& c) { c.stride_A22 = -16; }},
      {"info", [](call& c) { c.info = nullptr; }},
      {"count", [](call& c) { c.count = -1; }},
      {"q", [](call& c) { c.q.where = static_cast<backend>(7); }},
      {"q", [](call& c) { c.q.options = 1; }},
      {"q", [](call& c) { c.q.reserved[1] = &c; }},
      {"ns", [](call& c) { c.ns = nullptr; }},
      {"ks", [](call& c) { c.ks = nullptr; }},
      {"n2s", [](call& c) { c.n2s = nullptr; }},
      {"ldas", [](call& c) { c.ldas = nullptr; }},
      {"lda11s", [](call& c) { c.lda11s = nullptr; }},
      {"lda21s", [](call& c) { c.lda21s = nullptr; }},
      {"lda22s", [](call& c) { c.lda22s = nullptr; }},
      {"n_max", [](call& c) { c.n_max = -2; }},
      {"k_max", [](call& c) { c.k_max = -2; }},
      {"n2_max", [](call& c) { c.n2_max = -2; }},
  };
  return spoilers;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments of potrf_partial are refused by number, nothing is touched",
                        "[arguments]", precisions) {
  using T = TestType;
  std::set<std::string> spoilt;
  for (const auto* form : front_forms<T>()) spoilt.merge(check_refusals(*form, front_spoilers<T>()));
  CHECK(spoilt.size() == 30);  // every argument that can be illegal
}

TEMPLATE_LIST_TEST_CASE("of A12, potrf_partial_split wants k rows", "[arguments]", precisions) {
  using T = TestType;
  // k = 2 and n2 = 3: a leading dimension of 2, too small for A21, does for A12.
  front_call<T> c;
  c.lda21 = 2;
  CHECK(front_pointers<T>()[1].call(c) == -7);
  CHECK(front_strided<T>()[1].call(c) == -8);
  c.uplo = uplo::upper;
  c.info = nullptr;  // the next that is illegal
  CHECK(front_pointers<T>()[1].call(c) == -10);
  CHECK(front_strided<T>()[1].call(c) == -13);
  c.stride_A21 = 5;  // three columns two elements apart are six
  CHECK(front_strided<T>()[1].call(c) == -9);
  c.lda21 = 1;
  CHECK(front_pointers<T>()[1].call(c) == -7);
  CHECK(front_strided<T>()[1].call(c) == -8);
  CHECK(c.is_untouched());
}

TEMPLATE_LIST_TEST_CASE("an empty batch of fronts needs nothing", "[arguments]", precisions) {
  using T = TestType;
  for (const auto* form : front_forms<T>()) {
    for (const front_entry<T>& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      front_call<T> c;
      c.q = test_queue();
      c.count = 0;
      for (const front_spoiler<T>& one : front_spoilers<T>()) {  // all that may be null is
        for (const char* const pointer :
             {"A", "A11", "A21", "A22", "info", "ns", "ks", "n2s", "ldas", "lda11s", "lda21s", "lda22s"})
          if (one.argument == pointer) one.spoil(c);
      }
      CHECK(e.call(c) == 0);
    }
  }
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
