"""Tests of the repository checks: each must notice what it is there to forbid.

Usage: checks_test.py SOURCE_DIR
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="skincells_checks_")
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self, tool):
        run = subprocess.run([sys.executable, SOURCE / "tools" / tool, self.root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class LayersTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("docs/architecture.md", (SOURCE / "docs/architecture.md").read_text(encoding="utf-8"))

    def check_include(self, path, include):
        self.write(path, f"// A file.\n#include {include}\n")
        code, output = self.run_check("check_layers.py")
        (self.root / path).unlink()
        return code, output

    def expect_allowed(self, path, include):
        code, output = self.check_include(path, include)
        self.assertEqual(code, 0, f"{path} {include}: {output}")

    def expect_forbidden(self, path, include):
        code, output = self.check_include(path, include)
        self.assertEqual(code, 1, f"{path} {include}: {output}")
        self.assertIn(f"{path}:2: ", output)

    def test_rows_allow(self):
        self.expect_allowed("src/mesh/a.cpp", '"base/assert.h"')
        self.expect_allowed("src/mesh/a.cpp", '"mesh/edges.h"')
        self.expect_allowed("src/mesh/a.cpp", '"edges.h"')
        self.expect_allowed("src/io/a.cpp", '"rig/chains.h"')
        self.expect_allowed("src/render/a.cpp", '"deform/skin.h"')
        self.expect_allowed("src/mesh/a.cpp", "<vector>")
        self.expect_allowed("src/mesh/a.cpp", "<tbb/parallel_for.h>")

    def test_forbidden_rooms(self):
        self.expect_forbidden("src/base/a.h", '"mesh/edges.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"rig/chains.h"')
        self.expect_forbidden("src/io/a.cpp", '"bind/pipeline.h"')
        self.expect_forbidden("src/optim/a.cpp", '"mesh/edges.h"')
        self.expect_forbidden("src/metrics/a.cpp", '"io/glb.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"../rig/chains.h"')

    def test_public_headers_belong_to_rooms(self):
        self.expect_allowed("src/mesh/a.cpp", '"skincells/mesh.h"')
        self.expect_allowed("src/mesh/a.cpp", '"skincells/math.h"')
        self.expect_allowed("src/baseline/a.cpp", '"skincells/character.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"skincells/bind.h"')
        self.expect_forbidden("src/mesh/a.cpp", "<skincells/bind.h>")
        self.expect_forbidden("src/mesh/a.cpp", '"skincells/character.h"')
        self.expect_forbidden("src/bind/a.cpp", '"skincells/character_file.h"')
        self.expect_forbidden("src/bind/a.cpp", '"skincells/skincells.h"')

    def test_programs_see_the_public_interface_only(self):
        self.expect_allowed("cli/a.cpp", '"skincells/skincells.h"')
        self.expect_allowed("cli/a.cpp", '"cli/progress_bar.h"')
        self.expect_forbidden("cli/a.cpp", '"base/parallel.h"')
        self.expect_forbidden("cli/a.cpp", '"io/glb.h"')
        self.expect_allowed("examples/a.cpp", '"base/random.h"')
        self.expect_forbidden("examples/a.cpp", '"mesh/edges.h"')
        self.expect_forbidden("tests/consumer/a.cpp", '"base/random.h"')

    def test_unknown_rooms(self):
        self.expect_forbidden("src/cellar/a.cpp", '"base/assert.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"cellar/wine.h"')

    def test_targets(self):
        self.write("src/CMakeLists.txt", "skincells_room(io SOURCES a.cpp\n  ROOMS base mesh LIBRARIES TBB::tbb)\n")
        self.assertEqual(self.run_check("check_layers.py")[0], 0)
        self.write("src/CMakeLists.txt", "skincells_room(io SOURCES a.cpp ROOMS base bind)\n")
        code, output = self.run_check("check_layers.py")
        self.assertEqual(code, 1)
        self.assertIn("'io' may not use 'bind'", output)

    def test_broken_table(self):
        self.write("docs/architecture.md", "```layers\nbase mesh\n```\n")
        self.assertEqual(self.run_check("check_layers.py")[0], 2)


class PathsTest(CheckTest):
    def setUp(self):
        super().setUp()
        try:
            subprocess.run(["git", "init", "-q", self.root], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no git")

    def check_line(self, line):
        self.write("a.md", line + "\n")
        return self.run_check("check_paths.py")[0]

    def test_paths(self):
        folder = "/ho" + "me/"  # in two pieces, or this file would be found itself
        self.assertEqual(self.check_line(f"see {folder}someone/a.txt"), 1)
        self.assertEqual(self.check_line(f'"{folder}a"'), 1)
        self.assertEqual(self.check_line("see ../../etc/passwd and docs" + folder + "page.md"), 0)

    def test_registries(self):
        self.assertEqual(self.check_line("https://registry." + "npmjs.org/x"), 1)
        self.assertEqual(self.check_line('  "resol' + 'ved": "https://example.org/a.tgz"'), 1)
        self.assertEqual(self.check_line("https://www.khronos.org/gltf"), 0)

    def test_ignored_files(self):
        self.write(".gitignore", "a.md\n")
        self.assertEqual(self.check_line("/ho" + "me/someone"), 0)


if __name__ == "__main__":
    unittest.main()
