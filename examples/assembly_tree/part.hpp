// Fronts of one level that are in memory together: factored, and if wanted solved, in one call, timed and
// checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/flops.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "fronts.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "tree.hpp"

namespace tree {

using example::sent_array;

/// What is done with each level.
struct job {
  bool solve = false;             ///< posv, too, with one right-hand side
  bool loop = false;              ///< also one call for each front, for comparison
  double memory = 0;              ///< bytes that the matrices of one call may take
  std::int64_t check_all = 0;     ///< in a part of up to so many fronts each one's residual is computed ...
  std::int64_t check_some = 100;  ///< ... in others those of some so many
};

struct outcome {
  std::int64_t fronts = 0, parts = 0, checked = 0;
  double flops = 0;  ///< of potrf
  double potrf_seconds = 0, posv_seconds = 0, loop_seconds = 0;
  double residual = -1;  ///< the worst; -1 as long as there is none
  example::findings off;

  void add_residual(double value) { residual = example::worse_residual(residual, value); }

  void add(const outcome& other) {
    fronts += other.fronts, parts += other.parts, checked += other.checked;
    flops += other.flops;
    potrf_seconds += other.potrf_seconds, posv_seconds += other.posv_seconds;
    loop_seconds += other.loop_seconds;
    add_residual(other.residual);
    for (const std::string& line : other.off.lines) off.add(line);
    off.count += other.off.count - static_cast<std::int64_t>(other.off.lines.size());
  }
};

/// Fronts of one level that are in memory together, and the arrays of a call on them.
template <class T>
class part {
 public:
  /// The fronts of level l that have the orders n[begin], ..., n[end - 1].
  part(const level& l, const std::vector<int>& n, std::size_t begin, std::size_t end, const job& what,
       talus::queue q)
      : title_("level " + std::to_string(l.number)),
        seed_(static_cast<std::uint64_t>(l.number) << 32),
        first_(begin),
        count_(end - begin),
        n_max_(*std::max_element(n.begin() + static_cast<std::ptrdiff_t>(begin),
                                 n.begin() + static_cast<std::ptrdiff_t>(end))),
        what_(what),
        q_(q),
        begin_A_(sums(n, begin, end, [](std::size_t order) { return order * order; })),
        begin_B_(sums(n, begin, end, [&](std::size_t order) { return what.solve ? order : 0; })),
        A_(begin_A_.back(), q),
        B_(begin_B_.back(), q),
        n_(count_, q),
        lda_(count_, q),
        nrhs_(count_, q),
        info_(count_, q),
        A_array_(count_, q),
        B_array_(count_, q),
        off_(count_, false),
        scratch_(q.where, q.where == talus::backend::host ? 0 : scratch_bytes()) {
    q_.work = scratch_.data();
    q_.work_bytes = scratch_.size();
    for (std::size_t b = 0; b < count_; ++b) {
      n_.here()[b] = n[first_ + b];
      lda_.here()[b] = std::max(1, n[first_ + b]);
      nrhs_.here()[b] = 1;
      A_array_.here()[b] = A_.there() + begin_A_[b];
      B_array_.here()[b] = B_.there() + begin_B_[b];
    }
    n_.send(), lda_.send(), nrhs_.send(), A_array_.send(), B_array_.send();
    fill_A();
  }

  outcome run() {
    outcome all;
    all.parts = 1;
    all.fronts = static_cast<std::int64_t>(count_);
    for (std::size_t b = 0; b < count_; ++b) all.flops += example::potrf_flops(n_.here()[b]);

    const auto count = static_cast<std::int64_t>(count_);
    all.potrf_seconds = seconds_of("potrf", [&] {
      example::check("potrf_vbatched", talus::potrf_vbatched(talus::uplo::lower, n_.there(), A_array_.there(),
                                                             lda_.there(), info_.there(), count, n_max_, q_));
    });
    check_infos(all);
    check_factors(all);

    if (what_.solve) {
      all.posv_seconds = seconds_of("posv", [&] {
        example::check("posv_vbatched",
                       talus::posv_vbatched(talus::uplo::lower, n_.there(), nrhs_.there(), A_array_.there(),
                                            lda_.there(), B_array_.there(), lda_.there(), info_.there(),
                                            count, n_max_, 1, q_));
      });
      check_infos(all);
      check_solutions(all);
    }
    if (what_.loop) {
      all.loop_seconds = seconds_of("a loop of potrf", [&] {
        for (std::size_t b = 0; b < count_; ++b)
          example::check(
              "potrf_strided_batched",
              talus::potrf_strided_batched(
                  talus::uplo::lower, n_.here()[b], A_.there() + begin_A_[b], lda_.here()[b],
                  static_cast<std::int64_t>(begin_A_[b + 1] - begin_A_[b]), info_.there() + b, 1, q_));
      });
      check_infos(all);
    }
    return all;
  }

 private:
  /// 0 and the sums of size(n[begin]), ...: where each matrix begins, and the end.
  template <class Size>
  static std::vector<std::size_t> sums(const std::vector<int>& n, std::size_t begin, std::size_t end,
                                       Size size) {
    std::vector<std::size_t> all(end - begin + 1, 0);
    for (std::size_t b = begin; b < end; ++b)
      all[b - begin + 1] = all[b - begin] + size(static_cast<std::size_t>(n[b]));
    return all;
  }

  std::size_t scratch_bytes() const {
    const auto count = static_cast<std::int64_t>(count_);
    return std::max(talus::potrf_vbatched_work<T>(n_max_, count),
                    talus::posv_vbatched_work<T>(n_max_, 1, count));
  }

  std::uint64_t seed_of(std::size_t b) const { return seed_ + first_ + b; }
  front<T> front_of(std::size_t b) const { return front<T>(n_.here()[b], seed_of(b)); }
  std::vector<double> rhs_of(std::size_t b) const {
    std::vector<double> y = random_vector(n_.here()[b], ~seed_of(b));
    for (double& value : y) value = static_cast<double>(static_cast<T>(value));
    return y;
  }
  std::string name_of(std::size_t b) const {
    return "front " + std::to_string(first_ + b) + " of " + title_ + " (n = " + std::to_string(n_.here()[b]) +
           ")";
  }

  void fill_A() {
    example::progress filled(title_ + ": assembling fronts", static_cast<std::int64_t>(count_));
#pragma omp parallel for schedule(dynamic)
    for (std::size_t b = 0; b < count_; ++b) {
      front_of(b).write(A_.here() + begin_A_[b]);
      filled.advance();
    }
    A_is_here_ = true;
  }

  void restore() {
    if (!A_is_here_) fill_A();
    A_.send();
    if (what_.solve) {
#pragma omp parallel for schedule(dynamic, 16)
      for (std::size_t b = 0; b < count_; ++b) {
        const std::vector<double> y = rhs_of(b);
        std::transform(y.begin(), y.end(), B_.here() + begin_B_[b],
                       [](double value) { return static_cast<T>(value); });
      }
      B_.send();
    }
    A_is_here_ = q_.where != talus::backend::host;  // there the call overwrites it
  }

  /// On a device the second time counts: the first one loads kernels.
  template <class Call>
  double seconds_of(const char* routine, Call call) {
    const int runs = q_.where == talus::backend::host ? 1 : 2;
    example::stopwatch watch(q_);
    double seconds = 0;
    for (int run = 0; run < runs; ++run) {
      restore();
      const example::notice running(title_ + ": " + routine);
      watch.start();
      call();
      seconds = watch.stop();
    }
    return seconds;
  }

  void check_infos(outcome& all) {
    info_.fetch();
    for (std::size_t b = 0; b < count_; ++b)
      if (info_.here()[b] != 0 && is_first_finding(b)) all.off.add_info(name_of(b), info_.here()[b]);
  }

  /// A front that is off counts once.
  bool is_first_finding(std::size_t b) {
    const bool first = !off_[b];
    off_[b] = true;
    return first;
  }

  /// The fronts that are looked at: all, or some and one of the largest. Not those with a bad info.
  std::vector<std::size_t> sample() const {
    const auto all = static_cast<std::size_t>(what_.check_all),
               some = static_cast<std::size_t>(what_.check_some);
    const std::size_t step = count_ <= all ? 1 : (count_ + some - 1) / some;
    const auto largest =
        static_cast<std::size_t>(std::max_element(n_.here(), n_.here() + count_) - n_.here());
    std::vector<std::size_t> chosen;
    for (std::size_t b = 0; b < count_; ++b)
      if ((b % step == 0 || b == largest) && info_.here()[b] == 0) chosen.push_back(b);
    return chosen;
  }

  /// Adds residual_of(b) for each b of the sample.
  template <class Residual>
  void check_sample(const std::vector<std::size_t>& chosen, outcome& all, Residual residual_of) {
    example::progress checked(title_ + ": checking fronts", static_cast<std::int64_t>(chosen.size()));
    std::vector<double> found(chosen.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      found[i] = residual_of(chosen[i]);
      checked.advance();
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      all.add_residual(found[i]);
      if (!(found[i] < example::residual_bound) && is_first_finding(chosen[i]))
        all.off.add_residual(name_of(chosen[i]), found[i]);
    }
  }

  void check_factors(outcome& all) {
    const std::vector<std::size_t> chosen = sample();
    all.checked = static_cast<std::int64_t>(chosen.size());
    for (const std::size_t b : chosen) A_.fetch(begin_A_[b], begin_A_[b + 1] - begin_A_[b]);
    check_sample(chosen, all, [&](std::size_t b) {
      const front<T> A = front_of(b);
      T* L = A_.here() + begin_A_[b];
      const double found = factor_residual(A, L, ~seed_of(b));
      if (A_is_here_) A.write(L);  // where the fetch put the factor
      return found;
    });
  }

  void check_solutions(outcome& all) {
    B_.fetch();
    check_sample(sample(), all, [&](std::size_t b) {
      const std::vector<double> x(B_.here() + begin_B_[b], B_.here() + begin_B_[b + 1]);
      return residual(front_of(b), x, rhs_of(b));
    });
  }

  std::string title_;
  std::uint64_t seed_;
  std::size_t first_, count_;
  int n_max_;
  job what_;
  talus::queue q_;
  bool A_is_here_ = false;  ///< the matrices are in A_.here()
  std::vector<std::size_t> begin_A_, begin_B_;
  sent_array<T> A_, B_;
  sent_array<int> n_, lda_, nrhs_, info_;
  sent_array<T*> A_array_, B_array_;
  std::vector<bool> off_;         ///< fronts of which something was said
  example::array<char> scratch_;  ///< given to each call, so that none has to allocate
};

}  // namespace tree
