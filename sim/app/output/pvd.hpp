// The collection file of a run, which ParaView opens: one line per frame with its time.
//
// Rewritten as a whole and renamed at each frame, so that it is complete at every moment of the
// run. Frames are named relative to the collection; times have the digits that give back the same
// double.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hodge::sim {

struct PvdEntry {
  double time = 0;
  std::string file;  // as the collection names it
};

class PvdCollection {
 public:
  // Nothing is written before the first frame.
  explicit PvdCollection(std::filesystem::path path) : path_(std::move(path)) {}

  // Throws IoError; the file on disk then still lists the frames before this one.
  void add(double time, const std::filesystem::path& frame);

  // Lists these frames, and no others, from now on. Throws as add does.
  void restart(std::vector<PvdEntry> entries);

  const std::vector<PvdEntry>& entries() const { return entries_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void write(const std::string& lines) const;

  std::filesystem::path path_;
  std::vector<PvdEntry> entries_;
  std::string lines_;  // of the entries
};

}  // namespace hodge::sim
