#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "linalg/base/errors.hpp"
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
    double diagonal = 0;
    for (int d = 2; d >= 0; --d) add_neighbour(row, d, -1, entries, diagonal);
    const std::size_t centre = entries.size();
    entries.push_back({row, 0});
    for (int d = 0; d < 3; ++d) add_neighbour(row, d, 1, entries, diagonal);
    entries[centre].value = diagonal;
  }

 private:
  int index(int row, int d) const { return row / stride_[d] % p_.cells[d]; }

  // Through the face on that side: diffusion k and, on the lower one, the inflow of upwind
  // convection.
  void add_neighbour(int row, int d, int side, RowEntries& entries, double& diagonal) const {
    if (p_.cells[d] == 1) return;
    const int neighbour = row + side * stride_[d];
    const bool inside = side < 0 ? index(row, d) > 0 : index(row, d) + 1 < p_.cells[d];
    // u = 0 lies half a cell away.
    const double k = inside ? face(std::min(row, neighbour), d) : 2.0 * p_.weights[d];
    const double weight = side < 0 ? k * (1 + p_.peclet / (1 << d)) : k;
    if (inside) entries.push_back({neighbour, -weight});
    diagonal += inside || !p_.neumann ? weight : 0.0;
  }

  // k of the face between this row and the next one along d.
  double face(int row, int d) const {
    if (p_.coefficients == Coefficients::constant) return p_.weights[d];
    if (p_.coefficients == Coefficients::random) {
      const auto number = 3 * static_cast<std::uint64_t>(row) + static_cast<std::uint64_t>(d);
      return p_.weights[d] * (0.1 + 0.9 * random_unit(p_.seed, number));
    }
    const double a = block(row), b = block(row + stride_[d]);
    return p_.weights[d] * 2 * a * b / (a + b);
  }

  // A checkerboard of blocks.
  double block(int row) const {
    int sum = 0;
    for (int d = 0; d < 3; ++d) sum += static_cast<int>(8LL * index(row, d) / p_.cells[d]);
    return sum % 2 == 0 ? 1.0 : 1e4;
  }

  GridMatrix p_;
  std::array<int, 3> stride_;
};

}  // namespace

std::string GridMatrix::grid() const {
  return fmt::format("{}", fmt::join(cells.begin(), cells.begin() + dim(), " x "));
}

std::unique_ptr<HostMatrix> make_matrix(const GridMatrix& p) {
  const auto symmetry =
      p.peclet == 0 ? linalg::Symmetry::symmetric : linalg::Symmetry::nonsymmetric;
  const int rows = p.cells[0] * p.cells[1] * p.cells[2];
  return build_rows(rows, rows, symmetry, GridRows(p));
}

GridMatrix named_grid_matrix(const std::string& name) {
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  int dim = 0, n = 0;
  if (std::sscanf(name.c_str(), "%*[a-z]_%dd_%d", &dim, &n) != 2)
    throw ConfigError(fmt::format("no matrix has the name {}", name));
  GridMatrix p;
  p.cells = {n, n, dim == 3 ? n : 1};
  p.neumann = has("_neumann");
  if (has("_jumping")) p.coefficients = Coefficients::jumping;
  if (has("_random") || has("convection")) p.coefficients = Coefficients::random;
  if (has("anisotropic")) p.weights = {100, 1, 1};
  if (has("convection")) p.peclet = 2;
  return p;
}

}  // namespace hodge::tools::bench
