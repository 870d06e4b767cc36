// Random calls, in the precision TALUS_T, of the Cholesky family.
#include <tuple>

#include "cholesky/fronts.hpp"
#include "fuzz/parts.hpp"

namespace talus::test::fuzz {

/// True for the elements of one triangle.
inline bool is_in(uplo triangle, int i, int j) { return triangle == uplo::lower ? i >= j : i <= j; }

template <class T>
struct cholesky_call : call<T> {
  using call<T>::call;

  uplo triangle = this->random.of({uplo::lower, uplo::upper});
  size_list n{"n"}, nrhs{"nrhs"}, k{"k"};
  matrices<T> A{"A", true, [this](int i, int j) { return is_in(triangle, i, j); }};
  matrices<T> B{"B", true};
  originals<T> A0, B0;

  std::vector<int> sizes() { return {this->size(), this->size()}; }
  /// The triangle of a Hermitian matrix. Imaginary parts of the diagonal, which no routine may use, are NaN.
  void put_triangle(dense<T>& to, const dense<T>& from, int order) {
    for (int j = 0; j < order; ++j) {
      for (int i = 0; i < order; ++i) {
        if (!is_in(triangle, i, j)) continue;
        T a = from[at(i, j, order)];
        if constexpr (is_complex<T>) {
          if (i == j) a = {a.real(), unset<real_of<T>>()};
        }
        to[at(i, j, order)] = a;
      }
    }
  }
  /// The triangle of a result as a lower triangle, zeros above. is_input: nothing was eliminated, so that
  /// imaginary parts of the diagonal have not been written.
  dense<T> lower_of(const dense<T>& X, int order, bool is_input = false) const {
    dense<T> L(X.size());
    for (int j = 0; j < order; ++j) {
      for (int i = j; i < order; ++i)
        L[at(i, j, order)] = triangle == uplo::lower ? X[at(i, j, order)] : conjugate(X[at(j, i, order)]);
      if (is_input) L[at(j, j, order)] = std::real(L[at(j, j, order)]);
    }
    return L;
  }
  /// A positive definite matrix, or one whose leading minor of some order up to `most` is not.
  const dense<T>& put_hermitian(std::size_t b, draw& own, int order, int most) {
    dense<T>& H =
        keep(A0, b, hermitian<T>(own.of({"random", "random", "graded", "condition"}), order, own.seed()));
    if (most > 0 && this->is_spoilt(own)) {
      const int i = own.below(most), j = own.below(i + 1);
      H[at(i, j, order)] = i == j && own.one_in(2) ? T(-1) : nan_of<T>();
      H[at(j, i, order)] = H[at(i, j, order)];
      this->info[b] = i + 1;
    }
    put_triangle(A.set(b, order, order), H, order);
    return H;
  }
  /// A factor, in single loops; one of its diagonal elements may be illegal.
  void put_factor(std::size_t b, draw& own, int order) {
    const dense<T> H = keep(A0, b, hermitian<T>("random", order, own.seed()));
    dense<in_double<T>> L(H.begin(), H.end());
    for (int j = 0; j < order; ++j) {
      const double pivot = std::sqrt(std::real(L[at(j, j, order)]));
      for (int i = j; i < order; ++i) L[at(i, j, order)] /= pivot;
      for (int c = j + 1; c < order; ++c) {
        const in_double<T> factor = conjugate(L[at(c, j, order)]);
        for (int i = c; i < order; ++i) L[at(i, c, order)] -= times(L[at(i, j, order)], factor);
      }
    }
    dense<T> F(L.size());
    for (int j = 0; j < order; ++j) {
      for (int i = j; i < order; ++i) {
        F[at(i, j, order)] = static_cast<T>(L[at(i, j, order)]);
        F[at(j, i, order)] = conjugate(F[at(i, j, order)]);
      }
    }
    if (order > 0 && this->is_spoilt(own)) {
      const int j = own.below(order);
      F[at(j, j, order)] = own.of({T(0), T(-1), nan_of<T>()});
      this->info[b] = j + 1;
    }
    put_triangle(A.set(b, order, order), F, order);
  }
  void put_sides(std::size_t b, draw& own) {
    keep(B0, b, B.set(b, n[b], nrhs[b]) = random_matrix<T>(n[b], nrhs[b], own.seed()));
    B.kept[b] = this->info[b] > 0;
  }
  double solve(std::size_t b) { return solve_ratio(A0[b], B.values[b], B0[b], n[b], nrhs[b]); }
};

template <class T>
struct potrf : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(potrf)
  auto arguments() { return std::tie(this->triangle, this->n, this->A); }
  std::vector<int> sizes() { return {this->size()}; }
  void prepare(std::size_t b, draw& own) { this->put_hermitian(b, own, this->n[b], this->n[b]); }
  double ratio(std::size_t b) {
    const int n = this->n[b];
    return this->info[b] > 0 ? 0 : factor_ratio(this->A0[b], this->lower_of(this->A.values[b], n), n);
  }
};

template <class T>
struct potrs : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(potrs)
  auto arguments() { return std::tie(this->triangle, this->n, this->nrhs, this->A, this->B); }
  void prepare(std::size_t b, draw& own) {
    this->A.is_written = false;
    this->put_factor(b, own, this->n[b]);
    this->put_sides(b, own);
  }
  double ratio(std::size_t b) { return this->info[b] > 0 ? 0 : this->solve(b); }
};

template <class T>
struct posv : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(posv)
  auto arguments() { return std::tie(this->triangle, this->n, this->nrhs, this->A, this->B); }
  void prepare(std::size_t b, draw& own) {
    this->put_hermitian(b, own, this->n[b], this->n[b]);
    this->put_sides(b, own);
  }
  double ratio(std::size_t b) {
    const int n = this->n[b];
    return this->info[b] > 0
               ? 0
               : worse(this->solve(b), factor_ratio(this->A0[b], this->lower_of(this->A.values[b], n), n));
  }
};

template <class T>
struct potri : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(potri)
  auto arguments() { return std::tie(this->triangle, this->n, this->A); }
  std::vector<int> sizes() { return {this->size()}; }
  void prepare(std::size_t b, draw& own) {
    this->put_factor(b, own, this->n[b]);
    this->A.kept[b] = this->info[b] > 0;
  }
  double ratio(std::size_t b) {
    const int n = this->n[b];
    return this->info[b] > 0 ? 0
                             : inverse_ratio(this->A0[b], whole(this->lower_of(this->A.values[b], n), n), n);
  }
};

template <class T>
struct potrf_partial : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(potrf_partial)
  auto arguments() { return std::tie(this->triangle, this->n, this->k, this->A); }
  std::vector<int> sizes() {
    const int n = this->size();
    return {n, this->random.one_in(4) ? n : this->random.up_to(n)};
  }
  void prepare(std::size_t b, draw& own) { this->put_hermitian(b, own, this->n[b], this->k[b]); }
  double ratio(std::size_t b) {
    const int n = this->n[b];
    return this->info[b] > 0 ? 0
                             : front_ratio(this->A0[b], this->lower_of(this->A.values[b], n, this->k[b] == 0),
                                           n, this->k[b]);
  }
};

template <class T>
struct potrf_partial_split : cholesky_call<T> {
  using cholesky_call<T>::cholesky_call;
  TALUS_FUZZ_ENTRIES(potrf_partial_split)
  size_list n2{"n2"};
  matrices<T> A11{"A11", true, [this](int i, int j) { return is_in(this->triangle, i, j); }},
      A21{"A21", true}, A22{"A22", true, [this](int i, int j) { return is_in(this->triangle, i, j); }};
  auto arguments() { return std::tie(this->triangle, this->k, n2, A11, A21, A22); }
  bool is_lower() const { return this->triangle == uplo::lower; }
  void prepare(std::size_t b, draw& own) {
    const int k = this->k[b], m = n2[b], n = k + m;
    this->A.resize(b + 1);
    this->put_hermitian(b, own, n, k);
    const dense<T>& front = this->A.values[b];
    copy_part(front, n, 0, 0, A11.set(b, k, k), k, k);
    copy_part(front, n, k, k, A22.set(b, m, m), m, m);
    if (is_lower()) {
      copy_part(front, n, k, 0, A21.set(b, m, k), m, k);
    } else {
      copy_part(front, n, 0, k, A21.set(b, k, m), k, m);
    }
  }
  double ratio(std::size_t b) {
    const int k = this->k[b], m = n2[b], n = k + m;
    if (this->info[b] > 0) return 0;
    dense<T> front(this->A.values[b].size());
    put_part(A11.values[b], k, k, front, n, 0, 0);
    put_part(A22.values[b], m, m, front, n, k, k);
    if (is_lower()) {
      put_part(A21.values[b], m, k, front, n, k, 0);
    } else {
      put_part(A21.values[b], k, m, front, n, 0, k);
    }
    return front_ratio(this->A0[b], this->lower_of(front, n, k == 0), n, k);
  }
};

namespace {

TALUS_FUZZ_ROUTINE(potrf);
TALUS_FUZZ_ROUTINE(potrs);
TALUS_FUZZ_ROUTINE(posv);
TALUS_FUZZ_ROUTINE(potri);
TALUS_FUZZ_ROUTINE(potrf_partial);
TALUS_FUZZ_ROUTINE(potrf_partial_split);

}  // namespace

}  // namespace talus::test::fuzz
