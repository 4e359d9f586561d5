"""Binds a character with Blender's automatic weights: blender -b -P tools/blender_weights.py -- IN.glb OUT.glb"""
import sys
import bpy
import numpy

numpy.bool = bool  # the exporter of Blender 3.4 uses a name that NumPy no longer has

source, target = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
rig = next(o for o in bpy.data.objects if o.type == "ARMATURE")
rig.data.pose_position = "REST"
meshes = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
for mesh in meshes:
    mesh.vertex_groups.clear()
    mesh.modifiers.clear()
    world = mesh.matrix_world.copy()
    mesh.parent = None
    mesh.matrix_world = world
bpy.ops.object.select_all(action="DESELECT")
for mesh in meshes:
    mesh.select_set(True)
rig.select_set(True)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.parent_set(type="ARMATURE_AUTO")
bpy.ops.export_scene.gltf(filepath=target, export_animations=False)
