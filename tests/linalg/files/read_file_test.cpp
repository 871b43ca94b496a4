#include "linalg/files/read_file.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge {
namespace {

using test::message_of;
using test::TemporaryDirectory;
using test::write_text;

const std::string text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 2 -2\n";

// The output of `gzip -9n` for `text`.
const unsigned char packed_bytes[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x55, 0xf5, 0x4d, 0x2c, 0x29,
    0xca, 0xac, 0xf0, 0x4d, 0x2c, 0xca, 0x4e, 0x2d, 0x51, 0xc8, 0x05, 0x73, 0x14, 0x92, 0xf3, 0xf3,
    0x8b, 0x52, 0x32, 0xf3, 0x12, 0x4b, 0x52, 0x15, 0x8a, 0x52, 0x13, 0x73, 0x14, 0xd2, 0x53, 0xf3,
    0x52, 0x8b, 0x12, 0x73, 0xb8, 0x8c, 0x14, 0x80, 0x90, 0xcb, 0x50, 0x01, 0x08, 0xf5, 0x4c, 0xc1,
    0x3c, 0x5d, 0x23, 0x2e, 0x00, 0x2c, 0xb1, 0xfa, 0x4a, 0x43, 0x00, 0x00, 0x00};
const std::string packed(reinterpret_cast<const char*>(packed_bytes), sizeof packed_bytes);

std::string read_back(const std::string& content) {
  const TemporaryDirectory directory;
  write_text(directory / "a", content);
  return read_file(directory / "a");
}

TEST(ReadFile, gives_all_bytes_of_files_of_any_length) {
  for (const std::size_t length : {0, 1, 65535, 65536, 3000000}) {
    std::string content(length, 'x');
    for (std::size_t i = 0; i < length; i += 7) content[i] = static_cast<char>(i % 251);
    EXPECT_EQ(read_back(content), content);
  }
}

TEST(ReadFile, reads_files_whose_length_is_not_known_ahead) {
  EXPECT_NE(read_file("/proc/self/status").find("VmPeak"), std::string::npos);
}

TEST(ReadFile, names_the_path_and_the_reason) {
  EXPECT_EQ(message_of<IoError>([] { read_file("/no/such/file"); }),
            "cannot open /no/such/file: No such file or directory");
}

#if HODGE_HAS_ZLIB

TEST(ReadFile, unpacks_gzip_whatever_the_name) {
  EXPECT_EQ(read_back(packed), text);
}

TEST(ReadFile, unpacks_several_streams_in_one_file) {
  EXPECT_EQ(read_back(packed + packed + packed), text + text + text);
}

TEST(ReadFile, refuses_damaged_and_truncated_gzip) {
  const auto message = [](const std::string& content) {
    const TemporaryDirectory directory;
    write_text(directory / "a.gz", content);
    const std::string prefix = "cannot unpack " + (directory / "a.gz").string() + ": ";
    const std::string text_of_error = message_of<IoError>([&] { read_file(directory / "a.gz"); });
    EXPECT_TRUE(text_of_error.starts_with(prefix)) << text_of_error;
    return text_of_error.substr(std::min(prefix.size(), text_of_error.size()));
  };
  for (std::size_t length = 2; length < packed.size(); ++length) {
    EXPECT_EQ(message(packed.substr(0, length)), "the compressed data ends too soon") << length;
  }
  std::string damaged = packed;
  damaged[packed.size() - 8] ^= 1;  // the checksum
  EXPECT_EQ(message(damaged), "the compressed data is damaged (incorrect data check)");
}

#else

TEST(ReadFile, says_that_gzip_needs_zlib) {
  const std::string message = message_of<IoError>([] { read_back(packed); });
  EXPECT_NE(message.find("this build has no zlib; call gunzip first"), std::string::npos)
      << message;
}

#endif

}  // namespace
}  // namespace hodge
