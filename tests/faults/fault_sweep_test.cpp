// Every call of a program that opens, reads, writes, synchronises, closes, renames, removes, makes
// or asks for a file fails, one at a time. Whatever fails: the exit code is 0 only where what the
// program leaves and says is whole, else it ends with one line that names the file, and what goes
// on afterwards ends as what nothing has disturbed.
//
// HODGE_FAULT_STRIDE=1 in the environment takes every fault; without it, one of many. n processes
// share the faults by HODGE_FAULT_STRIDE=n and HODGE_FAULT_FIRST, the number of the first one, from
// 0. A fault takes about 0.2 s of a processor.
#include <regex>

#include "tests/faults/attack.hpp"
#include "tests/support/stl_files.hpp"

namespace hodge::tests {
namespace {

class FaultSweep : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not_watched(); !why.empty()) GTEST_SKIP() << why;
    start_programs_once();
  }
  test::TemporaryDirectory folder;
};

// Runs of a kind: one that nothing disturbs, what is there before, and the one under attack.
class FaultsOfRuns : public FaultSweep {
 protected:
  void make(const RunKind& kind = {}) {
    for (const char* name : {"straight", "before", "attacked"})
      runs.insert_or_assign(name, WatchedRun(folder / name, kind));
  }
  void run_straight() { ASSERT_EQ(straight().hodge().exit_code, 0); }
  const WatchedRun& straight() const { return runs.at("straight"); }
  const WatchedRun& before() const { return runs.at("before"); }

  void sweep(const Words& words, int default_stride) {
    const WatchedRun& attacked = runs.at("attacked");
    const Attack attack{
        [&] { attacked.begin_with(before()); },
        [&](const Environment& variables) { return attacked.watched(variables, words); },
        [&] { expect_whole(straight().out(), attacked.out()); },
        [&](const std::string& said) { expect_goes_on(attacked, said); }};
    attack.sweep(folder.path(), default_stride);
  }

  void expect_goes_on(const WatchedRun& attacked, const std::string& said) const {
    const test::ProgramResult again = attacked.once_more();
    EXPECT_EQ(again.exit_code, 0) << "what went on: " << again.err << "after: " << said;
    SCOPED_TRACE("after it went on; before: " + said);
    if (again.exit_code != 0) return;
    expect_whole(straight().out(), attacked.out());
    const test::ProgramResult verified = attacked.verify();
    EXPECT_EQ(verified.exit_code, 0) << "verify: " << verified.out << verified.err;
  }

  std::map<std::string, WatchedRun> runs;
};

TEST_F(FaultsOfRuns, a_run_survives_a_failure_of_any_call) {
  make();
  ASSERT_NO_FATAL_FAILURE(run_straight());
  sweep({}, 997);
}

TEST_F(FaultsOfRuns, a_restart_survives_a_failure_of_any_call) {
  make();
  ASSERT_NO_FATAL_FAILURE(run_straight());
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before()));
  sweep({"--restart", "latest"}, 997);
}

TEST_F(FaultsOfRuns, a_run_that_replaces_another_survives_a_failure_of_any_call) {
  make();
  ASSERT_NO_FATAL_FAILURE(run_straight());
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before()));
  sweep({"--overwrite"}, 997);
}

TEST_F(FaultsOfRuns, a_run_that_reads_other_files_survives_a_failure_of_any_call) {
  make({.yaml = run_with_inputs_file});
  const WatchedRun earlier(folder / "earlier");
  ASSERT_EQ(earlier.hodge().exit_code, 0);
  for (const auto& [name, run] : runs) {
    test::write_text(run.folder() / "profile.csv", profile_csv);
    test::write_text(run.folder() / "block.stl",
                     test::stl_text(test::cube_surface({0.75, 0.25, 0.25}, {1, 0.75, 0.75})));
    fs::copy(earlier.out(), run.folder() / "earlier", fs::copy_options::recursive);
  }
  ASSERT_NO_FATAL_FAILURE(run_straight());
  sweep({}, 997);
}

TEST_F(FaultsOfRuns, processes_that_share_a_run_survive_a_failure_of_any_call) {
  HODGE_NEEDS_MPI();
  for (const int rank : {0, 1}) {
    make({.processes = 2, .watched_rank = rank});
    if (rank == 0) {
      ASSERT_NO_FATAL_FAILURE(run_straight());
    }
    sweep({}, rank == 0 ? 1999 : 197);
  }
}

// What a command says, without times.
std::string repeatable(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9][0-9.e+-]* *(s|ms|seconds|passed)\\b"), "TIME");
}

// A command that makes `result` or says something, in the folder of a run that has ended.
struct Command {
  Words words;
  Words makes{};     // files, whose rows are compared
  Words removes{};   // what is not there when it begins, and is overwritten; else, what it makes
  bool says = true;  // the same each time
  Environment variables{};
};

class FaultsOfCommands : public FaultSweep {
 protected:
  void SetUp() override {
    FaultSweep::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(run.hodge().exit_code, 0);
  }

  void sweep(const Command& command, int default_stride) {
    const test::ProgramResult right = run.command(command.words);
    ASSERT_EQ(right.exit_code, 0) << right.err;
    const std::vector<std::vector<std::string>> files = rows_of(command);
    test::ProgramResult last;
    const auto expect_right = [&] {
      if (command.says) {
        EXPECT_EQ(repeatable(last.out), repeatable(right.out));
      }
      EXPECT_EQ(rows_of(command), files);
    };
    const Attack attack{
        [&] {
          for (const std::string& name : command.removes.empty() ? command.makes : command.removes)
            fs::remove_all(run.folder() / name);
        },
        [&](const Environment& variables) {
          Environment all = command.variables;
          all.insert(variables.begin(), variables.end());
          all["HODGE_WATCHED_ALONE"] = "1";
          return last = run.watched_command(all, command.words);
        },
        expect_right,
        [&](const std::string& said) {
          Words words = command.words;
          if (!command.removes.empty()) words.emplace_back("--overwrite");
          last = run.command(words);
          SCOPED_TRACE("once more, after: " + said);
          EXPECT_EQ(last.exit_code, 0) << last.err;
          expect_right();
        }};
    attack.sweep(folder.path(), default_stride);
  }

  std::vector<std::vector<std::string>> rows_of(const Command& command) const {
    std::vector<std::vector<std::string>> all;
    for (const std::string& file : command.makes)
      all.push_back(test::repeatable_rows(run.folder() / file));
    return all;
  }

  WatchedRun run{folder / "run"};
};

TEST_F(FaultsOfCommands, check_and_verify_survive_a_failure_of_any_call) {
  sweep({{"check", "run.yaml"}}, 41);
  sweep({{"verify", "out"}}, 401);
}

TEST_F(FaultsOfCommands, a_sweep_survives_a_failure_of_any_call) {
  const Words words{"sweep",    "run.yaml", "--over", "fluid.viscosity=0.005,0.01",
                    "--output", "runs"};
  ASSERT_EQ(run.command(words).exit_code, 0);  // its runs are finished already from now on
  sweep({words, {"runs/sweep.csv"}}, 499);
}

TEST_F(FaultsOfCommands, a_study_survives_a_failure_of_any_call) {
  sweep({.words = {"study", "run.yaml", "--steps", "2", "--csv", "study.csv"},
         .makes = {"study.csv"},
         .removes = {"study.csv"},
         .says = false},
        97);
}

TEST_F(FaultsOfCommands, a_comparison_survives_a_failure_of_any_call) {
  sweep({.words = {"compare", "run.yaml", "--output", "compared"},
         .makes = {"compared/compare.csv"},
         .removes = {"compared"},
         .says = false},
        1201);
}

TEST_F(FaultsOfCommands, a_validation_survives_a_failure_of_any_call) {
  const fs::path read = fs::canonical(source_dir() / "cases/reference");
  sweep({.words = {"validate", "robertson"}, .variables = {{"HODGE_WATCHED", read.string()}}}, 97);
}

TEST_F(FaultsOfCommands, what_reads_matrices_survives_a_failure_of_any_call) {
  test::write_text(run.folder() / "a.txt", "2\n2 1\n1 3\n3 5\n");
  test::write_text(run.folder() / "a.mtx",
                   "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n");
  sweep({{"gauss", "a.txt"}}, 7);
  sweep({{"matrix", "info", "a.mtx"}}, 7);
  sweep({{"solve", "a.mtx"}}, 7);
}

}  // namespace
}  // namespace hodge::tests
