# For tests in a Debian that has nothing but what they name; to be sourced by bash. Needs root, debootstrap and a mirror
# of Debian.

# bare_debian FOLDER RELEASE [PACKAGE,...]: makes the system in FOLDER/debian, once; with /proc and a few devices until
# the caller exits. Sets root.
bare_debian() {
  root=$1/debian
  if [ ! -e "$1/complete" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase ${3:+--include="$3"} "$2" "$root" >"$1/debootstrap.log"
    touch "$1/complete"
  fi
  trap 'umount -q "$root/proc" "$root/dev" || true' EXIT
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  mountpoint -q "$root/dev" || mount -t tmpfs -o size=64M,mode=755 tmpfs "$root/dev"
  local device
  for device in "null 3" "urandom 9"; do
    [ -e "$root/dev/${device% *}" ] || mknod -m 666 "$root/dev/${device% *}" c 1 "${device#* }"
  done
  mkdir -p -m 1777 "$root/dev/shm"
  rm -rf "$root/skincells"
  mkdir -m 1777 "$root/skincells"
}

# inside COMMAND...: as root, in an empty environment.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 "$@"; }
# as_nobody COMMAND...: as a user without rights.
as_nobody() { inside setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
