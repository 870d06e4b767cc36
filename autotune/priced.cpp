// talus-tune --price: measures the lines of a GPU's tables, or reads measurements, and prints prices.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "commands.hpp"
#include "evidence.hpp"
#include "gpu.hpp"
#include "kernel_list.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "price.hpp"
#include "price_classes.hpp"
#include "space.hpp"
#include "sweep.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::fine, measure::unfinished, measure::usage_error;

namespace {

/// The routines that were asked for, in order.
std::vector<const routine*> routines_of(const options& o) {
  std::vector<const routine*> some;
  if (o.is_routine_given) {
    for (const std::string& name : measure::split(o.routine, ',')) some.push_back(&routine_named(name));
  } else {
    for (const routine& r : routines()) some.push_back(&r);
  }
  return some;
}

std::string fact_of_table(char precision) { return std::string("table ") + precision; }

std::string fingerprint_of(const std::vector<table_line>& lines) {
  table t;
  t.lines = lines;
  return fingerprint(t);
}

// ---- pricing -------------------------------------------------------------------------------------

std::string words_of(const priced_line& one) {
  const std::string words = one.is == verdict::keep   ? "keep"
                            : one.is == verdict::drop ? "drop"
                                                      : "reuse " + describe(one.instead);
  const std::string more = one.remark.empty() ? words : words + ": " + one.remark;
  return one.not_priced.empty() ? more : more + ", not priced: " + one.not_priced;
}

std::string box_of(const table_line& line) {
  std::vector<std::string> bounds;
  for (const int bound : line.bounds) bounds.push_back(text_of_n(bound));
  return joined(bounds, " x ");
}

/// Returns the words for the kernels that a line adds to the library: no other line names them.
std::string words_of_bytes(const routine& of, const priced_line& one,
                           const std::vector<listed_kernel>& list) {
  if (list.empty() || one.kernels == 0) return "";
  return "; " + words_of_kernels(kernels_of(of, one.line, list));
}

void print_prices(const routine& of, const priced_table& priced, const std::vector<listed_kernel>& list) {
  std::size_t longest = 6;  // "kernel"
  for (const priced_line& one : priced.lines) longest = std::max(longest, describe(one.line.how).size());
  const int width = static_cast<int>(longest);
  std::printf("  %-23s %9s  %-*s  %7s %7s %7s %6s %7s  %s\n", "box", "batch_max", width, "kernel", "mean",
              "least", "most", "points", "kernels", "verdict");
  for (const priced_line& one : priced.lines) {
    const std::string prices =
        one.points == 0 ? std::string(30, ' ')
                        : formatted("%7.3f %7.3f %7.3f %6d", one.mean, one.least, one.greatest, one.points);
    std::printf("%c %-23s %9s  %-*s  %s %7d  %s\n", one.line.precision, box_of(one.line).c_str(),
                text_of_batch(one.line.batch_max).c_str(), width, describe(one.line.how).c_str(),
                prices.c_str(), one.kernels, (words_of(one) + words_of_bytes(of, one, list)).c_str());
  }
}

void print_sum(char precision, const priced_table& priced) {
  const auto count = [&](verdict is) {
    return std::count_if(priced.lines.begin(), priced.lines.end(),
                         [&](const priced_line& one) { return one.is == is; });
  };
  std::printf(
      "%c: %zu lines: %td kept, %td dropped, %td with another kernel; kernels that the generic table lacks: "
      "%d before, %d after; time at %d points: %.3fx in the mean, %.3fx at most\n",
      precision, priced.lines.size(), count(verdict::keep), count(verdict::drop), count(verdict::reuse),
      priced.kernels_before, priced.kernels_after, priced.points, priced.mean, priced.worst);
}

/// Prices the lines of a GPU's table and writes the pruned table if --out was given.
int price_table(const options& o, const routine& of, const recorded& measured) {
  const std::string gpu = value_of(measured.about, "GPU");
  if (gpu.empty()) throw std::runtime_error("the measurements do not say of which GPU they are");
  options named = o;
  named.routine = of.name;
  const std::string file = of.name + ".inc";
  const std::string path =
      o.table.empty() ? autotune_folder() + "/tables/" + folder_name(gpu) + "/" + file : o.table;
  const table own = read_good_table(path, of), generic = read_good_table(generic_path(named), of);
  const cuda::gpu_limits limits = cuda::limits_of(own.capability);
  const price_rules rules = {o.bar / 100, o.most_loss / 100};
  std::vector<listed_kernel> list;
  if (!o.kernels.empty()) list = read_kernel_list(o.kernels);

  std::printf("\n%s on %s: time without a line's kernel over time with it\n", of.name.c_str(), gpu.c_str());
  table pruned = own;
  pruned.lines.clear();
  for (const char precision : std::string("sdcz")) {
    const std::vector<table_line> lines = lines_of(own, precision);
    const bool is_asked_for = o.precisions.empty() || std::count(o.precisions.begin(), o.precisions.end(),
                                                                 std::string(1, precision)) > 0;
    const bool is_measured = std::any_of(measured.all.begin(), measured.all.end(),
                                         [&](const measurement& m) { return m.precision == precision; });
    if (!is_asked_for || !is_measured || lines.empty()) {
      pruned.lines.insert(pruned.lines.end(), lines.begin(), lines.end());
      continue;
    }
    const std::string then = value_of(measured.about, fact_of_table(precision));
    if (!then.empty() && then != fingerprint_of(lines))
      std::printf("%c: %s has changed since it was measured\n", precision, path.c_str());
    const std::vector<table_line> others = lines_of(generic, precision);
    class_price_plan plan;
    plan.limits = limits;
    const priced_table priced = of.mixed_sizes ? price_classes(of, lines, others, measured.all, plan, rules)
                                               : price_lines(of, lines, others, measured.all, limits, rules);
    print_prices(of, priced, list);
    print_sum(precision, priced);
    pruned.lines.insert(pruned.lines.end(), priced.pruned.begin(), priced.pruned.end());
  }
  if (o.out.empty()) return fine;
  if (of.has_schedules && !of.mixed_sizes) {
    std::printf("not written: calls of one size do not say which lines of mixed sizes may go\n");
    return fine;
  }
  const std::string written = (fs::path(o.out) / file).string();
  for (table_line& line : pruned.lines) line.number = 0;
  const std::vector<problem_found> problems = check(pruned, of);
  for (const problem_found& p : problems) std::fprintf(stderr, "%s: %s\n", written.c_str(), p.what.c_str());
  if (!problems.empty()) return measure::wrong;
  write_file(written, text_of(pruned, of));
  std::printf("written: %s\n", written.c_str());
  return fine;
}

// ---- from files ----------------------------------------------------------------------------------

/// The routine that a file of measurements names, or else --routine's.
const routine& routine_in(const options& o, const recorded& measured, const std::string& path) {
  const std::string name = value_of(measured.about, "routine");
  if (name.empty() && !o.is_routine_given)
    throw usage_error("--from: '" + path + "' does not say of which routine it is: --routine does");
  return routine_named(name.empty() ? o.routine : name);
}

int price_files(const options& o) {
  std::vector<std::string> paths;
  if (!fs::is_directory(o.from)) {
    if (!fs::exists(o.from)) throw usage_error("--from: cannot read '" + o.from + "'");
    paths = {o.from};
  } else {
    for (const routine* of : routines_of(o)) {
      const std::string path = (fs::path(o.from) / (of->name + ".csv")).string();
      if (fs::exists(path))
        paths.push_back(path);
      else if (o.is_routine_given)
        throw usage_error("--from: cannot read '" + path + "'");
    }
    if (paths.empty()) throw usage_error("--from: '" + o.from + "' has no measurements of these routines");
  }
  if (!o.table.empty() && paths.size() > 1)
    throw usage_error("--table: is of one routine, but " + std::to_string(paths.size()) + " are priced");
  int status = fine;
  for (const std::string& path : paths) {
    const recorded measured = read_results(path);
    status = std::max(status, price_table(o, routine_in(o, measured, path), measured));
  }
  return status;
}

// ---- measuring -----------------------------------------------------------------------------------

/// The lines that this build has in one precision: of the GPU's own table and of the generic one.
struct compiled_lines {
  std::vector<table_line> own, generic;
  int first_own = 0, first_generic = 0;  // numbers in the library
};

compiled_lines compiled_for(const routine& of, char precision, const std::string& gpu, int capability) {
  compiled_lines lines;
  const std::vector<table>& tables = of.compiled(precision);
  std::vector<cuda::gpu_table> heads;
  for (const table& t : tables) heads.push_back({t.name.c_str(), t.gpu.c_str(), t.capability});
  const auto own = static_cast<std::size_t>(
      cuda::choose_table(heads.data(), static_cast<int>(heads.size()), gpu, capability));
  lines.generic = tables.back().lines;
  if (own + 1 < tables.size()) lines.own = tables[own].lines;
  for (std::size_t t = 0; t + 1 < tables.size(); ++t) {
    const int count = static_cast<int>(tables[t].lines.size());
    if (t < own) lines.first_own += count;
    lines.first_generic += count;
  }
  return lines;
}

/// What is measured of one routine.
struct routine_plan {
  const routine* of;
  std::vector<named_point> points;
  std::vector<class_price_call> calls;  // of mixed sizes
  facts tables;
};

/// The calls of one precision, with lines numbered as in the library.
std::vector<class_price_call> calls_for(const routine& of, const compiled_lines& lines,
                                        const class_price_plan& plan) {
  std::vector<class_price_call> calls = price_calls(of, lines.own, lines.generic, plan).calls;
  const int own = static_cast<int>(lines.own.size());
  const auto renumber = [&](class_variant& v) {
    for (int c = 0; c < v.by.count; ++c) {
      int& line = v.by.line[static_cast<std::size_t>(c)];
      line = line < own ? lines.first_own + line : lines.first_generic + line - own;
    }
  };
  for (class_price_call& call : calls) {
    renumber(call.table);
    for (class_variant& v : call.others) renumber(v);
  }
  return calls;
}

/// Returns for each line of the GPU's table whether it lacks a record.
std::vector<bool> is_missing(const options& o, const routine& of, const compiled_lines& lines,
                             const std::string& gpu) {
  table own, generic;
  own.lines = lines.own;
  generic.lines = lines.generic;
  const std::string folder =
      o.records.empty() ? autotune_folder() + "/results/" + folder_name(gpu) : o.records;
  std::vector<bool> missing;
  for (const line_evidence& one : find_evidence(of, own, generic, read_records(folder, of, gpu)))
    missing.push_back(one.is_missing());
  return missing;
}

/// True if a measurement of the point would be the record of a line that lacks one.
bool is_for_missing(const routine& of, const std::vector<table_line>& own, const std::vector<bool>& missing,
                    const named_point& p) {
  if (of.has_schedules) {  // a record of all lines with this kernel, if their boxes hold the point
    measurement m;
    m.n = p.n;
    m.of = p.of;
    m.batch = p.batch;
    m.how = p.reference;
    for (std::size_t l = 0; l < own.size(); ++l) {
      if (missing[l] && serves_with(of, own[l], m)) return true;
    }
    return false;
  }
  const table_line* const line = selected(of, own, p.n, p.batch, p.of);
  return line && missing[static_cast<std::size_t>(line - own.data())];
}

/// True if the table serves the call with a line that lacks a record.
bool is_for_missing(const compiled_lines& lines, const std::vector<bool>& missing,
                    const class_price_call& call) {
  for (int c = 0; c < call.table.by.count; ++c) {
    const int number = call.table.by.line[static_cast<std::size_t>(c)] - lines.first_own;
    if (number >= 0 && number < static_cast<int>(missing.size()) && missing[static_cast<std::size_t>(number)])
      return true;
  }
  return false;
}

std::vector<routine_plan> plans_of(const options& o, const std::string& gpu, int capability) {
  price_plan plan;
  plan.regimes = o.regimes;
  plan.limits = cuda::limits_of(capability);
  class_price_plan mixed_plan;
  if (o.missing) plan.most_matrix_bytes = 1.1e9;
  mixed_plan.all_calls = o.missing;
  mixed_plan.limits = plan.limits;
  std::vector<routine_plan> all;
  std::size_t points_in_total = 0, calls_in_total = 0;
  for (const routine* of : routines_of(o)) {
    routine_plan one = {of, {}, {}, {}};
    std::size_t runs = 0;
    for (const char precision : precisions_of(o)) {
      const compiled_lines lines = compiled_for(*of, precision, gpu, capability);
      if (lines.own.empty()) continue;
      one.tables.emplace_back(fact_of_table(precision), fingerprint_of(lines.own));
      std::vector<bool> missing;
      if (o.missing) missing = is_missing(o, *of, lines, gpu);
      if (of->mixed_sizes) {
        std::vector<class_price_call> calls = calls_for(*of, lines, mixed_plan);
        if (o.missing)
          calls.erase(std::remove_if(calls.begin(), calls.end(),
                                     [&](const auto& c) { return !is_for_missing(lines, missing, c); }),
                      calls.end());
        one.calls.insert(one.calls.end(), calls.begin(), calls.end());
        for (const class_price_call& call : calls) runs += call.others.size();
        continue;
      }
      std::vector<named_point> points = price_points(*of, lines.own, lines.generic, plan);
      if (o.missing)
        points.erase(
            std::remove_if(points.begin(), points.end(),
                           [&](const auto& p) { return !is_for_missing(*of, lines.own, missing, p); }),
            points.end());
      one.points.insert(one.points.end(), points.begin(), points.end());
      for (const named_point& p : points) runs += p.others.size() + 1;
    }
    if (one.tables.empty()) {
      std::printf("%s: not priced: this build has no table of this GPU\n", of->name.c_str());
      continue;
    }
    if (of->mixed_sizes)
      std::printf("%s: %zu calls, %zu variants of them\n", of->name.c_str(), one.calls.size(), runs);
    else
      std::printf(
          "%s: %zu points, %.1f kernels at each\n", of->name.c_str(), one.points.size(),
          one.points.empty() ? 0 : static_cast<double>(runs) / static_cast<double>(one.points.size()));
    points_in_total += one.points.size();
    calls_in_total += runs;
    all.push_back(one);
  }
  std::printf("%zu points and %zu variants of calls in total\n", points_in_total, calls_in_total);
  return all;
}

/// The file of one routine's measurements.
std::string price_path(const options& o, const routine& of, const std::string& gpu) {
  const std::string folder =
      o.results.empty() ? "autotune/results/" + folder_name(gpu) + "/price" : o.results;
  return fs::path(folder).extension() == ".csv" ? folder : (fs::path(folder) / (of.name + ".csv")).string();
}

/// Measures one routine; false: interrupted.
bool measure_prices(const options& o, const std::string& command, const routine_plan& plan,
                    const gpu_here& device, const std::string& path, double deadline) {
  constexpr int most_pairs = 4;
  options named = o;
  named.routine = plan.of->name;
  named.results = path;
  workplace at = prepare(named, command, backend::cuda, fs::path(path).parent_path().string(),
                         {{"routine", plan.of->name},
                          {"capability", std::to_string(device.capability)},
                          {"clocks", device.clocks}},
                         plan.tables);
  const auto must_stop = [&] { return is_interrupted() || (deadline > 0 && clock_seconds() > deadline); };
  const listener to = {[&](const measurement& m) { at.file.add(m); }, show, say, must_stop};
  const sweep_result done =
      plan.of->mixed_sizes
          ? measure_calls(plan.calls, at.known, calls_on_gpu(*plan.of, most_pairs), to)
          : measure_points(*plan.of, plan.points, at.known, points_on_gpu(*plan.of, {most_pairs, false}), to);
  show("");
  for (const std::string& trouble : done.troubles) std::printf("without a time: %s\n", trouble.c_str());
  if (done.interrupted)
    std::printf("%s after %d of %d points; the same command goes on from here\n",
                is_interrupted() ? "interrupted" : "the budget ended", done.points, done.of_points);
  return !done.interrupted;
}

}  // namespace

int run_price(const options& o, const std::string& command) {
  if (!o.out.empty()) require_writable("--out", o.out);
  precisions_of(o.from.empty() ? o : options());  // a file may have more precisions than this build
  routines_of(o);                                 // are the options good?
  for (const std::string& regime : o.regimes) measure::parse_regime(regime);
  if (!o.from.empty()) return price_files(o);
  const double budget = budget_of(o);
  const gpu_here device = current_gpu();
  const std::string gpu = o.gpu.empty() ? device.name : o.gpu;
  const int capability = o.capability != 0 ? o.capability : device.present ? device.capability : 90;
  std::vector<routine_plan> plans;
  if (device.present || !o.gpu.empty()) plans = plans_of(o, gpu, capability);
  if (!device.present) {
    std::fprintf(stderr, "talus-tune: there is no usable GPU here (%s); --from prices what was measured\n",
                 strerror(err_no_cuda));
    return measure::no_backend;
  }
  if (plans.size() > 1 && fs::path(o.results).extension() == ".csv")
    throw usage_error("--results: '" + o.results + "' is one file, but " + std::to_string(plans.size()) +
                      " routines are priced: name their folder");
  if (plans.size() > 1 && !o.table.empty())
    throw usage_error("--table: is of one routine, but " + std::to_string(plans.size()) + " are priced");
  heed_interrupts();
  const double deadline = budget > 0 ? clock_seconds() + budget : 0;
  for (const routine_plan& plan : plans) {
    if (!measure_prices(o, command, plan, device, price_path(o, *plan.of, gpu), deadline)) return unfinished;
  }
  int status = fine;
  for (const routine_plan& plan : plans)
    status = std::max(status, price_table(o, *plan.of, read_results(price_path(o, *plan.of, gpu))));
  return status;
}

}  // namespace talus::tune
