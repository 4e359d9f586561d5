#!/usr/bin/env python3
"""Draws cost against size as SVG, and prints the measured exponents.

Usage: plot_costs.py MEASURED OUT_SVG

MEASURED is the JSON of `bench_bind --sweep`, or the table of `bench_garment` (.md).

An exponent is the slope of a straight line through the points in logarithms (least squares).
"""

import json
import math
import sys

PANELS = [("step_vertices", "vertices", "step"), ("step_joints", "joints", "step"), ("step_sites", "sites", "step"),
          ("step_poses", "poses", "step"), ("bind_vertices", "vertices", "whole bind")]
WIDTH, HEIGHT, LEFT, TOP, GAP = 260, 200, 62, 40, 50


def exponent(points):
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def short(value):
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:g}"


def decades(low, high):
    return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def panel(points, x_name, y_name, left):
    points = [(float(x), float(y)) for x, y in points]
    y_ticks = decades(min(y for _, y in points), max(y for _, y in points))
    x_low, x_high = math.log(points[0][0]), math.log(points[-1][0])
    y_low, y_high = math.log(y_ticks[0]), math.log(y_ticks[-1])

    def at(x, y):
        return (left + WIDTH * (math.log(x) - x_low) / (x_high - x_low),
                TOP + HEIGHT * (1 - (math.log(y) - y_low) / (y_high - y_low)))

    out = [f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
           f'<text x="{left}" y="{TOP - 12}">{y_name}, CPU seconds against {x_name}: '
           f'exponent {exponent(points):.2f}</text>']
    for y in y_ticks:
        v = at(points[0][0], y)[1]
        out.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{v:.1f}" y2="{v:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{v + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x, _ in points:
        h = at(x, y_ticks[0])[0]
        out.append(f'<text x="{h:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{short(x)}</text>')
    line = " ".join(f"{h:.1f},{v:.1f}" for h, v in (at(x, y) for x, y in points))
    out.append(f'<polyline points="{line}" fill="none" stroke="#2266aa" stroke-width="2"/>')
    out += [f'<circle cx="{h:.1f}" cy="{v:.1f}" r="3" fill="#2266aa"/>' for h, v in (at(x, y) for x, y in points)]
    return out


def sweeps_of(path):
    """Of a file of measurements: (points, name of x, name of y)."""
    with open(path, encoding="utf-8") as file:
        if not path.endswith(".md"):
            sweep = json.load(file)["sweep"]
            return [(sweep[key], x_name, y_name) for key, x_name, y_name in PANELS]
        rows = [[float(cell) for cell in line.strip("| \n").split("|")[:4]] for line in file if line[2:3].isdigit()]
    bodies, skirts = [row[0] for row in rows], [row[1] for row in rows]
    body, skirt = max(bodies, key=bodies.count), max(skirts, key=skirts.count)  # what stays the same
    return [(sorted((row[0], row[3]) for row in rows if row[1] == skirt), "body vertices", "bind"),
            (sorted((row[1], row[3]) for row in rows if row[0] == body), "garment vertices", "bind")]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    body, left = [], LEFT
    for points, x_name, y_name in sweeps_of(sys.argv[1]):
        body += panel(points, x_name, y_name, left)
        print(f"{y_name} against {x_name}: exponent {exponent(points):.2f}")
        left += WIDTH + LEFT + GAP
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{TOP + HEIGHT + 40}" '
                   f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    main()
