#include "sim/app/frames/frame_header.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view appended_tag = "AppendedData";

// `count` numbers, separated by blanks.
template <class T>
std::vector<T> numbers_of(const FrameHeader& header, const XmlElement& element, const char* key,
                          std::size_t count) {
  const std::string* const text = element.find(key);
  if (text == nullptr)
    refuse_xml(header.path, element, fmt::format("{} has no {}", quote(element.name), key));
  std::vector<T> numbers;
  std::string_view rest = *text;
  bool good = true;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (rest.empty() || !good) break;
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    T number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    good = error == std::errc() && end == word.data() + word.size() && numbers.size() < count;
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(number);
    numbers.push_back(number);
    rest.remove_prefix(word.size());
  }
  if (!good || numbers.size() != count)
    refuse_xml(header.path, element,
               fmt::format("{}={}, expected {} {}", key, quote(*text), count,
                           std::is_integral_v<T> ? "whole numbers" : "finite numbers"));
  return numbers;
}

// Reads up to the appended data, or all of the file.
std::string start_of(FileDescriptor& file) {
  constexpr std::size_t least = 1 << 16;
  constexpr std::string_view tag = "<AppendedData";
  file.seek(0);
  std::string text = file.read(least);
  if (text.size() < least || text.find("<VTKFile") == std::string::npos) return text;
  for (std::size_t searched = 0;;) {
    const std::size_t found = text.find(tag, searched);
    const bool whole = found != std::string::npos && text.find('_', found) != std::string::npos;
    if (whole) return text;
    searched = found == std::string::npos ? text.size() - tag.size() : found;
    const std::size_t before = text.size();
    text += file.read(before);
    if (text.size() == before) return text;
  }
}

// An attribute that has one of two values.
bool is_second(const FrameHeader& header, const char* key, const char* first, const char* second) {
  const std::string* const text = header.root.find(key);
  if (text == nullptr || *text == first) return false;
  if (*text != second)
    refuse_xml(header.path, header.root,
               fmt::format("{}={}, expected {} or {}", key, quote(*text), first, second));
  return true;
}

// Where the appended data lie: between _ and the tags that end the file.
void find_appended(FrameHeader& header, const XmlElement& element) {
  FrameFormat& format = header.format;
  const std::size_t mark = element.text.find_first_not_of(blanks);
  if (mark == std::string_view::npos || element.text[mark] != '_')
    refuse_xml(header.path, element, "expected _ and data behind AppendedData");
  const std::string* const encoding = element.find("encoding");
  const bool declared = header.text.find(appended_data_declaration) != std::string::npos;
  const std::string how = encoding != nullptr ? *encoding : declared ? "raw" : "base64";
  if (how != "raw" && how != "base64")
    refuse_xml(header.path, element,
               fmt::format("encoding={}, expected raw or base64", quote(how)));
  format.appended_is_base64 = how == "base64";
  const auto begin = static_cast<std::size_t>(element.text.data() - header.text.data()) + mark + 1;

  constexpr std::size_t longest_end = 256;
  const auto size = static_cast<std::size_t>(header.file.bytes_on_disk());
  std::size_t end = std::max(begin, size < longest_end ? 0 : size - longest_end);
  header.file.seek(static_cast<long long>(end));
  std::string_view last;
  const std::string tail = header.file.read(longest_end);
  last = tail;
  for (const std::string_view tag : {"</VTKFile>", "</AppendedData>"}) {
    last = last.substr(0, last.find_last_not_of(blanks) + 1);
    if (!last.ends_with(tag))
      throw ConfigError(fmt::format("{} is cut off: it does not end with {}", header.path, tag));
    last.remove_suffix(tag.size());
  }
  format.appended_begin = begin;
  format.appended_bytes = end + last.size() - begin;
}

}  // namespace

std::uint64_t cells_of(const Extent& extent) {
  std::uint64_t cells = 1;
  for (int e = 0; e < 3; ++e) {
    const auto steps = static_cast<std::uint64_t>(std::int64_t{extent[2 * e + 1]} - extent[2 * e]);
    if (__builtin_mul_overflow(cells, std::max<std::uint64_t>(1, steps), &cells)) return 0;
  }
  return cells;
}

std::string extent_text(const Extent& extent) {
  return fmt::format("{}", fmt::join(extent, " "));
}

FrameHeader::FrameHeader(const std::filesystem::path& at)
    : path(one_line(at.string())), file(at, O_RDONLY), text(start_of(file)) {
  root = read_xml(text, path, appended_tag);
  if (root.name != "VTKFile")
    refuse_xml(path, root, fmt::format("{}, expected VTKFile", quote(root.name)));
  format.is_big_endian = is_second(*this, "byte_order", "LittleEndian", "BigEndian");
  format.word_bytes = is_second(*this, "header_type", "UInt32", "UInt64") ? 8 : 4;
  if (const std::string* const name = root.find("compressor")) format.compressor = *name;
  check_compressor(path, root, format.compressor);
  if (const XmlElement* const appended = root.child(appended_tag)) find_appended(*this, *appended);
}

const XmlElement& FrameHeader::grid() const {
  const std::string* const type = root.find("type");
  const std::vector<std::string> known{"ImageData", "RectilinearGrid", "PImageData",
                                       "PRectilinearGrid"};
  if (type == nullptr || std::ranges::count(known, *type) == 0)
    refuse_xml(path, root,
               fmt::format("type={}, expected one of {}", quote(type ? *type : ""), join(known)));
  const XmlElement* const grid = root.child(*type);
  if (grid == nullptr) refuse_xml(path, root, fmt::format("VTKFile has no {}", *type));
  return *grid;
}

Extent extent_of(const FrameHeader& header, const XmlElement& element, const char* key) {
  const std::vector<int> numbers = numbers_of<int>(header, element, key, 6);
  Extent extent{};
  std::ranges::copy(numbers, extent.begin());
  for (int e = 0; e < 3; ++e)
    if (extent[2 * e] > extent[2 * e + 1] || cells_of(extent) == 0)
      refuse_xml(header.path, element,
                 fmt::format("{}={} is no box of points", key, quote(extent_text(extent))));
  return extent;
}

std::optional<UniformGrid> uniform_grid_of(const FrameHeader& header) {
  const XmlElement& grid = header.grid();
  if (!grid.name.ends_with("ImageData")) return std::nullopt;
  UniformGrid uniform;
  if (grid.find("Origin") != nullptr)
    std::ranges::copy(numbers_of<double>(header, grid, "Origin", 3), uniform.origin.begin());
  if (grid.find("Spacing") != nullptr)
    std::ranges::copy(numbers_of<double>(header, grid, "Spacing", 3), uniform.spacing.begin());
  if (grid.find("Direction") != nullptr && numbers_of<double>(header, grid, "Direction", 9) !=
                                               std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1})
    refuse_xml(header.path, grid, "Direction turns the axes, expected 1 0 0 0 1 0 0 0 1");
  return uniform;
}

}  // namespace hodge::sim
