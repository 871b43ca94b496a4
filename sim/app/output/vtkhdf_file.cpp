#include "sim/app/output/vtkhdf_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/block_packer.hpp"
#include "sim/base/crc32.hpp"

namespace hodge::sim {
namespace {

using Shape = Hdf5Objects::Shape;

constexpr std::uint64_t most_chunk_bytes = 4 << 20;
constexpr std::string_view index_mark = "hodgeidx";
constexpr std::size_t mark_bytes = 32;  // before the root group: mark, place, bytes and CRC-32

Hdf5Type type_of(const FrameArrayType& array) {
  return array.is_single ? Hdf5Type::float32 : Hdf5Type::float64;
}

template <class T>
std::string bytes_of_all(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// How the values of an array in one frame are cut into chunks: along one axis, the slowest that a
// chunk of 4 MiB has more than a layer of. The chunks lie one behind the other in the frame, too.
struct Chunks {
  Chunks(const std::vector<int>& cells, const FrameArrayType& array) {
    for (auto n = cells.rbegin(); n != cells.rend(); ++n)
      shape.push_back(static_cast<std::uint64_t>(*n));
    if (array.components > 1) shape.push_back(static_cast<std::uint64_t>(array.components));
    chunk.assign(shape.size(), 1);
    std::size_t d = shape.size();
    std::uint64_t bytes = array.value_bytes();
    while (d > 0 && (chunk[d - 1] = std::min(
                         shape[d - 1], std::max<std::uint64_t>(1, most_chunk_bytes / bytes))) ==
                        shape[d - 1]) {
      bytes *= shape[d - 1];
      --d;
    }
    if (d > 0) {  // cut along d - 1
      length = shape[d - 1];
      step = chunk[d - 1];
    }
    fast = bytes / array.value_bytes();
    for (std::size_t slow = 0; slow + 1 < d; ++slow) count *= shape[slow];
    per_row = (length + step - 1) / step;
    count *= per_row;
  }

  // Of chunk c in the frame: first value and number of values.
  std::pair<std::size_t, std::size_t> range(std::size_t c) const {
    const std::uint64_t first = c % per_row * step;
    return {(c / per_row * length + first) * fast, std::min(step, length - first) * fast};
  }
  std::size_t values() const { return step * fast; }  // of a whole chunk

  Shape shape, chunk;  // the slowest axis first
  std::uint64_t length = 1, step = 1, fast = 1, per_row = 1, count = 1;
};

nlohmann::json to_json(const VtkhdfIndex& index) {
  nlohmann::json arrays = nlohmann::json::array();
  for (const VtkhdfArray& array : index.arrays) {
    nlohmann::json chunks = nlohmann::json::array();
    for (const Hdf5Chunk& chunk : array.chunks) chunks.push_back({chunk.at, chunk.bytes});
    arrays.push_back({{"name", array.type.name},
                      {"components", array.type.components},
                      {"is_single", array.type.is_single},
                      {"chunks", std::move(chunks)}});
  }
  return {{"cells", index.cells}, {"lower", index.lower}, {"spacing", index.spacing},
          {"times", index.times}, {"steps", index.steps}, {"arrays", std::move(arrays)}};
}

// Throws what nlohmann's library throws where it is none.
VtkhdfIndex index_of(const nlohmann::json& json) {
  VtkhdfIndex index;
  json.at("cells").get_to(index.cells);
  json.at("lower").get_to(index.lower);
  json.at("spacing").get_to(index.spacing);
  json.at("times").get_to(index.times);
  json.at("steps").get_to(index.steps);
  for (const nlohmann::json& one : json.at("arrays")) {
    VtkhdfArray array{{one.at("name"), one.at("components"), one.at("is_single")}};
    for (const nlohmann::json& chunk : one.at("chunks"))
      array.chunks.push_back({chunk.at(0), chunk.at(1)});
    index.arrays.push_back(std::move(array));
  }
  return index;
}

bool is_consistent(const VtkhdfIndex& index, std::uint64_t end) {
  const std::size_t dim = index.cells.size(), frames = index.times.size();
  if (dim < 1 || dim > 3 || index.lower.size() != dim || index.spacing.size() != dim ||
      index.steps.size() != frames || std::ranges::any_of(index.cells, [](int n) { return n < 1; }))
    return false;
  return std::ranges::all_of(index.arrays, [&](const VtkhdfArray& array) {
    const FrameArrayType& type = array.type;
    return type.components >= 1 && type.components <= 9 &&
           array.chunks.size() == frames * Chunks(index.cells, type).count &&
           std::ranges::all_of(array.chunks, [&](const Hdf5Chunk& chunk) {
             return chunk.at <= end && chunk.bytes <= end - chunk.at;
           });
  });
}

// All but the values, from `begin` on. Returns the objects and the address of the root group.
std::pair<std::string, std::uint64_t> objects_of(const VtkhdfIndex& index, std::uint64_t begin) {
  Hdf5Objects objects(begin);
  const std::size_t dim = index.cells.size();
  const auto frames = static_cast<std::int64_t>(index.times.size());
  std::vector<Hdf5Objects::Link> fields;
  for (const VtkhdfArray& array : index.arrays) {
    const Chunks chunks(index.cells, array.type);
    Shape shape = chunks.shape, chunk = chunks.chunk;
    shape.insert(shape.begin(), index.times.size());
    chunk.insert(chunk.begin(), 1);
    fields.push_back(
        {array.type.name, objects.chunked(type_of(array.type), shape, chunk, array.chunks)});
  }
  std::vector<std::int32_t> extent(6, 0);
  std::vector<double> origin(3, 0), spacing(3, 1);
  for (std::size_t d = 0; d < dim; ++d) {
    extent[2 * d + 1] = index.cells[d];
    origin[d] = index.lower[d];
    spacing[d] = index.spacing[d];
  }
  const std::uint64_t cells = objects.group(fields);
  const std::uint64_t times =
      objects.array(Hdf5Type::float64, {index.times.size()}, bytes_of_all(index.times));
  const std::uint64_t steps = objects.group(
      {{"Values", times}},
      {{"NSteps", Hdf5Type::int64, true, bytes_of_all(std::vector<std::int64_t>{frames})}});
  const auto doubles = [](const char* name, const std::vector<double>& values) {
    return Hdf5Attribute{name, Hdf5Type::float64, false, bytes_of_all(values)};
  };
  const std::uint64_t image = objects.group(
      {{"CellData", cells}, {"Steps", steps}},
      {{"Version", Hdf5Type::int64, false, bytes_of_all(std::vector<std::int64_t>{2, 0})},
       {"Type", Hdf5Type::byte, true, "ImageData", true},
       {"WholeExtent", Hdf5Type::int32, false, bytes_of_all(extent)},
       doubles("Origin", origin),
       doubles("Spacing", spacing),
       doubles("Direction", {1, 0, 0, 0, 1, 0, 0, 0, 1})});
  const std::vector<std::int64_t> numbers(index.steps.begin(), index.steps.end());
  const std::uint64_t step =
      objects.array(Hdf5Type::int64, {index.steps.size()}, bytes_of_all(numbers));
  const std::string text = to_json(index).dump();
  const std::uint64_t own = objects.array(Hdf5Type::byte, {text.size()}, text);
  const std::uint64_t about = objects.group({{"index", own}, {"step", step}});
  const std::uint64_t text_at = begin + objects.bytes().rfind(text);
  const std::uint64_t root = objects.marked_group(
      std::string(index_mark) +
          bytes_of_all(std::vector<std::uint64_t>{text_at, text.size(), crc32(text)}),
      {{"VTKHDF", image}, {"hodge", about}});
  return {objects.bytes(), root};
}

VtkhdfIndex begun(const Grid& grid) {
  VtkhdfIndex index;
  for (int d = 0; d < grid.dim(); ++d) {
    index.cells.push_back(grid.cells(d));
    index.lower.push_back(grid.axis(d).lower());
    index.spacing.push_back(grid.axis(d).length() / grid.cells(d));
  }
  return index;
}

// The array of the file that takes this one of a frame; a new one is NaN in the frames before.
VtkhdfArray& place_for(const FrameArray& array, VtkhdfIndex& index) {
  FrameArrayType type = array;
  const auto same_name = [&](const VtkhdfArray& one) { return one.type.name == type.name; };
  const auto fits = [&](const VtkhdfArray& one) {
    return one.type.is_single == type.is_single && one.type.components == type.components;
  };
  auto found = std::ranges::find_if(index.arrays, same_name);
  if (found != index.arrays.end() && !fits(*found)) {
    type.name += type.is_single ? "_single" : "_double";
    found = std::ranges::find_if(index.arrays, same_name);
  }
  if (found != index.arrays.end()) return *found;
  VtkhdfArray added{type};
  added.chunks.resize(index.times.size() * Chunks(index.cells, type).count);
  return index.arrays.emplace_back(std::move(added));
}

}  // namespace

std::vector<double> VtkhdfIndex::edges(int d) const {
  if (d >= static_cast<int>(cells.size())) return {0};
  std::vector<double> at;
  for (int i = 0; i <= cells[d]; ++i) at.push_back(lower[d] + spacing[d] * i);
  return at;
}

void VtkhdfFile::damaged(const std::string& how) const {
  throw IoError(fmt::format("{} is damaged: {}", path_.string(), how));
}

void VtkhdfFile::read() {
  FileDescriptor file(path_, O_RDONLY);
  const auto [root, end] = Hdf5Objects::read_superblock(file.read(Hdf5Objects::superblock_bytes));
  if (root < mark_bytes) damaged("it does not begin as a file of frames of hodge");
  if (bytes_of_file(path_) < end)
    damaged(fmt::format("it has {} bytes, and says {}", bytes_of_file(path_), end));
  file.seek(static_cast<long long>(root - mark_bytes));
  const std::string mark = file.read(mark_bytes);
  std::uint64_t about[3] = {};
  if (mark.size() == mark_bytes) std::memcpy(about, mark.data() + index_mark.size(), sizeof(about));
  const auto [at, bytes, sum] = about;
  if (!mark.starts_with(index_mark) || at > end || bytes > end - at)
    damaged("its index is not where it should be");
  file.seek(static_cast<long long>(at));
  const std::string text = file.read(bytes);
  if (text.size() != bytes || crc32(text) != sum) damaged("its index has changed");
  try {
    VtkhdfIndex index = index_of(nlohmann::json::parse(text));
    if (!is_consistent(index, end)) damaged("its index does not fit the file");
    index_ = std::move(index);
  } catch (const nlohmann::json::exception&) {
    damaged("its index cannot be read");
  }
  end_ = end;
  objects_ = {};
  replaced_.clear();
}

void VtkhdfFile::append(const Grid& grid, const Frame& frame, int threads) {
  if (!index_.times.empty()) {
    FileDescriptor file(path_, O_RDWR);
    return add(frame, threads, file);
  }
  write_file_atomically(path_, [&](const std::filesystem::path& temporary) {
    FileDescriptor file(temporary, O_RDWR | O_TRUNC, path_);
    index_ = begun(grid);
    objects_ = {};
    replaced_.clear();
    end_ = Hdf5Objects::superblock_bytes;
    try {
      add(frame, threads, file);
    } catch (...) {
      index_ = {};
      throw;
    }
    file.close();
  });
}

void VtkhdfFile::add(const Frame& frame, int threads, FileDescriptor& file) {
  VtkhdfIndex next = index_;
  const std::uint64_t end = add_chunks(frame, threads, file, next);
  next.times.push_back(frame.time);
  next.steps.push_back(frame.step);
  for (VtkhdfArray& array : next.arrays)  // those that this frame does not have
    array.chunks.resize(next.times.size() * Chunks(next.cells, array.type).count);
  commit(std::move(next), end, file);
}

// Behind all that the file has. Returns where they end.
std::uint64_t VtkhdfFile::add_chunks(const Frame& frame, int threads, FileDescriptor& file,
                                     VtkhdfIndex& to) {
  std::vector<std::string_view> blocks;
  std::vector<std::size_t> array_of;                    // of each block
  std::vector<std::pair<Hdf5Type, std::size_t>> kinds;  // of each array: type, bytes of a chunk
  std::vector<std::string> names;
  for (const FrameArray& array : frame.arrays) {
    const Chunks chunks(to.cells, array);
    for (std::size_t c = 0; c < chunks.count; ++c) {
      const auto [first, count] = chunks.range(c);
      blocks.push_back(
          array.bytes().substr(first * array.value_bytes(), count * array.value_bytes()));
      array_of.push_back(names.size());
    }
    kinds.emplace_back(type_of(array), chunks.values() * array.value_bytes());
    names.push_back(place_for(array, to).type.name);
  }
  std::uint64_t end = end_;
  file.seek(static_cast<long long>(end));
  pack_blocks(
      blocks, threads,
      [&](std::size_t i, std::string_view block, std::vector<unsigned char>& room) {
        const auto& [type, bytes] = kinds[array_of[i]];
        return Hdf5Objects::pack(type, block, bytes, room);
      },
      [&](std::size_t i, std::string_view packed) {
        file.write(packed);
        const auto found = std::ranges::find_if(
            to.arrays, [&](const VtkhdfArray& one) { return one.type.name == names[array_of[i]]; });
        found->chunks.push_back({end, packed.size()});
        end += packed.size();
      });
  return end;
}

// Of objects that no reader uses any more; 0 bytes where there is none for these.
VtkhdfFile::Extent VtkhdfFile::free_place(std::uint64_t bytes) {
  constexpr std::size_t most = 64;  // of small frames at a high rate
  while (!replaced_.empty() &&
         (replaced_.front().since.seconds() >= seconds_for_readers_ || replaced_.size() > most)) {
    const Extent place = replaced_.front().objects;
    replaced_.pop_front();  // too small now, too small later
    if (place.bytes >= bytes) return place;
  }
  return {};
}

// The file is `next` from the write of the superblock on, and until then what it was.
void VtkhdfFile::commit(VtkhdfIndex next, std::uint64_t end, FileDescriptor& file) {
  const std::uint64_t bytes = objects_of(next, 0).first.size();  // the same at every place
  Extent place = free_place(bytes);
  if (place.bytes == 0) {  // half as much again, so that later ones find their place
    place = {(end + 7) / 8 * 8, bytes + bytes / 2};
    end = place.begin + place.bytes;
  }
  auto [objects, root] = objects_of(next, place.begin);
  objects.resize(place.bytes);
  file.seek(static_cast<long long>(place.begin));
  file.write(objects);
  file.synchronize();
  const Extent before = std::exchange(objects_, {});  // where this fails, nobody knows which count
  file.seek(0);
  file.write(Hdf5Objects::superblock(root, end));
  file.synchronize();
  if (before.bytes > 0) replaced_.push_back({before});
  objects_ = place;
  index_ = std::move(next);
  end_ = end;
}

void VtkhdfFile::keep(std::size_t count) {
  if (count >= index_.times.size()) return;
  if (count == 0) {
    std::filesystem::remove(path_);
    synchronize_directory(path_.parent_path());
    index_ = {};
    return;
  }
  VtkhdfIndex next = index_;
  next.times.resize(count);
  next.steps.resize(count);
  for (VtkhdfArray& array : next.arrays)
    array.chunks.resize(count * Chunks(next.cells, array.type).count);
  FileDescriptor file(path_, O_RDWR);
  commit(std::move(next), end_, file);
}

std::vector<double> VtkhdfFile::values(const VtkhdfArray& array, std::size_t frame) const {
  const Chunks chunks(index_.cells, array.type);
  std::vector<double> all;
  FileDescriptor file(path_, O_RDONLY);
  std::string whole(chunks.values() * array.type.value_bytes(), '\0');
  for (std::size_t c = 0; c < chunks.count; ++c) {
    const Hdf5Chunk& chunk = array.chunks[frame * chunks.count + c];
    if (chunk.bytes == 0) return {};
    file.seek(static_cast<long long>(chunk.at));
    if (!Hdf5Objects::unpack(type_of(array.type), file.read(chunk.bytes), whole))
      damaged(fmt::format("{} of frame {} has changed", array.type.name, frame));
    const std::size_t count = chunks.range(c).second;
    for (std::size_t i = 0; i < count; ++i) {
      float single = 0;
      double value = 0;
      if (array.type.is_single)
        std::memcpy(&single, whole.data() + i * sizeof(float), sizeof(float));
      else
        std::memcpy(&value, whole.data() + i * sizeof(double), sizeof(double));
      all.push_back(array.type.is_single ? static_cast<double>(single) : value);
    }
  }
  return all;
}

void VtkhdfFile::check() const {
  for (const VtkhdfArray& array : index_.arrays)
    for (std::size_t frame = 0; frame < index_.times.size(); ++frame) (void)values(array, frame);
}

}  // namespace hodge::sim
