#include "sim/app/output/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/output/vtk_frame.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "hodge run directory 1\n";
constexpr char digits = '#';

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t mark = pattern.find(digits);
  if (mark == std::string_view::npos) return pattern == name;
  const std::string_view before = pattern.substr(0, mark), after = pattern.substr(mark + 1);
  if (name.size() <= before.size() + after.size()) return false;
  const std::string_view number =
      name.substr(before.size(), name.size() - before.size() - after.size());
  return name.starts_with(before) && name.ends_with(after) && std::ranges::all_of(number, is_digit);
}

// In the run directory or one of its folders, and nowhere else.
bool is_inside(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string folder = slash == std::string::npos ? "" : name.substr(0, slash);
  const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
  return std::ranges::count(Manifest::folders(), folder) == 1 &&
         (slash == std::string::npos || !folder.empty()) && !file.empty() && file != "." &&
         file != ".." && file.find('/') == std::string::npos;
}

[[noreturn]] void damaged(const fs::path& path, const std::string& how) {
  throw ConfigError(fmt::format(
      "{} is damaged: {}; --overwrite cannot know which files are a run's", path.string(), how));
}

}  // namespace

const std::vector<std::string>& Manifest::folders() {
  static const std::vector<std::string> all{"checkpoints", "", "frames", "lines"};
  return all;
}

std::optional<Manifest> Manifest::read(const fs::path& run_directory) {
  const fs::path path = run_directory / file_name;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return std::nullopt;
  const std::string text = read_file(path);
  if (!text.starts_with(first_line) || !text.ends_with('\n'))
    damaged(path, "its first or last line has changed");
  std::vector<std::string> names;
  for (std::size_t at = first_line.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    names.push_back(text.substr(at, end - at));
    if (!is_inside(names.back()))
      damaged(path, fmt::format("\"{}\" is no file of a run directory", names.back()));
    at = end + 1;
  }
  return Manifest(std::move(names));
}

void Manifest::write(const fs::path& run_directory) const {
  write_file_atomically(run_directory / file_name,
                        fmt::format("{}{}\n", first_line, fmt::join(names_, "\n")));
}

bool Manifest::lists(const std::string& name) const {
  return std::ranges::any_of(names_, [&](const std::string& own) { return matches(own, name); });
}

bool Manifest::lists_temporary(const std::string& name) const {
  const auto behind = name_behind(name);
  if (!behind) return false;
  const std::string file = (fs::path(name).parent_path() / *behind).generic_string();
  return file == file_name || lists(file);
}

Manifest Manifest::with(const Manifest& other) const {
  Manifest both = *this;
  for (const std::string& name : other.names_)
    if (std::ranges::count(both.names_, name) == 0) both.names_.push_back(name);
  return both;
}

Manifest manifest_of(const Settings& settings, const Problem& problem) {
  const std::string& name = settings.case_name;
  const ProbeSettings& probes = settings.probes;
  std::vector<std::string> names{
      "config.yaml",
      "log.txt",
      "history.csv",
      "summary.json",
      name + ".pvd",
      fmt::format("frames/{}_{}{}", name, digits, frame_extension(Grid(settings.grid)))};
  const auto add_if = [&names](bool is_written, const std::string& file) {
    if (is_written) names.push_back(file);
  };
  add_if(settings.parallel.log, fmt::format("log.rank{}.txt", digits));
  const std::string checkpoint = fmt::format("checkpoints/{}_{}.h5", name, digits);
  add_if(settings.output.checkpoint.enabled, checkpoint);
  add_if(settings.output.checkpoint.enabled, checkpoint + ".superseded");
  add_if(!problem.solids.empty() && !problem.prescribed_velocity, "forces.csv");
  add_if(!probes.points.empty(), "probes.csv");
  for (const ProbeLine& line : probes.lines) names.push_back("lines/" + line.name + ".csv");
  add_if(probes.any() && probes.average_from, "averages.csv");
  const auto& statistics = settings.output.statistics;
  add_if(statistics && !statistics->profile.empty(), "profiles.csv");
  if (!settings.compare) return Manifest(std::move(names));
  names.insert(names.end(), {"compare.csv", "compare.md"});
  add_if(settings.compare->histories, "compare_history.csv");
  add_if(settings.compare->guesses, "compare_guess.csv");
  return Manifest(std::move(names));
}

}  // namespace hodge::sim
