#include "sim/app/run/provenance.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <muParserDef.h>
#include <thrust/version.h>
#include <unistd.h>
#include <vtkVersion.h>
#include <zlib.h>

#include <array>
#include <nlohmann/json.hpp>

#include "linalg/base/own_program.hpp"
#include "linalg/host/blas_check.hpp"
#include "linalg/host/processor.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/space/device.hpp"

// HODGE_BUILD_TYPE, HODGE_CUDA_VERSION and HODGE_YAML_CPP_VERSION come from sim/CMakeLists.txt.

namespace hodge::sim {
namespace {

std::string hdf5_version() {
  std::array<unsigned, 3> part{};
  H5get_libversion(&part[0], &part[1], &part[2]);
  return fmt::format("{}", fmt::join(part, "."));
}

// "2.3.3 (Release)" without what stands behind the number.
std::string muparser_version() {
  return mu::ParserVersion.substr(0, mu::ParserVersion.find(' '));
}

std::string thousands(int version, int major, int minor) {  // 90100 is 9.1.0
  return fmt::format("{}.{}.{}", version / major, version % major / minor, version % minor);
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string shell_word(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<Library> library_versions() {
  std::vector<Library> all;
  const auto add = [&all](const char* name, const std::string& version) {
    if (!version.empty()) all.push_back({name, version});
  };
  const std::string blas = linalg::host::blas_name();
  add("BLAS", blas.empty() ? "none" : blas);
  add("CUDA", cuda_toolkit_version());
  add("Thrust", thousands(THRUST_VERSION, 100000, 100));
  add("VTK", vtkVersion::GetVTKVersion());
  add("HDF5", hdf5_version());
  add("zlib", zlibVersion());
  add("yaml-cpp", HODGE_YAML_CPP_VERSION);
  add("muParser", muparser_version());
  add("fmt", thousands(FMT_VERSION, 10000, 100));
  add("nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                   NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
  return all;
}

std::string cuda_toolkit_version() {
  return HODGE_CUDA_VERSION;
}

std::string build_text() {
#ifdef __clang__
  constexpr const char* compiler = "";  // __VERSION__ names it
#else
  constexpr const char* compiler = "GCC ";
#endif
  return fmt::format("{}, {}{}", HODGE_BUILD_TYPE, compiler, __VERSION__);
}

std::string command_line() {
  std::string line;
  for (const std::string& word : command_line_words())
    line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

Json provenance_json(const RunFacts& facts) {
  Json json{{"commit", facts.options.commit},
            {"build", build_text()},
            {"command", command_line()},
            {"host", host_name()},
            {"processor", linalg::host::processor_name()},
            {"threads", linalg::host::thread_count()}};
  if (linalg::chosen_gpu(facts.settings.device) >= 0) json["gpu"] = facts.flow.device_name();
  Json& libraries = json["libraries"] = Json::object();
  for (const Library& library : library_versions()) libraries[library.name] = library.version;
  if (linalg::all_processes().size() > 1) libraries["MPI"] = linalg::mpi_library().name;
  return json;
}

std::string provenance_text(const RunFacts& facts) {
  const Json json = provenance_json(facts);
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_object()) {
      text += fmt::format("{:<10}{}\n", key,
                          value.is_string() ? value.get<std::string>() : value.dump());
      continue;
    }
    std::vector<std::string> members;
    for (const auto& [name, version] : value.items())
      members.push_back(name + " " + version.get<std::string>());
    text += fmt::format("{:<10}{}", key, fmt::join(members, ", "));
  }
  return text;
}

}  // namespace hodge::sim
