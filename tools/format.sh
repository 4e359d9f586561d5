#!/usr/bin/env bash
# Formats every C++ file with the project's .clang-format; --check changes nothing and fails when one would change.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run --Werror)
for folder in include src cli importer examples tests bench fuzz; do
  if [ -d "$folder" ]; then find "$folder" \( -name '*.h' -o -name '*.h.in' -o -name '*.cpp' \) -print0; fi
done | xargs -0 -r clang-format --style=file "${mode[@]}"
