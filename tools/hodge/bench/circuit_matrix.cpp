#include <algorithm>
#include <cmath>

#include "tools/hodge/bench/build_rows.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {
namespace {

class CircuitRows {
 public:
  explicit CircuitRows(const CircuitMatrix& parameters)
      : p_(parameters),
        distance_(std::max(2, static_cast<int>(std::sqrt(parameters.nodes)))),
        mask_(mask_below(parameters.nodes)) {}

  void operator()(int node, RowEntries& entries) const {
    if (rail(node) >= 0) {
      for (int other = 0; other < p_.nodes; ++other) {
        if (linked_to_rail(node, other)) add(node, other, entries);
      }
    } else {
      add_neighbours(node, entries);
    }
    close(node, entries);
  }

 private:
  // Partners of random links: node XOR mask, which is symmetric.
  static int mask_below(int nodes) {
    int bits = 1;
    while (2 * bits < nodes) bits *= 2;
    return (bits - 1) & 0x2d5a5b35;
  }

  void add_neighbours(int node, RowEntries& entries) const {
    for (const int step : {1, distance_}) {
      for (const int other : {node - step, node + step}) {
        if (other >= 0 && other < p_.nodes && rail(other) < 0 && kept(node, other, 0.7)) {
          add(node, other, entries);
        }
      }
    }
    const int partner = node ^ mask_;
    if (partner < p_.nodes && partner != node && rail(partner) < 0 && kept(node, partner, 0.3)) {
      add(node, partner, entries);
    }
    for (int r = 0; r < p_.rails; ++r) {
      if (linked_to_rail(rail_node(r), node)) add(node, rail_node(r), entries);
    }
  }

  int rail_node(int r) const { return static_cast<int>((2LL * r + 1) * p_.nodes / (2 * p_.rails)); }
  int rail(int node) const {
    for (int r = 0; r < p_.rails; ++r) {
      if (rail_node(r) == node) return r;
    }
    return -1;
  }
  bool linked_to_rail(int rail_at, int node) const {
    return rail(node) < 0 && kept(rail_at, node, p_.rail_share);
  }

  std::uint64_t link(int a, int b) const {
    return static_cast<std::uint64_t>(std::min(a, b)) * static_cast<std::uint64_t>(p_.nodes) +
           static_cast<std::uint64_t>(std::max(a, b));
  }
  bool kept(int a, int b, double share) const { return random_unit(p_.seed, link(a, b)) < share; }
  // Conductances over three decades.
  void add(int node, int other, RowEntries& entries) const {
    const double exponent = 3 * random_unit(p_.seed + 1, link(node, other));
    entries.push_back({other, -std::pow(10.0, -exponent)});
  }

  // Sorts, drops what came twice (neighbour and partner), and sets the diagonal.
  static void close(int node, RowEntries& entries) {
    double diagonal = 1e-3;
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    const auto last =
        std::unique(entries.begin(), entries.end(),
                    [](const Entry& a, const Entry& b) { return a.column == b.column; });
    entries.erase(last, entries.end());
    for (const Entry& entry : entries) diagonal -= entry.value;
    const auto place = std::lower_bound(entries.begin(), entries.end(), node,
                                        [](const Entry& e, int n) { return e.column < n; });
    entries.insert(place, {node, diagonal});
  }

  CircuitMatrix p_;
  int distance_, mask_;
};

}  // namespace

std::unique_ptr<HostMatrix> make_matrix(const CircuitMatrix& parameters) {
  return build_rows(parameters.nodes, linalg::Symmetry::symmetric, CircuitRows(parameters));
}

}  // namespace hodge::tools::bench
