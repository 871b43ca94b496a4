// A checkpoint: the whole state of a run in one HDF5 file that is written aside, synchronised and
// renamed, and whose every byte is under a checksum.
//
//   bytes 0 .. 511     the seal, by which a file that was cut or changed is detected before it is
//                      used; a user block of HDF5, which other readers skip
//   bytes 512 ..       HDF5: version, config, step, time, and the parts of the state by name, each
//                      with its own attribute crc32
//
// The seal is text with the number of the bytes that follow and their CRC-32:
//
//   hodge checkpoint
//   format 2
//   bytes 123456
//   crc32 89abcdef
//   seal 01234567          CRC-32 of the lines above; then blanks, and a last line end
//
// Errors of reading: IoError for a file that is damaged, ConfigError for one that is no checkpoint
// or of another format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/app/checkpoint/hdf5_image.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

inline constexpr int checkpoint_format = 2;
inline constexpr std::size_t seal_bytes = 512;

std::string seal_text(int format, std::string_view contents);

// Reads the whole file once. Errors: IoError with what is wrong for a damaged file, ConfigError for
// one that is no checkpoint or of a format that this program does not know.
void check_seal(const std::filesystem::path& path);

// The first values of every checkpoint, read before anything is allocated.
struct CheckpointHeader {
  std::string version;  // of the program
  std::string config;   // the resolved configuration, YAML
  long step = 0;
  double time = 0;
};

// Collects a state.
class CheckpointWriter final : public StateVisitor {
 public:
  explicit CheckpointWriter(const CheckpointHeader& header);

  bool restores() const override { return false; }
  void visit_part(const std::string& name, StatePart part) override;

  // Writes what was collected with its seal. Errors: IoError; `path` is then as it was before.
  void save(const std::filesystem::path& path);

 private:
  Hdf5Image image_;
};

// Gives a state back.
class CheckpointReader final : public StateVisitor {
 public:
  // Checks every byte of the file.
  explicit CheckpointReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  const CheckpointHeader& header() const { return header_; }

  bool restores() const override { return true; }
  void visit_part(const std::string& name, StatePart part) override;

 private:
  std::filesystem::path path_;
  Hdf5File file_;
  CheckpointHeader header_;
};

}  // namespace hodge::sim
