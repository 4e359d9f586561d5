"""Fields: weights at every point in space."""

from __future__ import annotations

from ctypes import byref, c_char_p
from typing import Any, List, Optional, Tuple

from . import _library as lib
from ._arrays import NDArray, as_c, checked
from ._character import Character, PathLike
from ._options import joined, made_options
from ._progress import Control, ProgressLike
from ._result import Result, character_of


class Field:
    """The skin cells of a character: weights at every point in space, about 20 KB.

    >>> import skincells as sc
    >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
    >>> indices, weights = result.field.evaluate([[0.0, 1.0, 0.0]])
    >>> weights.shape[0], abs(weights.sum() - 1) < 1e-5
    (1, True)
    """

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle
        view = lib.FieldView()
        lib.call("field_get", handle.value, byref(view))
        self.max_influences: int = view.max_influences
        self.sees_normals: bool = view.normals == 1
        self.box: Tuple[float, ...] = tuple(view.box)
        self.meters_per_unit: float = view.meters_per_unit
        self.up_axis: str = lib.text(view.up_axis)
        #: the joints that the field gives weights of
        self.names: List[str] = []
        for j in range(view.joint_count):
            name = c_char_p()
            lib.call("field_joint", handle.value, j, byref(name))
            self.names.append(lib.text(name.value))

    @classmethod
    def load(cls, path: PathLike) -> "Field":
        """Reads a field file (.skc), or the field inside a glTF file.

        >>> import skincells as sc
        >>> report = sc.bind_file("character.glb", "skinned.glb", field="c.skc", quality="draft", force=True)
        >>> len(sc.Field.load("c.skc").names) > 10
        True
        """
        return cls(lib.made("field_read", lib.encoded(lib.path_of(path, "path"), "path")))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Field":
        """The field of the bytes of a field file.

        >>> import skincells as sc
        >>> field = sc.bind(sc.Character.load("character.glb"), quality="draft").field
        >>> sc.Field.from_bytes(field.to_bytes()).names == field.names
        True
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise lib.Error("invalid_argument", f"it is a {type(data).__name__}, not bytes; Field.load reads a file",
                            "data")
        return cls(lib.made("field_decode", bytes(data), len(data)))

    @classmethod
    def fit(cls, character: Character, *, progress: ProgressLike = None, threads: int = 0, **options: Any) -> "Field":
        """A field fitted to the weights that a character has. Options: those of `transfer`.

        >>> import skincells as sc
        >>> skinned = sc.bind(sc.Character.load("character.glb"), quality="draft").character
        >>> field = sc.Field.fit(skinned)
        >>> bool(abs(field.apply(skinned).dense() - skinned.dense()).mean() < 0.01)
        True
        """
        handle = made_options("transfer", joined({"via": "field"}, options))
        skinned = character_of(character, "character")._handle.value
        field = Result(Control(progress, threads).made("transfer", skinned, skinned, handle.value)).field
        if field is None:
            raise lib.Error("invalid_option", "only via='field' makes a field", "via")
        return field

    def save(self, path: PathLike, force: bool = False) -> None:
        """Writes a field file (.skc). force: replace an existing file.

        >>> import skincells as sc
        >>> field = sc.bind(sc.Character.load("character.glb"), quality="draft").field
        >>> field.save("saved.skc", force=True)
        >>> sc.Field.load("saved.skc").to_bytes() == field.to_bytes()
        True
        """
        lib.call("field_write", self._handle.value, lib.encoded(lib.path_of(path, "path"), "path"),
                 int(lib.flag_of(force, "force")))

    def to_bytes(self) -> bytes:
        """The bytes of a field file.

        >>> import skincells as sc
        >>> field = sc.bind(sc.Character.load("character.glb"), quality="draft").field
        >>> 5_000 < len(field.to_bytes()) < 50_000
        True
        """
        return lib.bytes_of(lib.made("field_encode", self._handle.value))

    def evaluate(self, points: Any, normals: Any = None, max_influences: Optional[int] = None) -> Tuple[NDArray,
                                                                                                         NDArray]:
        """Indices into `names` and weights at points (n, 3) of the field's bind space. normals: (n, 3), unit length;
        without them a field that sees normals takes the points for ones without a surface.

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> indices, weights = result.field.evaluate(result.character.vertices, max_influences=2)
        >>> weights.shape == (len(result.weights), 2)
        True
        """
        positions = checked(points, (3,), "points")
        facing = checked([] if normals is None else normals, (3,), "normals")
        most = 0 if max_influences is None else lib.count_of(max_influences, "invalid_option", "max_influences")
        place, direction = as_c(positions), as_c(facing)
        result = Result(lib.made("field_evaluate", self._handle.value, byref(place), byref(direction), most))
        return result.indices, result.weights

    def apply(self, character: Character, **options: Any) -> Result:
        """Weights for another mesh of the character: joints by name, in any unit and up-axis.

        >>> import skincells as sc
        >>> c = sc.Character.load("character.glb")
        >>> result = sc.bind(c, quality="draft")
        >>> bool((result.field.apply(c).weights == result.weights).all())
        True
        """
        handle = made_options("apply", options)
        target = character_of(character, "character")
        return Result(lib.made("apply", self._handle.value, target._handle.value, handle.value))

    def __repr__(self) -> str:
        return f"Field({len(self.names)} joints, {self.max_influences} influences)"
