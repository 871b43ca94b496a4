// Checkpoints that say what no run writes, with checksums that are right.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/base/crc32.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::test {

class ChangedCheckpoint {
 public:
  explicit ChangedCheckpoint(const std::filesystem::path& path) : bytes_(read_text(path)) {
    unsigned long long begin = 0, length = 0;
    const std::size_t line = bytes_.find("\ncontents ");
    if (std::sscanf(bytes_.c_str() + line, "\ncontents %llu %llu", &begin, &length) != 2)
      throw std::runtime_error("no checkpoint");
    place_ = {begin, length};
    for (const auto& [name, part] : sim::read_contents(table(), bytes_.size(), path))
      parts_.push_back(part);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const sim::CheckpointPart& part : parts_) names.push_back(part.name);
    return names;
  }
  const sim::CheckpointPart& part(const std::string& name) { return find(name); }

  // The first value of a part, or another one.
  template <class Number>
  void set(const std::string& name, Number value, std::uint64_t at = 0) {
    static_assert(sizeof value == 8);
    sim::CheckpointPart& part = find(name);
    std::memcpy(bytes_.data() + part.begin + 8 * at, &value, sizeof value);
    part.crc32 = sim::crc32({bytes_.data() + part.begin, sim::bytes_of(part)});
  }
  // A list with fewer values than it had.
  void shorten(const std::string& name, std::uint64_t count) {
    sim::CheckpointPart& part = find(name);
    part.count = count;
    part.crc32 = sim::crc32({bytes_.data() + part.begin, sim::bytes_of(part)});
  }
  void remove(const std::string& name) {
    std::erase_if(parts_, [&](const sim::CheckpointPart& part) { return part.name == name; });
  }
  // A line of the table of contents as it is written here, instead of that of a part.
  void replace_line(const std::string& name, const std::string& line) {
    remove(name);
    lines_ += line + "\n";
  }
  // The bytes of HDF5 that belong to no value.
  void damage_hdf5() {
    std::vector<bool> is_value(bytes_.size());
    for (const sim::CheckpointPart& part : parts_)
      for (std::uint64_t i = 0; i < sim::bytes_of(part); ++i) is_value[part.begin + i] = true;
    for (std::size_t i = sim::seal_bytes; i < bytes_.size(); ++i)
      if (!is_value[i]) bytes_[i] = static_cast<char>(bytes_[i] ^ 0x5a);
  }

  // With a new table at the end of the file, and the right seal.
  void save(const std::filesystem::path& path) const {
    const std::string table = sim::contents_text(parts_) + lines_;
    const std::string contents = bytes_.substr(sim::seal_bytes) + table;
    write_text(
        path,
        sim::seal_text(sim::checkpoint_format, contents, {bytes_.size(), table.size()}) + contents);
  }

 private:
  std::string table() const { return bytes_.substr(place_.begin, place_.bytes); }
  sim::CheckpointPart& find(const std::string& name) {
    for (sim::CheckpointPart& part : parts_)
      if (part.name == name) return part;
    throw std::runtime_error("no part " + name);
  }

  std::string bytes_, lines_;
  sim::FilePart place_;
  std::vector<sim::CheckpointPart> parts_;
};

}  // namespace hodge::test
