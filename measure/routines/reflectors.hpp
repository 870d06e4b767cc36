// Householder reflectors, by which the results of QR's routines are checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "measure/verify.hpp"

namespace talus::measure {

/// Q = H_1 H_2 ... H_k of one matrix, H_j = I - tau_j v_j v_j^H, as geqrf leaves it: v_j lies below the
/// diagonal of column j.
template <class T>
class reflectors {
 public:
  using check = matrix_check<T>;
  using vector = typename check::vector;

  reflectors(std::vector<T> A, std::vector<T> tau, std::size_t m)
      : A_(std::move(A)), tau_(std::move(tau)), m_(m) {}

  void apply(vector& y) const {  // Q y
    for (std::size_t j = tau_.size(); j-- > 0;) apply(j, tau_[j], y);
  }
  void apply_conj_trans(vector& y) const {  // Q^H y
    for (std::size_t j = 0; j < tau_.size(); ++j) apply(j, check::conj(tau_[j]), y);
  }

 private:
  void apply(std::size_t j, typename check::number tau, vector& y) const {
    const T* const v = A_.data() + j * m_;
    typename check::number sum = y[j];
    for (std::size_t i = j + 1; i < m_; ++i) sum += check::product(check::conj(v[i]), y[i]);
    sum = check::product(sum, tau);
    y[j] -= sum;
    for (std::size_t i = j + 1; i < m_; ++i) y[i] -= check::product(v[i], sum);
  }

  std::vector<T> A_, tau_;
  std::size_t m_;
};

/// Of a matrix Q with k orthonormal columns and as many rows as A: ||Q^H Q x - x|| / ||x||.
template <class T>
long double distance_from_unitary(const matrix_check<T>& one, const std::vector<T>& Q, std::size_t k) {
  using check = matrix_check<T>;
  using number = typename check::number;
  const typename check::vector x(one.x().begin(), one.x().begin() + static_cast<std::ptrdiff_t>(k));
  const auto q = [&](std::size_t i, std::size_t j) -> number { return Q[i + j * one.m]; };
  const auto q_H = [&](std::size_t i, std::size_t j) { return check::conj(q(j, i)); };
  long double norm = 0;
  typename check::vector r = check::times(q_H, k, check::times(q, one.m, x, norm), norm);
  check::subtract(r, x);
  return check::norm1(r) / check::norm1(x);
}

/// Of tau beside A.
template <class T>
double tau_bytes(const sizes& s) {
  return static_cast<double>(sizeof(T)) * std::min(s.m, s.n);
}

}  // namespace talus::measure
