"""The package's names, the stub of its extension module, and the refusals that all routines share.

The tests iterate over the routines that the extension module exports. GOOD needs an entry for each new name
of a parameter, unless the parameter has one int32 for each matrix."""

import ast
import copy
import importlib.util
import inspect
from pathlib import Path

import numpy as np
import pytest
import talus

HERE = Path(__file__).resolve().parent
ROUTINES = talus._talus.__all__


def stub():
    return ast.parse((Path(talus.__file__).parent / "_talus.pyi").read_text())


FUNCTIONS = {node.name: node for node in stub().body if isinstance(node, ast.FunctionDef)}
ALIASES = {ast.unparse(node.targets[0]): node.value for node in stub().body if isinstance(node, ast.Assign)}
WORDS = {name for name, value in ALIASES.items() if ast.unparse(value).startswith("Literal[")}


def parameters(routine):
    """Returns {name: (its type, its default or None)} of a routine, from the stub."""
    arguments = FUNCTIONS[routine].args
    found = [*arguments.args, *arguments.kwonlyargs]
    missing = [None] * (len(arguments.args) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults, *arguments.kw_defaults]
    return {
        each.arg: (each.annotation and ast.unparse(each.annotation), default and ast.unparse(default))
        for each, default in zip(found, defaults)
    }


def matrix():
    """Returns a positive definite matrix, stored column by column."""
    return np.asfortranarray(np.ones((2, 2)) + 3 * np.eye(2))


# A legal argument of each name, for matrices of order 2. Positive definite matrices suit all routines.
GOOD = {
    **dict.fromkeys(("A", "B", "C", "R", "A11", "A12", "A21", "A22", "A_from", "B_from"), matrix),
    **dict.fromkeys(("x", "y", "tau"), lambda: np.zeros(2)),
    **dict.fromkeys(("op", "op_A", "op_B"), lambda: "none"),
    **dict.fromkeys(("alpha", "beta"), lambda: 1.0),
    "uplo": lambda: "lower",
    "side": lambda: "left",
    "diag": lambda: "non_unit",
    "form": lambda: "lapack",
    "schur": lambda: "subtract",
    "k": lambda: 2,
    "ipiv": lambda: np.array([1, 2], np.int32),
    "pivot_floor": lambda: 0.5,
    "pivot_floor_array": lambda: np.full((), 0.5),
    "part": lambda: "lower",
    "stream": lambda: 0,
}


def arguments(routine, all_of_them=True):
    """Returns legal arguments of a routine by name: all, or those without a default."""
    types = parameters(routine)
    names = [name for name, (_, default) in types.items() if all_of_them or default is None]
    found = {name: GOOD.get(name, lambda: np.zeros((), np.int32))() for name in names}
    if any(hint.startswith("Sequence") for hint, _ in types.values()):  # only lists are legal
        for name in found:
            if "_Array" in types[name][0]:
                found[name] = [found[name]] if name != "info" else np.zeros(1, np.int32)
    return found


def call(routine, by_name):
    keyword_only = {each.arg for each in FUNCTIONS[routine].args.kwonlyargs}
    keywords = {name: value for name, value in by_name.items() if name in keyword_only}
    getattr(talus, routine)(
        *(value for name, value in by_name.items() if name not in keyword_only), **keywords
    )


def test_names():
    assert sorted(talus.__all__) == sorted(["LinAlgError", "__version__", "linalg", "show_config", *ROUTINES])
    for name in talus.__all__:
        assert hasattr(talus, name) and name in dir(talus)
    assert "potrf" in ROUTINES and "configuration" not in ROUTINES
    for name in ROUTINES:
        assert getattr(talus, name) is getattr(talus._talus, name)


def test_stub_has_the_names():
    assert set(FUNCTIONS) == {*ROUTINES, "configuration"}
    (names,) = [
        node.value
        for node in stub().body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "__all__"
    ]
    assert ast.literal_eval(names) == ROUTINES


@pytest.mark.parametrize("routine", ROUTINES)
def test_stub_has_types(routine):
    """The stub has the parameters of the function, each with a type that it defines, and the docstring."""
    defined = {*ALIASES, "_Array", "Sequence[_Array]", "float", "complex", "None"}
    for name, (hint, _) in parameters(routine).items():
        assert {*hint.split(" | ")} <= defined, f"{name}: {hint}"
    signature, _, docstring = getattr(talus, routine).__doc__.partition("\n\n")
    assert signature.replace(" = ", "=") == f"{routine}({ast.unparse(FUNCTIONS[routine].args)}) -> None"
    assert docstring and inspect.cleandoc(ast.get_docstring(FUNCTIONS[routine])) == docstring


def test_signatures_of_the_reference():
    """docs/site reads the signatures from the sources of the bindings."""
    spec = importlib.util.spec_from_file_location("bindings", HERE.parents[1] / "docs/site/bindings.py")
    bindings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bindings)
    functions = {node.name: node.args for node in stub().body if isinstance(node, ast.FunctionDef)}
    for function in functions.values():
        for each in (*function.args, *function.kwonlyargs):
            each.annotation = None
    assert bindings.signatures() == {name: ast.unparse(functions[name]) for name in ROUTINES}


def test_each_routine_has_a_low_level_test():
    """test_low_level.py and test_low_level_<family>.py call the routines."""
    trees = [ast.parse(path.read_text()) for path in HERE.glob("test_low_level*.py")]
    called = {
        ast.unparse(node.func) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)
    }
    assert [name for name in ROUTINES if f"talus.{name}" not in called] == []


@pytest.mark.parametrize("routine", ROUTINES)
def test_legal_arguments(routine):
    call(routine, arguments(routine))
    call(routine, arguments(routine, all_of_them=False))


def illegal(hint):
    """Returns arguments that no routine accepts for a parameter with this type."""
    if hint in ("float", "complex"):  # pivot_floor; alpha and beta of real matrices
        return [float("nan") if hint == "float" else 1j]
    if hint in WORDS:
        return ["neither"]
    return [object()] if "None" in hint else [object(), None]


@pytest.mark.parametrize(("routine", "name"), [(r, name) for r in ROUTINES for name in parameters(r)])
def test_refusals(routine, name):
    """An illegal argument raises an exception that begins with its name, and no array is changed."""
    for value in illegal(parameters(routine)[name][0]):
        by_name = {**arguments(routine), name: value}
        before = {other: copy.deepcopy(each) for other, each in by_name.items() if other != name}
        with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
            call(routine, by_name)
        for other, each in before.items():
            assert np.array_equal(each, by_name[other]), other
