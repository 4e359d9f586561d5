#!/usr/bin/env python3
"""Trains and judges the prior (docs/prior.md).

Usage: check.py train|folds BUILD SHARED

train  writes prior/table.bin, from all authors.
folds  trains one table per fold, binds the characters of its authors with it, prints the table of docs/prior.md and
       fails if the result is behind LIMITS. Compares with prior/baseline.tsv, the default without prior and normals.
"""

import json
import math
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corpus import FOLDS, sources

HERE = Path(__file__).resolve().parent
WORKERS = 2
LIMITS = {  # ratios to the baseline, geometric means over authors
    "weighted": {"random": 0.80, "clip": 0.76, "stretch": 0.97},
    "auto": {"random": 0.755, "clip": 0.45, "stretch": 0.93},
}
CHOSEN_AGAINST_TOLD = 1.05  # distance to the artist with chosen joints, geometric mean over authors of the ratios
LEAST = 0.01  # added to both sides of a ratio: tiny errors say little
WORST_AUTHOR = 1.3  # random poses, the artist's joints: no author's mean ratio is above
LEAST_SURE_SHARE = 0.35  # of the squared error that the least sure tenth of the vertices holds, mean over authors
METRICS = ("random", "clip", "stretch")
COLUMNS = (*METRICS, "artist's stretch", "seconds", "least sure")  # that the program prints


def in_parallel(work, items):
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(work, items))


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


class Judge:
    def __init__(self, build, shared):
        self.program = Path(build) / "bin" / "skincells-prior"
        self.folder = Path(build) / "prior"
        self.shared, self.sources = shared, sources(shared)

    def dump(self):
        dumps = self.folder / "dumps"
        dumps.mkdir(parents=True, exist_ok=True)
        in_parallel(lambda s: run(self.program, "dump", dumps / f"{s.name}.bin", s.path), self.sources)
        return dumps

    def train(self, dumps, output, fold):
        run(sys.executable, HERE / "train.py", self.shared, dumps, output, "--fold", fold)

    def chosen_alike(self):
        """The characters whose joints the rules choose as the artist did: bound with either, they are the same."""
        unlike = {line.split("\t")[0] for line in run(self.program, "joints", *(s.path for s in self.sources)).splitlines()}
        return {s.name for s in self.sources if str(s.path) not in unlike}

    def measure(self, fold, joints, but=()):
        """(character, joints) -> metric -> value, for the characters of a fold."""
        chosen = {str(s.path): s for s in self.sources if s.fold == fold and s.name not in but}
        found = {}
        if not chosen:
            return found
        for line in run(self.program, "measure", self.folder / f"fold{fold}.bin", joints, *chosen).splitlines():
            path, _, *numbers = line.split("\t")
            found[chosen[path].name, joints] = dict(zip(COLUMNS, map(float, numbers)))
        return found


def baseline():
    rows = (HERE / "baseline.tsv").read_text().splitlines()[1:]
    return {(name, joints): dict(zip(METRICS, map(float, numbers)))
            for name, joints, *numbers in (row.split("\t") for row in rows)}


def ratios_by_author(judge, before, now, joints, metric):
    """Author -> mean logarithm of the ratio; authors without clips or results are left out."""
    logs = defaultdict(list)
    for s in judge.sources:
        if (s.name, joints) not in now:
            continue
        a, b = before[s.name, joints][metric], now[s.name, joints][metric]
        if a > 0 or b > 0:
            logs[s.author].append(math.log((b + LEAST) / (a + LEAST)))
    return {author: sum(values) / len(values) for author, values in logs.items()}


def blender(judge):
    """(character, "weighted") -> metric -> value of Blender's automatic weights, for the characters that it solved."""
    path = Path(judge.shared) / "peers" / "corpus_blender_heat.json"
    rows = json.loads(path.read_text()) if path.exists() else {}
    return {(Path(name).stem, "weighted"): {m: row[m] or 0 for m in METRICS} for name, row in rows.items()
            if row["solved"]}


def geometric_mean(logs):
    return math.exp(sum(logs.values()) / len(logs))


def report(judge, now):
    before = baseline()
    print("| joints | random | clip | stretch |\n|---|--:|--:|--:|")
    failed = False
    for joints, limits in LIMITS.items():
        means = {m: geometric_mean(ratios_by_author(judge, before, now, joints, m)) for m in METRICS}
        print(f"| {joints} | " + " | ".join(f"{means[m]:.3f}" for m in METRICS) + " |")
        failed |= any(means[m] > limits[m] for m in METRICS)
    told = {(name, "auto"): values for (name, joints), values in now.items() if joints == "weighted"}
    chosen = {m: geometric_mean(ratios_by_author(judge, told, now, "auto", m)) for m in METRICS}
    print("\nchosen joints against the artist's: " + ", ".join(f"{m} {chosen[m]:.3f}" for m in METRICS))
    failed |= chosen["random"] > CHOSEN_AGAINST_TOLD or chosen["clip"] > CHOSEN_AGAINST_TOLD
    sure = defaultdict(list)
    for s in judge.sources:
        sure[s.author].append(now[s.name, "weighted"]["least sure"])
    share = sum(sum(values) / len(values) for values in sure.values()) / len(sure)
    print(f"\nsquared error in the least sure tenth of the vertices: {100 * share:.0f} %")
    failed |= share < LEAST_SURE_SHARE
    counts, licenses = defaultdict(int), defaultdict(set)
    for s in judge.sources:
        counts[s.author] += 1
        licenses[s.author].add(s.license.partition(" ")[0])
    columns = [ratios_by_author(judge, before, now, "weighted", m) for m in METRICS]
    failed |= math.exp(max(columns[0].values())) > WORST_AUTHOR
    columns.append(ratios_by_author(judge, before, blender(judge), "weighted", "random"))
    print("\n| author | license | characters | random | clip | stretch | Blender, random |\n|---|---|--:|--:|--:|--:|--:|")
    for author in sorted(counts, key=lambda a: columns[0][a]):
        cells = [f"{math.exp(c[author]):.2f}" if author in c else "-" for c in columns]
        license = ", ".join(sorted(licenses[author] - {""})) or "see characters/SOURCES.md"
        print(f"| {author} | {license} | {counts[author]} | " + " | ".join(cells) + " |")
    return 1 if failed else 0


def main(arguments):
    if len(arguments) != 4 or arguments[1] not in ("train", "folds"):
        print(__doc__, file=sys.stderr)
        return 2
    judge = Judge(*arguments[2:])
    dumps = judge.dump()
    if arguments[1] == "train":
        judge.train(dumps, HERE / "table.bin", -1)
        return 0
    in_parallel(lambda fold: judge.train(dumps, judge.folder / f"fold{fold}.bin", fold), range(FOLDS))
    now, alike = {}, judge.chosen_alike()
    parts = [(f, "weighted") for f in range(FOLDS)] + [(f, "auto", alike) for f in range(FOLDS)]
    for part in in_parallel(lambda p: judge.measure(*p), parts):
        now.update(part)
    now.update({(name, "auto"): now[name, "weighted"] for name in alike})
    return report(judge, now)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
