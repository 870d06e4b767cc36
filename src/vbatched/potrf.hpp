// What posv needs of potrf.
#pragma once

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// potrf of the matrices A_b of systems; of those that posv finds illegal nothing is touched.
template <class T>
int potrf_of_systems(uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
                     queue q);

}  // namespace talus::cuda
