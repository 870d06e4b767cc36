// The kernels of thread.hpp.
#pragma once

#include "batched/qr/families/thread.hpp"
#include "batched/qr/pieces/reflector.cuh"
#include "batched/qr/pieces/source.cuh"
#include "batched/qr/pieces/warp_copies.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// What the kernel is compiled for.
template <int ROWS_, int COLUMNS_, int TBC_, int BLOCKS_>
struct thread_policy {
  static constexpr int ROWS = ROWS_, COLUMNS = COLUMNS_, TBC = TBC_, BLOCKS = BLOCKS_;
  using shape = columns_shape<1, 1, ROWS, COLUMNS, 1>;
};

/// A matrix in shared memory, columns in whole pieces of 16 bytes. Matrices are an odd number of them apart:
/// what the threads of a warp read lies in different banks.
template <class T, class Policy>
struct thread_memory {
  static constexpr int PIECE = piece<T>, pitch = (Policy::ROWS + PIECE - 1) / PIECE * PIECE;
  static constexpr int bytes = (pitch / PIECE * Policy::COLUMNS | 1) * 16;

  T* a;
  __device__ explicit thread_memory(unsigned char* at) : a(reinterpret_cast<T*>(at)) {}
  __device__ __forceinline__ pack<T, PIECE> as_it_is(int i, int c) const {
    return *reinterpret_cast<const pack<T, PIECE>*>(a + i + c * pitch);
  }
};

/// A matrix in a thread's registers, and its elimination.
template <class T, class Policy>
struct thread_qr {
  using R = real_t<T>;
  using memory_t = thread_memory<T, Policy>;
  static constexpr int M = Policy::ROWS, N = Policy::COLUMNS, K = M < N ? M : N;

  T a[N][M];
  T tau[K];
  memory_t memory;  // while the matrix is in registers it has the columns' powers of two, unless is_safe
  bool is_safe = true;

  __device__ __forceinline__ explicit thread_qr(const memory_t& memory_) : memory(memory_) {
    bool all_safe = true;
#pragma unroll
    for (int c = 0; c < N; ++c) {
      get_pieces<M>(a[c], memory.a + c * memory_t::pitch);
      all_safe = all_safe && !needs_power(largest_of(c));
    }
    if (!all_safe) make_safe();
  }

  /// Reflectors of the first `steps` columns.
  __device__ __forceinline__ void eliminate(int steps) {
#pragma unroll
    for (int j = 0; j < K; ++j) {
      if (j < steps) step(j);
    }
  }

  /// To shared memory, as geqrf leaves it.
  __device__ __forceinline__ void store() {
    if (!is_safe) undo_powers();
#pragma unroll
    for (int c = 0; c < N; ++c) put_pieces<M>(memory.a + c * memory_t::pitch, a[c]);
  }

 private:
  __device__ __forceinline__ R largest_of(int c) const {
    R largest = 0;
#pragma unroll
    for (int i = 0; i < M; ++i) largest = fmax(largest, size_of(a[c][i]));
    return largest;
  }
  __device__ __forceinline__ R& kept_power(int c) const { return reinterpret_cast<R*>(memory.a)[c]; }

  /// Columns of which reflectors could not be made otherwise are multiplied by a power of two.
  __device__ __forceinline__ void make_safe() {
    is_safe = false;
#pragma unroll
    for (int c = 0; c < N; ++c) {
      const R power = power_for_column(largest_of(c));
      kept_power(c) = power;
#pragma unroll
      for (int i = 0; i < M; ++i) a[c][i] = a[c][i] * power;
    }
  }
  /// R's columns as they are without the powers.
  __device__ __forceinline__ void undo_powers() {
    R undo[N];
#pragma unroll
    for (int c = 0; c < N; ++c) undo[c] = 1 / kept_power(c);
#pragma unroll
    for (int c = 0; c < N; ++c) {
#pragma unroll
      for (int i = 0; i < M; ++i) {
        if (i <= c) a[c][i] = a[c][i] * undo[c];
      }
    }
  }

  /// Column j, and what its reflector makes of those right of it.
  __device__ __forceinline__ void step(int j) {
    R sum = sum_below(j);
    reflector<T> h(a[j][j], sum, R(1));
    if (!(sum >= least_sum<R>)) h = make_safe_below(j, sum);
#pragma unroll
    for (int c = j + 1; c < N; ++c) {
      T product{};
#pragma unroll
      for (int i = j + 1; i < M; ++i) multiply_add(product, conj(a[j][i]), a[c][i]);
      const T row = h.of_row(a[c][j], product), factor = h.factor(a[c][j], row);
      a[c][j] = row;
#pragma unroll
      for (int i = j + 1; i < M; ++i) multiply_add(a[c][i], -factor, a[j][i]);
    }
#pragma unroll
    for (int i = j + 1; i < M; ++i) {
      T v{};
      multiply_add(v, a[j][i], h.scale);
      a[j][i] = v;
    }
    a[j][j] = from_real<T>(h.beta);
    tau[j] = h.tau;
  }
  __device__ __forceinline__ R sum_below(int j) const {
    R sums[2] = {};
#pragma unroll
    for (int i = j + 1; i < M; ++i) add_square(sums[i % 2], a[j][i]);
    return sums[0] + sums[1];
  }
  /// The reflector of an x whose squares vanish: x is multiplied by a power of two.
  __device__ __forceinline__ reflector<T> make_safe_below(int j, R sum) {
    R largest = 0;
#pragma unroll
    for (int i = j + 1; i < M; ++i) largest = fmax(largest, size_of(a[j][i]));
    const R power = inverse_power_of(fmax(largest, size_of(a[j][j])));
#pragma unroll
    for (int i = j + 1; i < M; ++i) a[j][i] = a[j][i] * power;
    reflector<T> h(a[j][j], sum_below(j), power);
    if (largest == 0 && sum == 0) h.leave_real(a[j][j]);
    return h;
  }
};

/// Right-looking QR, column by column.
///
/// Thread map  a thread per matrix, TBC to a block; the threads of a warp copy its matrices together
/// Stored      the matrix in registers, on its way in and out in shared memory
/// Launch      ceil(count / TBC) blocks
/// Info        0
/// Source      LAPACK's xGEQR2
/// Bound by    memory
template <class T, class Policy, class Then>
__global__ void __launch_bounds__(Policy::TBC, Policy::BLOCKS)
    geqrf_thread(std::int64_t first_block, equal_sizes<T> source, int* info_array, Then then) {
  using work = thread_qr<T, Policy>;
  using memory_t = typename work::memory_t;
  using copies = warp_copies<T, typename Policy::shape, memory_t>;
  source.template for_each_of_warp<32>(
      first_block, info_array, [&](std::int64_t b, bool exists, const auto& A) {
        const matrix<T> mine = A[exists ? b : 0];
        const int count = __popc(__ballot_sync(~0u, exists)), t = static_cast<int>(threadIdx.y);
        unsigned char* const first = shared_memory<unsigned char>() + t / 32 * 32 * memory_t::bytes;
        copies::template read<true>(mine, count, first);
        const int k = min(A.m, A.n);
        work all(memory_t(first + t % 32 * memory_t::bytes));
        all.eliminate(k);
        all.store();
        __syncwarp();
        copies::template write<true>(
            mine, count, first, [](const memory_t& memory, int i, int c) { return memory.as_it_is(i, c); });
        if (exists) {
          T* const tau = then.tau[b];
#pragma unroll
          for (int j = 0; j < work::K; ++j) {
            if (j < k) tau[j] = all.tau[j];
          }
          info_array[b] = 0;
        }
      });
}

template <class Line, auto FORM, class Source, class Then>
int thread::launch(Source source, int* info, queue q, Then then) {
  if constexpr (!Source::equal) {
    return err_unsupported;
  } else {
    using T = typename Source::element;
    constexpr thread p = Line::kernel;
    using policy = thread_policy<p.rows, p.columns, p.tbc, p.blocks>;
    constexpr std::size_t bytes = p.tbc * thread_memory<T, policy>::bytes;
    static_assert(bytes == p.tbc * p.bytes(element_of_type<T>));
    return launch_over<geqrf_thread<T, policy, Then>>(source, p.tbc, dim3(1, p.tbc), bytes, 0, q, info, then);
  }
}

}  // namespace talus::cuda::householder
