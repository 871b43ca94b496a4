// Steps of one size, all of which have to succeed.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/flow/flow.hpp"

namespace hodge::test {

inline void advance_flow(sim::Flow& flow, int steps, double dt, const std::string& what) {
  for (int i = 0; i < steps; ++i) {
    const sim::StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << what << ": " << report.failure;
  }
}

}  // namespace hodge::test
