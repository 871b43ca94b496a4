#include "linalg/multigrid/layer_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/in_processes.hpp"

namespace hodge::linalg {
namespace {

using LayerExchange = multigrid::LayerExchange<Host>;
using LayerGather = multigrid::LayerGather<Host>;

constexpr int cells = 5;
constexpr double unknown = -1;

// An array of which a process has its own layers only: cell i of layer l is 10 l + i.
std::vector<double> own_layers(const LayerCuts& cuts, int process) {
  std::vector<double> values(static_cast<std::size_t>(cuts.layers() * cells), unknown);
  const Layers own = cuts.of(process);
  for (int layer = own.begin; layer < own.end; ++layer)
    for (int i = 0; i < cells; ++i)
      values[static_cast<std::size_t>(layer * cells + i)] = 10 * layer + i;
  return values;
}

// The layers that are there, of an array of whole layers.
std::vector<int> known_layers(const std::vector<double>& values) {
  std::vector<int> known;
  for (int layer = 0; layer * cells < static_cast<int>(values.size()); ++layer) {
    const double* const at = values.data() + layer * cells;
    if (at[0] == unknown) continue;
    for (int i = 0; i < cells; ++i) EXPECT_EQ(at[i], 10 * layer + i);
    known.push_back(layer);
  }
  return known;
}

std::vector<int> expected_layers(const Layers& own, const Layers& reads, int all, bool periodic) {
  std::vector<int> layers;
  for (int layer = 0; layer < all; ++layer) {
    bool wanted = own.has(layer) || reads.has(layer);
    wanted = wanted || (periodic && (reads.has(layer - all) || reads.has(layer + all)));
    if (wanted) layers.push_back(layer);
  }
  return layers;
}

void expect_exchange(const LayerCuts& cuts, const std::vector<Layers>& reads, bool periodic) {
  tests::run_in_processes(cuts.processes(), [&](Communicator& own) {
    const auto rank = static_cast<std::size_t>(own.rank());
    LayerExchange exchange(own, cuts, reads, periodic);
    for (int time = 0; time < 2; ++time) {  // an exchange can be used again
      std::vector<double> values = own_layers(cuts, own.rank());
      exchange.start(reinterpret_cast<std::byte*>(values.data()), sizeof(double) * cells);
      exchange.finish();
      EXPECT_EQ(known_layers(values),
                expected_layers(cuts.of(own.rank()), reads[rank], cuts.layers(), periodic))
          << "process " << rank;
    }
  });
}

std::vector<Layers> beside(const LayerCuts& cuts, int below, int above) {
  std::vector<Layers> reads;
  for (int p = 0; p < cuts.processes(); ++p) {
    const Layers own = cuts.of(p);
    reads.push_back(own.empty() ? own : Layers{own.begin - below, own.end + above});
  }
  return reads;
}

TEST(LayerExchange, brings_the_layers_beside_the_own_ones) {
  for (const LayerCuts& cuts :
       {LayerCuts{{0, 6}}, LayerCuts{{0, 3, 6}}, LayerCuts{{0, 1, 1, 6}}, LayerCuts{{0, 4, 5, 6}},
        LayerCuts{{0, 1, 2, 3, 4}}, LayerCuts{{0, 0, 5, 5, 5}}, LayerCuts{{0, 0, 1}}})
    for (const bool periodic : {false, true}) {
      SCOPED_TRACE(::testing::PrintToString(cuts.first) + (periodic ? " periodic" : ""));
      expect_exchange(cuts, beside(cuts, 1, 1), periodic);
      expect_exchange(cuts, beside(cuts, 1, 2), periodic);
      expect_exchange(cuts, beside(cuts, 4, 0), periodic);  // of several processes
    }
}

TEST(LayerExchange, brings_layers_to_a_process_that_has_none) {
  const LayerCuts cuts{{0, 2, 2, 4}};
  expect_exchange(cuts, {{0, 2}, {1, 3}, {2, 4}}, false);
}

TEST(LayerExchange, sends_nothing_where_nothing_is_read) {
  const LayerCuts cuts{{0, 2, 4}};
  tests::run_in_processes(2, [&](Communicator& own) {
    const LayerExchange exchange(own, cuts, beside(cuts, 0, 0), true);
    EXPECT_TRUE(exchange.sends_nothing());
  });
}

TEST(LayerGather, brings_all_layers_to_all_processes) {
  for (const LayerCuts& cuts : {LayerCuts{{0, 6}}, LayerCuts{{0, 3, 6}}, LayerCuts{{0, 1, 1, 6}},
                                LayerCuts{{0, 0, 5, 5, 5}}})
    tests::run_in_processes(cuts.processes(), [&](Communicator& own) {
      LayerGather gather(own, cuts);
      std::vector<double> values = own_layers(cuts, own.rank());
      gather.run(reinterpret_cast<std::byte*>(values.data()), sizeof(double) * cells);
      EXPECT_EQ(known_layers(values).size(), static_cast<std::size_t>(cuts.layers()));
    });
}

}  // namespace
}  // namespace hodge::linalg
