// QR with the matrix in the registers of a warp or a part of one: read once, factored on the chip, written
// once.
#pragma once

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/qr/columns.cuh"
#include "batched/qr/source.cuh"
#endif

namespace talus::cuda::householder {

/// A line of a table: matrices of up to down * rows rows and across * columns columns.
struct warp {
  static constexpr const char* name = "warp";

  int down = 0;     // lanes that share a column, a power of two
  int across = 0;   // lanes that share a row, a power of two: down * across of a matrix, up to 32
  int rows = 0;     // of the matrix, per lane
  int columns = 0;  // of the matrix, per lane
  int shrink = 0;   // rows of a lane that are left out at a time when they are done
  int tbc = 0;      // matrices per thread block
  int blocks = 0;   // of 128 threads, that a multiprocessor's registers are shared out to at least; 0: as the
                    // compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("down", self.down);
    visit("across", self.across);
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("shrink", self.shrink);
    visit("tbc", self.tbc);
    visit("blocks", self.blocks);
  }

  static constexpr bool is_power_of_two(int x) { return x > 0 && (x & (x - 1)) == 0; }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    if (!is_power_of_two(down) || !is_power_of_two(across) || down * across > 32)
      return "down and across are not powers of two, up to 32 lanes together";
    if (rows < 1 || columns < 1 || tbc < 1) return "rows, columns or tbc is below 1";
    if (shrink < 1 || shrink > rows) return "shrink is not between 1 and rows";
    if (across % down != 0) return "across is no multiple of down";
    if (down * across * tbc % 32 != 0 || down * across * tbc > 128)
      return "down * across * tbc is not 32, 64, 96 or 128";
    if (down * rows < m_max) return "down * rows is less than m_max";
    if (across * columns < n_max) return "across * columns is less than n_max";
    if (blocks < 0 || blocks > 12) return "blocks is not between 0 and 12 per multiprocessor";
    if (e.registers() * rows * (columns + 1) > 208)
      return "a lane's columns need more registers than there are";
    if (static_cast<std::size_t>(tbc) * bytes(e) > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a matrix, as columns_memory has it.
  constexpr std::size_t bytes(const element& e) const {
    const int piece = e.of_16_bytes(), n = across * columns;
    const auto pieces = [piece](int elements) { return (elements + piece - 1) / piece; };
    const int part = pieces(rows + (across == 1 ? 0 : shrink)) * piece;
    const int pitch = across == 1 ? part * down : (pieces(part * down) | 1) * piece;
    const auto all = static_cast<std::size_t>((pieces(pitch * n) | 1) * piece);
    const std::size_t real = e.complex ? e.size / 2 : e.size;
    return (all * e.size + static_cast<std::size_t>(n) * 2 * (e.size + real) + 15) / 16 * 16;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<warp> space() {
    return {{{"down", {1, 2, 4}, "lanes that share a column"},
             {"across", {1, 2, 4, 8, 16, 32}, "lanes that share a row"},
             {"rows", {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32}, "as m takes"},
             {"columns", {1, 2, 3, 4, 5, 6, 7, 8}, "what a lane's registers hold"},
             {"shrink", {1, 2, 4}, "fewer rows at a time, longer kernels"},
             {"tbc", {1, 2, 4, 8, 16, 32, 64}, "blocks of 32 to 128 threads"},
             {"blocks", {0, 3, 4}, "they decide how many matrices are under way"}},
            1,
            64,
            "larger ones do not fit into a lane's registers",
            [](const warp& k, int n) {
              const int threads = k.down * k.across * k.tbc;
              return k.rows == (n + k.down - 1) / k.down && k.columns == (n + k.across - 1) / k.across &&
                     (threads == 32 || threads == 64 || threads == 128);
            },
            "as many rows and columns per lane as n takes",
            "rows"};
  }
};

#ifdef __CUDACC__

/// The matrices of a warp on their way between memory and shared memory: all lanes work on one after the
/// other, whose description lane `which` * LANES has.
template <class T, class Shape>
struct warp_copies {
  using memory_t = columns_memory<T, Shape>;
  static constexpr int COUNT = 32 / Shape::LANES, PIECE = piece<T>;

  /// Lanes for the pieces of a column, a power of two.
  static TALUS_HOST_DEVICE constexpr int along(int step) {
    int all = 1;
    while (all < 32 && all * step < Shape::M) all *= 2;
    return all;
  }

  /// work(i, c) of all elements where every STEP-th begins a piece, by all lanes.
  template <int STEP, class Work>
  static __device__ __forceinline__ void for_each_piece(int m, int n, Work work) {
    constexpr int ALONG = along(STEP), AT_ONCE = 32 / ALONG;
    const int lane = static_cast<int>(threadIdx.x + threadIdx.y * Shape::LANES) % 32;
#pragma unroll
    for (int i0 = 0; i0 < Shape::M; i0 += ALONG * STEP) {
      const int i = i0 + lane % ALONG * STEP;
#pragma unroll
      for (int c0 = 0; c0 < Shape::N; c0 += AT_ONCE) {
        const int c = c0 + lane / ALONG;
        if (i < m && c < n) work(i, c);
      }
    }
  }

  /// work(pointer, m, n, lda, which) for all matrices of the warp.
  template <class Work>
  static __device__ __forceinline__ void for_each(const matrix<T>& mine, Work work) {
#pragma unroll 1
    for (int which = 0; which < COUNT; ++which) {
      const int from = which * Shape::LANES;
      matrix<T> one = mine;
      if constexpr (COUNT > 1) {
        const auto address = reinterpret_cast<unsigned long long>(mine.A);
        one = {reinterpret_cast<T*>(__shfl_sync(~0u, address, from)), __shfl_sync(~0u, mine.m, from),
               __shfl_sync(~0u, mine.n, from), __shfl_sync(~0u, mine.lda, from)};
      }
      work(one, which);
    }
  }

  static __device__ bool in_pieces(const matrix<T>& A) {
    return ((reinterpret_cast<unsigned long long>(A.A) | static_cast<unsigned long long>(A.lda) * sizeof(T)) &
            15) == 0;
  }

  /// first: shared memory of the warp's first matrix.
  static __device__ __forceinline__ void read(const matrix<T>& mine, unsigned char* first) {
    for_each(mine, [&](const matrix<T>& A, int which) {
      T* const to = memory_t(first + which * memory_t::bytes).a;
      const std::ptrdiff_t lda = A.lda;
      if (in_pieces(A)) {
        for_each_piece<PIECE>(A.m, A.n, [&](int i, int c) {
          if (i + PIECE <= A.m) {
            copy_bytes_async<16>(to + i + c * memory_t::pitch, A.A + i + c * lda);
          } else {
#pragma unroll
            for (int e = 0; e < PIECE - 1; ++e)
              copy_element_async(to + i + e + c * memory_t::pitch, A.A + (i + e < A.m ? i + e : 0) + c * lda,
                                 i + e < A.m);
          }
        });
      } else {
        for_each_piece<1>(A.m, A.n, [&](int i, int c) {
          copy_element_async(to + i + c * memory_t::pitch, A.A + i + c * lda, true);
        });
      }
    });
    close_group();
    wait_for_groups<0>();
    __syncwarp();
  }

  static __device__ __forceinline__ void write(const matrix<T>& mine, unsigned char* first) {
    __syncwarp();
    for_each(mine, [&](const matrix<T>& A, int which) {
      const memory_t memory(first + which * memory_t::bytes);
      const std::ptrdiff_t lda = A.lda;
      const int m = A.m;
      if (PIECE > 1 && in_pieces(A)) {
        for_each_piece<PIECE>(m, A.n, [&](int i, int c) {
          pack<T, PIECE> next;
#pragma unroll
          for (int e = 0; e < PIECE; ++e) next.x[e] = memory.result(min(i + e, m - 1), c);
          T* const to = A.A + i + c * lda;
          if (i + PIECE <= m) {
            *reinterpret_cast<pack<T, PIECE>*>(to) = next;
          } else {
#pragma unroll
            for (int e = 0; e < PIECE - 1; ++e) {
              if (i + e < m) to[e] = next.x[e];
            }
          }
        });
      } else {
        for_each_piece<1>(m, A.n, [&](int i, int c) { store_last(A.A + i + c * lda, memory.result(i, c)); });
      }
    });
  }
};

/// What the kernel is compiled for.
template <class Shape, int BLOCKS_>
struct warp_policy {
  using shape = Shape;
  static constexpr int BLOCKS = BLOCKS_;
};

/// Right-looking QR, column by column.
///
/// Thread map  (LANES, tbc): LANES = DOWN * ACROSS lanes of matrix tbc * block + t; see columns_shape
/// Stored      the columns in registers; in shared memory reflectors and R, where columns_memory says
/// Launch      ceil(count / tbc) blocks, columns_memory::bytes for each matrix
/// Needs       m <= DOWN * ROWS, n <= ACROSS * COLUMNS
/// Barriers    one per column, of the warp
/// Info        0
/// Source      LAPACK's xGEQR2. One broadcast of a column serves its norm and all products with it
/// Bound by    memory up to n = 16; then the chain from one column to the next
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(128, Policy::BLOCKS)
    geqrf_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  using shape = typename Policy::shape;
  using copies = warp_copies<T, shape>;
  using memory_t = columns_memory<T, shape>;
  source.template for_each_of_warp<copies::COUNT>(
      first_block, info_array, [&](std::int64_t b, bool exists, const auto& A) {
        matrix<T> mine = A[exists ? b : 0];
        if (!exists) mine.m = mine.n = 0;
        unsigned char* const own = shared_memory<unsigned char>() + threadIdx.y * memory_t::bytes;
        unsigned char* const first =
            shared_memory<unsigned char>() + threadIdx.y / copies::COUNT * copies::COUNT * memory_t::bytes;
        copies::read(mine, first);
        columns<T, shape> all(memory_t(own), static_cast<int>(threadIdx.x));
        all.load(mine.m, mine.n);
        const int k = min(mine.m, mine.n);
        int steps = k;
        if constexpr (!Source::equal && copies::COUNT > 1)
          steps = static_cast<int>(largest_of_group<32>(static_cast<unsigned>(k)));
        if constexpr (Source::equal) steps = min(A.m, A.n);
        all.eliminate(steps);
        copies::write(mine, first);
        if (exists) {
          T* const tau = tau_of(source, then, b);
          for (int j = static_cast<int>(threadIdx.x); j < k; j += shape::LANES) tau[j] = all.memory.tau[j];
          if (threadIdx.x == 0) info_array[b] = 0;
        }
        __syncwarp();
      });
}

template <class Line, auto FORM, class Source, class Then>
int warp::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr warp p = Line::kernel;
  using shape = columns_shape<p.down, p.across, p.rows, p.columns, p.shrink>;
  using policy = warp_policy<shape, p.blocks>;
  constexpr std::size_t bytes = p.tbc * columns_memory<T, shape>::bytes;
  static_assert(columns_memory<T, shape>::bytes == p.bytes(element_of_type<T>));
  return launch_over<geqrf_warp<T, policy, Source, Then>>(source, p.tbc, dim3(shape::LANES, p.tbc), bytes, 0,
                                                          q, info, then);
}

#endif

}  // namespace talus::cuda::householder
