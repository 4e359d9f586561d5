#!/usr/bin/env python3
"""Checks that no committed file holds a path of somebody's machine or the address of a package registry.

Usage: check_paths.py [ROOT]

Exit code 0: none does. 1: some do, each printed with file and line. 77: ROOT is not a git checkout.
"""

import re
import subprocess
import sys
from pathlib import Path

RULES = [
    (re.compile(r"(?<![\w.}/])/(?:home|root|work|tmp|Users|mnt|workspace)/[\w.]"), "path of a machine"),
    (re.compile(r"(?<!\w)[A-Za-z]:\\\\?Users\\"), "path of a machine"),
    (re.compile(r"\b(?:registry\.(?:npmjs|yarnpkg)|npmjs\.com|pypi\.org|pythonhosted\.org|crates\.io|deb\.debian)"),
     "address of a package registry"),
    (re.compile(r'^\s*"resolved":'), "address in a lock file (npm: omit-lockfile-registry-resolved)"),
]


def tracked_files(root):
    """Files that are or would be committed, or None outside a git checkout."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return None
    return [root / name for name in listing.split("\0") if name]


def problems_in(path):
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return  # binary, or listed by git but deleted
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in RULES:
            match = pattern.search(line)
            if match:
                yield number, f"{what}: {match[0].strip()}"


def check(tool, root, problems_in, suffix=""):
    """Prints what problems_in(path) yields for each file with this suffix; returns the exit code."""
    files = tracked_files(root)
    if files is None:
        print(f"{tool}: not a git checkout")
        return 77
    files = [path for path in files if path.name.endswith(suffix) and path.exists()]
    count = 0
    for path in files:
        for number, problem in problems_in(path):
            print(f"{path.relative_to(root)}:{number}: {problem}")
            count += 1
    print(f"{tool}: {count} found in {len(files)} files")
    return 1 if count else 0


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    return check("check_paths", root, problems_in)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
