#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace chemistry {
namespace {

/// LU with partial pivoting, as textbooks have it.
class dense_solver {
 public:
  dense_solver(std::vector<double> A, std::size_t n) : n_(n), A_(std::move(A)), pivots_(n) {
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t p = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(at(i, k)) > std::abs(at(p, k))) p = i;
      pivots_[k] = p;
      for (std::size_t j = 0; j < n; ++j) std::swap(at(k, j), at(p, j));
      for (std::size_t i = k + 1; i < n; ++i) at(i, k) /= at(k, k);
      for (std::size_t j = k + 1; j < n; ++j)
        for (std::size_t i = k + 1; i < n; ++i) at(i, j) -= at(i, k) * at(k, j);
    }
  }

  void solve(std::vector<double>& b) {
    for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[pivots_[k]]);
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t i = k + 1; i < n_; ++i) b[i] -= at(i, k) * b[k];
    for (std::size_t k = n_; k-- > 0;) {
      b[k] /= at(k, k);
      for (std::size_t i = 0; i < k; ++i) b[i] -= at(i, k) * b[k];
    }
  }

 private:
  double& at(std::size_t i, std::size_t j) { return A_[i + j * n_]; }

  std::size_t n_;
  std::vector<double> A_;
  std::vector<std::size_t> pivots_;
};

constexpr std::size_t columns = 7;  // of the extrapolation: the order

}  // namespace

reference::reference(const mechanism& m, std::vector<double> first, double first_step, double tolerance)
    : evaluate_(m), y_(std::move(first)), smallest_(y_.size(), 0.0), h_(first_step), tolerance_(tolerance) {
  double total = 0;
  for (int k = 0; k < m.size(); ++k) total += y_[static_cast<std::size_t>(k)];
  std::fill_n(smallest_.begin(), m.size(), 1e-8 * total);
}

double reference::try_step(double h, std::vector<double>& next) {
  const std::size_t n = y_.size();
  std::vector<double> f(n), J(n * n), A(n * n), rows[columns];
  evaluate_(y_.data(), f.data(), J.data());
  for (std::size_t row = 0; row < columns; ++row) {
    const auto parts = static_cast<double>(row + 1);
    for (std::size_t e = 0; e < n * n; ++e) A[e] = (e % (n + 1) == 0 ? 1 : 0) - h / parts * J[e];
    dense_solver solver(A, n);
    std::vector<double> y = y_;
    for (std::size_t part = 0; part <= row; ++part) {
      evaluate_(y.data(), f.data(), nullptr);
      for (double& slope : f) slope *= h / parts;
      solver.solve(f);
      for (std::size_t i = 0; i < n; ++i) y[i] += f[i];
    }
    // Aitken and Neville: rows[j] goes from T(row - 1, j) to T(row, j), and y is T(row, j + 1).
    for (std::size_t j = 0; j < row; ++j) {
      std::swap(rows[j], y);
      const double weight = static_cast<double>(row - j) / static_cast<double>(j + 1);
      for (std::size_t i = 0; i < n; ++i) y[i] = rows[j][i] + (rows[j][i] - y[i]) * weight;
    }
    rows[row] = y;
  }
  next = rows[columns - 1];
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::max(std::abs(y_[i]), std::abs(next[i])) + smallest_[i];
    const double difference = (next[i] - rows[columns - 2][i]) / (tolerance_ * size);
    square += difference * difference;
  }
  return std::sqrt(square / static_cast<double>(n));
}

void reference::advance_to(double t) {
  std::vector<double> next;
  for (int refused = 0; t_ < t;) {
    const bool last = h_ >= t - t_;
    const double h = last ? t - t_ : h_;
    const double error = try_step(h, next);
    const double factor =
        std::isfinite(error) ? std::clamp(0.8 * std::pow(error + 1e-20, -1.0 / columns), 0.1, 4.0) : 0.1;
    if (error <= 1) {
      t_ = last ? t : t_ + h;
      y_ = next;
      refused = 0;
      if (!last || factor < 1) h_ = h * factor;
    } else {
      if (++refused > 50) throw std::runtime_error("the reference integration finds no step small enough");
      h_ = h * std::min(factor, 0.8);
    }
  }
}

}  // namespace chemistry
