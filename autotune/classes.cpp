#include "classes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include "measure/plan.hpp"
#include "space.hpp"
#include "vbatched/schedule.hpp"
#include "words.hpp"

namespace talus::tune {

kernel as_class(kernel how) {
  if (group_of(how) < cuda::line_group::in_order) how.schedule = cuda::name_of(cuda::schedule::queued);
  return how;
}

// ---- as text -------------------------------------------------------------------------------------

std::string text_of(const size_classes& space) {
  std::vector<std::string> words;
  for (const size_class& c : space) words.push_back(c.name + ' ' + describe(c.how));
  return joined(words, "; ");
}

size_classes parse_classes(const std::string& text) {
  size_classes space;
  for (const std::string& word : measure::split(text, ';')) {
    const auto wrong = [&] { return std::runtime_error("'" + word + "' is no class of sizes"); };
    std::istringstream in(word);
    size_class c;
    std::string how;
    if (!(in >> c.name) || !std::getline(in >> std::ws, how)) throw wrong();
    const std::string bound = c.name.substr(0, c.name.find('.'));
    try {
      c.n_max = bound == text_of_n(cuda::any_extent) ? cuda::any_extent : std::stoi(bound);
    } catch (const std::logic_error&) {
      throw wrong();
    }
    c.how = kernel_named(how);
    if (c.how.schedule.empty() || c.how.family.empty() || describe(c.how) != how) throw wrong();
    space.push_back(c);
  }
  return space;
}

namespace {

template <class Number>
std::vector<Number> numbers_in(const std::string& text) {
  std::vector<Number> numbers;
  std::istringstream in(text);
  for (Number number; in >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

facts facts_of_classes(const class_plan& plan) {
  const std::string p(1, plan.precision);
  return {{"classes " + p, text_of(plan.space)},
          {"alone " + p, text_of(plan.alone)},
          {"batches " + p, in_words(plan.batches)},
          {"maxima " + p, in_words(plan.maxima)},
          {"bytes " + p, std::to_string(static_cast<std::int64_t>(plan.most_bytes))}};
}

class_plan plan_of_classes(const routine& of, const facts& about, char precision) {
  const std::string p(1, precision);
  const auto value = [&](const std::string& name) {
    const std::string text = value_of(about, name + ' ' + p);
    if (text.empty())
      throw std::runtime_error("the measurements do not say which " + name + ' ' + p + " has");
    return text;
  };
  return {&of,
          precision,
          parse_classes(value("classes")),
          parse_classes(value("alone")),
          numbers_in<std::int64_t>(value("batches")),
          numbers_in<int>(value("maxima")),
          std::stod(value("bytes"))};
}

// ---- as tables -----------------------------------------------------------------------------------

table class_table(const std::vector<class_plan>& plans, const table& also) {
  table t;
  for (const class_plan& plan : plans) {
    std::vector<table_line> lines;
    const auto add = [&](int n_max, const kernel& how) {
      const table_line line = line_for(*plan.of, plan.precision, n_max, as_class(how));
      const bool known = std::any_of(lines.begin(), lines.end(), [&](const table_line& other) {
        return other.bounds == line.bounds && other.how == line.how;
      });
      if (!known) lines.push_back(line);
    };
    for (const size_classes* space : {&plan.space, &plan.alone}) {
      for (const size_class& c : *space) add(c.n_max, c.how);
    }
    for (const table_line& line : lines_of(also, plan.precision)) add(line.n_max(), line.how);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const table_line& a, const table_line& b) { return a.n_max() < b.n_max(); });
    t.lines.insert(t.lines.end(), lines.begin(), lines.end());
  }
  return t;
}

size_classes classes_by(const table& t, char precision, int n_max, std::int64_t batch) {
  const table_line* const last = select(t.lines, precision, n_max, batch);
  if (!last) return {};
  const table_line* const first = is_alone(last->how) ? last : select(t.lines, precision, 0, batch);
  const bool is_filtered = group_of(last->how) == cuda::line_group::filtered;
  size_classes all;
  for (const table_line* line = first; line <= last; ++line) {
    if (group_of(line->how) == group_of(last->how) && !(is_filtered && line->batch_max != last->batch_max))
      all.push_back({text_of_n(line->n_max()), line->n_max(), line->how});
  }
  return all;
}

// ---- as calls ------------------------------------------------------------------------------------

std::vector<std::int64_t> class_batches() { return {100, 500, 3000, 20000, 100000}; }

std::vector<int> class_maxima(const size_classes& space, const size_classes& alone) {
  constexpr double apart = 1.05;
  std::set<int> bounds;
  for (const size_classes* of : {&space, &alone}) {
    for (const size_class& c : *of) bounds.insert(c.n_max);
  }
  bounds.erase(cuda::any_extent);
  std::vector<int> maxima;
  for (auto n = bounds.begin(); n != bounds.end(); ++n) {
    if (std::next(n) == bounds.end() || *std::next(n) >= apart * *n) maxima.push_back(*n);
  }
  const int last = maxima.empty() ? 64 : maxima.back();
  for (const double times : {1.25, 1.5, 2.0, 3.0})
    maxima.push_back((static_cast<int>(times * last) + 15) / 16 * 16);
  return maxima;
}

measurement measurement_of(const class_call& call) {
  measurement m;
  m.precision = call.precision;
  m.regime = "b" + std::to_string(call.batch);
  m.n = call.n_max;
  m.batch = call.batch;
  m.how = kernel_named(call.name);
  return m;
}

class_memory::class_memory(const std::vector<measurement>& all, bool is_thinned) : is_thinned_(is_thinned) {
  for (const measurement& m : all) add(m);
}
void class_memory::add(const measurement& m) { known_[{m.precision, m.batch, m.n, describe(m.how)}] = m; }

const measurement* class_memory::find(const class_call& call) const {
  const auto found = known_.find({call.precision, call.batch, call.n_max, call.name});
  return found == known_.end() ? nullptr : &found->second;
}

measurement class_memory::recall(const class_call& call) const {
  if (const measurement* const m = find(call)) return *m;
  if (!is_thinned_)
    throw std::runtime_error("nothing was measured of " + std::to_string(call.batch) +
                             " matrices to n = " + std::to_string(call.n_max) + " in classes " + call.name +
                             ", precision " + call.precision + ": the sweep was not finished");
  measurement behind = measurement_of(call);  // what was thinned out is far behind
  behind.result = outcome::slow;
  return behind;
}

bool class_memory::holds(char precision, std::int64_t batch) const {
  return std::any_of(known_.begin(), known_.end(), [&](const auto& one) {
    return std::get<0>(one.first) == precision && std::get<1>(one.first) == batch;
  });
}

}  // namespace talus::tune
