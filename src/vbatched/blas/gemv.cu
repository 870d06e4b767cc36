// Products of matrices and vectors, of mixed sizes, on the GPU: in order, a warp or a block per product.
#include <algorithm>

#include "batched/blas/backends.hpp"
#include "checks/blas.hpp"
#include "gpu/scalar.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

/// What kernels are given.
template <class T>
struct vector_products {
  stepped_vectors<const T> x;
  stepped_vectors<T> y;
  op of_A;
  T alpha, beta;
};
template <class T>
vector_products<device_t<T>> on_device(const product_with_vector<T>& of, const blas::gemv_check<T>& check) {
  using D = device_t<T>;
  return {{reinterpret_cast<const D* const*>(check.x.array), check.x.step},
          {reinterpret_cast<D* const*>(check.y.array), check.y.step},
          of.of_A,
          to_device(of.alpha),
          to_device(of.beta)};
}

/// Element i of a vector of `length`, whose storage begins at `start`, is first[i * step].
template <class T>
struct stepped_vector {
  T* first;
  std::ptrdiff_t step;
  __device__ stepped_vector(T* start, int length, int step_)
      : first(start + (step_ < 0 ? static_cast<std::ptrdiff_t>(1 - length) * step_ : 0)), step(step_) {}
  __device__ T& operator[](int i) const { return first[i * step]; }
};

/// Of each row the sum over `sharing` warps that follow one another, in their order, for the first of them.
/// All threads call it.
template <class T, int ROWS, int WARPS>
__device__ __forceinline__ T sum_over_warps(T sum, int sharing) {
  static_assert((WARPS & (WARPS - 1)) == 0, "shared by a power of two");
  __shared__ T of_warp[WARPS][ROWS];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  __syncthreads();  // what was there has been read
  if (lane < ROWS) of_warp[warp][lane] = sum;
  __syncthreads();
  if (warp % sharing == 0 && lane < ROWS)
    for (int other = 1; other < sharing; ++other) sum = sum + of_warp[warp + other][lane];
  return sum;
}

/// y <- alpha op(A) x + beta y, by THREADS threads: a group of lanes has rows of op(A), 32 / ROWS lanes have
/// the terms of a row, one after the other. Warps for which there are no rows have terms of others' rows.
/// Neither extent is 0.
template <class T, int THREADS, int ROWS>
__device__ __forceinline__ void multiply(const matrix<const T>& A, const vector_products<T>& each, int b) {
  constexpr int PARTS = 32 / ROWS, WARPS = THREADS / 32;
  const bool plain = each.of_A == op::none, conjugated = each.of_A == op::conj_trans;
  const int rows = plain ? A.m : A.n, terms = is_zero(each.alpha) ? 0 : plain ? A.n : A.m;
  const std::ptrdiff_t down = plain ? 1 : A.lda, right = plain ? A.lda : 1;
  const stepped_vector<const T> x(each.x.array[b], plain ? A.n : A.m, each.x.step[b]);
  const stepped_vector<T> y(each.y.array[b], rows, each.y.step[b]);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  int sharing = 1;  // warps that share rows
  while (2 * sharing * ceil_div(rows, ROWS) <= WARPS) sharing *= 2;
  const int part = warp % sharing * PARTS + lane / ROWS, parts = sharing * PARTS;
  const int first = warp / sharing * ROWS + lane % ROWS;
  for (int i0 = 0; i0 < rows; i0 += THREADS / parts) {
    const int i = i0 + first;
    T sum = {};
    if (i < rows) {
      const int mine = (terms - part + parts - 1) / parts;  // a count: steps of `parts` are not unrolled
#pragma unroll 8
      for (int c = 0; c < mine; ++c) {
        const int j = part + c * parts;
        const T a = A.A[i * down + j * right];
        multiply_add(sum, conjugated ? conj(a) : a, x[j]);
      }
    }
#pragma unroll
    for (int step = ROWS; step < 32; step *= 2) sum = sum + shuffle_xor(sum, step);
    if constexpr (WARPS > 1) {
      if (sharing > 1) sum = sum_over_warps<T, ROWS, WARPS>(sum, sharing);
    }
    if (i < rows && part == 0) {
      T result = product(sum, each.alpha);
      if (!is_zero(each.beta)) multiply_add(result, each.beta, y[i]);
      y[i] = result;
    }
  }
}

/// Thread map  a warp, or a block, per product
/// Source      BLAS's xGEMV
/// Bound by    memory
template <class T, int THREADS>
__global__ void __launch_bounds__(THREADS)
    multiply_vectors(std::int64_t first_block, mixed_sizes<ordered_matrices<const T>> A, int* info_array,
                     vector_products<T> each) {
  A.template for_each_of_block<THREADS>(first_block, nullptr, [&](auto number, const single<const T>& one) {
    const int b = number();
    if (threadIdx.x == 0 && info_array != nullptr) info_array[b] = 0;
    const bool plain = each.of_A == op::none;
    const int rows = plain ? one.A.m : one.A.n;
    if (!plain) return multiply<T, THREADS, 1>(one.A, each, b);  // terms are what is consecutive in memory
    if (rows <= 8) return multiply<T, THREADS, 8>(one.A, each, b);
    multiply<T, THREADS, 32>(one.A, each, b);
  });
}

template <int THREADS, class T>
int launch_products(const mixed_sizes<ordered_matrices<const T>>& A, const vector_products<T>& each,
                    int* info, queue q) {
  return launch_over<multiply_vectors<T, THREADS>>(A, 1, dim3(THREADS), 0, 0, q, info, each);
}

}  // namespace

template <>
int gemv(product_with_vector<TALUS_T> of, variable_batch<const TALUS_T> A, stepped_vectors<const TALUS_T> x,
         stepped_vectors<TALUS_T> y, int* info, int m_max, int n_max, queue q) {
  blas::gemv_check<TALUS_T> check = {A, x, y, of.of_A, upto(m_max, n_max)};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  constexpr int small = 64;  // up to which a warp is enough
  const extents<2> bounds[] = {upto(small, small), upto(any_extent, any_extent)};
  const int classes = bounds[0].cover(check.bounds) ? 1 : 2;
  launches<blas::gemv_check<TALUS_T>> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const mixed_sizes matrices{ordered_matrices{on_device(each.part.A), upto(check.bounds[1])}, each.matrices,
                               false};
    const auto all = on_device(of, each.part);
    const int status = each.c == 0 ? launch_products<32>(matrices, all, each.info_of_part, q)
                                   : launch_products<256>(matrices, all, each.info_of_part, q);
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda
