// LU: getrf, getrs, gesv, getri, those without row exchanges, and the partial factorizations.
#include "call.hpp"
#include "signature.hpp"

namespace nb = nanobind;

namespace talus::python {
namespace {

/// What factorizations without row exchanges take beside the matrices.
struct floor {
  double of_all;
  const void* of_each;
  int* replaced;

  floor(call& c, double pivot_floor, nb::handle pivot_floor_array, nb::handle replaced_array)
      : of_all(pivot_floor),
        of_each(c.reals("pivot_floor_array", pivot_floor_array)),
        replaced(c.ints("replaced", replaced_array, true)) {
    if (!(of_all >= 0)) throw nb::value_error("pivot_floor: is negative or NaN");
  }
  template <class T>
  real_type<T> all() const {
    return static_cast<real_type<T>>(of_all);
  }
  template <class T>
  const real_type<T>* each() const {
    return static_cast<const real_type<T>*>(of_each);
  }
};

void getrf(hint::arrays A, hint::arrays ipiv_array, hint::array info_array,
           hint::optional<hint::arrays> A_from, hint::optional<hint::stream> stream) {
  call c("getrf", stream);
  const operand a = c.matrices("A", A, access::written);
  c.copy_into(a, "A_from", A_from);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::written);
  c.length_of_diagonal(ipiv, a);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrf_strided_batched<T>(a.m.all, a.n.all, a.first<T>(), a.ld.all, a.stride, ipiv.first<int>(),
                                        ipiv.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrf_vbatched<T>(c.each(a.m), c.each(a.n), c.each<T>(a), c.each(a.ld), c.each<int>(ipiv),
                                 info, c.count(), a.m.all, a.n.all, c.where());
      });
}

void getrf_nopiv(hint::arrays A, hint::array info_array, double pivot_floor,
                 hint::optional<hint::array> pivot_floor_array, hint::optional<hint::array> replaced,
                 hint::optional<hint::stream> stream) {
  call c("getrf_nopiv", stream);
  const operand a = c.matrices("A", A, access::written);
  const floor f(c, pivot_floor, pivot_floor_array, replaced);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrf_nopiv_strided_batched<T>(a.m.all, a.n.all, a.first<T>(), a.ld.all, a.stride, f.all<T>(),
                                              f.each<T>(), f.replaced, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrf_nopiv_vbatched<T>(c.each(a.m), c.each(a.n), c.each<T>(a), c.each(a.ld), f.all<T>(),
                                       f.each<T>(), f.replaced, info, c.count(), a.m.all, a.n.all, c.where());
      });
}

void getrs(hint::op op_word, hint::arrays A, hint::arrays ipiv_array, hint::arrays B,
           hint::optional<hint::array> info_array, hint::optional<hint::arrays> B_from,
           hint::optional<hint::stream> stream) {
  call c("getrs", stream);
  const op op = to_op("op", op_word);
  const operand a = c.matrices("A", A, access::read);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::read);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.square(a);
  c.length_of_diagonal(ipiv, a);
  c.agree(b, b.m, "rows", a, a.n, "columns");
  c.pivots_up_to(ipiv, a.n);
  c.copy_into(b, "B_from", B_from, part::all, true);
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrs_strided_batched<T>(op, a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride,
                                        ipiv.first<int>(), ipiv.stride, b.first<T>(), b.ld.all, b.stride,
                                        info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrs_vbatched<T>(op, c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld), c.each<int>(ipiv),
                                 c.each<T>(b), c.each(b.ld), info, c.count(), a.n.all, b.n.all, c.where());
      });
}

void getrs_nopiv(hint::op op_word, hint::arrays A, hint::arrays B, hint::optional<hint::array> info_array,
                 hint::optional<hint::stream> stream) {
  call c("getrs_nopiv", stream);
  const op op = to_op("op", op_word);
  const operand a = c.matrices("A", A, access::read);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.square(a);
  c.agree(b, b.m, "rows", a, a.n, "columns");
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrs_nopiv_strided_batched<T>(op, a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride,
                                              b.first<T>(), b.ld.all, b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrs_nopiv_vbatched<T>(op, c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld), c.each<T>(b),
                                       c.each(b.ld), info, c.count(), a.n.all, b.n.all, c.where());
      });
}

void gesv(hint::arrays A, hint::arrays ipiv_array, hint::arrays B, hint::array info_array,
          hint::optional<hint::arrays> A_from, hint::optional<hint::arrays> B_from,
          hint::optional<hint::stream> stream) {
  call c("gesv", stream);
  const operand a = c.matrices("A", A, access::written);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::written);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.square(a);
  c.length_of_diagonal(ipiv, a);
  c.agree(b, b.m, "rows", a, a.n, "columns");
  c.copy_into(a, "A_from", A_from);
  c.copy_into(b, "B_from", B_from, part::all, true);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return gesv_strided_batched<T>(a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride, ipiv.first<int>(),
                                       ipiv.stride, b.first<T>(), b.ld.all, b.stride, info, c.count(),
                                       c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return gesv_vbatched<T>(c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld), c.each<int>(ipiv),
                                c.each<T>(b), c.each(b.ld), info, c.count(), a.n.all, b.n.all, c.where());
      });
}

void getri(hint::arrays A, hint::arrays ipiv_array, hint::optional<hint::array> info_array,
           hint::optional<hint::stream> stream) {
  call c("getri", stream);
  const operand a = c.matrices("A", A, access::written);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::read);
  c.square(a);
  c.length_of_diagonal(ipiv, a);
  c.pivots_up_to(ipiv, a.n);
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getri_strided_batched<T>(a.n.all, a.first<T>(), a.ld.all, a.stride, ipiv.first<int>(),
                                        ipiv.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getri_vbatched<T>(c.each(a.n), c.each<T>(a), c.each(a.ld), c.each<int>(ipiv), info, c.count(),
                                 a.n.all, c.where());
      });
}

void getri_outofplace(hint::arrays A, hint::arrays ipiv_array, hint::arrays C,
                      hint::optional<hint::array> info_array, hint::optional<hint::stream> stream) {
  call c("getri_outofplace", stream);
  const operand a = c.matrices("A", A, access::read);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::read);
  const operand b = c.matrices("C", C, access::written);
  c.square(a);
  c.length_of_diagonal(ipiv, a);
  c.pivots_up_to(ipiv, a.n);
  c.agree(b, b.m, "rows", a, a.m, "rows");
  c.square(b);
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getri_outofplace_strided_batched<T>(a.n.all, a.first<T>(), a.ld.all, a.stride,
                                                   ipiv.first<int>(), ipiv.stride, b.first<T>(), b.ld.all,
                                                   b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getri_outofplace_vbatched<T>(c.each(a.n), c.each<T>(a), c.each(a.ld), c.each<int>(ipiv),
                                            c.each<T>(b), c.each(b.ld), info, c.count(), a.n.all, c.where());
      });
}

void getrf_partial(hint::sizes k_of_each, hint::arrays A, hint::arrays ipiv_array, hint::array info_array,
                   hint::optional<hint::stream> stream) {
  call c("getrf_partial", stream);
  const operand a = c.matrices("A", A, access::written);
  const extent k = c.sizes("k", k_of_each);
  c.at_most("k", k, a, a.m, "rows");
  c.at_most("k", k, a, a.n, "columns");
  const operand ipiv = c.indices("ipiv", ipiv_array, access::written);
  c.length(ipiv, k, "k");
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrf_partial_strided_batched<T>(a.m.all, a.n.all, k.all, a.first<T>(), a.ld.all, a.stride,
                                                ipiv.first<int>(), ipiv.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrf_partial_vbatched<T>(c.each(a.m), c.each(a.n), c.each(k), c.each<T>(a), c.each(a.ld),
                                         c.each<int>(ipiv), info, c.count(), a.m.all, a.n.all, k.all,
                                         c.where());
      });
}

void getrf_partial_nopiv(hint::sizes k_of_each, hint::arrays A, hint::array info_array, double pivot_floor,
                         hint::optional<hint::array> pivot_floor_array, hint::optional<hint::array> replaced,
                         hint::optional<hint::stream> stream) {
  call c("getrf_partial_nopiv", stream);
  const operand a = c.matrices("A", A, access::written);
  const extent k = c.sizes("k", k_of_each);
  c.at_most("k", k, a, a.m, "rows");
  c.at_most("k", k, a, a.n, "columns");
  const floor f(c, pivot_floor, pivot_floor_array, replaced);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return getrf_partial_nopiv_strided_batched<T>(a.m.all, a.n.all, k.all, a.first<T>(), a.ld.all,
                                                      a.stride, f.all<T>(), f.each<T>(), f.replaced, info,
                                                      c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return getrf_partial_nopiv_vbatched<T>(c.each(a.m), c.each(a.n), c.each(k), c.each<T>(a),
                                               c.each(a.ld), f.all<T>(), f.each<T>(), f.replaced, info,
                                               c.count(), a.m.all, a.n.all, k.all, c.where());
      });
}

/// The blocks of fronts  [A11 A12; A21 A22].
struct fronts {
  operand a11, a12, a21, a22;

  fronts(call& c, nb::handle A11, nb::handle A12, nb::handle A21, nb::handle A22)
      : a11(c.matrices("A11", A11, access::written)),
        a12(c.matrices("A12", A12, access::written)),
        a21(c.matrices("A21", A21, access::written)),
        a22(c.matrices("A22", A22, access::written)) {
    c.square(a11);
    c.agree(a12, a12.m, "rows", a11, a11.m, "rows");
    c.agree(a21, a21.n, "columns", a11, a11.n, "columns");
    c.agree(a22, a22.m, "rows", a21, a21.m, "rows");
    c.agree(a22, a22.n, "columns", a12, a12.n, "columns");
  }
};

void getrf_partial_split(hint::form form_word, hint::schur schur_word, hint::arrays A11, hint::arrays A12,
                         hint::arrays A21, hint::arrays A22, hint::arrays ipiv_array, hint::array info_array,
                         hint::optional<hint::stream> stream) {
  call c("getrf_partial_split", stream);
  const form form = to_form("form", form_word);
  const schur schur = to_schur("schur", schur_word);
  const auto [a11, a12, a21, a22] = fronts(c, A11, A12, A21, A22);
  const operand ipiv = c.indices("ipiv", ipiv_array, access::written);
  c.length_of_diagonal(ipiv, a11);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&, &a11 = a11, &a12 = a12, &a21 = a21, &a22 = a22](auto t) {
        using T = decltype(t);
        return getrf_partial_split_strided_batched<T>(
            form, schur, a11.n.all, a22.m.all, a22.n.all, a11.first<T>(), a11.ld.all, a11.stride,
            a12.first<T>(), a12.ld.all, a12.stride, a21.first<T>(), a21.ld.all, a21.stride, a22.first<T>(),
            a22.ld.all, a22.stride, ipiv.first<int>(), ipiv.stride, info, c.count(), c.where());
      },
      [&, &a11 = a11, &a12 = a12, &a21 = a21, &a22 = a22](auto t) {
        using T = decltype(t);
        return getrf_partial_split_vbatched<T>(
            form, schur, c.each(a11.n), c.each(a22.m), c.each(a22.n), c.each<T>(a11), c.each(a11.ld),
            c.each<T>(a12), c.each(a12.ld), c.each<T>(a21), c.each(a21.ld), c.each<T>(a22), c.each(a22.ld),
            c.each<int>(ipiv), info, c.count(), a11.n.all, a22.m.all, a22.n.all, c.where());
      });
}

void getrf_partial_split_nopiv(hint::form form_word, hint::schur schur_word, hint::arrays A11,
                               hint::arrays A12, hint::arrays A21, hint::arrays A22, hint::array info_array,
                               double pivot_floor, hint::optional<hint::array> pivot_floor_array,
                               hint::optional<hint::array> replaced, hint::optional<hint::stream> stream) {
  call c("getrf_partial_split_nopiv", stream);
  const form form = to_form("form", form_word);
  const schur schur = to_schur("schur", schur_word);
  const auto [a11, a12, a21, a22] = fronts(c, A11, A12, A21, A22);
  const floor f(c, pivot_floor, pivot_floor_array, replaced);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&, &a11 = a11, &a12 = a12, &a21 = a21, &a22 = a22](auto t) {
        using T = decltype(t);
        return getrf_partial_split_nopiv_strided_batched<T>(
            form, schur, a11.n.all, a22.m.all, a22.n.all, a11.first<T>(), a11.ld.all, a11.stride,
            a12.first<T>(), a12.ld.all, a12.stride, a21.first<T>(), a21.ld.all, a21.stride, a22.first<T>(),
            a22.ld.all, a22.stride, f.all<T>(), f.each<T>(), f.replaced, info, c.count(), c.where());
      },
      [&, &a11 = a11, &a12 = a12, &a21 = a21, &a22 = a22](auto t) {
        using T = decltype(t);
        return getrf_partial_split_nopiv_vbatched<T>(
            form, schur, c.each(a11.n), c.each(a22.m), c.each(a22.n), c.each<T>(a11), c.each(a11.ld),
            c.each<T>(a12), c.each(a12.ld), c.each<T>(a21), c.each(a21.ld), c.each<T>(a22), c.each(a22.ld),
            f.all<T>(), f.each<T>(), f.replaced, info, c.count(), a11.n.all, a22.m.all, a22.n.all, c.where());
      });
}

}  // namespace

void bind_lu(nb::module_& m) {
  def(m, "getrf", getrf, "A"_a, "ipiv"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(LU factorization of A (*batch, m, n) with partial pivoting, in place. ipiv (*batch,
        min(m, n)), int32, counts from 1: row i was exchanged with row ipiv[i]. info (*batch,):
        0, or the first j for which U(j, j) is zero or NaN.

        A_from: matrices of any strides that are copied into A first.)");
  def(m, "getrf_nopiv", getrf_nopiv, "A"_a, "info"_a, nb::kw_only(), "pivot_floor"_a = 0.0,
      "pivot_floor_array"_a = nb::none(), "replaced"_a = nb::none(), "stream"_a = nb::none(),
      R"(The same without row exchanges. A pivot below pivot_floor, or below pivot_floor_array
        (*batch,), becomes as large as that; replaced (*batch,), int32, counts them.)");
  def(m, "getrs", getrs, "op"_a, "A"_a, "ipiv"_a, "B"_a, "info"_a, nb::kw_only(), "B_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(Solves op(A) X = B, B (*batch, n, nrhs) or (*batch, n), with what getrf left in A (*batch, n, n) and
        ipiv; X overwrites B. ipiv counts from 1. In host memory, a pivot i outside i..n is a
        ValueError.

        op is 'none', 'trans' or 'conj_trans'. info may be None; j > 0: U(j, j) is zero or NaN,
        and B is untouched. B_from: as A_from in getrf, for B.)");
  def(m, "getrs_nopiv", getrs_nopiv, "op"_a, "A"_a, "B"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(The same with what getrf_nopiv left in A.)");
  def(m, "gesv", gesv, "A"_a, "ipiv"_a, "B"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(),
      "B_from"_a = nb::none(), "stream"_a = nb::none(),
      R"(Solves A X = B, A (*batch, n, n), B (*batch, n, nrhs) or (*batch, n): getrf, then getrs.

        A_from, B_from: as A_from in getrf.)");
  def(m, "getri", getri, "A"_a, "ipiv"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(Inverse, in place of what getrf left in A (*batch, n, n). info may be None.)");
  def(m, "getri_outofplace", getri_outofplace, "A"_a, "ipiv"_a, "C"_a, "info"_a, nb::kw_only(),
      "stream"_a = nb::none(),
      R"(Inverse into C (*batch, n, n) from what getrf left in A. info may be None.)");
  def(m, "getrf_partial", getrf_partial, "k"_a, "A"_a, "ipiv"_a, "info"_a, nb::kw_only(),
      "stream"_a = nb::none(),
      R"(Eliminates the first k columns of A (*batch, m, n), with pivots from the first k rows
        alone, in place: L11, U11, L21, U12 and the Schur complement. ipiv (*batch, k). For a
        list of matrices, k is an int or a list of them.)");
  def(m, "getrf_partial_nopiv", getrf_partial_nopiv, "k"_a, "A"_a, "info"_a, nb::kw_only(),
      "pivot_floor"_a = 0.0, "pivot_floor_array"_a = nb::none(), "replaced"_a = nb::none(),
      "stream"_a = nb::none(), R"(The same without row exchanges, with the floor of getrf_nopiv.)");
  def(m, "getrf_partial_split", getrf_partial_split, "form"_a, "schur"_a, "A11"_a, "A12"_a, "A21"_a, "A22"_a,
      "ipiv"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(The same of fronts whose blocks are arrays of their own. form: 'lapack' (L21, U12) or
        'left' (A12 becomes A11^-1 A12). schur: 'subtract', or 'product' (A22 becomes A21 A11^-1
        A12).)");
  def(m, "getrf_partial_split_nopiv", getrf_partial_split_nopiv, "form"_a, "schur"_a, "A11"_a, "A12"_a,
      "A21"_a, "A22"_a, "info"_a, nb::kw_only(), "pivot_floor"_a = 0.0, "pivot_floor_array"_a = nb::none(),
      "replaced"_a = nb::none(), "stream"_a = nb::none(),
      R"(The same without row exchanges, with the floor of getrf_nopiv.)");
}

}  // namespace talus::python
