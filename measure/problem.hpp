// The matrices that every library is given: the same each time, restored before every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "measure/memory.hpp"
#include "measure/plan.hpp"
#include "talus/types.hpp"

namespace talus::measure {

/// What a routine is called with. Of equal sizes m_max and n_max are m and n. k: of matrix b k[b] columns are
/// eliminated, where the routine is told how many.
template <class Batch>
struct operands_of;
template <template <class> class Batch, class T>
struct operands_of<Batch<T>> {
  talus::uplo uplo;
  Batch<T> A, B;
  vectors<int> ipiv;
  vectors<T> tau;
  int* info;
  int m_max, n_max;
  const int* k = nullptr;
  int k_max = 0;
};

// ---- the matrices' elements ----------------------------------------------------------------------

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T>
using real_of = decltype(std::real(T()));

/// In [-0.5, 0.5), a function of its arguments alone: host and device agree, and so do all runs. 24 bits, so
/// that single and double precision hold the same matrices.
TALUS_HOST_DEVICE inline double uniform(std::int64_t b, int i, int j, unsigned stream) {
  std::uint64_t x = static_cast<std::uint64_t>(b) * 0x9E3779B97F4A7C15u +
                    (static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j) << 3 | stream);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 40) / 16777216.0 - 0.5;
}

struct element {
  double re, im;
};

/// The contents of a matrix. positive_definite: Hermitian, random off the diagonal; n on the diagonal makes it
/// well conditioned. indefinite: Hermitian and random, with eigenvalues of both signs. dominant: random, with n
/// on the diagonal, so that it needs no pivoting. general: random.
enum class matrix_kind { positive_definite, indefinite, dominant, general, right_hand_sides };

/// True if one triangle of the matrix is stored and used.
constexpr bool is_hermitian(matrix_kind kind) {
  return kind == matrix_kind::positive_definite || kind == matrix_kind::indefinite;
}

/// How many columns of a matrix are eliminated: k where has_k, else all that can be.
constexpr int eliminated(const sizes& s, bool has_k) { return has_k ? s.k : std::min(s.m, s.n); }

/// What a batch holds: matrices of a kind, and beside them pivots, tau or k if its routine has any.
struct contents {
  matrix_kind kind;
  bool has_ipiv, has_tau, has_k;

  contents(matrix_kind kind_, bool has_ipiv_ = false, bool has_tau_ = false, bool has_k_ = false)
      : kind(kind_), has_ipiv(has_ipiv_), has_tau(has_tau_), has_k(has_k_) {}

  /// Of what stands beside one matrix: vectors, each with an element for each column that is eliminated.
  template <class T>
  std::size_t bytes_beside(const sizes& s) const {
    return static_cast<std::size_t>(eliminated(s, has_k)) *
               ((has_ipiv ? sizeof(int) : 0) + (has_tau ? sizeof(T) : 0)) +
           (has_k ? sizeof(int) : 0);
  }
};

/// Element (i, j) of matrix b, which has n columns.
TALUS_HOST_DEVICE inline element element_of(matrix_kind kind, std::int64_t b, int i, int j, int n) {
  if (kind == matrix_kind::right_hand_sides) return {uniform(b, i, j, 2), uniform(b, i, j, 3)};
  if (kind != matrix_kind::positive_definite && kind != matrix_kind::indefinite) {
    const int added = kind == matrix_kind::dominant && i == j ? n : 0;
    return {added + uniform(b, i, j, 0), uniform(b, i, j, 1)};
  }
  if (i == j) return {(kind == matrix_kind::positive_definite ? n : 0) + uniform(b, i, i, 0), 0};
  const int row = i > j ? i : j, column = i > j ? j : i;
  const double im = uniform(b, row, column, 1);
  return {uniform(b, row, column, 0), i > j ? im : -im};
}

/// As an element of a matrix.
template <class T>
T to_scalar(element e) {
  if constexpr (is_complex<T>) {
    return {static_cast<real_of<T>>(e.re), static_cast<real_of<T>>(e.im)};
  } else {
    return static_cast<T>(e.re);
  }
}

// ---- the matrices --------------------------------------------------------------------------------

/// Generates m x n matrices, lda = m, side by side, or each of its own sizes m_array[b], n_array[b] from
/// X + first[b] on.
template <class T>
void generate(backend where, matrix_kind kind, T* X, const std::int64_t* first, const int* m_array,
              const int* n_array, int m, int n, std::int64_t batch);

/// `copies` slabs of `batch` matrices each, restored from one pristine slab: a run too short for the clock
/// works on one slab after the other, so that no matrix is factored twice. One matrix behind the other,
/// lda = m, ldb = max(m, n), and one vector of pivots, or tau, behind the other, with an element for each
/// column that is eliminated. MIXED: each has its own sizes, and there are no right-hand sides.
template <class T, bool MIXED>
class problem_of {
 public:
  using scalar = T;
  using operands_type = operands_of<std::conditional_t<MIXED, variable_batch<T>, talus::batch<T>>>;
  static constexpr bool mixed_sizes = MIXED;

  const matrix_kind kind;  // of A
  const bool has_ipiv, has_tau, has_k;
  const backend where;
  const talus::uplo uplo;
  const int m, n, k, nrhs;  // of mixed sizes the largest; nrhs = 0: no right-hand sides
  const std::int64_t batch;
  const int copies;

  /// each: of mixed sizes, m and n at least 1.
  problem_of(const contents& what, backend where_, talus::uplo uplo_, const sizes& largest,
             std::int64_t batch_, int copies_, std::vector<sizes> each = {})
      : kind(what.kind),
        has_ipiv(what.has_ipiv),
        has_tau(what.has_tau),
        has_k(what.has_k),
        where(where_),
        uplo(uplo_),
        m(largest.m),
        n(largest.n),
        k(eliminated(largest, has_k)),
        nrhs(largest.nrhs),
        batch(batch_),
        copies(copies_),
        each_(std::move(each)),
        first_(starts(each_, [](const sizes& one) { return std::int64_t{one.m} * one.n; })),
        first_beside_(
            starts(each_, [this](const sizes& one) { return std::int64_t{eliminated(one, has_k)}; })),
        pristine_A_(where, static_cast<std::size_t>(first(batch))),
        pristine_B_(where, static_cast<std::size_t>(batch * stride_B())),
        pristine_ipiv_(where, static_cast<std::size_t>(first_pivot(batch))),
        pristine_tau_(where, static_cast<std::size_t>(first_tau(batch))),
        A_(where, pristine_A_.size() * static_cast<std::size_t>(copies)),
        B_(where, pristine_B_.size() * static_cast<std::size_t>(copies)),
        ipiv_(where, pristine_ipiv_.size() * static_cast<std::size_t>(copies)),
        tau_(where, pristine_tau_.size() * static_cast<std::size_t>(copies)),
        A_array_(where, pointers<T*>([this](int copy, std::int64_t b) { return A(copy, b); })),
        B_array_(where, pointers<T*>([this](int copy, std::int64_t b) { return B(copy, b); })),
        ipiv_array_(where, pointers<int*>([this](int copy, std::int64_t b) { return ipiv(copy, b); })),
        tau_array_(where, pointers<T*>([this](int copy, std::int64_t b) { return tau(copy, b); })),
        m_array_(where, each_.size() + 1),
        n_array_(where, each_.size() + 1),
        k_array_(where, has_k ? each_.size() : 0),
        info_(where, static_cast<std::size_t>(batch)) {
    std::vector<int> rows, columns, pivots;
    for (const sizes& one : each_) {
      rows.push_back(one.m);
      columns.push_back(one.n);
      if (has_k) pivots.push_back(one.k);
    }
    copy_across(where, m_array(), rows.data(), rows.size() * sizeof(int));
    copy_across(where, n_array(), columns.data(), columns.size() * sizeof(int));
    copy_across(where, k_array(), pivots.data(), pivots.size() * sizeof(int));
    const array<std::int64_t> first_array(where, first_);
    generate(where, kind, pristine_A_.data(), MIXED ? first_array.data() : nullptr,
             MIXED ? m_array() : nullptr, MIXED ? n_array() : nullptr, m, n, batch);
    if (nrhs)
      generate(where, matrix_kind::right_hand_sides, pristine_B_.data(), nullptr, nullptr, nullptr, ldb(),
               nrhs, batch);
    // No row has number 0, and tau is NaN: a routine that leaves one of them as it is, is found out.
    fill_bytes(where, pristine_ipiv_.data(), 0, pristine_ipiv_.size() * sizeof(int));
    fill_bytes(where, pristine_tau_.data(), 0xff, pristine_tau_.size() * sizeof(T));
    finish(where);  // before first_array goes
  }

  /// Where matrix b begins in a slab, and for b = batch where the last one ends.
  std::int64_t first(std::int64_t b) const { return MIXED ? first_[static_cast<std::size_t>(b)] : b * m * n; }
  std::int64_t first_pivot(std::int64_t b) const { return has_ipiv ? first_beside(b) : 0; }
  std::int64_t first_tau(std::int64_t b) const { return has_tau ? first_beside(b) : 0; }
  bool is_hermitian() const { return measure::is_hermitian(kind); }
  int ldb() const { return std::max(m, n); }
  std::int64_t stride_B() const { return std::int64_t{ldb()} * nrhs; }
  T* A(int copy, std::int64_t b = 0) const { return A_.data() + copy * first(batch) + first(b); }
  T* B(int copy, std::int64_t b = 0) const { return B_.data() + (copy * batch + b) * stride_B(); }
  int* ipiv(int copy, std::int64_t b = 0) const {
    return ipiv_.data() + copy * first_pivot(batch) + first_pivot(b);
  }
  T* tau(int copy, std::int64_t b = 0) const { return tau_.data() + copy * first_tau(batch) + first_tau(b); }
  T** A_array(int copy) const { return A_array_.data() + copy * batch; }
  T** B_array(int copy) const { return B_array_.data() + copy * batch; }
  int** ipiv_array(int copy) const { return ipiv_array_.data() + copy * batch; }
  T** tau_array(int copy) const { return tau_array_.data() + copy * batch; }
  int* m_array() const { return m_array_.data(); }  // of mixed sizes, and one more as MAGMA wants it;
  int* n_array() const { return n_array_.data(); }  // lda_array is m_array
  int* k_array() const { return k_array_.data(); }  // of mixed sizes, empty unless has_k
  int* info() const { return info_.data(); }
  std::size_t slab_bytes() const {
    return (pristine_A_.size() + pristine_B_.size() + pristine_tau_.size()) * sizeof(T) +
           pristine_ipiv_.size() * sizeof(int);
  }

  operands_type operands(int copy) const {
    if constexpr (MIXED) {
      const variable_batch<T> matrices = {A_array(copy), m_array(), n_array(), m_array(), batch};
      const int* const columns = has_k ? k_array() : nullptr;
      return {
          uplo, matrices, {}, pointer_vectors(ipiv_array(copy)), pointer_vectors(tau_array(copy)), info(), m,
          n,    columns,  k};
    } else {
      const talus::batch<T> right = strided_batch(B(copy), ldb(), nrhs, ldb(), stride_B(), batch);
      return {uplo,
              strided_batch(A(copy), m, n, m, first(1), batch),
              right,
              strided_vectors(ipiv(copy), first_pivot(1)),
              strided_vectors(tau(copy), first_tau(1)),
              info(),
              m,
              n};
    }
  }
  sizes sizes_of(std::int64_t b) const {
    return MIXED ? each_[static_cast<std::size_t>(b)] : sizes{m, n, k, nrhs};
  }

  /// amount(sizes) of all matrices together.
  template <class Amount>
  double sum(Amount amount) const {
    if (!MIXED) return static_cast<double>(batch) * amount(sizes_of(0));
    double all = 0;
    for (std::int64_t b = 0; b < batch; ++b) all += amount(sizes_of(b));
    return all;
  }

  /// The matrices whose results are looked at; of mixed sizes the smallest and the largest among them.
  std::set<std::int64_t> sample() const {
    if (!MIXED) return {0, batch / 3, batch - 1};
    const auto less = [](const sizes& a, const sizes& b) { return elements_of(a) < elements_of(b); };
    const auto ends = std::minmax_element(each_.begin(), each_.end(), less);
    std::set<std::int64_t> some = {ends.first - each_.begin(), ends.second - each_.begin(), batch - 1};
    for (std::int64_t part = 0; part < 5; ++part) some.insert(batch * part / 5);
    return some;
  }

  /// What restore gives from now on is what stands in copy 0 now: the factor and what is beside it, for
  /// routines that start from them.
  void keep_factors() {
    copy_within(where, pristine_A_.data(), A_.data(), pristine_A_.size() * sizeof(T));
    copy_within(where, pristine_ipiv_.data(), ipiv_.data(), pristine_ipiv_.size() * sizeof(int));
    copy_within(where, pristine_tau_.data(), tau_.data(), pristine_tau_.size() * sizeof(T));
  }

  void restore(int copy) {
    copy_within(where, A(copy), pristine_A_.data(), pristine_A_.size() * sizeof(T));
    if (nrhs) copy_within(where, B(copy), pristine_B_.data(), pristine_B_.size() * sizeof(T));
    copy_within(where, ipiv(copy), pristine_ipiv_.data(), pristine_ipiv_.size() * sizeof(int));
    copy_within(where, tau(copy), pristine_tau_.data(), pristine_tau_.size() * sizeof(T));
  }

  std::vector<T> download_A(std::int64_t b) const { return block(A_, first(b), first(b + 1)); }
  std::vector<T> download_pristine_A(std::int64_t b) const {
    return block(pristine_A_, first(b), first(b + 1));
  }
  std::vector<T> download_B(std::int64_t b) const { return block(B_, b * stride_B(), (b + 1) * stride_B()); }
  std::vector<int> download_ipiv(std::int64_t b) const {
    return block(ipiv_, first_pivot(b), first_pivot(b + 1));
  }
  std::vector<T> download_tau(std::int64_t b) const { return block(tau_, first_tau(b), first_tau(b + 1)); }
  std::vector<int> download_info() const { return info_.host(); }

 private:
  /// Where the vector of matrix b begins among those beside the matrices.
  std::int64_t first_beside(std::int64_t b) const {
    return MIXED ? first_beside_[static_cast<std::size_t>(b)] : b * k;
  }
  template <class Length>
  static std::vector<std::int64_t> starts(const std::vector<sizes>& each, Length length) {
    std::vector<std::int64_t> first = {0};
    for (const sizes& one : each) first.push_back(first.back() + length(one));
    return first;
  }
  template <class Pointer, class Start>
  std::vector<Pointer> pointers(Start start) const {
    std::vector<Pointer> all;
    all.reserve(static_cast<std::size_t>(copies * batch));
    for (int copy = 0; copy < copies; ++copy) {
      for (std::int64_t b = 0; b < batch; ++b) all.push_back(start(copy, b));
    }
    return all;
  }
  template <class E>
  static std::vector<E> block(const array<E>& slab, std::int64_t begin, std::int64_t end) {
    return slab.host(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }

  const std::vector<sizes> each_;                         // of mixed sizes
  const std::vector<std::int64_t> first_, first_beside_;  // of mixed sizes
  array<T> pristine_A_, pristine_B_;
  array<int> pristine_ipiv_;
  array<T> pristine_tau_;
  array<T> A_, B_;
  array<int> ipiv_;
  array<T> tau_;
  array<T*> A_array_, B_array_;
  array<int*> ipiv_array_;
  array<T*> tau_array_;
  array<int> m_array_, n_array_, k_array_, info_;
};

template <class T>
using problem = problem_of<T, false>;
template <class T>
using variable_problem = problem_of<T, true>;

/// The matrices of a variable problem in slots of n x n: the stored triangles alone.
template <class T>
class padded_problem {
 public:
  explicit padded_problem(const variable_problem<T>& p)
      : stride_(std::int64_t{p.n} * p.n),
        slab_((require_room(p.where, static_cast<double>(p.copies * p.batch * stride_) * sizeof(T)), p.where),
              static_cast<std::size_t>(p.copies * p.batch * stride_)) {}

  operands_of<batch<T>> operands(const variable_problem<T>& p, int copy) const {
    return {p.uplo, strided_batch(A(p, copy), p.n, p.n, p.n, stride_, p.batch), {}, {}, {}, p.info(), p.n,
            p.n};
  }
  /// Puts the matrices there, with the identity beyond them; and the factors back. Queued on cuda.
  void fill(const variable_problem<T>& p, int copy) const;
  void copy_back(const variable_problem<T>& p, int copy) const;

 private:
  T* A(const variable_problem<T>& p, int copy) const { return slab_.data() + copy * p.batch * stride_; }

  std::int64_t stride_;
  array<T> slab_;
};

// ---- timing --------------------------------------------------------------------------------------

/// Runs shorter than this are repeated on further copies of the batch, so that the clock's grain does not
/// show.
constexpr double shortest_seconds = 50e-6;

/// How often a run that takes so long is made back to back.
template <class Problem>
int runs_of(const Problem& p, double seconds) {
  return static_cast<int>(
      std::clamp(std::ceil(shortest_seconds / seconds), 1.0, static_cast<double>(p.copies)));
}

/// Seconds of one of `runs` runs back to back, each on a copy of its own that is restored before the clock
/// starts. run(copy) does it, after prepare(copy), which is not timed.
template <class Problem, class Run, class Prepare = void (*)(int)>
double seconds_per_run(
    Problem& p, stopwatch& watch, int runs, Run run, Prepare prepare = [](int) {}) {
  for (int copy = 0; copy < runs; ++copy) {
    p.restore(copy);
    prepare(copy);
  }
  watch.start();
  for (int copy = 0; copy < runs; ++copy) run(copy);
  return watch.stop() / runs;
}

// ---- as much as there is memory for --------------------------------------------------------------

/// As many of `count` matrices, or of those of mixed sizes the first, as there is memory for; and enough
/// copies that short runs can be repeated: of large batches one is long enough.
template <class Problem>
std::unique_ptr<Problem> allocate_what_fits(const contents& what, uplo uplo, backend where, sizes largest,
                                            std::int64_t count, std::vector<sizes> each = {}) {
  const auto bytes_of = [&](const sizes& s) {
    using T = typename Problem::scalar;
    return sizeof(T) * elements_of(s) + static_cast<double>(what.bytes_beside<T>(s) + 4 * sizeof(void*));
  };
  for (int copies = 0;;) {
    double bytes = static_cast<double>(count) * bytes_of(largest);
    if (Problem::mixed_sizes) {
      each.resize(static_cast<std::size_t>(count));
      largest = {};
      bytes = 0;
      for (const sizes& one : each) {
        largest.m = std::max(largest.m, one.m);
        largest.n = std::max(largest.n, one.n);
        largest.k = std::max(largest.k, one.k);
        bytes += bytes_of(one);
      }
    }
    if (copies == 0) copies = std::clamp(static_cast<int>(256e6 / bytes), 1, 16);
    try {
      require_room(where, (copies + 1) * bytes);
      return std::make_unique<Problem>(what, where, uplo, largest, count, copies, each);
    } catch (const out_of_memory&) {
      if (copies == 1 && count == 1)
        throw std::runtime_error("out of memory: not even one matrix of n = " + text_of(largest) + " fits");
      if (copies == 1) count = (count + 1) / 2;
      copies = std::max(1, copies / 2);
    }
  }
}

}  // namespace talus::measure
