"""Properties of operators from the option tables of the library: name, range, default and help are typed once."""

import re

import bpy

import skincells as sc

# Options that Blender has its own ways for: bones have Deform, and a file path is no joint list.
LEFT_OUT = {"joints", "keep_joints", "drop_joints", "part", "rom", "training_poses"}


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)]


def property_of(option):
    name = option.name.replace("_", " ").capitalize()
    help_text = option.help[:1].upper() + option.help[1:]
    common = {"name": name, "description": help_text}
    if option.kind == "integer":
        lo, hi = (int(x) for x in numbers(option.range)[:2])
        return bpy.props.IntProperty(default=int(option.default), min=max(lo, -2**31), max=min(hi, 2**31 - 1), **common)
    if option.kind == "real":
        lo, hi = numbers(option.range)[:2]
        return bpy.props.FloatProperty(default=float(option.default), min=lo, max=hi, **common)
    if option.choices == ["true", "false"]:
        return bpy.props.BoolProperty(default=option.default == "true", **common)
    if option.kind == "choice":
        items = [(word, word.replace("-", " ").capitalize(), "") for word in option.choices]
        return bpy.props.EnumProperty(items=items, default=option.default, **common)
    return bpy.props.StringProperty(default=option.default, **common)


def options_of(call):
    return [option for option in sc.options(call) if option.name not in LEFT_OUT]


def with_options(call):
    """A class decorator: the options of a call as properties, listed in option_names."""
    def decorate(cls):
        cls.__annotations__ = dict(cls.__dict__.get("__annotations__", {}))
        cls.option_names = []
        for option in options_of(call):
            cls.__annotations__[option.name] = property_of(option)
            cls.option_names.append(option.name)
        cls.option_values = lambda self: {name: getattr(self, name) for name in self.option_names}
        return cls
    return decorate
