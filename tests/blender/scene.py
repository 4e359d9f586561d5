"""Scenes of the tests inside Blender, from arrays with y up."""

import importlib

import bpy
import numpy as np


IS_EXTENSION = bpy.app.version >= (4, 2, 0)
MODULE = "bl_ext.user_default.skincells_addon" if IS_EXTENSION else "skincells_addon"


def install(addon):
    """Installs the add-on and returns its modules `exchange` and `operators`."""
    if IS_EXTENSION:
        bpy.ops.extensions.package_install_files(filepath=addon, repo="user_default", enable_on_install=True)
    else:
        bpy.ops.preferences.addon_install(filepath=addon)
        bpy.ops.preferences.addon_enable(module=MODULE)
    return [importlib.import_module(f"{MODULE}.{name}") for name in ("exchange", "operators")]


def to_blender(points):
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def add_armature(character, name="Armature"):
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    heads = to_blender(character.joints)
    bones = []
    for joint_name, head in zip(character.names, heads):
        bone = armature.data.edit_bones.new(joint_name)
        bone.head, bone.tail = head, head + [0, 0, 0.05]
        bones.append(bone)
    for bone, parent in zip(bones, character.parents):
        bone.parent = bones[parent] if parent >= 0 else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def add_mesh(vertices, faces, name="Body"):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(to_blender(np.asarray(vertices)).tolist(), [], np.asarray(faces).tolist())
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(obj)
    return obj


def select(*objects, active):
    bpy.ops.object.select_all(action="DESELECT")
    for obj in (*objects, active):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = active
