#include "tools/hodge/program/plot.hpp"

#include <fmt/format.h>

#include <iostream>

#include "tools/hodge/program/python.hpp"

namespace hodge::tools {

void plot(const std::string& name, const std::filesystem::path& data) {
  const std::string python = find_python({"matplotlib"});
  const std::string script = script_path(name);
  if (python.empty()) {
    std::cout << fmt::format("no python3 with matplotlib here; the plot is made by: {}\n",
                             shell_text({"python3", script, data.string()}));
    return;
  }
  const ScriptResult result = run_script({python, script, data.string()}, {"MPLBACKEND=Agg"});
  if (result.exit_code == 0) {
    std::cout << result.output;
  } else {
    std::cout << fmt::format("the plot failed (exit code {}): {}\n", result.exit_code,
                             shell_text({python, script, data.string()}));
  }
}

}  // namespace hodge::tools
