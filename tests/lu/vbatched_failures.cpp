// Needs: getrf getrs gesv getri

// LU of mixed sizes with failures and illegal sizes among them: what info says, what is left alone. Every
// case runs on the backend under test.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "lu/vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Zeros and NaN in the middle of a batch: info says where, what is not to be touched is as it was, and the
/// neighbours get the bits that they get without a failure.
template <class T>
void fail_and_check(routine r, const std::vector<shape>& shapes, bool wants_info) {
  CAPTURE(static_cast<int>(r), shapes.size(), wants_info);
  general_library<T> A("dominant");
  const size_bounds most = bounds_of(shapes);
  const auto healthy = operands(r, A, shapes);
  REQUIRE(healthy->run(r, most) == 0);
  const lu_results<T> expected = healthy->finished(r);
  CHECK(all_zero(expected.info));

  std::vector<slab<T>> spoilt = healthy->A.host;
  std::vector<int> columns, infos(shapes.size());
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    columns.push_back(shapes[b].k);
    const int k = eliminated(r, shapes[b]);
    if (b % 3 != 1 || k == 0) continue;
    const int places[] = {0, k / 2, k - 1}, j = places[b / 3 % 3];
    infos[b] = j + 1;
    if (b / 9 % 2 == 0) {
      spoilt[b].at(0, j, j) = nan_of<T>();
    } else {  // a column of zeros, or a zero on U's diagonal
      for (int i = 0; i < shapes[b].m; ++i) {
        if (!takes_factors(r) || i == j) spoilt[b].at(0, i, j) = T(0);
      }
    }
  }
  lu_batch<T> batch(spoilt, columns, healthy->ipiv.host, healthy->B.host);
  if (wants_info) {
    REQUIRE(batch.run(r, most) == 0);
  } else {
    REQUIRE(batch.run(r, most, nullptr, test_queue(), op::none) == 0);
  }
  const lu_results<T> now = batch.finished(r);
  if (wants_info) CHECK(now.info == infos);
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    CAPTURE(b, shapes[b].m, shapes[b].n, infos[b]);
    if (infos[b] == 0) {
      CHECK(now.A[b].same_bits(expected.A[b]));
      CHECK(now.B[b].same_bits(expected.B[b]));
      CHECK(now.C[b].same_bits(expected.C[b]));
      CHECK(now.ipiv[b] == expected.ipiv[b]);
    } else {
      CHECK(now.B[b].same_bits(batch.B.host[b]));
      CHECK(now.C[b].same_bits(batch.C.host[b]));
      if (takes_factors(r)) CHECK(now.A[b].same_bits(spoilt[b]));
      if (!takes_factors(r) && !is_nopiv(r)) {
        CHECK(are_pivots(now.ipiv[b], is_partial(r) ? shapes[b].k : shapes[b].m));
        CHECK(now.ipiv[b][static_cast<std::size_t>(infos[b] - 1)] == infos[b]);
      }
    }
  }
}

/// The arguments of a routine of which one matrix may have an illegal one, by their numbers. m_max and its
/// kin: a size above that bound.
const std::map<routine, std::map<std::string, int>>& numbers() {
  static const std::map<routine, std::map<std::string, int>> all{
      {routine::getrf, {{"m", 1}, {"n", 2}, {"A", 3}, {"lda", 4}, {"ipiv", 5}, {"m_max", 8}, {"n_max", 9}}},
      {routine::getrf_nopiv, {{"m", 1}, {"n", 2}, {"A", 3}, {"lda", 4}, {"m_max", 10}, {"n_max", 11}}},
      {routine::getrf_partial,
       {{"m", 1},
        {"n", 2},
        {"k", 3},
        {"A", 4},
        {"lda", 5},
        {"ipiv", 6},
        {"m_max", 9},
        {"n_max", 10},
        {"k_max", 11}}},
      {routine::getrf_partial_nopiv,
       {{"m", 1}, {"n", 2}, {"k", 3}, {"A", 4}, {"lda", 5}, {"m_max", 11}, {"n_max", 12}, {"k_max", 13}}},
      {routine::getrs,
       {{"n", 2},
        {"nrhs", 3},
        {"A", 4},
        {"lda", 5},
        {"ipiv", 6},
        {"B", 7},
        {"ldb", 8},
        {"n_max", 11},
        {"nrhs_max", 12}}},
      {routine::getrs_nopiv,
       {{"n", 2}, {"nrhs", 3}, {"A", 4}, {"lda", 5}, {"B", 6}, {"ldb", 7}, {"n_max", 10}, {"nrhs_max", 11}}},
      {routine::gesv,
       {{"n", 1},
        {"nrhs", 2},
        {"A", 3},
        {"lda", 4},
        {"ipiv", 5},
        {"B", 6},
        {"ldb", 7},
        {"n_max", 10},
        {"nrhs_max", 11}}},
      {routine::getri, {{"n", 1}, {"A", 2}, {"lda", 3}, {"ipiv", 4}, {"n_max", 7}}},
      {routine::getri_outofplace,
       {{"n", 1}, {"A", 2}, {"lda", 3}, {"ipiv", 4}, {"C", 5}, {"ldc", 6}, {"n_max", 9}}}};
  return all;
}

/// Matrix b of a batch of order 6 with k = 4, nrhs = 3, leading dimensions of 8, made illegal.
template <class T>
void spoil(lu_batch<T>& batch, std::size_t b, const std::string& argument) {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const auto larger = [&](int& extent) {  // than its bound of 6, although there is no more memory
    extent = 41;
    batch.A.lds[b] = batch.B.lds[b] = batch.C.lds[b] = 50;
  };
  if (argument == "m") batch.A.rows[b] = -1;
  if (argument == "n") batch.A.columns[b] = b % 2 == 0 ? -1 : least;
  if (argument == "k") batch.columns[b] = b % 2 == 0 ? -1 : 7;  // or more than there are columns
  if (argument == "nrhs") batch.B.columns[b] = -1;
  if (argument == "A") batch.A.starts[b] = nullptr;
  if (argument == "B") batch.B.starts[b] = nullptr;
  if (argument == "C") batch.C.starts[b] = nullptr;
  if (argument == "ipiv") batch.ipiv.starts[b] = nullptr;
  if (argument == "lda") batch.A.lds[b] = 5;
  if (argument == "ldb") batch.B.lds[b] = 5;
  if (argument == "ldc") batch.C.lds[b] = 5;
  if (argument == "m_max") larger(batch.A.rows[b]);
  if (argument == "n_max") larger(batch.A.columns[b]);
  if (argument == "k_max") batch.columns[b] = 6;
  if (argument == "nrhs_max") batch.B.columns[b] = b % 2 == 0 ? 4 : most;
}

template <class T>
void refuse_and_check(routine r, bool bounds_known, bool wants_info) {
  CAPTURE(static_cast<int>(r), bounds_known, wants_info);
  const std::map<std::string, int>& number = numbers().at(r);
  std::vector<std::vector<std::string>> spoilt{{}, {}};
  for (const auto& [one, i] : number) {
    const bool is_bound = one.find("_max") != std::string::npos;
    if (is_bound && !bounds_known) continue;
    for (int twice = 0; twice < 2; ++twice) {  // at an even place, and at an odd one
      spoilt.push_back({one});
      spoilt.push_back({});
    }
    spoilt.push_back({one});
    for (const auto& [other, later] : number) {
      // A bound does not go with what it makes of the others.
      if (later > i && other.find("_max") == std::string::npos) spoilt.push_back({one, other});
    }
  }
  const std::vector<shape> shapes(spoilt.size(), {6, 6, 4, 3});
  general_library<T> A("dominant");
  const auto healthy = operands(r, A, shapes), batch = operands(r, A, shapes);
  REQUIRE(healthy->run(r, {6, 6, 4, 3}) == 0);
  const lu_results<T> expected = healthy->finished(r);
  std::vector<int> infos;
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    for (const std::string& argument : spoilt[b]) spoil(*batch, b, argument);
    infos.push_back(spoilt[b].empty() ? 0 : -number.at(spoilt[b][0]));
  }
  batch->upload();
  const size_bounds most = bounds_known ? size_bounds{6, 6, 4, 3} : size_bounds{};
  int* const info = wants_info ? batch->info.data() : nullptr;
  REQUIRE(batch->run(r, most, info, test_queue(), op::none) == 0);
  const lu_results<T> now = batch->finished(r);
  if (wants_info) CHECK(now.info == infos);
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    CAPTURE(b, infos[b], spoilt[b].empty() ? "nothing" : spoilt[b][0]);
    if (infos[b] == 0) {
      CHECK(now.A[b].same_bits(expected.A[b]));
      CHECK(now.B[b].same_bits(expected.B[b]));
      CHECK(now.C[b].same_bits(expected.C[b]));
      CHECK(now.ipiv[b] == expected.ipiv[b]);
    } else {
      CHECK(now.A[b].same_bits(batch->A.host[b]));
      CHECK(now.B[b].same_bits(batch->B.host[b]));
      CHECK(now.C[b].same_bits(batch->C.host[b]));
      CHECK(now.ipiv[b] == batch->ipiv.host[b]);
    }
    if (r == routine::getrf_nopiv || r == routine::getrf_partial_nopiv) CHECK(now.replaced[b] == 0);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a failure of LU among mixed sizes is reported and harms no neighbour",
                        "[lu_vbatched]", precisions) {
  using T = TestType;
  for (const routine r : every_routine) {
    for (const bool wants_info : {true, false}) {
      if (!wants_info && !takes_factors(r)) continue;
      fail_and_check<T>(r, some_systems(40, 200, 1), wants_info);
      fail_and_check<T>(r, some_systems(300, 33, 2), wants_info);
      fail_and_check<T>(r, std::vector<shape>(60, {8, 8, 5, 2}), wants_info);
      if (!takes_factors(r) && !takes_sides(r)) fail_and_check<T>(r, some_shapes(60, 70, 3), wants_info);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("of LU a matrix of illegal size is skipped and reported by argument", "[lu_vbatched]",
                        precisions) {
  for (const routine r : every_routine) {
    for (const bool bounds_known : {true, false}) {
      refuse_and_check<TestType>(r, bounds_known, true);
      if (takes_factors(r)) refuse_and_check<TestType>(r, bounds_known, false);
    }
  }
}

TEST_CASE("of LU a null pointer is legal where there is nothing to point at", "[lu_vbatched]") {
#ifdef TALUS_HAVE_D
  for (const routine r : every_routine) {
    CAPTURE(static_cast<int>(r));
    const std::vector<shape> shapes(9, {6, 6, 4, 3});
    general_library<double> A("dominant");
    const auto batch = operands(r, A, shapes);
    const bool square = takes_factors(r) || takes_sides(r);
    for (const std::size_t b : {1, 4}) {  // no columns: nothing is there at all
      batch->A.starts[b] = batch->B.starts[b] = batch->C.starts[b] = nullptr;
      batch->ipiv.starts[b] = nullptr;
      batch->A.columns[b] = batch->columns[b] = 0;
      if (square) batch->A.rows[b] = 0;
    }
    batch->B.starts[6] = nullptr;  // no right-hand sides
    batch->B.columns[6] = 0;
    if (!takes_sides(r) && is_partial(r)) {  // no pivots
      batch->ipiv.starts[7] = nullptr;
      batch->columns[7] = 0;
    }
    batch->upload();
    REQUIRE(batch->run(r, {6, 6, 4, 3}) == 0);
    const lu_results<double> now = batch->finished(r);
    CHECK(all_zero(now.info));
    if (!square && is_partial(r)) CHECK(now.A[7].same_bits(batch->A.host[7]));
  }
#endif
}

TEST_CASE("failures of LU of all kinds among mixed sizes, whatever info held before", "[lu_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::vector<shape> shapes{{0, 0, 0, 0},      {5, 5, 2, 1},     {64, 64, 20, 1}, {3, 9, 3, 1},
                                  {100, 100, 40, 1}, {8, 8, 8, 1},     {33, 33, 9, 1},  {0, 7, 0, 1},
                                  {17, 17, 3, 1},    {129, 129, 5, 1}, {2, 2, 1, 1},    {9, 3, 2, 1}};
  for (const routine r : factorizations) {
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(static_cast<int>(r), stale);
      general_library<double> A("dominant");
      const auto batch = operands(r, A, shapes);
      std::vector<slab<double>> spoilt = batch->A.host;
      spoilt[2].at(0, 15, 15) = nan_of<double>();
      for (int i = 0; i < 100; ++i) spoilt[4].at(0, i, 39) = 0;
      std::vector<int> columns;
      for (const shape& s : shapes) columns.push_back(s.k);
      lu_batch<double> now(spoilt, columns, batch->ipiv.host, batch->B.host);
      now.A.lds[6] = 32;
      now.A.starts[8] = nullptr;
      now.upload();
      const std::vector<int> before(shapes.size() + 1, stale);
      array<int>& replaced = now.replaced.memory;
      const array<int> info(before);
      replaced.upload(before);
      REQUIRE(now.run(r, bounds_of(shapes), info.data(), test_queue(), op::none) == 0);
      finish();
      const int lda = is_partial(r) ? -5 : -4;
      CHECK(info.download() == std::vector<int>{0, 0, 16, 0, 40, 0, lda, 0, lda + 1, 0, 0, 0, stale});
      if (is_nopiv(r)) {
        std::vector<int> counted(shapes.size() + 1, 0);
        counted.back() = stale;
        CHECK(replaced.download() == counted);
      }
    }
  }
#endif
}

TEST_CASE("sizes above a bound of 0 are refused by LU without arrays of pointers", "[lu_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::vector<int> n{0, 3, -1};
  const array<int> sizes(n), ones(std::vector<int>{1, 3, 1}), zeros(std::vector<int>{0, 0, 0});
  const info_array factor(3), wide(3), solve(3), sides(3), inverse(3);
  const queue q = test_queue();
  REQUIRE(getrf_vbatched<double>(sizes.data(), sizes.data(), nullptr, ones.data(), nullptr, factor.data(), 3,
                                 0, 0, q) == 0);
  REQUIRE(getrf_nopiv_vbatched<double>(zeros.data(), sizes.data(), nullptr, ones.data(), 0, nullptr, nullptr,
                                       wide.data(), 3, 0, 2, q) == 0);
  REQUIRE(gesv_vbatched<double>(sizes.data(), zeros.data(), nullptr, ones.data(), nullptr, nullptr,
                                ones.data(), solve.data(), 3, 0, 2, q) == 0);
  REQUIRE(getrs_vbatched<double>(op::none, zeros.data(), sizes.data(), nullptr, ones.data(), nullptr, nullptr,
                                 ones.data(), sides.data(), 3, 0, 3, q) == 0);
  REQUIRE(getri_vbatched<double>(sizes.data(), nullptr, ones.data(), nullptr, inverse.data(), 3, 0, q) == 0);
  finish();
  CHECK(factor.download() == std::vector<int>{0, -3, -1});
  CHECK(wide.download() == std::vector<int>{0, -11, -2});
  CHECK(solve.download() == std::vector<int>{0, -3, -1});
  CHECK(sides.download() == std::vector<int>{0, 0, -3});
  CHECK(inverse.download() == std::vector<int>{0, -2, -1});
#endif
}

TEMPLATE_LIST_TEST_CASE("failures of LU among mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const routine r : every_routine) {
    fail_and_check<T>(r, some_systems(12, 70, 1), true);
    refuse_and_check<T>(r, true, true);
    if (takes_factors(r)) refuse_and_check<T>(r, false, false);
  }
}
