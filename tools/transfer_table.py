#!/usr/bin/env python3
"""Measures `skincells transfer` on characters with a part of their own: tools/transfer_table.py BUILD SHARED

A part (all primitives of some materials) is cut from an artist-skinned character; the weights of the rest are carried
over to it in three ways and compared with what the artist gave it. Prints the table of docs/transfer.md and draws its
pictures into docs/images."""
import copy
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# File, materials of the part, what it is, picture: name and camera.
CASES = [
    ("Rocketbox_Construction_Male_04.glb", {"m103_tools"}, "tool belt"),
    ("King.glb", {"Blue"}, "tunic"),
    ("MountainLion.glb", {"BlackOutline"}, "outline shell"),
    ("Rocketbox_Horse_Saddle.glb", {"reins"}, "reins"),
    ("HVGirl.glb", {"T-shirt"}, "T-shirt"),
]
WAYS = ("field", "closest", "robust")


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
    for way in WAYS:
        parts.append(work / f"{stem}_part_{way}.glb")
        wholes.append(work / f"{stem}_{way}.glb")
        reports[way] = skincells("transfer", body, part, "-o", parts[-1], "--via", way, "--json")
        skincells("transfer", body, whole, "-o", wholes[-1], "--via", way, "--quiet")
    compared = skincells("compare", part, *parts, "--json")
    skincells("render", whole, *wholes, "-o", images / f"transfer_{stem}.png", "--poses", "worst", "--count", "1",
              "--views", "three-quarter", "--size", "260", "--quiet")
    return {"name": stem, "what": what, "vertices": compared_vertices(reports), "reports": reports,
            "compared": dict(zip(WAYS, compared["others"]))}


def compared_vertices(reports):
    return reports[WAYS[0]]["input"]["vertices"]


def row(result):
    errors = {way: {s["label"]: s["rms_percent"] for s in result["compared"][way]["sets"]} for way in WAYS}
    best = min(errors[way]["random"] for way in WAYS)
    cells = [result["name"], result["what"], str(result["vertices"])]
    for way in WAYS:
        text = " / ".join(f"{errors[way][label]:.2f}" for label in ("random", "clip") if label in errors[way])
        cells.append(f"**{text}**" if errors[way]["random"] == best else text)
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
