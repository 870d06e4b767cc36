# A pattern file of nanobind.stubgen: the definitions of the types that signature.hpp names.
_talus.__prefix__:
    \from typing import Any, Literal, Protocol, Sequence, Union

    class _Array(Protocol):
        """An array that supports DLPack."""

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

# stubgen leaves out the version.
_talus.__version__:
    __version__: str
