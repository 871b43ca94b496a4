// Rows of a stencil on the Host (stencil_rows.hpp): line by line along axis 0. The neighbours of
// all cells but the first and the last lie at the same distances in memory, so that the compiler
// can compute several cells at once.
#pragma once

#include <concepts>

#include "linalg/host/guard.hpp"
#include "linalg/host/loops.hpp"

namespace hodge::linalg::multigrid {

// weight * coupling[i] couples cell i of the line with its neighbour at that distance; weight 0:
// there is no neighbour.
template <class T>
struct LineNeighbour {
  const T* coupling;
  int distance;
  T weight;
};

// The neighbours below and above across axis d of the cells in the line of c, which starts at
// `first`, by the stored couplings.
template <int Dim, class T>
LineNeighbour<T> line_below(const StencilView<Dim, T>& a, const Index<Dim>&, int d, int first,
                            const AcrossAxis& across) {
  const bool of_neighbour = a.transposed || a.lowers[d] == nullptr;
  return {(of_neighbour ? a.uppers[d] + across.below : a.lowers[d]) + first, across.below,
          across.has_below ? T(1) : T(0)};
}
template <int Dim, class T>
LineNeighbour<T> line_above(const StencilView<Dim, T>& a, const Index<Dim>&, int d, int first,
                            const AcrossAxis& across) {
  const bool of_neighbour = a.transposed && a.lowers[d] != nullptr;
  return {(of_neighbour ? a.lowers[d] + across.above : a.uppers[d]) + first, across.above,
          across.has_above ? T(1) : T(0)};
}

// The same by the arrays of a box: along axis 0 the array of the couplings, across it that of the
// widths. side: 0 below, 1 above.
template <int Dim, class T>
LineNeighbour<T> line_neighbour(const BoxStencilView<Dim, T>& a, const Index<Dim>& c, int d,
                                int side, int distance, bool exists) {
  const T factor = exists ? T(1) : T(0);
  if (d == 0) return {a.couplings[0] + side, distance, factor * a.area(c, 0)};
  T of_line = a.couplings[d][c[d] + side];
  for (int e = 1; e < Dim; ++e) of_line *= e == d ? T(1) : a.weights[e][c[e]];
  return {a.weights[0], distance, factor * of_line};
}
template <int Dim, class T>
LineNeighbour<T> line_below(const BoxStencilView<Dim, T>& a, const Index<Dim>& c, int d, int,
                            const AcrossAxis& across) {
  return line_neighbour(a, c, d, 0, across.below, across.has_below);
}
template <int Dim, class T>
LineNeighbour<T> line_above(const BoxStencilView<Dim, T>& a, const Index<Dim>& c, int d, int,
                            const AcrossAxis& across) {
  return line_neighbour(a, c, d, 1, across.above, across.has_above);
}

template <Neighbours Part, int Dim, class T>
struct StencilLine {
  LineNeighbour<T> neighbour[2 * Dim];
  int count = 0;

  template <class View>
  StencilLine(const View& a, const Index<Dim>& c, int first) {
    for (int d = 0; d < Dim; ++d) {
      const AcrossAxis across = across_axis(a.shape, c, d);
      if (takes_below<Part>) neighbour[count++] = line_below(a, c, d, first, across);
      if (takes_above<Part>) neighbour[count++] = line_above(a, c, d, first, across);
    }
  }
};

// finish(p, ...) for p = first + i, i in [begin, end), whose neighbours lie at the same distances
// as those of `at`.
template <int Dim, class T, class View, class Operation>
[[gnu::flatten]] void finish_cells(const View& a, const Index<Dim>& at, int first, int begin,
                                   int end, Operation operation) {
  constexpr Neighbours Part = Operation::part;
  constexpr int count = (takes_below<Part> ? Dim : 0) + (takes_above<Part> ? Dim : 0);
  const StencilLine<Part, Dim, T> line(a, at, first);
#pragma omp simd
  for (int i = begin; i < end; ++i) {
    const int p = first + i;
    T sum = T(0);
#pragma GCC unroll 6
    for (int k = 0; k < count; ++k) {
      const LineNeighbour<T>& to = line.neighbour[k];
      sum += to.weight * to.coupling[i] * operation.value(p + to.distance);
    }
    operation.finish(p, operation.value(p), sum);
  }
}

template <std::same_as<Host> Space, int Dim, class T, class View, class Operation>
void rows_of_lines(const View& a, const Layers& layers, const Operation& operation) {
  if (host::halted()) return;
  const Box<Dim> box = a.shape.box(layers);
  const int lines = host::row_count(box), n = box.extent(0);
  [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
  for (int line = 0; line < lines; ++line) {
    Index<Dim> c = host::row_start(box, line);
    const int first = a.shape.position(c);
    const auto finish = [&](int begin, int end) {
      c[0] = begin;
      finish_cells<Dim, T>(a, c, first, begin, end, operation);
    };
    finish(0, 1);
    if (n > 2) finish(1, n - 1);
    if (n > 1) finish(n - 1, n);
  }
}
template <std::same_as<Host> Space, int Dim, class T, class View, class Operation>
void rows_of_parts(const View& a, const Layers& layers, const Operation& operation) {
  for_each_part(layers, a.shape.extent[Dim - 1],
                [&](const Layers& part) { rows_of_lines<Space, Dim, T>(a, part, operation); });
}
template <std::same_as<Host> Space, int Dim, class T, class Operation>
void for_each_row(const StencilView<Dim, T>& a, const Layers& layers, Operation operation) {
  rows_of_parts<Space, Dim, T>(a, layers, operation);
}
template <std::same_as<Host> Space, int Dim, class T, class Operation>
void for_each_row(const BoxStencilView<Dim, T>& a, const Layers& layers, Operation operation) {
  rows_of_parts<Space, Dim, T>(a, layers, operation);
}

}  // namespace hodge::linalg::multigrid
