#include "tools/hodge/bench/link_costs.hpp"

namespace hodge::tools::bench {
namespace {

// In the order of MessageKind.
LinkCosts costs(const MessageCost& exchange, double reduction, double decision) {
  const MessageCost one{exchange.latency / 2, exchange.bandwidth};
  return {exchange, exchange, one, {reduction}, {decision}};
}

}  // namespace

LinkCosts stated_machine() {
  constexpr double nvlink = 273e9;
  return costs({8e-6, nvlink}, 5.7e-6 / levels_of_tree(8), 1e-6);
}

LinkCosts stated_network() {
  constexpr double port = 50e9;
  return costs({10e-6, port}, 5e-6, 5e-6);
}

}  // namespace hodge::tools::bench
