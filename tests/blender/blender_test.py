"""Tests of the add-on, run inside Blender:
blender --background --factory-startup --python blender_test.py -- ADDON.zip PROGRAM EXAMPLES_PROGRAM PAGE SHARED
"""

import os
import re
import subprocess
import sys
import tempfile
import traceback
import unittest
from pathlib import Path
from unittest import mock

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from mathutils.kdtree import KDTree

sys.path.insert(0, str(Path(__file__).parent))
from scene import MODULE, add_armature, add_mesh, install, select, to_blender  # noqa: E402

ADDON, PROGRAM, EXAMPLES, PAGE, SHARED = sys.argv[sys.argv.index("--") + 1:]
CHARACTERS = ["biped_tpose", "knight", "quadruped", "robot", "dancer"]
SHARED = Path(SHARED) / "characters"
if SHARED.is_dir():
    CHARACTERS += ["CesiumMan", "Fox", "Crabylon", "Anglerfish", "Rocketbox_Female_Adult_02"]
exchange, operators = install(ADDON)
import skincells as sc  # noqa: E402 (from the wheel inside the add-on)


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module=MODULE)


def groups(obj):
    """Weights by group name: dense columns."""
    out = {g.name: np.zeros(len(obj.data.vertices)) for g in obj.vertex_groups}
    names = {g.index: g.name for g in obj.vertex_groups}
    for v, vertex in enumerate(obj.data.vertices):
        for element in vertex.groups:
            out[names[element.group]][v] = element.weight
    return out


def dense(obj, bones):
    found = groups(obj)
    return np.stack([found.get(b, np.zeros(len(obj.data.vertices))) for b in bones], axis=1)


FOLDER = Path(tempfile.mkdtemp(prefix="skincells_blender_"))


def example(name):
    path = SHARED / f"{name}.glb"
    if not path.exists():
        path = FOLDER / f"{name}.glb"
    if not path.exists():
        subprocess.run([EXAMPLES, FOLDER, "--only", name], check=True, stdout=subprocess.DEVNULL)
    return sc.Character.load(path)


def scene_of(name):
    empty_scene()
    character = example(name)
    armature = add_armature(character)
    body = add_mesh(character.vertices, character.faces)
    select(body, active=armature)
    return character, armature, body


def by_program(figure, *options):
    """The program's weights for the arrays that the add-on gives the library."""
    source, out = FOLDER / "same.glb", FOLDER / "same_bound.glb"
    one = (np.zeros((len(figure.vertices), 1), int), np.ones((len(figure.vertices), 1)))
    figure.character(weights=one).save(source, force=True)
    subprocess.run([PROGRAM, "bind", source, "-o", out, "--force", "--quiet", "--quantize", "f32", *options],
                   check=True, stdout=subprocess.DEVNULL)
    return sc.Character.load(out)


class SameWeightsTest(unittest.TestCase):
    def test_characters_have_the_weights_of_the_program(self):
        for name in CHARACTERS:
            character, armature, body = scene_of(name)
            figure = exchange.figure_of([body], armature)
            np.testing.assert_array_equal(figure.vertices.astype(np.float32), character.vertices)
            order = [character.names.index(bone) for bone in figure.rig.bones]  # Blender puts parents first
            size = np.ptp(character.vertices, axis=0).max()
            np.testing.assert_allclose(figure.rig.heads, character.joints[order], atol=2e-6 * max(1, size))
            self.assertEqual(bpy.ops.skincells.bind(), {"FINISHED"})
            expected = by_program(figure)
            rows = dense(body, figure.rig.bones)
            np.testing.assert_allclose(rows, expected.dense(), atol=1e-6, err_msg=name)
            np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
            self.assertLessEqual((rows > 0).sum(axis=1).max(), 4)
            print(f"{name}: same weights as the program")


def turn(armature, name):
    """Turns a bone about its head; returns the map of the armature's space that its descendants undergo."""
    bone = armature.pose.bones[name]
    head = Matrix.Translation(bone.bone.head_local)
    move = head @ Matrix.Rotation(0.7, 4, (1, 2, 3)) @ head.inverted()
    bone.matrix = move @ bone.matrix
    bpy.context.view_layer.update()
    return np.array(move)


def evaluated_points(obj):
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return np.array([vertex.co for vertex in mesh.vertices])


def tree_of(points):
    tree = KDTree(len(points))
    for i, point in enumerate(points):
        tree.insert(point, i)
    tree.balance()
    return tree


class ExportedFileTest(unittest.TestCase):
    def test_a_posed_bone_moves_the_same_vertices_as_in_the_exported_file(self):
        for name in ("biped_tpose", *(["CesiumMan"] if SHARED.is_dir() else [])):
            character, armature, body = scene_of(name)
            bpy.ops.skincells.bind(quality="draft")
            path = FOLDER / f"{name}_exported.glb"
            bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB")
            exported = sc.Character.load(path)
            self.assertEqual(sorted(exported.names), sorted(armature.data.bones.keys()))
            rest = evaluated_points(body)
            # A limb: the bone with most descendants of those that move less than a third of the character.
            bones = armature.data.bones
            bone = max((b for b in bones if 3 * len(b.children_recursive) < len(bones)),
                       key=lambda b: len(b.children_recursive))
            move = turn(armature, bone.name)
            posed = evaluated_points(body)
            turned = {bone.name, *(b.name for b in bone.children_recursive)}
            share = exported.dense()[:, [n in turned for n in exported.names]].sum(axis=1, keepdims=True)
            start = to_blender(exported.vertices)
            ends = start + share * (start @ move[:3, :3].T + move[:3, 3] - start)
            # The exporter splits vertices and changes their order.
            tree = tree_of(rest)
            size = np.ptp(rest, axis=0).max()
            moved = 0
            for point, end in zip(start, ends):
                near = [i for _, i, _ in tree.find_range(point, 1e-5 * size)]
                self.assertTrue(near)
                self.assertLess(min(np.abs(posed[i] - end).max() for i in near), 1e-4 * size, name)
                moved += np.abs(end - point).max() > 0.01 * size
            self.assertTrue(len(start) / 50 < moved < len(start) / 2, moved)
            print(f"{name}: {bone.name} moves {moved} of {len(start)} vertices, in Blender and in the exported file")


class MirrorTest(unittest.TestCase):
    def test_half_a_mesh_is_bound_as_the_whole(self):
        character, armature, body = scene_of("biped_tpose")
        bpy.ops.skincells.bind(quality="draft")
        whole = dense(body, character.names)
        vertices = to_blender(character.vertices)
        mesh = add_mesh(character.vertices, character.faces, "Half")
        cut = bmesh.new()
        cut.from_mesh(mesh.data)
        bmesh.ops.bisect_plane(cut, geom=[*cut.verts, *cut.edges, *cut.faces], plane_co=(0, 0, 0), plane_no=(1, 0, 0),
                               clear_inner=True)
        cut.to_mesh(mesh.data)
        cut.free()
        mirror = mesh.modifiers.new("Mirror", "MIRROR")
        points = tree_of(vertices)
        pairs = [(h, w) for h, vertex in enumerate(mesh.data.vertices)
                 for _, w, distance in [points.find(vertex.co)] if distance < 1e-6]
        self.assertGreater(len(pairs), len(vertices) / 3)
        half_rows, whole_rows = np.transpose(pairs)
        difference = {}
        for mirror.show_viewport in (False, True):
            select(mesh, active=armature)
            bpy.ops.skincells.bind(quality="draft")
            rows = dense(mesh, character.names)
            np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
            difference[mirror.show_viewport] = np.abs(rows[half_rows] - whole[whole_rows]).sum(axis=1).mean()
        print(f"half a mesh, difference to the whole: {difference[False]:.3f} alone, {difference[True]:.3f} with its image")
        self.assertLess(difference[True], 0.15)
        self.assertLess(difference[True], difference[False])
        self.assertEqual([m.type for m in mesh.modifiers], ["MIRROR", "ARMATURE"])
        # A bone of the other side moves the image.
        names = [n for n in character.names if bpy.utils.flip_name(n) != n]
        self.assertTrue(names)
        for name in names:
            if name in mesh.vertex_groups:
                self.assertIn(bpy.utils.flip_name(name), mesh.vertex_groups)
        side = {n: vertices[np.argmax(whole[:, character.names.index(n)]), 0] for n in names}
        other = min(side, key=side.get)  # farthest on the side that has no vertices
        before = evaluated_points(mesh)
        turn(armature, other)
        moved = np.abs(evaluated_points(mesh) - before).max(axis=1) > 0.01
        self.assertTrue(moved.any())
        self.assertLess(before[moved, 0].max(), 0)


class BindTest(unittest.TestCase):
    def setUp(self):
        self.character, self.armature, self.body = scene_of("quadruped")

    def bind(self, **options):
        return bpy.ops.skincells.bind(quality="draft", **options)

    def test_a_posed_bone_moves_what_the_weights_say(self):
        self.bind()
        bone = self.armature.pose.bones[len(self.character.names) // 2]
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (0.5, 0.2, 0.1)
        bpy.context.view_layer.update()
        posed = evaluated_points(self.body)
        rest = np.array([(*v.co, 1) for v in self.body.data.vertices])
        moves = np.array([np.array(p.matrix @ p.bone.matrix_local.inverted()) for p in self.armature.pose.bones])
        rows = dense(self.body, [p.name for p in self.armature.pose.bones])
        expected = np.einsum("vj,jab,vb->va", rows, moves, rest)[:, :3]
        np.testing.assert_allclose(posed, expected, atol=1e-5)
        self.assertGreater(np.abs(posed - rest[:, :3]).max(), 0.01)

    def test_bones_that_do_not_deform_get_nothing(self):
        name = self.character.names[3]
        self.armature.data.bones[name].use_deform = False
        self.bind()
        self.assertNotIn(name, groups(self.body))
        for bone in self.armature.data.bones:
            bone.use_deform = False
        with self.assertRaisesRegex(RuntimeError, "no bone deforms"):
            self.bind()

    def test_locked_and_other_groups_and_unselected_vertices_stay(self):
        count = len(self.body.data.vertices)
        name = self.character.names[2]
        locked = self.body.vertex_groups.new(name=name)
        locked.add(range(0, count, 3), 0.25, "REPLACE")
        locked.lock_weight = True
        self.body.vertex_groups.new(name="cloth pin").add(range(count), 0.5, "REPLACE")
        before = groups(self.body)
        self.bind()
        after = groups(self.body)
        np.testing.assert_array_equal(after[name], before[name])
        np.testing.assert_array_equal(after["cloth pin"], before["cloth pin"])
        rows = dense(self.body, self.character.names)
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
        self.assertLessEqual((rows > 0).sum(axis=1).max(), 4)
        chosen = np.arange(count) % 2 == 0
        self.body.data.vertices.foreach_set("select", chosen)
        locked.lock_weight = False
        bpy.ops.skincells.bind(method="proximity", only_selected=True)
        again = dense(self.body, self.character.names)
        np.testing.assert_array_equal(again[~chosen], rows[~chosen])
        self.assertGreater(np.abs(again[chosen] - rows[chosen]).max(), 0.01)

    def test_vertices_of_locked_bones_alone_get_the_bones_near_by(self):
        self.bind(max_influences=1)
        rows = dense(self.body, self.character.names)
        owner = np.argmax(rows.sum(axis=0))
        name = self.character.names[owner]
        self.body.vertex_groups.clear()
        self.body.vertex_groups.new(name=name).lock_weight = True
        self.bind(max_influences=1)
        again = dense(self.body, self.character.names)
        np.testing.assert_allclose(again.sum(axis=1), 1, atol=1e-5)
        self.assertEqual(again[:, owner].max(), 0)
        others = rows[:, owner] == 0
        np.testing.assert_array_equal(again[others], rows[others])

    def test_scale_that_is_not_applied_and_shape_keys(self):
        self.bind()
        expected = dense(self.body, self.character.names)
        for vertex in self.body.data.vertices:
            vertex.co *= 2
        self.body.parent = None
        self.body.scale = (0.5, 0.5, 0.5)
        self.body.shape_key_add(name="Basis")
        key = self.body.shape_key_add(name="Big")
        for point in key.data:
            point.co *= 3
        key.value = 1
        bpy.context.view_layer.update()
        select(self.body, active=self.armature)
        self.bind()
        np.testing.assert_allclose(dense(self.body, self.character.names), expected, atol=1e-6)

    def test_several_meshes_are_one_character(self):
        self.bind()
        expected = dense(self.body, self.character.names)
        half = len(self.character.faces) // 2
        faces = np.asarray(self.character.faces, np.int64)
        parts = []
        for chosen in (faces[:half], faces[half:]):
            used, renamed = np.unique(chosen, return_inverse=True)
            parts.append((add_mesh(self.character.vertices[used], renamed.reshape(-1, 3), "Part"), used))
        select(*(obj for obj, _ in parts), active=self.armature)
        self.bind()
        for obj, used in parts:
            rows = dense(obj, self.character.names)
            np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
            self.assertLess(np.abs(rows - expected[used]).sum(axis=1).mean(), 0.05)
            self.assertTrue(any(m.type == "ARMATURE" for m in obj.modifiers))
        bpy.ops.skincells.select_unsure(percent=10)
        chosen = [[v.select for v in obj.data.vertices] for obj, _ in parts]
        self.assertEqual(sum(map(sum, chosen)), round(sum(map(len, chosen)) / 10))

    def test_attaches_once_and_keeps_the_place(self):
        self.body.location = (1, 2, 3)
        self.armature.scale = (2, 2, 2)
        bpy.context.view_layer.update()
        place = np.array(self.body.matrix_world)
        self.bind()
        self.bind()
        bpy.context.view_layer.update()
        self.assertEqual([m.type for m in self.body.modifiers], ["ARMATURE"])
        self.assertEqual(self.body.parent, self.armature)
        np.testing.assert_allclose(np.array(self.body.matrix_world), place, atol=1e-6)

    def test_undo_restores(self):
        bpy.context.preferences.edit.use_global_undo = True
        bpy.ops.ed.undo_push(message="before")
        self.bind()
        bpy.ops.ed.undo_push(message="bound")
        self.assertTrue(bpy.data.objects["Body"].vertex_groups)
        bpy.ops.ed.undo()
        body = bpy.data.objects["Body"]
        self.assertFalse(body.vertex_groups or body.modifiers)

    def test_verdict_and_least_sure_vertices(self):
        self.bind()
        self.assertRegex(self.body["skincells_verdict"], "^(good|look at it|bad)")
        # The armature is still active.
        self.assertEqual(bpy.ops.skincells.select_unsure(percent=10), {"FINISHED"})
        self.assertEqual(bpy.context.active_object, self.body)
        chosen = np.array([v.select for v in self.body.data.vertices])
        values = exchange.read_confidence(self.body)
        self.assertEqual(chosen.sum(), round(len(chosen) / 10))
        self.assertLessEqual(values[chosen].max(), values[~chosen].min())

    def test_cancel_changes_nothing(self):
        figure = exchange.figure_of([self.body], self.armature)
        job = operators.Job(lambda progress: sc.bind(figure.character(), progress=progress))
        job.stop()
        job.wait()
        self.assertTrue(job.stopped and job.result is None)
        self.assertIsInstance(job.error, InterruptedError)

    def test_refuses_with_words(self):
        empty = bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty"))
        bpy.context.collection.objects.link(empty)
        select(self.body, active=empty)
        with self.assertRaisesRegex(RuntimeError, "has no bones"):
            self.bind()
        select(active=self.armature)
        self.assertFalse(bpy.ops.skincells.bind.poll())
        broken = add_mesh([[0, 0, 0], [1, 0, 0], [0, float("nan"), 0]], [[0, 1, 2]])
        select(broken, active=self.armature)
        with self.assertRaisesRegex(RuntimeError, r"positions\[2\]"):
            self.bind()

    def test_is_in_the_menu_of_ctrl_p(self):
        draws = {draw.__module__: draw for draw in bpy.types.VIEW3D_MT_object_parent._dyn_ui_initialize()}
        menu = mock.Mock()
        draws[f"{MODULE}.panel"](menu, bpy.context)
        menu.layout.operator.assert_called_once_with("skincells.bind", icon=mock.ANY)

    def test_options_are_those_of_the_library(self):
        names = {p.identifier: p for p in bpy.ops.skincells.bind.get_rna_type().properties}
        for option in sc.options("bind"):
            if option.name in ("joints", "keep_joints", "drop_joints", "part", "rom", "training_poses"):
                continue
            self.assertEqual(names[option.name].description.lower(), option.help.lower())
        self.assertEqual((names["max_influences"].hard_min, names["max_influences"].hard_max), (1, 8))


class PageTest(unittest.TestCase):
    def test_the_example_of_the_page_runs(self):
        _, _, body = scene_of("quadruped")
        bpy.ops.object.select_all(action="DESELECT")
        (block,) = re.findall(r"^```python\n(.*?)^```", Path(PAGE).read_text(encoding="utf-8"), re.M | re.S)
        exec(compile(block, PAGE, "exec"), {})
        self.assertTrue(body.vertex_groups)


class OtherOperatorsTest(unittest.TestCase):
    def setUp(self):
        self.character, self.armature, self.body = scene_of("quadruped")

    def test_a_field_gives_its_mesh_the_same_weights(self):
        bpy.ops.skincells.bind(quality="draft")
        expected = dense(self.body, self.character.names)
        path = str(FOLDER / "quadruped.skc")
        figure = exchange.figure_of([self.body], self.armature)
        sc.bind(figure.character(), quality="draft").field.save(path, force=True)
        self.body.vertex_groups.clear()
        self.assertEqual(bpy.ops.skincells.evaluate(filepath=path), {"FINISHED"})
        np.testing.assert_allclose(dense(self.body, self.character.names), expected, atol=1e-6)
        with self.assertRaisesRegex(RuntimeError, "no_such.skc"):
            bpy.ops.skincells.evaluate(filepath=str(FOLDER / "no_such.skc"))

    def test_transfer(self):
        bpy.ops.skincells.bind(quality="draft")
        jacket = add_mesh(self.character.vertices, self.character.faces, "Jacket")
        select(jacket, active=self.body)
        self.assertEqual(bpy.ops.skincells.transfer(), {"FINISHED"})
        rows = dense(jacket, self.character.names)
        np.testing.assert_allclose(rows, dense(self.body, self.character.names), atol=1e-3)
        self.assertTrue(any(m.type == "ARMATURE" and m.object == self.armature for m in jacket.modifiers))
        select(self.body, active=jacket)
        jacket.modifiers.clear()
        with self.assertRaisesRegex(RuntimeError, "no armature"):
            jacket.parent = None
            bpy.ops.skincells.transfer()


try:
    program = unittest.main(argv=["blender_test"], exit=False, verbosity=1)
    code = 0 if program.result.wasSuccessful() else 1
except BaseException:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)  # Blender's own exit would be 0
