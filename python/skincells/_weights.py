"""Weights in the forms that people use: slots, dense and sparse matrices."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from . import _library as lib
from ._arrays import NDArray, checked, numbers_of


def dense_of(indices: NDArray, weights: NDArray, joint_count: int) -> NDArray:
    dense = np.zeros((len(weights), joint_count), np.float32)
    rows = np.arange(len(weights))
    for k in range(weights.shape[1]):
        dense[rows, indices[:, k]] += weights[:, k]
    return dense


def sparse_of(indices: NDArray, weights: NDArray, joint_count: int) -> Any:
    try:
        from scipy.sparse import csr_matrix  # type: ignore[import]
    except ImportError:
        raise lib.Error("unsupported_feature", "a sparse matrix needs SciPy; install it, or use dense()",
                        "sparse") from None
    used = weights > 0
    starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
    matrix = csr_matrix((weights[used], indices[used].astype(np.int32), starts), (len(weights), joint_count))
    matrix.sort_indices()
    return matrix


def slots_of(skin: Any, argument: str = "weights") -> Tuple[NDArray, NDArray]:
    """Indices and weights of a pair (indices, weights), of a dense matrix or of a sparse one."""
    if isinstance(skin, tuple) and len(skin) == 2:
        indices = numbers_of(skin[0], argument)
        if indices.ndim != 2:
            raise lib.Error("invalid_argument", f"its indices have the shape {indices.shape}, not (n, k)", argument)
        width = (indices.shape[1],)
        return checked(indices, width, argument, integers=True), checked(skin[1], width, argument)
    if hasattr(skin, "toarray"):
        skin = skin.toarray()
    dense = numbers_of(skin, argument)
    if dense.ndim != 2:
        raise lib.Error("invalid_argument", f"its shape is {dense.shape}, not (vertices, joints)", argument)
    dense = checked(dense, (dense.shape[1],), argument)
    slots = max(1, int((dense != 0).sum(axis=1).max(initial=0)))
    order = np.argsort(-dense, axis=1, kind="stable")[:, :slots]
    return order.astype(np.int32), np.take_along_axis(dense, order, axis=1)
