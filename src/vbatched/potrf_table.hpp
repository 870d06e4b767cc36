// Which kernel factors which sizes of a batch of variable size on which GPU: potrf_vbatched's tables, whose
// lines are potrf's with a schedule. Compiles without nvcc.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "batch.hpp"
#include "batched/potrf_table.hpp"
#include "batched/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// Which matrices a launch works on, and when each of them begins.
///   direct   all of the batch, as they come: one launch, where an order is not worth its time
///   ordered  all of the batch in one launch, too, but sizes are ordered on the GPU, largest first, so that
///            nothing begins last that takes long
///   binned   those of one class of sizes: ordered, and each class has a launch of its own, whose blocks draw
///            one matrix after the other
/// and the paper's, whose launches are one per step of the largest matrix, for all matrices of the class:
///   greedy   every matrix begins with the first step
///   lazy     every matrix ends with the last one
///   classic, aggressive   idle blocks end early; idle threads of others, too
enum class vbatched_schedule {
  direct,
  ordered,
  binned,
  greedy_classic,
  greedy_aggressive,
  lazy_classic,
  lazy_aggressive
};

inline constexpr std::array<const char*, 7> vbatched_schedule_names = {
    "direct", "ordered", "binned", "greedy_classic", "greedy_aggressive", "lazy_classic", "lazy_aggressive"};

/// Whether a line of that schedule serves all sizes of a call.
constexpr bool serves_alone(vbatched_schedule schedule) { return schedule <= vbatched_schedule::ordered; }

constexpr const char* name_of(vbatched_schedule schedule) {
  return vbatched_schedule_names[static_cast<std::size_t>(schedule)];
}

/// A table is made of sets of lines, one set per batch_max, in ascending order. A set has first the lines
/// that serve a call alone, then the lines of its classes of sizes, each of sizes from the one before it on,
/// up to any_n; both in ascending order. A call on a batch that no set before takes is served by the first
/// line alone that covers its bound, or, if none does, by all classes up to the one that does. nb of smem is
/// the memory that a line asks for that serves alone; classes share a multiprocessor.
struct potrf_vbatched_line : potrf_line {
  vbatched_schedule schedule;
};

/// Most classes of a set.
constexpr int vbatched_classes = 32;

/// Sizes up to this one are told apart when matrices are ordered, larger ones in steps of 16 up to the last
/// bound that a class may have.
constexpr int vbatched_exact = 512, vbatched_last = 8192;

/// Why no kernel serves this line; null if one does.
constexpr const char* potrf_vbatched_objection(const potrf_vbatched_line& line, std::size_t element_size,
                                               const gpu_limits& limits) {
  const bool panel = line.family == potrf_family::panel_exclusive,
             by_size = line.schedule <= vbatched_schedule::binned;
  switch (line.family) {
    case potrf_family::warp:
    case potrf_family::smem:
      if (!by_size) return "only panel_exclusive and blocked go step by step";
      break;
    case potrf_family::blocked:
      if (line.schedule == vbatched_schedule::greedy_aggressive ||
          line.schedule == vbatched_schedule::lazy_aggressive)
        return "blocked has no idle threads that could end before their block";
      break;
    case potrf_family::panel_exclusive:
      break;
    default:
      return "serves equal sizes only";
  }
  if (panel && by_size) return "panel_exclusive takes the schedules of the paper";
  if (line.family == potrf_family::blocked && by_size) return "blocked is greedy_classic or lazy_classic";
  if (line.n_max != any_n && line.n_max > vbatched_exact &&
      (line.n_max % 16 != 0 || line.n_max > vbatched_last))
    return "n_max is above 512 and no multiple of 16, or above 8192, but not any_n";
  return potrf_objection(line, element_size, limits);
}

// What the files of tables say, as initialisers of table_entry; TALUS_TABLE as for potrf.
#define TALUS_VBATCHED_LINE(precision, n_max, batch_max, schedule, family, ib, nb, tbc, threads, rows) \
  {{},                                                                                                 \
   {{#precision[0], n_max, batch_max, potrf_family::family, ib, nb, tbc, threads, rows},               \
    vbatched_schedule::schedule}},

inline constexpr table_entry<potrf_vbatched_line> potrf_vbatched_entries[] = {
#include "potrf_vbatched_tables.inc"  // written by CMake, as potrf_tables.inc
};
using potrf_vbatched_tables = tables<potrf_vbatched_entries>;

/// Classes of sizes and their kernels: lines of potrf_vbatched_tables in ascending order of n_max, of any
/// sets.
struct class_lines {
  int count = 0;
  std::array<int, vbatched_classes> line = {};
  bool ordered = false;  // where there is one line, which is not blocked: in order or as they come
};

/// The classes of a table for a call.
template <class T>
class_lines classes_for(int table, int n_max, std::int64_t batch_count) {
  const auto& lines = potrf_vbatched_tables::lines<T>;
  class_lines by;
  for (int i = potrf_vbatched_tables::select<T>(table, 0, batch_count);; ++i) {
    const potrf_vbatched_line& line = lines[static_cast<std::size_t>(i)];
    if (serves_alone(line.schedule)) continue;
    by.line[static_cast<std::size_t>(by.count++)] = i;
    if (line.n_max >= n_max) return by;
  }
}

/// The lines of a table that serve a call: one alone, or its classes.
template <class T>
class_lines lines_for(int table, int n_max, std::int64_t batch_count) {
  const int first = potrf_vbatched_tables::select<T>(table, n_max, batch_count);
  const auto schedule = potrf_vbatched_tables::lines<T>[static_cast<std::size_t>(first)].schedule;
  if (serves_alone(schedule)) return {1, {first}, schedule == vbatched_schedule::ordered};
  return classes_for<T>(table, n_max, batch_count);
}

/// Factors all matrices by these lines (n <= n_max of the last). For tests, bench and tuner.
template <class T>
int potrf_vbatched_by(const class_lines&, uplo, variable_batch<T> A, int* info, int n_max, queue q);

/// The same with one line, whichever sizes it was meant for.
template <class T>
int potrf_vbatched_at(int line, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  const bool ordered =
      potrf_vbatched_tables::lines<T>[static_cast<std::size_t>(line)].schedule == vbatched_schedule::ordered;
  return potrf_vbatched_by<T>({1, {line}, ordered}, uplo, A, info, n_max, q);
}

/// The same with table number `table` of potrf_vbatched_tables::gpus instead of the device's own.
template <class T>
int potrf_vbatched_with(int table, uplo, variable_batch<T> A, int* info, int n_max, queue q);

}  // namespace talus::cuda
