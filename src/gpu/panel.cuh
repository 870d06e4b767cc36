// Panels of columns in shared memory: how wide, and how many matrices to a block.
#pragma once

#include "batch.hpp"
#include "gpu/launch.cuh"

namespace talus::cuda {

/// A panel of IB columns of n rows, and a block of its diagonal.
template <class T, int IB>
TALUS_HOST_DEVICE constexpr std::size_t panel_bytes(int n) {
  return (static_cast<std::size_t>(n) * IB + IB * IB) * sizeof(T);
}

/// What a block may use of shared memory beside what it needs for itself.
inline int shared_memory_for_panels(std::size_t& bytes) {
  const int status = shared_memory_limit(bytes);
  if (status == 0) bytes -= 1024;
  return status;
}

/// work(IB) with the widest panel that fits in shared memory.
template <class T, class Work>
int with_widest_panel(int n, Work work) {
  std::size_t limit = 0;
  if (const int status = shared_memory_for_panels(limit)) return status;
  if (panel_bytes<T, 8>(n) <= limit) return work(std::integral_constant<int, 8>{});
  if (panel_bytes<T, 4>(n) <= limit) return work(std::integral_constant<int, 4>{});
  if (panel_bytes<T, 2>(n) <= limit) return work(std::integral_constant<int, 2>{});
  if (panel_bytes<T, 1>(n) <= limit) return work(std::integral_constant<int, 1>{});
  return err_unsupported;
}

/// The shape of a block whose threads own rows: (threads, matrices), 4 <= least <= threads <= 256, and of
/// matrices that take `each` bytes as many as are sure to have room, up to 128 threads.
inline dim3 block_of_rows(int n, int least, std::size_t each) {
  int threads = 4;
  while (threads < n && threads < 256) threads *= 2;
  threads = std::max(threads, least);
  int tbc = std::max(1, 128 / threads);
  while (tbc > 1 && static_cast<std::size_t>(tbc) * each > 47 * 1024) tbc /= 2;
  return dim3(static_cast<unsigned>(threads), static_cast<unsigned>(tbc));
}

}  // namespace talus::cuda
