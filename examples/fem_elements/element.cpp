#include "element.hpp"

#include <cmath>
#include <limits>

#include "blas.hpp"

namespace fem {
namespace {

constexpr double pi = 3.14159265358979323846;

std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }
int size(const std::vector<double>& x) { return static_cast<int>(x.size()); }

/// Lagrange's polynomial that is 1 at node i and 0 at the others, and its derivative, at x.
struct value_and_slope {
  double value, slope;
};
value_and_slope lagrange(const std::vector<double>& node, int i, double x) {
  value_and_slope l{1, 0};
  for (int j = 0; j < size(node); ++j) {
    if (j == i) continue;
    const double width = node[at(i)] - node[at(j)], factor = (x - node[at(j)]) / width;
    l.slope = l.slope * factor + l.value / width;
    l.value *= factor;
  }
  return l;
}

void copy_lower_to_upper(int n, double* A) {
  for (std::ptrdiff_t j = 0; j < n; ++j)
    for (std::ptrdiff_t i = j + 1; i < n; ++i) A[j + i * n] = A[i + j * n];
}

}  // namespace

quadrature gauss_legendre(int n) {
  quadrature rule{std::vector<double>(at(n)), std::vector<double>(at(n))};
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 100; ++step) {  // Newton on the Legendre polynomial P_n
      double before = 0, P = 1;
      for (int k = 0; k < n; ++k) {
        const double next = ((2 * k + 1) * x * P - k * before) / (k + 1);
        before = P;
        P = next;
      }
      slope = n * (x * P - before) / (x * x - 1);
      const double dx = P / slope;
      x -= dx;
      if (std::abs(dx) < 4 * std::numeric_limits<double>::epsilon()) break;
    }
    rule.points[at(i)] = x;
    rule.weights[at(i)] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

std::vector<double> gauss_lobatto(int order) {
  switch (order) {
    case 1:
      return {-1, 1};
    case 2:
      return {-1, 0, 1};
    case 3:
      return {-1, -std::sqrt(1 / 5.0), std::sqrt(1 / 5.0), 1};
    default:
      return {-1, -std::sqrt(3 / 7.0), 0, std::sqrt(3 / 7.0), 1};
  }
}

shape_table tabulate(const std::vector<double>& nodes_1d, const std::vector<double>& points_1d) {
  const int n = size(nodes_1d), m = size(points_1d);
  shape_table table{n * n * n, m * m * m, {}, {}};
  table.N.reserve(at(table.points * table.nodes));
  table.dN.reserve(at(3 * table.points * table.nodes));
  for (int i = 0; i < table.nodes; ++i)
    for (int derivative = -1; derivative < 3; ++derivative)  // -1: the function itself
      for (int q = 0; q < table.points; ++q) {
        const value_and_slope l[3] = {lagrange(nodes_1d, i % n, points_1d[at(q % m)]),
                                      lagrange(nodes_1d, i / n % n, points_1d[at(q / m % m)]),
                                      lagrange(nodes_1d, i / n / n, points_1d[at(q / m / m)])};
        double product = 1;
        for (int axis = 0; axis < 3; ++axis) product *= axis == derivative ? l[axis].slope : l[axis].value;
        (derivative < 0 ? table.N : table.dN).push_back(product);
      }
  return table;
}

reference_hexahedron::reference_hexahedron(int order_) : order(order_), nodes_1d(gauss_lobatto(order_)) {
  const quadrature gauss = gauss_legendre(order + 2);
  shape = tabulate(nodes_1d, gauss.points);
  trilinear = tabulate({-1, 1}, gauss.points);
  nodes = shape.nodes;
  points = shape.points;
  for (const double wz : gauss.weights)
    for (const double wy : gauss.weights)
      for (const double wx : gauss.weights) weights.push_back(wx * wy * wz);
}

element::element(const reference_hexahedron& reference)
    : reference_(reference),
      nodes_(reference.nodes),
      points_(reference.points),
      N_(at(points_ * nodes_)),
      G_(at(3 * points_ * nodes_)),
      root_volume_(at(points_)),
      x_(at(points_)),
      dual_(at(9 * points_)) {}

double element::map(const hexahedron& corners) {
  const shape_table& geometry = reference_.trilinear;
  double smallest = std::numeric_limits<double>::infinity();
  for (int q = 0; q < points_; ++q) {
    point x{}, t[3] = {};  // t[r] = ∂x/∂ξ_r: the rows of J
    for (int c = 0; c < 8; ++c)
      for (int d = 0; d < 3; ++d) {
        x[at(d)] += geometry.N[at(q + points_ * c)] * corners[at(c)][at(d)];
        for (int r = 0; r < 3; ++r)
          t[r][at(d)] += geometry.dN[at(q + points_ * (r + 3 * c))] * corners[at(c)][at(d)];
      }
    const double det = dot(t[0], cross(t[1], t[2]));
    smallest = det < smallest || std::isnan(det) ? det : smallest;
    const double root = std::sqrt(reference_.weights[at(q)] * det);
    x_[at(q)] = x;
    root_volume_[at(q)] = root;
    for (int r = 0; r < 3; ++r) {  // column r of J^-1, dual to t[r]
      const point dual = cross(t[(r + 1) % 3], t[(r + 2) % 3]);
      for (int a = 0; a < 3; ++a) dual_[at(q + points_ * (a + 3 * r))] = dual[at(a)] * (root / det);
    }
  }

  for (int i = 0; i < nodes_; ++i) {
    const double* values = &reference_.shape.N[at(points_ * i)];
    const double* slopes = &reference_.shape.dN[at(points_ * 3 * i)];
    double* N = &N_[at(points_ * i)];
    for (int q = 0; q < points_; ++q) N[q] = root_volume_[at(q)] * values[q];
    for (int a = 0; a < 3; ++a) {  // ∂_a N_i = sum over r of (J^-1)_ar ∂N_i/∂ξ_r
      const double* dual = &dual_[at(points_ * a)];
      double* G = &G_[at(points_ * (a + 3 * i))];
      for (int q = 0; q < points_; ++q)
        G[q] = dual[q] * slopes[q] + dual[q + 3 * points_] * slopes[q + points_] +
               dual[q + 6 * points_] * slopes[q + 2 * points_];
    }
  }
  return smallest;
}

void element::matrix(physics kind, const material& m, double dt, double* A) {
  if (kind == physics::heat)
    heat_matrix(m, dt, A);
  else
    elasticity_matrix(m, dt, A);
}

void element::heat_matrix(const material& m, double dt, double* A) const {
  blas::syrk(nodes_, points_, m.density, N_.data(), 0, A);
  blas::syrk(nodes_, 3 * points_, dt * dt * m.conductivity, G_.data(), 1, A);
  copy_lower_to_upper(nodes_, A);
}

// With u = N_j e_b and v = N_i e_a, and H_(ia,jb) = ∫ ∂_a N_i ∂_b N_j:
//   (div u)(div v)   gives  H_(ia,jb)
//   2 ε(u):ε(v)      gives  H_(ib,ja) + δ_ab sum over c of H_(ic,jc)
void element::elasticity_matrix(const material& m, double dt, double* A) {
  const std::ptrdiff_t nodes = nodes_, n = 3 * nodes;
  M_.resize(at(nodes * nodes));
  H_.resize(at(n * n));
  blas::syrk(nodes_, points_, 1, N_.data(), 0, M_.data());
  blas::syrk(3 * nodes_, points_, 1, G_.data(), 0, H_.data());
  copy_lower_to_upper(nodes_, M_.data());
  copy_lower_to_upper(3 * nodes_, H_.data());

  const double lambda = dt * dt * m.lame_lambda(), mu = dt * dt * m.lame_mu();
  for (std::ptrdiff_t j = 0; j < nodes; ++j)
    for (std::ptrdiff_t i = 0; i < nodes; ++i) {
      const double* H = &H_[at(3 * i + n * 3 * j)];  // the 3-by-3 blocks of nodes i and j
      double* block = A + 3 * i + n * 3 * j;
      const double diagonal = m.density * M_[at(i + nodes * j)] + mu * (H[0] + H[n + 1] + H[2 * n + 2]);
      for (std::ptrdiff_t b = 0; b < 3; ++b)
        for (std::ptrdiff_t a = 0; a < 3; ++a)
          block[a + n * b] = lambda * H[a + n * b] + mu * H[b + n * a] + (a == b ? diagonal : 0);
    }
}

void element::load(physics kind, const std::function<point(const point&)>& f, double* b) const {
  const int dofs = components(kind);
  std::fill_n(b, dofs * nodes_, 0.0);
  for (int q = 0; q < points_; ++q) {
    point scaled = f(x_[at(q)]);
    for (double& value : scaled) value *= root_volume_[at(q)];
    for (int i = 0; i < nodes_; ++i)
      for (int c = 0; c < dofs; ++c) b[dofs * i + c] += scaled[at(c)] * N_[at(q + points_ * i)];
  }
}

point map_point(const hexahedron& corners, const point& xi) {
  point x{};
  for (std::size_t c = 0; c < 8; ++c) {
    const double weight = (c & 1 ? 1 + xi[0] : 1 - xi[0]) * (c & 2 ? 1 + xi[1] : 1 - xi[1]) *
                          (c & 4 ? 1 + xi[2] : 1 - xi[2]) / 8;
    for (std::size_t d = 0; d < 3; ++d) x[d] += weight * corners[c][d];
  }
  return x;
}

}  // namespace fem
