"""Reads the signatures of the Python package from the bindings in python/src, which needs no build.

A call of `def` (python/src/signature.hpp) names a routine, its parameters and their defaults:

    def(m, "potrf", potrf, "uplo"_a, "A"_a, "info"_a, nb::kw_only(), "A_from"_a = nb::none(), R"(docstring)")
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUTINE = re.compile(r'\bdef\(m, "(\w+)",\s*\w+,(.*?)R"\(', re.DOTALL)
PARAMETER = re.compile(r'"(\w+)"_a(?:\s*=\s*("\w*"|nb::none\(\)|[-\w.]+))?|nb::kw_only\(\)')


def signatures():
    """Returns {routine: its parameters in Python, "uplo, A, info, *, A_from=None, stream=None"}."""
    found = {}
    for path in sorted((ROOT / "python/src").glob("*.cpp")):
        for name, items in ROUTINE.findall(path.read_text()):
            found[name] = ", ".join(map(python, PARAMETER.finditer(items)))
    return found


def python(match):
    name, default = match.groups()
    if default is None:
        return name or "*"
    return f"{name}={'None' if default == 'nb::none()' else default.replace(chr(34), chr(39))}"
