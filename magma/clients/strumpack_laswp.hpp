// The row exchanges, which the solver does by a kernel of its own.
#pragma once

#include <cuda_runtime.h>

namespace client {

/// Exchanges rows i and pivots[i], which count from 1, of rows[b]-by-columns[b] matrices, for all rows in
/// their order. M is MAGMA's type of the elements.
template <class M>
void exchange_rows(int count, int max_columns, const int* rows, const int* columns, M* const* A_array,
                   const int* lda, const int* const* pivots_array, cudaStream_t stream);

}  // namespace client
