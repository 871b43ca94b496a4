#include "sim/app/output/vtk_frame.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/block_packer.hpp"
#include "sim/app/output/frame_seal.hpp"
#include "sim/base/base64.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t block_bytes = 1 << 18;  // a multiple of every value's

template <class T>
std::string_view bytes_of(const T& values) {
  return {reinterpret_cast<const char*>(std::data(values)),
          std::size(values) * sizeof(*std::data(values))};
}

// An array of the file: a tag in the header, sizes and blocks in the appended data.
struct StoredArray {
  std::string attributes;
  std::string_view values;
  std::vector<std::uint64_t> sizes{};  // what stands before the blocks
  long long offset = 0;                // of the sizes: in the appended data, or inline in the file

  StoredArray(std::string tag_attributes, std::string_view bytes)
      : attributes(std::move(tag_attributes)), values(bytes) {
    const std::size_t blocks = (bytes.size() + block_bytes - 1) / block_bytes;
    sizes = {blocks, block_bytes, bytes.size() % block_bytes};
    sizes.resize(3 + blocks);
  }
};

struct Section {
  std::string name;
  std::vector<StoredArray> arrays;
};

// What a frame is made of, in the order of the file.
struct StoredFrame {
  StoredFrame(const FramePart& part, const Frame& frame);

  const FramePart& part;
  std::array<double, 1> time;
  std::array<std::int64_t, 1> step;
  std::array<std::vector<double>, 3> edges;
  Section about, cells, coordinates;  // the last on stretched grids alone
  std::array<Section*, 3> sections() { return {&about, &cells, &coordinates}; }
};

void check_size(const FramePart& part, const FrameArray& array) {
  const std::size_t wanted =
      static_cast<std::size_t>(array.components) * static_cast<std::size_t>(part.cell_count());
  if (array.count != wanted)
    throw ShapeError(fmt::format("frame array {} has {} values, its grid wants {}", array.name,
                                 array.count, wanted));
}

StoredFrame::StoredFrame(const FramePart& of_part, const Frame& frame)
    : part(of_part),
      time{frame.time},
      step{frame.step},
      about{"FieldData", {}},
      cells{"CellData", {}},
      coordinates{"Coordinates", {}} {
  about.arrays.emplace_back(R"(type="Float64" Name="TimeValue" NumberOfTuples="1")",
                            bytes_of(time));
  about.arrays.emplace_back(R"(type="Int64" Name="StepNumber" NumberOfTuples="1")", bytes_of(step));
  for (const FrameArray& array : frame.arrays) {
    check_size(part, array);
    cells.arrays.emplace_back(array_attributes(array), array.bytes());
  }
  if (part.grid.uniform()) return;
  for (int d = 0; d < 3; ++d) {
    edges[d] = part.edges(d);
    coordinates.arrays.emplace_back(coordinate_attributes(d), bytes_of(edges[d]));
  }
}

// Stands where the data of an array are in line.
constexpr char data_mark = '\0';

std::string array_text(const StoredArray& array, FrameEncoding encoding) {
  if (encoding == FrameEncoding::in_line)
    return fmt::format("      <DataArray {}{}{}{}", array.attributes, inline_data_begin, data_mark,
                       inline_data_end);
  return fmt::format("      <DataArray {} format=\"appended\" offset={:<22}/>\n", array.attributes,
                     fmt::format("\"{}\"", array.offset));  // as long whatever the offset is
}

std::string arrays_text(const Section& section, FrameEncoding encoding) {
  std::string text = fmt::format("    <{}>\n", section.name);
  for (const StoredArray& array : section.arrays) text += array_text(array, encoding);
  return text + fmt::format("    </{}>\n", section.name);
}

// All of the file but the data.
std::string tags_text(const StoredFrame& frame, FrameEncoding encoding) {
  const Grid& grid = frame.part.grid;
  const std::string type(vtk_type(grid));
  const std::string extent = extent_text(frame.part);
  const bool appended = encoding == FrameEncoding::appended;
  return fmt::format("{}  <{} {}>\n{}    <Piece Extent=\"{}\">\n{}{}    </Piece>\n  </{}>\n{}",
                     file_head(type, appended ? appended_data_declaration : ""), type,
                     grid_attributes(grid, extent), arrays_text(frame.about, encoding), extent,
                     arrays_text(frame.cells, encoding),
                     grid.uniform() ? "" : arrays_text(frame.coordinates, encoding), type,
                     appended ? appended_data_begin : "</VTKFile>\n");
}

struct BlockOwner {
  StoredArray* array;
  std::size_t block;  // its number in the array
};

// Calls take(owner, packed) for every block in the order of the file.
template <class Take>
void pack(StoredFrame& frame, int threads, const Take& take) {
  std::vector<BlockOwner> owners;
  std::vector<std::string_view> blocks;
  for (Section* const section : frame.sections())
    for (StoredArray& array : section->arrays)
      for (std::size_t at = 0; at < array.values.size(); at += block_bytes) {
        owners.push_back({&array, at / block_bytes});
        blocks.push_back(array.values.substr(at, block_bytes));
      }
  pack_blocks(blocks, threads, [&](std::size_t i, std::string_view packed) {
    owners[i].array->sizes[3 + owners[i].block] = packed.size();
    take(owners[i], packed);
  });
}

// Header, sizes and blocks; there is room for what is known at the end only.
void write_appended(StoredFrame& frame, int threads, FileDescriptor& file) {
  file.write(tags_text(frame, FrameEncoding::appended));
  const long long data = file.size();
  pack(frame, threads, [&](const BlockOwner& owner, std::string_view packed) {
    if (owner.block == 0) {
      owner.array->offset = file.size() - data;
      file.write(bytes_of(owner.array->sizes));
    }
    file.write(packed);
  });
  file.write(appended_data_end);
  for (Section* const section : frame.sections())
    for (const StoredArray& array : section->arrays) {
      file.seek(data + array.offset);
      file.write(bytes_of(array.sizes));
    }
  file.seek(0);
  file.write(tags_text(frame, FrameEncoding::appended));
}

// Between the tags stand the sizes of an array, filled in at the end, and its blocks as one text.
void write_inline(StoredFrame& frame, int threads, FileDescriptor& file) {
  const std::string tags = tags_text(frame, FrameEncoding::in_line);
  std::string_view rest = tags;
  Base64Encoder text;
  pack(frame, threads, [&](const BlockOwner& owner, std::string_view packed) {
    if (owner.block == 0) {
      const std::size_t mark = rest.find(data_mark);
      file.write(text.finish() + std::string(rest.substr(0, mark)));
      rest.remove_prefix(mark + 1);
      owner.array->offset = file.size();
      file.write(base64(bytes_of(owner.array->sizes)));
    }
    file.write(text.next(packed));
  });
  file.write(text.finish() + std::string(rest));
  for (Section* const section : frame.sections())
    for (const StoredArray& array : section->arrays) {
      file.seek(array.offset);
      file.write(base64(bytes_of(array.sizes)));
    }
}

}  // namespace

FrameEncoding frame_encoding(const std::string& name) {
  return name == "inline" ? FrameEncoding::in_line : FrameEncoding::appended;
}

void write_frame(const std::filesystem::path& path, const FramePart& part, const Frame& frame,
                 int threads, FrameEncoding encoding) {
  StoredFrame stored(part, frame);
  write_file_atomically(path, [&](const std::filesystem::path& temporary) {
    FileDescriptor file(temporary, O_RDWR | O_TRUNC, path);
    (encoding == FrameEncoding::appended ? write_appended : write_inline)(stored, threads, file);
    seal_frame(file);
    file.close();
  });
}

}  // namespace hodge::sim
