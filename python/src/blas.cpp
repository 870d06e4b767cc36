// BLAS: trsm, and gemm and gemv of matrices of different sizes.
#include "call.hpp"
#include "signature.hpp"

namespace nb = nanobind;

namespace talus::python {
namespace {

using number = std::complex<double>;

/// alpha or beta in the matrices' type.
template <class T>
T to(number value) {
  if constexpr (std::is_same_v<T, real_type<T>>)
    return static_cast<T>(value.real());
  else
    return {static_cast<real_type<T>>(value.real()), static_cast<real_type<T>>(value.imag())};
}

void trsm(hint::side side_word, hint::uplo triangle, hint::op op_word, hint::diag diag_word, number alpha,
          hint::arrays A, hint::arrays B, hint::optional<hint::array> info_array,
          hint::optional<hint::arrays> B_from, hint::optional<hint::stream> stream) {
  call c("trsm", stream);
  const side side = to_side("side", side_word);
  const uplo uplo = to_uplo("uplo", triangle);
  const op op = to_op("op", op_word);
  const diag diag = to_diag("diag", diag_word);
  const operand a = c.matrices("A", A, access::read);
  const operand b = c.matrices("B", B, access::written);
  c.square(a);
  c.agree(b, side == side::left ? b.m : b.n, side == side::left ? "rows" : "columns", a, a.n, "columns");
  c.copy_into(b, "B_from", B_from);
  c.real_where_matrices_are("alpha", alpha);
  int* const info = c.ints("info", info_array, true);
  c.run(
      [&](auto t) {
        using T = decltype(t);
        return trsm_strided_batched<T>(side, uplo, op, diag, b.m.all, b.n.all, to<T>(alpha), a.first<T>(),
                                       a.ld.all, a.stride, b.first<T>(), b.ld.all, b.stride, info, c.count(),
                                       c.where());
      },
      [&](auto t) {
        using T = decltype(t);
        return trsm_vbatched<T>(side, uplo, op, diag, c.each(b.m), c.each(b.n), to<T>(alpha), c.each<T>(a),
                                c.each(a.ld), c.each<T>(b), c.each(b.ld), info, c.count(), b.m.all, b.n.all,
                                c.where());
      });
}

void gemm(hint::op op_a_word, hint::op op_b_word, number alpha, hint::list_of_arrays A,
          hint::list_of_arrays B, number beta, hint::list_of_arrays C, hint::optional<hint::array> info_array,
          hint::optional<hint::stream> stream) {
  call c("gemm", stream);
  const op op_a = to_op("op_A", op_a_word), op_b = to_op("op_B", op_b_word);
  c.lists_alone("A", A);
  const operand a = c.matrices("A", A, access::read);
  const operand b = c.matrices("B", B, access::read);
  const operand out = c.matrices("C", C, access::written);
  const bool a_as_is = op_a == op::none, b_as_is = op_b == op::none;
  const extent& k = a_as_is ? a.n : a.m;
  c.agree(b, b_as_is ? b.m : b.n, b_as_is ? "rows" : "columns", a, k, a_as_is ? "columns" : "rows");
  c.agree(out, out.m, "rows", a, a_as_is ? a.m : a.n, a_as_is ? "rows" : "columns");
  c.agree(out, out.n, "columns", b, b_as_is ? b.n : b.m, b_as_is ? "columns" : "rows");
  c.real_where_matrices_are("alpha", alpha);
  c.real_where_matrices_are("beta", beta);
  int* const info = c.ints("info", info_array, true);
  c.run([](auto) { return err_unsupported; },
        [&](auto t) {
          using T = decltype(t);
          return gemm_vbatched<T>(op_a, op_b, c.each(out.m), c.each(out.n), c.each(k), to<T>(alpha),
                                  c.each<T>(a), c.each(a.ld), c.each<T>(b), c.each(b.ld), to<T>(beta),
                                  c.each<T>(out), c.each(out.ld), info, c.count(), out.m.all, out.n.all,
                                  k.all, c.where());
        });
}

void gemv(hint::op op_word, number alpha, hint::list_of_arrays A, hint::list_of_arrays x_array, number beta,
          hint::list_of_arrays y_array, hint::optional<hint::array> info_array,
          hint::optional<hint::stream> stream) {
  call c("gemv", stream);
  const op op = to_op("op", op_word);
  c.lists_alone("A", A);
  const operand a = c.matrices("A", A, access::read);
  const operand x = c.vectors("x", x_array, access::read);
  const operand y = c.vectors("y", y_array, access::written);
  const bool as_is = op == op::none;
  c.agree(x, x.m, "elements", a, as_is ? a.n : a.m, as_is ? "columns" : "rows");
  c.agree(y, y.m, "elements", a, as_is ? a.m : a.n, as_is ? "rows" : "columns");
  c.real_where_matrices_are("alpha", alpha);
  c.real_where_matrices_are("beta", beta);
  int* const info = c.ints("info", info_array, true);
  const extent one = c.sizes(1);
  c.run([](auto) { return err_unsupported; },
        [&](auto t) {
          using T = decltype(t);
          return gemv_vbatched<T>(op, c.each(a.m), c.each(a.n), to<T>(alpha), c.each<T>(a), c.each(a.ld),
                                  c.each<T>(x), c.each(one), to<T>(beta), c.each<T>(y), c.each(one), info,
                                  c.count(), a.m.all, a.n.all, c.where());
        });
}

}  // namespace

void bind_blas(nb::module_& m) {
  def(m, "trsm", trsm, "side"_a, "uplo"_a, "op"_a, "diag"_a, "alpha"_a, "A"_a, "B"_a, "info"_a = nb::none(),
      nb::kw_only(), "B_from"_a = nb::none(), "stream"_a = nb::none(),
      R"(Solves op(A) X = alpha B, or from the right X op(A) = alpha B, with the triangle `uplo`
        of A (*batch, k, k); X overwrites B (*batch, m, n). diag: 'non_unit', or 'unit' for ones
        on the diagonal.

        B_from: matrices of any strides that are copied into B first.)");
  def(m, "gemm", gemm, "op_A"_a, "op_B"_a, "alpha"_a, "A"_a, "B"_a, "beta"_a, "C"_a, "info"_a = nb::none(),
      nb::kw_only(), "stream"_a = nb::none(),
      R"(C := alpha op_A(A) op_B(B) + beta C, of lists of matrices of different sizes.)");
  def(m, "gemv", gemv, "op"_a, "alpha"_a, "A"_a, "x"_a, "beta"_a, "y"_a, "info"_a = nb::none(), nb::kw_only(),
      "stream"_a = nb::none(),
      R"(y := alpha op(A) x + beta y, of lists of matrices and vectors of different sizes.)");
}

}  // namespace talus::python
