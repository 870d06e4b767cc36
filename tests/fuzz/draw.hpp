// The random numbers of one call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace talus::test::fuzz {

/// Draws everything that a call leaves open. Equal seeds give equal calls.
class draw {
 public:
  explicit draw(std::uint64_t seed) {
    std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
    generator_.seed(words);
  }
  int below(int bound) { return static_cast<int>(generator_() % static_cast<unsigned>(std::max(1, bound))); }
  int up_to(int most) { return below(most + 1); }
  bool one_in(int n) { return below(n) == 0; }
  template <class X>
  X of(std::initializer_list<X> all) {
    return all.begin()[below(static_cast<int>(all.size()))];
  }
  unsigned seed() { return static_cast<unsigned>(generator_()); }

 private:
  std::mt19937 generator_;
};

}  // namespace talus::test::fuzz
