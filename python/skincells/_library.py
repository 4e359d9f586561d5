"""The C library: loading it, its structs, and calls that raise Error.

The binding is ctypes: it needs no compiler and no Python headers, so that one wheel serves every CPython from 3.9 on,
Blender's own included; and it releases the GIL during each call.
"""

from __future__ import annotations

import ctypes
import operator
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64,
                    c_size_t, c_uint16, c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy as np

ABI_VERSION = 1


class Error(Exception):
    """What went wrong.

    ``code`` is a stable name ("invalid_option", "no_skeleton", ...), ``message`` says what to do, and ``where`` names
    the place: a file, an argument, a vertex, a joint, an option.

    >>> import skincells as sc
    >>> try:
    ...     sc.bind([[0, 0, 0]], joints=[[0, 0, 0]], max_influences=9)
    ... except sc.Error as error:
    ...     print(error.code, error.where)
    invalid_option --max-influences
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.code = code
        self.message = message
        self.where = where

    def __reduce__(self) -> Any:
        return Error, (self.code, self.message, self.where)


class Array(Structure):
    _fields_ = [("data", c_void_p), ("count", c_size_t), ("stride", c_int64), ("type", c_int32)]


class Sized(Structure):
    """A struct that is told its size."""

    def __init__(self, **values: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **values)


class ErrorInfo(Sized):
    _fields_ = [("size", c_size_t), ("code", c_int32), ("name", c_char_p), ("message", c_char_p), ("where", c_char_p)]


class ProgressInfo(Sized):
    _fields_ = [("size", c_size_t), ("stage", c_char_p), ("fraction", c_double), ("loss", c_double),
                ("seconds_left", c_double)]


ProgressFunction = CFUNCTYPE(c_int, c_void_p, POINTER(ProgressInfo))


class Control(Sized):
    _fields_ = [("size", c_size_t), ("progress", ProgressFunction), ("user", c_void_p), ("threads", c_int32)]


class OptionInfo(Sized):
    _fields_ = [("size", c_size_t), ("kind", c_int32), ("name", c_char_p), ("help", c_char_p), ("range", c_char_p),
                ("default_text", c_char_p)]


class CharacterDesc(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("positions", Array), ("triangles", Array), ("heads", Array),
                ("matrices", Array), ("rest", Array), ("parents", Array), ("names", POINTER(c_char_p)),
                ("bones", POINTER(c_char_p)), ("row_joints", Array), ("row_weights", Array), ("slots", c_size_t),
                ("meters_per_unit", c_double), ("up_axis", c_char)]


class CharacterView(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("vertex_count", c_size_t), ("positions", POINTER(c_float)),
                ("triangle_count", c_size_t), ("triangles", POINTER(c_uint32)), ("joint_count", c_size_t),
                ("slots", c_size_t), ("row_joints", POINTER(c_uint16)), ("row_weights", POINTER(c_float)),
                ("meters_per_unit", c_double), ("up_axis", c_char)]


class JointView(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("bone", c_char_p), ("parent", c_int32),
                ("matrix", c_double * 16), ("rest", c_double * 16)]


class ResultView(Sized):
    _fields_ = [("size", c_size_t), ("vertex_count", c_size_t), ("slots", c_size_t), ("row_joints", POINTER(c_uint16)),
                ("row_weights", POINTER(c_float)), ("warning_count", c_size_t), ("stop_reason", c_char_p),
                ("has_field", c_int32), ("confidence", POINTER(c_float))]


class FieldView(Sized):
    _fields_ = [("size", c_size_t), ("joint_count", c_size_t), ("max_influences", c_size_t), ("normals", c_int32),
                ("part_count", c_size_t), ("box", c_double * 6), ("meters_per_unit", c_double), ("up_axis", c_char)]


class VerdictView(Sized):
    _fields_ = [("size", c_size_t), ("grade", c_int32), ("name", c_char_p), ("poses", c_char_p),
                ("finding_count", c_size_t)]


class FindingView(Sized):
    _fields_ = [("size", c_size_t), ("grade", c_int32), ("name", c_char_p), ("label", c_char_p), ("where", c_char_p),
                ("advice", c_char_p), ("value", c_double), ("good", c_double), ("bad", c_double)]


TYPES = {"float32": 0, "float64": 1, "uint8": 2, "uint16": 3, "uint32": 4, "uint64": 5, "int32": 6, "int64": 7}

_HANDLE, _TEXT, _OUT = c_uint64, c_char_p, POINTER(c_uint64)
_SIGNATURES: Dict[str, List[Any]] = {
    "release": [_HANDLE],
    "object_count": [POINTER(c_size_t)],
    "last_error": [POINTER(ErrorInfo)],
    "options_create": [_TEXT, _OUT],
    "options_count": [_HANDLE, POINTER(c_size_t)],
    "options_info": [_HANDLE, c_size_t, POINTER(OptionInfo)],
    "options_set": [_HANDLE, _TEXT, _TEXT],
    "options_get": [_HANDLE, _TEXT, _OUT],
    "bytes_data": [_HANDLE, POINTER(c_void_p), POINTER(c_size_t)],
    "character_create": [POINTER(CharacterDesc), _OUT],
    "character_read": [_TEXT, _HANDLE, _OUT],
    "character_write": [_HANDLE, _TEXT, _HANDLE, _HANDLE],
    "character_get": [_HANDLE, POINTER(CharacterView)],
    "character_joint": [_HANDLE, c_size_t, POINTER(JointView)],
    "bind": [_HANDLE, _HANDLE, POINTER(Control), _OUT],
    "transfer": [_HANDLE, _HANDLE, _HANDLE, POINTER(Control), _OUT],
    "apply": [_HANDLE, _HANDLE, _HANDLE, _OUT],
    "result_get": [_HANDLE, POINTER(ResultView)],
    "result_warning": [_HANDLE, c_size_t, POINTER(ErrorInfo)],
    "result_report": [_HANDLE, _OUT],
    "result_field": [_HANDLE, _OUT],
    "result_character": [_HANDLE, _OUT],
    "field_read": [_TEXT, _OUT],
    "field_decode": [c_char_p, c_size_t, _OUT],
    "field_write": [_HANDLE, _TEXT, c_int32],
    "field_encode": [_HANDLE, _OUT],
    "field_get": [_HANDLE, POINTER(FieldView)],
    "field_joint": [_HANDLE, c_size_t, POINTER(c_char_p)],
    "field_evaluate": [_HANDLE, POINTER(Array), POINTER(Array), c_size_t, _OUT],
    "judge": [_HANDLE, _TEXT, _OUT],
    "verdict_get": [_HANDLE, POINTER(VerdictView)],
    "verdict_finding": [_HANDLE, c_size_t, POINTER(FindingView)],
    "compare": [_HANDLE, _HANDLE, _HANDLE, c_void_p, _OUT],
    "check": [_HANDLE, _HANDLE, POINTER(c_int32), _OUT],
    "render": [_HANDLE, _HANDLE, _OUT],
    "view": [_HANDLE, _HANDLE, _OUT],
    "run": [_HANDLE, POINTER(Control), _OUT],
}


def _candidates() -> "list[str]":
    """Where the library may be: named by SKINCELLS_LIBRARY, in this package, or where the system looks."""
    named = os.environ.get("SKINCELLS_LIBRARY")
    if named:
        return [named]
    inside = sorted(str(path) for path in (Path(__file__).parent / "lib").glob("libskincells.so*"))
    return [*inside, "libskincells.so.0"]


def _load() -> ctypes.CDLL:
    # The library takes functions from the libraries that came with it, not from those of the process: Blender 4 has
    # another Embree with functions of the same names.
    mode = ctypes.DEFAULT_MODE | getattr(os, "RTLD_DEEPBIND", 0)
    problems = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path, mode)
        except OSError as error:
            problems.append(str(error))
    raise ImportError("skincells: the library libskincells.so was not found; install the package with pip, or name the "
                      "library in the environment variable SKINCELLS_LIBRARY (" + "; ".join(problems) + ")")


_library = _load()
_library.skincells_version.restype = c_char_p
_library.skincells_abi_version.restype = c_uint32
_library.skincells_create.argtypes = [c_uint32, POINTER(c_void_p)]
for _name, _types in _SIGNATURES.items():
    _function = getattr(_library, "skincells_" + _name)
    _function.argtypes = [c_void_p, *_types]
    _function.restype = c_int32

# One context for the process: it may be used by any number of threads, and its objects go when Python objects go.
_context = c_void_p()
if _library.skincells_create(ABI_VERSION, byref(_context)) != 0:
    raise ImportError(f"skincells: this package needs ABI version {ABI_VERSION} of the library, which has "
                      f"{_library.skincells_abi_version()}")


def version() -> str:
    """The version of the library.

    >>> import skincells as sc
    >>> sc.version() == sc.__version__
    True
    """
    return str(_library.skincells_version().decode())


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def encoded(value: Any, where: str) -> bytes:
    """A text for C. It has no zero in it."""
    try:
        out = os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise Error("invalid_argument", f"the text is not valid Unicode: {error.reason}", where) from None
    if b"\0" in out:
        raise Error("invalid_argument", "the text has a zero character in it", where)
    return out


def path_of(value: Any, where: str) -> str:
    """A path as a text that C can take."""
    if not isinstance(value, (str, os.PathLike)):
        raise Error("invalid_argument", f"it is a {type(value).__name__}, not a path", where)
    path = os.fsdecode(value)
    encoded(path, where)
    return path


def count_of(value: Any, code: str, where: str) -> int:
    """A number of things."""
    try:
        count = operator.index(value)
    except TypeError:
        count = -1
    if not 0 <= count < 2**31:
        raise Error(code, "it must be an integer, not negative", where)
    return count


def flag_of(value: Any, where: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise Error("invalid_option", f"it is a {type(value).__name__}, not True or False", where)
    return bool(value)


def call(name: str, *arguments: Any) -> None:
    """Calls a function of the library; raises what it reports."""
    if getattr(_library, "skincells_" + name)(_context, *arguments) == 0:
        return
    info = ErrorInfo()
    _library.skincells_last_error(_context, byref(info))
    raise Error(text(info.name), text(info.message), text(info.where))


def object_count() -> int:
    """How many objects the library holds for this process: it should not grow.

    >>> import gc, skincells as sc
    >>> before = sc.object_count()
    >>> c = sc.Character([[0, 0, 0]], joints=[[0, 0, 0]])
    >>> sc.object_count() - before
    1
    >>> del c
    >>> _ = gc.collect()
    >>> sc.object_count() - before
    0
    """
    count = c_size_t()
    call("object_count", byref(count))
    return count.value


class Handle:
    """An object of the library, released with the last Python object that refers to it."""

    __slots__ = ("value", "__weakref__")

    def __init__(self, value: int) -> None:
        self.value = value

    def __deepcopy__(self, _memo: Any) -> "Handle":
        return self  # objects of the library never change

    def __reduce__(self) -> Any:
        raise Error("unsupported_feature", "it cannot be pickled; save it to a file, or send its arrays", "pickle")

    def __del__(self) -> None:
        release = getattr(_library, "skincells_release", None) if _library is not None else None
        if release is not None and self.value:
            release(_context, self.value)


def made(name: str, *arguments: Any) -> Handle:
    """Calls a function whose last argument is a new handle."""
    out = c_uint64()
    call(name, *arguments, byref(out))
    return Handle(out.value)


def bytes_of(handle: Handle) -> bytes:
    data, size = c_void_p(), c_size_t()
    call("bytes_data", handle.value, byref(data), byref(size))
    return ctypes.string_at(data, size.value) if size.value else b""


def view(pointer: Any, shape: "tuple[int, ...]", dtype: str, owner: Handle) -> "np.ndarray[Any, Any]":
    """An array over memory of the library: no copy, read-only, and the owner lives as long as the array."""
    count = int(np.prod(shape))
    if count == 0:
        return np.zeros(shape, dtype)
    address = ctypes.cast(pointer, c_void_p).value
    memory: Any = (c_char * (count * np.dtype(dtype).itemsize)).from_address(address or 0)
    memory._owner = owner
    array: "np.ndarray[Any, Any]" = np.frombuffer(memory, dtype, count).reshape(shape)
    array.flags.writeable = False
    return array
