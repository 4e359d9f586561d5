#!/usr/bin/env python3
"""Tests the program skincells-prior on a generated character.

Usage: prior_test.py SKINCELLS_PRIOR SKINCELLS_EXAMPLES TABLE
"""

import math
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, EXAMPLES, TABLE = sys.argv[1:4]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def shapes_in(data):
    """Name -> shape of the arrays in a dump; fails unless they fill it exactly."""
    found, at = {}, 0
    while at < len(data):
        size = struct.unpack_from("<i", data, at)[0]
        name = data[at + 4:at + 4 + size].decode()
        at += 4 + size + 1
        rank = struct.unpack_from("<i", data, at)[0]
        found[name] = struct.unpack_from(f"<{rank}i", data, at + 4)
        at += 4 + 4 * rank + 4 * math.prod(found[name])
    assert at == len(data)
    return found


class Prior(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([EXAMPLES, cls.folder.name, "--only", "biped_apose"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.character = Path(cls.folder.name) / "biped_apose_reference.glb"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_dump(self):
        output = Path(self.folder.name) / "dump.bin"
        self.assertEqual(run("dump", output, self.character).returncode, 0)
        shapes = shapes_in(output.read_bytes())
        vertices, candidates, features = shapes["features"]
        self.assertEqual(shapes["joints"], (vertices, candidates))
        self.assertEqual(shapes["artist_weights"][0], vertices)
        table = Path(TABLE).read_bytes()
        self.assertEqual(struct.unpack_from("<I", table, 4)[0], features, "train the table again")

    def test_measure(self):
        lines = [run("measure", table, "weighted", self.character).stdout.split("\t") for table in ("none", TABLE)]
        self.assertEqual([len(line) for line in lines], [8, 8])
        self.assertGreater(float(lines[0][2]), 0)
        self.assertNotEqual(lines[0][2], lines[1][2], "the table changes nothing")

    def test_joints(self):
        done = run("joints", self.character)
        self.assertEqual((done.returncode, done.stdout), (0, ""), "the rules choose the joints of the example")

    def test_errors(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("measure", "none", "auto", "missing.glb").returncode, 2)
        damaged = run("measure", self.character, "auto", self.character)
        self.assertIn("no table of the prior", damaged.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
