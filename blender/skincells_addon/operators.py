"""The operators: bind, evaluate a field, transfer, select the least sure vertices."""

import threading

import bpy
import numpy as np
from bpy_extras.io_utils import ImportHelper

import skincells as sc

from . import exchange
from .properties import with_options


def selected_meshes(context):
    return [obj for obj in context.selected_objects if obj.type == "MESH" and len(obj.data.vertices) > 0]


def complain(operator, message):
    operator.report({"ERROR"}, message)
    return {"CANCELLED"}


def active_armature(context):
    """The active armature, or the one that the active mesh is bound to."""
    active = context.active_object
    if active is None:
        return None
    return active if active.type == "ARMATURE" else exchange.armature_of(active)


def verdict_text(verdict):
    """Grade and reasons, separated by "; "; of a good skin, its worst place."""
    text = str(verdict)
    if verdict.grade != "good" or not verdict.findings:
        return text
    worst = verdict.findings[0]
    return f"{text}; worst: {worst.label} {worst.value:.3g}" + (f" at {worst.where}" if worst.where else "")


def only_selected_property():
    return bpy.props.BoolProperty(name="Only selected vertices", default=False,
                                  description="Keep the weights of vertices that are not selected in Edit Mode")


class Job:
    """A call of the library in a thread of its own, so that Blender goes on drawing."""

    def __init__(self, work):
        self.result = self.error = None
        self.stopped = False
        self.fraction, self.stage = 0.0, ""
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work):
        try:
            self.result = work(self._on_progress)
        except Exception as error:  # shown to the user in the main thread
            self.error = error

    def _on_progress(self, progress):
        self.fraction, self.stage = progress.fraction, progress.stage
        if self.stopped:
            raise InterruptedError("cancelled")  # ends sooner than False: no result is wanted

    def stop(self):
        self.stopped = True

    def done(self):
        return not self._thread.is_alive()

    def wait(self):
        self._thread.join()


class Worker:
    """An operator that prepares, computes in a job and then writes. It is modal, or blocks when it is called from a
    script or in the background."""

    _job = _timer = None

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        if not self._begin(context):
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.1, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._job.stop()  # its thread ends soon, and nobody waits for it
        elif event.type == "TIMER":
            percent = 100 * self._job.fraction
            context.window_manager.progress_update(percent)
            context.workspace.status_text_set(f"Skin Cells: {percent:.0f} % {self._job.stage}   [Esc] Cancel")
        if not self._job.stopped and not self._job.done():
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        return self._end(context)

    def execute(self, context):
        if not self._begin(context):
            return {"CANCELLED"}
        self._job.wait()
        return self._end(context)

    def _begin(self, context):
        try:
            work = self.prepare(context)
        except sc.Error as error:
            complain(self, str(error))
            return False
        if isinstance(work, str):
            complain(self, work)
            return False
        self._job = Job(work)
        return True

    def _end(self, context):
        job = self._job
        if job.stopped:  # a result that is not finished is not wanted
            self.report({"INFO"}, "Skin Cells: cancelled, nothing changed")
            return {"CANCELLED"}
        if job.error is not None:
            return complain(self, f"Skin Cells: {job.error}")
        return self.finish(context, job.result)


@with_options("bind")
class SKINCELLS_OT_bind(Worker, bpy.types.Operator):
    """Compute weights of the selected meshes for the active armature"""

    bl_idname = "skincells.bind"
    bl_label = "Armature Deform with Skin Cells"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "only_selected": only_selected_property(),
    }

    @classmethod
    def poll(cls, context):
        return active_armature(context) is not None and bool(selected_meshes(context))

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        for name in ("only_selected", *self.option_names):
            layout.prop(self, name)

    def prepare(self, context):
        leave_edit_mode(context)
        armature = active_armature(context)
        if len(armature.data.bones) == 0:
            return f"{armature.name}: the armature has no bones; add some in Edit Mode"
        if not any(bone.use_deform for bone in armature.data.bones):
            return f"{armature.name}: no bone deforms; switch on Deform in Bone Properties"
        self._figure = exchange.figure_of(selected_meshes(context), armature, with_images=True)
        character = self._figure.character()
        options = {**self.option_values(), **self._figure.rig.joint_options()}

        def work(progress):
            result = sc.bind(character, progress=progress, **options)
            return result, result.verdict

        return work

    def finish(self, context, outcome):
        result, verdict = outcome
        figure = self._figure
        count = exchange.write_groups(figure, result.indices, result.weights, self.only_selected)
        if result.confidence is not None:
            exchange.write_confidence(figure, result.confidence)
        for part in figure.parts:
            exchange.attach(part.object, figure.rig.armature)
            part.object["skincells_verdict"] = verdict_text(verdict)
        for warning in result.warnings:
            self.report({"INFO"}, f"Skin Cells: {warning.message}")
        level = "INFO" if verdict.grade == "good" else "WARNING"
        self.report({level}, f"Skin Cells: {count} vertices bound; {verdict_text(verdict)}")
        return {"FINISHED"}


@with_options("apply")
class SKINCELLS_OT_evaluate(bpy.types.Operator, ImportHelper):
    """Give the selected meshes the weights of a field file (.skc)"""

    bl_idname = "skincells.evaluate"
    bl_label = "Evaluate a Field"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".skc"

    __annotations__ = {
        "filter_glob": bpy.props.StringProperty(default="*.skc;*.glb;*.gltf;*.vrm", options={"HIDDEN"}),
        "only_selected": only_selected_property(),
    }

    @classmethod
    def poll(cls, context):
        return active_armature(context) is not None and bool(selected_meshes(context))

    def execute(self, context):
        leave_edit_mode(context)
        armature = active_armature(context)
        try:
            field = sc.Field.load(bpy.path.abspath(self.filepath))
            figure = exchange.figure_of(selected_meshes(context), armature)
            result = field.apply(figure.character(), **self.option_values())
        except sc.Error as error:
            return complain(self, f"Skin Cells: {error}")
        count = exchange.write_groups(figure, result.indices, result.weights, self.only_selected)
        for part in figure.parts:
            exchange.attach(part.object, armature)
        self.report({"INFO"}, f"Skin Cells: {count} vertices have weights of the field")
        return {"FINISHED"}


@with_options("transfer")
class SKINCELLS_OT_transfer(Worker, bpy.types.Operator):
    """Carry the weights of the active mesh over to the other selected meshes"""

    bl_idname = "skincells.transfer"
    bl_label = "Transfer Weights with Skin Cells"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "only_selected": only_selected_property(),
    }

    @classmethod
    def poll(cls, context):
        active = context.active_object
        return active is not None and active.type == "MESH" and len(selected_meshes(context)) > 1

    def prepare(self, context):
        leave_edit_mode(context)
        source = context.active_object
        armature = exchange.armature_of(source)
        if armature is None:
            return f"{source.name}: the active mesh has no armature; make the mesh with the weights active"
        giver = exchange.figure_of([source], armature)
        targets = [obj for obj in selected_meshes(context) if obj != source]
        self._figure = exchange.figure_of(targets, armature)
        skinned, target = giver.character(exchange.existing_weights(giver)), self._figure.character()
        options = self.option_values()
        return lambda progress: sc.transfer(skinned, target, progress=progress, **options)

    def finish(self, context, result):
        count = exchange.write_groups(self._figure, result.indices, result.weights, self.only_selected)
        for part in self._figure.parts:
            exchange.attach(part.object, self._figure.rig.armature)
        self.report({"INFO"}, f"Skin Cells: weights carried over to {count} vertices")
        return {"FINISHED"}


class SKINCELLS_OT_select_unsure(bpy.types.Operator):
    """Select the vertices that the last bind is least sure of, and go to Edit Mode to look at them"""

    bl_idname = "skincells.select_unsure"
    bl_label = "Select the Least Sure Vertices"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "percent": bpy.props.FloatProperty(name="Percent", default=5, min=0.1, max=100,
                                           description="How many of the vertices, in %"),
    }

    @classmethod
    def poll(cls, context):
        return bool(cls._bound(context))

    @staticmethod
    def _bound(context):
        return [obj for obj in selected_meshes(context) if exchange.CONFIDENCE in obj.data.attributes]

    def execute(self, context):
        leave_edit_mode(context)
        bound = self._bound(context)
        confidence = [exchange.read_confidence(obj) for obj in bound]
        ends = np.cumsum([len(values) for values in confidence])
        chosen = np.zeros(ends[-1], bool)
        count = max(1, round(len(chosen) * self.percent / 100))
        chosen[np.argsort(np.concatenate(confidence), kind="stable")[:count]] = True
        for obj, mine in zip(bound, np.split(chosen, ends[:-1])):
            for domain in (obj.data.polygons, obj.data.edges):
                domain.foreach_set("select", np.zeros(len(domain), bool))
            obj.data.vertices.foreach_set("select", mine)
        if context.active_object not in bound:  # the armature, after a bind
            context.view_layer.objects.active = bound[0]
        if not bpy.app.background:
            bpy.ops.object.mode_set(mode="EDIT")
            bpy.ops.mesh.select_mode(type="VERT")
        self.report({"INFO"}, f"Skin Cells: {count} vertices selected")
        return {"FINISHED"}


def leave_edit_mode(context):
    """Vertex groups and selections are written in Object Mode."""
    if context.mode != "OBJECT" and context.active_object:
        bpy.ops.object.mode_set(mode="OBJECT")


CLASSES = (SKINCELLS_OT_bind, SKINCELLS_OT_evaluate, SKINCELLS_OT_transfer, SKINCELLS_OT_select_unsure)
