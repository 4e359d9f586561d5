"""Characters: mesh, skeleton and perhaps weights."""

from __future__ import annotations

import html
import os
import zipfile
import zlib
from ctypes import byref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _library as lib
from ._arrays import NDArray, as_c, c_texts, checked, column_major, joint_indices, real_of
from ._options import made_options
from ._weights import dense_of, slots_of, sparse_of

if TYPE_CHECKING:
    from ._field import Field

PathLike = Union[str, "os.PathLike[str]"]


def _only(name: str, options: Dict[str, Any]) -> bool:
    """The value of the only option of an NPZ file, a flag."""
    unknown = [o for o in options if o != name]
    if unknown:
        raise lib.Error("invalid_option", f"there is no such option for NPZ files, which have: {name}", unknown[0])
    return lib.flag_of(options.get(name, False), name)


class Character:
    """A mesh and a skeleton, and weights if it has any. Arrays are read-only views of the library's memory.

    >>> import skincells as sc
    >>> c = sc.Character([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], joints=[[0, 0, 0], [0, 1, 0]], parents=[-1, 0])
    >>> c.names, c.vertices.shape, c.weights is None
    (['joint_0', 'joint_1'], (3, 3), True)
    """

    def __init__(self, vertices: Any, faces: Any = None, *, joints: Any = None, matrices: Any = None,
                 parents: Any = None, names: Optional[Sequence[str]] = None, weights: Any = None, rest: Any = None,
                 bones: Optional[Sequence[str]] = None, name: str = "character", meters_per_unit: float = 1.0,
                 up_axis: str = "?") -> None:
        """vertices: (n, 3), or an object with ``vertices`` and ``faces``, such as a trimesh. faces: (t, 3).
        joints: (j, 3), where they are; or matrices: (j, 4, 4), joint space to mesh space.
        parents: one index each, -1 or None for a root. names: of the joints. weights: a pair (indices, weights), a
        dense (n, j) or a sparse matrix. rest: matrices in the rest pose. bones: humanoid bones as in VRM."""
        if faces is None and hasattr(vertices, "vertices"):
            vertices, faces = vertices.vertices, getattr(vertices, "faces", None)
        positions = checked(vertices, (3,), "vertices")
        triangles = checked([] if faces is None else faces, (3,), "faces", integers=True)
        heads = checked([] if joints is None else joints, (3,), "joints")
        frames = column_major(checked([] if matrices is None else matrices, (4, 4), "matrices"))
        rests = column_major(checked([] if rest is None else rest, (4, 4), "rest"))
        count = max(len(heads), len(frames))
        above = checked([] if parents is None else joint_indices(parents), (), "parents", integers=True)
        indices, rows = slots_of(weights) if weights is not None else (None, None)
        axis = str(up_axis).encode("ascii", "replace")
        if len(axis) != 1:
            raise lib.Error("invalid_argument", "it is one of x, y, z, X, Y, Z", "up_axis")
        desc = lib.CharacterDesc(name=lib.encoded(name, "name"), positions=as_c(positions), triangles=as_c(triangles),
                                 heads=as_c(heads), matrices=as_c(frames), rest=as_c(rests), parents=as_c(above),
                                 names=c_texts(names, count, "names"), bones=c_texts(bones, count, "bones"),
                                 row_joints=as_c(indices), row_weights=as_c(rows),
                                 slots=0 if rows is None else rows.shape[1], meters_per_unit=real_of(meters_per_unit, "meters_per_unit"),
                                 up_axis=axis)
        self._adopt(lib.made("character_create", byref(desc)))

    @classmethod
    def _from(cls, handle: lib.Handle) -> "Character":
        character = cls.__new__(cls)
        character._adopt(handle)
        return character

    def _adopt(self, handle: lib.Handle) -> None:
        self._handle = handle
        view = lib.CharacterView()
        lib.call("character_get", handle.value, byref(view))
        n, slots = view.vertex_count, view.slots
        self.name: str = lib.text(view.name)
        self.vertices: NDArray = lib.view(view.positions, (n, 3), "float32", handle)
        self.faces: NDArray = lib.view(view.triangles, (view.triangle_count, 3), "uint32", handle)
        self.indices: Optional[NDArray] = lib.view(view.row_joints, (n, slots), "uint16", handle) if slots else None
        self.weights: Optional[NDArray] = lib.view(view.row_weights, (n, slots), "float32", handle) if slots else None
        self.meters_per_unit: float = view.meters_per_unit
        self.up_axis: str = lib.text(view.up_axis)
        self.names: List[str] = []
        self.bones: List[str] = []
        parents, matrices, rests = [], [], []
        for j in range(view.joint_count):
            joint = lib.JointView()
            lib.call("character_joint", handle.value, j, byref(joint))
            self.names.append(lib.text(joint.name))
            self.bones.append(lib.text(joint.bone))
            parents.append(joint.parent)
            matrices.append(list(joint.matrix))
            rests.append(list(joint.rest))
        self.parents: NDArray = np.array(parents, np.int32)
        #: joint space to mesh space in bind pose, (j, 4, 4)
        self.matrices: NDArray = np.swapaxes(np.array(matrices, np.float64).reshape(-1, 4, 4), 1, 2)
        self.rest: NDArray = np.swapaxes(np.array(rests, np.float64).reshape(-1, 4, 4), 1, 2)

    @property
    def joints(self) -> NDArray:
        """Where the joints are, (j, 3).

        >>> import skincells as sc
        >>> sc.Character([[0, 0, 0]], joints=[[0, 1, 2]]).joints.tolist()
        [[0.0, 1.0, 2.0]]
        """
        return self.matrices[:, :3, 3]

    @classmethod
    def load(cls, path: PathLike, **options: Any) -> "Character":
        """Reads .glb, .gltf or .vrm, other formats through the import program, or .npz (see `save`).

        >>> import skincells as sc
        >>> c = sc.Character.load("character.glb")
        >>> c.vertices.dtype, c.vertices.shape[1], len(c.names) > 10
        (dtype('float32'), 3, True)
        """
        name = lib.path_of(path, "path")
        if Path(name).suffix.lower() == ".npz":
            return cls._load_npz(name, _only("allow_pickle", options))
        handle = made_options("read", options)
        return cls._from(lib.made("character_read", lib.encoded(name, "path"), handle.value))

    @classmethod
    def _load_npz(cls, path: str, allow_pickle: bool) -> "Character":
        """The keys of UniRig: vertices, faces, joints, parents, names, skin."""
        try:
            with open(path, "rb") as file:
                if file.read(2) != b"PK":
                    raise lib.Error("invalid_file", "it is no NPZ file; write it with np.savez", path)
            with np.load(path, allow_pickle=allow_pickle) as data:
                found = {key: data[key][()] for key in ("vertices", "faces", "joints", "parents", "names", "skin")
                         if key in data}
        except FileNotFoundError:
            raise lib.Error("file_not_found", "the file does not exist", path) from None
        except OSError as error:
            raise lib.Error("file_not_found", f"cannot be opened ({error.strerror or error})", path) from None
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise lib.Error("invalid_file", f"the file is damaged: {error}", path) from None
        except ValueError as error:
            raise lib.Error("invalid_file", f"{error}; if you trust the file, give allow_pickle=True",
                            path) from None
        if "vertices" not in found or "joints" not in found:
            raise lib.Error("invalid_file", "it has no arrays 'vertices' and 'joints'", path)
        names = found.get("names")
        return cls(found["vertices"], found.get("faces"), joints=found["joints"], parents=found.get("parents"),
                   names=None if names is None else [str(n) for n in names], weights=found.get("skin"),
                   name=Path(path).stem)

    def save(self, path: PathLike, field: "Optional[Field]" = None, **options: Any) -> None:
        """Writes .glb, .gltf or .vrm with the weights, and a field inside if one is given; or .npz with the keys of
        UniRig: vertices, faces, joints, parents (-1: none), names, skin (dense). A character from a file keeps all
        that is not skinning. An existing file is replaced with ``force=True``.

        >>> import skincells as sc
        >>> c = sc.Character.load("character.glb")
        >>> c.save("copy.npz", force=True)
        >>> sc.Character.load("copy.npz").names == c.names
        True
        """
        from ._field import Field
        name = lib.path_of(path, "path")
        if field is not None and not isinstance(field, Field):
            raise lib.Error("invalid_argument", f"it is a {type(field).__name__}, not a Field", "field")
        if Path(name).suffix.lower() == ".npz":
            return self._save_npz(name, _only("force", options))
        handle = made_options("write", options)
        lib.call("character_write", self._handle.value, lib.encoded(name, "path"),
                 0 if field is None else field._handle.value, handle.value)

    def _save_npz(self, path: str, force: bool) -> None:
        if Path(path).exists() and not force:
            raise lib.Error("cannot_write", "the file exists; force=True replaces it", path)
        arrays = {"vertices": self.vertices, "faces": self.faces.astype(np.int64),
                  "joints": self.joints.astype(np.float32), "parents": self.parents.astype(np.int64),
                  "names": np.array(self.names)}
        if self.weights is not None:
            arrays["skin"] = self.dense()
        try:
            np.savez(path, **arrays)
        except OSError as error:
            raise lib.Error("cannot_write", str(error.strerror or error), path) from None

    def _rows(self) -> "tuple[NDArray, NDArray]":
        if self.indices is None or self.weights is None:
            raise lib.Error("mismatch", "the character has no weights; bind it first", self.name)
        return self.indices, self.weights

    def dense(self) -> NDArray:
        """The weights as a matrix (vertices, joints).

        >>> import skincells as sc
        >>> c = sc.bind(sc.Character.load("character.glb"), quality="draft").character
        >>> c.dense().shape == (len(c.vertices), len(c.names))
        True
        """
        return dense_of(*self._rows(), len(self.names))

    def sparse(self) -> Any:
        """The weights as a SciPy CSR matrix (vertices, joints).

        >>> import skincells as sc
        >>> c = sc.bind(sc.Character.load("character.glb"), quality="draft").character
        >>> try:
        ...     same = (c.sparse().toarray() == c.dense()).all()
        ... except sc.Error as error:  # without SciPy
        ...     same = error.code == "unsupported_feature"
        >>> bool(same)
        True
        """
        return sparse_of(*self._rows(), len(self.names))

    def view(self, **options: Any) -> str:
        """The viewer with this character inside, as one HTML page.

        >>> import skincells as sc
        >>> c = sc.bind(sc.Character.load("character.glb"), quality="draft").character
        >>> try:
        ...     page = c.view()
        ... except sc.Error as error:  # a build without the viewer
        ...     page = "<html>" if error.code == "unsupported_feature" else ""
        >>> "<html" in page
        True
        """
        handle = made_options("view", options)
        return lib.bytes_of(lib.made("view", self._handle.value, handle.value)).decode()

    def _repr_html_(self) -> str:
        return shown(self) if self.weights is not None else f"<pre>{html.escape(repr(self))}</pre>"

    def __repr__(self) -> str:
        skin = "no weights" if self.weights is None else f"{self.weights.shape[1]} influences"
        return (f"Character({self.name!r}, {len(self.vertices)} vertices, {len(self.faces)} faces, "
                f"{len(self.names)} joints, {skin})")


def shown(subject: Any) -> str:
    """The viewer of a character or result inside a notebook; its text if the library was built without the viewer."""
    try:
        page = subject.view()
    except lib.Error as error:
        if error.code != "unsupported_feature":
            raise
        return f"<pre>{html.escape(repr(subject))}</pre>"
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width: 100%; height: 600px; border: 0" '
            'sandbox="allow-scripts"></iframe>')
