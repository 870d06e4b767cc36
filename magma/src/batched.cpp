// Batches of one size, and what comes with them.
#include <algorithm>

#include "precision.hpp"
#include "sizes.hpp"
#include "talus/vbatched.hpp"

using namespace talus::magma;

namespace {

/// Rows of a matrix that a product takes transposed or not.
int rows_of(magma_trans_t trans, int rows, int columns) { return trans == MagmaNoTrans ? rows : columns; }

/// Places of a piece of scratch that holds `arrays` pointers per matrix, then ints.
std::size_t pointer_bytes(int arrays, magma_int_t batch_count) {
  return sizeof(void*) * static_cast<std::size_t>(arrays) * static_cast<std::size_t>(batch_count);
}
std::size_t size_bytes(int arrays, magma_int_t batch_count) {
  return sizeof(int) * static_cast<std::size_t>(arrays) * static_cast<std::size_t>(batch_count);
}

}  // namespace

namespace talus::magma {

int gemv_of_equal_sizes(talus::op op, int m, int n, T alpha, const T* const* A_array, int lda,
                        const T* const* x_array, int incx, T beta, T* const* y_array, int incy,
                        magma_int_t batch_count, magma_queue_t queue) {
  const cudaStream_t stream = stream_of(queue);
  const scratch memory(stream, size_bytes(5, batch_count));
  if (memory.status != 0) return memory.status;
  int* const sizes = memory.as<int>();
  if (const int status = set_sizes(sizes, {m, n, lda, incx, incy}, 5, batch_count, stream)) return status;
  const auto array = [&](int i) { return sizes + std::int64_t{i} * batch_count; };
  return talus::gemv_vbatched(op, array(0), array(1), alpha, A_array, array(2), x_array, array(3), beta,
                              y_array, array(4), nullptr, batch_count, m, n, on(queue));
}

}  // namespace talus::magma

extern "C" {

// ---- Cholesky ---------------------------------------------------------------------------------------------

magma_int_t TALUS_MAGMA_NAME(potrf_batched)(magma_uplo_t uplo, magma_int_t n, M** dA_array, magma_int_t ldda,
                                            magma_int_t* info_array, magma_int_t batchCount,
                                            magma_queue_t queue) {
  return call(__func__)
      .require(1, uplo == MagmaUpper || uplo == MagmaLower)
      .require(2, n >= 0)
      .require(4, ldda >= std::max(1, n))
      .require(6, batchCount >= 0)
      .run([&] {
        return talus::potrf_batched(to_uplo(uplo), n, to_talus(dA_array), ldda, info_array, batchCount,
                                    on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(potrf_expert_batched)(magma_uplo_t uplo, magma_int_t n, magma_int_t, magma_int_t,
                                                   M** dA_array, magma_int_t ldda, magma_int_t* info_array,
                                                   magma_int_t batchCount, magma_queue_t queue) {
  return TALUS_MAGMA_NAME(potrf_batched)(uplo, n, dA_array, ldda, info_array, batchCount, queue);
}

magma_int_t TALUS_MAGMA_NAME(potrs_batched)(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs, M** dA_array,
                                            magma_int_t ldda, M** dB_array, magma_int_t lddb,
                                            magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__)
      .require(1, uplo == MagmaUpper || uplo == MagmaLower)
      .require(2, n >= 0)
      .require(3, nrhs >= 0)
      .require(5, ldda >= std::max(1, n))
      .require(7, lddb >= std::max(1, n))
      .require(8, batchCount >= 0)
      .run([&] {
        const scratch info(stream_of(queue), size_bytes(1, batchCount));  // MAGMA has none
        if (info.status != 0) return info.status;
        return talus::potrs_batched(to_uplo(uplo), n, nrhs, to_talus(dA_array), ldda, to_talus(dB_array),
                                    lddb, info.as<int>(), batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(posv_batched)(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs, M** dA_array,
                                           magma_int_t ldda, M** dB_array, magma_int_t lddb,
                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                           magma_queue_t queue) {
  return call(__func__)
      .require(1, uplo == MagmaUpper || uplo == MagmaLower)
      .require(2, n >= 0)
      .require(3, nrhs >= 0)
      .require(5, ldda >= std::max(1, n))
      .require(7, lddb >= std::max(1, n))
      .require(9, batchCount >= 0)
      .run([&] {
        return talus::posv_batched(to_uplo(uplo), n, nrhs, to_talus(dA_array), ldda, to_talus(dB_array), lddb,
                                   dinfo_array, batchCount, on(queue));
      });
}

// ---- LU ---------------------------------------------------------------------------------------------------

magma_int_t TALUS_MAGMA_NAME(getrf_batched)(magma_int_t m, magma_int_t n, M** dA_array, magma_int_t ldda,
                                            magma_int_t** ipiv_array, magma_int_t* info_array,
                                            magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__)
      .require(1, m >= 0)
      .require(2, n >= 0)
      .require(4, ldda >= std::max(1, m))
      .require(7, batchCount >= 0)
      .run([&] {
        return talus::getrf_batched(m, n, to_talus(dA_array), ldda, ipiv_array, info_array, batchCount,
                                    on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_batched)(magma_int_t m, magma_int_t n, M** dA_array,
                                                  magma_int_t ldda, magma_int_t* info_array,
                                                  magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__)
      .require(1, m >= 0)
      .require(2, n >= 0)
      .require(4, ldda >= std::max(1, m))
      .require(6, batchCount >= 0)
      .run([&] {
        return talus::getrf_nopiv_batched(m, n, to_talus(dA_array), ldda, R(0), nullptr, nullptr, info_array,
                                          batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(getrs_batched)(magma_trans_t trans, magma_int_t n, magma_int_t nrhs,
                                            M** dA_array, magma_int_t ldda, magma_int_t** dipiv_array,
                                            M** dB_array, magma_int_t lddb, magma_int_t batchCount,
                                            magma_queue_t queue) {
  return call(__func__)
      .require(1, to_op(trans) != talus::op{})
      .require(2, n >= 0)
      .require(3, nrhs >= 0)
      .require(5, ldda >= std::max(1, n))
      .require(8, lddb >= std::max(1, n))
      .require(9, batchCount >= 0)
      .run([&] {
        return talus::getrs_batched(to_op(trans), n, nrhs, to_talus(dA_array), ldda, dipiv_array,
                                    to_talus(dB_array), lddb, nullptr, batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(getrs_nopiv_batched)(magma_trans_t trans, magma_int_t n, magma_int_t nrhs,
                                                  M** dA_array, magma_int_t ldda, M** dB_array,
                                                  magma_int_t lddb, magma_int_t* info_array,
                                                  magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__)
      .require(1, to_op(trans) != talus::op{})
      .require(2, n >= 0)
      .require(3, nrhs >= 0)
      .require(5, ldda >= std::max(1, n))
      .require(8, lddb >= std::max(1, n))  // MAGMA's number for argument 7
      .require(9, batchCount >= 0)
      .run([&] {
        return talus::getrs_nopiv_batched(to_op(trans), n, nrhs, to_talus(dA_array), ldda, to_talus(dB_array),
                                          lddb, info_array, batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(gesv_batched)(magma_int_t n, magma_int_t nrhs, M** dA_array, magma_int_t ldda,
                                           magma_int_t** dipiv_array, M** dB_array, magma_int_t lddb,
                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                           magma_queue_t queue) {
  return call(__func__)
      .require(1, n >= 0)
      .require(2, nrhs >= 0)
      .require(4, ldda >= std::max(1, n))
      .require(6, lddb >= std::max(1, n))  // MAGMA's number for argument 7
      .require(9, batchCount >= 0)
      .run([&] {
        return talus::gesv_batched(n, nrhs, to_talus(dA_array), ldda, dipiv_array, to_talus(dB_array), lddb,
                                   dinfo_array, batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(getri_outofplace_batched)(magma_int_t n, M** dA_array, magma_int_t ldda,
                                                       magma_int_t** dipiv_array, M** dinvA_array,
                                                       magma_int_t lddia, magma_int_t* info_array,
                                                       magma_int_t batchCount, magma_queue_t queue) {
  return call(__func__)
      .require(1, n >= 0)
      .require(3, ldda >= std::max(1, n))
      .require(6, lddia >= std::max(1, n))
      .require(8, batchCount >= 0)
      .run([&] {
        return talus::getri_outofplace_batched(n, to_talus(dA_array), ldda, dipiv_array,
                                               to_talus(dinvA_array), lddia, info_array, batchCount,
                                               on(queue));
      });
}

// ---- QR ---------------------------------------------------------------------------------------------------

magma_int_t TALUS_MAGMA_NAME(geqrf_batched)(magma_int_t m, magma_int_t n, M** dA_array, magma_int_t ldda,
                                            M** dtau_array, magma_int_t* info_array, magma_int_t batchCount,
                                            magma_queue_t queue) {
  return call(__func__)
      .require(1, m >= 0)
      .require(2, n >= 0)
      .require(4, ldda >= std::max(1, m))
      .require(7, batchCount >= 0)
      .run([&] {
        return talus::geqrf_batched(m, n, to_talus(dA_array), ldda, to_talus(dtau_array), info_array,
                                    batchCount, on(queue));
      });
}

magma_int_t TALUS_MAGMA_NAME(geqrf_batched_work)(magma_int_t m, magma_int_t n, M** dA_array, magma_int_t ldda,
                                                 M** dtau_array, magma_int_t* info_array, void* device_work,
                                                 magma_int_t* device_lwork, magma_int_t batchCount,
                                                 magma_queue_t queue) {
  const work_space work(device_work, device_lwork,
                        talus::geqrf_work<T>(std::max(m, 0), std::max(n, 0), std::max(batchCount, 0)));
  if (work.is_query) return 0;
  return call(__func__)
      .require(1, m >= 0)
      .require(2, n >= 0)
      .require(4, ldda >= std::max(1, m))
      .require(8, work.is_enough)
      .require(9, batchCount >= 0)
      .run([&] {
        return talus::geqrf_batched(m, n, to_talus(dA_array), ldda, to_talus(dtau_array), info_array,
                                    batchCount, on(queue, work.memory, work.bytes));
      });
}

magma_int_t TALUS_MAGMA_NAME(geqrf_expert_batched)(magma_int_t m, magma_int_t n, magma_int_t, M** dA_array,
                                                   magma_int_t ldda, M**, magma_int_t, M**, magma_int_t,
                                                   M** dtau_array, magma_int_t provide_RT, M**,
                                                   magma_int_t* info_array, magma_int_t batchCount,
                                                   magma_queue_t queue) {
  if (provide_RT != 0) return call(__func__).found(MAGMA_ERR_NOT_IMPLEMENTED).run([] { return 0; });
  return TALUS_MAGMA_NAME(geqrf_batched)(m, n, dA_array, ldda, dtau_array, info_array, batchCount, queue);
}

// ---- products of equal sizes ------------------------------------------------------------------------------

void TALUS_MAGMABLAS_NAME(gemm_batched_strided)(magma_trans_t transA, magma_trans_t transB, magma_int_t m,
                                                magma_int_t n, magma_int_t k, M alpha, M const* dA,
                                                magma_int_t ldda, magma_int_t strideA, M const* dB,
                                                magma_int_t lddb, magma_int_t strideB, M beta, M* dC,
                                                magma_int_t lddc, magma_int_t strideC, magma_int_t batchCount,
                                                magma_queue_t queue) {
  call(__func__)
      .require(1, to_op(transA) != talus::op{})
      .require(2, to_op(transB) != talus::op{})
      .require(3, m >= 0)
      .require(4, n >= 0)
      .require(5, k >= 0)
      .require(8, ldda >= std::max(1, rows_of(transA, m, k)))
      .require(11, lddb >= std::max(1, rows_of(transB, k, n)))
      .require(15, lddc >= std::max(1, m))
      .require(17, batchCount >= 0)
      .run([&] {
        const cudaStream_t stream = stream_of(queue);
        const scratch memory(stream, pointer_bytes(3, batchCount) + size_bytes(6, batchCount));
        if (memory.status != 0) return memory.status;
        T** const pointers = memory.as<T*>();
        int* const sizes = memory.as<int>(pointer_bytes(3, batchCount));
        const auto pointers_to = [&](int i) { return pointers + std::int64_t{i} * batchCount; };
        const auto array = [&](int i) { return sizes + std::int64_t{i} * batchCount; };
        const auto place = [&](int i, const M* slab, magma_int_t stride) {
          return set_pointers(reinterpret_cast<void**>(pointers_to(i)), slab,
                              std::int64_t{stride} * static_cast<std::int64_t>(sizeof(M)), 0, batchCount,
                              stream);
        };
        if (const int status = place(0, dA, strideA)) return status;
        if (const int status = place(1, dB, strideB)) return status;
        if (const int status = place(2, dC, strideC)) return status;
        if (const int status = set_sizes(sizes, {m, n, k, ldda, lddb, lddc}, 6, batchCount, stream))
          return status;
        return talus::gemm_vbatched<T>(to_op(transA), to_op(transB), array(0), array(1), array(2),
                                       number(alpha), pointers_to(0), array(3), pointers_to(1), array(4),
                                       number(beta), pointers_to(2), array(5), nullptr, batchCount, m, n, k,
                                       on(queue));
      });
}

void TALUS_MAGMABLAS_NAME(gemv_batched)(magma_trans_t trans, magma_int_t m, magma_int_t n, M alpha,
                                        M const* const* dA_array, magma_int_t ldda, M const* const* dx_array,
                                        magma_int_t incx, M beta, M** dy_array, magma_int_t incy,
                                        magma_int_t batchCount, magma_queue_t queue) {
  call(__func__)
      .require(1, to_op(trans) != talus::op{})
      .require(2, m >= 0)
      .require(3, n >= 0)
      .require(6, ldda >= std::max(1, m))
      .require(8, incx != 0)
      .require(11, incy != 0)
      .require(12, batchCount >= 0)
      .run([&] {
        return gemv_of_equal_sizes(to_op(trans), m, n, number(alpha), to_talus(dA_array), ldda,
                                   to_talus(dx_array), incx, number(beta), to_talus(dy_array), incy,
                                   batchCount, queue);
      });
}

void TALUS_MAGMA_NAME(set_pointer)(M** output_array, M* input, magma_int_t lda, magma_int_t row,
                                   magma_int_t column, magma_int_t batch_offset, magma_int_t batchCount,
                                   magma_queue_t queue) {
  constexpr std::int64_t size = sizeof(M);
  call(__func__).run([&] {
    return set_pointers(reinterpret_cast<void**>(output_array), input, size * batch_offset,
                        size * (row + std::int64_t{column} * lda), batchCount, stream_of(queue));
  });
}

}  // extern "C"
