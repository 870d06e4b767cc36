// QR: geqrf, ormqr, orgqr, gels, qr.
#include "call.hpp"
#include "signature.hpp"

namespace nb = nanobind;

namespace talus::python {
namespace {

void geqrf(hint::arrays A, hint::arrays tau_array, hint::array info_array,
           hint::optional<hint::arrays> A_from, hint::optional<hint::stream> stream) {
  call c("geqrf", stream);
  const operand a = c.matrices("A", A, access::written);
  c.copy_into(a, "A_from", A_from);
  const operand tau = c.vectors("tau", tau_array, access::written);
  c.length_of_diagonal(tau, a);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return geqrf_strided_batched<T>(a.m.all, a.n.all, a.first<T>(), a.ld.all, a.stride, tau.first<T>(),
                                        tau.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return geqrf_vbatched<T>(c.each(a.m), c.each(a.n), c.each<T>(a), c.each(a.ld), c.each<T>(tau), info,
                                 c.count(), a.m.all, a.n.all, c.where());
      });
}

void ormqr(hint::side side_word, hint::op op_word, hint::arrays A, hint::arrays tau_array, hint::arrays C,
           hint::optional<hint::array> info_array, hint::optional<hint::stream> stream) {
  call c("ormqr", stream);
  const side side = to_side("side", side_word);
  const op op = to_op("op", op_word);
  const operand a = c.matrices("A", A, access::read);
  const operand tau = c.vectors("tau", tau_array, access::read);
  const operand b = c.matrices("C", C, access::written);
  c.at_most("tau", tau.m, a, a.n, "columns", "elements");
  const bool left = side == side::left;
  c.agree(b, left ? b.m : b.n, left ? "rows" : "columns", a, a.m, "rows");
  c.at_most("tau", tau.m, a, a.m, "rows", "elements");
  int* const info = c.ints("info", info_array, true);
  c.refuse_trans_of_complex("op", op);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return ormqr_strided_batched<T>(side, op, b.m.all, b.n.all, tau.m.all, a.first<T>(), a.ld.all,
                                        a.stride, tau.first<T>(), tau.stride, b.first<T>(), b.ld.all,
                                        b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return ormqr_vbatched<T>(side, op, c.each(b.m), c.each(b.n), c.each(tau.m), c.each<T>(a),
                                 c.each(a.ld), c.each<T>(tau), c.each<T>(b), c.each(b.ld), info, c.count(),
                                 b.m.all, b.n.all, tau.m.all, c.where());
      });
}

void orgqr(hint::arrays A, hint::arrays tau_array, hint::optional<hint::array> info_array,
           hint::optional<hint::stream> stream) {
  call c("orgqr", stream);
  const operand a = c.matrices("A", A, access::written);
  const operand tau = c.vectors("tau", tau_array, access::read);
  c.at_most("A", a.n, a, a.m, "rows", "columns");
  c.at_most("tau", tau.m, a, a.n, "columns", "elements");
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return orgqr_strided_batched<T>(a.m.all, a.n.all, tau.m.all, a.first<T>(), a.ld.all, a.stride,
                                        tau.first<T>(), tau.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return orgqr_vbatched<T>(c.each(a.m), c.each(a.n), c.each(tau.m), c.each<T>(a), c.each(a.ld),
                                 c.each<T>(tau), info, c.count(), a.m.all, a.n.all, tau.m.all, c.where());
      });
}

void gels(hint::op op_word, hint::arrays A, hint::arrays B, hint::array info_array,
          hint::optional<hint::stream> stream) {
  call c("gels", stream);
  const op op = to_op("op", op_word);
  const operand a = c.matrices("A", A, access::written);
  const operand b = c.right_hand_sides("B", B, access::written);
  c.longer_side(b, a);
  int* const info = c.ints("info", info_array, false);
  c.refuse_trans_of_complex("op", op);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return gels_strided_batched<T>(op, a.m.all, a.n.all, b.n.all, a.first<T>(), a.ld.all, a.stride,
                                       b.first<T>(), b.ld.all, b.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return gels_vbatched<T>(op, c.each(a.m), c.each(a.n), c.each(b.n), c.each<T>(a), c.each(a.ld),
                                c.each<T>(b), c.each(b.ld), info, c.count(), a.m.all, a.n.all, b.n.all,
                                c.where());
      });
}

void qr(hint::arrays A, hint::arrays R, hint::array info_array, hint::optional<hint::arrays> A_from,
        hint::optional<hint::stream> stream) {
  call c("qr", stream);
  const operand a = c.matrices("A", A, access::written);
  c.copy_into(a, "A_from", A_from);
  const operand r = c.matrices("R", R, access::written);
  c.agree(r, r.n, "columns", a, a.n, "columns");
  c.shorter_side(r, a);
  int* const info = c.ints("info", info_array, false);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return qr_strided_batched<T>(a.m.all, a.n.all, a.first<T>(), a.ld.all, a.stride, r.first<T>(),
                                     r.ld.all, r.stride, info, c.count(), c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return qr_vbatched<T>(c.each(a.m), c.each(a.n), c.each<T>(a), c.each(a.ld), c.each<T>(r),
                              c.each(r.ld), info, c.count(), a.m.all, a.n.all, c.where());
      });
}

}  // namespace

void bind_qr(nb::module_& m) {
  def(m, "geqrf", geqrf, "A"_a, "tau"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(),
      "stream"_a = nb::none(),
      R"(QR factorization of A (*batch, m, n) by Householder's reflectors, in place: R on and
        above the diagonal, the reflectors below it, their factors in tau (*batch, min(m, n)).
        info (*batch,) is 0.

        A_from: matrices of any strides that are copied into A first.)");
  def(m, "ormqr", ormqr, "side"_a, "op"_a, "A"_a, "tau"_a, "C"_a, "info"_a, nb::kw_only(),
      "stream"_a = nb::none(),
      R"(C (*batch, m, n) := op(Q) C, or from the right C op(Q), with the Q that geqrf left in A
        and tau (*batch, k). op is 'none' or 'conj_trans', or of real matrices 'trans'. info may
        be None.)");
  def(m, "orgqr", orgqr, "A"_a, "tau"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(The first n columns of the Q that geqrf left in A (*batch, m, n), n <= m, and in tau
        (*batch, k), in place of its reflectors. info may be None.)");
  def(m, "gels", gels, "op"_a, "A"_a, "B"_a, "info"_a, nb::kw_only(), "stream"_a = nb::none(),
      R"(Least squares, or of fewer equations than unknowns the solution of least norm, with A
        (*batch, m, n) of full rank, which is overwritten. B (*batch, max(m, n), nrhs): the
        right-hand sides in its first rows, and then the solutions. info j > 0: R(j, j) is zero
        or NaN, and B is untouched.)");
  def(m, "qr", qr, "A"_a, "R"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(), "stream"_a = nb::none(),
      R"(Thin QR factorization: Q (*batch, m, k) over the first k = min(m, n) columns of A
        (*batch, m, n), and R (*batch, k, n) with zeros below its diagonal.

        A_from: as in geqrf.)");
}

}  // namespace talus::python
