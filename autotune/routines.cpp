// What is known of every routine that has tables, by its description.
#include "measure/routines.hpp"

#include <complex>

#include "routine_of.hpp"

namespace talus::tune {

namespace {

template <class Description>
double flops_at(double n) {
  const int size = static_cast<int>(n);
  return Description::flops({size, size, size, Description::measured_nrhs});
}

template <class Routine>
routine described_by() {
  using real = typename Routine::template of<double>;
  using complex = typename Routine::template of<std::complex<double>>;
  routine r = routine_of<typename real::tables>();
  r.flops = [](char precision, double n) {
    return cuda::element_of(precision).complex ? flops_at<complex>(n) : flops_at<real>(n);
  };
  if constexpr (Routine::mixed_sizes) r.of_equal_sizes = real::of_one_size::name;
  return r;
}

}  // namespace

const std::vector<routine>& routines() {
  static const std::vector<routine> all = [] {
    std::vector<routine> some;
    measure::for_each_routine([&](auto r) {
      if constexpr (decltype(r)::has_tables) some.push_back(described_by<decltype(r)>());
    });
    return some;
  }();
  return all;
}

}  // namespace talus::tune
