"""Blender's meshes and armatures as arrays, and weights as vertex groups. No operators here.

Everything is in world space, so that scale that was not applied does not matter, with y up as in glTF, so that the
result is that of the exported file.
"""

import re
from dataclasses import dataclass, field

import bpy
import numpy as np
from mathutils.kdtree import KDTree

import skincells as sc

CONFIDENCE = "skincells_confidence"  # an attribute of meshes: how sure the bind was of each vertex


def to_gltf(points):
    """z up to y up; exact."""
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def world_points(matrix, points):
    m = np.array(matrix, np.float64)
    if np.array_equal(m, np.eye(4)):
        return points
    return points @ m[:3, :3].T + m[:3, 3]


@dataclass
class Rig:
    """The bones of an armature as joints."""

    armature: bpy.types.Object
    bones: list = field(default_factory=list)  # names, in order
    names: list = field(default_factory=list)  # the same, without what patterns of options mean
    parents: list = field(default_factory=list)
    heads: np.ndarray = None
    deforming: list = field(default_factory=list)

    def joint_options(self):
        """An artist who switched Deform off somewhere has chosen; else the rules of the library choose."""
        if all(self.deforming):
            return {}
        kept = ",".join(name for name, deforms in zip(self.names, self.deforming) if not deforms)
        return {"joints": "all", "drop_joints": kept}


def rig_of(armature):
    rig = Rig(armature)
    bones = armature.data.bones
    index = {bone.name: j for j, bone in enumerate(bones)}
    for j, bone in enumerate(bones):
        name = re.sub(r"[,*?\[\]\\]", "_", bone.name)
        rig.bones.append(bone.name)
        rig.names.append(name if name not in rig.names else f"{name}_{j}")
        rig.parents.append(index[bone.parent.name] if bone.parent else -1)
        rig.deforming.append(bone.use_deform)
    heads = np.array([bone.head_local for bone in bones], np.float64).reshape(-1, 3)
    rig.heads = to_gltf(world_points(armature.matrix_world, heads))
    return rig


@dataclass
class Part:
    """A mesh object in the arrays: its vertices are [first, first + count)."""

    object: bpy.types.Object
    first: int
    count: int


@dataclass
class Figure:
    """Several mesh objects and an armature as one character."""

    rig: Rig
    parts: list
    vertices: np.ndarray
    faces: np.ndarray

    def character(self, weights=None):
        unit = bpy.context.scene.unit_settings.scale_length
        return sc.Character(self.vertices, self.faces, joints=self.rig.heads, parents=self.rig.parents,
                            names=self.rig.names, weights=weights, name=self.rig.armature.name, up_axis="y",
                            meters_per_unit=unit)


def rest_positions(mesh):
    """The positions that the armature deforms: those of the basis, if there are shape keys."""
    source = mesh.shape_keys.reference_key.data if mesh.shape_keys else mesh.vertices
    positions = np.empty(len(mesh.vertices) * 3, np.float32)
    source.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def triangles(mesh):
    mesh.calc_loop_triangles()
    corners = np.empty(len(mesh.loop_triangles) * 3, np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return corners.reshape(-1, 3)


def mirror_images(obj, points, faces):
    """Images of a mesh under its Mirror modifiers: pairs of points and faces, in the space of the object."""
    pieces = [(points, faces)]
    for modifier in obj.modifiers:
        if modifier.type != "MIRROR" or not modifier.show_viewport:
            continue
        plane = np.eye(4)
        if modifier.mirror_object:
            plane = np.array(obj.matrix_world.inverted() @ modifier.mirror_object.matrix_world)
        for axis in np.flatnonzero(modifier.use_axis):
            flip = np.eye(4)
            flip[axis, axis] = -1
            image = plane @ flip @ np.linalg.inv(plane)
            pieces += [(world_points(image, p), f[:, ::-1]) for p, f in pieces]
    return pieces[1:]


def figure_of(objects, armature, with_images=False):
    """with_images: what Mirror modifiers add follows the vertices of each object, so that half a mesh is bound as
    the whole that Blender shows."""
    parts, vertices, faces, first = [], [], [], 0
    for obj in objects:
        points, corners = rest_positions(obj.data), triangles(obj.data)
        parts.append(Part(obj, first, len(points)))
        images = mirror_images(obj, points, corners) if with_images else []
        for piece, piece_corners in [(points, corners), *images]:
            vertices.append(to_gltf(world_points(obj.matrix_world, piece)))
            faces.append(piece_corners + first)
            first += len(piece)
    return Figure(rig_of(armature), parts, np.concatenate(vertices), np.concatenate(faces))


def existing_weights(figure):
    """The vertex groups of the bones as a dense matrix; joints without a group have none."""
    dense = np.zeros((len(figure.vertices), len(figure.rig.bones)), np.float32)
    joint_of = {name: j for j, name in enumerate(figure.rig.bones)}
    for part in figure.parts:
        joints = {group.index: joint_of.get(group.name) for group in part.object.vertex_groups}
        for v, vertex in enumerate(part.object.data.vertices):
            for element in vertex.groups:
                joint = joints.get(element.group)
                if joint is not None:
                    dense[part.first + v, joint] = element.weight
    return dense


def write_groups(figure, indices, weights, only_selected=False):
    """Replaces the vertex groups of the bones. Locked groups keep their weights, and the others share what they leave;
    other groups stay. only_selected: vertices that are not selected stay. Returns the number of vertices written."""
    written = 0
    for part in figure.parts:
        rows = slice(part.first, part.first + part.count)
        written += write_object(part.object, figure.rig.bones, indices[rows], weights[rows], only_selected)
    return written


def write_object(obj, bones, indices, weights, only_selected):
    chosen = np.ones(len(weights), bool)
    if only_selected:
        obj.data.vertices.foreach_get("select", chosen)
    vertices = np.flatnonzero(chosen)
    if len(vertices) == 0:
        return 0
    indices, weights = shared_with_locked(obj, bones, indices, weights.astype(np.float64))
    for name in bones:
        group = obj.vertex_groups.get(name)
        if group is not None and not group.lock_weight:
            group.remove(vertices.tolist())
    for joint in np.unique(indices[weights > 0]):
        group = obj.vertex_groups.get(bones[joint]) or obj.vertex_groups.new(name=bones[joint])
        if group.lock_weight:
            continue
        mine = ((indices == joint) & (weights > 0)).any(axis=1) & chosen
        share = np.where(indices == joint, weights, 0).sum(axis=1)
        for v in np.flatnonzero(mine):
            group.add((int(v),), float(share[v]), "REPLACE")
    add_mirror_groups(obj, bones)
    return len(vertices)


def add_mirror_groups(obj, bones):
    """The groups of the bones on the other side (Arm.L, Arm.R), empty: the Mirror modifier and the mirror tools of
    Blender move weights between groups that are there."""
    for name in [group.name for group in obj.vertex_groups]:
        other = bpy.utils.flip_name(name)
        if name in bones and other in bones and other not in obj.vertex_groups:
            obj.vertex_groups.new(name=other)


def shared_with_locked(obj, bones, indices, weights):
    """Rows that leave room for the weights of locked groups: at most as many joints as before, sum 1 with them. A
    vertex that would have locked bones alone takes the row of the nearest one that has others."""
    locked = {g.index: g.name for g in obj.vertex_groups if g.lock_weight and g.name in bones}
    if not locked:
        return indices, weights
    weights = np.where(np.isin(indices, [bones.index(name) for name in locked.values()]), 0, weights)
    bare = weights.sum(axis=1) == 0
    if bare.any() and not bare.all():
        nearest = nearest_of(rest_positions(obj.data), np.flatnonzero(~bare), np.flatnonzero(bare))
        indices = indices.copy()
        indices[bare], weights[bare] = indices[nearest], weights[nearest]
    for v, vertex in enumerate(obj.data.vertices):
        kept = [e.weight for e in vertex.groups if e.group in locked and e.weight > 0]
        free = np.argsort(-weights[v], kind="stable")
        weights[v, free[max(0, weights.shape[1] - len(kept)):]] = 0
        total = weights[v].sum()
        room = max(0.0, 1 - sum(kept))
        weights[v] *= room / total if total > 0 else 0
    return indices, weights


def nearest_of(points, chosen, others):
    """For each of the other points the nearest chosen one."""
    tree = KDTree(len(chosen))
    for v in chosen:
        tree.insert(points[v], v)
    tree.balance()
    return [tree.find(points[v])[1] for v in others]


def write_confidence(figure, confidence):
    for part in figure.parts:
        attributes = part.object.data.attributes
        attribute = attributes.get(CONFIDENCE) or attributes.new(CONFIDENCE, "FLOAT", "POINT")
        attribute.data.foreach_set("value", confidence[part.first:part.first + part.count])


def read_confidence(obj):
    values = np.empty(len(obj.data.vertices), np.float32)
    obj.data.attributes[CONFIDENCE].data.foreach_get("value", values)
    return values


def attach(obj, armature):
    """An Armature modifier and a parent, as Ctrl-P sets them; what is there stays."""
    if not any(m.type == "ARMATURE" and m.object == armature for m in obj.modifiers):
        modifier = obj.modifiers.new("Armature", "ARMATURE")
        modifier.object = armature
    if obj.parent is None:
        matrix = obj.matrix_world.copy()
        obj.parent = armature
        obj.matrix_parent_inverse = armature.matrix_world.inverted()
        obj.matrix_world = matrix


def armature_of(obj):
    """The armature that deforms a mesh, or None."""
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    return obj.parent if obj.parent and obj.parent.type == "ARMATURE" else None
