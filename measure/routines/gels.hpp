#pragma once

#include "batched/qr/gels.hpp"
#include "measure/routines/ormqr.hpp"

namespace talus::measure {

/// Of least squares: ||A^H (B - A X)|| / (||A|| (||A|| ||X|| + ||B||)), of one column.
template <class T>
long double distance_from_least_squares(const matrix_check<T>& one, const typename matrix_check<T>::vector& x,
                                        const typename matrix_check<T>::vector& b) {
  using check = matrix_check<T>;
  long double norm = 0;
  typename check::vector r = b;
  check::subtract(r, one.A_times(x, norm));
  return check::norm1(one.AH_times(r)) / (one.norm_A() * (one.norm_A() * check::norm1(x) + check::norm1(b)));
}

/// Of least norm: is x = A^H y for some y? min ||x - A^H y|| / (||A|| ||y|| + ||x||). By conjugate gradients
/// on the normal equations, which end where the distance is small enough.
template <class T>
long double distance_from_least_norm(const matrix_check<T>& one, const typename matrix_check<T>::vector& x) {
  using check = matrix_check<T>;
  using vector = typename check::vector;
  const auto add = [](vector& to, long double factor, const vector& v) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * v[i];
  };
  const auto squares = [](const vector& v) {
    long double sum = 0;
    for (const auto& e : v) sum += std::norm(e);
    return sum;
  };
  long double norm = 0, distance = 1;
  vector y(one.m), r = x, gradient = one.A_times(r, norm), direction = gradient;
  long double size = squares(gradient);
  // Rounding costs some steps more than the m that they are otherwise.
  for (std::size_t step = 0; step < 10 * one.m + 50; ++step) {
    const vector change = one.AH_times(direction);
    const long double length = size / squares(change);
    add(y, length, direction);
    add(r, -length, change);
    distance = check::norm1(r) / (one.norm_A() * check::norm1(y) + check::norm1(x));
    if (!(one.in_n_eps(distance) > largest_ratio / 3)) break;
    gradient = one.A_times(r, norm);
    const long double before = std::exchange(size, squares(gradient));
    for (auto& e : direction) e *= size / before;
    add(direction, 1, gradient);
  }
  return distance;
}

/// Least squares where A is tall, least norm where it is wide.
template <class T>
struct gels : description<problem<T>> {
  static constexpr const char* name = "gels";
  static constexpr matrix_kind kind = geqrf<T>::kind;
  static constexpr bool is_square = false, leaves_A = false, has_B = true;
  static constexpr int measured_nrhs = 1, most_nrhs = 1;
  static constexpr peer peers[] = {{.library = "cublas", .is_tall = true}, {"openblas"}};

  /// Of the tall one of A and A^H: its factorization, Q or Q^H applied, a triangle solved with.
  static double flops(const sizes& s) {
    const double m = std::max(s.m, s.n), n = std::min(s.m, s.n);
    return geqrf<T>::flops({std::max(s.m, s.n), std::min(s.m, s.n)}) +
           flops_per_operation<T> * s.nrhs * ((4 * m * n - 2 * n * n) + n * n);
  }
  static double bytes(const sizes& s) {
    return matrix_bytes<T>(s) + matrix_bytes<T>({s.m, s.nrhs}) +
           matrix_bytes<T>({std::max(s.m, s.n), s.nrhs});
  }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using check = matrix_check<T>;
    if (one.m == one.n) return one.of_solution(p);
    const std::vector<T> X = p.download_B(one.matrix);
    long double ratio = 0, norm = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.nrhs); ++j) {
      typename check::vector x(one.n), r = one.right_hand_side(j, one.m);
      for (std::size_t i = 0; i < one.n; ++i) x[i] = X[i + j * static_cast<std::size_t>(p.ldb())];
      if (one.m > one.n) {
        ratio = larger(ratio, distance_from_least_squares(one, x, r));
        continue;
      }
      check::subtract(r, one.A_times(x, norm));
      ratio = larger(ratio, check::norm1(r) / (one.norm_A() * check::norm1(x)));
      ratio = larger(ratio, distance_from_least_norm(one, x));
    }
    return one.in_n_eps(ratio);
  }
  static std::size_t work_bytes(const problem<T>& p) { return gels_work<T>(p.m, p.n, p.nrhs, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? gels_batched(op::none, A.m, A.n, B.n, A.array, A.lda, B.array, B.lda, x.info, A.count, q)
                   : gels_strided_batched(op::none, A.m, A.n, B.n, A.slab, A.lda, A.stride, B.slab, B.lda,
                                          B.stride, x.info, A.count, q);
  }

  using tables = cuda::gels_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n, s.nrhs); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::gels_at<T>(line, x.A, x.B, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.m, x.A.n, x.B.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
