// Products of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/blas/gemm.hpp"

#include "batched/blas/backends.hpp"
#include "vbatched/blas/check.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {
namespace blas {

/// The products of a call, to be ordered: a `Check` (vbatched/schedule.hpp). A: the matrices C, which give
/// the number of products.
template <class T>
struct products_check {
  static constexpr bool in_kernels = false;
  variable_batch<T> A;
  variable_batch<const T> left, right;
  const int* k;
  extents<3> bounds;

  TALUS_HOST_DEVICE static int work(const extents<3>& sizes) {
    const std::int64_t most = 1 << 30, terms = sizes.of[2] / 16 + 1;
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * sizes.of[1];
    const std::int64_t steps = (all < most ? all : most) * terms;
    return static_cast<int>(steps < most ? steps : most);
  }
  TALUS_HOST_DEVICE checked<3> operator()(std::int64_t b) const {
    const matrix<T> C = A[b];
    const int info = talus::blas::check_gemm(left[b], right[b], C, k[b], bounds[0], bounds[1], bounds[2]);
    return {info, {{C.m, C.n, k[b]}}};
  }
  products_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(left, first, part_count),
            part_of(right, first, part_count), k + first, bounds};
  }
};

/// What kernels take them from.
template <class T>
struct mixed_products {
  using element = T;
  mixed_sizes<ordered_matrices<T>> C;
  variable_batch<const T> left, right;
  const int* k;

  template <class Policy, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, Work work) const {
    C.template for_each_of_block<Policy::THREADS>(first_block, nullptr,
                                                  [&](auto number, const single<T>& one) {
                                                    const int b = number();
                                                    work(b, left[b], right[b], one.A, k[b]);
                                                  });
  }
  template <auto KERNEL, class Plan>
  int launch(dim3 threads, std::size_t shared_bytes, queue q, int* info, Plan plan) const {
    return launch_subset<KERNEL>(C.s, left.count, 1, threads, shared_bytes, 0, q, *this, info, plan);
  }
};

}  // namespace blas

using D = device_t<TALUS_T>;
using products = blas::mixed_products<D>;
using plan = blas::product_plan<D>;
using tables_of_gemm = gemm_vbatched_tables;

TALUS_DEFINE_LAUNCHERS(gemm_vbatched_tables, products, int*, queue, plan)

#if TALUS_SHARD == 0
template <>
int gemm(product_of<TALUS_T> of, variable_batch<const TALUS_T> A, variable_batch<const TALUS_T> B,
         variable_batch<TALUS_T> C, const int* k, int* info, int m_max, int n_max, int k_max, queue q) {
  int table = 0;
  if (const int status = tables_of_gemm::find(table)) return status;
  using part = blas::products_check<TALUS_T>;
  return launch_classes<tables_of_gemm, TALUS_T>(
      0, part{C, A, B, k, upto(m_max, n_max, k_max)}, info, q,
      lines_of_table<tables_of_gemm, TALUS_T>(table, C.count),
      [](const part& p, const subset& matrices, bool) {
        const ordered_matrices<D> of_C = {on_device(p.A), upto(p.bounds[1])};
        return products{{of_C, matrices, false}, on_device(p.left), on_device(p.right), p.k};
      },
      [&](const part&) {
        return plan{of.of_A, of.of_B, to_device(of.alpha), to_device(of.beta)};
      });
}

#endif

}  // namespace talus::cuda
