// HDF5 files as far as checkpoints need them; nothing else includes HDF5's own header.
//
// A file is made in memory and handed out as bytes: hodge writes them to the disk itself, so HDF5
// never has to handle a full disk. Every dataset has the attribute crc32 of its bytes (little
// endian).
//
// Errors: IoError with the name of the dataset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

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
  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, long value);
  void write(const std::string& name, double value);
  void write(const std::string& name, const std::string& text);

  // The whole file, the user block first. Valid while this lives and nothing more is written.
  std::span<char> bytes();

 private:
  std::size_t user_block_;
  Hdf5Handle access_, file_;
};

// A file on disk, opened for reading. The seal must have been checked before: HDF5 does not detect
// all damage.
class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);

  std::size_t size(const std::string& name) const;  // values of a list
  // Throws IoError where the dataset is missing, has another size or type, or another checksum.
  void read(const std::string& name, std::span<double> values) const;
  void read(const std::string& name, long& value) const;
  void read(const std::string& name, double& value) const;
  void read(const std::string& name, std::string& text) const;

 private:
  std::filesystem::path path_;
  Hdf5Handle file_;
};

// CRC-32 of zlib and PNG (polynomial 0x04c11db7, reflected), continued from `before`.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace hodge::sim
