#include "sim/base/input_files.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/base/blake2b.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

const std::string a_digest(64, 'a'), b_digest(64, 'b');

TEST(NamedInputs, have_the_digest_of_all_their_bytes) {
  const test::TemporaryDirectory folder;
  for (const std::size_t bytes : {0UL, 1UL, 1UL << 20, (1UL << 20) + 1}) {
    const std::string text(bytes, 'x');
    test::write_text(folder / "f", text);
    EXPECT_EQ(digest_of_file(folder / "f"), blake2b(text)) << bytes;
  }
  EXPECT_THROW(digest_of_file(folder / "none"), ConfigError);
  EXPECT_THROW(digest_of_file(folder.path()), ConfigError);
}

TEST(NamedInputs, come_back_from_their_lines) {
  const InputFiles files{{"/a b/c.csv", a_digest}, {"/d", b_digest}};
  EXPECT_EQ(inputs_text(files), a_digest + "  /a b/c.csv\n" + b_digest + "  /d\n");
  EXPECT_EQ(inputs_from_text(inputs_text(files)), files);
  EXPECT_EQ(inputs_from_text(""), InputFiles());
  EXPECT_THROW((void)inputs_from_text("nothing\n"), IoError);
  EXPECT_THROW((void)inputs_from_text(a_digest + "  /cut"), IoError);
}

TEST(NamedInputs, have_changed_under_their_name_or_are_new_by_their_contents) {
  const InputFiles before{{"/a", a_digest}, {"/b", b_digest}};
  EXPECT_EQ(changed_file(before, {{"/b", b_digest}, {"/c", a_digest}}), std::nullopt);
  EXPECT_EQ(changed_file(before, {{"/a", a_digest}, {"/b", a_digest}}), "/b");
  EXPECT_EQ(new_file(before, {{"/c", a_digest}}), std::nullopt);
  EXPECT_EQ(new_file(before, {{"/a", a_digest}, {"/c", std::string(64, 'c')}}), "/c");
}

TEST(NamedInputs, stand_in_texts_by_their_digests_the_longest_name_first) {
  EXPECT_EQ(with_digests("f('/a/t') + f('/a/t.csv')", {{"/a/t", a_digest}, {"/a/t.csv", b_digest}}),
            "f('" + a_digest + "') + f('" + b_digest + "')");
}

}  // namespace
}  // namespace hodge::sim
