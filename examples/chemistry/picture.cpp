#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

#include "common/svg.hpp"

namespace chemistry {
namespace {

constexpr double width = 760, height = 300, left = 70, right = 20, above = 40, below = 46, decades = 4;
constexpr const char* colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"};

std::string print(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string print(const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

/// Where a panel puts time and temperature. What was before its time is not drawn.
struct axes {
  double top, begin, end, coldest, hottest, tick;

  axes(const panel& p, double top_)
      : top(top_),
        begin(p.end * std::pow(10, -decades)),
        end(p.end),
        coldest(std::numeric_limits<double>::infinity()),
        hottest(-coldest) {
    for (const curve& c : p.curves)
      for (std::size_t i = first(c.line); i < c.line.times.size(); ++i)
        coldest = std::min(coldest, c.line.temperatures[i]),
        hottest = std::max(hottest, c.line.temperatures[i]);
    if (!(coldest <= hottest)) coldest = 0, hottest = 1;  // nothing to show
    tick = std::pow(10, std::floor(std::log10(std::max(hottest - coldest, 10.0))));
    if ((hottest - coldest) / tick < 3) tick /= 2;
    coldest = std::floor(coldest / tick) * tick;
    hottest = std::max(std::ceil(hottest / tick) * tick, coldest + tick);
  }
  /// The last point that is not after the begin.
  std::size_t first(const series& s) const {
    const auto after = std::upper_bound(s.times.begin(), s.times.end(), begin);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - s.times.begin() - 1, 0));
  }
  double x(double t) const {
    const double share = std::log(std::max(t, begin) / begin) / std::log(end / begin);
    return left + share * (width - left - right);
  }
  double bottom() const { return top + height - below; }
  double y(double T) const {
    return bottom() - (T - coldest) / (hottest - coldest) * (height - above - below);
  }
};

std::string grid(const axes& a) {
  std::string out = "<g stroke='#ddd' fill='#555' font-size='12'>\n";
  for (double T = a.coldest; T < a.hottest + 0.5 * a.tick; T += a.tick)
    out += print(
        "<path d='M%.1f %.1fH%.1f'/><text x='%.1f' y='%.1f' text-anchor='end' stroke='none'>%.0f</text>\n",
        left, a.y(T), width - right, left - 8, a.y(T) + 4, T);
  for (int d = static_cast<int>(std::ceil(std::log10(a.begin) - 1e-9)); std::pow(10, d) < 1.01 * a.end; ++d)
    out += print(
        "<path d='M%.1f %.1fV%.1f'/><text x='%.1f' y='%.1f' text-anchor='middle' stroke='none'>10"
        "<tspan dy='-5' font-size='9'>%d</tspan></text>\n",
        a.x(std::pow(10, d)), a.bottom(), a.top + above, a.x(std::pow(10, d)), a.bottom() + 19, d);
  out += print("<text x='%.1f' y='%.1f' text-anchor='middle' stroke='none'>time in s</text>\n",
               (left + width - right) / 2, a.bottom() + 38);
  out += print(
      "<text transform='translate(18 %.1f) rotate(-90)' text-anchor='middle' stroke='none'>temperature in "
      "K</text>\n",
      (a.bottom() + a.top + above) / 2);
  return out + "</g>\n";
}

std::string drawn(const curve& c, const axes& a, std::size_t number) {
  const char* colour = colours[number % std::size(colours)];
  std::string out = print(
      "<g fill='%s' font-size='12'>\n<path fill='none' stroke-width='1.8' stroke='%s' d='", colour, colour);
  double drawn_x = -1, drawn_y = -1;
  const std::size_t first = a.first(c.line);
  for (std::size_t i = first; i < c.line.times.size(); ++i) {
    const double x = a.x(c.line.times[i]), y = a.y(c.line.temperatures[i]);
    if (i > first && i + 1 < c.line.times.size() && std::abs(x - drawn_x) + std::abs(y - drawn_y) < 1)
      continue;
    out += print("%s%.1f %.1f", i == first ? "M" : "L", drawn_x = x, drawn_y = y);
  }
  out += "'/>\n";
  for (std::size_t i = 0; i < c.dots.times.size(); ++i)
    if (c.dots.times[i] >= a.begin)
      out +=
          print("<circle cx='%.1f' cy='%.1f' r='3'/>\n", a.x(c.dots.times[i]), a.y(c.dots.temperatures[i]));
  out += print("<text x='%.1f' y='%.1f'>", left + 10, a.top + above + 16 + 16 * static_cast<double>(number));
  return out + example::escaped(c.label) + "</text>\n</g>\n";
}

}  // namespace

std::string svg(const std::vector<panel>& panels) {
  const double all = height * static_cast<double>(panels.size());
  std::string out = print(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' "
      "height='%.0f' font-family='sans-serif'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
      width, all, width, all);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const axes a(panels[p], height * static_cast<double>(p));
    out += print("<text x='%.1f' y='%.1f' font-size='15' fill='#222'>", left, a.top + 26);
    out += example::escaped(panels[p].title) + "</text>\n" + grid(a);
    for (std::size_t c = 0; c < panels[p].curves.size(); ++c) out += drawn(panels[p].curves[c], a, c);
  }
  return out + "</svg>\n";
}

}  // namespace chemistry
