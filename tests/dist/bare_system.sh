#!/usr/bin/env bash
# Unpacks a release archive in a Debian that has nothing but its base, and runs the program there as a user without
# rights: a bind, a check, pictures, pages, and a mesh through the importer. Needs root, debootstrap and a mirror of
# Debian; keeps the system for the next time.
#   tests/dist/bare_system.sh ARCHIVE CHARACTER FOLDER
set -euo pipefail
archive=$(realpath "$1") character=$(realpath "$2") folder=$(realpath -m "$3")
. "$(dirname "$0")/../support/bare_debian.sh"

bare_debian "$folder" bookworm
tar -xzf "$archive" -C "$root/skincells" --strip-components=1
cp "$character" "$root/skincells/character.glb"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$root/skincells/mesh.obj"

for file in bin/skincells libexec/skincells/skincells-import share/man/man1/skincells.1 share/doc/skincells/LICENSE \
  share/bash-completion/completions/skincells share/zsh/site-functions/_skincells \
  share/fish/vendor_completions.d/skincells.fish; do
  [ -s "$root/skincells/$file" ] || { echo "$file is missing" >&2; exit 1; }
done
for library in "$root"/skincells/lib/skincells/*; do
  [ -e "$library" ] || { echo "there are no libraries" >&2; exit 1; }
done

run() { as_nobody env PATH=/skincells/bin:/usr/bin:/bin sh -ec "cd /skincells; $1"; }
run 'skincells bind character.glb -o bound.glb --report-page report.html --view viewer.html --quiet'
run 'skincells check bound.glb --quiet && skincells render bound.glb -o sheet.png --size 128 --quiet'
run 'skincells inspect mesh.obj' | grep -q '3 vertices' # read by the importer
for file in bound.glb report.html viewer.html sheet.png; do [ -s "$root/skincells/$file" ]; done
echo "$(basename "$archive"): binds, checks, draws and imports in a bare Debian $(cat "$root/etc/debian_version")"
