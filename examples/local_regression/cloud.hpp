// Points scattered in a square or a cube, and the search for the nearest ones of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace regression {

/// A point, and the square of its distance from the one it is a neighbour of.
struct neighbour {
  double square;
  int point;

  bool operator<(const neighbour& other) const {
    return square < other.square || (square == other.square && point < other.point);
  }
};

/// Points in a grid of cells that makes their neighbours quick to find. They are numbered cell by cell, so
/// that most neighbours of a point are close to it in memory, too.
class cloud {
 public:
  /// Points one behind the other, `dimension` coordinates each; the cells are as searches for about
  /// `neighbours` of them want them.
  cloud(int dimension, const std::vector<double>& positions, int neighbours);

  int dimension() const { return dimension_; }
  std::int64_t size() const { return static_cast<std::int64_t>(positions_.size()) / dimension_; }
  const double* operator[](std::int64_t point) const { return &positions_[as_size(point * dimension_)]; }

  /// The `count` points that are nearest to a point, itself first, in order of distance; all points where
  /// there are not as many. Keeps what it works on in `found`, which then holds the result.
  void nearest(std::int64_t point, int count, std::vector<neighbour>& found) const;

 private:
  using cell = std::array<int, 3>;
  static std::size_t as_size(std::int64_t count) { return static_cast<std::size_t>(count); }

  void choose_cells(const std::vector<double>& positions, int neighbours);
  cell cell_of(const double* x) const;
  std::size_t index(const cell& c) const;
  /// What is in cells up to `reach` away along each axis; the distance within which nothing is missing.
  double gather(const double* x, const cell& middle, int reach, std::vector<neighbour>& found) const;

  int dimension_;
  std::vector<double> positions_;
  std::array<double, 3> origin_ = {}, edge_ = {1, 1, 1};  // of cells
  cell cells_ = {1, 1, 1};
  std::vector<int> begin_;  // of each cell's points, and the end
};

/// edge^dimension points in the unit square or cube: those of a regular grid, each moved at random by up to a
/// third of the spacing along each axis. The same everywhere.
std::vector<double> scattered(int dimension, int edge);

}  // namespace regression
