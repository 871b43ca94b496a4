#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "linalg/files/directories.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/config/mistakes.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/outputs.hpp"
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

std::vector<std::string> names_of(const std::vector<std::string>& values) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& value : values) {
    const std::string name = name_of(value);
    const bool is_new = !name.empty() && taken.insert(name).second;
    names.push_back(is_new ? name : fmt::format("{}_{}", name, names.size() + 1));
    taken.insert(names.back());
  }
  return names;
}

// Errors: ConfigError where there are more than `at_most`.
std::size_t combinations(const std::vector<SweepAxis>& axes, long long at_most) {
  long long count = 1;
  bool is_known = true;
  for (const SweepAxis& axis : axes)
    is_known = is_known &&
               !__builtin_mul_overflow(count, static_cast<long long>(axis.values.size()), &count);
  if (!is_known || count > at_most)
    throw wrong_input(
        "--over: {} combinations, expected at most {}: take fewer values, or allow more by "
        "--at-most",
        is_known ? fmt::format("{}", count) : "more than 9e18", at_most);
  return static_cast<std::size_t>(count);
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

bool has_checkpoint(const fs::path& directory) {
  return !sim::CheckpointFolder(directory).newest_first().empty();
}

// How the run begins, from what is in its directory. Errors: ConfigError where that is another run.
SweepStart start_of(const Job& job, bool overwrite) {
  const fs::path directory = job.settings.output.directory;
  const sim::Manifest planned = sim::manifest_of(job.settings, job.problem);
  const bool holds_run = is_there(directory / sim::Manifest::file_name);
  if (overwrite || !holds_run) {
    sim::RunDirectory::check(directory, overwrite, planned);
    return holds_run ? SweepStart::overwrite : SweepStart::fresh;
  }
  sim::RunDirectory::check(directory, true, planned);
  const auto change = changed_since(directory, job.settings);
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
  if (is_finished(directory, job.settings)) return SweepStart::finished;
  return has_checkpoint(directory) ? SweepStart::restart : SweepStart::overwrite;
}

std::string first_line(const fs::path& file) {
  const std::string text = is_a_file(file) ? read_file(file) : "";
  return text.substr(0, text.find('\n'));
}

// A table of an earlier call is made anew.
void check_tables(const SweepArguments& arguments, const fs::path& directory) {
  for (const auto& [name, says] : {std::pair(table_file, ",status,exit_code,end,steps,t,seconds,"),
                                   std::pair(markdown_file, "### Runs")}) {
    const fs::path file = directory / name;
    const bool is_own = first_line(file).find(says) != std::string::npos;
    if (fs::exists(status_of_link(file)))
      check_outputs({file}, {arguments.file}, arguments.overwrite || is_own);
  }
}

void check_folder(const fs::path& directory) {
  if (is_there(directory / sim::Manifest::file_name))
    throw wrong_input(
        "{} is the directory of a run, expected a folder for the runs of a sweep: "
        "choose another with --output",
        directory.string());
}

}  // namespace

std::vector<std::size_t> Sweep::positions(std::size_t run) const {
  std::vector<std::size_t> positions(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; run /= axes[a].values.size())
    positions[a] = run % axes[a].values.size();
  return positions;
}

std::string Sweep::name(std::size_t run) const {
  std::string name;
  const std::vector<std::size_t> at = positions(run);
  for (std::size_t a = 0; a < axes.size(); ++a)
    name += (a > 0 ? "," : "") + axes[a].column + "=" + axes[a].names[at[a]];
  return name;
}

std::vector<std::string> Sweep::values(std::size_t run) const {
  std::vector<std::string> values;
  const std::vector<std::size_t> at = positions(run);
  for (std::size_t a = 0; a < axes.size(); ++a) values.push_back(axes[a].values[at[a]]);
  return values;
}

std::vector<std::string> Sweep::assignments(std::size_t run) const {
  std::vector<std::string> assignments = values(run);
  for (std::size_t a = 0; a < axes.size(); ++a) assignments[a] = axes[a].key + "=" + assignments[a];
  return assignments;
}

std::optional<Sweep> planned_sweep(const SweepArguments& arguments) {
  Sweep sweep;
  sweep.directory = arguments.output;
  sweep.axes = sweep_axes(arguments.over);
  const std::size_t count = combinations(sweep.axes, arguments.at_most);
  for (SweepAxis& axis : sweep.axes) axis.names = names_of(axis.values);
  SweepMistakes mistakes;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = sweep.name(k);
    try {
      Job job = load_job({arguments.file, arguments.overrides, sweep.assignments(k)},
                         cases::known_cases(), arguments.device, true);
      sim::Settings& settings = job.settings;
      if (sweep.directory.empty()) sweep.directory = settings.output.directory + "_sweep";
      settings.output.directory = sweep.directory_of(k).string();
      settings.output.name = sim::as_run_name(settings.output.name + "_" + name);
      const SweepStart start = start_of(job, arguments.overwrite);
      if (start == SweepStart::fresh || start == SweepStart::overwrite)
        sim::check_state_to_begin_with(job, cases::known_cases());
      sweep.runs.push_back({start, settings.output.name});
    } catch (const sim::ConfigErrors& errors) {
      for (const std::string& line : errors.lines) mistakes.add(name, line);
    } catch (const ConfigError& error) {
      mistakes.add(name, error.what());
    }
  }
  mistakes.print(count);
  if (mistakes.any()) return std::nullopt;
  check_folder(sweep.directory);
  check_tables(arguments, sweep.directory);
  return sweep;
}

void forget_run(const fs::path& directory) {
  const auto listed = sim::Manifest::read(directory);
  if (!listed) return;
  remove_file(directory / "summary.json");
  if (!is_a_directory(directory / "checkpoints")) return;
  for (const fs::path& path : entries_of(directory / "checkpoints"))
    if (listed->lists((fs::path("checkpoints") / path.filename()).generic_string()))
      remove_file(path);
}

}  // namespace hodge::tools
