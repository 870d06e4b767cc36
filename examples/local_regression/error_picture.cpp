#include "error_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace regression {
namespace {

constexpr double width = 400, height = 420, left = 64, right = 16, above = 44, below = 50;
constexpr const char* colours[quantities] = {"#1f77b4", "#2ca02c", "#d62728"};

/// An axis that is logarithmic: a pixel for each number.
struct axis {
  double least = std::numeric_limits<double>::infinity(), largest = 0, from = 0, to = 1;

  void add(double value) {
    if (!(value > 0) || std::isinf(value)) return;
    least = std::min(least, value), largest = std::max(largest, value);
  }
  void span(double first_pixel, double last_pixel) {
    if (!(least <= largest)) least = largest = 1;  // nothing to show
    from = first_pixel, to = last_pixel;
    least /= 1.3, largest *= 1.3;
  }
  double operator()(double value) const {
    return from + (to - from) * std::log(value / least) / std::log(largest / least);
  }
  /// The powers of ten within.
  std::vector<int> powers() const {
    std::vector<int> all;
    for (int p = static_cast<int>(std::ceil(std::log10(least))); std::pow(10, p) <= largest; ++p)
      all.push_back(p);
    return all;
  }
};

void draw_grid(std::ostream& out, const axis& x, const axis& y) {
  out << "<g stroke='#ddd' fill='#555' font-size='12' text-anchor='middle'>\n";
  const auto power = [&](double at_x, double at_y, int p) {
    out << "<text stroke='none' x='" << at_x << "' y='" << at_y << "'>10<tspan dy='-5' font-size='9'>" << p
        << "</tspan></text>\n";
  };
  for (const int p : x.powers()) {
    const double at = x(std::pow(10, p));
    out << "<path d='M" << at << ' ' << y.from << 'V' << y.to << "'/>\n";
    power(at, y.from + 18, p);
  }
  for (const int p : y.powers()) {
    const double at = y(std::pow(10, p));
    out << "<path d='M" << x.from << ' ' << at << 'H' << x.to << "'/>\n";
    power(x.from - 22, at + 4, p);
  }
  out << "<text stroke='none' x='" << (x.from + x.to) / 2 << "' y='" << y.from + 38
      << "'>relative errors over the spacing</text>\n</g>\n";
}

void draw(std::ostream& out, const panel& p, int quantity, const axis& x, const axis& y) {
  out << "<g font-size='12' fill='" << colours[quantity] << "' stroke='none'>\n";
  const auto dot = [&](const refinement& r) {
    return r.error(quantity) > 0 && std::isfinite(r.error(quantity));
  };
  for (const refinement& r : p.refinements)
    if (dot(r)) out << "<circle r='4' cx='" << x(r.spacing) << "' cy='" << y(r.error(quantity)) << "'/>\n";
  const int expected = expected_order(p.monomials, quantity);
  if (!p.refinements.empty() && dot(p.refinements.back())) {
    const refinement &coarse = p.refinements.front(), &fine = p.refinements.back();
    const double slope = fine.error(quantity) * std::pow(coarse.spacing / fine.spacing, expected);
    out << "<path fill='none' stroke-width='1.5' stroke-dasharray='5 4' stroke='" << colours[quantity]
        << "' d='M" << x(fine.spacing) << ' ' << y(fine.error(quantity)) << 'L' << x(coarse.spacing) << ' '
        << y(slope) << "'/>\n";
  }
  out << "<text x='" << x.from + 8 << "' y='" << y.to + 16 + 16 * quantity << "'>" << quantity_names[quantity]
      << ", expected order " << expected << "</text>\n</g>\n";
}

}  // namespace

std::string svg(const std::vector<panel>& panels) {
  const double all = width * static_cast<double>(panels.size());
  std::ostringstream out;
  out.precision(5);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << all << "' height='" << height
      << "' font-family='sans-serif'>\n<rect width='100%' height='100%' fill='white'/>\n";
  axis x, y;
  for (const panel& p : panels)
    for (const refinement& r : p.refinements)
      for (int quantity = 0; quantity < quantities; ++quantity) {
        x.add(r.spacing), y.add(r.error(quantity));
        const refinement& last = p.refinements.back();
        y.add(last.error(quantity) *
              std::pow(r.spacing / last.spacing, expected_order(p.monomials, quantity)));
      }
  axis panel_x = x;
  y.span(height - below, above);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const double begin = width * static_cast<double>(p);
    panel_x = x;
    panel_x.span(begin + left, begin + width - right);
    out << "<text x='" << panel_x.from << "' y='26' font-size='13' fill='#222'>" << panels[p].title
        << "</text>\n";
    draw_grid(out, panel_x, y);
    for (int quantity = 0; quantity < quantities; ++quantity) draw(out, panels[p], quantity, panel_x, y);
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace regression
