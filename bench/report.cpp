#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#ifdef TALUS_WITH_JSON
#include <nlohmann/json.hpp>
#endif

namespace talus::bench {

const char* const csv_header =
    "library,routine,precision,regime,m,n,batch,median_ms,min_ms,max_ms,gflops,roofline_fraction,note";
const char* const wrong_result = "WRONG RESULT";

namespace {

std::string quoted_if_needed(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

const row* find(const std::vector<row>& rows, const std::string& library) {
  for (const row& r : rows) {
    if (r.library == library) return &r;
  }
  return nullptr;
}

/// Factors, their geometric mean and the least of them.
struct factors {
  double logarithms = 0, least = 0;
  int count = 0, n = 0;
  std::string peer;

  void add(double factor, int n_, const std::string& peer_ = "") {
    if (factor <= 0) return;
    logarithms += std::log(factor);
    ++count;
    if (least != 0 && factor >= least) return;
    least = factor;
    n = n_;
    peer = peer_;
  }
  double mean() const { return std::exp(logarithms / count); }
};

bool is_wrong(const row& r) { return r.note.find(wrong_result) != std::string::npos; }

write_error cannot_write(const std::string& path) { return write_error("cannot write '" + path + "'"); }

}  // namespace

std::string csv_line(const row& r) {
  return r.library + ',' + r.routine + ',' + r.precision + ',' + r.regime + ',' +
         formatted("%d,%d,%lld,%.6g,%.6g,%.6g,%.6g,%.4f,", r.m, r.n, static_cast<long long>(r.batch),
                   r.median_ms, r.min_ms, r.max_ms, r.gflops, r.roofline_fraction) +
         quoted_if_needed(r.note);
}

csv_file::csv_file(const std::string& path, const facts& about) : path_(path), file_(path) {
  for (const auto& [name, value] : about) file_ << "# " << name << ": " << value << '\n';
  file_ << csv_header << std::endl;
  if (!file_) throw cannot_write(path_);
}

void csv_file::add(const std::vector<row>& rows) {
  for (const row& r : rows) file_ << csv_line(r) << '\n';
  file_.flush();
  if (!file_) throw cannot_write(path_);
}

json_file::json_file(std::string path, const machine& m, facts about)
    : path_(std::move(path)), machine_(m), about_(std::move(about)) {
  write();
}

void json_file::add(const std::vector<row>& rows) {
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  write();
}

#ifdef TALUS_WITH_JSON
void json_file::write() const {
  nlohmann::ordered_json document;
  for (const auto& [name, value] : about_) document["about"][name] = value;
  document["machine"] = {{"name", machine_.name},
                         {"details", machine_.details},
                         {"bandwidth", machine_.bandwidth},
                         {"peak_single", machine_.peak_single},
                         {"peak_double", machine_.peak_double}};
  document["results"] = nlohmann::ordered_json::array();
  for (const row& r : rows_) {
    document["results"].push_back({{"library", r.library},
                                   {"routine", r.routine},
                                   {"precision", r.precision},
                                   {"regime", r.regime},
                                   {"m", r.m},
                                   {"n", r.n},
                                   {"batch", r.batch},
                                   {"median_ms", r.median_ms},
                                   {"min_ms", r.min_ms},
                                   {"max_ms", r.max_ms},
                                   {"gflops", r.gflops},
                                   {"roofline_fraction", r.roofline_fraction},
                                   {"note", r.note}});
  }
  std::ofstream file(path_);
  file << document.dump(1) << std::endl;
  if (!file) throw cannot_write(path_);
}
#else
void json_file::write() const {
  throw std::runtime_error("this build writes no JSON: nlohmann-json was not found");
}
#endif

// ---- for people ----------------------------------------------------------------------------------

namespace {

/// About four significant digits, whatever the size.
std::string short_number(double x) {
  const int digits = x >= 1000 ? 0 : x >= 100 ? 1 : x >= 10 ? 2 : x >= 1 ? 3 : 4;
  return formatted("%.*f", digits, x);
}

bool is_ceiling(const std::string& library) {
  return library == "copy" || library == "groups" || library == "classes";
}

/// Of ceilings by time; of the others by rate, as a file's batch may have had other random sizes.
double factor_over(const row& other, const row& talus) {
  return is_ceiling(other.library) ? other.median_ms / talus.median_ms : talus.gflops / other.gflops;
}

int width_of(const column& c) { return std::max(18, static_cast<int>(c.title.size())); }

}  // namespace

std::string table::head() const {
  std::string names = formatted("%6s %6s %9s | %-38s", "", "", "", "talus");
  std::string units = formatted("%6s %6s %9s | %10s %10s %8s %7s", label_.c_str(), "n", "batch", "ms",
                                "GFLOP/s", "roof", "x best");
  for (const column& c : columns_) {
    names += formatted(" | %-*s", width_of(c), c.title.c_str());
    units += formatted(" | %9s %*s", "ms", width_of(c) - 10, is_ceiling(c.library) ? "share" : "x");
  }
  return names + '\n' + units;
}

std::string table::line(const std::string& name, const std::vector<row>& rows) const {
  const row* const talus = find(rows, "talus");
  const row& any = talus ? *talus : rows.front();
  const double best = speed_up_of(rows).factor;
  std::string text = formatted("%6s %6d %9lld | ", name.c_str(), any.n, static_cast<long long>(any.batch));
  text += talus ? formatted("%10s %10s %6.0f %%", short_number(talus->median_ms).c_str(),
                            short_number(talus->gflops).c_str(), 100 * talus->roofline_fraction)
                : formatted("%10s %10s %8s", "-", "-", "-");
  text += best > 0 ? formatted(" %7.2f", best) : formatted(" %7s", "-");
  for (const column& c : columns_) {
    const row* const r = find(rows, c.library);
    std::string factor = "-";
    if (r && talus) {
      const double x = factor_over(*r, *talus);
      factor = is_ceiling(c.library) ? formatted("%.0f %%", 100 * x) : formatted("%.2f", x);
    }
    text += formatted(" | %9s %*s", r ? short_number(r->median_ms).c_str() : "-", width_of(c) - 10,
                      factor.c_str());
  }
  return text;
}

std::string table::summary(const std::vector<std::vector<row>>& batches) const {
  std::string text;
  const auto over = [](const factors& all) {
    return formatted("over %d batch%s", all.count, all.count == 1 ? "" : "es");
  };
  for (const column& c : columns_) {
    factors all;
    for (const std::vector<row>& rows : batches) {
      const row *const talus = find(rows, "talus"), *const r = find(rows, c.library);
      if (talus && r && !is_wrong(*talus) && !is_wrong(*r)) all.add(factor_over(*r, *talus), r->n);
    }
    if (all.count == 0) continue;
    text += is_ceiling(c.library)
                ? formatted("%s talus reaches %.0f %% of %s (geometric mean), least at n = %d, %.0f %%\n",
                            over(all).c_str(), 100 * all.mean(), c.title.c_str(), all.n, 100 * all.least)
                : formatted(
                      "%s talus is %.2f times as fast as %s (geometric mean), least at n = %d, %.2f times\n",
                      over(all).c_str(), all.mean(), c.title.c_str(), all.n, all.least);
  }
  factors best;
  for (const std::vector<row>& rows : batches) {
    const speed_up one = speed_up_of(rows);
    best.add(one.factor, one.n, one.peer);
  }
  if (best.count == 0) return text;
  return text + formatted(
                    "%s talus is %.2f times as fast as the best of the others (geometric mean), least at "
                    "n = %d, %.2f times %s\n",
                    over(best).c_str(), best.mean(), best.n, best.least, best.peer.c_str());
}

const char* table::legend() {
  return R"(roof: share of the machine's limit, max(all bytes / bandwidth, all flops / peak) over the time taken; above
100 %: the matrices stay in the cache, or the limits were measured on a busy machine. x: times as fast as
that; best: as the best of the others. share: time of a ceiling over the time taken: copy moves the same
elements without computing, groups is one call for each size that occurs, classes one for each class of the
table with as many equal matrices and about the same work.
)";
}

std::vector<row> sum_of(const std::vector<std::vector<row>>& batches) {
  std::vector<row> sums;
  if (batches.empty()) return sums;
  for (const row& first : batches.front()) {
    row sum = first;
    sum.batch = 0;
    sum.median_ms = sum.min_ms = sum.max_ms = 0;
    sum.note = is_wrong(first) ? wrong_result : "";
    double mflops = 0, floor_ms = 0;
    bool in_all = true;
    for (const std::vector<row>& rows : batches) {
      const row* const r = find(rows, first.library);
      in_all = in_all && r;
      if (!r) break;
      sum.m = sum.n = std::max(sum.n, r->n);
      sum.batch += r->batch;
      sum.median_ms += r->median_ms;
      sum.min_ms += r->min_ms;
      sum.max_ms += r->max_ms;
      mflops += r->gflops * r->median_ms;
      floor_ms += r->roofline_fraction * r->median_ms;
      if (is_wrong(*r)) sum.note = wrong_result;
    }
    if (!in_all) continue;
    sum.gflops = mflops / sum.median_ms;
    sum.roofline_fraction = floor_ms / sum.median_ms;
    sum.note = joined({sum.note, "sum of " + std::to_string(batches.size()) +
                                     (batches.size() == 1 ? " level" : " levels")});
    sums.push_back(sum);
  }
  return sums;
}

speed_up speed_up_of(const std::vector<row>& rows) {
  const row* const talus = find(rows, "talus");
  speed_up best;
  if (!talus || is_wrong(*talus)) return best;
  for (const row& r : rows) {
    if (&r == talus || is_ceiling(r.library) || is_wrong(r)) continue;
    const double factor = r.median_ms / talus->median_ms;
    if (best.factor == 0 || factor < best.factor) best = {r.n, factor, r.library};
  }
  return best;
}

}  // namespace talus::bench
