// A flow that processes share, as process 0 drives it. The processes are threads. Over 400 lines:
// one box with sides of all kinds serves all that is promised of a shared Flow.
#include "sim/processes/leading_flow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "sim/base/key_error.hpp"
#include "sim/processes/follow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/small_flows.hpp"
#include "tests/support/state_copy.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;
using tests::run_in_processes;

// A box with sides of all kinds along both axes, scalars, and enough layers for three parts.
FlowInput stirred_box() {
  test::FlowSketch sketch = test::flows::cavity(2);
  sketch.axes[0] = test::uneven(17, -0.4, 0.7);
  sketch.axes[1] = test::uneven(11, 0.3, 1.5);
  FlowInput input{test::flow_settings(2, 1), test::problem_of(sketch)};
  input.settings.grid.axes = sketch.axes;
  input.settings.time.scheme = "bdf2";
  input.settings.pressure.method = "direct";
  input.settings.pressure.preconditioner = {"none"};
  return input;
}

// lead(leader) in process 0, while the others follow with `input`.
template <class Lead>
void in_processes(int count, const FlowInput& input, Lead lead) {
  run_in_processes(count, [&](linalg::Communicator& own) {
    if (own.rank() > 0)
      return follow(own, [&](const std::string& config, bool) {
        if (config == "not there") throw ConfigError("a file is not there");
        return input;
      });
    FlowLeader leader(own);
    lead(leader);
  });
}

std::unique_ptr<Flow> make(FlowLeader& leader, const FlowInput& input) {
  return make_leading_flow(leader, input.settings, input.problem, "the file");
}

std::vector<double> numbers_of(const Diagnostics& now) {
  std::vector<double> numbers{now.cfl_rate,  now.kinetic_energy, now.max_divergence,
                              now.max_speed, now.rate_of_change, now.velocity_rate};
  numbers.insert(numbers.end(), now.scalar_rates.begin(), now.scalar_rates.end());
  numbers.insert(numbers.end(), now.scalar_sizes.begin(), now.scalar_sizes.end());
  return numbers;
}

// All that a run asks a flow for.
struct Observed {
  std::vector<double> diagnostics, quantities;
  std::vector<CellArray> arrays;
  std::vector<std::string> frame;

  explicit Observed(const Flow& flow) : diagnostics(numbers_of(flow.diagnostics())) {
    for (const Quantity& quantity : flow.quantities()) quantities.push_back(quantity.value);
    arrays = flow.cell_arrays({"velocity", "pressure", "vorticity", "c"});
    Frame filled;
    flow.fill(filled, {"velocity", "d"}, "single");
    for (const FrameArray& array : filled.arrays) frame.emplace_back(array.bytes());
  }
};

void expect_equal(const Observed& one, const Observed& other) {
  EXPECT_EQ(one.diagnostics, other.diagnostics);
  EXPECT_EQ(one.quantities, other.quantities);
  EXPECT_EQ(one.frame, other.frame);
  ASSERT_EQ(one.arrays.size(), other.arrays.size());
  for (std::size_t a = 0; a < one.arrays.size(); ++a)
    EXPECT_EQ(one.arrays[a].values, other.arrays[a].values) << one.arrays[a].name;
}

std::vector<std::string> bytes_of(const Flow& flow, const std::vector<std::string>& fields) {
  Frame filled;
  flow.fill(filled, fields, "double");
  std::vector<std::string> bytes;
  for (const FrameArray& array : filled.arrays) bytes.emplace_back(array.bytes());
  return bytes;
}

void advance(Flow& flow, std::initializer_list<double> steps) {
  for (const double dt : steps) {
    const StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << report.failure;
  }
}

TEST(LeadingFlow, is_the_flow_of_one_process) {
  const FlowInput input = stirred_box();
  const auto alone = make_flow(input.settings, input.problem);
  advance(*alone, {0.01, 0.02, 0.005});
  const Observed expected(*alone);
  for (const int count : {1, 2, 3})
    in_processes(count, input, [&](FlowLeader& leader) {
      const auto flow = make(leader, input);
      advance(*flow, {0.01, 0.02, 0.005});
      EXPECT_EQ(flow->time(), alone->time());
      EXPECT_EQ(flow->step(), 3);
      expect_equal(expected, Observed(*flow));
    });
}

// The others do something else between the first step and the change of a wall's velocity.
TEST(LeadingFlow, goes_on_after_a_pause_and_takes_other_formulas) {
  const FlowInput input = stirred_box();
  FlowInput faster = input;
  for (Side& side : faster.problem.boundaries.sides[1])
    if (side.kind == SideKind::wall) side.velocity[0] = 3;
  const auto alone = make_flow(input.settings, input.problem);
  advance(*alone, {0.01});
  const Observed before(*alone);
  alone->change_formulas(faster.problem, "");
  advance(*alone, {0.01, 0.01});
  const Observed expected(*alone);
  ASSERT_NE(expected.diagnostics, before.diagnostics);
  run_in_processes(2, [&](linalg::Communicator& own) {
    const auto read = [&](const std::string& config, bool) {
      return config == "faster" ? faster : input;
    };
    if (own.rank() > 0) {
      Follower follower(own, read);
      EXPECT_TRUE(follower.follow());
      double between = 2;
      own.maximum(std::span(&between, 1));
      EXPECT_FALSE(follower.follow());
      return;
    }
    FlowLeader leader(own);
    const auto flow = make(leader, input);
    advance(*flow, {0.01});
    leader.pause();
    double between = 1;
    own.maximum(std::span(&between, 1));
    EXPECT_EQ(between, 2);
    flow->change_formulas(faster.problem, "faster");
    advance(*flow, {0.01, 0.01});
    expect_equal(expected, Observed(*flow));
  });
}

// The last process has no part of the box. It has a signal from its second step on.
TEST(LeadingFlow, hears_of_a_signal_to_another_process_before_the_next_step) {
  FlowInput input = stirred_box();
  input.settings.grid.axes[1] = test::uneven(8, 0.3, 1.5);
  run_in_processes(3, [&](linalg::Communicator& own) {
    const auto read = [&](const std::string&, bool) { return input; };
    int steps = 0;
    const auto second_step = [&] { return own.rank() == 2 && ++steps == 2 ? 15 : 0; };
    if (own.rank() > 0) return follow(own, read, second_step);
    std::vector<int> heard;
    FlowLeader leader(own, [&](int number) { heard.push_back(number); });
    const auto flow = make(leader, input);
    advance(*flow, {0.01});
    EXPECT_EQ(heard, std::vector<int>{});
    advance(*flow, {0.01, 0.01});
    EXPECT_EQ(heard, std::vector<int>{15});
  });
}

TEST(LeadingFlow, has_the_errors_of_the_whole_box) {
  FlowInput input = stirred_box();
  input.problem.exact.emplace();
  input.problem.exact->velocity = [](const Point& x, double) { return Point{x[1], 0, 0}; };
  input.problem.exact->pressure = [](const Point& x, double) { return x[0]; };
  const auto expected = make_flow(input.settings, input.problem)->error_norms();
  ASSERT_TRUE(expected);
  in_processes(3, input, [&](FlowLeader& leader) {
    const auto norms = make(leader, input)->error_norms();
    ASSERT_TRUE(norms);
    EXPECT_EQ(norms->velocity_l2, expected->velocity_l2);
    EXPECT_EQ(norms->velocity_max, expected->velocity_max);
    EXPECT_EQ(norms->pressure_l2, expected->pressure_l2);
  });
}

// States of schemes with rates, of a pressure with guesses, and of means.
TEST(LeadingFlow, takes_and_leaves_the_state_of_any_number_of_processes) {
  for (const std::string scheme : {"bdf2", "ab2"}) {
    FlowInput input = stirred_box();
    input.settings.time.scheme = scheme;
    input.settings.output.fields = {"velocity", "mean_velocity", "rms_c"};
    input.settings.pressure.method = "cg";
    input.settings.pressure.preconditioner = {"jacobi"};
    input.settings.pressure.guess = "projected";
    for (const auto& [first, second] : {std::pair{1, 3}, {3, 1}, {2, 3}}) {
      SCOPED_TRACE(scheme + ", " + std::to_string(first) + " then " + std::to_string(second));
      test::StateCopy state;
      in_processes(first, input, [&](FlowLeader& leader) {
        const auto flow = make(leader, input);
        advance(*flow, {0.01, 0.02});
        flow->visit_state(state);
      });
      std::vector<std::string> frame;
      for (const int count : {second, first}) {
        in_processes(count, input, [&](FlowLeader& leader) {
          const auto flow = make(leader, input);
          state.restoring = true;
          flow->visit_state(state);
          EXPECT_EQ(flow->step(), 2);
          const std::vector<std::string> bytes =
              bytes_of(*flow, {"velocity", "pressure", "mean_velocity", "rms_c"});
          if (frame.empty()) frame = bytes;
          EXPECT_EQ(bytes, frame);
        });
      }
    }
  }
}

// What the preconditioner was made of decides the iterates of all later solves. The second state is
// that of a flow which has solved nothing since it was restored.
TEST(LeadingFlow, goes_on_with_the_preconditioners_that_another_number_of_processes_has_kept) {
  FlowInput input = stirred_box();
  input.settings.transport.refresh = input.settings.scalars.refresh = "never";
  input.settings.transport.preconditioner = {"ssor_sai"};
  input.settings.transport.tolerance = 1e-4;
  const std::vector<std::string> fields{"velocity", "pressure", "c"};
  const auto straight = make_flow(input.settings, input.problem);
  advance(*straight, {0.01, 0.02, 0.03, 0.01});
  for (const auto& [first, second] : {std::pair{1, 3}, {3, 1}, {2, 3}, {3, 2}}) {
    SCOPED_TRACE(std::to_string(first) + " then " + std::to_string(second));
    test::StateCopy state, restored_state;
    in_processes(first, input, [&](FlowLeader& leader) {
      const auto flow = make(leader, input);
      advance(*flow, {0.01, 0.02});
      flow->visit_state(state);
    });
    state.restoring = true;
    in_processes(second, input, [&](FlowLeader& leader) {
      const auto flow = make(leader, input);
      flow->visit_state(state);
      flow->visit_state(restored_state);
    });
    restored_state.restoring = true;
    in_processes(second, input, [&](FlowLeader& leader) {
      const auto flow = make(leader, input);
      flow->visit_state(restored_state);
      advance(*flow, {0.03, 0.01});
      EXPECT_EQ(bytes_of(*flow, fields), bytes_of(*straight, fields));
    });
  }
}

TEST(LeadingFlow, ends_with_the_first_error_of_any_process_and_the_next_flow_is_made) {
  const FlowInput input = stirred_box();
  in_processes(3, input, [&](FlowLeader& leader) {
    const std::string error = [&]() -> std::string {
      try {
        (void)make_leading_flow(leader, input.settings, input.problem, "not there");
      } catch (const ConfigError& refused) {
        return refused.what();
      }
      return "";
    }();
    EXPECT_EQ(error, "rank 1: a file is not there");
    EXPECT_FALSE(leader.has_lost_others());
    advance(*make(leader, input), {0.01});
  });
}

// The scalar d is beyond the range of floats in the last cells alone.
TEST(LeadingFlow, a_frame_with_a_value_that_no_float_holds_is_double_in_all_parts) {
  FlowInput input = stirred_box();
  input.problem.scalars[1].initial = [](const Point& x) { return x[1] > 1.3 ? 1e39 : 1.0; };
  Frame expected;
  make_flow(input.settings, input.problem)->fill(expected, {"c", "d"}, "single");
  ASSERT_FALSE(expected.arrays[1].is_single);
  in_processes(3, input, [&](FlowLeader& leader) {
    Frame frame;
    make(leader, input)->fill(frame, {"c", "d"}, "single");
    for (int a = 0; a < 2; ++a) {
      EXPECT_EQ(frame.arrays[a].is_single, expected.arrays[a].is_single);
      EXPECT_EQ(frame.arrays[a].bytes(), expected.arrays[a].bytes());
    }
  });
}

TEST(LeadingFlow, each_process_writes_its_own_log_where_the_settings_ask_for_it) {
  const test::TemporaryDirectory folder;
  FlowInput input = stirred_box();
  input.settings.output.directory = folder.path().string();
  input.settings.parallel.log = true;
  in_processes(3, input, [&](FlowLeader& leader) { advance(*make(leader, input), {0.01, 0.02}); });
  const char* const layers[] = {"cells 0 to 2 along y", "cells 3 to 6 along y",
                                "cells 7 to 10 along y"};
  for (const int rank : {0, 1, 2}) {
    const auto lines = test::lines_of(folder / ("log.rank" + std::to_string(rank) + ".txt"));
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_THAT(lines[0], testing::StartsWith("process " + std::to_string(rank) + " of 3 on "));
    EXPECT_THAT(lines[1], testing::StartsWith(layers[rank]));
    EXPECT_EQ(lines[2], "messages by MPI");
    EXPECT_THAT(lines[3], testing::StartsWith("step 1  t 0.01  "));
    EXPECT_THAT(lines[4], testing::StartsWith("step 2  t 0.03  "));
  }
}

// 11 layers are three parts, 5 are one.
TEST(LeadingFlow, is_shared_by_as_many_as_it_has_layers_for) {
  FlowInput input = stirred_box();
  for (const int layers : {11, 5}) {
    input.settings.grid.axes[1] = test::uneven(layers, 0.3, 1.5);
    const auto alone = make_flow(input.settings, input.problem);
    advance(*alone, {0.01, 0.02});
    in_processes(5, input, [&](FlowLeader& leader) {
      const auto flow = make(leader, input);
      EXPECT_THAT(flow->device_name(), HasSubstr(layers == 11 ? "5 processes (2 without a part)"
                                                              : "5 processes (4 without a part)"));
      advance(*flow, {0.01, 0.02});
      expect_equal(Observed(*alone), Observed(*flow));
      test::StateCopy state;
      flow->visit_state(state);
      state.restoring = true;
      flow->visit_state(state);
      const auto sampler = flow->make_sampler({{0.1, 0.9, 0}}, {"pressure"});
      std::vector<double> value(1), expected(1);
      sampler->sample(value);
      alone->make_sampler({{0.1, 0.9, 0}}, {"pressure"})->sample(expected);
      EXPECT_EQ(value, expected);
    });
  }
}

TEST(LeadingFlow, of_a_device_that_processes_cannot_share_is_refused_by_all) {
  FlowInput input = stirred_box();
  input.settings.device = "cuda:99";
  in_processes(2, input, [&](FlowLeader& leader) {
    EXPECT_THROW((void)make(leader, input), ConfigError);
    EXPECT_FALSE(leader.has_lost_others());
  });
}

// A file that breaks off within the state.
class BrokenState final : public StateVisitor {
 public:
  bool restores() const override { return true; }
  std::string subject(const std::string& name) const override { return name; }
  void visit_part(const std::string& name, StatePart) override {
    if (name == "pressure") throw IoError("pressure is cut off");
  }
};

TEST(LeadingFlow, a_state_that_cannot_be_read_is_refused_by_all) {
  const FlowInput input = stirred_box();
  in_processes(3, input, [&](FlowLeader& leader) {
    const auto flow = make(leader, input);
    BrokenState broken;
    EXPECT_THROW(flow->visit_state(broken), IoError);
    EXPECT_FALSE(leader.has_lost_others());
    EXPECT_TRUE(std::isfinite(flow->diagnostics().max_speed));
  });
}

// A file that fails at the second range of a list, by the disk or by damage.
class FileOfRanges final : public StateVisitor {
 public:
  explicit FileOfRanges(bool restoring) : restores_(restoring) {}
  bool restores() const override { return restores_; }
  std::string subject(const std::string& name) const override { return name; }
  void visit_part(const std::string&, StatePart) override {}
  void visit_ranges(const std::string& name, const RangedList& list) override {
    for (std::size_t r = 0; r < list.ranges.size(); ++r) {
      if (r == 1) throw IoError(name + " cannot go on");
      std::span<double> values = list.values(r);
      if (!restores_) continue;
      std::ranges::fill(values, 0.0);
      list.filled(r);
    }
  }

 private:
  bool restores_;
};

TEST(LeadingFlow, a_file_that_fails_within_a_list_leaves_nobody_waiting) {
  const FlowInput input = stirred_box();
  in_processes(3, input, [&](FlowLeader& leader) {
    const auto flow = make(leader, input);
    for (const bool restores : {false, true}) {
      FileOfRanges file(restores);
      EXPECT_THROW(flow->visit_state(file), IoError);
      EXPECT_FALSE(leader.has_lost_others());
      EXPECT_TRUE(std::isfinite(flow->diagnostics().max_speed));
    }
  });
}

}  // namespace
}  // namespace hodge::sim
