#include "space.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "batched/potrf_table.hpp"
#include "machine.hpp"
#include "plan.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

using cuda::any_n;

double once(const kernel&, int) { return 1; }

// ---- potrf ---------------------------------------------------------------------------------------

const std::vector<family_space>& potrf_space() {
  static const std::vector<family_space> space = {
      {"thread",
       {{2, 4, 8}, "16 columns of several rows leave a thread too few registers"},
       {{0}, "no outer steps"},
       {{1, 2, 4, 8, 16, 32, 64, 128}, "what fills the blocks that are worth trying"},
       {{1, 2, 4, 8, 16, 32}, "more threads than a warp would wait at block-wide barriers in every column"},
       {{1, 2, 3, 4, 5, 6, 7, 8}, "nine rows of four doubles and more spill"},
       1,
       96,
       "beyond, too few matrices fit into a multiprocessor's shared memory",
       [](const kernel& k, int n) {
         const int block = k.threads * k.tbc;
         return k.rows == (n + k.threads - 1) / k.threads && block >= 64 && block <= 256 &&
                k.threads <= 2 * n && (k.threads > 2 || n <= 8);
       },
       "as many rows per thread as n takes; blocks of 64 to 256 threads: smaller ones run out of block "
       "slots, larger ones end together; one or two threads per matrix up to n = 8, where a column is a "
       "sector or two",
       once,
       true},
      {"panel_inclusive",
       {{4, 8, 12, 16, 24}, "32 columns spill in double"},
       {{0}, "no outer steps"},
       {{1, 2, 4, 8}, "at most 256 threads per block"},
       {{256}, "leaves a thread all the registers that it can address"},
       {{1}, "the kernel has one row per thread"},
       9,
       96,
       "loop-inclusive loses to loop-exclusive from n = 33 on, as in the paper; tried up to 96 to be sure",
       [](const kernel& k, int n) { return (n + 31) / 32 * 32 * k.tbc <= k.threads && k.ib <= 2 * n; },
       "whole warps per matrix",
       [](const kernel& k, int n) { return 1 + static_cast<double>(n) / (12 * k.ib); },
       false},
      {"panel_exclusive",
       {{4, 8, 12, 16, 20, 24, 32}, "multiples of 4 up to a warp's rows; the paper's sweep ends at 32 too"},
       {{0}, "no outer steps"},
       {{1, 2, 4}, "several matrices per block only while a warp or two hold one"},
       {{256, 512, 1024}, "bounds the registers per thread at 255, 128 and 64: occupancy against spilling"},
       {{1, 2, 4}, "rows per thread: each broadcast then serves as many multiply-adds"},
       17,
       1536,
       "one launch per panel; below, a launch takes longer than a panel, above, a block has too few threads",
       [](const kernel& k, int n) {
         const int threads = (n + 32 * k.rows - 1) / (32 * k.rows) * 32;
         return k.ib <= n && (k.rows == 1 || n > 32 * (k.rows / 2)) && (k.tbc == 1 || threads <= 64);
       },
       "no rows that idle in all steps; tbc > 1 up to 64 threads per matrix",
       [](const kernel& k, int n) { return 1 + static_cast<double>(n) / (6 * k.ib); },
       false},
      {"blocked",
       {{4, 8}, "of the diagonal blocks, which are factored by thread: the best two there at n = 32"},
       {{64, 128, 256}, "32 reads the trailing matrix n / 32 times; 256 gained nothing over 128 at n = 2048"},
       {{4}, "of the diagonal blocks: lost at most 0.4 % to the best of 1, 2 and 4 at any size on an H200"},
       {{16, 32},
        "threads per diagonal block: the best divisions of 32 rows in thread, 8 was behind everywhere"},
       {{1, 2}, "32 rows over these threads"},
       192,
       any_n,
       "several launches per 32 columns; below n = 192 the panel kernels are ahead several times over",
       [](const kernel& k, int) { return k.threads * k.rows == cuda::potrf_blocked_order; },
       "no idle rows",
       [](const kernel& k, int n) { return 1 + static_cast<double>(n) / (3 * k.nb); },
       false}};
  return space;
}

std::string potrf_objection(const table_line& line, const cuda::gpu_limits& limits) {
  const auto& names = cuda::potrf_family_names;
  const auto family = std::find(names.begin(), names.end(), line.how.family) - names.begin();
  const kernel& k = line.how;
  const char* const objection =
      cuda::potrf_objection({line.precision, line.n_max, line.batch_max,
                             static_cast<cuda::potrf_family>(family), k.ib, k.nb, k.tbc, k.threads, k.rows},
                            element_size(line.precision), limits);
  if (objection) return objection;
  if (line.n_max == any_n && k.family != "blocked") return "serves some sizes only, but n_max is any_n";
  return "";
}

double potrf_flops(char precision, double n) {
  return precision == 'c' || precision == 'z' ? bench::potrf_flops<std::complex<double>>(n)
                                              : bench::potrf_flops<double>(n);
}

double potrf_bytes(char precision, int n) {
  switch (precision) {
    case 's':
      return bench::least_bytes<float>(n, true, 0);
    case 'd':
      return bench::least_bytes<double>(n, true, 0);
    case 'c':
      return bench::least_bytes<std::complex<float>>(n, true, 0);
    default:
      return bench::least_bytes<std::complex<double>>(n, true, 0);
  }
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

std::size_t element_size(char precision) { return precision == 's' ? 4 : precision == 'z' ? 16 : 8; }

const std::vector<routine>& routines() {
  static const std::vector<routine> all = {
      {"potrf",
       {cuda::potrf_family_names.begin(), cuda::potrf_family_names.end()},
       potrf_space(),
       potrf_objection,
       potrf_flops,
       potrf_bytes}};
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
