"""The sidebar panel and the entry of the Ctrl-P menu."""

import textwrap

import bpy

from .operators import SKINCELLS_OT_bind, SKINCELLS_OT_evaluate, SKINCELLS_OT_select_unsure, SKINCELLS_OT_transfer


class SKINCELLS_PT_sidebar(bpy.types.Panel):
    bl_label = "Skin Cells"
    bl_idname = "SKINCELLS_PT_sidebar"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Skin Cells"

    def draw(self, context):
        layout = self.layout
        column = layout.column(align=True)
        column.operator(SKINCELLS_OT_bind.bl_idname, text="Bind", icon="MOD_ARMATURE")
        column.operator(SKINCELLS_OT_evaluate.bl_idname, icon="IMPORT")
        column.operator(SKINCELLS_OT_transfer.bl_idname, text="Transfer Weights", icon="MOD_DATA_TRANSFER")
        layout.operator(SKINCELLS_OT_select_unsure.bl_idname, text="Select Least Sure", icon="RESTRICT_SELECT_OFF")
        columns = max(16, int(context.region.width / context.preferences.system.ui_scale / 8))
        for obj in context.selected_objects:
            if "skincells_verdict" in obj:
                box = layout.box()
                box.label(text=obj.name, icon="OUTLINER_OB_MESH")
                lines = box.column(align=True)
                for reason in obj["skincells_verdict"].split("; "):
                    for line in textwrap.wrap(reason, columns):
                        lines.label(text=line)
        if not SKINCELLS_OT_bind.poll(context):
            layout.label(text="Select meshes, then the armature", icon="INFO")


def draw_parent_menu(self, _context):
    self.layout.separator()
    self.layout.operator(SKINCELLS_OT_bind.bl_idname, icon="MOD_ARMATURE")


CLASSES = (SKINCELLS_PT_sidebar,)
