#include "tools/hodge/bench/plot.hpp"

#include <fmt/format.h>

#include <iostream>

#include "tools/hodge/bench/python.hpp"

namespace hodge::tools::bench {

void plot(const std::filesystem::path& json) {
  const std::string python = find_python({"matplotlib"});
  const std::string script = script_path("plot_bench.py");
  if (python.empty()) {
    std::cout << fmt::format("no python3 with matplotlib here; the plot is made by: {}\n",
                             shell_text({"python3", script, json.string()}));
    return;
  }
  const ScriptResult result = run_script({python, script, json.string()}, {"MPLBACKEND=Agg"});
  if (result.exit_code == 0) {
    std::cout << result.output;
  } else {
    std::cout << fmt::format("the plot failed (exit code {}): {}\n", result.exit_code,
                             shell_text({python, script, json.string()}));
  }
}

}  // namespace hodge::tools::bench
