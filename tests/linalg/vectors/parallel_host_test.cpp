#include "tests/linalg/vectors/parallel_cases.hpp"

namespace hodge::tests {
namespace {

TEST(ParallelHost, loops_visit_every_index_once) {
  loops_over_boxes<linalg::Host>();
}
TEST(ParallelHost, loops_over_parts_visit_each_index_of_its_box_once) {
  loops_over_parts<linalg::Host>();
}
TEST(ParallelHost, reductions_see_every_index_once) {
  reductions_over_boxes<linalg::Host>();
}
TEST(ParallelHost, runs_are_written_where_they_belong) {
  runs_over_boxes<linalg::Host>();
}

}  // namespace
}  // namespace hodge::tests
