#include "sim/app/verify/piece_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/verify/frame_check.hpp"

namespace hodge::sim {
namespace {

using Extent = std::array<int, 6>;

[[noreturn]] void is_no_piece(const std::filesystem::path& piece,
                              const std::filesystem::path& frame, const std::string& why) {
  throw IoError(fmt::format("{} is no piece of {}: {}", piece.string(), frame.string(), why));
}

std::string text_of(const Extent& extent) {
  return fmt::format("{}", fmt::join(extent, " "));
}

std::string text_of(const std::vector<FrameArrayType>& arrays) {
  std::string text;
  for (const FrameArrayType& array : arrays)
    text += fmt::format("{}{} ({} x {} bytes)", text.empty() ? "" : ", ", array.name,
                        array.components, array.value_bytes());
  return text;
}

FrameContent check_piece(const IndexedPiece& piece, const FrameIndex& index,
                         const std::filesystem::path& frame) {
  std::error_code ignored;
  if (!std::filesystem::exists(piece.path, ignored))
    throw IoError(fmt::format("{} is missing, a piece of {}", piece.path.string(), frame.string()));
  FrameContent content = check_frame_file(piece.path);
  if (text_of(content.extent) != piece.extent)
    is_no_piece(piece.path, frame,
                fmt::format("it has the extent {}, not {}", text_of(content.extent), piece.extent));
  if (text_of(content.arrays) != text_of(index.arrays))
    is_no_piece(piece.path, frame,
                fmt::format("it has {}, not {}", text_of(content.arrays), text_of(index.arrays)));
  return content;
}

// Joins extents that follow each other along the axis where they differ.
void append(Extent& whole, const Extent& next, const std::filesystem::path& frame) {
  for (std::size_t d = 3; d-- > 0;) {
    if (next[2 * d] != whole[2 * d + 1] || whole[2 * d + 1] == 0) continue;
    whole[2 * d + 1] = next[2 * d + 1];
    return;
  }
  throw IoError(fmt::format("{} is damaged: its pieces leave a gap or overlap", frame.string()));
}

double check_pieces(const std::filesystem::path& frame) {
  const FrameIndex index = read_frame_index(frame);
  std::optional<FrameContent> all;
  for (const IndexedPiece& piece : index.pieces) {
    const FrameContent content = check_piece(piece, index, frame);
    if (!all) {
      all = content;
      continue;
    }
    append(all->extent, content.extent, frame);
    if (content.time != all->time)
      is_no_piece(piece.path, frame,
                  fmt::format("it has t = {}, those before it {}", content.time, all->time));
  }
  if (text_of(all->extent) != index.whole_extent)
    throw IoError(fmt::format("{} is damaged: its pieces have the extent {}, and it says {}",
                              frame.string(), text_of(all->extent), index.whole_extent));
  return all->time;
}

}  // namespace

double check_frame(const std::filesystem::path& path) {
  return is_frame_index(path) ? check_pieces(path) : check_frame_file(path).time;
}

}  // namespace hodge::sim
