"""Builds the add-on over a finished build, installs it into Blender without settings of a user, and runs its tests.

Usage: run_test.py SOURCE_DIR BUILD_DIR PROGRAM EXAMPLES_PROGRAM

Exit code 77 (skipped): no Blender (tools/setup.sh blender installs it).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main(source, build, program, examples):
    blender = shutil.which("blender")
    if not blender:
        print("Blender is not installed; tools/setup.sh blender does it")
        return 77
    with tempfile.TemporaryDirectory(prefix="skincells_blender_") as folder:
        folder = Path(folder)
        environment = {"PATH": os.environ["PATH"], "SKINCELLS_BUILD_DIR": build, "SKINCELLS_BUNDLE": "1"}
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
                        "--wheel-dir", folder, source], env=environment, check=True)
        (wheel,) = folder.glob("*.whl")
        addon = folder / "skincells_addon.zip"
        subprocess.run([sys.executable, Path(source) / "blender/build_addon.py", wheel, addon], check=True)
        settings = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder),
                    "BLENDER_USER_SCRIPTS": str(folder / "scripts"), "BLENDER_USER_CONFIG": str(folder / "config")}
        (folder / "scripts" / "addons").mkdir(parents=True)
        return subprocess.run([blender, "--background", "--factory-startup", "--python",
                               Path(__file__).parent / "blender_test.py", "--", addon, program, examples,
                               Path(source) / "docs/blender.md"], env=settings).returncode


if __name__ == "__main__":
    sys.exit(main(*map(lambda p: str(Path(p).resolve()), sys.argv[1:])))
