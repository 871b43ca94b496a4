#include "linalg/matrices/box_window.hpp"

#include <climits>
#include <cstdint>

#include "linalg/matrices/ghost_cells.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg {

namespace {

// The cells of this process in the whole box.
struct CellCount {
  std::int64_t first, count, of_all;
  bool have_all_rows;
};

CellCount count_cells(const RowSharing& sharing, std::size_t cells) {
  const auto counts = gather_one(sharing.processes(), static_cast<std::int64_t>(cells));
  CellCount own{0, static_cast<std::int64_t>(cells), 0, false};
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (static_cast<int>(p) == sharing.processes().rank()) own.first = own.of_all;
    own.of_all += counts[p];
  }
  if (own.of_all > 0) return own;
  return {sharing.rows().first, sharing.own_rows(), sharing.rows().total, true};
}

// The layers of a window in the box, the first of which may be -1, that before layer 0 of a
// periodic axis. A box of one axis is one layer.
struct Layers {
  std::int64_t cells;  // of each
  int of_box, first, count;
  bool are_whole;

  Layers(const SeparableSystem& box, const CellCount& own) {
    const bool has_layers = box.axes.size() > 1;
    of_box = has_layers ? box.axes.back().points() : 1;
    cells = box.rows() / of_box;
    const auto begin = static_cast<int>(own.first / cells);
    const auto end =
        own.count == 0 ? begin : static_cast<int>((own.first + own.count - 1) / cells) + 1;
    are_whole = end - begin == of_box;
    const bool goes_round = has_layers && box.axes.back().periodic && !are_whole && end > begin;
    first = begin > 0 ? begin - 1 : goes_round ? -1 : 0;
    const int last = end < of_box ? end + 1 : goes_round ? of_box + 1 : of_box;
    count = last - first;
  }

  int in_box(int layer) const { return (layer + of_box) % of_box; }
};

SeparableSystem cut(const SeparableSystem& box, const Layers& layers) {
  if (layers.are_whole) return box;
  SeparableSystem window = box;
  const SeparableAxis& whole = box.axes.back();
  SeparableAxis& axis = window.axes.back();
  axis = {{}, {}, false};
  for (int i = 0; i <= layers.count; ++i) {
    const int layer = layers.first + i;
    if (i < layers.count)
      axis.weights.push_back(whole.weights[static_cast<std::size_t>(layers.in_box(layer))]);
    const int face = layer == layers.of_box ? layer : layers.in_box(layer);
    axis.couplings.push_back(whole.couplings[static_cast<std::size_t>(face)]);
  }
  return window;
}

}  // namespace

std::optional<BoxWindow> window_of_box(const SeparableSystem& box, const RowSharing& sharing,
                                       std::span<const int> own_rows_of_cells) {
  const CellCount own = count_cells(sharing, own_rows_of_cells.size());
  if (own.of_all != box.rows()) return {};
  const Layers layers(box, own);
  const std::int64_t cells = layers.cells * layers.count;
  if (greatest(sharing.rows(), static_cast<double>(cells)) > INT_MAX) return {};

  BoxWindow window{cut(box, layers), own.have_all_rows,
                   static_cast<int>(own.first - layers.first * layers.cells),
                   static_cast<int>(own.count),
                   std::vector<int>(static_cast<std::size_t>(cells), -1)};
  for (int i = 0; i < window.cells; ++i)
    window.column_of_cell[static_cast<std::size_t>(window.first_cell + i)] =
        own.have_all_rows ? i : own_rows_of_cells[static_cast<std::size_t>(i)];
  int column = sharing.own_rows();
  for (const std::int64_t ghost :
       cells_of_ghosts(sharing, {own.have_all_rows, own.first, own_rows_of_cells})) {
    const auto layer = static_cast<int>(ghost / layers.cells);
    for (int i = 0; i < layers.count; ++i)  // both before and behind the own layers, it may be
      if (layers.in_box(layers.first + i) == layer)
        window.column_of_cell[static_cast<std::size_t>(i * layers.cells + ghost % layers.cells)] =
            column;
    ++column;
  }
  return window;
}

}  // namespace hodge::linalg
