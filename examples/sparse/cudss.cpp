#include "cudss.hpp"

#include <stdexcept>

#include "common/backend.hpp"

#ifdef TALUS_WITH_CUDA

#include <dlfcn.h>
#include <library_types.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/cuda_calls.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "common/queued_work.hpp"
#include "right_hand_side.hpp"

namespace sparse {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// ---- the library ---------------------------------------------------------------------------------

/// Numbers of version 1 of cuDSS that its functions take.
namespace cudss {
constexpr int version = 1;
constexpr int analysis = 3, factorization = 4, refactorization = 8, solve = 1008;  // phases
constexpr int systems_of_a_batch = 18;                                             // of its configuration
constexpr int info = 0, memory_estimates = 13;                                     // of its data
constexpr int general = 0, positive_definite = 3;                                  // types of matrices
constexpr int full = 0, upper_triangle = 2;                                        // stored parts
constexpr int from_zero = 0, by_columns = 0;                                       // indices, layout
constexpr int out_of_memory = 2;                                                   // status
using object = void*;
}  // namespace cudss

/// Loads the library and finds its functions.
class cudss_library {
 public:
  using object = cudss::object;

  cudss_library() {
    if (library_ == nullptr) {
      const char* const why = dlerror();
      throw example::unavailable("--compare cudss: cuDSS does not load: " +
                                 std::string(why == nullptr ? "no reason is given" : why) +
                                 "\nIt comes from PyPI: pip install nvidia-cudss-cu13. "
                                 "LD_LIBRARY_PATH names the folder of "
                                 "libcudss.so.1, .../nvidia/cu13/lib");
    }
    int (*get_property)(int, int*) = nullptr;
    find(get_property, "cudssGetProperty");
    for (int i = 0; i < 3; ++i) check(get_property(i, &version_[at(i)]), "cudssGetProperty");
    if (version_[0] != cudss::version)
      throw example::unavailable("--compare cudss: this is cuDSS " + version() +
                                 ", and version 1 is called here");
    find(create, "cudssCreate");
    find(destroy, "cudssDestroy");
    find(set_stream, "cudssSetStream");
    find(create_config, "cudssConfigCreate");
    find(destroy_config, "cudssConfigDestroy");
    find(set_config, "cudssConfigSet");
    find(create_data, "cudssDataCreate");
    find(destroy_data, "cudssDataDestroy");
    find(get_data, "cudssDataGet");
    find(create_csr, "cudssMatrixCreateCsr");
    find(create_dense, "cudssMatrixCreateDn");
    find(destroy_matrix, "cudssMatrixDestroy");
    find(execute, "cudssExecute");
  }
  // The library stays loaded, because CUDA keeps its kernels until the process ends.

  std::string version() const {
    return std::to_string(version_[0]) + "." + std::to_string(version_[1]) + "." +
           std::to_string(version_[2]);
  }

  static void check(int status, const char* call) {
    if (status == 0) return;
    if (status == cudss::out_of_memory)
      throw example::unavailable("cuDSS: out of memory in " + std::string(call));
    throw std::runtime_error("cuDSS: " + std::string(call) + " failed with status " + std::to_string(status));
  }

  int (*create)(object* handle);
  int (*destroy)(object handle);
  int (*set_stream)(object handle, cudaStream_t stream);
  int (*create_config)(object* config);
  int (*destroy_config)(object config);
  int (*set_config)(object config, int what, const void* value, std::size_t bytes);
  int (*create_data)(object handle, object* data);
  int (*destroy_data)(object handle, object data);
  int (*get_data)(object handle, object data, int what, void* value, std::size_t bytes, std::size_t* written);
  int (*create_csr)(object* matrix, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                    const void* row_begin, const void* row_end, const void* column, const void* value,
                    cudaDataType_t begin_type, cudaDataType_t column_type, cudaDataType_t value_type,
                    int type, int part, int base);
  int (*create_dense)(object* matrix, std::int64_t rows, std::int64_t columns, std::int64_t ld,
                      const void* value, cudaDataType_t type, int layout);
  int (*destroy_matrix)(object matrix);
  int (*execute)(object handle, int phase, object config, object data, object matrix, object x, object b);

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr)
      throw example::unavailable("--compare cudss: this cuDSS has no function " + std::string(name));
  }

  void* library_ = dlopen("libcudss.so.1", RTLD_NOW | RTLD_LOCAL);
  std::array<int, 3> version_{};
};

// ---- the systems ---------------------------------------------------------------------------------

/// A matrix by rows; a symmetric matrix has its upper triangle here. Entry e has the value from[e] of the
/// matrix by columns.
struct rows_of_matrix {
  std::vector<int> begin, column, from;
};

rows_of_matrix by_rows(const matrix& A) {
  rows_of_matrix all{A.begin, A.row, std::vector<int>(A.row.size())};
  for (std::size_t e = 0; e < all.from.size(); ++e) all.from[e] = static_cast<int>(e);
  if (A.symmetric) return all;  // the columns of one triangle are the rows of the other triangle

  std::fill(all.begin.begin(), all.begin.end(), 0);
  for (const int i : A.row) ++all.begin[at(i) + 1];
  for (int i = 0; i < A.n; ++i) all.begin[at(i) + 1] += all.begin[at(i)];
  std::vector<int> next(all.begin.begin(), all.begin.end() - 1);
  for (int j = 0; j < A.n; ++j) {
    for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) {
      const int to = next[at(A.row[at(e)])]++;
      all.column[at(to)] = j;
      all.from[at(to)] = e;
    }
  }
  return all;
}

template <class T>
example::array<T> sent(const std::vector<T>& values, talus::queue q) {
  example::array<T> all(q.where, values.size());
  example::copy(all.data(), values.data(), all.bytes(), q);
  return all;
}

/// All systems as one batch, with a solver that has analysed their pattern.
class batch_of_systems {
 public:
  batch_of_systems(const problem& all, int systems, int nrhs, talus::queue q)
      : all_(all),
        systems_(systems),
        nrhs_(nrhs),
        q_(q),
        pattern_(by_rows(all.A)),
        begin_(sent(pattern_.begin, q)),
        column_(sent(pattern_.column, q)),
        value_(q.where, at(systems) * pattern_.from.size()),
        x_(q.where, at(all.A.n) * at(nrhs) * at(systems)),
        right_(right_hand_sides(all.A.n, 0, systems, nrhs)),
        b_(sent(right_, q)) {
    const matrix& A = all.A;
    check(cudss_.create(&handle_), "cudssCreate");
    check(cudss_.set_stream(handle_, example::stream_of(q)), "cudssSetStream");
    check(cudss_.create_config(&config_), "cudssConfigCreate");
    check(cudss_.create_data(handle_, &data_), "cudssDataCreate");
    if (systems > 1)
      check(cudss_.set_config(config_, cudss::systems_of_a_batch, &systems_, sizeof systems_),
            "cudssConfigSet");
    check(cudss_.create_csr(&matrix_, A.n, A.n, A.entries(), begin_.data(), nullptr, column_.data(),
                            value_.data(), CUDA_R_32I, CUDA_R_32I, CUDA_R_64F,
                            A.symmetric ? cudss::positive_definite : cudss::general,
                            A.symmetric ? cudss::upper_triangle : cudss::full, cudss::from_zero),
          "cudssMatrixCreateCsr");
    check(cudss_.create_dense(&solution_, A.n, nrhs, A.n, x_.data(), CUDA_R_64F, cudss::by_columns),
          "cudssMatrixCreateDn");
    check(cudss_.create_dense(&right_side_, A.n, nrhs, A.n, b_.data(), CUDA_R_64F, cudss::by_columns),
          "cudssMatrixCreateDn");
  }
  ~batch_of_systems() {
    for (const cudss::object each : {matrix_, solution_, right_side_}) {
      if (each != nullptr) cudss_.destroy_matrix(each);
    }
    if (data_ != nullptr) cudss_.destroy_data(handle_, data_);
    if (config_ != nullptr) cudss_.destroy_config(config_);
    if (handle_ != nullptr) cudss_.destroy(handle_);
  }
  batch_of_systems(const batch_of_systems&) = delete;
  batch_of_systems& operator=(const batch_of_systems&) = delete;

  std::string name() const { return "cuDSS " + cudss_.version(); }

  /// Sends the values of systems first, first + 1, ...
  void send_values(std::int64_t first) {
    const std::size_t entries = pattern_.from.size();
    std::vector<double> rows(entries * at(systems_));
    values_.resize(at(systems_));
    for (int s = 0; s < systems_; ++s) {
      values_[at(s)] = all_.values(first + s);
      for (std::size_t e = 0; e < entries; ++e)
        rows[at(s) * entries + e] = values_[at(s)][at(pattern_.from[e])];
    }
    example::copy(value_.data(), rows.data(), value_.bytes(), q_);
  }

  void execute(int phase, const char* name) const {
    check(cudss_.execute(handle_, phase, config_, data_, matrix_, solution_, right_side_), name);
  }

  /// Throws if the last factorization failed.
  void require_factors() const {
    int info = 0;
    check(cudss_.get_data(handle_, data_, cudss::info, &info, sizeof info, nullptr), "cudssDataGet");
    if (info != 0)
      throw std::runtime_error("cuDSS: the factorization failed with info " + std::to_string(info));
  }

  /// Returns cuDSS's own estimate of its peak GPU memory, in bytes.
  double memory() const {
    std::array<std::int64_t, 16> bytes{};
    check(cudss_.get_data(handle_, data_, cudss::memory_estimates, bytes.data(), sizeof bytes, nullptr),
          "cudssDataGet");
    return static_cast<double>(bytes[1]);
  }

  double worst_error() const {
    std::vector<double> x(x_.size());
    example::copy(x.data(), x_.data(), x_.bytes(), q_);
    return worst_backward_error(all_.A, values_, x, right_);
  }

 private:
  static void check(int status, const char* call) { cudss_library::check(status, call); }

  cudss_library cudss_;
  const problem& all_;
  int systems_, nrhs_;
  talus::queue q_;
  rows_of_matrix pattern_;
  example::array<int> begin_, column_;
  example::array<double> value_, x_;
  std::vector<double> right_;
  example::array<double> b_;
  std::vector<std::vector<double>> values_;
  cudss::object handle_ = nullptr, config_ = nullptr, data_ = nullptr;
  cudss::object matrix_ = nullptr, solution_ = nullptr, right_side_ = nullptr;
};

}  // namespace

void require_cudss(talus::queue q) {
  if (q.where != talus::backend::cuda)
    throw std::invalid_argument("--compare cudss: cuDSS runs on a GPU, and --backend is host");
  cudss_library();
}

peer_times run_cudss(const problem& all, int systems, int nrhs, int runs, talus::queue q) {
  const example::notice shown("cuDSS");
  batch_of_systems with(all, systems, nrhs, q);
  example::timeline ends(q);
  const auto seconds = [&](int phase, const char* name) {
    ends.restart();
    ends.mark();
    with.execute(phase, name);
    ends.mark();
    example::wait(q);
    return ends.seconds(0, 1);
  };
  // Each factorization has other systems' values; the last one has the values of systems 0, 1, ...
  const auto send_values = [&](int later) { with.send_values(static_cast<std::int64_t>(later) * systems); };

  peer_times best;
  best.name = with.name();
  send_values(runs);
  const auto begin = std::chrono::steady_clock::now();
  with.execute(cudss::analysis, "the analysis");
  example::wait(q);
  best.analysis = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  seconds(cudss::factorization, "the factorization");
  with.require_factors();
  best.factor = best.solve = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    send_values(runs - 1 - run);
    best.factor = std::min(best.factor, seconds(cudss::refactorization, "the factorization"));
  }
  with.require_factors();
  for (int run = 0; run < runs; ++run) best.solve = std::min(best.solve, seconds(cudss::solve, "the solve"));
  best.error = with.worst_error();
  best.memory = "peak GPU memory " + example::amount(with.memory());
  return best;
}

}  // namespace sparse

#else

namespace sparse {

void require_cudss(talus::queue) {
  throw example::unavailable("--compare cudss: cuDSS runs on a GPU, and this program was built without CUDA");
}

peer_times run_cudss(const problem&, int, int, int, talus::queue q) {
  require_cudss(q);
  return {};
}

}  // namespace sparse

#endif
