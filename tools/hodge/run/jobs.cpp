#include "tools/hodge/run/jobs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "linalg/base/errors.hpp"
#include "linalg/version.hpp"
#include "sim/app/run/summary.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;

Job load(const RunArguments& arguments, const std::string& file) {
  Job job = load_job({file, arguments.overrides}, arguments.device);
  if (arguments.output.empty()) return job;
  const bool alone = arguments.files.size() == 1;
  job.settings.output.directory =
      alone ? arguments.output : (fs::path(arguments.output) / fs::path(file).stem()).string();
  return job;
}

void check_directories(const std::vector<NamedJob>& jobs) {
  std::map<fs::path, std::string> taken;
  for (const NamedJob& named : jobs) {
    const std::string& directory = named.job.settings.output.directory;
    const auto [earlier, is_new] =
        taken.emplace(fs::absolute(directory).lexically_normal(), named.file);
    if (is_new) continue;
    throw ConfigError(fmt::format(
        "{} and {} both write to {}, expected a directory for each: set output.directory in them, "
        "or give --output DIR, which makes DIR/<name of the file>",
        earlier->second, named.file, directory));
  }
}

}  // namespace

std::vector<NamedJob> load_jobs(const RunArguments& arguments, std::vector<std::string>& failures) {
  std::vector<NamedJob> jobs;
  for (const std::string& file : arguments.files) {
    guarded([&] {
      try {
        jobs.push_back({file, load(arguments, file)});
      } catch (const std::exception& failure) {
        sim::RunOptions options;
        options.version = version;
        options.file = file;
        failures.push_back(sim::summary_json(options, failure));
        throw;
      }
      return 0;
    });
  }
  if (!failures.empty()) return {};
  check_directories(jobs);
  return jobs;
}

}  // namespace hodge::tools
