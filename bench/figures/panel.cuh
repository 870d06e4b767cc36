// The fused left-looking kernel: update and factorization of a panel of ib columns in one kernel (Algorithm 3
// of Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016), launched once per panel (loop-exclusive) or once
// (loop-inclusive); of mixed sizes once per panel of the largest matrix, with two ways to schedule and to end
// early.
#pragma once

#include <algorithm>

#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"
#include "gpu/limits.hpp"
#include "gpu/scalar.cuh"
#include "gpu/triangle.cuh"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::figures {

// ---- parameters ----------------------------------------------------------------------------------

/// Elements of shared memory per matrix.
TALUS_HOST_DEVICE constexpr int panel_elements(int ib) { return ib * ib + 2 * ib; }

/// What a panel of `rows` rows to a thread needs of a block of up to `threads` threads; null: all is well.
constexpr const char* panel_objection(int n_max, int ib, int rows, int tbc, int threads, const element& e,
                                      const gpu_limits& limits) {
  if (tbc < 1) return "tbc is below 1";
  if (ib < 1 || ib > 32) return "ib is not between 1 and 32";
  if (rows < 1) return "rows is below 1";
  if (threads < 32 || threads > 1024 || threads % 32 != 0) return "threads is no multiple of 32 up to 1024";
  if (n_max > 1024 * rows) return "a block has too few threads for n_max rows";
  if (ceil_div(n_max, 32 * rows) * 32 * tbc > threads)
    return "a block needs more than `threads` threads for n_max rows";
  if (static_cast<std::size_t>(tbc * panel_elements(ib)) * e.size > limits.shared_bytes)
    return "a block needs more shared memory than the GPU has";
  if (3 * e.registers() * rows * ib > std::min(65536 / threads, 255) - 15)
    return "a thread's rows need more registers than `threads` leave it";
  return nullptr;
}

/// A launch for each panel.
struct panel_exclusive {
  static constexpr const char* name = "panel_exclusive";

  int ib = 0;       // columns of a panel
  int rows = 0;     // per thread
  int tbc = 0;      // matrices per thread block
  int threads = 0;  // of a block, at most

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("ib", self.ib);
    visit("rows", self.rows);
    visit("tbc", self.tbc);
    visit("threads", self.threads);
  }
  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits) const {
    return panel_objection(n_max, ib, rows, tbc, threads, e, limits);
  }
  template <class Line, uplo UPLO, class Source>
  static int launch(Source source, int* info, queue q, no_epilogue);
};

/// All panels in one launch, a row per thread.
struct panel_inclusive {
  static constexpr const char* name = "panel_inclusive";

  int ib = 0, tbc = 0, threads = 0;  // as panel_exclusive's

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("ib", self.ib);
    visit("tbc", self.tbc);
    visit("threads", self.threads);
  }
  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits) const {
    return panel_objection(n_max, ib, 1, tbc, threads, e, limits);
  }
  template <class Line, uplo UPLO, class Source>
  static int launch(Source source, int* info, queue q, no_epilogue);
};

// ---- kernels -------------------------------------------------------------------------------------

/// Unblocked Cholesky of a panel that is held in registers, whole rows per thread: LAPACK's potf2 on the
/// diagonal block and the trsm below it in one sweep.
///
/// r, step    rows[u] is row r + u * step of the panel (row 0 holds the diagonal's first element); rows above
///            it or beyond the matrix only follow
/// jb, first  columns of the panel, <= IB, and left of it
/// info       0, or the failure of an earlier panel: then nothing happens. Out: 0 or 1 + the first column
///            whose pivot is not > 0; from it on the columns keep what the steps before it left
/// published  2 * IB elements of shared memory per matrix: one thread needs nothing of another but column c
///            of the diagonal block, and two buffers make one barrier per column enough
template <class T, int ROWS, int IB>
__device__ void potf2(T (&rows)[ROWS][IB], int r, int step, int jb, int first, int& info, T* published) {
  using R = real_t<T>;
#pragma unroll
  for (int c = 0; c < IB; ++c) {
    if (c >= jb) break;
    T* column = published + (c % 2) * IB;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int row = r + u * step;
      if (row >= c && row < IB) column[row] = rows[u][c];
    }
    __syncthreads();
    const R pivot = real(column[c]);
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (r + u * step == c) rows[u][c] = from_real<T>(pivot);
    }
    if (info != 0) continue;
    if (!(pivot > 0)) {  // a NaN fails too
      info = first + c + 1;
      continue;
    }
    const R root = sqrt(pivot), inverse = 1 / root;  // correctly rounded: exact input gives the exact factor
#pragma unroll
    for (int u = 0; u < ROWS; ++u) rows[u][c] = r + u * step == c ? from_real<T>(root) : rows[u][c] * inverse;
#pragma unroll
    for (int k = c + 1; k < IB; ++k) {
      const T factor = conj(column[k] * inverse);
#pragma unroll
      for (int u = 0; u < ROWS; ++u) multiply_add(rows[u][k], -rows[u][c], factor);
    }
  }
}

/// rows[u] <- A(row_u, k : k+IB), as far as it lies in the lower triangle, where row_u = row + u * step
template <class T, int ROWS, int IB>
__device__ void load_rows(T (&rows)[ROWS][IB], const triangle<T>& A, int n, int row, int step, int k) {
#pragma unroll
  for (int c = 0; c < IB; ++c) {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int i = row + u * step;
      rows[u][c] = i < n && i >= k + c ? A(i, k + c) : T{};
    }
  }
}

/// One step: columns i ... i+IB-1 of the factor, from the columns 0 ... i-1 that are done.
///
/// row, step  this thread's rows of the matrix are row + u * step; threads with rows above i or beyond n only
///            take part in the barriers. The panel's diagonal block is in rows u = 0: step >= IB
/// rC         in: this thread's rows of the panel before this one, if INCLUSIVE; out: of this one
/// sB         IB x IB in shared memory: the rows of A that face the panel, transposed
/// published  for potf2
///
/// The paper holds the panel C in shared memory. Here each row stays in its thread's registers, as no thread
/// needs another's but those of the diagonal block; what a thread reads of sB serves all its ROWS rows.
template <bool INCLUSIVE, class T, int ROWS, int IB>
__device__ void potrf_panel_step(const triangle<T>& A, int n, int i, int row, int step, T (&rC)[ROWS][IB],
                                 T* sB, T* published, int& info) {
  static_assert(!INCLUSIVE || ROWS == 1, "a thread of the loop-inclusive kernel has one row");
  auto for_each_element = [](auto work) {
#pragma unroll
    for (int c = 0; c < IB; ++c) {
#pragma unroll
      for (int u = 0; u < ROWS; ++u) work(u, c);
    }
  };
  // INCLUSIVE: the panel before this one is still in registers and need not be read again.
  T rAk[ROWS][IB], rAkk[ROWS][IB], last[ROWS][IB];
  if constexpr (INCLUSIVE) for_each_element([&](int u, int c) { last[u][c] = rC[u][c]; });
  auto fetch = [&](int k) {
    if constexpr (INCLUSIVE) {
      if (k + IB == i) return for_each_element([&](int u, int c) { rAk[u][c] = last[u][c]; });
    }
    load_rows(rAk, A, n, row >= i ? row : n, step, k);
  };

  fetch(0);
  for_each_element([&](int u, int c) { rC[u][c] = T{}; });
  for (int k = 0; k < i; k += IB) {
    for_each_element([&](int u, int c) { rAkk[u][c] = rAk[u][c]; });
    if (row >= i && row < i + IB) {  // sB <- A(i:i+ib, k:k+ib)^H
#pragma unroll
      for (int c = 0; c < IB; ++c) sB[c * IB + row - i] = conj(rAkk[0][c]);
    }
    __syncthreads();
    fetch(k + IB);  // in flight during the product; the last one fetches the panel itself
#pragma unroll
    for (int kk = 0; kk < IB; ++kk) {
      for_each_element([&](int u, int c) { multiply_add(rC[u][c], rAkk[u][kk], sB[kk * IB + c]); });
    }
    __syncthreads();
  }
  for_each_element([&](int u, int c) { rC[u][c] = rAk[u][c] - rC[u][c]; });

  const int jb = min(IB, n - i);
  potf2(rC, row - i, step, jb, i, info, published);
  for_each_element([&](int u, int c) {
    const int r = row + u * step;
    if (r < n && c < jb && r >= i + c) A.store(r, i + c, rC[u][c]);
  });
}

template <class T, int IB>
constexpr std::size_t panel_bytes = panel_elements(IB) * sizeof(T);

/// One matrix at one step of a launch. Before its first column and after its last there is nothing to do.
template <class T>
struct at_step {
  std::int64_t b;  // its number; negative: there is none
  matrix<T> A;
  int column;
};

/// A step of matrices of one size: all of them are at the same column.
template <class T>
struct equal_step {
  batch<T> A;
  int i;
  __device__ at_step<T> operator[](std::int64_t position) const {
    if (position >= A.count) return {-1, {nullptr, A.n, A.n, A.lda}, i};  // meets the others at barriers
    return {position, A[position], i};
  }
};

/// Of the paper. Greedy: every matrix begins with the first step; lazy: every one ends with the last.
/// Classic: idle blocks end early; aggressive: idle threads of others, too.
struct paper_schedule {
  bool lazy, aggressive;
};
constexpr paper_schedule greedy_classic = {false, false}, greedy_aggressive = {false, true},
                         lazy_classic = {true, false}, lazy_aggressive = {true, true};

/// Step k of the largest matrix of a class, all of which are legal (section 4 of the paper).
template <class T>
struct mixed_step {
  variable_batch<T> A;
  subset s;
  step_schedule when;
  int k;
  __device__ at_step<T> operator[](std::int64_t position) const {
    const int place = s.first() + static_cast<int>(position);
    if (place >= s.end()) return {-1, {nullptr, 0, 0, 1}, 0};
    const int b = s.number(place);
    const matrix<T> mine = A[b];
    return {b, mine, when.column(k, mine.n)};
  }
};

/// Loop-exclusive: one step of all matrices. The host launches one per step of the largest, with threads for
/// the rows that remain of it. Blocks of which no matrix has begun, or all have ended, end at once (the
/// paper's ETM-classic). AGGRESSIVE: so do threads of others that have no row.
///
/// Thread map  (rows that remain / ROWS, tbc): thread (r, t) owns rows i + r, i + r + blockDim.x, ... of
///             matrix tbc * block + t, which is at column i, ROWS of them
/// Launch      ceil(count / tbc) blocks
/// Needs       n - i <= ROWS * blockDim.x; blockDim.x a multiple of 32, and so at least IB; tbc * blockDim.x
///             <= THREADS, which leaves each thread the registers for three times its rows' IB elements
/// Barriers    two per IB columns of the update, one per column of the factorization
/// Info        written in step 0, read and if need be written in the others; a failed matrix takes no
///             further part in them
/// Bound by    the reads of all columns to the left: traffic is 1 + n / (6 ib) times the least; then
///             shared-memory broadcasts, one per ROWS multiply-adds
template <class T, int IB, int THREADS, int ROWS, bool AGGRESSIVE, class Step>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_exclusive(std::int64_t first_block, uplo uplo, Step step, int* info_array) {
  const at_step<T> at = step[(first_block + blockIdx.x) * blockDim.y + threadIdx.y];
  const int n = at.A.n, i = at.column;
  T* const sB = shared_memory<T>() + threadIdx.y * panel_elements(IB);
  const bool has_step = at.b >= 0 && i >= 0 && i < n;
  int info = has_step && i > 0 ? info_array[at.b] : 0;
  const bool alive = has_step && info == 0;
  if (!__syncthreads_or(alive)) return;

  const int row = alive ? i + static_cast<int>(threadIdx.x) : n + IB;
  if (AGGRESSIVE && row >= n) return;
  T rC[ROWS][IB];
  potrf_panel_step<false>(triangle<T>(at.A, uplo), n, i, row, static_cast<int>(blockDim.x), rC, sB,
                          sB + IB * IB, info);
  if (alive && threadIdx.x == 0 && (i == 0 || info != 0)) info_array[at.b] = info;
}

/// Loop-inclusive: all steps in one launch.
///
/// Thread map  (n rounded up to 32, tbc): thread (r, t) owns row r of matrix tbc * block + t; it idles once
///             its row is done. The rest as for potrf_panel_exclusive, with one row per thread.
template <class T, int IB, int THREADS>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_inclusive(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  T* const sB = shared_memory<T>() + threadIdx.y * panel_elements(IB);
  const bool alive = b < A.count;
  int info = alive ? 0 : -1;

  const int row = alive ? static_cast<int>(threadIdx.x) : A.n + IB;
  const triangle<T> mine(A[alive ? b : 0], uplo);
  T rC[1][IB] = {};
  for (int i = 0; i < A.n; i += IB) {
    potrf_panel_step<true>(mine, A.n, i, row, static_cast<int>(blockDim.x), rC, sB, sB + IB * IB, info);
  }
  if (alive && threadIdx.x == 0) info_array[b] = info;
}

/// Threads for `rows` rows of each of tbc matrices, `each` rows per thread.
inline dim3 panel_threads(int rows, int each, int tbc) {
  return dim3(static_cast<unsigned>(ceil_div(rows, 32 * each) * 32), static_cast<unsigned>(tbc));
}

/// One step of `count` matrices, of the largest of which `rows` rows remain.
template <class T, class Line, bool AGGRESSIVE, class Step>
int launch_panel(uplo uplo, const Step& step, std::int64_t count, int rows, int* info, queue q) {
  constexpr panel_exclusive p = Line::kernel;
  return launch<potrf_panel_exclusive<T, p.ib, p.threads, p.rows, AGGRESSIVE, Step>>(
      {}, ceil_div<std::int64_t>(count, p.tbc), panel_threads(rows, p.rows, p.tbc),
      static_cast<std::size_t>(p.tbc) * panel_bytes<T, p.ib>, q, uplo, step, info);
}

template <class Line, uplo UPLO, class Source>
int panel_exclusive::launch(Source source, int* info, queue q, no_epilogue) {
  using T = typename Source::element;
  constexpr int IB = Line::kernel.ib;
  for (int i = 0; i < source.n_max(); i += IB) {
    int status = 0;
    if constexpr (Source::equal) {
      const equal_step<T> step = {source.A, i};
      status = launch_panel<T, Line, false>(UPLO, step, source.A.count, source.A.n - i, info, q);
    } else {
      const step_schedule when = {source.lazy, ceil_div(source.n_max(), IB), IB};
      const mixed_step<T> step = {source.check.A, source.s, when, i};
      status = launch_panel<T, Line, Line::line.schedule.aggressive>(UPLO, step, source.check.A.count,
                                                                     when.steps * IB - i, info, q);
    }
    if (status != 0) return status;
  }
  return 0;
}

template <class Line, uplo UPLO, class Source>
int panel_inclusive::launch(Source source, int* info, queue q, no_epilogue) {
  using T = typename Source::element;
  constexpr panel_inclusive p = Line::kernel;
  return cuda::launch<potrf_panel_inclusive<T, p.ib, p.threads>>(
      {}, ceil_div<std::int64_t>(source.A.count, p.tbc), panel_threads(source.A.n, 1, p.tbc),
      static_cast<std::size_t>(p.tbc) * panel_bytes<T, p.ib>, q, UPLO, source.A, info);
}

}  // namespace talus::cuda::figures
