#include "tests/linalg/vectors/parallel_cases.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::tests {
namespace {

class ParallelCuda : public SpaceTest<linalg::Cuda> {};

TEST_F(ParallelCuda, loops_visit_every_index_once) {
  loops_over_boxes<linalg::Cuda>();
}
TEST_F(ParallelCuda, loops_over_parts_visit_each_index_of_its_box_once) {
  loops_over_parts<linalg::Cuda>();
}
TEST_F(ParallelCuda, reductions_see_every_index_once) {
  reductions_over_boxes<linalg::Cuda>();
}
TEST_F(ParallelCuda, runs_are_written_where_they_belong) {
  runs_over_boxes<linalg::Cuda>();
}

}  // namespace
}  // namespace hodge::tests
