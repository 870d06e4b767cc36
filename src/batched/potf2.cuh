// Unblocked Cholesky of a panel that is held in registers, one row per thread: LAPACK's potf2 on the diagonal
// block and the trsm below it in one sweep. Every fused Cholesky kernel ends its step with it.
#pragma once

#include "scalar.cuh"

namespace talus::cuda {

/// In   row    IB elements of row r of the panel (r = 0 is the row of its diagonal's first element)
///      r      this thread's row; threads with r < 0 or r >= IB only follow
///      jb     columns the panel has, <= IB
///      first  number of columns left of the panel, for info
///      info   0, or the failure of an earlier panel: then nothing happens
/// Out  row    row r of the factor; info: 0 or 1 + the first column whose pivot is not > 0, from which on the
/// columns
///             keep what the steps before it left, the pivot included
///
/// published  2 * IB elements of shared memory per matrix. Column c of the diagonal block is all that one
/// thread needs
///            of another, so that is all that is shared; two buffers make one barrier per column enough.
/// sync       barrier over the threads of the matrix (all of them call this function)
template <class T, int IB, class Sync>
__device__ void potf2(T (&row)[IB], int r, int jb, int first, int& info, T* published, Sync sync) {
  using R = real_t<T>;
#pragma unroll
  for (int c = 0; c < IB; ++c) {
    if (c >= jb) break;
    T* column = published + (c % 2) * IB;
    if (r >= c && r < IB) column[r] = row[c];
    sync();
    const R pivot = real(column[c]);
    if (r == c) row[c] = from_real<T>(pivot);
    if (info != 0) continue;
    if (!(pivot > 0)) {  // a NaN fails too
      info = first + c + 1;
      continue;
    }
    const R root = sqrt(pivot), inverse = 1 / root;  // correctly rounded: exact input gives the exact factor
    row[c] = r == c ? from_real<T>(root) : row[c] * inverse;
#pragma unroll
    for (int k = c + 1; k < IB; ++k) multiply_add(row[k], -row[c], conj(column[k] * inverse));
  }
}

}  // namespace talus::cuda
