// Reads sparse matrices in Matrix Market form: coordinate; real, integer or pattern; general, symmetric or
// skew-symmetric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/text_reader.hpp"

namespace example {

/// Indices count from 0. Entries are sorted by column, then row, and each position occurs once: values that
/// the file gives for one position are summed. Entries of a pattern are 1, also if given several times. A
/// symmetric matrix has its lower triangle here, whichever triangle the file stores. A skew-symmetric matrix
/// has both triangles here: A(j, i) = -A(i, j).
struct sparse_matrix {
  struct entry {
    int row, column;
    double value;
    std::int64_t line;            ///< where in the file, for messages
    bool above_diagonal = false;  ///< where the file stores it, of a symmetric or skew-symmetric matrix
  };

  std::string file;
  std::int64_t size_line;
  int rows, columns;
  bool symmetric;
  std::vector<entry> entries;
};

/// Throws file_error for files that hold another kind of matrix (complex, array), that are malformed, or that
/// store a position of a symmetric matrix in both triangles; also for a file that cannot be opened (line 0).
sparse_matrix read_matrix_market(const std::string& file);

}  // namespace example
