// Where an output goes, and which file on disk a path names.
#pragma once

#include <compare>
#include <string>

#include <sys/types.h>

#include "skincells/result.h"

namespace skincells::io {

// A file on disk, whatever its name. One that does not exist is known by the nearest folder that does, and the rest of
// its path.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  std::string rest;
  auto operator<=>(const FileIdentity&) const = default;
};
// Symbolic links are followed, also when they point to nothing.
FileIdentity identityOf(const std::string& path);

struct OutputPlace {
  enum class Kind {
    File,       // a regular file, or nothing yet
    Stream,     // a pipe or a character device, to be opened
    Descriptor, // open in this process
  };
  Kind kind = Kind::File;
  std::string path; // File: absolute, without symbolic links
  int descriptor = -1;
  bool exists = false;    // File
  bool is_shared = false; // a character device: several outputs may go there
  mode_t permissions = 0; // of the existing file, without set-user-id and the like
  uid_t owner = 0;
  gid_t group = 0;
};

// Follows symbolic links to the place of an output. Fails for folders, block devices and sockets, and for links that
// another user made in a folder which everybody can write to.
Result<OutputPlace> findPlace(const std::string& path);

} // namespace skincells::io
