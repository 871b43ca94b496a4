#include "sim/app/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view first_line = "hodge checkpoint\n";
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

struct Seal {
  int format = 0;
  unsigned long long bytes = 0;
  unsigned int contents = 0;  // CRC-32
};

std::string text_of(const Seal& seal) {
  std::string text = fmt::format("{}format {}\nbytes {}\ncrc32 {:08x}\n", first_line, seal.format,
                                 seal.bytes, seal.contents);
  text += fmt::format("seal {:08x}\n", crc32(text));
  text.resize(seal_bytes - 1, ' ');
  return text + "\n";
}

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& how) {
  throw IoError(fmt::format("the checkpoint {} is damaged: {}", path.string(), how));
}

Seal read_seal(const std::filesystem::path& path, const std::string& start) {
  const std::string text = start.substr(0, seal_bytes);
  const bool looks_right =
      text.starts_with(first_line) || first_line.starts_with(text) ||
      std::string_view(start).substr(std::min(start.size(), seal_bytes)) == hdf5_signature;
  if (!looks_right) throw ConfigError(fmt::format("{} is no checkpoint of hodge", path.string()));
  if (start.size() < seal_bytes)
    damaged(path, fmt::format("it has {} bytes and is cut off in its first lines", start.size()));
  Seal seal;
  const int read = std::sscanf(text.c_str(), "hodge checkpoint\nformat %d\nbytes %llu\ncrc32 %x\n",
                               &seal.format, &seal.bytes, &seal.contents);
  if (read != 3 || text != text_of(seal)) damaged(path, "its first lines have changed");
  return seal;
}

std::string state(const std::string& name) {
  return "state/" + name;
}

template <class Value>
Value& value_of(Value* where) {
  return *where;
}
std::span<double> value_of(std::span<double> where) {
  return where;
}

}  // namespace

std::string seal_text(int format, std::string_view contents) {
  return text_of({format, contents.size(), crc32(contents)});
}

void check_seal(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  const Seal seal = read_seal(path, file.read(seal_bytes + hdf5_signature.size()));
  if (seal.format != checkpoint_format)
    throw ConfigError(
        fmt::format("the checkpoint {} has format {}; this hodge reads format {}: restart with the "
                    "hodge that wrote it",
                    path.string(), seal.format, checkpoint_format));
  constexpr std::size_t piece = 1 << 20;
  file.seek(seal_bytes);
  unsigned long long bytes = 0;
  std::uint32_t sum = 0;
  for (std::string part = file.read(piece); !part.empty(); part = file.read(piece)) {
    bytes += part.size();
    sum = crc32(part, sum);
  }
  if (bytes != seal.bytes)
    damaged(path, fmt::format("it has {} bytes, {} were written", bytes + seal_bytes,
                              seal.bytes + seal_bytes));
  if (sum != seal.contents)
    damaged(path, fmt::format("its bytes have changed (CRC-32 {:08x}, written was {:08x})", sum,
                              seal.contents));
}

CheckpointWriter::CheckpointWriter(const CheckpointHeader& header) : image_(seal_bytes) {
  image_.write("version", header.version);
  image_.write("config", header.config);
  image_.write("step", header.step);
  image_.write("time", header.time);
}

void CheckpointWriter::visit_part(const std::string& name, StatePart part) {
  std::visit([&](auto where) { image_.write(state(name), value_of(where)); }, part);
}

void CheckpointWriter::save(const std::filesystem::path& path) {
  const std::span<char> bytes = image_.bytes();
  const std::string seal =
      seal_text(checkpoint_format, {bytes.data() + seal_bytes, bytes.size() - seal_bytes});
  std::copy(seal.begin(), seal.end(), bytes.begin());
  write_file_atomically(path, std::string_view(bytes.data(), bytes.size()));
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : path_(path), file_((check_seal(path_), path_)) {
  file_.read("version", header_.version);
  file_.read("config", header_.config);
  file_.read("step", header_.step);
  file_.read("time", header_.time);
}

void CheckpointReader::visit_part(const std::string& name, StatePart part) {
  if (auto* const list = std::get_if<std::vector<double>*>(&part))
    (*list)->resize(file_.size(state(name)));
  std::visit([&](auto where) { file_.read(state(name), value_of(where)); }, part);
}

}  // namespace hodge::sim
