#!/usr/bin/env python3
"""Binds characters whose clothes are meshes of their own, with and without the garment path, and prints a table.

Usage: garment_table.py BUILD SHARED

Clothes are meshes or materials with a name of clothes over other skinned meshes of the file. Each character is bound
twice with the artist's joints: as one mesh, and with --garment. Distances are to the artist's skin, in % of the
diagonal, in random poses; penetration and stretch are those of the garment alone (`skincells compare --garment`).
"""

import json
import os
import subprocess
import sys
import tempfile

# What a name search of the characters finds; the clothes must not be all of the mesh.
CLOTHES = [("characters/HVGirl.glb", "T-shirt"), ("characters/HVGirl.glb", "short"),
           ("characters/Alien/Alien.gltf", "Shirt*"), ("characters/King.glb", "Blue"),
           ("corpus/annonymouscreator__Female_Police_Officer_fully_rigged_3d_ch.glb", "Tops*"),
           ("corpus/annonymouscreator__Female_Police_Officer_fully_rigged_3d_ch.glb", "Bottoms*"),
           ("corpus/catprisbrey__mannyquin.glb", "Cloth"), ("corpus/catprisbrey__minnyquinn.glb", "Cloth"),
           ("corpus/quaternius__KnightCharacter.glb", "Armor"), ("corpus/quaternius__Worker.glb", "Worker_Vest"),
           ("corpus/rosaliarenda__pallone_da_calcio_giocatore.glb", "t_shirt_basic_tucked"),
           ("corpus/rosaliarenda__pallone_da_calcio_giocatore.glb", "short02"),
           ("corpus/stakler__cat.glb", "scarf*")]


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 5):
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def measure(program, path, pattern, folder):
    plain, worn = os.path.join(folder, "plain.glb"), os.path.join(folder, "worn.glb")
    common = ["--joints", "weighted", "--quiet", "--force"]
    run(program, "bind", path, "-o", plain, *common)
    run(program, "bind", path, "-o", worn, "--garment", pattern, *common)
    report = json.loads(run(program, "compare", path, plain, worn, "--garment", pattern, "--json"))
    errors = ["-"] + [f"{other['sets'][0]['rms_percent']:.2f}" for other in report["others"]]
    for skin, method, error in zip(report["garments"][0]["skins"], ("artist", "whole", "garment"), errors):
        yield method, error, f"{skin['inside_percent']:.2f}", f"{skin['stretch_p99']:.2f}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, shared = os.path.join(sys.argv[1], "bin", "skincells"), sys.argv[2]
    print("| character | garment | bound | distance | inside % | stretch p99 |\n|---|---|---|--:|--:|--:|")
    for name, pattern in CLOTHES:
        title = os.path.splitext(os.path.basename(name))[0].split("__")[-1]
        with tempfile.TemporaryDirectory() as folder:
            try:
                for row in measure(program, os.path.join(shared, name), pattern, folder):
                    print("| " + " | ".join((title[:24], pattern.strip("*")) + row) + " |", flush=True)
            except RuntimeError as error:
                print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
