"""Runs the commands of the README as written, on example characters.

Usage: readme_test.py SOURCE_DIR SKINCELLS SKINCELLS_EXAMPLES
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# File names in the README, and the examples used for them.
FILES = {
    "character.glb": "biped_apose.glb",
    "reference.glb": "biped_apose_reference.glb",
    "lod2.glb": "biped_apose_lod2.glb",
    "jacket.glb": "biped_apose_lod1.glb",
    "capture.ply": "biped_apose_splats.ply",
}
# Additional options by command: no test opens a browser.
MORE = {"view": ["--no-open"]}
LEAST_COMMANDS = 10  # fewer mean that this script no longer finds them


def commands(readme):
    """The words of each line in a fenced block that runs the program, without comments."""
    fenced = False
    for line in readme.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced and line.startswith("skincells "):
            yield shlex.split(line, comments=True)


def main(source, program, examples):
    lines = list(commands(Path(source) / "README.md"))
    if len(lines) < LEAST_COMMANDS:
        sys.exit(f"found only {len(lines)} commands in the README")
    with tempfile.TemporaryDirectory(prefix="skincells_readme_") as folder:
        subprocess.run([examples, folder, "--only", "biped_apose", "--splats", "500"], check=True, capture_output=True)
        for name, example in FILES.items():
            shutil.copy(Path(folder) / example, Path(folder) / name)
        environment = {**os.environ, "TMPDIR": folder}
        for words in lines:
            command = [program, *words[1:], *MORE.get(words[1], [])]
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            print(run.returncode, " ".join(words))
            if run.returncode != 0:
                sys.exit(f"{' '.join(words)}\n{run.stdout}{run.stderr}")
            written = words[words.index("-o") + 1] if "-o" in words else None
            if written and not (Path(folder) / written).exists():
                sys.exit(f"{' '.join(words)}\ndid not write {written}")


if __name__ == "__main__":
    main(*sys.argv[1:])
