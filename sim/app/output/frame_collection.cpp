#include "sim/app/output/frame_collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// Of a frame in pieces, the folder of the pieces counts too: a run has too many to look at each.
std::filesystem::path missing_part(const std::filesystem::path& frame) {
  if (!is_there(frame)) return frame;
  if (!is_frame_index(frame) || is_there(folder_of_pieces(frame))) return {};
  return folder_of_pieces(frame);
}

void require(const std::filesystem::path& missing) {
  if (!missing.empty())
    throw IoError(fmt::format("{} was removed while the run went on", missing.string()));
}

}  // namespace

FrameCollection::FrameCollection(std::filesystem::path directory, const std::string& run_name,
                                 Note note, std::string folder)
    : directory_(std::move(directory)),
      path_(directory_ / (run_name + ".pvd")),
      note_(std::move(note)),
      folder_(std::move(folder)) {}

FrameCollection::FrameCollection(std::filesystem::path directory, const std::string& run_name,
                                 Note note, VtkhdfFile file)
    : FrameCollection(std::move(directory), run_name, std::move(note), "") {
  path_ = file.path();
  file_ = std::move(file);
}

void FrameCollection::add(const LandedFrame& frame) {
  std::vector<PvdEntry> frames = frames_;
  frames.push_back({frame.time, frame.path.lexically_proximate(directory_).generic_string()});
  list(std::move(frames));
  note_(frame);
  const std::lock_guard lock(mutex_);
  last_ = frame;
}

void FrameCollection::list(std::vector<PvdEntry> frames) {
  file_ ? file_->keep(frames.size()) : write_pvd(path_, frames);
  frames_ = std::move(frames);
}

// A collection that does not exist yet begins with its first frame.
void FrameCollection::go_back() {
  if (!frames_.empty() || is_there(path_)) list(frames_);
}

void FrameCollection::check_files() const {
  for (const PvdEntry& frame : frames_) require(missing_part(directory_ / frame.file));
  if (!frames_.empty()) require(missing_part(path_));
}

std::optional<LandedFrame> FrameCollection::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void FrameCollection::visit_state(StateVisitor& visitor, long submitted, long step, double time) {
  std::vector<double> times;
  std::string files;  // a line each
  for (const PvdEntry& entry : frames_) {
    times.push_back(entry.time);
    files += entry.file + "\n";
  }
  const std::lock_guard lock(mutex_);
  LandedFrame last = last_.value_or(LandedFrame{{}, -1, 0});
  visitor.visit("times", times);
  visitor.visit("files", files);
  visitor.visit("last_step", last.step, {times.empty() ? -1 : 0, step});
  if (!visitor.restores()) return;
  restore(visitor, times, files, submitted, time);
  if (!frames_.empty())
    last_ = LandedFrame{directory_ / frames_.back().file, last.step, frames_.back().time};
}

// Of one file: the next frame of those that have been found.
bool FrameCollection::is_there_still(const std::string& name, double time) const {
  if (!file_) return missing_part(directory_ / name).empty();
  const std::vector<double>& times = file_->index().times;
  return frames_.size() < times.size() && times[frames_.size()] == time;
}

void FrameCollection::restore(const StateVisitor& visitor, const std::vector<double>& times,
                              const std::string& files, long submitted, double now) {
  const auto count = static_cast<std::size_t>(std::ranges::count(files, '\n'));
  if (times.size() != count || count > static_cast<std::size_t>(submitted))
    visitor.refuse(
        "times", fmt::format("has {} values for {} of {} frames", times.size(), count, submitted));
  frames_.clear();
  if (file_ && is_there(path_)) file_->read();
  std::istringstream lines(files);
  std::string file;
  double before = -1;
  for (const double time : times) {
    std::getline(lines, file);
    const std::filesystem::path name(file);
    if (name.parent_path() != folder_ || name.filename() == "..")
      visitor.refuse("files",
                     fmt::format("has \"{}\", which is not in {}/", one_line(file), folder_));
    if (!(time > before && time >= 0 && time <= now))
      visitor.refuse("times", fmt::format("has {} after {}, expected ascending times up to {}",
                                          time, before, now));
    before = time;
    if (is_there_still(file, time))
      frames_.push_back({time, file});
    else if (gone_.empty() || gone_.back() != file)
      gone_.push_back(file);
  }
}

}  // namespace hodge::sim
