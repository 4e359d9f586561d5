"""The program, C and Python give a character the same weights: the written files are equal byte for byte, also when
Python has the character as arrays. Five example characters, and five shared ones if they are there.

Usage: same_weights_test.py EXAMPLES_PROGRAM PROGRAM C_SAMPLE SHARED  (with PYTHONPATH and SKINCELLS_LIBRARY set)
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import skincells as sc

NAMES = ["biped_tpose", "knight", "quadruped", "robot", "dancer"]
SHARED = ["CesiumMan", "Fox", "Crabylon", "Anglerfish", "Rocketbox_Female_Adult_02"]


def check(folder, name, program, sample):
    """The character is folder/character.glb."""
    by_program = folder / "by_program.glb"
    subprocess.run([program, "bind", folder / "character.glb", "-o", by_program, "--quiet"], check=True)
    subprocess.run([sample], cwd=folder, check=True)  # writes skinned.glb
    character = sc.Character.load(folder / "character.glb")
    result = sc.bind(character)
    result.save(folder / "by_python.glb")
    assert (folder / "skinned.glb").read_bytes() == by_program.read_bytes(), f"{name}: C differs from the program"
    assert (folder / "by_python.glb").read_bytes() == by_program.read_bytes(), f"{name}: Python differs"
    arrays = sc.bind(character.vertices, character.faces, matrices=character.matrices, parents=character.parents,
                     names=character.names)
    assert np.array_equal(arrays.indices, result.indices), f"{name}: arrays differ"
    assert np.array_equal(arrays.weights, result.weights), f"{name}: arrays differ"


def check_fbx(path, program):
    with tempfile.TemporaryDirectory(prefix="skincells_same_") as folder:
        by_program, by_python = Path(folder) / "by_program.glb", Path(folder) / "by_python.glb"
        subprocess.run([program, "bind", path, "-o", by_program, "--quiet"], check=True)
        sc.bind_file(path, by_python)
        assert by_python.read_bytes() == by_program.read_bytes(), f"{path.name}: Python differs"
    print(f"{path.name}: same")


def main(examples, program, sample, shared):
    shared = Path(os.environ.get("SKINCELLS_SHARED") or shared) / "characters"
    for name in [*NAMES, *(SHARED if shared.is_dir() else [])]:
        with tempfile.TemporaryDirectory(prefix="skincells_same_") as folder:
            folder = Path(folder)
            if name in NAMES:
                subprocess.run([examples, folder, "--only", name], check=True, stdout=subprocess.DEVNULL)
                (folder / f"{name}.glb").rename(folder / "character.glb")
            else:
                shutil.copy(shared / f"{name}.glb", folder / "character.glb")
            check(folder, name, program, sample)
        print(f"{name}: same")
    if shared.is_dir():
        check_fbx(shared / "fbx/Rocketbox_Deer_Roe.fbx", program)


if __name__ == "__main__":
    sys.exit(main(*map(lambda p: str(Path(p).resolve()), sys.argv[1:])))
