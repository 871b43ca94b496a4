#include "linalg/processes/parts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/in_processes.hpp"

namespace hodge::linalg {
namespace {

class Parts : public testing::TestWithParam<int> {};

// Process 1 has nothing, the last one most.
std::vector<std::int64_t> unequal_parts(int processes) {
  std::vector<std::int64_t> first{0};
  for (int p = 0; p < processes; ++p)
    first.push_back(first.back() + (p == 1 ? 0 : 5 + 1000 * p * p));
  return first;
}

TEST_P(Parts, each_process_gets_its_own_and_the_first_one_gets_them_back) {
  tests::run_in_processes(GetParam(), [](Communicator& all) {
    const auto first = unequal_parts(all.size());
    std::vector<double> whole;
    if (all.rank() == 0) {
      whole.resize(static_cast<std::size_t>(first.back()));
      std::iota(whole.begin(), whole.end(), 0.5);
    }
    std::vector<double> own = scatter(all, std::span<const double>(whole), first);
    const auto rank = static_cast<std::size_t>(all.rank());
    ASSERT_EQ(own.size(), static_cast<std::size_t>(first[rank + 1] - first[rank]));
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(own[i], static_cast<double>(first[rank]) + static_cast<double>(i) + 0.5);
      own[i] *= 2;
    }
    const std::vector<double> back = collect(all, std::span<const double>(own), first);
    ASSERT_EQ(back.size(), whole.size());
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i], 2 * whole[i]);
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, Parts, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace hodge::linalg
