#include "tools/hodge/bench/scipy.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools::bench {
namespace {

namespace fs = std::filesystem;

class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "hodge_bench_XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw IoError("no temporary folder in " + path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class T>
void write_binary(const fs::path& file, std::span<const T> values) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size_bytes()));
  stream.close();
  if (!stream) throw IoError("writing " + file.string() + " failed");
}

}  // namespace

std::string scipy_absence() {
  return find_python({"numpy", "scipy.sparse"}).empty() ? "no python3 with scipy here" : "";
}

SciPyResult scipy_ssor_sai(const HostMatrix& a, int order, double omega) {
  const ScratchFolder folder;
  const HostRows rows(a);
  write_binary(fs::path(folder.path()) / "offsets", rows.offsets);
  write_binary(fs::path(folder.path()) / "columns", rows.columns);
  write_binary(fs::path(folder.path()) / "values", rows.values);
  const ScriptResult result =
      run_script({find_python({"numpy", "scipy.sparse"}), script_path("bench_scipy.py"),
                  folder.path(), std::to_string(order), sim::number_text(omega)},
                 {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"});
  const auto json = nlohmann::json::parse(result.output, nullptr, false);
  if (result.exit_code != 0 || json.is_discarded()) return {};
  return {json.at("seconds").get<double>(), json.at("sum").get<double>()};
}

}  // namespace hodge::tools::bench
