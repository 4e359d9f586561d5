"""Kills a batch again and again, and checks that nothing is lost.

    kill_campaign.py PROGRAM EXAMPLES_PROGRAM FOLDER [--items 2000] [--kills 20]

Runs a batch undisturbed, then one that is killed (SIGKILL, with all its workers) at random moments and resumed. The
characters must be the same bytes, every item must have one good line, and nothing else may be left. Prints the cost of
the batch itself, as processor time beyond that of the same commands alone, and the memory of the parent over time.
"""
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from variants import campaign_parser, write_variants

COMMAND = ["bind", "--quality", "draft"]
SAMPLE = 150  # items that are also run without the batch


def hashes(out: Path) -> dict[str, str]:
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((out / "items").rglob("*.glb"))
    }


def batch_words(args, inputs, out: Path, workers: int = 2) -> list[str]:
    words = [args.program, "batch", inputs, "-o", out, "--quiet", "--workers", workers, "--thumbnails", "false"]
    return [str(word) for word in [*words, "--", *COMMAND]]


def resident_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def line_count(out: Path) -> int:
    try:
        return (out / "batch.jsonl").read_bytes().count(b"\n")
    except OSError:
        return 0


def undisturbed(args, inputs: Path, out: Path) -> None:
    start = time.time()
    process = subprocess.Popen(batch_words(args, inputs, out))
    memory = []
    while process.poll() is None:
        try:
            memory.append((line_count(out), resident_kb(process.pid)))
        except OSError:
            break
        time.sleep(1)
    assert process.wait() == 0
    print(f"undisturbed: {args.items} items in {time.time() - start:.0f} s")
    quarters = [memory[len(memory) * k // 8][1] for k in range(1, 8)]
    print(f"memory of the parent over time, KB: {quarters}")


def disturbed(args, inputs: Path, out: Path) -> None:
    choice = random.Random(1)
    for k in range(args.kills):
        process = subprocess.Popen(batch_words(args, inputs, out), start_new_session=True)
        wanted = args.items * (k + choice.random()) / args.kills
        while line_count(out) < wanted and process.poll() is None:
            time.sleep(0.02)
        time.sleep(choice.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run(batch_words(args, inputs, out)).returncode == 0


def processor_seconds(words: list[list[str]]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for w in words:
        subprocess.run(w, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overhead(args, inputs: Path) -> None:
    sample = sorted(inputs.glob("*.glb"))[:SAMPLE]
    alone, together = args.folder / "alone", args.folder / "together"
    words = [
        [str(w) for w in (args.program, *COMMAND, path, "-o", alone / path.name, "--json", "--threads", "1")]
        for path in sample
    ]
    # One after the other in both cases: processes at the same time slow each other down. The best of three rounds.
    cost = with_batch = float("inf")
    for _ in range(3):
        for out in (alone, together):
            shutil.rmtree(out, ignore_errors=True)
        alone.mkdir()
        cost = min(cost, processor_seconds(words))
        with_batch = min(with_batch, processor_seconds([batch_words(args, args.folder / "sample.jsonl", together, 1)]))
    print(f"processor time of {len(sample)} items: alone {cost:.2f} s, in a batch {with_batch:.2f} s "
          f"({100 * (with_batch / cost - 1):+.1f} %)")


def main() -> None:
    parser = campaign_parser(items=2000)
    parser.add_argument("--kills", type=int, default=20)
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    inputs = args.folder / "in"
    write_variants(args.examples, args.folder / "examples", inputs, args.items)
    sample = sorted(inputs.glob("*.glb"))[:SAMPLE]
    (args.folder / "sample.jsonl").write_text("".join(f"{path}\n" for path in sample))

    overhead(args, inputs)
    undisturbed(args, inputs, args.folder / "whole")
    start = time.time()
    disturbed(args, inputs, args.folder / "killed")
    print(f"killed {args.kills} times: {time.time() - start:.0f} s")
    expected, found = hashes(args.folder / "whole"), hashes(args.folder / "killed")
    assert len(expected) == args.items
    assert expected == found, "the bytes differ"
    lines = [json.loads(line) for line in (args.folder / "killed/batch.jsonl").read_text().splitlines()]
    assert len({line["item"] for line in lines}) == len(lines) == args.items
    assert all(line["status"] == "done" for line in lines)
    left = [str(p) for p in (args.folder / "killed").rglob("*") if p.name.startswith(".") and p.name != ".lock"]
    assert not left, left
    print("the same bytes, one line per item, nothing left behind")


if __name__ == "__main__":
    sys.exit(main())
