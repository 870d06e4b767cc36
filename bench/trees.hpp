// Trees on the command line: --tree, and the short names of routines that are measured on them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "command.hpp"
#include "measure/routines.hpp"

namespace talus::bench {

/// What routines are called where a tree is given.
inline std::vector<std::string> short_names() {
  std::vector<std::string> names;
  for_each_routine([&](auto r) {
    if (r.short_name) names.emplace_back(r.short_name);
  });
  return names;
}

/// The same with --distribution and the routine's whole name in their place. Throws std::invalid_argument
/// where they do not go together.
inline options with_trees(const options& asked) {
  options o = asked;
  if (!o.trees.empty()) {
    if (o.given.count("--distribution") != 0)
      throw std::invalid_argument("--tree: '" + joined(o.trees, ",") +
                                  "' beside --distribution, which takes trees as tree:FILE");
    o.distributions.clear();
    for (const std::string& file : o.trees) {
      if (file.empty()) throw std::invalid_argument("--tree: '' names no file");
      o.distributions.push_back("tree:" + file);
    }
    o.given.insert("--distribution");
  }
  for_each_routine([&](auto r) {
    if (!r.short_name || asked.routine != r.short_name) return;
    if (o.trees.empty())
      throw std::invalid_argument("routine: " + asked.routine + " takes trees, by --tree FILE; " + r.name +
                                  " takes any --distribution");
    o.routine = r.name;
  });
  return o;
}

}  // namespace talus::bench
