#include "plan.hpp"

#include <algorithm>
#include <utility>

namespace multifrontal {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Columns of more than 16 rows begin at sectors of 32 bytes. Padding would be much of what shorter ones
/// take.
int leading_dimension(int rows) { return rows <= 16 ? std::max(rows, 1) : (rows + 3) / 4 * 4; }

/// Reserves rows x columns in `elements`.
block reserve(std::int64_t& elements, int rows, int columns) {
  const block b{elements, leading_dimension(rows)};
  elements +=
      (static_cast<std::int64_t>(b.ld) * columns + 3) / 4 * 4;  // the next block begins at a sector, too
  return b;
}

front_blocks place(const front& f, bool symmetric, std::int64_t& factors, std::int64_t& schur) {
  front_blocks b;
  if (symmetric) {
    b.A11 = reserve(factors, f.n, f.k);
    b.A21 = {b.A11.offset + f.k, b.A11.ld};
  } else {
    b.A11 = reserve(factors, f.k, f.n);
    b.A12 = {b.A11.offset + static_cast<std::int64_t>(b.A11.ld) * f.k, b.A11.ld};
    b.A21 = reserve(factors, f.n2(), f.k);
  }
  b.A22 = reserve(schur, f.n2(), f.n2());
  return b;
}

/// Where tiles of a front begin: at multiples of the edge, counted from its first row and again from row k;
/// and n.
std::vector<int> cuts(const front& f) {
  std::vector<int> all;
  for (int i = 0; i < f.k; i += tile::edge) all.push_back(i);
  for (int i = f.k; i < f.n; i += tile::edge) all.push_back(i);
  all.push_back(f.n);
  return all;
}

/// Of a child the rows that fall between two cuts of its parent.
struct piece {
  std::size_t cut;
  int begin, end;
};

std::vector<piece> pieces(const assembly_tree& tree, int child, const std::vector<int>& cut) {
  const front& c = tree[child];
  const int* in_parent = tree.rows_in_parent(child) + c.k;
  std::vector<piece> all;
  for (int r = 0; r < c.n2();) {
    const auto above = std::upper_bound(cut.begin(), cut.end(), in_parent[r]);
    const int begin = r;
    while (r < c.n2() && in_parent[r] < *above) ++r;
    all.push_back({static_cast<std::size_t>(above - cut.begin()) - 1, begin, r});
  }
  return all;
}

const block& block_of(const front& f, const front_blocks& b, int row, int column) {
  return column < f.k ? (row < f.k ? b.A11 : b.A21) : (row < f.k ? b.A12 : b.A22);
}

/// Where an element of a front lies: in the factors, or, of A22, in the Schur complements.
std::int64_t offset_of(const front& f, const front_blocks& b, int row, int column) {
  const block& in = block_of(f, b, row, column);
  const int i = row < f.k ? row : row - f.k, j = column < f.k ? column : column - f.k;
  return in.offset + i + static_cast<std::int64_t>(j) * in.ld;
}

/// Without contributions.
tile make_tile(const front& f, const front_blocks& b, int row, int rows, int column, int columns) {
  return {offset_of(f, b, row, column),
          0,
          block_of(f, b, row, column).ld,
          row,
          column,
          static_cast<short>(rows),
          static_cast<short>(columns),
          row >= f.k && column >= f.k};
}

void plan_front(const assembly_tree& tree, int f, plan& all) {
  const front& here = tree[f];
  const std::vector<int> cut = cuts(here);
  const std::size_t count = cut.size() - 1;
  std::vector<std::vector<contribution>> of_tile(count * count), of_rows(count);
  for (const int child : tree.children[at(f)]) {
    const block& A22 = all.blocks[at(child)].A22;
    const contribution whole{A22.offset, tree[child].rows + tree[child].k, A22.ld, 0, 0, 0, 0};
    const std::vector<piece> found = pieces(tree, child, cut);
    for (const piece& rows : found) {
      contribution c = whole;
      c.row_begin = rows.begin, c.row_end = rows.end;
      of_rows[rows.cut].push_back(c);
      for (const piece& columns : found) {
        if (all.symmetric && columns.cut > rows.cut) continue;
        c.column_begin = columns.begin, c.column_end = columns.end;
        of_tile[rows.cut * count + columns.cut].push_back(c);
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < (all.symmetric ? i + 1 : count); ++j) {
      tile t = make_tile(here, all.blocks[at(f)], cut[i], cut[i + 1] - cut[i], cut[j], cut[j + 1] - cut[j]);
      const std::vector<contribution>& own = of_tile[i * count + j];
      if (own.empty() && !t.schur) continue;
      t.contributions = static_cast<std::int64_t>(all.contributions.size());
      all.contributions.insert(all.contributions.end(), own.begin(), own.end());
      all.tiles.push_back(t);
    }
    all.row_tiles.push_back({here.rows + cut[i], static_cast<std::int64_t>(all.row_contributions.size()),
                             here.parent == -1 ? 0 : tree[here.parent].rows, here.first, here.k, cut[i],
                             cut[i + 1] - cut[i]});
    all.row_contributions.insert(all.row_contributions.end(), of_rows[i].begin(), of_rows[i].end());
  }
}

}  // namespace

plan make_plan(const assembly_tree& tree, bool symmetric) {
  plan all;
  all.symmetric = symmetric;
  all.blocks.resize(tree.fronts.size());
  std::int64_t before = 0;
  for (int l = 0; l < tree.levels(); ++l) {
    level_plan level;
    level.first_front = tree.level_begin[at(l)];
    level.fronts = tree.level_begin[at(l) + 1] - level.first_front;
    level.first_tile = static_cast<std::int64_t>(all.tiles.size());
    level.first_row_tile = static_cast<std::int64_t>(all.row_tiles.size());
    std::int64_t whole = 0;
    for (int f = level.first_front; f < level.first_front + level.fronts; ++f) {
      const front& here = tree[f];
      all.blocks[at(f)] = place(here, symmetric, all.factor_elements, level.schur_elements);
      level.n_max = std::max(level.n_max, here.n);
      level.k_max = std::max(level.k_max, here.k);
      level.n2_max = std::max(level.n2_max, here.n2());
      level.flops += partial_flops(here.n, here.k, symmetric);
      const std::int64_t n = here.n, k = here.k;
      all.factor_nonzeros += symmetric ? n * k - k * (k - 1) / 2 : 2 * n * k - k * k;
      whole += n * n;
      plan_front(tree, f, all);
    }
    level.tiles = static_cast<std::int64_t>(all.tiles.size()) - level.first_tile;
    level.row_tiles = static_cast<std::int64_t>(all.row_tiles.size()) - level.first_row_tile;
    all.schur_elements[l % 2] = std::max(all.schur_elements[l % 2], level.schur_elements);
    all.two_levels_elements = std::max(all.two_levels_elements, before + whole);
    before = whole;
    all.flops += level.flops;
    all.levels.push_back(level);
  }
  all.tiles.push_back({});  // so that each tile's contributions end where the next one's begin
  all.tiles.back().contributions = static_cast<std::int64_t>(all.contributions.size());
  all.row_tiles.push_back({});
  all.row_tiles.back().contributions = static_cast<std::int64_t>(all.row_contributions.size());
  return all;
}

std::vector<std::int64_t> destinations(const sparse::matrix& A, const std::vector<int>& new_row,
                                       const assembly_tree& tree, const plan& where) {
  const std::vector<int> number = sparse::inverse(tree.order);
  std::vector<int> front_of(at(A.n));
  for (int f = 0; f < static_cast<int>(tree.fronts.size()); ++f)
    std::fill_n(front_of.begin() + tree[f].first, tree[f].k, f);

  std::vector<std::int64_t> all(at(A.entries()));
  for (int column = 0; column < A.n; ++column)
    for (int e = A.begin[at(column)]; e < A.begin[at(column) + 1]; ++e) {
      const int stored = A.row[at(e)];
      int i = number[at(new_row.empty() ? stored : new_row[at(stored)])], j = number[at(column)];
      if (where.symmetric && i < j) std::swap(i, j);
      const int f = front_of[at(std::min(i, j))];
      const front& here = tree[f];
      const auto position = [&](int row) {
        const int* rows = tree.rows(f);
        return static_cast<int>(std::lower_bound(rows, rows + here.n, row) - rows);
      };
      const int r = position(i), c = position(j);
      all[at(e)] = offset_of(here, where.blocks[at(f)], r, c);
    }
  return all;
}

}  // namespace multifrontal
