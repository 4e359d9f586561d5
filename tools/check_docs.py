#!/usr/bin/env python3
"""Checks the Markdown pages: links, line lengths, quoted measurements, and the paths and options they name.

Usage: check_docs.py [--program SKINCELLS] [ROOT]

- Links must point to files and headings that exist.
- Lines are at most 120 columns long, except in tables and code.
- A number followed by a comment "<!-- PAGE#heading: ROW, COLUMN -->" is quoted from a table of another page and must
  agree with it, rounded to the digits shown. The row "median" is the median of the column without its zeros.
- A table below a comment "<!-- table of PAGE#heading -->" must be the same as there.
- The rows and headings of docs/experiments.md that the comments of a `tuning.h` quote must exist there. A quotation that
  ends or begins with "..." is the beginning or the end of a row.
- A path in code that begins with a folder of the repository (`src/bind/bind.cpp`) must exist there.
- With --program, each option in code that begins with one of its commands ("skincells bind ...", "bind --field") must
  be an option of that command. Other options must belong to some command or to another program of the repository.

PAGE is relative to ROOT. Exit code 0: no problems. 1: problems, each printed with file and line. 77: ROOT is not a git
checkout.
"""

import argparse
import re
import statistics
import subprocess
import sys
from pathlib import Path

from check_paths import check

MAX_COLUMNS = 120
LINK = re.compile(r"(?<!\\)\[[^\]]*\]\(([^()\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
TUNING_COMMENT = re.compile(r"(?://[^\n]*\n\s*)*//[^\n]*")
PATH = re.compile(r"([\w.]+)/[\w./-]*")
FENCE = re.compile(r"^\s*```")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
# A comment that names a heading of a page, with the number in front of it.
QUOTATION = re.compile(r"(?:\d+(?:\.\d+)?)?<!--(?:(?!-->)[\s\S])*\.md#(?:(?!-->)[\s\S])*-->")
QUOTED_NUMBER = re.compile(r"(\d+(?:\.\d+)?)<!--\s+([^\s#]+)#(\S+):\s+([\s\S]+?),\s+([^,]+?)\s+-->")
QUOTED_TABLE = re.compile(r"<!-- table of ([^\s#]+)#(\S+) -->")
# Other programs whose options the pages mention: folders and files of their sources.
OTHER_PROGRAMS = ["Makefile", "bench", "examples", "studies", "tests/callgrind", "tests/web", "tools"]
FOREIGN = ("blender ", "cc ", "python3 -m venv ")  # commands of others, whose options nobody checks here


def lines_of(page):
    """(line number, line, is code) for each line; the fences around code count as code."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = bool(FENCE.match(line))
        yield number, line, fenced or fence
        fenced ^= fence


def prose_of(page):
    """The page's text with the same line breaks, but without code."""
    text = "\n".join("" if is_code else line for _, line, is_code in lines_of(page))
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)


def anchor_of(heading):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def sections(page):
    """By anchor, the lines below each heading, up to the next one."""
    found, lines = {}, []
    for _, line, is_code in lines_of(page):
        heading = None if is_code else HEADING.match(line)
        if heading:
            lines = found.setdefault(anchor_of(heading[1]), [])
        else:
            lines.append(line)
    return found


def line_number(text, match):
    return text.count("\n", 0, match.start()) + 1


def broken_links(page):
    prose = prose_of(page)
    for match in LINK.finditer(prose):
        target = match[1]
        if re.match(r"[a-z]+:", target):
            continue  # a web address
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists():
            yield line_number(prose, match), f"the link to {target} points to no file"
        elif anchor and file.suffix == ".md" and anchor not in sections(file):
            yield line_number(prose, match), f"the link to {target} points to no heading"


def long_lines(page):
    for number, line, is_code in lines_of(page):
        if len(line) > MAX_COLUMNS and not is_code and not line.startswith("|") and " " in line.strip():
            yield number, f"the line has {len(line)} columns, more than {MAX_COLUMNS}"


def first_table(lines):
    """The lines of the first table."""
    table = []
    for line in lines:
        if line.startswith("|"):
            table.append(line)
        elif table:
            break
    return table


def source_table(root, page, anchor):
    """The lines of the first table below a heading of a page, empty if there is none."""
    path = root / page
    return first_table(sections(path).get(anchor, [])) if path.is_file() else []


def cells(line):
    return [re.sub(r"<!--.*?-->", "", cell).strip() for cell in line.strip().strip("|").split("|")]


def source_numbers(table, row, column):
    """The numbers that a quotation of this cell may show; empty if there is no such cell."""
    if len(table) < 3 or column not in cells(table[0]):
        return []
    index = cells(table[0]).index(column)
    rows = {cells(line)[0]: cells(line)[index] for line in table[2:]}
    if row != "median":
        return [float(text) for text in NUMBER.findall(rows.get(row, ""))]
    values = [float(number[0]) for number in map(NUMBER.match, rows.values()) if number]
    return [statistics.median(filter(None, values))] if any(values) else []


def agrees(shown, value):
    """Is this the value, rounded to the digits shown? Halves may be rounded up or down."""
    digits = len(shown.partition(".")[2])
    return abs(float(shown) - value) <= 0.5 * 10**-digits * (1 + 1e-6)


def wrong_number(root, shown, source, anchor, row, column):
    """What is wrong with a quoted number, or None."""
    values = source_numbers(source_table(root, source, anchor), row, column)
    if not values:
        return f"{source}#{anchor} has no number for '{row}, {column}'"
    if not any(agrees(shown, value) for value in values):
        return f"{shown} disagrees with {source}#{anchor}, '{row}, {column}': {values[0]:g}"
    return None


def wrong_table(root, following, source, anchor):
    """What is wrong with a quoted table, or None."""
    table = source_table(root, source, anchor)
    if not table:
        return f"{source}#{anchor} has no table"
    if first_table(following.splitlines()) != table:
        return f"the table differs from {source}#{anchor}; copy it again"
    return None


def wrong_quotations(page, root):
    text = page.read_text(encoding="utf-8")
    for comment in QUOTATION.finditer(text):
        number, table = QUOTED_NUMBER.fullmatch(comment[0]), QUOTED_TABLE.fullmatch(comment[0])
        if number:
            problem = wrong_number(root, *(" ".join(part.split()) for part in number.groups()))
        elif table:
            problem = wrong_table(root, text[comment.end():], *table.groups())
        else:
            problem = "a comment that names a page must be 'NUMBER<!-- PAGE#heading: ROW, COLUMN -->' or " \
                      "'<!-- table of PAGE#heading -->'"
        if problem:
            yield line_number(text, comment), problem


def snippets(page):
    """(line number, code) for each piece of code: words between backticks, also over a line's end, and fenced lines."""
    prose = []
    for number, line, is_code in lines_of(page):
        prose.append("" if is_code else line)
        if is_code and not FENCE.match(line):
            yield number, line.split("#")[0].strip()
    text = "\n".join(prose)
    for match in CODE.finditer(text):
        yield line_number(text, match), " ".join(match[1].split())


def missing_paths(page, root):
    """Paths in code below a folder of the repository that do not exist; build folders are not in the repository."""
    folders = {entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith(("build", "out"))}
    for number, code in snippets(page):
        path = PATH.fullmatch(code)
        if path and path[1] in folders and not (root / code).exists():
            yield number, f"there is no {code}"


def unmeasured_numbers(page, root):
    """Rows that the tables of numbers in the source say measured them, but which the page does not have."""
    if page != root / "docs" / "experiments.md":
        return
    lines = [line for _, line, is_code in lines_of(page) if not is_code]
    named = {heading[1] for heading in map(HEADING.match, lines) if heading}
    named |= {cells(line)[0] for line in lines if line.startswith("|")}
    for table in sorted((root / "src").glob("*/tuning.h")):
        for comment in TUNING_COMMENT.findall(table.read_text(encoding="utf-8")):
            for quoted in re.findall(r'"([^"]+)"', re.sub(r"\s*\n\s*//\s*", " ", comment)):
                words = quoted.replace("...", "").strip()
                if not any(name == words or (quoted.endswith("...") and name.startswith(words)) or
                           (quoted.startswith("...") and words in name) for name in named):
                    yield 1, f"{table.relative_to(root)} quotes '{quoted}', which is no row and no heading"


def options_of(program):
    """By command, the options in its help."""
    def help_of(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout

    # A line of the list of commands is indented, as are the lines of options that start with a dash.
    listing = help_of("help").split("Commands:")[-1].split("\n\n")[0]
    commands = re.findall(r"^  ([a-z]+) ", listing, re.MULTILINE)
    return {command: {"--help", "--help-all", *OPTION.findall(help_of(command, "--help-all"))} for command in commands}


def known_elsewhere(root):
    known = {"--version", "--help", "--help-all", "--json", "--man"}
    for name in OTHER_PROGRAMS:
        place = root / name
        for file in [place] if place.is_file() else place.rglob("*"):
            if file.is_file() and file.suffix in ("", ".md", ".py", ".sh", ".cpp", ".cmake", ".mjs", ".txt"):
                known |= set(OPTION.findall(file.read_text(encoding="utf-8", errors="replace")))
    return known


def command_parts(code):
    """A batch names a second command with its own options after "--"."""
    code = code.removeprefix("skincells ")
    return code.split(" -- ", 1) if code.startswith("batch ") else [code]


def wrong_options(page, commands, elsewhere):
    anywhere = elsewhere.union(*commands.values())
    parts = ((number, part) for number, code in snippets(page) for part in command_parts(code))
    for number, code in parts:
        if code.startswith(FOREIGN):
            continue
        words = code.split()
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
        options = wrong_options(page, commands, elsewhere) if arguments.program else ()
        return sorted([*broken_links(page), *long_lines(page), *wrong_quotations(page, root),
                       *missing_paths(page, root), *unmeasured_numbers(page, root), *options])

    return check("check_docs", root, problems_in, ".md")


if __name__ == "__main__":
    sys.exit(main())
