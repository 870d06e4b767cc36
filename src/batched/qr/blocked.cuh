// QR of matrices of any size by a block of threads, in panels: the panel in shared memory, the other columns
// in memory.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/qr/blocks.cuh"
#include "batched/qr/source.cuh"
#endif

namespace talus::cuda::householder {

/// A line of a table. Every m and n.
struct blocked {
  static constexpr const char* name = "blocked";

  int nb = 0;      // columns of a panel
  int warps = 0;   // of a block
  int strip = 0;   // tiles of 8 columns that a warp updates at a time
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("strip", self.strip);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int, int, const element& e, const gpu_limits& limits) const {
    if (nb != 8 && nb != 16 && nb != 32) return "nb is not 8, 16 or 32";
    if (warps < 1 || warps > 16) return "warps is not between 1 and 16";
    if (strip < 1 || strip > 4) return "strip is not between 1 and 4";
    if (blocks < 0 || blocks > 32 || blocks * warps > 64) return "blocks * warps is not between 0 and 64";
    const int elements = nb * (nb + 4) * 2 + warps * 8 * strip * (nb + 4) + nb + 64;
    if (static_cast<std::size_t>(elements) * e.size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<blocked> space() {
    return {{{"nb", {8, 16, 32}, "what fits in shared memory, and how the tensor units multiply"},
             {"warps", {2, 4, 8, 16}, "of a block"},
             {"strip", {1, 2}, "more take registers"},
             {"blocks", {0, 2, 4, 5, 6, 8, 10}, "they decide how many matrices are under way"}},
            24,
            any_extent,
            "below, other kernels have the matrix on the chip",
            [](const blocked& k, int n) { return k.warps * k.strip * 8 < 2 * n + 64; },
            "warps for which there are columns"};
  }
};

#ifdef __CUDACC__

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
/// Launch      count blocks
/// Barriers    per panel one for each of its columns, and eight
/// Info        0
/// Source      LAPACK's xGEQRF; the compact WY form of Schreiber and Van Loan (1989)
/// Bound by    the chain of the panels' columns; where several matrices fit, reading V from shared memory
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    geqrf_blocked(std::int64_t first_block, Source source, int* info_array, Then then) {
  using work = qr_blocks<T, Policy>;
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        const std::int64_t b = number();
        auto& memory = *shared_memory<typename work::memory_t>();
        work on(memory, reinterpret_cast<T*>(&memory + 1));
        on.factor(as_it_is(A[b]), tau_of(source, then, b));
        if (threadIdx.x == 0) info_array[b] = 0;
      });
}

template <class Line, auto FORM, class Source, class Then>
int blocked::launch(Source source, int* info, queue q, Then then) {
  if constexpr (!factors<Then> || forms_q<Then> || solves<Then>) {
    return err_unsupported;  // tasks.cuh does it
  } else {
    using T = typename Source::element;
    constexpr blocked p = Line::kernel;
    constexpr int m_max = Line::line.bounds.of[0];
    using policy = blocked_policy<p.nb, p.warps, p.strip, p.blocks, m_max, true>;
    using elsewhere = blocked_policy<16, 8, 1, 0, any_extent, false>;  // one for all lines
    std::size_t shared = 0;
    if (const int status = shared_memory_limit(shared)) return status;
    const std::size_t bytes =
        sizeof(wy_memory<T, policy>) + panel_elements(largest_of(source)[0], p.nb) * sizeof(T);
    if (bytes <= shared)
      return launch_over<geqrf_blocked<T, policy, Source, Then>>(source, 1, dim3(32 * p.warps), bytes, 0, q,
                                                                 info, then);
    return launch_over<geqrf_blocked<T, elsewhere, Source, Then>>(
        source, 1, dim3(32 * elsewhere::WARPS), sizeof(wy_memory<T, elsewhere>), 0, q, info, then);
  }
}

#endif

}  // namespace talus::cuda::householder
