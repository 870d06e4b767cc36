// Products of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/blas/gemm.cuh"

#include <algorithm>

#include "batched/blas/backends.hpp"
#include "batched/blas/pieces/sharing.cuh"
#include "checks/blas.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {
namespace blas {

template <class T>
gemm_check<device_t<T>> on_device(const gemm_check<T>& check) {
  return {cuda::on_device(check.A), cuda::on_device(check.left), cuda::on_device(check.right), check.k,
          check.bounds};
}

/// What kernels take them from.
template <class T>
struct mixed_products {
  using element = T;
  static constexpr int most_at_once = 8;
  gemm_check<T> check;
  subset s;
  int rows = 0, columns = 0;  // of a part of C
  int least_blocks = 1;       // that share a product

  /// work(part of a product) by a warp (THREADS = 32), of which a block has GROUPS, or by a block. Several of
  /// them share a product of up to `parts` parts. Each reads first what is known of `each` products, or of
  /// fewer where there are few, a thread of one: so it waits once for all.
  template <int THREADS, int GROUPS, class Work>
  __device__ __forceinline__ void for_each_product(std::int64_t first_block, int* info_array, int parts,
                                                   int each, Work work) const {
    __shared__ one_product<T> known[GROUPS][most_at_once];
    const int group = GROUPS == 1 ? 0 : static_cast<int>(threadIdx.y);
    const int thread = static_cast<int>(threadIdx.x);
    if (s.waits) wait_for_previous_kernel();
    const int first = s.first(), count = s.end() - first;
    const int blocks = blocks_of_each(count, least_blocks, parts);
    each = min(each, at_once(static_cast<std::int64_t>(count) * blocks));
    const int mine = (static_cast<int>(first_block + blockIdx.x) * GROUPS + group) * each;
    for_each_in_queue<THREADS>(
        s, mine, each,
        [&](int position, int end) {
          const int there = min(each, end - position);
          if (thread < there) {
            const int of_all = position + thread - first;
            known[group][thread] = read(s.number(first + of_all / blocks), of_all % blocks, info_array);
          }
          if constexpr (THREADS == 32) {
            __syncwarp();
          } else {
            __syncthreads();
          }
          for (int i = 0; i < there; ++i) {
            one_product<T> one = known[group][i];
            const int parts_of_it = min(ceil_div(one.C.m, rows) * ceil_div(one.C.n, columns), parts);
            for (; one.part < parts_of_it; one.part += blocks) work(one);
          }
        },
        blocks);
  }

  /// A part of a product is a tile of rows x columns. At least least_blocks share one, if it has as many.
  template <auto KERNEL, int GROUPS, class Plan>
  int launch(dim3 threads, std::size_t shared_bytes, int least_blocks_of_line, int rows_of_part,
             int columns_of_part, queue q, int* info, Plan plan) const {
    constexpr std::int64_t many = 1 << 24;  // products
    const std::int64_t count = check.A.count,
                       tiles = ceil_div<std::int64_t>(check.bounds[0], rows_of_part) *
                               ceil_div<std::int64_t>(check.bounds[1], columns_of_part);
    const int parts = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, 1 << 20));
    mixed_products source = *this;
    source.rows = rows_of_part;
    source.columns = columns_of_part;
    source.least_blocks = count > many ? 1 : std::min(least_blocks_of_line, parts);
    const std::int64_t shared = count * blocks_of_each(count, source.least_blocks, parts);
    const int each = at_once(shared);
    return launch_subset<KERNEL>(s, s.range == nullptr ? shared : count * parts, each * GROUPS, threads,
                                 shared_bytes, 0, q, source, info, plan, parts, each);
  }

 private:
  TALUS_HOST_DEVICE static int at_once(std::int64_t shared) {
    constexpr std::int64_t enough = 4096;  // keeps all warps busy
    return shared < 2 * enough               ? 1
           : shared >= most_at_once * enough ? most_at_once
                                             : static_cast<int>(shared / enough);
  }

  /// All that is known of product b is read before any of it is looked at.
  __device__ __forceinline__ one_product<T> read(int b, int part, int* info_array) const {
    if (b < 0) return {};
    const matrix<const T> A = check.left[b], B = check.right[b];
    const matrix<T> C = check.A[b];
    const int k = check.k[b];
    int info = 0;
    if (s.order == nullptr)
      info = talus::blas::check_gemm(A, B, C, k, check.bounds[0], check.bounds[1], check.bounds[2]);
    if (part == 0 && info_array != nullptr) info_array[b] = info;
    if (info != 0 || C.n == 0) return {};
    return {A.A, B.A, C, A.lda, B.lda, k, part};
  }
};

}  // namespace blas

using D = device_t<TALUS_T>;
using products = blas::mixed_products<D>;
using plan = blas::product_plan<D>;
using tables_of_gemm = gemm_vbatched_tables;

TALUS_DEFINE_LAUNCHERS(gemm_vbatched_tables, products, int*, queue, plan)

#if TALUS_SHARD == 0
/// Multiplies by the lines that lines_of(bounds) returns.
template <class Lines>
static int multiply(product_of<TALUS_T> of, const blas::gemm_check<TALUS_T>& check, int* info, queue q,
                    Lines lines_of) {
  using part = blas::gemm_check<TALUS_T>;
  return launch_classes<tables_of_gemm, TALUS_T>(
      0, check, info, q, lines_of,
      [](const part& p, const subset& matrices, bool) {
        return products{blas::on_device(p), matrices};
      },
      [&](const part&) {
        return plan{of.of_A, of.of_B, to_device(of.alpha), to_device(of.beta)};
      });
}

template <>
int gemm(product_of<TALUS_T> of, variable_batch<const TALUS_T> A, variable_batch<const TALUS_T> B,
         variable_batch<TALUS_T> C, const int* k, int* info, int m_max, int n_max, int k_max, queue q) {
  int table = 0;
  if (const int status = tables_of_gemm::find(table)) return status;
  return multiply(of, {C, A, B, k, upto(m_max, n_max, k_max)}, info, q,
                  lines_of_table<tables_of_gemm, TALUS_T>(table, C.count));
}

template <>
int gemm_vbatched_by(const class_lines& by, product_of<TALUS_T> of, variable_batch<const TALUS_T> A,
                     variable_batch<const TALUS_T> B, variable_batch<TALUS_T> C, const int* k, int* info,
                     int m_max, int n_max, int k_max, queue q) {
  return multiply(of, {C, A, B, k, upto(m_max, n_max, k_max)}, info, q,
                  [&](const tables_of_gemm::box&) { return by; });
}

#endif

}  // namespace talus::cuda
