#include "sim/base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hodge::sim {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_letter = 64;

constexpr std::array<std::uint8_t, 256> numbers = [] {
  std::array<std::uint8_t, 256> of{};
  of.fill(no_letter);
  for (std::size_t i = 0; i < letters.size(); ++i)
    of[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  return of;
}();

// Four letters for three bytes.
void encode(const char* bytes, char* to) {
  const auto byte = [bytes](int i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
  for (int i = 0; i < 4; ++i) to[i] = letters[group >> (18 - 6 * i) & 63];
}

}  // namespace

std::string Base64Encoder::next(std::string_view bytes) {
  std::string text;
  text.reserve(base64_length(rest_.size() + bytes.size()));
  const std::size_t taken =
      rest_.empty() ? 0 : std::min<std::size_t>(3 - rest_.size(), bytes.size());
  rest_ += bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  if (rest_.size() == 3) {
    text.resize(4);
    encode(rest_.data(), text.data());
    rest_.clear();
  }
  if (!rest_.empty()) return text;
  const std::size_t groups = bytes.size() / 3, before = text.size();
  text.resize(before + 4 * groups);
  for (std::size_t i = 0; i < groups; ++i)
    encode(bytes.data() + 3 * i, text.data() + before + 4 * i);
  rest_ = bytes.substr(3 * groups);
  return text;
}

std::string Base64Encoder::finish() {
  if (rest_.empty()) return {};
  const std::size_t missing = 3 - rest_.size();
  rest_.resize(3);
  std::string text(4, '=');
  encode(rest_.data(), text.data());
  for (std::size_t i = 0; i < missing; ++i) text[3 - i] = '=';
  rest_.clear();
  return text;
}

std::string base64(std::string_view bytes) {
  Base64Encoder encoder;
  std::string text = encoder.next(bytes);
  return text + encoder.finish();
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  for (; text.size() >= 4; text.remove_prefix(4)) {
    const std::size_t padding = text.ends_with("==") && text.size() == 4  ? 2
                                : text.ends_with("=") && text.size() == 4 ? 1
                                                                          : 0;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool padded = i + padding >= 4;
      const std::uint8_t number = padded ? 0 : numbers[static_cast<unsigned char>(text[i])];
      if (number == no_letter) return bytes;
      group = group << 6 | number;
    }
    for (std::size_t i = 0; i + padding < 3; ++i)
      bytes += static_cast<char>(group >> (16 - 8 * i) & 255);
  }
  return bytes;
}

}  // namespace hodge::sim
