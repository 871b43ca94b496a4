#include "sim/app/output/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/output/surface_files.hpp"
#include "sim/app/output/vtk_tags.hpp"
#include "sim/app/output/vtkhdf_file.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "hodge run directory 1\n";
constexpr char digits = '#';

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Every mark stands for one digit or more.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t mark = pattern.find(digits);
  if (!name.starts_with(pattern.substr(0, mark))) return false;
  if (mark == std::string_view::npos) return name.size() == pattern.size();
  name.remove_prefix(mark);
  pattern.remove_prefix(mark + 1);
  while (!name.empty() && is_digit(name.front())) {
    name.remove_prefix(1);
    if (matches(pattern, name)) return true;
  }
  return false;
}

std::string folder_of(const std::string& name) {
  return fs::path(name).parent_path().generic_string();
}

// A numbered folder in frames/ has the pieces of a frame.
bool is_folder_of_pieces(const std::string& folder) {
  return folder_of(folder) == "frames" && folder.find(digits) != std::string::npos;
}

// In the run directory or one of its folders, and nowhere else.
bool is_inside(const std::string& name) {
  const std::string folder = folder_of(name), file = fs::path(name).filename().string();
  const bool is_known =
      std::ranges::count(Manifest::folders(), folder) == 1 || is_folder_of_pieces(folder);
  return is_known && name == (fs::path(folder) / file).generic_string() && !file.empty() &&
         file != "." && file != "..";
}

[[noreturn]] void damaged(const fs::path& path, const std::string& how) {
  throw ConfigError(fmt::format(
      "{} is damaged: {}; --overwrite cannot know which files are a run's", path.string(), how));
}

}  // namespace

const std::vector<std::string>& Manifest::folders() {
  static const std::vector<std::string> all{"checkpoints", "", "frames", "lines", surfaces_folder};
  return all;
}

std::vector<std::string> Manifest::folders_in(const fs::path& run_directory) const {
  std::vector<std::string> all;
  for (const std::string& folder : folders()) {
    if (folder == "frames" && is_a_directory(run_directory / folder))
      for (const fs::path& path : entries_of(run_directory / folder)) {
        const std::string name = folder + "/" + path.filename().string();
        const bool has_pieces = std::ranges::any_of(names_, [&](const std::string& own) {
          return is_folder_of_pieces(folder_of(own)) && matches(folder_of(own), name);
        });
        if (has_pieces && is_a_directory(path)) all.push_back(name);
      }
    all.push_back(folder);
  }
  return all;
}

std::optional<Manifest> Manifest::read(const fs::path& run_directory) {
  const fs::path path = run_directory / file_name;
  if (!fs::exists(status_of_link(path))) return std::nullopt;
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

// Those of regions are listed behind it.
std::string Manifest::collection() const {
  const auto found = std::ranges::find_if(names_, [](const std::string& name) {
    return folder_of(name).empty() &&
           (name.ends_with(".pvd") || name.ends_with(VtkhdfFile::extension));
  });
  return found == names_.end() ? "" : *found;
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
  const std::string& name = settings.run_name();
  const ProbeSettings& probes = settings.probes;
  const Grid grid(settings.grid);
  const std::string number(1, digits);
  std::vector<std::string> names{"config.yaml", "log.txt", "history.csv", "summary.json",
                                 "checksums.txt"};
  const auto add_if = [&names](bool is_written, const std::string& file) {
    if (is_written) names.push_back(file);
  };
  const bool in_one_file = settings.output.encoding == "vtkhdf";
  const auto add_frames = [&](const std::string& frames) {
    add_if(in_one_file, frames + VtkhdfFile::extension);
    add_if(!in_one_file, frames + ".pvd");
    add_if(!in_one_file, frame_name(frames, number, frame_extension(grid)));
  };
  add_frames(name);
  const bool in_pieces = are_in_pieces(settings, grid);  // where several processes share the run
  add_if(in_pieces, frame_name(name, number, index_extension(grid)));
  add_if(in_pieces, piece_name(name, number, number, frame_extension(grid)));
  add_if(settings.parallel.log, fmt::format("log.rank{}.txt", digits));
  const std::string checkpoint = fmt::format("checkpoints/{}_{}.h5", name, digits);
  add_if(settings.output.checkpoint.enabled, checkpoint);
  add_if(settings.output.checkpoint.enabled, checkpoint + ".superseded");
  add_if(!problem.solids.empty() && !problem.prescribed_velocity, "forces.csv");
  for (const std::string& part : {std::string("1"), number}) {
    add_if(!probes.points.empty(), probe_file("probes", part));
    for (const ProbeLine& line : probes.lines)
      names.push_back(probe_file("lines/" + line.name, part));
    add_if(probes.any() && probes.average_from, probe_file("averages", part));
    add_if(has_profile(settings.output), probe_file("profiles", part));
  }
  for (const std::string& surface : settings.output.surfaces) {
    const bool has_rows = has_surface_rows(surface, grid.dim());
    add_if(has_rows, surface_rows(surface));
    add_if(has_rows && has_surface_means(settings.output), surface_means(surface));
    add_if(true, surface_collection(surface));
    add_if(true, surface_frame(surface, number));
  }
  for (const OutputRegion& region : settings.output.regions)  // see collection()
    add_frames(region.name);
  if (!settings.compare) return Manifest(std::move(names));
  names.insert(names.end(), {"compare.csv", "compare.md"});
  add_if(settings.compare->histories, "compare_history.csv");
  add_if(settings.compare->guesses, "compare_guess.csv");
  return Manifest(std::move(names));
}

}  // namespace hodge::sim
