// The kernels of blocked.hpp.
#pragma once

#include "batched/qr/families/blocked.hpp"
#include "batched/qr/pieces/blocks.cuh"
#include "batched/qr/pieces/either_matrices.cuh"

namespace talus::cuda::householder {

/// What the kernel is compiled for.
template <int NB_, int WARPS_, int STRIP_, int BLOCKS_, int M_MAX_, bool RESIDENT_>
struct blocked_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, STRIP = STRIP_, BLOCKS = BLOCKS_, M_MAX = M_MAX_;
  static constexpr bool RESIDENT = RESIDENT_;
};

/// Right-looking QR of a matrix in panels of NB columns, all in one launch.
///
/// Thread map  a block per matrix. All warps factor the panel, a warp per column; then each has strips of
///             8 * STRIP columns to multiply by the block of reflectors
/// Stored      the panel, T and V^H C in shared memory
/// Launch      count blocks; of mixed sizes up to as many as there is room for
/// Barriers    per panel one for each of its columns, and eight
/// Info        0
/// Source      LAPACK's xGEQRF; the compact WY form of Schreiber and Van Loan (1989)
/// Bound by    the chain of the panels' columns; where several matrices fit, reading V from shared memory
template <class T, class Policy>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    geqrf_blocked(std::int64_t first_block, either_matrices<T> source, int* info_array) {
  using work = qr_blocks<T, Policy>;
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        const std::int64_t b = number();
        auto& memory = *shared_memory<typename work::memory_t>();
        work on(memory, reinterpret_cast<T*>(&memory + 1));
        on.factor(as_it_is(A), source.tau[b]);
        if (threadIdx.x == 0) info_array[b] = 0;
      });
}

template <class Line, auto FORM, class Source, class Then>
int blocked::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr blocked p = Line::kernel;
  constexpr int m_max = Line::line.bounds.of[0];
  using policy = blocked_policy<p.nb, p.warps, p.strip, p.blocks, m_max, true>;
  using elsewhere = blocked_policy<16, 8, 1, 0, any_extent, false>;  // one policy for all lines
  std::size_t shared = 0;
  if (const int status = shared_memory_limit(shared)) return status;
  const std::size_t bytes = sizeof(wy_memory<T, policy>) + panel_elements(source.bounds[0], p.nb) * sizeof(T);
  if (bytes <= shared)
    return launch_over<geqrf_blocked<T, policy>>(source, dim3(32 * p.warps), bytes, q, info);
  return launch_over<geqrf_blocked<T, elsewhere>>(source, dim3(32 * elsewhere::WARPS),
                                                  sizeof(wy_memory<T, elsewhere>), q, info);
}

}  // namespace talus::cuda::householder
