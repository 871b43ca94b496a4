#include "sim/reactions/reactions_impl.hpp"

namespace hodge::sim {

template class Reactions<2, linalg::Cuda>;
template class Reactions<3, linalg::Cuda>;

}  // namespace hodge::sim
