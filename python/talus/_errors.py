"""What the functions of talus.linalg and talus.torch say where they refuse an argument or a matrix failed."""

from __future__ import annotations

import re
from typing import Any, Callable

from talus._frameworks import Array, Arrays, Shape, framework_of


_bases: tuple[type[Exception], ...] = (RuntimeError,)
try:
    from numpy.linalg import LinAlgError as LinAlgErrorOfNumpy

    _bases = (LinAlgErrorOfNumpy, *_bases)
except ImportError:
    pass


class LinAlgError(*_bases):  # type: ignore[misc]
    """A matrix of the batch failed. `info`: what the routine says of each matrix, as the `_ex` form returns
    it. Where NumPy is installed, it is a numpy.linalg.LinAlgError, too."""

    __module__ = "talus"

    def __init__(self, message: str, info: Array) -> None:
        super().__init__(message, info)  # both, for copies and pickles
        self.info = info

    def __str__(self) -> str:
        return str(self.args[0])


NOT_POSITIVE = "is not positive definite: its leading minor of order {j} is not > 0"
HAS_NAN = "has a NaN in the {triangle} triangle of its first {j} rows and columns"
NOT_POSITIVE_OR_NAN = "is not positive definite or has a NaN: its leading minor of order {j} is not > 0"
NO_FACTOR = "is no Cholesky factor: its diagonal element {j} is not > 0"
SINGULAR = "is singular: U({j}, {j}) is zero or NaN"
NOT_OF_FULL_RANK = "does not have full rank: R({j}, {j}) is zero or NaN"

# What exceptions of the routines call an argument, and what it is called here.
OF_A = {"A_from": "A"}
OF_A_AND_B = {"A_from": "A", "B_from": "B"}
OF_L = {"A_from": "L", "A": "L", "B_from": "B"}
OF_LU = {"A": "LU", "ipiv": "pivots", "B_from": "B"}
OF_FACTORED_A = {"LU": "A"}
OF_B = {"B_from": "B"}


def shape_of(name: str, A: Array) -> Shape:
    """Of matrices."""
    return at_least_2(A.shape, name)


def at_least_2(shape: Shape, name: str = "A") -> Shape:
    if len(shape) < 2:
        raise ValueError(f"{name}: has {len(shape)} dimensions, not 2 or more")
    return shape


def check_square(name: str, A: Array) -> None:
    """Before A is transposed: what Talus's routines say of its transpose nobody would understand."""
    m, n = shape_of(name, A)[-2:]
    if m != n:
        raise ValueError(f"{name}: has {m} rows, and {n} columns")


def call(names: dict[str, str], routine: Callable[..., None], *arguments: Any, **sources: Any) -> None:
    """routine(*arguments), whose exceptions call its arguments by other names. It takes half a microsecond
    more than the routine, which shows in calls on one small matrix: the most frequent ones do without."""
    try:
        routine(*arguments, **sources)
    except (TypeError, ValueError) as error:
        raise renamed(error, names) from None


def renamed(error: Exception, names: dict[str, str]) -> Exception:
    words = re.sub(rf"\b({'|'.join(names)})\b", lambda name: names[name[0]], str(error))
    return type(error)(words)


def raise_if_failed(routine: str, info: Array, what: str | Callable[[tuple[int, ...], int], str]) -> None:
    """Returns a LinAlgError that names the first matrix with an info j other than 0, and explains j: `what`,
    or what(index of the matrix, j)."""
    framework = framework_of("info", info)
    if not framework.any(info):
        return
    of_each = framework.to_list(info)
    first = next(b for b, j in enumerate(of_each) if j != 0)
    batch, j = tuple(info.shape), of_each[first]
    index: tuple[int, ...] = ()
    rest = first
    for extent in reversed(batch):
        rest, i = divmod(rest, extent)
        index = (i, *index)
    if len(batch) == 0:
        which = "the matrix"
    elif len(batch) == 1:
        which = f"matrix {first} of {batch[0]}"
    else:
        which = f"matrix {index}"
    words = what.format(j=j) if isinstance(what, str) else what(index, j)
    raise LinAlgError(f"{routine}: {which} {words}", info)


def why_not_positive(A: Arrays, upper: bool, is_overwritten: bool) -> Callable[[tuple[int, ...], int], str]:
    """Explains an info of cholesky to raise_if_failed: a NaN in the triangle that was read, or a minor that
    is not > 0."""

    def why(index: tuple[int, ...], j: int) -> str:
        if is_overwritten:
            return NOT_POSITIVE_OR_NAN.format(j=j)
        matrix = A[index[0]] if isinstance(A, (list, tuple)) else A[(*index, ...)]
        f = framework_of("A", matrix)
        minor = (f.transposed(matrix) if upper else matrix)[:j, :j]
        if f.has_nan(f.lower(minor)):
            return HAS_NAN.format(j=j, triangle="upper" if upper else "lower")
        return NOT_POSITIVE.format(j=j)

    return why
