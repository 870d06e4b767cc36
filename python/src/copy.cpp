#include "copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

namespace talus::python {
namespace {

template <class T>
T conjugate(T x) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return std::conj(x);
  } else {
    return x;
  }
}

/// Columns that are copied at a time, and rows where they are transposed: what is read by rows and written by
/// columns stays in the first-level cache between.
constexpr int tile = 32;

/// Copies of fewer elements are not worth a second thread.
constexpr std::int64_t elements_for_threads = 1 << 16;

/// Rows first to before end of one column.
template <class T>
struct column {
  const T* from;
  T* to;
  std::int64_t from_row, to_row;

  void copy(int first, int end) const {
    if (from_row == 1 && to_row == 1) {
      std::copy(from + first, from + std::max(first, end), to + first);
      return;
    }
    for (int i = first; i < end; ++i) to[i * to_row] = from[i * from_row];
  }
  /// across: of the same elements of the transposed matrix.
  void mirror(int first, int end, const T* across, std::int64_t across_row) const {
    for (int i = first; i < end; ++i) to[i * to_row] = conjugate(across[i * across_row]);
  }
  void clear(int first, int end) const {
    for (int i = first; i < end; ++i) to[i * to_row] = T{};
  }
};

/// Columns j_first to before j_end of one matrix, which begins at from.data and to.data.
template <class T>
void copy_columns(part part, int m, int j_first, int j_end, const matrices<const T>& from,
                  const matrices<T>& to, bool in_place) {
  const int height = from.stride_row == 1 && !mirrors(part) ? m : tile;
  for (int top = 0; top < m; top += height) {
    const int bottom = std::min(top + height, m);
    for (int j = j_first; j < j_end; ++j) {
      const column<T> of{from.data + j * from.stride_column, to.data + j * to.stride_column, from.stride_row,
                         to.stride_row};
      const int first = keeps_lower(part) ? std::clamp(j, top, bottom) : top;
      const int end = keeps_upper(part) ? std::clamp(j + 1, top, bottom) : bottom;
      if (!in_place) of.copy(first, end);
      if (mirrors(part)) {
        const T* across = from.data + j * from.stride_row;
        of.mirror(top, first, across, from.stride_column);
        of.mirror(end, bottom, across, from.stride_column);
      } else {
        of.clear(top, first);
        of.clear(end, bottom);
      }
    }
  }
}

/// m, n and batch_count are not 0.
template <class T>
void copy_on_host(part part, int m, int n, std::int64_t batch_count, matrices<const T> from, matrices<T> to,
                  bool in_place) {
  const std::int64_t tiles = (std::int64_t{n} + tile - 1) / tile;
  const auto task = [=](std::int64_t number) {
    const std::int64_t b = number / tiles;
    const int j = static_cast<int>(number % tiles) * tile;
    const matrices<const T> from_b{from.data + b * from.stride_batch, 0, from.stride_row, from.stride_column};
    const matrices<T> to_b{to.data + b * to.stride_batch, 0, to.stride_row, to.stride_column};
    copy_columns(part, m, j, std::min(n - j, tile) + j, from_b, to_b, in_place);
  };
  const std::int64_t tasks = batch_count * tiles;
  // Without threads not even a parallel region of one: a child of fork() may copy what is small.
  if (tasks > 1 && tasks * m * std::min(n, tile) >= elements_for_threads) {
#pragma omp parallel for schedule(static)
    for (std::int64_t number = 0; number < tasks; ++number) task(number);
  } else {
    for (std::int64_t number = 0; number < tasks; ++number) task(number);
  }
}

template <class T, class U>
bool same_layout(const matrices<T>& a, const matrices<U>& b) {
  return a.stride_row == b.stride_row && a.stride_column == b.stride_column;
}

}  // namespace

template <class T>
int copy(part part, int m, int n, std::int64_t batch_count, matrices<const T> from, matrices<T> to, queue q) {
  if (part < part::all || part > part::mirror_upper) return -1;
  if (m < 0) return -2;
  if (n < 0 || (mirrors(part) && m != n)) return -3;
  if (batch_count < 0) return -4;
  if (q.where != backend::host && q.where != backend::cuda) return -7;
  if (m == 0 || n == 0 || batch_count == 0) return 0;
  if (from.data == nullptr) return -5;
  if (to.data == nullptr) return -6;

  // Rows are what lies together in what is written.
  if (std::abs(to.stride_row) > std::abs(to.stride_column)) {
    std::swap(m, n);
    from = transposed(from);
    to = transposed(to);
    part = transposed(part);
  }
  const bool in_place = from.data == to.data && same_layout(from, to) &&
                        (batch_count == 1 || from.stride_batch == to.stride_batch);
  if (part == part::all) {
    if (in_place) return 0;
    const bool one_column = same_layout(from, to) && to.stride_row == 1 && to.stride_column == m;
    if (one_column && n <= tile && m <= std::numeric_limits<int>::max() / tile) {
      m *= n;
      n = 1;
    }
  }
  if (q.where == backend::cuda) {
#ifdef TALUS_WITH_CUDA
    return cuda::copy(part, m, n, batch_count, from, to, in_place, q);
#else
    return err_no_cuda;
#endif
  }
  copy_on_host(part, m, n, batch_count, from, to, in_place);
  return 0;
}

template <class T>
int copy_each(const std::vector<one_copy>& each, [[maybe_unused]] const one_copy* on_device, queue q) {
  if (q.where == backend::cuda) {
#ifdef TALUS_WITH_CUDA
    std::int64_t largest = 0;
    for (const one_copy& one : each) {
      if (!is_aligned<T>(one.from)) return -5;
      if (!is_aligned<T>(one.to)) return -6;
      largest = std::max(largest, std::int64_t{one.m} * one.n);
    }
    if (largest == 0) return 0;
    return cuda::copy_each<T>(on_device, static_cast<std::int64_t>(each.size()), largest, q);
#else
    return err_no_cuda;
#endif
  }
  for (const one_copy& one : each) {
    const int status = copy<T>(one.which, one.m, one.n, 1,
                               {static_cast<const T*>(one.from), 0, one.from_row, one.from_column},
                               {static_cast<T*>(one.to), 0, one.to_row, one.to_column}, q);
    if (status != 0) return status;
  }
  return 0;
}

template int copy_each<float>(const std::vector<one_copy>&, const one_copy*, queue);
template int copy_each<double>(const std::vector<one_copy>&, const one_copy*, queue);
template int copy_each<std::complex<float>>(const std::vector<one_copy>&, const one_copy*, queue);
template int copy_each<std::complex<double>>(const std::vector<one_copy>&, const one_copy*, queue);
template int copy(part, int, int, std::int64_t, matrices<const float>, matrices<float>, queue);
template int copy(part, int, int, std::int64_t, matrices<const double>, matrices<double>, queue);
template int copy(part, int, int, std::int64_t, matrices<const std::complex<float>>,
                  matrices<std::complex<float>>, queue);
template int copy(part, int, int, std::int64_t, matrices<const std::complex<double>>,
                  matrices<std::complex<double>>, queue);
template int copy(part, int, int, std::int64_t, matrices<const int>, matrices<int>, queue);

}  // namespace talus::python
