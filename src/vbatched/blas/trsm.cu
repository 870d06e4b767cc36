// Solve with triangles of mixed sizes on the GPU. The kernels are those of potrs and getrs, too.
#include "batched/blas/backends.hpp"
#include "batched/blas/trsm.cuh"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda {

using systems = blas::mixed_systems<device_t<TALUS_T>>;
using plan = blas::solve_plan<device_t<TALUS_T>>;

TALUS_DEFINE_LAUNCHERS(trsm_vbatched_tables, systems, int*, queue, plan)

#if TALUS_SHARD == 0
template <>
int trsm(triangular_system<TALUS_T> of, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info,
         int m_max, int n_max, queue q) {
  const bool left = of.side == side::left;
  const blas::systems_check<TALUS_T, blas::infos_of_trsm> check = {
      A, B, {of.side}, !left, left ? upto(m_max, n_max) : upto(n_max, m_max)};
  return blas::solve_classes(check, info, q, [=](const blas::infos_of_trsm&) {
    return blas::plan_of_trsm(of.side, of.uplo, of.op, of.diag, of.alpha);
  });
}

template <>
int trsm_vbatched_by(const class_lines& by, triangular_system<TALUS_T> of, variable_batch<const TALUS_T> A,
                     variable_batch<TALUS_T> B, int* info, int n_max, int nrhs_max, queue q) {
  const blas::systems_check<TALUS_T, blas::infos_of_trsm> check = {
      A, B, {of.side}, false, upto(n_max, nrhs_max)};
  return blas::solve_classes(
      check, info, q,
      [=](const blas::infos_of_trsm&) {
        return blas::plan_of_trsm(of.side, of.uplo, of.op, of.diag, of.alpha);
      },
      [&](const trsm_vbatched_tables::box&) { return by; });
}

#endif

}  // namespace talus::cuda
