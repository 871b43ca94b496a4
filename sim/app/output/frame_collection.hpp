// The frames of a run that count: listed in <name>.pvd, or all of them in <name>.vtkhdf.
//
// A frame counts once its files and the collection that lists it are on the disk.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/output/pvd.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

// A frame that counts.
struct LandedFrame {
  std::filesystem::path path;
  long step = 0;
  double time = 0;
  std::vector<std::string> doubles{};  // the arrays in double precision
};

class FrameCollection {
 public:
  using Note = std::function<void(const LandedFrame&)>;

  // `directory`: of the run. note(frame) is called for every frame that counts from now on.
  // `folder`: where in the directory its frames are.
  FrameCollection(
      std::filesystem::path directory, const std::string& run_name,
      Note note = [](const LandedFrame&) {}, std::string folder = "frames");
  // In one file. `directory`: of the run.
  FrameCollection(std::filesystem::path directory, const std::string& run_name, Note note,
                  VtkhdfFile file);

  // Lists a frame that is on the disk. By one thread at a time. Errors: IoError.
  void add(const LandedFrame& frame);
  // The file that has all of them; null: frames have files of their own. Whoever appends a frame
  // then adds it.
  VtkhdfFile* one_file() { return file_ ? &*file_ : nullptr; }

  // Throws IoError where a listed frame, or the collection, is gone.
  void check_files() const;

  // The frames that are listed of `submitted` ones, at a step and time. Restoring changes no file
  // before go_back(), which lists those that are still there, and no others.
  void visit_state(StateVisitor& visitor, long submitted, long step, double time);
  void go_back();
  const std::vector<std::string>& gone() const { return gone_; }  // the frames not there any more

  std::optional<LandedFrame> last() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  void list(std::vector<PvdEntry> frames);
  bool is_there_still(const std::string& name, double time) const;
  void restore(const StateVisitor& visitor, const std::vector<double>& times,
               const std::string& files, long submitted, double now);

  std::filesystem::path directory_, path_;
  std::optional<VtkhdfFile> file_;
  Note note_;
  std::string folder_;
  std::vector<PvdEntry> frames_;
  std::vector<std::string> gone_;
  mutable std::mutex mutex_;  // guards what follows
  std::optional<LandedFrame> last_;
};

}  // namespace hodge::sim
