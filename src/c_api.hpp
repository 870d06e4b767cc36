// Calls of C++ routines with the arguments of C.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "talus/talus.h"
#include "talus/types.hpp"

namespace talus {

// Enumerations. A value that is not one of the letters, even if it does not fit a char, becomes an illegal value.

inline uplo to_uplo(int letter) {
  return letter == TALUS_LOWER ? uplo::lower : letter == TALUS_UPPER ? uplo::upper : uplo{};
}

inline op to_op(int letter) {
  for (const op of : {op::none, op::trans, op::conj_trans}) {
    if (letter == static_cast<char>(of)) return of;
  }
  return op{};
}

inline side to_side(int letter) {
  return letter == TALUS_LEFT ? side::left : letter == TALUS_RIGHT ? side::right : side{};
}

inline diag to_diag(int letter) {
  return letter == TALUS_NON_UNIT ? diag::non_unit : letter == TALUS_UNIT ? diag::unit : diag{};
}

inline form to_form(int letter) {
  return letter == TALUS_FORM_LAPACK ? form::lapack : letter == TALUS_FORM_LEFT ? form::left : form{};
}

inline schur to_schur(int letter) {
  return letter == TALUS_SCHUR_SUBTRACT  ? schur::subtract
         : letter == TALUS_SCHUR_PRODUCT ? schur::product
                                         : schur{};
}

inline queue to_queue(talus_queue q) {
  return {static_cast<backend>(q.where), q.stream, q.work, q.work_bytes, q.options,
          {q.reserved[0], q.reserved[1]}};
}

/// Converts an argument of C to the type To of the C++ routine.
template <class To, class From>
To from_c(From x) {
  if constexpr (std::is_same_v<To, uplo>) {
    return to_uplo(x);
  } else if constexpr (std::is_same_v<To, op>) {
    return to_op(x);
  } else if constexpr (std::is_same_v<To, side>) {
    return to_side(x);
  } else if constexpr (std::is_same_v<To, diag>) {
    return to_diag(x);
  } else if constexpr (std::is_same_v<To, form>) {
    return to_form(x);
  } else if constexpr (std::is_same_v<To, schur>) {
    return to_schur(x);
  } else if constexpr (std::is_same_v<To, queue>) {
    return to_queue(x);
  } else if constexpr (std::is_pointer_v<From> && !std::is_pointer_v<To>) {
    return x != nullptr ? *x : To{};  // a number, such as alpha
  } else {
    return x;
  }
}

/// True for a null pointer to a number that C++ takes by value.
template <class To, class From>
bool is_missing_number(From x) {
  if constexpr (std::is_pointer_v<From> && !std::is_pointer_v<To>) {
    return x == nullptr;
  } else {
    return false;
  }
}

/// Calls a routine of C++ with the arguments of C. If alpha or beta is null, returns -i for the first illegal
/// argument i, unless batch_count, the last 64-bit integer, is not positive: then no pointer is used.
template <class... To, class... From>
int call_from_c(int (*routine)(To...), From... x) {
  int missing = 0, i = 0;
  std::int64_t batch_count = 0;
  const auto look_at = [&](auto argument, bool is_missing) {
    ++i;
    if (is_missing && missing == 0) missing = i;
    if constexpr (std::is_same_v<decltype(argument), std::int64_t>) batch_count = argument;
  };
  (look_at(x, is_missing_number<To>(x)), ...);
  if (missing == 0 || batch_count <= 0) return routine(from_c<To>(x)...);
  const auto without_queue = [](auto argument) {  // an illegal queue: the routine only checks its arguments
    if constexpr (std::is_same_v<decltype(argument), queue>) argument.where = static_cast<backend>(-1);
    return argument;
  };
  return std::max(routine(without_queue(from_c<To>(x))...), -missing);
}

/// Calls a function for scratch.
template <class... To, class... From>
std::size_t call_from_c(std::size_t (*work)(To...) noexcept, From... x) {
  return work(from_c<To>(x)...);
}

}  // namespace talus
