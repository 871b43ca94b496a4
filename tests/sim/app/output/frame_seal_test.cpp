#include "sim/app/output/frame_seal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/base/crc32.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

std::string blank_text(std::size_t bytes) {
  return std::string(xml_declaration) + blank_seal() + std::string(bytes, 'x') + "\n";
}

void check(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  check_frame_seal(path, file);
}

TEST(FrameSeal, of_a_text_and_of_a_file_is_the_checksum_with_zeros) {
  const test::TemporaryDirectory folder;
  for (const std::size_t bytes : {0, 1000, (1 << 20) - 1, 3 << 20}) {
    const std::string blank = blank_text(bytes), sealed = sealed_frame(blank);
    const std::size_t digits = blank.find("00000000");
    EXPECT_EQ(std::stoul(sealed.substr(digits, 8), nullptr, 16), crc32(blank));
    test::write_text(folder / "a", blank);
    FileDescriptor file(folder / "a", O_RDWR);
    seal_frame(file);
    EXPECT_EQ(test::read_text(folder / "a"), sealed);
    check(folder / "a");
  }
}

TEST(FrameSeal, tells_every_changed_byte_and_every_cut) {
  const test::TemporaryDirectory folder;
  const std::string sealed = sealed_frame(blank_text(50));
  const std::size_t end_of_digits = sealed.find(" -->");
  for (std::size_t i = sealed.find(": ") + 2; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    test::write_text(folder / "a", changed);
    EXPECT_THROW(check(folder / "a"), ConfigError) << i;
    if (i < end_of_digits) continue;
    test::write_text(folder / "a", sealed.substr(0, i));
    EXPECT_THROW(check(folder / "a"), ConfigError) << i;
  }
  test::write_text(folder / "a", sealed + "x");
  EXPECT_THROW(check(folder / "a"), ConfigError);
}

TEST(FrameSeal, is_not_expected_of_files_without_one) {
  const test::TemporaryDirectory folder;
  for (const std::string text : {"", "<?xml version=\"1.0\"?>\n<VTKFile/>"}) {
    test::write_text(folder / "a", text);
    EXPECT_NO_THROW(check(folder / "a"));
  }
}

}  // namespace
}  // namespace hodge::sim
