#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/config/mistakes.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/base/directories.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/sweep/run_record.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 60;  // of a value

// A value as a part of a file name: [64, 64] is 64x64.
std::string name_of(const std::string& value) {
  const char separator = value.starts_with('[') ? 'x' : '_';
  std::string name;
  bool apart = false;
  for (const char c : value) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '+' || c == '-';
    if (plain && apart && !name.empty()) name += separator;
    if (plain) name += c;
    apart = !plain;
  }
  return name.substr(0, longest_name);
}

// The names of the values of an axis, each its own.
std::vector<std::string> names_of(const SweepAxis& axis) {
  std::vector<std::string> names;
  for (const std::string& value : axis.values) {
    const std::string name = name_of(value);
    const bool is_new = !name.empty() && std::ranges::count(names, name) == 0;
    names.push_back(is_new ? name : fmt::format("{}_{}", name, names.size() + 1));
  }
  return names;
}

// Every combination, without its job.
std::vector<SweepRun> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<SweepRun> runs(1);
  for (const SweepAxis& axis : axes) {
    const std::vector<std::string> names = names_of(axis);
    std::vector<SweepRun> longer;
    for (const SweepRun& run : runs)
      for (std::size_t i = 0; i < names.size(); ++i) {
        SweepRun& next = longer.emplace_back(run);
        next.name += (run.name.empty() ? "" : ",") + axis.column + "=" + names[i];
        next.values.push_back(axis.values[i]);
        next.assignments.push_back(axis.key + "=" + axis.values[i]);
      }
    runs = std::move(longer);
  }
  return runs;
}

// Mistakes of the combinations, each said once however many combinations have it.
class SweepMistakes {
 public:
  void add(const std::string& run, const std::string& what) {
    const auto found = std::ranges::find(all_, what, &Mistake::what);
    if (found != all_.end())
      ++found->runs;
    else
      all_.push_back({what, run, 1});
  }
  bool any() const { return !all_.empty(); }
  // A message that names no value of --over names the run, unless all runs have it.
  void print(std::size_t runs) const {
    for (const Mistake& mistake : all_) {
      const bool said = mistake.what.starts_with("--over") || mistake.runs == runs;
      fail(2, sim::one_line(mistake.what) + (said ? "" : " (run " + mistake.first + ")"));
    }
  }

 private:
  struct Mistake {
    std::string what, first;
    std::size_t runs;
  };
  std::vector<Mistake> all_;
};

bool has_checkpoint(const SweepRun& run) {
  try {
    sim::CheckpointFolder(run.job.settings.output.directory).newest();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// How the run begins, from what is in its directory. Errors: ConfigError where that is another run.
SweepStart start_of(const SweepRun& run, bool overwrite) {
  const fs::path directory = run.job.settings.output.directory;
  const sim::Manifest planned = sim::manifest_of(run.job.settings, run.job.problem);
  const bool holds_run = fs::exists(directory / sim::Manifest::file_name);
  if (overwrite || !holds_run) {
    sim::RunDirectory::check(directory, overwrite, planned);
    return holds_run ? SweepStart::overwrite : SweepStart::fresh;
  }
  sim::RunDirectory::check(directory, true, planned);
  const auto change = changed_since(directory, run.job.settings);
  if (change && !change->file.empty())
    throw wrong_input(
        "{} has changed since the run in {} began; remove that directory to run it again, add "
        "--overwrite to run all again, or choose another directory with --output",
        change->file, directory.string());
  if (change)
    throw wrong_input(
        "{} holds a run of another configuration: {} is {} there and {} now; add --overwrite to "
        "begin anew, or choose another directory with --output",
        directory.string(), change->key, change->before, change->now);
  if (is_finished(directory, run.job.settings)) return SweepStart::finished;
  return has_checkpoint(run) ? SweepStart::restart : SweepStart::overwrite;
}

void check_folder(const fs::path& directory) {
  if (fs::exists(directory / sim::Manifest::file_name))
    throw wrong_input(
        "{} is the directory of a run, expected a folder for the runs of a sweep: "
        "choose another with --output",
        directory.string());
}

}  // namespace

std::optional<Sweep> planned_sweep(const SweepArguments& arguments) {
  Sweep sweep{arguments.output, sweep_axes(arguments.over), {}};
  SweepMistakes mistakes;
  std::vector<SweepRun> runs = combinations(sweep.axes);
  for (SweepRun& run : runs) {
    try {
      run.job =
          load_job({arguments.file, arguments.overrides, run.assignments}, arguments.device, true);
      sim::Settings& settings = run.job.settings;
      if (sweep.directory.empty()) sweep.directory = settings.output.directory + "_sweep";
      settings.output.directory = (sweep.directory / run.name).string();
      settings.output.name = sim::as_run_name(settings.output.name + "_" + run.name);
      run.start = start_of(run, arguments.overwrite);
      if (run.start == SweepStart::fresh || run.start == SweepStart::overwrite)
        check_state_to_begin_with(run.job);
    } catch (const sim::ConfigErrors& errors) {
      for (const std::string& line : errors.lines) mistakes.add(run.name, line);
    } catch (const ConfigError& error) {
      mistakes.add(run.name, error.what());
    }
  }
  mistakes.print(runs.size());
  if (mistakes.any()) return std::nullopt;
  check_folder(sweep.directory);
  sweep.runs = std::move(runs);
  return sweep;
}

void forget_run(const SweepRun& run) {
  const fs::path directory = run.job.settings.output.directory;
  const auto listed = sim::Manifest::read(directory);
  if (!listed) return;
  sim::remove_file(directory / "summary.json");
  if (!fs::is_directory(directory / "checkpoints")) return;
  for (const fs::path& path : sim::entries_of(directory / "checkpoints"))
    if (listed->lists((fs::path("checkpoints") / path.filename()).generic_string()))
      sim::remove_file(path);
}

}  // namespace hodge::tools
