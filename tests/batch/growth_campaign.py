"""How a batch grows: rate and memory over many items, the size of its files, and a second run that has nothing to do.

    growth_campaign.py PROGRAM EXAMPLES_PROGRAM FOLDER [--items 10000] [-- COMMAND...]
"""
import shutil
import subprocess
import sys
import time
from pathlib import Path

from kill_campaign import line_count, resident_kb
from variants import campaign_parser, write_variants


def watched(words: list[str], out: Path) -> list[tuple[float, int, int]]:
    """Runs it; (seconds, lines, kilobytes of the parent) over time."""
    start, seen = time.time(), []
    process = subprocess.Popen(words)
    while process.poll() is None:
        try:
            seen.append((time.time() - start, line_count(out), resident_kb(process.pid)))
        except OSError:
            break
        time.sleep(1)
    assert process.wait() == 0
    return seen


def main() -> None:
    parser = campaign_parser(items=10000)
    parser.add_argument("command", nargs="*", default=["bind", "--method", "proximity"])
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    inputs, out = args.folder / "in", args.folder / "out"
    write_variants(args.examples, args.folder / "examples", inputs, args.items)
    words = [str(w) for w in (args.program, "batch", inputs, "-o", out, "--quiet", "--", *args.command)]
    seen = watched(words, out)
    for k in range(1, 5):
        part = [s for s in seen if args.items * (k - 1) / 4 <= s[1] < args.items * k / 4]
        if len(part) > 1:
            rate = (part[-1][1] - part[0][1]) / (part[-1][0] - part[0][0])
            print(f"quarter {k}: {rate:.1f} items per second, parent {part[-1][2] / 1024:.1f} MB")
    print(f"{args.items} items: {seen[-1][0]:.0f} s, parent at most {max(s[2] for s in seen) / 1024:.1f} MB")
    for name in ("batch.jsonl", "batch.csv", "index.html"):
        print(f"{name}: {(out / name).stat().st_size / 1e6:.2f} MB")
    for what, more in (("nothing to do", []), ("verified", ["--verify"])):
        start = time.time()
        subprocess.run([*words[:-len(args.command) - 1], *more, *words[-len(args.command) - 1:]], check=True)
        print(f"again, {what}: {time.time() - start:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
