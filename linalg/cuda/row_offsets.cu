// Cuda space: row offsets and row indices.
#include "linalg/matrices/row_offsets_impl.hpp"

namespace hodge::linalg {

HODGE_ROW_OFFSETS(Cuda)

}  // namespace hodge::linalg
