// The kernels of warp.hpp.
#pragma once

#include "batched/qr/families/warp.hpp"
#include "batched/qr/pieces/columns_q.cuh"
#include "batched/qr/pieces/columns_solve.cuh"
#include "batched/qr/pieces/source.cuh"
#include "batched/qr/pieces/warp_copies.cuh"

namespace talus::cuda::householder {

/// What the kernel is compiled for.
template <class Shape, int BLOCKS_>
struct warp_policy {
  using shape = Shape;
  static constexpr int THREADS = Shape::LANES < 128 ? 128 : Shape::LANES, BLOCKS = BLOCKS_;
};

/// The matrices of a warp of which a thread has one, and how its kernels go about them.
template <class T, class Policy, class Source>
struct warp_work {
  using element = typename Source::element;  // T, or const T where A is not written
  using shape = typename Policy::shape;
  using copies = warp_copies<T, shape>;
  using memory_t = columns_memory<T, shape>;
  static constexpr bool EQUAL = Source::equal;
  static constexpr int lanes = shape::LANES;

  std::int64_t b;
  bool exists;
  matrix<element> mine;
  int count = copies::COUNT;  // to be copied
  int lane = static_cast<int>(threadIdx.x);
  unsigned char *own, *first;  // shared memory of this matrix, and of the warp's first

  template <class Batch>
  __device__ __forceinline__ warp_work(std::int64_t b_, bool exists_, const Batch& A)
      : b(b_),
        exists(exists_),
        mine(A[exists ? b : 0]),
        own(shared_memory<unsigned char>() + threadIdx.y * memory_t::bytes),
        first(shared_memory<unsigned char>() +
              threadIdx.y / copies::COUNT * copies::COUNT * memory_t::bytes) {
    if constexpr (!EQUAL) {
      if (!exists) mine.m = mine.n = 0;
    } else if constexpr (lanes <= 32) {
      count = __popc(__ballot_sync(~0u, exists)) / lanes;
    }
  }

  /// work(warp_work) for the matrices of a source.
  template <class Work>
  static __device__ __forceinline__ void for_each(const Source& source, std::int64_t first_block,
                                                  int* info_array, Work work) {
    if constexpr (lanes <= 32) {
      source.template for_each_of_warp<copies::COUNT>(first_block, info_array,
                                                      [&](std::int64_t b, bool exists, const auto& A) {
                                                        work(warp_work(b, exists, A), A);
                                                        __syncwarp();
                                                      });
    } else {
      source.template for_each_of_block<lanes>(first_block, info_array, [&](auto number, const auto& A) {
        work(warp_work(number(), true, A), A);
      });
    }
  }

  __device__ __forceinline__ void read() const { copies::template read<EQUAL>(mine, count, first); }
  /// The matrix as k reflectors, with tau beside them.
  __device__ __forceinline__ void read_reflectors(const reflectors_memory<T, shape>& reflectors,
                                                  const vectors<const T>& all_tau, int k) const {
    read();
    if (exists) {
      const T* const tau = all_tau[b];
      for (int j = lane; j < k; j += lanes) reflectors.memory.tau(j) = tau[j];
    }
    reflectors.spread(lane);
  }
  /// To A, the matrix of this thread, pieces (i, c) of what the memories have by `get`.
  template <class Get>
  __device__ __forceinline__ void write(const matrix<T>& A, Get get) const {
    copies::template write<EQUAL>(A, count, first, get);
  }
  __device__ __forceinline__ void succeed(int* info_array) const {
    if (exists && lane == 0 && info_array != nullptr) info_array[b] = 0;
  }
};

/// Right-looking QR, column by column.
///
/// Thread map  (LANES, tbc): LANES = DOWN * ACROSS lanes of matrix tbc * block + t; see columns_shape
/// Stored      the columns in registers; in shared memory reflectors and R, where columns_memory says. If Q
///             is asked for, its columns take their place in registers when R has been written
/// Launch      ceil(count / tbc) blocks, columns_memory::bytes for each matrix
/// Needs       m <= DOWN * ROWS, n <= ACROSS * COLUMNS
/// Barriers    one per column, of the lanes of a matrix
/// Info        0
/// Source      LAPACK's xGEQR2. One broadcast of a column serves its norm and all products with it
/// Bound by    issued instructions up to n = 16; then the chain from one column to the next
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    geqrf_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  using work = warp_work<T, Policy, Source>;
  using shape = typename work::shape;
  work::for_each(source, first_block, info_array, [&](const work& on, const auto& A) {
    on.read();
    columns<T, shape> all(typename work::memory_t(on.own), on.lane);
    all.load();
    const int k = min(on.mine.m, on.mine.n);
    int steps = k;
    if constexpr (!Source::equal && work::copies::COUNT > 1)
      steps = static_cast<int>(largest_of_group<32>(static_cast<unsigned>(k)));
    if constexpr (Source::equal) steps = min(A.m, A.n);
    all.eliminate(steps);
    shape::meet();
    if constexpr (forms_q<Then>) {
      const reflectors_memory<T, shape> reflectors(all.memory);
      on.write(then.R[on.exists ? on.b : 0], [](const auto& R, int i, int c) { return R.upper(i, c); });
      shape::meet();
      reflectors.make_explicit(on.lane);
      columns_of_q<T, shape> Q(reflectors, on.lane);
      Q.form(steps);
      shape::meet();  // nobody reads reflectors any more
      Q.store(all.memory, false);
      matrix<T> thin = on.mine;
      thin.n = k;
      on.write(thin, [](const auto& all_of_q, int i, int c) { return all_of_q.as_it_is(i, c); });
    } else {
      on.write(on.mine, [](const auto& result, int i, int c) { return result.result(i, c); });
      if (on.exists) {
        T* const tau = tau_of(source, then, on.b);
        for (int j = on.lane; j < k; j += shape::LANES) tau[j] = all.memory.tau(j);
      }
    }
    on.succeed(info_array);
  });
}

/// Columns of Q in the place of reflectors: see geqrf_warp.
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    orgqr_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  using work = warp_work<T, Policy, Source>;
  using shape = typename work::shape;
  work::for_each(source, first_block, info_array, [&](const work& on, const auto&) {
    const typename work::memory_t memory(on.own);
    const reflectors_memory<T, shape> reflectors(memory);
    on.read_reflectors(reflectors, then.tau, then.k);
    columns_of_q<T, shape> Q(reflectors, on.lane);
    Q.form(then.k);
    shape::meet();
    Q.store(memory, false);
    on.write(on.mine, [](const auto& all_of_q, int i, int c) { return all_of_q.as_it_is(i, c); });
    on.succeed(info_array);
  });
}

/// C <- op(Q) C or C op(Q), C's columns (its rows, conjugated) by strips of N: see geqrf_warp. Each strip
/// comes to registers by the shared memory that reflectors take next.
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    ormqr_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  using work = warp_work<T, Policy, Source>;
  using shape = typename work::shape;
  work::for_each(source, first_block, info_array, [&](const work& on, const auto& A) {
    const typename work::memory_t memory(on.own);
    const reflectors_memory<T, shape> reflectors(memory);
    columns_of_q<T, shape> columns(reflectors, on.lane);
    const matrix<T> C = then.C[on.exists ? on.b : 0];
    const bool from_left = then.where == side::left;
    for (int c0 = 0; c0 < (from_left ? C.n : C.m); c0 += shape::N) {
      const strip_of<T, shape> strip = {C, c0, from_left, on.count, on.first};
      strip.read();
      columns.load(memory, !from_left);
      on.read_reflectors(reflectors, then.tau, A.n);
      columns.multiply(then.adjoint == from_left, A.n);
      shape::meet();
      columns.store(memory, !from_left);
      strip.write();
      shape::meet();
    }
    on.succeed(info_array);
  });
}

/// A X = B in the sense of least squares: B's columns stand beside A's and are multiplied by Q^H with them.
/// See geqrf_warp.
///
/// Needs  A.m >= A.n, A.n + B.n <= ACROSS * COLUMNS
/// Info   j + 1 where R's diagonal is first zero or NaN, at j: B is left alone; else 0
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    gels_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  using work = warp_work<T, Policy, Source>;
  using shape = typename work::shape;
  using copies = typename work::copies;
  work::for_each(source, first_block, info_array, [&](const work& on, const auto& A) {
    matrix<T> B = then.B[on.exists ? on.b : 0];
    const int n = A.n, nrhs = B.n;
    copies::template start_reading<true>(on.mine, on.count, on.first, nrhs);
    copies::template for_each_element<true>(
        B, on.count, on.first, [&](const auto& memory, const matrix<T>& sides, int i, int c) {
          const bool exists = i < sides.m;
          copy_element_async(memory.a + i + (n + c) * memory.pitch, exists ? &sides(i, c) : sides.A, exists);
        });
    copies::wait();
    columns<T, shape> all(typename work::memory_t(on.own), on.lane);
    all.load();
    all.template eliminate<true>(n);
    shape::meet();
    const triangle_beside<T, shape> R = {all.memory, n, nrhs};
    const int bad = R.first_bad();
    R.solve(on.lane);
    all.undo_powers_of_solution(n);
    shape::meet();
    on.write(on.mine, [](const auto& result, int i, int c) { return result.result(i, c); });
    if (bad < n) B.n = 0;
    copies::template for_each_element<false>(B, on.count, on.first,
                                             [&](const auto& memory, const matrix<T>& sides, int i, int c) {
                                               if (i < sides.m)
                                                 store_last(&sides(i, c), memory.row(i, n + c));
                                             });
    if (on.exists && on.lane == 0) info_array[on.b] = bad < n ? bad + 1 : 0;
  });
}

template <class Line, auto FORM, class Source, class Then>
int warp::launch(Source source, int* info, queue q, Then then) {
  using T = std::remove_const_t<typename Source::element>;
  constexpr warp p = Line::kernel;
  using shape = columns_shape<p.down, p.across, p.rows, p.columns, p.shrink>;
  using policy = warp_policy<shape, p.blocks>;
  constexpr std::size_t bytes = p.tbc * columns_memory<T, shape>::bytes;
  static_assert(columns_memory<T, shape>::bytes == p.bytes(element_of_type<T>));
  const dim3 threads(shape::LANES, p.tbc);
  if constexpr (solves<Then>) {
    return launch_over<gels_warp<T, policy, Source, Then>>(source, p.tbc, threads, bytes, 0, q, info, then);
  } else if constexpr (factors<Then>) {
    return launch_over<geqrf_warp<T, policy, Source, Then>>(source, p.tbc, threads, bytes, 0, q, info, then);
  } else if constexpr (forms_q<Then>) {
    return launch_over<orgqr_warp<T, policy, Source, Then>>(source, p.tbc, threads, bytes, 0, q, info, then);
  } else {
    return launch_over<ormqr_warp<T, policy, Source, Then>>(source, p.tbc, threads, bytes, 0, q, info, then);
  }
}

}  // namespace talus::cuda::householder
