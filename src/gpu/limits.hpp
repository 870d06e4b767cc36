// What a block may take of a GPU, and what elements take of a block.
#pragma once

#include <atomic>
#include <cstddef>

#include "batch.hpp"

namespace talus::cuda {

/// Resources of one GPU.
struct gpu_limits {
  std::size_t shared_bytes;  // that one block may ask for
  int cluster = 1;           // blocks that run at the same time and see one another's shared memory, at most
};

/// Blocks of a cluster, at most: as many as every GPU takes that has clusters; and as many as some take of a
/// kernel that asks for it.
constexpr int most_of_cluster = 8, most_of_large_cluster = 16;

/// Any GPU from compute capability 7.0 on.
constexpr gpu_limits generic_limits = {64 * 1024};

/// The most that some GPU has: what lies beyond it serves nobody.
constexpr gpu_limits any_gpu_limits = {227 * 1024, most_of_large_cluster};

/// Thread blocks that one multiprocessor holds at most, on the GPU that the code is compiled for.
#if __CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870
constexpr int most_resident_blocks = 16;
#elif __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1100 || __CUDA_ARCH__ == 1200 || __CUDA_ARCH__ == 1210
constexpr int most_resident_blocks = 24;
#else
constexpr int most_resident_blocks = 32;
#endif

/// By compute capability; 0 stands for any.
constexpr gpu_limits limits_of(int capability) {
  switch (capability) {
    case 70:
    case 72:
      return {96 * 1024};
    case 75:
      return {64 * 1024};
    case 80:
    case 87:
      return {163 * 1024};
    case 86:
    case 89:
      return {99 * 1024};
    case 120:
    case 121:
      return {99 * 1024, most_of_cluster};
    case 90:
    case 100:
    case 103:
      return {227 * 1024, most_of_large_cluster};
    case 110:
      return {227 * 1024, most_of_cluster};
    default:
      return generic_limits;
  }
}

/// What blocks may take of the current device, at most; tests set it to be on a smaller one.
inline std::atomic<std::size_t> most_shared_bytes{any_gpu_limits.shared_bytes};

/// What a kernel family has to know of the elements of its matrices.
struct element {
  std::size_t size;  // bytes
  bool complex;

  constexpr int registers() const { return static_cast<int>(size / 4); }
  constexpr int of_16_bytes() const { return static_cast<int>(16 / size); }
};

/// By the letter of a precision: s, d, c or z.
constexpr element element_of(char precision) {
  return {precision == 's' ? 4u : precision == 'z' ? 16u : 8u, precision == 'c' || precision == 'z'};
}

/// The same of a type of device code.
template <class T>
constexpr element element_of_type = {sizeof(T), !std::is_floating_point_v<T>};

}  // namespace talus::cuda
