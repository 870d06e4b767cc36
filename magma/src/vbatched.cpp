// Batches of mixed sizes. Each routine is done by its form with bounds that looks at nothing; the others look
// first.
#include "talus/vbatched.hpp"

#include <algorithm>

#include "precision.hpp"
#include "sizes.hpp"

using namespace talus::magma;

namespace {

// ---- the routines, with bounds ----------------------------------------------------------------------------

/// A tolerance replaces smaller pivots, and info counts the replaced pivots. Talus's scratch does not contain
/// these counts, so the call needs an int for each matrix.
struct tolerance {
  R* of_each = nullptr;
  R of_all = 0;
  bool is_there() const { return of_each != nullptr || of_all > 0; }
};
/// Talus's own, in whole ints.
std::size_t own_bytes_of_nopiv(int max_m, int max_n, std::int64_t batch_count) {
  return (talus::getrf_nopiv_vbatched_work<T>(max_m, max_n, batch_count) + sizeof(int) - 1) / sizeof(int) *
         sizeof(int);
}
std::size_t bytes_of_nopiv(int max_m, int max_n, std::int64_t batch_count) {
  return own_bytes_of_nopiv(max_m, max_n, batch_count) + sizeof(int) * static_cast<std::size_t>(batch_count);
}

/// memory: bytes_of_nopiv, or null.
int getrf_nopiv(const int* m, const int* n, M** dA_array, const int* ldda, tolerance t, int* info_array,
                magma_int_t batch_count, int max_m, int max_n, unsigned char* memory, magma_queue_t queue) {
  const cudaStream_t stream = stream_of(queue);
  const std::size_t own = own_bytes_of_nopiv(max_m, max_n, batch_count);
  const bool allocates = t.is_there() && memory == nullptr;
  const scratch counters(stream, allocates ? sizeof(int) * static_cast<std::size_t>(batch_count) : 0);
  if (counters.status != 0) return counters.status;
  int* replaced = nullptr;
  if (t.is_there()) replaced = allocates ? counters.as<int>() : reinterpret_cast<int*>(memory + own);

  const R floor = t.of_all > 0 ? t.of_all : R(0);
  const int status =
      talus::getrf_nopiv_vbatched(m, n, to_talus(dA_array), ldda, floor, t.of_each, replaced, info_array,
                                  batch_count, max_m, max_n, on(queue, memory, memory != nullptr ? own : 0));
  return status != 0 || replaced == nullptr ? status
                                            : report_replaced(info_array, replaced, batch_count, stream);
}

int trsm(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, const int* m,
         const int* n, M alpha, M** dA_array, const int* ldda, M** dB_array, const int* lddb,
         magma_int_t batch_count, int max_m, int max_n, magma_queue_t queue) {
  return talus::trsm_vbatched<T>(to_side(side), to_uplo(uplo), to_op(transA), to_diag(diag), m, n,
                                 number(alpha), to_talus(dA_array), ldda, to_talus(dB_array), lddb, nullptr,
                                 batch_count, max_m, max_n, on(queue));
}

int gemm(magma_trans_t transA, magma_trans_t transB, const int* m, const int* n, const int* k, M alpha,
         M const* const* dA_array, const int* ldda, M const* const* dB_array, const int* lddb, M beta,
         M** dC_array, const int* lddc, magma_int_t batch_count, int max_m, int max_n, int max_k,
         magma_queue_t queue) {
  return talus::gemm_vbatched<T>(to_op(transA), to_op(transB), m, n, k, number(alpha), to_talus(dA_array),
                                 ldda, to_talus(dB_array), lddb, number(beta), to_talus(dC_array), lddc,
                                 nullptr, batch_count, max_m, max_n, max_k, on(queue));
}

int gemv(magma_trans_t trans, const int* m, const int* n, M alpha, M** dA_array, const int* ldda,
         M** dx_array, const int* incx, M beta, M** dy_array, const int* incy, magma_int_t batch_count,
         int max_m, int max_n, magma_queue_t queue) {
  return talus::gemv_vbatched<T>(to_op(trans), m, n, number(alpha), to_talus(dA_array), ldda,
                                 to_talus(dx_array), incx, number(beta), to_talus(dy_array), incy, nullptr,
                                 batch_count, max_m, max_n, on(queue));
}

// ---- what is illegal on the host --------------------------------------------------------------------------

call& require(call& c, magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag,
              magma_int_t batch_count, int max_m = 0, int max_n = 0) {
  return c.require(1, to_side(side) != talus::side{})
      .require(2, to_uplo(uplo) != talus::uplo{})
      .require(3, to_op(transA) != talus::op{})
      .require(4, to_diag(diag) != talus::diag{})
      .require(5, max_m >= 0)
      .require(6, max_n >= 0)
      .require(12, batch_count >= 0);
}
call& require(call& c, magma_trans_t transA, magma_trans_t transB, magma_int_t batch_count, int max_m = 0,
              int max_n = 0, int max_k = 0) {
  return c.require(1, to_op(transA) != talus::op{})
      .require(2, to_op(transB) != talus::op{})
      .require(14, batch_count >= 0)
      .require(15, max_m >= 0)
      .require(16, max_n >= 0)
      .require(17, max_k >= 0);
}
call& require(call& c, magma_trans_t trans, magma_int_t batch_count, int max_m, int max_n) {
  return c.require(1, to_op(trans) != talus::op{})
      .require(12, batch_count >= 0)
      .require(13, max_m >= 0)
      .require(14, max_n >= 0);
}

// ---- and on the device: that waits ------------------------------------------------------------------------

/// The sizes of a call; nothing where something is illegal already.
looked look(call& c, const size_arrays& sizes, look_for what, magma_int_t batch_count, magma_queue_t queue) {
  if (!c.is_fine()) return {};
  const looked result = look_at(sizes, what, batch_count, stream_of(queue));
  c.found(result.code);
  return result;
}

size_arrays sizes_of_getrf(int* m, int* n, int* ldda) {
  size_arrays sizes;
  sizes.extent(1, m).extent(2, n).leading(4, ldda, m).has_last = false;
  return sizes;
}
size_arrays sizes_of_trsm(magma_side_t side, int* m, int* n, int* ldda, int* lddb) {
  return size_arrays()
      .extent(5, m)
      .extent(6, n)
      .leading(9, ldda, side == MagmaLeft ? m : n)
      .leading(11, lddb, m);
}
size_arrays sizes_of_gemm(magma_trans_t transA, magma_trans_t transB, int* m, int* n, int* k, int* ldda,
                          int* lddb, int* lddc) {
  return size_arrays()
      .extent(3, m)
      .extent(4, n)
      .extent(5, k)
      .leading(8, ldda, transA == MagmaNoTrans ? m : k)
      .leading(10, lddb, transB == MagmaNoTrans ? k : n)
      .leading(13, lddc, m);
}
size_arrays sizes_of_gemv(int* m, int* n, int* ldda, int* incx, int* incy) {
  return size_arrays().extent(2, m).extent(3, n).leading(6, ldda, m).increment(8, incx).increment(11, incy);
}

/// Without what is not an extent: MAGMA looks for the largest of those alone.
size_arrays extents_of(const size_arrays& sizes) {
  size_arrays extents;
  for (int i = 0; i < sizes.count; ++i) {
    if (sizes.list[i].of == size_arrays::kind::extent)
      extents.extent(sizes.list[i].number, sizes.list[i].values);
  }
  return extents;
}

magma_int_t looked_at_getrf_nopiv(call& c, int* m, int* n, M** dA_array, int* ldda, tolerance t,
                                  int* info_array, magma_int_t batch_count, magma_queue_t queue) {
  const auto largest = look(c, sizes_of_getrf(m, n, ldda), look_for::both, batch_count, queue).largest;
  return c.run([&] {
    return getrf_nopiv(m, n, dA_array, ldda, t, info_array, batch_count, largest[0], largest[1], nullptr,
                       queue);
  });
}

}  // namespace

extern "C" {

// ---- Cholesky ---------------------------------------------------------------------------------------------

magma_int_t TALUS_MAGMA_NAME(potrf_vbatched)(magma_uplo_t uplo, magma_int_t* n, M** dA_array,
                                             magma_int_t* ldda, magma_int_t* info_array,
                                             magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  c.require(1, to_uplo(uplo) != talus::uplo{}).require(6, batchCount >= 0);
  const auto largest =
      look(c, size_arrays().extent(2, n).leading(4, ldda, n), look_for::both, batchCount, queue).largest;
  return c.run([&] {
    return talus::potrf_vbatched(to_uplo(uplo), n, to_talus(dA_array), ldda, info_array, batchCount,
                                 largest[0], on(queue));
  });
}

magma_int_t TALUS_MAGMA_NAME(potrf_vbatched_max_nocheck)(magma_uplo_t uplo, magma_int_t* n, M** dA_array,
                                                         magma_int_t* ldda, magma_int_t* info_array,
                                                         magma_int_t batchCount, magma_int_t max_n,
                                                         magma_queue_t queue) {
  call c(__func__);
  c.require(1, to_uplo(uplo) != talus::uplo{}).require(6, batchCount >= 0).require(7, max_n >= 0);
  return c.run([&] {
    return talus::potrf_vbatched(to_uplo(uplo), n, to_talus(dA_array), ldda, info_array, batchCount, max_n,
                                 on(queue));
  });
}

// ---- LU ---------------------------------------------------------------------------------------------------

magma_int_t TALUS_MAGMA_NAME(getrf_vbatched)(magma_int_t* m, magma_int_t* n, M** dA_array, magma_int_t* ldda,
                                             magma_int_t** ipiv_array, magma_int_t* info_array,
                                             magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  c.require(7, batchCount >= 0);
  const auto largest = look(c, sizes_of_getrf(m, n, ldda), look_for::both, batchCount, queue).largest;
  return c.run([&] {
    return talus::getrf_vbatched(m, n, to_talus(dA_array), ldda, ipiv_array, info_array, batchCount,
                                 largest[0], largest[1], on(queue));
  });
}

magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck)(magma_int_t* m, magma_int_t* n, magma_int_t*,
                                                         magma_int_t max_m, magma_int_t max_n, magma_int_t,
                                                         magma_int_t, magma_int_t, magma_int_t, M** dA_array,
                                                         magma_int_t* ldda, magma_int_t** ipiv_array,
                                                         magma_int_t**, magma_int_t* info_array,
                                                         magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__).require(4, max_m >= 0).require(5, max_n >= 0).require(15, batchCount >= 0).run([&] {
    return talus::getrf_vbatched(m, n, to_talus(dA_array), ldda, ipiv_array, info_array, batchCount, max_m,
                                 max_n, on(queue));
  });
}

magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t, magma_int_t,
    M** dA_array, magma_int_t* ldda, magma_int_t** dipiv_array, magma_int_t* info_array, void* work,
    magma_int_t* lwork, magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  c.require(3, max_m >= 0).require(4, max_n >= 0).require(13, batchCount >= 0);
  const work_space space(work, lwork,
                         c.is_fine() ? talus::getrf_vbatched_work<T>(max_m, max_n, batchCount) : 0);
  if (c.is_fine() && space.is_query) return 0;
  return c.require(12, space.is_enough).run([&] {
    return talus::getrf_vbatched(m, n, to_talus(dA_array), ldda, dipiv_array, info_array, batchCount, max_m,
                                 max_n, on(queue, space.memory, space.bytes));
  });
}

void TALUS_MAGMA_GET_NAME(getrf_vbatched_nbparam)(magma_int_t, magma_int_t, magma_int_t* nb,
                                                  magma_int_t* recnb) {
  *nb = 1;
  *recnb = 1;
}

magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_expert_vbatched)(magma_int_t* m, magma_int_t* n, M** dA_array,
                                                          magma_int_t* ldda, R* dtol_array, R eps,
                                                          magma_int_t* info_array, magma_int_t batchCount,
                                                          magma_queue_t queue) {
  call c(__func__);
  c.require(8, batchCount >= 0);
  return looked_at_getrf_nopiv(c, m, n, dA_array, ldda, {dtol_array, eps}, info_array, batchCount, queue);
}

magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched)(magma_int_t* m, magma_int_t* n, M** dA_array,
                                                   magma_int_t* ldda, magma_int_t* info_array,
                                                   magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  c.require(6, batchCount >= 0);
  return looked_at_getrf_nopiv(c, m, n, dA_array, ldda, {}, info_array, batchCount, queue);
}

magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck)(magma_int_t* m, magma_int_t* n, magma_int_t*,
                                                               magma_int_t max_m, magma_int_t max_n,
                                                               magma_int_t, magma_int_t, magma_int_t,
                                                               magma_int_t, M** dA_array, magma_int_t* ldda,
                                                               R* dtol_array, R eps, magma_int_t* info_array,
                                                               magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__).require(4, max_m >= 0).require(5, max_n >= 0).require(15, batchCount >= 0).run([&] {
    return getrf_nopiv(m, n, dA_array, ldda, {dtol_array, eps}, info_array, batchCount, max_m, max_n, nullptr,
                       queue);
  });
}

magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t, magma_int_t,
    M** dA_array, magma_int_t* ldda, R* dtol_array, R eps, magma_int_t* info_array, void* work,
    magma_int_t* lwork, magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  c.require(3, max_m >= 0).require(4, max_n >= 0).require(14, batchCount >= 0);
  const work_space space(work, lwork, c.is_fine() ? bytes_of_nopiv(max_m, max_n, batchCount) : 0);
  if (c.is_fine() && space.is_query) return 0;
  return c.require(12, space.is_enough).run([&] {
    return getrf_nopiv(m, n, dA_array, ldda, {dtol_array, eps}, info_array, batchCount, max_m, max_n,
                       space.memory, queue);
  });
}

// ---- triangular solves ------------------------------------------------------------------------------------

void TALUS_MAGMABLAS_NAME(trsm_vbatched_max_nocheck)(magma_side_t side, magma_uplo_t uplo,
                                                     magma_trans_t transA, magma_diag_t diag,
                                                     magma_int_t max_m, magma_int_t max_n, magma_int_t* m,
                                                     magma_int_t* n, M alpha, M** dA_array, magma_int_t* ldda,
                                                     M** dB_array, magma_int_t* lddb, magma_int_t batchCount,
                                                     magma_queue_t queue) {
  call c(__func__);
  require(c, side, uplo, transA, diag, batchCount, max_m, max_n).run([&] {
    return trsm(side, uplo, transA, diag, m, n, alpha, dA_array, ldda, dB_array, lddb, batchCount, max_m,
                max_n, queue);
  });
}

void TALUS_MAGMABLAS_NAME(trsm_vbatched_max)(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,
                                             magma_diag_t diag, magma_int_t max_m, magma_int_t max_n,
                                             magma_int_t* m, magma_int_t* n, M alpha, M** dA_array,
                                             magma_int_t* ldda, M** dB_array, magma_int_t* lddb,
                                             magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  require(c, side, uplo, transA, diag, batchCount, max_m, max_n);
  look(c, sizes_of_trsm(side, m, n, ldda, lddb), look_for::errors, batchCount, queue);
  c.run([&] {
    return trsm(side, uplo, transA, diag, m, n, alpha, dA_array, ldda, dB_array, lddb, batchCount, max_m,
                max_n, queue);
  });
}

void TALUS_MAGMABLAS_NAME(trsm_vbatched_nocheck)(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,
                                                 magma_diag_t diag, magma_int_t* m, magma_int_t* n, M alpha,
                                                 M** dA_array, magma_int_t* ldda, M** dB_array,
                                                 magma_int_t* lddb, magma_int_t batchCount,
                                                 magma_queue_t queue) {
  call c(__func__);
  require(c, side, uplo, transA, diag, batchCount);
  const auto largest =
      look(c, extents_of(sizes_of_trsm(side, m, n, ldda, lddb)), look_for::largest, batchCount, queue)
          .largest;
  c.run([&] {
    return trsm(side, uplo, transA, diag, m, n, alpha, dA_array, ldda, dB_array, lddb, batchCount, largest[0],
                largest[1], queue);
  });
}

void TALUS_MAGMABLAS_NAME(trsm_vbatched)(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,
                                         magma_diag_t diag, magma_int_t* m, magma_int_t* n, M alpha,
                                         M** dA_array, magma_int_t* ldda, M** dB_array, magma_int_t* lddb,
                                         magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  require(c, side, uplo, transA, diag, batchCount);
  const auto largest =
      look(c, sizes_of_trsm(side, m, n, ldda, lddb), look_for::both, batchCount, queue).largest;
  c.run([&] {
    return trsm(side, uplo, transA, diag, m, n, alpha, dA_array, ldda, dB_array, lddb, batchCount, largest[0],
                largest[1], queue);
  });
}

// ---- products ---------------------------------------------------------------------------------------------

void TALUS_MAGMABLAS_NAME(gemm_vbatched_max_nocheck)(magma_trans_t transA, magma_trans_t transB,
                                                     magma_int_t* m, magma_int_t* n, magma_int_t* k, M alpha,
                                                     M const* const* dA_array, magma_int_t* ldda,
                                                     M const* const* dB_array, magma_int_t* lddb, M beta,
                                                     M** dC_array, magma_int_t* lddc, magma_int_t batchCount,
                                                     magma_int_t max_m, magma_int_t max_n, magma_int_t max_k,
                                                     magma_queue_t queue) {
  call c(__func__);
  require(c, transA, transB, batchCount, max_m, max_n, max_k).run([&] {
    return gemm(transA, transB, m, n, k, alpha, dA_array, ldda, dB_array, lddb, beta, dC_array, lddc,
                batchCount, max_m, max_n, max_k, queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemm_vbatched_max)(magma_trans_t transA, magma_trans_t transB, magma_int_t* m,
                                             magma_int_t* n, magma_int_t* k, M alpha,
                                             M const* const* dA_array, magma_int_t* ldda,
                                             M const* const* dB_array, magma_int_t* lddb, M beta,
                                             M** dC_array, magma_int_t* lddc, magma_int_t batchCount,
                                             magma_int_t max_m, magma_int_t max_n, magma_int_t max_k,
                                             magma_queue_t queue) {
  call c(__func__);
  require(c, transA, transB, batchCount, max_m, max_n, max_k);
  look(c, sizes_of_gemm(transA, transB, m, n, k, ldda, lddb, lddc), look_for::errors, batchCount, queue);
  c.run([&] {
    return gemm(transA, transB, m, n, k, alpha, dA_array, ldda, dB_array, lddb, beta, dC_array, lddc,
                batchCount, max_m, max_n, max_k, queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemm_vbatched_nocheck)(magma_trans_t transA, magma_trans_t transB, magma_int_t* m,
                                                 magma_int_t* n, magma_int_t* k, M alpha,
                                                 M const* const* dA_array, magma_int_t* ldda,
                                                 M const* const* dB_array, magma_int_t* lddb, M beta,
                                                 M** dC_array, magma_int_t* lddc, magma_int_t batchCount,
                                                 magma_queue_t queue) {
  call c(__func__);
  require(c, transA, transB, batchCount);
  const auto largest = look(c, extents_of(sizes_of_gemm(transA, transB, m, n, k, ldda, lddb, lddc)),
                            look_for::largest, batchCount, queue)
                           .largest;
  c.run([&] {
    return gemm(transA, transB, m, n, k, alpha, dA_array, ldda, dB_array, lddb, beta, dC_array, lddc,
                batchCount, largest[0], largest[1], largest[2], queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemm_vbatched)(magma_trans_t transA, magma_trans_t transB, magma_int_t* m,
                                         magma_int_t* n, magma_int_t* k, M alpha, M const* const* dA_array,
                                         magma_int_t* ldda, M const* const* dB_array, magma_int_t* lddb,
                                         M beta, M** dC_array, magma_int_t* lddc, magma_int_t batchCount,
                                         magma_queue_t queue) {
  call c(__func__);
  require(c, transA, transB, batchCount);
  const auto largest =
      look(c, sizes_of_gemm(transA, transB, m, n, k, ldda, lddb, lddc), look_for::both, batchCount, queue)
          .largest;
  c.run([&] {
    return gemm(transA, transB, m, n, k, alpha, dA_array, ldda, dB_array, lddb, beta, dC_array, lddc,
                batchCount, largest[0], largest[1], largest[2], queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemv_vbatched_max_nocheck)(magma_trans_t trans, magma_int_t* m, magma_int_t* n,
                                                     M alpha, M** dA_array, magma_int_t* ldda, M** dx_array,
                                                     magma_int_t* incx, M beta, M** dy_array,
                                                     magma_int_t* incy, magma_int_t batchCount,
                                                     magma_int_t max_m, magma_int_t max_n,
                                                     magma_queue_t queue) {
  call c(__func__);
  require(c, trans, batchCount, max_m, max_n).run([&] {
    return gemv(trans, m, n, alpha, dA_array, ldda, dx_array, incx, beta, dy_array, incy, batchCount, max_m,
                max_n, queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemv_vbatched_max)(magma_trans_t trans, magma_int_t* m, magma_int_t* n, M alpha,
                                             M** dA_array, magma_int_t* ldda, M** dx_array, magma_int_t* incx,
                                             M beta, M** dy_array, magma_int_t* incy, magma_int_t batchCount,
                                             magma_int_t max_m, magma_int_t max_n, magma_queue_t queue) {
  call c(__func__);
  require(c, trans, batchCount, max_m, max_n);
  look(c, sizes_of_gemv(m, n, ldda, incx, incy), look_for::errors, batchCount, queue);
  c.run([&] {
    return gemv(trans, m, n, alpha, dA_array, ldda, dx_array, incx, beta, dy_array, incy, batchCount, max_m,
                max_n, queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemv_vbatched_nocheck)(magma_trans_t trans, magma_int_t* m, magma_int_t* n, M alpha,
                                                 M** dA_array, magma_int_t* ldda, M** dx_array,
                                                 magma_int_t* incx, M beta, M** dy_array, magma_int_t* incy,
                                                 magma_int_t batchCount, magma_queue_t queue) {
  call c(__func__);
  require(c, trans, batchCount, 0, 0);
  const auto largest =
      look(c, extents_of(sizes_of_gemv(m, n, ldda, incx, incy)), look_for::largest, batchCount, queue)
          .largest;
  c.run([&] {
    return gemv(trans, m, n, alpha, dA_array, ldda, dx_array, incx, beta, dy_array, incy, batchCount,
                largest[0], largest[1], queue);
  });
}

void TALUS_MAGMABLAS_NAME(gemv_vbatched)(magma_trans_t trans, magma_int_t* m, magma_int_t* n, M alpha,
                                         M** dA_array, magma_int_t* ldda, M** dx_array, magma_int_t* incx,
                                         M beta, M** dy_array, magma_int_t* incy, magma_int_t batchCount,
                                         magma_queue_t queue) {
  call c(__func__);
  require(c, trans, batchCount, 0, 0);
  const auto largest =
      look(c, sizes_of_gemv(m, n, ldda, incx, incy), look_for::both, batchCount, queue).largest;
  c.run([&] {
    return gemv(trans, m, n, alpha, dA_array, ldda, dx_array, incx, beta, dy_array, incy, batchCount,
                largest[0], largest[1], queue);
  });
}

}  // extern "C"
