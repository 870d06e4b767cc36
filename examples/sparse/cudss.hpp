// Times cuDSS, NVIDIA's sparse direct solver, with the same systems on the same GPU.
#pragma once

#include "peers.hpp"
#include "talus/types.hpp"

namespace sparse {

/// Throws example::unavailable if libcudss.so.1 does not load or this program was built without CUDA; the
/// message says how to get the library. Throws std::invalid_argument if the queue is not a CUDA stream.
void require_cudss(talus::queue q);

/// Factors and solves all systems as one batch with cuDSS's defaults: Cholesky for a symmetric problem, LU
/// for another problem. CUDA events time `runs` factorizations and solves, and the fastest counts. The
/// pattern is analysed once, and each factorization has new values. Throws example::unavailable if the memory
/// does not suffice, and std::runtime_error if cuDSS reports a failure.
peer_times run_cudss(const problem& all, int systems, int nrhs, int runs, talus::queue q);

}  // namespace sparse
