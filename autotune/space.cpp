#include "space.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "batched/posv_table.hpp"
#include "batched/potrf_table.hpp"
#include "machine.hpp"
#include "plan.hpp"
#include "vbatched/potrf_table.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

using cuda::any_n;

double once(const kernel&, int) { return 1; }

/// Whether the threads of a matrix have just as many rows each as n takes.
bool has_rows_for(const kernel& k, int n) { return k.rows == (n + k.threads - 1) / k.threads; }

// ---- potrf ---------------------------------------------------------------------------------------

family_space warp_space(const char* family) {
  return {family,
          {{1}, "column by column"},
          {{0, 2, 3, 5, 8}, "blocks per multiprocessor, which decide how many matrices are under way"},
          {{1, 2, 4, 8, 16, 32}, "blocks of 32 to 128 threads"},
          {{4, 8, 16, 32}, "lanes per matrix"},
          {{1, 2, 3, 4, 5, 6}, "what a lane's registers hold"},
          3,
          64,
          "smaller ones have a row or two, larger ones do not fit into its registers",
          [](const kernel& k, int n) {
            const int block = k.threads * k.tbc;
            return has_rows_for(k, n) && (block == 32 || block == 64 || block == 128) && k.threads < 2 * n &&
                   (k.nb == 0 || k.nb >= 5 || k.threads * k.rows > 8);
          },
          "as many rows per lane as n takes; for small ones five blocks leave registers enough",
          once,
          true};
}

/// Where no lane needs neighbours to move whole lines.
family_space warp_lines_space() {
  family_space f = warp_space("warp_lines");
  f.nb = {{0, 3, 5, 8}, "blocks per multiprocessor, as for warp"};
  f.tbc = {{4, 8, 16, 32}, "blocks of 32 and 64 threads"};
  f.threads = {{2, 4, 8}, "few lanes, as neighbours need not have neighbouring rows"};
  f.n_min = 2;
  f.n_max = cuda::potrf_warp_staged_most;
  f.why = "larger ones have columns of a line and more";
  f.worth = [](const kernel& k, int n) {
    const int block = k.threads * k.tbc;
    return has_rows_for(k, n) && (block == 32 || block == 64) && k.threads < 2 * n;
  };
  f.why_worth = "as many rows per lane as n takes";
  return f;
}

const std::vector<family_space>& potrf_space() {
  static const std::vector<family_space> space = {
      {"thread",
       {{2, 4, 8}, "16 columns of several rows leave a thread too few registers"},
       {{0}, "no outer steps"},
       {{1, 2, 4, 8, 16, 32, 64, 128}, "what fills the blocks that are worth trying"},
       {{1, 2, 4, 8, 16, 32}, "more threads than a warp would wait at block-wide barriers in every column"},
       {{1, 2, 3, 4, 5, 6, 7, 8}, "nine rows of four doubles and more spill"},
       1,
       40,
       "beyond, too few matrices fit into a multiprocessor's shared memory",
       [](const kernel& k, int n) {
         const int block = k.threads * k.tbc;
         return has_rows_for(k, n) && block >= 64 && block <= 256 && k.threads <= 2 * n &&
                (k.threads > 2 || n <= 8);
       },
       "as many rows per thread as n takes; blocks of 64 to 256 threads: smaller ones run out of block "
       "slots, larger ones end together; one or two threads per matrix up to n = 8, where a column is a "
       "sector or two",
       once,
       true},
      warp_space("warp"),
      warp_space("warp_late"),
      warp_lines_space(),
      {"smem",
       {{16}, "two halves of 8 columns, the shape of the tensor units' operands"},
       {{0, 164}, "as CUDA likes; three matrices in four, and three times the first-level cache (log, 66)"},
       {{1}, "a matrix has a block of its own"},
       {{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 448, 512, 544},
        "warps share a matrix only where one has too few registers"},
       {{1, 2, 3, 4, 5, 6, 7, 8}, "tiles of 16 rows that a warp holds; more spill (c: 6, z: 4)"},
       17,
       384,
       "smaller ones leave most of a tile empty; of larger ones shared memory holds too few tiles",
       [](const kernel& k, int n) {
         const int warps = k.threads / 32, tiles = (n + 15) / 16;
         const int followers = warps - cuda::potrf_smem_leaders(k.threads);
         const bool narrow = cuda::potrf_smem_border(n) > 0;  // the first panel, so it may have one more
         return warps == 1
                    ? k.rows == tiles || (narrow && k.rows == tiles - 1)
                    : k.rows == (tiles - 2 + followers) / followers && followers < tiles && k.rows <= 4;
       },
       "as many tiles per warp as n takes, no idle warps",
       once,
       true},
      {"panel_inclusive",
       {{4, 8, 12, 16, 24}, "32 columns spill in double"},
       {{0}, "no outer steps"},
       {{1, 2, 4, 8}, "at most 256 threads per block"},
       {{256}, "leaves a thread all the registers that it can address"},
       {{1}, "the kernel has one row per thread"},
       9,
       32,
       "more than a warp of rows loses to loop-exclusive, as in the paper",
       [](const kernel& k, int n) { return (n + 31) / 32 * 32 * k.tbc <= k.threads && k.ib <= 2 * n; },
       "whole warps per matrix",
       [](const kernel& k, int n) { return 1 + static_cast<double>(n) / (12 * k.ib); },
       false},
      {"panel_exclusive",
       {{8, 12, 16}, "the best three of 4 to 32 in a sweep to n = 1536, before there was smem"},
       {{0}, "no outer steps"},
       {{1, 2, 4}, "several matrices per block only while a warp or two hold one"},
       {{256, 512}, "bounds the registers per thread at 255 and 128: occupancy against spilling"},
       {{1, 2}, "rows per thread: each broadcast then serves as many multiply-adds"},
       17,
       64,
       "one launch per panel; below, a launch takes longer than a panel, above, smem and blocked are twice "
       "as fast",
       [](const kernel& k, int n) {
         const int threads = (n + 32 * k.rows - 1) / (32 * k.rows) * 32;
         return k.ib <= n && (k.rows == 1 || n > 32 * (k.rows / 2)) && (k.tbc == 1 || threads <= 64);
       },
       "no rows that idle in all steps; tbc > 1 up to 64 threads per matrix",
       [](const kernel& k, int n) { return 1 + static_cast<double>(n) / (6 * k.ib); },
       false},
      {"blocked",
       {{16}, "columns of a slab, the tiles of the tensor units' operands"},
       {{32, 64, 128}, "16 columns read the matrix too often"},
       {{1}, "a block works on one matrix"},
       {{32, 64, 128}, "of a diagonal block, one or two groups of warps; four wait for each other's sums"},
       {{1, 2}, "tiles of 16 rows per warp; more spill or were slower"},
       48,
       any_n,
       "two launches per step; below, smem holds several matrices per multiprocessor",
       [](const kernel& k, int n) { return k.nb < n && (k.nb > 32 || n <= 512); },
       "nb = 32 only while there are few steps",
       once,  // at least: how much of what is read again comes from the L2 depends on the batch
       false}};
  return space;
}

cuda::potrf_line compiled_form(const table_line& line) {
  const auto& names = cuda::potrf_family_names;
  const auto family = std::find(names.begin(), names.end(), line.how.family) - names.begin();
  const kernel& k = line.how;
  return {line.precision, line.n_max, line.batch_max, static_cast<cuda::potrf_family>(family), k.ib, k.nb,
          k.tbc,          k.threads,  k.rows};
}

std::string potrf_objection(const table_line& line, const cuda::gpu_limits& limits) {
  const char* const objection =
      cuda::potrf_objection(compiled_form(line), element_size(line.precision), limits);
  if (objection) return objection;
  if (line.n_max == any_n && line.how.family != "blocked")
    return "serves some sizes only, but n_max is any_n";
  return "";
}

template <int NRHS>
double flops(char precision, double n) {
  using complex = std::complex<double>;
  return precision == 'c' || precision == 'z'
             ? bench::potrf_flops<complex>(n) + bench::potrs_flops<complex>(n, NRHS)
             : bench::potrf_flops<double>(n) + bench::potrs_flops<double>(n, NRHS);
}

template <int NRHS>
double bytes(char precision, int n) {
  switch (precision) {
    case 's':
      return bench::least_bytes<float>(n, true, NRHS);
    case 'd':
      return bench::least_bytes<double>(n, true, NRHS);
    case 'c':
      return bench::least_bytes<std::complex<float>>(n, true, NRHS);
    default:
      return bench::least_bytes<std::complex<double>>(n, true, NRHS);
  }
}

// ---- posv ----------------------------------------------------------------------------------------

/// What potrf tries up to the largest order that is solved with on the chip, and both routines in turn.
const std::vector<family_space>& posv_space() {
  static const std::vector<family_space> space = [] {
    std::vector<family_space> some;
    for (family_space f : potrf_space()) {
      if (std::string(f.family).rfind("panel", 0) == 0 || std::string(f.family) == "blocked") continue;
      if (std::string(f.family) == "smem")
        f.threads = {{32}, "a warp solves with the matrix that it factored"};
      if (std::string(f.family) == "thread") {
        const char* const why = "the best of potrf's sweeps";
        f.ib = {{2, 4}, why};
        f.threads = {{1, 2, 8, 16}, why};
        f.rows = {{1, 2, 3}, why};
        f.n_max = 24;
        f.why = "the largest that a line of potrf had it for";
      }
      f.n_max = std::min(f.n_max, cuda::posv_at_once);
      some.push_back(f);
    }
    const values none = {{0}, "of potrf's and potrs's choice"};
    some.push_back({"apart", none, none, none, none, none, 1, any_n, "potrf, then potrs, whatever n",
                    [](const kernel&, int) { return true; }, "there is only one", once, false});
    return some;
  }();
  return space;
}

std::string posv_objection(const table_line& line, const cuda::gpu_limits& limits) {
  const char* const objection =
      cuda::posv_objection(compiled_form(line), element_size(line.precision), limits);
  return objection ? objection : "";
}

// ---- potrf_vbatched ------------------------------------------------------------------------------

std::string potrf_vbatched_objection(const table_line& line, const cuda::gpu_limits& limits) {
  const auto& names = cuda::vbatched_schedule_names;
  const auto schedule = std::find(names.begin(), names.end(), line.how.schedule) - names.begin();
  const char* const objection =
      cuda::potrf_vbatched_objection({compiled_form(line), static_cast<cuda::vbatched_schedule>(schedule)},
                                     element_size(line.precision), limits);
  if (objection) return objection;
  if (line.n_max == any_n && line.how.family != "blocked")
    return "serves some sizes only, but n_max is any_n";
  return "";
}

const family_space& family_named(const routine& of, const std::string& name) {
  for (const family_space& f : of.space) {
    if (name == f.family) return f;
  }
  throw std::invalid_argument(of.name + " has no kernel family '" + name + "'");
}

/// Every combination of a family's values.
std::vector<kernel> combinations(const family_space& f) {
  std::vector<kernel> all;
  for (const int ib : f.ib.of) {
    for (const int nb : f.nb.of) {
      for (const int tbc : f.tbc.of) {
        for (const int threads : f.threads.of) {
          for (const int rows : f.rows.of) all.push_back({f.family, ib, nb, tbc, threads, rows});
        }
      }
    }
  }
  return all;
}

table_line line_for(char precision, int n, const kernel& k) {
  table_line line;
  line.precision = precision;
  line.n_max = n;
  line.how = k;
  return line;
}

/// The largest n that a kernel serves; 0: none.
int largest_n(const routine& of, char precision, const kernel& k, const cuda::gpu_limits& limits) {
  const auto serves = [&](int n) { return of.objection(line_for(precision, n, k), limits).empty(); };
  if (serves(any_n)) return any_n;
  int good = 0, bad = any_n;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (serves(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

kernel kernel_of(const cuda::potrf_line& line) {
  return {cuda::name_of(line.family), line.ib, line.nb, line.tbc, line.threads, line.rows};
}
kernel kernel_of(const cuda::potrf_vbatched_line& line) {
  kernel k = kernel_of(static_cast<const cuda::potrf_line&>(line));
  k.schedule = cuda::name_of(line.schedule);
  return k;
}

std::size_t element_size(char precision) { return precision == 's' ? 4 : precision == 'z' ? 16 : 8; }

const std::vector<routine>& routines() {
  const auto families = [](const std::vector<family_space>& space) {
    std::vector<std::string> names;
    for (const family_space& f : space) names.push_back(f.family);
    return names;
  };
  static const std::vector<routine> all = {
      {"potrf", families(potrf_space()), {}, potrf_space(), potrf_objection, 0, flops<0>, bytes<0>},
      {"posv", families(posv_space()), {}, posv_space(), posv_objection, 1, flops<1>, bytes<1>},
      {"potrf_vbatched",
       {"warp", "smem", "blocked", "panel_exclusive"},
       {cuda::vbatched_schedule_names.begin(), cuda::vbatched_schedule_names.end()},
       {},
       potrf_vbatched_objection,
       0,
       flops<0>,
       bytes<0>}};
  return all;
}

const routine& routine_named(const std::string& name) {
  std::vector<std::string> names;
  for (const routine& r : routines()) {
    if (r.name == name) return r;
    names.push_back(r.name);
  }
  throw std::invalid_argument("'" + name + "' has no tables; these have: " + joined(names, ", "));
}

std::vector<kernel> candidates(const routine& of, char precision, int n, const cuda::gpu_limits& limits) {
  std::vector<kernel> chosen;
  for (const family_space& f : of.space) {
    if (n < f.n_min || n > f.n_max) continue;
    for (const kernel& k : combinations(f)) {
      if (f.worth(k, n) && of.objection(line_for(precision, n, k), limits).empty()) chosen.push_back(k);
    }
  }
  return chosen;
}

table candidate_table(const routine& of, const std::string& precisions, const cuda::gpu_limits& limits,
                      const table& also) {
  table t;
  t.name = "generic";  // stands in its place in the search build, and holds all of it
  t.preamble = "// Every candidate of " + of.name + "'s search space. Written by talus-tune --candidates.\n";
  for (const char precision : precisions) {
    std::set<kernel> all;
    for (const family_space& f : of.space) {
      // A combination belongs to the space if it is worth trying anywhere.
      const std::vector<kernel> every = combinations(f);
      const int last = std::min(f.n_max, 1024);
      for (const kernel& k : every) {
        for (int n = f.n_min; n <= last; ++n) {
          if (!f.worth(k, n) || !of.objection(line_for(precision, n, k), limits).empty()) continue;
          all.insert(k);
          break;
        }
      }
    }
    for (const table_line& line : also.lines) {
      if (line.precision == precision) all.insert(line.how);
    }
    std::vector<table_line> lines;
    for (const kernel& k : all) lines.push_back(line_for(precision, largest_n(of, precision, k, limits), k));
    std::stable_sort(lines.begin(), lines.end(),
                     [](const table_line& a, const table_line& b) { return a.n_max < b.n_max; });
    t.lines.insert(t.lines.end(), lines.begin(), lines.end());
  }
  return t;
}

double traffic(const routine& of, const kernel& k, int n) { return family_named(of, k.family).traffic(k, n); }

kernel neighbour_key(const routine& of, kernel k) {
  if (family_named(of, k.family).rows_follow_from_n) k.rows = 0;
  return k;
}

std::string explain_space(const routine& of) {
  std::string text;
  const auto add = [&](const char* name, const values& v) {
    std::vector<std::string> numbers;
    for (const int value : v.of) numbers.push_back(std::to_string(value));
    text += "  " + std::string(name) + std::string(9 - std::string(name).size(), ' ') + joined(numbers, " ") +
            "\n           " + v.why + "\n";
  };
  if (!of.schedules.empty()) {
    for (const std::string& family : of.families) {
      text += of.name + ", " + family + "\n           " +
              (family == "panel_exclusive"
                   ? "the paper's schedules, which 'talus-bench figure 4' measures: no candidate"
               : family == "blocked" ? "within a tenth of the fastest for equal sizes, greedy and lazy"
                                     : "what is the fastest for equal sizes") +
              "\n";
    }
    text +=
        "  classes  the sizes between which potrf's measurements change the kernel, then fewer, as long as\n"
        "           that costs less than 5 % in the sum over all largest sizes, and 10 % of no call\n"
        "  batches  each a set of classes of its own where that gains 2 %\n";
  }
  for (const family_space& f : of.space) {
    text += of.name + ", " + f.family + ", n = " + std::to_string(f.n_min) + " to " +
            (f.n_max == any_n ? "any" : std::to_string(f.n_max)) + "\n           " + f.why + "\n";
    add("ib", f.ib);
    if (f.nb.of != std::vector<int>{0}) add("nb", f.nb);
    add("tbc", f.tbc);
    add("threads", f.threads);
    add("rows", f.rows);
    text += "  together " + std::string(f.why_worth) + "\n\n";
  }
  return text;
}

}  // namespace talus::tune
