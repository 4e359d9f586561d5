"""NumPy arrays for the library: checked, and copied only where the layout needs it."""

from __future__ import annotations

from ctypes import c_char_p
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _library as lib

if TYPE_CHECKING:
    import numpy.typing as npt
    NDArray = npt.NDArray[Any]
else:
    NDArray = np.ndarray  # NumPy before 1.21 has no such name


def numbers_of(value: Any, argument: str) -> NDArray:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise lib.Error("invalid_argument", f"it is no array: {error}", argument) from None
    if array.size == 0 and array.dtype == np.float64:
        return array
    if array.dtype.kind not in "fiu":
        raise lib.Error("invalid_argument", f"it has elements of type {array.dtype}, not numbers", argument)
    return array


def checked(value: Any, width: Tuple[int, ...], argument: str, integers: bool = False) -> NDArray:
    """An array of shape (n, *width) that the library can read: the numbers of an element lie side by side."""
    array = numbers_of(value, argument)
    if array.size == 0:
        array = array.reshape((0, *width))
    if array.ndim != 1 + len(width) or array.shape[1:] != width:
        wanted = ", ".join(["n", *map(str, width)])
        raise lib.Error("invalid_argument", f"its shape is {array.shape}, not ({wanted})", argument)
    if integers and array.size > 0 and array.dtype.kind == "f":
        raise lib.Error("invalid_argument", f"it has elements of type {array.dtype}, not integers", argument)
    if array.dtype.name not in lib.TYPES or not array.dtype.isnative:
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float64)
    item, expected = array.itemsize, array.itemsize
    for size, stride in zip(reversed(array.shape[1:]), reversed(array.strides[1:])):
        if size > 1 and stride != expected:
            return np.ascontiguousarray(array)
        expected *= size
    row = item * int(np.prod(width))
    if array.shape[0] > 1 and abs(array.strides[0]) < row:  # broadcast: every row is the same memory
        return np.ascontiguousarray(array)
    return array


def as_c(array: Optional[NDArray]) -> lib.Array:
    """The view that C takes. The array must live until the call returns."""
    if array is None or array.shape[0] == 0:
        return lib.Array(None, 0, 0, 0)
    return lib.Array(array.ctypes.data, array.shape[0], array.strides[0], lib.TYPES[array.dtype.name])


def c_texts(values: Optional[Sequence[str]], count: int, argument: str) -> Any:
    """An array of C strings, one per joint; None if there are none."""
    if values is None:
        return None
    texts: List[bytes] = [lib.encoded(v, argument) for v in elements_of(values, argument)]
    if len(texts) != count:
        raise lib.Error("mismatch", f"it has {len(texts)} elements, but there are {count} joints", argument)
    return (c_char_p * count)(*texts)


def column_major(matrices: NDArray) -> NDArray:
    """4x4 matrices as rows of 16 numbers, column by column."""
    return np.ascontiguousarray(np.swapaxes(matrices, 1, 2).reshape(-1, 16), dtype=np.float64)


def joint_indices(parents: Any) -> Any:
    """Parents as integers; None means no parent."""
    if isinstance(parents, np.ndarray) and parents.dtype != object:
        return parents
    return [-1 if p is None else p for p in elements_of(parents, "parents")]


def elements_of(values: Any, argument: str) -> List[Any]:
    if not isinstance(values, (str, bytes)):
        try:
            return list(values)
        except TypeError:
            pass
    raise lib.Error("invalid_argument", f"it is a {type(values).__name__}, not a list", argument)


def real_of(value: Any, argument: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise lib.Error("invalid_argument", f"it is a {type(value).__name__}, not a number", argument) from None
