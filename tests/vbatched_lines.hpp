// Which line of potrf's tables has the kernel of a line of potrf_vbatched's.
#pragma once

#include <cstddef>

#include "batched/potrf_table.hpp"
#include "vbatched/potrf_table.hpp"

namespace talus::test {

/// A line of potrf_tables, of any table of the build, whose kernel gives the bits that this line's does, for
/// all sizes that it serves (only smem has kernels that its n_max is part of); -1: there is none.
template <class T>
int line_of_same_kernel(const cuda::potrf_vbatched_line& line) {
  const auto& lines = cuda::potrf_tables::lines<T>;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const cuda::potrf_line& l = lines[i];
    const bool same_nb = line.family != cuda::potrf_family::blocked || l.nb == line.nb;
    if (l.family == line.family && l.ib == line.ib && same_nb && l.threads == line.threads &&
        l.rows == line.rows && (line.family != cuda::potrf_family::smem || l.n_max >= line.n_max))
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace talus::test
