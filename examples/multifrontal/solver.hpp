// Factors systems of one pattern and solves with the factors: level by level on one queue, which nothing
// waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "calls.hpp"
#include "common/queued_work.hpp"
#include "kernels.hpp"

namespace multifrontal {

/// Where a factorization has stopped: of the fronts that failed, the first pivot in the order of elimination.
struct failure {
  int system;
  int column;  ///< of A, from 0
  int pivot;   ///< eliminated as that number, from 0
};

class solver {
 public:
  /// Bytes of the queue's memory that a solver takes, all at once.
  static std::size_t bytes(const sparse::matrix& A, const analysis& all, int systems, int nrhs,
                           talus::queue q);

  /// Allocates and sends what the pattern decides. A and `all` outlive the solver.
  solver(const sparse::matrix& A, const analysis& all, int systems, int nrhs, talus::queue q);

  void send_values(int system, const std::vector<double>& value) const;

  /// Queues the numeric factorization of all systems. Marks: 0 at its begin; 2 l + 1 and 2 l + 2 before level
  /// l's extend-add and before its partial factorization; 2 levels() + 1 behind the last of these; one at its
  /// end.
  void factor(example::timeline* marks = nullptr) const;

  /// After factor(), waits.
  std::optional<failure> first_failure() const;

  /// Right-hand sides, residuals, and solutions: for each system nrhs vectors of A.n elements.
  enum class vector { b, r, x };
  void send(vector to, const std::vector<double>& values) const;
  std::vector<double> fetch(vector from) const;

  /// x := A^-1 b, or x := x + A^-1 r.
  void solve() const { solve(data_.b, false); }
  void correct() const { solve(data_.r, true); }
  /// r := b - A x.
  void find_residual() const;

  std::size_t levels() const { return all_.where.levels.size(); }

 private:
  /// Pointers into the memory.
  struct pointers {
    storage m;
    double *value, *b, *x, *r;
    const std::int64_t* destination;
    const double *entry_scale, *row_scale, *column_scale;
    const int *row_of_pivot, *column_of_pivot, *row_of_w, *in_parent, *first, *k;
    int *exchanged, *scratch;
    const tile* tiles;
    const contribution *contributions, *row_contributions;
    const row_tile* row_tiles;
    rows_of_matrix A;
  };

  struct without_memory {};
  solver(const sparse::matrix& A, const analysis& all, int systems, int nrhs, talus::queue q, without_memory);
  void lay_out(example::memory_layout& memory);
  void solve(const double* from, bool add) const;
  double* of(vector v) const { return v == vector::b ? data_.b : v == vector::r ? data_.r : data_.x; }
  std::size_t vector_elements() const {
    return static_cast<std::size_t>(A_.n) * static_cast<std::size_t>(nrhs_) *
           static_cast<std::size_t>(systems_);
  }
  vectors layout_of_vectors() const;

  const sparse::matrix& A_;
  const analysis& all_;
  int systems_, nrhs_;
  talus::queue q_;
  std::optional<example::array<char>> memory_;
  pointers data_{};
  std::unique_ptr<talus_calls> calls_;
};

}  // namespace multifrontal
