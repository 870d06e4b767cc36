// The batch of variable size that every library is given, and the slab of equal sizes it can be padded to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem.hpp"
#include "talus/vbatched.hpp"

namespace talus::bench {

/// Matrix b of order n[b] from A + first[b] on, lda = n[b].
template <class T>
void generate_variable_A(backend where, T* A, const std::int64_t* first, const int* n, std::int64_t batch);

/// Triangle after triangle of order n_max: the matrix, the identity beyond it. Queued on cuda, as is its
/// reverse: the factors' own part of it goes where the matrices are.
template <class T>
void pad(backend where, T* padded, int n_max, bool lower, const T* const* A_array, const int* n,
         std::int64_t batch);
template <class T>
void unpad(backend where, T* const* A_array, const int* n, bool lower, const T* padded, int n_max,
           std::int64_t batch);

/// What problem is for one size: `copies` slabs, each with all matrices one behind the other, lda = n.
template <class T>
class variable_problem {
 public:
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
    upload(where, n_.data(), sizes.data(), sizes.size() * sizeof(int));
    upload(where, lda_.data(), sizes.data(), sizes.size() * sizeof(int));
    std::vector<T*> pointers;
    for (int copy = 0; copy < copies; ++copy) {
      for (std::int64_t b = 0; b < batch; ++b) pointers.push_back(A(copy, b));
    }
    upload(where, A_array_.data(), pointers.data(), pointers.size() * sizeof(T*));
    const array<std::int64_t> first(where, sizes.size());
    upload(where, first.data(), first_.data(), sizes.size() * sizeof(std::int64_t));
    generate_variable_A(where, pristine_A_.data(), first.data(), n_.data(), batch);
    int last = 0;  // all is done before `first` goes
    download(where, &last, n_.data(), sizeof last);
  }

  T* A(int copy) const { return A_.data() + static_cast<std::size_t>(copy) * slab_size(); }
  T* A(int copy, std::int64_t b) const { return A(copy) + first(b); }
  T** A_array(int copy) const { return A_array_.data() + copy * batch; }
  int* n() const { return n_.data(); }  // with room for one more behind them, as MAGMA wants it
  int* lda() const { return lda_.data(); }
  int* info() const { return info_.data(); }
  std::int64_t first(std::int64_t b) const { return first_[static_cast<std::size_t>(b)]; }
  std::size_t slab_size() const { return static_cast<std::size_t>(first_.back()); }
  std::size_t slab_bytes() const { return slab_size() * sizeof(T); }

  void restore(int copy) { copy_within(where, A(copy), pristine_A_.data(), slab_bytes()); }

  std::vector<T> download_A(std::int64_t b) const { return download_block(A(0), b); }
  std::vector<T> download_pristine_A(std::int64_t b) const { return download_block(pristine_A_.data(), b); }
  std::vector<int> download_info() const {
    std::vector<int> info(info_.size());
    download(where, info.data(), info_.data(), info.size() * sizeof(int));
    return info;
  }

 private:
  static std::vector<std::int64_t> starts(const std::vector<int>& sizes) {
    std::vector<std::int64_t> first = {0};
    for (const int n : sizes) first.push_back(first.back() + std::int64_t{n} * n);
    return first;
  }
  std::vector<T> download_block(const T* slab, std::int64_t b) const {
    std::vector<T> block(static_cast<std::size_t>(first(b + 1) - first(b)));
    download(where, block.data(), slab + first(b), block.size() * sizeof(T));
    return block;
  }

  std::vector<std::int64_t> first_;  // where each matrix begins in a slab, and where the last one ends
  array<T> pristine_A_, A_;
  array<T*> A_array_;
  array<int> n_, lda_, info_;
};

/// The first of these matrices that there is memory for, and as many copies.
template <class T>
std::unique_ptr<variable_problem<T>> allocate_variable_problem(uplo uplo, backend where,
                                                               std::vector<int> sizes) {
  const auto bytes = [&] {
    double sum = 0;
    for (const int n : sizes) sum += static_cast<double>(sizeof(T)) * n * n + 2 * sizeof(void*);
    return sum;
  };
  int copies = wanted_copies(bytes());
  for (;;) {
    try {
      require_room(where, (copies + 1) * bytes());
      return std::make_unique<variable_problem<T>>(where, uplo, sizes, copies);
    } catch (const out_of_memory&) {
      if (copies == 1 && sizes.size() == 1)
        throw std::runtime_error("out of memory: not even one matrix of n = " + std::to_string(sizes[0]) +
                                 " fits");
      if (copies == 1) sizes.resize((sizes.size() + 1) / 2);
      copies = std::max(1, copies / 2);
    }
  }
}

inline queue queue_of(backend where) { return where == backend::cuda ? queue::cuda() : queue::host(); }

/// A queue with all the scratch that a call on the problem takes: one call after the other uses it.
template <class T>
class queue_with_scratch {
 public:
  explicit queue_with_scratch(const variable_problem<T>& p)
      : scratch_(p.where, p.where == backend::cuda ? potrf_vbatched_work<T>(p.n_max, p.batch) : 0),
        queue_(queue_of(p.where)) {
    if (p.where != backend::cuda) return;
    queue_.work = scratch_.data();
    queue_.work_bytes = scratch_.size();
  }
  operator queue() const { return queue_; }

 private:
  array<char> scratch_;
  queue queue_;
};

/// The matrices of a variable problem in slots of n_max x n_max.
template <class T>
class padded_problem {
 public:
  explicit padded_problem(const variable_problem<T>& p)
      : slab_(
            (require_room(p.where, static_cast<double>(sizeof(T)) * p.copies * static_cast<double>(size(p))),
             p.where),
            static_cast<std::size_t>(p.copies) * static_cast<std::size_t>(size(p))) {}

  T* A(const variable_problem<T>& p, int copy) const { return slab_.data() + copy * size(p); }
  void fill(const variable_problem<T>& p, int copy) const {
    pad<T>(p.where, A(p, copy), p.n_max, p.uplo == uplo::lower, p.A_array(copy), p.n(), p.batch);
  }
  void copy_back(const variable_problem<T>& p, int copy) const {
    unpad<T>(p.where, p.A_array(copy), p.n(), p.uplo == uplo::lower, A(p, copy), p.n_max, p.batch);
  }

 private:
  static std::int64_t size(const variable_problem<T>& p) { return p.batch * p.n_max * p.n_max; }
  array<T> slab_;
};

}  // namespace talus::bench
