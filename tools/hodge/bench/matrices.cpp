#include "tools/hodge/bench/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/hodge/program/program.hpp"

namespace hodge::tools::bench {
namespace {

class GridRows : GridMatrix {
 public:
  explicit GridRows(const GridMatrix& p)
      : GridMatrix(p), stride_{1, cells[0], cells[0] * cells[1]}, row_of_cell_(rows_of_cells(p)) {
    for (int cell = 0; cell < static_cast<int>(row_of_cell_.size()); ++cell)
      if (row_of_cell_[cell] >= 0) cell_of_row_.push_back(cell);
  }

  int rows() const {
    return ball ? static_cast<int>(cell_of_row_.size()) : cells[0] * cells[1] * cells[2];
  }
  void operator()(int row, RowEntries& entries) const {
    const int cell = ball ? cell_of_row_[row] : row;
    double diagonal = 0;
    for (int d = 2; d >= 0; --d) add_neighbour(cell, d, -1, entries, diagonal);
    const std::size_t centre = entries.size();
    entries.push_back({row, 0});
    for (int d = 0; d < 3; ++d) add_neighbour(cell, d, 1, entries, diagonal);
    entries[centre].value = diagonal;
    if (periodic) std::ranges::sort(entries, {}, &Entry::column);
  }

 private:
  int index(int row, int d) const { return row / stride_[d] % cells[d]; }

  // Through the face on that side: diffusion k and, on the lower one, the inflow of upwind
  // convection.
  void add_neighbour(int row, int d, int side, RowEntries& entries, double& diagonal) const {
    if (cells[d] == 1) return;
    const bool within = side < 0 ? index(row, d) > 0 : index(row, d) + 1 < cells[d];
    const bool inside = within || periodic;
    const int around = within ? 0 : -side * cells[d];
    const int neighbour = row + (side + around) * stride_[d];
    const int column = !inside || !ball ? neighbour : row_of_cell_[neighbour];
    if (inside && column < 0) return;
    // u = 0 lies half a cell away.
    const double k = inside ? face(side < 0 ? neighbour : row, d) : 2.0 * weights[d];
    const double weight = side < 0 ? k * (1 + peclet / (1 << d)) : k;
    if (inside) entries.push_back({column, -weight});
    diagonal += inside || !neumann ? weight : 0.0;
  }

  // k of the face between this row and the next one along d.
  double face(int row, int d) const {
    if (coefficients == Coefficients::constant) return weights[d];
    if (coefficients == Coefficients::random) {
      const auto number = 3 * static_cast<std::uint64_t>(row) + static_cast<std::uint64_t>(d);
      return weights[d] * (0.1 + 0.9 * random_unit(seed, number));
    }
    const bool last = index(row, d) + 1 == cells[d];
    const double a = block(row), b = block(row + (last ? 1 - cells[d] : 1) * stride_[d]);
    return weights[d] * 2 * a * b / (a + b);
  }

  // A checkerboard of blocks.
  double block(int row) const {
    int sum = 0;
    for (int d = 0; d < 3; ++d) sum += static_cast<int>(8LL * index(row, d) / cells[d]);
    return sum % 2 == 0 ? 1.0 : 1e4;
  }

  std::array<int, 3> stride_;
  std::vector<int> row_of_cell_, cell_of_row_;  // with a ball
};

class CircuitRows : CircuitMatrix {
 public:
  explicit CircuitRows(const CircuitMatrix& p) : CircuitMatrix(p) {
    for (int r = 0; r < rails; ++r)
      rails_.push_back(static_cast<int>((2LL * r + 1) * nodes / (2 * rails)));
    int bits = 1;
    while (2 * bits < nodes) bits *= 2;
    mask_ = (bits - 1) & 0x2d5a5b35;
  }

  void operator()(int node, RowEntries& entries) const {
    if (is_rail(node)) {
      for (int other = 0; other < nodes; ++other)
        if (!is_rail(other)) link(node, other, rail_share, entries);
    } else {
      link_neighbours(node, entries);
    }
    close(node, entries);
  }

 private:
  void link_neighbours(int node, RowEntries& entries) const {
    for (const int step : {1, std::max(2, static_cast<int>(std::sqrt(nodes)))})
      for (const int other : {node - step, node + step})
        if (!is_rail(other)) link(node, other, 0.7, entries);
    const int partner = node ^ mask_;  // symmetric: its partner is the node
    if (partner != node && !is_rail(partner)) link(node, partner, 0.3, entries);
    for (const int rail : rails_) link(node, rail, rail_share, entries);
  }

  bool is_rail(int node) const { return std::ranges::find(rails_, node) != rails_.end(); }

  // A share of all links exists, with conductances over three decades.
  void link(int a, int b, double share, RowEntries& entries) const {
    if (b < 0 || b >= nodes) return;
    const auto number =
        static_cast<std::uint64_t>(std::min(a, b)) * static_cast<std::uint64_t>(nodes) +
        static_cast<std::uint64_t>(std::max(a, b));
    if (random_unit(seed, number) >= share) return;
    entries.push_back({b, -std::pow(10.0, -3 * random_unit(seed + 1, number))});
  }

  // Sorts, drops what came twice (neighbour and partner), and sets the diagonal.
  static void close(int node, RowEntries& entries) {
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.column < b.column; });
    const auto last =
        std::unique(entries.begin(), entries.end(),
                    [](const Entry& a, const Entry& b) { return a.column == b.column; });
    entries.erase(last, entries.end());
    double diagonal = 1e-3;
    for (const Entry& entry : entries) diagonal -= entry.value;
    const auto place =
        std::ranges::find_if(entries, [node](const Entry& e) { return e.column > node; });
    entries.insert(place, {node, diagonal});
  }

  std::vector<int> rails_;
  int mask_ = 0;  // of random links: node and node XOR mask
};

class RandomRows : RandomMatrix {
 public:
  explicit RandomRows(const RandomMatrix& p) : RandomMatrix(p) {}

  void operator()(int row, RowEntries& entries) const {
    constexpr int most = 128;  // numbers that a row draws
    const auto number = [&](int k) {
      return random_unit(seed,
                         static_cast<std::uint64_t>(row) * most + static_cast<std::uint64_t>(k));
    };
    const double beside = row_length - 1, whole = std::floor(beside);
    const int count = static_cast<int>(whole) + (number(0) < beside - whole ? 1 : 0);
    const double reach = std::log(std::max(2.0, 0.1 * rows));
    for (int k = 0; k < count; ++k) {
      const double at = number(2 * k + 1);
      const int distance = static_cast<int>(std::exp(reach * std::abs(2 * at - 1)));
      const int other = at < 0.5 ? row - distance : row + distance;
      // Beyond the first or last row: on the other side.
      entries.push_back(
          {other < 0 || other >= rows ? 2 * row - other : other, -0.1 - 0.9 * number(2 * k + 2)});
    }
    close(row, entries);
  }

 private:
  // Sorts, adds what came twice, and sets the diagonal.
  static void close(int row, RowEntries& entries) {
    double diagonal = 1e-3;
    for (const Entry& entry : entries) diagonal -= 1.001 * entry.value;
    entries.push_back({row, diagonal});
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.column < b.column; });
    std::size_t kept = 0;
    for (const Entry& entry : entries) {
      if (kept > 0 && entries[kept - 1].column == entry.column)
        entries[kept - 1].value += entry.value;
      else
        entries[kept++] = entry;
    }
    entries.resize(kept);
  }
};

// use(i, entries) for every row, in parallel.
template <class Row, class Use>
void for_each_built_row(int rows, const Row& row, const Use& use) {
#pragma omp parallel
  {
    RowEntries entries;
#pragma omp for schedule(static)
    for (int i = 0; i < rows; ++i) {
      entries.clear();
      row(i, entries);
      use(i, entries);
    }
  }
}

}  // namespace

std::unique_ptr<HostMatrix> build_rows(int rows, int cols, linalg::Symmetry symmetry,
                                       const std::function<void(int i, RowEntries& entries)>& row) {
  using linalg::Buffer, linalg::Host;
  Buffer<int, Host> offsets(static_cast<std::size_t>(rows) + 1);
  int* const offset = offsets.data();
  for_each_built_row(rows, row, [offset](int i, const RowEntries& entries) {
    offset[i + 1] = static_cast<int>(entries.size());
  });
  long long nonzeros = 0;
  for (int i = 0; i < rows; ++i) nonzeros += offset[i + 1];
  if (nonzeros > INT32_MAX) throw ShapeError("a generated matrix has 2^31 or more non-zeros");
  for (int i = 0; i < rows; ++i) offset[i + 1] += offset[i];

  Buffer<int, Host> columns(static_cast<std::size_t>(nonzeros));
  Buffer<double, Host> values(static_cast<std::size_t>(nonzeros));
  int* const column = columns.data();
  double* const value = values.data();
  for_each_built_row(rows, row, [=](int i, const RowEntries& entries) {
    int place = offset[i];
    for (const Entry& entry : entries) {
      column[place] = entry.column;
      value[place++] = entry.value;
    }
  });
  auto pattern = std::make_shared<linalg::CsrPattern<Host>>(rows, cols, std::move(offsets),
                                                            std::move(columns));
  auto matrix = std::make_unique<HostMatrix>(std::move(pattern), symmetry);
  matrix->values() = std::move(values);
  return matrix;
}

std::unique_ptr<HostMatrix> make_matrix(const GridMatrix& p) {
  const auto symmetry =
      p.peclet == 0 ? linalg::Symmetry::symmetric : linalg::Symmetry::nonsymmetric;
  const GridRows rows(p);
  return build_rows(rows.rows(), rows.rows(), symmetry, rows);
}

std::vector<int> rows_of_cells(const GridMatrix& p) {
  std::vector<int> row_of_cell;
  if (!p.ball) return row_of_cell;
  const double radius = p.cells[0] / 8.0;
  const auto distance = [&](int d, int i) { return i + 0.5 - 0.5 * p.cells[d]; };
  int rows = 0;
  for (int k = 0; k < p.cells[2]; ++k)
    for (int j = 0; j < p.cells[1]; ++j)
      for (int i = 0; i < p.cells[0]; ++i) {
        const double x = distance(0, i), y = distance(1, j), z = distance(2, k);
        row_of_cell.push_back(x * x + y * y + z * z < radius * radius ? -1 : rows++);
      }
  return row_of_cell;
}

GridMatrix named_grid_matrix(const std::string& name) {
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  int dim = 0, n = 0;
  if (std::sscanf(name.c_str(), "%*[a-z]_%dd_%d", &dim, &n) != 2)
    throw wrong_input("no matrix has the name {}", name);
  GridMatrix p;
  p.cells = {n, n, dim == 3 ? n : 1};
  p.neumann = has("_neumann");
  p.periodic = has("_periodic");
  if (has("_jumping")) p.coefficients = Coefficients::jumping;
  if (has("_random") || has("convection")) p.coefficients = Coefficients::random;
  if (has("anisotropic")) p.weights = {100, 1, 1};
  if (has("convection")) p.peclet = 2;
  return p;
}

std::unique_ptr<HostMatrix> make_matrix(const RandomMatrix& p) {
  return build_rows(p.rows, p.rows, linalg::Symmetry::nonsymmetric, RandomRows(p));
}

RandomMatrix named_random_matrix(const std::string& name) {
  static const struct {
    const char* name;
    RandomMatrix matrix;
  } table[] = {{"like_c-26", {4307, 4.5}},         {"like_crystk02", {13965, 35.2}},
               {"like_Language", {399130, 3.0}},   {"like_Largebasis", {440020, 12.6}},
               {"like_ASIC_680ks", {682712, 3.4}}, {"like_G3_circuit", {1585478, 2.9}},
               {"like_kkt_power", {2063494, 3.9}}, {"like_memchip", {2707524, 5.5}},
               {"like_Freescale1", {3428755, 5.5}}};
  for (const auto& one : table)
    if (name == one.name) return one.matrix;
  throw wrong_input("no matrix has the name {}", name);
}

std::unique_ptr<HostMatrix> make_matrix(const CircuitMatrix& p) {
  return build_rows(p.nodes, p.nodes, linalg::Symmetry::symmetric, CircuitRows(p));
}

}  // namespace hodge::tools::bench
