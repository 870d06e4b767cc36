// Many dense symmetric systems A_b X_b = B_b of one size, and the two places they come from: the elements of
// a mesh and the diagonal blocks of a sparse matrix.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/backend.hpp"
#include "common/matrix_market.hpp"
#include "common/one_thread_blas.hpp"
#include "common/progress.hpp"
#include "element.hpp"
#include "mesh.hpp"

namespace fem {

using example::array;
using example::file_error;
using example::progress;
using example::sparse_matrix;

/// In host memory, system after system: A_b is n-by-n with both triangles, B_b is n-by-nrhs.
template <class T>
struct systems {
  systems(int n_, int nrhs_, std::int64_t count_)
      : n(n_),
        nrhs(nrhs_),
        count(count_),
        A(talus::backend::host, static_cast<std::size_t>(stride_A() * count)),
        B(talus::backend::host, static_cast<std::size_t>(stride_B() * count)) {}

  std::int64_t stride_A() const { return static_cast<std::int64_t>(n) * n; }
  std::int64_t stride_B() const { return static_cast<std::int64_t>(n) * nrhs; }
  T* A_of(std::int64_t b) const { return A.data() + b * stride_A(); }
  T* B_of(std::int64_t b) const { return B.data() + b * stride_B(); }

  int n, nrhs;
  std::int64_t count;
  array<T> A, B;
};

/// Layers along z, alternately soft and stiff; within them everything varies smoothly.
inline material material_at(const point& x) {
  const double wave = std::sin(6 * x[0]) * std::cos(6 * x[1]);
  const bool stiff = static_cast<int>(std::floor(4 * x[2])) % 2 != 0;
  return {1 + 0.2 * wave, (stiff ? 5 : 1) * (1 + 0.5 * wave), (stiff ? 10 : 1) * (1 + 0.3 * wave),
          stiff ? 0.2 : 0.35};
}

/// Right-hand side r: for heat a source (the first component), for elasticity a body force.
inline point source(const point& x, int r) {
  const double wave = std::cos((r + 1) * (x[0] + 2 * x[1]));
  return {1 + wave, wave * x[2], -1};
}

/// The element matrices A = M + dt^2 K of a mesh with Gauss-Lobatto elements of one order, in parallel.
template <class T>
systems<T> assemble(physics kind, const block_mesh& mesh, int order, double dt, int nrhs) {
  const reference_hexahedron reference(order);
  systems<T> all(components(kind) * reference.nodes, nrhs, mesh.elements());
  progress assembled("assembling elements", all.count);
  std::int64_t inverted = all.count;  // the first element that is not valid

  const example::one_thread_blas guard;  // for what the element matrices are made with
#pragma omp parallel
  {
    element one(reference);
    std::vector<double> A(static_cast<std::size_t>(all.stride_A())), b(static_cast<std::size_t>(all.n));
#pragma omp for schedule(dynamic, 8) reduction(min : inverted)
    for (std::int64_t e = 0; e < all.count; ++e) {
      const hexahedron corners = mesh.corners(e);
      if (!(one.map(corners) > 0)) inverted = std::min(inverted, e);
      one.matrix(kind, material_at(map_point(corners, {0, 0, 0})), dt, A.data());
      std::transform(A.begin(), A.end(), all.A_of(e), [](double a) { return static_cast<T>(a); });
      for (int r = 0; r < nrhs; ++r) {
        one.load(
            kind, [r](const point& x) { return source(x, r); }, b.data());
        std::transform(b.begin(), b.end(), all.B_of(e) + static_cast<std::int64_t>(r) * all.n,
                       [](double value) { return static_cast<T>(value); });
      }
      assembled.advance();
    }
  }
  if (inverted < all.count)
    throw std::invalid_argument(
        "element " + std::to_string(inverted) +
        " is turned inside out: det J <= 0 at a quadrature point; choose a smaller distortion");
  return all;
}

/// Throws file_error unless the matrix is square and equal to its transpose.
inline void require_symmetric(const sparse_matrix& matrix) {
  if (matrix.rows != matrix.columns)
    throw file_error(matrix.file, matrix.size_line,
                     "the matrix is " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) +
                         ": only a square one has diagonal blocks to factor");
  if (matrix.symmetric) return;
  const auto before = [](const sparse_matrix::entry& a, const sparse_matrix::entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  };
  for (const sparse_matrix::entry& e : matrix.entries) {
    const sparse_matrix::entry mirrored{e.column, e.row, 0, 0};
    const auto found = std::lower_bound(matrix.entries.begin(), matrix.entries.end(), mirrored, before);
    const bool present = found != matrix.entries.end() && !before(mirrored, *found);
    const double value = present ? found->value : 0;
    if (e.value != value) {
      const auto shortest = [](double x) {  // the fewest digits that still tell x from its neighbours
        char text[32];
        return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
      };
      const auto place = [](int i, int j) {
        return "(" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ")";
      };
      throw file_error(matrix.file, e.line,
                       "entry " + place(e.row, e.column) + " is " + shortest(e.value) + ", but " +
                           place(e.column, e.row) + " is " + shortest(value) +
                           ": only a symmetric matrix can be positive definite");
    }
  }
}

/// How many blocks of n cover a matrix of order `order`.
inline std::int64_t block_count(int order, int n) { return (order + static_cast<std::int64_t>(n) - 1) / n; }

/// Rows of block b of a matrix of order `order` cut into blocks of n: the last block may have fewer.
inline int block_rows(int order, int n, std::int64_t b) {
  return static_cast<int>(std::min<std::int64_t>(n, order - b * n));
}

/// The diagonal blocks of a symmetric matrix, from which block-Jacobi is set up. The last one is filled up
/// with the identity.
template <class T>
systems<T> diagonal_blocks(const sparse_matrix& matrix, int n, int nrhs) {
  systems<T> all(n, nrhs, block_count(matrix.rows, n));
  std::fill_n(all.A.data(), all.A.size(), T(0));
  for (const sparse_matrix::entry& e : matrix.entries) {
    const std::int64_t b = e.row / n;
    if (e.column / n != b) continue;
    const std::int64_t i = e.row % n, j = e.column % n;
    all.A_of(b)[i + j * n] = static_cast<T>(e.value);
    if (matrix.symmetric) all.A_of(b)[j + i * n] = static_cast<T>(e.value);
  }
  for (std::int64_t i = block_rows(matrix.rows, n, all.count - 1); i < n; ++i)
    all.A_of(all.count - 1)[i + i * n] = 1;
  for (std::int64_t b = 0; b < all.count; ++b)
    for (int r = 0; r < nrhs; ++r)
      for (int i = 0; i < n; ++i)
        all.B_of(b)[i + static_cast<std::int64_t>(r) * n] =
            static_cast<T>(1 + static_cast<double>(r) * i / n);
  return all;
}

}  // namespace fem
