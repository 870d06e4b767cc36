// Times CHOLMOD and UMFPACK of SuiteSparse, on the CPU, with the same systems. cudss.hpp times cuDSS.
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

/// Factors and solves one system after the other: a symmetric problem with CHOLMOD's supernodal L L^T, any
/// other problem with UMFPACK's defaults. The program tries 1, 2, 4, ... and `threads` BLAS threads,
/// separately for factorizations and for solves, and reports the fastest number. Each system runs `runs`
/// times, and its fastest time counts. If this would take more than a few seconds per number of threads, only
/// the first systems try all numbers, and then all systems run with the fastest number. right_hand_side.hpp
/// makes the right-hand sides. Throws example::unavailable if SuiteSparse was not built in or the memory does
/// not suffice, and std::runtime_error if the library reports a failure.
///
/// CHOLMOD's own loops run with one thread if BLAS has one, otherwise with CHOLMOD's number of threads: 4 in
/// Debian.
peer_times run_suitesparse(const problem& all, int systems, int nrhs, int threads, int runs);

}  // namespace sparse
