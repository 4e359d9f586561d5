"""What a call computed: weights, a field, a report."""

from __future__ import annotations

import json
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional

from . import _library as lib
from ._arrays import NDArray
from ._character import Character, PathLike, shown
from ._options import made_options
from ._verdict import Verdict, judged
from ._weights import dense_of, sparse_of

if TYPE_CHECKING:
    from ._field import Field


class ResultWarning(NamedTuple):
    """Odd but usable input: a stable code, what it is, and where.

    >>> import numpy as np, skincells as sc
    >>> triangle = np.eye(3)
    >>> two = sc.bind([*triangle, *(triangle + 9)], [[0, 1, 2], [3, 4, 4]], joints=triangle, quality="draft")
    >>> all(warning.code and warning.message for warning in two.warnings), len(two.warnings) > 0
    (True, True)
    """

    code: str
    message: str
    where: str


class Result:
    """Weights and what is known about them. Arrays are read-only views of the library's memory.

    >>> import skincells as sc
    >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft", max_influences=2)
    >>> result.weights.shape[1], result.indices.dtype, result.dense().shape[0] == len(result.weights)
    (2, dtype('uint16'), True)
    """

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle
        view = lib.ResultView()
        lib.call("result_get", handle.value, byref(view))
        shape = (view.vertex_count, view.slots)
        #: joints, (vertices, slots); 0 with weight 0 where unused
        self.indices: NDArray = lib.view(view.row_joints, shape, "uint16", handle)
        #: their weights, descending, sum 1
        self.weights: NDArray = lib.view(view.row_weights, shape, "float32", handle)
        #: how sure a bind is of each vertex, 0 .. 1; None if not known
        self.confidence: Optional[NDArray] = (
            lib.view(view.confidence, (view.vertex_count,), "float32", handle) if view.confidence else None)
        self.stop_reason: str = lib.text(view.stop_reason)
        self.warnings: List[ResultWarning] = []
        for i in range(view.warning_count):
            info = lib.ErrorInfo()
            lib.call("result_warning", handle.value, i, byref(info))
            self.warnings.append(ResultWarning(lib.text(info.name), lib.text(info.message), lib.text(info.where)))
        self._has_field = view.has_field == 1
        self._report: Optional[Dict[str, Any]] = None
        self._verdict: Optional[Verdict] = None
        self._character: Optional[Character] = None

    @property
    def field(self) -> "Optional[Field]":
        """The field, if the method made one.

        >>> import skincells as sc
        >>> character = sc.Character.load("character.glb")
        >>> field = sc.bind(character, quality="draft").field
        >>> set(field.names) <= set(character.names), sc.bind(character, method="heat").field
        (True, None)
        """
        from ._field import Field
        return Field(lib.made("result_field", self._handle.value)) if self._has_field else None

    @property
    def report(self) -> Dict[str, Any]:
        """The report, as `skincells --json` prints it; computed when first asked for.

        >>> import skincells as sc
        >>> sc.bind(sc.Character.load("character.glb"), quality="draft").report["command"]
        'bind'
        """
        if self._report is None:
            self._report = json.loads(lib.bytes_of(lib.made("result_report", self._handle.value)))
        return self._report

    @property
    def verdict(self) -> Verdict:
        """How good the weights are and where they are worst; computed when first asked for.

        >>> import skincells as sc
        >>> sc.bind(sc.Character.load("character.glb"), quality="draft").verdict.grade in ("good", "look at it", "bad")
        True
        """
        if self._verdict is None:
            self._verdict = judged(self.character._handle)
        return self._verdict

    @property
    def character(self) -> Character:
        """The character with these weights.

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> bool((result.character.weights == result.weights).all())
        True
        """
        if self._character is None:
            self._character = Character._from(lib.made("result_character", self._handle.value))
        return self._character

    def dense(self) -> NDArray:
        """The weights as a matrix (vertices, joints).

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> bool(abs(result.dense().sum(axis=1) - 1).max() < 1e-5)
        True
        """
        return dense_of(self.indices, self.weights, len(self.character.names))

    def sparse(self) -> Any:
        """The weights as a SciPy CSR matrix (vertices, joints).

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> try:
        ...     same = (result.sparse().toarray() == result.dense()).all()
        ... except sc.Error as error:  # without SciPy
        ...     same = error.code == "unsupported_feature"
        >>> bool(same)
        True
        """
        return sparse_of(self.indices, self.weights, len(self.character.names))

    def save(self, path: PathLike, embed_field: bool = False, **options: Any) -> None:
        """Writes the skinned character; see `Character.save`. embed_field: with the field inside.

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> result.save("bound.glb", embed_field=True, force=True)
        >>> sc.Field.load("bound.glb").names == result.field.names
        True
        """
        embedded = self.field if lib.flag_of(embed_field, "embed_field") else None
        self.character.save(path, field=embedded, **options)

    def view(self, **options: Any) -> str:
        """The viewer with the result and its skin cells inside, as one HTML page.

        >>> import skincells as sc
        >>> result = sc.bind(sc.Character.load("character.glb"), quality="draft")
        >>> try:
        ...     page = result.view()
        ... except sc.Error as error:  # a build without the viewer
        ...     page = "<html>" if error.code == "unsupported_feature" else ""
        >>> "<html" in page
        True
        """
        handle = made_options("view", options)
        return lib.bytes_of(lib.made("view", self._handle.value, handle.value)).decode()

    def _repr_html_(self) -> str:
        return shown(self)

    def __repr__(self) -> str:
        return f"Result({len(self.weights)} vertices, {self.weights.shape[1]} influences, {self.stop_reason!r})"


def character_of(value: Any, argument: str) -> Character:
    """The character of a character or result."""
    if isinstance(value, Character):
        return value
    if isinstance(value, Result):
        return value.character
    raise lib.Error("invalid_argument", f"it is a {type(value).__name__}, not a Character, Result or path", argument)
