#include "sandbox.h"

// Sanitizers look into their own process, which is forbidden here.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKINCELLS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SKINCELLS_SANITIZED 1
#endif
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(SKINCELLS_SANITIZED)

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace skincells::importer {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr int kForbidden[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_kill,
    SYS_tgkill,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_truncate,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_mount,
    SYS_io_uring_setup,
    SYS_openat2,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_process_vm_writev,
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
    SYS_unlink,
    SYS_rename,
    SYS_renameat,
    SYS_link,
    SYS_symlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_mknod,
    SYS_creat,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
};

sock_filter statement(std::uint16_t code, std::uint32_t value) {
  return {code, 0, 0, value};
}
sock_filter jump(std::uint16_t code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
  return {code, if_true, if_false, value};
}

constexpr std::uint32_t offsetOfArgument(int index) { // of its low half; both architectures are little-endian
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8U * static_cast<unsigned>(index));
}

// Refuses the call `number` if its flags argument asks for more than reading.
void forbidWriting(long number, int flags_argument, std::vector<sock_filter>& program) {
  constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetOfArgument(flags_argument)));
  program.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, kWriting, 0, 1));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

bool filterCalls() {
  std::vector<sock_filter> program;
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
  constexpr std::uint32_t kX32 = 0x40000000U; // the numbers of a second, rarely used interface
  program.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
  for (int call : kForbidden) {
    program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  forbidWriting(SYS_openat, 2, program);
#if defined(__x86_64__)
  forbidWriting(SYS_open, 1, program);
#endif
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

bool confineFiles(const std::string& folder) {
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1; // all rights of the first version
  const long set = syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0) return false;
  const int fd = static_cast<int>(set);
  landlock_path_beneath_attr below{};
  below.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  below.parent_fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
  const bool done = below.parent_fd >= 0 &&
                    syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0 &&
                    syscall(SYS_landlock_restrict_self, fd, 0) == 0;
  if (below.parent_fd >= 0) close(below.parent_fd);
  close(fd);
  return done;
}

} // namespace

std::string giveUpRights(const std::string& folder) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {};
  const bool files = confineFiles(folder), calls = filterCalls();
  return std::string(calls ? "seccomp" : "") + (calls && files ? ", " : "") + (files ? "landlock" : "");
}

} // namespace skincells::importer

#else

namespace skincells::importer {

std::string giveUpRights(const std::string&) {
  return {};
}

} // namespace skincells::importer

#endif
