// The tests of hodge_linalg_processes_tests: every process of mpirun runs the same ones.
//
// Process 0 prints as usual. The others print failed checks only. A failure in one process is a
// failure of all.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "linalg/processes/all_processes.hpp"

namespace {

using namespace hodge::linalg;

class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}

  void OnTestStart(const testing::TestInfo& test) override {
    name_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  // UnitTest holds the lock that current_test_info() takes.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s failed\n%s:%d\n%s\n", rank_, name_.c_str(),
                 result.file_name(), result.line_number(), result.message());
  }

 private:
  int rank_;
  std::string name_;  // of the running test
};

int run_tests(int rank) {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank > 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }
  return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Launch launch = launched_processes();
  if (!launch.several()) return run_tests(0);
  AllProcesses& all = start_all_processes(launch);
  const int code = run_tests(all.rank());
  std::fflush(nullptr);
  const auto end = all.end_together(code, 60);
  if (!end) all.abort(1);
  if (end->first_failed > 0 && all.rank() == 0)
    std::fprintf(stderr, "rank %d has failed\n", end->first_failed);
  all.finish();
  return end->exit_code;
}
