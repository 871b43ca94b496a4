#include <algorithm>
#include <cmath>

#include "tools/hodge/bench/build_rows.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {
namespace {

class CircuitRows {
 public:
  explicit CircuitRows(const CircuitMatrix& parameters) : p_(parameters) {
    for (int r = 0; r < p_.rails; ++r)
      rails_.push_back(static_cast<int>((2LL * r + 1) * p_.nodes / (2 * p_.rails)));
    int bits = 1;
    while (2 * bits < p_.nodes) bits *= 2;
    mask_ = (bits - 1) & 0x2d5a5b35;
  }

  void operator()(int node, RowEntries& entries) const {
    if (is_rail(node)) {
      for (int other = 0; other < p_.nodes; ++other)
        if (!is_rail(other)) link(node, other, p_.rail_share, entries);
    } else {
      link_neighbours(node, entries);
    }
    close(node, entries);
  }

 private:
  void link_neighbours(int node, RowEntries& entries) const {
    for (const int step : {1, std::max(2, static_cast<int>(std::sqrt(p_.nodes)))})
      for (const int other : {node - step, node + step})
        if (!is_rail(other)) link(node, other, 0.7, entries);
    const int partner = node ^ mask_;  // symmetric: its partner is the node
    if (partner != node && !is_rail(partner)) link(node, partner, 0.3, entries);
    for (const int rail : rails_) link(node, rail, p_.rail_share, entries);
  }

  bool is_rail(int node) const {
    return std::find(rails_.begin(), rails_.end(), node) != rails_.end();
  }

  // A share of all links exists, with conductances over three decades.
  void link(int a, int b, double share, RowEntries& entries) const {
    if (b < 0 || b >= p_.nodes) return;
    const auto number =
        static_cast<std::uint64_t>(std::min(a, b)) * static_cast<std::uint64_t>(p_.nodes) +
        static_cast<std::uint64_t>(std::max(a, b));
    if (random_unit(p_.seed, number) >= share) return;
    entries.push_back({b, -std::pow(10.0, -3 * random_unit(p_.seed + 1, number))});
  }

  // Sorts, drops what came twice (neighbour and partner), and sets the diagonal.
  static void close(int node, RowEntries& entries) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    const auto last =
        std::unique(entries.begin(), entries.end(),
                    [](const Entry& a, const Entry& b) { return a.column == b.column; });
    entries.erase(last, entries.end());
    double diagonal = 1e-3;
    for (const Entry& entry : entries) diagonal -= entry.value;
    const auto place = std::find_if(entries.begin(), entries.end(),
                                    [node](const Entry& e) { return e.column > node; });
    entries.insert(place, {node, diagonal});
  }

  CircuitMatrix p_;
  std::vector<int> rails_;
  int mask_ = 0;  // of random links: node and node XOR mask
};

}  // namespace

std::unique_ptr<HostMatrix> make_matrix(const CircuitMatrix& parameters) {
  return build_rows(parameters.nodes, parameters.nodes, linalg::Symmetry::symmetric,
                    CircuitRows(parameters));
}

}  // namespace hodge::tools::bench
