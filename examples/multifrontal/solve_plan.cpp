#include "solve_plan.hpp"

#include <algorithm>
#include <utility>

namespace multifrontal {
namespace {

block shifted(const block& b, int row, int column) {
  return {b.offset + row + static_cast<std::int64_t>(column) * b.ld, b.ld};
}

/// Calls visit(begin, end) for strips of at most `most`.
template <class Visit>
void cut(int begin, int end, int most, Visit visit) {
  for (int i = begin; i < end; i += most) visit(i, std::min(end, i + most));
}

/// Pivots begin ... end - 1 of a front.
void add_step(const front& f, const front_blocks& b, bool symmetric, const strips& of, int begin, int end,
              solve_step& forward, solve_step& backward) {
  const int width = end - begin;
  const triangle diagonal{shifted(b.A11, begin, begin), width, f.rows + begin};
  forward.triangles.push_back(diagonal);
  backward.triangles.push_back(diagonal);
  const auto strip_of_L = [&](const block& rows, int first, int i, int last) {
    forward.products.push_back(
        {shifted(rows, i - first, begin), last - i, width, f.rows + begin, f.rows + i});
  };
  cut(end, f.k, of.rows, [&](int i, int last) { strip_of_L(b.A11, 0, i, last); });
  cut(f.k, f.n, of.rows, [&](int i, int last) { strip_of_L(b.A21, f.k, i, last); });
  if (end < f.n)
    cut(begin, end, of.pivots, [&](int i, int last) {
      const std::int64_t behind = f.rows + end, own = f.rows + i;
      backward.products.push_back(symmetric
                                      ? product{shifted(b.A11, end, i), f.n - end, last - i, behind, own}
                                      : product{shifted(b.A11, i, end), last - i, f.n - end, behind, own});
    });
}

}  // namespace

solve_plan make_solve_plan(const assembly_tree& tree, const plan& where, const strips& of) {
  solve_plan all;
  for (const level_plan& level : where.levels) {
    const auto steps = static_cast<std::size_t>((level.k_max + solve_block - 1) / solve_block);
    std::vector<solve_step> forward(steps), backward(steps);
    for (int f = level.first_front; f < level.first_front + level.fronts; ++f) {
      std::size_t step = 0;
      cut(0, tree[f].k, solve_block, [&](int begin, int end) {
        add_step(tree[f], where.blocks[static_cast<std::size_t>(f)], where.symmetric, of, begin, end,
                 forward[step], backward[step]);
        ++step;
      });
    }
    std::reverse(backward.begin(), backward.end());
    all.forward.push_back(std::move(forward));
    all.backward.push_back(std::move(backward));
  }
  return all;
}

}  // namespace multifrontal
