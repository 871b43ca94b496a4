// The values of one array of a VTK XML file: as text, as bytes in base64 within its tag, or as
// bytes in the appended data, these in blocks that are packed by zlib, LZ4 or LZMA, or as they are.
//
// Nothing that the file says of its sizes is believed: an array is found only where the bytes that
// it needs are there, so that it takes no memory that the file does not account for.
//
// Errors: ConfigError with file, line and array; IoError where the file cannot be read.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/files/file_descriptor.hpp"
#include "sim/app/frames/number_types.hpp"
#include "sim/app/output/xml_document.hpp"

namespace hodge::sim {

// What holds for all arrays of a file.
struct FrameFormat {
  bool is_big_endian = false;
  std::uint64_t word_bytes = 4;  // of the sizes in front of an array
  std::string compressor{};      // as the file names it; empty: values are not packed
  bool appended_is_base64 = true;
  std::uint64_t appended_begin = 0, appended_bytes = 0;  // in the file
};

// ConfigError unless it is empty or one of those that are known.
void check_compressor(const std::string& file, const XmlElement& element, const std::string& name);

// The name and the type of an array, as the file has them.
struct StoredType {
  std::string name;
  std::string type;  // "Float32"
  std::uint64_t components = 1;

  bool is_real() const { return type == "Float32" || type == "Float64"; }
  auto operator<=>(const StoredType&) const = default;
};

// The whole number, not negative, that an attribute is.
std::uint64_t whole_attribute(const std::string& file, const XmlElement& element, const char* key);

// Of a DataArray or PDataArray.
StoredType stored_type(const std::string& file, const XmlElement& element);

class StoredArray {
 public:
  // `end`: where the next array begins in the appended data.
  StoredArray(const std::string& path, FileDescriptor& file, const FrameFormat& format,
              const XmlElement& element, std::uint64_t tuples, std::uint64_t end);

  const StoredType& type() const { return type_; }

  // In the order of the file, the components of a tuple next to each other. All are finite.
  std::vector<double> values();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::string bytes_at(std::uint64_t begin, std::uint64_t count) const;
  std::uint64_t length(std::uint64_t bytes) const;
  std::vector<std::uint64_t> words_at(std::uint64_t begin, std::uint64_t count) const;
  void find_plain();
  void find_packed();
  void unpack(char* to) const;
  std::vector<double> numbers_of_text() const;

  const std::string& path_;
  FileDescriptor& file_;
  const FrameFormat& format_;
  const XmlElement& element_;
  StoredType type_;
  const NumberType* number_ = nullptr;
  std::uint64_t value_bytes_ = 0, count_ = 0;  // values: tuples times components

  bool is_text_ = false, is_base64_ = false, is_appended_ = false;
  std::uint64_t begin_ = 0, end_ = 0;  // of the array, in the appended data or in its text
  std::string_view inline_;

  std::uint64_t data_ = 0;               // where values or blocks begin
  std::uint64_t block_bytes_ = 0;        // of each but the last
  std::vector<std::uint64_t> packed_{};  // bytes of each block
};

}  // namespace hodge::sim
