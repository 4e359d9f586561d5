#!/usr/bin/env bash
# Formats C++ files with clang-format (.clang-format) and the viewer, its tests and other scripts with prettier
# (.prettierrc.json). --check changes nothing and fails if a file is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
web_mode=--write
if [ "${1:-}" = --check ]; then
  mode=(--dry-run --Werror)
  web_mode=--check
fi
for folder in include src cli importer examples prior studies tests bench fuzz; do
  if [ -d "$folder" ]; then find "$folder" \( -name '*.h' -o -name '*.h.in' -o -name '*.c' -o -name '*.cpp' \) -print0; fi
done | xargs -0 -r clang-format --style=file "${mode[@]}"

prettier=web/node_modules/prettier/bin/prettier.cjs
if [ -f "$prettier" ]; then
  node "$prettier" --log-level warn "$web_mode" \
    'web/*.{mjs,ts}' 'web/src/**/*.{css,ts}' 'tests/web/**/*.mjs' 'tools/**/*.mjs' '!**/node_modules/**'
elif [ -n "${CI:-}" ]; then
  echo "format: prettier is not installed; run tools/setup.sh" >&2
  exit 1
else
  echo "format: prettier is not installed (tools/setup.sh); web files were left out" >&2
fi
