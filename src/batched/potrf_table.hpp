// Which kernel factors which size: the table of tuned lines, as data. Compiles without nvcc.
#pragma once

#include <array>
#include <cstddef>

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// Where a matrix lives while it is factored: the kernel families, one file potrf_<family>.cuh each.
enum class potrf_family { smem, panel_inclusive, panel_exclusive, blocked };

constexpr const char* name_of(potrf_family family) {
  switch (family) {
    case potrf_family::smem:
      return "smem";
    case potrf_family::panel_inclusive:
      return "panel_inclusive";
    case potrf_family::panel_exclusive:
      return "panel_exclusive";
    case potrf_family::blocked:
      return "blocked";
  }
  return "";
}

struct potrf_line {
  char precision;  // s, d, c or z
  int n_max;       // the line serves sizes up to this one that no line above it serves
  potrf_family family;
  int ib;       // columns per step: inner block
  int nb;       // blocked: columns per outer step; else 0
  int tbc;      // matrices per thread block; blocked: diagonal blocks
  int threads;  // smem: threads per matrix, one per row; blocked: the same for its diagonal blocks, which
                // have that order; panel: the most that a block may have
};

constexpr int any_n = 0x7fffffff;

namespace detail {
constexpr potrf_line all_potrf_lines[] = {
#define TALUS_LINE(precision, n_max, family, ib, nb, tbc, threads) \
  {#precision[0], n_max, potrf_family::family, ib, nb, tbc, threads},
#include "potrf.inc"
#undef TALUS_LINE
};

constexpr std::size_t count_lines(char precision) {
  std::size_t lines = 0;
  for (const potrf_line& line : all_potrf_lines) lines += line.precision == precision;
  return lines;
}
}  // namespace detail

/// The lines of one precision, in the order of the file.
template <char precision>
constexpr auto potrf_lines() {
  std::array<potrf_line, detail::count_lines(precision)> lines{};
  std::size_t i = 0;
  for (const potrf_line& line : detail::all_potrf_lines) {
    if (line.precision == precision) lines[i++] = line;
  }
  return lines;
}

template <class T>
constexpr char precision_of = 0;
template <>
constexpr char precision_of<float> = 's';
template <>
constexpr char precision_of<double> = 'd';
template <>
constexpr char precision_of<std::complex<float>> = 'c';
template <>
constexpr char precision_of<std::complex<double>> = 'z';

template <class T>
constexpr auto potrf_table = potrf_lines<precision_of<T>>();

/// Index of the first line that serves n. The last line of a table serves every n.
template <class T>
constexpr int potrf_select(int n) {
  int line = 0;
  while (potrf_table<T>[static_cast<std::size_t>(line)].n_max < n) ++line;
  return line;
}

/// Factors with the given line of potrf_table<T>, whichever n it was meant for (n <= its n_max). For tests,
/// bench and tuner: every kernel that is compiled can be run.
template <class T>
int potrf_at(int line, uplo, batch<T> A, int* info, queue q);

}  // namespace talus::cuda
