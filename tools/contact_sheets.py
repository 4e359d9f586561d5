#!/usr/bin/env python3
"""Binds every character of a folder and draws one contact sheet each: the file's own skin beside ours.

    tools/contact_sheets.py CHARACTERS -o SHEETS [--program build/bin/skincells] [--method heat] [--poses FOLDER]
                            [bind options ...]

A character is a .glb or .vrm file in the folder, or a folder in it that holds one .gltf file. A sheet shows the bind
pose, the random poses in which the skins differ most and some poses of the clips. Its title holds the numbers of
`skincells compare`, over the poses of FOLDER/<name>.json where there is one. Existing sheets are replaced, skinned
files stay beside them. Options that this script does not know go to `skincells bind`.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def characters(folder):
    """Pairs of name and file, in the order of the names."""
    found = []
    for path in folder.iterdir():
        if path.suffix in (".glb", ".vrm"):
            found.append((path.stem, path))
        elif path.is_dir():
            scenes = sorted(path.glob("*.gltf"))
            if len(scenes) == 1:
                found.append((path.name, scenes[0]))
    return sorted(found, key=lambda pair: pair[0].lower())


def run(*words):
    """What the program printed; its message becomes the error."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}")
    return done.stdout


def numbers(document, labels):
    """'ours: random 0.61 %, clip 0.40 %, stretch 0.101' for each compared skin."""
    texts = []
    for label, other in zip(labels, document["others"]):
        parts = [f"{s['label']} {s['rms_percent']:.2f} %" for s in other["sets"]]
        stretch = other["sets"][0]["shape"]["stretch_rms"]
        own = document["reference"]["sets"][0]["shape"]["stretch_rms"]
        texts.append(f"{label}: {', '.join(parts)}, stretch {stretch:.3f} (file {own:.3f})")
    return "; ".join(texts)


def sheet(program, name, source, options, bind_options):
    """Binds one character, compares and draws it; returns the title."""
    skins = [options.output / f"{name}.glb"]
    run(program, "bind", source, "-o", skins[0], "--force", "--quiet", *bind_options)
    if options.method:
        skins.append(options.output / f"{name}.{options.method}.glb")
        run(program, "bind", source, "-o", skins[1], "--force", "--quiet", "--method", options.method, *bind_options)
    labels = ["ours", options.method][:len(skins)]
    compare = [program, "compare", source, *skins, "--json"]
    poses = options.poses / f"{name}.json" if options.poses else None
    if poses and poses.exists():
        compare += ["--pose-file", poses]
    title = f"{name}  {numbers(json.loads(run(*compare)), labels)}"
    run(program, "render", source, *skins, "-o", options.output / f"{name}.png", "--poses", "overview", "--force", "--quiet",
        "--count", options.count, "--size", options.size, "--color", options.color, "--views", options.views,
        "--labels", ",".join(["file", *labels]), "--title", title)
    return title


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("characters", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--program", default="build/bin/skincells", help="default: %(default)s")
    parser.add_argument("--method", help="also draw this method of bind")
    parser.add_argument("--poses", type=pathlib.Path, help="folder of pose files for the numbers")
    parser.add_argument("--only", action="append", default=[], help="this character; may be given several times")
    parser.add_argument("--count", type=int, default=2, help="random poses, and poses of clips; default: %(default)s")
    parser.add_argument("--size", type=int, default=320, help="of one picture in pixels; default: %(default)s")
    parser.add_argument("--color", default="plain", help="see 'skincells render --help'; default: %(default)s")
    parser.add_argument("--views", default="three-quarter,back", help="default: %(default)s")
    options, bind_options = parser.parse_known_args()
    options.output.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, source in characters(options.characters):
        if options.only and name not in options.only:
            continue
        try:
            print(sheet(options.program, name, source, options, bind_options), flush=True)
        except RuntimeError as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
