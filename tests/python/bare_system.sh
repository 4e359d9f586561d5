#!/usr/bin/env bash
# Installs the wheel into a Debian that has nothing but Python and NumPy, and runs the tests of the package there, as a
# user without rights. Needs root, debootstrap and a mirror of Debian; keeps the system for the next time.
#   tests/python/bare_system.sh WHEEL CHARACTER FOLDER
set -euo pipefail
wheel=$(realpath "$1") character=$(realpath "$2") folder=$(realpath -m "$3")
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$folder/debian

if [ ! -e "$folder/complete" ]; then
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include=python3,python3-numpy,python3-pip bookworm "$root" >"$folder/debootstrap.log"
  touch "$folder/complete"
fi
rm -rf "$root/skincells"
mkdir "$root/skincells"
cp "$wheel" "$character" "$source"/tests/python/{python_test,doctests}.py "$source/docs/python.md" "$root/skincells"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount -t tmpfs -o size=64M,mode=755 tmpfs "$root/dev"
trap 'umount "$root/proc" "$root/dev"' EXIT
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9
mkdir -m 1777 "$root/dev/shm"

inside() { chroot "$root" env -i PATH=/usr/bin:/bin HOME=/tmp LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 "$@"; }
inside sh -c 'python3 -m pip install --quiet --no-index --no-deps --break-system-packages --force-reinstall \
  --root-user-action=ignore /skincells/*.whl'
as_nobody() { inside setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
as_nobody python3 /skincells/python_test.py "/skincells/$(basename "$character")"
as_nobody python3 /skincells/doctests.py "/skincells/$(basename "$character")" /skincells/python.md
echo "$(basename "$wheel"): the tests pass in a bare $(inside cat /etc/debian_version)"
