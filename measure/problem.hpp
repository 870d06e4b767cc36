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
#include <vector>

#include "batch.hpp"
#include "measure/memory.hpp"
#include "talus/types.hpp"

namespace talus::measure {

/// Extents of one matrix: A is m x n, k of its columns are eliminated, B has nrhs columns.
struct sizes {
  int m = 0, n = 0, k = 0, nrhs = 0;
};

/// What a routine is called with. Of equal sizes n_max is n.
template <class Batch>
struct operands_of {
  talus::uplo uplo;
  Batch A, B;
  int* info;
  int n_max;
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

/// Hermitian, random off the diagonal; n on the diagonal makes it positive definite and well conditioned.
TALUS_HOST_DEVICE inline element element_of_A(std::int64_t b, int i, int j, int n) {
  if (i == j) return {n + uniform(b, i, i, 0), 0};
  const int row = i > j ? i : j, column = i > j ? j : i;
  const double im = uniform(b, row, column, 1);
  return {uniform(b, row, column, 0), i > j ? im : -im};
}
TALUS_HOST_DEVICE inline element element_of_B(std::int64_t b, int i, int j) {
  return {uniform(b, i, j, 2), uniform(b, i, j, 3)};
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

/// Matrices of order n side by side; nrhs = 0: A, else B.
template <class T>
void generate(backend where, T* X, int n, int nrhs, std::int64_t batch);
/// Matrix b of order n[b] from A + first[b] on, lda = n[b].
template <class T>
void generate_variable_A(backend where, T* A, const std::int64_t* first, const int* n, int n_max,
                         std::int64_t batch);

// ---- equal sizes ---------------------------------------------------------------------------------

/// `copies` slabs of `batch` matrices each, restored from one pristine slab: a run too short for the clock
/// works on one slab after the other, so that no matrix is factored twice. lda = ldb = n, matrices side by
/// side.
template <class T>
class problem {
 public:
  using scalar = T;
  using operands_type = operands_of<talus::batch<T>>;
  static constexpr bool mixed_sizes = false;

  const backend where;
  const talus::uplo uplo;
  const int n, nrhs;  // nrhs = 0: no right-hand sides
  const std::int64_t batch;
  const int copies;

  problem(backend where_, talus::uplo uplo_, int n_, int nrhs_, std::int64_t batch_, int copies_)
      : where(where_),
        uplo(uplo_),
        n(n_),
        nrhs(nrhs_),
        batch(batch_),
        copies(copies_),
        pristine_A_(where, static_cast<std::size_t>(batch * stride_A())),
        pristine_B_(where, static_cast<std::size_t>(batch * stride_B())),
        A_(where, pristine_A_.size() * static_cast<std::size_t>(copies)),
        B_(where, pristine_B_.size() * static_cast<std::size_t>(copies)),
        A_array_(where, starts(A_, stride_A())),
        B_array_(where, starts(B_, stride_B())),
        info_(where, static_cast<std::size_t>(batch)) {
    generate(where, pristine_A_.data(), n, 0, batch);
    if (nrhs) generate(where, pristine_B_.data(), n, nrhs, batch);
  }

  std::int64_t stride_A() const { return std::int64_t{n} * n; }
  std::int64_t stride_B() const { return std::int64_t{n} * nrhs; }
  T* A(int copy) const { return A_.data() + copy * batch * stride_A(); }
  T* B(int copy) const { return B_.data() + copy * batch * stride_B(); }
  T* A(int copy, std::int64_t b) const { return A(copy) + b * stride_A(); }
  T* B(int copy, std::int64_t b) const { return B(copy) + b * stride_B(); }
  T** A_array(int copy) const { return A_array_.data() + copy * batch; }
  T** B_array(int copy) const { return B_array_.data() + copy * batch; }
  int* info() const { return info_.data(); }
  std::size_t slab_bytes() const { return (pristine_A_.size() + pristine_B_.size()) * sizeof(T); }

  operands_type operands(int copy) const {
    return {uplo, strided_batch(A(copy), n, n, n, stride_A(), batch),
            strided_batch(B(copy), n, nrhs, n, stride_B(), batch), info(), n};
  }
  measure::sizes sizes_of(std::int64_t) const { return {n, n, n, nrhs}; }
  int largest() const { return n; }

  /// amount(sizes) of all matrices together.
  template <class Amount>
  double sum(Amount amount) const {
    return static_cast<double>(batch) * amount(sizes_of(0));
  }

  /// The matrices whose results are looked at.
  std::set<std::int64_t> sample() const { return {0, batch / 3, batch - 1}; }

  /// What restore gives from now on is what stands in copy 0 now: the factor, for routines that start from
  /// one.
  void keep_A() { copy_within(where, pristine_A_.data(), A_.data(), pristine_A_.size() * sizeof(T)); }

  void restore(int copy) {
    copy_within(where, A(copy), pristine_A_.data(), pristine_A_.size() * sizeof(T));
    if (nrhs) copy_within(where, B(copy), pristine_B_.data(), pristine_B_.size() * sizeof(T));
  }

  std::vector<T> download_A(std::int64_t b) const { return block(A_, b, stride_A()); }
  std::vector<T> download_pristine_A(std::int64_t b) const { return block(pristine_A_, b, stride_A()); }
  std::vector<T> download_B(std::int64_t b) const { return block(B_, b, stride_B()); }
  std::vector<int> download_info() const { return info_.host(); }

 private:
  static std::vector<T*> starts(const array<T>& slabs, std::int64_t stride) {
    std::vector<T*> pointers;
    if (stride > 0) pointers.reserve(slabs.size() / static_cast<std::size_t>(stride));
    for (T* start = slabs.data(); start < slabs.data() + slabs.size(); start += stride)
      pointers.push_back(start);
    return pointers;
  }
  static std::vector<T> block(const array<T>& slab, std::int64_t b, std::int64_t size) {
    return slab.host(static_cast<std::size_t>(b * size), static_cast<std::size_t>(size));
  }

  array<T> pristine_A_, pristine_B_, A_, B_;
  array<T*> A_array_, B_array_;
  array<int> info_;
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
template <class Problem, class Run, class Prepare>
double seconds_per_run(Problem& p, stopwatch& watch, int runs, Run run, Prepare prepare) {
  for (int copy = 0; copy < runs; ++copy) {
    p.restore(copy);
    prepare(copy);
  }
  watch.start();
  for (int copy = 0; copy < runs; ++copy) run(copy);
  return watch.stop() / runs;
}
template <class Problem, class Run>
double seconds_per_run(Problem& p, stopwatch& watch, int runs, Run run) {
  return seconds_per_run(p, watch, runs, run, [](int) {});
}

// ---- as much as there is memory for --------------------------------------------------------------

/// Enough copies that short runs can be repeated; of large batches one is long enough.
inline int wanted_copies(double slab_bytes) {
  constexpr double together = 256e6;
  return std::clamp(static_cast<int>(together / slab_bytes), 1, 16);
}

/// make(count, copies) of as many of `count` matrices, and copies of them, as there is memory for; the first
/// `count` of them take bytes(count).
template <class Bytes, class Make>
auto make_what_fits(backend where, std::int64_t count, int n, Bytes bytes, Make make) {
  int copies = wanted_copies(bytes(count));
  for (;;) {
    try {
      require_room(where, (copies + 1) * bytes(count));
      return make(count, copies);
    } catch (const out_of_memory&) {
      if (copies == 1 && count == 1)
        throw std::runtime_error("out of memory: not even one matrix of n = " + std::to_string(n) + " fits");
      if (copies == 1) count = (count + 1) / 2;
      copies = std::max(1, copies / 2);
    }
  }
}

template <class T>
double bytes_with_pointers(int n, int nrhs) {
  return static_cast<double>(sizeof(T)) * n * (n + nrhs) + 2 * sizeof(void*);
}

template <class T>
std::unique_ptr<problem<T>> allocate_problem(uplo uplo, backend where, int n, int nrhs, std::int64_t batch) {
  return make_what_fits(
      where, batch, n,
      [&](std::int64_t count) { return bytes_with_pointers<T>(n, nrhs) * static_cast<double>(count); },
      [&](std::int64_t count, int copies) {
        return std::make_unique<problem<T>>(where, uplo, n, nrhs, count, copies);
      });
}

}  // namespace talus::measure
