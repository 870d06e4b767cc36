// What others take for the same systems on the CPU: CHOLMOD and UMFPACK of SuiteSparse.
#pragma once

#include <string>

#include "problem.hpp"

namespace sparse {

/// Seconds for all systems, one after the other, with one symbolic analysis: each phase with the number of
/// BLAS threads that makes it the fastest.
struct peer_times {
  std::string name;     ///< "CHOLMOD 3.0.14, ordered by METIS, OpenBLAS for SkylakeX"
  double analysis = 0;  ///< once
  double factor = 0;    ///< numeric, all systems
  int factor_threads = 0;
  double solve = 0;  ///< all systems, nrhs right-hand sides each
  int solve_threads = 0;
  double error = 0;         ///< the worst backward_error of any solution, without refinement
  double factor_bytes = 0;  ///< of one system's factors, indices included
};

/// Throws example::unavailable, with how to get it, where this program was built without SuiteSparse.
void require_peer();

/// CHOLMOD's supernodal L L^T for a symmetric problem, UMFPACK with its defaults for others, with 1, 2, 4,
/// ... and all `threads` BLAS threads; of each system the best of `runs`. Where that would take more than
/// a few seconds per number of threads, the first systems alone try them all, then all run with the best.
/// Right-hand sides are those of right_hand_side.hpp. Throws example::unavailable where it was not built in
/// or memory does not suffice, std::runtime_error where the library reports failure.
///
/// CHOLMOD's own loops have one thread with one BLAS thread, else as many as it was built for: 4 in Debian.
peer_times run_peer(const problem& all, int systems, int nrhs, int threads, int runs);

}  // namespace sparse
