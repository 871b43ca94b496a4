#include "tools/hodge/bench/yardsticks.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools::bench {
namespace {

std::string python_with(const std::string& library) {
  if (library == "scipy") return find_python({"numpy", "scipy.sparse.linalg"});
  return find_python({"numpy", "cupy", "cupyx.scipy.sparse.linalg"});
}

}  // namespace

std::string python_absence(const std::string& library) {
  return python_with(library).empty() ? "no python3 with " + library + " here" : "";
}

sim::Json python_yardstick(const std::string& library, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{python_with(library), script_path("bench_yardsticks.py")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ScriptResult result = run_script(command, {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"});
  const sim::Json json = sim::Json::parse(result.output, nullptr, false);
  return result.exit_code == 0 && json.is_object() ? json : sim::Json::object();
}

}  // namespace hodge::tools::bench
