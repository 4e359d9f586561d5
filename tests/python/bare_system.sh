#!/usr/bin/env bash
# Installs the wheel into a Debian that has nothing but Python and NumPy, and runs the tests of the package there, as a
# user without rights. Needs root, debootstrap and a mirror of Debian; keeps the system for the next time.
#   tests/python/bare_system.sh WHEEL CHARACTER FOLDER
set -euo pipefail
wheel=$(realpath "$1") character=$(realpath "$2") folder=$(realpath -m "$3")
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/support/bare_debian.sh"

bare_debian "$folder" bookworm python3,python3-numpy,python3-pip
cp "$wheel" "$character" "$source"/tests/python/{python_test,doctests}.py "$source/docs/python.md" "$root/skincells"
inside sh -c 'python3 -m pip install --quiet --no-index --no-deps --break-system-packages --force-reinstall \
  --root-user-action=ignore /skincells/*.whl'
as_nobody python3 /skincells/python_test.py "/skincells/$(basename "$character")"
as_nobody python3 /skincells/doctests.py "/skincells/$(basename "$character")" /skincells/python.md
echo "$(basename "$wheel"): the tests pass in a bare Debian $(cat "$root/etc/debian_version")"
