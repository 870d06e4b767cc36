// Cholesky with the matrix in the registers of a warp or a part of one: read once, factored on the chip,
// written once.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "lines.cuh"
#include "potrf_table.hpp"
#include "reciprocal.cuh"
#include "scalar.cuh"

namespace talus::cuda {

/// Of how many of its rows a lane keeps where they are, instead of computing it as it comes to them: the
/// compiler would keep so many addresses of the others that it spills.
template <class T, int LANES, int ROWS>
TALUS_HOST_DEVICE constexpr int potrf_warp_kept_rows() {
  if (sizeof(T) == 4 && LANES * ROWS > 32) return 0;
  if (sizeof(T) == 4 && LANES * ROWS == 24) return ROWS - 1;
  return ROWS;
}

/// The factor in shared memory as posv_warp.cuh wants it.
template <class T, int N>
struct warp_columns {
  const T* first;
  __device__ const T* column(int j) const { return first + potrf_warp_column(j, N, piece<T>); }
  static constexpr bool finite = true;  // also what lies between the columns

  /// From memory, if it is `mine`.
  template <int LANES>
  static __device__ void copy(T* to, const T* A, std::ptrdiff_t down, std::ptrdiff_t right, int n, int lane,
                              bool mine) {
#pragma unroll 1
    for (int i = mine ? lane : N * N; i < potrf_warp_column(N, N, piece<T>) + N; i += LANES) to[i] = T{};
    __syncwarp();
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
#pragma unroll 1
      for (int i = mine ? j + lane : n; i < n; i += LANES) {
        const T x = A[i * down + j * right];
        to[potrf_warp_column(j, N, piece<T>) + i] = i == j ? from_real<T>(1 / real(x)) : x;
      }
    }
    __syncwarp();
  }
};

/// The same in memory, for matrices with a pivot that is subnormal or not > 0, which nobody hurries for. All
/// lanes of a warp come here, LANES per matrix; L(i, j) is at A[i * down + j * right], and `mine` says
/// whether it is this lane's matrix that is factored. Returns info.
template <class T, int LANES>
__device__ int potrf_carefully(T* A, std::ptrdiff_t down, std::ptrdiff_t right, int n, int lane, bool mine) {
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

/// Right-looking Cholesky of matrix b of A, if it exists, column by column. Matrices of a warp may be of
/// different sizes (then A is what this thread's own says); all are eliminated as far as the largest reaches.
///
/// Thread map  (LANES, tbc): thread (i, t) owns rows i, i + LANES, ... of matrix tbc * block + t, ROWS of
///             them, each as far as the diagonal may reach. Few lanes with several rows each: what they read
///             of a column serves them all, and more matrices are under way
/// Stored      the matrix in registers; the column in shared memory, two of them in turn; all columns of the
///             factor if it is solved with, and there the inverse of the diagonal on it
/// Launch      ceil(count / tbc) blocks, potrf_warp_elements of shared memory per matrix. BLOCKS: of 128
///             threads, per multiprocessor, that the registers are shared out to at least; 0: as the compiler
///             likes. Asked for more, it loads more of a small matrix at once and has fewer of them under
///             way, or the other way round; memory has its own mind about how many it likes (log, 19)
/// Needs       n <= LANES * ROWS; LANES a power of two up to 32, LANES * tbc a multiple of 32
/// Barriers    one per column, of the warp
/// Info        j: as LAPACK; columns behind a failed one have no meaning. LATE: pivots are looked at when all
///             columns are done, and matrices with a bad one are done again in memory. That leaves out what
///             each of the N unrolled columns has for such a pivot
/// LINES       matrices lie one behind the other, and come and go by way of shared memory, by whole lines
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive with ib = 1, and tbc
/// Bound by    memory, and its latency: few bytes per thread are under way. From some 2,000 instructions on
///             the cache of instructions (log, 46)
template <class T, int LANES, int ROWS, bool LATE, bool LINES, uplo UPLO, class Batch, class THEN>
__device__ __forceinline__ void factor_in_warp(std::int64_t b, bool exists, Batch A, int* info_array,
                                               THEN then) {
  using R = real_t<T>;
  constexpr bool EQUAL = std::is_same_v<Batch, batch<T>>;
  static_assert(EQUAL || (!LATE && !LINES), "what serves equal sizes only");
  constexpr int N = LANES * ROWS;
  constexpr int height = ceil_div(N, piece<T>) * piece<T>;  // of a column in shared memory
  const int n = A.n, lane = static_cast<int>(threadIdx.x);
  const int columns_of_all = EQUAL ? n : __reduce_max_sync(~0u, n);
  constexpr int elements =
      potrf_warp_elements(sizeof(T), LANES, ROWS, LINES ? uplo::lower : UPLO, THEN::solves);
  T* const columns = shared_memory<T>() + threadIdx.y * elements;
  T* const passing = columns + potrf_warp_elements(sizeof(T), LANES, ROWS, uplo::lower, THEN::solves);
  T* const stored = A[exists ? b : 0].A;
  const std::ptrdiff_t lda = A.lda;
  __builtin_assume(__isGlobal(stored));

  constexpr bool lower = UPLO == uplo::lower;
  using in_line = matrices_in_line<T, LANES, UPLO>;
  [[maybe_unused]] const auto lines = [&] {
    if constexpr (LINES) {
      return in_line(A, b - static_cast<int>(threadIdx.y) % in_line::COUNT,
                     shared_memory<T>() + blockDim.y * elements);
    } else {
      return nothing{};
    }
  }();

  bool moves = exists;  // whether this thread's matrix is loaded and stored
  // Rows u * LANES ... of this thread's matrix, elements before LANES * (u + 1): work(row's element c, its
  // place), with consecutive threads on consecutive addresses. Of lower storage a thread moves its own row,
  // of upper storage its part of every row, by way of shared memory. LINES: its own row, which is there.
  constexpr int pitch = height + piece<T>;
  // Where registers are short, addresses are computed line by line; elsewhere the compiler keeps many of
  // them, so fewer matrices are under way, which is faster (log, 19 and 30).
  constexpr int kept = THEN::solves ? 0 : potrf_warp_kept_rows<T, LANES, ROWS>();
  auto advance = [&](auto* place) { return kept == 0 ? next_line(place, lda) : place + lda; };
  auto for_each_place = [&](int u, auto work) {
    if constexpr (LINES) {
      const int i = lane + u * LANES, last = moves && i < n ? i : -1, right = lower ? n : 1;
      T* place = lines.mine() + i * (lower ? 1 : n);
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); ++c, place += right) work(c, place, c <= last);
    } else if constexpr (lower) {
      const int i = (u < kept ? lane : recomputed(lane)) + u * LANES, last = moves && i < n ? i : -1;
      T* place = stored + i;
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); ++c, place = advance(place)) work(c, place, c <= last);
    } else {
      T* row = stored + lane + u * LANES * lda;
#pragma unroll
      for (int r = 0; r < LANES; ++r, row = advance(row)) {
        const int i = u * LANES + r, last = moves && i < n ? i - lane : -1;
#pragma unroll
        for (int c = 0; c <= u; ++c) work(r * pitch + c * LANES + lane, row + c * LANES, c * LANES <= last);
      }
    }
  };

  // Whether element c of row lane + u * LANES is the one of a row that is not there: such rows are the
  // identity's. Said before elements are loaded, not when they are: each would be waited for before the next
  // is asked for.
  auto is_one = [&](int u, int c) {
    return !EQUAL && c / LANES == u && c % LANES == lane && lane + u * LANES >= n;
  };
  [[maybe_unused]] T y[ROWS][1];  // a right-hand side, if there is one
  if constexpr (THEN::solves) then.template fetch<LANES>(y, UPLO, lane, 0, b, exists);
  T a[ROWS][N];  // row lane + u * LANES
  if constexpr (LINES) lines.fetch();
#pragma unroll
  for (int u = 0; u < ROWS; ++u) {
    if constexpr (lower || LINES) {
      for_each_place(u, [&](int c, const T* place, bool inside) {
        a[u][c] = is_one(u, c) ? from_real<T>(1) : T{};
        if (inside) a[u][c] = *place;
      });
    } else {
      for_each_place(u, [&](int at, const T* place, bool inside) {
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

  int info = 0;
  [[maybe_unused]] bool rare = false;  // a pivot is subnormal, or not > 0
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if (j >= columns_of_all) break;
    const R pivot = __shfl_sync(~0u, real(a[j / LANES][j]), j % LANES, LANES);
    R inverse = reciprocal_sqrt(pivot), root = corrected_root(pivot, inverse);
    const bool bad = !(pivot >= least_normal<R>);
    if constexpr (LATE) {
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
    T* const column = columns + (THEN::solves ? potrf_warp_column(j, height, piece<T>) : j % 2 * height);
#pragma unroll
    for (int u = j / LANES; u < ROWS; ++u) {
      const bool diagonal = u == j / LANES && lane == j % LANES;
      a[u][j] = diagonal ? from_real<T>(root) : a[u][j] * inverse;
      if constexpr (THEN::solves) {
        const int i = lane + u * LANES;
        // From the column's first 16 bytes on: posv_warp.cuh multiplies what lies there by zero.
        if (u > j / LANES || i >= j / piece<T> * piece<T>)
          column[i] = diagonal ? from_real<T>(inverse) : a[u][j];
      } else {
        column[lane + u * LANES] = a[u][j];
      }
    }
    if constexpr (THEN::solves) {
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
    // Not kept in registers where those are short; elsewhere they decide how many matrices are under way.
    constexpr bool SHORT = sizeof(T) == 4 || (THEN::solves && (N == 32 || sizeof(T) * N > 300));
    T* const again = SHORT ? A[exists ? b : 0].A : stored;
    info = potrf_carefully<T, LANES>(again, down, right, n, l, rare);
    if constexpr (THEN::solves) {
      warp_columns<T, height>::template copy<LANES>(columns, again, down, right, n, l, rare);
      T x[ROWS][1];
      then.template fetch<LANES>(x, UPLO, l, 0, b, exists);
      then.template forwards<LANES>(x, warp_columns<T, height>{columns}, l);
#pragma unroll
      for (int u = 0; u < ROWS; ++u) y[u][0] = rare ? x[u][0] : y[u][0];
    }
  };
  // Before the others are stored, or when they are and their registers are free, which takes longer.
  constexpr bool AFTER = THEN::solves && (sizeof(T) == 16 || N == 40);
  if constexpr (LATE) moves &= !rare;
  if constexpr (LATE && !AFTER) do_again();
#pragma unroll
  for (int u = 0; u < ROWS; ++u) {
    if constexpr (LINES) {
      for_each_place(u, [&](int c, T* place, bool inside) {
        if (inside) *place = a[u][c];
      });
    } else if constexpr (lower) {
      for_each_place(u, [&](int c, T* place, bool inside) {
        if (inside) store_last(place, a[u][c]);
      });
    } else {
#pragma unroll
      for (int c = 0; c < LANES * (u + 1); c += piece<T>) {
        pack<T, piece<T>> p;
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) p.x[e] = a[u][c + e < N ? c + e : 0];
        *reinterpret_cast<pack<T, piece<T>>*>(passing + lane * pitch + c) = p;
      }
      __syncwarp();
      for_each_place(u, [&](int at, T* place, bool inside) {
        if (inside) store_last(place, passing[at]);
      });
      __syncwarp();
    }
  }
  if constexpr (LINES) lines.store(moves);
  if constexpr (LATE && AFTER) do_again();
  if (exists && lane == 0) info_array[b] = info;
  if constexpr (THEN::solves) {
    then.template finish<LANES>(y, warp_columns<T, height>{columns}, UPLO, recomputed(lane), b,
                                exists && info == 0);
  }
}

template <class T, int LANES, int ROWS, bool LATE, bool LINES, int BLOCKS, uplo UPLO, class THEN>
__global__ void __launch_bounds__(128, BLOCKS)
    potrf_warp(std::int64_t first_block, batch<T> A, int* info_array, THEN then) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  factor_in_warp<T, LANES, ROWS, LATE, LINES, UPLO>(b, b < A.count, A, info_array, then);
}

template <class T, int LANES, int ROWS, bool LATE, bool LINES, int BLOCKS, uplo UPLO, class THEN>
int launch_potrf_warp(int tbc, batch<T> A, int* info, queue q, THEN then) {
  constexpr uplo passes = LINES ? uplo::lower : UPLO;
  const int elements = potrf_warp_elements(sizeof(T), LANES, ROWS, passes, THEN::solves) +
                       (LINES ? potrf_warp_staged(A.n, piece<T>) : 0);
  return launch<potrf_warp<T, LANES, ROWS, LATE, LINES, BLOCKS, UPLO, THEN>>(
      ceil_div<std::int64_t>(A.count, tbc), dim3(LANES, static_cast<unsigned>(tbc)),
      static_cast<std::size_t>(tbc * elements) * sizeof(T), q, A, info, then);
}

/// The kernel of a line of the table, and its companion where matrices do not lie as LINES wants them.
template <class T, potrf_family FAMILY, int LANES, int ROWS, int BLOCKS, class THEN = nothing>
int launch_potrf_warp(int tbc, uplo uplo, batch<T> A, int* info, queue q, THEN then = {}) {
  constexpr bool LATE = FAMILY != potrf_family::warp, LINES = FAMILY == potrf_family::warp_lines;
  const auto launch_it = [&](auto in_line) {
    constexpr bool L = in_line;
    return uplo == uplo::lower
               ? launch_potrf_warp<T, LANES, ROWS, LATE, L, BLOCKS, uplo::lower>(tbc, A, info, q, then)
               : launch_potrf_warp<T, LANES, ROWS, LATE, L, BLOCKS, uplo::upper>(tbc, A, info, q, then);
  };
  if constexpr (LINES) {
    if (lie_in_line(A)) return launch_it(std::true_type{});
  }
  return launch_it(std::false_type{});
}

}  // namespace talus::cuda
