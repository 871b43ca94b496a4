#include "sim/app/checkpoint/seal.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "linalg/base/errors.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/crc32.hpp"
#include "sim/base/input_files.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view first_line = "hodge checkpoint\n";
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

struct Seal {
  int format = 0;
  std::uint64_t bytes = 0;
  FilePart table;
  std::string digest;
};

std::string text_of(const Seal& seal) {
  std::string text =
      fmt::format("{}format {}\nbytes {}\ncontents {} {}\nblake2b {}\n", first_line, seal.format,
                  seal.bytes, seal.table.begin, seal.table.bytes, seal.digest);
  text += fmt::format("seal {:08x}\n", crc32(text));
  text.resize(seal_bytes - 1, ' ');
  return text + "\n";
}

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& how) {
  throw IoError(fmt::format("the checkpoint {} is damaged: {}", path.string(), how));
}

// Every format has its number in the same place.
void require_format(const std::filesystem::path& path, const std::string& text) {
  int format = 0;
  if (std::sscanf(text.c_str(), "hodge checkpoint\nformat %9d\n", &format) == 1 &&
      format != checkpoint_format)
    throw ConfigError(
        fmt::format("the checkpoint {} has format {}; this hodge reads format {}: restart with the "
                    "hodge that wrote it",
                    path.string(), format, checkpoint_format));
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
  unsigned long long bytes = 0, begin = 0, length = 0;
  std::array<char, 65> digest{};
  const int read =
      std::sscanf(text.c_str(),
                  "hodge checkpoint\nformat %9d\nbytes %19llu\ncontents %19llu %19llu\n"
                  "blake2b %64[0-9a-f]\n",
                  &seal.format, &bytes, &begin, &length, digest.data());
  seal.bytes = bytes;
  seal.table = {begin, length};
  seal.digest = digest.data();
  if (read == 5 && text == text_of(seal)) {
    require_format(path, text);
    return seal;
  }
  // Another format has other lines; their own CRC-32 tells them from damaged ones.
  const std::size_t last = text.find("\nseal ");
  unsigned int sum = 0;
  if (last != std::string::npos && std::sscanf(text.c_str() + last, "\nseal %8x\n", &sum) == 1 &&
      sum == crc32(std::string_view(text).substr(0, last + 1)))
    require_format(path, text);
  damaged(path, "its first lines have changed");
}

DigestOfBytes digest_behind_seal(FileDescriptor& file) {
  file.seek(seal_bytes);
  return digest_of_rest(file);
}

}  // namespace

std::string seal_text(int format, std::string_view contents, const FilePart& table) {
  return text_of({format, contents.size(), table, blake2b(contents)});
}

std::string seal_of(const std::filesystem::path& path, FileDescriptor& file,
                    const FilePart& table) {
  const auto [bytes, digest] = digest_behind_seal(file);
  if (table.begin + table.bytes > bytes + seal_bytes)
    throw IoError(fmt::format("the checkpoint {} was cut while it was written", path.string()));
  return text_of({checkpoint_format, bytes, table, digest});
}

FilePart check_seal(const std::filesystem::path& path, FileDescriptor& file) {
  const Seal seal = read_seal(path, file.read(seal_bytes + hdf5_signature.size()));
  const auto [bytes, found] = digest_behind_seal(file);
  if (bytes != seal.bytes)
    damaged(path, fmt::format("it has {} bytes, {} were written", bytes + seal_bytes,
                              seal.bytes + seal_bytes));
  if (found != seal.digest)
    damaged(path, fmt::format("its bytes have changed (BLAKE2b {}..., written was {}...)",
                              found.substr(0, 16), seal.digest.substr(0, 16)));
  const std::uint64_t end = bytes + seal_bytes;
  if (seal.table.begin > end || seal.table.bytes > end - seal.table.begin)
    damaged(path, "its table of contents is said to lie outside of the file");
  return seal.table;
}

std::string digest_in_seal(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  return read_seal(path, file.read(seal_bytes + hdf5_signature.size())).digest;
}

void check_seal(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  (void)check_seal(path, file);
}

}  // namespace hodge::sim
