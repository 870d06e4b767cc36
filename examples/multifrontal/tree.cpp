#include "tree.hpp"

#include <algorithm>
#include <utility>

namespace multifrontal {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The neighbours of the unknown that is eliminated as number j, as numbers.
template <class Visit>
void each_neighbour(const sparse::graph& g, const std::vector<int>& order, const std::vector<int>& number,
                    int j, Visit visit) {
  const int unknown = order[at(j)];
  for (int e = g.begin[at(unknown)]; e < g.begin[at(unknown) + 1]; ++e) visit(number[at(g.neighbour[at(e)])]);
}

/// The parent of column j is the row of the first entry below the diagonal of L's column j (Liu 1990). Paths
/// to the root are shortened as they are walked.
std::vector<int> elimination_tree(const sparse::graph& g, const std::vector<int>& order) {
  const std::vector<int> number = sparse::inverse(order);
  std::vector<int> parent(order.size(), -1), ancestor(order.size(), -1);
  for (int j = 0; j < g.n; ++j)
    each_neighbour(g, order, number, j, [&](int i) {
      while (i != -1 && i < j) {
        const int next = ancestor[at(i)];
        ancestor[at(i)] = j;
        if (next == -1) parent[at(i)] = j;
        i = next;
      }
    });
  return parent;
}

/// Nodes, each after all below it and right after the last of its children.
std::vector<int> postorder(const std::vector<int>& parent) {
  const auto n = static_cast<int>(parent.size());
  std::vector<int> first_child(parent.size(), -1), sibling(parent.size(), -1), order, path;
  for (int j = n - 1; j >= 0; --j)
    if (parent[at(j)] != -1) sibling[at(j)] = std::exchange(first_child[at(parent[at(j)])], j);
  order.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[at(root)] != -1) continue;
    for (path.push_back(root); !path.empty();) {
      const int j = path.back(), child = first_child[at(j)];
      if (child != -1) {
        first_child[at(j)] = sibling[at(child)];
        path.push_back(child);
      } else {
        order.push_back(j);
        path.pop_back();
      }
    }
  }
  return order;
}

/// Entries of each column of L, the diagonal included: row i of L has an entry in each column on the ways
/// from the neighbours of i up to i.
std::vector<int> column_counts(const sparse::graph& g, const std::vector<int>& order,
                               const std::vector<int>& parent) {
  const std::vector<int> number = sparse::inverse(order);
  std::vector<int> count(order.size(), 1), seen(order.size(), -1);
  for (int i = 0; i < g.n; ++i) {
    seen[at(i)] = i;
    each_neighbour(g, order, number, i, [&](int j) {
      for (; j < i && seen[at(j)] != i; j = parent[at(j)]) {
        seen[at(j)] = i;
        ++count[at(j)];
      }
    });
  }
  return count;
}

/// Columns that are eliminated in one front.
struct supernode {
  std::vector<int> columns;  ///< in the order of their elimination
  int n = 0;                 ///< rows
  int parent = -1;           ///< supernode of its last column's parent; -1: a root
  bool merged = false;       ///< into its parent: it has no columns any more
  double zeros = 0;          ///< entries of L that amalgamation has added
  std::vector<int> children;

  int k() const { return static_cast<int>(columns.size()); }
};

double trapezoid(double k, double n) { return k * n - k * (k - 1) / 2; }

/// Columns that follow one another as child and parent, and have the same entries below.
std::vector<supernode> fundamental_supernodes(const std::vector<int>& parent, const std::vector<int>& count) {
  std::vector<supernode> all;
  std::vector<int> supernode_of(parent.size());
  for (int j = 0; j < static_cast<int>(parent.size()); ++j) {
    if (j == 0 || parent[at(j) - 1] != j || count[at(j) - 1] != count[at(j)] + 1) {
      all.emplace_back();
      all.back().n = count[at(j)];
    }
    all.back().columns.push_back(j);
    supernode_of[at(j)] = static_cast<int>(all.size()) - 1;
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    const int above = parent[at(all[s].columns.back())];
    if (above == -1) continue;
    all[s].parent = supernode_of[at(above)];
    all[at(all[s].parent)].children.push_back(static_cast<int>(s));
  }
  return all;
}

/// Merges children into `p` while that stores few zeros. The rows of a child that are no pivots are rows of
/// p already: so all that p gets are the child's pivots. Those with the most rows, which add the fewest
/// zeros, come first.
void merge_children(std::vector<supernode>& all, int p, const amalgamation& how) {
  supernode& parent = all[at(p)];
  std::vector<int> candidates = parent.children, kept;
  const auto smaller = [&](int a, int b) { return all[at(a)].n < all[at(b)].n; };
  std::make_heap(candidates.begin(), candidates.end(), smaller);
  while (!candidates.empty()) {
    std::pop_heap(candidates.begin(), candidates.end(), smaller);
    supernode& child = all[at(candidates.back())];
    const double k = child.k() + parent.k(), n = child.k() + parent.n, entries = trapezoid(k, n);
    const double zeros = child.zeros + parent.zeros + entries - trapezoid(child.k(), child.n) -
                         trapezoid(parent.k(), parent.n);
    const auto limit = std::find_if(how.limits.begin(), how.limits.end(),
                                    [k](const amalgamation::limit& l) { return k <= l.pivots; });
    if (limit == how.limits.end() || zeros > limit->zeros * entries) {
      kept.push_back(candidates.back());
      candidates.pop_back();
      continue;
    }
    candidates.pop_back();
    child.merged = true;
    child.columns.insert(child.columns.end(), parent.columns.begin(), parent.columns.end());
    parent.columns = std::exchange(child.columns, {});
    parent.n = static_cast<int>(n);
    parent.zeros = zeros;
    kept.insert(kept.end(), child.children.begin(), child.children.end());
  }
  parent.children = std::move(kept);
}

/// The fronts, numbered level by level, with the numbers of their pivots; and the order that this makes.
assembly_tree number_fronts(std::vector<supernode>& all, const std::vector<int>& order) {
  std::vector<int> depth(all.size(), 0);
  int deepest = 0;
  for (std::size_t s = all.size(); s-- > 0;) {  // parents first
    if (all[s].merged) continue;
    for (const int child : all[s].children) {
      all[at(child)].parent = static_cast<int>(s);
      depth[at(child)] = depth[s] + 1;
    }
    deepest = std::max(deepest, depth[s]);
  }
  std::vector<std::vector<int>> levels(at(deepest) + 1);
  for (std::size_t s = 0; s < all.size(); ++s)
    if (!all[s].merged) levels[at(deepest - depth[s])].push_back(static_cast<int>(s));

  assembly_tree tree;
  tree.unknowns = static_cast<int>(order.size());
  std::vector<int> front_of(all.size(), -1);
  tree.level_begin.push_back(0);
  for (const std::vector<int>& level : levels) {
    for (const int s : level) {
      front_of[at(s)] = static_cast<int>(tree.fronts.size());
      tree.fronts.push_back({static_cast<int>(tree.order.size()), all[at(s)].k(), all[at(s)].n, -1, 0});
      for (const int column : all[at(s)].columns) tree.order.push_back(order[at(column)]);
    }
    tree.level_begin.push_back(static_cast<int>(tree.fronts.size()));
  }
  tree.children.resize(tree.fronts.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (all[s].merged || all[s].parent == -1) continue;
    const int f = front_of[s], parent = front_of[at(all[s].parent)];
    tree.fronts[at(f)].parent = parent;
    tree.children[at(parent)].push_back(f);
  }
  for (std::vector<int>& children : tree.children) std::sort(children.begin(), children.end());
  return tree;
}

/// A front's rows: its pivots, the rows of their entries in A, and what its children have left.
void find_rows(assembly_tree& tree, const sparse::graph& g) {
  const std::vector<int> number = sparse::inverse(tree.order);
  std::vector<int> place(at(tree.unknowns), -1);  // in the front at hand; before that, in which front last
  for (int f = 0; f < static_cast<int>(tree.fronts.size()); ++f) {
    front& here = tree.fronts[at(f)];
    here.rows = static_cast<std::int64_t>(tree.row.size());
    const int end = here.first + here.k;
    const auto add = [&](int i) {
      if (i < here.first || place[at(i)] == f) return;
      place[at(i)] = f;
      tree.row.push_back(i);
    };
    for (int j = here.first; j < end; ++j) add(j);
    for (int j = here.first; j < end; ++j) each_neighbour(g, tree.order, number, j, add);
    for (const int child : tree.children[at(f)])
      for (int r = tree[child].k; r < tree[child].n; ++r)
        add(tree.row[at(r) + static_cast<std::size_t>(tree[child].rows)]);
    std::sort(tree.row.begin() + here.rows, tree.row.end());
    here.n = static_cast<int>(static_cast<std::int64_t>(tree.row.size()) - here.rows);
  }
  tree.in_parent.assign(tree.row.size(), -1);
  for (int p = 0; p < static_cast<int>(tree.fronts.size()); ++p) {
    for (int i = 0; i < tree[p].n; ++i) place[at(tree.rows(p)[i])] = i;
    for (const int child : tree.children[at(p)])
      for (int r = tree[child].k; r < tree[child].n; ++r)
        tree.in_parent[static_cast<std::size_t>(tree[child].rows) + at(r)] = place[at(tree.rows(child)[r])];
  }
}

}  // namespace

assembly_tree build_tree(const sparse::graph& g, const std::vector<int>& given, const amalgamation& how) {
  std::vector<int> order(given.size());
  {
    const std::vector<int> parent = elimination_tree(g, given), visit = postorder(parent);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = given[at(visit[i])];
  }
  const std::vector<int> parent = elimination_tree(g, order);
  std::vector<supernode> all = fundamental_supernodes(parent, column_counts(g, order, parent));
  for (int p = 0; p < static_cast<int>(all.size()); ++p) merge_children(all, p, how);
  assembly_tree tree = number_fronts(all, order);
  find_rows(tree, g);
  return tree;
}

double partial_flops(double n, double k, bool symmetric) {
  // The sum over j < k of (n - j - 1) divisions and (n - j - 1)^2 multiplications and additions, half of them
  // where there is one triangle.
  const double m = n - k, squares = (n * (n - 1) * (2 * n - 1) - m * (m - 1) * (2 * m - 1)) / 6;
  const double divisions = (n * (n - 1) - m * (m - 1)) / 2;
  return symmetric ? squares + 2 * divisions : 2 * squares + divisions;
}

}  // namespace multifrontal
