// What a block of threads, or a cluster of blocks, does with one matrix in ormqr, orgqr, gels and qr, and how
// it is launched, for batches of one size and of mixed sizes.
#pragma once

#include <type_traits>

#include "batched/qr/pieces/blocks.cuh"
#include "batched/qr/pieces/far_systems.cuh"
#include "batched/qr/pieces/row_blocks.cuh"
#include "gpu/diagonal.cuh"
#include "gpu/either_sizes.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"
#include "gpu/panel_solve.cuh"
#include "talus/types.hpp"

namespace talus::cuda::householder {

// A task is plain data, an argument of a kernel:
//
//   solves     whether it solves with a triangle, for which there is room in shared memory
//   taus(k)    elements of tau in shared memory, if no matrix has more than k reflectors
//   operator()(on, A, b, extra, info)  processes matrix b, which is A.
//                              `on` is the in_panels of the threads that process the matrix;
//                              `extra` has tau, and then the room for solves; only solves use info

/// The operations of orgqr, ormqr and qr. One kernel performs all three.
enum class q_operation { form, multiply, factor_and_form };

/// form             A <- the columns of Q
/// multiply         C <- op(Q) C or C op(Q):  C Q = (Q^H C^H)^H. A is only read
/// factor_and_form  A <- thin Q, C <- R
template <class T>
struct with_q {
  static constexpr bool solves = false;
  q_operation what;
  vectors<const T> tau;          // form, multiply
  int k = 0;                     // form: number of reflectors, if k_array is null
  const int* k_array = nullptr;  // form: number of reflectors of each matrix
  side where = side::left;       // multiply
  bool adjoint = false;          // multiply
  either_batch<T> C = batch<T>{};

  int taus(int k_max) const { return what == q_operation::factor_and_form ? k_max : 0; }

  template <class Work>
  __device__ __forceinline__ void operator()(Work& on, const matrix<T>& A, std::int64_t b, T* extra,
                                             int*) const {
    const plain_view<T> all = as_it_is(A);
    if (what == q_operation::multiply) {
      const matrix<T> mine = C[b];
      on.apply(adjoint == (where == side::left), all, tau[b], seen(mine, where == side::right));
      return;
    }
    int reflectors = min(A.m, A.n), columns = A.n;
    const T* tau_of_Q = extra;
    if (what == q_operation::factor_and_form) {
      const matrix<T> R = C[b];
      columns = reflectors;
      on.factor(all, extra);
      on.for_each(0, reflectors, A.n, [&](int i, int c) { R(i, c) = i <= c ? all.read(i, c) : T{}; });
      __syncthreads();
    } else {
      reflectors = k_array != nullptr ? k_array[b] : k;
      tau_of_Q = tau[b];
    }
    on.form(all.part(0, 0, columns), reflectors, tau_of_Q);
  }
};

/// Returns the batch without const. The kernels may write A, but for ormqr they only read it.
template <class T>
batch<std::remove_const_t<T>> writable(const batch<T>& A) {
  using W = std::remove_const_t<T>;
  return {
      const_cast<W* const*>(A.array), const_cast<W*>(A.slab), A.stride, A.offset, A.m, A.n, A.lda, A.count};
}
template <class T>
variable_batch<std::remove_const_t<T>> writable(const variable_batch<T>& A) {
  return {const_cast<std::remove_const_t<T>* const*>(A.array), A.m, A.n, A.lda, A.count};
}

/// R^H, a lower triangle, or its conjugate, as gpu/panel_solve.cuh wants it.
template <class T>
struct triangle_of_R {
  static constexpr int unrolled = 1;
  view<T> A;
  bool conjugated;

  __device__ T operator()(int i, int k) const {
    const T a = A.read(k, i);
    return conjugated ? conj(a) : a;
  }
  __device__ T kept(int i) const { return (*this)(i, i); }
  __device__ T over_diagonal(T x, T diagonal) const { return x / real(diagonal); }  // R has a real diagonal
};

/// A X = B or A^H X = B, of the tall one of A and A^H a QR factorization.
template <class T>
struct least_squares {
  static constexpr bool solves = true;
  bool adjoint;
  either_batch<T> B;

  int taus(int k_max) const { return k_max; }

  template <class Work>
  __device__ __forceinline__ void operator()(Work& on, const matrix<T>& A, std::int64_t b, T* tau,
                                             int* info) const {
    const bool is_tall = A.m >= A.n;
    const int m = max(A.m, A.n), k = min(A.m, A.n);
    const matrix<T> sides = B[b];
    const plain_view<T> X = {sides.A, sides.lda, m, sides.n};
    const view<T> tall = seen(A, !is_tall);
    if (k > 0) {
      on.factor(tall, tau);
      on.synchronize();
      if (!check_diagonal(true, k, on.is_first() ? info : nullptr, [&](int j) {
             return is_zero_or_nan(tall.read(j, j));
           }).mine)
        return;
      if (X.n > 0) solve(on, tall, adjoint != is_tall, k, tau, X, tau + tau_places(k));
    } else {
      on.for_each(0, m, X.n, [&](int i, int c) { X.write(i, c, T{}); });
      if (on.is_first() && threadIdx.x == 0) *info = 0;
    }
  }

  /// Returns true if A or B is far from 1, and then solves the system. The vote proves to the compiler that
  /// the result is uniform. Without it the rest of the kernel loses half of its uniform registers, and
  /// spills.
  template <class Work>
  __device__ __forceinline__ bool solve_if_far(const matrix<T>& A, std::int64_t b, int* info) const {
    return __any_sync(~0u, householder::solve_if_far<Work>(A, B[b], adjoint, info));
  }

  /// Elements that tau takes up in shared memory.
  static TALUS_HOST_DEVICE constexpr int tau_places(int k) { return (k + 3) / 4 * 4; }

 private:
  template <class Work>
  __device__ __forceinline__ void solve(Work& on, const view<T>& tall, bool least_squares_of_it, int k,
                                        const T* tau, const plain_view<T>& X, T* room) const {
    using triangles = panel_solve<T, Work::THREADS>;
    const triangles with = {room, X.A, X.column, k, X.n};
    if (least_squares_of_it) {
      on.apply(true, tall, tau, X);
      if (on.is_first()) with.backward(triangle_of_R<T>{tall, false});
    } else {
      if (on.is_first()) with.forward(triangle_of_R<T>{tall, true});
      on.for_each(k, X.m, X.n, [&](int i, int c) { X.write(i, c, T{}); });
      __syncthreads();
      on.apply(false, tall, tau, X);
    }
  }
};

/// What the kernel is compiled for.
template <int NB_, int WARPS_, int BLOCKS_, int M_MAX_, bool RESIDENT_ = true>
struct task_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, STRIP = 1, BLOCKS = BLOCKS_, M_MAX = M_MAX_;
  static constexpr bool RESIDENT = RESIDENT_;
};

/// Returns the elements of shared memory that a task needs beside qr_blocks: for tau, and to solve.
template <class T, class Policy, class Task>
TALUS_HOST_DEVICE constexpr std::size_t extra_elements(int taus) {
  std::size_t all = static_cast<std::size_t>((taus + 3) / 4 * 4);
  if (Task::solves) all += static_cast<std::size_t>(panel_solve<T, 32 * Policy::WARPS>::room);
  return all;
}

/// Thread map  a block per matrix; see blocks.cuh
/// Launch      count blocks; of mixed sizes as many as there is room for
/// Info        0; of gels as check_diagonal says; null: nobody asks
/// Bound by    the chain of a panel's columns; reading V from shared memory
template <class T, class Policy, class Source, class Task>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    householder_task(std::int64_t first_block, Source source, int* info_array, Task task, int taus) {
  using work = qr_blocks<T, Policy>;
  source.template for_each_of_block<work::THREADS>(first_block, [&](auto number, const auto& A) {
    if constexpr (Task::solves) {
      const std::int64_t b = number();
      if (task.template solve_if_far<work>(A, b, info_array + b)) return;
    }
    const std::int64_t b = number();
    auto& memory = *shared_memory<typename work::memory_t>();
    T* const extra = reinterpret_cast<T*>(&memory + 1);
    work on(memory, extra + extra_elements<T, Policy, Task>(taus));
    task(on, A, b, extra, info_array + b);
    if (!Task::solves && info_array != nullptr && threadIdx.x == 0) info_array[b] = 0;
  });
}

/// err_unsupported where shared memory has no room, unless M_MAX is any_extent.
template <class T, class Policy, class Source, class Task>
int launch_task_of(const Source& source, const Task& task, int m_max, int k_max, int* info, queue q) {
  // Two blocks of this kernel fit on a multiprocessor if it does not solve and T is real.
  constexpr int blocks = !Task::solves && sizeof(T) == sizeof(real_t<T>) ? 2 : Policy::BLOCKS;
  using elsewhere = task_policy<Policy::NB, Policy::WARPS, blocks, Policy::M_MAX, false>;
  const int taus = task.taus(k_max);
  std::size_t shared = 0;
  if (const int status = shared_memory_limit(shared)) return status;
  const std::size_t own = sizeof(wy_memory<T, Policy>) + extra_elements<T, Policy, Task>(taus) * sizeof(T);
  const std::size_t bytes = own + panel_elements(m_max, Policy::NB) * sizeof(T);
  const dim3 threads(32 * Policy::WARPS);
  if (bytes <= shared)
    return launch_over<householder_task<T, Policy, Source, Task>>(source, threads, bytes, q, info, task,
                                                                  taus);
  if constexpr (Policy::M_MAX != any_extent) {
    return err_unsupported;
  } else {
    return launch_over<householder_task<T, elsewhere, Source, Task>>(source, threads, own, q, info, task,
                                                                     taus);
  }
}

/// The same by clusters of blocks, for tall matrices of one size.
template <class T, class Policy, class Source, class Task>
int launch_task_of_clusters(const Source& source, const Task& task, int m, int k, int* info, queue q) {
  constexpr int most_reflectors = 64;  // beyond, a block per matrix is not much slower
  if (!source.A.is_equal() || k > most_reflectors) return err_unsupported;
  const equal_sizes<typename Source::element> equal = {source.A.equal};
  const int extra = static_cast<int>(extra_elements<T, Policy, Task>(task.taus(k)));
  return launch_clusters<T, Policy>(equal, task, m, k, extra, info, q);
}

/// Does a task to all matrices of a source, with k_max reflectors of m_max rows at most, by the first kernel
/// that is meant for so many rows and has room.
template <class T, class Source, class Task>
int launch_task(const Source& source, const Task& task, int m_max, int k_max, int* info, queue q) {
  constexpr bool fits_128_registers = Task::solves ? sizeof(T) == 4 : std::is_same_v<T, double>;
  using small = task_policy<8, 1, fits_128_registers ? 16 : 0, 32>;
  using medium = task_policy<16, 4, sizeof(T) == 16 ? 4 : 5, 128>;
  using large = task_policy<32, sizeof(T) == 4 ? 4 : 8, sizeof(T) == 4 ? 4 : 2, 256>;  // 128 registers
  using larger = task_policy<sizeof(T) == 16 ? 16 : 32, 8, sizeof(T) == 4 ? 2 : 1, 512>;
  int status = err_unsupported;
  const auto fits = [&](int m) { return status == err_unsupported && m_max <= m; };
  if (fits(32)) status = launch_task_of<T, small>(source, task, m_max, k_max, info, q);
  if (fits(128)) status = launch_task_of<T, medium>(source, task, m_max, k_max, info, q);
  if constexpr (sizeof(T) < 16) {
    if (fits(256)) status = launch_task_of<T, large>(source, task, m_max, k_max, info, q);
  }
  if (fits(512)) status = launch_task_of<T, larger>(source, task, m_max, k_max, info, q);
  using clusters = cluster_policy<sizeof(T) == 16 ? 8 : 16, 8, sizeof(T) == 4 ? 8 : 4, 1>;
  using more_rows = cluster_policy<8, 8, 8, 1>;
  if (fits(any_extent)) status = launch_task_of_clusters<T, clusters>(source, task, m_max, k_max, info, q);
  if constexpr (sizeof(T) == 8) {
    if (fits(any_extent)) status = launch_task_of_clusters<T, more_rows>(source, task, m_max, k_max, info, q);
  }
  if (fits(any_extent))
    status = launch_task_of<T, task_policy<16, 8, 0, any_extent>>(source, task, m_max, k_max, info, q);
  return status;
}

}  // namespace talus::cuda::householder
