#include "sim/app/frames/stored_array.hpp"

#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkDataCompressor.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkLZMADataCompressor.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "linalg/base/errors.hpp"
#include "sim/base/base64.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view white = " \t\r\n";
constexpr bool is_big_endian_here = std::endian::native == std::endian::big;

struct Compressor {
  std::string_view name;
  vtkSmartPointer<vtkDataCompressor> (*make)();
  std::uint64_t most;  // how many bytes come of one packed byte, rounded up
};

template <class T>
vtkSmartPointer<vtkDataCompressor> made() {
  return vtkSmartPointer<T>::New();
}

constexpr std::array<Compressor, 3> compressors{
    {{"vtkZLibDataCompressor", made<vtkZLibDataCompressor>, 1100},
     {"vtkLZ4DataCompressor", made<vtkLZ4DataCompressor>, 260},
     {"vtkLZMADataCompressor", made<vtkLZMADataCompressor>, 16384}}};

const Compressor& compressor_of(const FrameFormat& format) {
  return *std::ranges::find(compressors, std::string_view(format.compressor), &Compressor::name);
}

}  // namespace

void check_compressor(const std::string& file, const XmlElement& element, const std::string& name) {
  if (!name.empty() &&
      std::ranges::count(compressors, std::string_view(name), &Compressor::name) == 0)
    refuse_xml(
        file, element,
        fmt::format("compressor {}, expected one of {}", quote(name), join(names_of(compressors))));
}

std::uint64_t whole_attribute(const std::string& file, const XmlElement& element, const char* key) {
  const std::string& text = *element.find(key);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    refuse_xml(file, element, fmt::format("{}={}, expected a whole number", key, quote(text)));
  return number;
}

StoredType stored_type(const std::string& file, const XmlElement& element) {
  StoredType type;
  if (const std::string* const name = element.find("Name")) type.name = *name;
  if (const std::string* const name = element.find("type")) type.type = *name;
  if (element.find("NumberOfComponents") != nullptr)
    type.components = whole_attribute(file, element, "NumberOfComponents");
  return type;
}

void StoredArray::fail(const std::string& what) const {
  refuse_xml(path_, element_, fmt::format("the array {} {}", quote(type_.name), what));
}

StoredArray::StoredArray(const std::string& path, FileDescriptor& file, const FrameFormat& format,
                         const XmlElement& element, std::uint64_t tuples, std::uint64_t end)
    : path_(path),
      file_(file),
      format_(format),
      element_(element),
      type_(stored_type(path, element)),
      end_(end) {
  number_ = number_type(type_.type);
  if (number_ == nullptr)
    fail(fmt::format("has the type {}, expected one of {}", quote(type_.type),
                     join(number_type_names())));
  value_bytes_ = number_->bytes;
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bytes = 0;
  if (type_.components == 0 || __builtin_mul_overflow(tuples, type_.components, &count_) ||
      __builtin_mul_overflow(count_, value_bytes_, &bytes) || bytes > most)
    fail(fmt::format("has {} components", type_.components));

  const std::string* const how = element.find("format");
  is_text_ = how == nullptr || *how == "ascii";
  is_appended_ = how != nullptr && *how == "appended";
  if (!is_text_ && !is_appended_ && *how != "binary")
    fail(fmt::format("has the format {}, expected ascii, binary or appended", quote(*how)));
  is_base64_ = is_appended_ ? format.appended_is_base64 : true;
  if (is_appended_) {
    if (element.find("offset") == nullptr) fail("has no offset");
    begin_ = whole_attribute(path, element, "offset");
    if (end_ > format.appended_bytes) end_ = format.appended_bytes;
    if (begin_ > end_) fail("begins behind the end of the file");
  } else {
    inline_ = element.text;
    inline_.remove_prefix(std::min(inline_.find_first_not_of(white), inline_.size()));
    inline_ = inline_.substr(0, inline_.find_last_not_of(white) + 1);
    end_ = inline_.size();
  }
  if (is_text_) {
    // A number and a blank at least.
    if (count_ > (end_ + 1) / 2) fail(fmt::format("has fewer than {} numbers", count_));
  } else {
    format.compressor.empty() ? find_plain() : find_packed();
  }
}

// As long as so many bytes are where they stand.
std::uint64_t StoredArray::length(std::uint64_t bytes) const {
  return is_base64_ ? base64_length(bytes) : bytes;
}

// Errors: where they are not there.
std::string StoredArray::bytes_at(std::uint64_t begin, std::uint64_t count) const {
  if (begin > end_ || count > end_ - begin || length(count) > end_ - begin) fail("is cut off");
  const std::uint64_t letters = length(count);
  std::string read;
  std::string_view found = inline_.substr(is_appended_ ? 0 : begin, letters);
  if (is_appended_) {
    file_.seek(static_cast<long long>(format_.appended_begin + begin));
    read = file_.read(letters);
    if (!is_base64_ && read.size() == count) return read;
    found = read;
  }
  std::string bytes = is_base64_ ? from_base64(found) : std::string();
  if (bytes.size() < count) fail(is_base64_ ? "is no base64, or cut off" : "is cut off");
  bytes.resize(count);
  return bytes;
}

std::vector<std::uint64_t> StoredArray::words_at(std::uint64_t begin, std::uint64_t count) const {
  if (count > end_ / format_.word_bytes) fail("is cut off");
  const std::string bytes = bytes_at(begin, count * format_.word_bytes);
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::uint64_t k = 0; k < format_.word_bytes; ++k) {
      const std::uint64_t place = format_.is_big_endian ? k : format_.word_bytes - 1 - k;
      words[i] = words[i] << 8 | static_cast<unsigned char>(bytes[i * format_.word_bytes + place]);
    }
  }
  return words;
}

// The number of bytes, then the values; in base64 both as one text.
void StoredArray::find_plain() {
  const std::uint64_t bytes = words_at(begin_, 1)[0], wanted = count_ * value_bytes_;
  if (bytes != wanted)
    fail(fmt::format("has {} bytes, its grid wants {} values of {}", bytes, count_, type_.type));
  const std::uint64_t all = format_.word_bytes + wanted;
  if (length(all) > end_ - begin_) fail("is cut off");
  if (!is_appended_ && length(all) != end_) fail("has more text than its values");
}

// The number of blocks, the bytes of one and of the last one if it is smaller, the packed bytes of
// each, then the blocks; in base64 the sizes as one text, and the blocks as another.
void StoredArray::find_packed() {
  const std::vector<std::uint64_t> head = words_at(begin_, 3);
  const std::uint64_t blocks = head[0], wanted = count_ * value_bytes_;
  block_bytes_ = head[1];
  constexpr std::uint64_t most_of_a_block = 1U << 30;
  std::uint64_t whole = blocks - (blocks > 0 && head[2] > 0 ? 1 : 0), bytes = 0;
  if (blocks == 0 || block_bytes_ == 0 || block_bytes_ > most_of_a_block ||
      head[2] > block_bytes_ || __builtin_mul_overflow(whole, block_bytes_, &bytes) ||
      bytes > wanted || wanted - bytes != head[2])
    fail(fmt::format("has blocks of another size than its grid wants, {} values of {}", count_,
                     type_.type));
  if (blocks > end_ / format_.word_bytes) fail("is cut off");
  packed_ = words_at(begin_, 3 + blocks);
  packed_.erase(packed_.begin(), packed_.begin() + 3);
  data_ = begin_ + length((3 + blocks) * format_.word_bytes);
  const std::uint64_t most = compressor_of(format_).most;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    if (packed_[i] > end_ - data_ - sum) fail("is cut off");
    const std::uint64_t unpacked = i < whole ? block_bytes_ : head[2];
    if (packed_[i] < unpacked / most) fail("has a block that cannot be unpacked");
    sum += packed_[i];
  }
  if (length(sum) > end_ - data_) fail("is cut off");
  if (!is_appended_ && data_ + length(sum) != end_) fail("has more text than its values");
}

// All bytes of the values.
void StoredArray::unpack(char* to) const {
  const std::uint64_t wanted = count_ * value_bytes_;
  if (packed_.empty()) {
    const std::string bytes = bytes_at(begin_, format_.word_bytes + wanted);
    std::memcpy(to, bytes.data() + format_.word_bytes, wanted);
    return;
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : packed_) sum += bytes;
  const std::string all = bytes_at(data_, sum);
  const vtkSmartPointer<vtkDataCompressor> compressor = compressor_of(format_).make();
  const vtkNew<vtkCallbackCommand> silent;  // VTK prints errors that nobody observes
  compressor->AddObserver(vtkCommand::ErrorEvent, silent);
  const auto* from = reinterpret_cast<const unsigned char*>(all.data());
  std::uint64_t done = 0;
  for (const std::uint64_t bytes : packed_) {
    const std::uint64_t unpacked = std::min(block_bytes_, wanted - done);
    if (compressor->Uncompress(from, bytes, reinterpret_cast<unsigned char*>(to + done),
                               unpacked) != unpacked)
      fail("has a block that cannot be unpacked");
    from += bytes;
    done += unpacked;
  }
}

std::vector<double> StoredArray::numbers_of_text() const {
  std::vector<double> numbers;
  numbers.reserve(count_);
  const char* at = inline_.data();
  const char* const end = at + inline_.size();
  const auto is_blank = [](char c) { return white.find(c) != std::string_view::npos; };
  while (at != end) {
    double number = 0;
    const char* const behind = number_->read(at, end, number);
    if (behind == nullptr || (behind != end && !is_blank(*behind))) {
      const std::string_view word(at, static_cast<std::size_t>(end - at));
      fail(fmt::format("has {}, expected a number of type {}",
                       quote(word.substr(0, word.find_first_of(white))), type_.type));
    }
    numbers.push_back(number);
    at = std::find_if_not(behind, end, is_blank);
    if (numbers.size() > count_) break;
  }
  if (numbers.size() != count_)
    fail(fmt::format("has {} than {} numbers", numbers.size() > count_ ? "more" : "fewer", count_));
  return numbers;
}

std::vector<double> StoredArray::values() {
  std::vector<double> values;
  if (is_text_) {
    values = numbers_of_text();
  } else if (const bool swaps = format_.is_big_endian != is_big_endian_here;
             type_.type == "Float64" && !swaps) {
    values.resize(count_);
    unpack(reinterpret_cast<char*>(values.data()));
  } else {
    std::string bytes(count_ * value_bytes_, '\0');
    unpack(bytes.data());
    values.resize(count_);
    number_->to_doubles(bytes.data(), swaps, values.data(), count_);
  }
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    fail("has a value that is not finite");
  return values;
}

}  // namespace hodge::sim
