// Transfers between grids whose cells all have unknowns (transfer.hpp) on the Host: line by line
// along axis 0, first over the other axes, so that the compiler can compute several cells at once.
#pragma once

#include <concepts>
#include <vector>

#include "linalg/host/guard.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/transfer_cells.hpp"

namespace hodge::linalg::multigrid {

// Room for n values; each thread keeps its own from call to call.
template <class T>
T* line_of_thread(int n) {
  static thread_local std::vector<T> line;
  if (line.size() < static_cast<std::size_t>(n)) line.resize(static_cast<std::size_t>(n));
  return line.data();
}

template <class T>
void add_line(int n, T weight, const T* in, T* sum) {
#pragma omp simd
  for (int i = 0; i < n; ++i) sum[i] += weight * in[i];
}

// sum = the weighted sum of the fine lines around the coarse line that starts at C.
template <int Dim, class T>
void gather_lines(const Coarsening<Dim>& to, const Index<Dim>& C, const T* d, T* sum) {
  const int n = to.fine.extent[0];
  std::fill(sum, sum + n, T(0));
  AxisGather<T> second{};
  second.weight[0] = T(1);
  if constexpr (Dim == 3) second = axis_gather<T>(to, 2, C[2]);
  const AxisGather<T> first = axis_gather<T>(to, 1, C[1]);
  for (int k2 = 0; k2 < (Dim == 3 ? 4 : 1); ++k2)
    for (int k1 = 0; k1 < 4; ++k1) {
      const T weight = first.weight[k1] * second.weight[k2];
      const int line = first.at[k1] + to.fine.extent[1] * second.at[k2];
      if (weight != T(0)) add_line(n, weight, d + line * n, sum);
    }
}

// Computes a coarse line from a fine one, along axis 0.
template <int Dim, class T>
void gather_along(const Coarsening<Dim>& to, const T* fine, T* coarse) {
  const int n = to.coarse.extent[0];
  const auto general = [&](int C) {
    const AxisGather<T> by = axis_gather<T>(to, 0, C);
    coarse[C] = by.weight[0] * fine[by.at[0]] + by.weight[1] * fine[by.at[1]] +
                by.weight[2] * fine[by.at[2]] + by.weight[3] * fine[by.at[3]];
  };
  if (!to.axis[0].pairs || n < 4) {
    for (int C = 0; C < n; ++C) general(C);
    return;
  }
  general(0);
#pragma omp simd
  for (int C = 1; C < n - 2; ++C)
    coarse[C] =
        T(0.25) * (fine[2 * C - 1] + fine[2 * C + 2]) + T(0.75) * (fine[2 * C] + fine[2 * C + 1]);
  general(n - 2);
  general(n - 1);
}

// sum = the weighted sum of the coarse lines around the fine line that starts at c.
template <int Dim, class T>
void interpolate_lines(const Coarsening<Dim>& to, const Index<Dim>& c, const T* e, T* sum) {
  const int n = to.coarse.extent[0];
  std::fill(sum, sum + n, T(0));
  AxisWeights<T> second{0, 0, T(1), T(0)};
  if constexpr (Dim == 3) second = axis_weights<T>(to, 2, c[2]);
  const AxisWeights<T> first = axis_weights<T>(to, 1, c[1]);
  for (int corner = 0; corner < (Dim == 3 ? 4 : 2); ++corner) {
    const bool across1 = corner % 2 == 1, across2 = corner / 2 == 1;
    const T weight = (across1 ? first.across : first.own) * (across2 ? second.across : second.own);
    const int line = (across1 ? first.other : first.parent) +
                     to.coarse.extent[1] * (across2 ? second.other : second.parent);
    if (weight != T(0)) add_line(n, weight, e + line * n, sum);
  }
}

// Interpolates a coarse line along axis 0 and adds it to a fine one.
template <int Dim, class T>
void interpolate_along(const Coarsening<Dim>& to, const T* coarse, T* fine) {
  const int n = to.fine.extent[0];
  const auto general = [&](int i) {
    const AxisWeights<T> by = axis_weights<T>(to, 0, i);
    fine[i] += by.own * coarse[by.parent] + by.across * coarse[by.other];
  };
  const int pairs = to.axis[0].pairs ? n / 2 : 0;
  const int inner = pairs > 2 ? pairs - 1 : 1;  // of pairs 1 .. inner - 1 both neighbours exist
  for (int i = 0; i < (inner > 1 ? 2 : n); ++i) general(i);
  if (inner == 1) return;
#pragma omp simd
  for (int C = 1; C < inner; ++C) {
    fine[2 * C] += T(0.75) * coarse[C] + T(0.25) * coarse[C - 1];
    fine[2 * C + 1] += T(0.75) * coarse[C] + T(0.25) * coarse[C + 1];
  }
  for (int i = 2 * inner; i < n; ++i) general(i);
}

template <int Dim, class F>
void for_each_line(const Box<Dim>& box, F f) {
  if (host::halted()) return;
  const int lines = host::row_count(box);
  [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
  for (int line = 0; line < lines; ++line) f(host::row_start(box, line));
}

template <std::same_as<Host> Space, int Dim, class T>
void restrict_without_holes(const Coarsening<Dim>& to, const Layers& layers, const T* d, T* r) {
  for_each_line(to.coarse.box(layers), [&](const Index<Dim>& C) {
    T* const sum = line_of_thread<T>(to.fine.extent[0]);
    gather_lines(to, C, d, sum);
    gather_along(to, sum, r + to.coarse.position(C));
  });
}
template <std::same_as<Host> Space, int Dim, class T>
void prolong_without_holes(const Coarsening<Dim>& to, const Layers& layers, const T* e, T* z) {
  for_each_part(layers, to.fine.extent[Dim - 1], [&](const Layers& part) {
    for_each_line(to.fine.box(part), [&](const Index<Dim>& c) {
      T* const sum = line_of_thread<T>(to.coarse.extent[0]);
      interpolate_lines(to, c, e, sum);
      interpolate_along(to, sum, z + to.fine.position(c));
    });
  });
}

// The same, and cell by cell near holes. These layers lie inside of the grid.
template <std::same_as<Host> Space, int Dim, class T>
void restrict_around_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                           const T* d, T* r) {
  for_each_line(to.coarse.box(layers), [&](Index<Dim> C) {
    T* const sum = line_of_thread<T>(to.fine.extent[0]);
    const int first = to.coarse.position(C), n = to.coarse.extent[0];
    gather_lines(to, C, d, sum);
    gather_along(to, sum, r + first);
    for (; C[0] < n; ++C[0])
      if (holes.near[first + C[0]] != 0) r[first + C[0]] = restricted_near_holes(to, holes, d, C);
  });
}
template <std::same_as<Host> Space, int Dim, class T>
void prolong_around_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                          const T* e, T* z) {
  for_each_line(to.fine.box(layers), [&](Index<Dim> c) {
    const int n = to.fine.extent[0], first = to.fine.position(c);
    Index<Dim> C = c;
    for (int d = 1; d < Dim; ++d) C[d] = axis_weights<T>(to, d, c[d]).parent;
    const std::uint8_t* const near = holes.near + to.coarse.position(C);
    T* const before = line_of_thread<T>(n + to.coarse.extent[0]);
    T *const sum = before + n, *const line = z + first;
    std::copy(line, line + n, before);
    interpolate_lines(to, c, e, sum);
    interpolate_along(to, sum, line);
    for (C[0] = 0; C[0] < to.coarse.extent[0]; ++C[0]) {
      if (near[C[0]] == 0) continue;
      const int begin = to.first_child(0, C[0]), end = begin + to.children(0, C[0]);
      for (c[0] = begin; c[0] < end; ++c[0])
        line[c[0]] = before[c[0]] + interpolated_near_holes(to, holes, e, c);
    }
  });
}

}  // namespace hodge::linalg::multigrid
