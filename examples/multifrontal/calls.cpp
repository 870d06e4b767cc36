#include "calls.hpp"

#include <algorithm>

#include "common/program.hpp"

namespace multifrontal {

using example::check;

talus_calls::talus_calls(const analysis& all, const solve_plan& solves, int systems, int nrhs,
                         const storage& at, example::memory_layout& memory)
    : symmetric_(all.where.symmetric),
      systems_(systems),
      nrhs_(nrhs),
      rows_(static_cast<std::int64_t>(all.tree.row.size())),
      arguments_(memory.only_counts()),
      info_(at.info) {
  std::size_t longest = 0;  // items of a call
  for (std::size_t l = 0; l < all.where.levels.size(); ++l)
    partial_.push_back(add_partial(all, all.where.levels[l], static_cast<int>(l % 2), at));
  const auto add_steps = [&](const std::vector<std::vector<solve_step>>& levels,
                             std::vector<std::vector<step>>& to) {
    for (const std::vector<solve_step>& level : levels) {
      to.emplace_back();
      for (const solve_step& s : level) {
        to.back().push_back(add_step(s, at, all.where.factor_elements));
        longest = std::max({longest, s.triangles.size(), s.products.size()});
      }
    }
  };
  add_steps(solves.forward, forward_);
  add_steps(solves.backward, backward_);
  const auto constant = [&](int value) {
    return arguments_.add<int>(longest, systems, [=](std::size_t, int) { return value; });
  };
  one_ = constant(1), width_ = constant(nrhs), ld_of_w_ = constant(static_cast<int>(rows_));
  arguments_.send(memory);

  q_.work_bytes = scratch_bytes();
  q_.work = memory.take<char>(q_.work_bytes);
}

talus_calls::partial talus_calls::add_partial(const analysis& all, const level_plan& level, int parity,
                                              const storage& at) {
  const auto count = static_cast<std::size_t>(level.fronts);
  const auto first = static_cast<std::size_t>(level.first_front);
  const auto ints = [&](auto of) {
    return arguments_.add<int>(count, systems_, [&](std::size_t i, int) {
      return of(all.tree.fronts[first + i], all.where.blocks[first + i]);
    });
  };
  const auto pointers = [&](double* base, std::int64_t stride, block front_blocks::*which) {
    return arguments_.add<double*>(count, systems_, [&, which](std::size_t i, int s) {
      return base + s * stride + (all.where.blocks[first + i].*which).offset;
    });
  };
  const std::int64_t factors = all.where.factor_elements;
  partial p{};
  p.count = static_cast<std::int64_t>(count) * systems_;
  p.k_max = level.k_max, p.n2_max = level.n2_max;
  p.k = ints([](const front& f, const front_blocks&) { return f.k; });
  p.n2 = ints([](const front& f, const front_blocks&) { return f.n2(); });
  p.ld11 = ints([](const front&, const front_blocks& b) { return b.A11.ld; });
  p.ld21 = ints([](const front&, const front_blocks& b) { return b.A21.ld; });
  p.ld22 = ints([](const front&, const front_blocks& b) { return b.A22.ld; });
  p.A11 = pointers(at.factors, factors, &front_blocks::A11);
  if (!symmetric_) p.A12 = pointers(at.factors, factors, &front_blocks::A12);
  p.A21 = pointers(at.factors, factors, &front_blocks::A21);
  p.A22 = pointers(at.schur[parity], level.schur_elements, &front_blocks::A22);
  if (!symmetric_)
    p.ipiv = arguments_.add<int*>(count, systems_, [&](std::size_t i, int s) {
      return at.ipiv + static_cast<std::int64_t>(s) * all.tree.unknowns + all.tree.fronts[first + i].first;
    });
  p.info = first * static_cast<std::size_t>(systems_);
  return p;
}

talus_calls::step talus_calls::add_step(const solve_step& s, const storage& at, std::int64_t factor_stride) {
  const auto of_factors = [&](const auto& items) {
    return arguments_.add<double*>(items.size(), systems_, [&](std::size_t i, int system) {
      return at.factors + system * factor_stride + items[i].A.offset;
    });
  };
  const auto of_w = [&](const auto& items, auto which) {
    return arguments_.add<double*>(items.size(), systems_, [&, which](std::size_t i, int system) {
      return at.w + static_cast<std::int64_t>(system) * nrhs_ * rows_ + items[i].*which;
    });
  };
  const auto ints = [&](const auto& items, auto of) {
    return arguments_.add<int>(items.size(), systems_, [&](std::size_t i, int) { return of(items[i]); });
  };
  const auto order = [](const triangle& t) { return t.n; };
  const auto m = [](const product& p) { return p.m; };
  const auto n = [](const product& p) { return p.n; };
  const auto ld = [](const auto& item) { return item.A.ld; };
  const auto largest = [](const auto& items, auto of) {
    int most = 0;
    for (const auto& item : items) most = std::max(most, of(item));
    return most;
  };
  const auto count = [&](const auto& items) { return static_cast<std::int64_t>(items.size()) * systems_; };
  const auto& t = s.triangles;
  const auto& p = s.products;
  return {{count(t), largest(t, order), ints(t, order), ints(t, ld), of_factors(t), of_w(t, &triangle::x)},
          {count(p), largest(p, m), largest(p, n), ints(p, m), ints(p, n), ints(p, ld), of_factors(p),
           of_w(p, &product::x), of_w(p, &product::y)}};
}

std::size_t talus_calls::scratch_bytes() const {
  std::size_t most = 0;
  for (const partial& p : partial_)
    most = std::max(
        most, symmetric_
                  ? talus::potrf_partial_split_vbatched_work<double>(p.k_max, p.n2_max, p.count)
                  : talus::getrf_partial_split_vbatched_work<double>(p.k_max, p.n2_max, p.n2_max, p.count));
  for (const auto* levels : {&forward_, &backward_})
    for (const std::vector<step>& level : *levels)
      for (const step& s : level) {
        const products& p = s.multiplied;
        const int columns = std::max(p.n_max, nrhs_), depth = std::max(p.m_max, p.n_max);
        most = std::max({most, talus::trsm_vbatched_work<double>(s.solved.n_max, nrhs_, s.solved.count),
                         talus::gemv_vbatched_work<double>(p.m_max, p.n_max, p.count),
                         talus::gemm_vbatched_work<double>(depth, columns, depth, p.count)});
      }
  return most;
}

void talus_calls::factor(std::size_t level) const {
  const partial& p = partial_[level];
  const argument_arrays& a = arguments_;
  if (symmetric_)
    check("potrf_partial_split_vbatched",
          talus::potrf_partial_split_vbatched<double>(talus::uplo::lower, a[p.k], a[p.n2], a[p.A11],
                                                      a[p.ld11], a[p.A21], a[p.ld21], a[p.A22], a[p.ld22],
                                                      info_ + p.info, p.count, p.k_max, p.n2_max, q_));
  else
    check("getrf_partial_split_vbatched",
          talus::getrf_partial_split_vbatched<double>(
              talus::form::lapack, talus::schur::subtract, a[p.k], a[p.n2], a[p.n2], a[p.A11], a[p.ld11],
              a[p.A12], a[p.ld11], a[p.A21], a[p.ld21], a[p.A22], a[p.ld22], a[p.ipiv], info_ + p.info,
              p.count, p.k_max, p.n2_max, p.n2_max, q_));
}

void talus_calls::solve(const triangles& t, talus::uplo triangle, talus::op op, talus::diag diagonal) const {
  const argument_arrays& a = arguments_;
  check("trsm_vbatched", talus::trsm_vbatched<double>(talus::side::left, triangle, op, diagonal, a[t.n],
                                                      a[width_], 1.0, a[t.A], a[t.ld], a[t.x], a[ld_of_w_],
                                                      nullptr, t.count, t.n_max, nrhs_, q_));
}

void talus_calls::multiply(const products& p, talus::op op) const {
  if (p.count == 0) return;
  const argument_arrays& a = arguments_;
  if (nrhs_ == 1) {
    check("gemv_vbatched",
          talus::gemv_vbatched<double>(op, a[p.m], a[p.n], -1.0, a[p.A], a[p.ld], a[p.x], a[one_], 1.0,
                                       a[p.y], a[one_], nullptr, p.count, p.m_max, p.n_max, q_));
    return;
  }
  const bool turned = op != talus::op::none;  // op(A) has n rows
  check("gemm_vbatched", talus::gemm_vbatched<double>(
                             op, talus::op::none, a[turned ? p.n : p.m], a[width_], a[turned ? p.m : p.n],
                             -1.0, a[p.A], a[p.ld], a[p.x], a[ld_of_w_], 1.0, a[p.y], a[ld_of_w_], nullptr,
                             p.count, turned ? p.n_max : p.m_max, nrhs_, turned ? p.m_max : p.n_max, q_));
}

void talus_calls::solve_forward(std::size_t level) const {
  for (const step& s : forward_[level]) {
    solve(s.solved, talus::uplo::lower, talus::op::none,
          symmetric_ ? talus::diag::non_unit : talus::diag::unit);
    multiply(s.multiplied, talus::op::none);
  }
}

void talus_calls::solve_backward(std::size_t level) const {
  for (const step& s : backward_[level]) {
    multiply(s.multiplied, symmetric_ ? talus::op::trans : talus::op::none);
    solve(s.solved, symmetric_ ? talus::uplo::lower : talus::uplo::upper,
          symmetric_ ? talus::op::trans : talus::op::none, talus::diag::non_unit);
  }
}

}  // namespace multifrontal
