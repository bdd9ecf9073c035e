"""The layers, where import-linter cannot tell: what the rules need of a machine."""

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import grimp
import msgspec

ROOT = Path(__file__).parent.parent
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
    run = subprocess.run([*bare, "-c", IMPORT_ALL, ROOT, tmp_path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_no_circle_of_imports_has_more_than_four_files() -> None:
    graph = grimp.build_graph("engine", "hardware", "firmware", cache_dir=None)  # imports for types, too
    circles = {
        frozenset({one, *graph.find_upstream_modules(one) & graph.find_downstream_modules(one)})
        for one in graph.modules
    }
    assert [sorted(circle) for circle in circles if len(circle) > 4] == []


@cache
def classes() -> tuple[tuple[str, ast.ClassDef], ...]:
    """All classes of the program, each with its module's file."""
    modules = [module for top in ("engine", "firmware", "hardware") for module in sorted((ROOT / top).rglob("*.py"))]
    nodes = ((module, node) for module in modules for node in ast.parse(module.read_text(encoding="utf-8")).body)
    return tuple((str(module.relative_to(ROOT)), node) for module, node in nodes if isinstance(node, ast.ClassDef))


def test_no_class_has_more_than_sixty_methods() -> None:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    many = [(sum(isinstance(one, kinds) for one in node.body), node.name, module) for module, node in classes()]
    assert [one for one in many if one[0] > 60] == []


MIRRORS = {"Answered", "Entered", "Filled", "Kit", "Lamps", "Name", "Race"}  # the same thing, beyond a layer


def test_the_name_of_a_class_says_which_one_it_is() -> None:
    """No two modules have a public class of one name, but for mirrors; games call the same thing the same."""
    names = defaultdict[str, list[str]](list)
    for module, node in classes():
        if not (module.startswith("engine/games/") or node.name.startswith("_")):
            names[node.name].append(module)
    several = {name: where for name, where in names.items() if len(where) > 1}
    assert ({name: several[name] for name in {*several} - MIRRORS}, MIRRORS - {*several}) == ({}, set())
