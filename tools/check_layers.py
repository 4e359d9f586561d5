#!/usr/bin/env python3
"""Checks every #include against the layer table in docs/architecture.md, that every source has its header, and that
every test is built.

Usage: check_layers.py [ROOT]

Exit code 0: all files follow the page. 1: some do not, each printed with file and line. 2: the table is broken.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

SOURCE_SUFFIXES = {".h", ".cpp"}
OUTSIDE = ("cli", "importer", "examples", "prior", "studies", "tests/consumer")  # folders beside src/ that have their own rows
PUBLIC = "skincells/"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


class TableError(Exception):
    pass


def fenced_block(text, name):
    match = re.search(rf"^```{name}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if not match:
        raise TableError(f"docs/architecture.md has no ```{name} block")
    return match.group(1)


def split_rows(block):
    """Rows `a, b -> c, d  # comment` as pairs of name lists."""
    for line in block.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        sides = [[name.strip() for name in side.split(",")] for side in line.split("->")]
        if len(sides) != 2 or not all(all(side) for side in sides):
            raise TableError(f"cannot read the row '{line}'")
        yield sides


class Table:
    """Which room may include which rooms and public headers."""

    def __init__(self, text):
        self.allowed = {}
        everywhere = set()
        for users, names in split_rows(fenced_block(text, "layers")):
            for user in users:
                target = everywhere if user == "*" else self.allowed.setdefault(user, set())
                target.update(names)
            for name in names:
                if not name.startswith(PUBLIC):
                    self.allowed.setdefault(name, set())
        for user, names in self.allowed.items():
            if user not in OUTSIDE:
                names.update(everywhere - {user})
        self.header_rooms = {header: rooms for left, rooms in split_rows(fenced_block(text, "headers"))
                             for header in left}
        self.exceptions = [(pattern, headers[0]) for patterns, headers in split_rows(fenced_block(text, "sources"))
                           for pattern in patterns]
        for room in {room for rooms in self.header_rooms.values() for room in rooms}:
            if room not in self.allowed:
                raise TableError(f"a public header belongs to '{room}', which has no row")

    def room_of(self, path):
        """The room of a path below src/: its first folder, or its first two (viz/page/html.h)."""
        parts = path.split("/")
        for length in (2, 1):
            name = "/".join(parts[:length])
            if len(parts) > length and name in self.allowed:
                return name
        return None

    def rooms_of_header(self, header):
        stem = header.removesuffix(".h")
        if stem in self.header_rooms:
            return self.header_rooms[stem]
        if stem in self.allowed:
            return [stem]
        room = self.room_of(header)
        return [room] if room else None

    def problem(self, user, include):
        """What is wrong with `user` including "include" (a path below src/ or include/), or None."""
        allowed = self.allowed.get(user)
        if allowed is None:
            return f"the room '{user}' has no row in docs/architecture.md"
        folder, _, rest = include.partition("/")
        if not rest or include.startswith(user + "/"):
            return None
        if folder + "/" == PUBLIC:
            return self.header_problem(user, allowed, include, rest)
        room = self.room_of(include)
        if room is None and folder not in OUTSIDE:
            return f"'{folder}' is no room of docs/architecture.md"
        return None if room in allowed else f"'{user}' may not include '{room or folder}'"

    def header_problem(self, user, allowed, include, header):
        if include in allowed or PUBLIC + "*" in allowed:
            return None
        rooms = self.rooms_of_header(header)
        if rooms is None:
            return f"the public header '{header}' belongs to no room '{user}' may include"
        beyond = [room for room in rooms if room != user and room not in allowed]
        return f"'{user}' may not include '{include}', which belongs to '{beyond[0]}'" if beyond else None


def user_of(path, table):
    """The row a file falls under (path relative to the root)."""
    text = path.as_posix()
    for folder in OUTSIDE:
        if text.startswith(folder + "/"):
            return folder
    below = text.removeprefix("src/")
    return table.room_of(below) or below.partition("/")[0]


def as_room_path(root, source, include):
    """A relative include ("../mesh/edges.h") as the path below src/ or include/ that it reaches."""
    if not include.startswith("."):
        return include
    reached = (source.parent / include).resolve()
    for base in (root / "src", root / "include", root):
        if reached.is_relative_to(base):
            return reached.relative_to(base).as_posix()
    return include


def check_includes(root, table):
    for top in ("src", *OUTSIDE):
        for source in sorted((root / top).rglob("*")):
            if source.suffix not in SOURCE_SUFFIXES:
                continue
            path = source.relative_to(root)
            for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match or (match[1] == "<" and not match[2].startswith(PUBLIC)):
                    continue  # angle brackets: system and third-party headers
                problem = table.problem(user_of(path, table), as_room_path(root, source, match[2]))
                if problem:
                    yield f"{path}:{number}: {problem}"


def check_public_headers(root, table):
    """A public header may include public headers that its room may include, and nothing private."""
    folder = root / "include"
    for source in sorted(folder.rglob("*.h")):
        header = source.relative_to(folder / PUBLIC.rstrip("/")).as_posix()
        if header.startswith("runtime/") or header == "skincells.h":
            continue  # plain C without includes of ours; the umbrella
        rooms = table.rooms_of_header(header)
        if rooms is None:
            yield f"include/{PUBLIC}{header}: belongs to no room"
            continue
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or match[1] == "<":
                continue
            place = f"include/{PUBLIC}{header}:{number}"
            if not match[2].startswith(PUBLIC):
                yield f"{place}: a public header may not include the private '{match[2]}'"
                continue
            problems = [table.problem(room, match[2]) for room in rooms]
            if all(problems):
                yield f"{place}: {problems[0]}"


def has_header(root, table, source):
    """Is there a header of the source's name, beside it or among the public ones of its room?"""
    if source.with_suffix(".h").exists():
        return True
    folder = root / "include" / PUBLIC.rstrip("/")
    room = user_of(source.relative_to(root), table)
    return any(room in (table.rooms_of_header(header.relative_to(folder).as_posix()) or ())
               for header in folder.rglob(source.stem + ".h"))


def check_sources(root, table):
    """A source has a header of its name, or is one of the exceptions."""
    for source in sorted((root / "src").rglob("*.cpp")):
        name = source.relative_to(root / "src").with_suffix("").as_posix()
        header = next((header for pattern, header in table.exceptions if fnmatchcase(name, pattern)), None)
        if header:
            if not (root / ("include" if header.startswith(PUBLIC) else "src") / header).exists():
                yield f"src/{name}.cpp: its header '{header}' does not exist"
        elif not has_header(root, table, source):
            yield f"src/{name}.cpp: has no header of its name and is no exception of docs/architecture.md"


def check_tests(root):
    """A C++ test is named in the CMakeLists.txt of tests/ or of a folder below it: else it never runs."""
    tests = root / "tests"
    lists = " ".join(file.read_text(encoding="utf-8") for file in sorted(tests.rglob("CMakeLists.txt")))
    for source in sorted(tests.rglob("*_test.cpp")):
        if not re.search(rf"(?<![\w]){re.escape(source.name)}\b", lists):
            yield f"{source.relative_to(root).as_posix()}: no CMakeLists.txt of tests/ names it, so it never runs"


def check_targets(root, table):
    """The ROOMS of each skincells_room() follow the same table."""
    lists = root / "src" / "CMakeLists.txt"
    text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8")) if lists.exists() else ""
    for call in re.finditer(r"skincells_room\(\s*([\w/]+)([^)]*)\)", text):
        rooms = re.search(r"\bROOMS\s+(.*?)(?:\bLIBRARIES\b|\bSOURCES\b|$)", call[2], re.DOTALL)
        for room in rooms[1].split() if rooms else []:
            if room not in table.allowed.get(call[1], set()):
                yield f"src/CMakeLists.txt: target of '{call[1]}' may not use '{room}'"


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    try:
        table = Table((root / "docs" / "architecture.md").read_text(encoding="utf-8"))
    except (OSError, TableError) as error:
        print(f"check_layers: {error}", file=sys.stderr)
        return 2
    problems = [*check_includes(root, table), *check_public_headers(root, table), *check_sources(root, table),
                *check_targets(root, table), *check_tests(root)]
    for problem in problems:
        print(problem)
    print(f"check_layers: {len(problems)} forbidden" if problems else "check_layers: all includes follow the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
