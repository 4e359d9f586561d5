"""Copies a shared library, and perhaps those that it needs, into a package.

libskincells.so looks for them in its own folder first, and they for each other. A process that has loaded one of them
already (Blender has TBB) keeps the one it has.
"""

import os
import re
import shutil
import subprocess

# What every Linux system has, in this version or a later one.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|util|resolv)\.so)(\.\d+)*$")


def needed_by(path):
    """The libraries that a file needs, directly or not: name -> path."""
    found = {}
    for line in subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout.splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if match and not SYSTEM.match(match[1]):
            if match[2] == "not":
                raise SystemExit(f"{path} needs {match[1]}, which is not installed")
            found[match[1]] = match[2]
    return found


def copy_license(path, folder):
    """The license of a library of Debian, which has to go where it goes."""
    owner = subprocess.run(["dpkg", "-S", os.path.realpath(path)], capture_output=True, text=True).stdout.split(":")[0]
    text = f"/usr/share/doc/{owner}/copyright"
    if owner and os.path.exists(text):
        folder.mkdir(exist_ok=True)
        shutil.copyfile(text, folder / f"{owner}.txt")


def bundle_libraries(library, target, with_needed):
    copies = {"libskincells.so.0": library}
    if with_needed:
        copies.update(needed_by(library))
    for name, path in copies.items():
        shutil.copyfile(path, target / name)
        (target / name).chmod(0o755)
        if path != library:
            copy_license(path, target.parent / "licenses")
