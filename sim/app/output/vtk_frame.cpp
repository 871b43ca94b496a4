#include "sim/app/output/vtk_frame.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/block_packer.hpp"

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
  long long offset = 0;                // of the sizes in the appended data

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
  StoredFrame(const Grid& grid, const Frame& frame);

  const Grid& grid;
  std::array<double, 1> time;
  std::array<std::int64_t, 1> step;
  std::array<std::vector<double>, 3> edges;
  Section about, cells, coordinates;  // the last on stretched grids alone
  std::array<Section*, 3> sections() { return {&about, &cells, &coordinates}; }
};

void check_size(const Grid& grid, const FrameArray& array) {
  const std::size_t wanted =
      static_cast<std::size_t>(array.components) * static_cast<std::size_t>(grid.cell_count());
  if (array.count != wanted)
    throw ShapeError(fmt::format("frame array {} has {} values, its grid wants {}", array.name,
                                 array.count, wanted));
}

StoredFrame::StoredFrame(const Grid& of_grid, const Frame& frame)
    : grid(of_grid),
      time{frame.time},
      step{frame.step},
      about{"FieldData", {}},
      cells{"CellData", {}},
      coordinates{"Coordinates", {}} {
  about.arrays.emplace_back(R"(type="Float64" Name="TimeValue" NumberOfTuples="1")",
                            bytes_of(time));
  about.arrays.emplace_back(R"(type="Int64" Name="StepNumber" NumberOfTuples="1")", bytes_of(step));
  for (const FrameArray& array : frame.arrays) {
    check_size(grid, array);
    cells.arrays.emplace_back(fmt::format(R"(type="Float{}" Name="{}" NumberOfComponents="{}")",
                                          8 * array.value_bytes(), array.name, array.components),
                              array.bytes());
  }
  if (grid.uniform()) return;
  for (int d = 0; d < 3; ++d) {
    edges[d] = d < grid.dim() ? grid.edges(d) : std::vector<double>{0.0};
    coordinates.arrays.emplace_back(fmt::format(R"(type="Float64" Name="{}")", "xyz"[d]),
                                    bytes_of(edges[d]));
  }
}

std::string arrays_text(const Section& section) {
  std::string text = fmt::format("    <{}>\n", section.name);
  for (const StoredArray& array : section.arrays)  // as long whatever the offset is
    text += fmt::format("      <DataArray {} format=\"appended\" offset={:<22}/>\n",
                        array.attributes, fmt::format("\"{}\"", array.offset));
  return text + fmt::format("    </{}>\n", section.name);
}

std::string grid_attributes(const Grid& grid, const std::string& extent) {
  std::string text = fmt::format("WholeExtent=\"{}\"", extent);
  if (!grid.uniform()) return text;
  std::array<double, 3> origin{0, 0, 0}, spacing{1, 1, 1};
  for (int d = 0; d < grid.dim(); ++d) {
    origin[d] = grid.axis(d).lower();
    spacing[d] = grid.axis(d).length() / grid.cells(d);
  }
  return text + fmt::format(" Origin=\"{}\" Spacing=\"{}\"", fmt::join(origin, " "),
                            fmt::join(spacing, " "));
}

std::string header_text(const StoredFrame& frame) {
  const Grid& grid = frame.grid;
  const bool uniform = grid.uniform();
  const char* const type = uniform ? "ImageData" : "RectilinearGrid";
  std::array<int, 3> cells{0, 0, 0};
  for (int d = 0; d < grid.dim(); ++d) cells[d] = grid.cells(d);
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", cells[0], cells[1], cells[2]);
  const bool little = std::endian::native == std::endian::little;
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\" "
      "compressor=\"vtkLZ4DataCompressor\">\n"
      "  <{} {}>\n{}    <Piece Extent=\"{}\">\n{}{}    </Piece>\n  </{}>\n{}",
      type, little ? "LittleEndian" : "BigEndian", type, grid_attributes(grid, extent),
      arrays_text(frame.about), extent, arrays_text(frame.cells),
      uniform ? "" : arrays_text(frame.coordinates), type, appended_data_begin);
}

// Writes header, sizes and blocks, with room for what is known at the end only.
class FrameFile {
 public:
  FrameFile(const std::filesystem::path& path, const std::filesystem::path& temporary)
      : file_(temporary, O_WRONLY | O_TRUNC, path) {}

  void write(StoredFrame& frame, int threads) {
    file_.write(header_text(frame));
    data_ = file_.size();
    std::vector<std::pair<StoredArray*, std::size_t>> owners;  // of a block: array and number
    std::vector<std::string_view> blocks;
    for (Section* const section : frame.sections())
      for (StoredArray& array : section->arrays)
        for (std::size_t at = 0; at < array.values.size(); at += block_bytes) {
          owners.emplace_back(&array, at / block_bytes);
          blocks.push_back(array.values.substr(at, block_bytes));
        }
    pack_blocks(blocks, threads, [&](std::size_t i, std::string_view packed) {
      const auto [array, block] = owners[i];
      if (block == 0) begin(*array);
      array->sizes[3 + block] = packed.size();
      file_.write(packed);
    });
    file_.write(appended_data_end);
    fill_in(frame);
    file_.close();
  }

 private:
  void begin(StoredArray& array) {
    array.offset = file_.size() - data_;
    file_.write(bytes_of(array.sizes));
  }

  void fill_in(StoredFrame& frame) {
    for (Section* const section : frame.sections())
      for (const StoredArray& array : section->arrays) {
        file_.seek(data_ + array.offset);
        file_.write(bytes_of(array.sizes));
      }
    file_.seek(0);
    file_.write(header_text(frame));
  }

  FileDescriptor file_;
  long long data_ = 0;  // where the appended data begin
};

}  // namespace

std::string_view frame_extension(const Grid& grid) {
  return grid.uniform() ? ".vti" : ".vtr";
}

void write_frame(const std::filesystem::path& path, const Grid& grid, const Frame& frame,
                 int threads) {
  StoredFrame stored(grid, frame);
  write_file_atomically(path, [&](const std::filesystem::path& temporary) {
    FrameFile(path, temporary).write(stored, threads);
  });
}

}  // namespace hodge::sim
