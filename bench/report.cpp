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
  const std::vector<std::string> names = split(csv_header, ',');
  for (const row& r : rows_) {
    const nlohmann::ordered_json values = {
        r.library, r.routine, r.precision,         r.regime, r.m, r.n, r.batch, r.median_ms, r.min_ms,
        r.max_ms,  r.gflops,  r.roofline_fraction, r.note};
    nlohmann::ordered_json& one = document["results"].emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) one[names[i]] = values[i];
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
  const bool computes = talus.gflops > 0 && other.gflops > 0;  // not so on fronts without pivots
  return is_ceiling(other.library) || !computes ? other.median_ms / talus.median_ms
                                                : talus.gflops / other.gflops;
}

/// On the factors that are known: their geometric mean, and the least of them.
std::string sentence_on(std::vector<speed_up> all, const std::string& whom, bool of_ceiling) {
  all.erase(std::remove_if(all.begin(), all.end(), [](const speed_up& one) { return one.factor <= 0; }),
            all.end());
  if (all.empty()) return "";
  const auto less = [](const speed_up& a, const speed_up& b) { return a.factor < b.factor; };
  const speed_up least = *std::min_element(all.begin(), all.end(), less);
  double logarithms = 0;
  for (const speed_up& one : all) logarithms += std::log(one.factor);
  const double mean = std::exp(logarithms / static_cast<double>(all.size()));
  const std::string of_whom = whom + " (geometric mean), least at n = " + std::to_string(least.n);
  return formatted("over %zu batch%s talus ", all.size(), all.size() == 1 ? "" : "es") +
         (of_ceiling
              ? formatted("reaches %.0f %% of %s, %.0f %%", 100 * mean, of_whom.c_str(), 100 * least.factor)
              : formatted("is %.2f times as fast as %s, %.2f times", mean, of_whom.c_str(), least.factor)) +
         (least.peer.empty() ? "" : " " + least.peer) + '\n';
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
  std::vector<speed_up> best;
  for (const std::vector<row>& rows : batches) best.push_back(speed_up_of(rows));
  for (const column& c : columns_) {
    std::vector<speed_up> all;
    for (const std::vector<row>& rows : batches) {
      const row *const talus = find(rows, "talus"), *const r = find(rows, c.library);
      if (talus && r && !is_wrong(*talus) && !is_wrong(*r))
        all.push_back({r->n, factor_over(*r, *talus), ""});
    }
    text += sentence_on(all, c.title, is_ceiling(c.library));
  }
  return text + sentence_on(best, "the best of the others", false);
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
  for (row sum : batches.front()) {
    bool wrong = false, in_all = true;
    sum.batch = 0;
    sum.median_ms = sum.min_ms = sum.max_ms = 0;
    double mflops = 0, floor_ms = 0;
    for (const std::vector<row>& rows : batches) {
      const row* const r = find(rows, sum.library);
      in_all = in_all && r;
      if (!r) break;
      sum.m = std::max(sum.m, r->m);
      sum.n = std::max(sum.n, r->n);
      sum.batch += r->batch;
      sum.median_ms += r->median_ms;
      sum.min_ms += r->min_ms;
      sum.max_ms += r->max_ms;
      mflops += r->gflops * r->median_ms;
      floor_ms += r->roofline_fraction * r->median_ms;
      wrong = wrong || is_wrong(*r);
    }
    if (!in_all) continue;
    sum.gflops = mflops / sum.median_ms;
    sum.roofline_fraction = floor_ms / sum.median_ms;
    sum.note = joined({wrong ? wrong_result : "",
                       formatted("sum of %zu level%s", batches.size(), batches.size() == 1 ? "" : "s")});
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
