"""Builds the Python package: python/skincells with libskincells.so and the import program inside.

Environment:
  SKINCELLS_BUILD_DIR  a CMake build folder that has both already; without it, CMake builds one
  SKINCELLS_BUNDLE=1   copy the shared libraries that it needs into the package, too (make wheel)
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).parent.resolve()
WORK = ROOT / "build-python"  # not `build`, which is CMake's
BUNDLE = os.environ.get("SKINCELLS_BUNDLE") == "1"
WORK.mkdir(exist_ok=True)
sys.path.insert(0, str(ROOT / "python"))
from bundle import bundle  # noqa: E402


def built():
    """The paths of libskincells.so and skincells-import, built if needed."""
    given = os.environ.get("SKINCELLS_BUILD_DIR")
    folder = Path(given) if given else WORK / "cmake"
    if not given:
        options = [f"-DSKINCELLS_BUILD_{part}=OFF" for part in ("CLI", "TESTS", "EXAMPLES", "STUDIES")]
        if not (ROOT / "web/node_modules").exists():
            options.append("-DSKINCELLS_BUILD_VIEWER=OFF")
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options],
                       check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "skincells_c", "skincells_import"], check=True)
    return [(folder / path).resolve(strict=True) for path in ("lib/libskincells.so", "bin/skincells-import")]


class BuildPackage(build_py):
    def run(self):
        super().run()
        target = Path(self.build_lib) / "skincells" / "lib"
        target.mkdir(parents=True, exist_ok=True)
        for old in target.iterdir():
            old.unlink()
        bundle(*built(), target, with_needed=BUNDLE)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True  # it has code for one kind of machine


class Wheel(bdist_wheel):
    """One wheel for every CPython: the library is called through ctypes."""

    def get_tag(self):
        platform = super().get_tag()[2]
        if BUNDLE:  # needs this C library or a later one, and nothing else
            glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
            platform = platform.replace("linux_", f"manylinux_{glibc}_")
        return "py3", "none", platform


setup(
    version=re.search(r"project\(skincells VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    distclass=BinaryDistribution,
    cmdclass={"build_py": BuildPackage, "bdist_wheel": Wheel},
    options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}},
)
