#!/usr/bin/env python3
"""Compares the methods of `skincells bind` with artists' weights: tools/method_table.py BUILD SHARED

Binds every measured character of SHARED with each method and prints the table of docs/method.md: medians of the RMS
distance in random poses and clips, in % of the diagonal, and of the stretch in random poses."""
import statistics
import sys
import tempfile
from pathlib import Path

from quality_against_time import characters, measure

ROWS = (
    ("skin-cells, artist's joints", ["--joints", "weighted"]),
    ("skin-cells, automatic joints", ["--joints", "auto"]),
    ("heat, artist's joints", ["--method", "heat", "--joints", "weighted"]),
    ("proximity, artist's joints", ["--method", "proximity", "--joints", "weighted"]),
)


def main():
    build, shared = map(Path, sys.argv[1:])
    program = build / "bin" / "skincells"
    measured, _ = characters(shared)
    print("| | random | clip | stretch |\n|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, options in ROWS:
            results = [measure(program, path, poses, options, Path(scratch)) for path, poses in measured]
            random, clip, stretch = (statistics.median(v for r in results for v in r[column]) for column in (1, 2, 3))
            print(f"| {name} | {random:.2f} | {clip:.2f} | {stretch:.3f} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
