"""The house's ceilings: small modules, small functions, telling names."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "firmware", "hardware", "rendering", "tests", "training", "vision")
LONGEST_MODULE, LONGEST_FUNCTION = 400, 45
NO_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
RETIRED = {
    "AGAINS": "MAX_RESEND_REQUESTS",
    "Glance": "PreviewFrame",
    "Glimpses": "SideObservations",
    "Lesson": "CalibrationResult",
    "Likeness": "Similarity",
    "REFERENCE_RISE_PX": "REFERENCE_PIXELS_PER_LEVEL",
    "RISE_RANGE_PX": "PIXELS_PER_LEVEL_RANGE",
    "UNTAUGHT": "NOT_CALIBRATED",
    "UNTOLD": "TELEMETRY_OFF",
    "WIDER": "STRETCH",
    "_agains": "_resend_requests",
    "_drop_odd": "_drop_outliers",
    "_hear_board": "_handle_board",
    "_heard_us": "_last_received_us",
    "_oddness": "_pair_misalignment_deg",
    "_promise": "_detection_score",
    "_summit": "interpolate_peak",
    "believe": "set_reference",
    "imagine": "simulate_condition",
    "is_steady": "is_stable",
    "liker": "more similar",
    "likest": "most similar",
    "try_out": "check_calibration",
}
"""Private words that went, and what the field says."""


def faults(module: Path) -> Iterator[str]:
    """Yield what is too long or untelling in *module*; a function's docstring does not count."""
    source = module.read_text()
    if module.stem in NO_NAMES:
        yield "its name tells nothing"
    if (lines := len(source.splitlines())) > LONGEST_MODULE:
        yield f"{lines} lines, at most {LONGEST_MODULE}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            if node.end_lineno - first.lineno >= LONGEST_FUNCTION:
                yield f"{node.name} is longer than {LONGEST_FUNCTION} lines"


def imported_tests(source: str) -> Iterator[str]:
    """Yield the modules of tests that *source* imports."""
    for node in ast.walk(ast.parse(source)):
        named: list[str] = []
        if isinstance(node, ast.Import):
            named = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            named = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        yield from (
            each
            for each in named
            if each.startswith("tests.") and each.rpartition(".")[2].startswith("test_")
        )


def test_modules_and_functions_stay_small() -> None:
    """What is longer is split by idea, not by size."""
    modules = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(modules) > 500
    assert [f"{path.relative_to(ROOT)}: {each}" for path in modules for each in faults(path)] == []


def test_each_ceiling_is_seen(tmp_path: Path) -> None:
    """A long module, a long function and a name that tells nothing are each named."""
    body = "    pass\n" * LONGEST_FUNCTION
    module = tmp_path / "utils.py"
    module.write_text(f"def short():\n    pass\ndef long():\n{body}    pass\n" + "\n" * 400)
    assert list(faults(module)) == [
        "its name tells nothing",
        "449 lines, at most 400",
        "long is longer than 45 lines",
    ]


def retired_names(source: str) -> set[str]:
    """Return the names in *source*, defined, imported or used, that RETIRED replaces."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                names.add(name)
            case ast.keyword(arg=str(name)):
                names.add(name)
            case _:
                pass
    return names & RETIRED.keys()


def test_retired_names_do_not_come_back() -> None:
    """A private word that became the field's word stays that."""
    found = {
        str(path.relative_to(ROOT)): {name: RETIRED[name] for name in names}
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (names := retired_names(path.read_text()))
    }
    assert found == {}


def test_a_retired_name_is_seen() -> None:
    """Defined, imported, used as an attribute or a keyword; not in a text."""
    source = "from a import imagine\nb.UNTAUGHT\nc(WIDER=1)\ndef _summit(likest): 'UNTOLD'\n"
    assert retired_names(source) == {"imagine", "UNTAUGHT", "WIDER", "_summit", "likest"}
    assert retired_names("class Likeness: pass") == {"Likeness"}


def test_modules_of_tests_are_imported_by_nobody() -> None:
    """What several tests need is in a module of its own, named by its idea, or a fixture."""
    modules = sorted((ROOT / "tests").rglob("*.py"))
    found = {path.relative_to(ROOT): list(imported_tests(path.read_text())) for path in modules}
    assert {path: each for path, each in found.items() if each} == {}


def test_each_import_of_tests_is_seen() -> None:
    """Whether the module is named first or last, and wherever the import stands."""
    source = (
        "import tests.test_a\nfrom tests.test_b import c\ndef d():\n    from tests import test_e"
    )
    assert list(imported_tests(source)) == ["tests.test_a", "tests.test_b", "tests.test_e"]
    assert list(imported_tests("import test_tools\nfrom tests.referee import entering")) == []
