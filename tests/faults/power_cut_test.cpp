// Power is cut at random points of a run, and the disk keeps no more than it has to. What the run
// had called written is there; what is listed is whole; and what goes on ends as the run that
// nothing has disturbed.
//
// HODGE_POWER_CUTS=1000 in the environment sets how often power is cut in each test;
// HODGE_POWER_CUT_RESTARTS=1 lets a run go on after every cut, without it after one of some.
#include "tests/faults/power_cut.hpp"

#include "tests/faults/claims.hpp"
#include "tests/faults/watched_run.hpp"

namespace hodge::tests {
namespace {

using test::ProgramResult;

class PowerCuts : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not_watched(); !why.empty()) GTEST_SKIP() << why;
    start_programs_once();
    ASSERT_EQ(straight.hodge().exit_code, 0);
    frames = test::read_collection(straight.out() / "run.pvd");
  }

  void record(const Words& words) {
    const fs::path file = folder / "record";
    recorded.begin_with(before);
    const ProgramResult result = recorded.watched({{"HODGE_RECORD", file.string()}}, words);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    expect_whole(straight.out(), recorded.out());
    records = read_records(file);
  }

  // `count` frames at least are listed, and those that are listed are whole.
  void expect_frames(int count) const {
    const fs::path listed = cut.folder() / collection;
    if (!fs::exists(listed)) {
      EXPECT_EQ(count, 0) << "there is no " << listed;
      return;
    }
    const auto found = test::read_collection(listed);
    EXPECT_GE(static_cast<int>(found.size()), count) << "frames that were called written";
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i >= frames.size() || found[i] != frames[i]) {
        ADD_FAILURE() << "frame " << i << " of the collection is another one";
        return;
      }
      EXPECT_EQ(test::read_text(cut.out() / found[i].second),
                test::read_text(straight.out() / frames[i].second))
          << found[i].second;
    }
  }

  // A run that has ended has lost nothing. Another may be said to be whole or not, but only one
  // whose rows are right is called whole. Without its manifest it is no run directory.
  void expect_truth(bool ended) const {
    const ProgramResult verified = cut.verify();
    const bool is_run = fs::exists(cut.out() / "manifest.txt");
    EXPECT_TRUE(verified.exit_code == 0 || verified.exit_code == 4 || !is_run)
        << "verify: " << verified.exit_code << " " << verified.err;
    if (ended) {
      EXPECT_EQ(verified.exit_code, 0) << "verify: " << verified.out << verified.err;
    }
    if (verified.exit_code != 0) return;
    EXPECT_EQ(broken_row(), "") << "verify calls it whole: " << verified.out;
  }

  // The first row of a CSV file of the cut run that neither the straight nor the recorded run has.
  // averages.csv is replaced with every frame.
  std::string broken_row() const {
    for (const std::string& name : files_below(cut.out())) {
      if (!name.ends_with(".csv") || name == "averages.csv") continue;
      std::set<std::string> right;
      for (const WatchedRun* whole : {&straight, &recorded})
        right.merge(rows_of(whole->out() / name));
      for (const std::string& row : rows_of(cut.out() / name))
        if (!right.contains(row)) return name + ": " + row;
    }
    return "";
  }
  static std::set<std::string> rows_of(const fs::path& file) {
    const auto rows = test::repeatable_rows(file);
    return {rows.begin(), rows.end()};
  }

  void expect_goes_on() const {
    const ProgramResult again = cut.once_more();
    EXPECT_EQ(again.exit_code, 0) << "what went on: " << again.err;
    expect_whole(straight.out(), cut.out());
    if (again.exit_code != 0) return;
    const ProgramResult verified = cut.verify();
    EXPECT_EQ(verified.exit_code, 0) << "verify at the end: " << verified.out << verified.err;
  }

  // Cuts after `end` records.
  void expect_survives(std::size_t end, bool goes_on, std::mt19937& random) {
    PowerCut disk(before.folder());
    Claims claims(before.folder());
    for (std::size_t i = 0; i < end; ++i) {
      disk.add(records[i]);
      claims.add(records[i]);
    }
    fs::remove_all(cut.folder());
    fs::create_directories(cut.folder());
    disk.leave(cut.folder(), random);
    expect_frames(claims.frames());
    for (const std::string& checkpoint : claims.checkpoints())
      EXPECT_TRUE(fs::exists(cut.folder() / checkpoint)) << checkpoint << " was called written";
    const bool ended = end == records.size();
    EXPECT_EQ(claims.named_too_early(), "") << "log.txt says that it is on the disk";
    if (ended) {
      EXPECT_GE(claims.named(), 2) << "files that log.txt names";
    }
    if (ended) expect_whole(straight.out(), cut.out());
    expect_truth(ended);
    if (goes_on) expect_goes_on();
  }

  void cut_power() {
    const int cuts = number_from("HODGE_POWER_CUTS", 60);
    const int every = number_from("HODGE_POWER_CUT_RESTARTS", 15);
    int failed = 0;
    for (int i = 0; i < cuts; ++i) {
      std::mt19937 random(static_cast<unsigned>(i));
      std::uniform_int_distribution<std::size_t> moment(0, records.size());
      const std::size_t end = i % 20 == 0 ? records.size() : moment(random);
      const std::string failures =
          failures_of([&] { expect_survives(end, i % every == 0, random); });
      if (failures.empty()) continue;
      ++failed;
      const std::string last =
          end == 0 ? "nothing" : records[end - 1].kind + " " + records[end - 1].path;
      ADD_FAILURE() << "cut " << i << ", after record " << end << " (" << last << ")\n" << failures;
    }
    std::printf("%d cuts after up to %zu records, %d were not survived\n", cuts, records.size(),
                failed);
  }

  test::TemporaryDirectory folder;
  WatchedRun straight{folder / "straight"}, before{folder / "before"},
      recorded{folder / "recorded"}, cut{folder / "cut"};
  std::vector<Record> records;
  std::vector<std::pair<double, std::string>> frames;
};

TEST_F(PowerCuts, lose_nothing_that_a_run_had_called_written) {
  ASSERT_NO_FATAL_FAILURE(record({}));
  cut_power();
}

TEST_F(PowerCuts, lose_nothing_that_a_run_had_called_written_before_it_went_on) {
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before));
  ASSERT_NO_FATAL_FAILURE(record({"--restart", "latest"}));
  cut_power();
}

TEST_F(PowerCuts, leave_a_run_that_is_replaced_or_the_one_that_replaces_it) {
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before));
  ASSERT_NO_FATAL_FAILURE(record({"--overwrite"}));
  cut_power();
}

}  // namespace
}  // namespace hodge::tests
