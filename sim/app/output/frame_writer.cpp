#include "sim/app/output/frame_writer.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_threads.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t queue_length = FrameWriter::most_frames - 1;

}  // namespace

FrameWriter::FrameWriter(std::filesystem::path directory, std::string case_name, Grid grid,
                         FrameBackground background)
    : directory_(std::move(directory)),
      case_name_(std::move(case_name)),
      grid_(std::move(grid)),
      background_(std::move(background)),
      collection_(directory_ / (case_name_ + ".pvd")),
      thread_(&FrameWriter::write_jobs, this) {}

FrameWriter::~FrameWriter() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Frame FrameWriter::blank() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || queue_.size() + writing_ < most_frames; });
  throw_error();
  if (blanks_.empty()) return {};
  Frame frame = std::move(blanks_.back());
  blanks_.pop_back();
  return frame;
}

std::filesystem::path FrameWriter::submit(Frame frame) {
  std::filesystem::path path =
      directory_ / "frames" /
      fmt::format("{}_{:06}{}", case_name_, submitted_, frame_extension(grid_));
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || queue_.size() < queue_length; });
  throw_error();
  queue_.push_back({path, std::move(frame)});
  ++submitted_;
  lock.unlock();
  changed_.notify_all();
  return path;
}

void FrameWriter::check() {
  const std::lock_guard lock(mutex_);
  throw_error();
}

void FrameWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || (queue_.empty() && !writing_); });
  throw_error();
}

void FrameWriter::try_again() {
  {
    const std::lock_guard lock(mutex_);
    error_ = nullptr;
  }
  changed_.notify_all();
  finish();
}

void FrameWriter::check_files() const {
  const auto require = [](const std::filesystem::path& path) {
    if (!std::filesystem::exists(path))
      throw IoError(fmt::format("{} was removed while the run went on", path.string()));
  };
  for (const PvdEntry& frame : frames_) require(directory_ / frame.file);
  if (!frames_.empty()) require(collection_);
}

std::optional<FrameWriter::Landed> FrameWriter::last_landed() const {
  const std::lock_guard lock(mutex_);
  return last_landed_;
}

void FrameWriter::throw_error() const {
  if (error_) std::rethrow_exception(error_);
}

void FrameWriter::visit_state(StateVisitor& visitor) {
  const std::lock_guard lock(mutex_);
  std::vector<double> times;
  std::string files;  // a line each
  for (const PvdEntry& entry : frames_) {
    times.push_back(entry.time);
    files += entry.file + "\n";
  }
  Landed last = last_landed_.value_or(Landed{{}, -1, 0});
  visitor.visit("submitted", submitted_, {0, 1'000'000'000});
  visitor.visit("times", times);
  visitor.visit("files", files);
  visitor.visit("last_step", last.step, {-1, most_counted});
  if (!visitor.restores()) return;
  list(still_there(times, files));
  if (!frames_.empty())
    last_landed_ = Landed{directory_ / frames_.back().file, last.step, frames_.back().time};
}

void FrameWriter::list(std::vector<PvdEntry> frames) {
  write_pvd(collection_, frames);
  frames_ = std::move(frames);
}

std::vector<PvdEntry> FrameWriter::still_there(const std::vector<double>& times,
                                               const std::string& files) {
  std::vector<PvdEntry> entries;
  std::istringstream lines(files);
  std::string file;
  for (std::size_t i = 0; i < times.size() && std::getline(lines, file); ++i) {
    const std::filesystem::path name(file);
    if (name.parent_path() != "frames" || name.filename() == "..")
      throw IoError(fmt::format("the checkpoint counts the frame \"{}\", which is not in frames/",
                                one_line(file)));
    if (std::filesystem::exists(directory_ / file))
      entries.push_back({times[i], file});
    else
      gone_.push_back(file);
  }
  return entries;
}

// The thread: until closing and nothing is left that could be written.
void FrameWriter::write_jobs() {
  run_in_background();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || (!error_ && !queue_.empty()); });
    if (error_ || queue_.empty()) return;
    write_next(lock);
  }
}

// The first job of the queue; it goes back there if it fails.
void FrameWriter::write_next(std::unique_lock<std::mutex>& lock) {
  Job job = std::move(queue_.front());
  queue_.pop_front();
  writing_ = true;
  lock.unlock();
  changed_.notify_all();
  std::exception_ptr error;
  Landed landed{job.path, job.frame.step, job.frame.time};
  for (const FrameArray& array : job.frame.arrays)
    if (!array.is_single) landed.doubles.push_back(array.name);
  try {
    write(job);
    background_.note(landed);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error) {
    error_ = error;
    queue_.push_front(std::move(job));
  } else {
    last_landed_ = landed;
    if (blanks_.size() < most_frames) blanks_.push_back(std::move(job.frame));
  }
  writing_ = false;
  changed_.notify_all();
}

void FrameWriter::write(const Job& job) {
  write_frame(job.path, grid_, job.frame, background_.threads, background_.encoding);
  std::vector<PvdEntry> frames = frames_;
  frames.push_back({job.frame.time, job.path.lexically_proximate(directory_).generic_string()});
  list(std::move(frames));
}

}  // namespace hodge::sim
