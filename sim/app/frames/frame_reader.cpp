#include "sim/app/frames/frame_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/frames/grid_parts.hpp"
#include "sim/app/frames/one_file_frame.hpp"
#include "sim/app/output/frame_seal.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

// The file of a piece, which is there.
fs::path source_of(const FrameHeader& header, const XmlElement& piece, const fs::path& list) {
  const std::string* const source = piece.find("Source");
  if (source == nullptr) refuse_xml(header.path, piece, "a Piece has no Source");
  fs::path path = list.parent_path() / *source;
  if (!is_a_file(path))
    throw ConfigError(
        fmt::format("{} is missing, a piece of {}", one_line(path.string()), header.path));
  return path;
}

// One file is a frame of its own or a piece of one.
class FrameReader {
 public:
  FrameReader(const fs::path& path, const WantsArray& wants, const TakeValues& take)
      : path_(path), wants_(wants), take_(take) {}

  FrameContent read() {
    FrameHeader header(path_);
    check_frame_seal(header.path, header.file);
    if (header.grid().name.starts_with('P')) return read_pieces(header);
    return read_file({std::move(header), wants_});
  }

 private:
  FrameContent read_file(FrameFile file) {
    content_.time = file.time();
    content_.arrays = types_of(file.parts().front());
    for (const FrameFile::Part& part : file.parts()) require_types(file, part);
    if (content_.arrays.empty()) return content_;
    Cover cover(file.header(), file.whole_extent(), false);
    for (const FrameFile::Part& part : file.parts()) cover.count(part.extent);
    cover.check_count();
    for (const FrameFile::Part& part : file.parts()) cover.take(part.extent);
    cover.check_all();
    Edges edges(file.header(), file.whole_extent());
    if (file.uniform_grid()) edges.take(*file.uniform_grid());
    for (FrameFile::Part& part : file.parts()) edges.take(part);
    content_.edges = edges.finish();
    take_values(file, file.whole_extent());
    return content_;
  }

  FrameContent read_pieces(const FrameHeader& header) {
    read_list(header);
    const XmlElement& grid = header.grid();
    const Extent whole = extent_of(header, grid, "WholeExtent");
    const bool has_ghosts = grid.find("GhostLevel") != nullptr && *grid.find("GhostLevel") != "0";
    Cover cover(header, whole, has_ghosts);
    for (const Piece& piece : pieces_) check_piece(header, piece, cover);
    if (content_.arrays.empty()) return content_;
    cover.check_count();
    for (const Piece& piece : pieces_) cover.take(piece.extent);
    cover.check_all();
    Edges edges(header, whole);
    if (const auto uniform = uniform_grid_of(header)) edges.take(*uniform);
    for (const Piece& piece : pieces_) {
      FrameFile file(FrameHeader(piece.path), wants_);
      for (FrameFile::Part& part : file.parts()) edges.take(part);
      take_values(file, whole);
    }
    content_.edges = edges.finish();
    return content_;
  }

  struct Piece {
    fs::path path;
    Extent extent{};
  };

  // The arrays and the pieces.
  void read_list(const FrameHeader& header) {
    const XmlElement& grid = header.grid();
    if (const XmlElement* const cells = grid.child("PCellData"))
      for (const XmlElement& array : cells->children)
        if (const StoredType type = stored_type(header.path, array);
            array.name == "PDataArray" && wants_(type))
          content_.arrays.insert(type);
    for (const XmlElement& child : grid.children)
      if (child.name == "Piece")
        pieces_.push_back({source_of(header, child, path_), extent_of(header, child, "Extent")});
    if (pieces_.empty()) refuse_xml(header.path, grid, "it lists no pieces");
  }

  void check_piece(const FrameHeader& header, const Piece& piece, Cover& cover) {
    FrameHeader of_file(piece.path);
    check_frame_seal(of_file.path, of_file.file);
    FrameFile file(std::move(of_file), wants_);
    check_grid(header, file);
    Cover of_piece(file.header(), piece.extent, false);
    for (const FrameFile::Part& part : file.parts()) {
      require_types(file, part);
      for (int e = 0; e < 3; ++e)
        if (part.extent[2 * e] < piece.extent[2 * e] ||
            part.extent[2 * e + 1] > piece.extent[2 * e + 1])
          is_no_piece(header, file,
                      fmt::format("it has the extent {}, not {}", extent_text(part.extent),
                                  extent_text(piece.extent)));
      of_piece.count(part.extent);
    }
    if (!content_.arrays.empty()) {
      of_piece.check_count();
      for (const FrameFile::Part& part : file.parts()) of_piece.take(part.extent);
      of_piece.check_all();
    }
    cover.count(piece.extent);
    if (&piece == &pieces_.front()) content_.time = file.time();
    if (file.time() != content_.time)
      is_no_piece(header, file,
                  fmt::format("it has {}, those before it {}", time_text(file.time()),
                              time_text(content_.time)));
  }

  // The piece has the same kind of grid, and the same origin and spacing.
  void check_grid(const FrameHeader& header, const FrameFile& file) const {
    const std::optional<UniformGrid> uniform = uniform_grid_of(header);
    if (uniform.has_value() != file.uniform_grid().has_value())
      is_no_piece(header, file, fmt::format("it is {}", file.header().grid().name));
    if (!uniform) return;
    constexpr double round_off = 1e-9;  // of a cell
    for (int e = 0; e < 3; ++e) {
      const double size = std::abs(uniform->spacing[e]);
      if (std::abs(uniform->origin[e] - file.uniform_grid()->origin[e]) > round_off * size ||
          std::abs(uniform->spacing[e] - file.uniform_grid()->spacing[e]) > round_off * size)
        is_no_piece(header, file, "it has another origin or spacing");
    }
  }

  [[noreturn]] static void is_no_piece(const FrameHeader& header, const FrameFile& file,
                                       const std::string& why) {
    throw ConfigError(
        fmt::format("{} is no piece of {}: {}", file.header().path, header.path, why));
  }

  static std::string time_text(const std::optional<double>& time) {
    return time ? fmt::format("t = {}", *time) : "no time";
  }

  static std::set<StoredType> types_of(const FrameFile::Part& part) {
    std::set<StoredType> types;
    for (const StoredArray& array : part.cells) types.insert(array.type());
    return types;
  }

  // All parts have the same arrays.
  void require_types(const FrameFile& file, const FrameFile::Part& part) const {
    const std::set<StoredType> types = types_of(part);
    for (const StoredType& wanted : content_.arrays)
      if (!types.contains(wanted))
        throw ConfigError(fmt::format("{} has not the array {} ({} x {}) in all of its cells",
                                      file.header().path, quote(wanted.name), wanted.components,
                                      one_line(wanted.type)));
  }

  void take_values(FrameFile& file, const Extent& whole) const {
    for (FrameFile::Part& part : file.parts())
      for (StoredArray& array : part.cells)
        if (content_.arrays.contains(array.type()))
          take_(array.type(), whole, part.extent, array.values());
  }

  const fs::path& path_;
  const WantsArray& wants_;
  const TakeValues& take_;
  std::vector<Piece> pieces_;
  FrameContent content_;
};

}  // namespace

FrameContent read_frame(const fs::path& path, const WantsArray& wants, const TakeValues& take,
                        std::optional<std::size_t> number) {
  if (has_all_frames(path)) return read_frame_of_one_file(path, wants, take, number);
  return FrameReader(path, wants, take).read();
}

std::vector<fs::path> pieces_of_frame(const fs::path& path) {
  const FrameHeader header(path);
  std::vector<fs::path> pieces;
  for (const XmlElement& child : header.grid().children)
    if (child.name == "Piece" && header.grid().name.starts_with('P'))
      pieces.push_back(source_of(header, child, path));
  return pieces;
}

std::optional<double> check_frame(const fs::path& path) {
  if (has_all_frames(path)) {
    VtkhdfFile file(path);
    file.read();
    file.check();
  }
  return read_frame(
             path, [](const StoredType&) { return true; },
             [](const StoredType&, const Extent&, const Extent&, const std::vector<double>&) {})
      .time;
}

}  // namespace hodge::sim
