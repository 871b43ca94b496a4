#include "tools/hodge/sweep/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "linalg/base/errors.hpp"
#include "linalg/files/read_file.hpp"
#include "tools/hodge/program/environment.hpp"

namespace hodge::tools {
namespace {

constexpr int not_started = 127;  // the code of a child that could not become hodge

std::vector<std::string> environment_with(int threads) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  if (threads > 0 && std::getenv("OMP_NUM_THREADS") == nullptr)
    variables.push_back(fmt::format("OMP_NUM_THREADS={}", threads));
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In the child: only what is safe between fork and exec.
[[noreturn]] void become(char* const* arguments, char* const* environment, int out, int err,
                         pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(not_started);  // it ended before the line above
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execve("/proc/self/exe", arguments, environment);
  _exit(not_started);
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

Child::MemoryFile::MemoryFile() : number_(::memfd_create("hodge", MFD_CLOEXEC)) {
  if (number_ < 0)
    throw IoError(fmt::format("cannot keep what a run prints: {}", std::strerror(errno)));
}

Child::MemoryFile::~MemoryFile() {
  ::close(number_);
}

std::string Child::MemoryFile::text() const {
  return read_file(fmt::format("/proc/self/fd/{}", number_));
}

Child::Child(const std::vector<std::string>& arguments, int threads) {
  std::vector<std::string> words = words_to_start_again("hodge"),
                           variables = environment_with(threads);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> argv = pointers_to(words), environment = pointers_to(variables);
  const int out = out_.number(), err = err_.number();
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) throw IoError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (process_ == 0) become(argv.data(), environment.data(), out, err, parent);
}

void Child::signal(int number) const {
  if (!ended_) kill(process_, number);
}

bool Child::has_ended() {
  if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) == process_;
  return ended_;
}

sim::Json Child::summary() const {
  const sim::Json list = sim::Json::parse(out_.text(), nullptr, /*allow_exceptions=*/false);
  if (list.is_array() && list.size() == 1) return list[0];
  const std::string said = last_line(err_.text());
  const bool killed = WIFSIGNALED(status_);
  const int code = killed ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
  const std::string how = killed ? fmt::format("killed by signal {}", WTERMSIG(status_))
                                 : fmt::format("ended with exit code {}", code);
  return {{"status", "failed"},
          {"exit_code", code},
          {"end", "error"},
          {"message", said.empty() ? how : fmt::format("{}: {}", how, said)}};
}

}  // namespace hodge::tools
