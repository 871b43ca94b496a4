#include "tests/sim/base/formulas/programs_cases.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::tests {
namespace {

class ProgramsCuda : public SpaceTest<linalg::Cuda> {};

TEST_F(ProgramsCuda, give_the_values_of_their_formulas) {
  programs_give_the_values_of_their_formulas<linalg::Cuda>();
}

}  // namespace
}  // namespace hodge::tests
