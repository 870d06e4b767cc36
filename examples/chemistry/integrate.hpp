// All cells from their first states to the end, implicitly, every one with time steps of its own.
//
// The method is SDIRK4, L-stable and of order 4, with 5 stages and an embedded solution of order 3 (E.
// Hairer, G. Wanner, Solving Ordinary Differential Equations II, Section IV.6): with gamma = 1/4 stage i
// solves
//
//   Y_i = y + h sum over j < i of a_ij k_j + h gamma f(Y_i),     k_i = f(Y_i),     and Y_5 is the next y,
//
// by Newton's method, (I - h gamma J) dY = -residual. No cell waits for another: one call of gesv makes one
// Newton step in every cell that is under way, whichever stage of whichever time step that cell is in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/backend.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "problems.hpp"
#include "talus/batched.hpp"

namespace chemistry {

/// What is asked of an integration.
struct accuracy {
  double relative = 1e-4;     ///< of each time step's error, to each unknown
  double floor = 1e-8;        ///< unknowns below this share of the cell's concentration count as that large
  double first_step = 0;      ///< seconds; 0: chosen for each cell
  int largest_refusals = 50;  ///< of one time step, before the cell is given up
};

/// How large an error of each unknown may be: an absolute and a relative part.
class weights {
 public:
  weights(const mechanism& m, const accuracy& a, const double* first)
      : relative_(a.relative), species_(m.size()) {
    double total = 0;
    for (int k = 0; k < species_; ++k) total += first[k];
    smallest_ = a.relative * a.floor * total;
  }
  double of(int i, double value) const {
    return relative_ * std::abs(value) + (i < species_ ? smallest_ : 0);
  }

 private:
  double relative_, smallest_;
  int species_;
};

/// The states that a cell went through, one for each time step.
struct history {
  std::vector<double> times, states;
};

struct outcome {
  std::int64_t steps = 0, refused = 0;  ///< time steps of all cells
  std::int64_t calls = 0, systems = 0;  ///< calls of gesv, and the systems in them: Newton steps of the cells
  std::int64_t singular = 0;            ///< systems of which info said that they are singular
  double gesv_seconds = 0;
  std::vector<double> states;      ///< at the end, cell after cell
  std::vector<history> histories;  ///< of the first cells
  example::findings off;
};

template <class T>
class integration {
 public:
  /// The problem's first `cells` cells, of which the first `watched` leave a history. As many as is good
  /// for the memory are under way at once; a cell that is at its end makes room for the next one.
  integration(const problem& p, std::int64_t cells, std::int64_t watched, const accuracy& a, talus::queue q)
      : p_(p),
        n_(size(p.chemistry.order())),
        cells_(cells),
        accuracy_(a),
        q_(q),
        room_(size(batch(p.chemistry.order(), cells, q))),
        A_(room_ * n_ * n_, q),
        B_(room_ * n_, q),
        ipiv_(q.where, room_ * n_),
        info_(room_, q),
        watch_(q) {
    all_.histories.resize(size(std::min(watched, cells)));
    all_.states.resize(size(cells) * n_);
  }

  /// Cells that are under way at once: their matrices fit in a core's cache, or keep a GPU busy.
  static std::int64_t batch(int n, std::int64_t cells, talus::queue q) {
    const std::int64_t bytes = std::int64_t{q.where == talus::backend::host ? 4 : 256} << 20;
    return std::clamp<std::int64_t>(bytes / (n * n * static_cast<int>(sizeof(T))), 16,
                                    std::max<std::int64_t>(cells, 16));
  }

  outcome run() {
    example::progress finished(p_.chemistry.name + ": integrating cells", cells_);
    for (;;) {
      while (under_way_.size() < room_ && started_ < cells_)
        under_way_.emplace_back(p_, started_++, accuracy_);
      if (under_way_.empty()) return std::move(all_);
      set_up_systems();
      solve_systems();
      take_solutions();
      for (std::size_t s = under_way_.size(); s-- > 0;) {
        if (!under_way_[s].done) continue;
        record(under_way_[s]);
        std::swap(under_way_[s], under_way_.back());
        under_way_.pop_back();
        finished.advance();
      }
    }
  }

 private:
  static constexpr int stages = 5;
  static constexpr double gamma = 0.25;
  static constexpr double a[stages][stages] = {{gamma},
                                               {1 / 2.0, gamma},
                                               {17 / 50.0, -1 / 25.0, gamma},
                                               {371 / 1360.0, -137 / 2720.0, 15 / 544.0, gamma},
                                               {25 / 24.0, -49 / 48.0, 125 / 16.0, -85 / 12.0, gamma}};
  /// The last row less the embedded solution's.
  static constexpr double error_weights[stages] = {-3 / 16.0, -27 / 32.0, 25 / 32.0, 0, gamma};

  struct cell {
    cell(const problem& p, std::int64_t which, const accuracy& tolerated)
        : number(which),
          y(p.first(p.chemistry, which).state),
          Y(y),
          base(y),
          k(stages, std::vector<double>(y.size(), 0.0)),
          weight(p.chemistry, tolerated, y.data()) {
      evaluator f(p.chemistry);
      f(y.data(), k.back().data(), nullptr);  // where the first stage looks for a first guess
      double fastest = 1 / p.end;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double w = weight.of(static_cast<int>(i), y[i]) / tolerated.relative;
        fastest = std::max(fastest, std::abs(k.back()[i]) / w);
      }
      h = tolerated.first_step > 0 ? tolerated.first_step : 1e-3 / fastest;
      begin_stage(0);
    }

    /// What is known of stage s, and a first guess at it from the last stage's slope.
    void begin_stage(int s) {
      stage = s, iteration = 0;
      const std::vector<double>& guess = k[static_cast<std::size_t>(s == 0 ? stages - 1 : s - 1)];
      for (std::size_t i = 0; i < y.size(); ++i) {
        base[i] = y[i];
        for (int j = 0; j < s; ++j) base[i] += h * a[s][j] * k[static_cast<std::size_t>(j)][i];
        Y[i] = base[i] + h * gamma * guess[i];
      }
    }

    std::int64_t number;
    double t = 0, h;
    int stage, iteration;
    int refusals = 0;  // of this time step
    bool done = false, given_up = false;
    std::int64_t steps = 0, refused = 0, singular = 0;
    std::vector<double> y, Y, base;      // at t; the stage's iterate; what the stage knows already
    std::vector<std::vector<double>> k;  // of the stages; the last one's until the first one has its own
    weights weight;
  };

  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

  /// Unknowns and equations are in units of the errors that they may have, so that pivots, and the precision
  /// of T, mean the same to all of them.
  void set_up_systems() {
    const std::size_t n = n_;
#pragma omp parallel
    {
      evaluator evaluate(p_.chemistry);
      std::vector<double> f(n), J(n * n), w(n), inverse_w(n);
#pragma omp for schedule(dynamic, 8)
      for (std::size_t s = 0; s < under_way_.size(); ++s) {
        const cell& c = under_way_[s];
        T *A = A_.here() + s * n * n, *B = B_.here() + s * n;
        evaluate(c.Y.data(), f.data(), J.data());
        const double step = c.h * gamma;
        for (std::size_t i = 0; i < n; ++i) {
          w[i] = c.weight.of(static_cast<int>(i), c.y[i]);
          inverse_w[i] = 1 / w[i];
        }
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < n; ++i)
            A[i + j * n] = static_cast<T>((i == j ? 1 : 0) - step * w[j] * J[i + j * n] * inverse_w[i]);
        for (std::size_t i = 0; i < n; ++i)
          B[i] = static_cast<T>((c.base[i] + step * f[i] - c.Y[i]) * inverse_w[i]);
      }
    }
  }

  void solve_systems() {
    const std::size_t count = under_way_.size();
    const auto n = static_cast<int>(n_);
    A_.send(count * n_ * n_), B_.send(count * n_);
    watch_.start();
    example::check(
        "gesv_strided_batched",
        talus::gesv_strided_batched(n, 1, A_.there(), n, std::int64_t{n} * n, ipiv_.data(), n, B_.there(), n,
                                    n, info_.there(), static_cast<std::int64_t>(count), q_));
    all_.gesv_seconds += watch_.stop();
    B_.fetch(0, count * n_), info_.fetch(0, count);
    all_.calls += 1, all_.systems += static_cast<std::int64_t>(count);
  }

  void take_solutions() {
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < under_way_.size(); ++s) {
      cell& c = under_way_[s];
      const bool singular = info_.here()[s] != 0;
      if (singular) ++c.singular;
      const newton result = singular ? newton::fails : iterate(c, B_.here() + s * n_);
      if (result == newton::fails)
        refuse(c, 0.25);
      else if (result == newton::is_there)
        end_stage(c);
    }
  }

  enum class newton { goes_on, is_there, fails };

  newton iterate(cell& c, const T* dY) const {
    constexpr int most_iterations = 8;
    constexpr double small_enough = 0.03, coldest = 50, hottest = 10000;
    double square = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double change = static_cast<double>(dY[i]);
      c.Y[i] += change * c.weight.of(static_cast<int>(i), c.y[i]);
      square += change * change;
    }
    const double norm = std::sqrt(square / static_cast<double>(n_));
    const double temperature = p_.chemistry.isothermal ? 300 : c.Y.back();
    if (!std::isfinite(norm) || temperature < coldest || temperature > hottest) return newton::fails;
    if (norm < small_enough) return newton::is_there;
    return ++c.iteration < most_iterations ? newton::goes_on : newton::fails;
  }

  void end_stage(cell& c) {
    std::vector<double>& k = c.k[size(c.stage)];
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = (c.Y[i] - c.base[i]) / (c.h * gamma);
    if (c.stage + 1 < stages) return c.begin_stage(c.stage + 1);

    double square = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double error = 0;
      for (int j = 0; j < stages; ++j) error += c.h * error_weights[j] * c.k[size(j)][i];
      error /= c.weight.of(static_cast<int>(i), std::max(std::abs(c.y[i]), std::abs(c.Y[i])));
      square += error * error;
    }
    const double error = std::sqrt(square / static_cast<double>(n_)),
                 factor = 0.9 / std::pow(std::max(error, 1e-10), 0.25);
    if (!(error <= 1)) return refuse(c, std::clamp(factor, 0.1, 0.9));

    const bool last = c.t + c.h >= p_.end * (1 - 1e-14);
    c.t = last ? p_.end : c.t + c.h;
    c.y = c.Y;
    c.h *= std::clamp(factor, 0.2, c.refusals > 0 ? 1.0 : 4.0);
    c.refusals = 0, ++c.steps, c.done = last;
    if (size(c.number) < all_.histories.size()) {
      history& h = all_.histories[size(c.number)];
      h.times.push_back(c.t);
      h.states.insert(h.states.end(), c.y.begin(), c.y.end());
    }
    begin_step(c);
  }

  void refuse(cell& c, double factor) const {
    ++c.refused;
    c.given_up = c.done = ++c.refusals > accuracy_.largest_refusals;
    c.h *= factor;
    begin_step(c);
  }

  /// So that the last step ends at the end, and none before it is tiny.
  void begin_step(cell& c) const {
    const double left = p_.end - c.t;
    if (c.h >= left)
      c.h = left;
    else if (2 * c.h > left)
      c.h = left / 2;
    c.begin_stage(0);
  }

  /// What is left of a cell that is at its end.
  void record(const cell& c) {
    all_.steps += c.steps, all_.refused += c.refused, all_.singular += c.singular;
    std::copy(c.y.begin(), c.y.end(), all_.states.begin() + c.number * static_cast<std::int64_t>(n_));
    if (c.given_up)
      all_.off.add("cell " + std::to_string(c.number) +
                   ": no time step is small enough at t = " + std::to_string(c.t) + " s");
  }

  const problem& p_;
  std::size_t n_;
  std::int64_t cells_, started_ = 0;
  accuracy accuracy_;
  talus::queue q_;
  std::size_t room_;
  std::vector<cell> under_way_;  // system s is that of under_way_[s]
  example::sent_array<T> A_, B_;
  example::array<int> ipiv_;
  example::sent_array<int> info_;
  example::stopwatch watch_;
  outcome all_;
};

}  // namespace chemistry
