#include "linalg/space.hpp"
#include "sim/flow/grid_flow.hpp"

namespace hodge::sim {

template std::unique_ptr<Flow> make_flow_in<linalg::Host>(const Settings&, const Problem&,
                                                          const Grid&);

}  // namespace hodge::sim
