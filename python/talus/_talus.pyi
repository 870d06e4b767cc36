from typing import Any, Literal, Optional, Protocol, Sequence, Union

class _Array(Protocol):
    """What speaks DLPack."""

    def __dlpack__(self, *arguments: Any, **keywords: Any) -> Any: ...
    def __dlpack_device__(self) -> Any: ...

class _Stream(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...

_Arrays = Union[_Array, Sequence[_Array]]  # matrices of different sizes are a list of arrays
_Sizes = Union[int, Sequence[int]]
_StreamLike = Union[int, _Stream]
_Uplo = Literal["lower", "upper", "L", "U"]
_Op = Literal["none", "trans", "conj_trans", "N", "T", "C"]
_Side = Literal["left", "right", "L", "R"]
_Diag = Literal["non_unit", "unit", "N", "U"]
_Form = Literal["lapack", "left", "F", "I"]
_Schur = Literal["subtract", "product", "S", "P"]
_Part = Literal["all", "lower", "upper", "mirror_lower", "mirror_upper"]

__version__: str

def configuration() -> str: ...

# Cholesky
def potrf(
    uplo: _Uplo,
    A: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def potrs(
    uplo: _Uplo,
    A: _Arrays,
    B: _Arrays,
    info: _Array,
    *,
    B_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def posv(
    uplo: _Uplo, A: _Arrays, B: _Arrays, info: _Array, *, stream: Optional[_StreamLike] = None
) -> None: ...
def potri(
    uplo: _Uplo,
    A: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def potrf_partial(
    uplo: _Uplo, k: _Sizes, A: _Arrays, info: _Array, *, stream: Optional[_StreamLike] = None
) -> None: ...
def potrf_partial_split(
    uplo: _Uplo,
    A11: _Arrays,
    A21: _Arrays,
    A22: _Arrays,
    info: _Array,
    *,
    stream: Optional[_StreamLike] = None,
) -> None: ...

# LU
def getrf(
    A: _Arrays,
    ipiv: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getrf_nopiv(
    A: _Arrays,
    info: _Array,
    *,
    pivot_floor: float = 0.0,
    pivot_floor_array: Optional[_Array] = None,
    replaced: Optional[_Array] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getrs(
    op: _Op,
    A: _Arrays,
    ipiv: _Arrays,
    B: _Arrays,
    info: Optional[_Array],
    *,
    B_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getrs_nopiv(
    op: _Op, A: _Arrays, B: _Arrays, info: Optional[_Array], *, stream: Optional[_StreamLike] = None
) -> None: ...
def gesv(
    A: _Arrays,
    ipiv: _Arrays,
    B: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    B_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getri(
    A: _Arrays, ipiv: _Arrays, info: Optional[_Array], *, stream: Optional[_StreamLike] = None
) -> None: ...
def getri_outofplace(
    A: _Arrays, ipiv: _Arrays, C: _Arrays, info: Optional[_Array], *, stream: Optional[_StreamLike] = None
) -> None: ...
def getrf_partial(
    k: _Sizes, A: _Arrays, ipiv: _Arrays, info: _Array, *, stream: Optional[_StreamLike] = None
) -> None: ...
def getrf_partial_nopiv(
    k: _Sizes,
    A: _Arrays,
    info: _Array,
    *,
    pivot_floor: float = 0.0,
    pivot_floor_array: Optional[_Array] = None,
    replaced: Optional[_Array] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getrf_partial_split(
    form: _Form,
    schur: _Schur,
    A11: _Arrays,
    A12: _Arrays,
    A21: _Arrays,
    A22: _Arrays,
    ipiv: _Arrays,
    info: _Array,
    *,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def getrf_partial_split_nopiv(
    form: _Form,
    schur: _Schur,
    A11: _Arrays,
    A12: _Arrays,
    A21: _Arrays,
    A22: _Arrays,
    info: _Array,
    *,
    pivot_floor: float = 0.0,
    pivot_floor_array: Optional[_Array] = None,
    replaced: Optional[_Array] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...

# QR
def geqrf(
    A: _Arrays,
    tau: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def ormqr(
    side: _Side,
    op: _Op,
    A: _Arrays,
    tau: _Arrays,
    C: _Arrays,
    info: Optional[_Array],
    *,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def orgqr(
    A: _Arrays, tau: _Arrays, info: Optional[_Array], *, stream: Optional[_StreamLike] = None
) -> None: ...
def gels(op: _Op, A: _Arrays, B: _Arrays, info: _Array, *, stream: Optional[_StreamLike] = None) -> None: ...
def qr(
    A: _Arrays,
    R: _Arrays,
    info: _Array,
    *,
    A_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...

# BLAS
def trsm(
    side: _Side,
    uplo: _Uplo,
    op: _Op,
    diag: _Diag,
    alpha: complex,
    A: _Arrays,
    B: _Arrays,
    info: Optional[_Array] = None,
    *,
    B_from: Optional[_Arrays] = None,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def gemm(
    op_A: _Op,
    op_B: _Op,
    alpha: complex,
    A: Sequence[_Array],
    B: Sequence[_Array],
    beta: complex,
    C: Sequence[_Array],
    info: Optional[_Array] = None,
    *,
    stream: Optional[_StreamLike] = None,
) -> None: ...
def gemv(
    op: _Op,
    alpha: complex,
    A: Sequence[_Array],
    x: Sequence[_Array],
    beta: complex,
    y: Sequence[_Array],
    info: Optional[_Array] = None,
    *,
    stream: Optional[_StreamLike] = None,
) -> None: ...

# Layouts
def copy(A: _Arrays, B: _Arrays, part: _Part = "all", *, stream: Optional[_StreamLike] = None) -> None: ...
