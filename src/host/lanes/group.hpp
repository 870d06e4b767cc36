// Matrices that go in lanes together: by which instruction set, which batches have enough of them, and which
// matrices are a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "batch.hpp"

namespace talus::host {

/// Instruction sets that kernels in lanes are compiled for. baseline: what every machine of the architecture
/// has.
enum class isa { baseline, avx2, avx512 };

/// The most matrices that a group has with any of them.
constexpr int lanes_max = 64 / sizeof(float);

/// A family's kernels for one instruction set. The file that is compiled for it defines them.
template <class Kernels, isa>
const Kernels& kernels_for() noexcept;

/// Those of the widest instruction set of this machine, or of the one that this build has (TALUS_LANES).
template <class Kernels>
const Kernels& lane_kernels() noexcept {
#if defined(TALUS_ISA_ALONE)
  return kernels_for<Kernels, isa::TALUS_ISA_ALONE>();
#else
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (has_avx512) return kernels_for<Kernels, isa::avx512>();
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return kernels_for<Kernels, isa::avx2>();
#endif
  return kernels_for<Kernels, isa::baseline>();
#endif
}

/// Which batches go in lanes: up to n_max_of_few all, up to n_max those of more than `few` matrices. A group
/// takes one thread the same time however few of its lanes have a matrix, so few matrices are faster one by
/// one on several threads, or even on one thread: from n = 64 on one matrix is up to 4 times faster. The
/// number of threads itself must not decide: the same call gives the same bits on any number.
struct lanes_range {
  int n_max, n_max_of_few, few;
  std::int64_t elements_max = std::numeric_limits<std::int64_t>::max();  // of a matrix, however narrow it is

  constexpr bool covers(int n, std::int64_t count) const {
    return n <= n_max && (n <= n_max_of_few || count > few);
  }
  constexpr bool fits(int m, int n) const { return std::int64_t{m} * n <= elements_max; }
};

/// No batch at all.
constexpr lanes_range no_range() { return {-1, -1, 0}; }

/// Matrices of equal sizes, one per lane: lane l has the one that starts at of[l].
template <class T>
struct group {
  T* of[lanes_max];
  int m, n, lda;
};

/// The group of the matrices which(0), ..., which(members - 1) of a batch. An incomplete one is filled up
/// with its first: that computes and stores the same bits again, so there is no second path for the rest.
template <template <class> class Batch, class T, class Which>
group<T> group_of(const Batch<T>& A, int width, int members, Which which) {
  const matrix<T> first = A[which(0)];
  group<T> some;
  some.m = first.m;
  some.n = first.n;
  some.lda = first.lda;
  for (int l = 0; l < width; ++l) some.of[l] = A[which(l < members ? l : 0)].A;
  return some;
}

/// So of vectors.
template <class E>
struct vector_group {
  E* of[lanes_max];
};
template <class E, class Which>
vector_group<E> group_of(const vectors<E>& v, int width, int members, Which which) {
  vector_group<E> some;
  for (int l = 0; l < width; ++l) some.of[l] = v[which(l < members ? l : 0)];
  return some;
}

/// A further extent of each matrix of a batch: its own, in an array, or the same for all.
struct extents {
  const int* array;
  int same;

  int operator[](std::int64_t b) const { return array ? array[b] : same; }
};
/// The matrices of a group agree in it.
template <class Which>
int group_of(const extents& all, int, int, Which which) {
  return all[which(0)];
}

/// Threads take as many groups at a time as make up some dozens of kilobytes, so that taking costs nothing
/// and the last ones end together. A: any of the matrices.
template <class T>
std::int64_t groups_at_a_time(std::int64_t groups, int width, const matrix<T>& A, int threads) {
  constexpr std::int64_t bytes_at_a_time = 64 * 1024;
  const std::int64_t group_bytes = std::int64_t{A.m} * A.n * width * static_cast<std::int64_t>(sizeof(T));
  return std::clamp<std::int64_t>(bytes_at_a_time / std::max<std::int64_t>(group_bytes, 1), 1,
                                  1 + groups / (8 * threads));
}

}  // namespace talus::host
