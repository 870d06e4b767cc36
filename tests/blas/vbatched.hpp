// Batches of BLAS of mixed sizes: all that a call of any routine takes, in the memory of the backend under
// test, and checks that are the same for all three.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "blas/blas.hpp"
#include "catch.hpp"
#include "mixed_sizes.hpp"
#include "talus/vbatched.hpp"

namespace talus::test {

enum class blas_routine { trsm, gemm, gemv };

/// The arguments of a call except matrices: letters and alpha for trsm; operations, alpha and beta for gemm
/// and gemv.
template <class T>
struct blas_request {
  blas_routine routine;
  trsm_form form = every_trsm_form()[0];
  op of_A = op::none, of_B = op::none;
  T alpha = 1, beta = 0;

  std::string name() const {
    if (routine == blas_routine::trsm) return "trsm " + form.name();
    return std::string(routine == blas_routine::gemm ? "gemm " : "gemv ") + static_cast<char>(of_A) +
           static_cast<char>(of_B);
  }
};

/// Requests of a routine that differ in all that there is: enough for every form, or pair of ops.
template <class T>
std::vector<blas_request<T>> requests(blas_routine r) {
  const std::vector<T> some = factors<T>();
  std::vector<blas_request<T>> all;
  if (r == blas_routine::trsm) {
    for (const trsm_form& f : every_trsm_form())
      all.push_back({r, f, op::none, op::none, some[all.size() % 3], T(0)});
    return all;
  }
  for (const op of_A : every_op) {
    for (const op of_B : every_op) {
      for (const T beta : {T(0), T(1), some[1], some[3]}) {
        if (r == blas_routine::gemm || of_B == op::none)
          all.push_back({r, every_trsm_form()[0], of_A, of_B, some[all.size() % 4], beta});
      }
    }
  }
  return all;
}

/// All that is left of a call.
template <class T>
struct blas_results {
  std::vector<slab<T>> A, B, C;
  std::vector<int> info;

  bool same_bits(const blas_results& other) const {
    return test::same_bits(A, other.A) && test::same_bits(B, other.B) && test::same_bits(C, other.C) &&
           info == other.info;
  }
};

/// The operands of any routine: of trsm A and B, of gemm A, B and C, of gemv A, x as B and y as C, which are
/// matrices of one row with their steps as leading dimensions. A test may change sizes and pointers, and
/// uploads what it did.
template <class T>
struct blas_batch {
  blas_batch(const blas_request<T>& what, std::vector<slab<T>> A_, std::vector<slab<T>> B_,
             std::vector<slab<T>> C_, std::vector<int> inner_)
      : request(what),
        A(std::move(A_)),
        B(std::move(B_)),
        C(std::move(C_)),
        inner(std::move(inner_)),
        k(inner),
        info(A.count()) {}

  void upload() {
    for (mixed<T>* m : {&A, &B, &C}) m->upload_sizes();
    k.upload(inner);
  }
  void restore() {
    for (mixed<T>* m : {&A, &B, &C}) m->restore();
    info.memory.upload(std::vector<int>(A.host.size() + 1, -777));
  }
  int run(blas_routine r, const size_bounds& most, queue q = test_queue()) {
    return run(r, most, info.data(), q);
  }
  int run(blas_routine r, const size_bounds& most, int* infos, queue q = test_queue());

  blas_results<T> results() const { return {A.download(), B.download(), C.download(), info.download()}; }
  /// What results() are before any call.
  blas_results<T> as_uploaded() const {
    return {A.host, B.host, C.host, std::vector<int>(A.host.size(), -777)};
  }
  /// Waits, and checks what every call promises of what is not its own.
  blas_results<T> finished() {
    finish();
    blas_results<T> now = results();
    const bool solves = request.routine == blas_routine::trsm;
    CHECK(test::same_bits(now.A, A.host));
    CHECK(test::same_bits(solves ? now.C : now.B, solves ? C.host : B.host));
    const std::vector<slab<T>>&written = solves ? now.B : now.C, &before = solves ? B.host : C.host;
    for (std::size_t b = 0; b < written.size(); ++b) {
      CAPTURE(b, written[b].m, written[b].n);
      CHECK(written[b].guards_untouched(before[b]));
    }
    return now;
  }

  blas_request<T> request;
  mixed<T> A, B, C;
  std::vector<int> inner;
  array<int> k;
  info_array info;
};

template <class T>
int blas_batch<T>::run(blas_routine r, const size_bounds& most, int* infos, queue q) {
  T *const *const a = A.pointers.data(), *const *const b = B.pointers.data(),
                  *const *const c = C.pointers.data();
  const int *const lda = A.ld.data(), *const ldb = B.ld.data(), *const ldc = C.ld.data();
  const std::int64_t count = A.count();
  const trsm_form& f = request.form;
  switch (r) {
    case blas_routine::trsm:
      return trsm_vbatched<T>(f.side, f.uplo, f.op, f.diag, B.m.data(), B.n.data(), request.alpha, a, lda, b,
                              ldb, infos, count, most.m, most.n, q);
    case blas_routine::gemm:
      return gemm_vbatched<T>(request.of_A, request.of_B, C.m.data(), C.n.data(), k.data(), request.alpha, a,
                              lda, b, ldb, request.beta, c, ldc, infos, count, most.m, most.n, most.k, q);
    case blas_routine::gemv:
      return gemv_vbatched<T>(request.of_A, A.m.data(), A.n.data(), request.alpha, a, lda, b, ldb,
                              request.beta, c, ldc, infos, count, most.m, most.n, q);
  }
  return 1;
}

/// The bytes of scratch that it takes.
template <class T>
std::size_t work_bytes(blas_routine r, const size_bounds& most, std::int64_t count) {
  switch (r) {
    case blas_routine::trsm:
      return trsm_vbatched_work<T>(most.m, most.n, count);
    case blas_routine::gemm:
      return gemm_vbatched_work<T>(most.m, most.n, most.k, count);
    case blas_routine::gemv:
      return gemv_vbatched_work<T>(most.m, most.n, count);
  }
  return 0;
}

/// Sizes around the borders that kernels may have: of the matrices that are written m and n, and k.
inline std::vector<shape> some_products(std::int64_t count, int largest, unsigned seed) {
  const std::vector<int> m = some_sizes(count, largest, seed), n = some_sizes(count, largest, seed + 1),
                         k = some_sizes(count, largest, seed + 2);
  std::vector<shape> shapes;
  for (std::size_t b = 0; b < m.size(); ++b)
    shapes.push_back({m[b], b % 7 == 3 ? 1 : n[b], b % 5 == 2 ? m[b] : k[b], 0});
  return shapes;
}

/// The step of a vector of matrix b, of any sign.
inline int step_of(std::size_t b) { return std::vector<int>{1, 2, -1, 1, -3, 3}[b % 6]; }

/// Operands of a batch and, of each matrix, what they are as dense matrices: vectors in the order of their
/// elements.
template <class T>
struct blas_operands {
  std::vector<dense<T>> A, B, C;
  std::unique_ptr<blas_batch<T>> batch;
};

template <class T>
slab<T> vector_storage(const dense<T>& x, int step) {
  const auto length = static_cast<int>(x.size());
  slab<T> s(1, length, std::abs(step), 1);
  for (int i = 0; i < length; ++i) s.at(0, 0, step > 0 ? i : length - 1 - i) = x[static_cast<std::size_t>(i)];
  return s;
}
template <class T>
dense<T> vector_elements(const slab<T>& s, int step) {
  dense<T> x = s.get(0);
  if (step < 0) std::reverse(x.begin(), x.end());
  return x;
}

/// Triangles of these kinds, small integers where exact; all else is random, or small integers.
template <class T>
blas_operands<T> operands(const blas_request<T>& r, const std::vector<shape>& shapes, bool exact = false) {
  blas_operands<T> all;
  std::vector<slab<T>> a, b, c;
  std::vector<int> inner, steps_b, steps_c;
  std::map<std::pair<int, std::size_t>, dense<T>> triangles;
  const trsm_form& f = r.form;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto [m, n, k, nrhs] = shapes[i];
    auto turn = static_cast<unsigned>(10 * (i % 5));
    const auto values = [&](int rows, int columns) {
      ++turn;
      return exact ? small_integers<T>(rows, columns, turn) : random_matrix<T>(rows, columns, turn);
    };
    const auto put = [&](std::vector<slab<T>>& to, const dense<T>& matrix, int rows, int columns) {
      to.emplace_back(rows, columns, ld_of(rows, i / (1 + to.size() % 2)), 1);
      to.back().put(0, matrix);
    };
    inner.push_back(k);
    steps_b.push_back(step_of(i / 2));
    steps_c.push_back(step_of(i));
    if (r.routine == blas_routine::trsm) {
      const int order = f.order(m, n);
      const auto [found, is_new] = triangles.try_emplace({order, i % 2});
      const unsigned seed = static_cast<unsigned>(2 * order) + i % 2;
      if (is_new)
        found->second =
            as_stored(f,
                      exact ? exact_triangle<T>(order, seed)
                            : triangle<T>(f.diag == diag::unit ? "small" : "dominant", order, seed),
                      order);
      all.A.push_back(found->second);
      a.emplace_back(order, order, ld_of(order, i), 1);
      put_triangle_of(f, a.back(), 0, found->second);
      all.B.push_back(values(m, n));
      put(b, exact ? sides_of(f, found->second, all.B.back(), m, n) : all.B.back(), m, n);
      c.emplace_back(0, 0, 1, 1);
      continue;
    }
    const bool is_vector = r.routine == blas_routine::gemv, plain = r.of_A == op::none;
    const int inside = is_vector ? n : k, rows_A = plain || is_vector ? m : k,
              columns_A = plain || is_vector ? inside : m;
    all.A.push_back(values(rows_A, columns_A));
    put(a, all.A.back(), rows_A, columns_A);
    if (is_vector) {
      all.B.push_back(values(plain ? n : m, 1));
      all.C.push_back(values(plain ? m : n, 1));
      b.push_back(vector_storage(all.B.back(), steps_b.back()));
      c.push_back(vector_storage(all.C.back(), steps_c.back()));
    } else {
      const int rows = r.of_B == op::none ? k : n, columns = r.of_B == op::none ? n : k;
      all.B.push_back(values(rows, columns));
      all.C.push_back(values(m, n));
      put(b, all.B.back(), rows, columns);
      put(c, all.C.back(), m, n);
    }
    if (r.beta == T(0)) std::fill(c.back().host.begin(), c.back().host.end(), nan_of<T>());
  }
  all.batch = std::make_unique<blas_batch<T>>(r, a, b, c, inner);
  if (r.routine == blas_routine::gemv) {
    all.batch->B.lds = steps_b;
    all.batch->C.lds = steps_c;
    all.batch->upload();
  }
  return all;
}

/// max |C - exact| / ((k + 1) eps (|alpha| |op(A)| |op(B)| + |beta| |C before|)), element by element; 0 where
/// C is what it was and shall be. A and B as they are multiplied, m x k and k x n.
template <class T>
double product_ratio(const dense<T>& A, const dense<T>& B, const dense<T>& before, const dense<T>& C, T alpha,
                     T beta, int m, int n, int k) {
  using number = std::conditional_t<sizeof(real_of<T>) == sizeof(float), double, long double>;
  using wide = std::conditional_t<is_complex<T>, std::complex<number>, number>;
  const auto sizes_of = [](const dense<T>& all) {
    std::vector<number> sizes;
    for (const T& one : all) sizes.push_back(static_cast<number>(std::abs(one)));
    return sizes;
  };
  const std::vector<number> size_A = sizes_of(A), size_B = sizes_of(B);
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const auto e = static_cast<std::size_t>(i + j * m);
      wide sum = 0;
      number size = 0;
      for (int l = 0; l < k; ++l) {
        const auto a = static_cast<std::size_t>(i + l * m), b = static_cast<std::size_t>(l + j * k);
        sum += times(wide(A[a]), wide(B[b]));
        size += size_A[a] * size_B[b];
      }
      sum = times(wide(alpha), sum);
      size *= static_cast<number>(std::abs(alpha));
      if (beta != T(0)) {
        sum += times(wide(beta), wide(before[e]));
        size += static_cast<number>(std::abs(beta)) * static_cast<number>(std::abs(before[e]));
      }
      const auto error = static_cast<double>(std::abs(wide(C[e]) - sum));
      const double most = static_cast<double>(size) * (k + 1) * static_cast<double>(epsilon<T>);
      worst = worse(worst, error == 0 ? 0 : error / most);
    }
  }
  return worst;
}

/// Runs a call and compares with what it shall be: bit by bit where all numbers are small integers.
template <class T>
void run_and_check(const blas_request<T>& r, const std::vector<shape>& shapes, const size_bounds& most,
                   bool exact) {
  CAPTURE(r.name(), r.alpha, r.beta, shapes.size(), most.m, most.n, most.k, exact);
  const blas_operands<T> all = operands(r, shapes, exact);
  blas_batch<T>& batch = *all.batch;
  REQUIRE(batch.run(r.routine, most) == 0);
  const blas_results<T> now = batch.finished();
  CHECK(all_zero(now.info));
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    CAPTURE(b, m, n, k);
    if (r.routine == blas_routine::trsm) {
      if (m == 0 || n == 0) continue;
      if (exact) {
        dense<T> X = all.B[b];
        for (T& x : X) x = times(r.alpha, x);
        CHECK(now.B[b].get(0) == X);
      } else {
        CHECK(trsm_ratio(r.form, all.A[b], now.B[b].get(0), all.B[b], r.alpha, m, n) < threshold);
      }
      continue;
    }
    const bool is_vector = r.routine == blas_routine::gemv, plain = r.of_A == op::none;
    if (is_vector && (m == 0 || n == 0)) {
      CHECK(now.C[b].same_bits(batch.C.host[b]));
      continue;
    }
    const int rows = is_vector && !plain ? n : m, columns = is_vector ? 1 : n,
              inside = !is_vector ? k : (plain ? n : m);
    const dense<T> A = is_vector || plain ? applied(r.of_A, all.A[b], m, is_vector ? n : k)
                                          : applied(r.of_A, all.A[b], k, m),
                   B = is_vector || r.of_B == op::none ? all.B[b] : applied(r.of_B, all.B[b], n, k),
                   C = is_vector ? vector_elements(now.C[b], batch.C.lds[b]) : now.C[b].get(0);
    if (exact) {
      dense<T> expected = product(A, B, rows, inside, columns);
      for (std::size_t e = 0; e < expected.size(); ++e) {
        expected[e] = times(r.alpha, expected[e]);
        if (r.beta != T(0)) expected[e] += times(r.beta, all.C[b][e]);
      }
      CHECK(C == expected);
    } else {
      CHECK(product_ratio(A, B, all.C[b], C, r.alpha, r.beta, rows, columns, inside) < threshold);
    }
  }
}

/// The same bits again, in another order of the matrices, beside neighbours that are all NaN, and without
/// info.
template <class T>
void permute_and_compare(const blas_request<T>& r, const std::vector<shape>& shapes) {
  CAPTURE(r.name(), shapes.size());
  const size_bounds most = bounds_of(shapes);
  const blas_operands<T> first = operands(r, shapes), second = operands(r, shapes);
  const bool solves = r.routine == blas_routine::trsm;
  std::vector<std::size_t> from(shapes.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i;
  std::shuffle(from.begin(), from.end(), std::mt19937(3));
  std::vector<slab<T>> a, b, c;
  std::vector<int> inner;
  const blas_batch<T>& original = *first.batch;
  for (const std::size_t i : from) {
    a.push_back(original.A.host[i]);
    b.push_back(original.B.host[i]);
    c.push_back(original.C.host[i]);
    inner.push_back(original.inner[i]);
  }
  const auto with_steps = [&](blas_batch<T>& batch) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      batch.B.lds[i] = original.B.lds[from[i]];
      batch.C.lds[i] = original.C.lds[from[i]];
    }
    batch.upload();
  };
  blas_batch<T> moved(r, a, b, c, inner);
  const auto is_spoilt = [](std::size_t i) { return i % 3 == 1; };
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (is_spoilt(i)) std::fill(a[i].host.begin(), a[i].host.end(), nan_of<T>());
  }
  blas_batch<T> spoilt(r, a, b, c, inner);
  with_steps(moved);
  with_steps(spoilt);
  for (blas_batch<T>* batch : {first.batch.get(), &spoilt, &moved}) REQUIRE(batch->run(r.routine, most) == 0);
  REQUIRE(second.batch->run(r.routine, most, nullptr) == 0);
  finish();
  const blas_results<T> expected = first.batch->results(), again = second.batch->results(),
                        elsewhere = moved.results(), beside_nan = spoilt.results();
  CHECK(all_zero(beside_nan.info));
  const auto written = [&](const blas_results<T>& x) -> const std::vector<slab<T>>& {
    return solves ? x.B : x.C;
  };
  CHECK(same_bits(written(again), written(expected)));
  CHECK(again.info == std::vector<int>(shapes.size(), -777));
  for (std::size_t i = 0; i < from.size(); ++i) {
    CAPTURE(i, from[i], shapes[from[i]].m, shapes[from[i]].n);
    CHECK(written(elsewhere)[i].same_bits(written(expected)[from[i]]));
    if (!is_spoilt(i)) CHECK(written(beside_nan)[i].same_bits(written(expected)[from[i]]));
  }
}

/// The arguments of a routine of which one matrix may have an illegal one, by their numbers. m_max and its
/// kin: a size above that bound.
inline const std::map<std::string, int>& numbers(blas_routine r) {
  static const std::map<blas_routine, std::map<std::string, int>> all{
      {blas_routine::trsm,
       {{"m", 5}, {"n", 6}, {"A", 8}, {"lda", 9}, {"B", 10}, {"ldb", 11}, {"m_max", 14}, {"n_max", 15}}},
      {blas_routine::gemm,
       {{"m", 3},
        {"n", 4},
        {"k", 5},
        {"A", 7},
        {"lda", 8},
        {"B", 9},
        {"ldb", 10},
        {"C", 12},
        {"ldc", 13},
        {"m_max", 16},
        {"n_max", 17},
        {"k_max", 18}}},
      {blas_routine::gemv,
       {{"m", 2},
        {"n", 3},
        {"A", 5},
        {"lda", 6},
        {"B", 7},
        {"ldb", 8},
        {"C", 10},
        {"ldc", 11},
        {"m_max", 14},
        {"n_max", 15}}}};
  return all.at(r);
}

/// Matrix b of a batch of order 6, made illegal: of gemv B and C are vectors, whose steps may not be 0.
template <class T>
void spoil(blas_batch<T>& batch, std::size_t b, const std::string& argument) {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const bool are_vectors = batch.request.routine == blas_routine::gemv;
  mixed<T>& sized = batch.request.routine == blas_routine::trsm   ? batch.B
                    : batch.request.routine == blas_routine::gemm ? batch.C
                                                                  : batch.A;
  const auto larger = [&](int& extent) {  // than its bound of 6, although there is no more memory
    extent = b % 2 == 0 ? 41 : most - 3;
    batch.A.lds[b] = most;
    if (!are_vectors) batch.B.lds[b] = batch.C.lds[b] = most;
  };
  if (argument == "m") sized.rows[b] = b % 2 == 0 ? -1 : least;
  if (argument == "n") sized.columns[b] = -1;
  if (argument == "k") batch.inner[b] = -1;
  if (argument == "A") batch.A.starts[b] = nullptr;
  if (argument == "B") batch.B.starts[b] = nullptr;
  if (argument == "C") batch.C.starts[b] = nullptr;
  if (argument == "lda") batch.A.lds[b] = b % 2 == 0 ? 5 : -7;
  if (argument == "ldb") batch.B.lds[b] = are_vectors ? 0 : 5;
  if (argument == "ldc") batch.C.lds[b] = are_vectors ? 0 : 5;
  if (argument == "m_max") larger(sized.rows[b]);
  if (argument == "n_max") larger(sized.columns[b]);
  if (argument == "k_max") larger(batch.inner[b]);
}

/// Matrices with illegal arguments among others: info says which, nothing of them is touched, and the others
/// are done as ever.
template <class T>
void refuse_and_check(const blas_request<T>& r, bool bounds_known, bool wants_info) {
  CAPTURE(r.name(), bounds_known, wants_info);
  const std::map<std::string, int>& number = numbers(r.routine);
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
  const std::vector<shape> shapes(spoilt.size(), {6, 6, 6, 0});
  const blas_operands<T> healthy = operands(r, shapes), some = operands(r, shapes);
  blas_batch<T>& batch = *some.batch;
  REQUIRE(healthy.batch->run(r.routine, {6, 6, 6, 0}) == 0);
  const blas_results<T> expected = healthy.batch->finished();
  std::vector<int> infos;
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    for (const std::string& argument : spoilt[b]) spoil(batch, b, argument);
    infos.push_back(spoilt[b].empty() ? 0 : -number.at(spoilt[b][0]));
  }
  batch.upload();
  REQUIRE(batch.run(r.routine, bounds_known ? size_bounds{6, 6, 6, 0} : size_bounds{},
                    wants_info ? batch.info.data() : nullptr) == 0);
  const blas_results<T> now = batch.finished();
  if (wants_info) CHECK(now.info == infos);
  for (std::size_t b = 0; b < spoilt.size(); ++b) {
    CAPTURE(b, infos[b], spoilt[b].empty() ? "nothing" : spoilt[b][0]);
    CHECK(now.B[b].same_bits(infos[b] == 0 ? expected.B[b] : batch.B.host[b]));
    CHECK(now.C[b].same_bits(infos[b] == 0 ? expected.C[b] : batch.C.host[b]));
  }
}

}  // namespace talus::test
