// The HDF5 file of a checkpoint, but for the values of its lists.
//
// HDF5 makes its headers and small values in memory, and says where each list has its place. hodge
// writes all of it to the disk itself: HDF5 never has to handle a full disk, and no list has to be
// in memory as a whole. Every dataset has the attribute crc32 of its bytes (little endian). hodge
// reads its checkpoints without HDF5 (contents.hpp). Of this folder, only the sources of this file
// and of hdf5_driver.hpp include HDF5's own header.
//
// Errors: IoError with the name of the dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/app/checkpoint/contents.hpp"
#include "sim/app/checkpoint/hdf5_handle.hpp"
#include "sim/app/checkpoint/sparse_bytes.hpp"

namespace hodge::sim {

class Hdf5Structure {
 public:
  // `user_block`: bytes before HDF5's own, 0 or a power of 2 from 512.
  explicit Hdf5Structure(std::size_t user_block);

  // Names are paths; their groups are made on the way.
  CheckpointPart write(const std::string& name, long value);
  CheckpointPart write(const std::string& name, double value);
  CheckpointPart write(const std::string& name, const std::string& text);

  // A place for `count` values, which the caller writes; crc32 is not known yet.
  CheckpointPart place_list(const std::string& name, std::uint64_t count);
  // Stores part.crc32 beside the list.
  void seal_list(const CheckpointPart& part);

  // Once everything is there: all that was written, in pages whose unwritten bytes are zeros, also
  // those of lists. Returns the bytes of the whole file.
  using TakePage = std::function<void(std::uint64_t begin, std::string_view bytes)>;
  std::uint64_t finish(const TakePage& take);

 private:
  SparseBytes bytes_;
  Hdf5Handle access_, file_;
};

}  // namespace hodge::sim
