#include "studies/torture.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace skincells::studies {

std::string Torture::name() const {
  std::string text;
  for (const std::string& part : {first == nullptr ? "" : first->name, second == nullptr ? "" : second->name,
                                  damage == nullptr ? "" : damage->name})
    if (!part.empty()) text += (text.empty() ? "" : "--") + part;
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return text;
}

bool Torture::keepsAnswer() const {
  const auto isDirt = [](const Dirt* d) {
    return d == nullptr || std::ranges::any_of(dirts(), [&](const Dirt& known) { return &known == d; });
  };
  return damage == nullptr && isDirt(first) && isDirt(second);
}

std::vector<Torture> singleTortures() {
  std::vector<Torture> all;
  for (const auto* list : {&dirts(), &wounds()})
    for (const Dirt& d : *list) all.push_back({&d});
  for (const FileDamage& damage : fileDamages()) all.push_back({nullptr, nullptr, &damage});
  return all;
}

std::vector<Torture> combinedTortures() {
  std::vector<Torture> all;
  for (const Dirt& dirt : dirts()) {
    for (const Dirt& wound : wounds()) all.push_back({&dirt, &wound});
    for (const FileDamage& damage : fileDamages()) all.push_back({&dirt, nullptr, &damage});
  }
  return all;
}

TorturedFile tortured(Character character, const Torture& torture) {
  TorturedFile out;
  out.same.resize(character.mesh.positions.size());
  std::iota(out.same.begin(), out.same.end(), 0U);
  for (const Dirt* d : {torture.first, torture.second}) {
    if (d == nullptr) continue;
    const std::vector<std::uint32_t> then = d->apply(character);
    if (torture.keepsAnswer())
      for (std::uint32_t& v : out.same) v = then[v];
  }
  Scene scene = sceneOf(character);
  if (torture.damage != nullptr && torture.damage->to_scene != nullptr) torture.damage->to_scene(scene);
  out.glb = sceneToGlb(scene);
  if (torture.damage != nullptr && torture.damage->to_bytes != nullptr) torture.damage->to_bytes(out.glb);
  return out;
}

} // namespace skincells::studies
