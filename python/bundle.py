"""Copies the library and the import program, and perhaps the libraries that they need, into a package.

Both look for them in their own folder first, and they for each other. A process that has loaded one of them
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
    name = f"*/{os.path.basename(os.path.realpath(path))}"  # dpkg may know it below /lib, not /usr/lib
    owner = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True).stdout.split(":")[0]
    text = f"/usr/share/doc/{owner}/copyright"
    if owner and os.path.exists(text):
        folder.mkdir(exist_ok=True)
        shutil.copyfile(text, folder / f"{owner}.txt")


def bundle(library, importer, target, with_needed):
    own = {"libskincells.so.0": library, "skincells-import": importer}
    needed = {**needed_by(library), **needed_by(importer)} if with_needed else {}
    for name, path in {**own, **needed}.items():
        shutil.copyfile(path, target / name)
        (target / name).chmod(0o755)
    for path in needed.values():
        copy_license(path, target.parent / "licenses")
