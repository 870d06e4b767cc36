// Random calls, in the precision TALUS_T, of the LU family.
#include <cmath>
#include <tuple>

#include "fuzz/parts.hpp"

namespace talus::test::fuzz {

/// Elimination of k columns in single loops. Pivots come from the first `pivot_rows` rows; 0: there are no
/// row exchanges, and a pivot below `floor` is replaced.
template <class T>
struct plain_lu {
  plain_lu(const dense<T>& A, int m, int n, int k, int pivot_rows, double floor = 0)
      : factors(A.begin(), A.end()), added(static_cast<std::size_t>(k)) {
    for (int j = 0; j < k; ++j) {
      int p = j;
      for (int i = j + 1; i < pivot_rows; ++i) {
        if (magnitude(factors[at(i, j, m)]) > magnitude(factors[at(p, j, m)])) p = i;
      }
      ipiv.push_back(p + 1);
      for (int c = 0; p != j && c < n; ++c) std::swap(factors[at(j, c, m)], factors[at(p, c, m)]);
      in_double<T>& pivot = factors[at(j, j, m)];
      const double size = std::abs(pivot);
      if (size < floor) {
        const in_double<T> larger = size == 0 ? in_double<T>(floor) : pivot / size * floor;
        added[static_cast<std::size_t>(j)] = larger - pivot;
        pivot = larger;
        ++replaced;
      }
      if (info == 0 && !(std::abs(pivot) > 0)) info = j + 1;
      if (pivot == in_double<T>(0)) continue;
      for (int i = j + 1; i < m; ++i) factors[at(i, j, m)] /= pivot;
      for (int c = j + 1; c < n; ++c) {
        for (int i = j + 1; i < m; ++i)
          factors[at(i, c, m)] -= times(factors[at(i, j, m)], factors[at(j, c, m)]);
      }
    }
  }
  dense<T> rounded() const {
    dense<T> F;
    for (const in_double<T>& f : factors) F.push_back(static_cast<T>(f));
    return F;
  }

  dense<in_double<T>> factors, added;
  std::vector<int> ipiv;
  int info = 0, replaced = 0;
};

template <class T>
struct lu_call : call<T> {
  using call<T>::call;
  using R = real_of<T>;

  size_list m{"m"}, n{"n"}, k{"k"}, nrhs{"nrhs"};
  matrices<T> A{"A", true}, B{"B", true};
  vectors<int> ipiv{"ipiv", true};
  op form = this->random.of({op::none, op::trans, op::conj_trans});
  originals<T> A0, B0;
  std::vector<double> growths;
  std::vector<bool> has_nan;

  std::vector<int> sizes() { return {this->size(), this->size()}; }
  int eliminated(std::size_t b) const { return std::min(m[b], n[b]); }

  /// A matrix for row exchanges among the first `pivot_rows` rows: one of its first k columns may be zero, or
  /// hold a NaN in these rows.
  dense<T> pivoted_matrix(std::size_t b, draw& own, int rows, int columns, int k_, int pivot_rows) {
    dense<T> X = any_matrix<T>(own, rows, columns);
    has_nan.resize(b + 1);
    has_nan[b] = false;
    if (k_ > 0 && this->is_spoilt(own)) {
      const int j = own.below(k_);
      has_nan[b] = own.one_in(2);
      for (int i = 0; i < rows && !has_nan[b]; ++i) X[at(i, j, rows)] = 0;
      if (has_nan[b]) X[at(own.below(pivot_rows), j, rows)] = nan_of<T>();
      this->info[b] = j + 1;
    }
    return keep(A0, b, X);
  }
  /// Factors of a random matrix of order n. One of the pivots may be zero, NaN, or an illegal row number.
  void put_factors(std::size_t b, draw& own, bool exchanges) {
    const int order = n[b];
    const dense<T> X =
        keep(A0, b,
             exchanges ? any_matrix<T>(own, order, order) : general<T>("dominant", order, order, own.seed()));
    plain_lu<T> lu(X, order, order, order, exchanges ? order : 0);
    dense<T> F = lu.rounded();
    growths.resize(b + 1);
    growths[b] = growth(X, F, order, order);
    if (order > 0 && this->is_spoilt(own)) {
      const int j = own.below(order);
      if (exchanges && own.one_in(3)) {
        lu.ipiv[static_cast<std::size_t>(j)] = own.of({0, -1, order + 1, j});
      } else {
        F[at(j, j, order)] = own.of({T(0), nan_of<T>()});
      }
      this->info[b] = j + 1;
    }
    A.set(b, order, order) = F;
    if (exchanges) ipiv.set(b, order, 1) = lu.ipiv;
  }
  void put_sides(std::size_t b, draw& own) {
    keep(B0, b, B.set(b, n[b], nrhs[b]) = random_matrix<T>(n[b], nrhs[b], own.seed()));
    B.kept[b] = this->info[b] > 0;
  }
  double solve(std::size_t b, op how) {
    return solve_ratio(applied(how, A0[b], n[b]), B.values[b], B0[b], n[b], nrhs[b]);
  }
  /// The ratio of factors with row exchanges among the first `pivot_rows` rows; infinite for illegal pivots.
  double pivoted_ratio(std::size_t b, int rows, int columns, int k_, int pivot_rows) {
    const std::vector<int>& p = ipiv.values[b];
    if (has_nan[b]) return p[static_cast<std::size_t>(this->info[b] - 1)] == this->info[b] ? 0 : HUGE_VAL;
    if (!are_pivots(p, pivot_rows)) return HUGE_VAL;
    const dense<T>& F = A.values[b];
    if (pivot_rows == rows && largest_multiplier(F, rows, columns) > 1.5) return HUGE_VAL;
    return lu_ratio(A0[b], F, p, rows, columns, k_) / allowed_of(A0[b], F, rows, columns);
  }
};

template <class T>
struct getrf : lu_call<T> {
  using lu_call<T>::lu_call;
  TALUS_FUZZ_ENTRIES(getrf)
  auto arguments() { return std::tie(this->m, this->n, this->A, this->ipiv); }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], k = this->eliminated(b);
    this->A.set(b, m, n) = this->pivoted_matrix(b, own, m, n, k, m);
    this->ipiv.set(b, k, 1);
  }
  double ratio(std::size_t b) {
    return this->pivoted_ratio(b, this->m[b], this->n[b], this->eliminated(b), this->m[b]);
  }
};

template <class T>
struct getrf_partial : lu_call<T> {
  using lu_call<T>::lu_call;
  TALUS_FUZZ_ENTRIES(getrf_partial)
  auto arguments() { return std::tie(this->m, this->n, this->k, this->A, this->ipiv); }
  std::vector<int> sizes() {
    const int m = this->size(), n = this->size();
    return {m, n, this->random.up_to(std::min(m, n))};
  }
  void prepare(std::size_t b, draw& own) {
    const int m = this->m[b], n = this->n[b], k = this->k[b];
    this->A.set(b, m, n) = this->pivoted_matrix(b, own, m, n, k, k);
    this->ipiv.set(b, k, 1);
  }
  double ratio(std::size_t b) {
    return this->pivoted_ratio(b, this->m[b], this->n[b], this->k[b], this->k[b]);
  }
};

/// Calls without row exchanges, whose pivots may have a floor.
template <class T>
struct nopiv_call : lu_call<T> {
  using R = real_of<T>;
  using lu_call<T>::lu_call;

  bool has_floor = this->random.one_in(2), has_array = this->random.one_in(2),
       counts = this->random.one_in(2);
  R floor = has_floor && !has_array ? R(0.25) : R(0);
  array<R> floors{std::vector<R>(100, has_floor ? R(0.25) : R(0))};
  array<int> replaced_memory{std::vector<int>(100, -777)};
  const R* floor_array = has_array ? floors.data() : nullptr;
  int* replaced = counts ? replaced_memory.data() : nullptr;
  std::vector<int> expected_replaced;

  /// A dominant matrix. One pivot may be zero, small or NaN.
  dense<T> matrix(std::size_t b, draw& own, int rows, int columns, int k_) {
    dense<T> X = general<T>("dominant", rows, columns, own.seed());
    if (k_ > 0 && this->is_spoilt(own)) {
      const int j = own.below(k_);
      for (int c = 0; c < j; ++c) X[at(j, c, rows)] = 0;
      X[at(j, j, rows)] = own.of({T(0), T(R(0.001)), nan_of<T>()});
    }
    const plain_lu<T> lu(X, rows, columns, k_, 0, has_floor ? 0.25 : 0);
    this->info[b] = lu.info;
    expected_replaced.resize(b + 1);
    expected_replaced[b] = lu.replaced;
    dense<T>& as_factored = keep(this->A0, b, X);
    for (int j = 0; j < k_; ++j)
      as_factored[at(j, j, rows)] += static_cast<T>(lu.added[static_cast<std::size_t>(j)]);
    return X;
  }
  bool is_replaced_right(std::size_t b) const {
    return !counts || replaced_memory.download()[b] == expected_replaced[b];
  }
  double floor_ratio(std::size_t b, int rows, int columns, int k_) {
    if (!is_replaced_right(b)) return HUGE_VAL;
    const dense<T>& F = this->A.values[b];
    return this->info[b] > 0
               ? 0
               : lu_ratio(this->A0[b], F, {}, rows, columns, k_) / allowed_of(this->A0[b], F, rows, columns);
  }
};

template <class T>
struct getrf_nopiv : nopiv_call<T> {
  using nopiv_call<T>::nopiv_call;
  TALUS_FUZZ_ENTRIES(getrf_nopiv)
  auto arguments() {
    return std::tie(this->m, this->n, this->A, this->floor, this->floor_array, this->replaced);
  }
  void prepare(std::size_t b, draw& own) {
    this->A.set(b, this->m[b], this->n[b]) =
        this->matrix(b, own, this->m[b], this->n[b], this->eliminated(b));
  }
  double ratio(std::size_t b) { return this->floor_ratio(b, this->m[b], this->n[b], this->eliminated(b)); }
};

template <class T>
struct getrf_partial_nopiv : nopiv_call<T> {
  using nopiv_call<T>::nopiv_call;
  TALUS_FUZZ_ENTRIES(getrf_partial_nopiv)
  auto arguments() {
    return std::tie(this->m, this->n, this->k, this->A, this->floor, this->floor_array, this->replaced);
  }
  std::vector<int> sizes() {
    const int m = this->size(), n = this->size();
    return {m, n, this->random.up_to(std::min(m, n))};
  }
  void prepare(std::size_t b, draw& own) {
    this->A.set(b, this->m[b], this->n[b]) = this->matrix(b, own, this->m[b], this->n[b], this->k[b]);
  }
  double ratio(std::size_t b) { return this->floor_ratio(b, this->m[b], this->n[b], this->k[b]); }
};

/// Fronts in four blocks.
template <class T, class Base>
struct split_call : Base {
  using Base::Base;

  talus::form leaves = this->random.of({form::lapack, form::left});
  schur makes = this->random.of({schur::subtract, schur::product});
  size_list m2{"m2"}, n2{"n2"};
  matrices<T> A11{"A11", true}, A12{"A12", true}, A21{"A21", true}, A22{"A22", true};

  std::vector<int> sizes() { return {this->size(), this->size(), this->size()}; }
  void put_blocks(std::size_t b, const dense<T>& front, const dense<T>& A11_to_factor) {
    const int k = this->k[b], mm = m2[b], nn = n2[b], rows = k + mm;
    copy_part(A11_to_factor, rows, 0, 0, A11.set(b, k, k), k, k);
    copy_part(front, rows, 0, k, A12.set(b, k, nn), k, nn);
    copy_part(front, rows, k, 0, A21.set(b, mm, k), mm, k);
    dense<T>& last = A22.set(b, mm, nn);
    if (makes == schur::subtract) copy_part(front, rows, k, k, last, mm, nn);
    A21.kept[b] = leaves == talus::form::left;
    A12.kept[b] = A22.kept[b] = leaves == talus::form::left && this->info[b] > 0;
  }
  double blocks_ratio(std::size_t b, bool exchanges) {
    const int k = this->k[b], mm = m2[b], nn = n2[b], rows = k + mm;
    const std::vector<int> pivots = exchanges ? this->ipiv.values[b] : std::vector<int>{};
    if (this->info[b] > 0) return 0;
    if (!are_pivots(pivots, k)) return HUGE_VAL;
    dense<T> now(this->A0[b].size());
    put_part(A11.values[b], k, k, now, rows, 0, 0);
    put_part(A12.values[b], k, nn, now, rows, 0, k);
    put_part(A21.values[b], mm, k, now, rows, k, 0);
    put_part(A22.values[b], mm, nn, now, rows, k, k);
    return split_ratio<T>({exchanges, leaves, makes}, this->A0[b], now, pivots, {k, mm, nn});
  }
};

template <class T>
struct getrf_partial_split : split_call<T, lu_call<T>> {
  using split_call<T, lu_call<T>>::split_call;
  TALUS_FUZZ_ENTRIES(getrf_partial_split)
  auto arguments() {
    return std::tie(this->leaves, this->makes, this->k, this->m2, this->n2, this->A11, this->A12, this->A21,
                    this->A22, this->ipiv);
  }
  void prepare(std::size_t b, draw& own) {
    const int k = this->k[b];
    const dense<T> front = this->pivoted_matrix(b, own, k + this->m2[b], k + this->n2[b], k, k);
    this->put_blocks(b, front, front);
    this->ipiv.set(b, k, 1);
  }
  double ratio(std::size_t b) { return this->blocks_ratio(b, true); }
};

template <class T>
struct getrf_partial_split_nopiv : split_call<T, nopiv_call<T>> {
  using split_call<T, nopiv_call<T>>::split_call;
  TALUS_FUZZ_ENTRIES(getrf_partial_split_nopiv)
  auto arguments() {
    return std::tie(this->leaves, this->makes, this->k, this->m2, this->n2, this->A11, this->A12, this->A21,
                    this->A22, this->floor, this->floor_array, this->replaced);
  }
  void prepare(std::size_t b, draw& own) {
    const int k = this->k[b];
    const dense<T> front = this->matrix(b, own, k + this->m2[b], k + this->n2[b], k);
    this->put_blocks(b, front, front);
  }
  double ratio(std::size_t b) { return this->is_replaced_right(b) ? this->blocks_ratio(b, false) : HUGE_VAL; }
};

template <class T>
struct getrs : lu_call<T> {
  using lu_call<T>::lu_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(getrs)
  auto arguments() { return std::tie(this->form, this->n, this->nrhs, this->A, this->ipiv, this->B); }
  void prepare(std::size_t b, draw& own) {
    this->A.is_written = this->ipiv.is_written = false;
    this->put_factors(b, own, true);
    this->put_sides(b, own);
  }
  double ratio(std::size_t b) {
    return this->info[b] > 0 ? 0 : this->solve(b, this->form) / this->growths[b];
  }
};

template <class T>
struct getrs_nopiv : lu_call<T> {
  using lu_call<T>::lu_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(getrs_nopiv)
  auto arguments() { return std::tie(this->form, this->n, this->nrhs, this->A, this->B); }
  void prepare(std::size_t b, draw& own) {
    this->A.is_written = false;
    this->put_factors(b, own, false);
    this->put_sides(b, own);
  }
  double ratio(std::size_t b) {
    return this->info[b] > 0 ? 0 : this->solve(b, this->form) / this->growths[b];
  }
};

template <class T>
struct gesv : lu_call<T> {
  using lu_call<T>::lu_call;
  TALUS_FUZZ_ENTRIES(gesv)
  auto arguments() { return std::tie(this->n, this->nrhs, this->A, this->ipiv, this->B); }
  void prepare(std::size_t b, draw& own) {
    const int n = this->n[b];
    this->A.set(b, n, n) = this->pivoted_matrix(b, own, n, n, n, n);
    this->ipiv.set(b, n, 1);
    this->put_sides(b, own);
  }
  double ratio(std::size_t b) {
    const int n = this->n[b];
    const double factors = this->pivoted_ratio(b, n, n, n, n);
    return this->info[b] > 0
               ? factors
               : worse(factors, this->solve(b, op::none) / growth(this->A0[b], this->A.values[b], n, n));
  }
};

template <class T>
struct getri : lu_call<T> {
  using lu_call<T>::lu_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(getri)
  auto arguments() { return std::tie(this->n, this->A, this->ipiv); }
  std::vector<int> sizes() { return {this->size()}; }
  void prepare(std::size_t b, draw& own) {
    this->ipiv.is_written = false;
    this->put_factors(b, own, true);
    this->A.kept[b] = this->info[b] > 0;
  }
  double ratio(std::size_t b) {
    return this->info[b] > 0 ? 0
                             : inverse_ratio(this->A.values[b], this->A0[b], this->n[b]) / this->growths[b];
  }
};

template <class T>
struct getri_outofplace : lu_call<T> {
  using lu_call<T>::lu_call;
  static constexpr bool info_may_be_null = true;
  TALUS_FUZZ_ENTRIES(getri_outofplace)
  matrices<T> C{"C", true};
  auto arguments() { return std::tie(this->n, this->A, this->ipiv, C); }
  std::vector<int> sizes() { return {this->size()}; }
  void prepare(std::size_t b, draw& own) {
    this->A.is_written = this->ipiv.is_written = false;
    this->put_factors(b, own, true);
    C.set(b, this->n[b], this->n[b]);
    C.kept[b] = this->info[b] > 0;
  }
  double ratio(std::size_t b) {
    return this->info[b] > 0 ? 0 : inverse_ratio(C.values[b], this->A0[b], this->n[b]) / this->growths[b];
  }
};

namespace {

TALUS_FUZZ_ROUTINE(getrf);
TALUS_FUZZ_ROUTINE(getrf_nopiv);
TALUS_FUZZ_ROUTINE(getrf_partial);
TALUS_FUZZ_ROUTINE(getrf_partial_nopiv);
TALUS_FUZZ_ROUTINE(getrf_partial_split);
TALUS_FUZZ_ROUTINE(getrf_partial_split_nopiv);
TALUS_FUZZ_ROUTINE(getrs);
TALUS_FUZZ_ROUTINE(getrs_nopiv);
TALUS_FUZZ_ROUTINE(gesv);
TALUS_FUZZ_ROUTINE(getri);
TALUS_FUZZ_ROUTINE(getri_outofplace);

}  // namespace

}  // namespace talus::test::fuzz
