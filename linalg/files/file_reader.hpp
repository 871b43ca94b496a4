// Reads a file from its beginning to its end, piece by piece, and unpacks it on the way if it is
// compressed with gzip (RFC 1952; recognised by the first two bytes, not by the file's name).
//
// Errors: IoError with the path and the reason if the file cannot be read, if its compressed data
// is damaged or ends too soon, or if it is compressed and this build has no zlib (HODGE_HAS_ZLIB is
// 0).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "linalg/files/file_descriptor.hpp"

namespace hodge {

class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path);
  ~FileReader();

  // Fewer bytes than `most` only at the end. Returns how many.
  std::size_t read(char* to, std::size_t most);

  // On the disk: packed where the file is. 0 for a pipe.
  std::size_t bytes_on_disk() const { return static_cast<std::size_t>(file_.bytes_on_disk()); }

 private:
  class Unpacking;

  std::filesystem::path path_;
  FileDescriptor file_;
  std::string start_;                     // bytes that were read to see what the file is
  std::unique_ptr<Unpacking> unpacking_;  // null: the file is not compressed
};

}  // namespace hodge
