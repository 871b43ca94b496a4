#include "sim/app/checkpoint/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

struct KindEntry {
  std::string_view name;
  std::uint64_t value_bytes;
};

// In the order of PartKind.
constexpr std::array<KindEntry, 4> kinds{{{"double", 8}, {"integer", 8}, {"text", 1}, {"list", 8}}};

const KindEntry& entry(PartKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

// What stands before the next blank, which goes too.
std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

template <class Number>
bool read_number(std::string_view word, int base, Number& number) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number, base);
  return error == std::errc() && rest == end;
}

bool fits(const CheckpointPart& part, std::uint64_t file_bytes) {
  if (part.begin > file_bytes) return false;
  return part.count <= (file_bytes - part.begin) / entry(part.kind).value_bytes;
}

bool has_right_count(const CheckpointPart& part) {
  if (part.kind == PartKind::list) return true;
  return part.kind == PartKind::text ? part.count > 0 : part.count == 1;
}

std::optional<CheckpointPart> read_line(std::string_view line, std::uint64_t file_bytes) {
  CheckpointPart part;
  const std::string_view kind = next_word(line);
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const KindEntry& known) { return known.name == kind; });
  if (found == kinds.end()) return std::nullopt;
  part.kind = static_cast<PartKind>(found - kinds.begin());
  if (!read_number(next_word(line), 10, part.count) ||
      !read_number(next_word(line), 10, part.begin) ||
      !read_number(next_word(line), 16, part.crc32))
    return std::nullopt;
  part.name = line;
  if (line.empty() || !has_right_count(part) || !fits(part, file_bytes)) return std::nullopt;
  return part;
}

}  // namespace

std::string_view name_of(PartKind kind) {
  return entry(kind).name;
}

std::uint64_t bytes_of(const CheckpointPart& part) {
  return part.count * entry(part.kind).value_bytes;
}

std::string contents_text(std::span<const CheckpointPart> parts) {
  std::string text;
  for (const CheckpointPart& part : parts)
    text += fmt::format("{} {} {} {:08x} {}\n", name_of(part.kind), part.count, part.begin,
                        part.crc32, part.name);
  return text;
}

CheckpointContents read_contents(std::string_view text, std::uint64_t file_bytes,
                                 const std::filesystem::path& path) {
  CheckpointContents contents;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::optional<CheckpointPart> part = read_line(line, file_bytes);
    std::string name = part ? part->name : std::string();
    if (!part || !contents.emplace(std::move(name), *std::move(part)).second)
      throw IoError(fmt::format("the checkpoint {} cannot be read: its table of contents says {}",
                                path.string(), quote(line)));
  }
  return contents;
}

}  // namespace hodge::sim
