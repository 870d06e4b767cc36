// The lines that the program prints and writes, one for each refinement.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "common/output_file.hpp"
#include "common/program.hpp"
#include "convergence.hpp"

namespace regression {

/// Numbers in a line of a fixed format; of each refinement but the first the order, too.
class table {
 public:
  /// With `csv` empty nothing is written to a file.
  table(const std::string& csv, bool loop, const std::string& precision, talus::queue q)
      : loop_(loop), csv_(example::optional_file("--csv", csv)) {
    if (!csv_) return;
    csv_->write("# precision " + precision + ", backend " +
                (q.where == talus::backend::host ? "host" : "cuda") +
                "\ndimension,degree,columns,fields,points,spacing,neighbours,calls,gels_ms,points_per_s,"
                "gflops,loop_ms,value_error,value_order,gradient_error,gradient_order,laplacian_error,"
                "laplacian_order,residual\n");
  }

  void head(const std::string& title, const basis& monomials) const {
    std::printf("%s\n%9s %10s", title.c_str(), "points", "neighbours");
    for (const char* name : quantity_names) std::printf(" %10s %5s", name, "order");
    std::printf(" %6s %12s %11s %8s", "calls", "gels", "points/s", "GFLOP/s");
    if (loop_) std::printf(" %12s %8s", "LAPACK", "speed-up");
    std::printf(" %8s\n%20s", "residual", "expected");
    for (int e = 0; e < quantities; ++e) std::printf(" %16d", expected_order(monomials, e));
    std::printf("\n");
    std::fflush(stdout);
  }

  /// `coarse`: the refinement before, null for the first one.
  void line(const basis& monomials, int fields, const refinement* coarse, const refinement& r) const {
    using example::number;
    const outcome& all = r.fitted;
    const double count = static_cast<double>(all.points);
    const double neighbours = static_cast<double>(all.neighbours) / count;
    std::printf("%9lld %10.1f", static_cast<long long>(all.points), neighbours);
    std::string errors;
    for (int e = 0; e < quantities; ++e) {
      std::printf(" %10.2g", r.error(e));
      std::printf(" %5s", coarse ? number(order(*coarse, r, e), "%.2f").c_str() : "");
      errors += number(r.error(e)) + "," + (coarse ? number(order(*coarse, r, e)) : "") + ",";
    }
    std::printf(" %6lld %12s %11.3g %8.2f", static_cast<long long>(all.calls),
                example::milliseconds(all.gels_seconds).c_str(), count / all.gels_seconds,
                1e-9 * all.flops / all.gels_seconds);
    if (loop_)
      std::printf(" %12s %7.1fx", example::milliseconds(all.loop_seconds).c_str(),
                  all.loop_seconds / all.gels_seconds);
    std::printf(" %8s\n", example::two_digits(all.residual).c_str());
    std::fflush(stdout);
    if (!csv_) return;
    csv_->write(number(monomials.dimension()) + "," + number(monomials.degree()) + "," +
                number(monomials.columns()) + "," + number(fields) + "," + std::to_string(all.points) + "," +
                number(r.spacing) + "," + number(neighbours) + "," + std::to_string(all.calls) + "," +
                number(1e3 * all.gels_seconds) + "," + number(count / all.gels_seconds) + "," +
                number(1e-9 * all.flops / all.gels_seconds) + "," +
                (loop_ ? number(1e3 * all.loop_seconds) : "") + "," + errors + number(all.residual) + "\n");
  }

 private:
  bool loop_;
  std::unique_ptr<example::output_file> csv_;
};

}  // namespace regression
