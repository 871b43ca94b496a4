// A `hodge run` in a process of its own, with the output of --json.
//
// It has a process group of its own, so that a Ctrl-C in the terminal reaches its parent alone,
// which hands it on. Where the parent is killed it gets SIGTERM and ends in order. What it prints
// is kept in memory, so that no disk has to take it. Errors: IoError where the system has no
// process or no memory left.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sim/base/table.hpp"

namespace hodge::tools {

class Child {
 public:
  // `arguments` of hodge; `threads`: OMP_NUM_THREADS, unless that is set already or 0.
  Child(const std::vector<std::string>& arguments, int threads);

  void signal(int number) const;
  bool has_ended();  // does not wait

  // After its end: the summary of its run, made up where it left none.
  sim::Json summary() const;

 private:
  // A file without a name or a disk.
  class MemoryFile {
   public:
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int number() const { return number_; }
    std::string text() const;

   private:
    int number_;
  };

  MemoryFile out_, err_;
  pid_t process_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace hodge::tools
