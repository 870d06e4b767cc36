// Unblocked Cholesky of a panel that is held in registers, whole rows per thread: LAPACK's potf2 on the
// diagonal block and the trsm below it in one sweep. Each step of the panel kernels ends with it.
#pragma once

#include "gpu/scalar.cuh"

namespace talus::cuda::figures {

/// In   rows   ROWS rows of the panel, IB elements each; those below FIRST are done, they only take registers
///      r, step  rows[u] is row r + u * step of the panel (row 0 holds the diagonal's first element); rows
///             above it or beyond the matrix only follow
///      jb     columns the panel has, <= IB
///      first  number of columns left of the panel, for info
///      info   0, or the failure of an earlier panel: then nothing happens
/// Out  rows   the same of the factor; info: 0 or 1 + the first column whose pivot is not > 0, from which on
///             the columns keep what the steps before it left, the pivot included
///
/// published  2 * IB elements of shared memory per matrix. Column c of the diagonal block is all that one
///            thread needs of another, so that is all that is shared; two buffers make one barrier per column
///            enough.
/// sync       barrier over the threads of the matrix (all of them call this function)
template <int FIRST, class T, int ROWS, int IB, class Sync>
__device__ void potf2(T (&rows)[ROWS][IB], int r, int step, int jb, int first, int& info, T* published,
                      Sync sync) {
  using R = real_t<T>;
#pragma unroll
  for (int c = 0; c < IB; ++c) {
    if (c >= jb) break;
    T* column = published + (c % 2) * IB;
#pragma unroll
    for (int u = FIRST; u < ROWS; ++u) {
      const int row = r + u * step;
      if (row >= c && row < IB) column[row] = rows[u][c];
    }
    sync();
    const R pivot = real(column[c]);
#pragma unroll
    for (int u = FIRST; u < ROWS; ++u) {
      if (r + u * step == c) rows[u][c] = from_real<T>(pivot);
    }
    if (info != 0) continue;
    if (!(pivot > 0)) {  // a NaN fails too
      info = first + c + 1;
      continue;
    }
    const R root = sqrt(pivot), inverse = 1 / root;  // correctly rounded: exact input gives the exact factor
#pragma unroll
    for (int u = FIRST; u < ROWS; ++u)
      rows[u][c] = r + u * step == c ? from_real<T>(root) : rows[u][c] * inverse;
#pragma unroll
    for (int k = c + 1; k < IB; ++k) {
      const T factor = conj(column[k] * inverse);
#pragma unroll
      for (int u = FIRST; u < ROWS; ++u) multiply_add(rows[u][k], -rows[u][c], factor);
    }
  }
}

}  // namespace talus::cuda::figures
