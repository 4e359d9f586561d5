"""Variants of GLB characters: the mesh made a little wider, longer or deeper, so that each has other bytes."""
import argparse
import json
import random
import struct
import subprocess
from pathlib import Path

CHARACTERS = ["biped_apose", "biped_tpose", "dancer", "knight", "mannequin", "quadruped", "robot"]  # no garments


def variant(data: bytes, seed: int) -> bytes:
    """The character with its positions scaled per axis by at most five percent."""
    random_numbers = random.Random(seed)
    factors = [1 + random_numbers.uniform(-0.05, 0.05) for _ in range(3)]
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    body = bytearray(data[20 + length + 8 :])
    seen = set()
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            seen.add(primitive["attributes"]["POSITION"])
    for index in seen:
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", 12)
        for v in range(accessor["count"]):
            at = start + v * stride
            point = struct.unpack_from("<3f", body, at)
            struct.pack_into("<3f", body, at, *(p * f for p, f in zip(point, factors)))
        for bound in ("min", "max"):
            if bound in accessor:
                accessor[bound] = [p * f for p, f in zip(accessor[bound], factors)]
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(body)
    return (
        struct.pack("<4sII", b"glTF", 2, total)
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(body), b"BIN\0")
        + bytes(body)
    )


def campaign_parser(items: int) -> argparse.ArgumentParser:
    """The arguments of all campaigns: both programs, the folder to work in, how many items."""
    parser = argparse.ArgumentParser()
    for name in ("program", "examples", "folder"):
        parser.add_argument(name, type=lambda p: Path(p).resolve())
    parser.add_argument("--items", type=int, default=items)
    return parser


def write_variants(examples_program: Path, work: Path, folder: Path, count: int) -> None:
    """Variants of the small levels of detail of the example characters, which are made in `work`."""
    for name in CHARACTERS:
        subprocess.run([examples_program, work, "--only", name, "--splats", "1"], check=True, stdout=subprocess.DEVNULL)
    sources = [work / f"{name}_lod2.glb" for name in CHARACTERS]
    folder.mkdir(parents=True, exist_ok=True)
    data = [source.read_bytes() for source in sources]
    for i in range(count):
        source = sources[i % len(sources)]
        (folder / f"{source.stem}_{i:05}.glb").write_bytes(variant(data[i % len(sources)], i))
