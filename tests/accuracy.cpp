// talus-accuracy: how large LAPACK's ratios are of what routines leave, for each kind of matrix that the
// tests know. They are residuals in units of n rounding errors; the tests allow 30.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "blas/blas.hpp"
#include "cholesky/cholesky.hpp"
#include "lu/lu.hpp"
#include "measure/machine.hpp"
#include "measure/plan.hpp"
#include "measure/precisions.hpp"
#include "measure/program.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct options {
  std::string backend = "host", sizes = "4,8,16,32,64,128,256", csv;
  std::vector<std::string> precisions;
};

/// What was judged, of matrices of one kind, by which of a routine's ratios.
struct subject {
  const char *routine, *ratio;
  std::string kind;
  int m, n;
  std::int64_t batch;
};

/// A line on the screen for each routine, ratio and precision, a row in the file for each size and kind.
class report {
 public:
  report(const std::string& path, const measure::facts& about) : path_(path) {
    if (path.empty()) return;
    file_.open(path);
    for (const auto& [name, value] : about) file_ << "# " << name << ": " << value << '\n';
    file_ << "routine,check,precision,kind,m,n,batch,ratio" << std::endl;
  }

  /// A ratio of 0 is a result without an error, and none where nothing was judged.
  void add(const std::string& precision, const subject& s, double ratio) {
    worst_ = worse(worst_, ratio);
    if (std::find(names_.begin(), names_.end(), name_of(s)) == names_.end()) {
      names_.push_back(name_of(s));
      worst_of_.push_back(0);
    }
    const auto at = std::find(names_.begin(), names_.end(), name_of(s)) - names_.begin();
    double& worst = worst_of_[static_cast<std::size_t>(at)];
    worst = worse(worst, ratio);
    if (path_.empty()) return;
    file_ << s.routine << ',' << s.ratio << ',' << precision << ',' << s.kind
          << measure::formatted(",%d,%d,%lld,%.4g\n", s.m, s.n, static_cast<long long>(s.batch), ratio);
    if (!file_.flush()) throw measure::write_error("cannot write '" + path_ + "'");
  }

  void print(const std::string& precision) {
    for (std::size_t i = 0; i < names_.size(); ++i)
      std::printf("%s%-24s %8.3f\n", precision.c_str(), names_[i].c_str(), worst_of_[i]);
    names_.clear();
    worst_of_.clear();
  }
  bool is_fine() const { return worst_ < threshold; }

 private:
  static std::string name_of(const subject& s) { return std::string(s.routine) + ", " + s.ratio; }

  std::string path_;
  std::ofstream file_;
  std::vector<std::string> names_;
  std::vector<double> worst_of_;
  double worst_ = 0;
};

void require(int status) {
  if (status != 0) throw std::runtime_error(talus::strerror(status));
}

/// All routines of one precision on matrices of order n.
template <class T>
class survey {
  using W = residual_type<T>;  // what residuals are summed in where the tests' ratios leave it open
  static constexpr std::int64_t distinct = 3;
  static constexpr unsigned seed = 7;

 public:
  survey(report& to, std::string precision, int n)
      : to_(to), precision_(std::move(precision)), n_(n), count_(batch_of(n)) {}

  void all() {
    for (const std::string& kind : kinds()) cholesky(kind);
    for (const std::string& kind : general_kinds()) lu(kind);
    for (const std::string& kind : qr_kinds()) {
      reflectors_of(kind);
      thin(kind);
      if (kind != "rank_deficient" && kind != "zero_column" && kind != "zero") least_squares(kind);
    }
    for (const std::string& kind : triangle_kinds()) triangles(kind);
  }

 private:
  /// 3,000, or as many as take 100 MB.
  static std::int64_t batch_of(int n) {
    const double bytes = static_cast<double>(sizeof(T)) * n * n;
    return std::clamp(static_cast<std::int64_t>(1e8 / bytes), distinct, std::int64_t{3000});
  }
  static dense<W> wide(const dense<T>& A) { return converted<W>(A); }
  /// A ratio of W's eps as one of T's.
  static double narrow(double ratio) {
    return ratio * static_cast<double>(epsilon<W>) / static_cast<double>(epsilon<T>);
  }
  template <class Ratio>
  void judge(const char* routine, const char* ratio, const std::string& kind, int m, Ratio of_matrix) {
    std::vector<double> ratios(distinct);
#pragma omp parallel for
    for (std::int64_t b = 0; b < distinct; ++b) ratios[static_cast<std::size_t>(b)] = of_matrix(b);
    to_.add(precision_, {routine, ratio, kind, m, n_, count_},
            std::accumulate(ratios.begin(), ratios.end(), 0.0, worse));
  }

  void cholesky(const std::string& kind) {
    const uplo lower = uplo::lower;
    const repeated<T> A(kind, n_, distinct, seed);
    const slab<T> before = A.fill(lower, n_, n_, count_, 0),
                  B = right_hand_sides<T>(n_, 1, n_, count_, distinct);
    const resident<T> a(before), c(before), b(B);
    const info_array info(count_);
    require(test::potrf(call_form::strided, lower, a, info));
    const slab<T> L = (finish(), a.download());
    judge("potrf", "A - L L^H", kind, n_,
          [&](std::int64_t i) { return factor_ratio(A[i], L.get_lower(i, lower), n_); });
    if (kind == "exact") return;  // such large ones have inverses beyond the largest number
    require(test::potri(call_form::strided, lower, a, info));
    require(test::posv(call_form::strided, lower, c, b, info));
    finish();
    const slab<T> X = a.download(), x = b.download();
    judge("potri", "I - A X", kind, n_, [&](std::int64_t i) {
      dense<T> inverse = X.get_lower(i, lower);
      for (int j = 0; j < n_; ++j) {
        for (int k = j + 1; k < n_; ++k)
          inverse[static_cast<std::size_t>(j + k * n_)] =
              conjugate(inverse[static_cast<std::size_t>(k + j * n_)]);
      }
      return narrow(inverse_ratio(wide(A[i]), wide(inverse), n_));
    });
    judge("posv", "B - A X", kind, n_, [&](std::int64_t i) {
      return narrow(solve_ratio(wide(A[i]), wide(x.get(i)), wide(B.get(i)), n_, 1));
    });
  }

  /// Beyond what growth makes of it. Of singular matrices the factors alone.
  void lu(const std::string& kind) {
    const repeated_general<T> A(kind, n_, n_, distinct, seed);
    const slab<T> before = A.fill(n_, count_, 0), B = right_hand_sides<T>(n_, 1, n_, count_, distinct);
    const resident<T> a(before), c(before), b(B);
    const pivot_array ipiv(count_, n_), ipiv_of_c(count_, n_);
    const info_array info(count_), info_of_c(count_);
    require(test::getrf(call_form::strided, a, ipiv, info));
    const slab<T> factors = (finish(), a.download());
    const std::vector<int> failed = info.download();
    const std::vector<std::vector<int>> pivots = ipiv.download();
    const auto by_growth = [&](std::int64_t i, double ratio) {
      return ratio / growth(A[i], factors.get(i), n_, n_);
    };
    judge("getrf", "A - P L U", kind, n_, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      return by_growth(i, narrow(lu_ratio(wide(A[i]), wide(factors.get(i)), pivots[at], n_, n_)));
    });
    if (!all_zero(failed)) return;
    require(test::getri(call_form::strided, a, ipiv, info.data()));
    require(test::gesv(call_form::strided, c, ipiv_of_c, b, info_of_c));
    finish();
    const slab<T> X = a.download(), x = b.download();
    judge("getri", "I - X A", kind, n_, [&](std::int64_t i) {
      return by_growth(i, narrow(inverse_ratio(wide(X.get(i)), wide(A[i]), n_)));
    });
    judge("gesv", "B - A X", kind, n_, [&](std::int64_t i) {
      return by_growth(i, narrow(solve_ratio(wide(A[i]), wide(x.get(i)), wide(B.get(i)), n_, 1)));
    });
  }

  void reflectors_of(const std::string& kind) {
    const repeated_general<T> A = repeated_qr<T>(kind, n_, n_, distinct, seed);
    const resident<T> a(A.fill(n_, count_, 0)), tau(unset_tau<T>(n_, count_));
    const info_array info(count_);
    require(test::geqrf(call_form::strided, a, tau, info));
    finish();
    const slab<T> factors = a.download(), taus = tau.download();
    const auto Q = [&](std::int64_t i) { return explicit_Q(factors.get(i), taus.get(i), n_, n_, n_); };
    judge("geqrf", "A - Q R", kind, n_, [&](std::int64_t i) {
      return qr_ratio(A[i], Q(i), upper_trapezoid(factors.get(i), n_, n_, n_), n_, n_, n_);
    });
    judge("geqrf", "I - Q^H Q", kind, n_,
          [&](std::int64_t i) { return orthogonality_ratio<T>(Q(i), n_, n_); });
  }

  void thin(const std::string& kind) {
    const repeated_general<T> A = repeated_qr<T>(kind, n_, n_, distinct, seed);
    const resident<T> a(A.fill(n_, count_, 0)), r(slab<T>(n_, n_, n_, count_, 0));
    const info_array info(count_);
    require(test::qr(call_form::strided, a, r, info));
    finish();
    const slab<T> Q = a.download(), R = r.download();
    const auto as_judged = [&](std::int64_t i) { return converted<judged<T>>(Q.get(i)); };
    judge("qr", "A - Q R", kind, n_,
          [&](std::int64_t i) { return qr_ratio(A[i], as_judged(i), R.get(i), n_, n_, n_); });
    judge("qr", "I - Q^H Q", kind, n_,
          [&](std::int64_t i) { return orthogonality_ratio<T>(as_judged(i), n_, n_); });
  }

  /// 4 n equations for n unknowns; X may be large: ||A^H (B - A X)|| / (||A|| (||A|| ||X|| + ||B||) m eps).
  void least_squares(const std::string& kind) {
    const int m = 4 * n_;
    const repeated_general<T> A = repeated_qr<T>(kind, m, n_, distinct, seed);
    const slab<T> B = right_hand_sides<T>(m, 1, m, count_, distinct);
    const resident<T> a(A.fill(m, count_, 0)), b(B);
    const info_array info(count_);
    require(test::gels(call_form::strided, op::none, m, n_, a, b, info));
    finish();
    const slab<T> X = b.download();
    judge("gels", "A^H (B - A X)", kind, m, [&](std::int64_t i) {
      const dense<W> exact = wide(A[i]);
      dense<W> x = wide(X.get(i)), r = wide(B.get(i));
      x.resize(static_cast<std::size_t>(n_));
      const dense<W> Ax = product(exact, x, m, n_, 1);
      for (std::size_t e = 0; e < r.size(); ++e) r[e] -= Ax[e];
      const long double norm = norm1(A[i], m, n_),
                        size = norm * (norm * norm1(x, n_, 1) + norm1(B.get(i), m, 1)) * m;
      return static_cast<double>(norm1(product(adjoint(exact, m, n_), r, n_, m, 1), n_, 1) / size /
                                 static_cast<double>(epsilon<T>));
    });
  }

  void triangles(const std::string& kind) {
    const diag of = kind == "small" ? diag::unit : diag::non_unit;
    const trsm_form form{side::left, uplo::lower, op::none, of};
    const repeated_triangles<T> A(form, kind, n_, distinct, seed);
    const slab<T> B = right_hand_sides<T>(n_, 1, n_, count_, distinct);
    const resident<T> a(A.fill(n_, count_)), b(B);
    const info_array info(count_);
    require(test::trsm(call_form::strided, form, T(1), a, b, info.data()));
    finish();
    const slab<T> X = b.download();
    judge("trsm", "B - A X", kind, n_, [&](std::int64_t i) {
      return narrow(trsm_ratio(form, wide(A[i]), wide(X.get(i)), wide(B.get(i)), W(1), n_, 1));
    });
  }

  report& to_;
  std::string precision_;
  int n_;
  std::int64_t count_;
};

int run(options& o, const std::string& command) {
  if (o.precisions.empty()) {
    for (const char* p = measure::built_precisions; *p; ++p) o.precisions.emplace_back(1, *p);
  }
  backend_under_test() = o.backend == "cuda" ? backend::cuda : backend::host;
  if (on_cuda() && queue::best().where != backend::cuda) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  const std::vector<int> sizes = measure::parse_sizes(o.sizes);
  const measure::machine here = measure::machine::measure(backend_under_test());
  report all(o.csv, facts_of(here, backend_under_test(), command));
  for (const std::string& precision : o.precisions) {
    measure::with_type(precision, [&](auto zero) {
      for (const int n : sizes) survey<decltype(zero)>(all, precision, n).all();
    });
    all.print(precision);
  }
  std::puts(all.is_fine() ? "every ratio is below 30" : "*** there is a ratio of 30 or more ***");
  return all.is_fine() ? measure::fine : measure::wrong;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  measure::command_line line(
      "The largest of LAPACK's ratios, of every routine, for each kind of matrix that the tests know",
      "talus-accuracy");
  line.add("--backend", o.backend, "where to run: host or cuda (else exit status 77)")
      .one_of({"host", "cuda"})
      .shows_default();
  line.add("--precision", o.precisions, "any of s,d,c,z (default: all that are built)").between_commas();
  line.add("--sizes", o.sizes, "orders: a list such as 4,16, or a range such as 4:64").shows_default();
  line.add("--csv", o.csv, "file for the ratios of each size and kind");
  return measure::run_program(line, argc, argv, [&](const std::string& command) { return run(o, command); });
}
