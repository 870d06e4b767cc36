#include "host/cholesky/routine.hpp"

namespace talus::host {
namespace {

template <class T>
struct potri_routine : cholesky_routine<T> {
  lanes_range range() const { return potri_range(this->kernels); }
  void in_lanes(const group<T>& A, int* infos, void* scratch) const {
    this->kernels.potri(this->uplo, A.n, A.of, A.lda, infos, scratch);
  }
  std::size_t alone_bytes(const matrix<T>& A) const { return aligned_copy<T>::bytes(A.n); }
  int alone(const matrix<T>& A, void* scratch) const { return invert_if_factored(this->uplo, A, scratch); }
};

}  // namespace

template <class T>
int potri(uplo uplo, batch<T> A, int* info) {
  return over_batch(potri_routine<T>{{uplo}}, info, A);
}

template <class T>
int potri(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const auto check = [n_max](const matrix<T>& A_b) { return check_matrix(A_b, n_max); };
  return over_sizes(potri_routine<T>{{uplo}}, check, info, A);
}

template int potri(uplo, batch<TALUS_T>, int*);
template int potri(uplo, variable_batch<TALUS_T>, int*, int);

}  // namespace talus::host
