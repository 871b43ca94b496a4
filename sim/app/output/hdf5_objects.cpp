#include "sim/app/output/hdf5_objects.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

static_assert(std::endian::native == std::endian::little, "the file has little-endian numbers");

constexpr std::uint64_t hdf5_nowhere = ~std::uint64_t{0};
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t fletcher_bytes = 4;

// The lowest `count` bytes of numbers, one after the other.
class Hdf5Bytes {
 public:
  Hdf5Bytes& add(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Hdf5Bytes& add(std::string_view text) {
    text_ += text;
    return *this;
  }
  Hdf5Bytes& bytes(std::initializer_list<int> values) {
    for (const int value : values) text_ += static_cast<char>(value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::uint64_t hdf5_number(std::string_view bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// R. Jenkins, lookup3.c (2006), hashlittle() with 0 before: the checksum of HDF5's objects.
std::uint32_t lookup3(std::string_view bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto word = [&](std::size_t at) {
    const std::size_t count = at < bytes.size() ? std::min<std::size_t>(4, bytes.size() - at) : 0;
    return static_cast<std::uint32_t>(hdf5_number(bytes, at, static_cast<int>(count)));
  };
  std::size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  if (at == bytes.size()) return c;
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  return c;
}

// J. Fletcher's checksum of pairs of bytes, as HDF5 takes it (H5_checksum_fletcher32).
std::uint32_t fletcher32(std::string_view bytes) {
  std::uint32_t one = 0, two = 0;
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  const auto take = [&](std::size_t at) {
    const auto high = static_cast<unsigned char>(bytes[at]);
    const auto low = at + 1 < bytes.size() ? static_cast<unsigned char>(bytes[at + 1]) : 0;
    one += static_cast<std::uint32_t>(high << 8 | low);
    two += one;
  };
  const std::size_t even = bytes.size() & ~std::size_t{1};
  for (std::size_t at = 0; at < even;) {
    for (const std::size_t stop = std::min(even, at + 720); at < stop; at += 2) take(at);
    one = fold(one), two = fold(two);
  }
  if (even < bytes.size()) {
    take(even);
    one = fold(one), two = fold(two);
  }
  one = fold(one), two = fold(two);
  return two << 16 | one;
}

std::string checksummed(const Hdf5Bytes& bytes) {
  return bytes.text() + Hdf5Bytes().add(lookup3(bytes.text()), 4).text();
}

std::string message(int type, const Hdf5Bytes& content) {
  return Hdf5Bytes()
      .add(type, 1)
      .add(content.text().size(), 2)
      .add(0, 1)
      .add(content.text())
      .text();
}

Hdf5Bytes hdf5_type(Hdf5Type type) {
  const std::uint64_t size = bytes_of_type(type), bits = 8 * size;
  if (type == Hdf5Type::float32 || type == Hdf5Type::float64) {
    const bool is_double = type == Hdf5Type::float64;
    const int exponent_at = is_double ? 52 : 23, exponent_bits = is_double ? 11 : 8;
    Hdf5Bytes made;
    made.bytes({0x11, 0x20, is_double ? 63 : 31, 0}).add(size, 4).add(0, 2).add(bits, 2);
    made.bytes({exponent_at, exponent_bits, 0, exponent_at});
    return made.add(is_double ? 1023 : 127, 4);
  }
  const int is_signed = type == Hdf5Type::byte ? 0 : 0x08;
  return Hdf5Bytes().bytes({0x10, is_signed, 0, 0}).add(size, 4).add(0, 2).add(bits, 2);
}

Hdf5Bytes hdf5_text_type(std::size_t size) {
  return Hdf5Bytes().bytes({0x13, 0x01, 0, 0}).add(size, 4);  // padded by zeros, ASCII
}

// Without axes: one value.
Hdf5Bytes hdf5_space(const Hdf5Objects::Shape& shape) {
  Hdf5Bytes space;
  space.bytes({2, static_cast<int>(shape.size()), 0, shape.empty() ? 0 : 1});
  for (const std::uint64_t extent : shape) space.add(extent, 8);
  return space;
}

std::string attribute_message(const Hdf5Attribute& attribute) {
  const Hdf5Bytes type =
      attribute.is_text ? hdf5_text_type(attribute.values.size()) : hdf5_type(attribute.type);
  const bool is_scalar = attribute.is_scalar || attribute.is_text;
  const Hdf5Bytes space = hdf5_space(
      is_scalar ? Hdf5Objects::Shape{}
                : Hdf5Objects::Shape{attribute.values.size() / bytes_of_type(attribute.type)});
  return message(0x0c, Hdf5Bytes()
                           .bytes({3, 0})
                           .add(attribute.name.size() + 1, 2)
                           .add(type.text().size(), 2)
                           .add(space.text().size(), 2)
                           .add(0, 1)
                           .add(attribute.name)
                           .add(0, 1)
                           .add(type.text())
                           .add(space.text())
                           .add(attribute.values));
}

// NaN, so that what a frame does not have is no number. `allocated`: 2 late, 3 with each chunk.
std::string fill_message(Hdf5Type type, int allocated) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const float small = std::numeric_limits<float>::quiet_NaN();
  Hdf5Bytes fill;
  if (type == Hdf5Type::float64)
    fill.bytes({3, allocated | 2 << 2 | 1 << 5})
        .add(8, 4)
        .add(std::bit_cast<std::uint64_t>(nan), 8);
  else if (type == Hdf5Type::float32)
    fill.bytes({3, allocated | 2 << 2 | 1 << 5})
        .add(4, 4)
        .add(std::bit_cast<std::uint32_t>(small), 4);
  else
    fill.bytes({3, allocated | 2 << 2});
  return message(0x05, fill);
}

}  // namespace

std::uint32_t bytes_of_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::byte:
      return 1;
    case Hdf5Type::int32:
    case Hdf5Type::float32:
      return 4;
    case Hdf5Type::int64:
    case Hdf5Type::float64:
      break;
  }
  return 8;
}

// Objects begin at multiples of 8.
std::uint64_t Hdf5Objects::place(std::string_view bytes) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  const std::uint64_t address = begin_ + bytes_.size();
  bytes_ += bytes;
  return address;
}

// 4 bytes for the size of the messages, no times.
std::uint64_t Hdf5Objects::header(const std::string& messages) {
  return place(
      checksummed(Hdf5Bytes().add("OHDR").bytes({2, 2}).add(messages.size(), 4).add(messages)));
}

std::uint64_t Hdf5Objects::array(Hdf5Type type, const Shape& shape, std::string_view values) {
  const std::uint64_t at = values.empty() ? hdf5_nowhere : place(values);
  return header(message(0x01, hdf5_space(shape)) + message(0x03, hdf5_type(type)) +
                fill_message(type, 2) +
                message(0x08, Hdf5Bytes().bytes({3, 1}).add(at, 8).add(values.size(), 8)));
}

std::uint64_t Hdf5Objects::chunked(Hdf5Type type, const Shape& shape, const Shape& chunk,
                                   const std::vector<Hdf5Chunk>& chunks) {
  const std::uint32_t value_bytes = bytes_of_type(type);
  const std::uint64_t chunk_bytes =
      std::accumulate(chunk.begin(), chunk.end(), std::uint64_t{value_bytes}, std::multiplies<>());
  // H5Dfarray.c: bytes of the size of a packed chunk.
  const int size_bytes = std::min(8, 1 + (static_cast<int>(std::bit_width(chunk_bytes)) + 7) / 8);
  const int entry_bytes = 8 + size_bytes + 4;
  constexpr int page_bits = 30;  // more chunks than one page has do not come
  const std::uint64_t index_header = place(std::string(28, '\0'));
  Hdf5Bytes block;
  block.add("FADB").bytes({0, 1}).add(index_header, 8);
  for (const Hdf5Chunk& one : chunks)
    block.add(one.bytes == 0 ? hdf5_nowhere : one.at, 8).add(one.bytes, size_bytes).add(0, 4);
  const std::uint64_t index_block = place(checksummed(block));
  Hdf5Bytes index;
  index.add("FAHD").bytes({0, 1, entry_bytes, page_bits}).add(chunks.size(), 8).add(index_block, 8);
  bytes_.replace(index_header - begin_, 28, checksummed(index));
  Hdf5Bytes layout;
  // As few bytes as the largest extent needs: newer versions of HDF5 check that.
  const std::uint64_t longest = *std::max_element(chunk.begin(), chunk.end());
  const int extent_bytes = (static_cast<int>(std::bit_width(longest)) + 7) / 8;
  layout.bytes({4, 2, 0, static_cast<int>(chunk.size()) + 1, extent_bytes});
  for (const std::uint64_t extent : chunk) layout.add(extent, extent_bytes);
  layout.add(value_bytes, extent_bytes).bytes({3, page_bits}).add(index_header, 8);
  const Hdf5Bytes filters = Hdf5Bytes()
                                .bytes({2, 3})
                                .add(2, 2)
                                .add(0, 2)
                                .add(1, 2)
                                .add(value_bytes, 4)  // shuffle
                                .add(1, 2)
                                .add(0, 2)
                                .add(1, 2)
                                .add(deflate_level, 4)  // deflate
                                .add(3, 2)
                                .add(0, 2)
                                .add(0, 2);  // fletcher32
  return header(message(0x01, hdf5_space(shape)) + message(0x03, hdf5_type(type)) +
                fill_message(type, 3) + message(0x08, layout) + message(0x0b, filters));
}

std::uint64_t Hdf5Objects::group(const std::vector<Link>& links,
                                 const std::vector<Hdf5Attribute>& about) {
  std::string messages =
      message(0x02, Hdf5Bytes().bytes({0, 0}).add(hdf5_nowhere, 8).add(hdf5_nowhere, 8)) +
      message(0x0a, Hdf5Bytes().bytes({0, 0}));
  for (const Link& link : links)
    messages += message(
        0x06,
        Hdf5Bytes().bytes({1, 0}).add(link.name.size(), 1).add(link.name).add(link.address, 8));
  for (const Hdf5Attribute& attribute : about) messages += attribute_message(attribute);
  return header(messages);
}

std::uint64_t Hdf5Objects::marked_group(std::string_view mark, const std::vector<Link>& links) {
  place(mark);
  return group(links);
}

std::string Hdf5Objects::superblock(std::uint64_t root, std::uint64_t end) {
  return checksummed(Hdf5Bytes()
                         .add(hdf5_signature)
                         .bytes({2, 8, 8, 0})
                         .add(0, 8)
                         .add(hdf5_nowhere, 8)
                         .add(end, 8)
                         .add(root, 8));
}

std::pair<std::uint64_t, std::uint64_t> Hdf5Objects::read_superblock(std::string_view bytes) {
  if (bytes.size() < superblock_bytes) return {0, 0};
  const std::uint64_t end = hdf5_number(bytes, 28, 8), root = hdf5_number(bytes, 36, 8);
  if (bytes.substr(0, superblock_bytes) != superblock(root, end)) return {0, 0};
  return {root, end};
}

std::string_view Hdf5Objects::pack(Hdf5Type type, std::string_view values, std::size_t whole_bytes,
                                   std::vector<unsigned char>& room) {
  const std::size_t width = bytes_of_type(type), count = whole_bytes / width;
  room.assign(whole_bytes + compressBound(static_cast<uLong>(whole_bytes)) + fletcher_bytes, 0);
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t i = 0; i < values.size() / width; ++i)
      room[b * count + i] = static_cast<unsigned char>(values[i * width + b]);
  unsigned char* const to = room.data() + whole_bytes;
  auto packed = static_cast<uLongf>(room.size() - whole_bytes);
  if (compress2(to, &packed, room.data(), static_cast<uLong>(whole_bytes), deflate_level) != Z_OK)
    throw IoError("zlib cannot pack a chunk of a frame");
  const std::string_view all(reinterpret_cast<const char*>(to), packed);
  const std::string sum = Hdf5Bytes().add(fletcher32(all), 4).text();
  std::copy(sum.begin(), sum.end(), to + packed);
  return {all.data(), all.size() + sum.size()};
}

bool Hdf5Objects::unpack(Hdf5Type type, std::string_view packed, std::string& values) {
  if (packed.size() < fletcher_bytes) return false;
  const std::size_t bytes = packed.size() - fletcher_bytes;
  if (fletcher32(packed.substr(0, bytes)) != hdf5_number(packed, bytes, 4)) return false;
  std::string shuffled(values.size(), '\0');
  auto size = static_cast<uLongf>(shuffled.size());
  const int status =
      uncompress(reinterpret_cast<Bytef*>(shuffled.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(bytes));
  if (status != Z_OK || size != shuffled.size()) return false;
  const std::size_t width = bytes_of_type(type), count = values.size() / width;
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t i = 0; i < count; ++i) values[i * width + b] = shuffled[b * count + i];
  return true;
}

}  // namespace hodge::sim
