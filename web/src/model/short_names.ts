// Names without what all of them begin with ("mixamorig:", "Bip01 ", "CharacterArmature_").

const kSeparators = ":|_.- ";

// The common beginning ends at a separator. A name that is nothing else does not count, and stays as it is.
export function withoutCommonPrefix(names: readonly string[]): string[] {
  const prefix = commonPrefix(names);
  return names.map((n) => (n.length > prefix.length ? n.slice(prefix.length) : n));
}

function commonPrefix(names: readonly string[]): string {
  const longest = names.reduce((a, b) => (b.length > a.length ? b : a), "");
  for (let end = longest.length - 1; end > 0; --end) {
    if (!kSeparators.includes(longest[end - 1])) continue;
    const prefix = longest.slice(0, end);
    const isTop = (n: string) => prefix.startsWith(n); // a root that is called like the prefix
    const sharing = names.filter((n) => n.length > end && n.startsWith(prefix)).length;
    if (sharing > 1 && names.every((n) => n.startsWith(prefix) || isTop(n))) return prefix;
  }
  return "";
}
