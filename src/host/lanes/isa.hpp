// Instruction sets that kernels in lanes are compiled for, and the choice among them when the program runs.
#pragma once

namespace talus::host {

enum class isa { baseline, avx2, avx512 };  // baseline: what every machine of the architecture has

/// The most matrices that a group has with any of them.
constexpr int lanes_max = 64 / sizeof(float);

/// A family's kernels for one instruction set. The file that is compiled for it defines them.
template <class Kernels, isa>
const Kernels& kernels_for() noexcept;

/// Those of the widest instruction set of this machine.
template <class Kernels>
const Kernels& lane_kernels() noexcept {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (has_avx512) return kernels_for<Kernels, isa::avx512>();
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return kernels_for<Kernels, isa::avx2>();
#endif
  return kernels_for<Kernels, isa::baseline>();
}

}  // namespace talus::host
