#include "sim/reactions/reactions_impl.hpp"

namespace hodge::sim {

template class Reactions<2, linalg::Host>;
template class Reactions<3, linalg::Host>;

}  // namespace hodge::sim
