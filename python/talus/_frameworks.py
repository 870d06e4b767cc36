"""Results in the framework of the arguments: what talus.linalg asks of PyTorch, CuPy, NumPy and others.

An argument is an array (*batch, m, n), or a list of arrays of different sizes. `framework_of` gives an object
with which talus.linalg is written once for both: `each` calls a function with the array, or with one array of
a list after the other.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import math
from typing import Any, Callable, NamedTuple, Sequence

Array = Any
Arrays = Any  # an array, or a list of arrays
Shape = tuple[int, ...]


class Space(NamedTuple):
    """What a new array takes. kind: "rows" or "columns", in which order matrices are stored, or "ints"."""

    kind: str
    shape: Shape
    strides: Shape


class Framework:
    """One framework's arrays. Every function here leaves memory alone but `conjugate` and `sums_of_squares`,
    and none waits for a GPU but `any`."""

    def each(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """function(self, *arguments). Of lists see class Lists."""
        return function(self, *arguments)

    def info(self, A: Array) -> Array:
        """One int32 for each matrix of A (*batch, m, n)."""
        return self.ints(A.shape[:-2], A)

    def beside(self, name: str, B: Array, A: Array) -> None:
        """Refuses what is not of the framework. Of type and device Talus's routines take care."""
        if framework_of(name, B) is not self:
            raise TypeError(f"{name}: is a {type(B).__name__}, and the first argument a {type(A).__name__}")

    def look_alike(self, name: str, B: Array, dtype: Any, A: Array) -> None:
        """Refuses also what is not of a type and on a device."""
        self.beside(name, B, A)
        if B.dtype != dtype:
            words = f"{name}: is of {B.dtype}, not of {dtype}"
            if name != "out" and not getattr(B.dtype, "isnative", True):
                words += f"; use .astype('{dtype}')"
            raise TypeError(words)
        if self.device(B) != self.device(A):
            raise ValueError(f"{name}: lives on {self.device(B)}, and the first argument on {self.device(A)}")

    def any(self, info: Array) -> bool:
        """Is one of them not zero?"""
        return bool(info.any())

    def to_list(self, info: Array) -> list[int]:
        found: list[int] = info.reshape(-1).tolist()
        return found

    def allocate(self, spaces: Sequence[Space], like: Array) -> list[Array]:
        """New arrays on the device of another one and, but for ints, of its type."""
        make = {"rows": self.empty, "columns": self.empty_columns, "ints": self.ints}
        return [make[space.kind](space.shape, like) for space in spaces]

    def empty(self, shape: Shape, like: Array) -> Array:
        """An array of the type and on the device of another one, stored row by row."""
        raise NotImplementedError

    def empty_columns(self, shape: Shape, like: Array) -> Array:
        """The same with matrices stored column by column."""
        return self.transposed(self.empty((*shape[:-2], shape[-1], shape[-2]), like))

    def ints(self, shape: Shape, like: Array) -> Array:
        """int32 on the same device."""
        raise NotImplementedError

    def int32(self, like: Array) -> Any:
        """The type."""
        raise NotImplementedError

    def transposed(self, A: Array) -> Array:
        """The last two dimensions exchanged, the same memory."""
        return A.swapaxes(-1, -2)

    def expanded(self, A: Array, shape: Shape) -> Array:
        """Repeated over dimensions in front, or of length 1, without being copied."""
        raise NotImplementedError

    def permuted(self, A: Array, axes: Sequence[int]) -> Array:
        """Returns a view with the dimensions in another order."""
        return A.transpose(axes)

    def reshaped(self, A: Array, shape: Shape) -> Array:
        """Returns a view of another shape, which merges neighbouring dimensions of one stride."""
        return A.reshape(shape)

    def conjugate(self, A: Array) -> Array:
        """In memory of its own."""
        return A.conj()

    def sums_of_squares(self, A: Array) -> Array:
        """Of the absolute values, along the rows (axis -2)."""
        raise NotImplementedError

    def is_complex(self, A: Array) -> bool:
        raise NotImplementedError

    def strides(self, A: Array) -> Shape | None:
        """In elements, or None if there is no telling."""
        raise NotImplementedError

    def is_regular(self, A: Array) -> bool:
        """True if DLPack can describe the array. The distance of elements in a field of packed records may be
        no multiple of their size."""
        return True

    def device(self, A: Array) -> Any:
        raise NotImplementedError

    def why_read_only(self, A: Array) -> str | None:
        """Returns the reason why the array cannot be written, or None."""
        return None

    def lower(self, A: Array) -> Array:
        """Returns the lower triangle, with zeros above it."""
        raise NotImplementedError

    def has_nan(self, A: Array) -> bool:
        return bool((A != A).any())

    def may_overlap(self, A: Array, B: Array) -> bool:
        """May a write to one change the other? Strides that keep them apart need not be looked at."""
        return A is B


class Torch(Framework):
    def __init__(self) -> None:
        torch = importlib.import_module("torch")
        self._int32 = torch.int32
        self._vector_norm = torch.linalg.vector_norm

    # Of the functions that allocate, new_empty_strided takes the least time.
    def allocate(self, spaces: Sequence[Space], like: Array) -> list[Array]:
        new, int32 = like.new_empty_strided, self._int32
        return [
            new(shape, strides, dtype=int32) if kind == "ints" else new(shape, strides)
            for kind, shape, strides in spaces
        ]

    def empty(self, shape: Shape, like: Array) -> Array:
        return like.new_empty_strided(shape, row_by_row(shape))

    def empty_columns(self, shape: Shape, like: Array) -> Array:
        return like.new_empty_strided(shape, column_by_column(shape))

    def ints(self, shape: Shape, like: Array) -> Array:
        return like.new_empty_strided(shape, row_by_row(shape), dtype=self._int32)

    def int32(self, like: Array) -> Any:
        return self._int32

    def expanded(self, A: Array, shape: Shape) -> Array:
        return A.expand(shape)

    def permuted(self, A: Array, axes: Sequence[int]) -> Array:
        return A.permute(axes)

    def conjugate(self, A: Array) -> Array:
        return A.conj().resolve_conj()

    def sums_of_squares(self, A: Array) -> Array:
        return self._vector_norm(A, dim=-2).square()

    def is_complex(self, A: Array) -> bool:
        return bool(A.is_complex())

    def strides(self, A: Array) -> Shape:
        return tuple(A.stride())

    def device(self, A: Array) -> Any:
        return A.device

    def why_read_only(self, A: Array) -> str | None:
        if A.requires_grad:
            return "requires a gradient; use tensor.detach()"
        if A.is_conj():
            return "is conjugated only when it is read; use tensor.resolve_conj()"
        return "is negated only when it is read; use tensor.resolve_neg()" if A.is_neg() else None

    def lower(self, A: Array) -> Array:
        return A.tril()

    def may_overlap(self, A: Array, B: Array) -> bool:
        return bool(A.untyped_storage().data_ptr() == B.untyped_storage().data_ptr())


class Numpy(Framework):
    """NumPy, and what has its functions."""

    def __init__(self, module: str = "numpy") -> None:
        self._module = importlib.import_module(module)
        self._empty = self._module.empty
        self._int32 = self._module.dtype("int32")

    def empty(self, shape: Shape, like: Array) -> Array:
        return self._empty(shape, like.dtype)

    def ints(self, shape: Shape, like: Array) -> Array:
        return self._empty(shape, self._int32)

    def int32(self, like: Array) -> Any:
        return self._int32

    def expanded(self, A: Array, shape: Shape) -> Array:
        return self._module.broadcast_to(A, shape)

    def sums_of_squares(self, A: Array) -> Array:
        return (A.real**2 + A.imag**2 if self.is_complex(A) else A**2).sum(-2)

    def is_complex(self, A: Array) -> bool:
        return bool(A.dtype.kind == "c")

    def strides(self, A: Array) -> Shape | None:
        size = A.itemsize
        return tuple(stride // size for stride in A.strides) if self.is_regular(A) else None

    def is_regular(self, A: Array) -> bool:
        bits = 0
        for stride in A.strides:
            bits |= stride
        return bits & (A.itemsize - 1) == 0  # sizes are powers of 2

    def device(self, A: Array) -> Any:
        return "cpu"

    def why_read_only(self, A: Array) -> str | None:
        return None if A.flags.writeable else "is read-only"

    def lower(self, A: Array) -> Array:
        return self._module.tril(A)

    def may_overlap(self, A: Array, B: Array) -> bool:
        return bool(self._module.may_share_memory(A, B))


class Cupy(Numpy):
    def __init__(self) -> None:
        super().__init__("cupy")

    def empty(self, shape: Shape, like: Array) -> Array:
        with like.device:
            return self._empty(shape, like.dtype)

    def ints(self, shape: Shape, like: Array) -> Array:
        with like.device:
            return self._empty(shape, self._int32)

    def device(self, A: Array) -> Any:
        return A.device

    def why_read_only(self, A: Array) -> str | None:
        return None


class ArrayApi(Framework):
    """Any other framework of the array API standard, in which A.mT and A[..., :k] share A's memory."""

    def any(self, info: Array) -> bool:
        return bool(info.__array_namespace__().any(info != 0))

    def to_list(self, info: Array) -> list[int]:
        flat = info.__array_namespace__().reshape(info, (-1,))
        return [int(flat[b]) for b in range(flat.shape[0])]

    def empty(self, shape: Shape, like: Array) -> Array:
        return like.__array_namespace__().empty(tuple(shape), dtype=like.dtype, device=like.device)

    def ints(self, shape: Shape, like: Array) -> Array:
        return like.__array_namespace__().empty(tuple(shape), dtype=self.int32(like), device=like.device)

    def int32(self, like: Array) -> Any:
        return like.__array_namespace__().int32

    def transposed(self, A: Array) -> Array:
        return A.mT

    def expanded(self, A: Array, shape: Shape) -> Array:
        return A.__array_namespace__().broadcast_to(A, tuple(shape))

    def permuted(self, A: Array, axes: Sequence[int]) -> Array:
        return A.__array_namespace__().permute_dims(A, tuple(axes))

    def reshaped(self, A: Array, shape: Shape) -> Array:
        return A.__array_namespace__().reshape(A, tuple(shape), copy=False)

    def conjugate(self, A: Array) -> Array:
        return A.__array_namespace__().conj(A)

    def sums_of_squares(self, A: Array) -> Array:
        xp = A.__array_namespace__()
        absolute = xp.abs(A)
        return xp.sum(absolute * absolute, axis=-2)

    def is_complex(self, A: Array) -> bool:
        return bool(A.__array_namespace__().isdtype(A.dtype, "complex floating"))

    def strides(self, A: Array) -> None:
        return None

    def lower(self, A: Array) -> Array:
        return A.__array_namespace__().tril(A)

    def has_nan(self, A: Array) -> bool:
        xp = A.__array_namespace__()
        return bool(xp.any(xp.isnan(A)))

    def device(self, A: Array) -> Any:
        return A.device


class Lists:
    """Lists of arrays of one framework."""

    def __init__(self, framework: Framework) -> None:
        self._framework = framework

    def each(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A list of function(framework, *arguments), where of arguments that are lists each call takes the
        next element. Of a function that returns a tuple, a tuple of lists. `out` alone may be no list, or of
        another length: the other arguments were looked at by `beside`."""
        length = len(arguments[0])
        of_each = []
        for argument in arguments:
            if not isinstance(argument, (list, tuple)):
                if hasattr(argument, "shape"):
                    raise TypeError("out: is no list, and the first argument is one")
                argument = itertools.repeat(argument)
            elif len(argument) != length:
                raise ValueError(f"out: holds {len(argument)} arrays, and the first argument {length}")
            of_each.append(argument)
        results = [function(self._framework, *of_one) for of_one in zip(*of_each)]
        return tuple(map(list, zip(*results))) if isinstance(results[0], tuple) else results

    def beside(self, name: str, B: Any, A: Sequence[Array]) -> None:
        if not isinstance(B, (list, tuple)):
            raise TypeError(f"{name}: is no list, and the first argument is one")
        if len(B) != len(A):
            raise ValueError(f"{name}: holds {len(B)} arrays, and the first argument {len(A)}")
        for b, a in zip(B, A):
            self._framework.beside(name, b, a)

    def info(self, A: Sequence[Array]) -> Array:
        return self._framework.ints((len(A),), A[0])


@functools.lru_cache
def row_by_row(shape: Shape) -> Shape:
    """The strides of an array without gaps."""
    strides, stride = [], 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= extent
    return tuple(reversed(strides))


@functools.lru_cache
def column_by_column(shape: Shape) -> Shape:
    """The same where the last two dimensions are stored in the other order."""
    *batch, m, n = shape
    *strides, of_columns, of_rows = row_by_row((*batch, n, m))
    return (*strides, of_rows, of_columns)


def by_rows(shape: Shape) -> Space:
    return Space("rows", shape, row_by_row(shape))


def by_columns(shape: Shape) -> Space:
    return Space("columns", shape, column_by_column(shape))


def int_vectors(shape: Shape) -> Space:
    return Space("ints", shape, row_by_row(shape))


def common_batch(name: str, of_B: Shape, of_A: Shape) -> Shape:
    """To what the dimensions of two batches are broadcast. A ValueError names the one of B."""
    length = max(len(of_A), len(of_B))
    padded = ((1,) * (length - len(of_A)) + tuple(of_A), (1,) * (length - len(of_B)) + tuple(of_B))
    for a, b in zip(*padded):
        if a != b and 1 not in (a, b):
            raise ValueError(f"{name}: its batch {tuple(of_B)} cannot be broadcast with {tuple(of_A)}")
    return tuple(b if a == 1 else a for a, b in zip(*padded))


class Repeats(NamedTuple):
    """Dimensions along which matrices A (*batch_A, m, n) are repeated when batch_A is broadcast to
    `batch`."""

    batch: Shape
    batch_A: Shape  # with as many dimensions, of length 1 where A is repeated
    own: Shape  # extents of the dimensions along which A changes
    repeated: Shape  # extents of the dimensions along which A is repeated
    order: tuple[int, ...]  # the dimensions of `batch` in this order
    distinct: int  # number of matrices A
    times: int  # number of times that each of them is repeated


@functools.lru_cache(maxsize=1024)
def repeats(shape_A: Shape, shape_B: Shape) -> Repeats | None:
    """Returns the Repeats of A beside B (*batch_B, m, nrhs), or None if no matrix of A is repeated, or if the
    batches cannot be broadcast."""
    of_A, of_B = tuple(shape_A[:-2]), tuple(shape_B[:-2])
    try:
        batch = common_batch("A", of_B, of_A)
    except ValueError:
        return None
    padded = (1,) * (len(batch) - len(of_A)) + of_A
    own = tuple(i for i, extent in enumerate(batch) if padded[i] == extent)
    repeated = tuple(i for i, extent in enumerate(batch) if padded[i] != extent)
    if not repeated or 0 in batch:
        return None
    extents = tuple(batch[i] for i in own), tuple(batch[i] for i in repeated)
    return Repeats(batch, padded, *extents, own + repeated, math.prod(extents[0]), math.prod(extents[1]))


def has_one_stride(batch: Shape, strides: Shape) -> bool:
    """Is each next matrix of a batch (or element) as far away as the one after it?"""
    expected = None
    for extent, stride in zip(reversed(batch), reversed(strides)):
        if extent == 1:
            continue
        if stride < 0 or expected not in (None, stride):
            return False
        expected = stride * extent
    return True


def is_by_columns(framework: Framework, A: Array) -> bool:
    """Is A (*batch, m, n) stored as Talus's routines take it? Its matrices may overlap, as those of a
    broadcast A."""
    shape, strides = A.shape, framework.strides(A)
    if strides is None:
        return False
    m, n = shape[-2:]
    if (m > 1 and strides[-2] != 1) or (n > 1 and strides[-1] < m):
        return False
    return len(shape) == 2 or has_one_stride(shape[:-2], strides[:-2])


JAX = object()  # stands for the framework whose arrays never change: talus.jax takes care of them

_CLASSES: dict[str, type[Framework]] = {"torch.Tensor": Torch, "numpy.ndarray": Numpy, "cupy.ndarray": Cupy}
_known: dict[type, Any] = {}  # so that an argument costs one look into a dictionary


@functools.cache
def _instance(name_of_class: str) -> Framework:
    return _CLASSES.get(name_of_class, ArrayApi)()


def _framework_of_type(kind: type) -> Any:
    found = _known.get(kind)
    if found is not None:
        return found
    for base in kind.__mro__:
        package = base.__module__.partition(".")[0]
        name = f"{package}.{base.__name__}"
        if package in ("jax", "jaxlib"):
            found = JAX
        elif name in _CLASSES:
            found = _instance(name)
        if found is not None:
            break
    else:
        if hasattr(kind, "__array_namespace__") and hasattr(kind, "__dlpack__"):
            found = _instance("of the array API standard")
    if found is not None:
        _known[kind] = found
    return found


def is_jax(A: Any) -> bool:
    return _framework_of_type(type(A)) is JAX


def framework_of(name: str, A: Any) -> Any:
    """The Framework of an array, JAX, or the Lists of a list. TypeError or ValueError names anything else."""
    framework = _known.get(type(A))
    if framework is not None:
        return framework
    if isinstance(A, (list, tuple)):
        return _framework_of_list(name, A)
    framework = _framework_of_type(type(A))
    if framework is None:
        raise TypeError(f"{name}: is a {type(A).__name__}, no array of a framework and no list of them")
    return framework


def _framework_of_list(name: str, A: Sequence[Any]) -> Lists:
    if not A:
        raise ValueError(f"{name}: is an empty list, of which nobody knows the framework")
    found = [_framework_of_type(type(each)) for each in A]
    for b, framework in enumerate(found):
        if framework is None or framework is JAX:
            raise TypeError(f"{name}: element {b} is a {type(A[b]).__name__}, which lists cannot hold here")
        if framework is not found[0]:
            raise TypeError(f"{name}: element {b} is not of the framework of those before it")
    return Lists(found[0])
