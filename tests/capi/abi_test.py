"""Compares what libskincells.so shows with the header and with the checked-in list: its symbols and SONAME, and the
sizes of structs.

Usage: abi_test.py LIBRARY SIZES_PROGRAM HEADER LIST [--update]

A line that goes or changes breaks programs: raise SKINCELLS_ABI_VERSION and the SONAME with it. New lines at the end of
structs and new functions are fine; --update then writes the list.
"""

import re
import subprocess
import sys
from pathlib import Path


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(library, sizes, header, listed, *more):
    symbols = [line.split() for line in output("nm", "-D", "--defined-only", library).splitlines()]
    lines = [f"function {name}" for *_, name in sorted(symbols, key=lambda s: s[-1])]
    lines += output(sizes).splitlines()
    text = Path(header).read_text(encoding="utf-8")
    declared = {f"function {name}" for name in re.findall(r"^SKINCELLS_API .*?(\w+)\(", text, re.M)}
    declared |= {f"struct {name}" for name in re.findall(r"^typedef struct (\w+) {", text, re.M)}
    shown = {" ".join(line.split()[:2]) for line in lines if line.startswith(("function", "struct"))}
    for name in sorted(declared ^ shown):
        print(f"in the header or in the library, but not in both: {name}")
    lines += ["soname " + re.search(r"SONAME\s+(\S+)", output("objdump", "-p", library))[1]]
    if "--update" in more:
        Path(listed).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    wanted = Path(listed).read_text(encoding="utf-8").splitlines()
    for line in sorted(set(wanted) - set(lines)):
        print(f"gone or changed: {line}")
    for line in sorted(set(lines) - set(wanted)):
        print(f"not in {Path(listed).name}: {line}")
    return 0 if lines == wanted and declared == shown else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
