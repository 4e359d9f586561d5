"""Runs the commands of the README and of pages of the documentation as written and in order, each page in a folder that
holds nothing but the input files that it names.

Usage: readme_test.py SOURCE_DIR SKINCELLS SKINCELLS_EXAMPLES
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# By page: its input files, and the examples used for them.
FIGURE, SKINNED, COARSE = "biped_apose.glb", "biped_apose_reference.glb", "biped_apose_lod1.glb"
PAGES = {
    "README.md": {"character.glb": FIGURE, "reference.glb": SKINNED, "lod2.glb": "biped_apose_lod2.glb",
                  "jacket.glb": COARSE, "capture.ply": "biped_apose_splats.ply"},
    "docs/artists.md": {"character.glb": FIGURE, "jacket.glb": COARSE},
    "docs/pictures.md": {"skinned.glb": SKINNED, "artist.glb": SKINNED, "in.glb": FIGURE},
    "docs/points.md": {"hero.glb": FIGURE, "skeleton.glb": FIGURE, "capture.ply": "biped_apose_splats.ply"},
    "docs/lod.md": {"hero.glb": FIGURE},
    "docs/joints.md": {"in.glb": FIGURE},
    "docs/gallery.md": {FIGURE: FIGURE},
}
# Additional options by command: no test opens a browser.
MORE = {"view": ["--no-open"]}
LEAST_COMMANDS = 25  # fewer mean that this script no longer finds them


def commands(readme):
    """The words of each line in a fenced block that runs the program, without comments."""
    fenced = False
    for line in readme.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced and line.startswith("skincells "):
            yield shlex.split(line, comments=True)


def run_page(source, page, examples, program):
    """Returns the number of its commands."""
    count = 0
    with tempfile.TemporaryDirectory(prefix="skincells_readme_") as folder:
        for name, example in PAGES[page].items():
            shutil.copy(Path(examples) / example, Path(folder) / name)
        for words in commands(Path(source) / page):
            command = [program, *words[1:], *MORE.get(words[1], [])]
            run = subprocess.run(command, cwd=folder, env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True)
            print(run.returncode, page, " ".join(words))
            if run.returncode != 0:
                sys.exit(f"{page}: {' '.join(words)}\n{run.stdout}{run.stderr}")
            written = words[words.index("-o") + 1] if "-o" in words else None
            if written and not (Path(folder) / written).exists():
                sys.exit(f"{page}: {' '.join(words)}\ndid not write {written}")
            count += 1
    return count


def main(source, program, generator):
    with tempfile.TemporaryDirectory(prefix="skincells_examples_") as examples:
        subprocess.run([generator, examples, "--only", "biped_apose", "--splats", "500"], check=True, capture_output=True)
        count = sum(run_page(source, page, examples, program) for page in PAGES)
    if count < LEAST_COMMANDS:
        sys.exit(f"found only {count} commands")


if __name__ == "__main__":
    main(*sys.argv[1:])
