// Which kernel inverts which factors on which GPU: the tables of potri and getri, of one size and of mixed
// sizes. Compiles without nvcc.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "batched/blas/families/columns.hpp"
#include "batched/blas/families/inverses.hpp"
#include "batched/blas/families/warp.hpp"
#include "gpu/table.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace blas {

/// True for the families of trsm's tables: their lines solve A X = I.
template <class Family>
constexpr bool solves = std::is_same_v<Family, warp> || std::is_same_v<Family, columns>;

struct inverse_routine {
  static constexpr int extents = 1;
  static constexpr const char* extent_names[] = {"n"};
  static constexpr int forms[] = {0};
  using kernel = std::variant<warp, columns, in_tiles, in_panels, by_threads, as_one_size>;

  template <class Line, class Family>
  static constexpr const char* objection(const Line& line, const Family& family, const element& e,
                                         const gpu_limits& limits) {
    const int n = line.bounds[0];
    if constexpr (solves<Family>) {
      return family.objection(n, n, e, limits);
    } else {
      return family.objection(n, e, limits);
    }
  }
};
struct potri_routine : inverse_routine {
  static constexpr const char* name = "potri";
  static constexpr bool cholesky = true;
};
struct getri_routine : inverse_routine {
  static constexpr const char* name = "getri";
  static constexpr bool cholesky = false;
};
struct potri_vbatched_routine : inverse_routine {
  static constexpr const char* name = "potri_vbatched";
};
struct getri_vbatched_routine : inverse_routine {
  static constexpr const char* name = "getri_vbatched";
};

inline constexpr table_entry<table_line<potri_routine>> potri_entries[] = {
#include "potri_tables.inc"  // written by CMake, as trsm_tables.inc
};
inline constexpr table_entry<table_line<getri_routine>> getri_entries[] = {
#include "getri_tables.inc"
};
inline constexpr table_entry<mixed_line<potri_vbatched_routine>> potri_vbatched_entries[] = {
#include "potri_vbatched_tables.inc"
};
inline constexpr table_entry<mixed_line<getri_vbatched_routine>> getri_vbatched_entries[] = {
#include "getri_vbatched_tables.inc"
};

}  // namespace blas

using potri_tables = tables<blas::potri_routine, blas::potri_entries>;
using getri_tables = tables<blas::getri_routine, blas::getri_entries>;
using potri_vbatched_tables = tables<blas::potri_vbatched_routine, blas::potri_vbatched_entries>;
using getri_vbatched_tables = tables<blas::getri_vbatched_routine, blas::getri_vbatched_entries>;

namespace blas {

template <class Kernel>
constexpr bool are_same(const Kernel& one, const Kernel& other) {
  std::int64_t parameters[2][8] = {};
  int number = 0;
  for (const Kernel* kernel : {&one, &other}) {
    int i = 0;
    Kernel::for_each_parameter(*kernel, [&](const char*, auto value) {
      parameters[number][i++] = static_cast<std::int64_t>(value);
    });
    ++number;
  }
  for (int i = 0; i < 8; ++i) {
    if (parameters[0][i] != parameters[1][i]) return false;
  }
  return true;
}

/// For each line of an inverse's tables: the number of a line of trsm's tables (for one size or mixed sizes)
/// with the same kernel; -1 if the line does not solve, -2 if trsm's tables lack its kernel.
template <class Tables, class TrsmTables, class T>
constexpr auto lines_of_trsm = [] {
  std::array<int, Tables::template lines<T>.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = std::visit(
        [](const auto& kernel) {
          using family = std::decay_t<decltype(kernel)>;
          if constexpr (solves<family>) {
            const auto& lines = TrsmTables::template lines<T>;
            for (std::size_t line = 0; line < lines.size(); ++line) {
              const auto* other = std::get_if<family>(&lines[line].kernel);
              if (other != nullptr && are_same(*other, kernel)) return static_cast<int>(line);
            }
            return -2;
          }
          return -1;
        },
        Tables::template lines<T>[i].kernel);
  }
  return all;
}();

/// True if trsm's tables have the kernel of every line that solves.
template <class Tables, class TrsmTables, class T>
constexpr bool are_lines_of_trsm = [] {
  for (const int line : lines_of_trsm<Tables, TrsmTables, T>) {
    if (line == -2) return false;
  }
  return true;
}();

}  // namespace blas
}  // namespace talus::cuda
