// Where a matrix and the lists of its panels' rows lie in shared memory, and what is read of them at once.
#pragma once

#include <cstddef>

#include "gpu/limits.hpp"

namespace talus::cuda::lu {

/// Columns of a panel.
constexpr int smem_panel = 8;

/// From a column to the next: whole tiles of 16 rows, and what tensor units read of one lies in different
/// banks; columns begin at 16 bytes.
TALUS_HOST_DEVICE constexpr int smem_pitch(int m, std::size_t element_size) {
  return (m + 15) / 16 * 16 + (element_size == 4 ? 4 : 2);
}
/// Elements of a matrix: columns are padded to whole tiles.
TALUS_HOST_DEVICE constexpr std::size_t smem_elements(int m, int columns, std::size_t element_size) {
  return static_cast<std::size_t>(smem_pitch(m, element_size)) *
         ((static_cast<std::size_t>(columns) + 7) / 8 * 8);
}
/// From the list of a panel's rows to that of the next.
TALUS_HOST_DEVICE constexpr int smem_list_pitch(int m) { return (m + 15) / 16 * 16; }
/// Bytes of the lists of as many panels as so many columns have, which are all eliminated.
TALUS_HOST_DEVICE constexpr std::size_t smem_list_bytes(int m, int columns, std::size_t row_size) {
  return static_cast<std::size_t>(smem_list_pitch(m)) * ((static_cast<std::size_t>(columns) + 7) / 8) *
         row_size;
}
/// Bytes of a row's number in them, where a team has so many rows at most.
TALUS_HOST_DEVICE constexpr std::size_t smem_row_size(int most_rows) { return most_rows <= 256 ? 1 : 2; }
/// Static shared memory of a block, at most.
constexpr std::size_t smem_extra_bytes = 4 * 1024;

}  // namespace talus::cuda::lu
