// Inverses from Cholesky factors or L and U: which kernel makes them. All of the matrix is in shared memory
// if it has room there, else a panel of it.
#pragma once

#include "batched/blas/pieces/inverse_panels.cuh"
#include "batched/blas/pieces/inverse_tiles.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/thin_inverse.cuh"
#include "batched/blas/solve_plan.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// Parameters of the launches, those for small matrices first, as measured on an H200.
template <class... Policies>
struct policy_list {};
template <class T, bool CHOLESKY>
struct inverse_policies;
template <bool CHOLESKY>
struct inverse_policies<float, CHOLESKY> {
  /// Up to this order A X = I is solved with a line of trsm's table that inverts.
  static constexpr int solved_up_to = CHOLESKY ? 24 : 32;
  using tiles = policy_list<tiles_policy<4, 8>, tiles_policy<8, 4>, tiles_policy<12, 2>, tiles_policy<16, 1>>;
  using panels =
      policy_list<panels_policy<2, 8, 2, 2>, panels_policy<2, 16, 1, 1>, panels_policy<1, 8, 1, 1, false>>;
};
template <bool CHOLESKY>
struct inverse_policies<double, CHOLESKY> {
  static constexpr int solved_up_to = CHOLESKY ? 16 : 24;
  using tiles = policy_list<tiles_policy<4, CHOLESKY ? 6 : 5>, tiles_policy<6, 3>, tiles_policy<8, 2>,
                            tiles_policy<16, 1>>;
  using panels =
      policy_list<panels_policy<2, 8, 2, 1>, panels_policy<2, 16, 1, 1>, panels_policy<1, 8, 1, 1, false>>;
};
template <bool CHOLESKY>
struct inverse_policies<complex<float>, CHOLESKY> {
  static constexpr int solved_up_to = CHOLESKY ? 16 : 24;
  using tiles = policy_list<tiles_policy<6, 3>, tiles_policy<8, 2>, tiles_policy<16, 1>>;
  using panels =
      policy_list<panels_policy<2, 4, 3, 1>, panels_policy<2, 16, 1, 1>, panels_policy<1, 8, 1, 1, false>>;
};
template <bool CHOLESKY>
struct inverse_policies<complex<double>, CHOLESKY> {
  static constexpr int solved_up_to = CHOLESKY ? 16 : 24;
  using tiles = policy_list<tiles_policy<8, 1>>;
  using panels = policy_list<panels_policy<1, 4, 2, CHOLESKY ? 1 : 2>, panels_policy<1, 8, 1, 1, CHOLESKY>>;
};

/// Of shared memory, what a block may ask for: 1 KB is left for its variables.
inline int shared_memory_for_inverse(std::size_t& bytes) {
  const int status = shared_memory_limit(bytes);
  if (status == 0) bytes -= 1024;
  return status;
}

/// err_unsupported, if no kernel inverts matrices of order n.
template <class T>
int check_inverse(int n) {
  std::size_t limit = 0;
  if (const int status = shared_memory_for_inverse(limit)) return status;
  return thin_bytes<T, 1>(n) <= limit ? 0 : err_unsupported;
}

/// launch(policy) with the first policy that fits(policy); err_unsupported if none does.
template <class Fits, class Launch, class... Policies>
int launch_first(policy_list<Policies...>, Fits fits, Launch launch) {
  int status = err_unsupported;
  static_cast<void>(((fits(Policies{}) && (status = launch(Policies{}), true)) || ...));
  return status;
}

/// Launches the kernels of thin_inverse.cuh for all matrices of `systems`, whose order is up to n.
/// err_unsupported if no panel fits. batched/blas/inverse.cu defines it, once for potri and getri.
template <class T>
int launch_thin_inverse(const either_systems<T>& systems, int n, int* info, queue q,
                        const solve_plan<T>& plan);

/// Launches kernels that invert all matrices of `systems`, whose order is up to n. One block processes each
/// matrix. CHOLESKY: plan.has_cholesky_factor().
///
/// Kernels for equal_systems have fewer values in registers across the work. Matrices of which a
/// multiprocessor has room for one at a time do not need them.
template <bool CHOLESKY, class T, class Systems>
int launch_inverse(const Systems& systems, int n, int* info, queue q, const solve_plan<T>& plan) {
  using policies = inverse_policies<T, CHOLESKY>;
  std::size_t limit = 0;
  if (const int status = shared_memory_for_inverse(limit)) return status;

  const int rows_of_tiles = ceil_div(n, square_order);
  const int in_tiles = launch_first(
      typename policies::tiles{},
      [&](auto policy) {
        return rows_of_tiles <= policy.WARPS && inverse_tiles<T, CHOLESKY>::bytes(n) <= limit;
      },
      [&](auto policy) {
        return launch_whole_systems<invert_tiles<T, policy.MOST_WARPS, CHOLESKY, Systems>>(
            systems, dim3(static_cast<unsigned>(32 * rows_of_tiles)), inverse_tiles<T, CHOLESKY>::bytes(n), q,
            info, plan);
      });
  if (in_tiles != err_unsupported) return in_tiles;

  const either_systems<T> either = as_either(systems, plan).first;
  const int in_panels = launch_first(
      typename policies::panels{},
      [&](auto policy) {
        return inverse_panel<T, typename decltype(policy)::kernel>::bytes(n) <= limit / policy.BLOCKS;
      },
      [&](auto policy) {
        using kernel = typename decltype(policy)::kernel;
        const auto launch_over = [&](const auto& all) {
          using source = std::decay_t<decltype(all)>;
          return launch_whole_systems<invert_by_panels<T, kernel, CHOLESKY, source>>(
              all, dim3(policy.THREADS), inverse_panel<T, kernel>::bytes(n), q, info, plan);
        };
        if constexpr (policy.HAS_EQUAL) {
          return launch_over(systems);
        } else {
          return launch_over(either);
        }
      });
  return in_panels != err_unsupported ? in_panels : launch_thin_inverse(either, n, info, q, plan);
}

}  // namespace talus::cuda::blas
