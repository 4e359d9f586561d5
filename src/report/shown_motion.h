// How far joints turn in the random poses that are shown and measured.
#pragma once

#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/character.h"
#include "skincells/options.h"

namespace skincells::report {

// Ranges by the source that `rom` names (BindOptions::rom), but "auto" is what suits looking at a finished skin: by the
// parts of a body that names tell, else as far as the clips turn a joint, else one cone.
Result<std::vector<JointMotion>> shownMotions(const Character& character, const std::string& rom);

// The option that names the source.
template <class T> Option<T> shownRomOption(std::string T::*field) {
  return options::text("rom", field, "auto | clips | humanoid | generic | FILE",
                       "how far joints turn in random poses; auto: by the part of the body that a name or a VRM file "
                       "tells, else as far as the file's clips turn them, else one cone; FILE: a range file "
                       "(docs/formats.md)");
}

// Of a bind: the ranges that it used; where it used none, those of "auto".
std::vector<JointMotion> shownMotions(const Character& character, const BindReport& report);

// The first `count` poses of a seed within the ranges; one motion per joint.
std::vector<Pose> posesWithin(const Skeleton& skeleton, const std::vector<JointMotion>& motions, int count,
                              std::uint64_t seed);

// "12 joints by human anatomy, 3 as the clips turn them, 5 by the same angle every way"
std::string describe(const std::vector<JointMotion>& motions);

} // namespace skincells::report
