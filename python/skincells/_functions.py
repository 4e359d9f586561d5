"""The functions of the package."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_int32
from typing import Any, Dict, Optional, Sequence, Union

from . import _library as lib
from ._character import Character, PathLike
from ._field import Field
from ._options import joined, made_options
from ._progress import Control, ProgressLike
from ._result import Result, character_of

Skinned = Union[Character, Result]


def bind(vertices: Any, faces: Any = None, *, joints: Any = None, parents: Any = None,
         names: Optional[Sequence[str]] = None, matrices: Any = None, weights: Any = None, name: str = "character",
         progress: ProgressLike = None, threads: int = 0, **options: Any) -> Result:
    """Computes weights for a mesh, or for a `Character`, which takes the same arrays. Options: ``options("bind")``.

    progress: a function that is called with a Progress and returns False to stop, or True for a bar on stderr. Ctrl+C
    stops, too. threads: most threads in use by all calls of the process; 0: no limit.

    >>> import numpy as np, skincells as sc
    >>> ring = np.arange(8) * np.pi / 4
    >>> v = np.array([[np.cos(a), y, np.sin(a)] for y in range(9) for a in ring])
    >>> f = [[r * 8 + s, r * 8 + 8 + s, r * 8 + (s + 1) % 8] for r in range(8) for s in range(8)]
    >>> result = sc.bind(v, f, joints=[[0, 0, 0], [0, 4, 0]], parents=[-1, 0], names=["hip", "knee"], quality="draft")
    >>> int(result.indices[0, 0]), int(result.indices[-1, 0]), result.field.names
    (0, 1, ['hip', 'knee'])
    """
    if isinstance(vertices, (Character, Result)):
        character = character_of(vertices, "vertices")
    else:
        character = Character(vertices, faces, joints=joints, parents=parents, names=names, matrices=matrices,
                              weights=weights, name=name)
    handle = made_options("bind", options)
    return Result(Control(progress, threads).made("bind", character._handle.value, handle.value))


def run(job: str, *, progress: ProgressLike = None, threads: int = 0, **options: Any) -> Any:
    """Runs a command of the program on files: "bind", "apply", "transfer", "inspect", "check", "compare", "lod",
    "pose", "render", "report" or "view". Files are options, too: ``options(job + "_job")`` lists them. Returns its
    document as a dict, or the HTML page of "view".

    >>> import skincells as sc
    >>> sc.run("inspect", input="character.glb")["command"]
    'inspect'
    """
    handle = made_options(f"{job}_job", options)
    document = lib.bytes_of(Control(progress, threads).made("run", handle.value)).decode()
    return json.loads(document) if document.startswith("{") else document


def bind_file(input: PathLike, output: PathLike, *, progress: ProgressLike = None, threads: int = 0,
              **options: Any) -> Dict[str, Any]:
    """Reads a character, binds it and writes it, like `skincells bind`; returns the report.

    >>> import skincells as sc
    >>> report = sc.bind_file("character.glb", "skinned.glb", quality="draft", force=True)
    >>> report["stop_reason"] in ("done", "settled")
    True
    """
    return dict(run("bind", progress=progress, threads=threads, **_on_files(options, input=input, output=output)))


def transfer(source: Union[PathLike, Skinned], target: Union[PathLike, Skinned, Any], output: Optional[PathLike] = None,
             *, progress: ProgressLike = None, threads: int = 0, **options: Any) -> Union[Result, Dict[str, Any]]:
    """The weights of one character for the mesh of another. Characters or results in, a result out; files in, a file
    and its report out. A target without a skeleton (a trimesh, a pair of vertices and faces) takes the source's.

    >>> import skincells as sc
    >>> body = sc.bind(sc.Character.load("character.glb"), quality="draft").character
    >>> jacket = sc.transfer(body, (body.vertices * 1.01, body.faces))
    >>> jacket.weights.shape[0] == len(body.vertices)
    True
    """
    if _is_path(source) or _is_path(target):
        if output is None or not (_is_path(source) and _is_path(target)):
            raise lib.Error("invalid_argument", "source, target and output are all files, or none of them", "output")
        return dict(run("transfer", progress=progress, threads=threads,
                        **_on_files(options, source=source, target=target, output=output)))
    giver = character_of(source, "source")
    if isinstance(target, tuple) and len(target) == 2 or hasattr(target, "faces") and not isinstance(target, Character):
        mesh: Any = target
        vertices, faces = mesh if isinstance(mesh, tuple) else (mesh.vertices, mesh.faces)
        target = Character(vertices, faces, matrices=giver.matrices, parents=giver.parents, names=giver.names,
                           name="target")
    handle = made_options("transfer", options)
    return Result(Control(progress, threads).made("transfer", giver._handle.value,
                                                  character_of(target, "target")._handle.value, handle.value))


def check(subject: Union[PathLike, Skinned], **options: Any) -> Dict[str, Any]:
    """Defects of a skin: a dict with "passed" and "defects".

    >>> import skincells as sc
    >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
    >>> sc.check(result)["passed"]
    True
    """
    if _is_path(subject):
        return dict(run("check", **_on_files(options, input=subject)))
    handle, passed = made_options("check", options), c_int32()
    made = lib.made("check", character_of(subject, "subject")._handle.value, handle.value, byref(passed))
    return dict(json.loads(lib.bytes_of(made)))


def compare(reference: Union[PathLike, Skinned], *others: Union[PathLike, Skinned], **options: Any) -> Dict[str, Any]:
    """Measures skins of one mesh against a reference skin, all of them files or none.

    >>> import skincells as sc
    >>> c = sc.Character.load("character.glb")
    >>> a, b = (sc.bind(c, quality="draft", max_influences=k) for k in (4, 1))
    >>> measured = sc.compare(a, b)
    >>> measured["others"][0]["sets"][0]["rms_percent"] > 0
    True
    """
    if not others:
        raise lib.Error("invalid_argument", "there must be at least one skin to compare with the reference", "others")
    if _is_path(reference):
        others = tuple(lib.path_of(other, "others") for other in others)
        return dict(run("compare", **_on_files(options, reference=reference), others=others))
    handle = made_options("compare", options)
    documents = []
    for other in others:
        made = lib.made("compare", character_of(reference, "reference")._handle.value,
                        character_of(other, "others")._handle.value, handle.value, None)
        documents.append(json.loads(lib.bytes_of(made)))
    for document in documents[1:]:
        documents[0]["others"] += document["others"]
    return dict(documents[0])


def lod(input: PathLike, output: PathLike, *, progress: ProgressLike = None, threads: int = 0,
        **options: Any) -> Dict[str, Any]:
    """Writes levels of detail of a character, like `skincells lod`; returns the report. Lists are lists:
    ``levels=[1, 0.5]``.

    >>> import skincells as sc
    >>> report = sc.lod("character.glb", "lods.glb", levels=[1, 0.5], quality="draft", force=True)
    >>> len(report["levels"])
    2
    """
    return dict(run("lod", progress=progress, threads=threads, **_on_files(options, input=input, output=output)))


def render(subject: Union[PathLike, Skinned], output: Optional[PathLike] = None, **options: Any) -> Optional[bytes]:
    """A contact sheet of the posed character: the bytes of a PNG, or a file if ``output`` names one.

    >>> import skincells as sc
    >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
    >>> sc.render(result, poses="bind", views="front", size=64)[1:4]
    b'PNG'
    """
    if _is_path(subject):
        if output is None:
            subject = Character.load(subject)  # type: ignore[arg-type]
        else:
            run("render", **_on_files(options, input=subject, output=output))
            return None
    force = lib.flag_of(options.pop("force", False), "force")
    path = None if output is None else lib.path_of(output, "output")
    handle = made_options("render", options)
    png = lib.bytes_of(lib.made("render", character_of(subject, "subject")._handle.value, handle.value))
    if path is None:
        return png
    try:
        with open(path, "wb" if force else "xb") as file:
            file.write(png)
    except OSError as error:
        raise lib.Error("cannot_write", f"{error.strerror}; force=True replaces a file", path) from None
    return None


def _on_files(options: Dict[str, Any], **files: Any) -> Dict[str, Any]:
    """The options of a job on files."""
    return joined({name: lib.path_of(path, name) for name, path in files.items()}, options)


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


__all__ = ["Field", "bind", "bind_file", "check", "compare", "lod", "render", "run", "transfer"]
