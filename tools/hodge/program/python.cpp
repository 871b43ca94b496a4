#include "tools/hodge/program/python.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <map>

#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/shared_folder.hpp"

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
  for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;)
    result.output.append(part.data(), n);
  const bool is_whole = ferror(pipe) == 0;
  const int status = pclose(pipe);
  result.exit_code = is_whole && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string search_python(const std::string& imports) {
  const std::string test = " -I -c " + shell_word(imports) + " > /dev/null 2>&1 < /dev/null";
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (run_in_shell(candidate + test).exit_code == 0) return candidate;
  return "";
}

}  // namespace

std::string find_python(const std::vector<std::string>& modules) {
  static std::map<std::string, std::string> found;
  const std::string imports = fmt::format("import {}", fmt::join(modules, ", "));
  const auto [known, is_new] = found.try_emplace(imports);
  if (is_new) known->second = search_python(imports);
  return known->second;
}

std::string script_path(const std::string& name) {
  return (shared_folder("tools") / name).string();
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

void plot(const std::string& name, const std::filesystem::path& data) {
  const std::string python = find_python({"matplotlib"});
  const std::string script = script_path(name);
  if (python.empty())
    return say("no python3 with matplotlib here; the plot is made by: {}\n",
               shell_text({"python3", "-I", script, data.string()}));
  const ScriptResult result =
      run_script({python, "-I", script, "--overwrite", data.string()}, {"MPLBACKEND=Agg"});
  if (result.exit_code == 0)
    std::cout << result.output;
  else
    say("the plot failed (exit code {}): {}\n", result.exit_code,
        shell_text({python, "-I", script, data.string()}));
}

}  // namespace hodge::tools
