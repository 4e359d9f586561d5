// Feeds arbitrary bytes to the reader, and what it accepts to everything that looks at a file.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/inspect_job.h"
#include "skincells/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto file = skincells::CharacterFile::readGlb(std::span(data, size), "fuzz.glb");
  if (!file) return 0;
  // Small files may describe large characters; reading them is what is tested, not counting their triangles.
  if (file->character().mesh.positions.size() > 20000 || file->character().skeleton.joints.size() > 2000) return 0;
  skincells::documentOf(skincells::CheckOutcome{{}, skincells::checkSkin(*file)});
  for (std::size_t clip = 0; clip < file->clips().size() && clip < 4; ++clip) file->samplePose(clip, 0.5);
  // Writers copy what the reader left alone.
  static_cast<void>(file->encodeGlb());
  const auto& triangles = file->character().mesh.triangles;
  std::vector<std::uint32_t> source(triangles.size() / 2);
  std::iota(source.begin(), source.end(), 0U);
  static_cast<void>(file->reduced(std::span(triangles).first(source.size()), source));
  skincells::documentOf(skincells::InspectOutcome{{}, skincells::inspectCharacter(std::move(*file))});
  return 0;
}
