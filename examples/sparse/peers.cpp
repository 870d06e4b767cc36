#include "peers.hpp"

#include "common/backend.hpp"

#ifdef TALUS_HAVE_SUITESPARSE

#include <omp.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "common/program.hpp"
#include "common/progress.hpp"
#include "right_hand_side.hpp"

extern "C" {
char* openblas_get_corename(void);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace sparse {
namespace {

/// Restores the numbers of threads when it goes.
class thread_numbers {
 public:
  thread_numbers() = default;
  ~thread_numbers() {
    openblas_set_num_threads(blas_);
    omp_set_num_threads(omp_);
    omp_set_max_active_levels(omp_levels_);
  }
  thread_numbers(const thread_numbers&) = delete;
  thread_numbers& operator=(const thread_numbers&) = delete;

  /// CHOLMOD asks OpenMP for a number of its own, which no parallel level at all makes one.
  void set(int threads) const {
    openblas_set_num_threads(threads);
    omp_set_num_threads(threads);
    omp_set_max_active_levels(threads > 1 ? omp_levels_ : 0);
  }

 private:
  int blas_ = openblas_get_num_threads(), omp_ = omp_get_max_threads();
  int omp_levels_ = omp_get_max_active_levels();
};

/// A library that has analysed a matrix's pattern when it is made.
class solver {
 public:
  virtual ~solver() = default;
  virtual std::string name() const = 0;
  virtual double factor_bytes() const = 0;
  virtual std::string failure(int column) const = 0;  ///< what it means that factor() returned a column

  /// 0, or the column, from 1, that has no pivot. `value` must live until the last solve.
  virtual int factor(const std::vector<double>& value) = 0;
  /// As many right-hand sides as were announced, one after the other; solutions remain until the next call.
  virtual const double* solve(const std::vector<double>& b) = 0;
};

/// OpenBLAS may take a new CPU for an old one: docs/guide/build.md.
std::string with_blas() { return std::string(", OpenBLAS for ") + openblas_get_corename(); }

std::string version(int main, int sub, int subsub) {
  return " " + std::to_string(main) + "." + std::to_string(sub) + "." + std::to_string(subsub);
}

// ---- CHOLMOD -------------------------------------------------------------------------------------

struct cholmod_session {
  cholmod_session() { cholmod_start(&common); }
  ~cholmod_session() { cholmod_finish(&common); }
  cholmod_session(const cholmod_session&) = delete;
  cholmod_session& operator=(const cholmod_session&) = delete;

  cholmod_common common;
};

/// An object of a session, or none.
template <class T, int (*free)(T**, cholmod_common*)>
struct cholmod_object {
  explicit cholmod_object(cholmod_session& s) : session(s) {}
  ~cholmod_object() { free(&object, &session.common); }
  cholmod_object(const cholmod_object&) = delete;
  cholmod_object& operator=(const cholmod_object&) = delete;

  cholmod_session& session;
  T* object = nullptr;
};

class cholmod_solver final : public solver {
 public:
  cholmod_solver(const matrix& A, int nrhs) {
    common_.print = 0;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.quick_return_if_not_posdef = true;

    A_.nrow = A_.ncol = static_cast<std::size_t>(A.n);
    A_.nzmax = A.row.size();
    A_.p = const_cast<int*>(A.begin.data());  // CHOLMOD does not write to them
    A_.i = const_cast<int*>(A.row.data());
    A_.stype = -1;  // the lower triangle
    A_.itype = CHOLMOD_INT;
    A_.xtype = CHOLMOD_PATTERN;
    A_.dtype = CHOLMOD_DOUBLE;
    A_.sorted = A_.packed = true;

    B_.nrow = B_.d = A_.nrow;
    B_.ncol = static_cast<std::size_t>(nrhs);
    B_.nzmax = B_.nrow * B_.ncol;
    B_.xtype = CHOLMOD_REAL;
    B_.dtype = CHOLMOD_DOUBLE;

    L_.object = cholmod_analyze(&A_, &common_);
    require_success();
  }

  std::string name() const override {
    const auto by = [&]() -> std::string {
      switch (L_.object->ordering) {
        case CHOLMOD_AMD:
          return "AMD";
        case CHOLMOD_METIS:
          return "METIS";
        case CHOLMOD_NESDIS:
          return "NESDIS";
        default:
          return "nothing";
      }
    };
    return "CHOLMOD" + version(CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION) +
           ", ordered by " + by() + with_blas();
  }

  double factor_bytes() const override {
    const cholmod_factor& L = *L_.object;
    return static_cast<double>(L.xsize * sizeof(double) + (L.ssize + 3 * (L.nsuper + 1) + L.n) * sizeof(int));
  }

  std::string failure(int column) const override {
    return "not positive definite: no pivot above 0 in column " + std::to_string(column);
  }

  int factor(const std::vector<double>& value) override {
    A_.x = const_cast<double*>(value.data());
    A_.xtype = CHOLMOD_REAL;
    cholmod_factorize(&A_, L_.object, &common_);
    require_success();
    if (common_.status != CHOLMOD_NOT_POSDEF) return 0;
    return static_cast<const int*>(L_.object->Perm)[L_.object->minor] + 1;
  }

  const double* solve(const std::vector<double>& b) override {
    B_.x = const_cast<double*>(b.data());
    cholmod_solve2(CHOLMOD_A, L_.object, &B_, nullptr, &X_.object, nullptr, &Y_.object, &E_.object, &common_);
    require_success();
    return static_cast<const double*>(X_.object->x);
  }

 private:
  void require_success() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw example::unavailable("CHOLMOD: out of host memory");
    if (common_.status == CHOLMOD_TOO_LARGE)
      throw example::unavailable("CHOLMOD: more entries in its factor than an int counts");
    if (common_.status < 0)
      throw std::runtime_error("CHOLMOD: failed, its status is " + std::to_string(common_.status));
  }

  using factor_object = cholmod_object<cholmod_factor, cholmod_free_factor>;
  using dense_object = cholmod_object<cholmod_dense, cholmod_free_dense>;

  cholmod_session session_;
  cholmod_common& common_ = session_.common;
  cholmod_sparse A_{};
  cholmod_dense B_{};
  factor_object L_{session_};
  dense_object X_{session_}, Y_{session_}, E_{session_};  // the last two are memory that solves need
};

// ---- UMFPACK -------------------------------------------------------------------------------------

class umfpack_solver final : public solver {
 public:
  umfpack_solver(const matrix& A, int nrhs)
      : A_(A), nrhs_(nrhs), x_(static_cast<std::size_t>(A.n) * static_cast<std::size_t>(nrhs)) {
    umfpack_di_defaults(control_);
    control_[UMFPACK_IRSTEP] = 0;  // no refinement
    void* made = nullptr;
    const int status =
        umfpack_di_symbolic(A.n, A.n, A.begin.data(), A.row.data(), A.value.data(), &made, control_, info_);
    symbolic_.reset(made);
    require_success(status);
    column_ordering_ = info_[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_UNSYMMETRIC;
  }

  std::string name() const override {
    return "UMFPACK" + version(UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION, UMFPACK_SUBSUB_VERSION) +
           ", ordered by " + (column_ordering_ ? "COLAMD" : "AMD") + with_blas();
  }

  double factor_bytes() const override { return info_[UMFPACK_NUMERIC_SIZE] * info_[UMFPACK_SIZE_OF_UNIT]; }

  std::string failure(int column) const override {
    return "singular: no pivot in column " + std::to_string(column);
  }

  int factor(const std::vector<double>& value) override {
    value_ = value.data();
    numeric_.reset();
    void* made = nullptr;
    const int status =
        umfpack_di_numeric(A_.begin.data(), A_.row.data(), value_, symbolic_.get(), &made, control_, info_);
    numeric_.reset(made);
    require_success(status);
    return status == UMFPACK_WARNING_singular_matrix ? smallest_pivot() : 0;
  }

  const double* solve(const std::vector<double>& b) override {
    for (int r = 0; r < nrhs_; ++r) {
      const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(r) * A_.n;
      double solve_info[UMFPACK_INFO];
      require_success(umfpack_di_solve(UMFPACK_A, A_.begin.data(), A_.row.data(), value_, x_.data() + begin,
                                       b.data() + begin, numeric_.get(), control_, solve_info));
    }
    return x_.data();
  }

 private:
  static void require_success(int status) {
    if (status == UMFPACK_ERROR_out_of_memory)
      throw example::unavailable("UMFPACK: out of host memory, or more of it than an int counts");
    if (status < 0) throw std::runtime_error("UMFPACK: failed, its status is " + std::to_string(status));
  }

  /// Its column, from 1.
  int smallest_pivot() const {
    std::vector<double> pivot(static_cast<std::size_t>(A_.n));
    std::vector<int> column(pivot.size());
    require_success(umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           column.data(), pivot.data(), nullptr, nullptr, numeric_.get()));
    const auto smallest = std::min_element(pivot.begin(), pivot.end(),
                                           [](double a, double b) { return std::abs(a) < std::abs(b); });
    return column[static_cast<std::size_t>(smallest - pivot.begin())] + 1;
  }

  struct free_symbolic {
    void operator()(void* symbolic) const { umfpack_di_free_symbolic(&symbolic); }
  };
  struct free_numeric {
    void operator()(void* numeric) const { umfpack_di_free_numeric(&numeric); }
  };

  const matrix& A_;
  int nrhs_;
  const double* value_ = nullptr;
  std::vector<double> x_;
  double control_[UMFPACK_CONTROL], info_[UMFPACK_INFO];
  bool column_ordering_ = false;
  std::unique_ptr<void, free_symbolic> symbolic_;
  std::unique_ptr<void, free_numeric> numeric_;
};

// ---- times ---------------------------------------------------------------------------------------

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Work>
double best_seconds(int runs, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) best = std::min(best, seconds(work));
  return best;
}

/// Factors and solves systems of a problem, and remembers the worst error of all solutions.
class experiment {
 public:
  experiment(solver& with, const problem& all, int nrhs, int runs)
      : with_(with), all_(all), nrhs_(nrhs), runs_(runs) {}

  struct times {
    double factor = 0, solve = 0;
  };
  times run(int systems, int factor_threads, int solve_threads) {
    times sum;
    example::progress shown(with_.name(), systems);
    for (int s = 0; s < systems; ++s) {
      const std::vector<double> value = all_.values(s), b = right_hand_sides(all_.A.n, s, 1, nrhs_);
      threads_.set(factor_threads);
      sum.factor += best_seconds(runs_, [&] { factor(s, value); });
      threads_.set(solve_threads);
      const double* x = nullptr;
      sum.solve += best_seconds(runs_, [&] { x = with_.solve(b); });
      for (int r = 0; r < nrhs_; ++r) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(r) * all_.A.n;
        const double now = backward_error(all_.A, value.data(), x + begin, b.data() + begin);
        error_ = example::worse_residual(error_, now);
      }
      if (systems > 1) shown.advance();
    }
    return sum;
  }
  double error() const { return error_; }

 private:
  void factor(int system, const std::vector<double>& value) {
    const int column = with_.factor(value);
    if (column > 0)
      throw std::runtime_error(with_.name() + ": system " + std::to_string(system) + " of " + all_.A.name +
                               " is " + with_.failure(column));
  }

  solver& with_;
  const problem& all_;
  int nrhs_, runs_;
  double error_ = 0;
  thread_numbers threads_;
};

std::unique_ptr<solver> analysed(const matrix& A, int nrhs) {
  const example::notice shown("analysis by SuiteSparse");
  if (A.symmetric) return std::make_unique<cholmod_solver>(A, nrhs);
  return std::make_unique<umfpack_solver>(A, nrhs);
}

/// How many systems try all numbers of threads: as many as one thread does in a second or two.
int systems_to_try(experiment& with, int systems) {
  if (systems == 1) return 1;
  const double enough = 2;
  const double one = seconds([&] { with.run(1, 1, 1); });
  return one * systems <= enough ? systems : std::max(1, static_cast<int>(enough / one));
}

}  // namespace

void require_suitesparse() {}

peer_times run_suitesparse(const problem& all, int systems, int nrhs, int threads, int runs) {
  peer_times best;
  std::unique_ptr<solver> with;
  best.analysis = seconds([&] { with = analysed(all.A, nrhs); });
  best.name = with->name();

  experiment made(*with, all, nrhs, runs);
  const int few = systems_to_try(made, systems);
  best.factor = best.solve = std::numeric_limits<double>::infinity();
  for (int t = 1;; t = std::min(2 * t, threads)) {
    const example::notice shown(best.name + ", threads: " + std::to_string(t));
    const experiment::times now = made.run(few, t, t);
    if (now.factor < best.factor) best.factor = now.factor, best.factor_threads = t;
    if (now.solve < best.solve) best.solve = now.solve, best.solve_threads = t;
    if (t >= threads) break;
  }
  if (few < systems) {
    const experiment::times all_of_them = made.run(systems, best.factor_threads, best.solve_threads);
    best.factor = all_of_them.factor, best.solve = all_of_them.solve;
  }
  best.error = made.error();
  best.memory = "factors of a system " + example::amount(with->factor_bytes());
  return best;
}

}  // namespace sparse

#else

namespace sparse {

void require_suitesparse() {
  throw example::unavailable(
      "CHOLMOD and UMFPACK are missing: built without SuiteSparse (Debian: apt-get install "
      "libsuitesparse-dev)");
}

peer_times run_suitesparse(const problem&, int, int, int, int) {
  require_suitesparse();
  return {};
}

}  // namespace sparse

#endif
