#include "copying.hpp"

#include <algorithm>

namespace talus::python {

copying::copying(part which, int m, int n, const std::vector<std::int64_t>& batch, const places& from,
                 const places& to)
    : which_(which), m_(m), n_(n), from_(from), to_(to) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const dimension next{batch[i], from.batch[i], to.batch[i]};
    if (next.extent == 1) continue;
    if (!others_.empty() && others_.back().from == next.from * next.extent &&
        others_.back().to == next.to * next.extent)
      others_.back() = {others_.back().extent * next.extent, next.from, next.to};
    else
      others_.push_back(next);
  }
  if (others_.empty()) return;
  const auto shorter = [](const dimension& x, const dimension& y) { return x.extent < y.extent; };
  const auto longest = std::max_element(others_.begin(), others_.end(), shorter);
  longest_ = *longest;
  others_.erase(longest);
  for (const dimension& each : others_) times_ *= each.extent;
}

}  // namespace talus::python
