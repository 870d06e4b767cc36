// Cholesky: potrf, potrs, posv, potri and the partial factorizations.
#include "call.hpp"
#include "signature.hpp"

namespace nb = nanobind;

namespace talus::python {
namespace {

/// The triangle that is copied, as the user sees it.
part part_of(uplo triangle) { return triangle == uplo::lower ? part::lower : part::upper; }

/// Calls a routine with one matrix, A. `equal` and `mixed` call its forms for equal and for mixed sizes.
template <class Equal, class Mixed>
void in_one_triangle(const char* name, hint::uplo triangle, hint::arrays A, hint::array info_array,
                     hint::optional<hint::arrays> A_from, hint::optional<hint::stream> stream, Equal equal,
                     Mixed mixed) {
  call c(name, stream);
  uplo uplo = to_uplo("uplo", triangle);
  const part copied = part_of(uplo);
  const operand a = c.hermitian("A", A, access::written, uplo);
  c.copy_into(a, "A_from", A_from, copied);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        return equal(uplo, a.n.all, a.first<decltype(t)>(), a.ld.all, a.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        return mixed(uplo, c.each(a.n), c.each<decltype(t)>(a), c.each(a.ld), info, c.count(), a.n.all,
                     c.where());
      });
}

void potrf(hint::uplo triangle, hint::arrays A, hint::array info_array, hint::optional<hint::arrays> A_from,
           hint::optional<hint::stream> stream) {
  in_one_triangle(
      "potrf", triangle, A, info_array, A_from, stream,
      [](auto... arguments) { return potrf_strided_batched(arguments...); },
      [](auto... arguments) { return potrf_vbatched(arguments...); });
}

void potrs(hint::uplo triangle, hint::arrays A, hint::arrays B, hint::array info_array,
           hint::optional<hint::arrays> B_from, hint::optional<hint::stream> stream) {
  call c("potrs", stream);
  uplo uplo = to_uplo("uplo", triangle);
  const operand a = c.real_symmetric("A", A, access::read, uplo);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.agree(b, b.m, "rows", a, a.n, "columns");
  c.copy_into(b, "B_from", B_from, part::all, true);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return potrs_strided_batched<T>(uplo, a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride,
                                        b.first<T>(), b.ld.all, b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return potrs_vbatched<T>(uplo, c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld), c.each<T>(b),
                                 c.each(b.ld), info, c.count(), a.n.all, b.n.all, c.where());
      });
}

void posv(hint::uplo triangle, hint::arrays A, hint::arrays B, hint::array info_array,
          hint::optional<hint::stream> stream) {
  call c("posv", stream);
  uplo uplo = to_uplo("uplo", triangle);
  const operand a = c.real_symmetric("A", A, access::written, uplo);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.agree(b, b.m, "rows", a, a.n, "columns");
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return posv_strided_batched<T>(uplo, a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride, b.first<T>(),
                                       b.ld.all, b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return posv_vbatched<T>(uplo, c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld), c.each<T>(b),
                                c.each(b.ld), info, c.count(), a.n.all, b.n.all, c.where());
      });
}

void potri(hint::uplo triangle, hint::arrays A, hint::array info_array, hint::optional<hint::arrays> A_from,
           hint::optional<hint::stream> stream) {
  in_one_triangle(
      "potri", triangle, A, info_array, A_from, stream,
      [](auto... arguments) { return potri_strided_batched(arguments...); },
      [](auto... arguments) { return potri_vbatched(arguments...); });
}

void potrf_partial(hint::uplo triangle, hint::sizes k_of_each, hint::arrays A, hint::array info_array,
                   hint::optional<hint::stream> stream) {
  call c("potrf_partial", stream);
  uplo uplo = to_uplo("uplo", triangle);
  const operand a = c.hermitian("A", A, access::written, uplo);
  const extent k = c.sizes("k", k_of_each);
  c.at_most("k", k, a, a.n, "columns");
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return potrf_partial_strided_batched<T>(uplo, a.n.all, k.all, a.first<T>(), a.ld.all, a.stride, info,
                                                c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return potrf_partial_vbatched<T>(uplo, c.each(a.n), c.each(k), c.each<T>(a), c.each(a.ld), info,
                                         c.count(), a.n.all, k.all, c.where());
      });
}

void potrf_partial_split(hint::uplo triangle, hint::arrays A11, hint::arrays A21, hint::arrays A22,
                         hint::array info_array, hint::optional<hint::stream> stream) {
  call c("potrf_partial_split", stream);
  const uplo uplo = to_uplo("uplo", triangle);
  const operand a11 = c.matrices("A11", A11, access::written);
  const operand a21 = c.matrices("A21", A21, access::written);
  const operand a22 = c.matrices("A22", A22, access::written);
  c.square(a11);
  c.square(a22);
  const bool lower = uplo == uplo::lower;  // else A21 is A12
  c.agree(a21, lower ? a21.n : a21.m, lower ? "columns" : "rows", a11, a11.n, "columns");
  c.agree(a21, lower ? a21.m : a21.n, lower ? "rows" : "columns", a22, a22.n, "columns");
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return potrf_partial_split_strided_batched<T>(
            uplo, a11.n.all, a22.n.all, a11.first<T>(), a11.ld.all, a11.stride, a21.first<T>(), a21.ld.all,
            a21.stride, a22.first<T>(), a22.ld.all, a22.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return potrf_partial_split_vbatched<T>(
            uplo, c.each(a11.n), c.each(a22.n), c.each<T>(a11), c.each(a11.ld), c.each<T>(a21),
            c.each(a21.ld), c.each<T>(a22), c.each(a22.ld), info, c.count(), a11.n.all, a22.n.all, c.where());
      });
}

}  // namespace

void bind_cholesky(nb::module_& m) {
  def(m, "potrf", potrf, "uplo"_a, "A"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(Cholesky factorization of the triangle `uplo` of A (*batch, n, n), in place. Either order
        of storage.

        info (*batch,), int32: 0, or j > 0 where the leading minor of order j is not positive
        definite. A_from: matrices of any strides whose triangle, and zeros, are copied into A
        first.)");
  def(m, "potrs", potrs, "uplo"_a, "A"_a, "B"_a, "info"_a, nb::kw_only(), "B_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(Solves A X = B, B (*batch, n, nrhs) or (*batch, n), with the factors that potrf left in A (*batch, n,
        n); X overwrites B.

        Complex A has to be stored column by column. info j > 0: diagonal element j of the factor
        is not > 0, and B is untouched. B_from: matrices of any strides that are copied into B
        first.)");
  def(m, "posv", posv, "uplo"_a, "A"_a, "B"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(Solves A X = B, A (*batch, n, n) positive definite, B (*batch, n, nrhs) or (*batch, n): potrf, then
        potrs.)");
  def(m, "potri", potri, "uplo"_a, "A"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(The triangle `uplo` of the inverse, in place of the factors that potrf left in A (*batch,
        n, n).

        A_from: as in potrf.)");
  def(m, "potrf_partial", potrf_partial, "uplo"_a, "k"_a, "A"_a, "info"_a, nb::kw_only(),
      "stream"_a = nb::none(),
      R"(Eliminates the first k columns of A (*batch, n, n), in place: their columns of the
        factor, and the Schur complement in the triangle behind them. For a list of matrices, k
        is an int or a list of them.)");
  def(m, "potrf_partial_split", potrf_partial_split, "uplo"_a, "A11"_a, "A21"_a, "A22"_a, "info"_a,
      nb::kw_only(), "stream"_a = nb::none(),
      R"(potrf_partial of fronts whose blocks are arrays of their own: A11 (*batch, k, k), A21
        (*batch, n2, k), or, where uplo is 'upper', A12 (*batch, k, n2) in its place, and A22
        (*batch, n2, n2).)");
}

}  // namespace talus::python
