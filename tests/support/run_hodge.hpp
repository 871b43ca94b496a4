// Runs the real program, as a user would, and takes down what it says.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
  double cpu_seconds = 0;  // of its own code; wall time depends on what else the machine does
};

// In the child: nothing that allocates may stand here.
[[noreturn]] inline void become_hodge(char* const* argv, const char* directory, const char* out,
                                      const char* err) {
  const int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out_fd < 0 || err_fd < 0 || chdir(directory) != 0) _exit(126);
  // Under nohup, or in the background of a script, the tests were started with these ignored.
  for (const int signal_number : {SIGHUP, SIGINT}) ::signal(signal_number, SIG_DFL);
  dup2(out_fd, STDOUT_FILENO);
  dup2(err_fd, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(127);
}

// `hodge` with these arguments, started in `directory` by a launcher where one is given (mpirun -n
// 2); it goes on while this lives.
class RunningHodge {
 public:
  RunningHodge(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
               const std::vector<std::string>& launcher = {})
      : out_(captured_.path() / "out"), err_(captured_.path() / "err") {
    std::vector<std::string> words = launcher;
    words.push_back(tests::program_path().string());
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ == 0) become_hodge(argv.data(), directory.c_str(), out_.c_str(), err_.c_str());
  }
  ~RunningHodge() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  RunningHodge(const RunningHodge&) = delete;
  RunningHodge& operator=(const RunningHodge&) = delete;

  void send(int signal_number) const { ::kill(child_, signal_number); }

  ProgramResult wait() {
    int status = 0;
    rusage used{};
    ::wait4(child_, &status, 0, &used);
    child_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const auto seconds = static_cast<double>(used.ru_utime.tv_sec);
    return {code, read_text(out_), read_text(err_),
            seconds + 1e-6 * static_cast<double>(used.ru_utime.tv_usec)};
  }

 private:
  TemporaryDirectory captured_;
  std::string out_, err_;
  pid_t child_ = -1;
};

inline ProgramResult run_hodge(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory,
                               const std::vector<std::string>& launcher = {}) {
  return RunningHodge(arguments, directory, launcher).wait();
}

// The step of the newest checkpoint in the directory of a run, NAME_00000012.h5; -1 without one.
inline long newest_checkpoint(const std::filesystem::path& run) {
  long newest = -1;
  for (const auto& entry : std::filesystem::directory_iterator(run / "checkpoints")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".h5" && !name.starts_with('.'))
      newest = std::max(newest, std::stol(name.substr(name.rfind('_') + 1)));
  }
  return newest;
}

// `try_once` sends a signal to a run, and returns whether that came before the run had ended: on
// some machine it does not. False where it never came in time.
template <class TryOnce>
bool in_time(TryOnce try_once) {
  for (int tries = 0; tries < 20; ++tries)
    if (try_once()) return true;
  return false;
}

}  // namespace hodge::test
