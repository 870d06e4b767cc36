// What the tables of all routines have in common: whose they are, what a GPU has, how one is found.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace talus::cuda {

/// For the last line of a table: any size, any batch.
constexpr int any_n = 0x7fffffff;
constexpr std::int64_t any_batch = 0x7fffffffffffffff;

/// Whose table it is.
struct gpu_table {
  const char* name = "";  // of its folder
  const char* gpu = "";   // as the GPU calls itself; empty: any
  int capability = 0;     // compute capability, 90 for 9.0; 0: any
};

/// What a block may take.
struct gpu_limits {
  std::size_t shared_bytes;
};

/// Any GPU from compute capability 7.0 on.
constexpr gpu_limits generic_limits = {64 * 1024};

/// The most that some GPU has: what lies beyond it serves nobody.
constexpr gpu_limits any_gpu_limits = {227 * 1024};

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
    case 120:
    case 121:
      return {99 * 1024};
    case 90:
    case 100:
    case 103:
    case 110:
      return {227 * 1024};
    default:
      return generic_limits;
  }
}

/// What blocks may take of the current device, at most; tests set it to be on a smaller one.
inline std::atomic<std::size_t> most_shared_bytes{any_gpu_limits.shared_bytes};

/// Index of the table that serves a GPU: its own, else the first of its compute capability, else the last,
/// which is the generic one.
constexpr int choose_table(const gpu_table* tables, int count, std::string_view gpu, int capability) {
  for (int t = 0; t < count; ++t) {
    if (tables[t].gpu[0] != 0 && gpu == tables[t].gpu) return t;
  }
  for (int t = 0; t < count; ++t) {
    if (tables[t].capability == capability && capability != 0) return t;
  }
  return count - 1;
}

/// choose_table for the current device, whose name is asked for once. Returns a status.
int find_table(const gpu_table* tables, int count, int& chosen) noexcept;

}  // namespace talus::cuda
