#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>

#include "common/program.hpp"
#include "common/svg.hpp"

namespace multifrontal {
namespace {

constexpr double left = 110, right = 20, height = 540;
constexpr double shares_top = 84, shares_bottom = 270, rates_top = 310, rates_bottom = 440;
constexpr const char *factor_colour = "#1f77b4", *assembly_colour = "#ff7f0e", *flops_colour = "#b0b0b0";

/// In at most five characters: 1234, 56.7k.
std::string short_number(double value) {
  const auto rounded = [](double v) { return example::number(v, v < 99.95 ? "%.3g" : "%.0f"); };
  if (value < 9999.5) return rounded(value);
  if (value < 999.5e3) return rounded(value / 1e3) + "k";
  return value < 999.5e6 ? rounded(value / 1e6) + "M" : rounded(value / 1e9) + "G";
}

/// Where levels stand: all as wide as there is room for.
struct columns {
  double pitch, width;

  explicit columns(std::size_t count) {
    const double levels = static_cast<double>(std::max<std::size_t>(count, 1));
    pitch = std::clamp(630 / levels, 40.0, 110.0);
    width = std::max(left + levels * pitch + right, 620.0);  // the legend needs as much
  }
  double middle(std::size_t level) const { return left + (static_cast<double>(level) + 0.5) * pitch; }
  double bar() const { return 0.38 * pitch; }
};

/// Time and flops as shares of their sums, in percent, from 0.
struct shares {
  double seconds = 0, flops = 0, most = 10, tick = 0;

  explicit shares(const std::vector<level_report>& levels) {
    for (const level_report& l : levels) seconds += l.assembly_seconds + l.factor_seconds, flops += l.flops;
    for (const level_report& l : levels)
      most = std::max({most, of_time(l.assembly_seconds + l.factor_seconds), of_flops(l.flops)});
    tick = most > 50 ? 20 : most > 20 ? 10 : 5;
    most = tick * std::ceil(most / tick - 1e-9);
  }
  double of_time(double part) const { return seconds > 0 ? 100 * part / seconds : 0; }
  double of_flops(double part) const { return flops > 0 ? 100 * part / flops : 0; }
  double height(double percent) const { return percent / most * (shares_bottom - shares_top); }
  double y(double percent) const { return shares_bottom - height(percent); }
};

/// GFLOP/s of the factorization, on an axis of powers of ten.
struct rates {
  int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();

  explicit rates(const std::vector<level_report>& levels) {
    for (const level_report& l : levels) {
      if (!known(l)) continue;
      least = std::min(least, static_cast<int>(std::floor(std::log10(of(l)))));
      most = std::max(most, static_cast<int>(std::ceil(std::log10(of(l)))));
    }
    if (least > most) least = 0;  // nothing to show
    most = std::max(most, least + 1);
  }
  static double of(const level_report& l) { return l.flops / l.factor_seconds * 1e-9; }
  static bool known(const level_report& l) { return l.factor_seconds > 0 && l.flops > 0; }
  double y_of_power(double power) const {
    return rates_bottom - (power - least) / (most - least) * (rates_bottom - rates_top);
  }
  double y(const level_report& l) const { return y_of_power(std::log10(of(l))); }
};

void draw_legend(std::ostream& out, const shares& share) {
  out << "<g font-size='12' fill='#222'>\n";
  double x = left;
  const auto entry = [&](const char* colour, const std::string& text, double room) {
    out << "<rect x='" << x << "' y='50' width='11' height='11' fill='" << colour << "'/><text x='" << x + 16
        << "' y='60'>" << text << "</text>\n";
    x += room;
  };
  entry(assembly_colour, "assembly", 90);
  entry(factor_colour, "factorization (together " + example::milliseconds(share.seconds) + ")", 236);
  entry(flops_colour, "flops (" + example::number(share.flops * 1e-9, "%.4g") + " GFLOP)", 0);
  out << "</g>\n";
}

void draw_axes(std::ostream& out, const columns& at, const shares& share, const rates& rate) {
  const double label = left - 8, end = at.width - right;
  out << "<g stroke='#ddd' fill='#555' font-size='12' text-anchor='end'>\n";
  const auto line = [&](double y) { out << "<path d='M" << left << ' ' << y << 'H' << end << "'/>"; };
  const auto label_at = [&](double y) {
    out << "<text stroke='none' x='" << label << "' y='" << y + 4 << "'>";
  };
  for (double percent = 0; percent < share.most + 1; percent += share.tick) {
    line(share.y(percent)), label_at(share.y(percent));
    out << percent << "%</text>\n";
  }
  for (int power = rate.least; power <= rate.most; ++power) {
    line(rate.y_of_power(power)), label_at(rate.y_of_power(power));
    out << "10<tspan dy='-5' font-size='9'>" << power << "</tspan></text>\n";
  }
  const auto turned = [&](double y, const char* text) {
    out << "<text stroke='none' text-anchor='middle' transform='translate(44 " << y << ") rotate(-90)'>"
        << text << "</text>\n";
  };
  turned((shares_top + shares_bottom) / 2, "share of all levels");
  turned((rates_top + rates_bottom) / 2, "GFLOP/s");
  const char* rows[] = {"fronts", "rows, at most", "pivots, at most"};
  double y = rates_bottom + 12;
  for (const char* row : rows) label_at(y += 16), out << row << "</text>\n";
  out << "</g>\n";
}

void draw_level(std::ostream& out, const level_report& l, double middle, double bar, const shares& share,
                const rates& rate) {
  const auto rectangle = [&](const char* colour, double x, double from, double percent) {
    out << "<rect fill='" << colour << "' x='" << x << "' y='" << share.y(from + percent) << "' width='"
        << bar << "' height='" << share.height(percent) << "'/>\n";
  };
  const auto text = [&](double y, double value) {
    out << "<text x='" << middle << "' y='" << y << "'>" << short_number(value) << "</text>\n";
  };
  out << "<g class='level' font-size='11' text-anchor='middle' fill='#222'>\n";
  const double factor = share.of_time(l.factor_seconds);
  rectangle(factor_colour, middle - bar, 0, factor);
  rectangle(assembly_colour, middle - bar, factor, share.of_time(l.assembly_seconds));
  rectangle(flops_colour, middle, 0, share.of_flops(l.flops));
  if (rate.known(l)) {
    out << "<circle r='4' fill='" << factor_colour << "' cx='" << middle << "' cy='" << rate.y(l) << "'/>\n";
    text(rate.y(l) - 8, rate.of(l));
  }
  double y = rates_bottom + 16;
  for (const double value : {static_cast<double>(l.fronts), 1.0 * l.n_max, 1.0 * l.k_max})
    text(y += 16, value);
  out << "</g>\n";
}

}  // namespace

std::string picture(const std::string& title, const std::vector<level_report>& levels) {
  const columns at(levels.size());
  const shares share(levels);
  const rates rate(levels);
  std::ostringstream out;
  out.precision(5);
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << at.width << ' ' << height << "' width='"
      << at.width << "' height='" << height
      << "' font-family='sans-serif'>\n<rect width='100%' height='100%' fill='white'/>\n"
      << "<text x='" << left << "' y='30' font-size='15' fill='#222'>" << example::escaped(title)
      << "</text>\n";
  draw_legend(out, share);
  draw_axes(out, at, share, rate);
  for (std::size_t l = 0; l < levels.size(); ++l)
    draw_level(out, levels[l], at.middle(l), at.bar(), share, rate);
  out << "<text x='" << left << "' y='" << height - 14
      << "' font-size='12' fill='#555'>levels of the tree, from the leaves to the root</text>\n</svg>\n";
  return out.str();
}

}  // namespace multifrontal
