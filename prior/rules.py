#!/usr/bin/env python3
"""Measures what a number of the guess is worth (docs/experiments.md, "Rules").

Usage: rules.py BUILD SHARED [NAME=VALUE ...]

For each NAME=VALUE, changes that number in src/guess/tuning.h, builds BUILD, measures the heat with the artist's joints
over one to three characters of each author, restores the number, and prints the ratio of the error to the one without
the change: the geometric mean over authors, and the authors that change most. No training is involved, so that the
authors need no folds. Without NAME=VALUE it prints the characters.
"""

import re
import subprocess
import sys
from collections import defaultdict
from math import exp, log
from pathlib import Path

from check import LEAST, geometric_mean
from corpus import sources

TUNING = Path(__file__).resolve().parent.parent / "src" / "guess" / "tuning.h"
MANY = 20  # characters of an author: three are measured instead of two
SHOWN = 3  # authors at either end


def chosen(shared):
    """The first character of each author by name, the one in the middle if there are more, or three of many."""
    by_author = defaultdict(list)
    for source in sources(shared):
        by_author[source.author].append(source)
    found = []
    for _, own in sorted(by_author.items()):
        own.sort(key=lambda s: s.name)
        count = min(len(own), 3 if len(own) > MANY else 2)
        found += [own[round(i * len(own) / count)] for i in range(count)]
    return found


def measure(build, characters):
    """Character -> RMS distance to the artist in random poses."""
    subprocess.run(["cmake", "--build", build, "--target", "skincells-prior"], check=True, capture_output=True)
    program = Path(build) / "bin" / "skincells-prior"
    lines = subprocess.run([program, "measure", "heat", "weighted", *(str(c.path) for c in characters)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {line.split("\t")[0]: float(line.split("\t")[2]) for line in lines}


def with_number(text, name, value):
    changed, count = re.subn(rf"(\b{name} = )[^;]+;", rf"\g<1>{value};", text)
    if count != 1:
        raise SystemExit(f"rules.py: src/guess/tuning.h has no number {name}")
    return changed


def describe(change, characters, before, after):
    logs = defaultdict(list)
    for c in characters:
        logs[c.author].append(log((after[str(c.path)] + LEAST) / (before[str(c.path)] + LEAST)))
    means = {author: sum(values) / len(values) for author, values in logs.items()}
    order = sorted(means, key=means.get)
    ends = ", ".join(f"{a} {exp(means[a]):.2f}" for a in order[:SHOWN] + order[-SHOWN:])
    return f"{change}\t{geometric_mean(means):.3f}\t{ends}"


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    build, shared, *changes = arguments[1:]
    characters = chosen(shared)
    if not changes:
        print("\n".join(str(c.path) for c in characters))
        return 0
    text = TUNING.read_text()
    changed = [with_number(text, *change.split("=")) for change in changes]
    before = measure(build, characters)
    try:
        for change, new_text in zip(changes, changed):
            TUNING.write_text(new_text)
            print(describe(change, characters, before, measure(build, characters)), flush=True)
    finally:
        TUNING.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
