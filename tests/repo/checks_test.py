"""Tests of the repository checks: each must report what it forbids.

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

    def make_checkout(self):
        try:
            subprocess.run(["git", "init", "-q", self.root], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no git")

    def run_check(self, tool, *more):
        command = [sys.executable, SOURCE / "tools" / tool, *more, self.root]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class LayersTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("docs/architecture.md", (SOURCE / "docs/architecture.md").read_text(encoding="utf-8"))

    def check_include(self, path, include):
        self.write(path, f"// A file.\n#include {include}\n")
        if path.endswith(".cpp"):
            self.write(path.replace(".cpp", ".h"), "")
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
        self.expect_allowed("src/rig/motion/a.cpp", '"text/json_access.h"')
        self.expect_allowed("src/viz/render/a.cpp", '"deform/skin.h"')
        self.expect_allowed("src/viz/page/a.cpp", '"viz/render/png.h"')
        self.expect_allowed("src/mesh/a.cpp", "<vector>")
        self.expect_allowed("src/mesh/a.cpp", "<tbb/parallel_for.h>")

    def test_forbidden_rooms(self):
        self.expect_forbidden("src/base/a.h", '"mesh/edges.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"rig/chains.h"')
        self.expect_forbidden("src/io/a.cpp", '"bind/pipeline.h"')
        self.expect_forbidden("src/optim/a.cpp", '"mesh/edges.h"')
        self.expect_forbidden("src/metrics/a.cpp", '"io/glb.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"../rig/chains.h"')
        self.expect_forbidden("src/rig/motion/a.cpp", '"bind/stages.h"')
        self.expect_forbidden("src/report/a.cpp", '"viz/page/html.h"')
        self.expect_forbidden("src/viz/render/a.cpp", '"viz/page/html.h"')

    def test_public_headers_belong_to_rooms(self):
        self.expect_allowed("src/mesh/a.cpp", '"skincells/mesh.h"')
        self.expect_allowed("src/mesh/a.cpp", '"skincells/math.h"')
        self.expect_allowed("src/guess/a.cpp", '"skincells/character.h"')
        self.expect_forbidden("src/mesh/a.cpp", '"skincells/bind.h"')
        self.expect_forbidden("src/mesh/a.cpp", "<skincells/bind.h>")
        self.expect_forbidden("src/mesh/a.cpp", '"skincells/character.h"')
        self.expect_forbidden("src/bind/a.cpp", '"skincells/io/character_file.h"')
        self.expect_forbidden("src/bind/a.cpp", '"skincells/skincells.h"')
        self.expect_forbidden("src/jobs/a.cpp", '"skincells/viz/render.h"')
        self.expect_allowed("src/viz/page/a.cpp", '"skincells/viz/render.h"')

    def test_public_headers_show_nothing_private(self):
        self.expect_allowed("include/skincells/bind.h", '"skincells/mesh.h"')
        self.expect_forbidden("include/skincells/mesh.h", '"mesh/edges.h"')
        self.expect_forbidden("include/skincells/mesh.h", '"skincells/bind.h"')
        self.expect_forbidden("include/skincells/report.h", '"skincells/viz/render.h"')

    def test_programs_see_the_public_interface_only(self):
        self.expect_allowed("cli/a.cpp", '"skincells/skincells.h"')
        self.expect_allowed("cli/a.cpp", '"cli/progress_bar.h"')
        self.expect_forbidden("cli/a.cpp", '"base/parallel.h"')
        self.expect_forbidden("cli/a.cpp", '"io/glb.h"')
        self.expect_allowed("examples/a.cpp", '"base/random.h"')
        self.expect_forbidden("examples/a.cpp", '"mesh/edges.h"')
        self.expect_forbidden("tests/consumer/a.cpp", '"base/random.h"')

    def test_sources_have_headers(self):
        self.write("src/mesh/a.cpp", "")
        code, output = self.run_check("check_layers.py")
        self.assertEqual(code, 1)
        self.assertIn("src/mesh/a.cpp: has no header", output)
        self.write("include/skincells/rig/a.h", "")  # another room's
        self.assertEqual(self.run_check("check_layers.py")[0], 1)
        self.write("src/mesh/a.h", "")
        self.assertEqual(self.run_check("check_layers.py")[0], 0)
        self.write("src/mesh/weld.cpp", "")  # an exception, whose header is missing
        self.assertEqual(self.run_check("check_layers.py")[0], 1)
        self.write("include/skincells/mesh.h", "")
        self.write("src/mesh/mesh.cpp", "")
        self.assertEqual(self.run_check("check_layers.py")[0], 0)

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

    def test_tests_are_built(self):
        self.write("tests/rig/poses_test.cpp", "")
        self.write("tests/CMakeLists.txt", "skincells_test(rig SOURCES other_poses_test.cpp)")
        code, output = self.run_check("check_layers.py")
        self.assertEqual(code, 1, output)
        self.assertIn("tests/rig/poses_test.cpp: ", output)
        self.write("tests/CMakeLists.txt", "skincells_test(rig SOURCES poses_test.cpp)")
        code, output = self.run_check("check_layers.py")
        self.assertEqual(code, 0, output)

    def test_broken_table(self):
        self.write("docs/architecture.md", "```layers\nbase mesh\n```\n")
        self.assertEqual(self.run_check("check_layers.py")[0], 2)


class PathsTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.make_checkout()

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


class DocsTest(CheckTest):
    PROGRAM = """#!/bin/sh
case "$1" in
bind) echo "  -o,--output TEXT  output file" ; echo "  --max-influences TEXT  limit" ;;
check) echo "  --strict  warnings fail" ;;
*) printf 'Subcommands:\\n  bind   compute weights\\n  check  find defects\\n\\nExit codes\\n' ;;
esac
"""

    def setUp(self):
        super().setUp()
        self.make_checkout()
        self.write("program.sh", self.PROGRAM)
        (self.root / "program.sh").chmod(0o755)
        self.write("docs/page.md", "# A page\n\n## The `first` part: how?\n")

    def check_text(self, text):
        self.write("README.md", text + "\n")
        return self.run_check("check_docs.py", "--program", self.root / "program.sh")

    def expect(self, code, *texts):
        for text in texts:
            found, output = self.check_text(text)
            self.assertEqual(found, code, f"{text}: {output}")
            self.assertEqual("README.md:" in output, code == 1, output)

    def test_links(self):
        self.expect(0, "[a](docs/page.md)", "[a](docs/page.md#the-first-part-how)", "[a](https://example.org/x)",
                    "# Here\n[a](#here)", "`[a](nowhere.md)`", "```\n[a](nowhere.md)\n```")
        self.expect(1, "[a](docs/no_page.md)", "![a](docs/no.png)", "[a](docs/page.md#second)", "[a](#here)")

    def test_paths(self):
        self.expect(0, "`docs/page.md`", "`docs/`", "`elsewhere/page.md`", "`docs/page.md and more`")
        self.expect(1, "`docs/no_page.md`", "`docs/no_folder/`")

    def test_options(self):
        self.expect(0, "`skincells bind --max-influences 4`", "`bind --output`", "`--strict`",
                    "```\nskincells check a --strict  # not --a-comment\n```", "prose --with dashes")
        self.expect(1, "`skincells bind --max-influence 4`", "`check --output`", "`--loose`", "`bind\n--strict`",
                    "```\nskincells bind a --strict\n```")

    def test_measured_numbers(self):
        self.write("docs/experiments.md", "## Rules\n\n| rule | ratio |\n|---|--:|\n| Sharp ends, 3 | 1 |\n")
        for code, quoted in ((0, "Rules"), (0, "Sharp ends, 3"), (0, "Sharp\n  // ends, 3"), (0, "Sharp ..."),
                             (0, "... ends, 3"), (1, "Sharp"), (1, "Blunt ...")):
            self.write("src/guess/tuning.h", f'  // Rows: "{quoted}".\n  double a = 1;\n')
            found, output = self.check_text("")
            self.assertEqual(found, code, f"{quoted}: {output}")
            self.assertEqual("tuning.h quotes" in output, code == 1, output)

    def test_lines(self):
        words = "word " * 30
        self.expect(0, "word " * 24, f"| {words} |", f"```\n{words}\n```", "https://example.org/" + 130 * "a")
        self.expect(1, words, f"- {words}")

    def test_links_over_a_line_break(self):
        self.expect(0, "[a\nb](docs/page.md)")
        self.expect(1, "[a\nb](docs/no_page.md)")

    def expect_quoted(self, code, *quotations):
        table = "| name | first | second |\n|---|--:|--:|\n| one | 0.214 | 1 |\n| two | 0.386 | 0 |\n"
        self.write("docs/numbers.md", f"# Numbers\n\n## Some\n\n{table}| a, b | 7 | 3 to 4 s |\n\n## None\n")
        self.expect(code, *(f"{shown}<!-- docs/numbers.md#{cell} -->" for shown, cell in quotations))

    def test_quoted_numbers(self):
        self.expect_quoted(0, ("0.214", "some: one, first"), ("0.21", "some: one, first"), ("0.4", "some: two, first"),
                           ("4", "some: a, b, second"), ("0.21", "some: one,\nfirst"))
        self.expect_quoted(1, ("0.215", "some: one, first"), ("0.22", "some: one, first"), ("0.3", "some: two, first"),
                           ("5", "some: a, b, second"), ("0.22", "some: one,\nfirst"))

    def test_quoted_medians(self):
        self.expect_quoted(0, ("0.386", "some: median, first"), ("2", "some: median, second"))  # 1 and 3, not 0
        self.expect_quoted(1, ("0.214", "some: median, first"), ("1", "some: median, second"))

    def test_quotations_of_nothing(self):
        self.expect_quoted(1, ("1", "some: three, first"), ("1", "some: one, third"), ("1", "none: one, first"),
                           ("1", "other: one, first"), ("", "some: one, first"), ("1", "some one first"))
        self.expect(1, "1<!-- docs/no_page.md#some: one, first -->")
        self.expect(0, "<!-- an ordinary comment -->")

    def test_quoted_tables(self):
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        self.write("docs/numbers.md", f"# Numbers\n\n{table}\n# None\n")
        mark = "<!-- table of docs/numbers.md#numbers -->\n\n"
        self.expect(0, mark + table, mark + table + "\nText.\n")
        self.expect(1, mark + table.replace("2", "3"), mark + table + "| 3 | 4 |\n", mark + "Text.\n",
                    mark.replace("#numbers", "#none") + table)


if __name__ == "__main__":
    unittest.main()
