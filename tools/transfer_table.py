#!/usr/bin/env python3
"""Measures `skincells transfer` on parts of characters: tools/transfer_table.py BUILD SHARED

Cuts a part (all primitives of some materials) from an artist-skinned character, transfers the weights of the rest to it
with each method, and compares the result with the artist's weights of the part. Prints the table of docs/transfer.md and
draws its pictures into docs/images."""
import copy
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# File, materials of the part, name of the part.
CASES = [
    ("Rocketbox_Construction_Male_04.glb", {"m103_tools"}, "tool belt"),
    ("King.glb", {"Blue"}, "tunic"),
    ("MountainLion.glb", {"BlackOutline"}, "outline shell"),
    ("Rocketbox_Horse_Saddle.glb", {"reins"}, "reins"),
    ("HVGirl.glb", {"T-shirt"}, "T-shirt"),
]
METHODS = ("field", "closest", "robust")


def read_glb(path):
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + length]), data[20 + length:]


def write_glb(path, document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + binary
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)


def with_primitives(document, wanted):
    """The document with only the primitives whose material's name satisfies wanted()."""
    out = copy.deepcopy(document)
    names = [material.get("name", "") for material in out["materials"]]
    for mesh in out["meshes"]:
        mesh["primitives"] = [p for p in mesh["primitives"] if wanted(names[p.get("material", 0)])]
    kept = [i for i, mesh in enumerate(out["meshes"]) if mesh["primitives"]]
    for node in out["nodes"]:
        if node.get("mesh", kept[0]) not in kept:
            del node["mesh"]
            node.pop("skin", None)
        elif "mesh" in node:
            node["mesh"] = kept.index(node["mesh"])
    out["meshes"] = [out["meshes"][i] for i in kept]
    return out


class Program:
    def __init__(self, build):
        self.path = build / "bin" / "skincells"

    def __call__(self, *words):
        done = subprocess.run([self.path, *map(str, words)], check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout) if "--json" in words else None


def measure(skincells, case, shared, work, images):
    name, materials, what = case
    document, binary = read_glb(shared / "characters" / name)
    stem = Path(name).stem
    whole, body, part = (work / f"{stem}_{kind}.glb" for kind in ("whole", "body", "part"))
    write_glb(whole, document, binary)
    write_glb(body, with_primitives(document, lambda material: material not in materials), binary)
    write_glb(part, with_primitives(document, lambda material: material in materials), binary)
    parts, wholes, reports = [], [], {}
    for method in METHODS:
        parts.append(work / f"{stem}_part_{method}.glb")
        wholes.append(work / f"{stem}_{method}.glb")
        reports[method] = skincells("transfer", body, part, "-o", parts[-1], "--via", method, "--json")
        skincells("transfer", body, whole, "-o", wholes[-1], "--via", method, "--quiet")
    compared = skincells("compare", part, *parts, "--json")
    skincells("render", whole, *wholes, "-o", images / f"transfer_{stem}.png", "--poses", "worst", "--count", "1",
              "--views", "three-quarter", "--size", "260", "--force", "--quiet")
    return {"name": stem, "what": what, "vertices": reports[METHODS[0]]["input"]["vertices"], "reports": reports,
            "compared": dict(zip(METHODS, compared["others"]))}


def row(result):
    errors = {method: {s["label"]: s["rms_percent"] for s in result["compared"][method]["sets"]} for method in METHODS}
    best = min(errors[method]["random"] for method in METHODS)
    cells = [result["name"], result["what"], str(result["vertices"])]
    for method in METHODS:
        text = " / ".join(f"{errors[method][label]:.2f}" for label in ("random", "clip") if label in errors[method])
        cells.append(f"**{text}**" if errors[method]["random"] == best else text)
    surface, fit = result["reports"]["robust"]["surface"], result["reports"]["field"]["fit"]
    cells.append(f"{surface['copied']} / {surface['filled_in']} / {surface['unmatched']}")
    cells.append(f"{fit['half_l1']:.3f} / {fit['posed_rms_percent']:.2f}")
    return "| " + " | ".join(cells) + " |"


def main(arguments):
    build, shared = (Path(argument).resolve() for argument in arguments)
    images = Path(__file__).resolve().parent.parent / "docs" / "images"
    print("| character | part | vertices | field | closest | robust | robust: copied / filled in / unmatched "
          "| field: half L1 / posed rms on the source |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            print(row(measure(Program(build), case, shared, Path(folder), images)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1:])
