// The same as problem.hpp where each matrix has its own size; and the slab of equal sizes they can be padded
// to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/problem.hpp"

namespace talus::measure {

/// What problem is for one size: `copies` slabs, each with all matrices one behind the other, lda = n.
template <class T>
class variable_problem {
 public:
  using scalar = T;
  using operands_type = operands_of<talus::variable_batch<T>>;
  static constexpr bool mixed_sizes = true;

  const backend where;
  const talus::uplo uplo;
  const std::vector<int> sizes;  // at least one, all of them at least 1
  const int n_max;               // the largest of them
  const std::int64_t batch;
  const int copies;

  variable_problem(backend where_, talus::uplo uplo_, std::vector<int> sizes_, int copies_)
      : where(where_),
        uplo(uplo_),
        sizes(std::move(sizes_)),
        n_max(*std::max_element(sizes.begin(), sizes.end())),
        batch(static_cast<std::int64_t>(sizes.size())),
        copies(copies_),
        first_(starts(sizes)),
        pristine_A_(where, slab_size()),
        A_(where, slab_size() * static_cast<std::size_t>(copies)),
        A_array_(where, sizes.size() * static_cast<std::size_t>(copies)),
        n_(where, sizes.size() + 1),
        lda_(where, sizes.size() + 1),
        info_(where, sizes.size()) {
    std::vector<T*> pointers;
    for (int copy = 0; copy < copies; ++copy) {
      for (std::int64_t b = 0; b < batch; ++b) pointers.push_back(A(copy, b));
    }
    upload(where, A_array_.data(), pointers.data(), pointers.size() * sizeof(T*));
    upload(where, n_.data(), sizes.data(), sizes.size() * sizeof(int));
    upload(where, lda_.data(), sizes.data(), sizes.size() * sizeof(int));
    const array<std::int64_t> first(where, first_);
    generate_variable_A(where, pristine_A_.data(), first.data(), n_.data(), n_max, batch);
    finish(where);  // before `first` goes
  }

  T* A(int copy) const { return A_.data() + static_cast<std::size_t>(copy) * slab_size(); }
  T* A(int copy, std::int64_t b) const { return A(copy) + first(b); }
  T* B(int, std::int64_t) const { return nullptr; }  // no right-hand sides
  T** A_array(int copy) const { return A_array_.data() + copy * batch; }
  int* n() const { return n_.data(); }  // with room for one more behind them, as MAGMA wants it
  int* lda() const { return lda_.data(); }
  int* info() const { return info_.data(); }
  std::int64_t first(std::int64_t b) const { return first_[static_cast<std::size_t>(b)]; }
  std::size_t slab_size() const { return static_cast<std::size_t>(first_.back()); }
  std::size_t slab_bytes() const { return slab_size() * sizeof(T); }

  operands_type operands(int copy) const {
    return {uplo, {A_array(copy), n(), n(), lda(), batch}, {}, info(), n_max};
  }
  measure::sizes sizes_of(std::int64_t b) const {
    const int n_b = sizes[static_cast<std::size_t>(b)];
    return {n_b, n_b, n_b, 0};
  }
  int largest() const { return n_max; }

  /// amount(sizes) of all matrices together.
  template <class Amount>
  double sum(Amount amount) const {
    double all = 0;
    for (std::int64_t b = 0; b < batch; ++b) all += amount(sizes_of(b));
    return all;
  }

  /// The matrices whose results are looked at: the smallest, the largest, and a few between.
  std::set<std::int64_t> sample() const {
    const auto ends = std::minmax_element(sizes.begin(), sizes.end());
    std::set<std::int64_t> some = {ends.first - sizes.begin(), ends.second - sizes.begin(), 0, batch - 1};
    for (std::int64_t k = 1; k < 5; ++k) some.insert(batch * k / 5);
    return some;
  }

  void restore(int copy) { copy_within(where, A(copy), pristine_A_.data(), slab_bytes()); }

  std::vector<T> download_A(std::int64_t b) const { return block(A_, b); }
  std::vector<T> download_pristine_A(std::int64_t b) const { return block(pristine_A_, b); }
  std::vector<int> download_info() const { return info_.host(); }

 private:
  static std::vector<std::int64_t> starts(const std::vector<int>& sizes) {
    std::vector<std::int64_t> first = {0};
    for (const int n : sizes) first.push_back(first.back() + std::int64_t{n} * n);
    return first;
  }
  std::vector<T> block(const array<T>& slab, std::int64_t b) const {
    return slab.host(static_cast<std::size_t>(first(b)), static_cast<std::size_t>(first(b + 1) - first(b)));
  }

  std::vector<std::int64_t> first_;  // where each matrix begins in a slab, and where the last one ends
  array<T> pristine_A_, A_;
  array<T*> A_array_;
  array<int> n_, lda_, info_;
};

/// The first of these matrices that there is memory for, and as many copies.
template <class T>
std::unique_ptr<variable_problem<T>> allocate_variable_problem(uplo uplo, backend where,
                                                               const std::vector<int>& sizes) {
  return make_what_fits(
      where, static_cast<std::int64_t>(sizes.size()), sizes.front(),
      [&](std::int64_t count) {
        double sum = 0;
        std::for_each_n(sizes.begin(), count, [&](int n) { sum += bytes_with_pointers<T>(n, 0); });
        return sum;
      },
      [&](std::int64_t count, int copies) {
        return std::make_unique<variable_problem<T>>(
            where, uplo, std::vector<int>(sizes.begin(), sizes.begin() + count), copies);
      });
}

/// The matrices of a variable problem in slots of n_max x n_max: the stored triangles alone.
template <class T>
class padded_problem {
 public:
  explicit padded_problem(const variable_problem<T>& p)
      : slab_(
            (require_room(p.where, static_cast<double>(sizeof(T)) * p.copies * static_cast<double>(size(p))),
             p.where),
            static_cast<std::size_t>(p.copies) * static_cast<std::size_t>(size(p))) {}

  operands_of<batch<T>> operands(const variable_problem<T>& p, int copy) const {
    const std::int64_t stride = std::int64_t{p.n_max} * p.n_max;
    return {
        p.uplo, strided_batch(A(p, copy), p.n_max, p.n_max, p.n_max, stride, p.batch), {}, p.info(), p.n_max};
  }
  /// Puts the matrices there, with the identity beyond them; and the factors back. Queued on cuda.
  void fill(const variable_problem<T>& p, int copy) const;
  void copy_back(const variable_problem<T>& p, int copy) const;

 private:
  T* A(const variable_problem<T>& p, int copy) const { return slab_.data() + copy * size(p); }
  static std::int64_t size(const variable_problem<T>& p) { return p.batch * p.n_max * p.n_max; }
  array<T> slab_;
};

}  // namespace talus::measure
