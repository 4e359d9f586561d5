#!/usr/bin/env python3
"""Writes a release archive: program, importer, the libraries that they need, manual page, completions, licenses.

    tools/dist.py BUILD FOLDER

The archive runs where it is unpacked; the C and C++ libraries of the system must be those of this machine or later."""

import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from bundle import copy_license, needed_by  # noqa: E402

# Compiled into the programs: their packages have the licenses.
COMPILED_IN = ["nlohmann-json3-dev", "libeigen3-dev", "libcli11-dev", "fonts-dejavu-core"]


def main():
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version = re.search(r"project\(skincells VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    name = f"skincells-{version}-linux-{platform.machine()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        installed, tree = Path(work) / "installed", Path(work) / name
        subprocess.run(["cmake", "--install", build, "--prefix", installed, "--strip", "--component", "program"], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.copytree(installed, tree)
        libraries, licenses = tree / "lib/skincells", tree / "share/doc/skincells/licenses"
        libraries.mkdir(parents=True)
        licenses.mkdir(parents=True)
        needed = {k: v for p in ("bin/skincells", "libexec/skincells/skincells-import")
                  for k, v in needed_by(installed / p).items()}
        for library, path in needed.items():
            shutil.copyfile(path, libraries / library)
            copy_license(path, licenses)
        for package in COMPILED_IN:
            shutil.copyfile(f"/usr/share/doc/{package}/copyright", licenses / f"{package}.txt")
        if (three := ROOT / "web/node_modules/three/LICENSE").exists():  # without it, there is no viewer page either
            shutil.copyfile(three, licenses / "three.txt")
        archive = folder / f"{name}.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(tree, name)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB, {len(needed)} libraries")


if __name__ == "__main__":
    main()
