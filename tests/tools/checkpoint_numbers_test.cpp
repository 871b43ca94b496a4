// Checkpoints whose checksums are right and whose numbers are not: refused in one line, whatever
// the number is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/changed_checkpoint.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* guessing_run = R"(
case: lid_driven_cavity
grid: {cells: [8, 8]}
time: {end: 1, steps: 6, step: {size: 0.01}}
solvers:
  pressure: {method: cg, preconditioner: {kind: jacobi}, guess: projected, guess_vectors: 4}
  transport: {refresh: auto, guess: projected, guess_vectors: 3}
output: {fields: [velocity, pressure, mean_velocity], checkpoint: {keep: 1}}
probes: {points: {centre: [0.5, 0.5]}, averages: {from: 0}}
device: cpu
)";

class CheckpointNumbers : public testing::Test {
 protected:
  CheckpointNumbers() {
    test::write_text(folder_ / "run.yaml", guessing_run);
    EXPECT_EQ(test::run_hodge({"run", "run.yaml", "--output", "out"}, folder_.path()).exit_code, 0);
  }
  fs::path checkpoint() const {
    return fs::directory_iterator(folder_ / "out/checkpoints")->path();
  }
  // In a copy of the run directory, whose files the checkpoint says something about, too.
  test::ProgramResult restart(const test::ChangedCheckpoint& changed) const {
    fs::remove_all(folder_ / "again");
    fs::copy(folder_ / "out", folder_ / "again", fs::copy_options::recursive);
    changed.save(folder_ / "again/checkpoints" / checkpoint().filename());
    return test::run_hodge(
        {"run", "run.yaml", "--output", "again", "--restart", "latest", "--set", "time.steps=8"},
        folder_.path());
  }
  test::ProgramResult restart_with(const std::string& name, auto value) const {
    test::ChangedCheckpoint changed(checkpoint());
    changed.set(name, value);
    return restart(changed);
  }

  test::TemporaryDirectory folder_;
};

void expect_refusal(const test::ProgramResult& result, int exit_code) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(CheckpointNumbers, of_a_checkpoint_with_right_ones_are_taken) {
  EXPECT_EQ(restart(test::ChangedCheckpoint(checkpoint())).exit_code, 0);
}

TEST_F(CheckpointNumbers, of_starting_guesses_stay_within_their_bases) {
  for (const char* name : {"pressure/guess_basis_size", "transport/guess_0_recorded",
                           "transport/guess_0_last", "transport/guess_1_basis_size"})
    for (const long number : {-2L, 1000L, 1L << 31, 1L << 32, std::numeric_limits<long>::min()}) {
      const auto result = restart_with(std::string("state/solvers/") + name, number);
      expect_refusal(result, 4);
      EXPECT_THAT(result.err, HasSubstr(std::string(name) + " is "));
    }
}

// Every part of the file, one after the other.
TEST_F(CheckpointNumbers, whatever_they_are_end_in_one_line) {
  const test::ChangedCheckpoint good(checkpoint());
  for (const std::string& name : good.names()) {
    test::ChangedCheckpoint changed(checkpoint());
    const sim::CheckpointPart part = changed.part(name);
    if (part.kind == sim::PartKind::number)
      changed.set(name, std::nan(""));
    else if (part.kind == sim::PartKind::integer)
      changed.set(name, std::numeric_limits<long>::min() + 5);
    else if (part.kind == sim::PartKind::list && part.count > 0)
      changed.shorten(name, part.count - 1);
    else
      changed.remove(name);
    const auto result = restart(changed);
    if (part.kind == sim::PartKind::list && result.exit_code == 0) continue;  // of any length
    expect_refusal(result, 4);
    EXPECT_THAT(result.err,
                HasSubstr(checkpoint().filename().string() + " cannot be read: " + name))
        << name;
  }
}

}  // namespace
}  // namespace hodge::tools
