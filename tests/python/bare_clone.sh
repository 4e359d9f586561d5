#!/usr/bin/env bash
# Installs the package from a clone into a bare Debian with the commands of docs/python.md, and runs its tests there.
# Needs root, debootstrap and a mirror of Debian; keeps the system for the next time.
#   tests/python/bare_clone.sh CHARACTER FOLDER
set -euo pipefail
character=$(realpath "$1") folder=$(realpath -m "$2")
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/support/bare_debian.sh"

commands=$(sed -n '/^## Install/,/^## /{/^```/,/^```/{/^```/d;p}}' "$source/docs/python.md")
case $commands in *"pip install"*) ;; *) echo "docs/python.md does not say how to install" >&2; exit 1 ;; esac

bare_debian "$folder" bookworm
git -C "$source" archive HEAD | tar -x -C "$root/skincells"
cp "$character" "$root/skincells/character.glb"
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/90assume-yes"
inside sh -c 'cd /skincells && sudo() { "$@"; } && export DEBIAN_FRONTEND=noninteractive && set -ex && apt-get update -q && eval "$1"' \
  sh "$commands"
for test in "python_test.py character.glb" "doctests.py character.glb docs/python.md"; do
  inside sh -c "cd /skincells && env/bin/python tests/python/$test"
done
echo "the package installs from a clone in a bare Debian $(cat "$root/etc/debian_version"), and its tests pass"
