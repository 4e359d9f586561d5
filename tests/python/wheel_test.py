"""Builds the wheel over a finished build, installs it into an empty folder and uses it there without this repository.

Usage: wheel_test.py SOURCE_DIR BUILD_DIR CHARACTER

Exit code 77 (skipped): no pip, setuptools or wheel.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLE = """
import sys
import skincells as sc
result = sc.bind(sc.Character.load(sys.argv[1]), quality="draft")
result.save(sys.argv[2])
with open("mesh.obj", "w") as file:  # the import program is in the wheel, too
    file.writelines("v %r %r %r\\n" % tuple(v) for v in result.character.vertices.tolist())
    file.writelines("f %d %d %d\\n" % tuple(f + 1) for f in result.character.faces)
assert len(sc.Character.load("mesh.obj", rig=sys.argv[1]).faces) == len(result.character.faces)
loaded = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
for name in ("libskincells", "libtbb", "libembree3"):
    found = [path for path in loaded if "/" + name in path]
    assert found and all(path.startswith(sys.argv[3]) for path in found), (name, found)
print(sc.__version__, len(result.weights))
"""


def main(source, build, character):
    tools = subprocess.run([sys.executable, "-c", "import setuptools, wheel, pip"], capture_output=True)
    if tools.returncode != 0:
        print("pip, setuptools or wheel is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="skincells_wheel_") as folder:
        wheels, target = Path(folder) / "wheels", Path(folder) / "installed"
        environment = {"PATH": os.environ["PATH"], "SKINCELLS_BUILD_DIR": build, "SKINCELLS_BUNDLE": "1"}
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
                        "--wheel-dir", wheels, source], env=environment, check=True)
        (wheel,) = wheels.iterdir()
        assert wheel.name.startswith("skincells-") and "-py3-none-manylinux_" in wheel.name, wheel.name
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target",
                        target, wheel], env=environment, check=True)
        assert (target / "skincells/py.typed").exists()
        subprocess.run([sys.executable, "-c", SAMPLE, character, Path(folder) / "skinned.glb", target],
                       env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(target)}, cwd=folder, check=True)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(lambda p: str(Path(p).resolve()), sys.argv[1:])))
