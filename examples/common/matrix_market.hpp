// Reads sparse matrices in Matrix Market form: coordinate, real or integer, general or symmetric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/text_reader.hpp"

namespace example {

/// Indices count from 0. Entries are sorted by column, then row, and each position occurs once: what the file
/// gives several times is summed. Of a symmetric matrix only the lower triangle is here.
struct sparse_matrix {
  struct entry {
    int row, column;
    double value;
    std::int64_t line;  ///< where in the file, for messages
  };

  std::string file;
  std::int64_t size_line;
  int rows, columns;
  bool symmetric;
  std::vector<entry> entries;
};

/// Throws file_error, also for a file that cannot be opened (line 0).
sparse_matrix read_matrix_market(const std::string& file);

}  // namespace example
