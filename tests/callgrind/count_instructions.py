#!/usr/bin/env python3
"""Counts the instructions of a fixed small bind and compares them with the stored count.

Usage: count_instructions.py --counter COUNT_BIND --examples SKINCELLS_EXAMPLES [--update]

The number is in instructions.json beside this script; --update replaces it, on purpose, after a change that was meant
to make the bind cheaper or more expensive. Exit code 0: within 5 %. 1: not, or something failed. 77: valgrind or the
stored count is missing.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STORED = Path(__file__).with_name("instructions.json")
CHARACTER = "biped_apose"
TOLERANCE = 0.05
SKIP = 77


def count(counter, examples):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([examples, folder, "--only", CHARACTER], check=True, stdout=subprocess.DEVNULL)
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--callgrind-out-file={folder}/callgrind.out",
             counter, f"{folder}/{CHARACTER}.glb"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode == SKIP:
        sys.exit(SKIP)
    found = re.search(r"Collected\s*:\s*(\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"the count failed:\n{run.stderr}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counter", required=True)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        sys.exit(SKIP)
    counted = count(options.counter, options.examples)
    if options.update:
        STORED.write_text(json.dumps({CHARACTER: counted}, indent=2) + "\n")
        print(f"{CHARACTER}: {counted} instructions, written to {STORED.name}")
        return
    expected = json.loads(STORED.read_text()).get(CHARACTER)
    if expected is None:
        print(f"{CHARACTER}: {counted} instructions; no count is stored yet, `make instruction-count` writes it")
        sys.exit(SKIP)
    change = counted / expected - 1
    print(f"{CHARACTER}: {counted} instructions, {change:+.2%} against the stored {expected}")
    if abs(change) > TOLERANCE:
        sys.exit(f"more than {TOLERANCE:.0%} off; if that is meant, run `make instruction-count` and commit the file")


if __name__ == "__main__":
    main()
