#!/usr/bin/env python3
"""Prints the tables of docs/verdict.md: verdicts on artists' skins and on spoiled copies of them, by author folds.

    tools/verdict_table.py BUILD SHARED [VERDICTS.tsv]

The third argument is a file that `skincells-verdicts` wrote; without it, the program is run."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "prior"))
import corpus  # noqa: E402

CHUNK = 20  # files per run of the program
PERCENTILES = {"stray_percent": 98}  # of artists' skins, for what decides
SLACK = 1.3  # times the 99.5th percentile, for the other measures


def judged(build, sources):
    """The lines that the program prints."""
    for at in range(0, len(sources), CHUNK):
        files = [str(s.path) for s in sources[at:at + CHUNK]]
        run = subprocess.run([f"{build}/bin/skincells-verdicts", *files], check=True, capture_output=True, text=True)
        yield from run.stdout.splitlines()


def read(lines, sources):
    """skin -> [(fold, grade, {measure: value})]"""
    fold = {str(s.path): s.fold for s in sources}
    skins = defaultdict(list)
    for line in lines:
        path, skin, grade, *measures = line.split("\t")
        values = {name: float(value) for name, value in (m.split("=") for m in measures)}
        skins[skin].append((fold[path], grade, values))
    return skins


def limits_from(artists):
    """Percentiles of artists' skins: the committed limits are about these."""
    return {m: np.percentile([a[m] for a in artists], PERCENTILES[m]) if m in PERCENTILES
            else SLACK * np.percentile([a[m] for a in artists], 99.5) for m in artists[0]}


def is_bad(values, limits):
    return any(values[m] > limits[m] for m in limits)


def main():
    build, shared = sys.argv[1], sys.argv[2]
    sources = corpus.sources(shared)
    lines = Path(sys.argv[3]).read_text().splitlines() if len(sys.argv) > 3 else judged(build, sources)
    skins = read(lines, sources)

    limits = {f: limits_from([v for fold, _, v in skins["artist"] if fold != f]) for f in range(corpus.FOLDS)}
    print("| skin | characters | good, % | look at it, % | bad, % | bad by fold, % | bad, held-out limits, % |")
    print("|---|--:|--:|--:|--:|---|--:|")
    for skin, rows in skins.items():
        share = {g: 100 * np.mean([grade == g for _, grade, _ in rows]) for g in ("good", "look at it", "bad")}
        folds = [100 * np.mean([grade == "bad" for fold, grade, _ in rows if fold == f] or [0])
                 for f in range(corpus.FOLDS)]
        held_out = 100 * np.mean([is_bad(values, limits[fold]) for fold, _, values in rows])
        print(f"| {skin} | {len(rows)} | {share['good']:.1f} | {share['look at it']:.1f} | {share['bad']:.1f} | "
              f"{', '.join(f'{x:.0f}' for x in folds)} | {held_out:.1f} |")
    print("\n| measure | artists: 90 % | 95 % | 99 % | moved part: median | mixed legs: median |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in skins["artist"][0][2]:
        of = {skin: [v[name] for _, _, v in rows] for skin, rows in skins.items()}
        print(f"| `{name}` | " + " | ".join(f"{np.percentile(of['artist'], q):.2f}" for q in (90, 95, 99)) +
              f" | {np.median(of['moved part']):.2f} | {np.median(of['mixed legs']):.2f} |")


if __name__ == "__main__":
    main()
