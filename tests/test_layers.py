"""The layers, where import-linter cannot tell: what the rules need of a machine."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import grimp
import msgspec

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path[:0] = sys.argv[1:]
import engine
for module in pkgutil.walk_packages(engine.__path__, "engine."):
    importlib.import_module(module.name)
"""


def test_the_rules_need_only_msgspec_beside_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    bare = [sys.executable, "-I", "-S"]  # neither installed packages nor the working directory
    root = Path(__file__).parent.parent
    run = subprocess.run([*bare, "-c", IMPORT_ALL, root, tmp_path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_no_circle_of_imports_has_more_than_four_files() -> None:
    graph = grimp.build_graph("engine", "hardware", "firmware", cache_dir=None)  # imports for types, too
    circles = {
        frozenset({one, *graph.find_upstream_modules(one) & graph.find_downstream_modules(one)})
        for one in graph.modules
    }
    assert [sorted(circle) for circle in circles if len(circle) > 4] == []


MIRRORS = {"Answered", "Entered", "Filled", "Kit", "Lamps", "Name", "Race"}  # the same thing, beyond a layer


def test_the_name_of_a_class_says_which_one_it_is() -> None:
    """No two modules have a public class of one name, but for mirrors; games call the same thing the same."""
    root, names = Path(__file__).parent.parent, defaultdict[str, list[str]](list)
    for module in (path for top in ("engine", "firmware", "hardware") for path in sorted((root / top).rglob("*.py"))):
        if module.is_relative_to(root / "engine" / "games"):
            continue
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names[node.name].append(str(module.relative_to(root)))
    several = {name: where for name, where in names.items() if len(where) > 1}
    assert {name: where for name, where in several.items() if name not in MIRRORS} == {}
    assert set(several) >= MIRRORS
