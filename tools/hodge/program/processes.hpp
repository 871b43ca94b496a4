// The program as one of several processes that a launcher has started (mpirun -n 4 hodge ...).
//
// Process 0 talks. The others say nothing, unless one of them fails where process 0 does not: then
// its errors are printed, each line behind `rank N:`. All end with the same exit code.
#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <streambuf>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/launched.hpp"

namespace hodge::tools {

class NoOutput : public std::streambuf {
  int overflow(int character) override { return traits_type::not_eof(character); }
  std::streamsize xsputn(const char*, std::streamsize length) override { return length; }
};

// Keeps what a process other than the first one prints from the terminal, while this lives.
class OnlyFirstTalks {
 public:
  explicit OnlyFirstTalks(int rank);
  ~OnlyFirstTalks();
  OnlyFirstTalks(const OnlyFirstTalks&) = delete;
  OnlyFirstTalks& operator=(const OnlyFirstTalks&) = delete;

  // Prints the errors so far.
  void tell_errors();

 private:
  int rank_;
  NoOutput out_;
  std::stringbuf err_;
  std::streambuf *out_before_ = nullptr, *err_before_ = nullptr;
};

// Starts MPI, runs the action in all processes and ends them together. An action that fails in one
// process while others wait for it ends them too, after some seconds. Returns the exit code.
int in_all_processes(const linalg::Launch& launch, OnlyFirstTalks& voice,
                     const std::function<int()>& action);

// Collective: process 0 alone runs the action, and its error ends all of them.
void in_first_process(linalg::Communicator& all, const std::function<void()>& action);

}  // namespace hodge::tools
