#include "sim/app/output/frame_collection.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// Of a frame in pieces, the folder of the pieces counts too: a run has too many to look at each.
std::filesystem::path missing_part(const std::filesystem::path& frame) {
  std::error_code ignored;
  if (!std::filesystem::exists(frame, ignored)) return frame;
  if (!is_frame_index(frame) || std::filesystem::exists(folder_of_pieces(frame), ignored))
    return {};
  return folder_of_pieces(frame);
}

void require(const std::filesystem::path& missing) {
  if (!missing.empty())
    throw IoError(fmt::format("{} was removed while the run went on", missing.string()));
}

}  // namespace

FrameCollection::FrameCollection(std::filesystem::path directory, const std::string& run_name,
                                 Note note)
    : directory_(std::move(directory)),
      path_(directory_ / (run_name + ".pvd")),
      note_(std::move(note)) {}

void FrameCollection::add(const LandedFrame& frame) {
  std::vector<PvdEntry> frames = frames_;
  frames.push_back({frame.time, frame.path.lexically_proximate(directory_).generic_string()});
  list(std::move(frames));
  note_(frame);
  const std::lock_guard lock(mutex_);
  last_ = frame;
}

void FrameCollection::list(std::vector<PvdEntry> frames) {
  write_pvd(path_, frames);
  frames_ = std::move(frames);
}

void FrameCollection::check_files() const {
  for (const PvdEntry& frame : frames_) require(missing_part(directory_ / frame.file));
  if (!frames_.empty()) require(missing_part(path_));
}

std::optional<LandedFrame> FrameCollection::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void FrameCollection::visit_state(StateVisitor& visitor) {
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
  visitor.visit("last_step", last.step, {-1, most_counted});
  if (!visitor.restores()) return;
  list(still_there(times, files));
  if (!frames_.empty())
    last_ = LandedFrame{directory_ / frames_.back().file, last.step, frames_.back().time};
}

std::vector<PvdEntry> FrameCollection::still_there(const std::vector<double>& times,
                                                   const std::string& files) {
  std::vector<PvdEntry> entries;
  std::istringstream lines(files);
  std::string file;
  for (std::size_t i = 0; i < times.size() && std::getline(lines, file); ++i) {
    const std::filesystem::path name(file);
    if (name.parent_path() != "frames" || name.filename() == "..")
      throw IoError(fmt::format("the checkpoint counts the frame \"{}\", which is not in frames/",
                                one_line(file)));
    if (missing_part(directory_ / file).empty())
      entries.push_back({times[i], file});
    else
      gone_.push_back(file);
  }
  return entries;
}

}  // namespace hodge::sim
