#include "kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>

namespace talus::tune {

namespace {

auto members(const kernel& k) { return std::tie(k.schedule, k.family, k.parameters); }

}  // namespace

bool operator==(const kernel& a, const kernel& b) { return members(a) == members(b); }
bool operator!=(const kernel& a, const kernel& b) { return !(a == b); }
bool operator<(const kernel& a, const kernel& b) { return members(a) < members(b); }

int value_of(const kernel& k, const std::string& parameter) {
  for (const auto& [name, value] : k.parameters) {
    if (name == parameter) return value;
  }
  return 0;
}

kernel without(kernel k, const std::string& parameter) {
  auto& all = k.parameters;
  all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& p) { return p.first == parameter; }),
            all.end());
  return k;
}

std::string describe(const kernel& k) {
  std::string text = k.schedule + (k.schedule.empty() ? "" : " ") + k.family;
  for (const auto& [name, value] : k.parameters)
    text += ' ' + name + (value == 0 ? "" : '=' + std::to_string(value));
  return text;
}

kernel kernel_named(const std::string& text) {
  std::istringstream words(text);
  kernel k;
  words >> k.family;
  if (schedule_named(k.family)) {
    k.schedule = k.family;
    words >> k.family;
  }
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const bool has_value = equals != std::string::npos;
    k.parameters.emplace_back(word.substr(0, equals), has_value ? std::atoi(word.c_str() + equals + 1) : 0);
  }
  return k;
}

std::optional<cuda::schedule> schedule_named(const std::string& name) {
  for (std::size_t s = 0; s < cuda::schedule_names.size(); ++s) {
    if (name == cuda::schedule_names[s]) return static_cast<cuda::schedule>(s);
  }
  return std::nullopt;
}

cuda::line_group group_of(const kernel& k) {
  const auto how = schedule_named(k.schedule);
  return how ? cuda::group_of(*how) : cuda::line_group::in_order;
}
bool is_alone(const kernel& k) { return group_of(k) == cuda::line_group::alone; }
bool is_by_steps(const kernel& k) {
  const auto how = schedule_named(k.schedule);
  return how && cuda::goes_by_steps(*how);
}

}  // namespace talus::tune
