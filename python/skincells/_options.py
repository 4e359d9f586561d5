"""Options by keyword, from the one table of the library."""

from __future__ import annotations

import os
from ctypes import byref, c_size_t
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Union

import numpy as np

from . import _library as lib

_KINDS = ("flag", "integer", "real", "text", "choice")
Value = Union[str, int, float, bool, List[str]]


@dataclass(frozen=True)
class Option:
    """An option: its keyword, what it means, and which values are fine.

    >>> import skincells as sc
    >>> option = next(o for o in sc.options("bind") if o.name == "max_influences")
    >>> option.kind, option.range, option.default
    ('integer', '1 .. 8', '4')
    """

    name: str  #: the keyword: "max_influences"
    kind: str  #: "flag", "integer", "real", "text" or "choice"
    range: str  #: "1 .. 8", "draft | normal"; empty: every value is fine
    default: str
    help: str

    @property
    def choices(self) -> List[str]:
        """The values of a choice or a flag; empty for other kinds.

        >>> import skincells as sc
        >>> next(o for o in sc.options("bind") if o.name == "quality").choices
        ['draft', 'normal']
        """
        return [word.strip() for word in self.range.split("|")] if self.kind in ("choice", "flag") else []


def _set(name: str) -> lib.Handle:
    return lib.made("options_create", lib.encoded(name, "set"))


def options(call: str = "bind") -> List[Option]:
    """The options of a function of this package, in the order of its table.

    >>> import skincells as sc
    >>> [o.default for o in sc.options("bind") if o.name == "max_influences"]
    ['4']
    """
    handle = _set(call)
    count = c_size_t()
    lib.call("options_count", handle.value, byref(count))
    found = []
    for i in range(count.value):
        info = lib.OptionInfo()
        lib.call("options_info", handle.value, i, byref(info))
        found.append(Option(lib.text(info.name).replace("-", "_"), _KINDS[info.kind], lib.text(info.range),
                            lib.text(info.default_text), lib.text(info.help)))
    return found


def _as_text(value: Any, name: str) -> bytes:
    """A value as one would type it. Texts are joined by commas, files by line ends."""
    if isinstance(value, (list, tuple)):
        return (b"\n" if name in ("others", "inputs", "fields") else b",").join(_as_text(v, name) for v in value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, float):
        return repr(value).encode()
    if not isinstance(value, (int, str, os.PathLike)):
        raise lib.Error("invalid_option", f"it is a {type(value).__name__}, not a number or a text", name)
    return lib.encoded(value, name)


def made_options(call: str, values: Mapping[str, Any]) -> lib.Handle:
    """A set with these values; None leaves an option at its default."""
    handle = _set(call)
    for name, value in values.items():
        if value is None:
            continue
        lib.call("options_set", handle.value, lib.encoded(name.replace("_", "-"), "option"), _as_text(value, name))
    return handle


def joined(*values: Mapping[str, Any]) -> Dict[str, Any]:
    """Several mappings as one."""
    out: Dict[str, Any] = {}
    for mapping in values:
        out.update(mapping)
    return out
