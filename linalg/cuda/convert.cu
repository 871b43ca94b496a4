// Cuda space: steps of the conversions between formats.
#include "linalg/matrices/convert_steps_impl.hpp"

namespace hodge::linalg {

HODGE_CONVERT_STEPS(Cuda, double)
HODGE_CONVERT_STEPS(Cuda, float)

}  // namespace hodge::linalg
