// Calls of the Cholesky routines on resident slabs, by whichever of their two forms.
#pragma once

#include "check.hpp"

namespace talus::test {

constexpr uplo both[] = {uplo::lower, uplo::upper};

template <class T>
int potrf(call_form how, uplo uplo, const resident<T>& A, const info_array& info, queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? potrf_batched(uplo, s.n, A.pointers.data(), s.ld, info.data(), s.count, q)
             : potrf_strided_batched(uplo, s.n, A.memory.data(), s.ld, s.stride, info.data(), s.count, q);
}

template <class T>
int potri(call_form how, uplo uplo, const resident<T>& A, const info_array& info, queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? potri_batched(uplo, s.n, A.pointers.data(), s.ld, info.data(), s.count, q)
             : potri_strided_batched(uplo, s.n, A.memory.data(), s.ld, s.stride, info.data(), s.count, q);
}

template <class T>
int potrs(call_form how, uplo uplo, const resident<T>& A, const resident<T>& B, const info_array& info,
          queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? potrs_batched<T>(uplo, a.n, x.n, A.pointers.data(), a.ld, B.pointers.data(), x.ld, info.data(),
                                a.count, q)
             : potrs_strided_batched<T>(uplo, a.n, x.n, A.memory.data(), a.ld, a.stride, B.memory.data(),
                                        x.ld, x.stride, info.data(), a.count, q);
}

template <class T>
int posv(call_form how, uplo uplo, const resident<T>& A, const resident<T>& B, const info_array& info,
         queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? posv_batched(uplo, a.n, x.n, A.pointers.data(), a.ld, B.pointers.data(), x.ld, info.data(),
                            a.count, q)
             : posv_strided_batched(uplo, a.n, x.n, A.memory.data(), a.ld, a.stride, B.memory.data(), x.ld,
                                    x.stride, info.data(), a.count, q);
}

/// `distinct` Hermitian matrices of one kind, repeated until the batch is full.
template <class T>
struct repeated {
  repeated(const std::string& kind, int n, int distinct, unsigned seed) {
    for (int i = 0; i < distinct; ++i)
      matrices.push_back(hermitian<T>(kind, n, seed + static_cast<unsigned>(i)));
  }
  const dense<T>& operator[](std::int64_t b) const {
    return matrices[static_cast<std::size_t>(b) % matrices.size()];
  }
  slab<T> fill(uplo uplo, int n, int ld, std::int64_t count, int gap = 5) const {
    slab<T> s(n, n, ld, count, gap);
    for (std::int64_t b = 0; b < count; ++b) s.put_triangle(b, (*this)[b], uplo);
    return s;
  }
  std::vector<dense<T>> matrices;
};

}  // namespace talus::test
