#include "skincells/result.h"

namespace skincells {

std::string_view errorName(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidOption:
    return "invalid_option";
  case ErrorCode::FileNotFound:
    return "file_not_found";
  case ErrorCode::UnsafeReference:
    return "unsafe_reference";
  case ErrorCode::InvalidFile:
    return "invalid_file";
  case ErrorCode::TooLarge:
    return "too_large";
  case ErrorCode::UnsupportedFeature:
    return "unsupported_feature";
  case ErrorCode::NoMesh:
    return "no_mesh";
  case ErrorCode::NoSkeleton:
    return "no_skeleton";
  case ErrorCode::AmbiguousSkeleton:
    return "ambiguous_skeleton";
  case ErrorCode::NoJoints:
    return "no_joints";
  case ErrorCode::Mismatch:
    return "mismatch";
  case ErrorCode::ImportFailed:
    return "import_failed";
  case ErrorCode::CannotWrite:
    return "cannot_write";
  case ErrorCode::Cancelled:
    return "cancelled";
  }
  return "unknown";
}

} // namespace skincells
