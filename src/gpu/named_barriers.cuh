// Barriers for some of the warps of a block. A block has 16 barriers, and barrier 0 is __syncthreads().
#pragma once

namespace talus::cuda {

/// The barriers by their users. Groups of threads that synchronize at the same time in one kernel have
/// different numbers; users in different kernels may share a number.
///
///   number | kernels                  | threads
///   0      | all                      | the whole block, __syncthreads()
///   1      | lu/smem_matrix.cuh       | warps that update columns beside a panel
///   1      | qr/register_panel.cuh    | warps that factor the panel
///   1      | cholesky/syrk_potrf.cuh  | the first group of warps, after the other groups have added their sums
///   2      | lu/rows.cuh              | the team of warps that factors a panel
///   2      | lu/pivot_exchange.cuh    | warps that search the pivot
///   2      | cholesky/syrk_potrf.cuh  | warps that have a part of the product
///   3      | lu/smem_matrix.cuh       | the team of warps that factors the next panel
///   1-15   | blas/turns.cuh           | all warps, which take turns
enum named_barrier : int {
  whole_block_barrier = 0,
  lu_update_barrier = 1,
  qr_panel_barrier = 1,
  first_group_barrier = 1,
  lu_panel_barrier = 2,
  pivot_search_barrier = 2,
  product_barrier = 2,
  lu_team_barrier = 3,
  first_turn_barrier = 1,
};
/// Barriers of blas/turns.cuh: from first_turn_barrier on.
constexpr int turn_barriers = 15;

/// Waits until a number of threads have arrived at the barrier: whole warps of the block.
template <int BARRIER, int THREADS>
__device__ __forceinline__ void synchronize_at() {
  asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "n"(THREADS) : "memory");
}
template <int BARRIER>
__device__ __forceinline__ void synchronize_at(int threads) {
  asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "r"(threads) : "memory");
}
template <int THREADS>
__device__ __forceinline__ void wait_at(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}
/// Arrives at the barrier and does not wait.
template <int THREADS>
__device__ __forceinline__ void arrive_at(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}
/// Waits as synchronize_at does. Returns true if x is true for at least one of the threads.
template <int BARRIER, int THREADS>
__device__ __forceinline__ bool any_at(bool x) {
  int result = 0;
  asm volatile(
      "{.reg .pred p, q; setp.ne.s32 p, %1, 0; barrier.red.or.pred q, %2, %3, p; selp.s32 %0, 1, 0, q;}"
      : "=r"(result)
      : "r"(static_cast<int>(x)), "n"(BARRIER), "n"(THREADS)
      : "memory");
  return result != 0;
}

}  // namespace talus::cuda
