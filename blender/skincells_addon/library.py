"""Finds the Python package skincells: Blender 4.2 and later install the wheel inside this add-on; earlier ones do not,
so it is unpacked here."""

import importlib.util
import shutil
import sys
import zipfile
from pathlib import Path


def make_importable():
    if importlib.util.find_spec("skincells"):
        return
    folder = Path(__file__).parent
    wheels = sorted((folder / "wheels").glob("skincells-*.whl"))
    if not wheels:
        raise ImportError("the add-on has no wheel of skincells inside; build it with `make blender-addon`")
    unpacked = folder / "unpacked" / wheels[-1].stem
    if not unpacked.exists():
        shutil.rmtree(folder / "unpacked", ignore_errors=True)
        partial = unpacked.with_name("partial")
        with zipfile.ZipFile(wheels[-1]) as wheel:
            wheel.extractall(partial)
        partial.rename(unpacked)
    sys.path.insert(0, str(unpacked))
