// The calls of Talus: one partial factorization per level, and per step of a level one triangular solve and
// one product. All fronts of all systems are matrices of the same call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis.hpp"
#include "common/memory_layout.hpp"
#include "solve_plan.hpp"
#include "talus/vbatched.hpp"

namespace multifrontal {

/// Where the matrices are. Factors, w, ipiv of one system follow those of the one before.
struct storage {
  double* factors = nullptr;
  double* schur[2] = {nullptr, nullptr};  ///< of even and odd levels
  double* w = nullptr;                    ///< per system nrhs vectors of all rows of all fronts
  int *ipiv = nullptr, *info = nullptr;
};

/// One of the arrays in argument_arrays.
template <class T>
struct argument {
  std::size_t begin = 0;
};

/// What calls take beside matrices: sizes, leading dimensions, pointers. While memory is only counted,
/// nothing is made.
class argument_arrays {
 public:
  explicit argument_arrays(bool only_counts) : only_counts_(only_counts) {}

  /// Appends of(item, system) for each item of each system.
  template <class T, class Of>
  argument<T> add(std::size_t items, int systems, Of of) {
    array<T>& to = array_of(T());
    const argument<T> here{to.count};
    to.count += items * static_cast<std::size_t>(systems);
    for (int s = 0; !only_counts_ && s < systems; ++s)
      for (std::size_t i = 0; i < items; ++i) to.values.push_back(of(i, s));
    return here;
  }

  void send(example::memory_layout& memory) {
    ints_.sent = memory.send(ints_.values, ints_.count);
    pointers_.sent = memory.send(pointers_.values, pointers_.count);
    int_pointers_.sent = memory.send(int_pointers_.values, int_pointers_.count);
  }
  const int* operator[](argument<int> a) const { return ints_.sent + a.begin; }
  double* const* operator[](argument<double*> a) const { return pointers_.sent + a.begin; }
  int* const* operator[](argument<int*> a) const { return int_pointers_.sent + a.begin; }

 private:
  template <class T>
  struct array {
    std::size_t count = 0;
    std::vector<T> values;
    T* sent = nullptr;
  };
  array<int>& array_of(int) { return ints_; }
  array<double*>& array_of(double*) { return pointers_; }
  array<int*>& array_of(int*) { return int_pointers_; }

  bool only_counts_;
  array<int> ints_;
  array<double*> pointers_;
  array<int*> int_pointers_;
};

class talus_calls {
 public:
  talus_calls(const analysis& all, const solve_plan& solves, int systems, int nrhs, const storage& at,
              example::memory_layout& memory);

  /// Calls run on this queue; scratch is set.
  void run_on(talus::queue q) { q_.where = q.where, q_.stream = q.stream; }

  void factor(std::size_t level) const;
  void solve_forward(std::size_t level) const;
  void solve_backward(std::size_t level) const;

 private:
  struct partial {
    std::int64_t count;
    int k_max, n2_max;
    argument<int> k, n2, ld11, ld21, ld22;
    argument<double*> A11, A12, A21, A22;
    argument<int*> ipiv;
    std::size_t info;
  };
  struct triangles {
    std::int64_t count;
    int n_max;
    argument<int> n, ld;
    argument<double*> A, x;
  };
  struct products {
    std::int64_t count;
    int m_max, n_max;
    argument<int> m, n, ld;
    argument<double*> A, x, y;
  };
  struct step {
    triangles solved;
    products multiplied;
  };

  partial add_partial(const analysis& all, const level_plan& level, int parity, const storage& at);
  step add_step(const solve_step& s, const storage& at, std::int64_t factor_stride);
  std::size_t scratch_bytes() const;
  void solve(const triangles& t, talus::uplo triangle, talus::op op, talus::diag diagonal) const;
  void multiply(const products& p, talus::op op) const;

  bool symmetric_;
  int systems_, nrhs_;
  std::int64_t rows_;  ///< of all fronts: leading dimension of w
  talus::queue q_;
  argument_arrays arguments_;
  std::vector<partial> partial_;
  std::vector<std::vector<step>> forward_, backward_;
  argument<int> one_, width_, ld_of_w_;  ///< as long as the longest call: 1, nrhs, rows
  int* info_ = nullptr;
};

}  // namespace multifrontal
