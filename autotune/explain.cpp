// talus-tune --explain: which line of this build's tables serves a size, and why.
#include <cstdio>

#include "classes.hpp"
#include "commands.hpp"
#include "gpu.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "space.hpp"
#include "vbatched/schedule.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

/// The evidence stands in the file, not in the program; and the file may have changed since.
void print_evidence(const routine& of, const std::string& folder, char precision, int n, std::int64_t batch,
                    const kernel& how) {
  const std::string path = tables_of_build() + "/" + folder + "/" + of.name + ".inc";
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

/// How many launches a call of mixed sizes has whose largest matrix is of order n.
void print_launches(const table& t, char precision, int n, std::int64_t batch) {
  const size_classes by = classes_by(t, precision, n, batch);
  if (by.size() > 1)
    std::printf("  a call whose largest n is here has %zu classes of sizes, %sa launch for each\n", by.size(),
                group_of(by.front().how) == cuda::line_group::filtered ? "no order, and " : "an order, and ");
  else
    std::printf("  a call whose largest n is here has %sone launch\n",
                by.front().how.schedule == cuda::name_of(cuda::schedule::ordered) ? "an order, and " : "");
}

/// What serves n in table t of a build.
void explain_in(const table& t, const routine& of, char precision, int n, std::int64_t batch, bool own) {
  const table_line& line = *select(t.lines, precision, n, batch);
  bool continues = false;
  int n_min = 1;
  for (const table_line* above = &line; above-- > t.lines.data();) {
    if (of.mixed_sizes && above->batch_max != line.batch_max) break;
    if (above->n_max() < line.n_max()) n_min = std::max(n_min, above->n_max() + 1);
    continues = continues || (above + 1 == &line && above->n_max() == line.n_max());
  }
  const bool any_batch = line.batch_max == cuda::any_batch;
  std::printf("  table %s%s, line %td: %s\n", t.name.c_str(),
              own ? "" : " (this GPU has none of its own here)", &line - t.lines.data(),
              describe(line.how).c_str());
  std::printf("  serves n = %d to %s%s%s\n", n_min, text_of_n(line.n_max()).c_str(),
              any_batch ? "" : (", batches of up to " + std::to_string(line.batch_max)).c_str(),
              continues && any_batch ? ", larger batches" : "");
  if (of.mixed_sizes) print_launches(t, precision, n, batch);
  print_evidence(of, t.name, precision, n, batch, line.how);
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
  const std::vector<table>& tables = of.compiled(precision[0]);
  const gpu_here device = current_gpu();
  const std::string gpu = o.gpu.empty() ? device.name : o.gpu;
  std::vector<cuda::gpu_table> heads;
  for (const table& t : tables) heads.push_back({t.name.c_str(), t.gpu.c_str(), t.capability});
  std::size_t first = 0, last = tables.size();  // where no GPU is meant: all that there are
  if (!gpu.empty()) {
    first = static_cast<std::size_t>(cuda::choose_table(heads.data(), static_cast<int>(heads.size()), gpu,
                                                        o.gpu.empty() ? device.capability : o.capability));
    last = first + 1;
  }
  for (const int n : sizes) {
    std::printf("%s, %s, n = %d, %s%s%s\n", of.name.c_str(), precision.c_str(), n,
                o.batch == cuda::any_batch ? "a large batch" : ("batch " + std::to_string(o.batch)).c_str(),
                gpu.empty() ? ", every table of this build (no GPU here; --gpu NAME asks for one)" : " on ",
                gpu.c_str());
    for (std::size_t t = first; t < last; ++t)  // a GPU's table without this precision leaves it to the last
      explain_in(tables[t].lines.empty() ? tables.back() : tables[t], of, precision[0], n, o.batch,
                 gpu.empty() || gpu == tables[t].gpu);
  }
  return measure::fine;
}

}  // namespace talus::tune
