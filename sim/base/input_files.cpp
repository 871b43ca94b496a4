#include "sim/base/input_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t bytes_at_once = 1 << 20;
constexpr std::size_t digits_of_digest = 64;
constexpr std::string_view between = "  ";

}  // namespace

DigestOfBytes digest_of_rest(FileDescriptor& file) {
  std::uint64_t bytes = 0;
  Blake2b digest;
  const auto room =
      std::min<std::size_t>(bytes_at_once, static_cast<std::size_t>(file.bytes_on_disk()));
  std::string part(room, '\0');
  while (const std::size_t count = file.read_into(part.data(), part.size())) {
    bytes += count;
    digest.add({part.data(), count});
  }
  return {bytes, digest.digest()};
}

std::string digest_of_file(const std::filesystem::path& path) {
  const std::filesystem::file_status status = status_of(path);
  if (!std::filesystem::is_regular_file(status))
    throw ConfigError(
        fmt::format("cannot read {}: {}", one_line(path.string()),
                    std::filesystem::exists(status) ? "it is not a file" : std::strerror(ENOENT)));
  FileDescriptor file(path, O_RDONLY);
  return digest_of_rest(file).digest;
}

std::string inputs_text(const InputFiles& files) {
  std::string text;
  for (const InputFile& input : files)
    text += fmt::format("{}{}{}\n", input.digest, between, one_line(input.file));
  return text;
}

InputFiles inputs_from_text(const std::string& text) {
  InputFiles files;
  constexpr std::size_t name = digits_of_digest + between.size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    if (end == std::string::npos || line.find(between) != digits_of_digest || line.size() <= name)
      throw IoError(fmt::format("\"{}\" is no checksum", line));
    files.push_back({line.substr(name), line.substr(0, digits_of_digest)});
    at = end + 1;
  }
  return files;
}

std::optional<std::string> changed_file(const InputFiles& before, const InputFiles& now) {
  for (const InputFile& input : now)
    for (const InputFile& known : before)
      if (known.file == one_line(input.file) && known.digest != input.digest) return known.file;
  return std::nullopt;
}

std::optional<std::string> new_file(const InputFiles& before, const InputFiles& now) {
  for (const InputFile& input : now)
    if (std::ranges::count(before, input.digest, &InputFile::digest) == 0)
      return one_line(input.file);
  return std::nullopt;
}

std::string with_digests(std::string text, const InputFiles& files) {
  InputFiles longest_first = files;  // a name may begin with another one
  std::ranges::stable_sort(longest_first, std::ranges::greater(),
                           [](const InputFile& input) { return input.file.size(); });
  for (const InputFile& input : longest_first) {
    const std::string name = one_line(input.file);
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;
         at += input.digest.size())
      text.replace(at, name.size(), input.digest);
  }
  return text;
}

}  // namespace hodge::sim
