#include "problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "common/matrix_market.hpp"
#include "common/random_numbers.hpp"

namespace sparse {
namespace {

std::size_t as_size(int i) { return static_cast<std::size_t>(i); }

/// What varies from system to system: 1 in system 0, between 1/2 and 2 in others.
class coefficients {
 public:
  explicit coefficients(std::int64_t s) : vary_(s != 0), random_(static_cast<std::uint64_t>(s)) {}

  double next() { return vary_ ? 1.25 + 0.75 * random_.next() : 1; }
  std::vector<double> next(std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = next();
    return values;
  }

 private:
  bool vary_;
  example::random_numbers random_;
};

// ---- grids ---------------------------------------------------------------------------------------

std::size_t dimension(const grid& size) { return size[2] > 1 ? 3 : 2; }

std::int64_t count_nodes(const grid& size) { return std::int64_t{size[0]} * size[1] * size[2]; }

/// From a node to the next one along each axis.
grid strides(const grid& size) { return {1, size[0], size[0] * size[1]}; }

std::string title(const std::string& equation, const grid& size) {
  std::string text = equation + ", " + std::to_string(size[0]);
  for (std::size_t axis = 1; axis < dimension(size); ++axis) text += " x " + std::to_string(size[axis]);
  return text;
}

/// Of both triangles together an int counts the entries.
constexpr int most_entries = std::numeric_limits<int>::max() / 2;

/// A symmetric matrix without entries as yet.
matrix empty_matrix(const std::string& name, std::int64_t unknowns, std::int64_t entries) {
  if (unknowns > most_entries || entries > most_entries)
    throw std::invalid_argument(name + ": " + std::to_string(unknowns) + " unknowns and " +
                                std::to_string(entries) + " entries are more than an int counts");
  matrix A;
  A.name = name;
  A.n = static_cast<int>(unknowns);
  A.symmetric = true;
  A.begin.reserve(static_cast<std::size_t>(unknowns) + 1);
  A.begin.push_back(0);
  A.row.reserve(static_cast<std::size_t>(entries));
  return A;
}

/// Calls visit(node, place), x fastest.
template <class Visit>
void for_each_node(const grid& size, Visit visit) {
  int node = 0;
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) visit(node++, grid{x, y, z});
}

// ---- Poisson's equation --------------------------------------------------------------------------

/// The diagonal, and the links between nodes.
std::int64_t poisson_entries(const grid& size) {
  const std::int64_t nodes = count_nodes(size);
  std::int64_t sum = nodes;
  for (const int edge : size) sum += nodes / edge * (edge - 1);
  return sum;
}

/// A node has 2 * dimension links, some of them to the boundary; the diagonal is the sum of their c.
std::vector<double> poisson_values(const grid& size, std::int64_t s) {
  coefficients c(s);
  const grid stride = strides(size);
  std::vector<double> value, diagonal(static_cast<std::size_t>(count_nodes(size)), 0.0);
  value.reserve(static_cast<std::size_t>(poisson_entries(size)));
  for_each_node(size, [&](int node, const grid& place) {
    const std::size_t on_diagonal = value.size();
    value.push_back(0);
    for (std::size_t axis = 0; axis < dimension(size); ++axis) {
      if (place[axis] == 0) diagonal[as_size(node)] += c.next();
      const double ahead = c.next();
      diagonal[as_size(node)] += ahead;
      if (place[axis] + 1 == size[axis]) continue;
      diagonal[as_size(node + stride[axis])] += ahead;
      value.push_back(-ahead);
    }
    value[on_diagonal] = diagonal[as_size(node)];  // complete: links from nodes before are in it
  });
  return value;
}

// ---- linear elasticity ---------------------------------------------------------------------------

/// Corner c of an element is at its upper end along the axes of c's bits.
int upper(int corner, std::size_t axis) { return corner >> axis & 1; }

/// Of a square (plane strain) or cube with an edge of 1 and Young's modulus 1: column-major, both triangles.
/// Component a of corner c has number dimension * c + a. Two Gauss points per direction.
std::vector<double> element_stiffness(std::size_t dimension) {
  constexpr double poissons_ratio = 0.3;
  constexpr double lambda = poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  constexpr double mu = 1 / (2 * (1 + poissons_ratio));
  const double off_middle = std::sqrt(1.0 / 12);
  const int corners = 1 << dimension;
  std::vector<double> K;
  K.reserve(dimension * as_size(corners) * dimension * as_size(corners));
  std::vector<std::array<std::array<double, 3>, 8>> gradients;  // by Gauss point, shape function
  for (int q = 0; q < corners; ++q) {
    auto& gradient = gradients.emplace_back();
    for (int c = 0; c < corners; ++c)
      for (std::size_t a = 0; a < dimension; ++a) {
        gradient[as_size(c)][a] = upper(c, a) ? 1 : -1;
        for (std::size_t b = 0; b < dimension; ++b)
          if (b != a)
            gradient[as_size(c)][a] *= 0.5 + (upper(c, b) == upper(q, b) ? off_middle : -off_middle);
      }
  }
  for (std::size_t j = 0; j < dimension * as_size(corners); ++j)
    for (std::size_t i = 0; i < dimension * as_size(corners); ++i) {
      const std::size_t a = i % dimension, b = j % dimension;
      double sum = 0;
      for (const auto& gradient : gradients) {
        const auto &g = gradient[i / dimension], &h = gradient[j / dimension];
        sum += lambda * g[a] * h[b] + mu * g[b] * h[a];
        if (a == b) sum += mu * (g[0] * h[0] + g[1] * h[1] + g[2] * h[2]);
      }
      K.push_back(sum / corners);
    }
  return K;
}

/// Along x element e lies between nodes e - 1 and e, where node -1 is clamped; along y and z between e and
/// e + 1.
///
/// A node has 3^dimension neighbours, itself the middle one: the step to neighbour k along an axis is k's
/// digit to the base 3, less 1. Those after the middle one have larger numbers among the nodes, too.
class clamped_block {
 public:
  explicit clamped_block(const grid& size)
      : size_(size),
        dimension_(dimension(size)),
        corners_(1 << dimension_),
        neighbours_(dimension_ == 3 ? 27 : 9),
        middle_(neighbours_ / 2),
        stiffness_(element_stiffness(dimension_)) {
    const grid stride = strides(size);
    for (int k = middle_; k < neighbours_; ++k)
      for (std::size_t axis = 0; axis < dimension_; ++axis)
        distance_[as_size(k)] += step(k, axis) * stride[axis];
    for (int from = 0; from < corners_; ++from)
      for (int to = 0; to < corners_; ++to)
        for (std::size_t axis = 0; axis < dimension_; ++axis)
          between_[as_size(from)][as_size(to)] += power[axis] * (1 + upper(to, axis) - upper(from, axis));
  }

  matrix pattern() const {
    const auto d = static_cast<std::int64_t>(dimension_);
    const std::int64_t nodes = count_nodes(size_);
    std::int64_t pairs = 1;  // of neighbours, in both orders
    for (std::size_t axis = 0; axis < dimension_; ++axis) pairs *= 3 * size_[axis] - 2;
    matrix A = empty_matrix(title("elasticity", size_), d * nodes,
                            (pairs - nodes) / 2 * d * d + nodes * d * (d + 1) / 2);
    std::vector<int> later;
    for_each_node(size_, [&](int node, const grid& place) {
      find_later(place, later);
      for (std::size_t a = 0; a < dimension_; ++a) {
        for (const int k : later)
          for (std::size_t b = k == middle_ ? a : 0; b < dimension_; ++b)
            A.row.push_back((node + distance_[as_size(k)]) * static_cast<int>(d) + static_cast<int>(b));
        A.begin.push_back(static_cast<int>(A.row.size()));
      }
    });
    return A;
  }

  std::vector<double> values(std::size_t entries, std::int64_t s) const {
    const grid elements = {size_[0], size_[1] - 1, std::max(size_[2] - 1, 1)};
    const std::vector<double> modulus = coefficients(s).next(static_cast<std::size_t>(count_nodes(elements)));
    std::vector<double> value;
    value.reserve(entries);
    std::vector<int> later;
    std::array<double, 27 * 9> block;  // dimension by dimension, column-major, for each neighbour
    for_each_node(size_, [&](int, const grid& place) {
      block.fill(0);
      for (int c = 0; c < corners_; ++c) {
        const grid element = {place[0] + 1 - upper(c, 0), place[1] - upper(c, 1), place[2] - upper(c, 2)};
        if (is_in(elements, element)) add(c, modulus[number_of(elements, element)], block.data());
      }
      find_later(place, later);
      for (std::size_t a = 0; a < dimension_; ++a)
        for (const int k : later)
          for (std::size_t b = k == middle_ ? a : 0; b < dimension_; ++b)
            value.push_back(block[(as_size(k) * dimension_ + a) * dimension_ + b]);
    });
    return value;
  }

 private:
  static constexpr int power[] = {1, 3, 9};
  static int step(int k, std::size_t axis) { return k / power[axis] % 3 - 1; }

  static bool is_in(const grid& size, const grid& place) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (place[axis] < 0 || place[axis] >= size[axis]) return false;
    return true;
  }
  static std::size_t number_of(const grid& size, const grid& place) {
    return as_size(place[0] + size[0] * (place[1] + size[1] * place[2]));
  }

  /// The node itself, and those of its neighbours that come later.
  void find_later(const grid& place, std::vector<int>& later) const {
    later.clear();
    for (int k = middle_; k < neighbours_; ++k) {
      grid other = place;
      for (std::size_t axis = 0; axis < dimension_; ++axis) other[axis] += step(k, axis);
      if (is_in(size_, other)) later.push_back(k);
    }
  }

  /// Adds what an element gives to the columns of the node at its corner.
  void add(int corner, double modulus, double* block) const {
    const std::size_t d = dimension_, n = d * as_size(corners_);
    for (int other = 0; other < corners_; ++other) {
      const int k = between_[as_size(corner)][as_size(other)];
      if (k < middle_) continue;
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b)
          block[(as_size(k) * d + a) * d + b] +=
              modulus * stiffness_[(d * as_size(corner) + a) * n + d * as_size(other) + b];
    }
  }

  grid size_;
  std::size_t dimension_;
  int corners_, neighbours_, middle_;
  std::vector<double> stiffness_;
  std::array<int, 27> distance_ = {};               ///< to each neighbour, among the nodes' numbers
  std::array<std::array<int, 8>, 8> between_ = {};  ///< which neighbour one corner is to another
};

}  // namespace

problem poisson(const grid& size) {
  matrix A = empty_matrix(title("Poisson", size), count_nodes(size), poisson_entries(size));
  const grid stride = strides(size);
  for_each_node(size, [&](int node, const grid& place) {
    A.row.push_back(node);
    for (std::size_t axis = 0; axis < dimension(size); ++axis)
      if (place[axis] + 1 < size[axis]) A.row.push_back(node + stride[axis]);
    A.begin.push_back(static_cast<int>(A.row.size()));
  });
  A.value = poisson_values(size, 0);
  return {std::move(A), [size](std::int64_t s) { return poisson_values(size, s); }};
}

problem elasticity(const grid& size) {
  if (size[1] == 1)
    throw std::invalid_argument(title("elasticity", size) + ": with one node along y there is no element");
  const auto block = std::make_shared<const clamped_block>(size);
  matrix A = block->pattern();
  const std::size_t entries = A.row.size();
  A.value = block->values(entries, 0);
  return {std::move(A), [block, entries](std::int64_t s) { return block->values(entries, s); }};
}

problem read_problem(const std::string& file) {
  const example::sparse_matrix read = example::read_matrix_market(file);
  const auto refuse = [&](const std::string& why) { throw example::file_error(file, read.size_line, why); };
  if (read.rows != read.columns)
    refuse("the matrix is " + std::to_string(read.rows) + " x " + std::to_string(read.columns) +
           ": only a square one can be factored");
  if (read.entries.empty()) refuse("the matrix has no entries");
  if (read.entries.size() > as_size(most_entries))
    refuse("its " + std::to_string(read.entries.size()) + " entries are more than an int counts");

  const auto n = as_size(read.rows);
  matrix A;
  A.name = file.substr(file.find_last_of('/') + 1);
  A.n = read.rows;
  A.symmetric = read.symmetric;
  A.begin.assign(n + 1, 0);
  for (const auto& entry : read.entries) {
    ++A.begin[as_size(entry.column) + 1];
    A.row.push_back(entry.row);
    A.value.push_back(entry.value);
  }
  for (std::size_t j = 0; j < n; ++j) A.begin[j + 1] += A.begin[j];

  const auto kept = std::make_shared<const matrix>(A);
  return {std::move(A), [kept, n](std::int64_t s) {
            coefficients c(s);
            const std::vector<double> D = c.next(n), E = kept->symmetric ? D : c.next(n);
            std::vector<double> value = kept->value;
            for (std::size_t j = 0; j < n; ++j)
              for (int e = kept->begin[j]; e < kept->begin[j + 1]; ++e)
                value[as_size(e)] *= D[as_size(kept->row[as_size(e)])] * E[j];
            return value;
          }};
}

problem with_both_triangles(const problem& symmetric) {
  const matrix& L = symmetric.A;
  const auto each =
      [&L](auto visit) {  // by columns, rows ascending: those above the diagonal come from columns before
        for (int j = 0; j < L.n; ++j)
          for (int e = L.begin[as_size(j)]; e < L.begin[as_size(j) + 1]; ++e)
            if (L.row[as_size(e)] != j) visit(j, L.row[as_size(e)], e);
        for (int j = 0; j < L.n; ++j)
          for (int e = L.begin[as_size(j)]; e < L.begin[as_size(j) + 1]; ++e) visit(L.row[as_size(e)], j, e);
      };
  matrix A;
  A.name = L.name;
  A.n = L.n;
  A.begin.assign(as_size(L.n) + 1, 0);
  each([&](int, int column, int) { ++A.begin[as_size(column) + 1]; });
  for (std::size_t j = 0; j < as_size(L.n); ++j) A.begin[j + 1] += A.begin[j];
  A.row.resize(as_size(A.entries()));
  std::vector<int> next(A.begin.begin(), A.begin.end() - 1), entry(A.row.size());
  each([&](int row, int column, int e) {
    const std::size_t place = as_size(next[as_size(column)]++);
    A.row[place] = row;
    entry[place] = e;
  });
  const auto values = [of = symmetric.values, entry = std::move(entry)](std::int64_t s) {
    const std::vector<double> stored = of(s);
    std::vector<double> value;
    for (const int e : entry) value.push_back(stored[as_size(e)]);
    return value;
  };
  A.value = values(0);
  return {std::move(A), values};
}

}  // namespace sparse
