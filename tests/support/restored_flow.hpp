// A flow goes on from the state of another one bit for bit, with steps of other sizes on the way.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge::test {

inline void expect_same_after_restoring(sim::Flow& flow, sim::Flow& again,
                                        const std::vector<std::string>& fields) {
  for (const double dt : {0.01, 0.004}) ASSERT_TRUE(flow.advance(dt).ok);
  StateCopy state;
  flow.visit_state(state);
  state.restoring = true;
  again.visit_state(state);
  for (const double dt : {0.005, 0.002}) {
    ASSERT_TRUE(flow.advance(dt).ok);
    ASSERT_TRUE(again.advance(dt).ok);
  }
  for (const std::string& name : fields)
    EXPECT_EQ(flow.cell_arrays({name})[0].values, again.cell_arrays({name})[0].values) << name;
}

}  // namespace hodge::test
