#!/usr/bin/env python3
"""Puts a table into a page, between the lines "<!-- begin NAME -->" and "<!-- end NAME -->".

Usage: put_table.py PAGE NAME < TABLE
"""

import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    page, name = sys.argv[1:]
    table = sys.stdin.read().strip()
    if not table.startswith("|"):
        sys.exit("put_table.py: no table on standard input")
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    with open(page, encoding="utf-8") as file:
        text = file.read()
    before, found, rest = text.partition(begin)
    after_begin, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"put_table.py: {page} has no lines {begin.strip()} and {end}")
    with open(page, "w", encoding="utf-8") as file:
        file.write(f"{before}{begin}\n{table}\n\n{end}{after}")


if __name__ == "__main__":
    main()
