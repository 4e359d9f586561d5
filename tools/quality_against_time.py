#!/usr/bin/env python3
"""Measures how quality depends on the number of steps, and what steps cost: tools/quality_against_time.py BUILD SHARED

Binds every character of SHARED with several numbers of steps of the pose losses, compares with the artist's weights in
random poses and clips, and prints the table of docs/performance.md: geometric means over the characters that the method
was tuned on (measured) and over those that it was not (held out)."""
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = (0, 15, 30, 50, 70, 100, 200)


def characters(shared):
    """(file, options of compare) for each measured character, and for each held-out one."""
    folder = shared / "characters"
    measured = []
    for poses in sorted((shared / "peers" / "poses").glob("*.json")):
        found = [*folder.glob(poses.stem + ".*"), *(folder / poses.stem).glob("*.gltf")]
        measured.append((found[0], ["--pose-file", poses]))
    held_out = [(path, []) for path in [*sorted(folder.glob("fbx/*.fbx")), *sorted(folder.glob("compressed/*.glb"))]]
    return measured, held_out


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(program, path, poses, options, scratch, studies=None):
    """Binds with these options, by the program `studies` if it is given. Returns the CPU seconds of the bind, and for
    random poses and clips the RMS distance to the file's own skin in % of the diagonal, each a list that is empty if
    the file has no such poses. The last value is the RMS stretch in random poses."""
    out = scratch / "out.glb" if path.suffix != ".vrm" else scratch / "out.vrm"
    begin = cpu_seconds()
    bind = [studies, path, out] if studies else [program, "bind", path, "-o", out, "--force", "--quiet"]
    subprocess.run([*bind, *options], check=True, stdout=subprocess.DEVNULL)
    seconds = cpu_seconds() - begin
    printed = subprocess.run([program, "compare", path, out, *poses, "--json"], check=True, stdout=subprocess.PIPE)
    sets = json.loads(printed.stdout)["others"][0]["sets"]
    random = [s["rms_percent"] for s in sets if s["label"] == "random"]
    clips = [s["rms_percent"] for s in sets if s["label"] != "random" and s["rms_percent"] > 1e-3]
    stretch = [s["shape"]["stretch_rms"] for s in sets if s["label"] == "random"]
    return seconds, random, clips, stretch


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    build, shared = map(Path, sys.argv[1:])
    program, studies = build / "bin" / "skincells", build / "bin" / "skincells-studies"
    print("| steps | CPU seconds per character | measured: random / clip | held out: random / clip |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for steps in STEPS:
            columns, seconds = [], []
            for chosen in characters(shared):
                options = ["--joints", "weighted", "--steps", str(steps)]
                results = [measure(program, path, poses, options, Path(scratch), studies) for path, poses in chosen]
                seconds += [r[0] for r in results]
                columns.append(f"{geometric_mean([v for r in results for v in r[1]]):.3f} / "
                               f"{geometric_mean([v for r in results for v in r[2]]):.3f}")
            print(f"| {steps} | {sum(seconds) / len(seconds):.2f} | {columns[0]} | {columns[1]} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
