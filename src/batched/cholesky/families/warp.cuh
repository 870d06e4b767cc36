// The kernels of warp.hpp.
#pragma once

#include <algorithm>

#include "batched/cholesky/families/warp.hpp"
#include "gpu/contiguous.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::cholesky {

/// What the kernel is compiled for.
template <int LANES_, int ROWS_, int BLOCKS_, bool DEFERRED_, bool COALESCED_>
struct warp_policy {
  static constexpr int LANES = LANES_, ROWS = ROWS_, BLOCKS = BLOCKS_;
  static constexpr bool DEFERRED = DEFERRED_, COALESCED = COALESCED_;
};

/// The factor in shared memory as warp_solve.cuh wants it; what lies between its columns is finite, too.
template <class T, int N>
struct warp_columns {
  const T* first;
  __device__ const T* column(int j) const { return first + warp_column(j, N, piece<T>); }

  /// From memory, if it is `mine`.
  template <int LANES>
  static __device__ void copy(T* to, const T* A, std::ptrdiff_t down, std::ptrdiff_t right, int n, int lane,
                              bool mine) {
#pragma unroll 1
    for (int i = mine ? lane : N * N; i < warp_column(N, N, piece<T>) + N; i += LANES) to[i] = T{};
    __syncwarp();
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
#pragma unroll 1
      for (int i = mine ? j + lane : n; i < n; i += LANES) {
        const T x = A[i * down + j * right];
        to[warp_column(j, N, piece<T>) + i] = i == j ? from_real<T>(1 / real(x)) : x;
      }
    }
    __syncwarp();
  }
};

/// The same in memory, for matrices with a pivot that is subnormal or not > 0, which nobody hurries for. All
/// lanes of a warp come here, LANES per matrix; L(i, j) is at A[i * down + j * right], and `mine` says
/// whether it is this lane's matrix that is factored. Returns info.
template <class T, int LANES>
__device__ int potrf_fallback(T* A, std::ptrdiff_t down, std::ptrdiff_t right, int n, int lane, bool mine) {
  using R = real_t<T>;
  int info = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    T* const column = A + j * right;
    const R pivot = mine ? real(column[j * down]) : R(1);
    __syncwarp();
    if (!(pivot > 0)) {  // a NaN, too
      if (lane == 0) column[j * down] = from_real<T>(pivot);
      info = j + 1;
      mine = false;
    }
    const R scale = pivot < least_normal<R> ? scale_up<R> : R(1);
    const R inverse = reciprocal_sqrt(pivot * scale) * (scale == 1 ? R(1) : sqrt_of_scale_up<R>);
    const R root = scale == 1 ? corrected_root(pivot, inverse) : pivot * inverse;
#pragma unroll 1
    for (int i = mine ? j + lane : n; i < n; i += LANES)
      column[i * down] = i == j ? from_real<T>(root) : column[i * down] * inverse;
    __syncwarp();
#pragma unroll 1
    for (int k = j + 1; k < n; ++k) {
#pragma unroll 1
      for (int i = mine ? k + lane : n; i < n; i += LANES)
        multiply_add(A[i * down + k * right], column[i * down] * R(-1), conj(column[k * down]));
    }
    __syncwarp();
  }
  return info;
}

/// The rows of a thread's matrix on their way between memory and registers, where row lane + u * LANES is
/// a[u]. Addresses are computed line by line, not kept in registers.
template <class T, class Policy, bool EQUAL>
struct warp_rows {
  static constexpr int LANES = Policy::LANES, ROWS = Policy::ROWS, N = LANES * ROWS;
  static constexpr bool COALESCED = Policy::COALESCED;
  static constexpr int height = ceil_div(N, piece<T>) * piece<T>;  // of a column in shared memory
  static constexpr int pitch = height + piece<T>;
  using copies_t = std::conditional_t<COALESCED, contiguous_matrices<T, LANES, N>, no_epilogue>;

  T* stored;
  std::ptrdiff_t lda;
  T* passing;  // of upper storage: rows that the warp transposes
  int n, lane;
  bool lower;
  copies_t copies;  // COALESCED: the warp's matrices in shared memory

  /// Elements before LANES * (u + 1) of this thread's row u: work(element c, its place, whether it is to be
  /// moved). COALESCED: where the copy of the row is; otherwise for lower storage, where consecutive threads
  /// have consecutive addresses.
  template <class Work>
  __device__ __forceinline__ void for_own_row(int u, bool moves, Work work) const {
    const int i = (COALESCED ? lane : recomputed(lane)) + u * LANES;
    const int last = moves && i < n ? i : -1;
    if constexpr (COALESCED) {
      const int right = lower ? n : 1;
      T* place = copies.mine() + i * (lower ? 1 : n);
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); ++c, place += right) work(c, place, c <= last);
    } else {
      T* place = stored + i;
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); ++c, place = next_line(place, lda)) work(c, place, c <= last);
    }
  }
  /// The same of upper storage, where consecutive threads have consecutive addresses if each moves its part of
  /// each of the warp's rows: work(where the element is in `passing`, its place, whether it is to be moved).
  template <class Work>
  __device__ __forceinline__ void for_part_of_rows(int u, bool moves, Work work) const {
    T* row = stored + lane + u * LANES * lda;
#pragma unroll
    for (int r = 0; r < LANES; ++r, row = next_line(row, lda)) {
      const int i = u * LANES + r, last = moves && i < n ? i - lane : -1;
#pragma unroll
      for (int c = 0; c <= u; ++c) work(r * pitch + c * LANES + lane, row + c * LANES, c * LANES <= last);
    }
  }

  /// Whether element c of row lane + u * LANES is the one of a row that is not there: such rows are the
  /// identity's. Said before elements are loaded, not when they are: each would be waited for before the next
  /// is asked for.
  __device__ bool is_one(int u, int c) const {
    return !EQUAL && c / LANES == u && c % LANES == lane && lane + u * LANES >= n;
  }

  __device__ __forceinline__ void load(T (&a)[ROWS][N], bool moves) const {
    if constexpr (COALESCED) {
      copies.fetch();
      load_own_rows(a, moves);
    } else if (lower) {
      load_own_rows(a, moves);
    } else {
      load_by_way_of_others(a, moves);
    }
  }
  __device__ __forceinline__ void store(const T (&a)[ROWS][N], bool moves) const {
    if constexpr (COALESCED) {
      store_own_rows(a, moves);
      copies.store(moves);
    } else if (lower) {
      store_own_rows(a, moves);
    } else {
      store_by_way_of_others(a, moves);
    }
  }

 private:
  __device__ __forceinline__ void load_own_rows(T (&a)[ROWS][N], bool moves) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
      for_own_row(u, moves, [&](int c, const T* place, bool inside) {
        a[u][c] = is_one(u, c) ? from_real<T>(1) : T{};
        if (inside) a[u][c] = *place;
      });
  }
  __device__ __forceinline__ void store_own_rows(const T (&a)[ROWS][N], bool moves) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u)
      for_own_row(u, moves, [&](int c, T* place, bool inside) {
        if (!inside) return;
        if constexpr (COALESCED) {
          *place = a[u][c];
        } else {
          store_last(place, a[u][c]);
        }
      });
  }
  __device__ __forceinline__ void load_by_way_of_others(T (&a)[ROWS][N], bool moves) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      for_part_of_rows(u, moves, [&](int at, const T* place, bool inside) {
        T x{};
        if (inside) x = *place;
        passing[at] = x;
      });
      __syncwarp();
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); c += piece<T>) {
        const auto p = *reinterpret_cast<const pack<T, piece<T>>*>(passing + lane * pitch + c);
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) {
          if (c + e < N) a[u][c + e] = is_one(u, c + e) ? from_real<T>(1) : p.x[e];
        }
      }
      __syncwarp();
    }
  }
  __device__ __forceinline__ void store_by_way_of_others(const T (&a)[ROWS][N], bool moves) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); c += piece<T>) {
        pack<T, piece<T>> p;
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) p.x[e] = a[u][c + e < N ? c + e : 0];
        *reinterpret_cast<pack<T, piece<T>>*>(passing + lane * pitch + c) = p;
      }
      __syncwarp();
      for_part_of_rows(u, moves, [&](int at, T* place, bool inside) {
        if (inside) store_last(place, passing[at]);
      });
      __syncwarp();
    }
  }
};

/// Right-looking Cholesky of matrix b of A, if it exists, column by column. Matrices of a warp may be of
/// mixed sizes (then A is what this thread's own says); all are eliminated as far as the largest reaches.
///
/// Thread map  (LANES, tbc): thread (i, t) owns rows i, i + LANES, ... of matrix tbc * block + t, ROWS of
///             them, each as far as the diagonal may reach. Few lanes with several rows each: what they read
///             of a column serves them all, and more matrices are under way
/// Stored      the matrix in registers; the column in shared memory, two of them in turn; all columns of the
///             factor if it is solved with, and there the inverse of the diagonal on it
/// Launch      ceil(count / tbc) blocks, warp_elements of shared memory per matrix. BLOCKS: of 128 threads,
///             per multiprocessor, that the registers are shared out to at least; 0: as the compiler likes.
///             Asked for more, it loads more of a small matrix at once and has fewer of them under way, or
///             the other way round; memory has its own mind about how many it likes (log, 19)
/// Needs       n <= LANES * ROWS; LANES a power of two up to 32, LANES * tbc a multiple of 32
/// Barriers    one per column, of the warp
/// Info        j: as LAPACK; columns behind a failed one have no meaning
/// DEFERRED    pivots are looked at when all columns are done, and matrices with a bad one are done again in
///             memory. That leaves out what each of the N unrolled columns has for such a pivot
/// COALESCED   matrices lie one behind the other, and come and go by way of shared memory, 16 bytes per lane
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive with ib = 1, and tbc
/// Bound by    memory, and its latency: few bytes per thread are under way. From some 2,000 instructions on
///             the cache of instructions (log, 46)
template <class T, class Policy, class Batch, class Epilogue>
__device__ __forceinline__ void factor_in_warp(uplo uplo, std::int64_t b, bool exists, Batch A,
                                               int* info_array, Epilogue epilogue) {
  using R = real_t<T>;
  constexpr int LANES = Policy::LANES, ROWS = Policy::ROWS, N = LANES * ROWS;
  constexpr bool DEFERRED = Policy::DEFERRED, COALESCED = Policy::COALESCED;
  constexpr bool EQUAL = std::is_same_v<Batch, batch<T>>;
  static_assert(EQUAL || (!DEFERRED && !COALESCED), "what serves equal sizes only");
  using rows_t = warp_rows<T, Policy, EQUAL>;
  constexpr int height = rows_t::height;
  const bool lower = uplo == uplo::lower;
  const int n = A.n, lane = static_cast<int>(threadIdx.x);
  const int columns_of_all = EQUAL ? n : largest_of_lanes(n);
  constexpr int of_columns = warp_elements(sizeof(T), LANES, ROWS, uplo::lower, Epilogue::solves);
  constexpr int of_both = warp_elements(sizeof(T), LANES, ROWS, uplo::upper, Epilogue::solves);
  const int elements = COALESCED || lower ? of_columns : of_both;
  T* const columns = shared_memory<T>() + threadIdx.y * elements;
  T* const passing = columns + of_columns;
  T* const stored = A[exists ? b : 0].A;
  const std::ptrdiff_t lda = A.lda;
  __builtin_assume(__isGlobal(stored));

  const rows_t rows{stored, lda, passing, n, lane, lower, [&] {
                      if constexpr (COALESCED) {
                        return typename rows_t::copies_t(
                            A, uplo, b - static_cast<int>(threadIdx.y) % rows_t::copies_t::COUNT,
                            shared_memory<T>() + blockDim.y * elements);
                      } else {
                        return no_epilogue{};
                      }
                    }()};
  [[maybe_unused]] T y[ROWS][1];  // a right-hand side, if there is one
  if constexpr (Epilogue::solves) epilogue.template fetch<LANES>(y, uplo, lane, 0, b, exists);
  T a[ROWS][N];  // row lane + u * LANES
  rows.load(a, exists);

  int info = 0;
  [[maybe_unused]] bool rare = false;  // a pivot is subnormal, or not > 0
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if (j >= columns_of_all) break;
    const R pivot = __shfl_sync(~0u, real(a[j / LANES][j]), j % LANES, LANES);
    R inverse = reciprocal_sqrt(pivot), root = corrected_root(pivot, inverse);
    const bool bad = !(pivot >= least_normal<R>);
    if constexpr (DEFERRED) {
      rare |= bad;
    } else if (bad) {
      if (pivot > 0) {
        inverse = reciprocal_sqrt(pivot * scale_up<R>) * sqrt_of_scale_up<R>;
        root = pivot * inverse;
      } else {  // a NaN, too
        if (info == 0) info = j + 1;
        root = pivot;
        inverse = 0;
      }
    }
    T* const column = columns + (Epilogue::solves ? warp_column(j, height, piece<T>) : j % 2 * height);
#pragma unroll
    for (int u = j / LANES; u < ROWS; ++u) {
      const bool diagonal = u == j / LANES && lane == j % LANES;
      a[u][j] = diagonal ? from_real<T>(root) : a[u][j] * inverse;
      if constexpr (Epilogue::solves) {
        const int i = lane + u * LANES;
        // From the column's first 16 bytes on: warp_solve.cuh multiplies what lies there by zero.
        if (u > j / LANES || i >= j / piece<T> * piece<T>)
          column[i] = diagonal ? from_real<T>(inverse) : a[u][j];
      } else {
        column[lane + u * LANES] = a[u][j];
      }
    }
    if constexpr (Epilogue::solves) {
      const T solved = shuffle(y[j / LANES][0], j % LANES, LANES) * inverse;
#pragma unroll
      for (int u = j / LANES; u < ROWS; ++u) {
        const int i = lane + u * LANES;
        if (u == j / LANES && i == j) y[u][0] = solved;
        if (u > j / LANES || i > j) multiply_add(y[u][0], -a[u][j], solved);
      }
    }
    __syncwarp();
#pragma unroll
    for (int k = (j + 1) / piece<T> * piece<T>; k < N; k += piece<T>) {
      const auto facing = *reinterpret_cast<const pack<T, piece<T>>*>(column + k);
#pragma unroll
      for (int e = 0; e < piece<T>; ++e) {
        if (k + e <= j) continue;
        const T factor = conj(facing.x[e]);
#pragma unroll
        for (int u = (k + e) / LANES; u < ROWS; ++u) multiply_add(a[u][k + e], -a[u][j], factor);
      }
    }
  }

  rare &= exists;
  auto do_again = [&] {
    if (!__any_sync(~0u, rare)) return;
    const std::ptrdiff_t down = lower ? 1 : lda, right = lower ? lda : 1;
    const int l = recomputed(lane);
    T* const again = A[exists ? b : 0].A;  // read again: registers are short
    info = potrf_fallback<T, LANES>(again, down, right, n, l, rare);
    if constexpr (Epilogue::solves) {
      warp_columns<T, height>::template copy<LANES>(columns, again, down, right, n, l, rare);
      T x[ROWS][1];
      epilogue.template fetch<LANES>(x, uplo, l, 0, b, exists);
      epilogue.template forwards<LANES>(x, warp_columns<T, height>{columns}, l);
#pragma unroll
      for (int u = 0; u < ROWS; ++u) y[u][0] = rare ? x[u][0] : y[u][0];
    }
  };
  // Before the others are stored, or when they are and their registers are free, which takes longer.
  constexpr bool AFTER = Epilogue::solves && sizeof(T) == 16;
  const bool moves = exists && !(DEFERRED && rare);
  if constexpr (DEFERRED && !AFTER) do_again();
  rows.store(a, moves);
  if constexpr (DEFERRED && AFTER) do_again();
  if (exists && lane == 0) info_array[b] = info;
  if constexpr (Epilogue::solves) {
    epilogue.template finish<LANES>(y, warp_columns<T, height>{columns}, uplo, recomputed(lane), b,
                                    exists && info == 0);
  }
}

template <class T, class Policy, class Source, class Epilogue>
__global__ void __launch_bounds__(128, Policy::BLOCKS)
    potrf_warp(std::int64_t first_block, Source source, uplo uplo, int* info_array, Epilogue epilogue) {
  source.template for_each_of_warp<32 / Policy::LANES>(
      first_block, info_array, [&](std::int64_t b, bool exists, const auto& A) {
        factor_in_warp<T, Policy>(uplo, b, exists, A, info_array, epilogue);
      });
}

/// Bytes of shared memory of a block, for matrices up to order n.
template <class T, class Policy, class Epilogue>
std::size_t warp_bytes(uplo uplo, int tbc, int n) {
  const talus::uplo transposed = Policy::COALESCED ? uplo::lower : uplo;
  const int elements = warp_elements(sizeof(T), Policy::LANES, Policy::ROWS, transposed, Epilogue::solves) +
                       (Policy::COALESCED ? contiguous_elements(n, piece<T>) : 0);
  return static_cast<std::size_t>(tbc * elements) * sizeof(T);
}

template <class Line, uplo UPLO, class Source, class Then>
int warp::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  using Epilogue = typename epilogue_of<warp, Then>::type;
  constexpr warp p = Line::kernel;
  constexpr std::int64_t carve_out = Source::equal ? -1 : 0;
  const dim3 threads(p.lanes, p.tbc);
  const int n = source.n_max();
  const auto bytes = [&](auto policy) {
    return std::max(p.least_bytes(), warp_bytes<T, decltype(policy), Epilogue>(UPLO, p.tbc, n));
  };
  if constexpr (p.coalesced) {
    using policy = warp_policy<p.lanes, p.rows, p.blocks, p.deferred_check, true>;
    if (are_contiguous(source.A))
      return launch_over<potrf_warp<T, policy, Source, Epilogue>>(source, p.tbc, threads, bytes(policy{}),
                                                                  carve_out, q, UPLO, info, Epilogue(then));
  }
  using policy = warp_policy<p.lanes, p.rows, p.blocks, p.deferred_check, false>;
  return launch_over<potrf_warp<T, policy, Source, Epilogue>>(source, p.tbc, threads, bytes(policy{}),
                                                              carve_out, q, UPLO, info, Epilogue(then));
}

}  // namespace talus::cuda::cholesky
