// What other solvers take for the same systems: CHOLMOD and UMFPACK of SuiteSparse on the CPU. cudss.hpp has cuDSS.
#pragma once

#include <string>

#include "problem.hpp"

namespace sparse {

/// Seconds for all systems, with one symbolic analysis.
struct peer_times {
  std::string name;        ///< "CHOLMOD 3.0.14, ordered by METIS, OpenBLAS for SkylakeX"
  double analysis = 0;     ///< once
  double factor = 0;       ///< numeric, all systems
  int factor_threads = 0;  ///< of BLAS; 0: on a GPU
  double solve = 0;        ///< all systems, nrhs right-hand sides each
  int solve_threads = 0;
  double error = 0;    ///< the worst backward_error of any solution, without refinement
  std::string memory;  ///< "factors of a system 20.00 MiB"
};

/// Throws example::unavailable, with how to get it, where this program was built without SuiteSparse.
void require_suitesparse();

/// Factors and solves one system after the other: a symmetric problem with CHOLMOD's supernodal L L^T, another with
/// UMFPACK and its defaults. The factorizations run with 1, 2, 4, ... and `threads` BLAS threads, and so do the solves;
/// the fastest number of threads counts, and the best of `runs` of each system. If this takes more than a few seconds
/// per number of threads, the first systems try the numbers of threads, and all systems run with the fastest number.
/// The right-hand sides come from right_hand_side.hpp. Throws example::unavailable if SuiteSparse was not built in or
/// the memory does not suffice, and std::runtime_error if the library reports a failure.
///
/// With one BLAS thread CHOLMOD's own loops have one thread, too; otherwise their number is CHOLMOD's: 4 in Debian.
peer_times run_suitesparse(const problem& all, int systems, int nrhs, int threads, int runs);

}  // namespace sparse
