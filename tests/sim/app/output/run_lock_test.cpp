#include "sim/app/output/run_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::message_of;
using testing::HasSubstr;

TEST(RunLock, is_held_once_and_names_its_holder) {
  const test::TemporaryDirectory directory;
  std::optional<RunLock> lock(directory.path());
  const std::string message = message_of<ConfigError>([&] { RunLock second(directory.path()); });
  EXPECT_THAT(message, HasSubstr("a run is writing in " + directory.path().string()));
  EXPECT_THAT(message, HasSubstr("process " + std::to_string(::getpid()) + " on "));
  EXPECT_EQ(message_of<ConfigError>([&] { RunLock::require_free(directory.path()); }), message);
  lock.reset();
  EXPECT_NO_THROW(RunLock::require_free(directory.path()));
  EXPECT_NO_THROW(RunLock again(directory.path()));
}

TEST(RunLock, looking_for_it_makes_no_file) {
  const test::TemporaryDirectory directory;
  RunLock::require_free(directory.path());
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(RunLock, is_lost_with_its_directory) {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "run");
  const RunLock lock(directory / "run");
  EXPECT_NO_THROW(lock.require_held());
  std::filesystem::remove_all(directory / "run");
  EXPECT_THROW(lock.require_held(), IoError);
  std::filesystem::create_directory(directory / "run");
  const RunLock another(directory / "run");
  EXPECT_THROW(lock.require_held(), IoError);
}

TEST(RunLock, follows_no_link) {
  const test::TemporaryDirectory directory;
  test::write_text(directory / "precious", "mine");
  std::filesystem::create_symlink("precious", directory / ".lock");
  EXPECT_THROW(RunLock lock(directory.path()), IoError);
  EXPECT_EQ(test::read_text(directory / "precious"), "mine");
}

}  // namespace
}  // namespace hodge::sim
