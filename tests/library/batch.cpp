// Where the matrices and vectors of a batch start, as data, and how the host goes over them.
#include "batch.hpp"

#include <type_traits>

#include <algorithm>
#include <cstring>
#include <vector>

#include "catch.hpp"
#include "host/over_batch.hpp"

using namespace talus;

namespace {

/// Of whatever is a batch: kernels take it by value.
template <class Batch>
constexpr bool is_plain_data =
    std::is_trivially_copyable_v<Batch>&& std::is_standard_layout_v<Batch>&& std::is_aggregate_v<Batch>;

/// Further from the start than int counts.
constexpr std::int64_t far = std::int64_t{1} << 33;

}  // namespace

TEST_CASE("vectors of a batch start where its pointers point, or one stride after the other", "[table]") {
  int pivots[40] = {};
  int* const pointers[] = {pivots + 7, pivots, nullptr, pivots + 39};
  const vectors<int> by_pointers = pointer_vectors(pointers), by_strides = strided_vectors(pivots, 13);
  for (int b = 0; b < 4; ++b) {
    CAPTURE(b);
    CHECK(by_pointers[b] == pointers[b]);
    CHECK(by_strides[b] == pivots + 13 * b);
  }
  by_strides[2][1] = 5;
  CHECK(pivots[27] == 5);
  by_pointers[1][27] = 6;
  CHECK(by_strides[2][1] == 6);
}

TEST_CASE("vectors may overlap, lie backwards or be one for all", "[table]") {
  double tau[8] = {};
  CHECK(strided_vectors(tau, 0)[1000] == tau);
  CHECK(strided_vectors(tau, 1)[3] == tau + 3);
  CHECK(strided_vectors(tau + 7, -2)[3] == tau + 1);
}

TEST_CASE("vectors start beyond what int counts", "[table]") {
  // Addresses are only compared: nothing is there.
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  float* const slab = reinterpret_cast<float*>(std::uintptr_t{1} << 20);
  CHECK(address(strided_vectors(slab, 3)[far]) == (std::uintptr_t{1} << 20) + 3 * far * sizeof(float));
  CHECK(address(strided_vectors(slab, far)[3]) == (std::uintptr_t{1} << 20) + 3 * far * sizeof(float));
}

TEST_CASE("vectors that are only read are views of those that are written", "[table]") {
  int pivots[4] = {1, 2, 3, 4};
  int* const pointers[] = {pivots + 2};
  const vectors<const int> by_strides = read_only(strided_vectors(pivots, 2)),
                           by_pointers = read_only(pointer_vectors(pointers));
  static_assert(std::is_same_v<decltype(by_strides[0]), const int*>);
  CHECK(*by_strides[1] == 3);
  CHECK(*by_pointers[0] == 3);

  const int fixed[] = {5, 6};
  const int* const to_fixed[] = {fixed + 1};
  CHECK(*strided_vectors(fixed, 1)[1] == 6);
  CHECK(*pointer_vectors(to_fixed)[0] == 6);
  static_assert(std::is_same_v<decltype(pointer_vectors(to_fixed)), vectors<const int>>);
}

TEST_CASE("vectors that nobody asked for have no address", "[table]") {
  const vectors<int> none = strided_vectors<int>(nullptr, 0);
  CHECK(none[0] == nullptr);
  CHECK(none[17] == nullptr);
}

TEST_CASE("batches and vectors are plain data", "[table]") {
  static_assert(is_plain_data<batch<double>> && is_plain_data<batch<const float>>);
  static_assert(is_plain_data<vectors<int>> && is_plain_data<vectors<const std::complex<double>>>);
  static_assert(is_plain_data<variable_batch<float>>);
  SUCCEED();
}

TEST_CASE("a block of a batch is the same block of each of its matrices", "[table]") {
  double slab[120] = {};
  double* const pointers[] = {slab + 3, slab + 60};
  const batch<double> strided = strided_batch(slab, 4, 5, 6, 40, 3),
                      pointed = pointer_batch(pointers, 4, 5, 6, 2);
  CHECK(strided[2].A == slab + 80);
  CHECK(pointed[1].A == slab + 60);
  const batch<double> part = strided.block(1, 2, 3, 2);
  CHECK((part.m == 3 && part.n == 2 && part.lda == 6 && part.count == 3));
  CHECK(&part[1](0, 0) == &strided[1](1, 2));
  CHECK(&part[1](2, 1) == &strided[1](3, 3));
  CHECK(&part.block(1, 1, 1, 1)[2](0, 0) == &strided[2](2, 3));
  CHECK(&pointed.block(1, 2, 3, 2)[1](0, 0) == &pointed[1](1, 2));
  CHECK(&read_only(part)[2](1, 1) == &part[2](1, 1));
}

// ---- the way over a batch on the host ------------------------------------------------------------

namespace {

/// Writes the sum of each matrix's sizes into all min(m, n) elements of its vector: what LU does with pivots.
struct writes_pivots {
  int n_max_in_lanes;

  static int sum(int m, int n) { return 1000 * m + n; }
  int width() const { return 4; }
  host::lanes_range range() const { return {n_max_in_lanes, n_max_in_lanes, 0}; }
  std::size_t lanes_bytes(int m, int n) const { return alone_bytes(m, n); }
  std::size_t alone_bytes(int m, int n) const { return static_cast<std::size_t>(m + n); }
  void in_lanes(const host::group<double>& A, const host::vector_group<int>& pivots, int* infos,
                void* scratch) const {
    for (int l = 0; l < width(); ++l)
      infos[l] = alone(matrix<double>{A.of[l], A.m, A.n, A.lda}, pivots.of[l], scratch);
  }
  int alone(const matrix<double>& A, int* pivots, void* scratch) const {
    if (std::min(A.m, A.n) < 1) return -99;  // there is nothing to do with it
    std::memset(scratch, 1, alone_bytes(A.m, A.n));
    std::fill_n(pivots, std::min(A.m, A.n), sum(A.m, A.n));
    A(A.m - 1, A.n - 1) = -sum(A.m, A.n);
    return A.m < A.n ? A.m : 0;
  }
};

}  // namespace

TEST_CASE("rectangles and the vectors beside them go over a batch on the host", "[table]") {
  // Of equal sizes, and each of its own: wide, tall, square, empty, and too large for lanes.
  constexpr int shapes[][2] = {{4, 3}, {5, 3},  {4, 4}, {5, 3}, {0, 4},
                               {4, 0}, {9, 12}, {3, 5}, {5, 3}, {12, 9}};
  constexpr int count = 10, most = 12;
  std::vector<double> elements(count * most * most);
  std::vector<int> pivots(count * most, -1), m, n, lda, info(count, -1);
  std::vector<double*> A_array;
  std::vector<int*> pivot_array;
  for (int b = 0; b < count; ++b) {
    m.push_back(shapes[b][0]);
    n.push_back(shapes[b][1]);
    lda.push_back(std::max(1, shapes[b][0]));
    A_array.push_back(elements.data() + b * most * most);
    pivot_array.push_back(pivots.data() + b * most);
  }
  const writes_pivots routine{5};
  const variable_batch<double> mixed{A_array.data(), m.data(), n.data(), lda.data(), count};
  const auto check = [](const matrix<double>& A, const int*) { return A.m == 12 ? -3 : 0; };
  CHECK(host::over_sizes(routine, check, info.data(), mixed, pointer_vectors(pivot_array.data())) == 0);
  for (int b = 0; b < count; ++b) {
    CAPTURE(b);
    const int k = std::min(m[static_cast<std::size_t>(b)], n[static_cast<std::size_t>(b)]);
    const bool is_done = k > 0 && b != 9;  // the last one is illegal
    const int wanted = writes_pivots::sum(shapes[b][0], shapes[b][1]);
    for (int i = 0; i < most; ++i)
      CHECK(pivot_array[static_cast<std::size_t>(b)][i] == (is_done && i < k ? wanted : -1));
    if (is_done) CHECK(mixed[b](shapes[b][0] - 1, shapes[b][1] - 1) == -wanted);
    CHECK(info[static_cast<std::size_t>(b)] == (b == 9                                   ? -3
                                                : is_done && shapes[b][0] < shapes[b][1] ? shapes[b][0]
                                                                                         : 0));
  }
  for (const int in_lanes : {0, 5}) {
    std::fill(pivots.begin(), pivots.end(), -1);
    const auto equal = strided_batch(elements.data(), 3, 5, 3, most * most, count);
    CHECK(host::over_batch(writes_pivots{in_lanes}, info.data(), equal,
                           strided_vectors(pivots.data(), most)) == 0);
    CHECK(std::count(pivots.begin(), pivots.end(), 3005) == 3 * count);
    CHECK(std::count(info.begin(), info.end(), 3) == count);
  }
}
