// What the examples' programs have in common: exit codes, the choice of a backend and a precision, how
// numbers are printed, and what is said about matrices that came out wrong.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/backend.hpp"
#include "talus/types.hpp"

namespace example {

constexpr int all_fine = 0, something_off = 1, bad_input = 2, not_available = 3;
constexpr double residual_bound = 30;

/// For the help: what 1 means is the program's own, the rest is the same in all.
inline std::string exit_codes(const std::string& off) {
  return "\n\nExit codes: 0 all fine; 1 " + off + "; 2 bad arguments or\n" +
         "files, or output that could not be written; 3 no such backend or not enough memory.";
}
constexpr const char* off_positive_definite = "a matrix was not positive definite, or a residual too large";

/// The queue that --backend auto, host or cuda stands for.
inline talus::queue chosen_queue(const std::string& backend) {
  if (backend == "host") return talus::queue::host();
#ifdef TALUS_WITH_CUDA
  const talus::queue best = talus::queue::best();
#else
  const talus::queue best = talus::queue::host();  // the program is built without CUDA, even if Talus is not
#endif
  if (backend == "cuda" && best.where != talus::backend::cuda)
    throw unavailable("--backend cuda: " + std::string(talus::strerror(talus::err_no_cuda)));
  return best;
}

/// run(T{}) with the type that --precision s or d stands for.
template <class Run>
int in_precision(const std::string& precision, [[maybe_unused]] Run run) {
#ifdef TALUS_HAVE_S
  if (precision == "s") return run(float{});
#endif
#ifdef TALUS_HAVE_D
  if (precision == "d") return run(double{});
#endif
  throw unavailable("--precision " + precision + ": Talus was built without it (TALUS_PRECISIONS)");
}

/// Throws where something written to the file did not arrive, such as on a disk that is full.
inline void require_written(std::FILE* file, const std::string& name) {
  errno = 0;
  if (std::fflush(file) != 0 || std::ferror(file))
    throw std::runtime_error(name + ": cannot be written: " + std::strerror(errno ? errno : EIO));
}

/// Runs the body of a program; what it throws becomes a message and an exit code.
template <class Body>
int run_program(const std::string& name, Body body) {
  try {
    const int code = body();
    require_written(stdout, "standard output");
    return code;
  } catch (const unavailable& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return not_available;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of host memory\n", name.c_str());
    return not_available;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return bad_input;
  }
}

/// Throws unavailable where a routine of Talus did not return 0.
inline void check(const char* routine, int status) {
  if (status != 0) throw unavailable(std::string(routine) + ": " + talus::strerror(status));
}

// ---- numbers -------------------------------------------------------------------------------------

inline std::string milliseconds(double seconds, const char* mark = "") {
  char text[40];
  std::snprintf(text, sizeof text, "%s%.*f ms", mark,
                seconds < 0.01  ? 3
                : seconds < 0.1 ? 2
                                : 1,
                1e3 * seconds);
  return text;
}

inline std::string number(double value, const char* format = "%.6g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
inline std::string two_digits(double value) { return number(value, "%.2g"); }

/// The middle value; of an even number of them the mean of the two in the middle.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// ---- what was wrong ------------------------------------------------------------------------------

/// What was wrong with one batch: all of it, the first few in detail.
struct findings {
  std::int64_t count = 0;
  std::vector<std::string> lines;

  void add(const std::string& line) {
    constexpr std::int64_t enough = 5;
    if (++count <= enough) lines.push_back(line);
  }

  void add_info(const std::string& matrix, int info) {
    add(matrix + ": info = " + std::to_string(info) +
        (info > 0 ? ": its leading minor of order " + std::to_string(info) + " is not positive definite"
                  : ": an argument of this matrix was refused"));
  }
  void add_residual(const std::string& matrix, double residual) {
    add(matrix + ": residual " + two_digits(residual) + " is not below 30");
  }
};

/// Prints findings to stderr.
inline void report(const std::string& title, const std::string& what, std::int64_t of, const findings& off) {
  if (off.count == 0) return;
  std::fprintf(stderr, "%s: %lld of %lld %s are off:\n", title.c_str(), static_cast<long long>(off.count),
               static_cast<long long>(of), what.c_str());
  for (const std::string& line : off.lines) std::fprintf(stderr, "  %s\n", line.c_str());
  if (off.count > static_cast<std::int64_t>(off.lines.size())) std::fprintf(stderr, "  ...\n");
}

/// The worse of two residuals: a NaN is the worst. Below 0 there was none.
inline double worse_residual(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// Prints a program's last line, which says how all of it came out; its exit code.
inline int verdict(const std::string& done, std::int64_t off, double worst_residual) {
  std::printf("\n%s: %s", off == 0 ? "all is well" : "NOT WELL", done.c_str());
  if (off > 0) std::printf("; %lld of them off", static_cast<long long>(off));
  if (!(worst_residual < 0)) std::printf("; worst residual %s", two_digits(worst_residual).c_str());
  std::printf("\n");
  return off == 0 ? all_fine : something_off;
}

}  // namespace example
