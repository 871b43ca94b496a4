#include "sim/app/initial/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/seal.hpp"
#include "sim/app/frames/frame_reader.hpp"
#include "sim/app/frames/one_file_frame.hpp"
#include "sim/app/initial/stored_checkpoint.hpp"
#include "sim/app/initial/stored_frame.hpp"
#include "sim/app/initial/stored_points.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/output/pvd.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/input_files.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

constexpr double round_off_of_a_box = 1e-9;  // of its length

// A file to begin with; frames of a collection have a time there.
struct StateFile {
  fs::path path;
  std::optional<double> time{};
};

StateFile last_frame_of(const fs::path& collection) {
  if (has_all_frames(collection)) return {collection};
  const std::vector<PvdEntry> frames = read_pvd(collection);
  if (frames.empty())
    throw ConfigError(fmt::format("{} lists no frame", one_line(collection.string())));
  return {collection.parent_path() / frames.back().file, frames.back().time};
}

// The file of a run directory to begin with.
StateFile newest_state_of(const fs::path& run) {
  const std::vector<fs::path> checkpoints = CheckpointFolder(run).newest_first();
  if (!checkpoints.empty()) return {checkpoints.front()};
  const auto listed = Manifest::read(run);
  if (const std::string name = listed ? listed->collection() : ""; is_a_file(run / name))
    return last_frame_of(run / name);
  for (const fs::path& path : entries_of(run))  // without a manifest
    if (path.extension() == ".pvd" || has_all_frames(path)) return last_frame_of(path);
  throw ConfigError(
      fmt::format("{} has neither checkpoints nor frames, expected the directory of a run",
                  one_line(run.string())));
}

// The file that a name of a state stands for.
StateFile file_of_state(const fs::path& path) {
  StateFile file{path};
  if (is_a_directory(path))
    file = newest_state_of(path);
  else if (path.extension() == ".pvd" && is_a_file(path))
    file = last_frame_of(path);
  if (!is_a_file(file.path))
    throw ConfigError(
        fmt::format("{} does not exist, expected a run directory, a checkpoint (.h5), "
                    "frames (.vti, .vtr, .pvti, .pvtr, .pvd, .vtkhdf) or points (.csv)",
                    one_line(file.path.string())));
  return file;
}

bool is_checkpoint(const fs::path& path) {
  return path.extension() != ".csv" && !is_frame_file(path) && !is_frame_index(path);
}

// Of a checkpoint that of its seal, of a frame in pieces that of the digests of all its files.
std::string digest_of(const fs::path& path) {
  if (is_checkpoint(path)) return digest_in_seal(path);
  if (has_all_frames(path)) return digest_of_last_frame(path);
  std::string digest = digest_of_file(path);
  if (!is_frame_index(path)) return digest;
  for (const fs::path& piece : pieces_of_frame(path)) digest += digest_of_file(piece);
  return blake2b(digest);
}

std::vector<std::string> scalars_in_bodies(const Problem& problem) {
  std::vector<std::string> names;
  for (const ScalarProblem& scalar : problem.scalars)
    if (has_media(scalar, problem.solids)) names.push_back(scalar.name);
  return names;
}

StoredState read_state(const DescribedRun& run, const DescribeRun& describe) {
  const auto [path, time] = file_of_state(run.settings.initial_from.path);
  std::string digest = digest_of(path);
  StoredState state = is_checkpoint(path) ? read_stored_checkpoint(path, describe)
                      : path.extension() == ".csv"
                          ? read_stored_points(path, scalar_names(run.problem))
                          : read_stored_frame(path, scalar_names(run.problem), time,
                                              scalars_in_bodies(run.problem));
  state.digest = std::move(digest);
  return state;
}

void check_covers(const StoredState& state, const Grid& grid) {
  if (state.dim > grid.dim())
    throw ConfigError(
        fmt::format("{} is {}D and the grid {}D, expected a state of the same "
                    "dimension or a plane one",
                    state.origin, state.dim, grid.dim()));
  for (int e = 0; e < state.dim; ++e) {
    const std::vector<double>& known = state.edges[e];
    const double slack = round_off_of_a_box * (known.back() - known.front());
    const Axis& axis = grid.axis(e);
    const std::vector<double>& points = state.points[e];
    if (axis.lower() < known.front() - slack || axis.upper() > known.back() + slack)
      throw ConfigError(fmt::format(
          "{} {} from {} to {} along {} and the grid from {} to {}, expected a grid within {}",
          state.origin, points.empty() ? "goes" : "go",
          number_text(points.empty() ? known.front() : points.front()),
          number_text(points.empty() ? known.back() : points.back()), axis_names[e],
          number_text(axis.lower()), number_text(axis.upper()),
          points.empty() ? "it" : "one distance of points from them"));
  }
}

// Scalars of a case have their initial values there.
bool has_initial_value(const Settings& settings, const std::string& scalar) {
  const auto& scalars = settings.custom.scalars;
  return std::ranges::none_of(scalars, [&](const CustomScalar& custom) {
    return custom.name == scalar && !custom.has_initial;
  });
}

void check_fields(const StoredState& state, const DescribedRun& run) {
  if (!run.problem.prescribed_velocity && state.velocity[0].empty())
    throw ConfigError(
        fmt::format("{} has no velocity, expected a frame with the field velocity, a "
                    "checkpoint, or a CSV file with the columns u, v",
                    state.origin));
  for (const ScalarProblem& scalar : run.problem.scalars)
    if (state.scalar(scalar.name) == nullptr && !has_initial_value(run.settings, scalar.name))
      throw ConfigError(fmt::format(
          "{} has no scalar {}, expected one, or scalars.{}.initial for the values to begin with",
          state.origin, scalar.name, scalar.name));
}

}  // namespace

std::string digest_of_state(const std::string& path) {
  return digest_of(file_of_state(path).path);
}

std::shared_ptr<const StoredState> read_initial_state(const DescribedRun& run,
                                                      const DescribeRun& describe) {
  const InitialSource& from = run.settings.initial_from;
  try {
    auto state = std::make_shared<const StoredState>(read_state(run, describe));
    check_covers(*state, Grid(run.settings.grid));
    check_fields(*state, run);
    return state;
  } catch (const ConfigError& error) {
    throw ConfigError(from.place + ": " + error.what());
  } catch (const IoError& error) {
    throw IoError(from.place + ": " + error.what());
  }
}

}  // namespace hodge::sim
