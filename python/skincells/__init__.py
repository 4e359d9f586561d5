"""Automatic skinning weights, in process.

>>> import skincells as sc
>>> character = sc.Character.load("character.glb")
>>> result = sc.bind(character, max_influences=4)
>>> result.save("skinned.glb", force=True)

Or with arrays: ``sc.bind(vertices, faces, joints=..., parents=..., names=...)``. Calls may run in any number of
threads, and release the GIL.
"""

from ._character import Character
from ._field import Field
from ._functions import (bind, bind_file, check, compare, lod, render, run, transfer)
from ._library import Error, object_count, version
from ._options import Option, options
from ._progress import Progress
from ._result import Result, ResultWarning
from ._verdict import Finding, Verdict

__version__ = version()
__all__ = ["Character", "Error", "Field", "Finding", "Option", "Progress", "Result", "ResultWarning", "Verdict",
           "bind", "bind_file", "check", "compare", "lod", "object_count", "options", "render", "run", "transfer",
           "version"]
