#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "linalg/base/own_program.hpp"
#include "linalg/files/directories.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools {
namespace {

struct ViewArguments {
  std::string run;
  int port = 0;
};

// Where the package lies that was built or installed with this program: beside it in a build
// folder, around it in a wheel.
std::string own_package() {
  const std::filesystem::path here = program_file().parent_path().parent_path();
  for (const std::filesystem::path& folder : {here / "python", here.parent_path()})
    if (is_a_file(folder / "hodge/view/__main__.py")) return folder.string();
  return "";
}

// The Python that the package was installed for says so (hodge.program.main).
std::string python_with_package(const std::string& path) {
  const char* named = std::getenv("HODGE_PYTHON");
  for (const std::string& python : {std::string(named == nullptr ? "" : named),
                                    std::string("python3"), std::string("/usr/bin/python3")})
    if (!python.empty() &&
        run_script({"sh", "-c", "exec \"$0\" -c 'import hodge' > /dev/null 2>&1", python},
                   {"PYTHONPATH=" + path})
                .exit_code == 0)
      return python;
  return "";
}

// tools/python/hodge/view, in place of this process.
int view_command(const ViewArguments& arguments) {
  const char* before = std::getenv("PYTHONPATH");
  std::string path = own_package();
  if (before != nullptr && *before != '\0') path += (path.empty() ? "" : ":") + std::string(before);
  const std::string python = python_with_package(path);
  if (python.empty())
    return fail(4,
                "hodge view: no python3 here has the package hodge, which shows the run: "
                "pip install 'hodge[view]'");
  const std::string port = std::to_string(arguments.port);
  std::vector<const char*> words{python.c_str(), "-m", "hodge.view", "--port", port.c_str(), "--"};
  words.push_back(arguments.run.c_str());
  words.push_back(nullptr);
  setenv("PYTHONPATH", path.c_str(), 1);
  execvp(python.c_str(), const_cast<char* const*>(words.data()));
  return fail(4, fmt::format("hodge view: {}: {}", python, std::strerror(errno)));
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "view",
      "Show a run in the browser, also while it goes on: prints the address of the page "
      "(needs the Python package, pip install 'hodge[view]')",
      view_command);
  command.add_option("RUN", arguments.run, "The directory of a run")
      ->required()
      ->check(not_empty());
  command.add_option("--port", arguments.port, "Of 127.0.0.1; default: a free one")
      ->check(CLI::Range(0, 65535));
}

}  // namespace hodge::tools
