#include "tools/hodge/bench/krylov_yardstick.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/hodge/program/python.hpp"

namespace hodge::tools::bench {
namespace {

std::vector<std::string> modules_of(const std::string& device) {
  if (device == "cpu") return {"numpy", "scipy.sparse.linalg"};
  return {"numpy", "cupy", "cupyx.scipy.sparse.linalg"};
}

}  // namespace

std::string krylov_library(const std::string& device) {
  return device == "cpu" ? "SciPy, one core" : "CuPy";
}

std::string krylov_library_absence(const std::string& device) {
  if (!find_python(modules_of(device)).empty()) return "";
  return device == "cpu" ? "no python3 with scipy here" : "no python3 with cupy here";
}

double krylov_library_seconds(const std::string& device, int gpu, const std::string& method,
                              const Box& box, const IterationCounts& counts) {
  const auto number = [](int n) { return std::to_string(n); };
  const ScriptResult result = run_script(
      {find_python(modules_of(device)), script_path("bench_krylov.py"),
       device == "cpu" ? "scipy" : "cupy", number(gpu), method, number(box.cells[0]),
       number(box.cells[1]), number(box.cells[2]), number(counts.few), number(counts.many)},
      {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"});
  const auto json = nlohmann::json::parse(result.output, nullptr, false);
  if (result.exit_code != 0 || !json.is_object() || !json.contains("seconds")) return 0;
  return json.at("seconds").get<double>();
}

}  // namespace hodge::tools::bench
