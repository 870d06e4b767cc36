#include "host/cholesky/routine.hpp"

namespace talus::host {
namespace {

template <class T>
struct posv_routine : cholesky_routine<T> {
  lanes_range range() const { return solve_range(this->kernels); }
  void in_lanes(const group<T>& A, const group<T>& B, int* infos, void* scratch) const {
    this->kernels.posv(this->uplo, A.n, B.n, A.of, A.lda, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(const matrix<T>&) const { return factor_bytes(this->kernels); }
  int alone(const matrix<T>& A, const matrix<T>& B, void* scratch) const {
    return factor_and_solve(this->kernels, this->uplo, A, B, scratch);
  }
};

}  // namespace

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info) {
  return over_batch(posv_routine<T>{{uplo}}, info, A, B);
}

template <class T>
int posv(uplo uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const auto check = [=](const matrix<T>& A_b, const matrix<T>& B_b) {
    return check_system(read_only(A_b), B_b, n_max, nrhs_max);
  };
  return over_sizes(posv_routine<T>{{uplo}}, check, info, A, B);
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*);
template int posv(uplo, variable_batch<TALUS_T>, variable_batch<TALUS_T>, int*, int, int);

}  // namespace talus::host
