"""Skin Cells: automatic skinning weights in Blender (docs/blender.md)."""

bl_info = {
    "name": "Skin Cells",
    "author": "skincells maintainers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Object > Parent (Ctrl-P), and Sidebar > Skin Cells",
    "description": "Automatic skinning weights",
    "category": "Rigging",
}

from . import library

library.make_importable()

from . import operators, panel  # noqa: E402 (they import skincells)

CLASSES = (*operators.CLASSES, *panel.CLASSES)


def register():
    import bpy
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_parent.append(panel.draw_parent_menu)


def unregister():
    import bpy
    bpy.types.VIEW3D_MT_object_parent.remove(panel.draw_parent_menu)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
