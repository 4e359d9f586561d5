// How far each joint rotates in random poses, and where that range comes from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skincells/options.h"
#include "skincells/result.h"
#include "skincells/rig.h"

namespace skincells::rig {

// The sources of ranges of motion, as the option --rom names them:
//   generic   the same cone for every joint
//   humanoid  by body part, inferred from joint names or a VRM file; generic for all other joints
//   clips     as far as the clips turn a joint; humanoid for joints that the clips do not turn
//   auto      humanoid, then clips for the joints without a body part, then generic
//   FILE      a range file (docs/motion.md) over generic ranges
// True for everything but a file.
bool isNamedSource(const std::string& rom);

// One range per joint. clip_poses: poses of the character's clips, may be empty. Fails only for an unusable range file.
Result<std::vector<JointMotion>> jointMotions(const Skeleton& skeleton, std::span<const Pose> clip_poses,
                                              const std::string& rom);

// The option that names the source.
template <class T> Option<T> romOption(std::string T::*field) {
  return options::text("rom", field, "auto | generic | humanoid | clips | FILE",
                       "how far joints turn in random poses; generic: one cone for all joints; humanoid: by body part, "
                       "inferred from joint names or a VRM file; clips: as far as the file's clips turn them; auto: "
                       "humanoid, then clips, then generic; FILE: a range file");
}

// The same for skins that were bound already.
template <class T> Option<T> boundRomOption(std::string T::*field) {
  return options::text("rom", field, "bound | auto | generic | humanoid | clips | FILE",
                       "how far joints turn in random poses; bound: as in the bind if that is known, else auto; auto, "
                       "generic, humanoid, clips, FILE: as for bind");
}

// The first `count` poses of a seed within the ranges; one motion per joint. Detached joints follow their limbs
// (followers.h).
std::vector<Pose> posesWithin(const Skeleton& skeleton, const std::vector<JointMotion>& motions, int count,
                              std::uint64_t seed);

// "12 joints by human anatomy, 3 as the clips turn them, 5 by the generic cone"
std::string describe(const std::vector<JointMotion>& motions);

} // namespace skincells::rig
