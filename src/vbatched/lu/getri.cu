// Inverses from the factors of LU factorizations of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"
#include "checks/lu.hpp"
#include "vbatched/blas/inverse.cuh"

namespace talus::cuda {
namespace {

struct infos_of_getri {
  vectors<const int> ipiv;
  bool in_place;

  TALUS_HOST_DEVICE int operator()(std::int64_t b, const matrix<const TALUS_T>& A, const matrix<TALUS_T>& C,
                                   const extents<2>& bounds) const {
    return in_place ? talus::lu::check_factors(A, ipiv[b], bounds[0])
                    : talus::lu::check_factors(A, ipiv[b], C, bounds[0]);
  }
  infos_of_getri part(std::int64_t first) const { return {part_of(ipiv, first), in_place}; }
};

int invert(variable_batch<const TALUS_T> A, const infos_of_getri& infos, variable_batch<TALUS_T> C, int* info,
           int n_max, queue q) {
  const blas::systems_check<TALUS_T, infos_of_getri> check = {A, C, infos, false, upto(n_max, n_max)};
  return blas::invert_classes<false>(check, info, q, [=](const infos_of_getri& part) {
    return blas::inverse_of(blas::plan_of_getrs<TALUS_T>(op::none, part.ipiv), blas::written::all);
  });
}

}  // namespace

template <>
int getri(variable_batch<TALUS_T> A, vectors<const int> ipiv, int* info, int n_max, queue q) {
  return invert(read_only(A), {ipiv, true}, A, info, n_max, q);
}

template <>
int getri_outofplace(variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> C,
                     int* info, int n_max, queue q) {
  return invert(A, {ipiv, false}, C, info, n_max, q);
}

}  // namespace talus::cuda
