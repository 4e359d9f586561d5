#!/usr/bin/env python3
"""Rewrites the WGSL snippet as C++, so that tests can run it: wgsl_to_cpp.py IN OUT

Supports what the snippet uses and nothing else: explicit types everywhere, arrays, structs, select()."""
import re
import sys

TYPES = {"f32": "float", "i32": "int", "u32": "uint", "bool": "bool", "vec3<f32>": "vec3", "vec4<f32>": "vec4"}
TYPE = r"(array<\w+, \d+>|vec[34]<f32>|\w+)"


def declare(wgsl_type, name):
    array = re.fullmatch(r"array<(\w+), (\d+)>", wgsl_type)
    return f"{TYPES[array[1]]} {name}[{array[2]}]" if array else f"{TYPES.get(wgsl_type, wgsl_type)} {name}"


def function_head(match):
    arguments = [argument.split(": ") for argument in match[2].split(", ")]
    return f"inline {TYPES.get(match[3], match[3])} {match[1]}({', '.join(declare(t, n) for n, t in arguments)}) {{"


def rewrite(text):
    text = re.sub(r"fn (\w+)\((.*)\) -> (\S+) \{", function_head, text)
    text = re.sub(r"\blet (\w+): " + TYPE + " =", lambda m: "const " + declare(m[2], m[1]) + " =", text)
    text = re.sub(r"\bvar (\w+): " + TYPE + " =", lambda m: declare(m[2], m[1]) + " =", text)
    text = re.sub(r"\bvar (\w+): " + TYPE + ";", lambda m: declare(m[2], m[1]) + " = {};", text)
    text = re.sub(r"^  (\w+): " + TYPE + ",", lambda m: "  " + declare(m[2], m[1]) + ";", text, flags=re.M)
    text = re.sub(r"^\}$(?=\n\n// The square)", "};", text, count=1, flags=re.M)
    text = re.sub(r"\b([iu]32)\(", lambda m: TYPES[m[1]] + "(", text)
    return text.replace(".xyz", ".xyz()").replace("vec3<f32>(", "vec3(")


def main(arguments):
    with open(arguments[0], encoding="utf-8") as source, open(arguments[1], "w", encoding="utf-8") as target:
        target.write(rewrite(source.read()))


if __name__ == "__main__":
    main(sys.argv[1:])
