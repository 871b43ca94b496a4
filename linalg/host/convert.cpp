// Host space: steps of the conversions between formats.
#include "linalg/matrices/convert_steps_impl.hpp"

namespace hodge::linalg {

HODGE_CONVERT_STEPS(Host, double)
HODGE_CONVERT_STEPS(Host, float)

}  // namespace hodge::linalg
