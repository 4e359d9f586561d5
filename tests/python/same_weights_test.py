"""The program, C and Python give five characters the same weights: the written files are equal byte for byte, also when
Python has the character as arrays.

Usage: same_weights_test.py EXAMPLES_PROGRAM PROGRAM C_SAMPLE     (with PYTHONPATH and SKINCELLS_LIBRARY set)
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import skincells as sc

NAMES = ["biped_tpose", "knight", "quadruped", "robot", "dancer"]


def check(folder, name, examples, program, sample):
    subprocess.run([examples, folder, "--only", name], check=True, stdout=subprocess.DEVNULL)
    (folder / f"{name}.glb").rename(folder / "character.glb")
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


def main(*programs):
    for name in NAMES:
        with tempfile.TemporaryDirectory(prefix="skincells_same_") as folder:
            check(Path(folder), name, *programs)
        print(f"{name}: same")


if __name__ == "__main__":
    sys.exit(main(*map(lambda p: str(Path(p).resolve()), sys.argv[1:])))
