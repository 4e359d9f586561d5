#include "corpus/binding.h"

#include <map>
#include <stdexcept>
#include <tuple>

namespace fs = std::filesystem;

namespace skincells::test {

fs::path characterNamed(const std::string& name) {
  for (const fs::path& path : sharedCharacters(false))
    if (path.stem() == name || path.parent_path().filename() == name) return path;
  return {};
}

CharacterFile open(const fs::path& path) {
  auto file = CharacterFile::read(path.string());
  if (!file) throw std::runtime_error(file.error().text());
  return std::move(*file);
}

const BindResult& bound(const CharacterFile& file, const std::string& joints, BindMethod method) {
  const auto decisions = chooseJoints(file.character(), joints);
  if (!decisions) throw std::runtime_error(decisions.error().text());
  std::vector<bool> deforms;
  for (const JointDecision& d : *decisions) deforms.push_back(d.deforms);

  static std::map<std::tuple<std::string, BindMethod, std::vector<bool>>, BindResult> results;
  const std::tuple key{file.info().path, method, deforms};
  if (const auto known = results.find(key); known != results.end()) return known->second;
  BindOptions options;
  options.method = method;
  options.joints = joints;
  auto result = bind(file.character(), options);
  if (!result) throw std::runtime_error(result.error().text());
  return results.emplace(key, std::move(*result)).first->second;
}

Comparison compared(const std::string& name, const CharacterFile& reference, const SparseWeights& weights,
                    const TemporaryFolder& folder) {
  WriteOptions force;
  force.force = true;
  const fs::path out = folder.path(name + ".glb");
  if (auto r = reference.write(out.string(), weights, force); !r) throw std::runtime_error(r.error().text());
  const CharacterFile candidate = open(out);
  CompareOptions options;
  options.poses = (sharedFolder() / "peers" / "poses" / (name + ".json")).string();
  const auto result = compareSkins(reference, {&candidate}, options);
  if (!result) throw std::runtime_error(result.error().text());
  return result->others[0].result;
}

Comparison compared(const std::string& name, const std::string& joints, BindMethod method,
                    const TemporaryFolder& folder) {
  const CharacterFile reference = open(characterNamed(name));
  return compared(name, reference, bound(reference, joints, method).weights, folder);
}

} // namespace skincells::test
