"""Runs the examples of the docstrings, and those of docs/python.md.

Usage: doctests.py CHARACTER PAGE     (with PYTHONPATH and SKINCELLS_LIBRARY set)
"""

import doctest
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import sys
import tempfile
from pathlib import Path

import skincells

MODULES = [skincells, *(importlib.import_module("skincells." + module.name)
                        for module in pkgutil.iter_modules(skincells.__path__))]


def run_page(page):
    """Every Python block of the page, in one namespace, in its order."""
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks, "the page has no Python"
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    return len(blocks)


def undocumented():
    """Public functions, classes, methods and properties without a runnable example."""
    for name in skincells.__all__:
        thing = getattr(skincells, name)
        members = [key for key, value in vars(thing).items() if not key.startswith("_")
                   and (inspect.isfunction(value) or isinstance(value, (classmethod, property)))
                   ] if isinstance(thing, type) else []
        for path, found in [(name, thing), *((f"{name}.{key}", getattr(thing, key)) for key in members)]:
            if ">>>" not in (found.__doc__ or ""):
                yield path


def in_fresh_folder(character, work):
    """Runs the work in an empty folder with the character in it."""
    with tempfile.TemporaryDirectory(prefix="skincells_doctest_") as folder:
        shutil.copy(character, Path(folder) / "character.glb")
        os.chdir(folder)
        try:
            return work()
        finally:
            os.chdir("/")


def main(character, page):
    character, text = Path(character).resolve(), Path(page).read_text(encoding="utf-8")
    blocks = in_fresh_folder(character, lambda: run_page(text))
    failed = in_fresh_folder(character, lambda: sum(doctest.testmod(module).failed for module in MODULES))
    missing = list(undocumented())
    print(f"{failed} examples failed, {blocks} blocks of the page ran; without an example: {missing}")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
