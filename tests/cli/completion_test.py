#!/usr/bin/env python3
"""Completions in the shells themselves: completion_test.py PROGRAM. Shells that are not installed are left out."""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What is typed, what must be offered, and what must not.
CASES = [
    ("skincells bi", ["bind"], ["batch"]),
    ("skincells bind --meth", ["--method"], ["--margin"]),
    ("skincells bind x.glb --method ", ["heat", "proximity", "skin-cells"], ["knight.glb"]),
    ("skincells bind --method=h", ["heat"], ["proximity"]),
    ("skincells bind kn", ["knight.glb"], ["king.obj"]),
    ("skincells bind x.glb -o kn", ["knight.glb"], []),
    ("skincells help bi", ["bind"], ["knight.glb"]),
    ("skincells completion z", ["zsh"], ["fish"]),
]


def fish(script, folder):
    lines = [f"source {script}"] + [f"echo ====; complete -C '{typed}'" for typed, _, _ in CASES]
    run = subprocess.run(["fish", "--no-config", "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "HOME": str(folder)})
    assert not run.stderr, run.stderr
    return run.stdout.split("====\n")[1:]


def bash(script, folder):
    lines = [f"source {script}", "shopt -s nullglob"]
    for typed, _, _ in CASES:
        words = typed.replace("=", " = ").split(" ")  # bash takes "=" for a word of its own
        quoted = " ".join(f"'{w}'" for w in words if w)
        last = " ''" if typed.endswith(" ") else ""
        lines += [f"COMP_WORDS=({quoted}{last}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()", "_skincells",
                  "echo ====", 'printf "%s\\n" "${COMPREPLY[@]}"']
    run = subprocess.run(["bash", "--norc", "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True)
    assert not run.stderr, run.stderr
    return run.stdout.split("====\n")[1:]


class Terminal:
    """zsh completes only for a person at a terminal."""

    def __init__(self, words, folder):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": "> ", "COLUMNS": "200"})
        self.pid = pid

    def type(self, text, until=None, quiet=1.0):
        """Types, and reads until the text `until` came, or nothing for a while."""
        os.write(self.fd, text.encode())
        got, end = "", time.monotonic() + 60
        while time.monotonic() < end:
            ready, _, _ = select.select([self.fd], [], [], 0.1 if until else quiet)
            if ready:
                got += os.read(self.fd, 65536).decode(errors="replace")
            elif not until:
                break
            if until and until in got:
                break
        return got

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def zsh(script, folder):
    functions = folder / "functions"
    functions.mkdir()
    shutil.copy(script, functions / "_skincells")
    shell = Terminal(["zsh", "-f", "-i"], folder)
    shell.type(f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep no_always_last_prompt; "
               "LISTMAX=0; bindkey '^X' list-choices; echo rea''dy\n", until="ready\r\n")
    offers = []
    for typed, _, _ in CASES:
        shell.type(typed)
        listed = shell.type("\x18", quiet=2.0)  # a single match is listed too
        shell.type("\x15")
        offers.append(listed)
    shell.close()
    return offers


def main():
    program = sys.argv[1]
    ran = []
    for name, offers_of in (("bash", bash), ("zsh", zsh), ("fish", fish)):
        if not shutil.which(name):
            continue
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work)
            for file in ("knight.glb", "king.obj"):
                (folder / file).touch()
            script = folder / f"script.{name}"
            script.write_text(subprocess.run([program, "completion", name], check=True, capture_output=True, text=True).stdout)
            for (typed, wanted, unwanted), offered in zip(CASES, offers_of(script, folder), strict=True):
                for word in wanted:
                    assert word in offered, f"{name}: '{typed}' does not offer {word}: {offered}"
                for word in unwanted:
                    assert word not in offered, f"{name}: '{typed}' offers {word}: {offered}"
        ran.append(name)
    print("completions work in " + ", ".join(ran))
    return 0 if len(ran) > 1 else 77


if __name__ == "__main__":
    sys.exit(main())
