#include "linalg/files/directories.hpp"
#include "tools/hodge/run/jobs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "linalg/processes/all_processes.hpp"
#include "linalg/version.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/run/summary.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/commit.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;

using sim::Json;

constexpr int first_signal_code = 129;

// The results of the jobs so far.
struct Outcome {
  int exit_code = 0;
  std::vector<std::string> summaries;  // JSON

  void add(int code) { exit_code = std::max(exit_code, code); }
  bool was_interrupted() const { return exit_code >= first_signal_code; }
};

sim::RunOptions options_of(const RunArguments& arguments, const std::string& file,
                           Outcome& outcome) {
  sim::RunOptions options;
  options.overwrite = arguments.overwrite;
  options.version = version;
  options.commit = commit();
  options.file = file;
  options.restart = arguments.restart;
  if (arguments.quiet || arguments.json) options.verbosity = sim::Verbosity::quiet;
  if (arguments.verbose && !arguments.json) options.verbosity = sim::Verbosity::verbose;
  options.summary = [&outcome](const std::string& json) { outcome.summaries.push_back(json); };
  return options;
}

Job load(const RunArguments& arguments, const std::string& file) {
  Job job = load_job({file, arguments.overrides}, cases::known_cases(), arguments.device,
                     !arguments.restart.empty());
  if (arguments.output.empty()) return job;
  const bool alone = arguments.files.size() == 1;
  const std::string folder = sim::as_folder_name(fs::path(file).stem().string());
  job.settings.output.directory =
      alone ? arguments.output : (fs::path(arguments.output) / folder).string();
  return job;
}

void check_directories(const std::vector<NamedJob>& jobs) {
  std::map<fs::path, std::string> taken;
  for (const NamedJob& named : jobs) {
    const std::string& directory = named.job.settings.output.directory;
    const auto [earlier, is_new] =
        taken.emplace(absolute_path(directory).lexically_normal(), named.file);
    if (is_new) continue;
    throw wrong_input(
        "{} and {} both write to {}, expected a directory for each: set output.directory in them, "
        "or give --output DIR, which makes DIR/<name of the file>",
        earlier->second, named.file, directory);
  }
}

// Every file is read before the first one runs. Every wrong file gets a summary; the result is then
// empty.
std::vector<NamedJob> load_jobs(const RunArguments& arguments, Outcome& outcome) {
  std::vector<NamedJob> jobs;
  for (const std::string& file : arguments.files)
    guarded([&] {
      try {
        jobs.push_back({file, load(arguments, file)});
        if (!arguments.quiet) print_warnings(jobs.back().job, linalg::all_processes().size());
      } catch (const std::exception& failure) {
        outcome.summaries.push_back(
            sim::summary_json(options_of(arguments, file, outcome), failure));
        throw;
      }
      return 0;
    });
  if (!outcome.summaries.empty()) return {};
  check_directories(jobs);
  return jobs;
}

int run_job(const RunArguments& arguments, const NamedJob& named, sim::FlowLeader* leader,
            Outcome& outcome) {
  sim::RunOptions options = options_of(arguments, named.file, outcome);
  options.leader = leader;
  const std::size_t summaries = outcome.summaries.size();
  return guarded([&] {
    try {
      return sim::run(named.job, options).exit_code();
    } catch (const std::exception& failure) {
      const bool has_summary = outcome.summaries.size() > summaries;
      if (!has_summary) outcome.summaries.push_back(sim::summary_json(options, failure));
      throw;
    }
  });
}

int plan_job(const RunArguments& arguments, const NamedJob& named, Outcome& outcome) {
  const sim::Settings& settings = named.job.settings;
  const sim::Problem& problem = named.job.problem;
  return guarded([&] {
    return with_places(named.job, [&] {
      sim::check_start(settings, problem, options_of(arguments, named.file, outcome));
      const DryRun found = dry_run(named, !arguments.restart.empty());
      if (!arguments.quiet) print_doubts(named.job, found.begin.doubts);
      if (arguments.json)
        outcome.summaries.push_back(dry_run_json(named, found).dump(2) + "\n");
      else
        std::cout << dry_run_text(named, found) << std::flush;
      sim::require_memory(found.plan, settings, problem);
      return 0;
    });
  });
}

std::string number(const Json& summary, const char* key) {
  const auto found = summary.find(key);
  return found == summary.end() || !found->is_number()
             ? "-"
             : fmt::format("{:.6g}", found->get<double>());
}

// One line per run: how it ended.
std::string closing_text(const Outcome& outcome) {
  sim::Table table("runs", "runs",
                   {{"file", "file"},
                    {"status", "status"},
                    {"exit_code", "exit code"},
                    {"end", "end"},
                    {"steps", "steps"},
                    {"time", "t"},
                    {"wall", "wall time"}});
  for (const std::string& text : outcome.summaries) {
    const Json summary = Json::parse(text);
    const bool ran = summary.contains("seconds");
    table.add({{"file", summary["file"]},
               {"status", summary["status"]},
               {"exit_code", summary["exit_code"]},
               {"end", summary["end"]},
               {"steps", number(summary, "steps")},
               {"time", number(summary, "time")},
               {"wall", ran ? sim::duration_text(summary["seconds"]["total"]) : "-"}});
  }
  return table.text();
}

void run_all(const RunArguments& arguments, const std::vector<NamedJob>& jobs,
             sim::FlowLeader* leader, Outcome& outcome) {
  const bool says_which = jobs.size() > 1 && !arguments.quiet && !arguments.json;
  for (std::size_t k = 0; k < jobs.size() && !outcome.was_interrupted(); ++k) {
    if (says_which && !arguments.dry_run)
      std::cout << fmt::format("{}[{}/{}] {}\n", k == 0 ? "" : "\n", k + 1, jobs.size(),
                               sim::one_line(jobs[k].file))
                << std::flush;
    outcome.add(arguments.dry_run ? plan_job(arguments, jobs[k], outcome)
                                  : run_job(arguments, jobs[k], leader, outcome));
  }
  if (says_which && !arguments.dry_run) std::cout << "\n" << closing_text(outcome);
}

}  // namespace

int run_jobs(const RunArguments& arguments, sim::FlowLeader* leader) {
  Outcome outcome;
  const std::vector<NamedJob> jobs = load_jobs(arguments, outcome);
  if (jobs.empty()) outcome.add(2);
  // sim::run checks its own directory; with several runs all are checked before the first one
  // starts.
  if (!arguments.dry_run && jobs.size() > 1)
    for (const NamedJob& named : jobs)
      sim::RunDirectory::check(named.job.settings.output.directory, arguments.overwrite,
                               sim::manifest_of(named.job.settings, named.job.problem));
  run_all(arguments, jobs, leader, outcome);
  if (!arguments.json) return outcome.exit_code;
  Json list = Json::array();  // each as in its summary.json
  for (const std::string& summary : outcome.summaries) list.push_back(Json::parse(summary));
  std::cout << list.dump(2) + "\n";
  return outcome.exit_code;
}

}  // namespace hodge::tools
