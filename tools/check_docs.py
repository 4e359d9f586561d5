#!/usr/bin/env python3
"""Checks that the pages hang together: links lead somewhere, and the options they name exist.

Usage: check_docs.py [--program SKINCELLS] [ROOT]

Links of Markdown pages must point to files and headings that exist. With --program, each option in code that begins
with one of its commands ("skincells bind ...", "bind --field") must be an option of that command, and other options
must be known to some command or to another program of the repository.
Exit code 0: all is well. 1: something is not, each printed with file and line. 77: ROOT is not a git checkout.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from check_paths import check

LINK = re.compile(r"(?<!\\)\[[^\]]*\]\(([^()\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
FENCE = re.compile(r"^\s*```")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")
# Options of other programs that pages mention, as they are written in their sources.
OTHER_PROGRAMS = ["Makefile", "bench", "examples", "tests/callgrind", "tests/web", "tools"]


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    found, fenced = set(), False
    for line in page.read_text(encoding="utf-8").splitlines():
        fenced ^= bool(FENCE.match(line))
        match = HEADING.match(line)
        if match and not fenced:
            text = re.sub(r"[^\w\- ]", "", match[1].replace("`", "").lower())
            found.add(text.replace(" ", "-"))
    return found


def broken_links(page):
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fenced ^= bool(FENCE.match(line))
        if fenced:
            continue
        for target in LINK.findall(CODE.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue  # elsewhere on the net
            name, _, anchor = target.partition("#")
            file = (page.parent / name) if name else page
            if not file.exists():
                yield number, f"the link to {target} leads nowhere"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                yield number, f"the link to {target} leads to no heading"


def snippets(page):
    """(line number, code) for each piece of code: words between backticks, also over a line's end, and fenced lines."""
    lines = page.read_text(encoding="utf-8").splitlines()
    prose, fenced = [], False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        elif fenced:
            yield number, line.split("#")[0].strip()
        prose.append("" if fenced or FENCE.match(line) else line)
    text = "\n".join(prose)
    for match in CODE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, " ".join(match[1].split())


def options_of(program):
    """By command, the options in its help."""
    def help_of(*words):
        return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout

    # A line of the list of commands is indented, as are the lines of options that start with a dash.
    listing = help_of().split("Subcommands:")[-1].split("\n\n")[0]
    commands = re.findall(r"^  ([a-z]+) ", listing, re.MULTILINE)
    return {command: set(OPTION.findall(help_of(command))) for command in commands}


def known_elsewhere(root):
    known = {"--version", "--help", "--json"}
    for name in OTHER_PROGRAMS:
        place = root / name
        for file in [place] if place.is_file() else place.rglob("*"):
            if file.is_file() and file.suffix in ("", ".md", ".py", ".sh", ".cpp", ".cmake", ".mjs", ".txt"):
                known |= set(OPTION.findall(file.read_text(encoding="utf-8", errors="replace")))
    return known


def wrong_options(page, commands, elsewhere):
    anywhere = elsewhere.union(*commands.values())
    for number, code in snippets(page):
        words = code.removeprefix("skincells ").split()
        known = commands.get(words[0]) if words else None
        for option in OPTION.findall(code):
            if known is not None and option not in known:
                yield number, f"'{words[0]}' has no option {option}"
            elif option not in anywhere:
                yield number, f"no program has an option {option}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program")
    parser.add_argument("root", nargs="?", default=Path(__file__).parent.parent, type=Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    commands = options_of(arguments.program) if arguments.program else {}
    elsewhere = known_elsewhere(root) if arguments.program else set()

    def problems_in(page):
        wrong = wrong_options(page, commands, elsewhere) if arguments.program else ()
        return sorted([*broken_links(page), *wrong])

    return check("check_docs", root, problems_in, ".md")


if __name__ == "__main__":
    sys.exit(main())
