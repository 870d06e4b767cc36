#include "host/cholesky/routine.hpp"

namespace talus::host {
namespace {

template <class T>
struct potrf_routine : cholesky_routine<T> {
  lanes_range range() const { return potrf_range(this->kernels); }
  void in_lanes(const group<T>& A, int* infos, void* scratch) const {
    this->kernels.potrf(this->uplo, A.n, A.of, A.lda, infos, scratch);
  }
  std::size_t alone_bytes(const matrix<T>&) const { return factor_bytes(this->kernels); }
  int alone(const matrix<T>& A, void* scratch) const { return factor(this->kernels, this->uplo, A, scratch); }
};

}  // namespace

template <class T>
int potrf(uplo uplo, batch<T> A, int* info) {
  return over_batch(potrf_routine<T>{{uplo}}, info, A);
}

template <class T>
int potrf_at(potrf_way way, uplo uplo, batch<T> A, int* info) {
  const potrf_routine<T> routine{{uplo}};
  return way == potrf_way::lanes ? over_groups(routine, info, A) : over_matrices(routine, info, A);
}

template <class T>
int potrf(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const auto check = [n_max](const matrix<T>& A_b) { return check_matrix(A_b, n_max); };
  return over_sizes(potrf_routine<T>{{uplo}}, check, info, A);
}

template int potrf(uplo, batch<TALUS_T>, int*);
template int potrf_at(potrf_way, uplo, batch<TALUS_T>, int*);
template int potrf(uplo, variable_batch<TALUS_T>, int*, int);

}  // namespace talus::host
