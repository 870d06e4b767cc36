#include "solver.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

namespace multifrontal {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A by rows, of a symmetric matrix both triangles: where rows begin, and for each entry its column and its
/// place in A.value.
struct matrix_by_rows {
  std::vector<int> begin, column, entry;
};

matrix_by_rows by_rows(const sparse::matrix& A) {
  const auto each = [&](auto visit) {
    for (int j = 0; j < A.n; ++j)
      for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) {
        visit(A.row[at(e)], j, e);
        if (A.symmetric && A.row[at(e)] != j) visit(j, A.row[at(e)], e);
      }
  };
  matrix_by_rows rows;
  rows.begin.assign(at(A.n) + 1, 0);
  each([&](int i, int, int) { ++rows.begin[at(i) + 1]; });
  std::partial_sum(rows.begin.begin(), rows.begin.end(), rows.begin.begin());
  rows.column.resize(at(rows.begin.back()));
  rows.entry.resize(rows.column.size());
  std::vector<int> next(rows.begin.begin(), rows.begin.end() - 1);
  each([&](int i, int j, int e) {
    rows.column[at(next[at(i)])] = j;
    rows.entry[at(next[at(i)]++)] = e;
  });
  return rows;
}

}  // namespace

std::size_t solver::bytes(const sparse::matrix& A, const analysis& all, int systems, int nrhs,
                          talus::queue q) {
  solver counting(A, all, systems, nrhs, q, without_memory());
  example::memory_layout memory(counting.q_);
  counting.lay_out(memory);
  return memory.bytes();
}

solver::solver(const sparse::matrix& A, const analysis& all, int systems, int nrhs, talus::queue q,
               without_memory)
    : A_(A), all_(all), systems_(systems), nrhs_(nrhs), q_(q) {}

solver::solver(const sparse::matrix& A, const analysis& all, int systems, int nrhs, talus::queue q)
    : solver(A, all, systems, nrhs, q, without_memory()) {
  memory_.emplace(q.where, bytes(A, all, systems, nrhs, q));
  example::memory_layout memory(q, memory_->data());
  lay_out(memory);
  calls_->run_on(q);
}

void solver::lay_out(example::memory_layout& memory) {
  const assembly_tree& tree = all_.tree;
  const plan& where = all_.where;
  const auto systems = at(systems_), unknowns = at(A_.n);
  pointers& d = data_;
  d.m.factors = memory.take<double>(systems * at(where.factor_elements));
  for (const int parity : {0, 1})
    d.m.schur[parity] = memory.take<double>(systems * at(where.schur_elements[parity]));
  d.m.w = memory.take<double>(systems * at(nrhs_) * tree.row.size());
  d.m.info = memory.take<int>(systems * tree.fronts.size());
  for (double** v : {&d.b, &d.x, &d.r}) *v = memory.take<double>(vector_elements());
  d.value = memory.take<double>(systems * A_.value.size());

  d.destination = memory.send(all_.destination);
  d.entry_scale = memory.send(all_.entry_scale);
  d.row_scale = memory.send(all_.row_scale);
  d.column_scale = memory.send(all_.column_scale);
  d.row_of_pivot = memory.send(all_.row_of_pivot);
  d.column_of_pivot = memory.send(all_.column_of_pivot);
  d.in_parent = memory.send(tree.in_parent);
  d.tiles = memory.send(where.tiles);
  d.contributions = memory.send(where.contributions);
  d.row_tiles = memory.send(where.row_tiles);
  d.row_contributions = memory.send(where.row_contributions);
  const matrix_by_rows rows = by_rows(A_);
  d.A = {memory.send(rows.begin), memory.send(rows.column), memory.send(rows.entry)};

  std::vector<int> row_of_w, first, k;
  for (const front& f : tree.fronts) {
    for (int i = 0; i < f.k; ++i) row_of_w.push_back(static_cast<int>(f.rows) + i);
    first.push_back(f.first), k.push_back(f.k);
  }
  d.row_of_w = memory.send(row_of_w);
  if (!where.symmetric) {
    d.first = memory.send(first), d.k = memory.send(k);
    for (int** v : {&d.m.ipiv, &d.exchanged, &d.scratch}) *v = memory.take<int>(systems * unknowns);
  }
  // On a GPU a block of threads has a product with one right-hand side to itself: small ones occupy it.
  const strips of = q_.where == talus::backend::cuda && nrhs_ == 1 ? strips{32, 4} : strips{256, 64};
  calls_ =
      std::make_unique<talus_calls>(all_, make_solve_plan(tree, where, of), systems_, nrhs_, d.m, memory);
}

void solver::send_values(int system, const std::vector<double>& value) const {
  example::copy(data_.value + at(system) * value.size(), value.data(), value.size() * sizeof(double), q_);
}

void solver::factor(example::timeline* marks) const {
  const plan& where = all_.where;
  const pointers& d = data_;
  const auto mark = [marks] {
    if (marks) marks->mark();
  };
  mark();
  example::clear(d.m.factors, at(systems_) * at(where.factor_elements) * sizeof(double), q_);
  const std::int64_t entries = A_.entries();
  run(scatter_entries{{systems_ * entries},
                      entries,
                      where.factor_elements,
                      d.value,
                      d.entry_scale,
                      d.destination,
                      d.m.factors},
      q_);
  for (std::size_t l = 0; l < levels(); ++l) {
    const level_plan& level = where.levels[l];
    mark();
    run(extend_add{where.symmetric, systems_, level.tiles, d.tiles + level.first_tile, d.contributions,
                   d.in_parent, d.m.schur[(l + 1) % 2], d.m.factors, d.m.schur[l % 2],
                   l > 0 ? where.levels[l - 1].schur_elements : 0, where.factor_elements,
                   level.schur_elements},
        q_);
    mark();
    calls_->factor(l);
  }
  mark();
  if (!where.symmetric) {
    const auto fronts = static_cast<std::int64_t>(all_.tree.fronts.size());
    run(follow_exchanges{{systems_ * fronts}, fronts, A_.n, d.first, d.k, d.m.ipiv, d.scratch, d.exchanged},
        q_);
  }
  mark();
}

std::optional<failure> solver::first_failure() const {
  example::wait(q_);
  const assembly_tree& tree = all_.tree;
  std::vector<int> info(at(systems_) * tree.fronts.size());
  example::copy(info.data(), data_.m.info, info.size() * sizeof(int), q_);
  std::optional<failure> first;
  std::size_t i = 0;
  for (const level_plan& level : all_.where.levels)
    for (int s = 0; s < systems_; ++s)
      for (int f = level.first_front; f < level.first_front + level.fronts; ++f) {
        const int found = info[i++];
        if (found < 0) throw std::logic_error("a front was refused: info " + std::to_string(found));
        if (found == 0 || (first && first->system <= s)) continue;  // a system's first failure comes first
        const int pivot = tree[f].first + found - 1;
        first = failure{s, all_.column_of_pivot[at(pivot)], pivot};
      }
  return first;
}

void solver::send(vector to, const std::vector<double>& values) const {
  example::copy(of(to), values.data(), values.size() * sizeof(double), q_);
}

std::vector<double> solver::fetch(vector from) const {
  std::vector<double> values(vector_elements());
  example::wait(q_);
  example::copy(values.data(), of(from), values.size() * sizeof(double), q_);
  return values;
}

vectors solver::layout_of_vectors() const {
  return {A_.n, nrhs_, static_cast<std::int64_t>(all_.tree.row.size()), data_.m.w};
}

void solver::solve(const double* from, bool add) const {
  const pointers& d = data_;
  const vectors v = layout_of_vectors();
  for (std::size_t l = 0; l < levels(); ++l) {
    const level_plan& level = all_.where.levels[l];
    run(gather_rows{v, systems_, level.row_tiles, d.row_tiles + level.first_row_tile, d.row_contributions,
                    d.in_parent, from, d.row_of_pivot, d.row_scale, d.exchanged},
        q_);
    calls_->solve_forward(l);
  }
  for (std::size_t l = levels(); l-- > 0;) {
    const level_plan& level = all_.where.levels[l];
    if (l + 1 < levels())
      run(rows_of_parents{v, systems_, level.row_tiles, d.row_tiles + level.first_row_tile, d.in_parent}, q_);
    calls_->solve_backward(l);
  }
  run(scatter_solution{{static_cast<std::int64_t>(vector_elements())},
                       v,
                       d.row_of_w,
                       d.column_of_pivot,
                       d.column_scale,
                       d.x,
                       add},
      q_);
}

void solver::find_residual() const {
  const pointers& d = data_;
  run(residual{{static_cast<std::int64_t>(vector_elements())},
               layout_of_vectors(),
               d.A,
               A_.entries(),
               d.value,
               d.x,
               d.b,
               d.r},
      q_);
}

}  // namespace multifrontal
