import os

# PyTorch, OpenBLAS and Talus share the cores; small matrices need few of them.
os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
import pytest
from helpers import FRAMEWORKS, Maker


@pytest.fixture(params=FRAMEWORKS)
def make(request):
    """A function from NumPy arrays to arrays of a framework on a device."""
    return Maker(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(1)
