// Characters with a skin to compare with, and how far other skins are from it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bind/bind_on.h"
#include "rig/bones.h"
#include "skincells/character.h"
#include "skincells/metrics.h"
#include "studies/methods.h"
#include "studies/page/section.h"

namespace skincells::studies {

// The joints that deform are those that carry weight in the reference.
struct Case {
  std::string name;
  Character character;     // with its weights, which tell the joints
  SparseWeights reference; // the generator's or the artist's; empty: none is known
  std::vector<Pose> poses; // random
  std::vector<Pose> clips; // of the file, for shared characters; empty: it has none
};

// A character file; poses: how many.
Result<Case> readCase(const std::string& path, int poses = 20);
// The generated characters with a reference: two humans and a robot of rigid plates; one of them in the quick form.
Result<std::vector<Case>> generatedCases(const Context& context);
// A character of the shared folder, and the poses that it is compared in.
struct SharedFile {
  std::string path, poses;
};
// The shared characters with a pose file, by name; none without the folder.
std::vector<SharedFile> sharedFiles(const Context& context);
Result<Case> readShared(const SharedFile& file);

// The rms distance from the reference in random poses, in % of the diagonal.
double errorOf(const Case& c, const SparseWeights& weights);
// The same in clips; not a number if there are none.
double clipErrorOf(const Case& c, const SparseWeights& weights);
double distanceOf(const Case& c, const SparseWeights& a, const SparseWeights& b);
ShapeStatistics shapeOf(const Case& c, const SparseWeights& weights);

double median(std::vector<double> values);
double geometricMean(const std::vector<double>& values);

// The joints that deform in comparisons: "weighted" if there is a reference, else "auto".
std::string jointsOf(const Case& c);
Result<rig::DeformRig> rigOf(const Case& c);

// Seconds of wall time that the work takes.
template <class Work> double secondsOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace skincells::studies
