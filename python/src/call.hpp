// One call of a routine: its arrays, which have one type, live on one device and hold as many matrices each.
// Equal matrices are the last two dimensions of an array and go to the _strided_batched form. Matrices of
// different sizes are a list of arrays and go to the _vbatched form.
//
// The binding of a routine names its arrays, says what their sizes have to do with each other, and runs. What
// is wrong is said by an exception that begins with the argument's name, before anything is touched.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "copying.hpp"
#include "device.hpp"
#include "dlpack.hpp"
#include "talus/talus.hpp"

namespace talus::python {

enum class access { read, written };

/// A number of rows, columns or elements.
struct extent {
  int all = 0;             // of every matrix; where they differ the largest
  std::vector<int> each;   // where they differ, of each
  std::size_t offset = 0;  // of `each` among what a call uploads

  int operator[](std::size_t b) const { return each.empty() ? all : each[b]; }
};

/// The matrices of one argument, or the vectors of m elements beside them.
struct operand {
  const char* name;
  extent m{}, n{}, ld{};
  bool by_rows = false;     // stored so
  void* data = nullptr;     // equal sizes: where the first one starts
  std::int64_t stride = 0;  // and how many elements later each next one
  std::size_t starts = 0;   // different sizes: offset of their addresses among what a call uploads

  template <class T>
  T* first() const {
    return static_cast<T*>(data);
  }
};

/// The matrices of one argument whatever their strides are; of one size.
struct layout {
  const char* name;
  int m, n;
  places lie;
};

bool is_list(nanobind::handle object);

/// How Python names the values of an enum of talus, as "lower" or as LAPACK's "L"; a ValueError names the
/// argument.
uplo to_uplo(const char* name, std::string_view word);
op to_op(const char* name, std::string_view word);
side to_side(const char* name, std::string_view word);
diag to_diag(const char* name, std::string_view word);
form to_form(const char* name, std::string_view word);
schur to_schur(const char* name, std::string_view word);

class call {
 public:
  /// stream: None, an int that is a cudaStream_t, or an object with __cuda_stream__.
  call(const char* routine, nanobind::handle stream);

  /// Matrices stored column by column.
  operand matrices(const char* name, nanobind::handle array, access how);
  /// Returns the right-hand sides beside matrices that came before. An array with one dimension less has one
  /// right-hand side for each matrix.
  operand right_hand_sides(const char* name, nanobind::handle array, access how);
  /// Square ones of which one triangle is used. Row by row the other triangle holds the same matrix,
  /// conjugated: where it is stored so, `triangle` changes. That serves what conjugation does not disturb.
  operand hermitian(const char* name, nanobind::handle array, access how, uplo& triangle);
  /// The same where only real matrices may be stored row by row.
  operand real_symmetric(const char* name, nanobind::handle array, access how, uplo& triangle);
  /// Matrices of any layout.
  layout any_layout(const char* name, nanobind::handle array, access how, bool or_vectors = false);
  /// Before the routine runs, `to` receives these matrices, which may have any layout, or a triangle of them
  /// and zeros. None: it does not.
  void copy_into(const operand& to, const char* name, nanobind::handle array, part which = part::all,
                 bool or_vectors = false);
  void copy(const layout& from, const layout& to, part which);
  /// B[i] := A[i] of lists, whose matrices may have any layout.
  void copy_lists(const char* name_A, nanobind::handle A, const char* name_B, nanobind::handle B, part which);
  /// Vectors of the matrices' type, without gaps.
  operand vectors(const char* name, nanobind::handle array, access how);
  /// Vectors of int32, without gaps.
  operand indices(const char* name, nanobind::handle array, access how);
  /// One int32 for each matrix, written. None is null, where the routine allows that.
  int* ints(const char* name, nanobind::handle array, bool may_be_none);
  /// One real number of the matrices' precision for each, only read, or None.
  const void* reals(const char* name, nanobind::handle array);
  /// An int, or of matrices of different sizes a list of them.
  extent sizes(const char* name, nanobind::handle value);
  /// The same int for each matrix.
  extent sizes(int value);

  /// They agree for every matrix, or a ValueError such as "B: has 5 rows, A has 4 columns".
  void agree(const operand& b, const extent& of_b, const char* what_b, const operand& a, const extent& of_a,
             const char* what_a) const;
  void square(const operand& a) const { agree(a, a.m, "rows", a, a.n, "columns"); }
  /// As many elements in each vector as rows or columns in each matrix, whichever are fewer.
  void length_of_diagonal(const operand& vectors, const operand& a) const;
  /// As many rows as the matrices of `a` have rows or columns, whichever are more; whichever are fewer.
  void longer_side(const operand& b, const operand& a) const;
  void shorter_side(const operand& b, const operand& a) const;
  /// As many elements in each vector as `number`.
  void length(const operand& vectors, const extent& number, const char* what) const;
  /// Refuses a pivot of row i outside i..n, because it would reach outside of the matrix. Pivots in device
  /// memory are not read, because that would wait for the stream.
  void pivots_up_to(const operand& ipiv, const extent& n) const;
  /// No imaginary part for real matrices.
  void real_where_matrices_are(const char* name, std::complex<double> value) const;
  /// For what has no form for equal sizes.
  void lists_alone(const char* name, nanobind::handle array) const;
  /// What LAPACK refuses where Q is applied.
  void refuse_trans_of_complex(const char* name, op op) const;
  /// Raises ValueError for a value above `bound`: "k: is 5, and A has 4 rows", or with what_value "elements"
  /// "tau: has 5 elements, and A has 4 rows".
  void at_most(const char* name, const extent& value, const operand& a, const extent& bound, const char* what,
               const char* what_value = nullptr) const;

  bool mixed() const { return mixed_.value_or(false); }
  std::int64_t count() const { return count_; }

  /// Calls equal(T()) or different(T()), for the arrays' type T and whether they are of one size. Each calls
  /// Talus and returns the status. Python's lock is free meanwhile.
  template <class Equal, class Different>
  void run(Equal equal, Different different);

  /// Where there is nothing but copies to run.
  void run() {
    run([](auto) { return 0; }, [](auto) { return 0; });
  }

  // For what run() calls: where to run, and the arrays that the _vbatched form takes.
  queue where() const { return where_; }
  const int* each(const extent& of) const { return reinterpret_cast<const int*>(uploaded_ + of.offset); }
  template <class T>
  T* const* each(const operand& of) const {
    return reinterpret_cast<T* const*>(uploaded_ + of.starts);
  }

 private:
  enum class type : char { none = 0, s = 's', d = 'd', c = 'c', z = 'z' };
  struct view;  // an array's dimensions and where it starts
  enum class order { column_by_column, either, either_if_real };

  view look(const char* name, nanobind::handle array, access how);
  layout layout_of(const view& array, std::size_t batch_dimensions) const;
  layout layout_in_list(const char* name, nanobind::handle array, access how, bool or_vectors = false);
  void elements_are_apart(const view& array) const;
  void be_columns(view& array) const;
  operand triangles_in(const char* name, nanobind::handle array, access how, order allowed, uplo& triangle);
  void be_of_the_type(const view& array);
  void be_of_int32(const view& array);
  void same_batch(const view& array, std::size_t dimensions);
  std::int64_t stride_of_batch(const view& array, std::size_t dimensions) const;
  void choose_form(const char* name, bool of_list);
  operand matrices_in(const char* name, nanobind::handle array, access how, order allowed,
                      bool or_vectors = false);
  operand vectors_in(const char* name, nanobind::handle array, access how, bool of_int32);
  void same_length(const char* name, std::size_t length);
  template <class One>
  operand each_of(const char* name, nanobind::handle list, One one);
  bool is_real() const { return type_ == type::s || type_ == type::d; }
  std::size_t cases() const;
  std::string in_matrix(std::size_t b) const;
  std::string in_batch(std::size_t b) const;
  template <class Expected>
  void count_is(const operand& of, const extent& number, const char* what, const operand& a,
                const char* expected_what, Expected expected) const;
  std::size_t pack(const void* data, std::size_t bytes);
  void raise(int status) const;

  template <class T, class Equal, class Different>
  int run_in(Equal& equal, Different& different);

  const char* routine_;
  stream_choice stream_;
  std::vector<borrowed> held_;  // until the call is queued
  std::optional<dlpack::device> device_;
  type type_ = type::none;
  const char* type_from_ = nullptr;  // the argument that chose it
  std::optional<bool> mixed_;
  std::optional<std::vector<std::int64_t>> batch_;
  std::int64_t count_ = 0;
  const char* count_from_ = nullptr;
  std::vector<copying> copies_;            // of arrays
  std::vector<one_copy> copies_of_lists_;  // of each matrix
  std::vector<std::byte> packed_;
  const std::byte* uploaded_ = nullptr;
  queue where_;
};

template <class T, class Equal, class Different>
int call::run_in(Equal& equal, Different& different) {
  const nanobind::gil_scoped_release free;
  std::optional<device_scope> scope;
  std::optional<device_copy> copy;
  uploaded_ = packed_.data();
  std::size_t copies_start = 0;
  if (where_.where == backend::cuda) {
    scope.emplace(device_->id);
    if (mixed()) {
      copies_start = pack(copies_of_lists_.data(), copies_of_lists_.size() * sizeof(one_copy));
      uploaded_ = copy.emplace(packed_.data(), packed_.size(), where_.stream).get();
    }
  }
  for (const copying& each : copies_) {
    const int status = each.run<T>(where_);
    if (status != 0) return status;
  }
  if (!copies_of_lists_.empty()) {
    const auto* const on_device = reinterpret_cast<const one_copy*>(uploaded_ + copies_start);
    const int status = copy_each<T>(copies_of_lists_, on_device, where_);
    if (status != 0) return status;
  }
  return mixed() ? different(T()) : equal(T());
}

template <class Equal, class Different>
void call::run(Equal equal, Different different) {
  if (count_ == 0) return;
  where_ = device_->type == dlpack::cuda ? queue::cuda(stream_.value_or(nullptr)) : queue::host();
  int status = 0;
  switch (type_) {  // of a precision that was not built, no array got this far
#if defined(TALUS_HAVE_S)
    case type::s:
      status = run_in<float>(equal, different);
      break;
#endif
#if defined(TALUS_HAVE_D)
    case type::d:
      status = run_in<double>(equal, different);
      break;
#endif
#if defined(TALUS_HAVE_C)
    case type::c:
      status = run_in<std::complex<float>>(equal, different);
      break;
#endif
#if defined(TALUS_HAVE_Z)
    case type::z:
      status = run_in<std::complex<double>>(equal, different);
      break;
#endif
    default:
      break;
  }
  if (status != 0) raise(status);
}

}  // namespace talus::python
