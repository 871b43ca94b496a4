// A binary file has 80 bytes of any content, the number of triangles, and 50 bytes for each of
// them: the normal, three corners, an unused number of 16 bits; little endian. Its length follows
// from the number, which is how it is recognised. A text begins with `solid`; in both, coordinates
// are single precision.

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/file_reader.hpp"
#include "linalg/files/text_lines.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t head_bytes = 84, triangle_bytes = 50;

using Corner = std::array<float, 3>;

ConfigError no_surface(const std::string& file, const std::string& why) {
  return ConfigError(
      fmt::format("{} holds no surface: {}; an STL file is expected", one_line(file), why));
}

// Collects triangles; corners with the very same coordinates are one point.
class Collector {
 public:
  explicit Collector(const std::string& file) : file_(file) {}

  void add(const std::array<Corner, 3>& corners) {
    std::array<int, 3> triangle;
    for (std::size_t i = 0; i < 3; ++i) triangle[i] = number_of(corners[i]);
    const auto [a, b, c] = triangle;
    if (a != b && b != c && c != a) surface_.triangles.push_back(triangle);
  }
  Surface take() {
    if (surface_.triangles.empty()) throw no_surface(file_, "it has no triangles");
    return std::move(surface_);
  }

 private:
  struct Hash {
    std::size_t operator()(const Corner& corner) const {
      std::uint64_t bits = 0;
      for (const float x : corner) {
        std::uint32_t word = 0;
        std::memcpy(&word, &x, sizeof word);
        bits = (bits ^ word) * 0x9e3779b97f4a7c15;
        bits ^= bits >> 29;
      }
      return bits;
    }
  };

  int number_of(Corner corner) {
    for (float& x : corner) {
      if (!std::isfinite(x)) throw no_surface(file_, "a coordinate is not a number");
      x += 0.0F;  // -0 is 0
    }
    const auto [known, is_new] = numbers_.emplace(corner, static_cast<int>(numbers_.size()));
    if (is_new) surface_.points.push_back({corner[0], corner[1], corner[2]});
    return known->second;
  }

  const std::string& file_;
  Surface surface_;
  std::unordered_map<Corner, int, Hash> numbers_;
};

Surface read_binary(FileReader& reader, const std::string& file) {
  Collector collected(file);
  std::array<char, triangle_bytes> bytes;
  while (reader.read(bytes.data(), bytes.size()) == bytes.size()) {
    std::array<Corner, 3> corners;
    std::memcpy(corners.data(), bytes.data() + sizeof(Corner), sizeof corners);
    collected.add(corners);
  }
  return collected.take();
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

Corner read_corner(TextLines& lines, const std::string& file) {
  Corner corner;
  for (float& x : corner) {
    std::string_view word = lines.word();
    if (word.starts_with('+')) word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    auto [rest, error] = std::from_chars(word.data(), end, x);
    if (error == std::errc::result_out_of_range) {
      double wide = 0;  // tells what is too small, and becomes 0, from what is too large
      error = std::from_chars(word.data(), end, wide).ec;
      if (error == std::errc()) x = static_cast<float>(wide);
    }
    if (word.empty() || rest != end || error != std::errc())
      throw no_surface(
          file, fmt::format("line {} has no three numbers behind vertex", lines.line_number()));
  }
  return corner;
}

Surface read_text(const std::string& file) {
  Collector collected(file);
  TextLines lines{std::filesystem::path(file)};
  std::array<Corner, 3> corners;
  std::size_t found = 0;
  bool inside = false;  // a facet
  const auto damaged = [&] {
    return no_surface(file, fmt::format("line {} is {}", lines.line_number(), quote(lines.line())));
  };
  while (lines.next()) {
    const std::string word = lower_case(lines.word());
    if (word == "vertex") {
      if (!inside || found == corners.size()) throw damaged();
      corners[found++] = read_corner(lines, file);
    } else if (word == "facet") {
      if (std::exchange(inside, true)) throw damaged();
      found = 0;
    } else if (word == "endfacet") {
      if (!std::exchange(inside, false) || found != corners.size()) throw damaged();
      collected.add(corners);
    } else if (word == "solid" || word == "endsolid") {
      if (inside) throw damaged();
    } else if (!word.empty() && word != "outer" && word != "endloop") {
      throw damaged();
    }
  }
  if (inside) throw no_surface(file, "it ends within a triangle");
  return collected.take();
}

// The configuration names a wrong one; errors of the disk come later.
void refuse_what_is_no_file(const std::string& file) {
  const auto refuse = [&](const char* why) {
    throw ConfigError(fmt::format("cannot read {}: {}, expected an STL file", one_line(file), why));
  };
  if (faccessat(AT_FDCWD, file.c_str(), R_OK, AT_EACCESS) != 0) refuse(std::strerror(errno));
  if (!is_a_file(file)) refuse("it is not a file");
}

}  // namespace

Surface read_stl(const std::string& file) {
  refuse_what_is_no_file(file);
  FileReader reader{std::filesystem::path(file)};
  const std::size_t bytes = reader.bytes_on_disk();
  if (bytes == 0) throw no_surface(file, "it is empty");
  std::string head(head_bytes, ' ');
  head.resize(reader.read(head.data(), head.size()));
  std::uint32_t triangles = 0;
  if (head.size() == head_bytes) {
    std::memcpy(&triangles, head.data() + head_bytes - sizeof triangles, sizeof triangles);
    if (bytes == head_bytes + triangle_bytes * triangles) return read_binary(reader, file);
  }
  const std::size_t begin = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  if (lower_case(std::string_view(head).substr(begin, 5)) == "solid") return read_text(file);
  if (head.size() < head_bytes) throw no_surface(file, "it does not begin with 'solid'");
  throw no_surface(file, fmt::format("it has {} bytes, and {} triangles in binary have {}", bytes,
                                     triangles, head_bytes + triangle_bytes * triangles));
}

}  // namespace hodge::sim
