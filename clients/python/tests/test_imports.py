"""The modules of the package import each other in one direction, types included."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def imports_of(file: Path, modules: set[str]) -> set[str]:
    """The modules of the package that `file` imports, also where only a type checker sees it."""
    package = name_of(file).split(".") if file.stem == "__init__" else name_of(file).split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = package[: len(package) - node.level + 1] if node.level > 0 else []
        target = ".".join([*base, *(node.module.split(".") if node.module else [])])
        found |= {target, *(f"{target}.{alias.name}" for alias in node.names)}
    return found & modules


def test_no_modules_import_each_other() -> None:
    files = list(SOURCE.rglob("*.py"))
    modules = {name_of(file) for file in files}
    # Raises `CycleError` with the modules of a cycle.
    order = list(TopologicalSorter({name_of(file): imports_of(file, modules) for file in files}).static_order())
    assert order.index("plimsoll.errors") < order.index("plimsoll.answers") < order.index("plimsoll")
