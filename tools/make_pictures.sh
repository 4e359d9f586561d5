#!/usr/bin/env bash
# Makes the pictures of the documentation from our own example characters: tools/make_pictures.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images

"$bin/skincells-examples" "$work" >/dev/null
for name in biped_apose knight quadruped robot dancer; do
  "$bin/skincells" bind "$work/$name.glb" -o "$work/${name}_skinned.glb" --quiet
  "$bin/skincells" render "$work/${name}_skinned.glb" -o "docs/images/$name.png" --poses clip --count 4 \
    --views three-quarter --columns 4 --size 240 --force --quiet
done
mv docs/images/biped_apose.png docs/images/demo.png
"$bin/skincells" render "$work/biped_apose_skinned.glb" -o docs/images/weights.png --poses worst --count 2 \
  --views three-quarter,back --columns 4 --size 240 --color joints --force --quiet
"$bin/skincells" bind "$work/biped_apose.glb" -o "$work/viewed.glb" --view "$work/viewer.html" --quiet
node tools/viewer_picture.mjs "$work/viewer.html" docs/images/viewer.png
