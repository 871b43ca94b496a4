// Makes the system refuse to write, the way a full disk or a folder of somebody else does.
#pragma once

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <stdexcept>

namespace hodge::test {

// While it lives no file can grow beyond `bytes`: write(2) then fails with EFBIG, as it fails with
// ENOSPC on a full disk. The system checks this limit for every user, root too, and no mount is
// needed.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    if (::setrlimit(RLIMIT_FSIZE, &limited) != 0) throw std::runtime_error("no file size limit");
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// While it lives root counts as an ordinary user, whom permissions bind; others stay who they are.
// Both the real and the effective user change: a program that is started with two different ones
// may not be looked into, which LeakSanitizer does. The saved one is the way back.
class OrdinaryUser {
 public:
  OrdinaryUser() : root_(::geteuid() == 0) {
    constexpr uid_t nobody = 65534;
    if (root_ && ::setresuid(nobody, nobody, 0) != 0)
      throw std::runtime_error("cannot change the user");
  }
  ~OrdinaryUser() {
    if (root_ && ::setresuid(0, 0, 0) != 0) ::_exit(1);
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool root_;
};

}  // namespace hodge::test
