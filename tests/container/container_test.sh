#!/usr/bin/env bash
# Builds the image of tools/Containerfile and runs a batch in it, as the user of the image. No registry is needed: the
# base image is a Debian made by debootstrap. Needs root, buildah, debootstrap, mirrors of Debian and npm; keeps the
# base, and the layers that do not change, for the next time.
#   tests/container/container_test.sh PROGRAM EXAMPLES_PROGRAM FOLDER [INSTALLED]
# INSTALLED: a folder that `cmake --install --prefix` made on Debian 12. It takes the place of the build stage, which
# compiles everything without a compiler cache.
set -euo pipefail
program=$(realpath "$1") examples=$(realpath "$2") folder=$(realpath -m "$3") installed=${4:-}
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
# Neither overlays nor name spaces: it works inside a container, too.
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs CONTAINERS_STORAGE_CONF=$folder/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$folder" "$folder" >"$folder/storage.conf"

# The base image, under the names that the Containerfile uses.
if ! buildah inspect --type image docker.io/library/debian:12 >/dev/null 2>&1; then
  rm -rf "$folder/debian"
  debootstrap --variant=minbase bookworm "$folder/debian" >"$folder/debootstrap.log"
  rm -rf "$folder"/debian/var/cache/apt/archives/*.deb "$folder"/debian/var/lib/apt/lists/*
  base=$(buildah from scratch)
  buildah add --quiet "$base" "$folder/debian" / >/dev/null
  buildah config --cmd bash "$base"
  buildah commit --quiet --rm "$base" docker.io/library/debian:12 >/dev/null
  buildah tag docker.io/library/debian:12 docker.io/library/debian:12-slim
  rm -rf "$folder/debian"
fi

certificates=()
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || certificates=(
  --volume "$NODE_EXTRA_CA_CERTS:/etc/npm-ca.crt:ro" --build-arg NODE_EXTRA_CA_CERTS=/etc/npm-ca.crt)
stages=()
if [ -n "$installed" ]; then
  rm -rf "$folder/installed"
  mkdir -p "$folder/installed/usr"
  cp -r "$installed" "$folder/installed/usr/local"
  stages=(--build-context "build=$folder/installed")
fi
buildah bud --pull-never --layers "${certificates[@]}" "${stages[@]}" \
  -f "$source/tools/Containerfile" -t skincells "$source" >"$folder/build.log" 2>&1 ||
  { tail -n 30 "$folder/build.log"; exit 1; }

container=$(buildah from --pull-never skincells)
trap 'buildah rm "$container" >/dev/null' EXIT
fail() { echo "container: $*" >&2; exit 1; }
inside() { buildah run --volume "$folder/data:/data" "$container" -- "$@"; }

rm -rf "$folder/data"
mkdir "$folder/data"
"$examples" "$folder/data/in" --only quadruped >/dev/null
"$program" batch "$folder/data/in" -o "$folder/data/here" --quiet -- bind --quality draft
chown -R 1000:1000 "$folder/data"

[ "$(inside id -u)" = 1000 ] || fail "it does not run as the user of the image"
for tool in g++ cc cmake ninja node npm python3; do
  ! inside sh -c "command -v $tool" >/dev/null || fail "it has $tool inside"
done
[ "$(buildah inspect --format '{{.OCIv1.Config.Entrypoint}}' "$container")" = "[skincells]" ] || fail "no entry point"
inside skincells batch /data/in -o /data/out --quiet -- bind --quality draft
cmp "$folder/data/here/items/quadruped/quadruped.glb" "$folder/data/out/items/quadruped/quadruped.glb"
[ -s "$folder/data/out/index.html" ] || fail "no page"
# The import program for foreign formats is inside, too: this is its error, not that it is missing.
printf 'no character' >"$folder/data/bad.fbx"
inside sh -c 'skincells inspect /data/bad.fbx 2>&1 || true' | grep -q "bad.fbx" || fail "FBX is not read"
size=$(($(du -sm --apparent-size "$(buildah mount "$container")" | cut -f1)))
echo "container: the image works, $size MB, user $(inside id -un)"
