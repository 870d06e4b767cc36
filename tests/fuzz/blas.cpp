// Random calls, in the precision TALUS_T, of BLAS.
#include <tuple>

#include "blas/vbatched.hpp"
#include "fuzz/parts.hpp"

namespace talus::test::fuzz {

template <class T>
struct blas_call : call<T> {
  using call<T>::call;
  static constexpr bool info_may_be_null = true;

  op drawn_op() { return this->random.of({op::none, op::trans, op::conj_trans}); }
  T drawn_factor() { return this->random.of({T(0), T(1), T(-2), T(real_of<T>(0.7))}); }

  size_list m{"m"}, n{"n"}, k{"k"};
  op of_A = drawn_op(), of_B = drawn_op();
  T alpha = drawn_factor(), beta = drawn_factor();
  originals<T> A0, B0, C0;
};

template <class T>
struct trsm : blas_call<T> {
  using blas_call<T>::blas_call;
  TALUS_FUZZ_VBATCHED(trsm)
  template <class... X>
  static int batched(X... x) {
    return trsm_batched<T>(x...);
  }
  template <class... X>
  static int strided(X... x) {
    return trsm_strided_batched<T>(x...);
  }
  std::size_t work(int m, int n, std::int64_t count) const { return trsm_work<T>(f.side, m, n, count); }

  trsm_form f{this->random.of({side::left, side::right}), this->random.of({uplo::lower, uplo::upper}),
              this->of_A, this->random.of({diag::non_unit, diag::unit})};
  matrices<T> A{"A", false}, B{"B", true};
  auto arguments() { return std::tie(f.side, f.uplo, f.op, f.diag, this->m, this->n, this->alpha, A, B); }
  std::vector<int> sizes() { return {this->size(), this->size()}; }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], order = f.order(m, n);
    const char* kind = f.diag == diag::unit ? "small" : own.of({"dominant", "factor", "graded"});
    const dense<T> X = keep(this->A0, b, as_stored(f, triangle<T>(kind, order, own.seed()), order));
    dense<T>& to = A.set(b, order, order);
    for (int j = 0; j < order; ++j) {
      for (int i = 0; i < order; ++i) {
        if (i == j ? f.diag == diag::non_unit : (i > j) == (f.uplo == uplo::lower))
          to[at(i, j, order)] = X[at(i, j, order)];
      }
    }
    keep(this->B0, b, B.set(b, m, n) = random_matrix<T>(m, n, own.seed()));
  }
  double ratio(std::size_t b) {
    const int m = this->m[b], n = this->n[b];
    if (this->alpha == T(0)) return norm1(B.values[b], m, n) == 0 ? 0 : HUGE_VAL;
    return trsm_ratio(f, this->A0[b], B.values[b], this->B0[b], this->alpha, m, n);
  }
};

template <class T>
struct gemm : blas_call<T> {
  using blas_call<T>::blas_call;
  static constexpr bool has_fixed_sizes = false;
  TALUS_FUZZ_VBATCHED(gemm)
  matrices<T> A{"A", false}, B{"B", false}, C{"C", true};
  auto arguments() {
    return std::tie(this->of_A, this->of_B, this->m, this->n, this->k, this->alpha, A, B, this->beta, C);
  }
  std::vector<int> sizes() { return {this->size(), this->size(), this->size()}; }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], k = this->k[b];
    const auto put = [&](matrices<T>& to, originals<T>& all, int rows, int columns) {
      keep(all, b, to.set(b, rows, columns) = random_matrix<T>(rows, columns, own.seed()));
    };
    this->of_A == op::none ? put(A, this->A0, m, k) : put(A, this->A0, k, m);
    this->of_B == op::none ? put(B, this->B0, k, n) : put(B, this->B0, n, k);
    put(C, this->C0, m, n);
    if (this->beta == T(0)) C.set(b, m, n);  // NaN: no routine may read it
  }
  double ratio(std::size_t b) {
    const int m = this->m[b], n = this->n[b], k = this->k[b];
    const bool A_is_mxk = this->of_A == op::none, B_is_kxn = this->of_B == op::none;
    return product_ratio(applied(this->of_A, this->A0[b], A_is_mxk ? m : k, A_is_mxk ? k : m),
                         applied(this->of_B, this->B0[b], B_is_kxn ? k : n, B_is_kxn ? n : k), this->C0[b],
                         C.values[b], this->alpha, this->beta, m, n, k);
  }
};

template <class T>
struct gemv : blas_call<T> {
  using blas_call<T>::blas_call;
  static constexpr bool has_fixed_sizes = false;
  TALUS_FUZZ_VBATCHED(gemv)
  matrices<T> A{"A", false};
  vectors_with_step<T> x{"x", false}, y{"y", true};
  auto arguments() { return std::tie(this->of_A, this->m, this->n, this->alpha, A, x, this->beta, y); }
  std::vector<int> sizes() { return {this->size(), this->size()}; }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], in = this->of_A == op::none ? n : m, out = m + n - in;
    keep(this->A0, b, A.set(b, m, n) = random_matrix<T>(m, n, own.seed()));
    keep(this->B0, b, x.set(b, 1, in) = random_matrix<T>(1, in, own.seed()));
    keep(this->C0, b, y.set(b, 1, out) = random_matrix<T>(1, out, own.seed()));
    if (this->beta == T(0)) y.set(b, 1, out);
    y.kept[b] = m == 0 || n == 0;  // as in BLAS
  }
  double ratio(std::size_t b) {
    const int m = this->m[b], n = this->n[b], in = this->of_A == op::none ? n : m, out = m + n - in;
    if (y.kept[b]) return 0;
    return product_ratio(applied(this->of_A, this->A0[b], m, n), this->B0[b], this->C0[b], y.values[b],
                         this->alpha, this->beta, out, 1, in);
  }
};

namespace {

TALUS_FUZZ_ROUTINE(trsm);
TALUS_FUZZ_ROUTINE(gemm);
TALUS_FUZZ_ROUTINE(gemv);

}  // namespace

}  // namespace talus::test::fuzz
