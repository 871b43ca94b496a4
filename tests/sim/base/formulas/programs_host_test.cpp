#include "tests/sim/base/formulas/programs_cases.hpp"

namespace hodge::tests {
namespace {

TEST(ProgramsHost, give_the_values_of_their_formulas) {
  programs_give_the_values_of_their_formulas<linalg::Host>();
}

}  // namespace
}  // namespace hodge::tests
