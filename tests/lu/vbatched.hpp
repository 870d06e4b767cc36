// Batches of LU of mixed sizes: all that a call of any routine takes, in the memory of the backend under
// test.
#pragma once

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"
#include "mixed_sizes.hpp"
#include "talus/vbatched.hpp"

namespace talus::test {

/// Pivots of matrices of different sizes, a gap behind those of each. Every second empty one has a null
/// pointer.
struct mixed_pivots {
  static constexpr int guard = pivot_array::guard, gap = pivot_array::gap;

  explicit mixed_pivots(std::vector<std::vector<int>> each)
      : host(std::move(each)), memory(joined()), pointers(host.size()) {
    int* start = memory.data();
    for (const std::vector<int>& pivots : host) {
      starts.push_back(pivots.empty() && starts.size() % 2 == 0 ? nullptr : start);
      start += static_cast<std::ptrdiff_t>(pivots.size()) + gap;
    }
    pointers.upload(starts);
  }
  /// Of so many each, none of which is a pivot yet.
  static std::vector<std::vector<int>> unset(const std::vector<int>& lengths) {
    std::vector<std::vector<int>> each;
    for (const int length : lengths) each.emplace_back(static_cast<std::size_t>(length), guard);
    return each;
  }

  void restore() { memory.upload(joined()); }
  /// Throws if a gap was written.
  std::vector<std::vector<int>> download() const {
    const std::vector<int> all = memory.download();
    std::vector<std::vector<int>> each;
    auto from = all.begin();
    for (const std::vector<int>& pivots : host) {
      const auto to = from + static_cast<std::ptrdiff_t>(pivots.size());
      each.emplace_back(from, to);
      if (std::count(to, to + gap, guard) != gap)
        throw std::runtime_error("pivots were written beyond their end");
      from = to + gap;
    }
    return each;
  }

  std::vector<std::vector<int>> host;  // as uploaded
  array<int> memory;
  std::vector<int*> starts;
  array<int*> pointers;

 private:
  std::vector<int> joined() const {
    std::vector<int> all;
    for (const std::vector<int>& pivots : host) {
      all.insert(all.end(), pivots.begin(), pivots.end());
      all.insert(all.end(), gap, guard);
    }
    return all;
  }
};

enum class routine {
  getrf,
  getrf_nopiv,
  getrf_partial,
  getrf_partial_nopiv,
  getrs,
  getrs_nopiv,
  gesv,
  getri,
  getri_outofplace
};
constexpr routine factorizations[] = {routine::getrf, routine::getrf_nopiv, routine::getrf_partial,
                                      routine::getrf_partial_nopiv};
constexpr routine every_routine[] = {
    routine::getrf,           routine::getrf_nopiv, routine::getrf_partial, routine::getrf_partial_nopiv,
    routine::getrs,           routine::getrs_nopiv, routine::gesv,          routine::getri,
    routine::getri_outofplace};
/// Takes the first k columns alone; has no row exchanges; takes what one that factors left.
constexpr bool is_partial(routine r) {
  return r == routine::getrf_partial || r == routine::getrf_partial_nopiv;
}
constexpr bool is_nopiv(routine r) {
  return r == routine::getrf_nopiv || r == routine::getrf_partial_nopiv || r == routine::getrs_nopiv;
}
constexpr bool takes_factors(routine r) {
  return r == routine::getrs || r == routine::getrs_nopiv || r == routine::getri ||
         r == routine::getri_outofplace;
}
constexpr bool takes_sides(routine r) {
  return r == routine::getrs || r == routine::getrs_nopiv || r == routine::gesv;
}

/// All that is left of a call.
template <class T>
struct lu_results {
  std::vector<slab<T>> A, B, C;
  std::vector<std::vector<int>> ipiv;
  std::vector<int> info, replaced;

  bool same_bits(const lu_results& other) const {
    return test::same_bits(A, other.A) && test::same_bits(B, other.B) && test::same_bits(C, other.C) &&
           ipiv == other.ipiv && info == other.info && replaced == other.replaced;
  }
  /// Of one matrix, and of another.
  bool same_bits(std::size_t b, const lu_results& other, std::size_t other_b) const {
    return A[b].same_bits(other.A[other_b]) && B[b].same_bits(other.B[other_b]) &&
           C[b].same_bits(other.C[other_b]) && ipiv[b] == other.ipiv[other_b] &&
           info[b] == other.info[other_b] && replaced[b] == other.replaced[other_b];
  }
};

/// The operands of any routine. A test may change sizes and pointers, and uploads what it did.
template <class T>
struct lu_batch {
  using R = real_of<T>;

  lu_batch(std::vector<slab<T>> A_, std::vector<int> columns_, std::vector<std::vector<int>> pivots,
           std::vector<slab<T>> B_)
      : A(std::move(A_)),
        B(std::move(B_)),
        C(squares(A.host)),
        columns(std::move(columns_)),
        k(columns),
        ipiv(std::move(pivots)),
        floors(A.host.size()),
        info(A.count()),
        replaced(A.count()) {
    set_floors(std::vector<R>(A.host.size(), R(0)));
  }
  void set_floors(const std::vector<R>& each) { floors.upload(each); }
  void upload() {
    for (mixed<T>* m : {&A, &B, &C}) m->upload_sizes();
    k.upload(columns);
    ipiv.pointers.upload(ipiv.starts);
  }
  void restore() {
    for (mixed<T>* m : {&A, &B, &C}) m->restore();
    ipiv.restore();
    for (info_array* i : {&info, &replaced}) i->memory.upload(std::vector<int>(A.host.size() + 1, -777));
  }

  int run(routine r, const size_bounds& most, queue q = test_queue(), op op = op::none) {
    return run(r, most, info.data(), q, op);
  }
  int run(routine r, const size_bounds& most, int* infos, queue q, op op);
  lu_results<T> results() const {
    return {A.download(), B.download(), C.download(), ipiv.download(), info.download(), replaced.download()};
  }
  /// What results() are before any call.
  lu_results<T> as_uploaded() const {
    const std::vector<int> unset(A.host.size(), -777);
    return {A.host, B.host, C.host, ipiv.host, unset, unset};
  }
  /// Waits, and checks what every call promises of what is not its own.
  lu_results<T> finished(routine r) {
    finish();
    lu_results<T> now = results();
    for (std::size_t b = 0; b < now.A.size(); ++b) {
      CAPTURE(b, A.host[b].m, A.host[b].n);
      CHECK(now.A[b].guards_untouched(A.host[b]));
      CHECK(now.B[b].guards_untouched(B.host[b]));
      CHECK(now.C[b].guards_untouched(C.host[b]));
      if (takes_factors(r) && r != routine::getri) CHECK(now.A[b].same_bits(A.host[b]));
    }
    if (takes_factors(r) || is_nopiv(r)) CHECK(now.ipiv == ipiv.host);
    return now;
  }

  mixed<T> A, B, C;
  std::vector<int> columns;
  array<int> k;
  mixed_pivots ipiv;
  array<R> floors;
  info_array info, replaced;

 private:
  static std::vector<slab<T>> squares(const std::vector<slab<T>>& like) {
    std::vector<slab<T>> all;
    for (const slab<T>& s : like) all.emplace_back(s.n, s.n, std::max(1, s.n) + 1, 1);
    return all;
  }
};

template <class T>
int lu_batch<T>::run(routine r, const size_bounds& most, int* infos, queue q, op op) {
  T *const *const a = A.pointers.data(), *const *const b = B.pointers.data(),
                  *const *const c = C.pointers.data();
  int* const* const p = ipiv.pointers.data();
  const int *const m = A.m.data(), *const n = A.n.data(), *const nrhs = B.n.data(), *const lda = A.ld.data(),
                   *const ldb = B.ld.data(), *const ldc = C.ld.data();
  const std::int64_t count = A.count();
  switch (r) {
    case routine::getrf:
      return getrf_vbatched(m, n, a, lda, p, infos, count, most.m, most.n, q);
    case routine::getrf_nopiv:
      return getrf_nopiv_vbatched<T>(m, n, a, lda, 0, floors.data(), replaced.data(), infos, count, most.m,
                                     most.n, q);
    case routine::getrf_partial:
      return getrf_partial_vbatched(m, n, k.data(), a, lda, p, infos, count, most.m, most.n, most.k, q);
    case routine::getrf_partial_nopiv:
      return getrf_partial_nopiv_vbatched<T>(m, n, k.data(), a, lda, 0, floors.data(), replaced.data(), infos,
                                             count, most.m, most.n, most.k, q);
    case routine::getrs:
      return getrs_vbatched<T>(op, n, nrhs, a, lda, p, b, ldb, infos, count, most.n, most.nrhs, q);
    case routine::getrs_nopiv:
      return getrs_nopiv_vbatched<T>(op, n, nrhs, a, lda, b, ldb, infos, count, most.n, most.nrhs, q);
    case routine::gesv:
      return gesv_vbatched(n, nrhs, a, lda, p, b, ldb, infos, count, most.n, most.nrhs, q);
    case routine::getri:
      return getri_vbatched(n, a, lda, p, infos, count, most.n, q);
    case routine::getri_outofplace:
      return getri_outofplace_vbatched<T>(n, a, lda, p, c, ldc, infos, count, most.n, q);
  }
  return 1;
}

/// The bytes of scratch that it takes.
template <class T>
std::size_t work_bytes(routine r, const size_bounds& most, std::int64_t count) {
  switch (r) {
    case routine::getrf:
      return getrf_vbatched_work<T>(most.m, most.n, count);
    case routine::getrf_nopiv:
      return getrf_nopiv_vbatched_work<T>(most.m, most.n, count);
    case routine::getrf_partial:
      return getrf_partial_vbatched_work<T>(most.m, most.n, most.k, count);
    case routine::getrf_partial_nopiv:
      return getrf_partial_nopiv_vbatched_work<T>(most.m, most.n, most.k, count);
    case routine::getrs:
      return getrs_vbatched_work<T>(most.n, most.nrhs, count);
    case routine::getrs_nopiv:
      return getrs_nopiv_vbatched_work<T>(most.n, most.nrhs, count);
    case routine::gesv:
      return gesv_vbatched_work<T>(most.n, most.nrhs, count);
    case routine::getri:
      return getri_vbatched_work<T>(most.n, count);
    case routine::getri_outofplace:
      return getri_outofplace_vbatched_work<T>(most.n, count);
  }
  return 0;
}

/// How many columns a factorization eliminates of a matrix.
inline int eliminated(routine r, const shape& s) { return is_partial(r) ? s.k : std::min(s.m, s.n); }

/// Matrices of one kind, of every shape two, made when they are asked for first.
template <class T>
class general_library {
 public:
  explicit general_library(std::string kind) : kind_(std::move(kind)) {}
  const dense<T>& operator()(const shape& s, std::size_t b) {
    const auto [found, is_new] = made_.try_emplace({{s.m, s.n}, b % 2});
    if (is_new) found->second = general<T>(kind_, s.m, s.n, static_cast<unsigned>(2 * s.m + s.n) + b % 2);
    return found->second;
  }

 private:
  std::string kind_;
  std::map<std::pair<std::pair<int, int>, std::size_t>, dense<T>> made_;
};

/// What a routine takes of these sizes: matrices of a kind, or for one that solves or inverts their factors.
/// The latter are the backend's own.
template <class T>
std::unique_ptr<lu_batch<T>> operands(routine r, general_library<T>& A, const std::vector<shape>& shapes) {
  std::vector<slab<T>> matrices, sides;
  std::vector<int> columns, lengths;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const shape& s = shapes[b];
    matrices.emplace_back(s.m, s.n, ld_of(s.m, b), 1);
    matrices.back().put(0, A(s, b));
    sides.emplace_back(s.n, s.nrhs, ld_of(s.n, b / 3), 1);
    sides.back().put(0, random_matrix<T>(s.n, s.nrhs, static_cast<unsigned>(100 + b % 5)));
    columns.push_back(s.k);
    lengths.push_back(eliminated(r, s));
  }
  auto batch = std::make_unique<lu_batch<T>>(matrices, columns, mixed_pivots::unset(lengths), sides);
  if (!takes_factors(r)) return batch;
  const routine factorization = is_nopiv(r) ? routine::getrf_nopiv : routine::getrf;
  REQUIRE(batch->run(factorization, bounds_of(shapes)) == 0);
  finish();
  CHECK(all_zero(batch->info.download()));
  return std::make_unique<lu_batch<T>>(batch->A.download(), columns, batch->ipiv.download(), sides);
}

}  // namespace talus::test
