// The kernels of smem_front.hpp.
#pragma once

#include "batched/lu/families/smem.cuh"
#include "batched/lu/families/smem_front.hpp"
#include "batched/lu/fronts.hpp"
#include "batched/lu/pieces/solve.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A front in shared memory: M is [A11 A12], k rows; A21 has m2 rows, element (i, c) at A21[i + c * pitch].
/// A22 is in memory.
template <class T, class Policy>
struct front_in_smem {
  using matrix_t = smem_matrix<T, Policy>;
  static constexpr int IB = smem_panel, WARPS = Policy::WARPS, THREADS = 32 * WARPS;

  matrix_t& M;
  T* A21;
  int k, m2, n2, pitch;
  int lane = M.lane, g = lane / 4, t = lane % 4;

  __device__ front_in_smem(matrix_t& M_, int k_, int m2_, int n2_)
      : M(M_),
        A21(reinterpret_cast<T*>(M.sources + smem_list_bytes(k_, k_, 1))),
        k(k_),
        m2(m2_),
        n2(n2_),
        pitch(smem_pitch(m2_, sizeof(T))) {}

  /// A12 becomes U11^-1 A12, 16 columns by each warp.
  __device__ __forceinline__ void solve_columns() const {
    constexpr int TILES = 2, COLUMNS = TILES * tile_columns;
    const int end = k + n2;
#pragma unroll 1
    for (int c = k + M.warp * COLUMNS; c < end; c += WARPS * COLUMNS) {
#pragma unroll 1
      for (int j = (k - 1) / IB * IB; j >= 0; j -= IB) {  // from the last panel of U11 up
        if (lane < COLUMNS && c + lane < end) {
          T* const here = &M(j, c + lane);
          T x[IB];
          load_pieces(x, here);
#pragma unroll
          for (int i = IB - 1; i >= 0; --i) {
            if (j + i >= k) continue;
            x[i] = divisor<T>(M(j + i, j + i))(x[i]);
#pragma unroll
            for (int l = 0; l < i; ++l) multiply_add(x[l], -M(j + l, j + i), x[i]);
          }
          store_pieces(here, x);
        }
        __syncwarp();
        right_factor<T> right[TILES];
#pragma unroll
        for (int v = 0; v < TILES; ++v) right[v] = right_of(j, c + v * tile_columns, end, true);
#pragma unroll 1
        for (int row = 0; row < j; row += tile_rows) {
          const left_factor<T> left = left_of(M.A, M.pitch, row, j);
#pragma unroll
          for (int v = 0; v < TILES; ++v) {
            const int column = c + v * tile_columns;
            if (column < end) update_tile(M.A, M.pitch, row, column, j, end, left, right[v]);
          }
        }
        __syncwarp();
      }
    }
  }

  /// A21 becomes A21 U11^-1, 32 rows by each warp. A column is not divided if its diagonal element of U11 is
  /// zero.
  __device__ __forceinline__ void divide_rows() const {
#pragma unroll 1
    for (int first = M.warp * 32; first < m2; first += WARPS * 32) {
      const int row = first + lane;
      const bool exists = row < m2;
#pragma unroll 1
      for (int j = 0; j < k; j += IB) {
        T* const here = A21 + row + j * pitch;
        T x[IB] = {};
#pragma unroll
        for (int i = 0; i < IB; ++i) {
          if (exists) x[i] = here[(j + i < k ? i : 0) * pitch];
        }
#pragma unroll
        for (int i = 0; i < IB; ++i) {
          if (j + i >= k) continue;
          const T d = M(j + i, j + i);
          if (!is_zero(d)) x[i] = divisor<T>(d)(x[i]);
#pragma unroll
          for (int l = i + 1; l < IB; ++l) {
            if (j + l < k) multiply_add(x[l], -x[i], M(j + i, j + l));
          }
        }
#pragma unroll
        for (int i = 0; i < IB; ++i) {
          if (exists && j + i < k) here[i * pitch] = x[i];
        }
        __syncwarp();
#pragma unroll 1
        for (int c = j + IB; c < k; c += tile_columns) {
          const right_factor<T> right = right_of(j, c, k, true);
#pragma unroll
          for (int tile = 0; tile < 2; ++tile) {
            const int r = first + tile * tile_rows;
            if (r < m2) update_tile(A21, pitch, r, c, m2, k, left_of(A21, pitch, r, j), right);
          }
        }
        __syncwarp();
      }
    }
  }

  /// A22 <- A22 - A21 A12, or A21 A12, in tiles of 16 x 16 by each warp.
  __device__ __forceinline__ void update(const matrix<T>& A22, bool product) const {
    constexpr int TILES = 2, COLUMNS = TILES * tile_columns;
    const int high = ceil_div(m2, tile_rows), all = high * ceil_div(n2, COLUMNS);
#pragma unroll 1
    for (int item = M.warp; item < all; item += WARPS) {
      const int row = item % high * tile_rows, c = item / high * COLUMNS;
      tile<T> x[TILES];
      const auto for_each = [&](auto work) {
#pragma unroll
        for (int v = 0; v < TILES; ++v) {
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int i = row + g + e / 2 * 8, column = c + v * tile_columns + 2 * t + e % 2;
            if (i < m2 && column < n2) work(x[v].x[e], A22(i, column));
          }
        }
      };
      if (!product) for_each([](T& mine, const T& at) { mine = at; });
#pragma unroll 1
      for (int j = 0; j < k; j += IB) {
        const left_factor<T> left = left_of(A21, pitch, row, j);
#pragma unroll
        for (int v = 0; v < TILES; ++v)
          multiply_add(x[v], left, right_of(j, k + c + v * tile_columns, k + n2, !product));
      }
      for_each([](const T& mine, T& at) { store_last(&at, mine); });
    }
  }

 private:
  /// Returns rows j ... j + 7 of columns c ... c + 7 of M as a right factor. Rows from k on and columns from
  /// `end` on count as zero.
  __device__ right_factor<T> right_of(int j, int c, int end, bool negative) const {
    right_factor<T> right;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      T x{};
      if (j + 2 * t + e < k && c + g < end) x = conj(M(j + 2 * t + e, c + g));
      right.set(e, negative ? -x : x);
    }
    return right;
  }
  /// Returns columns j ... j + 7 of 16 rows as a left factor. Column j stands for columns from k on: the
  /// right factor has zeros there.
  __device__ left_factor<T> left_of(const T* A, int ld, int row, int j) const {
    left_factor<T> left;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int column = j + 2 * t + e / 2;
      left.set(e, A[row + g + e % 2 * 8 + (column < k ? column : j) * ld]);
    }
    return left;
  }
  /// Adds a product to 16 x 8 elements of A, in rows before m and columns before n.
  __device__ void update_tile(T* A, int ld, int row, int c, int m, int n, const left_factor<T>& left,
                              const right_factor<T>& right) const {
    tile<T> x;
    const int last = n - 1;
#pragma unroll
    for (int e = 0; e < 4; ++e) x.x[e] = A[row + g + e / 2 * 8 + min(c + 2 * t + e % 2, last) * ld];
    multiply_add(x, left, right);
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = row + g + e / 2 * 8, column = c + 2 * t + e % 2;
      if (i < m && column < n) A[i + column * ld] = x.x[e];
    }
  }
};

/// Calls work(row, column) for all elements of an m x n block. THREADS threads share the elements; 8, 16 or
/// 32 neighbouring lanes of a warp process the rows of one column.
template <int THREADS, class Work>
__device__ __forceinline__ void for_each_element(int m, int n, Work work) {
  const int tid = static_cast<int>(threadIdx.x), shift = m > 16 ? 5 : m > 8 ? 4 : 3, lanes = 1 << shift;
  for (int column = tid >> shift; column < n; column += THREADS >> shift) {
#pragma unroll 2
    for (int row = tid & (lanes - 1); row < m; row += lanes) work(row, column);
  }
}

/// Factors A11 and eliminates its columns from the other blocks.
///
/// form::lapack  A11 = P L11 U11, A12 <- L11^-1 P^T A12, A21 <- A21 U11^-1, A22 less A21 A12
/// form::left    A11 = P L11 U11, A12 <- A11^-1 A12, A22 less A21 A12
///
/// Thread map  for [A11 A12] as in smem.cuh; then each warp has 16 columns of A12, or 32 rows of A21; then
///             each warp has 16 x 16 elements of A22
/// Stored      A11, A12 and A21 in shared memory; a panel, and a tile of A22, in registers
/// Launch      count blocks, smem_front::bytes of shared memory
/// Needs       k <= 32 * ROWS
/// Barriers    one per panel, and two
/// Info        j: as LAPACK. form::lapack goes on, form::left leaves A12 and A22 as they were
/// Source      LAPACK's xGETRF with look-ahead; form::left: STRUMPACK
/// Bound by    latency: of the reads, and of the chain of pivots
template <class T, class Policy>
__device__ __forceinline__ void eliminate_front_in_smem(const front<T>& A, const split& how,
                                                        const elimination<real_t<T>>& each, int b,
                                                        int* info_array) {
  constexpr int THREADS = 32 * Policy::WARPS;
  using matrix_t = smem_matrix<T, Policy>;
  __shared__ typename matrix_t::memory shared;
  static_assert(sizeof(shared) <= smem_extra_bytes);
  const int k = uniform(A.A11.n), m2 = uniform(A.A22.m), n2 = uniform(A.A22.n);
  const bool left = how.form == form::left, product = how.schur == schur::product;
  const int tid = static_cast<int>(threadIdx.x);
  if (k == 0) {  // A22 stays, or becomes zero
    if (tid == 0) info_array[b] = 0;
    if (!each.exchanges && tid == 0 && each.replaced != nullptr) *each.replaced = 0;
    if (product) for_each_element<THREADS>(m2, n2, [&](int i, int c) { A.A22(i, c) = T{}; });
    return;
  }
  matrix_t M(k, k + n2, k + n2, each.exchanges, shared);
  const front_in_smem<T, Policy> all(M, k, m2, n2);
  const auto read = [&] {
    copy_matrix_async<THREADS>(M.A, M.pitch, A.A11.A, A.A11.lda, k, k, tid);
    copy_matrix_async<THREADS>(&M(0, k), M.pitch, A.A12.A, A.A12.lda, k, n2, tid);
    close_group();
    wait_for_groups<0>();
    __syncthreads();
  };
  copy_matrix_async<THREADS>(all.A21, all.pitch, A.A21.A, A.A21.lda, m2, k, tid);
  M.find_roles();
  read();
  M.take_roles();
  if (!__builtin_expect(M.template eliminate<false>(k, each), 1)) {
    read();
    M.template eliminate<true>(k, each);
  }
  const int info = uniform(M.shared.info);
  if (tid == 0) info_array[b] = info;
  if (!each.exchanges && tid == 0 && each.replaced != nullptr) *each.replaced = M.shared.replaced;
  const bool goes_on = !left || info == 0;
  if (goes_on && left) all.solve_columns();
  if (!left) all.divide_rows();
  __syncthreads();
  if (goes_on) all.update(A.A22, product);
  // Rows of A11 lie where their panel left them: places are followed back from the last panel to the first.
  int place[Policy::ROWS];
#pragma unroll
  for (int u = 0; u < Policy::ROWS; ++u) place[u] = min(M.lane + 32 * u, k - 1);
  M.n = k;
  M.store_rows(A.A11.A, A.A11.lda, k, M.lane, place);
  if (goes_on) for_each_element<THREADS>(k, n2, [&](int i, int c) { store_last(&A.A12(i, c), M(i, k + c)); });
  if (!left)
    for_each_element<THREADS>(m2, k,
                              [&](int i, int c) { store_last(&A.A21(i, c), all.A21[i + c * all.pitch]); });
}

template <class T, class Policy, class Source>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    getrf_smem_front(std::int64_t first_block, Source source, int* info_array) {
  source.template for_each_front<32 * Policy::WARPS>(first_block, info_array, [&](int b, const front<T>& A) {
    eliminate_front_in_smem<T, Policy>(A, source.how, source.elimination_at(b, A.A11.n), b, info_array);
  });
}

template <class Line, int, class Source, class Then>
int smem_front::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr smem_front p = Line::kernel;
  using policy = smem_policy<p.warps, p.rows, p.blocks>;
  const auto& most = source.bounds;
  const std::size_t bytes = p.bytes(most[0], most[1], std::min({most[0], most[1], most[2]}), sizeof(T));
  return source.template launch_fronts<getrf_smem_front<T, policy, Source>>(dim3(32 * p.warps), bytes, q,
                                                                            info);
}

}  // namespace talus::cuda::lu
