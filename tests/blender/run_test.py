"""Builds the add-on over a finished build, installs it into Blender without settings of a user, and runs its tests.

Usage: run_test.py SOURCE_DIR BUILD_DIR PROGRAM EXAMPLES_PROGRAM SHARED

Exit code 77 (skipped): no Blender (tools/setup.sh blender installs it).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run_in_window(blender, arguments, settings):
    """Runs Blender in a window that nobody sees; Xvfb chooses the display."""
    receive, send = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(send), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                              pass_fds=[send], stderr=subprocess.DEVNULL)
    os.close(send)
    try:
        with os.fdopen(receive) as pipe:
            display = pipe.readline().strip()
        return subprocess.run([blender, "--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0",
                               "1280", "800", "--python", *arguments],
                              env={**settings, "DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1"}).returncode
    finally:
        screen.terminate()
        screen.wait()


def main(source, build, program, examples, shared):
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
        tests = Path(__file__).parent
        shared = os.environ.get("SKINCELLS_SHARED") or shared
        code = subprocess.run([blender, "--background", "--factory-startup", "--python", tests / "blender_test.py", "--",
                               addon, program, examples, Path(source) / "docs/blender.md", shared],
                              env=settings).returncode
        if code != 0 or not shutil.which("Xvfb"):
            return code
        subprocess.run([examples, folder, "--only", "quadruped"], check=True, stdout=subprocess.DEVNULL)
        return run_in_window(blender, [tests / "window_test.py", "--", addon, folder / "quadruped.glb",
                                       folder / "panel.png"], settings)


if __name__ == "__main__":
    sys.exit(main(*map(lambda p: str(Path(p).resolve()), sys.argv[1:])))
