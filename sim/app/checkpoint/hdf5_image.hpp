// Makes the HDF5 file of a checkpoint; nothing else includes HDF5's own header.
//
// It is made in memory and handed out as bytes: hodge writes them to the disk itself, so HDF5 never
// has to handle a full disk. Every dataset has the attribute crc32 of its bytes (little endian).
// hodge reads its checkpoints without HDF5 (contents.hpp).
//
// Errors: IoError with the name of the dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/app/checkpoint/contents.hpp"

namespace hodge::sim {

// Owns an identifier of HDF5 and closes it.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) (void)close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  std::int64_t id() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  std::int64_t id_;
  Close close_;
};

// A file that is being made.
class Hdf5Image {
 public:
  // `user_block`: bytes before HDF5's own, 0 or a power of 2 from 512.
  explicit Hdf5Image(std::size_t user_block);

  // Names are paths; their groups are made on the way.
  CheckpointPart write(const std::string& name, std::span<const double> values);
  CheckpointPart write(const std::string& name, long value);
  CheckpointPart write(const std::string& name, double value);
  CheckpointPart write(const std::string& name, const std::string& text);

  // The whole file, the user block first. Valid while this lives and nothing more is written.
  std::span<char> bytes();

 private:
  std::size_t user_block_;
  Hdf5Handle access_, file_;
};

}  // namespace hodge::sim
