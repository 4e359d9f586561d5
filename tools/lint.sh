#!/usr/bin/env bash
# clang-tidy over the project's .cpp files: `lint.sh changed` (those that differ from LINT_BASE, default main) or
# `lint.sh all`. Needs the compile commands of the preset "clang".
set -euo pipefail
cd "$(dirname "$0")/.."

folders=(src cli importer examples tests bench)
case "${1:-changed}" in
  all) mapfile -t files < <(git ls-files --cached --others --exclude-standard -- "${folders[@]}" | grep '\.cpp$') ;;
  changed)
    base=$(git merge-base HEAD "${LINT_BASE:-main}" 2>/dev/null || git rev-parse HEAD)
    mapfile -t files < <({
      git diff --name-only --diff-filter=d "$base" -- "${folders[@]}"
      git ls-files --others --exclude-standard -- "${folders[@]}"
    } | grep '\.cpp$' | sort -u)
    ;;
  *) echo "usage: lint.sh [changed|all]" >&2; exit 1 ;;
esac

# Only files that a target builds have compile commands.
known=()
for file in "${files[@]}"; do
  grep -qF "\"file\": \"$PWD/$file\"" build-clang/compile_commands.json && known+=("$file")
done
if [ "${#known[@]}" -eq 0 ]; then
  echo "lint: no file to look at"
  exit 0
fi
printf '%s\n' "${known[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build-clang
echo "lint: ${#known[@]} files are clean"
