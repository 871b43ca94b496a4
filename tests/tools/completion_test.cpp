// The scripts for shells and the manual page name every command and option that --help shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

struct CompletionTest : testing::Test {
  std::string output(const Words& words) {
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  // The first words of the lines below a heading.
  Words below(const std::string& help, const std::string& heading) {
    Words words;
    std::istringstream lines(help.substr(std::min(help.find("\n" + heading + ":"), help.size())));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    const std::regex first("^  (\\S+).*");
    for (std::smatch match; std::getline(lines, line) && !line.empty();)
      if (std::regex_match(line, match, first)) words.push_back(match[1]);
    return words;
  }
  // "run", "matrix info", ...
  Words commands() {
    Words all;
    for (const std::string& name : below(output({"--help"}), "Subcommands")) {
      const Words inner = below(output({name, "--help"}), "Subcommands");
      for (const std::string& last : inner) all.push_back(name + " " + last);
      if (inner.empty()) all.push_back(name);
    }
    return all;
  }
  Words options_of(const std::string& command) {
    std::istringstream text(command);
    Words words{std::istream_iterator<std::string>(text), {}}, options;
    words.push_back("--help");
    const std::regex name("--[a-z-]+");
    for (const std::string& word : below(output(words), "Options"))
      for (std::sregex_iterator at(word.begin(), word.end(), name), end; at != end; ++at)
        options.push_back(at->str());
    return options;
  }
  // What bash offers after these words, the last of which has been begun.
  std::set<std::string> offered(const std::string& words) {
    const Words lines = offered_lines(words);
    return {lines.begin(), lines.end()};
  }
  Words offered_lines(const std::string& words) {
    test::write_text(folder / "hodge.bash", output({"completion", "bash"}));
    const std::string script = "PATH='" + tests::program_path().parent_path().string() +
                               "':$PATH && cd '" + folder.path().string() +
                               "' && . ./hodge.bash && COMP_WORDS=(" + words +
                               ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _hodge && "
                               "printf '%s\n' \"${COMPREPLY[@]}\"";
    test::write_text(folder / "ask.sh", script);
    std::FILE* const pipe =
        ::popen(("bash --norc '" + (folder / "ask.sh").string() + "' 2>&1").c_str(), "r");
    Words lines;
    char line[4096];
    while (std::fgets(line, sizeof line, pipe) != nullptr)
      lines.push_back(std::string(line).substr(0, std::string(line).find('\n')));
    EXPECT_EQ(::pclose(pipe), 0);
    return lines;
  }
  test::TemporaryDirectory folder;
};

TEST_F(CompletionTest, scripts_and_manual_name_every_command_and_option) {
  const std::string bash = output({"completion", "bash"}), zsh = output({"completion", "zsh"}),
                    manual = std::regex_replace(output({"man"}), std::regex("\\\\-"), "-");
  const Words all = commands();
  ASSERT_THAT(all, testing::IsSupersetOf({"run", "init", "matrix info", "completion", "man"}));
  for (const std::string& command : all) {
    EXPECT_THAT(bash, HasSubstr("command='" + command + "'"));
    EXPECT_THAT(zsh, HasSubstr("'" + command.substr(command.rfind(' ') + 1) + ":"));
    EXPECT_THAT(manual, HasSubstr(".SS " + command + "\n"));
    const Words options = options_of(command);
    EXPECT_FALSE(options.empty()) << command;
    for (const std::string& option : options) {
      EXPECT_TRUE(offered("hodge " + command + " --").contains(option)) << command << option;
      EXPECT_THAT(zsh, HasSubstr(option + "["));
      EXPECT_THAT(manual, HasSubstr("\\fB" + option + "\\fR"));
    }
  }
}

TEST_F(CompletionTest, bash_offers_values_commands_and_files) {
  test::write_text(folder / "cavity.yaml", "");
  std::filesystem::create_directory(folder / "runs");
  EXPECT_EQ(offered("hodge run --device c"), (std::set<std::string>{"cpu", "cuda"}));
  EXPECT_EQ(offered("hodge matrix in"), (std::set<std::string>{"info"}));
  EXPECT_EQ(offered("hodge run ca"), (std::set<std::string>{"cavity.yaml"}));
  EXPECT_EQ(offered("hodge run --output r"), (std::set<std::string>{"runs"}));
  EXPECT_TRUE(offered("hodge init lid").contains("lid_driven_cavity"));
  EXPECT_EQ(offered("hodge completion z"), (std::set<std::string>{"zsh"}));
}

TEST_F(CompletionTest, bash_offers_configurations_and_folders_where_a_configuration_is_expected) {
  for (const char* file : {"a.yaml", "a.yml", "a.YAML", "a.csv", "a.h5", "a b.yaml"})
    test::write_text(folder / file, "");
  std::filesystem::create_directory(folder / "a_folder");
  for (const char* command : {"run", "check", "compare", "sweep", "study", "keys"})
    EXPECT_EQ(offered(std::string("hodge ") + command + " a"),
              (std::set<std::string>{"a.yaml", "a b.yaml", "a.yml", "a.YAML", "a_folder"}))
        << command;
  EXPECT_EQ(offered("hodge run a.yaml --restart l"), (std::set<std::string>{"latest"}));
  EXPECT_EQ(offered("hodge run a.yaml --restart ''"),
            (std::set<std::string>{"latest", "a.h5", "a_folder"}));
}

TEST_F(CompletionTest, bash_offers_the_keys_of_the_file_for_settings) {
  test::write_text(folder / "own.yaml",
                   "case: custom\nparameters: {speed: 2}\ngrid: {cells: [8, 8]}\n"
                   "scalars: {dye: {diffusivity: 1}}\n");
  test::write_text(folder / "cavity.yaml", "case: lid_driven_cavity\n");
  test::write_text(folder / "wrong.yaml", "case: [\n");
  EXPECT_EQ(offered("hodge run own.yaml --set time.e"), (std::set<std::string>{"time.end="}));
  EXPECT_EQ(offered("hodge sweep own.yaml --over param"),
            (std::set<std::string>{"parameters.speed="}));
  EXPECT_EQ(offered("hodge run own.yaml --set scalars.dye.dif"),
            (std::set<std::string>{"scalars.dye.diffusivity="}));
  EXPECT_EQ(offered("hodge sweep cavity.yaml --over parameters.r"),
            (std::set<std::string>{"parameters.reynolds="}));
  EXPECT_EQ(offered("hodge run cavity.yaml --set fluid."), (std::set<std::string>{""}));
  for (const char* words : {"hodge run wrong.yaml --set fluid.d", "hodge check --set fluid.d"})
    EXPECT_EQ(offered(words), (std::set<std::string>{"fluid.density="})) << words;
}

// Words come with their quotes, and apart at each '='.
TEST_F(CompletionTest, bash_reads_words_as_they_are_typed) {
  const std::string text = "case: custom\nparameters: {speed: 2}\ngrid: {cells: [8, 8]}\n";
  test::write_text(folder / "my file.yaml", text);
  test::write_text(folder / "own.YAML", text);
  const std::set<std::string> speed{"parameters.speed="}, nothing{""};
  for (const char* file : {"'my\\ file.yaml'", "\\''my file.yaml'\\'", "'\"my file.yaml\"'",
                           "own.YAML", "\"$PWD/own.YAML\""})
    EXPECT_EQ(offered(std::string("hodge run ") + file + " --set parameters."), speed) << file;
  EXPECT_EQ(offered("hodge run --set parameters."), nothing);
  EXPECT_EQ(offered("hodge run own.YAML --set = time.e"), (std::set<std::string>{"time.end="}));
  EXPECT_EQ(offered("hodge run own.YAML --restart = la"), (std::set<std::string>{"latest"}));
  for (const char* words : {"--set convection.scheme =", "--set convection.scheme = o",
                            "--set = time.end = ow", "--set own=o"})
    EXPECT_EQ(offered(std::string("hodge run own.YAML ") + words), nothing) << words;
  EXPECT_TRUE(offered("hodge run --set time.end = 5 ow").contains("own.YAML"));
}

TEST_F(CompletionTest, keys_of_an_unknown_case_are_an_error) {
  test::write_text(folder / "f.yaml", "case: cavities\n");
  const test::ProgramResult result = test::run_hodge({"keys", "f.yaml"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("f.yaml:1:7: case: unknown case 'cavities', "));
}

TEST_F(CompletionTest, bash_offers_the_names_of_all_operands_once) {
  test::write_text(folder / "matrix.mtx", "");
  EXPECT_TRUE(offered("hodge init custom matr").contains("matrix.mtx"));
  EXPECT_EQ(offered_lines("hodge solve matr"), (Words{"matrix.mtx"}));
}

// A shell on a terminal of its own gets a line and a tab, and shows the rest of the word.
TEST_F(CompletionTest, zsh_completes_words) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "there is no zsh";
  test::write_text(folder / "_hodge", output({"completion", "zsh"}));
  test::write_text(folder / "matrix.mtx", "");
  for (const char* file : {"only.yaml", "only.csv", "step_1.h5", "step_2.csv"})
    test::write_text(folder / file, "case: lid_driven_cavity\n");
  test::write_text(
      folder / "ask.zsh",
      R"(
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "cd ${0:h}; PATH=)" +
          tests::program_path().parent_path().string() +
          R"(:\$PATH; fpath=(${0:h} \$fpath); autoload -Uz compinit; compinit -u -D; PS1='read''y '"
zpty -r shell shown '*ready *'
while (( $# > 1 )); do
  zpty -wn shell "$1"$'\t'
  zpty -r shell shown "*$2*"
  zpty -wn shell $'\x15'
  shift 2
done
)");
  const auto completes = [&](const std::string& words) {
    return std::system(
        ("timeout 600 zsh -f '" + (folder / "ask.zsh").string() + "' " + words + " >/dev/null 2>&1")
            .c_str());
  };
  EXPECT_EQ(completes("'hodge swe' sweep 'hodge init lid' lid_driven_cavity "
                      "'hodge init custom matr' matrix.mtx 'hodge completion z' zsh "
                      "'hodge run --device cu' cuda 'hodge solve matr' matrix.mtx "
                      "'hodge matrix tr' transpose 'hodge run onl' only.yaml "
                      "'hodge run only.yaml --restart la' latest "
                      "'hodge run only.yaml --restart st' step_1.h5 "
                      "'hodge run only.yaml --set time.en' 'time.end=' "
                      "'hodge sweep only.yaml --over parameters.re' parameters.reynolds="),
            0);
  std::string options;
  for (const std::string& command : commands()) options += " 'hodge " + command + " --hel' --help";
  EXPECT_EQ(completes(options), 0);
}

TEST_F(CompletionTest, man_reads_the_page_and_zsh_the_script) {
  if (std::system("command -v man >/dev/null") == 0) {
    test::write_text(folder / "hodge.1", output({"man"}));
    EXPECT_EQ(std::system(("test -z \"$(LC_ALL=C MANWIDTH=300 man --warnings -l '" +
                           (folder / "hodge.1").string() + "' 2>&1 >/dev/null)\"")
                              .c_str()),
              0);
  }
  if (std::system("command -v zsh >/dev/null") != 0) return;
  test::write_text(folder / "_hodge", output({"completion", "zsh"}));
  EXPECT_EQ(std::system(("zsh -n '" + (folder / "_hodge").string() + "'").c_str()), 0);
}

}  // namespace
}  // namespace hodge::tools
