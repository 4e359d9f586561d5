"""Kills a batch again and again, fills its disk, and checks that nothing is lost.

    kill_campaign.py PROGRAM EXAMPLES_PROGRAM FOLDER [--items 2000] [--kills 20]

Runs a batch undisturbed, then one that is killed (SIGKILL, with all its workers) at random moments and resumed. The
characters must be the same bytes, every item must have one good line, and nothing else may be left. The same on a disk
that is full three times (root only: it mounts one). Prints the cost of the batch itself, and the memory of the parent
over time.
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
ROUNDS = 5  # of both, of which the cheapest count
SMALL = 40  # items on the disk that is full


def hashes(out: Path) -> dict[str, str]:
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((out / "items").rglob("*.*"))
        if path.suffix in (".glb", ".png")
    }


def batch_words(args, inputs, out: Path, workers: int = 2, thumbnails: bool = False) -> list[str]:
    words = [args.program, "batch", inputs, "-o", out, "--quiet", "--workers", workers]
    return [str(word) for word in [*words, "--thumbnails", str(thumbnails).lower(), "--", *COMMAND]]


def write_manifest(path: Path, inputs: list[Path]) -> Path:
    path.write_text("".join(f"{i}\n" for i in inputs))
    return path


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


def full_disk(args, inputs: list[Path]) -> None:
    if os.geteuid() != 0:
        print("full disk: skipped, it needs root")
        return
    manifest = write_manifest(args.folder / "small.jsonl", inputs)
    roomy, disk = args.folder / "roomy", args.folder / "disk"
    assert subprocess.run(batch_words(args, manifest, roomy, thumbnails=True)).returncode == 0
    size = sum(path.stat().st_size for path in roomy.rglob("*"))
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size // 7}", "tmpfs", disk], check=True)
    try:
        for share in (1 / 7, 2 / 5, 4 / 5):
            subprocess.run(["mount", "-o", f"remount,size={int(size * share)}", disk], check=True)
            full = subprocess.run(batch_words(args, manifest, disk / "out", thumbnails=True), capture_output=True)
            assert full.returncode == 4, full
        subprocess.run(["mount", "-o", f"remount,size={2 * size}", disk], check=True)
        assert subprocess.run(batch_words(args, manifest, disk / "out", thumbnails=True)).returncode == 0
        assert hashes(disk / "out") == hashes(roomy), "the bytes differ"
        assert len(hashes(roomy)) == 2 * len(inputs)
        for report in (disk / "out").rglob("report.json"):
            json.loads(report.read_text())
        check_rest(disk / "out", len(inputs))
    finally:
        subprocess.run(["umount", disk], check=True)
    print(f"full disk: {len(inputs)} items, full three times, the same bytes")


def check_rest(out: Path, items: int) -> None:
    lines = [json.loads(line) for line in (out / "batch.jsonl").read_text().splitlines()]
    assert len({line["item"] for line in lines}) == len(lines) == items
    assert all(line["status"] == "done" for line in lines)
    left = [str(p) for p in out.rglob("*") if p.name.startswith(".") and p.name != ".lock"]
    assert not left, left


def processor_seconds(words: list[str]) -> tuple[float, float]:
    """Of the process itself, and of it with its children."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # what it used can be read until it is waited for
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    seconds = [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15]]
    assert process.wait() == 0
    return sum(seconds[:2]), sum(seconds)


def overhead(args, sample: list[Path]) -> None:
    alone, together = args.folder / "alone", args.folder / "together"
    words = [
        [str(w) for w in (args.program, *COMMAND, path, "-o", alone / path.name, "--json", "--threads", "1")]
        for path in sample
    ]
    # One after the other in both cases: processes at the same time slow each other down.
    manifest = write_manifest(args.folder / "sample.jsonl", sample)
    batch = batch_words(args, manifest, together, 1)
    costs, own = {"alone": float("inf"), "together": float("inf")}, float("inf")
    for _ in range(ROUNDS):
        for out in (alone, together):
            shutil.rmtree(out, ignore_errors=True)
        alone.mkdir()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for w in words:
            subprocess.run(w, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs["alone"] = min(costs["alone"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        parent, total = processor_seconds(batch)
        costs["together"], own = min(costs["together"], total), min(own, parent)
    more = 100 * (costs["together"] / costs["alone"] - 1)
    print(f"processor time of {len(sample)} items: alone {costs['alone']:.2f} s, in a batch {costs['together']:.2f} s "
          f"({more:+.1f} %), of which its own process {own:.2f} s ({100 * own / costs['alone']:.1f} %)")


def main() -> None:
    parser = campaign_parser(items=2000)
    parser.add_argument("--kills", type=int, default=20)
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    inputs = args.folder / "in"
    write_variants(args.examples, args.folder / "examples", inputs, args.items)
    found = sorted(inputs.glob("*.glb"))

    overhead(args, found[:SAMPLE])
    full_disk(args, found[:SMALL])
    undisturbed(args, inputs, args.folder / "whole")
    start = time.time()
    disturbed(args, inputs, args.folder / "killed")
    print(f"killed {args.kills} times: {time.time() - start:.0f} s")
    expected, found = hashes(args.folder / "whole"), hashes(args.folder / "killed")
    assert len(expected) == args.items
    assert expected == found, "the bytes differ"
    check_rest(args.folder / "killed", args.items)
    print("the same bytes, one line per item, nothing left behind")


if __name__ == "__main__":
    sys.exit(main())
