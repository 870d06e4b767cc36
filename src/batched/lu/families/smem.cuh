// The kernels of smem.hpp.
#pragma once

#include "batched/lu/families/smem.hpp"
#include "batched/lu/pieces/smem_matrix.cuh"
#include "gpu/async_copy.cuh"

namespace talus::cuda::lu {

/// What the kernel is compiled for.
template <int WARPS_, int ROWS_, int BLOCKS_>
struct smem_policy {
  static constexpr int WARPS = WARPS_, TEAM = 1, ROWS = ROWS_, BLOCKS = BLOCKS_;
};

/// Right-looking LU of matrix b of A in panels of 8 columns, all in one launch.
///
/// Thread map  a block per matrix. The first warp factors panels, the others update what is right of the next
///             one: a lane per column solves for the pivots' rows, then a warp has tiles of 16 x 8. The first
///             warp updates the next panel and factors it: by rows in registers if it is whole and T is real,
///             else by tiles, too
/// Stored      the matrix in shared memory; a panel in registers while it is factored
/// Launch      count blocks, smem::bytes of shared memory
/// Needs       m <= 32 * ROWS
/// Barriers    one per panel of all warps, one of those that update
/// Info        j: as LAPACK; the elimination goes on
/// Source      LAPACK's xGETRF with look-ahead
/// Bound by    instructions, half of them the panels'; where few matrices fit, the chain of their pivots
template <class T, class Policy, class Exchanges, class Epilogue>
__device__ __forceinline__ void eliminate_in_smem(const matrix<T>& A, const elimination<real_t<T>>& each,
                                                  Exchanges exchanges, std::int64_t b, int* info_array,
                                                  const Epilogue& then) {
  constexpr int THREADS = 32 * Policy::WARPS;
  using matrix_t = smem_matrix<T, Policy, Exchanges>;
  __shared__ typename matrix_t::memory shared;
  int nrhs = 0;
  if constexpr (Epilogue::solves) nrhs = then.B.n;
  const int tid = static_cast<int>(threadIdx.x);
  static_assert(sizeof(shared) <= smem_extra_bytes);
  matrix_t M(A.m, A.n + nrhs, A.n + nrhs, exchanges, shared);
  const auto read = [&] {
    copy_matrix_async<THREADS>(M.A, M.pitch, A.A, A.lda, A.m, A.n, tid);
    if constexpr (Epilogue::solves) {
      const matrix<T> B = then.B[b];
      copy_matrix_async<THREADS>(&M(0, A.n), M.pitch, B.A, B.lda, A.m, nrhs, tid);
    }
    close_group();
    wait_for_groups<0>();
    __syncthreads();
  };
  M.find_roles();
  read();
  M.take_roles();
  if (!__builtin_expect(M.template eliminate<false>(each.columns, each), 1)) {
    read();
    M.template eliminate<true>(each.columns, each);
  }
  if (tid == 0) info_array[b] = M.shared.info;
  if (!exchanges && tid == 0 && each.replaced != nullptr) *each.replaced = M.shared.replaced;
  if constexpr (Epilogue::solves) {
    if (M.shared.info == 0) {
      then.solve_back(M, A.n);
      const matrix<T> B = then.B[b];
      for (int c = M.warp; c < nrhs; c += Policy::WARPS) {  // which solved for them
        for (int i = M.lane; i < A.m; i += 32) store_last(&B(i, c), M(i, A.n + c));
      }
    }
    M.n = A.n;
  }
  int place[Policy::ROWS];
#pragma unroll
  for (int u = 0; u < Policy::ROWS; ++u) place[u] = min(M.lane + 32 * u, M.m - 1);
  M.store_rows(A.A, A.lda, each.columns, M.lane, place);
}

template <class T, class Policy, bool EXCHANGES, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    getrf_smem(std::int64_t first_block, Source source, int* info_array, Then then) {
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        const std::int64_t b = number();
        const matrix<T> mine = A[b];
        eliminate_in_smem<T, Policy>(mine, elimination_of(source, then, b, mine.m, mine.n),
                                     known<EXCHANGES>(), b, info_array, then);
      });
}

template <class Line, int, class Source, class Then>
int smem::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  using Epilogue = typename epilogue_of<smem, Then>::type;
  constexpr smem p = Line::kernel;
  using policy = smem_policy<p.warps, p.rows, p.blocks>;
  const extents<2> most = largest_of(source);
  int columns = most[1];
  if constexpr (Epilogue::solves) columns += then.B.n;
  const std::size_t bytes = p.bytes(most[0], columns, sizeof(T));
  const dim3 threads(32 * p.warps);
  const Epilogue after(then);
  if (exchanges_rows(source, after))
    return launch_over<getrf_smem<T, policy, true, Source, Epilogue>>(source, 1, threads, bytes, 0, q, info,
                                                                      after);
  if constexpr (may_exchange_no_rows<Epilogue>)
    return launch_over<getrf_smem<T, policy, false, Source, Epilogue>>(source, 1, threads, bytes, 0, q, info,
                                                                       after);
  return err_unsupported;
}

}  // namespace talus::cuda::lu
