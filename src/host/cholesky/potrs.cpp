#include "host/cholesky/routine.hpp"

namespace talus::host {
namespace {

template <class T>
struct potrs_routine : cholesky_routine<T> {
  lanes_range range() const { return solve_range(this->kernels); }
  void in_lanes(const group<const T>& A, const group<T>& B, int* infos, void* scratch) const {
    this->kernels.potrs(this->uplo, A.n, B.n, A.of, A.lda, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(const matrix<const T>& A) const { return solve_bytes<T>(A.n); }
  int alone(const matrix<const T>& A, const matrix<T>& B, void* scratch) const {
    return solve_if_factored(this->uplo, A, B, scratch);
  }
};

}  // namespace

template <class T>
int potrs(uplo uplo, batch<const T> A, batch<T> B, int* info) {
  return over_batch(potrs_routine<T>{{uplo}}, info, A, B);
}

template <class T>
int potrs(uplo uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const auto check = [=](const matrix<const T>& A_b, const matrix<T>& B_b) {
    return check_system(A_b, B_b, n_max, nrhs_max);
  };
  return over_sizes(potrs_routine<T>{{uplo}}, check, info, A, B);
}

template int potrs(uplo, batch<const TALUS_T>, batch<TALUS_T>, int*);
template int potrs(uplo, variable_batch<const TALUS_T>, variable_batch<TALUS_T>, int*, int, int);

}  // namespace talus::host
