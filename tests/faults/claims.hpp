// What a run has called written, by the records of what it did.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/recorded_run.hpp"
#include "tests/faults/watched_run.hpp"

namespace hodge::tests {

inline constexpr const char* collection = "out/run.pvd";

inline int frames_listed_in(std::string_view text) {
  constexpr std::string_view entry = "<DataSet ";
  int count = 0;
  for (auto at = text.find(entry); at != text.npos; at = text.find(entry, at + 1)) ++count;
  return count;
}

// What has been called written: the frames of the collection that is in place, and the checkpoints
// that are, unless their removal has begun. A file is in place once it has been renamed to its name
// and the folder has been synchronised.
class Claims {
 public:
  // What a run before has left.
  explicit Claims(const fs::path& folder) {
    if (fs::exists(folder / collection))
      frames_ = frames_listed_in(test::read_text(folder / collection));
    if (!fs::exists(folder / "out")) return;
    for (const std::string& name : files_below(folder))
      if (name.ends_with(".h5")) checkpoints_.insert(name);
  }

  void add(const Record& record) {
    if (record.data.find(on_disk) != std::string::npos) name(record.data);
    if (record.data.find("<Collection>") != std::string::npos)
      frames_written_ = frames_listed_in(record.data);
    if (record.kind == "rename" || record.kind == "remove") lose(record.path);
    if (record.kind == "rename") {
      lose(record.new_path);
      renamed_.push_back(record.new_path);
    }
    if (record.kind != "sync_folder") return;
    std::erase_if(renamed_, [&](const std::string& path) {
      const bool in_place = fs::path(path).parent_path().string() == record.path;
      if (in_place && path == collection) frames_ = frames_written_;
      if (in_place && path.ends_with(".h5")) checkpoints_.insert(path);
      return in_place;
    });
  }

  int frames() const { return frames_; }
  // How many files log.txt has named, and those that were not in place by then.
  int named() const { return named_; }
  const std::string& named_too_early() const { return named_too_early_; }
  const std::set<std::string>& checkpoints() const { return checkpoints_; }

 private:
  // A line of log.txt: "frames/run_000001.vti is on the disk: step 2, t = 0.1".
  void name(const std::string& line) {
    const std::string file = line.substr(0, line.find(on_disk));
    const bool in_place = file.ends_with(".h5") ? checkpoints_.contains("out/" + file)
                                                : number_of_frame(file) < frames_;
    ++named_;
    if (!in_place) named_too_early_ += file + " ";
  }
  static int number_of_frame(const std::string& file) {
    return std::stoi(file.substr(file.rfind('_') + 1));
  }

  // The old or the new file may be there.
  void lose(const std::string& path) {
    checkpoints_.erase(path);
    if (path == collection) frames_ = std::min(frames_, frames_written_);
  }

  static constexpr const char* on_disk = " is on the disk: ";

  int frames_ = 0, frames_written_ = 0;
  int named_ = 0;
  std::string named_too_early_;
  std::vector<std::string> renamed_;
  std::set<std::string> checkpoints_;
};

}  // namespace hodge::tests
