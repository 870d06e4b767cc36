// Random numbers that are the same on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace example {

/// Numbers in [-1, 1) that depend on the seed alone (splitmix64).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  double next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -52) - 1;
  }

 private:
  std::uint64_t state_;
};

inline std::vector<double> random_vector(int n, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& value : x) value = random.next();
  return x;
}

}  // namespace example
