// Batches of fronts in blocks of their own for LU, each front of its own size, in the memory of the backend
// under test.
#pragma once

#include <algorithm>
#include <vector>

#include "catch.hpp"
#include "lu/fronts.hpp"
#include "lu/vbatched.hpp"

namespace talus::test {

/// Of bounds m and n are those of m2 and n2.
inline size_bounds bounds_of(const std::vector<split_size>& sizes, int more = 0) {
  size_bounds most{0, 0, 0, 0};
  for (const split_size& s : sizes)
    most = {std::max(most.m, s.m2 + more), std::max(most.n, s.n2 + more), std::max(most.k, s.k + more), 0};
  return most;
}

template <class T>
struct mixed_split_results {
  std::vector<slab<T>> A11, A12, A21, A22;
  std::vector<std::vector<int>> ipiv;
  std::vector<int> info, replaced;

  bool same_bits(const mixed_split_results& other) const {
    return test::same_bits(A11, other.A11) && test::same_bits(A12, other.A12) &&
           test::same_bits(A21, other.A21) && test::same_bits(A22, other.A22) && ipiv == other.ipiv &&
           info == other.info && replaced == other.replaced;
  }
  /// Blocks and pivots of one front, and of another.
  bool same_bits(std::size_t b, const mixed_split_results& other, std::size_t other_b) const {
    return A11[b].same_bits(other.A11[other_b]) && A12[b].same_bits(other.A12[other_b]) &&
           A21[b].same_bits(other.A21[other_b]) && A22[b].same_bits(other.A22[other_b]) &&
           ipiv[b] == other.ipiv[other_b];
  }
  dense<T> whole(std::size_t b) const {
    const int k = A11[b].n, m2 = A22[b].m, n2 = A22[b].n;
    slab<T> fronts(k + m2, k + n2, std::max(1, k + m2), 1);
    block_into(A11[b], fronts, 0, 0);
    block_into(A12[b], fronts, 0, k);
    block_into(A21[b], fronts, k, 0);
    block_into(A22[b], fronts, k, k);
    return fronts.get(0);
  }
};

/// Fronts in blocks, each of its own size. A test may change sizes and pointers, and uploads what it did: k
/// is A11's columns, m2 and n2 are A22's rows and columns.
template <class T>
struct mixed_split {
  using R = real_of<T>;

  /// Whole fronts, each a slab of one.
  mixed_split(const std::vector<slab<T>>& fronts, const std::vector<int>& k)
      : mixed_split(blocks_of(fronts, k), k, 0) {}

  void set_floors(const std::vector<R>& each) { floors.upload(each); }
  void upload() {
    for (mixed<T>* m : {&A11, &A12, &A21, &A22}) m->upload_sizes();
    ipiv.pointers.upload(ipiv.starts);
  }
  void restore() {
    for (mixed<T>* m : {&A11, &A12, &A21, &A22}) m->restore();
    ipiv.restore();
    for (info_array* i : {&info, &replaced}) i->memory.upload(std::vector<int>(A11.host.size() + 1, -777));
  }
  int run(const split_way& way, const size_bounds& most, queue q = test_queue()) {
    return way.exchanges
               ? getrf_partial_split_vbatched(way.leaves, way.makes, A11.n.data(), A22.m.data(), A22.n.data(),
                                              A11.pointers.data(), A11.ld.data(), A12.pointers.data(),
                                              A12.ld.data(), A21.pointers.data(), A21.ld.data(),
                                              A22.pointers.data(), A22.ld.data(), ipiv.pointers.data(),
                                              info.data(), A11.count(), most.k, most.m, most.n, q)
               : getrf_partial_split_nopiv_vbatched<T>(
                     way.leaves, way.makes, A11.n.data(), A22.m.data(), A22.n.data(), A11.pointers.data(),
                     A11.ld.data(), A12.pointers.data(), A12.ld.data(), A21.pointers.data(), A21.ld.data(),
                     A22.pointers.data(), A22.ld.data(), 0, floors.data(), replaced.data(), info.data(),
                     A11.count(), most.k, most.m, most.n, q);
  }
  mixed_split_results<T> results() const {
    return {A11.download(),  A12.download(),  A21.download(),     A22.download(),
            ipiv.download(), info.download(), replaced.download()};
  }
  /// What results() are before any call.
  mixed_split_results<T> as_uploaded() const {
    const std::vector<int> unset(A11.host.size(), -777);
    return {A11.host, A12.host, A21.host, A22.host, ipiv.host, unset, unset};
  }
  /// Waits, and checks what every call promises of what is not its own.
  mixed_split_results<T> finished(const split_way& way) const {
    finish();
    const mixed_split_results<T> now = results();
    for (std::size_t b = 0; b < A11.host.size(); ++b) {
      CAPTURE(b, A11.host[b].n, A22.host[b].m, A22.host[b].n);
      CHECK(now.A11[b].guards_untouched(A11.host[b]));
      CHECK(now.A12[b].guards_untouched(A12.host[b]));
      CHECK(now.A21[b].guards_untouched(A21.host[b]));
      CHECK(now.A22[b].guards_untouched(A22.host[b]));
      if (way.leaves == form::left) CHECK(now.A21[b].same_bits(A21.host[b]));
    }
    if (!way.exchanges) CHECK(now.ipiv == ipiv.host);
    return now;
  }

  mixed<T> A11, A12, A21, A22;
  mixed_pivots ipiv;
  array<R> floors;
  info_array info, replaced;

 private:
  using blocks = std::vector<lu_blocks<T>>;

  mixed_split(const blocks& each, const std::vector<int>& k, int)
      : A11(all(each, &lu_blocks<T>::A11)),
        A12(all(each, &lu_blocks<T>::A12)),
        A21(all(each, &lu_blocks<T>::A21)),
        A22(all(each, &lu_blocks<T>::A22)),
        ipiv(mixed_pivots::unset(k)),
        floors(each.size()),
        info(A11.count()),
        replaced(A11.count()) {
    set_floors(std::vector<R>(each.size(), R(0)));
  }
  static blocks blocks_of(const std::vector<slab<T>>& fronts, const std::vector<int>& k) {
    blocks each;
    for (std::size_t b = 0; b < fronts.size(); ++b) each.emplace_back(fronts[b], k[b]);
    return each;
  }
  static std::vector<slab<T>> all(const blocks& each, slab<T> lu_blocks<T>::*block) {
    std::vector<slab<T>> slabs;
    for (const lu_blocks<T>& b : each) slabs.push_back(b.*block);
    return slabs;
  }
};

}  // namespace talus::test
