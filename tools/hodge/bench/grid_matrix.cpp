#include "tools/hodge/bench/build_rows.hpp"
#include "tools/hodge/bench/matrices.hpp"

namespace hodge::tools::bench {
namespace {

class GridRows {
 public:
  explicit GridRows(const GridMatrix& parameters)
      : p_(parameters),
        stride_{1, parameters.cells[0], parameters.cells[0] * parameters.cells[1]} {}

  void operator()(int row, RowEntries& entries) const {
    const std::array<int, 3> c{row % p_.cells[0], row / stride_[1] % p_.cells[1], row / stride_[2]};
    double diagonal = 0;
    for (int d = 2; d >= 0; --d) add_lower(row, c, d, entries, diagonal);
    const std::size_t centre = entries.size();
    entries.push_back({row, 0});
    for (int d = 0; d < 3; ++d) add_upper(row, c, d, entries, diagonal);
    entries[centre].value = diagonal;
  }

 private:
  // Through the lower face: diffusion k and the inflow of upwind convection.
  void add_lower(int row, const std::array<int, 3>& c, int d, RowEntries& entries,
                 double& diagonal) const {
    if (p_.cells[d] == 1) return;
    const bool inside = c[d] > 0;
    const double k = inside ? face(row - stride_[d], row, d) : wall(d);
    const double weight = k * (1 + convection(d));
    if (inside) entries.push_back({row - stride_[d], -weight});
    diagonal += inside || !p_.neumann ? weight : 0.0;
  }
  void add_upper(int row, const std::array<int, 3>& c, int d, RowEntries& entries,
                 double& diagonal) const {
    if (p_.cells[d] == 1) return;
    const bool inside = c[d] + 1 < p_.cells[d];
    const double k = inside ? face(row, row + stride_[d], d) : wall(d);
    if (inside) entries.push_back({row + stride_[d], -k});
    diagonal += inside || !p_.neumann ? k : 0.0;
  }

  double convection(int d) const { return p_.peclet / (1 << d); }
  // u = 0 lies half a cell away.
  double wall(int d) const { return 2.0 * p_.weights[d]; }

  double face(int lower, int upper, int d) const {
    if (p_.coefficients == Coefficients::constant) return p_.weights[d];
    if (p_.coefficients == Coefficients::random) {
      const auto index = 3 * static_cast<std::uint64_t>(lower) + static_cast<std::uint64_t>(d);
      return p_.weights[d] * (0.1 + 0.9 * random_unit(p_.seed, index));
    }
    const double a = block(lower), b = block(upper);
    return p_.weights[d] * 2 * a * b / (a + b);
  }

  // A checkerboard of blocks.
  double block(int row) const {
    const std::array<int, 3> c{row % p_.cells[0], row / stride_[1] % p_.cells[1], row / stride_[2]};
    int sum = 0;
    for (int d = 0; d < 3; ++d) sum += static_cast<int>(8LL * c[d] / p_.cells[d]);
    return sum % 2 == 0 ? 1.0 : 1e4;
  }

  GridMatrix p_;
  std::array<int, 3> stride_;
};

}  // namespace

std::unique_ptr<HostMatrix> make_matrix(const GridMatrix& p) {
  const auto symmetry =
      p.peclet == 0 ? linalg::Symmetry::symmetric : linalg::Symmetry::nonsymmetric;
  return build_rows(p.cells[0] * p.cells[1] * p.cells[2], symmetry, GridRows(p));
}

}  // namespace hodge::tools::bench
