"""The operator in a window, with simulated keys: progress in the status bar, Esc, undo. Run by run_test.py:
blender --factory-startup --enable-event-simulate --python window_test.py -- ADDON.zip CHARACTER [PICTURE.png]
"""

import os
import sys
import time
import traceback
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from scene import add_armature, add_mesh, install, select  # noqa: E402

ADDON, CHARACTER, *PICTURE = sys.argv[sys.argv.index("--") + 1:]
bpy.context.preferences.view.show_splash = False
_, operators = install(ADDON)
import skincells as sc  # noqa: E402 (from the wheel inside the add-on)

STATUS = []  # what the status bar showed
# How long a step of the bind takes at least, so that it is not over before a key is seen; when the operator saw Esc, and
# when it gave the status bar back: redraws without a GPU do not count.
TIMES = {"step": 0.2}
PATIENCE = 120  # seconds


def noted(function, note):
    def call(self, *arguments):
        note(*arguments)
        return function(self, *arguments)
    return call


def note_status(text):
    STATUS.append(text)
    if text is None:
        TIMES["end"] = time.time()


bpy.types.WorkSpace.status_text_set = noted(bpy.types.WorkSpace.status_text_set, note_status)
operators.Job._on_progress = noted(operators.Job._on_progress, lambda _: time.sleep(TIMES["step"]))
operators.Job.stop = noted(operators.Job.stop, lambda: TIMES.setdefault("esc", time.time()))


def window():
    return bpy.context.window_manager.windows[0]


def view():
    """The 3D view with its sidebar: area, main region, sidebar."""
    area = next(a for a in window().screen.areas if a.type == "VIEW_3D")
    area.spaces.active.show_region_ui = True
    regions = {r.type: r for r in area.regions}
    return area, regions["WINDOW"], regions["UI"]


def in_view(operator, *arguments, **options):
    area, region, _ = view()
    with bpy.context.temp_override(window=window(), area=area, region=region):
        return operator(*arguments, **options)


def press(key, x=None, y=None):
    area, *_ = view()
    at = {"x": x if x is not None else area.x + area.width // 2, "y": y if y is not None else area.y + area.height // 2}
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", **at)
    window().event_simulate(type=key, value="PRESS", **at)
    window().event_simulate(type=key, value="RELEASE", **at)


def wait(condition):
    """Lets Blender go on until the condition holds."""
    start = time.time()
    while not condition():
        assert time.time() - start < PATIENCE, "nothing happened"
        yield 0.02


def body():
    return bpy.data.objects["Body"]


def working():
    return bool(STATUS) and STATUS[-1] is not None


def test():
    """Each yield gives Blender the time to handle events."""
    yield 1
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    character = sc.Character.load(CHARACTER)
    armature = add_armature(character)
    armature.show_in_front = True
    mesh = add_mesh(character.vertices, character.faces)
    select(mesh, active=armature)
    in_view(bpy.ops.view3d.view_selected)
    bpy.ops.ed.undo_push(message="before")
    yield 0.5

    # Esc: it ends soon, and nothing changed.
    assert in_view(bpy.ops.skincells.bind, "INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from wait(working)
    assert "Skin Cells:" in STATUS[-1] and "[Esc] Cancel" in STATUS[-1], STATUS
    press("ESC")
    yield from wait(lambda: not working())
    seconds = TIMES["end"] - TIMES["esc"]
    print(f"Esc: ended after {seconds:.3f} s; the status bar showed {STATUS}")
    assert seconds < 0.2
    assert not body().vertex_groups and not body().modifiers

    # To the end, with the window alive; then undo.
    STATUS.clear()
    TIMES["step"] = 0.01
    assert in_view(bpy.ops.skincells.bind, "INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from wait(working)
    yield from wait(lambda: not working())
    yield 0.2
    assert body().vertex_groups and body()["skincells_verdict"]
    shown = [int(text.split(":")[1].split("%")[0]) for text in STATUS if text]
    assert shown == sorted(shown) and shown, STATUS
    print(f"bound: {body()['skincells_verdict']}; progress {shown}")
    if PICTURE:
        yield from take_picture(PICTURE[0])
    in_view(bpy.ops.ed.undo)
    yield 0.2
    assert not body().vertex_groups and not body().modifiers
    print("undo restores")


def take_picture(path):
    """A picture of the 3D view with the panel; Ctrl and the wheel go to the last tab of the sidebar."""
    _, _, sidebar = view()
    at = {"x": sidebar.x + sidebar.width - 12, "y": sidebar.y + sidebar.height // 2}
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", **at)
    yield 0.3
    for _ in range(3):  # the last tab
        window().event_simulate(type="WHEELDOWNMOUSE", value="PRESS", ctrl=True, **at)
        yield 0.5
    area, region, _ = view()
    with bpy.context.temp_override(window=window(), area=area, region=region):
        bpy.ops.screen.screenshot_area(filepath=path)
    yield 0.5


STEPS = test()


def step():
    try:
        return next(STEPS)
    except StopIteration:
        finish(0)
    except BaseException:
        traceback.print_exc()
        finish(1)


def finish(code):
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


bpy.app.timers.register(step, first_interval=1)
