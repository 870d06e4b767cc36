"""What the tests have in common: matrices, where they are stored, and how good a result is."""

import importlib

import numpy as np
import pytest

DTYPES = ["float32", "float64", "complex64", "complex128"]
BATCHES = [(), (3,), (2, 3), (0,)]
STORED = ["rows", "columns", "gaps"]


class Maker:
    """Arrays of one framework on one device."""

    def __init__(self, name):
        self.name = name
        package, _, self.device = name.partition("-")
        self.module = pytest.importorskip(package, reason=f"{package} is not installed")
        if self.device == "cuda" and not self.module.cuda.is_available():
            pytest.skip("PyTorch finds no GPU")
        if package == "cupy":
            try:
                self.module.cuda.runtime.getDeviceCount()
            except self.module.cuda.runtime.CUDARuntimeError:
                pytest.skip("CuPy finds no GPU")
        if self.device == "cuda" or package == "cupy":
            import talus

            if ", cuda" not in talus.configuration():
                pytest.skip("Talus was built without CUDA")

    def __call__(self, values, stored="rows"):
        """values, a NumPy array, in an array of the framework that is stored row by row, column by column, or
        with gaps in all directions."""
        values = np.asarray(values)
        if stored == "columns" and values.ndim > 1:
            return self._transposed(self._plain(values.swapaxes(-1, -2)))
        if stored == "gaps":
            room = self._plain(np.zeros([2 * extent for extent in values.shape], values.dtype))
            every_second = room[tuple(slice(min(1, extent), None, 2) for extent in values.shape)]
            every_second[...] = self._plain(values)
            return every_second
        return self._plain(values)

    def _plain(self, values):
        values = np.array(values, order="C")
        if self.name.startswith("torch"):
            return self.module.from_numpy(values).to(self.device)
        if self.name == "array_api_strict":
            return self.module.asarray(values, copy=True)
        return self.module.asarray(values)

    def _transposed(self, array):
        return array.mT if hasattr(array, "mT") else array.swapaxes(-1, -2)

    def numpy(self, array):
        if self.name.startswith("torch"):
            return array.detach().cpu().numpy()
        if self.name == "cupy":
            return self.module.asnumpy(array)
        return np.asarray(array)

    def is_of(self, array):
        """Is it an array of this framework, on this device?"""
        if self.name.startswith("torch"):
            return isinstance(array, self.module.Tensor) and array.device.type == self.device
        return type(array) is type(self._plain(np.zeros(1)))

    def strides(self, array):
        """In elements, or None if they mean nothing: the framework does not tell, or there are no
        elements."""
        if 0 in array.shape:
            return None
        if self.name.startswith("torch"):
            return array.stride()
        if self.name == "array_api_strict":
            return None
        return tuple(stride // array.itemsize for stride in array.strides)


FRAMEWORKS = ["numpy", "torch-cpu", "torch-cuda", "cupy", "array_api_strict"]


def rows_are_contiguous(make, A):
    strides = make.strides(A)
    return strides is None or A.shape[-1] < 2 or strides[-1] == 1


def columns_are_contiguous(make, A):
    strides = make.strides(A)
    return strides is None or A.shape[-2] < 2 or strides[-2] == 1


def random(rng, shape, dtype):
    values = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def positive_definite(rng, batch, n, dtype):
    A = random(rng, (*batch, n, n), dtype)
    return (A @ H(A) + n * np.eye(n)).astype(dtype)


def well_conditioned(rng, batch, n, dtype):
    return (random(rng, (*batch, n, n), dtype) + 2 * np.sqrt(n) * np.eye(n)).astype(dtype)


def H(A):
    return A.conj().swapaxes(-1, -2)


def wide(A):
    """In the larger type, for residuals."""
    return A.astype("complex128" if A.dtype.kind == "c" else "float64")


def norm1(A):
    return np.abs(A).sum(-2).max(-1, initial=0)


def assert_small(residual, *of, dtype):
    """||residual||_1 <= 30 n eps times the norms of what it came from, for each matrix."""
    scale = max(1, *residual.shape[-2:]) * np.finfo(dtype).eps
    for A in of:
        scale = scale * norm1(wide(A))
    assert np.all(norm1(residual) <= 30 * scale), float(np.max(norm1(residual) / np.maximum(scale, 1e-300)))


def module_or_skip(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
