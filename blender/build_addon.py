"""Makes the add-on with the wheel inside: build_addon.py WHEEL OUT.zip

One file for all versions of Blender: 4.2 and later install it as an extension, earlier ones as an add-on.
"""

import sys
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parent / "skincells_addon"


def main(wheel, out):
    wheel, out = Path(wheel), Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SOURCE.glob("*.py")):
            archive.write(path, f"skincells_addon/{path.name}")
        manifest = (SOURCE / "blender_manifest.toml").read_text(encoding="utf-8")
        head, table, rest = manifest.partition("\n[permissions]")
        archive.writestr("skincells_addon/blender_manifest.toml",
                         f'{head}wheels = ["./wheels/{wheel.name}"]\n{table}{rest}')
        archive.write(wheel, f"skincells_addon/wheels/{wheel.name}", zipfile.ZIP_STORED)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
