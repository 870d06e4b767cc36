"""Talus: Cholesky, LU and QR of very many small matrices at once, on CPUs and on NVIDIA GPUs.

`talus.linalg` has the names and shapes of torch.linalg. The other functions are Talus's routines by LAPACK's
names: they work in place on arrays of any framework that speaks DLPack, allocate nothing and return nothing.
Their arguments are LAPACK's without sizes and leading dimensions, which arrays know.

* Arrays of a call are of one type, float32, float64, complex64 or complex128, on one device; `ipiv`, `info`,
  `replaced` are int32. Matrices are (*batch, m, n), ipiv and tau (*batch, k), info (*batch,), with the same
  batch.
* Matrices are stored column by column: of stride 1 along rows (axis -2), as `numpy.empty((batch, n,
  m)).swapaxes(-1, -2)` is. Row by row are served where transposition allows: potrf, potri, potrf_partial, and
  potrs and posv of real matrices.
* A list of arrays (m, n) in place of an array is a batch of matrices of different sizes.
* On a GPU, work is queued on the framework's current stream, or on `stream` (an int that is a cudaStream_t).
* TypeError and ValueError begin with the name of the argument that is refused; then nothing was touched.

`talus.torch` (custom operators with derivatives) and `talus.jax` are imported by those who have these
frameworks.
"""

from typing import TYPE_CHECKING

from talus import _talus
from talus import linalg as linalg
from talus._talus import *  # noqa: F403  the routines, which the extension module lists in its __all__
from talus._talus import __version__ as __version__
from talus._talus import configuration
from talus.linalg import LinAlgError as LinAlgError


def show_config() -> None:
    """Prints how Talus was built: version, commit, backends, precisions, tables of tuned kernels."""
    print(configuration())


# mypy reads only literal lists. Without __all__, type checkers export the routines and each `X as X` above.
if not TYPE_CHECKING:
    __all__ = ["LinAlgError", "__version__", "linalg", "show_config", *_talus.__all__]
del TYPE_CHECKING
