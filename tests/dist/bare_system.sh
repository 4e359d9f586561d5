#!/usr/bin/env bash
# Unpacks a release archive in a Debian that has nothing but its base, and runs the program there as a user without
# rights: a bind, a check, pictures, pages, and a mesh through the importer. Needs root, debootstrap and a mirror of
# Debian; keeps the system for the next time.
#   tests/dist/bare_system.sh ARCHIVE CHARACTER FOLDER
set -euo pipefail
archive=$(realpath "$1") character=$(realpath "$2") folder=$(realpath -m "$3")
root=$folder/debian

if [ ! -e "$folder/complete" ]; then
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase bookworm "$root" >"$folder/debootstrap.log"
  touch "$folder/complete"
fi
rm -rf "$root/skincells"
mkdir -m 1777 "$root/skincells"
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

mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" # the loader asks it where the program is
trap 'umount "$root/proc"' EXIT

inside() {
  chroot "$root" setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH=/skincells/bin:/usr/bin:/bin HOME=/tmp \
    LANG=C.UTF-8 sh -ec "cd /skincells; $1"
}
inside 'skincells bind character.glb -o bound.glb --report-page report.html --view viewer.html --quiet'
inside 'skincells check bound.glb --quiet && skincells render bound.glb -o sheet.png --size 128 --quiet'
inside 'skincells inspect mesh.obj' | grep -q '3 vertices' # read by the importer
for file in bound.glb report.html viewer.html sheet.png; do [ -s "$root/skincells/$file" ]; done
echo "$(basename "$archive"): binds, checks, draws and imports in a bare Debian $(cat "$root/etc/debian_version")"
