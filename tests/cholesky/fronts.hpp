// Fronts, in one piece and in blocks of their own, and the partial Cholesky factorizations of both.
// compiled_once/fronts.cpp compiles the slow functions with -O3.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "mixed_sizes.hpp"

namespace talus::test {

/// Its order, and how many columns are eliminated.
struct front_size {
  int n, k;
};

/// By potrf_partial, and by potrf_partial_split.
enum class layout { whole, split };
constexpr layout layouts[] = {layout::whole, layout::split};

/// Elements (i, j) that a slab's matrices have in common with m x n blocks from (i0, j0) on.
template <class T>
void copy_block(const slab<T>& from, slab<T>& to, int i0, int j0) {
  for (std::int64_t b = 0; b < from.count; ++b) {
    for (int j = 0; j < to.n; ++j) {
      for (int i = 0; i < to.m; ++i) to.at(b, i, j) = from.at(b, i0 + i, j0 + j);
    }
  }
}
template <class T>
void put_block(const slab<T>& block, slab<T>& into, int i0, int j0) {
  for (std::int64_t b = 0; b < into.count; ++b) {
    for (int j = 0; j < block.n; ++j) {
      for (int i = 0; i < block.m; ++i) into.at(b, i0 + i, j0 + j) = block.at(b, i, j);
    }
  }
}

/// The blocks of fronts, copied; guards are their own. A21 is A12 where the upper triangle holds the fronts.
template <class T>
struct front_blocks {
  front_blocks(const slab<T>& fronts, int k, uplo triangle)
      : uplo(triangle),
        A11(k, k, std::max(1, k) + k % 3, fronts.count),
        A21(of_A21(fronts.n - k, k, std::max(1, fronts.n - k) + 1, fronts.count)),
        A22(fronts.n - k, fronts.n - k, std::max(1, fronts.n - k) + fronts.n % 2, fronts.count, 3) {
    copy_block(fronts, A11, 0, 0);
    copy_block(fronts, A21, row_of_A21(), column_of_A21());
    copy_block(fronts, A22, k, k);
  }

  /// The blocks in the places that they were copied from.
  slab<T> together(slab<T> fronts) const {
    put_block(A11, fronts, 0, 0);
    put_block(A21, fronts, row_of_A21(), column_of_A21());
    put_block(A22, fronts, A11.n, A11.n);
    return fronts;
  }
  bool guards_untouched(const front_blocks& before) const {
    return A11.guards_untouched(before.A11, &uplo) && A21.guards_untouched(before.A21) &&
           A22.guards_untouched(before.A22, &uplo);
  }

  talus::uplo uplo;
  slab<T> A11, A21, A22;

 private:
  slab<T> of_A21(int n2, int k, int more, std::int64_t count) const {
    return uplo == uplo::lower ? slab<T>(n2, k, more, count)
                               : slab<T>(k, n2, std::max(1, k) + more % 2, count, 1);
  }
  int row_of_A21() const { return uplo == uplo::lower ? A11.n : 0; }
  int column_of_A21() const { return uplo == uplo::lower ? 0 : A11.n; }
};

/// Such blocks in the memory of the backend under test.
template <class T>
struct resident_blocks {
  explicit resident_blocks(const front_blocks<T>& blocks)
      : host(blocks), A11(blocks.A11), A21(blocks.A21), A22(blocks.A22) {}
  front_blocks<T> download() const {
    front_blocks<T> now = host;
    now.A11 = A11.download();
    now.A21 = A21.download();
    now.A22 = A22.download();
    return now;
  }

  front_blocks<T> host;  // as uploaded
  resident<T> A11, A21, A22;
};

template <class T>
int potrf_partial(call_form how, uplo uplo, int k, const resident<T>& A, const info_array& info,
                  queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? potrf_partial_batched(uplo, s.n, k, A.pointers.data(), s.ld, info.data(), s.count, q)
             : potrf_partial_strided_batched(uplo, s.n, k, A.memory.data(), s.ld, s.stride, info.data(),
                                             s.count, q);
}

template <class T>
int potrf_partial_split(call_form how, const resident_blocks<T>& A, const info_array& info,
                        queue q = test_queue()) {
  const slab<T>&a = A.host.A11, &b = A.host.A21, &c = A.host.A22;
  return how == call_form::pointers
             ? potrf_partial_split_batched(A.host.uplo, a.n, c.n, A.A11.pointers.data(), a.ld,
                                           A.A21.pointers.data(), b.ld, A.A22.pointers.data(), c.ld,
                                           info.data(), a.count, q)
             : potrf_partial_split_strided_batched(A.host.uplo, a.n, c.n, A.A11.memory.data(), a.ld, a.stride,
                                                   A.A21.memory.data(), b.ld, b.stride, A.A22.memory.data(),
                                                   c.ld, c.stride, info.data(), a.count, q);
}

/// What a call left of fronts, in one piece wherever their blocks were; nothing else was written.
template <class T>
struct eliminated {
  slab<T> fronts;
  std::vector<int> info;

  eliminated(layout as, call_form how, uplo uplo, int k, const slab<T>& before, queue q = test_queue())
      : fronts(before) {
    const info_array infos(before.count);
    CAPTURE(as == layout::split, how == call_form::pointers, static_cast<char>(uplo), before.n, k,
            before.count);
    if (as == layout::whole) {
      const resident<T> A(before);
      REQUIRE(potrf_partial(how, uplo, k, A, infos, q) == 0);
      finish();
      fronts = A.download();
      CHECK(fronts.guards_untouched(before, &uplo));
    } else {
      const resident_blocks<T> A(front_blocks<T>(before, k, uplo));
      REQUIRE(potrf_partial_split(how, A, infos, q) == 0);
      finish();
      const front_blocks<T> now = A.download();
      CHECK(now.guards_untouched(A.host));
      fronts = now.together(before);
    }
    info = infos.download();
  }
};

/// The first k columns of L times their conjugate transpose, taken from A. All are n x n.
template <class T>
void subtract_columns(dense<T>& A, const dense<T>& L, int n, int k);

/// Only the columns from k on, as they are left: the Schur complement's lower triangle, in its place.
template <class T>
dense<T> without_columns(dense<T> F, int n, int k);

/// ||A - [L11; L21] [L11; L21]^H - [0 0; 0 S]||_1 / (n ||A||_1 eps) of what was left of A, the lower triangle
/// of all that.
template <class T>
double front_ratio(const dense<T>& A, const dense<T>& F, int n, int k);

/// A front whose first k columns have a factor of small integers, and a Schur complement of such that is
/// indefinite: each step of its elimination is exact.
template <class T>
struct known_front {
  known_front(const front_size& f, unsigned seed) : left(exact_factor<T>(f.n, seed)) {
    small_numbers<T> numbers(seed + 1);
    const auto at = [&f](int i, int j) { return static_cast<std::size_t>(i + j * f.n); };
    for (int j = f.k; j < f.n; ++j) {
      left[at(j, j)] = std::real(numbers.element(1));
      for (int i = j + 1; i < f.n; ++i) left[at(i, j)] = numbers.element(1);
    }
    A = whole(without_columns(left, f.n, f.k), f.n);
    for (T& a : A) a = -a;
    subtract_columns(A, left, f.n, f.k);
    for (T& a : A) a = -a;
  }

  dense<T> left, A;  // left: lower triangles, L's first columns and the Schur complement's
};

// ---- of mixed sizes ----------------------------------------------------------------------------------

inline size_bounds bounds_of(const std::vector<front_size>& fronts, layout as, int more = 0) {
  size_bounds most{0, 0, 0, 0};
  for (const front_size& f : fronts) {
    most.n = std::max(most.n, (as == layout::whole ? f.n : f.n - f.k) + more);
    most.k = std::max(most.k, f.k + more);
  }
  return most;
}

/// Fronts of a kind, each twice.
template <class T>
std::vector<slab<T>> fronts_of_kind(library<T>& A, const std::vector<front_size>& fronts, uplo uplo) {
  std::vector<int> n;
  for (const front_size& f : fronts) n.push_back(f.n);
  return matrices(A, n, uplo);
}

template <class T>
struct fronts_results {
  std::vector<slab<T>> A, A11, A21, A22;
  std::vector<int> info;

  bool same_bits(const fronts_results& other) const {
    return test::same_bits(A, other.A) && test::same_bits(A11, other.A11) &&
           test::same_bits(A21, other.A21) && test::same_bits(A22, other.A22) && info == other.info;
  }
};

/// Fronts of their own sizes, in one piece and in blocks. A test may change sizes and pointers, and uploads
/// what it did. Of bounds n is n_max or n2_max.
template <class T>
struct mixed_fronts {
  mixed_fronts(const std::vector<slab<T>>& fronts, const std::vector<int>& k_, talus::uplo triangle)
      : uplo(triangle),
        blocks(blocks_of(fronts, k_, triangle)),
        A(fronts),
        A11(all(&front_blocks<T>::A11)),
        A21(all(&front_blocks<T>::A21)),
        A22(all(&front_blocks<T>::A22)),
        columns(k_),
        k(k_),
        info(A.count()) {}
  mixed_fronts(library<T>& A_, const std::vector<front_size>& fronts, talus::uplo triangle)
      : mixed_fronts(fronts_of_kind(A_, fronts, triangle), columns_of(fronts), triangle) {}

  void upload() {
    for (mixed<T>* m : {&A, &A11, &A21, &A22}) m->upload_sizes();
    k.upload(columns);
  }
  void restore() {
    for (mixed<T>* m : {&A, &A11, &A21, &A22}) m->restore();
    info.memory.upload(unset(1));
  }
  int run(layout as, const size_bounds& most, queue q = test_queue()) {
    return as == layout::whole
               ? potrf_partial_vbatched(uplo, A.n.data(), k.data(), A.pointers.data(), A.ld.data(),
                                        info.data(), A.count(), most.n, most.k, q)
               : potrf_partial_split_vbatched(uplo, A11.n.data(), A22.n.data(), A11.pointers.data(),
                                              A11.ld.data(), A21.pointers.data(), A21.ld.data(),
                                              A22.pointers.data(), A22.ld.data(), info.data(), A.count(),
                                              most.k, most.n, q);
  }
  fronts_results<T> results() const {
    return {A.download(), A11.download(), A21.download(), A22.download(), info.download()};
  }
  /// What results() are before any call.
  fronts_results<T> as_uploaded() const { return {A.host, A11.host, A21.host, A22.host, unset(0)}; }

  /// Waits; what is left of the fronts, in one piece. Nothing else was written.
  std::vector<slab<T>> left(layout as) const {
    finish();
    const fronts_results<T> now = results();
    std::vector<slab<T>> fronts = now.A;
    for (std::size_t b = 0; b < fronts.size(); ++b) {
      CAPTURE(b, A.host[b].n, columns[b]);
      if (as == layout::whole) {
        CHECK(now.A[b].guards_untouched(A.host[b], &uplo));
        continue;
      }
      front_blocks<T> mine = blocks[b];
      mine.A11 = now.A11[b];
      mine.A21 = now.A21[b];
      mine.A22 = now.A22[b];
      CHECK(mine.guards_untouched(blocks[b]));
      fronts[b] = mine.together(A.host[b]);
    }
    return fronts;
  }

  talus::uplo uplo;
  std::vector<front_blocks<T>> blocks;
  mixed<T> A, A11, A21, A22;
  std::vector<int> columns;
  array<int> k;
  info_array info;

 private:
  static std::vector<front_blocks<T>> blocks_of(const std::vector<slab<T>>& fronts, const std::vector<int>& k,
                                                talus::uplo triangle) {
    std::vector<front_blocks<T>> each;
    for (std::size_t b = 0; b < fronts.size(); ++b) each.emplace_back(fronts[b], k[b], triangle);
    return each;
  }
  static std::vector<int> columns_of(const std::vector<front_size>& fronts) {
    std::vector<int> columns;
    for (const front_size& f : fronts) columns.push_back(f.k);
    return columns;
  }
  std::vector<slab<T>> all(slab<T> front_blocks<T>::*block) const {
    std::vector<slab<T>> each;
    for (const front_blocks<T>& b : blocks) each.push_back(b.*block);
    return each;
  }
  std::vector<int> unset(std::size_t more) const { return std::vector<int>(A.host.size() + more, -777); }
};

}  // namespace talus::test
