// All frames of a run in one file, cavity.vtkhdf: image data of VTK's format on HDF5, which VTK 9.3
// and ParaView 5.12 read with their times. Uniform grids alone: VTKHDF has rectilinear grids from
// its version 2.7 on, which these do not read.
//
//   /VTKHDF             Version 2.0, Type ImageData, WholeExtent, Origin, Spacing, Direction
//   /VTKHDF/CellData/F  (frame, z, y, x[, component]); a 2D grid has no z
//   /VTKHDF/Steps       NSteps; Values: the times
//   /hodge/step         the steps
//   /hodge/index        what this file reads itself: where the chunks are, with a checksum
//
// The file is valid at every moment, also after a kill: a frame is appended, behind it the objects
// of the whole file are written anew, all is synchronised, and then the superblock is replaced
// (hdf5_objects.hpp). The objects take the place of older ones where they fit, of those that were
// replaced some seconds or 64 frames ago: a reader has that long to read what it has found.
//
// A chunk has the whole of fast axes, up to 4 MiB, packed by shuffle and deflate and checksummed. A
// field that a frame does not have is NaN there. In single precision, a field with a value that no
// float holds is stored for this frame as NAME_double.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/hdf5_objects.hpp"
#include "sim/base/wall_clock.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

struct VtkhdfArray {
  FrameArrayType type;
  std::vector<Hdf5Chunk> chunks{};  // of all frames, one after the other
};

// What the file has but for the values.
struct VtkhdfIndex {
  std::vector<int> cells;  // x first
  std::vector<double> lower, spacing;
  std::vector<double> times;
  std::vector<long> steps;
  std::vector<VtkhdfArray> arrays;

  std::vector<double> edges(int d) const;  // {0} beyond the dimension
};

class VtkhdfFile {
 public:
  static constexpr const char* extension = ".vtkhdf";

  // Nothing is read or written before it is asked for.
  explicit VtkhdfFile(std::filesystem::path path, double seconds_for_readers = 5)
      : path_(std::move(path)), seconds_for_readers_(seconds_for_readers) {}

  // Errors of all: IoError with the file: it cannot be read or written, it is damaged, or it is of
  // another program. What was in the file before a call that failed stays.
  void read();
  void append(const Grid& grid, const Frame& frame, int threads);
  // Leaves the first `count` frames; the file is removed where that is none.
  void keep(std::size_t count);

  const VtkhdfIndex& index() const { return index_; }
  const std::filesystem::path& path() const { return path_; }
  // Of a frame, as a frame has them; empty: it does not have this array.
  std::vector<double> values(const VtkhdfArray& array, std::size_t frame) const;
  // Reads all values.
  void check() const;

 private:
  struct Extent {
    std::uint64_t begin = 0, bytes = 0;
  };

  [[noreturn]] void damaged(const std::string& how) const;
  void add(const Frame& frame, int threads, FileDescriptor& file);
  std::uint64_t add_chunks(const Frame& frame, int threads, FileDescriptor& file, VtkhdfIndex& to);
  void commit(VtkhdfIndex next, std::uint64_t end, FileDescriptor& file);
  Extent free_place(std::uint64_t bytes);

  std::filesystem::path path_;
  double seconds_for_readers_;
  VtkhdfIndex index_;
  std::uint64_t end_ = 0;  // behind the values and objects
  Extent objects_;         // of the file as it is
  struct Replaced {
    Extent objects;
    WallClock since{};
  };
  std::deque<Replaced> replaced_;  // the oldest first
};

}  // namespace hodge::sim
