// What the descriptions of routines are made of, and what they have in common.
//
// A description is a template on the type of the elements that says all that bench, tuner and tests ask of a
// routine, so that none of them knows which one it has:
//
//   name            as LAPACK's, with _vbatched where each matrix has its own size
//   built_with      the routine of TALUS_ROUTINES that contains it; empty: the name without _vbatched
//   short_name      what other people's files of trees call it, and the command line where a tree is given;
//                   null: nothing but name
//   problem         problem<T>, or variable_problem<T>. For variable_problem mixed_sizes is true, and
//                   of_one_size is the description for equal sizes (void: there is none); operands are the
//                   arguments of a call on the problem
//   kind            of the matrices that it is measured on; is_square: these alone are what it takes
//   starts_from     the routine that made what A holds at first, void: the matrix itself
//   writes_A, has_B what it overwrites beside info: A, and with the solution B
//   leaves_A        whether what it writes to A is specified
//   reads_B         whether B holds something for it at first
//   B_like_A        B has as many columns as A, whatever number of right-hand sides is asked for
//   A_to_B          what it makes of A goes to B alone
//   has_ipiv        whether pivots stand beside A; has_tau: the scalars of reflectors; has_k: how many
//                   columns of each matrix are eliminated, which is all of them elsewhere
//   measured_nrhs   columns of B where the tuner measures it
//   most_nrhs       columns of B up to which its lines serve, unless a table says otherwise
//   priced          how the matrices grow that the lines of its tables are priced at: squares first
//   flops, bytes    of one matrix of these sizes: LAPACK's count; the least that is read, plus written
//   residual        of one matrix's result
//   peers           the libraries that have it, too
//   work_bytes      scratch that a call takes
//   run             calls it
//   tables          those that choose its kernels on cuda, void: it has none. Then box says which extents of
//                   a matrix they name, run_line runs one line of them, and run_table what a table selects
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gpu/table.hpp"
#include "measure/machine.hpp"
#include "measure/problem.hpp"
#include "measure/verify.hpp"
#include "talus/batched.hpp"

namespace talus::measure {

/// What descriptions say unless they say otherwise.
template <class Problem>
struct description {
  using problem = Problem;
  using scalar = typename Problem::scalar;
  using operands = typename Problem::operands_type;
  using starts_from = void;
  using of_one_size = void;
  using tables = void;
  static constexpr std::string_view built_with = "";
  static constexpr const char* short_name = nullptr;
  static constexpr matrix_kind kind = matrix_kind::positive_definite;
  static constexpr bool mixed_sizes = Problem::mixed_sizes, is_square = true, writes_A = true,
                        leaves_A = true, has_B = false, reads_B = true, B_like_A = false, A_to_B = false,
                        has_ipiv = false, has_tau = false, has_k = false;
  static constexpr int measured_nrhs = 0, most_nrhs = cuda::any_extent;
  static constexpr growth priced[] = {{}};
};

/// A library that has the routine.
struct peer {
  const char* library;
  const char* how = "";     // where it is not one call
  bool writes_info = true;  // one int per matrix, as talus does
  int nrhs_max = std::numeric_limits<int>::max();
  bool is_square = false;                                             // it has no rectangles
  bool is_tall = false;                                               // it has none with m < n
  std::int64_t batch_max = std::numeric_limits<std::int64_t>::max();  // a loop over more takes too long

  template <class Problem>
  constexpr bool serves(const Problem& p) const {
    return p.nrhs <= nrhs_max && (p.m == p.n || !is_square) && (p.m >= p.n || !is_tall) &&
           p.batch <= batch_max;
  }
};

/// Matrices that a peer is given which takes one after the other: each costs it some 10 us at least.
constexpr std::int64_t longest_loop = 20'000;

template <class Routine>
constexpr bool has_tables = !std::is_void_v<typename Routine::tables>;
/// True if one triangle of A is stored and used.
template <class Routine>
constexpr bool is_triangle = is_hermitian(Routine::kind);

/// Columns of B, where `nrhs` are asked for.
template <class Routine>
constexpr int columns_of_B(int n, int nrhs) {
  return !Routine::has_B ? 0 : Routine::B_like_A ? n : nrhs;
}

/// Null if the library does not have it.
template <class Routine>
constexpr const peer* find_peer(std::string_view library) {
  for (const peer& p : Routine::peers) {
    if (library == p.library) return &p;
  }
  return nullptr;
}

template <class Routine>
constexpr bool has_one_size = !std::is_void_v<typename Routine::of_one_size>;

/// The routine for equal sizes that does to each matrix what this one does; without one, itself.
template <class Routine>
using one_size = std::conditional_t<has_one_size<Routine>, typename Routine::of_one_size, Routine>;

template <class Routine>
contents contents_of() {
  return {Routine::kind, Routine::has_ipiv, Routine::has_tau, Routine::has_k};
}

/// As many as there is memory for, of `batch` matrices of one size, or of matrices of the sizes `each`.
template <class Routine>
auto make_problem(uplo uplo, backend where, const sizes& each, std::int64_t batch) {
  return allocate_what_fits<typename Routine::problem>(contents_of<Routine>(), uplo, where, each, batch);
}
template <class Routine>
auto make_problem(uplo uplo, backend where, const std::vector<sizes>& each) {
  return allocate_what_fits<typename Routine::problem>(contents_of<Routine>(), uplo, where, {},
                                                       static_cast<std::int64_t>(each.size()), each);
}

/// LAPACK counts real flops: a complex multiply-add is four real ones.
template <class T>
constexpr double flops_per_operation = is_complex<T> ? 4 : 1;

/// Of the whole of A, in slabs where columns and matrices share sectors.
template <class T>
double matrix_bytes(const sizes& s) {
  return static_cast<double>(sizeof(T)) * s.m * s.n;
}

template <class T>
double right_hand_side_bytes(const sizes& s) {
  return static_cast<double>(sizeof(T)) * s.n * s.nrhs;
}

/// Of the whole problem.
template <class Routine, class Problem>
double flops_of(const Problem& p) {
  return p.sum(Routine::flops);
}
template <class Routine, class Problem>
double bytes_of(const Problem& p) {
  return p.sum(Routine::bytes);
}

inline void require_success(int status) {
  if (status != 0) throw std::runtime_error(strerror(status));
}

/// Runs a routine on copy `copy`. Throws where it fails.
template <class Routine, class Problem>
void run(const Problem& p, int copy, queue q) {
  require_success(Routine::run(p.operands(copy), q));
}

/// Makes A, and what is beside it, what the routine starts from, and keeps both. Returns a complaint, or
/// nothing.
template <class Routine, class Problem>
std::string make_start(Problem& p) {
  if constexpr (!std::is_void_v<typename Routine::starts_from>) {
    using first = typename Routine::starts_from;
    p.restore(0);
    const int status = first::run(p.operands(0), queue_of(p.where));
    const std::string wrong = status != 0 ? strerror(status) : result_check<first>(p).complaint(true);
    p.keep_factors();
    if (!wrong.empty()) return std::string("talus ") + first::name + ", from which it starts: " + wrong;
  }
  return "";
}

}  // namespace talus::measure
