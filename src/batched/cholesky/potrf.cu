// Cholesky on the GPU: select a line of the table, launch its kernel.
#include "backends.hpp"
#include "batched/cholesky/potrf.hpp"
#include "gpu/dispatch.cuh"

namespace talus::cuda {
namespace {

struct launch_potrf {
  template <class Line, uplo UPLO, class T>
  static int line(Line line, stored_as<UPLO> stored, batch<T> A, int* info, queue q) {
    using D = device_t<T>;
    return cholesky::launch_family<D>(Line::kernel, line, stored, equal_sizes<D>{on_device(A)}, info, q,
                                      no_epilogue{});
  }
};

}  // namespace

template <class T>
int potrf_at(int line, uplo uplo, batch<T> A, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  return dispatch<potrf_tables, T, launch_potrf>(line, uplo, A, info, q);
}

template <class T>
int potrf(uplo uplo, batch<T> A, int* info, queue q) {
  int table = 0;
  if (const int status = potrf_tables::find(table)) return status;
  return potrf_at(potrf_tables::select<T>(table, upto(A.n), A.count), uplo, A, info, q);
}

template int potrf(uplo, batch<TALUS_T>, int*, queue);
template int potrf_at(int, uplo, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
