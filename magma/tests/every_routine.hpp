// All routines of a precision in one table, and operands that any of them takes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lu/lu.hpp"
#include "names.hpp"

namespace talus::test {

/// An int that is passed by its address.
struct by_address {
  int value;
  operator int*() { return &value; }
};

/// What a call of any routine takes.
template <class T>
struct call_arguments {
  magma_uplo_t uplo = MagmaLower;
  magma_trans_t transA = MagmaTrans, transB = MagmaConjTrans;
  magma_side_t side = MagmaLeft;
  magma_diag_t diag = MagmaNonUnit;
  int m, n, k, nrhs, ldda, lddb, lddc, stride, batchCount, max_m, max_n, max_k;
  int incx = 1, incy = 1, provide_RT = 0, one = 1;
  element<T> alpha = number(T(2)), beta = number(T(-1));
  real_of<T> eps = 0.5;

  int *each_m, *each_n, *each_k, *each_ldda, *each_lddb, *each_lddc, *each_incx, *each_incy;
  element<T>**A_array, **B_array, **C_array, **tau_array, *A, *B, *C;
  int **ipiv_array, *info_array;
  std::nullptr_t null = nullptr;
  by_address lwork{1 << 30};
  void* work = nullptr;  // Talus allocates
  int* host_ipiv;
  by_address host_info{-777};
  magma_queue_t queue;
};

/// When a call returns.
enum class how {
  queues,  // at once
  looks,   // when it has looked at sizes
  waits,   // when it is done: one matrix
};

/// Which argument of call_arguments it is.
template <class T, class E>
std::ptrdiff_t place(E call_arguments<T>::*argument) {
  static call_arguments<T> any;
  return reinterpret_cast<char*>(&(any.*argument)) - reinterpret_cast<char*>(&any);
}

template <class T>
struct routine_of_magma {
  std::string name, saying;  // saying: by which name it says what is illegal
  std::function<int(call_arguments<T>&)> call;
  std::map<std::ptrdiff_t, int> numbers;  // of its arguments
  how returns = how::queues;

  /// MAGMA's number of an argument is another than its place.
  template <class E>
  routine_of_magma& with(E call_arguments<T>::*argument, int number) {
    numbers[place(argument)] = number;
    return *this;
  }
  /// Its numbers and what it says are another routine's, which it is the same as.
  routine_of_magma& as(const routine_of_magma& other) {
    saying = other.saying;
    numbers = other.numbers;
    return *this;
  }
  routine_of_magma& that(how it_returns) {
    returns = it_returns;
    return *this;
  }
};

/// A routine with its arguments in their order.
template <class T, class Result, class... Parameters, class... Arguments>
routine_of_magma<T> routine(std::string name, Result (*function)(Parameters...),
                            Arguments call_arguments<T>::*... arguments) {
  routine_of_magma<T> made{name, name, {}, {}};
  made.call = [=](call_arguments<T>& c) {
    if constexpr (std::is_void_v<Result>) {
      function(c.*arguments...);
      return said();
    } else {
      return function(c.*arguments...);
    }
  };
  int i = 0;
  (made.numbers.emplace(place(arguments), ++i), ...);
  return made;
}

template <class T>
std::vector<routine_of_magma<T>> every_routine() {
  using N = names<T>;
  using c = call_arguments<T>;
  constexpr auto uplo = &c::uplo;
  constexpr auto transA = &c::transA, transB = &c::transB;
  constexpr auto side = &c::side;
  constexpr auto diag = &c::diag;
  constexpr auto m = &c::m, n = &c::n, k = &c::k, nrhs = &c::nrhs, ldda = &c::ldda, lddb = &c::lddb,
                 lddc = &c::lddc, stride = &c::stride, count = &c::batchCount, max_m = &c::max_m,
                 max_n = &c::max_n, max_k = &c::max_k, incx = &c::incx, incy = &c::incy, one = &c::one;
  constexpr auto alpha = &c::alpha, beta = &c::beta;
  constexpr auto eps = &c::eps;
  constexpr auto ms = &c::each_m, ns = &c::each_n, ks = &c::each_k, lddas = &c::each_ldda,
                 lddbs = &c::each_lddb, lddcs = &c::each_lddc, incxs = &c::each_incx, incys = &c::each_incy,
                 info = &c::info_array;
  constexpr auto As = &c::A_array, Bs = &c::B_array, Cs = &c::C_array, taus = &c::tau_array;
  constexpr auto A = &c::A, B = &c::B, C = &c::C;
  constexpr auto ipivs = &c::ipiv_array;
  constexpr auto null = &c::null;
  constexpr auto work = &c::work;
  constexpr auto lwork = &c::lwork, host_info = &c::host_info;
  constexpr auto host_ipiv = &c::host_ipiv;
  constexpr auto queue = &c::queue;

  std::vector<routine_of_magma<T>> all;
  const std::string x(1, names<T>::letter);
  const auto add = [&](const char* name, auto* function, auto... arguments) -> routine_of_magma<T>& {
    all.push_back(routine<T>("magma_" + x + name, function, arguments...));
    return all.back();
  };
  const auto add_blas = [&](const char* name, auto* function, auto... arguments) -> routine_of_magma<T>& {
    all.push_back(routine<T>("magmablas_" + x + name, function, arguments...));
    return all.back();
  };
#define TALUS_TEST_NAMED(routine) #routine, N::routine
  all.reserve(64);  // references to its elements stay

  auto& potrf = add(TALUS_TEST_NAMED(potrf_batched), uplo, n, As, ldda, info, count, queue);
  add(TALUS_TEST_NAMED(potrf_expert_batched), uplo, n, one, one, As, ldda, info, count, queue).as(potrf);
  add(TALUS_TEST_NAMED(potrs_batched), uplo, n, nrhs, As, ldda, Bs, lddb, count, queue);
  add(TALUS_TEST_NAMED(posv_batched), uplo, n, nrhs, As, ldda, Bs, lddb, info, count, queue);
  add(TALUS_TEST_NAMED(getrf_batched), m, n, As, ldda, ipivs, info, count, queue);
  add(TALUS_TEST_NAMED(getrf_nopiv_batched), m, n, As, ldda, info, count, queue);
  add(TALUS_TEST_NAMED(getrs_batched), transA, n, nrhs, As, ldda, ipivs, Bs, lddb, count, queue);
  add(TALUS_TEST_NAMED(getrs_nopiv_batched), transA, n, nrhs, As, ldda, Bs, lddb, info, count, queue)
      .with(lddb, 8);
  add(TALUS_TEST_NAMED(gesv_batched), n, nrhs, As, ldda, ipivs, Bs, lddb, info, count, queue).with(lddb, 6);
  add(TALUS_TEST_NAMED(getri_outofplace_batched), n, As, ldda, ipivs, Cs, lddc, info, count, queue);
  auto& geqrf = add(TALUS_TEST_NAMED(geqrf_batched), m, n, As, ldda, taus, info, count, queue);
  add(TALUS_TEST_NAMED(geqrf_batched_work), m, n, As, ldda, taus, info, work, lwork, count, queue);
  add(TALUS_TEST_NAMED(geqrf_expert_batched), m, n, one, As, ldda, null, one, null, one, taus, &c::provide_RT,
      null, info, count, queue)
      .as(geqrf);
  add_blas(TALUS_TEST_NAMED(gemm_batched_strided), transA, transB, m, n, k, alpha, A, ldda, stride, B, lddb,
           stride, beta, C, lddc, stride, count, queue);
  add_blas(TALUS_TEST_NAMED(gemv_batched), transA, m, n, alpha, As, ldda, Bs, incx, beta, Cs, incy, count,
           queue);
  add(TALUS_TEST_NAMED(gemv), transA, m, n, alpha, A, ldda, B, incx, beta, C, incy, queue);
  add(TALUS_TEST_NAMED(set_pointer), Cs, A, ldda, one, one, stride, count, queue)
      .with(ldda, 0)
      .with(count, 0);

  add(TALUS_TEST_NAMED(potrf_vbatched), uplo, ns, As, lddas, info, count, queue).that(how::looks);
  add(TALUS_TEST_NAMED(potrf_vbatched_max_nocheck), uplo, ns, As, lddas, info, count, max_n, queue);
  add(TALUS_TEST_NAMED(getrf_vbatched), ms, ns, As, lddas, ipivs, info, count, queue).that(how::looks);
  add(TALUS_TEST_NAMED(getrf_vbatched_max_nocheck), ms, ns, null, max_m, max_n, one, one, one, one, As, lddas,
      ipivs, null, info, count, queue);
  add(TALUS_TEST_NAMED(getrf_vbatched_max_nocheck_work), ms, ns, max_m, max_n, one, one, As, lddas, ipivs,
      info, work, lwork, count, queue);
  add(TALUS_TEST_NAMED(getrf_nopiv_vbatched), ms, ns, As, lddas, info, count, queue).that(how::looks);
  add(TALUS_TEST_NAMED(getrf_nopiv_expert_vbatched), ms, ns, As, lddas, null, eps, info, count, queue)
      .that(how::looks);
  add(TALUS_TEST_NAMED(getrf_nopiv_vbatched_max_nocheck), ms, ns, null, max_m, max_n, one, one, one, one, As,
      lddas, null, eps, info, count, queue);
  add(TALUS_TEST_NAMED(getrf_nopiv_vbatched_max_nocheck_work), ms, ns, max_m, max_n, one, one, As, lddas,
      null, eps, info, work, lwork, count, queue)
      .with(lwork, 12);

  add_blas(TALUS_TEST_NAMED(trsm_vbatched), side, uplo, transA, diag, ms, ns, alpha, As, lddas, Bs, lddbs,
           count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(trsm_vbatched_nocheck), side, uplo, transA, diag, ms, ns, alpha, As, lddas, Bs,
           lddbs, count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(trsm_vbatched_max), side, uplo, transA, diag, max_m, max_n, ms, ns, alpha, As,
           lddas, Bs, lddbs, count, queue)
      .that(how::looks)
      .with(count, 12);
  add_blas(TALUS_TEST_NAMED(trsm_vbatched_max_nocheck), side, uplo, transA, diag, max_m, max_n, ms, ns, alpha,
           As, lddas, Bs, lddbs, count, queue)
      .with(count, 12);
  add_blas(TALUS_TEST_NAMED(gemm_vbatched), transA, transB, ms, ns, ks, alpha, As, lddas, Bs, lddbs, beta, Cs,
           lddcs, count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemm_vbatched_nocheck), transA, transB, ms, ns, ks, alpha, As, lddas, Bs, lddbs,
           beta, Cs, lddcs, count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemm_vbatched_max), transA, transB, ms, ns, ks, alpha, As, lddas, Bs, lddbs, beta,
           Cs, lddcs, count, max_m, max_n, max_k, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemm_vbatched_max_nocheck), transA, transB, ms, ns, ks, alpha, As, lddas, Bs,
           lddbs, beta, Cs, lddcs, count, max_m, max_n, max_k, queue);
  add_blas(TALUS_TEST_NAMED(gemv_vbatched), transA, ms, ns, alpha, As, lddas, Bs, incxs, beta, Cs, incys,
           count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemv_vbatched_nocheck), transA, ms, ns, alpha, As, lddas, Bs, incxs, beta, Cs,
           incys, count, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemv_vbatched_max), transA, ms, ns, alpha, As, lddas, Bs, incxs, beta, Cs, incys,
           count, max_m, max_n, queue)
      .that(how::looks);
  add_blas(TALUS_TEST_NAMED(gemv_vbatched_max_nocheck), transA, ms, ns, alpha, As, lddas, Bs, incxs, beta, Cs,
           incys, count, max_m, max_n, queue);

  add(TALUS_TEST_NAMED(getrf_gpu), m, n, A, ldda, host_ipiv, host_info).that(how::waits);
  add(TALUS_TEST_NAMED(getrs_gpu), transA, n, nrhs, A, ldda, host_ipiv, B, lddb, host_info).that(how::waits);
  add(TALUS_TEST_NAMED(print_gpu), m, n, A, ldda, queue).that(how::waits);
#undef TALUS_TEST_NAMED
  return all;
}

/// Operands of any routine, in the memory of the backend under test: square matrices of one order, Hermitian
/// and dominated by their diagonals, which serve as factors, too.
template <class T>
struct any_operands {
  static constexpr int distinct = 3;

  any_operands(int order, int count_)
      : n(order),
        count(count_),
        A(hermitian_matrices()),
        B(right_hand_sides<T>(n, n, n + 1, count, distinct)),
        C(B.host),
        tau(slab<T>(n, 1, n + 1, count)),
        ipiv(count, no_exchanges()),
        info(count),
        host_ipiv(no_exchanges()),
        orders(static_cast<std::size_t>(count), n),
        leading(static_cast<std::size_t>(count), n + 1),
        increments(static_cast<std::size_t>(count), 1) {}

  /// Legal ones.
  call_arguments<T> arguments(magma_queue_t queue) {
    call_arguments<T> c{};
    c.m = c.n = c.k = c.nrhs = c.max_m = c.max_n = c.max_k = n;
    c.ldda = c.lddb = c.lddc = n + 1;
    c.stride = static_cast<int>(A.host.stride);
    c.batchCount = count;
    c.each_m = c.each_n = c.each_k = orders.data();
    c.each_ldda = c.each_lddb = c.each_lddc = leading.data();
    c.each_incx = c.each_incy = increments.data();
    c.A_array = starts(A.pointers);
    c.B_array = starts(B.pointers);
    c.C_array = starts(C.pointers);
    c.tau_array = starts(tau.pointers);
    c.A = to_magma(A.memory.data());
    c.B = to_magma(B.memory.data());
    c.C = to_magma(C.memory.data());
    c.ipiv_array = ipiv.pointers.data();
    c.info_array = info.data();
    c.host_ipiv = host_ipiv.data();
    c.queue = queue;
    return c;
  }

  /// All that a call may write, but for sizes' last elements.
  std::vector<std::string> state() const {
    return {bytes(A.memory),   bytes(B.memory),    bytes(C.memory),   bytes(tau.memory),
            bytes(C.pointers), bytes(ipiv.memory), bytes(info.memory)};
  }
  void restore() {
    for (resident<T>* r : {&A, &B, &C, &tau}) r->memory.upload(r->host.host);
    C.pointers.upload(starts_of_C_);
    ipiv.memory.upload(pivots_);
    info.memory.upload(infos_);
    for (size_array* s : {&orders, &leading, &increments}) s->restore();
  }

  int n, count;
  resident<T> A, B, C, tau;
  pivot_array ipiv;
  info_array info;
  std::vector<int> host_ipiv;
  size_array orders, leading, increments;

 private:
  slab<T> hermitian_matrices() const {
    slab<T> s(n, n, n + 1, count);
    std::vector<dense<T>> matrices;
    for (unsigned i = 0; i < distinct; ++i) matrices.push_back(hermitian<T>("random", n, i + 1));
    for (std::int64_t b = 0; b < count; ++b) s.put(b, matrices[static_cast<std::size_t>(b % distinct)]);
    return s;
  }
  std::vector<int> no_exchanges() const {
    std::vector<int> pivots(static_cast<std::size_t>(n));
    std::iota(pivots.begin(), pivots.end(), 1);
    return pivots;
  }
  template <class E>
  static std::string bytes(const array<E>& memory) {
    const std::vector<E> values = memory.download();
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(E)};
  }

  std::vector<T*> starts_of_C_ = C.pointers.download();
  std::vector<int> pivots_ = ipiv.memory.download(), infos_ = info.memory.download();
};

}  // namespace talus::test
