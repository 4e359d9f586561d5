// The temporary files and folders of this process, known in one place so that a signal handler can remove them.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace skincells::io {

// While a section is open, no signal is handled by this thread, and removeTemporaries waits. Everything that creates,
// renames or removes temporaries happens in one, so that a handler sees all of them or none. Sections must be short
// and must not be nested.
class TemporarySection {
public:
  TemporarySection();
  ~TemporarySection();
  TemporarySection(const TemporarySection&) = delete;
  TemporarySection& operator=(const TemporarySection&) = delete;

  // False after removeTemporaries: the process is ending, nothing may be created any more.
  explicit operator bool() const { return open_; }

  // Paths are absolute. Register before creating, forget after removing or renaming.
  static void add(std::string path);
  static void addFolder(std::string path);
  static void forget(const std::string& path);

private:
  sigset_t mask_{};
  bool open_ = false;
};

// 16 hexadecimal digits that nobody can predict.
std::string unpredictableName();
// Of an output that is not complete yet, in the folder of the output.
std::string temporaryFileName();
bool isTemporaryFileName(std::string_view name);

} // namespace skincells::io
