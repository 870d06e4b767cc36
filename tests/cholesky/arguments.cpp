// Needs: potrf potrs posv potri

// Illegal arguments: the right -i, and nothing touched. The checks are the same on both backends and need no
// device.
#include <limits>
#include <set>

#include "c_api.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "talus/talus.h"
#include "talus/vbatched.hpp"
#include "validate.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr int untouched = 4711;

/// Legal arguments for n = 3, nrhs = 2, batch_count = 2, each of which a case replaces by an illegal one. The
/// memory is the host's whatever the queue says: a call that is refused must not look at it.
template <class T>
struct call {
  std::vector<T> A_data = std::vector<T>(64, T(untouched)), B_data = A_data;
  std::vector<T*> A_pointers{A_data.data(), A_data.data() + 16},
      B_pointers{B_data.data(), B_data.data() + 16};
  std::vector<int> info_data{untouched, untouched};

  talus::uplo uplo = talus::uplo::lower;
  int n = 3, nrhs = 2, lda = 4, ldb = 5;
  T* const* A_array = A_pointers.data();
  T* const* B_array = B_pointers.data();
  T* A = A_data.data();
  T* B = B_data.data();
  std::int64_t stride_A = 16, stride_B = 16, batch_count = 2;
  int* info = info_data.data();
  queue q = queue::host();

  // Of variable size: n, nrhs and leading dimensions of each matrix, and bounds.
  std::vector<int> all_n{3, 2}, all_nrhs{2, 1}, all_lda{4, 2}, all_ldb{5, 2};
  const int *n_array = all_n.data(), *nrhs_array = all_nrhs.data(), *lda_array = all_lda.data(),
            *ldb_array = all_ldb.data();
  int n_max = 3, nrhs_max = 2;

  int potrf() { return checked(potrf_batched(uplo, n, A_array, lda, info, batch_count, q)); }
  int potrf_strided() {
    return checked(potrf_strided_batched(uplo, n, A, lda, stride_A, info, batch_count, q));
  }
  int potri() { return checked(potri_batched(uplo, n, A_array, lda, info, batch_count, q)); }
  int potri_strided() {
    return checked(potri_strided_batched(uplo, n, A, lda, stride_A, info, batch_count, q));
  }
  int potrs() {
    return checked(potrs_batched<T>(uplo, n, nrhs, A_array, lda, B_array, ldb, info, batch_count, q));
  }
  int potrs_strided() {
    return checked(
        potrs_strided_batched<T>(uplo, n, nrhs, A, lda, stride_A, B, ldb, stride_B, info, batch_count, q));
  }
  int posv() {
    return checked(posv_batched(uplo, n, nrhs, A_array, lda, B_array, ldb, info, batch_count, q));
  }
  int posv_strided() {
    return checked(
        posv_strided_batched(uplo, n, nrhs, A, lda, stride_A, B, ldb, stride_B, info, batch_count, q));
  }

  int potrf_v() {
    return checked(potrf_vbatched(uplo, n_array, A_array, lda_array, info, batch_count, n_max, q));
  }
  int potri_v() {
    return checked(potri_vbatched(uplo, n_array, A_array, lda_array, info, batch_count, n_max, q));
  }
  int potrs_v() {
    return checked(potrs_vbatched<T>(uplo, n_array, nrhs_array, A_array, lda_array, B_array, ldb_array, info,
                                     batch_count, n_max, nrhs_max, q));
  }
  int posv_v() {
    return checked(posv_vbatched<T>(uplo, n_array, nrhs_array, A_array, lda_array, B_array, ldb_array, info,
                                    batch_count, n_max, nrhs_max, q));
  }

  int checked(int status) const {
    const std::vector<T> all(64, T(untouched));
    CHECK(A_data == all);
    CHECK(B_data == all);
    CHECK(info_data == std::vector<int>{untouched, untouched});
    return status;
  }
};

template <class T>
using entry = int (call<T>::*)();
template <class T>
const std::vector<entry<T>> of_equal_sizes{
    &call<T>::potrf, &call<T>::potri, &call<T>::potrf_strided, &call<T>::potri_strided,
    &call<T>::potrs, &call<T>::posv,  &call<T>::potrs_strided, &call<T>::posv_strided};
template <class T>
const std::vector<entry<T>> of_variable_size{&call<T>::potrf_v, &call<T>::potri_v, &call<T>::potrs_v,
                                             &call<T>::posv_v};

/// A call with one thing spoilt, run by each entry; `expected` gives -i for the entries in their order, 0 for
/// one that does not have the argument.
template <class T, class Spoil>
void refused(const char* what, Spoil spoil, std::vector<int> expected,
             const std::vector<entry<T>>& entries = of_equal_sizes<T>) {
  for (const backend where : {backend::host, backend::cuda}) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (expected[e] == 0) continue;
      CAPTURE(what, e, static_cast<int>(where));
      call<T> c;
      c.q.where = where;
      spoil(c);
      CHECK((c.*entries[e])() == expected[e]);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal arguments are refused by number, nothing is touched", "[arguments]",
                        precisions) {
  using T = TestType;
  using call = call<T>;
  // In the order of of_equal_sizes: potrf, potri, both strided; potrs, posv, both strided.
  refused<T>("uplo", [](call& c) { c.uplo = static_cast<uplo>('X'); }, {-1, -1, -1, -1, -1, -1, -1, -1});
  refused<T>("uplo 0", [](call& c) { c.uplo = static_cast<uplo>(0); }, {-1, -1, -1, -1, -1, -1, -1, -1});
  refused<T>("n", [](call& c) { c.n = -1; }, {-2, -2, -2, -2, -2, -2, -2, -2});
  refused<T>("nrhs", [](call& c) { c.nrhs = -1; }, {0, 0, 0, 0, -3, -3, -3, -3});
  refused<T>("A", [](call& c) { c.A = nullptr, c.A_array = nullptr; }, {-3, -3, -3, -3, -4, -4, -4, -4});
  refused<T>("lda", [](call& c) { c.lda = 2; }, {-4, -4, -4, -4, -5, -5, -5, -5});
  refused<T>("lda 0", [](call& c) { c.lda = 0, c.n = 0; }, {-4, -4, -4, -4, -5, -5, -5, -5});
  refused<T>("stride_A", [](call& c) { c.stride_A = 2; }, {0, 0, -5, -5, 0, 0, 0, -6});
  refused<T>("stride_A < 0", [](call& c) { c.stride_A = -16; }, {0, 0, -5, -5, 0, 0, -6, -6});
  refused<T>("stride_A, overlapping", [](call& c) { c.lda = 3, c.stride_A = 8; },
             {0, 0, -5, -5, 0, 0, 0, -6});
  refused<T>("B", [](call& c) { c.B = nullptr, c.B_array = nullptr; }, {0, 0, 0, 0, -6, -6, -7, -7});
  refused<T>("ldb", [](call& c) { c.ldb = 2; }, {0, 0, 0, 0, -7, -7, -8, -8});
  refused<T>("stride_B", [](call& c) { c.stride_B = 2; }, {0, 0, 0, 0, 0, 0, -9, -9});
  refused<T>("stride_B, overlapping", [](call& c) { c.ldb = 3, c.stride_B = 3; }, {0, 0, 0, 0, 0, 0, -9, -9});
  refused<T>("info", [](call& c) { c.info = nullptr; }, {-5, -5, -6, -6, -8, -8, -10, -10});
  refused<T>("info, n = 0", [](call& c) { c.info = nullptr, c.n = 0; }, {-5, -5, -6, -6, -8, -8, -10, -10});
  refused<T>("batch_count", [](call& c) { c.batch_count = -1; }, {-6, -6, -7, -7, -9, -9, -11, -11});
  refused<T>("queue", [](call& c) { c.q.where = static_cast<backend>(7); },
             {-7, -7, -8, -8, -10, -10, -12, -12});
  refused<T>("the first of several", [](call& c) { c.n = -3, c.lda = 0, c.info = nullptr; },
             {-2, -2, -2, -2, -2, -2, -2, -2});
}

TEMPLATE_LIST_TEST_CASE("illegal arguments of calls on mixed sizes are refused by number", "[arguments]",
                        precisions) {
  using T = TestType;
  using call = call<T>;
  const auto refused = [](const char* what, auto spoil, int matrix, int system) {
    ::refused<T>(what, spoil, {matrix, matrix, system, system}, of_variable_size<T>);
  };
  refused(
      "uplo", [](call& c) { c.uplo = static_cast<uplo>('X'); }, -1, -1);
  refused(
      "n", [](call& c) { c.n_array = nullptr; }, -2, -2);
  refused(
      "n, n_max = 0", [](call& c) { c.n_array = nullptr, c.n_max = 0; }, -2, -2);
  refused(
      "nrhs", [](call& c) { c.nrhs_array = nullptr; }, 0, -3);
  refused(
      "A", [](call& c) { c.A_array = nullptr; }, -3, -4);
  refused(
      "A, n_max = -1", [](call& c) { c.A_array = nullptr, c.n_max = -1; }, -3, -4);
  refused(
      "lda", [](call& c) { c.lda_array = nullptr; }, -4, -5);
  refused(
      "B", [](call& c) { c.B_array = nullptr; }, 0, -6);
  refused(
      "B, nrhs_max = -1", [](call& c) { c.B_array = nullptr, c.nrhs_max = -1; }, 0, -6);
  refused(
      "ldb", [](call& c) { c.ldb_array = nullptr; }, 0, -7);
  refused(
      "info", [](call& c) { c.info = nullptr; }, -5, -8);
  refused(
      "info, n_max = 0", [](call& c) { c.info = nullptr, c.n_max = 0; }, -5, -8);
  refused(
      "batch_count", [](call& c) { c.batch_count = -1; }, -6, -9);
  refused(
      "n_max", [](call& c) { c.n_max = -2; }, -7, -10);
  refused(
      "nrhs_max", [](call& c) { c.nrhs_max = -2; }, 0, -11);
  refused(
      "queue", [](call& c) { c.q.where = static_cast<backend>(7); }, -8, -12);
  refused(
      "the first of several", [](call& c) { c.n_array = nullptr, c.info = nullptr, c.n_max = -5; }, -2, -2);
}

TEST_CASE("matrices of a slab overlap exactly where two of them hold one element", "[arguments]") {
  // Element by element: which of the slab are held by more than one matrix?
  const auto one_is_held_twice = [](int rows, int columns, int ld, int stride, int count) {
    std::set<int> held;
    for (int b = 0; b < count; ++b)
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
          if (!held.insert(i + j * ld + b * stride).second) return true;
    return false;
  };
  int wrong = 0, overlapping = 0, apart = 0;
  for (int rows = 0; rows <= 4; ++rows)
    for (int columns = 0; columns <= 4; ++columns)
      for (int ld = std::max(1, rows); ld <= 3 * rows + 2; ++ld)
        for (int stride = 0; stride <= ld * columns + 2; ++stride)
          for (int count = 0; count <= 5; ++count) {
            const bool expected = one_is_held_twice(rows, columns, ld, stride, count);
            wrong += matrices_overlap(rows, columns, ld, stride, count) != expected;
            ++(expected ? overlapping : apart);
          }
  CHECK(wrong == 0);
  CHECK(overlapping > 1000);
  CHECK(apart > 1000);
}

TEST_CASE("slabs of written matrices: what is legal, and what is not", "[arguments]") {
  const int n = 5, count = 7, max = std::numeric_limits<int>::max();
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  CHECK_FALSE(matrices_overlap(n, n, n, n * n, count));                // one behind the other
  CHECK_FALSE(matrices_overlap(n, n, n + 3, n * (n + 3) - 3, count));  // without the last column's gap
  CHECK_FALSE(matrices_overlap(n, n, n * count, n, count));            // on top of each other
  CHECK_FALSE(matrices_overlap(1, n, count, 1, count));                // rows, interleaved
  CHECK_FALSE(
      matrices_overlap(n, n, n * count, n * (n * count + 1), count));  // diagonal blocks of one matrix
  CHECK_FALSE(matrices_overlap(n, n, n, 1, 1));                        // one matrix has no neighbour
  CHECK_FALSE(matrices_overlap(n, n, n, far, far));
  CHECK_FALSE(matrices_overlap(max, max, max, std::int64_t{max} * max, 2));
  CHECK_FALSE(matrices_overlap(1000, 1000, max, 1000, max / 1000));
  CHECK(matrices_overlap(n, n, n, n * n - 1, count));
  CHECK(matrices_overlap(n, n, n, n, count));
  CHECK(matrices_overlap(n, n, n * count - 1, n, count));  // the last reaches into the first's next column
  CHECK(matrices_overlap(n, n, 4 * n, 3 * n, 5));          // the fifth is the first that meets another ...
  CHECK_FALSE(matrices_overlap(n, n, 4 * n, 3 * n, 4));    // ... so four are legal
  CHECK(matrices_overlap(n, n, n, 0, 2));
  CHECK(matrices_overlap(max, max, max, std::int64_t{max} * max - 1, 2));
  CHECK(matrices_overlap(1000, 1000, max, 1000, far));
  static_assert(matrices_overlap(2, 2, 2, 3, 2) && !matrices_overlap(2, 2, 2, 4, 2));
}

TEMPLATE_LIST_TEST_CASE("matrices side by side and on top of each other stay apart", "[arguments]",
                        precisions) {
  using T = TestType;
  const int n = 3, count = 4;
  struct layout {
    int lda;
    std::int64_t stride;
  };
  for (const layout at : {layout{n * count, n}, layout{n * count, n * (n * count + 1)}, layout{n, n * n}}) {
    std::vector<T> expected(200, T(-7)), A = expected;
    for (int b = 0; b < count; ++b) {  // A = L L^T with L = [2 0 0; 1 2 0; b 1 2]
      const real_of<T> l[n][n] = {{2, 0, 0}, {1, 2, 0}, {static_cast<real_of<T>>(b), 1, 2}};
      for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
          const auto at_ij = static_cast<std::size_t>(b * at.stride + i + j * at.lda);
          A[at_ij] = T(l[i][0] * l[j][0] + l[i][1] * l[j][1] + l[i][2] * l[j][2]);
          expected[at_ij] = T(l[i][j]);
        }
    }
    const array<T> memory(A);
    const info_array info(count);
    CAPTURE(at.lda, at.stride);
    REQUIRE(potrf_strided_batched(uplo::lower, n, memory.data(), at.lda, at.stride, info.data(), count,
                                  test_queue()) == 0);
    finish();
    CHECK(memory.download() == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("on a GPU, a slab begins at a whole element", "[arguments]", precisions) {
  using T = TestType;
  using call = call<T>;
  // In complex, one real number further is aligned as C++ asks; one byte further never is.
  std::vector<std::size_t> shifts;
  if (is_complex<T>) shifts.push_back(sizeof(T) / 2);
  shifts.push_back(1);
  for (const std::size_t shift : shifts) {
    const auto shifted = [&](T* A) {
      return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(A) + shift);
    };
    const auto cuda_status = [&](entry<T> e, auto spoil) {
      call c;
      c.q = queue::cuda();
      spoil(c);
      return (c.*e)();
    };
    const auto shift_A = [&](call& c) { c.A = shifted(c.A); };
    const auto shift_B = [&](call& c) { c.B = shifted(c.B); };
    CAPTURE(shift);
    CHECK(cuda_status(&call::potrf_strided, shift_A) == -3);
    CHECK(cuda_status(&call::potri_strided, shift_A) == -3);
    CHECK(cuda_status(&call::potrs_strided, shift_A) == -4);
    CHECK(cuda_status(&call::posv_strided, shift_A) == -4);
    CHECK(cuda_status(&call::potrs_strided, shift_B) == -7);
    CHECK(cuda_status(&call::posv_strided, shift_B) == -7);
    // Nothing is there, so nothing is misplaced.
    const auto empty = [&](call& c) { c.A = shifted(c.A), c.batch_count = 0; };
    CHECK(cuda_status(&call::potrf_strided, empty) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("on the host, a slab is aligned as C++ asks, no more", "[arguments]", precisions) {
  using T = TestType;
  using real = real_of<T>;
  // A = [4 2; 2 2] = L L^T with L = [2 0; 1 1], one real number beyond where its type may begin.
  alignas(64) real memory[1 + 4 * sizeof(T) / sizeof(real)] = {};
  T* const A = reinterpret_cast<T*>(memory + 1);
  A[0] = 4, A[1] = 2, A[3] = 2;
  int info = untouched;
  CHECK(potrf_strided_batched(uplo::lower, 2, A, 2, 4, &info, 1, queue::host()) == 0);
  CHECK(info == 0);
  CHECK((A[0] == T(2) && A[1] == T(1) && A[3] == T(1)));
}

TEMPLATE_LIST_TEST_CASE("what is reserved in a queue has to be zero", "[arguments]", precisions) {
  using T = TestType;
  using call = call<T>;
  static int something;
  const std::vector<int> last{-7, -7, -8, -8, -10, -10, -12, -12}, last_of_mixed{-8, -8, -12, -12};
  const auto refused = [&](const char* what, auto spoil) {
    ::refused<T>(what, spoil, last);
    ::refused<T>(what, spoil, last_of_mixed, of_variable_size<T>);
  };
  refused("options", [](call& c) { c.q.options = 1; });
  refused("options, the highest", [](call& c) { c.q.options = std::uint32_t{1} << 31; });
  refused("reserved[0]", [](call& c) { c.q.reserved[0] = &something; });
  refused("reserved[1]", [](call& c) { c.q.reserved[1] = &something; });
}

TEMPLATE_LIST_TEST_CASE("an empty batch needs nothing", "[arguments]", precisions) {
  using T = TestType;
  const queue q = test_queue();
  CHECK(potrf_batched<T>(uplo::lower, 5, nullptr, 5, nullptr, 0, q) == 0);
  CHECK(potrf_strided_batched<T>(uplo::upper, 5, nullptr, 5, 0, nullptr, 0, q) == 0);
  CHECK(potri_batched<T>(uplo::lower, 5, nullptr, 5, nullptr, 0, q) == 0);
  CHECK(potrs_batched<T>(uplo::lower, 5, 1, nullptr, 5, nullptr, 5, nullptr, 0, q) == 0);
  CHECK(posv_strided_batched<T>(uplo::lower, 5, 1, nullptr, 5, 0, nullptr, 5, 0, nullptr, 0, q) == 0);
}

TEMPLATE_LIST_TEST_CASE("empty matrices need no memory, and their info is 0", "[arguments]", precisions) {
  using T = TestType;
  const info_array info(3), inverse(3);
  CHECK(potrf_batched<T>(uplo::lower, 0, nullptr, 1, info.data(), 3, test_queue()) == 0);
  CHECK(potri_strided_batched<T>(uplo::lower, 0, nullptr, 1, 0, inverse.data(), 3, test_queue()) == 0);
  finish();
  CHECK(info.download() == std::vector<int>{0, 0, 0});
  CHECK(inverse.download() == std::vector<int>{0, 0, 0});
}

TEST_CASE("vectors beside matrices: what is legal, and what is not", "[arguments]") {
  int pivots[8] = {};
  int* const pointers[] = {pivots, pivots + 4};
  const auto status = [](std::int64_t batch_count, const auto& v) {
    return arguments(batch_count, queue::host()).list(op::trans, v).end().status;
  };
  CHECK(status(2, vector_pointers<int>(pointers, 4)) == 0);
  CHECK(status(2, vector_pointers<int>(nullptr, 4)) == -2);
  CHECK(status(2, vector_pointers<int>(nullptr, unknown_bound)) == -2);
  CHECK(status(2, vector_pointers<int>(nullptr, 0)) == 0);
  CHECK(status(0, vector_pointers<int>(nullptr, 4)) == 0);
  CHECK(status(2, vector_slab<int>(pivots, 4, 4)) == 0);
  CHECK(status(2, vector_slab<int>(nullptr, 4, 4)) == -2);
  CHECK(status(2, vector_slab<int>(nullptr, 0, 0)) == 0);
  CHECK(status(2, vector_slab<int>(pivots, 3, 4)) == -3);  // the second begins in the first
  CHECK(status(1, vector_slab<int>(pivots, 3, 4)) == 0);
  CHECK(status(2, vector_slab<int>(pivots, -4, 4)) == -3);
  CHECK(status(2, vector_slab<const int>(pivots, 0, 4)) == 0);  // one for all may be read
  CHECK(status(2, vector_slab<const int>(pivots, -1, 4)) == -3);
  CHECK(status(-1, vector_slab<int>(pivots, 4, 4)) == -4);  // counted as two arguments
  CHECK(status(-1, vector_pointers<int>(pointers, 4)) == -3);
}

TEST_CASE("a letter that is none is refused", "[arguments]") {
  for (const op of : {op::none, op::trans, op::conj_trans}) {
    CHECK(is_legal(of));
    CHECK(to_op(static_cast<char>(of)) == of);
    CHECK_FALSE(is_legal(to_op(static_cast<char>(of) + 256)));  // it does not fit a char
  }
  for (const int letter : {0, static_cast<int>('n'), static_cast<int>('H')}) {
    CHECK_FALSE(is_legal(to_op(letter)));
    CHECK_FALSE(is_legal(to_uplo(letter)));
  }
}

TEST_CASE("every status has its sentence", "[arguments]") {
  CHECK(std::string(talus::strerror(0)) == "success");
  CHECK(std::string(talus::strerror(-4)).find("argument 4") != std::string::npos);
  for (const int status : {err_cuda, err_work, err_no_cuda, err_unsupported, err_memory}) {
    CHECK(std::string(talus::strerror(status)) != talus::strerror(-99999));
  }
  CHECK(talus::strerror(-99999) != nullptr);
  CHECK(talus::strerror(3) != nullptr);
}

TEST_CASE("without a device, cuda queues say so", "[arguments]") {
#ifdef TALUS_HAVE_D
  if (queue::best().where == backend::cuda) return;
  call<double> c;
  c.q = queue::cuda();
  CHECK(c.potrf() == err_no_cuda);
  CHECK(c.potrf_strided() == err_no_cuda);
  CHECK(c.potrs() == err_no_cuda);
  CHECK(c.posv() == err_no_cuda);
  CHECK(c.potri() == err_no_cuda);
  for (const entry<double> e : of_variable_size<double>) CHECK((c.*e)() == err_no_cuda);
#endif
}

TEST_CASE("scratch sizes are pure arithmetic", "[arguments]") {
#ifdef TALUS_HAVE_D
  CHECK(potrf_work<double>(0, 1000) == 0);
  CHECK(potrf_work<double>(100, 0) == 0);
  CHECK(potrf_work<double>(8000, 100'000) < 1 << 21);  // it does not grow with the number of matrices
  CHECK(potrf_work<double>(8000, 100'000) == potrf_work<double>(8000, 10'000));
  CHECK(potrs_work<double>(100, 2, 1000) == 0);
  CHECK(posv_work<double>(100, 2, 1000) == potrf_work<double>(100, 1000));
  CHECK(potri_work<double>(100, 1000) == 0);
  const std::int64_t many = std::int64_t{1} << 40;
  for (const int n_max : {-1, 0, 100}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, many}) {
      CHECK(potrf_vbatched_work<double>(n_max, count) > 0);
      CHECK(potri_vbatched_work<double>(n_max, count) > 0);
      CHECK(potrs_vbatched_work<double>(n_max, 2, count) > 0);
      CHECK(posv_vbatched_work<double>(n_max, -1, count) > 0);
      CHECK(potrf_vbatched_work<double>(n_max, count) >= potrf_vbatched_work<double>(n_max, count / 2));
    }
  }
#endif
}

#ifdef TALUS_TEST_C_API
// A C99 file calls every C function once; see c_api.c. Returns the number of the first check that failed.
extern "C" int talus_test_c_api(void);

TEST_CASE("the C header works from C", "[arguments][c]") { CHECK(talus_test_c_api() == 0); }
#endif

TEST_CASE("the C and C++ names of things agree", "[arguments][c]") {
  CHECK(static_cast<int>(uplo::lower) == TALUS_LOWER);
  CHECK(static_cast<int>(uplo::upper) == TALUS_UPPER);
  CHECK(static_cast<int>(backend::host) == TALUS_HOST);
  CHECK(static_cast<int>(backend::cuda) == TALUS_CUDA);
  CHECK(err_cuda == TALUS_ERR_CUDA);
  CHECK(err_work == TALUS_ERR_WORK);
  CHECK(err_no_cuda == TALUS_ERR_NO_CUDA);
  CHECK(err_unsupported == TALUS_ERR_UNSUPPORTED);
  CHECK(err_memory == TALUS_ERR_MEMORY);
  CHECK(talus_queue_best().where == static_cast<int>(queue::best().where));
  for (const talus_queue q : {talus_queue_host(), talus_queue_cuda(nullptr), talus_queue_best()}) {
    CHECK(q.options == 0);
    CHECK(q.reserved[0] == nullptr);
    CHECK(q.reserved[1] == nullptr);
  }
  int marker = 0;
  CHECK(talus_queue_cuda(&marker).stream == &marker);
}
