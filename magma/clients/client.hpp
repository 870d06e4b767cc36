// What the clients have in common: arrays on the device, random matrices, what results have to be, times, and
// the way from argv to an exit status.
#pragma once

#include <cuda_runtime.h>
#include <magma_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "magma_by_type.hpp"
#include "measure/command_line.hpp"

namespace client {

// ---- errors -----------------------------------------------------------------------------------------------

enum exit_status { fine = 0, wrong = 1, bad_arguments = 2, skipped = 77 };

/// The user asked for what is not possible: the message names the option and its value.
using usage_error = std::invalid_argument;

struct no_device : std::exception {};

inline void check_cuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
inline void check_magma(magma_int_t status, const char* what) {
  if (status != MAGMA_SUCCESS)
    throw std::runtime_error(std::string(what) + " returned " + std::to_string(status) + ": " +
                             magma_strerror(status));
}

inline void require_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) throw no_device();
}

// ---- the device -------------------------------------------------------------------------------------------

/// An array on the device that frees itself; null where it has no elements. Copies to and from the host wait
/// for all streams.
template <class E>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    if (size > 0) check_cuda(cudaMalloc(&data_, size * sizeof(E)), "cudaMalloc");
  }
  /// A copy of the host's elements, whose type has the same layout.
  template <class H>
  explicit device_array(const std::vector<H>& values) : device_array(values.size()) {
    upload(values);
  }
  ~device_array() { cudaFree(data_); }
  device_array(device_array&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  device_array& operator=(device_array&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }

  E* data() const { return data_; }
  std::size_t size() const { return size_; }

  template <class H>
  void upload(const std::vector<H>& values, std::size_t first = 0) {
    static_assert(sizeof(H) == sizeof(E));
    if (values.empty()) return;
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check_cuda(cudaMemcpy(data_ + first, values.data(), values.size() * sizeof(E), cudaMemcpyHostToDevice),
               "cudaMemcpy");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  template <class H = E>
  std::vector<H> host(std::size_t first, std::size_t count) const {
    static_assert(sizeof(H) == sizeof(E));
    std::vector<H> values(count);
    if (count == 0) return values;
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check_cuda(cudaMemcpy(values.data(), data_ + first, count * sizeof(E), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return values;
  }
  template <class H = E>
  std::vector<H> host() const {
    return host<H>(0, size_);
  }
  /// The other's elements, in the order of a stream.
  void copy_of(const device_array& other, cudaStream_t stream) {
    check_cuda(cudaMemcpyAsync(data_, other.data_, size_ * sizeof(E), cudaMemcpyDeviceToDevice, stream),
               "cudaMemcpyAsync");
  }
  /// Its first `period` elements again and again, up to the end.
  void repeat(std::size_t period) {
    for (std::size_t done = period; done < size_; done += std::min(done, size_ - done))
      check_cuda(
          cudaMemcpy(data_ + done, data_, std::min(done, size_ - done) * sizeof(E), cudaMemcpyDeviceToDevice),
          "cudaMemcpy");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  std::size_t size_ = 0;
  E* data_ = nullptr;
};

/// Sizes of a batch on the device: one int for each matrix, and one more that MAGMA may write.
class size_array {
 public:
  static constexpr int untouched = -7654321;

  explicit size_array(std::vector<int> values)
      : size_(values.size()), values_(with_last(std::move(values))) {}
  int* data() const { return values_.data(); }
  /// What stands behind the sizes: `untouched` until MAGMA writes there, and after a reset.
  int last() const { return values_.host(size_, 1)[0]; }
  void reset() { values_.upload(std::vector<int>{untouched}, size_); }

 private:
  static std::vector<int> with_last(std::vector<int> values) {
    values.push_back(untouched);
    return values;
  }
  std::size_t size_;
  device_array<int> values_;
};

/// A stream of the client's own, which waits for no other, and MAGMA's queue on it.
class own_queue {
 public:
  own_queue() {
    magma_device_t device = 0;
    magma_getdevice(&device);
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    magma_queue_create_from_cuda(device, stream_, nullptr, nullptr, &queue_);
  }
  ~own_queue() {
    magma_queue_destroy(queue_);
    cudaStreamDestroy(stream_);
  }
  own_queue(const own_queue&) = delete;
  own_queue& operator=(const own_queue&) = delete;

  cudaStream_t stream() const { return stream_; }
  operator magma_queue_t() const { return queue_; }

 private:
  cudaStream_t stream_ = nullptr;
  magma_queue_t queue_ = nullptr;
};

/// MAGMA from here to the end of the scope.
class session {
 public:
  session() { check_magma(magma_init(), "magma_init"); }
  ~session() { magma_finalize(); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
};

// ---- matrices on the host ---------------------------------------------------------------------------------

template <class T>
struct real_type {
  using type = T;
};
template <class R>
struct real_type<std::complex<R>> {
  using type = R;
};
template <class T>
using real_of = typename real_type<T>::type;

/// What results are checked in, whatever they were computed in.
template <class T>
using wide = std::conditional_t<std::is_same_v<T, real_of<T>>, double, std::complex<double>>;

template <class T>
constexpr double epsilon = std::numeric_limits<real_of<T>>::epsilon();

inline double times(double a, double b) { return a * b; }
/// Without the care for infinities that the language asks for.
inline std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// A matrix, column by column.
template <class T>
struct dense {
  dense(int rows, int columns)
      : m(rows), n(columns), elements(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
  /// A copy of one with a leading dimension, of another type perhaps.
  template <class S>
  dense(const S* from, int rows, int columns, int ld) : dense(rows, columns) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i)
        (*this)(i, j) = static_cast<T>(from[i + static_cast<std::ptrdiff_t>(j) * ld]);
    }
  }
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(m);
  }
  T& operator()(int i, int j) { return elements[index(i, j)]; }
  const T& operator()(int i, int j) const { return elements[index(i, j)]; }

  int m, n;
  std::vector<T> elements;
};

/// The largest sum of a column's magnitudes; NaN where there is one.
template <class W>
double norm1(const dense<W>& A) {
  double norm = 0;
  for (int j = 0; j < A.n; ++j) {
    double sum = 0;
    for (int i = 0; i < A.m; ++i) sum += std::abs(A(i, j));
    if (!(sum <= norm)) norm = sum;
    if (std::isnan(norm)) break;
  }
  return norm;
}

/// C - A B
template <class W>
dense<W> minus_product(dense<W> C, const dense<W>& A, const dense<W>& B) {
  for (int j = 0; j < C.n; ++j) {
    for (int l = 0; l < A.n; ++l) {
      const W b = B(l, j);
      for (int i = 0; i < C.m; ++i) C(i, j) -= times(A(i, l), b);
    }
  }
  return C;
}

template <class W>
dense<W> transposed(const dense<W>& A) {
  dense<W> B(A.n, A.m);
  for (int j = 0; j < A.n; ++j) {
    for (int i = 0; i < A.m; ++i) B(j, i) = A(i, j);
  }
  return B;
}

template <class W>
dense<W> unit_lower(const dense<W>& LU) {
  dense<W> L(LU.m, LU.n);
  for (int j = 0; j < LU.n; ++j) {
    L(j, j) = 1;
    for (int i = j + 1; i < LU.m; ++i) L(i, j) = LU(i, j);
  }
  return L;
}
template <class W>
dense<W> upper(const dense<W>& LU) {
  dense<W> U(LU.n, LU.n);
  for (int j = 0; j < LU.n; ++j) {
    for (int i = 0; i <= j; ++i) U(i, j) = LU(i, j);
  }
  return U;
}

/// Numbers that are the same on every machine.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  /// From -1 up to 1.
  double next() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1; }
  /// A whole number, both ends included.
  int from(int least, int most) {
    return least + static_cast<int>(bits() % static_cast<std::uint64_t>(most - least + 1));
  }
  template <class T>
  T element() {
    using R = real_of<T>;
    const R re = static_cast<R>(next());
    if constexpr (std::is_same_v<T, R>)
      return re;
    else
      return {re, static_cast<R>(next())};
  }

 private:
  std::uint64_t bits() {  // splitmix64
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  std::uint64_t state_;
};

/// n numbers one behind the other.
template <class T>
std::vector<T> random_elements(std::size_t n, std::uint64_t seed) {
  random_numbers numbers(seed);
  std::vector<T> values(n);
  for (T& value : values) value = numbers.element<T>();
  return values;
}

// ---- what results have to be: ratios of LAPACK's kind, in units of rounding errors ------------------------

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double residual_bound = 30;

/// ||A - P L U||_1 / (n ||A||_1 eps) of a square matrix. Pivots count from 1; null: there were no exchanges.
template <class T>
double lu_ratio(dense<wide<T>> A, const dense<wide<T>>& LU, const int* pivots) {
  const int n = A.n;
  const double norm = norm1(A);
  if (n == 0 || norm == 0) return 0;
  for (int i = 0; i < n && pivots != nullptr; ++i) {
    const int p = pivots[i] - 1;
    if (p < i || p >= n) return nan;
    for (int j = 0; j < n; ++j) std::swap(A(i, j), A(p, j));
  }
  return norm1(minus_product(std::move(A), unit_lower(LU), upper(LU))) / (n * norm * epsilon<T>);
}

/// ||B - A X||_1 / (n ||A||_1 ||X||_1 eps)
template <class T>
double solve_ratio(const dense<wide<T>>& A, const dense<wide<T>>& X, const dense<wide<T>>& B) {
  if (A.n == 0 || X.n == 0) return 0;
  const double scale = A.n * norm1(A) * norm1(X) * epsilon<T>, residual = norm1(minus_product(B, A, X));
  return residual == 0 ? 0 : residual / scale;
}

/// ||(C - A B) - D||_1 / ((k + 1) (||C||_1 + ||A||_1 ||B||_1) eps)
template <class T>
double product_ratio(const dense<wide<T>>& C, const dense<wide<T>>& A, const dense<wide<T>>& B,
                     const dense<wide<T>>& D) {
  const double scale = (A.n + 1) * (norm1(C) + norm1(A) * norm1(B)) * epsilon<T>;
  dense<wide<T>> R = minus_product(C, A, B);
  for (std::size_t i = 0; i < R.elements.size(); ++i) R.elements[i] -= D.elements[i];
  const double residual = norm1(R);
  return residual == 0 ? 0 : residual / scale;
}

/// One line for each check, which names the worst matrix; at the end how all of them came out.
class results {
 public:
  /// `says_all`: lines of checks that are fine, too.
  explicit results(std::string what, bool says_all = true) : what_(std::move(what)), says_all_(says_all) {}

  /// What the next checks are of: words before their names.
  void section(const std::string& of) { section_ = of; }
  /// What matrix i of the next checks is called.
  void name_by(std::function<std::string(int)> name) { name_ = std::move(name); }

  /// The ratio of every matrix is below the bound.
  template <class Ratio>
  void below(const std::string& check, int count, Ratio ratio_of, double bound = residual_bound) {
    std::vector<double> ratios(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i) ratios[static_cast<std::size_t>(i)] = ratio_of(i);
    int off = 0, worst = 0;
    for (int i = 0; i < count; ++i) {
      const double r = ratios[static_cast<std::size_t>(i)], w = ratios[static_cast<std::size_t>(worst)];
      if (!(r < bound)) ++off;
      if (!std::isnan(w) && !(r <= w)) worst = i;
    }
    char value[32];
    std::snprintf(value, sizeof value, "%.2g", count > 0 ? ratios[static_cast<std::size_t>(worst)] : 0.0);
    char limit[48] = "";
    if (off > 0) std::snprintf(limit, sizeof limit, ", has to be below %g", bound);
    say(check, off, count, count > 0 ? std::string("at most ") + value + " at " + name_(worst) + limit : "");
  }

  /// What is found is what is expected.
  template <class Found, class Expected>
  void equal(const std::string& check, int count, Found found, Expected expected) {
    int off = 0, first = 0;
    for (int i = count - 1; i >= 0; --i) {
      if (found(i) == expected(i)) continue;
      ++off;
      first = i;
    }
    say(check, off, count,
        off > 0 ? name_(first) + " has " + std::to_string(found(first)) + " and not " +
                      std::to_string(expected(first))
                : "");
  }
  void equal(const std::string& check, long long found, long long expected) {
    say(check, found == expected ? 0 : 1, 0,
        found == expected ? "" : "found " + std::to_string(found) + " and not " + std::to_string(expected));
  }

  bool are_fine() const { return wrong_ == 0; }

  /// The last line, and the exit status.
  int verdict() const {
    if (are_fine())
      std::printf("%s: fine\n", what_.c_str());
    else
      std::printf("%s: WRONG, %d check%s failed\n", what_.c_str(), wrong_, wrong_ == 1 ? "" : "s");
    return are_fine() ? fine : wrong;
  }

 private:
  /// count: of matrices; 0: the check is of none in particular.
  void say(const std::string& check, int off, int count, const std::string& detail) {
    if (off > 0) ++wrong_;
    if (off == 0 && !says_all_) return;
    std::string line = (off == 0 ? "fine   " : "WRONG  ") + section_ + check;
    if (count > 0) line += " (" + (off > 0 ? std::to_string(off) + " of " : "") + std::to_string(count) + ")";
    std::printf("%s%s%s\n", line.c_str(), detail.empty() ? "" : ": ", detail.c_str());
  }

  std::string what_, section_;
  bool says_all_;
  std::function<std::string(int)> name_ = [](int i) { return "matrix " + std::to_string(i); };
  int wrong_ = 0;
};

/// Whether all elements of both are the same, bit for bit.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// ---- times ------------------------------------------------------------------------------------------------

using work = std::function<void()>;

/// A CUDA event.
class event {
 public:
  event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~event() { cudaEventDestroy(event_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  double ms_since(const event& start) const {
    float ms = 0;
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    check_cuda(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(ms);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Milliseconds of each step of a sequence: medians of five runs after one that does not count. The stream is
/// idle when the clock starts, so the host's part of the calls counts; what `restore` queues does not.
inline std::vector<double> steps_ms(cudaStream_t stream, const work& restore,
                                    const std::vector<work>& steps) {
  constexpr int runs = 5;
  std::vector<event> events(steps.size() + 1);
  std::vector<std::vector<double>> ms(steps.size());
  for (int run = 0; run <= runs; ++run) {
    restore();
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    events[0].record(stream);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i]();
      events[i + 1].record(stream);
    }
    for (std::size_t i = 0; run > 0 && i < steps.size(); ++i)
      ms[i].push_back(events[i + 1].ms_since(events[i]));
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  std::vector<double> medians;
  for (const std::vector<double>& one : ms) medians.push_back(median(one));
  return medians;
}

/// The same of several ways to one result: they alternate, every other time in the opposite order.
inline std::vector<double> in_turn_ms(cudaStream_t stream, const work& restore,
                                      const std::vector<work>& ways) {
  constexpr int runs = 5;
  event start, stop;
  std::vector<std::vector<double>> ms(ways.size());
  for (int run = 0; run <= runs; ++run) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const std::size_t which = run % 2 == 0 ? i : ways.size() - 1 - i;
      restore();
      check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
      start.record(stream);
      ways[which]();
      stop.record(stream);
      const double elapsed = stop.ms_since(start);
      if (run > 0) ms[which].push_back(elapsed);
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& one : ms) medians.push_back(median(one));
  return medians;
}

inline double ms_of(cudaStream_t stream, const work& restore, const work& way) {
  return in_turn_ms(stream, restore, {way})[0];
}

/// "1.234", or a dash where there is no time.
inline std::string text_of_ms(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms >= 100 ? "%.1f" : ms >= 10 ? "%.2f" : "%.4f", ms);
  return ms > 0 ? text : "-";
}

// ---- programs ---------------------------------------------------------------------------------------------

/// What every client may be told.
struct options {
  std::string precision = "d";
  bool bench = false;
};

using talus::measure::command_line;
using talus::measure::option;

/// Declares the options that all clients share. Returns --bench.
inline option declare(command_line& line, options& o, const char* bench, const std::string& examples) {
  line.column_width(20);
  line.add("--precision", o.precision, "s (float), d (double), c or z (complex of these)")
      .one_of({"s", "d", "c", "z"})
      .shown_as("P [d]");
  line.footer("Examples:\n" + examples +
              "\nExit codes: 0 fine, 1 a result was wrong, 2 bad arguments, 77 there is no CUDA device.");
  return line.add_flag("--bench", o.bench, bench);
}

/// run(T()) with the type of a precision's letter.
template <class Run>
int with_precision(const std::string& letter, Run run) {
#ifndef CLIENT_WITHOUT_S
  if (letter == "s") return run(float());
#endif
#ifndef CLIENT_WITHOUT_D
  if (letter == "d") return run(double());
#endif
#ifndef CLIENT_WITHOUT_C
  if (letter == "c") return run(std::complex<float>());
#endif
#ifndef CLIENT_WITHOUT_Z
  if (letter == "z") return run(std::complex<double>());
#endif
  throw usage_error("--precision: " + letter + " is not in this build");
}

/// Parses the command line, then returns what body() does; what it throws becomes a message and a status.
template <class Body>
int run_program(command_line& line, int argc, char** argv, Body body) {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  try {
    return body();
  } catch (const no_device&) {
    std::puts("skipped: no CUDA device");
    return skipped;
  } catch (const usage_error& e) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", e.what());
    return bad_arguments;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", line.program().c_str(), e.what());
    return wrong;
  }
}

/// A client's test(T()), or with --bench its bench(T()), of what the command line asks for.
template <class Test, class Bench>
int run_client(command_line& line, const options& o, int argc, char** argv, Test test, Bench bench) {
  return run_program(line, argc, argv, [&] {
    return with_precision(o.precision, [&](auto zero) {
      require_device();
      const session magma;
      return o.bench ? bench(zero) : test(zero);
    });
  });
}

}  // namespace client
