// The collection file of a run: one line a frame with its time, what ParaView opens.
//
// Rewritten as a whole and renamed at each frame, so that it is complete at every moment of the
// run. Frames are named relative to the collection; times have the digits that give back the same
// double.
#pragma once

#include <filesystem>
#include <string>

namespace hodge::sim {

class PvdCollection {
 public:
  // Nothing is written before the first frame.
  explicit PvdCollection(std::filesystem::path path);

  // Throws IoError; the file on disk then still lists the frames before this one.
  void add(double time, const std::filesystem::path& frame);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::string entries_;
};

}  // namespace hodge::sim
