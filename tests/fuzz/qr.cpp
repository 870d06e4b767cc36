// Random calls, in the precision TALUS_T, of the QR family.
#include <tuple>

#include "fuzz/parts.hpp"
#include "qr/qr.hpp"

namespace talus::test::fuzz {

template <class T>
struct qr_call : call<T> {
  using call<T>::call;
  using W = judged<T>;

  size_list m{"m"}, n{"n"}, k{"k"}, nrhs{"nrhs"};
  matrices<T> A{"A", true}, B{"B", true};
  vectors<T> tau{"tau", true};
  op form = is_complex<T> ? this->random.of({op::none, op::conj_trans})
                          : this->random.of({op::none, op::trans, op::conj_trans});
  originals<T> A0, B0, tau0;

  std::vector<int> sizes() { return {this->size(), this->size()}; }
  int least(std::size_t b) const { return std::min(m[b], n[b]); }
  void put_any(std::size_t b, draw& own) {
    keep(A0, b,
         A.set(b, m[b], n[b]) = qr_matrix<T>(own.of({"random", "random", "graded_rows", "graded_columns",
                                                     "rank_deficient", "zero_column", "tiny", "huge"}),
                                             m[b], n[b], own.seed()));
  }
  /// k reflectors of order `rows`; what stands on and above the diagonal is NaN.
  dense<T> put_reflectors(std::size_t b, draw& own, int rows, int k_) {
    const auto reflect = reflectors<T>::alone(rows, k_, own.seed());
    keep(tau0, b, tau.set(b, k_, 1) = reflect.tau);
    return keep(A0, b, reflect.factors);
  }
  /// max |X - expected| / (rows eps) for columns of norm 1.
  static double difference(const dense<T>& X, const dense<W>& expected, int rows) {
    double worst = 0;
    for (std::size_t e = 0; e < X.size(); ++e)
      worst = worse(worst, std::abs(static_cast<W>(X[e]) - expected[e]));
    return worst / (rows + 1) / static_cast<double>(epsilon<T>);
  }
};

template <class T>
struct geqrf : qr_call<T> {
  using qr_call<T>::qr_call;
  TALUS_FUZZ_ENTRIES(geqrf)
  auto arguments() { return std::tie(this->m, this->n, this->A, this->tau); }
  void prepare(std::size_t b, draw& own) {
    this->put_any(b, own);
    this->tau.set(b, this->least(b), 1);
  }
  double ratio(std::size_t b) {
    const int m = this->m[b], n = this->n[b], k = this->least(b);
    const dense<T>& F = this->A.values[b];
    if (!are_taus(this->tau.values[b]) || !has_real_diagonal(F, m, k)) return HUGE_VAL;
    const auto Q = explicit_Q(F, this->tau.values[b], m, k, k);
    return worse(orthogonality_ratio<T>(Q, m, k),
                 qr_ratio(this->A0[b], Q, upper_trapezoid(F, m, n, k), m, n, k));
  }
};

template <class T>
struct qr : qr_call<T> {
  using qr_call<T>::qr_call;
  TALUS_FUZZ_ENTRIES(qr)
  matrices<T> upper{"R", true};
  auto arguments() { return std::tie(this->m, this->n, this->A, upper); }
  void prepare(std::size_t b, draw& own) {
    this->put_any(b, own);
    upper.set(b, this->least(b), this->n[b]);
  }
  double ratio(std::size_t b) {
    const int m = this->m[b], n = this->n[b], k = this->least(b);
    dense<T> Q = this->A.values[b];
    Q.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(k));
    const dense<T>& R = upper.values[b];
    if (R != upper_trapezoid(R, k, n, k) || !has_real_diagonal(R, k, k)) return HUGE_VAL;
    const auto wide = converted<judged<T>>(Q);
    return worse(orthogonality_ratio<T>(wide, m, k), qr_ratio(this->A0[b], wide, R, m, n, k));
  }
};

template <class T>
struct orgqr : qr_call<T> {
  using qr_call<T>::qr_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(orgqr)
  auto arguments() { return std::tie(this->m, this->n, this->k, this->A, this->tau); }
  std::vector<int> sizes() {
    const int m = this->size(), n = this->random.up_to(m);
    return {m, n, this->random.one_in(2) ? n : this->random.up_to(n)};
  }
  void prepare(std::size_t b, draw& own) {
    this->tau.is_written = false;
    const int m = this->m[b], k = this->k[b];
    put_part(this->put_reflectors(b, own, m, k), m, k, this->A.set(b, m, this->n[b]), m, 0, 0);
  }
  double ratio(std::size_t b) {
    const int m = this->m[b];
    return this->difference(this->A.values[b],
                            explicit_Q(this->A0[b], this->tau0[b], m, this->k[b], this->n[b]), m);
  }
};

template <class T>
struct ormqr : qr_call<T> {
  using qr_call<T>::qr_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(ormqr)
  side where = this->random.of({side::left, side::right});
  auto arguments() {
    return std::tie(where, this->form, this->m, this->n, this->k, this->A, this->tau, this->B);
  }
  int order(std::size_t b) const { return where == side::left ? this->m[b] : this->n[b]; }
  std::vector<int> sizes() {
    const int m = this->size(), n = this->size();
    return {m, n, this->random.up_to(where == side::left ? m : n)};
  }
  void prepare(std::size_t b, draw& own) {
    this->A.is_written = this->tau.is_written = false;
    const int rows = order(b), k = this->k[b], m = this->m[b], n = this->n[b];
    this->A.set(b, rows, k) = this->put_reflectors(b, own, rows, k);
    keep(this->B0, b, this->B.set(b, m, n) = random_matrix<T>(m, n, own.seed()));
  }
  double ratio(std::size_t b) {
    using W = judged<T>;
    const int rows = order(b), m = this->m[b], n = this->n[b];
    const dense<W> Q = applied(this->form, explicit_Q(this->A0[b], this->tau0[b], rows, this->k[b], rows),
                               rows),
                   C = converted<W>(this->B0[b]);
    return this->difference(this->B.values[b],
                            where == side::left ? product(Q, C, m, m, n) : product(C, Q, m, n, n), rows);
  }
};

template <class T>
struct gels : qr_call<T> {
  using qr_call<T>::qr_call;
  TALUS_FUZZ_ENTRIES(gels)
  auto arguments() { return std::tie(this->form, this->m, this->n, this->nrhs, this->A, this->B); }
  std::vector<int> sizes() { return {this->size(), this->size(), this->size()}; }
  /// Rows and columns of op(A).
  int rows(std::size_t b) const { return this->form == op::none ? this->m[b] : this->n[b]; }
  int columns(std::size_t b) const { return this->form == op::none ? this->n[b] : this->m[b]; }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], nrhs = this->nrhs[b];
    dense<T> X = random_matrix<T>(m, n, own.seed());
    if (this->least(b) > 0 && this->is_spoilt(own)) {  // a column of zeros of the matrix that QR factors
      const int j = own.below(this->least(b));
      for (int i = 0; i < std::max(m, n); ++i) X[m >= n ? at(i, j, m) : at(j, i, m)] = 0;
      this->info[b] = j + 1;
    }
    keep(this->A0, b, this->A.set(b, m, n) = X);
    const dense<T> sides = keep(this->B0, b, random_matrix<T>(rows(b), nrhs, own.seed()));
    put_part(sides, rows(b), nrhs, this->B.set(b, std::max(m, n), nrhs), std::max(m, n), 0, 0);
    this->B.kept[b] = this->info[b] > 0;
  }
  double ratio(std::size_t b) {
    using W = residual_type<T>;
    const int p = rows(b), q = columns(b), nrhs = this->nrhs[b], ld = std::max(p, q);
    if (this->info[b] > 0 || nrhs == 0) return 0;
    dense<W> X(static_cast<std::size_t>(q) * static_cast<std::size_t>(nrhs));
    copy_part(converted<W>(this->B.values[b]), ld, 0, 0, X, q, nrhs);
    if (p == 0 || q == 0) return norm1(converted<T>(this->B.values[b]), ld, nrhs) == 0 ? 0 : HUGE_VAL;
    const dense<W> M = applied(this->form, converted<W>(this->A0[b]), this->m[b], this->n[b]);
    dense<W> residual = product(M, X, p, q, nrhs);
    for (std::size_t e = 0; e < residual.size(); ++e) residual[e] = W(this->B0[b][e]) - residual[e];
    const double norm = norm1(M, p, q), size = norm1(X, q, nrhs), eps = static_cast<double>(epsilon<T>);
    if (p >= q)
      return norm1(product(adjoint(M, p, q), residual, q, p, nrhs), q, nrhs) /
             (std::max({p, q, nrhs}) * norm * (norm * size + norm1(this->B0[b], p, nrhs)) * eps);
    // Least norm: X lies in the range of op(A)^H, whose orthogonal basis is Q.
    const reflectors<judged<T>> basis(converted<judged<T>>(adjoint(M, p, q)), q, p);
    const dense<W> Q = converted<W>(explicit_Q(basis.factors, basis.tau, q, p, p));
    dense<W> outside = product(Q, product(adjoint(Q, q, p), X, p, q, nrhs), q, p, nrhs);
    for (std::size_t e = 0; e < X.size(); ++e) outside[e] = X[e] - outside[e];
    return worse(norm1(residual, p, nrhs) / (std::max({p, q, nrhs}) * norm * size * eps),
                 norm1(outside, q, nrhs) / (q * size * eps));
  }
};

namespace {

TALUS_FUZZ_ROUTINE(geqrf);
TALUS_FUZZ_ROUTINE(ormqr);
TALUS_FUZZ_ROUTINE(orgqr);
TALUS_FUZZ_ROUTINE(gels);
TALUS_FUZZ_ROUTINE(qr);

}  // namespace

}  // namespace talus::test::fuzz
