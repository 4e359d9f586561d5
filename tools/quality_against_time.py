#!/usr/bin/env python3
"""How close to artists' weights more steps come, and what they cost: tools/quality_against_time.py BUILD SHARED

Binds every character of SHARED with each number of steps of the pose losses, compares with the artist's weights on
random poses and clips, and prints the table of docs/performance.md: geometric means over the characters, those that
took part in the tuning (measured) and those that did not (kept out)."""
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = (0, 15, 30, 50, 70, 100, 200)


def characters(shared):
    """Files of the measured characters with their pose files, and files of those kept out."""
    folder = shared / "characters"
    measured = []
    for poses in sorted((shared / "peers" / "poses").glob("*.json")):
        found = [*folder.glob(poses.stem + ".*"), *(folder / poses.stem).glob("*.gltf")]
        measured.append((found[0], ["--poses", poses]))
    kept_out = [(path, []) for path in [*sorted(folder.glob("fbx/*.fbx")), *sorted(folder.glob("compressed/*.glb"))]]
    return measured, kept_out


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(program, path, poses, steps, scratch):
    """CPU seconds of the bind, and rms in % of the diagonal on random poses and clips."""
    out = scratch / "out.glb" if path.suffix != ".vrm" else scratch / "out.vrm"
    begin = cpu_seconds()
    subprocess.run([program, "bind", path, "-o", out, "--force", "--quiet", "--joints", "weighted", "--steps",
                    str(steps)], check=True)
    seconds = cpu_seconds() - begin
    printed = subprocess.run([program, "compare", path, out, *poses, "--json"], check=True, stdout=subprocess.PIPE)
    sets = json.loads(printed.stdout)["others"][0]["sets"]
    random = [s["rms_percent"] for s in sets if s["label"] == "random"]
    clips = [s["rms_percent"] for s in sets if s["label"] != "random" and s["rms_percent"] > 1e-3]
    return seconds, random, clips


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    build, shared = map(Path, sys.argv[1:3])
    sets = characters(shared)
    print("| steps | CPU seconds per character | measured: random / clip | kept out: random / clip |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for steps in STEPS:
            columns, seconds = [], []
            for chosen in sets:
                results = [measure(build / "bin" / "skincells", path, poses, steps, Path(scratch)) for path, poses in chosen]
                seconds += [r[0] for r in results]
                columns.append(f"{mean([v for r in results for v in r[1]]):.3f} / "
                               f"{mean([v for r in results for v in r[2]]):.3f}")
            print(f"| {steps} | {sum(seconds) / len(seconds):.2f} | {columns[0]} | {columns[1]} |", flush=True)


if __name__ == "__main__":
    main()
