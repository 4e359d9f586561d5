"""Tests of the Python package.

Usage: python_test.py CHARACTER [unittest arguments]     (with PYTHONPATH and SKINCELLS_LIBRARY set)
"""

import contextlib
import copy
import gc
import importlib.util
import io
import os
import pickle
import re
import signal
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import skincells as sc

CHARACTER = sys.argv.pop(1)
HAS_SCIPY = importlib.util.find_spec("scipy") is not None
RINGS, SIDES = 17, 8
HEADS = np.array([[0, 0, 0], [0, 0.7, 0], [0, 1.4, 0]])
PARENTS, NAMES = [-1, 0, 1], ["hip", "knee", "foot"]


def tube(rings=RINGS, sides=SIDES):
    angles = 2 * np.pi * np.arange(sides) / sides
    vertices = np.array([[0.2 * np.cos(a), 2 * r / (rings - 1), 0.2 * np.sin(a)] for r in range(rings) for a in angles],
                        np.float32)
    faces = []
    for r in range(rings - 1):
        for s in range(sides):
            a, b = r * sides + s, r * sides + (s + 1) % sides
            faces += [[a, a + sides, b + sides], [a, b + sides, b]]
    return vertices, np.array(faces)


def bind_tube(**options):
    return sc.bind(*tube(), joints=HEADS, parents=PARENTS, names=NAMES, quality="draft", **options)


def has_viewer():
    """A build without npm has none."""
    try:
        return bool(bind_tube().view())
    except sc.Error as error:
        return error.code != "unsupported_feature"


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Base(unittest.TestCase):
    def refuses(self, code, where, function, *arguments, **more):
        with self.assertRaises(sc.Error) as caught:
            function(*arguments, **more)
        self.assertEqual(caught.exception.code, code, caught.exception)
        self.assertIn(where, caught.exception.where)
        self.assertTrue(caught.exception.message)


class BindTest(Base):
    def test_weights_are_valid(self):
        result = bind_tube(max_influences=2)
        self.assertEqual(result.weights.shape, (RINGS * SIDES, 2))
        self.assertEqual((result.indices.dtype, result.weights.dtype), (np.uint16, np.float32))
        np.testing.assert_allclose(result.weights.sum(axis=1), 1, atol=1e-6)
        self.assertEqual((result.indices[0, 0], result.indices[-1, 0]), (0, 2))
        self.assertEqual(result.report["command"], "bind")
        self.assertEqual(len(result.confidence), RINGS * SIDES)
        self.assertEqual(result.verdict.grade, result.report["verdict"]["grade"])
        self.assertEqual(result.verdict.grade, result.verdict.findings[0].grade)

    def test_layouts_give_the_same_bytes(self):
        vertices, faces = tube()
        expected = bind_tube()
        wide = np.zeros((len(vertices), 7), np.float32)
        wide[:, 2:5] = vertices
        columns = np.asfortranarray(vertices.astype(np.float64))
        for v in (wide[:, 2:5], vertices[::-1].copy()[::-1], columns, vertices.tolist(), vertices.astype(">f4")):
            for f in (faces, faces.astype(np.uint16), faces.astype(np.int32)[:, ::1], faces.tolist()):
                result = sc.bind(v, f, joints=HEADS, parents=PARENTS, names=NAMES, quality="draft")
                np.testing.assert_array_equal(result.weights, expected.weights)
        matrices = np.tile(np.eye(4), (3, 1, 1))
        matrices[:, :3, 3] = HEADS
        result = sc.bind(vertices, faces, matrices=matrices, parents=[None, 0, 1], names=NAMES, quality="draft")
        np.testing.assert_array_equal(result.weights, expected.weights)

    def test_arrays_outlive_their_owner_and_are_not_copied(self):
        result = bind_tube()
        weights, copy = result.weights, result.weights.copy()
        self.assertIs(result.weights, weights)
        self.assertFalse(weights.flags.owndata or weights.flags.writeable)
        del result
        gc.collect()
        bind_tube(seed=5)
        np.testing.assert_array_equal(weights, copy)

    def test_takes_objects_like_trimesh(self):
        class Mesh:
            vertices, faces = tube()

        result = sc.bind(Mesh, joints=HEADS, parents=PARENTS, names=NAMES, quality="draft")
        np.testing.assert_array_equal(result.weights, bind_tube().weights)

    def test_forms_of_weights_agree(self):
        result = bind_tube()
        dense = result.dense()
        self.assertEqual(dense.shape, (RINGS * SIDES, 3))
        np.testing.assert_allclose(dense.sum(axis=1), 1, atol=1e-6)
        forms = [dense, (result.indices, result.weights)]
        if HAS_SCIPY:
            np.testing.assert_array_equal(result.sparse().toarray(), dense)
            forms.append(result.sparse())
        else:
            self.refuses("unsupported_feature", "sparse", result.sparse)
        for form in forms:
            again = sc.Character(*tube(), joints=HEADS, parents=PARENTS, names=NAMES, weights=form)
            np.testing.assert_allclose(again.dense(), dense, atol=1e-7)

    def test_options_are_those_of_the_table(self):
        by_name = {o.name: o for o in sc.options("bind")}
        self.assertEqual(by_name["max_influences"].range, "1 .. 8")
        self.assertEqual(by_name["quality"].choices, ["draft", "normal"])
        for name in ("read", "write", "transfer", "lod_job", "view_job"):
            self.assertTrue(sc.options(name))


def fbx_of(vertices, faces):
    """A text FBX file of the mesh on the bones of the tests, with weights that nothing depends on."""
    def numbers(values):
        values = np.asarray(values).ravel().tolist()
        return f"*{len(values)} {{\n a: {','.join(map(repr, values))}\n }}"

    def at(place):
        matrix = np.eye(4)
        matrix[3, :3] = place
        return matrix

    ends = np.array(faces)
    ends[:, 2] = -ends[:, 2] - 1  # how a polygon ends
    objects = [f'Geometry: 1, "Geometry::", "Mesh" {{\n Vertices: {numbers(vertices)}\n'
               f' PolygonVertexIndex: {numbers(ends)}\n}}', 'Model: 2, "Model::tube", "Mesh" {\n Version: 232\n}',
               'Deformer: 3, "Deformer::", "Skin" {\n Version: 101\n}']
    links = [(2, 0), (1, 2), (3, 1)]
    for j, (name, parent, head) in enumerate(zip(NAMES, PARENTS, HEADS)):
        bone, cluster = 10 + j, 20 + j
        offset = head - (HEADS[parent] if parent >= 0 else 0)
        mine = np.flatnonzero(np.arange(len(vertices)) % len(NAMES) == j)
        objects += [f'Model: {bone}, "Model::{name}", "LimbNode" {{\n Version: 232\n Properties70: {{\n'
                    f'  P: "Lcl Translation", "Lcl Translation", "", "A",{",".join(map(repr, offset.tolist()))}\n }}\n}}',
                    f'Deformer: {cluster}, "SubDeformer::", "Cluster" {{\n Version: 100\n Indexes: {numbers(mine)}\n'
                    f' Weights: {numbers(np.ones(len(mine)))}\n Transform: {numbers(at(-head))}\n'
                    f' TransformLink: {numbers(at(head))}\n}}']
        links += [(bone, 10 + parent if parent >= 0 else 0), (cluster, 3), (bone, cluster)]
    unit = '  P: "UnitScaleFactor", "double", "Number", "",100'  # meters
    return ("; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
            f"GlobalSettings: {{\n Version: 1000\n Properties70: {{\n{unit}\n }}\n}}\n"
            "Objects: {\n" + "\n".join(objects) + "\n}\nConnections: {\n"
            + "".join(f' C: "OO",{a},{b}\n' for a, b in links) + "}\n")


class FilesTest(Base):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skincells_python_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_glb_and_npz_round_trip(self):
        result = bind_tube()
        result.save(self.folder / "tube.glb", embed_field=True, quantize="f32")
        read = sc.Character.load(self.folder / "tube.glb")
        np.testing.assert_array_equal(read.vertices, result.character.vertices)
        np.testing.assert_allclose(read.dense(), result.dense(), atol=1e-6)
        self.assertEqual(sc.Field.load(self.folder / "tube.glb").names, NAMES)
        result.save(self.folder / "tube.npz")
        with np.load(self.folder / "tube.npz") as data:
            self.assertEqual(sorted(data), ["faces", "joints", "names", "parents", "skin", "vertices"])
        again = sc.Character.load(self.folder / "tube.npz")
        self.assertEqual((again.names, again.parents.tolist()), (NAMES, PARENTS))
        np.testing.assert_allclose(again.dense(), result.dense(), atol=1e-6)
        self.refuses("cannot_write", "tube.glb", result.save, self.folder / "tube.glb")
        self.refuses("cannot_write", "tube.npz", result.save, self.folder / "tube.npz")

    def test_npz_with_objects_needs_trust(self):
        vertices, faces = tube()
        np.savez(self.folder / "rig.npz", vertices=vertices, faces=faces, joints=HEADS, names=np.array(NAMES),
                 parents=np.array([None, 0, 1], dtype=object))
        self.refuses("invalid_file", "rig.npz", sc.Character.load, self.folder / "rig.npz")
        self.assertEqual(sc.Character.load(self.folder / "rig.npz", allow_pickle=True).parents.tolist(), PARENTS)
        np.savez(self.folder / "empty.npz", vertices=vertices)
        self.refuses("invalid_file", "empty.npz", sc.Character.load, self.folder / "empty.npz")
        self.refuses("file_not_found", "none.npz", sc.Character.load, self.folder / "none.npz")

    def test_damaged_npz(self):
        bind_tube().save(self.folder / "good.npz")
        data = bytearray((self.folder / "good.npz").read_bytes())
        data[len(data) // 3] ^= 0xff
        damaged = {"cut": data[:len(data) // 2], "flipped": data, "text": b"hello", "empty": b"", "zip": b"PK\3\4junk"}
        for name, content in damaged.items():
            path = self.folder / f"{name}.npz"
            path.write_bytes(content)
            self.refuses("invalid_file", path.name, sc.Character.load, path)
        (self.folder / "folder.npz").mkdir()
        self.refuses("file_not_found", "folder.npz", sc.Character.load, self.folder / "folder.npz")
        self.refuses("invalid_option", "level", sc.Character.load, self.folder / "good.npz", level=1)
        self.refuses("invalid_option", "quantize", bind_tube().save, self.folder / "x.npz", quantize="f32")
        self.refuses("cannot_write", "x.npz", bind_tube().save, self.folder / "none" / "x.npz")

    def test_jobs(self):
        out = self.folder / "skinned.glb"
        report = sc.bind_file(CHARACTER, out, quality="draft")
        self.assertEqual(report["command"], "bind")
        self.assertTrue(sc.check(out)["passed"])
        self.assertEqual(sc.compare(out, out)["others"][0]["half_l1"], 0)
        self.assertEqual(sc.compare(out, out, out)["others"][1]["half_l1"], 0)
        moved = sc.transfer(out, CHARACTER, self.folder / "moved.glb")
        self.assertEqual(moved["command"], "transfer")
        sc.render(out, self.folder / "sheet.png", poses="bind", views="front", size=64)
        self.assertEqual((self.folder / "sheet.png").read_bytes()[1:4], b"PNG")
        if has_viewer():
            self.assertIn("<html", sc.run("view", inputs=[out])[:200])
        self.refuses("file_not_found", "none.glb", sc.bind_file, "none.glb", out, force=True)
        self.refuses("cannot_write", "skinned.glb", sc.bind_file, CHARACTER, out)
        self.refuses("invalid_option", "nonsense", sc.bind_file, CHARACTER, out, nonsense=1)
        self.refuses("invalid_option", "paint", sc.run, "paint")

    def test_foreign_formats(self):
        vertices, faces = tube()
        lines = ["v %.9g %.9g %.9g" % tuple(v) for v in vertices] + ["f %d %d %d" % tuple(f + 1) for f in faces]
        (self.folder / "tube.obj").write_text("\n".join(lines) + "\n")
        bind_tube().save(self.folder / "rig.glb")
        read = sc.Character.load(self.folder / "tube.obj", rig=self.folder / "rig.glb")
        self.assertEqual((read.names, len(read.faces)), (NAMES, len(faces)))
        np.testing.assert_allclose(np.sort(read.vertices, axis=0), np.sort(vertices, axis=0), atol=1e-6)
        sc.bind(read, quality="draft").save(self.folder / "skinned.glb")
        (self.folder / "tube.fbx").write_text(fbx_of(vertices, faces))
        report = sc.bind_file(self.folder / "tube.fbx", self.folder / "from_fbx.glb", quality="draft")
        self.assertEqual(report["input"]["path"], str(self.folder / "tube.fbx"))
        bound = sc.Character.load(self.folder / "from_fbx.glb")
        self.assertEqual((bound.names, bound.parents.tolist(), len(bound.faces)), (NAMES, PARENTS, len(faces)))
        np.testing.assert_allclose(bound.joints, HEADS, atol=1e-6)
        expected = {tuple(np.round(v, 4)): row for v, row in zip(vertices, bind_tube().dense())}
        for vertex, row in zip(bound.vertices, bound.dense()):
            np.testing.assert_allclose(row, expected[tuple(np.round(vertex, 4))], atol=0.05)
        (self.folder / "bad.fbx").write_text("no character")
        self.refuses("import_failed", "bad.fbx", sc.Character.load, self.folder / "bad.fbx")

    def test_pictures_and_pages(self):
        result = bind_tube()
        self.assertEqual(sc.render(result, size=64)[1:4], b"PNG")
        sc.render(result, self.folder / "sheet.png", size=64)
        self.refuses("cannot_write", "sheet.png", sc.render, result, self.folder / "sheet.png", size=64)
        for subject in (result, result.character):
            self.assertTrue(subject._repr_html_().startswith("<iframe" if has_viewer() else "<pre>"))


class FieldTest(Base):
    def test_gives_the_mesh_its_weights_again(self):
        result = bind_tube()
        field = sc.Field.from_bytes(result.field.to_bytes())
        again = field.apply(result.character)
        np.testing.assert_array_equal(again.weights, result.weights)
        indices, weights = field.evaluate(np.zeros((0, 3)))
        self.assertEqual((len(indices), len(weights)), (0, 0))
        indices, weights = field.evaluate(tube()[0], max_influences=1)
        self.assertEqual(weights.shape[1], 1)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tube.skc"
            field.save(path)
            self.refuses("cannot_write", "tube.skc", field.save, path)
            field.save(path, force=True)
            self.assertEqual(sc.Field.load(path).to_bytes(), field.to_bytes())
        self.refuses("invalid_file", "memory", sc.Field.from_bytes, b"nonsense")
        self.refuses("invalid_argument", "points", field.evaluate, [1, 2, 3])
        self.refuses("mismatch", "normals", field.evaluate, np.zeros((2, 3)), np.zeros((3, 3)))
        self.refuses("invalid_file", "positions[1]", field.evaluate, [[0, 0, 0], [np.nan, 0, 0]])
        self.refuses("invalid_option", "max_influences", field.evaluate, np.zeros((2, 3)), max_influences=8)

    def test_fits_given_weights(self):
        skinned = bind_tube().character
        field = sc.Field.fit(skinned)
        self.assertLess(np.abs(field.apply(skinned).dense() - skinned.dense()).mean(), 0.02)
        self.refuses("invalid_option", "via", sc.Field.fit, skinned, via="closest")

    def test_no_field_without_skin_cells(self):
        self.assertIsNone(sc.bind(*tube(), joints=HEADS, parents=PARENTS, method="heat").field)


class TransferTest(Base):
    def test_to_a_mesh_without_a_skeleton(self):
        skinned = bind_tube()
        vertices, faces = tube(33, 12)
        carried = sc.transfer(skinned, (vertices * [1.02, 1, 1.02], faces))
        self.assertEqual(len(carried.weights), len(vertices))
        self.assertEqual(carried.report["command"], "transfer")
        bare = sc.Character(vertices, faces, joints=HEADS, parents=PARENTS, names=["a", "b", "c"])
        self.refuses("mismatch", "", sc.transfer, skinned, bare)
        self.refuses("mismatch", "", sc.transfer, bare, skinned)
        self.refuses("invalid_argument", "output", sc.transfer, skinned, "file.glb")
        self.refuses("invalid_argument", "target", sc.transfer, skinned, 3)


class BadInputTest(Base):
    def make(self, vertices=None, faces=None, joints=HEADS, parents=tuple(PARENTS), **more):
        v, f = tube()
        return sc.Character(v if vertices is None else vertices, f if faces is None else faces, joints=joints,
                            parents=parents, **more)

    def test_arrays(self):
        vertices, faces = tube()
        self.refuses("invalid_argument", "vertices", self.make, vertices=vertices[:, :2])
        self.refuses("invalid_argument", "vertices", self.make, vertices=vertices.ravel())
        self.refuses("invalid_argument", "vertices", self.make, vertices=[["a", "b", "c"]])
        self.refuses("invalid_argument", "vertices", self.make, vertices=[[1, 2, 3], [1, 2]])
        self.refuses("invalid_argument", "vertices", self.make, vertices=vertices.astype(complex))
        self.refuses("invalid_argument", "faces", self.make, faces=faces.astype(float))
        self.refuses("invalid_argument", "faces", self.make, faces=faces[:, :2])
        self.refuses("invalid_file", "triangles[3]", self.make, faces=np.where(np.arange(len(faces))[:, None] == 3, 999,
                                                                               faces))
        self.refuses("invalid_file", "triangles[0]", self.make, faces=-faces - 1)
        broken = vertices.copy()
        broken[5, 1] = np.inf
        self.refuses("invalid_file", "positions[5]", self.make, vertices=broken)
        self.refuses("no_mesh", "", self.make, vertices=[], faces=[])

    def test_skeletons(self):
        self.refuses("no_skeleton", "", self.make, joints=[], parents=None)
        self.refuses("invalid_file", "joint", self.make, parents=[2, 0, 1])
        self.refuses("invalid_file", "parents[1]", self.make, parents=[-1, 7, 0])
        self.refuses("mismatch", "parents", self.make, parents=[-1, 0])
        self.refuses("invalid_argument", "parents", self.make, parents=3)
        self.refuses("invalid_argument", "parents", self.make, parents=["a", "b", "c"])
        self.refuses("mismatch", "names", self.make, names=["one"])
        self.refuses("invalid_argument", "names", self.make, names=["a\0b", "c", "d"])
        self.refuses("invalid_argument", "heads", self.make, matrices=np.tile(np.eye(4), (3, 1, 1)))
        self.refuses("invalid_file", "matrices[0]", self.make, joints=None, matrices=np.zeros((3, 4, 4)))
        self.refuses("invalid_argument", "up_axis", self.make, up_axis="up")

    def test_weights(self):
        self.refuses("invalid_argument", "weights", self.make, weights=np.zeros(5))
        self.refuses("mismatch", "row_", self.make, weights=np.ones((5, 3)))
        self.refuses("invalid_file", "row_joints[0]", self.make, weights=np.ones((RINGS * SIDES, 9)))
        self.refuses("invalid_file", "row_weights[0]", self.make, weights=-np.ones((RINGS * SIDES, 3)))
        self.refuses("mismatch", "character", self.make().dense)

    def test_options_and_others(self):
        character = self.make()
        self.refuses("invalid_option", "max-influences", sc.bind, character, max_influences=9)
        self.refuses("invalid_option", "quality", sc.bind, character, quality="best")
        self.refuses("invalid_option", "no-such", sc.bind, character, no_such=1)
        self.refuses("no_joints", "--joints", sc.bind, character, drop_joints="*")
        self.refuses("invalid_argument", "threads", sc.bind, character, threads=-1)
        self.refuses("invalid_argument", "progress", sc.bind, character, progress=3)
        self.refuses("mismatch", "character", sc.check, character)
        self.refuses("invalid_argument", "subject", sc.check, 5)
        self.refuses("invalid_argument", "others", sc.compare, character)

    def test_objects_of_other_kinds(self):
        result = bind_tube()
        np.testing.assert_array_equal(result.field.apply(result).weights, result.weights)
        self.assertEqual(sc.Field.fit(result).names, NAMES)
        self.assertEqual(len(sc.bind(result, quality="draft").weights), len(result.weights))
        for other in (None, 3, tube()):
            self.refuses("invalid_argument", "character", result.field.apply, other)
            self.refuses("invalid_argument", "character", sc.Field.fit, other)
        self.refuses("invalid_argument", "data", sc.Field.from_bytes, "text")
        self.refuses("invalid_argument", "names", self.make, names=["\ud800", "b", "c"])

    def test_copies_share_their_object(self):
        """A second handle of the same number would release the memory under the first one's arrays."""
        result = bind_tube()
        subjects = (result, result.character, result.field)
        gc.collect()
        objects = sc.object_count()
        for subject in subjects:
            self.refuses("unsupported_feature", "pickle", pickle.dumps, subject)
        again = copy.deepcopy(result)
        del again
        gc.collect()
        self.assertEqual(sc.object_count(), objects)
        self.assertEqual(result.report["command"], "bind")

    def test_errors_travel(self):
        error = pickle.loads(pickle.dumps(sc.Error("code", "message", "where")))
        self.assertEqual((error.code, error.message, error.where, str(error)),
                         ("code", "message", "where", "where: message"))


class WrongTypesTest(Base):
    """Whatever is given for whichever argument: what is wrong with it is an Error that names the argument."""

    ODD = [None, 3, -1, 2.5, float("nan"), True, 10**30, "text", "a\0b", "\ud800", b"bytes", [], {}, (), set(), object,
           lambda: 1, np.array(3.0), np.array(["a"]), np.zeros((3, 3), object), np.full((3, 3), np.nan),
           [[1, 2], [3]], [None]]

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skincells_odd_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def calls(self):
        mesh = dict(vertices=np.eye(3), faces=[[0, 1, 2]], joints=[[0, 0, 0], [1, 0, 0]], parents=[-1, 0])
        character, result = sc.Character(**mesh), bind_tube()
        for name in ("vertices", "faces", "joints", "parents", "names", "weights", "rest", "bones", "meters_per_unit",
                     "up_axis"):
            yield name, lambda x, name=name: sc.Character(**{**mesh, name: x})
        for option in sc.options("bind"):
            yield option.name, lambda x, name=option.name: sc.bind(character, **{"method": "proximity", name: x})
        yield "bind", sc.bind
        yield "threads", lambda x: sc.bind(character, method="proximity", threads=x)
        for name in ("load", "save", "field", "force", "embed_field"):
            function = getattr(sc.Character, name) if name == "load" else result.save
            yield name, (lambda x, f=function: f(x)) if name in ("load", "save") else (
                lambda x, name=name: (result.character if name == "field" else result).save("out.npz", **{name: x}))
        yield "render", lambda x: sc.render(result, x, size=64, poses="bind", views="front") if x is not None else None
        for function in (sc.run, sc.options, sc.check, sc.Field.load, sc.Field.from_bytes, sc.Field.fit,
                         result.field.save, result.field.apply, result.field.evaluate):
            yield function.__name__, function
        yield "max_influences", lambda x: result.field.evaluate(np.eye(3), max_influences=x)
        for function in (sc.bind_file, sc.lod, sc.compare):
            yield function.__name__ + " 1", lambda x, f=function: f(x, "out.glb")
            yield function.__name__ + " 2", lambda x, f=function: f("none.glb", x)
        yield "transfer 1", lambda x: sc.transfer(x, result)
        yield "transfer 2", lambda x: sc.transfer(result, x)
        yield "transfer 3", lambda x: sc.transfer("none.glb", "none.glb", x)

    def test_all(self):
        refused = 0
        for name, call in self.calls():
            for value in self.ODD:
                try:
                    call(value)
                except sc.Error as error:
                    self.assertTrue(error.message, name)
                    refused += 1
                except Exception as error:
                    self.fail(f"{name} of {value!r}: {type(error).__name__}: {error}")
        self.assertGreater(refused, 500)
        self.assertEqual([path.name for path in Path().iterdir() if path.name not in ("text", "out.npz")], [])


class ProgressTest(Base):
    def test_reports_and_stops(self):
        seen = []
        result = bind_tube(progress=seen.append)
        self.assertEqual(result.stop_reason in ("done", "settled"), True)
        self.assertEqual((seen[0].stage, seen[-1].fraction), ("weld", 1))
        self.assertEqual([p.fraction for p in seen], sorted(p.fraction for p in seen))
        self.refuses("cancelled", "", bind_tube, progress=lambda p: p.stage != "guess")
        self.assertEqual(bind_tube(progress=lambda p: p.stage != "losses").stop_reason, "cancelled")

    def test_draws_a_bar(self):
        def drawn(**options):
            with contextlib.redirect_stderr(io.StringIO()) as out:
                try:
                    bind_tube(progress=True, **options)
                except sc.Error as error:
                    self.assertEqual(error.code, "no_joints")
            return out.getvalue()

        text = drawn()
        states = text[1:].split("\r")
        self.assertEqual(states[0].rstrip(), "  0% |" + 30 * " " + "| 00:00<? weld")
        self.assertRegex(states[-1], r"^100% \|#{30}\| \d\d:\d\d<00:00 done *\n$")
        self.assertTrue(any(re.search(r"\d<\d\d:\d\d losses", state) for state in states), states)
        self.assertEqual(text.count("\n"), 1)
        self.assertRegex(drawn(drop_joints="*"), r"\S *\n$")  # the line ends when the work fails, too

    def test_passes_exceptions_on(self):
        def fail(progress):
            raise RuntimeError(progress.stage)

        with self.assertRaisesRegex(RuntimeError, "weld"):
            bind_tube(progress=fail)

    def test_control_c(self):
        def interrupt(progress):
            if progress.stage == "losses":
                os.kill(os.getpid(), signal.SIGINT)

        # A job in the background of a shell is started without it.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with self.assertRaises(KeyboardInterrupt):
            bind_tube(progress=interrupt)
        # Without a callback of the caller, too: the signal comes from another thread.
        character = sc.Character.load(CHARACTER)
        timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(100):
                sc.bind(character, seed=_)
        timer.join()

    def test_ends_soon(self):
        """Asked right after each callback, which is the worst moment: the next one stops it."""
        character = sc.Character.load(CHARACTER)
        stages = []
        sc.bind(character, progress=lambda p: stages.append(p.stage))
        for stage in dict.fromkeys(stages[:-1]):
            wall, processor = np.min([self.seconds_to_stop(character, stage) for _ in range(3)], axis=0)
            is_busy = os.getloadavg()[0] > os.cpu_count()  # then this process waits for others
            self.assertLess(processor if is_busy else wall, 0.2, stage)

    def test_ends_soon_without_a_result(self):
        """A callback that raises, as Ctrl+C does: a large mesh is not evaluated for a result that nobody gets."""
        vertices, faces = tube(1025, 128)

        def stop(progress):
            if progress.stage == "losses":
                raise InterruptedError(time.process_time())

        with self.assertRaises(InterruptedError) as caught:
            sc.bind(vertices, faces, joints=HEADS, parents=PARENTS, names=NAMES, quality="draft", progress=stop)
        self.assertLess(time.process_time() - caught.exception.args[0], 0.2)

    def seconds_to_stop(self, character, stage):
        asked = []

        def stop(progress):
            if asked:
                return False
            if progress.stage == stage:
                asked.extend((time.perf_counter(), time.process_time()))
            return True

        try:
            sc.bind(character, progress=stop)
        except sc.Error as error:
            self.assertEqual(error.code, "cancelled")
        return time.perf_counter() - asked[0], time.process_time() - asked[1]


class ThreadsTest(Base):
    def test_eight_at_once(self):
        expected = {k: bind_tube(max_influences=k) for k in (1, 2, 3, 4)}

        def work(i):
            k = i % 4 + 1
            same = np.array_equal(bind_tube(max_influences=k).weights, expected[k].weights)
            try:
                bind_tube(max_influences=10 + i)
            except sc.Error as error:
                return same and error.code == "invalid_option"
            return False

        with ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(work, range(32))))

    def test_other_threads_run_during_a_bind(self):
        character = sc.Character.load(CHARACTER)
        counted = [0]
        done = threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.0005)

        thread = threading.Thread(target=count)
        thread.start()
        sc.bind(character)
        done.set()
        thread.join()
        self.assertGreater(counted[0], 20)

    def test_memory_does_not_grow(self):
        vertices, faces = tube(5, 4)

        def binds(count):
            for i in range(count):
                result = sc.bind(vertices, faces, joints=HEADS, parents=PARENTS, quality="draft", seed=i)
                result.field.evaluate(vertices)
            gc.collect()
            return resident_bytes()

        objects = sc.object_count()
        before = binds(200)
        after = binds(800)
        self.assertEqual(sc.object_count(), objects)
        self.assertLess(after - before, 4 << 20, f"{before} -> {after} bytes")


if __name__ == "__main__":
    unittest.main()
