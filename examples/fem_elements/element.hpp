// One hexahedral element: Lagrange shape functions, Gauss quadrature, and from them the matrix
//
//   A = M + dt^2 K
//
// of an implicit time step (Newmark's method, up to its constant), which is symmetric positive definite: M is
// a Gram matrix, K is positive semidefinite.
//
//   heat         v^T A u = ∫ density u v  +  dt^2 ∫ conductivity ∇u·∇v
//   elasticity   v^T A u = ∫ density u·v  +  dt^2 ∫ λ (div u)(div v) + 2 μ ε(u):ε(v),   ε(u) = (∇u + ∇u^T) /
//   2
#pragma once

#include <functional>
#include <vector>

#include "mesh.hpp"

namespace fem {

enum class physics { heat, elasticity };

inline int components(physics kind) { return kind == physics::heat ? 1 : 3; }
inline const char* name(physics kind) { return kind == physics::heat ? "heat" : "elasticity"; }

/// Constant within an element.
struct material {
  double density;  ///< for heat: the heat capacity per volume
  double conductivity;
  double youngs_modulus;
  double poissons_ratio;

  double lame_lambda() const {
    return youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  }
  double lame_mu() const { return youngs_modulus / (2 * (1 + poissons_ratio)); }
};

/// A rule on [-1, 1]. With n points, Gauss-Legendre is exact for polynomials of degree 2n - 1.
struct quadrature {
  std::vector<double> points, weights;
};
quadrature gauss_legendre(int n);

/// The order + 1 Gauss-Lobatto points on [-1, 1], for orders 1 to 4. As nodes of Lagrange elements they keep
/// the mass matrix better conditioned than equispaced ones, the more so the higher the order.
std::vector<double> gauss_lobatto(int order);

/// Shape functions at the quadrature points of the reference hexahedron [-1, 1]^3, numbered x fastest, as are
/// the points. N is points-by-nodes; dN is points-by-3-by-nodes, its middle index the direction of the
/// derivative.
struct shape_table {
  int nodes, points;
  std::vector<double> N, dN;
};
shape_table tabulate(const std::vector<double>& nodes_1d, const std::vector<double>& points_1d);

/// What all elements of one order share. There are order + 2 Gauss points per direction: det J of a trilinear
/// map has degree 2 in each coordinate, so that the mass matrix, of degree 2 order + 2, comes out exact on
/// any hexahedron.
struct reference_hexahedron {
  explicit reference_hexahedron(int order);

  int order, nodes, points;
  std::vector<double> nodes_1d;
  std::vector<double> weights;  ///< of the points
  shape_table shape;            ///< of the unknowns
  shape_table trilinear;        ///< of the geometry
};

/// The reference hexahedron mapped onto eight corners. Row q of every table carries the factor
/// sqrt(weight_q det J_q), so that products of columns are integrals over the element:
///
///   N^T N = [∫ N_i N_j]            N: points by nodes
///   G^T G = [∫ ∂_a N_i ∂_b N_j]    G: points by 3 nodes, column 3 i + a holds ∂_a N_i
///   G^T G = [∫ ∇N_i·∇N_j]          the same memory, read as 3 points by nodes
class element {
 public:
  explicit element(const reference_hexahedron& reference);

  /// Returns the smallest det J at a quadrature point. The tables mean nothing unless it is positive.
  double map(const hexahedron& corners);

  /// A = M + dt^2 K, n-by-n column-major with lda = n = components * nodes, both triangles. Unknown c of node
  /// i has number components * i + c.
  void matrix(physics kind, const material& m, double dt, double* A);

  /// b_i = ∫ f·N_i. Of f(x), which gives components(kind) numbers, the rest is ignored.
  void load(physics kind, const std::function<point(const point& x)>& f, double* b) const;

 private:
  void heat_matrix(const material& m, double dt, double* A) const;
  void elasticity_matrix(const material& m, double dt, double* A);

  const reference_hexahedron& reference_;
  int nodes_, points_;
  std::vector<double> N_, G_;
  std::vector<double> root_volume_;  ///< sqrt(weight det J) at the points
  std::vector<point> x_;             ///< where the points lie
  std::vector<double> dual_;         ///< scaled J^-1, points by 3 by 3
  std::vector<double> M_, H_;        ///< N^T N and G^T G, for elasticity
};

/// Where the trilinear map of these corners takes the reference point xi.
point map_point(const hexahedron& corners, const point& xi);

}  // namespace fem
