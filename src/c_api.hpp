// What the C names of the routines are made of, in the one precision that a file is compiled for. They
// stand in the routines' own files, TALUS_NAME(potrf_batched) and so on; talus/talus.h declares them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "talus/talus.h"
#include "talus/types.hpp"

namespace talus {

inline uplo to_uplo(int letter) {  // A value that does not fit a char must not turn into a legal letter.
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

}  // namespace talus

#define TALUS_JOIN_(s, name) talus_##s##name
#define TALUS_JOIN(s, name) TALUS_JOIN_(s, name)
#define TALUS_NAME(name) TALUS_JOIN(TALUS_PREFIX, name)

// Whether the precision is complex, for #if: some C names are LAPACK's of complex numbers alone.
#define TALUS_IS_COMPLEX_s 0
#define TALUS_IS_COMPLEX_d 0
#define TALUS_IS_COMPLEX_c 1
#define TALUS_IS_COMPLEX_z 1
#define TALUS_IS_COMPLEX_OF_(s) TALUS_IS_COMPLEX_##s
#define TALUS_IS_COMPLEX_OF(s) TALUS_IS_COMPLEX_OF_(s)
#define TALUS_IS_COMPLEX TALUS_IS_COMPLEX_OF(TALUS_PREFIX)
