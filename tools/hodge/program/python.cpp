#include "tools/hodge/program/python.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>

namespace hodge::tools {
namespace {

std::string shell_word(const std::string& word) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ScriptResult run_in_shell(const std::string& line) {
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return {};
  ScriptResult result;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) {
    result.output.append(part.data(), n);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string search_python(const std::string& imports) {
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    const std::string line =
        fmt::format("{} -c {} > /dev/null 2>&1 < /dev/null", candidate, shell_word(imports));
    if (run_in_shell(line).exit_code == 0) return candidate;
  }
  return "";
}

}  // namespace

std::string find_python(const std::vector<std::string>& modules) {
  static std::map<std::string, std::string> found;
  const std::string imports = fmt::format("import {}", fmt::join(modules, ", "));
  const auto known = found.find(imports);
  if (known != found.end()) return known->second;
  return found[imports] = search_python(imports);
}

std::filesystem::path shared_folder(const std::string& folder, const char* in_sources) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share/hodge" / folder;
  if (!error && std::filesystem::is_directory(installed, error)) return installed;
  return in_sources;
}

std::string script_path(const std::string& name) {
  return (shared_folder("tools", HODGE_SCRIPTS_DIR) / name).string();
}

ScriptResult run_script(const std::vector<std::string>& command,
                        const std::vector<std::string>& environment) {
  std::string line = "env";
  for (const std::string& setting : environment) line += " " + shell_word(setting);
  return run_in_shell(line + " " + shell_text(command) + " < /dev/null");
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace hodge::tools
