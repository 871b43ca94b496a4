// Rows of a stencil on the Host (stencil_rows.hpp): line by line along axis 0. The neighbours of
// all cells but the first and the last lie at the same distances in memory, so that the compiler
// can compute several cells at once.
#pragma once

#include <concepts>

#include "linalg/host/guard.hpp"
#include "linalg/host/loops.hpp"

namespace hodge::linalg::multigrid {

// coupling[p] couples cell p with its neighbour at p + distance; weight 0: there is no neighbour.
template <class T>
struct LineNeighbour {
  const T* coupling;
  int distance;
  T weight;
};

template <Neighbours Part, int Dim, class T>
struct StencilLine {
  LineNeighbour<T> neighbour[2 * Dim];
  int count = 0;

  void add_below(const StencilView<Dim, T>& a, int d, const AcrossAxis& across) {
    const bool of_neighbour = a.transposed || a.lowers[d] == nullptr;
    neighbour[count++] = {of_neighbour ? a.uppers[d] + across.below : a.lowers[d], across.below,
                          across.has_below ? T(1) : T(0)};
  }
  void add_above(const StencilView<Dim, T>& a, int d, const AcrossAxis& across) {
    const bool of_neighbour = a.transposed && a.lowers[d] != nullptr;
    neighbour[count++] = {of_neighbour ? a.lowers[d] + across.above : a.uppers[d], across.above,
                          across.has_above ? T(1) : T(0)};
  }
  StencilLine(const StencilView<Dim, T>& a, const Index<Dim>& c) {
    for (int d = 0; d < Dim; ++d) {
      const AcrossAxis across = across_axis(a.shape, c, d);
      if (takes_below<Part>) add_below(a, d, across);
      if (takes_above<Part>) add_above(a, d, across);
    }
  }
};

// finish(p, ...) for p in [begin, end), whose neighbours lie at the same distances as those of
// `at`.
template <int Dim, class T, class Operation>
[[gnu::flatten]] void finish_cells(const StencilView<Dim, T>& a, const Index<Dim>& at, int begin,
                                   int end, Operation operation) {
  constexpr Neighbours Part = Operation::part;
  constexpr int count = (takes_below<Part> ? Dim : 0) + (takes_above<Part> ? Dim : 0);
  const StencilLine<Part, Dim, T> line(a, at);
#pragma omp simd
  for (int p = begin; p < end; ++p) {
    T sum = T(0);
#pragma GCC unroll 6
    for (int k = 0; k < count; ++k) {
      const LineNeighbour<T>& to = line.neighbour[k];
      sum += to.weight * to.coupling[p] * operation.value(p + to.distance);
    }
    operation.finish(p, operation.value(p), sum);
  }
}

template <std::same_as<Host> Space, int Dim, class T, class Operation>
void for_each_row(const StencilView<Dim, T>& a, Operation operation) {
  if (host::halted()) return;
  const Box<Dim> box = a.shape.box();
  const int lines = host::row_count(box), n = box.extent(0);
  [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
  for (int line = 0; line < lines; ++line) {
    Index<Dim> c = host::row_start(box, line);
    const int first = a.shape.position(c);
    finish_cells(a, c, first, first + 1, operation);
    c[0] = 1;
    if (n > 2) finish_cells(a, c, first + 1, first + n - 1, operation);
    c[0] = n - 1;
    if (n > 1) finish_cells(a, c, first + n - 1, first + n, operation);
  }
}

}  // namespace hodge::linalg::multigrid
