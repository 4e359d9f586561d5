#!/usr/bin/env bash
# Makes the documentation's pictures from our own example characters: tools/make_pictures.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images

"$bin/skincells-examples" "$work" >/dev/null
# draw NAME COUNT: binds an example and draws COUNT poses of its clip. Counts are chosen for strips of similar width.
draw() {
  local name=$1 count=$2
  "$bin/skincells" bind "$work/$name.glb" -o "$work/${name}_skinned.glb" --quiet
  "$bin/skincells" render "$work/${name}_skinned.glb" -o "docs/images/$name.png" --poses clip --count "$count" \
    --views three-quarter --columns "$count" --size 320 --force --quiet
}
draw biped_apose 5
draw knight 5
draw quadruped 3
draw robot 4
draw dancer 4
mv docs/images/biped_apose.png docs/images/demo.png
"$bin/skincells" lod "$work/biped_apose.glb" -o "$work/lod.glb" --levels 1,0.5,0.25,0.1 --influences 4,4,2,1 --quiet
for level in 0 1 2 3; do
  file=$work/lod_lod$level.glb
  [ "$level" != 0 ] || file=$work/lod.glb
  "$bin/skincells" render "$file" -o "docs/images/lod$level.png" --poses clip --count 3 --views three-quarter \
    --columns 3 --size 200 --force --quiet
done
"$bin/skincells" render "$work/biped_apose_skinned.glb" -o docs/images/weights.png --poses worst --count 2 \
  --views three-quarter,back --columns 4 --size 260 --color joints --force --quiet
# Blender's automatic weights beside ours. Its exporter splits vertices, so its weights are carried back to the mesh.
if command -v blender >/dev/null; then
  blender -b -P tools/blender_weights.py -- "$work/biped_apose_reference.glb" "$work/blender.glb" >/dev/null 2>&1
  "$bin/skincells" transfer "$work/blender.glb" "$work/biped_apose_reference.glb" -o "$work/blender_skin.glb" --quiet
  "$bin/skincells" render "$work/blender_skin.glb" "$work/biped_apose_skinned.glb" -o docs/images/blender_beside.png \
    --labels "Blender 3.4,skincells" --poses test --views three-quarter --size 240 --columns 8 --color stretch --force \
    --quiet
fi
"$bin/skincells" bind "$work/biped_apose.glb" -o "$work/viewed.glb" --view "$work/viewer.html" --quiet
node tools/viewer_picture.mjs "$work/viewer.html" docs/images/viewer.png docs/images/cells.png
