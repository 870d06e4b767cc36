// The kernels of a build with their sizes, as bench/kernels.py lists them, and which of them a line compiles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

struct listed_kernel {
  std::string name;
  std::int64_t bytes = 0;  // of machine code
};

/// Reads a list. Throws std::runtime_error if the file is no such list.
std::vector<listed_kernel> read_kernel_list(const std::string& path);

/// Returns the kernels of a list that a line compiles: their names begin with the words of the line's routine
/// and family, and have its precision and the values of its compiled parameters. Empty if no kernel's name
/// matches.
std::vector<listed_kernel> kernels_of(const routine& of, const table_line& line,
                                      const std::vector<listed_kernel>& list);

/// "adds 2 kernels, 118 kB".
std::string words_of_kernels(const std::vector<listed_kernel>& some);

}  // namespace talus::tune
