// What commands write that are no runs: nothing that exists is replaced unasked, and no input ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

constexpr const char* written_cavity =
    "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1, steps: 2}\ndevice: cpu\n";
constexpr const char* diagonal_file =
    "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n";

struct Outputs : testing::Test {
  Outputs() {
    test::write_text(folder / "a.yaml", written_cavity);
    test::write_text(folder / "a.mtx", diagonal_file);
    test::write_text(folder / "mine", "precious");
  }
  test::ProgramResult hodge(const Words& words) const {
    return test::run_hodge(words, folder.path());
  }
  // In a line, before anything else is said or done.
  void expect_refused(const Words& words, const std::string& why) const {
    const test::ProgramResult result = hodge(words);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(words);
    EXPECT_EQ(result.out, "") << testing::PrintToString(words);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(why)) << testing::PrintToString(words);
  }
  std::string text(const std::string& file) const { return test::read_text(folder / file); }

  test::TemporaryDirectory folder;
};

const std::vector<Words> quick_writers{
    {"schema", "--case", "lid_driven_cavity", "--output"},
    {"init", "custom"},
    {"study", "a.yaml", "--steps", "1", "--tolerances", "1e-6", "--csv"},
    {"solve", "a.mtx", "--device", "cpu", "--output"},
    {"solve", "a.mtx", "--device", "cpu", "--history"},
    {"solve", "a.mtx", "--device", "cpu", "--compare", "--csv"},
    {"matrix", "transpose", "a.mtx", "--output"},
    {"matrix", "convert", "a.mtx", "--to", "array", "--output"},
    {"matrix", "convert", "a.mtx", "--output"},
    {"matrix", "spy", "a.mtx", "--output"}};

const std::vector<Words> slow_writers{{"validate", "--quick", "--markdown"},
                                      {"reproduce", "--quick", "--device", "cpu", "--markdown"}};

Words words_and(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Outputs, that_exist_are_replaced_where_that_is_asked_for_alone) {
  for (const Words& writer : quick_writers) {
    test::write_text(folder / "mine", "precious");
    expect_refused(words_and(writer, {"mine"}),
                   "mine: is there already: give another name, or --overwrite");
    EXPECT_EQ(text("mine"), "precious") << testing::PrintToString(writer);
    const test::ProgramResult result = hodge(words_and(writer, {"mine", "--overwrite"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(text("mine"), "precious") << testing::PrintToString(writer);
  }
  for (const Words& writer : slow_writers)
    expect_refused(words_and(writer, {"mine"}), "there already");
}

TEST_F(Outputs, are_no_inputs_by_whatever_path) {
  fs::create_symlink("a.mtx", folder / "link");
  fs::create_symlink("a.yaml", folder / "yaml_link");
  fs::create_hard_link(folder / "a.mtx", folder / "hard");
  fs::create_hard_link(folder / "a.yaml", folder / "yaml_hard");
  for (const Words& writer : quick_writers) {
    if (std::ranges::count(writer, "a.yaml") > 0)
      for (const char* name : {"a.yaml", "./a.yaml", "yaml_link", "yaml_hard"})
        expect_refused(words_and(writer, {name, "--overwrite"}), "is an input");
    if (std::ranges::count(writer, "a.mtx") > 0)
      for (const char* name : {"a.mtx", "../", "link", "hard"})
        expect_refused(words_and(writer, {name, "--overwrite"}),
                       std::string(name) == "../" ? "is a directory" : "is an input");
  }
  EXPECT_EQ(text("a.yaml"), written_cavity);
  EXPECT_EQ(text("a.mtx"), diagonal_file);
}

TEST_F(Outputs, of_one_command_are_two_files) {
  expect_refused({"solve", "a.mtx", "--output", "x", "--history", "./x"},
                 "x: would be written twice, expected two files");
}

TEST_F(Outputs, that_lie_in_no_folder_are_refused_before_any_work) {
  for (const Words& writer : quick_writers)
    expect_refused(words_and(writer, {"none/x"}), "none/x: there is no directory none");
  for (const Words& writer : slow_writers)
    expect_refused(words_and(writer, {"none/x"}), "none/x: there is no directory none");
}

TEST_F(Outputs, in_folders_are_replaced_where_that_is_asked_for_alone) {
  fs::create_directories(folder / "out/poiseuille");
  for (const char* mine : {"out/transpose.json", "out/transpose.md", "out/transpose_products.csv",
                           "out/transpose.png", "out/transpose_of_mine.csv"}) {
    test::write_text(folder / mine, "precious");
    expect_refused({"bench", "transpose", "--quick", "--device", "cpu", "--output", "out"},
                   std::string(mine) + ": is there already");
    EXPECT_EQ(text(mine), "precious");
    fs::remove(folder / mine);
  }
  expect_refused({"bench", "transpose", "--quick", "--device", "cpu", "--output", "a.mtx"},
                 "a.mtx: is a file, expected a directory to write into");
  test::write_text(folder / "out/notes.md", "mine");
  const Words measure{"bench", "transpose", "--quick", "--device", "cpu", "--output", "out"};
  ASSERT_EQ(hodge(measure).exit_code, 0);
  expect_refused(measure, "is there already");
  expect_refused(words_and(measure, {"--against", "out/transpose.json", "--overwrite"}),
                 "out/transpose.json: is an input");
  ASSERT_EQ(hodge(words_and(measure, {"--overwrite"})).exit_code, 0);
  EXPECT_EQ(text("out/notes.md"), "mine");
  for (const char* mine : {"checks.csv", "comparisons.csv", "curves.csv", "poiseuille.png"}) {
    test::write_text(folder / "out/poiseuille" / mine, "precious");
    expect_refused({"validate", "poiseuille", "--quick", "--output", "out"}, "is there already");
    fs::remove(folder / "out/poiseuille" / mine);
  }
}

// Redirected into a file, the output stands behind what was printed before.
TEST_F(Outputs, may_be_the_standard_output) {
  const std::string schema = hodge({"schema"}).out;
  EXPECT_THAT(schema, StartsWith("{\n"));
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    EXPECT_EQ(hodge({"schema", "--output", name}).out, schema);
    const std::string spoken = hodge({"solve", "a.mtx", "--device", "cpu", "--output", name}).out;
    EXPECT_THAT(spoken, HasSubstr("\n%%MatrixMarket matrix array real general\n2 1\n"));
    EXPECT_THAT(spoken, HasSubstr("A "));
  }
  EXPECT_THAT(hodge({"init", "custom", "-"}).out, HasSubstr("case: custom"));
  EXPECT_EQ(hodge({"schema", "--output", "/dev/null"}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

// By the manual page, which has a section for each.
TEST_F(Outputs, every_command_that_writes_files_may_be_asked_to_replace_them) {
  const std::string manual = hodge({"man"}).out;
  std::size_t writers = 0, begin = manual.find("\n.SS ");
  while (begin != std::string::npos) {
    const std::size_t end = manual.find("\n.SS ", begin + 1);
    const std::string section = manual.substr(begin, end - begin);
    if (section.find("\\-\\-output") != std::string::npos ||
        section.find("\nWrite ") != std::string::npos) {
      EXPECT_THAT(section, HasSubstr("\\-\\-overwrite"));
      ++writers;
    }
    begin = end;
  }
  EXPECT_GE(writers, 13);
}

TEST_F(Outputs, of_schema_are_named_by_an_option_and_a_file_alone_says_so) {
  expect_refused({"schema", "a.yaml"},
                 "hodge schema: unexpected 'a.yaml': a file to write is named by --output FILE, a "
                 "case by --case NAME");
  EXPECT_EQ(text("a.yaml"), written_cavity);
  const std::string one = hodge({"schema", "--case", "duct"}).out;
  EXPECT_LT(one.size(), hodge({"schema"}).out.size() / 2);
  EXPECT_THAT(one, HasSubstr("\"duct\""));
  EXPECT_EQ(one.find("kovasznay"), std::string::npos);
}

}  // namespace
}  // namespace hodge::tools
