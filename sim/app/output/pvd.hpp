// The collection file of a run, which ParaView opens: one line per frame with its time.
//
// Rewritten as a whole and renamed at each frame, so that it is complete at every moment of the
// run. Frames are named relative to the collection; times have the digits that give back the same
// double.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hodge::sim {

struct PvdEntry {
  double time = 0;
  std::string file;  // as the collection names it
};

// The file lists these frames from now on. Throws IoError; the file on disk is then as it was.
void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries);

// The frames of a file that write_pvd() has written. Throws ConfigError where it is another, or cut
// off, IoError where it cannot be read.
std::vector<PvdEntry> read_pvd(const std::filesystem::path& path);

}  // namespace hodge::sim
