#include "sim/app/checkpoint/restart.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

constexpr const char* before = R"(case: cavity
parameters:
  reynolds: 100
grid:
  cells: [8, 8]
time:
  scheme: bdf2
  end: 1
solvers:
  pressure:
    tolerance: 1e-8
output:
  directory: "a"
  fields: [velocity]
)";

std::optional<RunChange> first_change(const std::string& then, const std::string& now) {
  return sim::first_change(RunRecord{then}, RunRecord{now});
}

std::string with(const std::string& what, const std::string& by) {
  std::string text = before;
  return text.replace(text.find(what), what.size(), by);
}

TEST(ChangedKeys, the_same_file_has_none) {
  EXPECT_FALSE(first_change(before, before));
}

TEST(ChangedKeys, what_a_restart_may_change_is_none) {
  for (const auto& [what, by] : {std::pair{"end: 1", "end: 2"}, {"1e-8", "1e-6"}, {"\"a\"", "b"}})
    EXPECT_FALSE(first_change(before, with(what, by))) << by;
  EXPECT_FALSE(first_change(before, std::string(before) + "device: cpu\n"));
  EXPECT_FALSE(first_change(before, std::string(before) + "compare: {every: 1}\n"));
  EXPECT_FALSE(first_change(before, with("\"a\"", "a\n  precision: double")));
  EXPECT_FALSE(first_change(before, with("[velocity]", "[velocity, pressure]")));
  EXPECT_FALSE(first_change(before, std::string(before) + "probes: {every: 1}\n"));
}

TEST(ChangedKeys, that_a_restart_may_change_are_those_in_the_documentation) {
  const std::string text = test::read_text(tests::source_dir() / "sim/OUTPUT.md");
  std::size_t at = text.find("- A restart may change ");
  const std::size_t end = text.find("All other keys", at);
  ASSERT_NE(end, std::string::npos);
  std::vector<std::string> documented;
  while ((at = text.find('`', at)) < end) {
    const std::size_t close = text.find('`', at + 1);
    documented.push_back(text.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  const auto keys = what_a_restart_may_change();
  EXPECT_EQ(documented, std::vector<std::string>(keys.begin(), keys.end()));
}

TEST(ChangedKeys, numbers_may_be_written_in_other_ways) {
  EXPECT_FALSE(first_change("parameters:\n  a: 1e-06\n", "parameters:\n  a: 1.0e-06\n"));
  EXPECT_TRUE(first_change("parameters:\n  a: 1e-06\n", "parameters:\n  a: 1.1e-06\n"));
}

TEST(ChangedKeys, a_value_is_named_with_both_texts) {
  const auto change = first_change(before, with("[8, 8]", "[16, 8]"));
  ASSERT_TRUE(change);
  EXPECT_EQ(change->key, "grid.cells");
  EXPECT_EQ(change->before, "[8, 8]");
  EXPECT_EQ(change->now, "[16, 8]");
  EXPECT_EQ(first_change(before, with("bdf2", "rk3"))->key, "time.scheme");
  EXPECT_EQ(first_change(before, with("100", "200"))->key, "parameters.reynolds");
}

TEST(ChangedKeys, a_key_that_comes_or_goes_is_named) {
  EXPECT_EQ(first_change(before, std::string(before) + "solids: [{sphere: {radius: 1}}]\n")->before,
            "not given");
  EXPECT_EQ(first_change(std::string(before) + "forces: {speed: 1}\n", before)->now, "not given");
}

TEST(ChangedKeys, files_may_have_other_names_but_not_other_contents) {
  const auto record = [](const std::string& path, char digest) {
    return RunRecord{"fluid: {viscosity: \"table('" + path + "', x)\"}\n",
                     InputFiles{{path, std::string(64, digest)}}};
  };
  EXPECT_FALSE(sim::first_change(record("/a", '1'), record("/b", '1')));
  EXPECT_EQ(sim::first_change(record("/a", '1'), record("/a", '2'))->file, "/a");
  EXPECT_EQ(sim::first_change(record("/a", '1'), record("/b", '2'))->key, "fluid.viscosity");
  RunRecord unknown = record("/a", '1');  // of a version that took down no files
  unknown.inputs.reset();
  EXPECT_FALSE(sim::first_change(unknown, record("/a", '2')));
  RunRecord nothing = record("/a", '1');
  nothing.inputs->clear();
  EXPECT_EQ(sim::first_change(nothing, record("/a", '2'))->file, "/a");
}

}  // namespace
}  // namespace hodge::sim
