"""The house's ceilings: small modules, small functions, telling names."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path
    for folder in ("companion", "firmware", "hardware", "tests", "vision")
    for path in (ROOT / folder).rglob("*.py")
)
LONGEST_MODULE, LONGEST_FUNCTION = 400, 45
NO_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def long_functions(source: str) -> list[str]:
    """Return the functions of *source* whose code, docstring left out, is too long."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            if node.end_lineno - first.lineno >= LONGEST_FUNCTION:
                found.append(node.name)
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_small(module: Path) -> None:
    """What is longer is split by idea, not by size."""
    source = module.read_text()
    assert len(source.splitlines()) <= LONGEST_MODULE
    assert long_functions(source) == []
    assert module.stem not in NO_NAMES


def test_the_check_sees_a_long_function() -> None:
    """A function over the ceiling is named."""
    body = "    pass\n" * LONGEST_FUNCTION
    assert long_functions(f"def short():\n    pass\ndef long():\n{body}    pass\n") == ["long"]
