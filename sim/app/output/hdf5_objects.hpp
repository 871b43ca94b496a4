// The objects of an HDF5 file as bytes that lie at a place of the caller's choice, behind what the
// file holds already. HDF5 itself changes its objects where they lie, so that a process that is
// killed meanwhile leaves a file that nobody reads; these objects are written anew beside the old
// ones, and the file changes when its superblock is replaced, by one write of 48 bytes.
//
// What is known: groups, numbers and texts as attributes, arrays as a whole, and arrays in chunks
// packed by shuffle, deflate and fletcher32. Readable by HDF5 1.10 and newer.
//
// Format: "HDF5 File Format Specification Version 3.0", superblock 2, object headers 2, layouts 3
// (whole) and 4 (chunks, "fixed array").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hodge::sim {

// A type of numbers.
enum class Hdf5Type { int32, int64, float32, float64, byte };
std::uint32_t bytes_of_type(Hdf5Type type);

// Packed bytes in the file; 0 bytes: not there, the values are NaN.
struct Hdf5Chunk {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
};

struct Hdf5Attribute {
  std::string name;
  Hdf5Type type = Hdf5Type::int64;
  bool is_scalar = false;
  std::string values{};  // their bytes
  bool is_text = false;  // of the values; of one text
};

class Hdf5Objects {
 public:
  using Shape = std::vector<std::uint64_t>;  // the slowest axis first
  struct Link {
    std::string name;
    std::uint64_t address;
  };
  static constexpr std::size_t superblock_bytes = 48;
  static constexpr unsigned deflate_level = 1;

  explicit Hdf5Objects(std::uint64_t begin) : begin_(begin) {}

  // Each returns the address of the object.
  std::uint64_t array(Hdf5Type type, const Shape& shape, std::string_view values);
  // `chunks`: of the chunks of this shape that cover the array, in its order.
  std::uint64_t chunked(Hdf5Type type, const Shape& shape, const Shape& chunk,
                        const std::vector<Hdf5Chunk>& chunks);
  std::uint64_t group(const std::vector<Link>& links, const std::vector<Hdf5Attribute>& about = {});

  // The same directly behind `mark`, whose bytes are a multiple of 8.
  std::uint64_t marked_group(std::string_view mark, const std::vector<Link>& links);

  const std::string& bytes() const { return bytes_; }

  // What the file begins with. `end`: of the file, behind all of its objects and values.
  static std::string superblock(std::uint64_t root, std::uint64_t end);
  // The address of the root group, and the end of the file; {0, 0} where there is no such block.
  static std::pair<std::uint64_t, std::uint64_t> read_superblock(std::string_view bytes);

  // A chunk as the file has it; `room` is kept from call to call.
  static std::string_view pack(Hdf5Type type, std::string_view values, std::size_t whole_bytes,
                               std::vector<unsigned char>& room);
  // The values again, `whole_bytes`; false where they are damaged.
  static bool unpack(Hdf5Type type, std::string_view packed, std::string& values);

 private:
  std::uint64_t place(std::string_view bytes);
  std::uint64_t header(const std::string& messages);

  std::uint64_t begin_;
  std::string bytes_;
};

}  // namespace hodge::sim
