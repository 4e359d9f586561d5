#!/usr/bin/env bash
# Installs what building and testing need and this machine lacks: Debian packages, then npm packages (glTF validator,
# viewer).
# When all is there it does nothing: no network, no root, well under a second.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tools: "package:command". A command on PATH will do, wherever it came from.
tools=(
  cmake:cmake ninja-build:ninja ccache:ccache g++:g++ clang:clang++ clang-format:clang-format
  clang-tidy:clang-tidy pkg-config:pkg-config python3:python3 git:git valgrind:valgrind
  zsh:zsh fish:fish
  glslang-tools:glslangValidator nodejs:node npm:npm chromium:chromium mypy:mypy
)
# Libraries and headers: only the package itself will do.
libraries=(
  libclang-rt-14-dev libtbb-dev nlohmann-json3-dev libdraco-dev libmeshoptimizer-dev libpng-dev
  libjpeg62-turbo-dev libfreetype-dev fonts-dejavu-core
  libembree-dev libassimp-dev libcli11-dev libgtest-dev libgmock-dev libbenchmark-dev libeigen3-dev libhwy-dev
  python3-numpy python3-scipy python3-pip python3-setuptools python3-wheel
)

# Training the prior needs more (setup.sh prior): everyone else has the table.
[ "${1:-}" != prior ] || libraries+=(python3-torch python3-numpy libopenblas0-pthread)
# One study compares with bounded biharmonic weights (setup.sh studies): tetgen is run as a program, never linked.
[ "${1:-}" != studies ] || tools+=(tetgen:tetgen)
# Tests in Blender need it (setup.sh blender): 400 MB that nobody else needs.
[ "${1:-}" != blender ] || tools+=(blender:blender xvfb:Xvfb)

# A bare Debian to install the wheel into, or a later one with a later Blender (setup.sh debian); one as the base of the
# image, too (setup.sh container).
[ "${1:-}" != debian ] || tools+=(debootstrap:debootstrap)
[ "${1:-}" != container ] || tools+=(debootstrap:debootstrap buildah:buildah)
# So does a Slurm cluster for tests (setup.sh slurm).
[ "${1:-}" != slurm ] || libraries+=(slurmctld slurmd slurm-client munge)

say() { echo "setup: $*" >&2; }

missing_tools() {
  local entry
  for entry in "${tools[@]}"; do
    command -v "${entry#*:}" >/dev/null 2>&1 || echo "${entry%%:*}"
  done
}

missing_libraries() {
  local installed
  # dpkg-query fails if it does not know a name; only what it prints matters here.
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${libraries[@]}" 2>/dev/null |
    awk '$2 == "installed" { print $1 }' || true)
  printf '%s\n' "${libraries[@]}" | grep -vxF -f <(printf '%s\n' "$installed") || true
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_packages() {
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    say "these Debian packages are missing, and this is neither root nor is there a 'sudo' to become it:"
    say "  $*"
    say "ask an administrator to run: apt-get install $*"
    exit 1
  fi
  say "installing $*"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

setup_packages() {
  local missing
  mapfile -t missing < <(missing_tools)
  if command -v dpkg-query >/dev/null 2>&1; then
    mapfile -t -O "${#missing[@]}" missing < <(missing_libraries)
  else
    say "not a Debian system; please see to these libraries yourself (docs/dependencies.md): ${libraries[*]}"
  fi
  [ "${#missing[@]}" -eq 0 ] || install_packages "${missing[@]}"
}

# setup_npm FOLDER WHAT WITHOUT: the npm packages of a folder, in the versions of its lock file (npm ci would also ask
# for the optional packages of other platforms, which not every registry has). The stamp is a copy of the lock file that
# was installed.
setup_npm() {
  local folder=$1 what=$2 without=$3
  local stamp=$folder/node_modules/.installed-lock.json
  cmp -s "$folder/package-lock.json" "$stamp" && return
  say "installing $what"
  if (cd "$folder" && npm install --no-save --silent --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=2000); then
    cp "$folder/package-lock.json" "$stamp"
  else
    say "could not fetch the npm packages of $folder; $without"
  fi
}

setup_packages
setup_npm tools/validator "the glTF validator" "building works, tests that need it will be skipped"
setup_npm web "three.js and the tools that build the viewer" "build without the viewer: cmake -DSKINCELLS_BUILD_VIEWER=OFF"
