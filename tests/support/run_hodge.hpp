// Runs the real program, as a user would, and takes down what it says.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + n where a signal n ended it
  std::string out, err;
};

// In the child: nothing that allocates may stand here.
[[noreturn]] inline void become_hodge(char* const* argv, const char* directory, const char* out,
                                      const char* err) {
  const int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out_fd < 0 || err_fd < 0 || chdir(directory) != 0) _exit(126);
  dup2(out_fd, STDOUT_FILENO);
  dup2(err_fd, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(127);
}

// `hodge` with these arguments, started in `directory`.
inline ProgramResult run_hodge(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory) {
  const TemporaryDirectory captured;
  const std::string out = captured.path() / "out", err = captured.path() / "err";
  std::vector<std::string> words{tests::program_path().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become_hodge(argv.data(), directory.c_str(), out.c_str(), err.c_str());
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_text(out), read_text(err)};
}

}  // namespace hodge::test
