// Takes rights away from this process before it reads a file of strangers.
#pragma once

#include <string>

namespace skincells::importer {

// From now on, as far as the kernel can do it, this process and its threads cannot open files for writing, remove or
// rename files, start programs, open sockets, or look into other processes (seccomp, Linux on x86-64 and AArch64), and
// cannot open files outside `folder` (Landlock, Linux 5.13). Open files stay open. Returns what is in force: "",
// "seccomp", "landlock" or "seccomp, landlock". Builds with sanitizers keep their rights.
std::string giveUpRights(const std::string& folder);

} // namespace skincells::importer
