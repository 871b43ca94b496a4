#include "linalg/space.hpp"
#include "sim/time/starting_guess_impl.hpp"

namespace hodge::sim {

template class StartingGuess<linalg::Host>;

}  // namespace hodge::sim
