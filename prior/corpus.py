"""The characters that the prior learns from, their authors, and folds by author."""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np

FOLDS = 5
# Characters of shared/characters by authors who also have characters in shared/corpus, or by one author.
SAME_AUTHOR = {
    "Horse": "quaternius", "CyberpunkRunner": "quaternius", "King": "quaternius", "Anglerfish": "quaternius",
    "Alien": "babylonjs_team", "HVGirl": "babylonjs_team", "MountainLion": "polygonal_mind",
    "Crabylon": "polygonal_mind", "PyreSorcerer": "polygonal_mind", "Knight": "kaykit_kaylousberg",
    "CesiumMan": "cesium", "RiggedFigure": "cesium",
}


class Source:
    """A character file. `shared`: one of the 24 close-up characters."""

    def __init__(self, name, path, author, shared, license):
        self.name, self.path, self.author, self.shared, self.license = name, path, author, shared, license
        self.fold = int(hashlib.md5(author.encode()).hexdigest(), 16) % FOLDS


def close_up_author(name):
    return "Rocketbox" if name.startswith("Rocketbox") else SAME_AUTHOR.get(name, name)


def sources(shared_folder):
    """All characters, sorted."""
    folder = Path(shared_folder)
    found = []
    for row in json.loads((folder / "corpus" / "INDEX.json").read_text()):
        path = folder / "corpus" / row["file"]
        found.append(Source(path.stem, path, row["author"], False, row["licence"]))
    characters = folder / "characters"
    for path in [*characters.glob("*.glb"), *characters.glob("*.vrm"), *characters.glob("*/*.gltf")]:
        name = path.stem if path.parent == characters else path.parent.name
        found.append(Source(name, path, close_up_author(name), True, ""))
    return sorted(found, key=lambda s: (s.shared, s.name))


def read_arrays(path):
    """The named arrays that `skincells-prior dump` writes."""
    data = Path(path).read_bytes()
    arrays, at = {}, 0
    while at < len(data):
        size = struct.unpack_from("<i", data, at)[0]
        name = data[at + 4:at + 4 + size].decode()
        at += 4 + size
        kind, rank = data[at:at + 1], struct.unpack_from("<i", data, at + 1)[0]
        shape = struct.unpack_from(f"<{rank}i", data, at + 5)
        at += 5 + 4 * rank
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(data, "<f4" if kind == b"f" else "<i4", count, at).reshape(shape).copy()
        at += 4 * count
    return arrays
