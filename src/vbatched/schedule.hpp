// Which matrices of a batch of mixed sizes a launch works on, and in which order: what tables say of it.
// Compiles without nvcc.
#pragma once

#include <array>

#include "batch.hpp"
#include "gpu/table.hpp"

namespace talus::cuda {

///   direct   all of the batch, as they come: one launch, where an order is not worth its time
///   ordered  all of the batch in one launch, too, but in an order made on the GPU, most work first, so that
///            nothing begins last that takes long
///   filtered one class of the matrices, in the order of the batch: each class has its own launch over all
///            matrices of the batch, and blocks leave out the matrices of other classes; the boxes of the
///            classes are nested
///   queued   those of one class: ordered, and each class has a launch of its own, whose blocks take one
///            matrix after the other off the class's work queue
/// and where a launch is one step of all matrices of the class:
///   greedy   every matrix begins with the first step
///   lazy     every matrix ends with the last one
enum class schedule { direct, ordered, filtered, queued, greedy, lazy };

inline constexpr std::array<const char*, 6> schedule_names = {"direct", "ordered", "filtered",
                                                              "queued", "greedy",  "lazy"};
constexpr const char* name_of(schedule of) { return schedule_names[static_cast<std::size_t>(of)]; }

/// A set contains three groups of lines, one after the other. A line serves all sizes of a call, a class of
/// the matrices as they come, or a class of the matrices in order.
enum class line_group { alone, filtered, in_order };
constexpr line_group group_of(schedule of) {
  if (of == schedule::direct || of == schedule::ordered) return line_group::alone;
  return of == schedule::filtered ? line_group::filtered : line_group::in_order;
}
constexpr bool serves_alone(schedule of) { return group_of(of) == line_group::alone; }
constexpr bool goes_by_steps(schedule of) { return of == schedule::greedy || of == schedule::lazy; }

// ---- what the scheduler asks of a routine ---------------------------------------------------------

/// Of one matrix, before anything is done with it: what info says of it, -i or 0, and its extents.
template <int COUNT>
struct checked {
  int info;
  extents<COUNT> sizes;
};

// A `Check` has the matrices of a call:
//
//   A               where they are
//   bounds          upper bounds of their extents; in a launch, of its class
//   operator()(b)   matrix b, checked
//   work(extents)   a measure of the work on one: the order within a class; 0: there is none
//   part(b, count)  the same for matrices b ... b + count - 1
//   erased()        the same with elements of type std::byte: by these checks the GPU sorts matrices
//   in_kernels      whether kernels look for what is illegal themselves: then a call needs no order
//
// and where it is also what kernels take their matrices from (vbatched/mixed_sizes.cuh)
//
//   element           of their type
//   sizes_of(matrix)  its extents
//   info_of(b, matrix)  if in_kernels: what info says of it, which is number b
//   columns(extents)  that are eliminated, in steps if need be

/// Matrices b = 0 ... part_count - 1 of those from `first` on. A bound of 0 allows no array at all.
template <class T>
variable_batch<T> part_of(const variable_batch<T>& A, std::int64_t first, std::int64_t part_count) {
  return {A.array ? A.array + first : nullptr, A.m + first, A.n + first, A.lda + first, part_count};
}
/// Vectors b = 0, 1, ... of those from `first` on.
template <class E>
vectors<E> part_of(const vectors<E>& v, std::int64_t first) {
  return {v.array ? v.array + first : nullptr, v.slab ? v.slab + first * v.stride : nullptr, v.stride};
}

/// What kernels take square matrices from that were checked when they were ordered: a `Check` that looks for
/// nothing.
template <class T>
struct ordered_matrices {
  using element = T;
  static constexpr bool in_kernels = false;
  variable_batch<T> A;
  extents<1> bounds;

  TALUS_HOST_DEVICE static extents<1> sizes_of(const matrix<T>& one) { return {{one.n}}; }
  TALUS_HOST_DEVICE static int columns(const extents<1>& sizes) { return sizes.of[0]; }
};
template <class T>
ordered_matrices(variable_batch<T>, extents<1>) -> ordered_matrices<T>;

// ---- what tables say of it -------------------------------------------------------------------------

/// A line for mixed sizes. A table is made of sets of lines, one set per batch_max, in ascending order. A set
/// has first the lines that serve a call alone, then the filtered lines, then the lines of its classes, each
/// of what lies in its box and in none before it, the last of everything; all three in ascending order. One
/// without classes has those of the next set. A call on a batch that no set before takes is served by the
/// first line alone that covers its bounds; if none does, by all filtered lines up to the one that does; if
/// none does, by all classes up to the one that does.
template <class Routine>
struct mixed_line : table_line<Routine> {
  cuda::schedule schedule = schedule::direct;
};
#define TALUS_MIXED_LINE(precision, bounds, batch_max, how, ...) \
  {{}, {{#precision[0], bounds, batch_max, __VA_ARGS__}, schedule::how}},

/// Most classes of a set.
constexpr int most_classes = 32;

/// Classes and their kernels: lines of a routine's tables for mixed sizes, of any sets, as a set has them.
struct class_lines {
  int count = 0;
  std::array<int, most_classes> line = {};
  schedule how = schedule::queued;  // queued if classes need an order: each line has its own schedule
};

/// The classes of a table for a call.
template <class Tables, class T>
class_lines classes_for(int table, const typename Tables::box& bounds, std::int64_t batch_count) {
  class_lines by;
  for (int i = Tables::template select<T>(table, {}, batch_count);; ++i) {
    const auto& line = Tables::template at<T>(i);
    if (group_of(line.schedule) != line_group::in_order) continue;
    by.line[static_cast<std::size_t>(by.count++)] = i;
    if (line.bounds.cover(bounds)) return by;
  }
}

/// The lines of a table that serve a call: one alone, or its classes.
template <class Tables, class T>
class_lines lines_for(int table, const typename Tables::box& bounds, std::int64_t batch_count) {
  const int covering = Tables::template select<T>(table, bounds, batch_count);
  const auto& last = Tables::template at<T>(covering);
  if (serves_alone(last.schedule)) return {1, {covering}, last.schedule};
  if (last.schedule != schedule::filtered) return classes_for<Tables, T>(table, bounds, batch_count);
  class_lines by = {0, {}, schedule::filtered};
  for (int i = Tables::template select<T>(table, {}, batch_count); i <= covering; ++i) {
    const auto& line = Tables::template at<T>(i);
    if (line.schedule == schedule::filtered && line.batch_max == last.batch_max)
      by.line[static_cast<std::size_t>(by.count++)] = i;
  }
  return by;
}

}  // namespace talus::cuda
