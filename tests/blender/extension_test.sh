#!/usr/bin/env bash
# Installs the add-on as an extension into a Blender later than 4.2, that of Debian 13, and runs its tests there. Needs
# root, debootstrap and a mirror of Debian; keeps the system for the next time.
#   tests/blender/extension_test.sh ADDON.zip PROGRAM EXAMPLES_PROGRAM FOLDER
set -euo pipefail
addon=$(realpath "$1") program=$(realpath "$2") examples=$(realpath "$3") folder=$(realpath -m "$4")
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/support/bare_debian.sh"

bare_debian "$folder" trixie blender,python3-numpy
mkdir "$root/skincells/libraries" "$root/skincells/home"
cp "$addon" "$program" "$examples" "$source"/tests/blender/{blender_test,scene}.py "$source/docs/blender.md" \
  "$root/skincells"
# What the program needs besides the C library, which a later Debian has in other versions.
ldd "$program" "$examples" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libdl|libpthread|librt)\.so' | xargs cp -t "$root/skincells/libraries"
for name in "$program" "$examples"; do
  name=$(basename "$name")
  mv "$root/skincells/$name" "$root/skincells/libraries"
  printf '#!/bin/sh\nLD_LIBRARY_PATH=/skincells/libraries exec /skincells/libraries/%s "$@"\n' "$name" >"$root/skincells/$name"
  chmod +x "$root/skincells/$name"
done
blender() { inside env HOME=/skincells/home blender "$@"; }
blender --command extension validate "/skincells/$(basename "$addon")"
blender --background --factory-startup --python /skincells/blender_test.py -- "/skincells/$(basename "$addon")" \
  "/skincells/$(basename "$program")" "/skincells/$(basename "$examples")" /skincells/blender.md /none
echo "$(basename "$addon"): the tests pass as an extension in $(blender --version 2>/dev/null | head -n 1)"
