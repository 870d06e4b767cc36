// talus-tune --explain: which line of this build's tables serves a size, and why.
#include <cstdio>
#include <string>
#include <vector>

#include "commands.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "measure/routines.hpp"
#include "routine_of.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

/// The evidence stands in the file, not in the program; and the file may have changed since.
void print_evidence(const routine& of, const std::string& folder, char precision, int n, std::int64_t batch,
                    const kernel& how) {
  const std::string path = std::string(TALUS_TABLES_DIR) + "/" + folder + "/" + of.name + ".inc";
  std::vector<problem_found> problems;
  const table file = read_table(path, of, problems);
  const table_line* const there = select(file.lines, precision, n, batch);
  if (!there) {
    std::printf("  %s is not here, so the measurement behind the line is not known\n", path.c_str());
  } else if (there->how != how) {
    std::printf("  but %s:%d says %s: build again to run that\n", path.c_str(), there->number,
                describe(there->how).c_str());
  } else {
    std::printf("  %s:%d\n", path.c_str(), there->number);
    if (!there->evidence.empty()) std::printf("  measured: %s\n", there->evidence.c_str());
  }
}

/// How many launches a call has whose largest matrix line `line` serves.
template <class T, class Tables>
void print_launches(int line, int n, std::int64_t batch) {
  const int table = static_cast<int>(Tables::template table_of<T>(line));
  typename Tables::box bounds{};
  bounds.of[0] = n;
  const cuda::class_lines by = cuda::lines_for<Tables, T>(table, bounds, batch);
  if (by.count > 1)
    std::printf("  a call whose largest n is here has %d classes of sizes, an order, and a launch for each\n",
                by.count);
  else
    std::printf("  a call whose largest n is here has %sone launch\n", by.ordered ? "an order, and " : "");
}

template <class Description>
void explain_here(int t, int n, std::int64_t batch, bool own) {
  using tables = typename Description::tables;
  using T = typename Description::problem::scalar;
  const auto box = Description::box({n, n, n, Description::measured_nrhs});
  const int index = tables::template select<T>(t, box, batch);
  const auto& line = tables::template at<T>(index);
  const std::size_t from = tables::template table_of<T>(index);
  const int within = index - tables::template first_line<T>[from];
  const kernel how = kernel_of(line);
  const int n_max = line.bounds[0];
  bool continues = false;
  int n_min = 1;
  for (int i = index - 1; i >= index - within; --i) {
    const auto& above = tables::template at<T>(i);
    if (is_mixed<typename tables::line> && above.batch_max != line.batch_max) break;
    if (above.bounds[0] < n_max) n_min = std::max(n_min, above.bounds[0] + 1);
    continues = continues || (i == index - 1 && above.bounds[0] == n_max);
  }
  const std::string name = tables::gpus[from].name;
  std::printf("  table %s%s, line %d: %s\n", name.c_str(), own ? "" : " (this GPU has none of its own here)",
              within, describe(how).c_str());
  std::printf("  serves n = %d to %s%s%s\n", n_min, text_of_n(n_max).c_str(),
              line.batch_max != cuda::any_batch
                  ? (", batches of up to " + std::to_string(line.batch_max)).c_str()
                  : "",
              continues && line.batch_max == cuda::any_batch ? ", larger batches" : "");
  if constexpr (Description::mixed_sizes) print_launches<T, tables>(index, n, batch);
  print_evidence(routine_named(Description::name), name, precision_of<T>, n, batch, how);
}

template <class Description>
void explain(const options& o, const std::vector<int>& sizes) {
  const auto& tables = Description::tables::gpus;
  const gpu_here device = current_gpu();
  const std::string gpu = o.gpu.empty() ? device.name : o.gpu;
  const auto count = static_cast<int>(tables.size());
  std::vector<int> which;
  if (!o.gpu.empty() || device.present) {
    which = {cuda::choose_table(tables.data(), count, gpu, o.gpu.empty() ? device.capability : o.capability)};
  } else {
    for (int t = 0; t < count; ++t) which.push_back(t);  // no GPU is meant: all that there are
  }
  for (const int n : sizes) {
    std::printf("%s, %s, n = %d, %s%s%s\n", Description::name, o.explain[1].c_str(), n,
                o.batch == cuda::any_batch ? "a large batch" : ("batch " + std::to_string(o.batch)).c_str(),
                gpu.empty() ? ", every table of this build (no GPU here; --gpu NAME asks for one)" : " on ",
                gpu.c_str());
    for (const int t : which)
      explain_here<Description>(t, n, o.batch, gpu.empty() || gpu == tables[static_cast<std::size_t>(t)].gpu);
  }
}

}  // namespace

int run_explain(const options& o) {
  const routine& of = routine_named(o.explain[0]);
  const std::string& precision = o.explain[1];
  std::vector<int> sizes;
  try {
    sizes = measure::parse_sizes(o.explain[2]);
  } catch (const std::invalid_argument& e) {
    throw measure::usage_error(std::string("--explain: ") + e.what());
  }
  if (precision.size() != 1 || std::string(built_precisions).find(precision) == std::string::npos)
    throw measure::usage_error("--explain: precision '" + precision + "' is none of this build's " +
                               built_precisions);
  measure::with_routine(of.name, [&](auto r) {
    if constexpr (decltype(r)::has_tables) {
      with_type(precision[0],
                [&](auto zero) { explain<typename decltype(r)::template of<decltype(zero)>>(o, sizes); });
    }
  });
  return measure::fine;
}

}  // namespace talus::tune
