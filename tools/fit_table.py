#!/usr/bin/env python3
"""Prints the table of docs/formats.md about mesh and skeleton that do not fit each other.

    tools/fit_table.py BUILD SHARED

Removes the skin of every shared character, binds the rest (by proximity: only the skeleton matters here), and compares
the joints of the new skin with the artist's."""

import json
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "prior"))
import corpus  # noqa: E402

NEAR = 4  # % of the size
HINTS = {"skeleton.aligned", "skeleton.bind_pose", "skeleton.doubtful", "joints.away"}
COMPRESSED = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}


def read(path):
    data = Path(path).read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def write(path, model, data):
    text = json.dumps(model).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    Path(path).write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def joints_of_meshes(model, data):
    """(mesh, node) -> position of the joint in the space of the mesh."""
    found = {}
    for node in model["nodes"]:
        if "mesh" not in node or "skin" not in node:
            continue
        skin = model["skins"][node["skin"]]
        if "inverseBindMatrices" not in skin:
            continue
        accessor = model["accessors"][skin["inverseBindMatrices"]]
        view = model["bufferViews"][accessor["bufferView"]]
        at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        matrices = np.frombuffer(data, "<f4", 16 * accessor["count"], at).reshape(-1, 4, 4).transpose(0, 2, 1)
        for joint, matrix in zip(skin["joints"], matrices.astype(float)):
            if abs(np.linalg.det(matrix)) > 1e-30:
                found[node["mesh"], joint] = np.linalg.inv(matrix)[:3, 3]
    return found


def size_of(model):
    def diagonal(mesh):
        boxes = [model["accessors"][p["attributes"]["POSITION"]] for p in mesh["primitives"]]
        return np.linalg.norm(np.max([b["max"] for b in boxes], 0) - np.min([b["min"] for b in boxes], 0))
    return max(diagonal(model["meshes"][n["mesh"]]) for n in model["nodes"] if "mesh" in n and "skin" in n)


def remove_skins(model):
    model.pop("skins")
    model.get("extensions", {}).pop("VRM", None)
    for node in model["nodes"]:
        node.pop("skin", None)
    for mesh in model["meshes"]:
        for primitive in mesh["primitives"]:
            primitive["attributes"] = {k: v for k, v in primitive["attributes"].items()
                                       if not k.startswith(("JOINTS", "WEIGHTS"))}


def outcome(program, path, folder):
    model, data = read(path)
    if COMPRESSED & set(model.get("extensionsRequired", [])):
        return None
    truth, size = joints_of_meshes(model, data), size_of(model)
    remove_skins(model)
    write(f"{folder}/in.glb", model, data)
    run = subprocess.run([program, "bind", f"{folder}/in.glb", "-o", f"{folder}/out.glb", "--force", "--json",
                          "--method", "proximity"], capture_output=True, text=True)
    if run.returncode != 0:
        return "refused: several node trees could be the skeleton" if "several node trees" in run.stderr \
            else "refused: mesh and skeleton do not fit"
    report = json.loads(run.stdout)
    now = joints_of_meshes(*read(f"{folder}/out.glb"))
    away = [100 * np.linalg.norm(now[k] - truth[k]) / size for k in truth if k in now]
    if not away:
        return None
    if np.percentile(away, 90) <= NEAR:
        return f"bound, joints at most {NEAR} % of the size away from the artist's (90th percentile)"
    told = HINTS & {w["code"] for w in report["warnings"]} or report["verdict"]["grade"] != "good"
    return "bound, farther away, with a warning about it or a verdict that is not good" if told \
        else "bound, farther away, without a word"


def main():
    build, shared = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        paths = [s.path for s in corpus.sources(shared) if s.path.suffix != ".gltf"]
        counts = Counter(outcome(f"{build}/bin/skincells", p, folder) for p in paths)
    print("| | characters |\n|---|--:|")
    for what in sorted(w for w in counts if w):
        print(f"| {what} | {counts[what]} |")


if __name__ == "__main__":
    main()
