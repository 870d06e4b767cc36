// The weighted fits of all points of a cloud, in few calls of gels, timed and checked.
//
// At each point x the coefficients c of the monomials p_j minimise, over the neighbours y,
//
//   sum of w(|u|)^2 (f(y) - sum of c_j p_j(u))^2,    u = (y - x) / r,    w(s) = exp(-3/2 s^2),
//
// with r the distance of the furthest neighbour. Derivatives of the fit at u = 0 are those of f at x.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "basis.hpp"
#include "cloud.hpp"
#include "common/backend.hpp"
#include "common/one_thread_blas.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "fields.hpp"
#include "lapack.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"

namespace regression {

/// What is done at each point.
struct job {
  int least = 30, most = 30;  ///< neighbours, the point itself among them
  double radius = 0;          ///< of the neighbourhoods, where `least` and `most` differ
  int fields = 1;             ///< right-hand sides
  double memory = 0;          ///< bytes that the matrices of one call may take
  std::int64_t loop = 0;      ///< up to so many points are also fitted by LAPACK, for comparison

  bool ragged() const { return least < most; }
};

/// Of all points and fields: the root of the squares' sum, as a share of that of the right values.
class error {
 public:
  void add(double square, double right_square) { square_ += square, right_square_ += right_square; }
  double relative() const { return std::sqrt(square_ / right_square_); }
  double right_sum() const { return right_square_; }

 private:
  double square_ = 0, right_square_ = 0;
};

struct outcome {
  std::int64_t points = 0, calls = 0, neighbours = 0;
  double radius = 0;  ///< mean of the neighbourhoods'
  double flops = 0, gels_seconds = 0;
  double loop_seconds = 0;  ///< for all points
  error value, gradient, laplacian;
  double residual = -1;  ///< the worst; -1 as long as there is none
  example::findings off;
};

template <class T>
class fits {
 public:
  fits(const cloud& points, const basis& monomials, const fields& given, const job& what, talus::queue q)
      : points_(points),
        basis_(monomials),
        fields_(given),
        what_(what),
        q_(q),
        m_max_(std::min<std::int64_t>(what.most, points.size())),
        n_(size(monomials.columns())),
        nrhs_(size(what.fields)),
        room_(size(std::clamp<std::int64_t>(static_cast<std::int64_t>(what.memory / bytes(monomials, what)),
                                            1, points.size()))),
        neighbours_(room_ * size(m_max_)),
        rows_(room_ + 1),
        A_(room_ * size(m_max_) * n_, q),
        B_(room_ * size(m_max_) * nrhs_, q),
        info_(room_, q),
        m_(ragged_room(), q),
        n_array_(ragged_room(), q),
        nrhs_array_(ragged_room(), q),
        A_array_(ragged_room(), q),
        B_array_(ragged_room(), q),
        checked_(room_),
        scratch_(q.where, what.ragged() && q.where != talus::backend::host ? scratch_bytes() : 0),
        watch_(q) {
    q_.work = scratch_.data();
    q_.work_bytes = scratch_.size();
    std::fill_n(n_array_.here(), ragged_room(), static_cast<int>(n_));
    std::fill_n(nrhs_array_.here(), ragged_room(), static_cast<int>(nrhs_));
    n_array_.send(), nrhs_array_.send();
  }

  /// Of the matrices of one point, in the memory where the call runs.
  static double bytes(const basis& monomials, const job& what) {
    return static_cast<double>(what.most) * (monomials.columns() + what.fields) * sizeof(T);
  }

  outcome run() {
    evaluate_fields();
    const std::int64_t count = points_.size();
    example::progress found(std::to_string(count) + " points: finding neighbours", count);
    for (first_ = 0; first_ < count; first_ += static_cast<std::int64_t>(count_)) {
      count_ = std::min(room_, size(count - first_));
      find_neighbours(found);
      assemble();
      if (first_ == 0 && what_.loop > 0) run_loop();
      solve();
      check();
    }
    all_.points = count;
    all_.radius /= static_cast<double>(count);
    return std::move(all_);
  }

 private:
  /// What is found of one point.
  struct checked {
    double residual = 0, radius = 0, squares[3] = {}, right_squares[3] = {};
  };

  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }
  std::size_t ragged_room() const { return what_.ragged() ? room_ : 0; }
  std::size_t scratch_bytes() const {
    return talus::gels_vbatched_work<T>(static_cast<int>(m_max_), static_cast<int>(n_),
                                        static_cast<int>(nrhs_), static_cast<std::int64_t>(room_));
  }
  int rows(std::size_t b) const { return static_cast<int>(rows_[b + 1] - rows_[b]); }
  const int* neighbours(std::size_t b) const { return &neighbours_[b * size(m_max_)]; }

  void evaluate_fields() {
    values_.resize(size(points_.size()) * nrhs_);
#pragma omp parallel for schedule(static)
    for (std::int64_t p = 0; p < points_.size(); ++p)
      for (std::size_t f = 0; f < nrhs_; ++f)
        values_[size(p) * nrhs_ + f] = fields_(points_[p], static_cast<int>(f)).value;
  }

  void find_neighbours(example::progress& done) {
    rows_[0] = 0;
#pragma omp parallel
    {
      std::vector<neighbour> found;
#pragma omp for schedule(dynamic, 64)
      for (std::size_t b = 0; b < count_; ++b) {
        points_.nearest(first_ + static_cast<std::int64_t>(b), what_.most, found);
        if (what_.ragged())
          while (found.size() > size(what_.least) && found.back().square > what_.radius * what_.radius)
            found.pop_back();
        for (std::size_t i = 0; i < found.size(); ++i) neighbours_[b * size(m_max_) + i] = found[i].point;
        rows_[b + 1] = found.size();
        done.advance();
      }
    }
    for (std::size_t b = 0; b < count_; ++b) rows_[b + 1] += rows_[b];
    all_.neighbours += static_cast<std::int64_t>(rows_[count_]);
  }

  /// A and B of one point, each with as many rows as there are neighbours; the radius.
  double assemble_one(std::size_t b, T* A, T* B) const {
    const double* x = points_[first_ + static_cast<std::int64_t>(b)];
    const std::size_t m = size(rows(b)), dimension = size(basis_.dimension());
    double square = 0;
    for (std::size_t d = 0; d < dimension; ++d) {
      const double along = points_[neighbours(b)[m - 1]][d] - x[d];
      square += along * along;
    }
    const double radius = std::sqrt(square);
    std::vector<double> row(n_);
    for (std::size_t i = 0; i < m; ++i) {
      const auto p = static_cast<std::int64_t>(neighbours(b)[i]);
      double u[3] = {}, u_square = 0;
      for (std::size_t d = 0; d < dimension; ++d) {
        u[d] = (points_[p][d] - x[d]) / radius;
        u_square += u[d] * u[d];
      }
      const double weight = std::exp(-1.5 * u_square);
      basis_.evaluate(u, row.data());
      for (std::size_t j = 0; j < n_; ++j) A[i + j * m] = static_cast<T>(weight * row[j]);
      for (std::size_t f = 0; f < nrhs_; ++f)
        B[i + f * m] = static_cast<T>(weight * values_[size(p) * nrhs_ + f]);
    }
    return radius;
  }

  void assemble() {
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < count_; ++b)
      assemble_one(b, A_.here() + rows_[b] * n_, B_.here() + rows_[b] * nrhs_);
    if (!what_.ragged()) return;
    for (std::size_t b = 0; b < count_; ++b) {
      m_.here()[b] = rows(b);
      A_array_.here()[b] = A_.there() + rows_[b] * n_;
      B_array_.here()[b] = B_.there() + rows_[b] * nrhs_;
    }
    m_.send(count_), A_array_.send(count_), B_array_.send(count_);
  }

  void call_gels() {
    const auto count = static_cast<std::int64_t>(count_);
    const auto m = static_cast<int>(m_max_), n = static_cast<int>(n_), nrhs = static_cast<int>(nrhs_);
    if (what_.ragged())
      example::check("gels_vbatched",
                     talus::gels_vbatched(talus::op::none, m_.there(), n_array_.there(), nrhs_array_.there(),
                                          A_array_.there(), m_.there(), B_array_.there(), m_.there(),
                                          info_.there(), count, m, n, nrhs, q_));
    else
      example::check(
          "gels_strided_batched",
          talus::gels_strided_batched(talus::op::none, m, n, nrhs, A_.there(), m, std::int64_t{m} * n,
                                      B_.there(), m, std::int64_t{m} * nrhs, info_.there(), count, q_));
  }

  /// On a device the first call is made twice and the second one counts: the first one loads kernels.
  void solve() {
    const int runs = q_.where == talus::backend::cuda && first_ == 0 ? 2 : 1;
    double seconds = 0;
    for (int run = 0; run < runs; ++run) {
      A_.send(rows_[count_] * n_), B_.send(rows_[count_] * nrhs_);
      const example::notice running(std::to_string(count_) + " points: gels");
      watch_.start();
      call_gels();
      seconds = watch_.stop();
    }
    all_.gels_seconds += seconds;
    ++all_.calls;
    B_.fetch(0, rows_[count_] * nrhs_), info_.fetch(0, count_);
  }

  /// LAPACK's least squares for the first points: one thread for each, side by side. The time is scaled up to
  /// all points.
  void run_loop() {
    const std::size_t many = std::min(count_, size(what_.loop));
    std::vector<T> A(A_.here(), A_.here() + rows_[many] * n_), B(B_.here(), B_.here() + rows_[many] * nrhs_);
    const example::one_thread_blas guard;
    example::stopwatch watch(talus::queue::host());
    const example::notice running("LAPACK's gels");
    watch.start();
#pragma omp parallel
    {
      std::vector<T> work((n_ + std::max(n_, nrhs_)) * 32);  // blocks of 32 columns
      int info = 0;
#pragma omp for schedule(dynamic, 16)
      for (std::size_t b = 0; b < many; ++b)
        lapack::gels(rows(b), static_cast<int>(n_), static_cast<int>(nrhs_), &A[rows_[b] * n_],
                     &B[rows_[b] * nrhs_], work.data(), static_cast<int>(work.size()), &info);
    }
    all_.loop_seconds = watch.stop() * static_cast<double>(points_.size()) / static_cast<double>(many);
  }

  void check() {
#pragma omp parallel
    {
      std::vector<T> A(size(m_max_) * n_), B(size(m_max_) * nrhs_);
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < count_; ++b) {
        checked& found = checked_[b] = {};
        found.radius = assemble_one(b, A.data(), B.data());
        if (info_.here()[b] != 0) continue;
        found.residual = residual(b, A.data(), B.data());
        find_errors(b, found);
      }
    }
    for (std::size_t b = 0; b < count_; ++b) add(b);
  }

  void add(std::size_t b) {
    const checked& found = checked_[b];
    const double m = rows(b), n = static_cast<double>(n_), k = static_cast<double>(nrhs_);
    all_.flops += 2 * m * n * n - 2 * n * n * n / 3 + k * (4 * m * n - n * n);
    all_.radius += found.radius;
    const int info = info_.here()[b];
    const auto name = [&] {
      return "point " + std::to_string(first_ + static_cast<std::int64_t>(b)) + " (" +
             std::to_string(rows(b)) + " neighbours)";
    };
    if (info != 0) {
      all_.off.add(name() + ": info = " + std::to_string(info) +
                   (info > 0 ? ": column " + std::to_string(info) + " depends on those before it, or is NaN"
                             : std::string(": an argument of this matrix was refused")));
      return;
    }
    all_.residual = example::worse_residual(all_.residual, found.residual);
    if (!(found.residual < example::residual_bound)) all_.off.add_residual(name(), found.residual);
    error* const errors[] = {&all_.value, &all_.gradient, &all_.laplacian};
    for (int e = 0; e < 3; ++e) errors[e]->add(found.squares[e], found.right_squares[e]);
  }

  /// ||A^T (B - A X)||_1 / (m ||A||_1 ||B||_1 eps), the worst of the right-hand sides: LAPACK's measure.
  double residual(std::size_t b, const T* A, const T* B) const {
    const std::size_t m = size(rows(b));
    double norm_A = 0, worst = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < m; ++i) sum += std::abs(static_cast<double>(A[i + j * m]));
      norm_A = std::max(norm_A, sum);
    }
    std::vector<double> r(m);
    for (std::size_t f = 0; f < nrhs_; ++f) {
      const T* x = B_.here() + rows_[b] * nrhs_ + f * m;
      double norm_B = 0, norm = 0;
      for (std::size_t i = 0; i < m; ++i) {
        r[i] = static_cast<double>(B[i + f * m]);
        norm_B += std::abs(r[i]);
      }
      for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t i = 0; i < m; ++i)
          r[i] -= static_cast<double>(A[i + j * m]) * static_cast<double>(x[j]);
      for (std::size_t j = 0; j < n_; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < m; ++i) sum += static_cast<double>(A[i + j * m]) * r[i];
        norm += std::abs(sum);
      }
      const double unit = std::numeric_limits<T>::epsilon() / 2;
      worst = example::worse_residual(
          worst, norm == 0 ? 0 : norm / (static_cast<double>(m) * norm_A * norm_B * unit));
    }
    return worst;
  }

  void find_errors(std::size_t b, checked& found) const {
    const auto add = [&found](int which, double computed, double right) {
      found.squares[which] += (computed - right) * (computed - right);
      found.right_squares[which] += right * right;
    };
    for (std::size_t f = 0; f < nrhs_; ++f) {
      const T* c = B_.here() + rows_[b] * nrhs_ + f * size(rows(b));
      const derivatives right = fields_(points_[first_ + static_cast<std::int64_t>(b)], static_cast<int>(f));
      add(0, static_cast<double>(c[0]), right.value);
      double laplacian = 0;
      for (int axis = 0; axis < basis_.dimension(); ++axis) {
        add(1, static_cast<double>(c[basis_.linear(axis)]) / found.radius, right.gradient[axis]);
        laplacian += 2 * static_cast<double>(c[basis_.square(axis)]);
      }
      add(2, laplacian / (found.radius * found.radius), right.laplacian);
    }
  }

  const cloud& points_;
  const basis& basis_;
  const fields& fields_;
  job what_;
  talus::queue q_;
  std::int64_t m_max_;
  std::size_t n_, nrhs_, room_;
  std::int64_t first_ = 0;  ///< the first point of this call, and how many there are in it
  std::size_t count_ = 0;
  std::vector<double> values_;  ///< of the fields, point by point
  std::vector<int> neighbours_;
  std::vector<std::size_t> rows_;  ///< where each point's rows begin among those of all, and the end
  example::sent_array<T> A_, B_;
  example::sent_array<int> info_, m_, n_array_, nrhs_array_;
  example::sent_array<T*> A_array_, B_array_;
  std::vector<checked> checked_;
  example::array<char> scratch_;  ///< given to each call, so that none has to allocate
  example::stopwatch watch_;
  outcome all_;
};

}  // namespace regression
