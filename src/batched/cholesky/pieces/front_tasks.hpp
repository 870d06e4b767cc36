// The tasks of a front in Cholesky by tiles, in an order in which no task waits for a later one.
#pragma once

#include "gpu/integers.hpp"

namespace talus::cuda::cholesky {

/// The tasks of a front in left-looking Cholesky. Rows and columns are divided into units of NB, and the units
/// of the pivots come first. Tasks are numbered by columns of units. A column of pivots has a task for its
/// diagonal block, then a task for every UNITS_OF_BLOCK units below the diagonal. Another column has a task for
/// every UNITS_OF_BLOCK units from the diagonal on.
///
///   counter of a unit  | written by                        | read by
///   progress[column]   | the task of the diagonal block    | row blocks of the column
///   progress[row]      | row blocks of a column of pivots  | later tasks that multiply by the row
///
/// progress[u] = number of columns of pivots in which unit u of the rows is final.
template <int UNITS_OF_BLOCK>
struct front_tasks {
  int pivots, units;  // columns of units that have pivots, and all

  /// Returns the tasks of a front of A.k pivots and A.n2 other rows.
  template <class Front>
  TALUS_HOST_DEVICE static front_tasks of(const Front& A, int nb) {
    const int pivots = ceil_div(A.k, nb);
    return {pivots, pivots + ceil_div(A.n2, nb)};
  }

  struct task {
    int column;
    int row_block;  // -1: the diagonal block
  };

  /// Of columns before `column`.
  TALUS_HOST_DEVICE int before(int column) const {
    const int of_pivots = min(column, pivots), others = column - of_pivots;
    return of_pivots + blocks_upto(units - 1) - blocks_upto(units - 1 - of_pivots) +
           blocks_upto(units - pivots) - blocks_upto(units - pivots - others);
  }
  TALUS_HOST_DEVICE int count() const { return before(units); }

  TALUS_HOST_DEVICE task at(int number) const {
    int first = 0, end = units;  // the column is among these
    while (end - first > 1) {
      const int middle = (first + end) / 2;
      (before(middle) <= number ? first : end) = middle;
    }
    const int in_column = number - before(first);
    return {first, first < pivots ? in_column - 1 : in_column};
  }

 private:
  /// ceil(1 / UNITS_OF_BLOCK) + ... + ceil(rows / UNITS_OF_BLOCK)
  TALUS_HOST_DEVICE static int blocks_upto(int rows) {
    if (rows < 0) return 0;  // below the last column of all
    const int whole = rows / UNITS_OF_BLOCK, rest = rows % UNITS_OF_BLOCK;
    return UNITS_OF_BLOCK * (whole * (whole + 1) / 2) + rest * (whole + 1);
  }
};

}  // namespace talus::cuda::cholesky
