// Bytes as text of 64 letters, four for every three bytes (RFC 4648, Sec. 4).
#pragma once

#include <string>
#include <string_view>

namespace hodge::sim {

// Encodes a stream that comes in pieces.
class Base64Encoder {
 public:
  // The letters of all bytes so far that have not been returned, but for the last one or two bytes.
  std::string next(std::string_view bytes);
  // The last letters, padded to four with =.
  std::string finish();

 private:
  std::string rest_;  // fewer than three bytes
};

std::string base64(std::string_view bytes);

// As many bytes as there are in whole groups of four letters, up to the first one that is no such
// group.
std::string from_base64(std::string_view text);

constexpr unsigned long long base64_length(unsigned long long bytes) {
  return 4 * ((bytes + 2) / 3);
}

}  // namespace hodge::sim
