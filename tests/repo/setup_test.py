"""Tests of tools/setup.sh with fake commands: no package manager, network or root access is used.

Usage: setup_test.py SOURCE_DIR
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()
REAL_TOOLS = ["bash", "awk", "cat", "cmp", "cp", "dirname", "env", "grep", "mkdir"]
COMMANDS = ["cmake", "ninja", "ccache", "g++", "clang++", "clang-format", "clang-tidy", "pkg-config", "python3", "git",
            "valgrind", "glslangValidator", "node", "chromium", "mypy",
            "zsh", "fish"]


class SetupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skincells_setup_")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.bin = self.root / "bin"
        self.log = self.root / "log"
        self.log.touch()
        self.bin.mkdir()
        for name in REAL_TOOLS:
            (self.bin / name).symlink_to(shutil.which(name))
        for name in COMMANDS:
            self.fake(name, "exit 0")
        self.fake("apt-get", f'echo "apt-get $*" >>"{self.log}"')
        self.fake("npm", f'echo npm "$1" >>"{self.log}"; mkdir -p node_modules')
        self.become("root", missing=[])
        (self.root / "tools/validator").mkdir(parents=True)
        (self.root / "web").mkdir()
        for folder in ["tools/validator", "web"]:
            (self.root / folder / "package-lock.json").write_text("{}\n")
        shutil.copy(SOURCE / "tools/setup.sh", self.root / "tools/setup.sh")

    def fake(self, name, body):
        path = self.bin / name
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def become(self, user, missing):
        """Sets the user, and the packages that dpkg-query reports as missing."""
        self.fake("id", f"echo {0 if user == 'root' else 1000}")
        known = " ".join(f"[ $p != {name} ] &&" for name in missing)
        self.fake("dpkg-query", f'shift 3; for p in "$@"; do {known} echo "$p installed"; done; exit 1')

    def setup_sh(self):
        self.log.write_text("")
        run = subprocess.run([self.bin / "bash", self.root / "tools/setup.sh"], env={"PATH": str(self.bin)},
                             capture_output=True, text=True)
        return run.returncode, self.log.read_text().splitlines(), run.stderr

    def test_does_nothing_when_nothing_is_missing(self):
        self.assertEqual(self.setup_sh()[:2], (0, ["npm install", "npm install"]))
        self.assertEqual(self.setup_sh(), (0, [], ""))

    def test_installs_exactly_what_is_missing(self):
        self.become("root", missing=["libdraco-dev", "libhwy-dev"])
        (self.bin / "ninja").unlink()
        code, calls, _ = self.setup_sh()
        self.assertEqual(code, 0)
        self.assertTrue(calls[0].startswith("apt-get update"))
        self.assertTrue(calls[1].startswith("apt-get install -y"))
        packages = [word for word in calls[1].split()[2:] if not word.startswith("-")]
        self.assertEqual(packages, ["ninja-build", "libdraco-dev", "libhwy-dev"])

    def test_uses_sudo(self):
        self.become("user", missing=["libpng-dev"])
        self.fake("sudo", f'echo "sudo" >>"{self.log}"; exec "$@"')
        code, calls, _ = self.setup_sh()
        self.assertEqual(code, 0)
        self.assertEqual(calls.count("sudo"), 2)

    def test_fails_without_root_and_sudo(self):
        self.become("user", missing=["libpng-dev"])
        code, calls, message = self.setup_sh()
        self.assertEqual((code, calls), (1, []))
        self.assertIn("libpng-dev", message)
        self.assertIn("neither root", message)

    def test_failed_installation_stops(self):
        self.become("root", missing=["libpng-dev"])
        self.fake("apt-get", "exit 100")
        self.assertNotEqual(self.setup_sh()[0], 0)

    def test_validator_follows_its_lock_file(self):
        self.setup_sh()
        (self.root / "tools/validator/package-lock.json").write_text('{"new": 1}\n')
        self.assertEqual(self.setup_sh()[1], ["npm install"])
        self.assertEqual(self.setup_sh()[1], [])

    def test_no_registry_is_not_fatal(self):
        self.fake("npm", "exit 1")
        code, _, message = self.setup_sh()
        self.assertEqual(code, 0)
        self.assertIn("could not fetch", message)


if __name__ == "__main__":
    unittest.main()
