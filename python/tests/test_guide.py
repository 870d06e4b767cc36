"""The guide's examples, each in a process of its own. They check their results themselves."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import talus

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples/guide").glob("*.py"))


def has_gpu() -> bool:
    smi = shutil.which("nvidia-smi")
    return smi is not None and subprocess.run([smi, "-L"], capture_output=True).returncode == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_example(example):
    for package in re.findall(r"^import (\w+)", example.read_text(), re.MULTILINE):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    if example.stem.startswith("gpu_") and not (has_gpu() and "cuda" in talus.configuration()):
        pytest.skip("there is no GPU, or Talus was built without CUDA")
    paths = [str(Path(talus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)))
    done = subprocess.run([sys.executable, example], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
