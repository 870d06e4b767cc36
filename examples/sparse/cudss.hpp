// What cuDSS, NVIDIA's sparse direct solver, takes for the same systems on the same GPU.
#pragma once

#include "peers.hpp"
#include "talus/types.hpp"

namespace sparse {

/// Throws example::unavailable, with how to get it, where the library does not load. The program is built without
/// it: the loader searches for libcudss.so.1 when the program runs. Throws std::invalid_argument unless the queue is
/// a CUDA stream.
void require_cudss(talus::queue q);

/// Factors and solves all systems as one batch with cuDSS's defaults: Cholesky for a symmetric problem, LU for
/// others. The times are of the stream and the best of `runs`; a factorization has other values each time but the
/// pattern that was analysed. Throws example::unavailable where memory does not suffice, std::runtime_error where the
/// library reports failure.
peer_times run_cudss(const problem& all, int systems, int nrhs, int runs, talus::queue q);

}  // namespace sparse
