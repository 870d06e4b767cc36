// Operation counts of real factorizations, as LAPACK counts them.
#pragma once

namespace example {

/// Returns the flops of potrf for one matrix of order n.
inline double potrf_flops(double n) { return n * n * n / 3 + n * n / 2 + n / 6; }

}  // namespace example
