// What the processes of shared rows have summed or compared each for its own rows, over all of
// them. Collective where `rows` are shared, and nothing otherwise.
#pragma once

#include <span>

#include "linalg/base/exact_sum.hpp"
#include "linalg/processes/shared_rows.hpp"

namespace hodge::linalg {

// Each sum becomes that of all processes; one call of Communicator::sum.
void sum_over_processes(const SharedRows& rows, std::span<ExactSum> sums);
// Each value becomes the largest of all processes; none may be NaN.
void maximum_over_processes(const SharedRows& rows, std::span<double> values);

}  // namespace hodge::linalg
